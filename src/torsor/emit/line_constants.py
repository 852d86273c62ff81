"""Constants as operands in memory, for processors of 16 registers.

LLVM would keep one number of each constant and spread it over a register before it is used: an instruction and a
register more for each. As a whole vector in memory it is an operand of the instruction that wants it.
"""

from __future__ import annotations

import re

CONSTANT = re.compile(r"(splat \((?:double|float) (0x[0-9A-F]+)\))")
TABLE = "@torsor_constants"


def with_constants_in_memory(lines: list[str], lanes: int, real: str) -> tuple[list[str], str]:
    """The lines of a function with a load before each use of a constant, and the table of these."""
    kind = f"<{lanes} x {real}>"
    places: dict[str, int] = {}
    found: list[str] = []
    for number, line in enumerate(lines):
        for k, (text, constant) in enumerate(dict.fromkeys(CONSTANT.findall(line))):
            place = f"getelementptr inbounds ({kind}, ptr {TABLE}, i64 {places.setdefault(constant, len(places))})"
            found.append(f"  %c{number}.{k} = load {kind}, ptr {place}, align 32")
            line = line.replace(text, f"%c{number}.{k}")
        found.append(line)
    vectors = ", ".join(f"{kind} <{', '.join([f'{real} {constant}'] * lanes)}>" for constant in places)
    table = f"{TABLE} = internal constant [{len(places)} x {kind}] [{vectors}], align 32\n" if places else ""
    return found, table
