"""Lines of an AS file: its programs, its data, and sections of the controller that are passed over."""

from __future__ import annotations

import re
from collections.abc import Iterator

from torsor.programs.language import ClauseText
from torsor.programs.misspelt import slip_of

_COMMENT = re.compile(r"(\"[^\"\n]*\")|;.*")  # texts stay
_HEAD = re.compile(r"\s*(\.[A-Z_]\w*)", re.IGNORECASE)
# behind the head of a program stand dates and numbers
_PROGRAM = re.compile(r"\s*\.PROGRAM\s+[\w.]+\s*(\([^)\n]*\))?(?=\s*([@#].*)?$)", re.IGNORECASE)
_STEP = re.compile(r"\s*([0-9]+)(?:\s+|$)(?=[^\s=]|$)")
_ALONE = re.compile(r"\s*\.[A-Z_]\w*\s*", re.IGNORECASE)
_NAMED = re.compile(r"\s*([A-Za-z_][\w.]*)\s*:(?!=)\s*$")
DATA = (".TRANS", ".JOINTS", ".REALS", ".STRINGS", ".INTEGER", ".INTEGERS")
MARK, UNCLOSED = "\x01", "\x02"  # before a line of data, and before the name of a section that is not closed


def clauses(text: str) -> Iterator[ClauseText]:
    inside, opened = "", (1, 1)  # the section, and where it begins
    for number, line in enumerate(text.split("\n"), start=1):
        bare = _COMMENT.sub(lambda found: found[1] or "", line) if ";" in line else line
        head = _HEAD.match(bare)
        word = head[1].upper() if head else ""
        begins = word == ".PROGRAM" or (bool(_ALONE.fullmatch(bare)) and (inside != ".PROGRAM" or word in DATA))
        if word == ".END":
            if inside in ("", ".PROGRAM"):
                yield ClauseText(".END", (number, bare.index(".") + 1))
            inside = ""
        elif begins:
            if inside in (".PROGRAM", *DATA):
                yield from _unclosed(inside, opened, number)
            if word == ".PROGRAM":
                yield from _opened(bare, number)
            elif word not in DATA and (meant := slip_of(word, (".PROGRAM", ".END", *DATA), family=False)):
                yield ClauseText(f"{UNCLOSED}?{word}, did you mean {meant}?", (number, bare.index(".") + 1))
            inside, opened = word, (number, bare.index(".") + 1)
        elif inside == ".PROGRAM":
            yield from _statement(bare, number)
        elif inside in DATA:
            if bare.strip():
                yield _piece(MARK + bare.strip(), bare, number)
        elif not inside and bare.strip() and not _is_remark(bare):
            yield from _statement(bare, number)  # of a file without .PROGRAM
    if inside in DATA:
        yield from _unclosed(inside, opened, opened[0])


def _unclosed(section: str, opened: tuple[int, int], number: int) -> Iterator[ClauseText]:
    yield ClauseText(UNCLOSED + section, opened)
    if section == ".PROGRAM":
        yield ClauseText(".END", (number, 1))


def _is_remark(line: str) -> bool:
    """Lines of stars and dashes around what a controller wrote: ``.***``, ``.NETCONF`` without an end."""
    return line.strip().upper().startswith((".*", ".-", ">", ".NETCONF"))


def _opened(bare: str, number: int) -> Iterator[ClauseText]:
    found = _PROGRAM.match(bare)
    text = bare if found is None else found[0]
    yield _piece(text.strip(), bare, number)


def _statement(bare: str, number: int) -> Iterator[ClauseText]:
    begin = 0
    if step := _STEP.match(bare):
        yield ClauseText(f"{step[1]}:", (number, step.start(1) + 1))
        begin = step.end()
    elif (named := _NAMED.match(bare)) and named[1].upper() != "ANY":
        yield ClauseText(f"{named[1]}:", (number, named.start(1) + 1))
        return
    rest = bare[begin:]
    if rest.strip():
        blank = len(rest) - len(rest.lstrip())
        yield ClauseText(rest.strip(), (number, begin + blank + 1))


def _piece(text: str, line: str, number: int) -> ClauseText:
    return ClauseText(text, (number, len(line) - len(line.lstrip()) + 1))
