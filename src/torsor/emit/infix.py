"""Expressions as lines: pieces that a line may be broken between, and the infix printers for text and for programs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from torsor.emit.formula import Formula, Symbol, height, plain_number, ratio

NEVER = -1.0
WEAK = 40.0  # to break a product; breaking a sum inside parentheses costs DEEPER a level
DEEPER = 6.0


class LinePiece(NamedTuple):
    """A bit of a formula. ``cost`` is that of a line break before it, or NEVER."""

    text: str
    width: float
    cost: float = NEVER


@dataclass(frozen=True)
class InfixPrinter:
    """How infix is written; LaTeX (``latex.py``) overrides what it writes differently."""

    indexed: bool = False  # q[0] instead of q1
    power: str = "^{}"
    times: str = "*"
    factors: tuple[str, ...] = ("sum", "negative", "div")  # that stand in parentheses
    ratios: bool = True  # 4*x/3 instead of 1.3333333333333333*x

    def symbol(self, named: Symbol) -> str:
        return named.place if self.indexed and named.place else named.text

    def number(self, value: float) -> str:
        parts = ratio(value) if self.ratios else None
        return plain_number(value) if parts is None else f"{parts[0]}/{parts[1]}"

    def width(self, text: str) -> float:
        return float(len(text))

    def line(self, x: Formula) -> str:
        """All in one line."""
        return "".join(piece.text for piece in self.pieces(x))

    def pieces(self, x: Formula, depth: int = 0) -> list[LinePiece]:
        if x.symbol is not None:
            return [self._piece(self.symbol(x.symbol))]
        if x.op == "number":
            return [self._piece(self.number(x.value))]
        if x.op == "negative":
            return [self._piece("-"), *self._within(x.args[0], depth, ("sum",))]
        if x.op == "sum":
            found: list[LinePiece] = []
            for k, term in enumerate(x.args):
                if k or term.minus:
                    sign = f" {'-' if term.minus else '+'} " if k else "-"
                    found.append(self._piece(sign, DEEPER * depth if k else NEVER))
                found += self._within(term.bare, depth, ("sum", "negative"))
            return found
        if x.op == "product":
            return self._product(x, depth)
        if x.op == "power":
            inner = ("sum", "product", "negative", "div", "power")
            return [*self._within(x.args[0], depth, inner), self._piece(self.power.format(int(x.value)))]
        if x.op == "div":
            return self._quotient(x, depth)
        return self._function(x, depth)

    def _product(self, x: Formula, depth: int) -> list[LinePiece]:
        parts = ratio(x.args[0].value) if self.ratios and x.args[0].op == "number" else None
        found: list[LinePiece] = [] if parts is None or parts[0] == "1" else [self._piece(parts[0])]
        for k, factor in enumerate(x.args):
            if k or parts is None:
                if k and found:
                    found.append(self._times(factor, depth))
                found += self._within(factor, depth, self.factors)
        return found if parts is None else [*found, self._piece(f"/{parts[1]}")]

    def _times(self, factor: Formula, depth: int) -> LinePiece:
        return self._piece(self.times)

    def _quotient(self, x: Formula, depth: int) -> list[LinePiece]:
        over = self._within(x.args[0], depth, ("sum", "negative", "div"))
        under = self._within(x.args[1], depth, ("sum", "negative", "div", "product"))
        return [*over, self._piece("/"), *under]

    def _function(self, x: Formula, depth: int) -> list[LinePiece]:
        return self._call(x.op, x.args, depth)

    def _call(self, name: str, args: Sequence[Formula], depth: int) -> list[LinePiece]:
        found = [self._piece(f"{name}(")]
        for k, arg in enumerate(args):
            if k:
                found += [self._piece(","), self._piece(" ", DEEPER * depth + 1.0)]
            found += self.pieces(arg, depth + 1)
        return [*found, self._piece(")")]

    def _within(self, x: Formula, depth: int, wrapped: tuple[str, ...]) -> list[LinePiece]:
        split = x.op == "number" and self.ratios and "div" in wrapped and ratio(x.value) is not None
        if x.op not in wrapped and not split:
            return self.pieces(x, depth)
        left, right = self._brackets(height(x))
        return [self._piece(left), *self.pieces(x, depth + 1), self._piece(right)]

    def _brackets(self, inside: int) -> tuple[str, str]:
        return "(", ")"

    def _piece(self, text: str, cost: float = NEVER) -> LinePiece:
        return LinePiece(text, self.width(text), cost)


TEXT = InfixPrinter()
PYTHON = InfixPrinter(indexed=True, power="**{}", ratios=False)


def lines(pieces: Sequence[LinePiece], first: float, width: float) -> list[list[LinePiece]]:
    """Pieces in lines no wider than ``width`` (the first one: ``first``), broken where it disturbs reading least.

    The least sum of break costs and of squared slack, over all ways to break, as Knuth and Plass do for paragraphs.
    """
    starts = [0, *(k for k, piece in enumerate(pieces) if k and piece.cost != NEVER), len(pieces)]
    reach = [0.0]
    for piece in pieces:
        reach.append(reach[-1] + piece.width)
    best: list[tuple[float, int]] = [(0.0, 0)]  # cost up to the k-th start, and the start of its last line
    for k in range(1, len(starts)):
        options: list[tuple[float, int]] = []
        for j in range(k - 1, -1, -1):
            room = first if j == 0 else width
            used = reach[starts[k]] - reach[starts[j]]
            over = max(0.0, used / room - 1.0)
            if over and options:
                break
            last = k == len(starts) - 1
            slack = 0.0 if last else 10.0 * max(0.0, 1.0 - used / room) ** 2
            cost = 0.0 if j == 0 else 5.0 + pieces[starts[j]].cost
            options.append((best[j][0] + cost + slack + 1e4 * over, j))
        best.append(min(options))
    cuts = [len(starts) - 1]
    while cuts[-1]:
        cuts.append(best[cuts[-1]][1])
    cuts.reverse()
    return [list(pieces[starts[a] : starts[b]]) for a, b in pairwise(cuts)]
