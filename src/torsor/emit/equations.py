"""A tape as equations to read: values used once stand where they are used, the others get names as the papers give.

A sheet is a program all the same: every equation uses only inputs and what stands above it. Four styles:

- "emdeg" (Burdick 1986): K for what depends on parameters only, T for products of sines and cosines, V for the rest;
- "kane" (Kane & Levinson 1983): Z for all intermediates, each a sum of products without parentheses;
- "factors": a product whose factors are the point: constants stand where they are used;
- "plain": the names that the page told (w, f, n of Newton-Euler; b, d, e, n' of mRNEA), K, T and V for the rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from torsor.algebra.recognising import Called
from torsor.algebra.tape import Array, Instruction, Tape
from torsor.algebra.telling import Told
from torsor.emit import formula
from torsor.emit.angles import SheetAngle, Trig, angles, trigonometry
from torsor.emit.expressions import shared_out, uses_of
from torsor.emit.formula import Formula, Symbol, leaves, negative, number, reference, symbol, walk, without_sign
from torsor.emit.sheet import HEADINGS, Equation, Output, Sheet
from torsor.emit.sheet_names import SheetNames
from torsor.errors import CompileError, did_you_mean

__all__ = ["STYLES", "Equation", "Sheet", "SheetStyle", "readable"]


@dataclass(frozen=True)
class SheetStyle:
    """Letters of the names, and how much is written into one equation."""

    constants: str  # "": constants have no names
    products: str  # "": products of sines and cosines are intermediates like others
    intermediates: str
    longest: int = 40  # names and numbers in an equation
    inside: int = 8  # names and numbers within parentheses
    deepest: int = 2  # parentheses within each other
    spelled: int = 4  # names and numbers of what constants have in common and each spells out
    by_result: bool = False  # constants of the closed form are numbered by the coefficient they are of


STYLES = {
    "plain": SheetStyle("K", "T", "V"),
    "emdeg": SheetStyle("K", "T", "V", by_result=True),
    "factors": SheetStyle("", "T", "V", spelled=40),
    "kane": SheetStyle("Z", "", "Z", inside=0, deepest=0, spelled=0),
}


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
) -> Sheet:
    """A tape as a sheet of equations; ``numbers`` are those of the joints, where they do not count from one, and
    ``called`` says which values have a name in the paper.

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
    if style not in STYLES:
        raise CompileError(f"there is no style {style!r}", hint=did_you_mean(style, STYLES))
    tape.verify()
    writer = _Writer(tape, STYLES[style], numbers)
    equations, outputs, zeros, symmetric = _Listing(writer, called or {}).sheet()
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
    )


class _Writer:
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
        if k in self.is_result or (k in self.entering and self.style.constants):
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


