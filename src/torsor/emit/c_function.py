"""One function of generated C: a tape as statements, its prototype, what it says of its arrays."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields
from functools import cached_property

from torsor.algebra.tape import Array, Instruction, Tape
from torsor.emit.c_loops import loops_explained
from torsor.emit.c_text import KEYWORDS, SIZES, comment, dialect
from torsor.emit.code_function import STEPS, CodeFunction
from torsor.emit.code_names import FreeNames
from torsor.emit.expressions import array_names, shared_out, used_inputs, uses_of, written

FRAME = 256  # bytes of a call beside its values: saved registers, return address, alignment
POINTER = "p"  # to the parameters


class CFunction(CodeFunction):
    """A function of C."""

    @classmethod
    def of(cls, known: CodeFunction) -> CFunction:
        return cls(*(getattr(known, each.name) for each in fields(known)))

    @cached_property
    def names(self) -> list[str]:
        """Identifiers of inputs, then outputs."""
        kept = KEYWORDS | {POINTER} if self.takes_parameters else KEYWORDS
        kept = kept | {"next", "k", self.loops.gap.name} if self.loops else kept
        return array_names(Tape(self.tape.name, self.inputs, self.tape.outputs, (), ()), kept)

    def called(self, library: str) -> str:
        return f"{library}_{self.word}" if self.word else library

    def prototype(self, library: str, real: str) -> str:
        return f"void {self.called(library)}({', '.join(self._arguments(library, real, whole=True))})"

    def inner_prototype(self, library: str, real: str) -> str:
        """Of what runs once the loops are closed."""
        return f"static void {self.called(library)}_closed({', '.join(self._arguments(library, real, whole=False))})"

    def _arguments(self, library: str, real: str, *, whole: bool) -> list[str]:
        parts = [f"const {library}_parameters *{POINTER}"] if self.takes_parameters else []
        for k, (name, array) in enumerate(zip(self.names, self.inputs + self.tape.outputs, strict=True)):
            reads = k < len(self.inputs) and not (whole and self._is_guess(array))
            parts.append(f"{'const ' * reads}{real} {name}[{array.size}]")
        return [*parts, f"{real} {self.loops.gap.name}[1]"] if whole and self.loops else parts

    def _is_guess(self, array: Array) -> bool:
        return self.loops is not None and array.name == self.loops.guess.name

    def closing(self, library: str, real: str) -> list[str]:
        """The body of a function whose loops are closed first."""
        assert self.loops is not None
        step, guess, gap = f"{library}_closing", self.loops.guess.name, self.loops.gap.name
        first = self.names[0]
        passed = ", ".join([*([POINTER] if self.takes_parameters else []), *self.names])
        return [
            f"    {real} next[{self.loops.guess.size}];",
            "    int k;",
            f"    for (k = 0; k < {STEPS}; ++k) {{",
            f"        {step}({first}, {guess}, {guess}, {gap});",
            "    }",
            f"    {step}({first}, {guess}, next, {gap});  /* what is left open where they are */",
            f"    {self.called(library)}_closed({passed});",
        ]

    def explained(self) -> list[str]:
        """What each array is, a line each."""
        lines = []
        for k, (array, name) in enumerate(zip(self.inputs + self.tape.outputs, self.names, strict=True)):
            if self._is_guess(array):
                continue
            shape = " x ".join(map(str, array.shape)) or "1"
            rows = ", row by row" if len(array.shape) > 1 else ""
            unit = f": {comment(self.units[array.name])}" if array.name in self.units else ""
            lines.append(
                f"{'in ' if k < len(self.inputs) else 'out'}  {name}  {comment(array.name)}, {shape}{rows}{unit}"
            )
        return [*lines, *(loops_explained(self.loops) if self.loops else [])]

    def statements(self, real: str, trig: str) -> list[str]:
        """The body. All inputs are read before an output is written: an output may be an input."""
        tape, count = self.body, len(self.inputs)
        used = used_inputs(tape)
        free = FreeNames([*KEYWORDS, POINTER, *self.names])
        lines: list[str] = []
        scalars: list[str] = []
        for name, array in zip(self.names[:count], self.inputs, strict=True):
            reads = [f for f in range(array.size) if len(scalars) + f in used]
            own = free.all(self.code_names.of_array(array, name, 0))
            lines += [f"const {real} {own[f]} = {name}[{f}];" for f in reads] or [f"(void){name};"]
            scalars += own
        constants = free.all(self.constant_names)
        lines += [f"const {real} {word} = {POINTER}->{self.field}[{k}];" for k, word in enumerate(constants)]
        scalars += constants
        named = free.of_values(self.names_in_body)
        inline = _Sincos(tape, real, named) if trig == "inline" else None
        texts, more = written(tape, scalars, dialect(real), inline, named)
        lines += more
        # results that are expressions get names first: an output may be an input that another result still reads
        stores: list[str] = []
        by_array = shared_out(tape.results, tape.outputs)
        for name, array, values in zip(self.names[count:], tape.outputs, by_array, strict=True):
            own = self.code_names.of_array(array, name, 0)
            for flat, value in enumerate(values):
                text = texts[value]
                if re.search(r"[ (>]", text):
                    word = free(own[flat])
                    lines.append(f"const {real} {word} = {text};")
                    text = word
                stores.append(f"{name}[{flat}] = {text};")
        return [f"    {line}" for line in lines + stores]

    def once(self, names: Mapping[str, str], real: str) -> list[str]:
        """Statements that compute the constants; ``names`` are the fields of the parameters."""
        tape = self.parts[0]
        scalars: list[str] = []
        for array in tape.inputs:
            place = f"{POINTER}->{names[array.name]}"
            scalars += [f"{place}[{k}]" for k in range(array.size)] if array.shape else [place]
        names_here = FreeNames([*KEYWORDS, POINTER]).of_values(self.names_once)
        texts, lines = written(tape, scalars, dialect(real), names=names_here)
        stores = [f"{POINTER}->{self.field}[{k}] = {texts[value]};" for k, value in enumerate(tape.results)]
        return [f"    {line}" for line in lines + stores]

    def stack(self, real: str) -> int:
        """Bytes that a call takes at most, functions of <math.h> apart: a place for each value, and a frame.

        No compiler needs more: the code is straight, and each value is defined once.
        """
        own = _places(self.body)
        if self.loops is None:
            return SIZES[real] * own + FRAME
        # one frame below another: the function, and the larger of what it calls
        return SIZES[real] * (max(own, _places(self.loops.step)) + self.loops.guess.size) + 2 * FRAME


def _places(tape: Tape) -> int:
    values = sum(1 for i, n in zip(tape.code, uses_of(tape), strict=True) if n and i.op != "const")
    return values + sum(a.size for a in tape.outputs)


class _Sincos:
    """Sine and cosine of one angle from one call."""

    def __init__(self, tape: Tape, real: str, names: Mapping[int, str]) -> None:
        self.real, self.names = real, names
        self.pairs: dict[int, dict[str, int]] = {}
        for k, (i, n) in enumerate(zip(tape.code, uses_of(tape), strict=True)):
            if i.op in ("sin", "cos") and n:
                self.pairs.setdefault(i.args[0], {}).setdefault(i.op, k)
        self.done: set[int] = set()

    def __call__(self, k: int, word: str, i: Instruction, args: list[str]) -> list[str] | None:
        if i.op not in ("sin", "cos"):
            return None
        angle = i.args[0]
        known = self.pairs[angle]
        if known[i.op] != k:  # a tape that was not simplified may ask twice
            return [f"const {self.real} {word} = {self._name(known[i.op])};"]
        if angle in self.done:
            return []
        self.done.add(angle)
        s, c = (self._name(known[op]) if op in known else f"t{k}_{op}" for op in ("sin", "cos"))
        return [f"{self.real} {s}, {c};", f"torsor__sincos({args[0]}, &{s}, &{c});"]

    def _name(self, k: int) -> str:
        return self.names.get(k, f"t{k}")
