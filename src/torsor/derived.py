"""``Equations``: a derived quantity, and ``EquationSet``, several of one arm: in every language of ``emit``."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from torsor.algebra import Count, Tape, parameter
from torsor.algebra.recognising import Called
from torsor.algebra.tape import Array
from torsor.algebra.telling import GivenVector
from torsor.errors import ModelError, Unsupported, did_you_mean
from torsor.mechanics.array_units import parameter_unit
from torsor.mechanics.determinant import FACTORED
from torsor.mechanics.payload_symbols import PAYLOAD_UNITS
from torsor.model.file_symbols import FileSymbol
from torsor.model.files import is_special, ready, write_text
from torsor.version import version

if TYPE_CHECKING:
    from torsor.emit.c99 import CFiles
    from torsor.emit.code_function import CodeAbout, CodeFunction
    from torsor.emit.equations import Sheet
    from torsor.emit.matlab import MatlabFiles
    from torsor.emit.sympy_objects import SympyEquations

CLOSED_FORM = "closed-form"
NEARER, GAP = "nearer", "gap"  # what a step that closes loops gives
STYLES = {CLOSED_FORM: "emdeg", "kane": "kane"}


@dataclass(frozen=True, eq=False)
class Equations:
    """A derived quantity: a tape with its parameters, printable in every language of ``emit``.

    Called with the states it gives numbers, for the arm's own parameters.
    """

    robot: str
    quantity: str
    by: str
    tape: Tape
    values: dict[str, float]  # of the parameters, as the arm has them
    before: Count  # operations as traced, before simplification
    numbers: tuple[int, ...] = ()  # of the free joints among all, for an arm with loops
    around: Mapping[str, Any] = field(default_factory=dict)  # where its loops close, for states to test with
    names: Callable[[], Mapping[int, Called]] = dict  # which values of the tape the paper has names for
    given: Sequence[GivenVector] = ()  # what the paper tabulates before its equations
    all_parameters: tuple[str, ...] = ()  # in the order in which they are told, also those that do not occur
    missing: Mapping[str, FileSymbol] = field(default_factory=dict)  # parameters that have no value in the arm's file
    facts: Sequence[tuple[str, str]] = ()  # of the arm, for the heads of code
    units: Mapping[str, str] = field(default_factory=dict)  # of inputs and outputs
    closing: Tape | None = None  # a step of Newton's method for loops that have no closed form: NEARER and GAP

    def count(self) -> Count:
        """Operations of one evaluation; what depends on parameters only is computed once and not counted."""
        return self.tape.counts()

    def __call__(self, *states: Any, **values: float) -> Any:
        """Numbers, with any leading dimensions; ``values`` of parameters, instead of the arm's."""
        for name in values:
            if name not in self.parameters:
                raise Unsupported(f"there is no parameter {name!r}", hint=did_you_mean(name, self.parameters))
        known = self.values | values
        for name in self.parameters:
            if name not in known:
                what = self.missing[name].what
                raise ModelError(f"{what} is the symbol {name!r}", hint=f"give it a value: equations(q, {name}=...)")
        outputs = self.tape.evaluate(*states, *(known[name] for name in self.parameters))
        return outputs[0] if len(outputs) == 1 else outputs

    @property
    def parameters(self) -> tuple[str, ...]:
        """Names of the parameters that occur, in the order in which code takes them."""
        return self.tape.parameters

    @cached_property
    def sheet(self) -> Sheet:
        """The equations as they are printed."""
        from torsor.emit.equations import readable
        from torsor.emit.sheet_given import given_rows

        listed = self.by if self.quantity != "coefficients" else CLOSED_FORM  # as Burdick's are, by whichever page
        style = "factors" if FACTORED in self.by else STYLES.get(listed, "plain")
        about = {"robot": self.robot, "formulation": self.by, "version": version()}
        given = given_rows(self.given, {name: parameter(name) for name in self.all_parameters})
        return readable(self.tape, style=style, numbers=self.numbers, called=self.names(), given=given, **about)

    def __str__(self) -> str:
        from torsor.emit.json_text import to_text

        return to_text(self.sheet)

    def __repr__(self) -> str:
        return f"<Equations {self.robot} {self.quantity} by {self.by}: {self.count()}>"

    def _repr_latex_(self) -> str:
        """For notebooks: headings as text, equations in displays that MathJax sets."""
        from torsor.emit.mathjax import to_mathjax

        return to_mathjax(self.sheet)

    def to_latex(self, path: str | Path | None = None) -> str:
        """A LaTeX document."""
        from torsor.emit.latex import to_latex

        return _kept(to_latex(self.sheet), path)

    def to_json(self, path: str | Path | None = None) -> str:
        from torsor.emit.json_text import to_json

        return _kept(to_json(self.sheet), path)

    def to_python(self, path: str | Path | None = None) -> str:
        """A Python module that needs NumPy alone."""
        from torsor.emit.python_source import to_python

        about = f"# {self.robot}: {self.quantity.replace('_', ' ')} by {self.by}, {self.count()}\n"
        return _kept(about + to_python(self.tape, self.sheet.code_names), path)

    def to_sympy(self) -> SympyEquations:
        """SymPy expressions with their common subexpressions, not expanded."""
        from torsor.emit.sympy_objects import to_sympy

        return to_sympy(self.tape, self.sheet.code_names)

    def to_c(self, path: str | Path | None = None, *, real: str = "double", trig: str = "math.h") -> str:
        """C99. With a path such as "puma560.c" the header is written beside it; returned is the source.

        To a device or a pipe goes the source alone, with what its header would say. ``real`` is "double" or "float",
        ``trig`` "math.h", or "inline" for sine and cosine of its own.
        """
        return EquationSet([self]).to_c(path, real=real, trig=trig)

    def c_files(self, name: str | None = None, *, real: str = "double", trig: str = "math.h") -> CFiles:
        """The same, header and source as text."""
        return EquationSet([self]).c_files(name, real=real, trig=trig)

    def to_matlab(self, path: str | Path | None = None) -> str:
        """A MATLAB function that runs in Octave too; with a path such as "ur5_gravity.m" that is its name.

        With parameters a second file, ``..._parameters.m``, stands beside it.
        """
        return EquationSet([self]).to_matlab(path)

    def code_function(self, word: str = "") -> CodeFunction:
        """What languages need to know to write it as a function."""
        from torsor.emit.code_function import CodeFunction, CodeLoops

        loops = None if self.closing is None else CodeLoops(self.closing, self.around)
        return CodeFunction(self.tape, word, self.by, self.units, self._test_states(), loops, self.sheet.code_names)

    def _test_states(self) -> list[list[Any]]:
        """States for the self-test in generated code."""
        rng = np.random.default_rng(0)

        def state(array: Array) -> Any:
            near, width = (self.around[array.name], 0.03) if array.name in self.around else (0.0, 1.5)
            return near + rng.uniform(-width, width, array.shape)

        free = [array for array in self.tape.inputs if array.name not in self.parameters]
        return [[state(array) for array in free] for _ in range(4)]


