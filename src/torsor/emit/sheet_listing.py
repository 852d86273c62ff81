"""Names for what a sheet names, as papers give them, and the order in which equations stand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

import numpy as np

from torsor.algebra.recognising import Called
from torsor.algebra.tape import Array, Tape
from torsor.algebra.telling import Told
from torsor.emit import formula
from torsor.emit.code_names import CodeNames
from torsor.emit.expressions import shared_out
from torsor.emit.formula import Formula, Symbol, negative, number, reference, symbol, walk, without_sign
from torsor.emit.sheet import HEADINGS, Equation, Output

if TYPE_CHECKING:
    from torsor.emit.equations import SheetWriter


class SheetListing:
    """Names what was given a name, and puts the equations in order."""

    def __init__(self, writer: SheetWriter, called: Mapping[int, Called]) -> None:
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

    def code_names(self) -> CodeNames:
        """What code calls values: where the sheet has minus a value, neg_ and its name."""
        values = {
            k: f"neg_{symbol.text}" if self.writer.inline[k].minus else symbol.text for k, symbol in self.named.items()
        }
        arrays, symbols = self.tape.inputs + self.tape.outputs, [*self.names.inputs, *self.names.results]
        entries = shared_out([symbol.text for symbol in symbols], arrays)
        return CodeNames({a.name: tuple(texts) for a, texts in zip(arrays, entries, strict=True)}, values)

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