class _Listing:
    """Names what was given a name, and puts the equations in order."""

    def __init__(self, writer: _Writer, called: Mapping[int, Called]) -> None:
        self.called = called
        self.writer, self.tape, self.names = writer, writer.tape, writer.names
        self.defined = writer.defined
        self.by_result = writer.style.by_result and writer.names.closed_form
        self.refs = {k: _refs(made) for k, made in self.defined.items()}
        self.groups = self._groups(self._free_for_results())
        self.own = {k for k, group in self.groups.items() if group == "results"}
        self.named = self._symbols()

    def _free_for_results(self) -> set[int]:
        """Values that can be named by the result they are: those that no intermediate needs."""
        free: set[int] = set()
        needed = set(self.writer.trig)
        results = [self.writer.inline[k].bare for k in self.writer.is_result]  # a result may be minus a value
        own = {int(made.value) for made in results if made.op == "ref"}
        for k in sorted(self.defined, reverse=True):
            if k in own and k not in needed and not self.tape.fixed[k]:
                free.add(k)
            else:
                needed |= self.refs[k]
        return free

    def _groups(self, free: set[int]) -> dict[int, str]:
        found: dict[int, str] = {}
        turning = set(self.writer.trig)
        for k in sorted(self.defined, reverse=True):  # angles, and angles that are part of them
            if k in turning:
                turning |= self.refs[k]
        for k in sorted(self.defined):
            if self.tape.fixed[k]:
                found[k] = "constants"
            elif k in turning:
                found[k] = "trigonometry"
            elif k in free:
                found[k] = "results"
            elif self.writer.style.products and self._trigonometric(self.defined[k], found):
                found[k] = "products"
            else:
                found[k] = "intermediates"
        return found

    def _trigonometric(self, made: Formula, groups: dict[int, str]) -> bool:
        """Whether an expression is a product of sines and cosines only."""
        if made.op == "ref":
            return int(made.value) in self.writer.trig or groups[int(made.value)] == "products"
        return made.op in ("product", "power") and all(self._trigonometric(arg, groups) for arg in made.args)

    def _symbols(self) -> dict[int, Symbol]:
        named: dict[int, Symbol] = {}
        for k, place in zip(self.tape.results, self.names.results, strict=True):
            made = self.writer.inline[k]
            value = int(made.bare.value) if made.bare.op == "ref" else -1
            if value in self.own - set(named):
                # the first result that is this value or minus it: M_12, then M_21 = M_12; c_233, then c_322 = -c_233
                named[value] = place
                if made.minus:
                    self._turn(value)
        style, trig, members = self.writer.style, self.writer.trig, sorted(self.defined)
        angles = {k: self.writer.angles[k] for k in members if self.groups[k] == "trigonometry" and k not in trig}
        turned = [(k, trig[k]) for k in members if k in trig]
        named |= self.names.trigonometry(turned, [(k, angle) for k, angle in angles.items() if angle is not None])
        if self.by_result:
            named |= self._constants_of_results()
        named |= self._told([k for k in members if self.groups[k] == "intermediates"])
        letters = {
            "constants": (style.constants, "constant"),
            "products": (self._free_letter(style.products), "product"),
            "intermediates": (style.intermediates, "value"),
        }
        for group, (letter, kind) in letters.items():
            rest = [k for k in members if self.groups[k] == group and k not in named]
            named |= {k: self.names.numbered(letter, kind) for k in rest}
        return named

    def _free_letter(self, letter: str) -> str:
        """Products are P where T is a result, the pose."""
        return "P" if letter in {array.name for array in self.tape.outputs} else letter

    def _constants_of_results(self) -> dict[int, Symbol]:
        """As Burdick numbers them: K11 is the constant term of M11, K111, K112 ... are further constants in it; what
        only gravity needs is g211 and so on."""
        found: dict[int, Symbol] = {}
        seen: set[int] = set()
        for place, k in zip(self.names.results, self.tape.results, strict=True):
            gravity = place.stem == "g"
            letter = "g" if gravity else self.writer.style.constants
            index = (*place.indices, 1) if gravity else place.indices
            whole = self.writer.inline[k]
            if whole.bare.op == "ref" and not self.tape.fixed[int(whole.bare.value)]:
                whole = self.defined[int(whole.bare.value)]
            terms = [term.bare for term in (whole.args if whole.op == "sum" else (whole,))]
            constants = list(self._constants_in(whole, seen))
            own = next((value for value in constants if place.stem == "M" and reference(value) in terms), None)
            if own is not None:
                constants.remove(own)
                found[own] = self.names.of_result(letter, index)
            for at, value in enumerate(constants):
                found[value] = self.names.of_result(letter, (*index, at + 1))
        return found

    def _numbering(self, k: int) -> tuple[bool, tuple[int, ...]]:
        return self.named[k].stem == "g", self.named[k].indices

    def _constants_in(self, whole: Formula, seen: set[int]) -> Iterator[int]:
        """The constants that an expression needs and none before it did, as they appear in it."""
        for x in walk(whole):
            if x.op == "ref" and (value := int(x.value)) not in seen:
                seen.add(value)
                yield from self._constants_in(self.defined[value], seen)
                if self.groups[value] == "constants":
                    yield value

    def _told(self, members: list[int]) -> dict[int, Symbol]:
        """Names of the paper, each for the first value that it is of."""
        found: dict[int, Symbol] = {}
        given: set[Told] = set()
        for k in members:
            call = self.called.get(k)
            if call is not None and call.told not in given:
                given.add(call.told)
                found[k] = self.names.told(call.told)
                if call.minus != self.writer.inline[k].minus:
                    self._turn(k)
        return found

    def _turn(self, value: int) -> None:
        """Define minus a value instead of it."""

        def turned(x: Formula) -> Formula | None:
            return Formula("negative", (x,)) if x == reference(value) else None

        for k, read in self.refs.items():
            if value in read:
                self.defined[k] = without_sign(formula.rebuilt(self.defined[k], turned))
        self.defined[value] = without_sign(negative(self.defined[value]))
        self.writer.inline = [
            formula.rebuilt(made, turned) if made.bare == reference(value) else made for made in self.writer.inline
        ]

    def sheet(self) -> tuple[list[Equation], list[Output], list[Symbol], list[str]]:
        """Equations, outputs, results that vanish, and outputs that are symmetric."""
        equations = []
        for group in HEADINGS:
            members = sorted(k for k, each in self.groups.items() if each == group)
            if group == "trigonometry":
                uses = {k: self.refs[k] & set(members) for k in members}
                members = _after_uses(sorted(members, key=lambda k: _angle_order(self.named[k])), uses, {})
            if group == "constants" and self.by_result:
                uses = {k: self.refs[k] & set(members) for k in members}
                members = _after_uses(sorted(members, key=self._numbering), uses, {})
            if group != "results":
                equations += [self._equation(k, group) for k in members]
        outputs, zeros, listed, symmetric = [], [], [], []
        by_array = shared_out(self.tape.results, self.tape.outputs)
        for array, places, values in zip(self.tape.outputs, self.names.outputs, by_array, strict=True):
            hidden, is_symmetric = _hidden(array, values, self.names.closed_form, self.tape)
            symmetric += [array.name] if is_symmetric else []
            entries = [self._resolved(self.writer.inline[k]) for k in values]
            outputs.append(Output(array, tuple(entries)))
            shown = [k for k in range(array.size) if k not in hidden]
            zeros += [places[k] for k in shown if entries[k] == number(0.0)]
            listed += [(places[k], entries[k]) for k in shown if entries[k] != number(0.0)]
        return [*equations, *self._results(listed)], outputs, zeros, symmetric

    def _results(self, listed: list[tuple[Symbol, Formula]]) -> Iterator[Equation]:
        """By index, but after what they use."""
        value = {self.named[k].text: k for k in self.own}
        uses = {k: self.refs[k] & self.own for k in self.own}
        done: dict[int, None] = {}
        for where, made in listed:
            wanted = [value[x.symbol.text] for x in walk(made) if x.symbol is not None and x.symbol.text in value]
            for k in _after_uses(wanted, uses, done):
                yield self._equation(k, "results")
            if made != symbol(where):
                yield Equation(where, "results", made)

    def _equation(self, k: int, group: str) -> Equation:
        made = self._resolved(self.defined[k])
        return Equation(self.named[k], group, formula.as_constant(made) if group == "constants" else made)

    def _resolved(self, made: Formula) -> Formula:
        return formula.ordered(_with_symbols(made, self.named))


