"""Tapes to C99: a header and a source file, complete in themselves, for a controller.

No allocation, no recursion, no global state, so functions may run in several threads at once; inputs are read before
outputs are written, so an output may be an input. Text from a model (names of arms and joints) reaches the files only
through `identifier` and `comment`, which let nothing through that C would read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from torsor.algebra.tape import Tape
from torsor.emit.c_function import CFunction
from torsor.emit.c_loops import assembled, assembled_body
from torsor.emit.c_math import HELPERS, sincos_source
from torsor.emit.c_parameters import CParameters
from torsor.emit.c_selftest import selftest
from torsor.emit.c_text import REALS, TRIG, block, comment, suffix
from torsor.emit.code_function import LICENCE, STEPS, CodeAbout, CodeFunction, CodeLoops
from torsor.emit.expressions import identifier, uses_of
from torsor.errors import CompileError, did_you_mean
from torsor.model.files import write_text

LABEL = 13  # columns of the names in the head


@dataclass(frozen=True)
class CFiles:
    """A pair of files. ``write`` puts them beside each other."""

    name: str  # of the function and, with .h and .c, of the files
    header: str
    source: str
    declarations: str  # of the header

    @property
    def alone(self) -> str:
        """The source with its declarations, for where no header stands beside it."""
        return self.source.replace(self._include, f"{self.declarations}\n")

    def including(self, name: str) -> str:
        """The source with a header of another name."""
        return self.source.replace(self._include, f'#include "{name}.h"\n')

    @property
    def _include(self) -> str:
        return f'#include "{self.name}.h"\n'

    def write(self, folder: str | Path) -> tuple[Path, Path]:
        place = Path(folder)
        paths = (place / f"{self.name}.h", place / f"{self.name}.c")
        for path, text in zip(paths, (self.header, self.source), strict=True):
            write_text(path, text)
        return paths


def to_c(
    tape: Tape,
    *,
    name: str | None = None,
    real: str = "double",
    trig: str = "math.h",
    robot: str = "",
    formulation: str = "",
    version: str = "",
    licence: str = LICENCE,
    states: Sequence[Sequence[Any]] | None = None,
) -> CFiles:
    """C99 source of a tape.

    ``real``: "double" or "float". ``trig``: "math.h", or "inline" for an own polynomial sine and cosine (angles beyond
    1e5 rad, in float 1e4, then give NaN). ``states``: inputs for the self-test, by default four random ones.

    >>> from torsor.algebra import symbols, tape_from
    >>> x = symbols("x", 2)
    >>> print(to_c(tape_from("dot", {"x": x}, {"y": x @ x})).header.splitlines()[-6])
    void torsor_dot(const double x[2], double y[1]);
    """
    function = CodeFunction(tape, formulation=formulation, states=states)
    return c_library(name or tape.name, [function], CodeAbout(robot, version, licence), real=real, trig=trig)


def c_library(
    name: str,
    given: Sequence[CodeFunction],
    about: CodeAbout | None = None,
    *,
    real: str = "double",
    trig: str = "math.h",
) -> CFiles:
    """One header and one source of several functions, which share their parameters."""
    about, functions = about or CodeAbout(), [CFunction.of(each) for each in given]
    for word, known in ((real, REALS), (trig, TRIG)):
        if word not in known:
            raise CompileError(f"C has no {word!r} here", hint=did_you_mean(word, known))
    library = "torsor_" + identifier(name)
    parameters = CParameters(library, functions, about.values, about.units)
    title = functions[0].tape.name if len(functions) == 1 else f"{about.robot or name}: {len(functions)} functions"
    head = _head(title, library, functions, about, real, trig)
    guard = f"{library.upper()}_H"
    opening = ["#ifdef __cplusplus", 'extern "C" {', "#endif", ""]
    closing = ["#ifdef __cplusplus", "}", "#endif", "#endif", ""]
    facts = [line for each in about.facts for line in _fact(*each)]
    inner = [*block(facts), ""] if facts else []
    inner += parameters.declared(real)
    loops = next((f.loops for f in functions if f.loops), None)
    if any(f.loops and loops and f.loops.step != loops.step for f in functions):
        raise CompileError("functions close their loops differently", hint="derive all with equal options")
    if loops:
        said = "/* A posture in which the loops are closed, to begin with. */"
        inner += [said, f"{assembled(loops, library, real)};", ""]
    for function in functions:
        whole = "An output may be an input: all inputs are read first."
        apart = "An output may be an input, but guess and gap are places of their own."
        told = [*function.explained(), apart if function.loops else whole]
        told.append(f"Stack: at most {function.stack(real)} bytes, beside what functions of <math.h> take.")
        inner += [*block(told), f"{function.prototype(library, real)};", ""]
    header = [*head, f"#ifndef {guard}", f"#define {guard}", "", *opening, *inner, *closing]
    bodies = _closing(loops, library, real, trig) if loops else []
    for f in functions:
        if f.loops:
            bodies.append((f.inner_prototype(library, real), f.statements(real, trig)))
        bodies.append((f.prototype(library, real), f.closing(library, real) if f.loops else f.statements(real, trig)))
    tapes = [*(f.body for f in functions), *([loops.step] if loops else [])]
    used = {i.op for tape in tapes for i, n in zip(tape.code, uses_of(tape), strict=True) if n}
    helpers = [HELPERS[op].format(real=real, f=suffix(real)) for op in HELPERS if op in used]
    if trig == "inline" and used & {"sin", "cos"}:
        helpers.append(sincos_source(real))
    code = [*helpers, *parameters.defined(real)]
    code += [line for prototype, body in bodies for line in (prototype, "{", *body, "}", "")]
    needed = re.search(r"\b(?:sqrt|sin|cos|exp|atan2|floor|fabs)f?\(|INFINITY|NAN", "\n".join(code))
    includes = [f'#include "{library}.h"', *(["#include <math.h>"] if needed else []), ""]
    source = [*head, *includes, *code, *selftest(library, functions, parameters, about.stand_ins, real)]
    return CFiles(library, "\n".join(header), "\n".join(source), "\n".join(inner))


def _closing(loops: CodeLoops, library: str, real: str, trig: str) -> list[tuple[str, list[str]]]:
    step = CFunction(loops.step, "closing")
    own = (f"static {step.prototype(library, real)}", step.statements(real, trig))
    return [(assembled(loops, library, real), assembled_body(loops, real)), own]


def _head(
    title: str, library: str, functions: Sequence[CFunction], about: CodeAbout, real: str, trig: str
) -> list[str]:
    lines = [f"{comment(title)}: generated by torsor {comment(about.version)}".rstrip() + ". Do not edit.", ""]
    lines += _fact("robot", about.robot or "not named")
    for function in functions:
        if function.word:
            lines += ["", *_fact("function", function.called(library))]
        lines += _fact("formulation", function.formulation or "not named")
        once = f"; {function.constants} constants are computed once" if function.constants else ""
        lines += _fact("operations", function.counts() + once)
        if function.loops:
            lines += _fact("to close", f"{STEPS + 1} times {CFunction(function.loops.step).counts()}")
        lines += _fact("reads", function.reads())
    lines += [""] * (len(functions) > 1)
    lines += _fact("arithmetic", f"{real}, sine and cosine from {'<math.h>' if trig == 'math.h' else 'this file'}")
    return block([*lines, "", comment(about.licence)])


def _fact(name: str, text: str) -> list[str]:
    return [f"{comment(name):{LABEL}}{comment(text)}"]
