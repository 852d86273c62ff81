"""The order of a batch kernel's lines: each halfway between the earliest and the latest time at which it could run.

A tape is in the order in which its page was written, which has little to do with what can run at once; LLVM orders a
few lines at a time and otherwise keeps what it is given. All lines of a block are sorted here, loads and polynomials of
sines among them. By the earliest time alone whatever can be computed would be, and then kept in memory until somebody
wants it; by the latest time alone nothing would be there early enough.
"""

from __future__ import annotations

import re

from torsor.emit.machine_sums import LATENCY

NAME = re.compile(r"%t\d+")
CYCLES = {"load": 5, **{f"f{op}": LATENCY[op] for op in ("mul", "add", "sub", "div")}}  # 1 of what is not named
CALLS = {op: LATENCY[op] for op in ("fma", "sqrt")}
ADDRESSES = ("getelementptr", "mul i64")  # hardly any time
ARITHMETIC = ("fmul", "fadd", "fsub", "call")
# Of these in a cycle of the longest way. What is as wide as derivatives are keeps the processor busy in any order, and
# waits for memory if more is begun at once: those of the UR5 would take 1.25 of the time.
WIDE = 5.5
FIXED = ("%spare", "%scratch", "br ", "ret ")


def in_order(lines: list[str]) -> list[str]:
    """The lines of a function, those of each of its blocks in their new order."""
    found: list[str] = []
    block: list[str] = []
    for line in [*lines, ""]:
        if line.startswith("  ") and not line.lstrip().startswith(FIXED):
            block.append(line)
        else:
            found += [*_sorted(block), line]
            block = []
    return found[:-1]


def _sorted(lines: list[str]) -> list[str]:
    """Whatever else is called, or fences off, stays where it is, and all with it."""
    if any("fence" in line or ("call " in line and "@llvm." not in line) for line in lines):
        return lines
    texts = [line.strip().partition(" = ")[::2] if " = " in line else ("", line.strip()) for line in lines]
    maker = {name: k for k, (name, _) in enumerate(texts) if name}
    needed = [[maker[name] for name in NAME.findall(text) if name in maker] for _, text in texts]
    latency = [_latency(text) for _, text in texts]
    early = [0] * len(lines)  # cycles from the start
    for k, args in enumerate(needed):
        early[k] = max((early[a] + latency[a] for a in args), default=0)
    way = latency.copy()  # cycles to the end
    for k in reversed(range(len(lines))):
        for a in needed[k]:
            way[a] = max(way[a], latency[a] + way[k])
    if sum(text.startswith(ARITHMETIC) for _, text in texts) > WIDE * max(way, default=0):
        return lines
    # a store comes after all loads, since an output may be an input
    last_load = max((early[k] - way[k] for k, (_, text) in enumerate(texts) if text.startswith("load")), default=0)
    middle = [early[k] - way[k] if name else max(early[k] - way[k], last_load + 1) for k, (name, _) in enumerate(texts)]
    return [lines[k] for k in sorted(range(len(lines)), key=lambda k: (middle[k], k))]


def _latency(text: str) -> int:
    if text.startswith(ADDRESSES):
        return 0
    op, _, rest = text.partition(" ")
    if op != "call":
        return CYCLES.get(op, 1)
    return next((cycles for name, cycles in CALLS.items() if f"@llvm.{name}." in rest), 1)
