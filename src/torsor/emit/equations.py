"""A tape as equations to read: values used once stand where they are used, the others get names as the papers give.

A sheet is a program all the same: every equation uses only inputs and what stands above it. Three styles:

- "emdeg" (Burdick 1986): K for what depends on parameters only, T for products of sines and cosines, V for the rest;
- "kane" (Kane & Levinson 1983): Z for all intermediates, each a sum of products without parentheses; where a paper
  numbers them, by its numbers, and what is not its own from the next hundred on;
- "plain": the names that the page told (w, f, n of Newton-Euler; b, d, e, n' of mRNEA), K, T and V for the rest.
"""

from __future__ import annotations

from collections.abc import Mapping

from torsor.algebra.recognising import Called
from torsor.algebra.tape import Instruction, Tape
from torsor.emit import formula
from torsor.emit.angles import SheetAngle, Trig, angles, trigonometry
from torsor.emit.expressions import uses_of
from torsor.emit.formula import Formula, leaves, negative, number, reference, symbol, without_sign
from torsor.emit.sheet import Equation, Sheet
from torsor.emit.sheet_given import GivenRow
from torsor.emit.sheet_listing import SheetListing
from torsor.emit.sheet_names import SheetNames
from torsor.emit.sheet_style import FACTORS, STYLES, SheetStyle
from torsor.errors import CompileError, did_you_mean

__all__ = ["STYLES", "Equation", "Sheet", "SheetStyle", "readable"]


def readable(
    tape: Tape,
    *,
    style: str = "plain",
    title: str = "",
    robot: str = "",
    formulation: str = "",
    version: str = "",
    numbers: tuple[int, ...] = (),
    called: Mapping[int, Called] | None = None,
    given: tuple[GivenRow, ...] = (),
) -> Sheet:
    """A tape as a sheet of equations; ``numbers`` are those of the joints, where they do not count from one, and
    ``called`` says which values have a name in the paper, ``given`` what it tabulates first.

    >>> from torsor.algebra import symbols, tape_from
    >>> import numpy as np
    >>> q = symbols("q", 2)
    >>> y = np.cos(q[0]) * 0.5 + np.cos(q[0] + q[1])
    >>> for equation in readable(tape_from("reach", {"q": q}, {"x": y, "twice": -2 * y})).equations:
    ...     print(equation)
    c1 = cos(q1)
    c12 = cos(q1 + q2)
    x = 0.5*c1 + c12
    twice = -2*x
    """
    styles = STYLES | {"factors": FACTORS}
    if style not in styles:
        raise CompileError(f"there is no style {style!r}", hint=did_you_mean(style, STYLES))
    tape.verify()
    writer = SheetWriter(tape, styles[style], numbers)
    named = called or {}
    if style != "plain":  # which has letters of its own: only what the paper numbers by them
        named = {k: each for k, each in named.items() if each.told.letter == styles[style].intermediates}
    listing = SheetListing(writer, named)
    equations, outputs, zeros, symmetric = listing.sheet()
    return Sheet(
        title=title or tape.name.replace("_", " "),
        robot=robot,
        formulation=formulation,
        version=version,
        style=style,
        counts=tape.counts(),
        inputs=tape.inputs,
        parameters=tape.parameters,
        symbols=tuple(writer.names.inputs),
        equations=tuple(equations),
        outputs=tuple(outputs),
        zeros=tuple(zeros),
        symmetric=tuple(symmetric),
        closed_form=writer.names.closed_form,
        given=given,
        code_names=listing.code_names(),
    )


