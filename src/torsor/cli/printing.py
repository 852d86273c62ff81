"""Tables, sections and JSON on stdout. Rich draws; the width is the terminal's, in a pipe COLUMNS or 80."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import is_dataclass
from math import degrees, isfinite
from pathlib import Path

import numpy as np
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from torsor.errors import printable
from torsor.model.files import write_text

# What a title of a column may begin with.
RIGHT = ">"  # numbers
CUT = "~"  # a text that does not fit is shortened instead of folded
WHOLE = "="  # a text that is neither
FOLDED = 5  # letters of a text in a column that is folded as narrow as can be


def numbers(*titles: str) -> list[str]:
    return [RIGHT + title for title in titles]


def print_table(title: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """A table whose columns line up at any width; nothing where there are no rows."""
    cells = [[_plain(str(cell)) for cell in row] for row in rows]
    if not cells:
        return
    fill = any(column.startswith(CUT) for column in columns)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0), show_edge=False, expand=fill)
    for column in columns:
        cut = column.startswith(CUT)
        table.add_column(
            Text(column.lstrip(RIGHT + CUT + WHOLE)),
            justify="right" if column.startswith(RIGHT) else "left",
            no_wrap=column.startswith((RIGHT, CUT, WHOLE)),  # a number in two lines is no number
            overflow="ellipsis" if cut else "fold",
            ratio=1 if cut else None,
        )
    for row in cells:
        table.add_row(*row)
    if title:
        print_title(title)
    _print(table, least=sum(_least(column, [row[k] for row in cells]) + 2 for k, column in enumerate(columns)) - 2)


def _least(column: str, cells: list[Text]) -> int:
    """The width below which a column is no more to be read: numbers stay whole, texts fold to a few letters."""
    whole = max(len(column.lstrip(RIGHT + CUT + WHOLE)), *(cell.cell_len for cell in cells))
    return whole if column.startswith((RIGHT, WHOLE)) else min(whole, FOLDED)


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


def give(text: str, output: Path | None) -> None:
    """To the file that was named, or to the terminal."""
    if output is None:
        sys.stdout.write(text)
    else:
        write_text(output, text)


def print_json(document: object) -> None:
    text = json.dumps(_plain_data(document), indent=2, ensure_ascii=False, allow_nan=False)
    # what a terminal might obey is written as its code
    sys.stdout.write("".join(c if c.isprintable() or c == "\n" else json.dumps(c)[1:-1] for c in text) + "\n")


def _plain_data(value: object) -> object:
    """Arrays as lists, parts as dicts, and null for what is no number, which JSON cannot say (masses of infinity)."""
    match value:
        case float() if not isfinite(value):
            return None
        case np.ndarray():
            return _plain_data(value.tolist())
        case dict():
            return {key: _plain_data(each) for key, each in value.items()}
        case list() | tuple():
            return [_plain_data(each) for each in value]
    return _plain_data(vars(value)) if is_dataclass(value) else value


def number(value: float | None) -> str:
    """Five digits, no negative zero, a dash for what is not known.

    >>> number(0.123456), number(-0.0), number(None)
    ('0.12346', '0', '-')
    """
    return "-" if value is None else f"{value + 0.0:.5g}"


def in_degrees(angle: float | None) -> str:
    return "-" if angle is None else number(round(degrees(angle), 10))


def direction(axis: Iterable[float]) -> str:
    """An axis in a word where it is one of the frame's own.

    >>> direction([0.0, -1.0, 0.0]), direction([0.6, 0.0, 0.8])
    ('-y', '(0.6, 0, 0.8)')
    """
    for letter, unit in zip("xyz", np.eye(3), strict=True):
        for sign in (1.0, -1.0):
            if np.array_equal(list(axis), sign * unit):
                return letter if sign > 0 else f"-{letter}"
    return vector(axis)


def vector(values: Iterable[float]) -> str:
    return f"({', '.join(map(number, values))})"


def _plain(text: str) -> Text:
    return Text(printable(text.replace("\n", " ")))


def _print(what: object, least: int = 0) -> None:
    console = Console(highlight=False, emoji=False, markup=False)
    if console.width < least:  # longer lines wrap in a narrow window; what is cut off is lost
        console.width = least
    with console.capture() as capture:
        console.print(what)
    # rich pads the lines of a table to its width; the blanks would only wrap in narrower windows
    sys.stdout.write("\n".join(line.rstrip() for line in capture.get().split("\n")))
