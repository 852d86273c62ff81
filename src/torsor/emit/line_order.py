"""The order of a batch kernel's lines: what the end waits for longest comes first, as long as registers last.

LLVM orders a few lines at a time and otherwise keeps the order it is given. A list scheduler over all lines of a block
sees which value is on the longest way to a result, and how many registers are taken.
"""

from __future__ import annotations

import heapq
import re

NAME = re.compile(r"%t\d+")
LATENCY = {"fmul": 3, "fadd": 3, "fsub": 3, "fdiv": 13, "load": 5}  # cycles; 1 of what is not named
CALLS = {"fma": 4, "sqrt": 20}
ARITHMETIC = ("fmul", "fadd", "fsub", "call")
ADDRESSES = ("getelementptr", "mul i64")  # no register of numbers, and hardly any time
OUTSIDE = ("%spare", "%scratch", "br ", "ret ")
HASTE = 0.25  # of a latency is waited for: the processor itself reorders what is near
PULL = 0.3  # cycles of its way to the end that a line gives up for each line before it
ISSUED, CALCULATED = 4, 2  # lines a cycle, and those of arithmetic among them
LOOKED_AT = 8  # lines, the most urgent ones, when registers are short
LONGEST = 2500  # lines: longer blocks write so much that memory is what they wait for


def ordered(lines: list[str], registers: int) -> list[str]:
    """The lines of a function, those of each block in another order; ``registers`` hold its vectors."""
    found: list[str] = []
    block: list[str] = []
    for line in lines:
        if line.startswith("  ") and not line.lstrip().startswith(OUTSIDE):
            block.append(line)
        else:
            found += [*_in_order(block, registers), line]
            block = []
    return found + _in_order(block, registers)


def _in_order(lines: list[str], registers: int) -> list[str]:
    if len(lines) > LONGEST or any("fence" in line or ("call " in line and "@llvm." not in line) for line in lines):
        return lines
    order = _Order(lines, registers)
    return [lines[k] for k in order.found()]


class _Order:
    """Lines by their numbers; ``args`` and ``users`` are what they need and what needs them."""

    def __init__(self, lines: list[str], registers: int) -> None:
        self.registers = registers
        texts = [line.strip().partition(" = ")[::2] if " = " in line else ("", line.strip()) for line in lines]
        maker = {name: k for k, (name, _) in enumerate(texts) if name}
        self.args = [{maker[name] for name in NAME.findall(text) if name in maker} for _, text in texts]
        self.users: list[list[int]] = [[] for _ in lines]
        for k, args in enumerate(self.args):
            for a in args:
                self.users[a].append(k)
        self.ops = [text.split(" ", 1)[0] for _, text in texts]
        self.address = [text.startswith(ADDRESSES) for _, text in texts]
        self.latency = [0 if self.address[k] else _latency(text) for k, (_, text) in enumerate(texts)]
        self.urgency = self._urgency()

    def _urgency(self) -> list[float]:
        """The way to the end, less what stands before it; a load stands where it is first used."""
        way, place = [0.0] * len(self.args), list(range(len(self.args)))
        for k in reversed(range(len(self.args))):
            users = self.users[k]
            way[k] = self.latency[k] + max((way[u] for u in users), default=0.0)
            if users and (self.address[k] or self.ops[k] == "load"):
                place[k] = min(place[u] for u in users)
        return [w - PULL * p for w, p in zip(way, place, strict=True)]

    def found(self) -> list[int]:
        missing = [len(args) for args in self.args]
        left = [len(users) for users in self.users]
        loads = self.ops.count("load")
        waiting: list[tuple[float, int]] = [(0.0, k) for k, many in enumerate(missing) if not many]
        there: list[tuple[float, int]] = []
        stores: list[int] = []  # an output may be an input: nothing is stored before all is loaded
        finished = [0.0] * len(self.args)
        order: list[int] = []
        alive, now = 0, 0.0

        def change(k: int) -> int:
            """How many registers more a line takes."""
            freed = sum(1 for a in self.args[k] if left[a] == 1 and not self.address[a])
            return (0 if self.address[k] or self.ops[k] == "store" else 1) - freed

        while len(order) < len(self.args):
            while waiting and waiting[0][0] <= now:
                k = heapq.heappop(waiting)[1]
                heapq.heappush(there, (-self.urgency[k], k))
            issued = calculated = 0
            later: list[tuple[float, int]] = []
            while there and issued < ISSUED:
                looked = [heapq.heappop(there)]
                if alive >= self.registers:
                    while there and change(looked[-1][1]) > 0 and len(looked) < LOOKED_AT:
                        looked.append(heapq.heappop(there))
                    if change(looked[-1][1]) <= 0:
                        looked[0], looked[-1] = looked[-1], looked[0]
                _, k = looked[0]
                for other in looked[1:]:
                    heapq.heappush(there, other)
                if self.ops[k] in ARITHMETIC:
                    if calculated == CALCULATED:
                        later.append(looked[0])
                        continue
                    calculated += 1
                alive += change(k)
                issued += not self.address[k]
                order.append(k)
                finished[k] = now + HASTE * self.latency[k]
                for a in self.args[k]:
                    left[a] -= 1
                ready = self.users[k]
                if self.ops[k] == "load":
                    loads -= 1
                    if not loads:
                        ready, stores = [*ready, *stores], []
                for u in ready:
                    missing[u] -= u in self.users[k]
                    if missing[u]:
                        continue
                    if self.ops[u] == "store" and loads:
                        stores.append(u)
                    else:
                        heapq.heappush(waiting, (max((finished[a] for a in self.args[u]), default=now), u))
                while waiting and waiting[0][0] <= now:
                    u = heapq.heappop(waiting)[1]
                    heapq.heappush(there, (-self.urgency[u], u))
            for other in later:
                heapq.heappush(there, other)
            now = now + 1.0 if there or not waiting else max(now + 1.0, waiting[0][0])
        return order


def _latency(text: str) -> int:
    op, _, rest = text.partition(" ")
    if op != "call":
        return LATENCY.get(op, 1)
    return next((cycles for name, cycles in CALLS.items() if f"@llvm.{name}." in rest), 1)
