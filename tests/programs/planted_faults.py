"""One fault in a sound program: a misspelt word or name, a missing end, bracket, separator or argument.

Each is a text and the lines that may be blamed for it: of a missing end that of its opening, of a missing separator the
next one too.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class PlantedFault:
    kind: str
    text: str
    lines: tuple[int, ...]


@dataclass(frozen=True)
class Planting:
    """What a language's lines look like: words to misspell, names, ends and what opens them, separators."""

    words: str
    names: str
    opening: str
    ends: str
    separator: str
    comment: str


PLANTINGS = {
    "RAPID": Planting(
        r"\b(MoveL|MoveJ|MoveAbsJ|WHILE|ENDWHILE|PROC|ENDPROC|WaitTime|GripLoad|ConfL|RETURN)\b",
        r"\b(pPick|pHome|tGrip|nDone|pPlace|lPart)\b",
        r"^\s*(PROC|WHILE|IF .*THEN|FOR|TEST)\b", r"^\s*END(PROC|WHILE|IF|FOR|TEST)\b", ";", "!",
    ),
    "URScript": Planting(
        r"\b(movej|movel|sleep|set_tcp|set_payload|pose_trans|while|elif|def|return|break)\b",
        r"\b(home|above|here)\b", r"^\s*(def|while|if|thread)\b", r"^\s*end\b", ",", "#",
    ),
    "KRL": Planting(
        r"\b(SPTP|SLIN|CIRC|LOOP|ENDLOOP|SWITCH|CASE|ENDSWITCH|ENDIF|WAIT|ELSE)\b",
        r"\b(XHOME|XP1|PPDAT1)\b", r"^\s*(DEF|LOOP|IF|FOR|SWITCH)\b", r"^\s*END(LOOP|IF|FOR|SWITCH)?\s*$", ",", ";",
    ),
}  # fmt: skip


def planted(text: str, language: str, count: int, seed: int) -> Iterator[PlantedFault]:
    """So many faults of all kinds, always the same."""
    rng, how, lines = random.Random(seed), PLANTINGS[language], text.split("\n")
    bare = [line.split(how.comment)[0] for line in lines]
    makers = [_word, _name, _end, _bracket, _separator, _argument]
    made = 0
    for turn in range(50 * count):
        fault = makers[turn % len(makers)](rng, how, lines, bare)
        if fault is not None:
            yield fault
            made += 1
        if made == count:
            return


def _replaced(lines: list[str], k: int, begin: int, end: int, new: str) -> str:
    return "\n".join([*lines[:k], lines[k][:begin] + new + lines[k][end:], *lines[k + 1 :]])


def _misspelt(rng: random.Random, word: str) -> str:
    k = rng.randrange(1, len(word) - 1)
    if rng.random() < 0.5 and word[k] != word[k + 1]:
        return word[:k] + word[k + 1] + word[k] + word[k + 2 :]
    return word[:k] + word[k + 1 :]


def _somewhere(rng: random.Random, bare: list[str], pattern: str) -> tuple[int, re.Match[str]] | None:
    found = [(k, match) for k, line in enumerate(bare) for match in re.finditer(pattern, line)]
    return rng.choice(found) if found else None


def _word(rng: random.Random, how: Planting, lines: list[str], bare: list[str]) -> PlantedFault | None:
    found = _somewhere(rng, bare, how.words)
    if found is None:
        return None
    k, match = found
    closes = re.match(how.ends, match[0])  # a misspelt end is a missing one, too
    opened = (_opening(how, bare, k),) if closes else ()
    return PlantedFault("word", _replaced(lines, k, *match.span(), _misspelt(rng, match[0])), (k + 1, *opened))


def _name(rng: random.Random, how: Planting, lines: list[str], bare: list[str]) -> PlantedFault | None:
    found = _somewhere(rng, bare, how.names)
    if found is None or re.search(r":=|^\s*(DECL|\w+ )?\w+\s*=|global|PERS|CONST|VAR", bare[found[0]]):
        return None
    k, match = found
    return PlantedFault("name", _replaced(lines, k, *match.span(), _misspelt(rng, match[0])), (k + 1,))


def _opening(how: Planting, bare: list[str], k: int) -> int:
    """The line of what an end closes."""
    depth = 0
    for line in range(k - 1, -1, -1):
        if re.search(how.ends, bare[line]):
            depth += 1
        elif re.search(how.opening, bare[line]):
            if depth == 0:
                return line + 1
            depth -= 1
    return 1


def _end(rng: random.Random, how: Planting, lines: list[str], bare: list[str]) -> PlantedFault | None:
    found = _somewhere(rng, bare, how.ends)
    if found is None:
        return None
    k, _ = found
    return PlantedFault("end", "\n".join([*lines[:k], "", *lines[k + 1 :]]), (_opening(how, bare, k), k + 1))


def _bracket(rng: random.Random, how: Planting, lines: list[str], bare: list[str]) -> PlantedFault | None:
    found = _somewhere(rng, bare, r"[()\[\]{}]")
    if found is None or '"' in bare[found[0]]:
        return None
    k, match = found
    return PlantedFault("bracket", _replaced(lines, k, *match.span(), ""), (k + 1,))


def _separator(rng: random.Random, how: Planting, lines: list[str], bare: list[str]) -> PlantedFault | None:
    found = _somewhere(rng, bare, rf"(?<=\w){re.escape(how.separator)}(?=\s*(\w|$))")
    if found is None or '"' in bare[found[0]]:
        return None
    k, match = found
    return PlantedFault("separator", _replaced(lines, k, match.start(), match.start() + 1, " "), (k + 1, k + 2))


def _argument(rng: random.Random, how: Planting, lines: list[str], bare: list[str]) -> PlantedFault | None:
    found = _somewhere(rng, bare, r"(, *v\d+)(?=[,\\])|(?<=[(,]) *[\w.]+ *(?=\)\s*;?$)|, *(fine|z\d+)(?=,)")
    if found is None or not re.search(r"Move|pose_trans|movel|movej|sleep|Offs|WAIT SEC", bare[found[0]]):
        return None
    k, match = found
    return PlantedFault("argument", _replaced(lines, k, *match.span(), ""), (k + 1,))
