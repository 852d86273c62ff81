"""What a batch kernel asks of the processor: the instructions that compute one group of rows, counted in its assembly.

Its own lines and, of a long program, those of its blocks. The way out for angles beyond the polynomials is a few lines
among them, which call other functions; arithmetic is not among those.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

# Packed arithmetic of x86-64 (AVX and SSE) and of AArch64, after which words they are counted.
X86 = re.compile(r"v?(fn?m(?:add|sub)\d*|mul|add|sub|div|sqrt)p[ds]$")
ARM = re.compile(r"f(mla|mls|mul|add|sub|div|sqrt)$")
MULTIPLY = ("fma", "fms", "fnm", "mul", "mla", "mls")
DIVIDE = ("div", "sqrt")
FUNCTION = re.compile(r"^(?:torsor_groups?|torsor_block_(\d+)_\d+):(.*?)^\.Lfunc_end", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True)
class InstructionCount:
    """Of one group of ``lanes`` rows: all instructions, and the packed arithmetic among them."""

    lanes: int
    instructions: int
    multiplications: int  # and fused multiply-adds
    additions: int  # and subtractions
    divisions: int  # and square roots


def count_instructions(assembly: str, lanes: int) -> InstructionCount | None:
    """None where the batch kernel is not found, or has no arithmetic that is known here.

    >>> lines = ["torsor_group:", "\\tvmulpd ...", "\\tvfnmadd231pd ...", "\\tretq", ".Lfunc_end0:"]
    >>> count_instructions("\\n".join(lines), 4)
    InstructionCount(lanes=4, instructions=3, multiplications=2, additions=0, divisions=0)
    """
    words = Counter(
        line.split()[0]
        for own, body in FUNCTION.findall(assembly)
        if not own or int(own) == lanes
        for line in body.splitlines()
        if line.startswith("\t") and not line.lstrip().startswith((".", "#", "//"))
    )
    sums: Counter[str] = Counter()
    for word, count in words.items():
        found = X86.match(word) or ARM.match(word)
        if found:
            stem = found[1]
            sums["mul" if stem.startswith(MULTIPLY) else "div" if stem in DIVIDE else "add"] += count
    if not sums:
        return None
    return InstructionCount(lanes, sum(words.values()), sums["mul"], sums["add"], sums["div"])
