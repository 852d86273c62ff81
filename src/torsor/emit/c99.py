"""Tape to C99: a header and a source file, complete in themselves, for a controller.

No allocation, no global state, so the function may run in several threads at once; inputs are read before outputs are
written, so an output may be an input. Text from a model (names of arms and joints) reaches the files only through
`identifier` and `comment`, which let nothing through that C would read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from torsor.algebra.tape import Instruction, Tape
from torsor.emit.c_math import HELPERS, sincos_source
from torsor.emit.c_selftest import selftest
from torsor.emit.expressions import Dialect, array_names, identifier, uses_of, written
from torsor.errors import CompileError, Unsupported, did_you_mean
from torsor.model.files import write_text

REALS = ("double", "float")
TRIG = ("math.h", "inline")
LICENCE = "Generated code: yours to use, change and pass on without condition; it comes without warranty."
KEYWORDS = frozenset(
    [
        "auto",
        "break",
        "case",
        "char",
        "const",
        "continue",
        "default",
        "do",
        "double",
        "else",
        "enum",
        "extern",
        "float",
        "for",
        "goto",
        "if",
        "inline",
        "int",
        "long",
        "register",
        "restrict",
        "return",
        "short",
        "signed",
        "sizeof",
        "static",
        "struct",
        "switch",
        "typedef",
        "union",
        "unsigned",
        "void",
        "volatile",
        "while",
        "asm",
        "class",
        "delete",
        "new",
        "private",
        "protected",
        "public",
        "this",
        "template",
        "throw",
        "try",
        "catch",
        "operator",
        "friend",
        "namespace",
        "using",
        "bool",
        "true",
        "false",
        "main",
    ]
)


@dataclass(frozen=True)
class CFiles:
    """A pair of files. ``write`` puts them beside each other."""

    name: str  # of the function and, with .h and .c, of the files
    header: str
    source: str

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
    for word, known in ((real, REALS), (trig, TRIG)):
        if word not in known:
            raise CompileError(f"C has no {word!r} here", hint=did_you_mean(word, known))
    tape.verify()
    if not tape.inputs or any(a.size == 0 for a in tape.inputs + tape.outputs):
        raise Unsupported(f"tape {tape.name!r} has no inputs or an array of no elements, which C does not know")
    word = "torsor_" + identifier(name or tape.name)
    names = array_names(tape, KEYWORDS)
    head = _about(tape, robot, formulation, version, licence, real, trig)
    prototype = _prototype(word, tape, names, real)
    guard = f"{word.upper()}_H"
    header = "\n".join(
        [
            head,
            f"#ifndef {guard}",
            f"#define {guard}",
            "",
            "#ifdef __cplusplus",
            'extern "C" {',
            "#endif",
            "",
            *_explained(tape, names),
            f"{prototype};",
            "",
            "#ifdef __cplusplus",
            "}",
            "#endif",
            "#endif",
            "",
        ]
    )
    body = _body(tape, names, real, trig)
    helpers = [HELPERS[op].format(real=real, f="f" if real == "float" else "") for op in HELPERS if _has(tape, op)]
    if trig == "inline" and (_has(tape, "sin") or _has(tape, "cos")):
        helpers.append(sincos_source(real))
    text = "\n".join([*helpers, *body])
    includes = (
        ["#include <math.h>"] if re.search(r"\b(?:sqrt|sin|cos|exp|atan2|floor|fabs)f?\(|INFINITY|NAN", text) else []
    )
    function = [prototype, "{", *body, "}", ""]
    proof = selftest(tape, word, real, states)
    source = "\n".join([head, f'#include "{word}.h"', *includes, "", *helpers, *function, *proof])
    return CFiles(word, header, source)


def comment(text: str) -> str:
    """Text that cannot end a comment, continue a line, or be a trigraph.

    >>> comment("arm */ system(0); ??/ \\\\")
    'arm    system(0);   /'
    """
    return re.sub(r"[^0-9A-Za-z .,:;()\[\]+=_<>/'-]|(?<=\*)/|/(?=[*/])", " ", text)[:200].rstrip()


def _about(tape: Tape, robot: str, formulation: str, version: str, licence: str, real: str, trig: str) -> str:
    used = {int(i.value) for i, n in zip(tape.code, uses_of(tape), strict=True) if i.op == "input" and n}
    lines = [
        f"{comment(tape.name)}: generated by torsor {comment(version)}".rstrip() + ". Do not edit.",
        "",
        f"robot        {comment(robot) or 'not named'}",
        f"formulation  {comment(formulation) or 'not named'}",
        f"operations   {comment(_counts(tape))}",
        f"arithmetic   {real}, sine and cosine from {'<math.h>' if trig == 'math.h' else 'this file'}",
        f"reads        {len(used)} of {sum(a.size for a in tape.inputs)} input numbers",
        "",
        comment(licence),
    ]
    return "\n".join(["/*", *(f" * {line}".rstrip() for line in lines), " */"])


def _counts(tape: Tape) -> str:
    """Live operations, by kind."""
    counted: dict[str, int] = {}
    for i, n in zip(tape.code, uses_of(tape), strict=True):
        if n and i.args:
            kind = {"sub": "add", "sin": "trig", "cos": "trig"}.get(i.op, i.op)
            counted[kind] = counted.get(kind, 0) + 1
    order = ["mul", "add", "neg", "div", "trig", "sqrt"]
    kinds = [k for k in order if k in counted] + sorted(k for k in counted if k not in order)
    return ", ".join(f"{counted[k]} {k}" for k in kinds) or "none"


def _explained(tape: Tape, names: list[str]) -> list[str]:
    lines = ["/*"]
    for array, name in zip(tape.inputs + tape.outputs, names, strict=True):
        way = "in " if array in tape.inputs else "out"
        shape = " x ".join(map(str, array.shape)) or "1"
        lines.append(
            f" * {way}  {name}  {comment(array.name)}, {shape}{', row by row' if len(array.shape) > 1 else ''}"
        )
    return [*lines, " * An output may be an input: all inputs are read first.", " */"]


def _prototype(word: str, tape: Tape, names: list[str], real: str) -> str:
    count = len(tape.inputs)
    parts = [f"const {real} {n}[{a.size}]" for n, a in zip(names[:count], tape.inputs, strict=True)]
    parts += [f"{real} {n}[{a.size}]" for n, a in zip(names[count:], tape.outputs, strict=True)]
    return f"void {word}({', '.join(parts)})"


def literal(x: float, real: str) -> str:
    """A number as C writes it: read back, it is the same number.

    >>> literal(0.1, "double"), literal(0.1, "float"), literal(-3.0, "float")
    ('0.1', '0.1f', '-3.0f')
    """
    if x != x:
        return f"(({real})NAN)"
    if x in (float("inf"), float("-inf")):
        return f"({'-' if x < 0 else ''}({real})INFINITY)"
    if real == "double":
        return repr(float(x))
    text = np.format_float_scientific(np.float32(x)) if not 1e-4 <= abs(x) < 1e7 and x else str(np.float32(x))
    return f"{text}f"


def _dialect(real: str) -> Dialect:
    f = "f" if real == "float" else ""
    one, zero = f"1.0{f}", f"0.0{f}"
    return Dialect(
        forms={
            "sqrt": f"sqrt{f}({{0}})",
            "sin": f"sin{f}({{0}})",
            "cos": f"cos{f}({{0}})",
            "exp": f"exp{f}({{0}})",
            "atan2": f"atan2{f}({{0}}, {{1}})",
            "floor": f"floor{f}({{0}})",
            "abs": f"fabs{f}({{0}})",
            "sign": "torsor__sign({0})",
            "min": "torsor__min({0}, {1})",
            "max": "torsor__max({0}, {1})",
            "lt": f"({{0}} < {{1}}) ? {one} : {zero}",
            "le": f"({{0}} <= {{1}}) ? {one} : {zero}",
            "eq": f"({{0}} == {{1}}) ? {one} : {zero}",
            "select": f"({{0}} != {zero}) ? {{1}} : {{2}}",
        },
        number=lambda x: literal(x, real),
        define=lambda n, text: f"const {real} {n} = {text};",
    )


def _body(tape: Tape, names: list[str], real: str, trig: str) -> list[str]:
    count = len(tape.inputs)
    uses = uses_of(tape)
    used = {int(i.value) for i, n in zip(tape.code, uses, strict=True) if i.op == "input" and n}
    lines: list[str] = []
    scalars: list[str] = []
    for name, array in zip(names[:count], tape.inputs, strict=True):
        quiet = True
        for flat in range(array.size):
            if len(scalars) in used:
                lines.append(f"const {real} {name}{flat} = {name}[{flat}];")
                quiet = False
            scalars.append(f"{name}{flat}")
        if quiet:
            lines.append(f"(void){name};")
    special = _Sincos(tape, uses, real) if trig == "inline" else None
    texts, statements = written(tape, scalars, _dialect(real), special)
    lines += statements
    # results that are expressions get names first: an output may be an input that another result still reads
    at = 0
    stores: list[str] = []
    for name, array in zip(names[count:], tape.outputs, strict=True):
        for flat in range(array.size):
            text = texts[tape.results[at + flat]]
            if re.search(r"[ (]", text):
                lines.append(f"const {real} {name}{flat} = {text};")
                text = f"{name}{flat}"
            stores.append(f"{name}[{flat}] = {text};")
        at += array.size
    return [f"    {line}" for line in lines + stores]


class _Sincos:
    """Sine and cosine of one angle from one call."""

    def __init__(self, tape: Tape, uses: list[int], real: str) -> None:
        self.real = real
        self.pairs: dict[int, dict[str, int]] = {}
        for k, i in enumerate(tape.code):
            if i.op in ("sin", "cos") and uses[k]:
                self.pairs.setdefault(i.args[0], {}).setdefault(i.op, k)
        self.done: set[int] = set()

    def __call__(self, k: int, i: Instruction, args: list[str]) -> list[str] | None:
        if i.op not in ("sin", "cos"):
            return None
        angle = i.args[0]
        known = self.pairs[angle]
        if known[i.op] != k:  # a tape that was not simplified may ask twice
            return [f"const {self.real} t{k} = t{known[i.op]};"]
        if angle in self.done:
            return []
        self.done.add(angle)
        s, c = (f"t{known[op]}" if op in known else f"t{k}_{op}" for op in ("sin", "cos"))
        return [f"{self.real} {s}, {c};", f"torsor__sincos({args[0]}, &{s}, &{c});"]


def _has(tape: Tape, op: str) -> bool:
    return any(i.op == op and n for i, n in zip(tape.code, uses_of(tape), strict=True))
