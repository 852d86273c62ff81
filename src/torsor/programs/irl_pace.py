"""How L-IRL writes pace: as options of the move itself."""

from __future__ import annotations

import re

from torsor.errors import Unsupported
from torsor.motion.commands import Move
from torsor.programs.pace import Factor, ToolPace
from torsor.programs.rewriting import rounded_down

SPEEDS, ACCELERATIONS = ("speed", "speed_ptp", "speed_ori"), ("acc", "acc_ptp")
OPTION = re.compile(rf"\b({'|'.join((*SPEEDS, *ACCELERATIONS))})\s*=\s*", re.IGNORECASE)
QUOTED = re.compile(r"\"[^\"]*\"?|'[^']*'?|\{[^}]*\}?")  # texts and comments
NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?=[\s;,}]|$)")


def repace(lines: list[str], move: Move, factor: Factor, tool: ToolPace | None) -> None:
    """``speed=760`` becomes ``speed=471.2``; what is computed gets a factor; what is not there is added."""
    joint, pace = move.kind == "joint", move.pace
    if not joint and pace.acceleration is None and tool is not None and pace.speed is not None:
        # the joints' accelerations, of which it was to take a share, held its speed back in bends too
        factor = Factor(min(factor.speed, tool.speed / pace.speed), factor.acceleration)
    first, column = move.place.line - 1, move.place.column - 1
    last = _end_of_statement(lines, first, column)
    done: set[str] = set()
    for k in range(first, last + 1):
        start = column if k == first else 0
        end = _statement_end_in(lines[k], start) if k == last else len(lines[k])
        lines[k], found = _options_changed(lines[k], start, end, factor)
        done |= found
    speed, acceleration = (None, None) if tool is None else (1e3 * tool.speed, 1e3 * tool.acceleration)
    missing: list[tuple[str, float | None]] = []
    if factor != Factor() and not done & set(SPEEDS) and (factor.speed != 1.0 or not joint):
        missing.append(("speed_ptp", factor.speed) if joint else ("speed", speed))
    if factor.acceleration != 1.0 and not done & set(ACCELERATIONS):
        missing.append(("acc_ptp", factor.acceleration) if joint else ("acc", acceleration))
    for option, value in missing:
        if value is None:
            raise Unsupported(
                f"this move has no {option!r} that could be lowered",
                hint=f"give it {option}=..., and check again",
                file=move.place.file,
                line=move.place.line,
                column=move.place.column,
            )
        at = _statement_end_in(lines[last], column if last == first else 0)
        lines[last] = f"{lines[last][:at].rstrip()} {option}={rounded_down(value)}{lines[last][at:]}"


def _options_changed(line: str, start: int, end: int, factor: Factor) -> tuple[str, set[str]]:
    done: set[str] = set()
    parts, at = [line[:start]], start
    for option in OPTION.finditer(_masked(line), start, end):
        word = option[1].lower()
        times = factor.speed if word in SPEEDS else factor.acceleration
        done.add(word)
        stop = _end_of_value(line, option.end(), end)
        value = line[option.end() : stop]
        parts.append(line[at : option.end()] + (value if times == 1.0 else _times(value, times)))
        at = stop
    return "".join([*parts, line[at:]]), done


def _times(value: str, factor: float) -> str:
    """
    >>> _times("1000", 0.62), _times("v / 2", 0.5)
    ('620', '(v / 2) * 0.5')
    """
    if NUMBER.fullmatch(value.strip()):
        return rounded_down(float(value) * factor)
    return f"({value.strip()}) * {factor:g}"


def _end_of_value(line: str, start: int, end: int) -> int:
    """Where an option's value ends: a number, or what stands in balanced brackets up to a blank."""
    if number := NUMBER.match(line, start, end):
        return number.end()
    depth = 0
    for k in range(start, end):
        depth += (line[k] in "([") - (line[k] in ")]")
        rest = line[k:end].lstrip()
        if depth == 0 and line[k] in " \t" and not (rest[:1] in "+-*/" or line[start:k].rstrip()[-1:] in "+-*/("):
            return k
        if line[k] == ";" and depth == 0:
            return k
    return end


def _statement_end_in(line: str, start: int) -> int:
    """Where the ``;`` of a statement stands; the end of the line without one."""
    found = _masked(line).find(";", start)
    return found if found >= 0 else len(line)


def _masked(line: str) -> str:
    """The line with its texts and comments blanked out.

    >>> _masked('act_rob="speed=1"; { acc=2 }')
    'act_rob=         ;          '
    """
    return QUOTED.sub(lambda found: " " * len(found[0]), line)


def _end_of_statement(lines: list[str], first: int, column: int) -> int:
    for k in range(first, len(lines)):
        if _statement_end_in(lines[k], column if k == first else 0) < len(lines[k]):
            return k
    return first