class SheetWriter:
    """Builds expressions along the tape, then names what needs a name."""

    def __init__(self, tape: Tape, style: SheetStyle, numbers: tuple[int, ...] = ()) -> None:
        self.tape, self.style = tape, style
        self.names = SheetNames(tape, numbers)
        self.uses = uses_of(tape, squares_once=True)
        self.trig = trigonometry(tape, self.uses)
        self.angles = angles(tape)
        self.is_result = set(tape.results)
        self.inline: list[Formula] = []  # how each value stands in its users
        self.defined: dict[int, Formula] = {}  # values with names, in refs
        self.known: dict[tuple[str, SheetAngle], Formula] = {}  # sines and cosines that have a name
        self.entering = self._entering()
        for k, step in enumerate(tape.code):
            self.inline.append(self._value(k, step) if self.uses[k] else number(0.0))

    def _entering(self) -> set[int]:
        """Values of parameters only that others, or the results, read."""
        fixed = self.tape.fixed
        found = {k for k in self.tape.results if fixed[k]}
        for k, step in enumerate(self.tape.code):
            if self.uses[k] and not fixed[k]:
                found.update(arg for arg in step.args if fixed[arg])
        return found

    # Expressions, in which named values are refs.

    def _value(self, k: int, step: Instruction) -> Formula:
        if step.op == "input":
            return symbol(self.names.inputs[int(step.value)])
        if step.op == "const":
            return number(step.value)
        if k in self.trig:
            return self._trig(k, self.trig[k], step)
        made = self._combined(step)
        if made.bare.atom:
            return made
        if k in self.is_result or (k in self.entering and not self.style.inside_results):
            return self._define(k, made)
        spelled = self.tape.fixed[k] and leaves(made) <= self.style.spelled
        return self._define(k, made) if self.uses[k] > 1 and not spelled else made

    def _trig(self, k: int, trig: Trig, step: Instruction) -> Formula:
        key = trig.function, trig.angle
        if key not in self.known:
            made = self._combined(step)
            self.defined[k] = negative(made) if trig.minus else made
            self.known[key] = reference(k)
        return negative(self.known[key]) if trig.minus else self.known[key]

    def _define(self, k: int, made: Formula) -> Formula:
        """Give a value a name; a result keeps its sign, of the others the positive one is named."""
        turned = without_sign(made)
        if made.minus and turned.op != "product" and (k not in self.is_result or self.tape.fixed[k]):
            self.defined[k] = made.bare
            return negative(reference(k))
        self.defined[k] = turned
        return reference(k)

    def _combined(self, step: Instruction) -> Formula:
        args = step.args
        if step.op in ("add", "sub"):
            a, b = self._both(args)
            return formula.total([a, b if step.op == "add" else negative(b)])
        if step.op == "neg":
            return negative(self.inline[args[0]])
        if step.op == "mul":
            if args[0] == args[1]:
                return formula.square(self._inside(args[0], ("power", "div", "product")))
            for arg in args:
                self._inside(arg, ("product", "power", "div"))
            return formula.product(self._both(args))
        for arg in args:
            self._inside(arg, ())
        made = [self.inline[arg] for arg in args]
        return formula.quotient(*made) if step.op == "div" else Formula(step.op, tuple(made))

    def _both(self, args: tuple[int, ...]) -> list[Formula]:
        """Two arguments; the longer gets a name if together they are too long."""
        sizes = [leaves(self.inline[arg]) for arg in args]
        while sum(sizes) > self.style.longest and max(sizes) > 1:
            k = sizes.index(max(sizes))
            self._named(args[k])
            sizes[k] = 1
        return [self.inline[arg] for arg in args]

    def _inside(self, k: int, free: tuple[str, ...]) -> Formula:
        """An argument that needs parentheses, unless it is one of the ``free``: it gets a name if it is too long."""
        bare = self.inline[k].bare
        wrapped = bare.op not in free
        long = (wrapped and leaves(bare) > self.style.inside) or formula.height(bare) + wrapped > self.style.deepest
        if not bare.atom and long:
            self._named(k)
        return self.inline[k]

    def _named(self, k: int) -> None:
        made = self.inline[k]
        self.defined[k] = made.bare
        self.inline[k] = negative(reference(k)) if made.minus else reference(k)
