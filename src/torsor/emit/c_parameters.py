"""The parameters of generated C: a struct with the arm's own values, and constants that are computed once.

torsor_x_parameters p;
torsor_x_defaults(&p);   the arm's own numbers, and their constants
p.m3 = 1.2;              where one is another,
torsor_x_init(&p);       the constants are computed anew
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from torsor.algebra.tape import Array
from torsor.emit.c_function import POINTER, CFunction
from torsor.emit.c_text import KEYWORDS, SIZES, comment, literal
from torsor.emit.expressions import identifier
from torsor.errors import CompileError
from torsor.model.transforms import Floats


@dataclass(frozen=True)
class CParameters:
    """Those of all functions of a pair of files."""

    library: str
    functions: Sequence[CFunction]
    values: Mapping[str, float | Floats]  # the arm's own; what is not in here has none
    units: Mapping[str, str]  # and what they are, by name

    @cached_property
    def arrays(self) -> tuple[Array, ...]:
        """In the order in which functions name them."""
        found: dict[str, Array] = {}
        for function in self.functions:
            for array in function.tape.inputs:
                if array.name in function.tape.parameters and found.setdefault(array.name, array) != array:
                    raise CompileError(f"parameter {array.name!r} has two shapes", hint="derive all with equal options")
        return tuple(found.values())

    @cached_property
    def fields(self) -> dict[str, str]:
        """Identifiers by name."""
        taken = {f.field for f in self.functions}
        found: dict[str, str] = {}
        for array in self.arrays:
            word = identifier(array.name, KEYWORDS)
            while word in taken:
                word += "_"
            taken.add(word)
            found[array.name] = word
        return found

    @property
    def kind(self) -> str:
        return f"{self.library}_parameters"

    def declared(self, real: str) -> list[str]:
        """The struct and its two functions, for the header."""
        if not self.arrays:
            return []
        width = max(len(self._declaration(a, real)) for a in self.arrays)
        own = [f"{self._declaration(a, real):{width}}  /* {self._said(a)} */" for a in self.arrays]
        once = [
            f"{real} {f.field}[{f.constants}];  /* constants of {f.called(self.library)}, computed by init */"
            for f in self.functions
            if f.constants
        ]
        size = SIZES[real] * (sum(a.size for a in self.arrays) + sum(f.constants for f in self.functions))
        return [
            f"/* Parameters, {size} bytes: set them by defaults, change what is another, then call init. */",
            "typedef struct {",
            *(f"    {line}" for line in own + once),
            f"}} {self.kind};",
            "",
            "/* The arm's own values; calls init. */",
            f"{self._defaults()};",
            "/* What depends on parameters only, computed once: after every change of one. */",
            f"{self._init()};",
            "",
        ]

    def defined(self, real: str) -> list[str]:
        """The two functions, for the source."""
        if not self.arrays:
            return []
        sets = []
        for array in self.arrays:
            numbers = np.ravel(self.values.get(array.name, np.full(array.shape, np.nan)))
            for k, number in enumerate(numbers):
                index = f"[{k}]" if array.shape else ""
                sets.append(f"    {POINTER}->{self.fields[array.name]}{index} = {literal(float(number), real)};")
        once = [line for f in self.functions if f.constants for line in self._once(f, real)]
        return [
            *(line for f in self.functions if f.constants and f.word for line in self._part(f, real)),
            f"{self._init()}",
            "{",
            *once,
            "}",
            "",
            f"{self._defaults()}",
            "{",
            *sets,
            f"    {self.library}_init({POINTER});",
            "}",
            "",
        ]

    def _once(self, function: CFunction, real: str) -> list[str]:
        if function.word:
            return [f"    {self._part_name(function)}({POINTER});"]
        return function.once(self.fields, real)

    def _part_name(self, function: CFunction) -> str:
        return f"{function.called(self.library)}_once"

    def _part(self, function: CFunction, real: str) -> list[str]:
        head = f"static void {self._part_name(function)}({self.kind} *{POINTER})"
        return [head, "{", *function.once(self.fields, real), "}", ""]

    def _declaration(self, array: Array, real: str) -> str:
        return f"{real} {self.fields[array.name]}{f'[{array.size}]' if array.shape else ''};"

    def _said(self, array: Array) -> str:
        said = comment(self.units.get(array.name, array.name))
        return said if array.name in self.values else f"{said}; has no value in the arm's file: set it"

    def _defaults(self) -> str:
        return f"void {self.library}_defaults({self.kind} *{POINTER})"

    def _init(self) -> str:
        return f"void {self.library}_init({self.kind} *{POINTER})"
