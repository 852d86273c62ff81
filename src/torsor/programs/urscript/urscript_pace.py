"""How URScript writes pace: as arguments of the move itself, by place or by name."""

from __future__ import annotations

import re
from math import inf

from torsor.motion.commands import Move
from torsor.programs.pace import Factor, ToolPace
from torsor.programs.rewriting import rounded_down
from torsor.programs.urscript.urscript_clauses import blanked
from torsor.programs.urscript.urscript_words import OPERANDS
from torsor.programs.written_arguments import closing, over, spans, times

_CALL = re.compile(r"(?<!\w)((?:opti)?move[jlpc])\s*\(")
_NAMED = re.compile(r"\s*(\w+)\s*=(?!=)")
NO_LESS = 1.0 + 1e-6  # what is written is rounded down
DEFAULTS = {"movej": {"a": 1.4, "v": 1.05}, "movel": {"a": 1.2, "v": 0.25}, "movep": {"a": 1.2, "v": 0.25},
            "movec": {"a": 1.2, "v": 0.25}, "optimovej": {"a": 0.3, "v": 0.3},
            "optimovel": {"a": 0.3, "v": 0.3}}  # fmt: skip


def repace(lines: list[str], move: Move, factor: Factor, tool: ToolPace | None) -> None:
    """``v=0.25`` becomes ``v=0.1``; what is not there is added; a time becomes longer.

    A joint that was asked for more than its limits gets what came of the factors there, which is ``tool``.
    """
    pace = move.pace
    if tool is not None and pace.axis_speed is not None and pace.axis_acceleration is not None:
        v, a = tool.speed / pace.axis_speed, tool.acceleration / pace.axis_acceleration
        factor = Factor(min(factor.speed, v * NO_LESS), min(factor.acceleration, a * NO_LESS))
    first = move.place.line - 1
    last = first + 1
    text = lines[first]
    calls = list(_CALL.finditer(blanked(text)))  # all moves of the line: what holds of one holds of all
    while calls and closing(blanked(text), calls[-1].end() - 1) >= len(text) and last < len(lines):
        last += 1
        text = "\n".join(lines[first:last])
    for call in reversed(calls):
        end = closing(blanked(text), call.end() - 1)
        text = text[: call.end()] + _changed(text, call[1], call.end(), end, factor) + text[end:]
    lines[first:last] = text.split("\n")


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
        if word.startswith("opti") and name in ("a", "v"):
            value = _share(value)
        parts.append(head + value)
    for name, times_ in (("a", factor.acceleration), ("v", factor.speed)):
        if name not in given and times_ != 1.0 and not timed:
            most = 1.0 if word.startswith("opti") else inf  # a share
            parts.append(f" {name}={rounded_down(min(DEFAULTS[word][name] * times_, most))}")
    return ",".join(parts)


def _share(written: str) -> str:
    """A share that is at most 1, where it is a number."""
    try:
        return written if float(written) <= 1.0 else "1"
    except ValueError:
        return written
