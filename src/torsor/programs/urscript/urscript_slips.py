"""What a URScript text tells of names that lead moves: lists of joints that lack one, numbers that are no place."""

from __future__ import annotations

import re
from collections.abc import Iterator

from torsor.programs.diagnostics import At, ProgramText
from torsor.programs.urscript.urscript_clauses import blanked

_NUMBER = r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?"
_TEXT = re.compile(r"\"[^\"\n]*\"|'[^'\n]*'")
_GIVEN = re.compile(
    r"(?<![\w.\]])(?P<name>[^\W\d]\w*)[ \t]*(?P<part>(?:\[[^\[\]=\n]*\])+[ \t]*)?=(?!=)[ \t]*(?P<value>[^\n]*)"
)
_ASKED = re.compile(r"(?<![\w.\])])([^\W\d]\w*)\s*\.[^\W\d]")  # home.append(0)
_LIST = re.compile(rf"\[\s*({_NUMBER}(?:\s*,\s*{_NUMBER})*)\s*\]\s*")
_ALONE = re.compile(rf"{_NUMBER}\s*")
_TAKEN = re.compile(r"(?<!\w)def\s+\w+\s*\(([^)]*)\)")  # what functions are given
_LED = re.compile(r"(?<!\w)(?P<word>movej|servoj|movel|movep)\s*\(\s*(?:(?:q|pose)\s*=\s*)?(?P<name>[^\W\d]\w*)\s*[,)]")
_NEAR = re.compile(r"(?<!\w)(?P<word>qnear)\s*=\s*(?P<name>[^\W\d]\w*)\s*[,)]")
_JOINTS = ("movej", "servoj", "qnear")  # a pose as a list without p is told where it is met, too


def without_texts(source: ProgramText) -> str:
    """Without comments, markers and what stands in quotes, every character at its place."""
    text = "\n".join(blanked(line) for line in source.lines)
    return _TEXT.sub(lambda found: " " * len(found[0]), text)


def told_by_names(source: ProgramText) -> Iterator[tuple[At, str, str, bool]]:
    """Names that are given a value once, written out, and lead a move that cannot do with it."""
    text = without_texts(source)
    given: dict[str, list[re.Match[str]]] = {}
    for found in _GIVEN.finditer(text):
        given.setdefault(found["name"], []).append(found)
    changed = {name for found in _TAKEN.finditer(text) for name in re.findall(r"[^\W\d]\w*", found[1])}
    changed.update(_ASKED.findall(text))
    said = set()
    for use in sorted((*_LED.finditer(text), *_NEAR.finditer(text)), key=re.Match.start):
        name, values = use["name"], given.get(use["name"], ())
        if name in changed or name in said or len(values) != 1 or values[0]["part"]:
            continue
        written = values[0]["value"]
        many = _LIST.fullmatch(written)
        if many and many[1].count(",") + 1 in (5, 7) and use["word"] in _JOINTS:
            said.add(name)
            here, there = _at(text, use.start("name")), _at(text, values[0].start("name"))
            count = many[1].count(",") + 1
            problem = f"{name} has {count} numbers, and is asked for as the joints of an arm (line {source.line(here)})"
            yield there, problem, "an arm of Universal Robots has 6", True
        elif _ALONE.fullmatch(written) and use["word"] != "qnear":
            said.add(name)
            here, there = _at(text, use.start("name")), _at(text, values[0].start("name"))
            yield here, f"{name} is a number (line {source.line(there)}), no place", "a place comes first", True


def _at(text: str, k: int) -> At:
    return text.count("\n", 0, k) + 1, k - text.rfind("\n", 0, k)
