"""Numbers that a graph turns out to hold, to the last digit: at one point, in decimals of forty digits.

Samples tell that a value is a constant, or a constant times another; they do not tell which to the last bit. Here it
is computed again in arithmetic that is the same everywhere and whose own rounding is far below a double's.
"""

from __future__ import annotations

from decimal import Context, Decimal, localcontext

from torsor.algebra.circle import cos_sin
from torsor.algebra.guard import BRANCHED, Guard
from torsor.algebra.node import Node
from torsor.algebra.operations import OPERATIONS
from torsor.algebra.walk import topological

DIGITS = 40
ENDLESS = Context(DIGITS, traps=[])  # what overflows or is divided by zero is no number, and finds no constant
WIDEST = 100  # rad: of a wider angle, which only a point next to a singular one has, a double is enough


class Digits:
    """Values of nodes at the first point of a guard, remembered."""

    def __init__(self, guard: Guard) -> None:
        self.guard = guard
        self.values: dict[Node, Decimal] = {}

    def ratio(self, of: Node, to: Node) -> float:
        """of / to, rounded to a double once."""
        with localcontext(ENDLESS):
            return float(self._of(of) / self._of(to))

    def difference(self, of: Node, to: Node, sign: int) -> float:
        """of - sign * to."""
        with localcontext(ENDLESS):
            return float(self._of(of) - sign * self._of(to))

    def value(self, node: Node) -> float:
        with localcontext(ENDLESS):
            return float(self._of(node))

    def _of(self, root: Node) -> Decimal:
        for node in topological([root], self.values):
            self.values[node] = self._computed(node)
        return self.values[root]

    def _computed(self, node: Node) -> Decimal:
        op, args = node.op, [self.values[arg] for arg in node.args]
        if op == "const":
            return Decimal(node.value)
        if not args or op in BRANCHED:  # a guard that is asked for numbers draws what has branches
            return Decimal(float(self.guard.draw(node)[0]))
        if op in ("sin", "cos"):
            return _wave(args[0], cosine=op == "cos")
        evaluate = OPERATIONS[op].evaluate
        assert evaluate is not None
        return Decimal(evaluate(*args))  # NumPy leaves it to the decimals


def _wave(x: Decimal, *, cosine: bool) -> Decimal:
    """Taylor's series; angles of samples are of the size of 1."""
    if abs(x) > WIDEST:
        return Decimal(cos_sin(float(x))[0 if cosine else 1])
    term = Decimal(1) if cosine else x
    total, k = term, 0 if cosine else 1
    while abs(term) > Decimal(10) ** -DIGITS:
        term = -term * x * x / ((k + 1) * (k + 2))
        total, k = total + term, k + 2
    return total
