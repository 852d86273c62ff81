"""Operation counts, by the rules of the literature: M are multiplications and divisions, A additions and subtractions.

Trigonometry is counted apart, negations are free (they vanish into neighbours or the last store) but shown, and what
depends on parameters only is computed once and shown as ``fixed``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from torsor.algebra.node import Node, coerce
from torsor.algebra.operations import OPERATIONS
from torsor.algebra.walk import reachable
from torsor.errors import CompileError


@dataclass(frozen=True)
class Count:
    """How many operations of each kind. ``select`` holds selections, comparisons, min, max, abs and sign."""

    mul: int = 0
    add: int = 0
    div: int = 0
    trig: int = 0
    sqrt: int = 0
    select: int = 0
    other: int = 0
    neg: int = 0
    fixed: int = 0  # done once, since it depends on parameters only

    @property
    def M(self) -> int:
        """Multiplications and divisions."""
        return self.mul + self.div

    @property
    def A(self) -> int:
        """Additions and subtractions."""
        return self.add

    @property
    def total(self) -> int:
        """M + A, what the searches lower."""
        return self.mul + self.div + self.add

    @property
    def work(self) -> float:
        """A rough cost on a processor, to choose between graphs that differ in more than M and A."""
        return self.total + 3.0 * self.div + 10.0 * self.trig + 4.0 * self.sqrt + self.select + 15.0 * self.other

    @property
    def cost(self) -> str:
        """M and A, as papers print them."""
        return f"{self.M} M {self.A} A"

    def __str__(self) -> str:
        rest = [f"{getattr(self, f.name)} {f.name}" for f in fields(self)[2:] if getattr(self, f.name)]
        return ", ".join([f"{self.M} M", f"{self.A} A", *rest])


def tally(kinds: Iterable[tuple[str, bool]]) -> Count:
    """The count of operations given as (name, depends on parameters only)."""
    counter: Counter[str] = Counter()
    for op, fixed in kinds:
        counted = OPERATIONS[op].counted
        if counted:
            counter["fixed" if fixed else counted] += 1
    return Count(**counter)


def nodes_of(outputs: Any) -> list[Node]:
    """The nodes of one output, of an array, or of a mapping or sequence of them, flat and in order."""
    if isinstance(outputs, dict | np.ndarray):
        outputs = list(outputs.values() if isinstance(outputs, dict) else outputs.flat)
    if isinstance(outputs, list | tuple):
        return [node for part in outputs for node in nodes_of(part)]
    node = coerce(outputs)
    if node is None:
        raise CompileError(f"{type(outputs).__name__} {outputs!r} is no output of a graph")
    return [node]


def count(outputs: Any) -> Count:
    """The operations of a graph: every node once, however often it is used.

    >>> from torsor.algebra import symbol
    >>> x, y = symbol("x"), symbol("y")
    >>> print(count([x * y + 1, (x * y) ** 2]))
    2 M, 1 A
    """
    return tally((node.op, node.fixed) for node in reachable(nodes_of(outputs)) if node.args)
