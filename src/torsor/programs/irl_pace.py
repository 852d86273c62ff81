"""How L-IRL writes pace: as options of the move itself."""

from __future__ import annotations

import re

from torsor.errors import Unsupported
from torsor.motion.commands import Move
from torsor.programs.pace import Factor, ToolPace
from torsor.programs.rewriting import rounded_down

SPEEDS, ACCELERATIONS = ("speed", "speed_ptp", "speed_ori"), ("acc", "acc_ptp")
OPTION = re.compile(rf"\b({'|'.join((*SPEEDS, *ACCELERATIONS))})\s*=\s*", re.IGNORECASE)
QUOTED = re.compile(r"\"[^\"\n]*\"?|'[^'\n]*'?|\{[^}\n]*\}?")  # texts and comments of a line
NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?=[\s;,}]|$)")


def repace(lines: list[str], move: Move, factor: Factor, tool: ToolPace | None) -> None:
    """``speed=760`` becomes ``speed=471.2``; what is computed gets a factor; what is not there is added."""
    joint, pace, place = move.kind == "joint", move.pace, move.place
    first, last, column = place.line - 1, place.line, place.column - 1
    if not joint and pace.acceleration is None and tool is not None and pace.speed is not None:
        # the joints' accelerations, of which it was to take a share, held its speed back in bends too
        factor = Factor(min(factor.speed, tool.speed / pace.speed), factor.acceleration)
    while ";" not in _masked(text := "\n".join(lines[first:last]))[column:] and last < len(lines):
        last += 1
    end = f"{_masked(text)};".index(";", column)
    statement, done = _options_changed(text[:end], column, factor)
    speed, acceleration = (None, None) if tool is None else (1e3 * tool.speed, 1e3 * tool.acceleration)
    missing: list[tuple[str, float | None]] = []
    if factor != Factor() and not done & set(SPEEDS) and (factor.speed != 1.0 or not joint):
        missing.append(("speed_ptp", factor.speed) if joint else ("speed", speed))
    if factor.acceleration != 1.0 and not done & set(ACCELERATIONS):
        missing.append(("acc_ptp", factor.acceleration) if joint else ("acc", acceleration))
    for option, value in missing:
        if value is None:
            problem = f"this move has no {option!r} that could be lowered"
            hint = f"give it {option}=..., and check again"
            raise Unsupported(problem, hint=hint, file=place.file, line=place.line, column=place.column)
        statement = " ".join([statement.rstrip(" \t"), f"{option}={rounded_down(value)}"])
    lines[first:last] = (statement + text[end:]).split("\n")


def _options_changed(text: str, start: int, factor: Factor) -> tuple[str, set[str]]:
    done: set[str] = set()
    parts, at = [text[:start]], start
    for option in OPTION.finditer(_masked(text), start):
        word = option[1].lower()
        times = factor.speed if word in SPEEDS else factor.acceleration
        done.add(word)
        stop = _end_of_value(text, option.end())
        value = text[option.end() : stop]
        parts.append(text[at : option.end()] + (value if times == 1.0 else _times(value, times)))
        at = stop
    return "".join([*parts, text[at:]]), done


def _times(value: str, factor: float) -> str:
    """
    >>> _times("1000", 0.62), _times("v / 2", 0.5)
    ('620', '(v / 2) * 0.5')
    """
    if NUMBER.fullmatch(value.strip()):
        return rounded_down(float(value) * factor)
    return f"({value.strip()}) * {factor:g}"


def _end_of_value(text: str, start: int) -> int:
    """Where an option's value ends: a number, or what stands in balanced brackets up to a blank."""
    if number := NUMBER.match(text, start):
        return number.end()
    depth = 0
    for k in range(start, len(text)):
        depth += (text[k] in "([") - (text[k] in ")]")
        inside = text[start:k].rstrip()[-1:] in "+-*/(" or text[k:].lstrip()[:1] in "+-*/"
        if depth == 0 and text[k].isspace() and not inside:
            return k
    return len(text)


def _masked(text: str) -> str:
    """A text with its quotes and comments blanked out.

    >>> _masked('act_rob="speed=1"; { acc=2 }')
    'act_rob=         ;          '
    """
    return QUOTED.sub(lambda found: " " * len(found[0]), text)
