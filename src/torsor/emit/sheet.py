"""A sheet of equations: what the printers of text, JSON and LaTeX print."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from torsor.algebra.counting import Count
from torsor.algebra.tape import Array
from torsor.emit.code_names import NO_NAMES, CodeNames
from torsor.emit.formula import Formula, Symbol, recount
from torsor.emit.sheet_given import GivenRow

HEADINGS = {
    "constants": "Constants, computed once",
    "trigonometry": "Trigonometry",
    "products": "Products",
    "intermediates": "Intermediates",
    "results": "Results",
}
# Burdick's closed form: tau_i = M_ij qdd_j + c_ijj qd_j^2 + b_ijk qd_j qd_k + g_i, over j < k.
CLOSED_FORM = {
    "M": "Inertia matrix",
    "c": "Centripetal coefficients, of the square of the rate of joint j in torque i",
    "b": "Coriolis coefficients, of the product of the rates of joints j < k in torque i",
    "g": "Gravity",
}
# What vectors hold that are given, by their letters.
GIVEN = {
    "xi": "twists xi = (vx, vy, vz, wx, wy, wz) at the zero pose, in base axes",
    "M": "inertias Mp = (m, sx, sy, sz, Ixx, Ixy, Ixz, Iyy, Iyz, Izz) about the base at the zero pose",
}
FEW = 12  # zeros that are listed one by one


@dataclass(frozen=True)
class Equation:
    """symbol = expression."""

    symbol: Symbol
    group: str  # a key of HEADINGS
    expression: Formula

    @property
    def name(self) -> str:
        return self.symbol.text

    def __str__(self) -> str:
        return f"{self.name} = {self.expression}"


@dataclass(frozen=True)
class Output:
    """An output array: what each entry is, row-major. An entry is a name, minus a name, or a number."""

    array: Array
    entries: tuple[Formula, ...]


@dataclass(frozen=True)
class SheetPart:
    """Equations that are printed together, and what is not listed: entries that vanish, a lower triangle."""

    heading: str
    equations: tuple[Equation, ...]
    stem: str = ""  # the output array, of results
    zeros: tuple[Symbol, ...] = ()
    symmetric: bool = False

    @property
    def all_others(self) -> bool:
        """Whether too many entries vanish to list them."""
        return len(self.zeros) > FEW


@dataclass(frozen=True)
class Sheet:
    """Equations in an order in which they can be computed, and what they are about."""

    title: str
    robot: str
    formulation: str
    version: str
    style: str
    counts: Count  # of the tape
    inputs: tuple[Array, ...]
    parameters: tuple[str, ...]
    symbols: tuple[Symbol, ...]  # of the inputs' scalars, in the tape's order
    equations: tuple[Equation, ...]
    outputs: tuple[Output, ...]
    zeros: tuple[Symbol, ...]  # results that vanish, which have no equation
    symmetric: tuple[str, ...]  # outputs of which only the upper triangle is listed
    closed_form: bool  # whether the outputs are M, c, b, g
    given: tuple[GivenRow, ...] = ()  # vectors that the paper tabulates first
    code_names: CodeNames = NO_NAMES  # what code calls the same values

    def group(self, name: str) -> tuple[Equation, ...]:
        return tuple(equation for equation in self.equations if equation.group == name)

    @property
    def given_by_letter(self) -> list[GivenRow]:
        return sorted(self.given, key=lambda row: list(GIVEN).index(row.symbol.stem) if row.symbol.stem in GIVEN else 9)

    def results(self) -> Iterator[SheetPart]:
        """The results in their order, output by output."""
        said: set[str] = set()
        for stem, run in groupby(self.group("results"), key=lambda each: each.symbol.stem):
            yield self._part(stem, tuple(run), first=stem not in said)
            said.add(stem)
        for output in self.outputs:
            if output.array.name not in said and any(zero.stem == output.array.name for zero in self.zeros):
                yield self._part(output.array.name, (), first=True)

    def _part(self, stem: str, run: tuple[Equation, ...], first: bool) -> SheetPart:
        heading = CLOSED_FORM.get(stem, "") if self.closed_form else ""
        if not first:
            return SheetPart(heading and f"{heading}, continued", run, stem)
        zeros = tuple(zero for zero in self.zeros if zero.stem == stem)
        return SheetPart(heading, run, stem, zeros, stem in self.symmetric)

    @cached_property
    def recounted(self) -> Count:
        """The operations of what is printed; never more than ``counts``, signs and constants apart.

        Constants may be more: what several of them have in common is spelled out in each, if it is short.
        """
        return recount((each.expression, each.group == "constants") for each in self.equations)
