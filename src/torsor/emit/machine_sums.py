"""Steps for machines, and sums joined by ready time: what is there first is added first.

A tape writes a sum as a chain, in which each term waits for the sum of those before it though most terms are there long
ago. Here the two terms that are ready first are joined, again and again; products join as fused multiply-adds.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from torsor.algebra.tape import Tape
from torsor.emit.expressions import uses_of

# Rough result latencies in cycles; 1 of what is not named.
LATENCY = {"add": 3, "sub": 3, "mul": 4, "fma": 4, "fms": 4, "fnma": 4, "div": 13, "sqrt": 18}
LATENCY |= {"sin": 50, "cos": 50, "exp": 60, "atan2": 90}
SUMS = ("add", "sub")
# A tape is crowded if it has more values than LONG, and more than so many for each cycle that it takes at least: then
# most values wait in memory, there is enough to do meanwhile, and sums stay as they are written. Nanoseconds of a state
# alone and in a batch, by ready time and as written: inverse dynamics of 64 joints 1450 and 535, 1485 and 452, of 32
# joints, 5,200 values, 147 and 166 in a batch; forward dynamics of 32 joints, a long wait, 1890 and 423, 2270 and 438;
# of 64 joints 4610 and 1180, 4545 and 1050.
LONG, VALUES_A_CYCLE = 6000, 5


@dataclass(frozen=True, slots=True)
class MachineStep:
    """One operation of a program: a tape operation, or a fused one.

    "fma" is a*b + c, "fms" a*b - c, "fnma" c - a*b.
    """

    op: str
    out: int
    args: tuple[int, ...]


class SumTerm(NamedTuple):
    """Of a sum; the first of several is the one that is ready first, then the one that was written first."""

    ready: int
    place: int
    minus: bool
    values: tuple[int, ...]  # one value, or the two factors of a product that nobody has made yet


class MachineSums:
    """The sums of a tape. Values that stand in no tape are numbered after all that do."""

    def __init__(self, tape: Tape, *, fuse: bool) -> None:
        self.code, self.uses = tape.code, uses_of(tape)
        self.ready: dict[int, int] = {}  # the cycle in which a value could be there on a machine without limits
        self._fresh = len(tape.code)
        sums = [k for k, step in enumerate(self.code) if self.uses[k] and step.op in SUMS]
        once = {a for k in sums for a in self.code[k].args if self.uses[a] == 1}
        self._products = {a for a in once if fuse and self.code[a].op == "mul"}
        self._inner = set() if self._is_crowded() else {a for a in once if self.code[a].op in SUMS}
        self.gone = self._inner | self._products  # made within the sum that uses them

    def step(self, op: str, out: int, args: tuple[int, ...]) -> MachineStep:
        self.ready[out] = LATENCY.get(op, 1) + max((self.ready.get(a, 0) for a in args), default=0)
        return MachineStep(op, out, args)

    def joined(self, k: int) -> Iterator[MachineStep]:
        """The steps that make the sum k of the tape."""
        heap = [
            SumTerm(max(self.ready.get(v, 0) for v in values), place, minus, values)
            for place, (minus, values) in enumerate(self._terms(k))
        ]
        heapq.heapify(heap)
        place = len(heap)
        while len(heap) > 1:
            a, b = heapq.heappop(heap), heapq.heappop(heap)
            if len(a.values) == len(b.values) == 2:  # of two products the one that is ready last joins
                yield self.step("mul", self._number(), a.values)
                a = a._replace(values=(self._fresh,))
            op, values, minus = _sum_of(a, b)
            out = k if not heap and not minus else self._number()
            yield self.step(op, out, values)
            heapq.heappush(heap, SumTerm(self.ready[out], place, minus, (out,)))
            place += 1
        if heap[0].minus:
            yield self.step("neg", k, heap[0].values)

    def _terms(self, whole: int) -> Iterator[tuple[bool, tuple[int, ...]]]:
        """Whether a term is subtracted, and its value or factors; in the order in which they are written."""
        pending = [(whole, False)]
        while pending:
            k, minus = pending.pop()
            op, args, _ = self.code[k]
            if k == whole or k in self._inner:
                pending += (args[1], minus ^ (op == "sub")), (args[0], minus)
            else:
                yield minus, args if k in self._products else (k,)

    def _is_crowded(self) -> bool:
        if len(self.code) <= LONG:
            return False
        ready: list[int] = []
        for k, (op, args, _) in enumerate(self.code):
            takes = 0 if k in self._products else LATENCY.get(op, 1)  # a product is made by the sum
            ready.append(takes + max((ready[a] for a in args), default=0))
        return len(self.code) > VALUES_A_CYCLE * max(ready)

    def _number(self) -> int:
        self._fresh += 1
        return self._fresh


def _sum_of(a: SumTerm, b: SumTerm) -> tuple[str, tuple[int, ...], bool]:
    """Operation and arguments that join two terms, and whether the result counts as negative."""
    if len(a.values) == len(b.values):
        if a.minus == b.minus:
            return "add", a.values + b.values, a.minus
        return "sub", (b.values + a.values if a.minus else a.values + b.values), False
    product, other = (a, b) if len(a.values) == 2 else (b, a)
    if product.minus == other.minus:
        return "fma", product.values + other.values, product.minus
    return ("fnma" if product.minus else "fms"), product.values + other.values, False
