"""Tables, sections and JSON on stdout. Rich draws; the width is the terminal's, in a pipe COLUMNS or 80."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import degrees, isfinite

import numpy as np
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text


@dataclass(frozen=True)
class TextColumn:
    """``right`` for numbers; ``cut`` shortens a text that does not fit instead of folding it; ``whole`` keeps it."""

    title: str
    right: bool = False
    cut: bool = False
    whole: bool = False


def numbers(*titles: str) -> list[TextColumn]:
    return [TextColumn(title, right=True) for title in titles]


def print_table(title: str, columns: Sequence[TextColumn], rows: Iterable[Sequence[object]]) -> None:
    """A table whose columns line up at any width; nothing where there are no rows."""
    fill = any(column.cut for column in columns)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0), show_edge=False, expand=fill)
    for column in columns:
        table.add_column(
            Text(column.title),
            justify="right" if column.right else "left",
            no_wrap=column.cut or column.right or column.whole,  # a number in two lines is no number
            overflow="ellipsis" if column.cut else "fold",
            ratio=1 if column.cut else None,
        )
    for row in rows:
        table.add_row(*(_plain(str(cell)) for cell in row))
    if not table.rows:
        return
    if title:
        print_title(title)
    _print(table)


def print_title(text: str) -> None:
    _print(Text(f"\n{text}", style="bold"))


def print_facts(facts: Iterable[tuple[str, str]]) -> None:
    """Name and text in two columns, long texts folded under themselves."""
    grid = Table.grid(padding=(0, 2))
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    for name, text in facts:
        grid.add_row(_plain(name), _plain(text))
    _print(grid)


def print_json(document: object) -> None:
    sys.stdout.write(json.dumps(_finite(document), indent=2, ensure_ascii=False, allow_nan=False) + "\n")


def _finite(document: object) -> object:
    """The same document with null for what is no number, which JSON cannot say (masses that add up to infinity)."""
    match document:
        case float() if not isfinite(document):
            return None
        case dict():
            return {key: _finite(value) for key, value in document.items()}
        case list():
            return [_finite(value) for value in document]
    return document


def number(value: float | None) -> str:
    """Five digits, no negative zero, a dash for what is not known.

    >>> number(0.123456), number(-0.0), number(None)
    ('0.12346', '0', '-')
    """
    if value is None:
        return "-"
    return f"{value + 0.0:.5g}"


def in_degrees(angle: float | None) -> str:
    return "-" if angle is None else number(round(degrees(angle), 10))


def direction(axis: Iterable[float]) -> str:
    """An axis in a word where it is one of the frame's own.

    >>> direction([0.0, -1.0, 0.0]), direction([0.6, 0.0, 0.8])
    ('-y', '(0.6, 0, 0.8)')
    """
    for sign in (1.0, -1.0):
        for letter, unit in zip("xyz", np.eye(3), strict=True):
            if np.array_equal(list(axis), sign * unit):
                return letter if sign > 0 else f"-{letter}"
    return vector(axis)


def vector(values: Iterable[float]) -> str:
    return "(" + ", ".join(number(value) for value in np.asarray(list(values))) + ")"


def _plain(text: str) -> Text:
    """Text as it may go to a terminal: a name in someone's file must not steer it with escape codes."""
    return Text("".join(c if c.isprintable() else " " if c == "\n" else repr(c)[1:-1] for c in text))


def _print(what: object) -> None:
    console = Console(highlight=False, emoji=False, markup=False)
    with console.capture() as capture:
        console.print(what)
    # rich pads the lines of a table to its width; the blanks would only wrap in narrower windows
    sys.stdout.write("\n".join(line.rstrip() for line in capture.get().split("\n")))