class EquationSet(Sequence[Equations]):
    """Several quantities of one arm, for code that holds them together."""

    def __init__(self, equations: Sequence[Equations]) -> None:
        self._all = tuple(equations)
        robots = {each.robot for each in self._all}
        if len(robots) != 1:
            named = ", ".join(sorted(robots)) or "nothing"
            raise Unsupported(f"equations of {named} are put together", hint="give those of one arm")
        twice = sorted({each.quantity for each in self._all if self._quantities.count(each.quantity) > 1})
        if twice:
            raise Unsupported(f"{twice[0]} is given twice", hint="a function has one name: give each quantity once")

    @property
    def _quantities(self) -> list[str]:
        return [each.quantity for each in self._all]

    @property
    def robot(self) -> str:
        return self._all[0].robot

    def __len__(self) -> int:
        return len(self._all)

    def __getitem__(self, at: Any) -> Any:
        return self._all[at]

    def __iter__(self) -> Iterator[Equations]:
        return iter(self._all)

    def __repr__(self) -> str:
        return f"<EquationSet {self.robot}: {', '.join(self._quantities)}>"

    def __str__(self) -> str:
        return "\n\n".join(str(each).rstrip("\n") for each in self._all)

    def to_python(self, path: str | Path | None = None) -> str:
        """One Python module with a function for each."""
        once = "import numpy as np\n"
        texts = [each.to_python() for each in self._all]
        rest = [f"\n\n{text.replace(once, '', 1).strip()}\n" for text in texts[1:]]
        return _kept("".join([texts[0], *rest]), path)

    def to_c(self, path: str | Path | None = None, *, real: str = "double", trig: str = "math.h") -> str:
        """C99: one source and one header, with one struct of parameters for all; as `Equations.to_c`."""
        if path is not None:
            ready(c_files(path))
        files = self.c_files(None if path is None else Path(path).stem, real=real, trig=trig)
        if path is None or is_special(path):
            return _kept(files.alone, path)
        write_text(Path(path).with_suffix(".h"), files.header)
        return _kept(files.including(Path(path).stem), path)

    def to_matlab(self, path: str | Path | None = None) -> str:
        """MATLAB functions that run in Octave too. One goes into a file, "ur5.m"; several go into a folder.

        Returned is their text, that of several with the names of the files.
        """
        if path is None or is_special(path):
            return _kept(self.matlab_files().alone, path)
        place = Path(path)
        if len(self._all) == 1:
            if place.suffix != ".m" or not re.fullmatch(r"[A-Za-z]\w*", place.stem):
                hint = "a name such as ur5_gravity.m, of letters, digits and _"
                raise Unsupported(f"{place.name!r} is no name of a MATLAB function", hint=hint)
            files = self.matlab_files(place.stem)
            folder = place.parent
        else:
            files, folder = self.matlab_files(), place
            if place.suffix:
                raise Unsupported(
                    f"{len(self._all)} functions in {place.name!r}", hint="name a folder: a file holds one"
                )
            folder.mkdir(exist_ok=True)
        files.write(folder)
        return files.alone

    def matlab_files(self, name: str | None = None) -> MatlabFiles:
        """Texts by the names of their files."""
        from torsor.emit.matlab import to_matlab

        only = len(self._all) == 1
        functions = [each.code_function("" if only else each.quantity) for each in self._all]
        library = name or (self._all[0].tape.name if only else self.robot)
        return to_matlab(library, functions, self._about())

    def c_files(self, name: str | None = None, *, real: str = "double", trig: str = "math.h") -> CFiles:
        """Header and source as text."""
        from torsor.emit.c99 import c_library

        only = len(self._all) == 1
        library = name or (self._all[0].tape.name if only else self.robot)
        functions = [each.code_function("" if only else each.quantity) for each in self._all]
        return c_library(library, functions, self._about(), real=real, trig=trig)

    def _about(self) -> CodeAbout:
        from torsor.emit.code_function import CodeAbout

        missing = {name: symbol for each in self._all for name, symbol in each.missing.items()}
        values = {name: value for each in self._all for name, value in each.values.items()}
        return CodeAbout(
            robot=self.robot,
            version=version(),
            facts=self._facts(),
            values=values,
            stand_ins={name: symbol.stand_in for name, symbol in missing.items()},
            units={name: _meaning(name, missing) for each in self._all for name in each.parameters},
        )

    def _facts(self) -> list[tuple[str, str]]:
        return list(dict.fromkeys(fact for each in self._all for fact in each.facts))


def _meaning(name: str, missing: Mapping[str, FileSymbol]) -> str:
    """What a parameter is, with its unit."""
    if name in missing:
        return missing[name].what
    return PAYLOAD_UNITS.get(name) or parameter_unit(name)


def c_files(path: str | Path) -> dict[str, str | Path]:
    """The files that C becomes: the source, and its header beside it, but not beside a device."""
    return {"the source": path} | ({} if is_special(path) else {"its header": Path(path).with_suffix(".h")})


def _kept(text: str, path: str | Path | None) -> str:
    if path is not None:
        write_text(path, text)
    return text
