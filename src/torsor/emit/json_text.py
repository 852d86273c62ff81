"""Equations as one JSON document for programs, and as plain text for a terminal."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from torsor.algebra.tape import Tape
from torsor.emit.equations import Equation, Output, Sheet, readable
from torsor.emit.formula import walk
from torsor.emit.infix import PYTHON, TEXT, Piece, lines

HEADINGS = {
    "constants": "Constants, computed once",
    "trigonometry": "Trigonometry",
    "products": "Products",
    "intermediates": "Intermediates",
    "results": "Results",
}
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
FEW_ZEROS = 12


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
    found, at = [], 0
    for array in sheet.inputs:
        first = sheet.symbols[at : at + array.size]
        at += array.size
        written = first[0].place.split("[")[0] if first else array.name
        found.append({"name": array.name, "shape": list(array.shape), "identifier": written})
    return found


def _entries(output: Output) -> Any:
    """The entries as lists in lists, each an infix text."""

    def nested(texts: list[str], shape: tuple[int, ...]) -> Any:
        if not shape:
            return texts[0]
        size = len(texts) // shape[0] if shape[0] else 0
        return [nested(texts[k * size : (k + 1) * size], shape[1:]) for k in range(shape[0])]

    return nested([_result(entry) for entry in output.entries], output.array.shape)


def _result(entry: Any) -> str:
    # a result stands under its name; inputs, where a result is one, as programs index them
    if any(node.symbol is not None and node.symbol.kind == "result" for node in walk(entry)):
        return TEXT.line(entry)
    return PYTHON.line(entry)


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
    about = [f"{key}: {_ascii(value)}" for key, value in _about(sheet) if value]
    out += [*about, str(sheet.counts)]
    for group, heading in HEADINGS.items():
        equations = sheet.group(group)
        if equations or (group == "results" and sheet.zeros):
            out += ["", heading, *_aligned(equations, width)]
    out += [f"  {note}" for note in notes(sheet)]
    return "\n".join(out) + "\n"


def _about(sheet: Sheet) -> list[tuple[str, str]]:
    return [
        ("robot", sheet.robot),
        ("formulation", sheet.formulation),
        ("parameters", ", ".join(sheet.parameters)),
        ("made by torsor", sheet.version),
    ]


def notes(sheet: Sheet) -> list[str]:
    """What is not listed: zeros, and what lies below the diagonal."""
    found = [f"{_ascii(name)} is symmetric" for name in sheet.symmetric]
    for name in dict.fromkeys(zero.stem for zero in sheet.zeros):
        zeros = [zero.text for zero in sheet.zeros if zero.stem == name]
        some = any(e.symbol.stem == name and e.group == "results" for e in sheet.equations)
        if len(zeros) <= FEW_ZEROS:
            found.append(f"{' = '.join(zeros)} = 0")
        else:
            found.append(f"all other {_ascii(name)} are zero" if some else f"all {_ascii(name)} are zero")
    return found


def _aligned(equations: tuple[Equation, ...], width: int) -> list[str]:
    if not equations:
        return []
    left = max(len(each.name) for each in equations)
    room = max(20.0, width - left - 5.0)
    found = []
    for each in equations:
        broken = lines(TEXT.pieces(each.expression), room, room - 2)
        for k, line in enumerate(broken):
            head = f"  {each.name:<{left}} = " if k == 0 else " " * (left + 7)
            found.append((head + _joined(line, k)).rstrip())
    return found


def _joined(line: list[Piece], k: int) -> str:
    text = "".join(piece.text for piece in line)
    return text.lstrip() if k else text


def _ascii(text: str) -> str:
    return "".join(c if " " <= c <= "~" else "?" for c in text)