def _refs(made: Formula) -> set[int]:
    return {int(x.value) for x in walk(made) if x.op == "ref"}


def _after_uses(order: Iterable[int], uses: Mapping[int, set[int]], done: dict[int, None]) -> list[int]:
    """Values in the given order, each after those it uses; ``done`` are those that came before, and is continued."""
    before = len(done)
    for first in order:
        stack = [first]
        while stack:
            waiting = [] if stack[-1] in done else [k for k in uses[stack[-1]] if k not in done]
            if waiting:
                stack.extend(sorted(waiting, reverse=True))
            else:
                done.setdefault(stack.pop())
    return list(done)[before:]


def _angle_order(named: Symbol) -> tuple[int, tuple[int, ...], int, int]:
    """Of trigonometry: q12, s1, c1, s2, c2, s12, c12."""
    kind = 0 if named.kind == "angle" else 1 if named.stem.lower().startswith("s") else 2
    return len(named.indices), tuple(abs(k) for k in named.indices), named.primes, kind


def _with_symbols(made: Formula, named: dict[int, Symbol]) -> Formula:
    if made.op == "ref":
        return symbol(named[int(made.value)])
    return made._replace(args=tuple(_with_symbols(arg, named) for arg in made.args)) if made.args else made


def _hidden(array: Array, values: list[int], closed_form: bool, tape: Tape) -> tuple[set[int], bool]:
    """Entries that are not listed: below the diagonal of a symmetric matrix; of b_ijk those with j >= k."""
    shape = array.shape
    grid = np.array(values, dtype=int).reshape(shape)
    if len(shape) == 2 and shape[0] == shape[1] > 1 and (grid == grid.T).all() and len(set(values)) > 1:
        return {i * shape[0] + j for i in range(shape[0]) for j in range(i)}, True
    hidden: set[int] = set()
    if closed_form and array.name == "b":
        for flat, (i, j, k) in enumerate(np.ndindex(*shape)):
            step = tape.code[values[flat]]
            if j >= k and ((step.op == "const" and step.value == 0.0) or (j > k and grid[i, j, k] == grid[i, k, j])):
                hidden.add(flat)
    return hidden, False
