"""Where the statements of a printed TP program begin and end: sections, line numbers, remarks, SELECT in lines."""

from __future__ import annotations

import re
from collections.abc import Iterator

from torsor.programs.language import ClauseText

_SECTION = re.compile(r"^/(PROG|ATTR|APPL|MN|POS|END)\b[ \t]*([^\n]*)", re.MULTILINE | re.IGNORECASE)
_NUMBER = re.compile(r"^\s*[0-9]*\s*:")  # "12:" before a statement; ":" alone where it goes on
_REMARK = re.compile(r"(?<=\[)(\s*[\w.]+\s*(?:,\s*[\w.]+\s*)?):[^\]]*(?=\])")  # R[3:count], PR[5,2:place]
_GROUP = re.compile(r"(?<=\[)\s*GP[0-9]\s*:\s*", re.IGNORECASE)  # PR[GP1:5,2]
_PLACE = re.compile(r"P\[\s*(?P<number>[0-9]+)[^\]]*\]\s*\{[^}]*\}", re.IGNORECASE)
_SELECT = re.compile(r"SELECT\s+(?P<subject>[^=]+?)\s*=\s*(?P<value>[^,]+),(?P<rest>.*)", re.IGNORECASE | re.DOTALL)
_MOTION = re.compile(r"[JLSCA]\s*PR?\[", re.IGNORECASE)
_TERM = re.compile(r"\b(FINE|FEIN|(?:CNT|CR|CD)\s*(?:[0-9]+|R\[[^\]]*\]))", re.IGNORECASE)
_NEXT = re.compile(r"=\s*(?P<value>[^,]+),(?P<rest>.*)", re.DOTALL)


def clauses(text: str) -> Iterator[ClauseText]:
    sections = list(_SECTION.finditer(text))
    for found, after in zip(sections, [*sections[1:], None], strict=True):
        word, begin = found[1].upper(), found.end()
        end = len(text) if after is None else after.start()
        if word == "PROG":
            name = found[2].split()
            yield ClauseText(f"/PROG {name[0] if name else ''}", _place(text, found.start()))
        elif word == "MN":
            yield from _statements(text, begin, end)
            yield ClauseText("/END", _place(text, end - 1))
        elif word == "POS":
            for each in _PLACE.finditer(text, begin, end):
                yield ClauseText(re.sub(r"^P\[[^\]]*\]", f"P[{each['number']}]", each[0]), _place(text, each.start()))


def _place(text: str, at: int) -> tuple[int, int]:
    before = text[:at]
    return before.count("\n") + 1, at - (before.rfind("\n") + 1) + 1


def _statements(text: str, begin: int, end: int) -> Iterator[ClauseText]:
    """Up to a semicolon each; a line that begins with a colon goes on with the one before."""
    subject, values = "", list[str]()
    start = begin
    for semicolon in re.finditer(";", text[begin:end]):
        stop = begin + semicolon.start()
        piece = text[start:stop]
        first = len(piece) - len(piece.lstrip())
        line = _place(text, start + first)[0]
        bare = " ".join(_NUMBER.sub("", each) for each in piece.strip().split("\n"))
        start = stop + 1
        bare = _REMARK.sub(r"\1", _GROUP.sub("", bare)).strip()
        if not bare or bare.startswith(("!", "--", "//")):
            continue
        if _MOTION.match(bare) and (term := _TERM.search(bare)):  # what stands behind it is a text of its own
            bare = f'{bare[: term.end()]} "{bare[term.end() :].strip().replace(chr(34), chr(39))}"'
        if chosen := _SELECT.fullmatch(bare):
            subject, values = chosen["subject"], [chosen["value"]]
            bare = f"IF {subject}={chosen['value']},{chosen['rest']}"
        elif subject and (chosen := _NEXT.fullmatch(bare)):
            values.append(chosen["value"])
            bare = f"IF {subject}={chosen['value']},{chosen['rest']}"
        elif subject and bare.upper().startswith("ELSE,"):
            others = " AND ".join(f"{subject}<>{value}" for value in values)
            bare = f"IF {others},{bare[5:]}"
        else:
            subject = ""
        yield ClauseText(bare, (line, 1))
