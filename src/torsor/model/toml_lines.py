"""Where a key of a TOML document stands: Python's tomllib reads values but keeps no positions."""

from __future__ import annotations

import re

_HEADER = re.compile(r"\s*(\[\[?)\s*([^\[\]#]+?)\s*\]\]?")
_KEY = re.compile(r"""\s*("[^"]*"|'[^']*'|[A-Za-z0-9_-]+)((?:\s*\.\s*[A-Za-z0-9_-]+)*)\s*=""")
# What matters for where a value ends: strings, comments and brackets.
_TOKEN = re.compile(r'"""|\'\'\'|"(?:[^"\\]|\\.)*"|\'[^\']*\'|#.*|[\[\]{}]')

KeyPath = tuple[str | int, ...]


def key_lines(text: str) -> dict[KeyPath, int]:
    """Line number of every table header and every key that begins a line, by its path.

    >>> key_lines("name = 'x'\\n[[link]]\\nmass = 1")
    {('name',): 1, ('link',): 2, ('link', 0): 2, ('link', 0, 'mass'): 3}
    """
    lines: dict[KeyPath, int] = {}
    table: KeyPath = ()
    counts: dict[KeyPath, int] = {}
    open_brackets, open_string = 0, ""  # of a value that goes on in the next line
    for number, line in enumerate(text.split("\n"), start=1):
        begins = 0
        if open_brackets or open_string:
            pass
        elif header := _HEADER.match(line):
            begins = len(line)
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
            begins = key.end()
            path = (*table, *(part.strip(" \"'") for part in (key[1] + key[2]).split(".")))
            lines.setdefault(path, number)
        open_brackets, open_string = _left_open(line[begins:], open_brackets, open_string)
    return lines


def _left_open(line: str, brackets: int, string: str) -> tuple[int, str]:
    """How many brackets, and which multi-line string, are open at the end of a line."""
    position = 0
    while True:
        if string:
            closing = line.find(string, position)
            if closing < 0:
                return brackets, string
            position, string = closing + len(string), ""
        token = _TOKEN.search(line, position)
        if token is None:
            return max(0, brackets), ""
        position = token.end()
        if token[0] in ('"""', "'''"):
            string = token[0]
        brackets += {"[": 1, "{": 1, "]": -1, "}": -1}.get(token[0], 0)


def spelled(path: KeyPath) -> str:
    """A path as people write it, counted from 1 as people count links.

    >>> spelled(("link", 2, "mass"))
    'link[3].mass'
    """
    text = ""
    for part in path:
        text += f"[{part + 1}]" if isinstance(part, int) else f".{part}" if text else part
    return text


def line_of(lines: dict[KeyPath, int], path: KeyPath) -> int | None:
    """Line of the key, or of the nearest table that holds it (an inline table stands on one line)."""
    while path:
        if path in lines:
            return lines[path]
        path = path[:-1]
    return None
