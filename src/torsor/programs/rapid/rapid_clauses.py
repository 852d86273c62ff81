"""Where the clauses of a RAPID text begin and end: up to a semicolon, or as far as the word goes that they begin with.

A word that cannot stand inside of a clause ends it, so that a forgotten semicolon takes one clause along, not the file.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from torsor.programs.language import ClauseText

_QUOTES_AND_COMMENTS = re.compile(r'"(?:[^"\n]|"")*"|!(?P<comment>[^\n]*)')
_HEADER = re.compile(r"\A\s*%%%.*?%%%", re.DOTALL)  # VERSION and LANGUAGE of older files
_TOKENS = re.compile(r'(?P<text>"(?:[^"\n]|"")*")|(?P<word>[^\W\d]\w*)|(?P<sign>:=|[;:()%\\])')
ALONE = {"ELSE", "UNDO", "BACKWARD", "ENDPROC", "ENDFUNC", "ENDTRAP", "ENDMODULE", "ENDRECORD", "ENDIF", "ENDWHILE",
         "ENDFOR", "ENDTEST"}  # fmt: skip
UP_TO = {"IF": "THEN", "ELSEIF": "THEN", "WHILE": "DO", "FOR": "DO"}
ROUTINES = {"PROC", "FUNC"}
NAMED = {"MODULE", "TRAP", "RECORD"}
CHOICES = {"CASE", "DEFAULT"}
# words that no clause has in its middle
BEGINNING = ALONE | ROUTINES | NAMED | CHOICES | {"ELSEIF", "WHILE", "FOR", "TEST", "LOCAL", "IF"}


def blanked(text: str) -> str:
    """The text without comments, every character at its place."""

    def blank(found: re.Match[str]) -> str:
        return found[0] if found["comment"] is None else " " * len(found[0])

    text = _HEADER.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
    return _QUOTES_AND_COMMENTS.sub(blank, text)


def without_texts(text: str) -> str:
    """Without comments and what stands in quotes, every character at its place."""
    return re.sub(r'"[^"\n]*"', lambda found: " " * len(found[0]), blanked(text))


def clauses(text: str) -> Iterator[ClauseText]:
    text = blanked(text)
    starts = [0, *(match.end() for match in re.finditer("\n", text))]

    def piece(begin: int, end: int) -> ClauseText:
        line = bisect_right(starts, begin)
        return ClauseText(text[begin:end].rstrip(), (line, begin - starts[line - 1] + 1))

    for begin, end in _spans(text):
        if text[begin:end].strip(" \t\r\n;\xa0\f"):
            yield piece(begin, end)


def _spans(text: str) -> Iterator[tuple[int, int]]:
    begin: int | None = None  # of the clause that is being read
    first, depth, last = "", 0, 0
    for token in _TOKENS.finditer(text):
        if token.start() < last:
            continue  # of a clause that was taken as a whole
        found, word = token[0], token[0].upper() if token["word"] else ""
        if begin is not None and _breaks(word, first, depth):
            yield begin, token.start()
            begin, last = None, token.start()
        if begin is None:
            if text[last : token.start()].strip():  # signs that begin no clause
                begin, first, depth = last + _blank(text[last : token.start()]), "", 0
            elif found == ";":
                last = token.end()
                continue
            else:
                begin, first, depth = token.start(), word, 0
                if word in ALONE:
                    yield begin, token.end()
                    begin, last = None, token.end()
                elif word == "ERROR":
                    close = re.compile(r"\s*\([^)]*\)").match(text, token.end())
                    yield begin, close.end() if close else token.end()
                    begin, last = None, close.end() if close else token.end()
                continue
        depth += (found == "(") - (found == ")")
        ends = found == ";"
        if first in ("LOCAL", "TASK") and word:
            first = word
        elif first in UP_TO:
            ends = ends or word == UP_TO[first]
        elif first in CHOICES:
            ends = ends or found == ":"
        elif first in ROUTINES:
            ends = ends or (found == ")" and depth == 0)
        elif first in NAMED:
            attributes = re.compile(r"\s*\(").match(text, token.end()) if first == "MODULE" and depth == 0 else None
            ends = ends or (attributes is None and depth == 0)
        elif found == ":":
            ends = ends or text[begin : token.start()].strip().isidentifier()  # a label
        if ends:
            yield begin, token.end()
            begin, last = None, token.end()
    rest = last if begin is None else begin
    if text[rest:].strip():
        yield rest + _blank(text[rest:]), len(text)


def _breaks(word: str, first: str, depth: int) -> bool:
    if word not in BEGINNING or (depth > 0 and not word.startswith("END")):
        return False
    return not (first == "LOCAL" and word in ROUTINES | NAMED) and first != "TASK"


def _blank(text: str) -> int:
    return len(text) - len(text.lstrip())
