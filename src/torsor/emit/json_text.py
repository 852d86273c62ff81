"""Equations as one JSON document for programs, and as plain text for a terminal."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from itertools import groupby
from textwrap import wrap
from typing import Any

import numpy as np

from torsor.algebra.tape import Tape
from torsor.emit.equations import readable
from torsor.emit.expressions import shared_out
from torsor.emit.formula import walk
from torsor.emit.infix import PYTHON, TEXT, lines
from torsor.emit.sheet import GIVEN, HEADINGS, Equation, Output, Sheet, SheetPart

# What the infix of JSON calls, as Python has it or would have it.
FUNCTIONS = {
    "sin": "sine",
    "cos": "cosine",
    "sqrt": "square root",
    "exp": "exponential",
    "atan2": "atan2(y, x), the angle of the point (x, y)",
    "floor": "the next integer below",
    "abs": "absolute value",
    "sign": "-1, 0 or 1",
    "min": "the smaller, or NaN if one is",
    "max": "the larger, or NaN if one is",
    "lt": "1 if a < b, else 0",
    "le": "1 if a <= b, else 0",
    "eq": "1 if a == b, else 0",
    "select": "select(c, a, b): a if c is not 0, else b",
}


def to_json(source: Sheet | Tape) -> str:
    """One JSON document. Expressions are Python infix: inputs are arrays indexed from 0, equations can be computed in
    order, and ``outputs`` say entry by entry which names, or numbers, an output array is made of.

    >>> from torsor.algebra import symbols, tape_from
    >>> x = symbols("x", 2)
    >>> made = json.loads(to_json(tape_from("dot", {"x": x}, {"y": x @ x})))
    >>> made["equations"]
    [{'name': 'y', 'group': 'results', 'infix': 'x[0]**2 + x[1]**2'}]
    """
    sheet = readable(source) if isinstance(source, Tape) else source
    used = {node.op for equation in sheet.equations for node in walk(equation.expression)}
    document = {
        "title": sheet.title,
        "robot": sheet.robot,
        "formulation": sheet.formulation,
        "made_by": f"torsor {sheet.version}".rstrip(),
        "version": sheet.version,
        "style": sheet.style,
        "counts": asdict(sheet.counts),
        "inputs": _inputs(sheet),
        "parameters": list(sheet.parameters),
        "functions": {name: meaning for name, meaning in FUNCTIONS.items() if name in used},
        "given": {row.symbol.text: [PYTHON.line(entry) for entry in row.entries] for row in sheet.given},
        "equations": [
            {"name": each.name, "group": each.group, "infix": PYTHON.line(each.expression)} for each in sheet.equations
        ],
        "outputs": [
            {"name": each.array.name, "shape": list(each.array.shape), "entries": _entries(each)}
            for each in sheet.outputs
        ],
    }
    return json.dumps(document, indent=2, ensure_ascii=True, allow_nan=False) + "\n"


def _inputs(sheet: Sheet) -> list[dict[str, Any]]:
    """With the identifier that stands for each in the infix, should its name be none."""
    found = []
    for array, own in zip(sheet.inputs, shared_out(sheet.symbols, sheet.inputs), strict=True):
        written = own[0].place.split("[")[0] if own else array.name
        found.append({"name": array.name, "shape": list(array.shape), "identifier": written})
    return found


def _entries(output: Output) -> Any:
    """The entries as lists in lists, each an infix text."""
    texts = np.array([PYTHON.line(entry) for entry in output.entries], dtype=object)
    return texts.reshape(output.array.shape).tolist()


def to_text(sheet: Sheet, *, width: int = 100) -> str:
    """The equations for a terminal: ASCII, equal signs under each other, no line wider than ``width`` if it can be.

    >>> from torsor.algebra import symbols, tape_from
    >>> x = symbols("x", 2)
    >>> print(to_text(readable(tape_from("dot", {"x": x}, {"y": x @ x}))))
    dot
    2 M, 1 A
    <BLANKLINE>
    Results
      y = x1^2 + x2^2
    <BLANKLINE>
    """
    out = [_ascii(sheet.title)]
    for key, value in _about(sheet):
        out += wrap(f"{key}: {_ascii(value)}", width, subsequent_indent="  ") if value else []
    out.append(str(sheet.counts))
    for letter, rows in groupby(sheet.given_by_letter, key=lambda row: row.symbol.stem):
        out += ["", *wrap(f"Given: {GIVEN.get(letter, letter)}", width)]
        out += [line for row in rows for line in wrap(str(row), width, initial_indent="  ", subsequent_indent=" " * 8)]
    for group, heading in HEADINGS.items():
        equations = sheet.group(group)
        if group != "results" and equations:
            out += ["", heading, *_aligned(equations, width)]
    out += ["", HEADINGS["results"]]
    left = max((len(each.name) for each in sheet.group("results")), default=0)
    for part in sheet.results():
        out += _wrapped(f"({part.heading})", width) if part.heading else []
        out += _aligned(part.equations, width, left)
        out += [line for note in _notes(part) for line in _wrapped(note, width)]
    return "\n".join(out) + "\n"


def _wrapped(text: str, width: int) -> list[str]:
    return wrap(text, width, initial_indent="  ", subsequent_indent="    ")


def _about(sheet: Sheet) -> list[tuple[str, str]]:
    return [
        ("robot", sheet.robot),
        ("formulation", sheet.formulation),
        ("parameters", ", ".join(sheet.parameters)),
        ("made by torsor", sheet.version),
    ]


def _notes(part: SheetPart) -> Iterator[str]:
    name = _ascii(part.stem)
    if part.symmetric:
        yield f"{name} is symmetric"
    if part.all_others:
        yield f"all {'other ' if part.equations else ''}{name} are zero"
    elif part.zeros:
        yield f"{' = '.join(zero.text for zero in part.zeros)} = 0"


def _aligned(equations: tuple[Equation, ...], width: int, left: int = 0) -> list[str]:
    left = max([left, *(len(each.name) for each in equations)])
    room = max(20.0, width - left - 5.0)
    found = []
    for each in equations:
        for k, line in enumerate(lines(TEXT.pieces(each.expression), room, room - 2)):
            text = "".join(piece.text for piece in line)
            found.append((" " * (left + 7) + text.lstrip() if k else f"  {each.name:<{left}} = {text}").rstrip())
    return found


def _ascii(text: str) -> str:
    return "".join(c if " " <= c <= "~" else "?" for c in text)
