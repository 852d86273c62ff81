"""What a clause that cannot be read was meant to open or to close, so that one slip gives one message."""

from __future__ import annotations

import re
from collections.abc import Mapping

from torsor.programs import syntax
from torsor.programs.builder import Clause
from torsor.programs.diagnostics import At
from torsor.programs.misspelt import slip_of

WORDS_BEFORE = ("LOCAL", "GLOBAL", "TASK")
UNITS = ("proc", "func", "trap", "def", "deffct")
ANYTHING = "*"  # a parameter that stands for all that could not be read
_NAME = re.compile(r"\b(?:PROC|TRAP|DEF|(?:FUNC|DEFFCT)\s+\S+)\s+([$]?[^\W\d][\w$]*)", re.IGNORECASE)


def recovered(text: str, at: At, opening: Mapping[str, str], closing: Mapping[str, tuple[str, ...]]) -> Clause | None:
    """``opening``: words that open blocks, with their kinds; ``closing``: those that close some."""
    words = [word.upper() for word in re.findall(r"[^\W\d]\w*", text)]
    while words and words[0] in WORDS_BEFORE:
        words.pop(0)
    if not words:
        return None
    word, nothing = words[0], syntax.Name("FALSE", at=at)
    if len(words) == 1 and word == text.strip().upper():  # ENDFI: the end of something, misspelt
        word = slip_of(word, closing, family=False, shortest=3) or word
    elif "REPEAT" in opening and slip_of(word, ("UNTIL",), family=False):
        word = "UNTIL"
    if word in closing:
        return Clause("close", word, at=at)
    if word == "UNTIL":
        return Clause("until", word, (nothing,), at=at)
    if word == "CASE":
        return Clause("choice", word, ((nothing,),), at=at)
    kind = opening.get(word)
    if kind is None:
        return None
    if kind in UNITS:
        named = _NAME.search(text)
        name = named[1] if named else words[-1] if len(words) > 1 else word
        return Clause("unit", kind, (name, (syntax.Parameter(ANYTHING, at=at),), "", False), at=at)
    zero = syntax.Number(0.0, at=at)
    parts = {"for": (nothing, zero, zero, None), "repeat": ()}.get(kind, (nothing,))
    return Clause(kind, parts=parts, at=at)
