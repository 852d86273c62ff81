"""A program with other speeds and accelerations: its text changed where they stand, and nowhere else."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_DOWN, Decimal

from torsor.checking.pacing import Factor
from torsor.checking.tool_pace import ToolPace
from torsor.errors import Unsupported
from torsor.motion.commands import Command, Move

SPEEDS, ACCELERATIONS = ("speed", "speed_ptp", "speed_ori"), ("acc", "acc_ptp")
OPTION = re.compile(r"\b(speed_ptp|speed_ori|speed|acc_ptp|acc)\s*=\s*", re.IGNORECASE)
QUOTED = re.compile(r"\"[^\"]*\"?|'[^']*'?|\{[^}]*\}?")  # texts and comments
LABELLED = re.compile(r"(\s*)([0-9]+\.?\s+)?(.*)", re.DOTALL)
GOTO = re.compile(r"\bGOTO\b", re.IGNORECASE)
NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?=[\s;,}]|$)")


@dataclass(frozen=True)
class Rewritten:
    """The new text, and how it differs from the old one."""

    file: str
    before: str
    text: str

    @property
    def diff(self) -> str:
        """As ``diff -u`` shows it, without surroundings."""
        old, new = self.before.splitlines(), self.text.splitlines()
        lines = difflib.unified_diff(old, new, self.file, self.file, lineterm="", n=0)
        return "".join(f"{line}\n" for line in lines)


def rewrite(
    file: str,
    text: str,
    language: str,
    commands: Sequence[Command],
    factors: Mapping[int, Factor],
    paces: Mapping[int, ToolPace] = {},
) -> Rewritten:
    """The program with factors on the pace of its lines; ``commands`` are those of the lines, as they were.

    ``paces`` are what comes of the factors for the tool: a line or circle that leaves its pace to the limits of the
    joints gets these numbers.
    """
    moves = {c.place.line: c for c in commands if isinstance(c, Move) and c.place.line in factors}
    lines = text.split("\n")
    if language not in ("VAL II", "L-IRL"):
        raise Unsupported(f"programs of {language!r} cannot be rewritten", hint="VAL II and L-IRL can")
    for line in sorted(moves, reverse=True):  # from the end, so that lines keep their numbers
        if language == "VAL II":
            _val2(lines, moves[line], factors[line])
        else:
            _irl(lines, moves[line], factors[line], paces.get(line))
    return Rewritten(file, text, "\n".join(lines))


# L-IRL: options of the move itself


def _irl(lines: list[str], move: Move, factor: Factor, tool: ToolPace | None) -> None:
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


def rounded_down(value: float) -> str:
    """Four digits, never more than the value.

    >>> rounded_down(471.27), rounded_down(0.33349)
    ('471.2', '0.3334')
    """
    exact = Decimal(value)
    kept = exact.quantize(Decimal(1).scaleb(exact.adjusted() - 3), rounding=ROUND_DOWN)
    return f"{kept:f}".rstrip("0").rstrip(".") if "." in f"{kept:f}" else f"{kept:f}"


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


# VAL II: instructions before and behind the move


def _val2(lines: list[str], move: Move, factor: Factor) -> None:
    """``SPEED`` and ``ACCEL`` for this motion before it, and as they were behind it.

    In a ``.PROGRAM`` a ``SPEED`` without ``ALWAYS`` is for one motion: there is nothing to bring back.
    """
    pace, k = move.pace, move.place.line - 1
    lasts = not any(line.lstrip().upper().startswith(".PROGRAM") for line in lines)
    before, behind = [], []
    if factor.speed != 1.0:
        word, unit = "SPEED", ""
        if pace.duration is not None:
            word, old, new = "DURATION", pace.duration, f"{pace.duration / factor.speed:.6g}"
        else:
            if pace.speed is not None:
                unit, old = " MMPS", 1e3 * pace.speed
            else:
                old = 100.0 * (1.0 if pace.share is None else pace.share)
            new = rounded_down(old * factor.speed)
        before.append(f"{word} {new}{unit}")
        if lasts:
            behind.append(f"{word} {old:.6g}{unit}")
    if factor.acceleration != 1.0:
        old = 100.0 * (1.0 if pace.acceleration_share is None else pace.acceleration_share)
        new = rounded_down(old * factor.acceleration)
        before.append(f"ACCEL {new}, {new}")
        behind.append(f"ACCEL {old:.6g}, {old:.6g}")
    blank, label, rest = LABELLED.fullmatch(lines[k]).groups()  # type: ignore[union-attr]
    if label and any(GOTO.search(line) for line in lines):  # whoever jumps here needs the new pace too
        before[0] = f"{label}{before[0]}"
        lines[k] = f"{blank}{rest}"
    lines[k + 1 : k + 1] = [f"{blank}{line}" for line in behind]
    lines[k:k] = [f"{blank}{line}" for line in before]
