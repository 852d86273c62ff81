"""How URScript writes pace: as arguments of the move itself, by place or by name."""

from __future__ import annotations

import re

from torsor.motion.commands import Move
from torsor.programs.pace import Factor
from torsor.programs.rewriting import rounded_down
from torsor.programs.urscript.urscript_clauses import blanked
from torsor.programs.urscript.urscript_words import OPERANDS
from torsor.programs.written_arguments import closing, over, spans, times

_CALL = re.compile(r"(move[jlpc])\s*\(")
_NAMED = re.compile(r"\s*(\w+)\s*=(?!=)")
DEFAULTS = {"movej": {"a": 1.4, "v": 1.05}, "movel": {"a": 1.2, "v": 0.25}, "movep": {"a": 1.2, "v": 0.25},
            "movec": {"a": 1.2, "v": 0.25}}  # fmt: skip


def repace(lines: list[str], move: Move, factor: Factor) -> None:
    """``v=0.25`` becomes ``v=0.1``; what is not there is added; a time becomes longer."""
    first, column = move.place.line - 1, move.place.column - 1
    last = first + 1
    text = "\n".join(lines[first:last])
    while (call := _CALL.search(blanked(text), column)) and closing(blanked(text), call.end() - 1) >= len(text):
        if last >= len(lines):
            break
        last += 1
        text = "\n".join(lines[first:last])
    if call is None:
        return
    end = closing(blanked(text), call.end() - 1)
    lines[first:last] = (text[: call.end()] + _changed(text, call[1], call.end(), end, factor) + text[end:]).split("\n")


def _changed(text: str, word: str, begin: int, end: int, factor: Factor) -> str:
    names, parts, given = OPERANDS[word], [], set[str]()
    timed = False
    for k, (a, b) in enumerate(spans(text, begin, end)):
        written = text[a:b]
        named = _NAMED.match(written)
        name = named[1] if named else names[k] if k < len(names) else ""
        head, value = (written[: named.end()], written[named.end() :]) if named else ("", written)
        given.add(name)
        if name == "v" and factor.speed != 1.0:
            value = times(value, factor.speed)
        elif name == "a" and factor.acceleration != 1.0:
            value = times(value, factor.acceleration)
        elif name == "t" and value.strip() not in ("0", "0.0"):
            timed, value = True, over(value, factor.speed)
        parts.append(head + value)
    for name, times_ in (("a", factor.acceleration), ("v", factor.speed)):
        if name not in given and times_ != 1.0 and not timed:
            parts.append(f" {name}={rounded_down(DEFAULTS[word][name] * times_)}")
    return ",".join(parts)
