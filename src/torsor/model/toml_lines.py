"""Where a key of a TOML document stands: Python's tomllib reads values but keeps no positions."""

from __future__ import annotations

import re

_HEADER = re.compile(r"\s*(\[\[?)\s*([^\[\]#]+?)\s*\]\]?")
_KEY = re.compile(r"""\s*("[^"]*"|'[^']*'|[A-Za-z0-9_-]+)((?:\s*\.\s*[A-Za-z0-9_-]+)*)\s*=""")

Path = tuple[str | int, ...]


def key_lines(text: str) -> dict[Path, int]:
    """Line number of every table header and every key that begins a line, by its path.

    >>> key_lines("name = 'x'\\n[[link]]\\nmass = 1")
    {('name',): 1, ('link',): 2, ('link', 0): 2, ('link', 0, 'mass'): 3}
    """
    lines: dict[Path, int] = {}
    table: Path = ()
    counts: dict[Path, int] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if header := _HEADER.match(line):
            table = tuple(part.strip(" \"'") for part in header[2].split("."))
            # a dotted header speaks of the newest element of an array of tables, e.g. [link.limits]
            for depth in range(1, len(table)):
                if table[:depth] in counts:
                    table = (*table[:depth], counts[table[:depth]] - 1, *table[depth:])
            lines.setdefault(table, number)
            if header[1] == "[[":
                counts[table] = counts.get(table, 0) + 1
                table = (*table, counts[table] - 1)
                lines[table] = number
        elif key := _KEY.match(line):
            path = (*table, *(part.strip(" \"'") for part in (key[1] + key[2]).split(".")))
            lines.setdefault(path, number)
    return lines


def line_of(lines: dict[Path, int], path: Path) -> int | None:
    """Line of the key, or of the nearest table that holds it (an inline table stands on one line)."""
    while path:
        if path in lines:
            return lines[path]
        path = path[:-1]
    return None
