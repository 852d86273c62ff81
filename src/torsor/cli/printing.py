"""Tables, sections and JSON on stdout. Rich draws; the width is the terminal's, in a pipe COLUMNS or 80."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
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
SHORTEST = 10  # letters of a text that is cut: fewer say nothing


def numbers(*titles: str) -> list[str]:
    return [RIGHT + title for title in titles]


def print_table(title: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """A table whose columns line up at any width; nothing where there are no rows.

    Words are never broken. In a window that is too narrow a text that may be cut is left out, which is said, and a
    table that is still too wide stands in several parts, each with the first column.
    """
    cells = [[_plain(str(cell)) for cell in row] for row in rows]
    if not cells:
        return
    room = Console().width
    least = [_least(column, [row[k] for row in cells]) for k, column in enumerate(columns)]
    kept, left_out = list(range(len(columns))), []
    if _needed(least, kept) > room:
        left_out = [k for k in kept if columns[k].startswith(CUT)]
        kept = [k for k in kept if k not in left_out]
    if title:
        print_title(title)
    for k, part in enumerate(_parts(least, kept, room)):
        if k:
            sys.stdout.write("\n")
        _print_part(columns, cells, least, part)
    if left_out:
        names = ", ".join(_bare(columns[k]) for k in left_out)
        _print(Text(f"too narrow for: {names}", style="dim"))


def _print_part(columns: Sequence[str], cells: list[list[Text]], least: list[int], part: list[int]) -> None:
    fill = any(columns[k].startswith(CUT) for k in part)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0), show_edge=False, expand=fill)
    for k in part:
        column = columns[k]
        cut = column.startswith(CUT)
        table.add_column(
            Text(_bare(column)),
            justify="right" if column.startswith(RIGHT) else "left",
            no_wrap=column.startswith((RIGHT, CUT, WHOLE)),  # a number in two lines is no number
            overflow="ellipsis" if cut else "fold",
            ratio=1 if cut else None,
            min_width=least[k],
        )
    for row in cells:
        table.add_row(*(row[k] for k in part))
    _print(table, least=_needed(least, part))


def _parts(least: list[int], kept: list[int], room: int) -> list[list[int]]:
    """Columns in parts that fit, each beginning with the first column."""
    parts = [kept[:1]]
    for k in kept[1:]:
        if _needed(least, [*parts[-1], k]) > room and len(parts[-1]) > 1:
            parts.append(kept[:1])
        parts[-1].append(k)
    return parts


def _needed(least: list[int], part: Sequence[int]) -> int:
    return sum(least[k] + 2 for k in part) - 2


def _bare(column: str) -> str:
    return column.lstrip(RIGHT + CUT + WHOLE)


def _least(column: str, cells: list[Text]) -> int:
    """The width below which a column is no more to be read: numbers stay whole, texts fold between words."""
    title = _bare(column)
    if column.startswith((RIGHT, WHOLE)):
        return max(len(title), *(cell.cell_len for cell in cells))
    if column.startswith(CUT):
        return max(len(title), min(SHORTEST, *(cell.cell_len for cell in cells)))
    return max(len(word) for text in (title, *(cell.plain for cell in cells)) for word in (text.split() or [""]))


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


def print_written(files: Mapping[str, Path | str | None], *more: tuple[str, str]) -> None:
    """Files that were written, by what is in them, and ``more`` facts after them; nothing where there are none."""
    written = [(name, str(path)) for name, path in files.items() if path is not None]
    if written:
        print_title("Written")
        print_facts([*written, *more])


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
