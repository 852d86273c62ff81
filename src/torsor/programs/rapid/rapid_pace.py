"""How RAPID writes pace: speeddata of the move, and AccSet around it."""

from __future__ import annotations

import re

from torsor.errors import Unsupported
from torsor.motion.commands import Move
from torsor.programs.pace import Factor
from torsor.programs.rapid.rapid_clauses import blanked
from torsor.programs.rapid.rapid_data import CONSTANTS
from torsor.programs.rapid.rapid_words import MOVES
from torsor.programs.rewriting import rounded_down
from torsor.programs.written_arguments import over, spans, times

_WORD = re.compile(r"[^\W\d]\w*")
_OPTION = re.compile(r"\\\s*(?P<name>[VT])\s*:=\s*(?P<value>[^,;\\]+)", re.IGNORECASE)
_RAMP = re.compile(r"\bAccSet\s+(?P<share>[^,;]+),\s*(?P<ramp>\d+(?:\.\d*)?)\s*[\\;]", re.IGNORECASE)
LEAST = 20.0  # percent: AccSet knows no less


def repace(lines: list[str], move: Move, factor: Factor) -> None:
    """``v1000`` becomes ``[620,310,5000,1000]``; AccSet stands before the move, and as it was behind it."""
    first, column = move.place.line - 1, move.place.column - 1
    last = first + 1
    while ";" not in blanked("\n".join(lines[first:last]))[column:] and last < len(lines):
        last += 1
    text = "\n".join(lines[first:last])
    bare = blanked(text)
    end = bare.find(";", column)
    word = _WORD.match(bare, column)
    if end < 0 or word is None:
        raise Unsupported(
            "this move cannot be rewritten", hint="slow it down by hand", file=move.place.file, line=move.place.line
        )
    if factor.speed != 1.0:
        place = MOVES[word[0].lower()].operands.index("speeddata")
        text, end = _slower(text, bare, word.end(), end, place, factor.speed, 1000.0 * (move.pace.speed or 0.0))
    before, behind = [], []
    if factor.acceleration != 1.0:
        blank = text[: len(text) - len(text.lstrip())]
        old = 100.0 * (1.0 if move.pace.acceleration_share is None else move.pace.acceleration_share)
        new = rounded_down(max(old * factor.acceleration, LEAST))
        ramp = _ramp(lines, first, f"{old:.6g}")
        before, behind = [f"{blank}AccSet {new},{ramp};"], [f"{blank}AccSet {old:.6g},{ramp};"]
    lines[first:last] = [*before, *text.split("\n"), *behind]


def _ramp(lines: list[str], first: int, share: str) -> str:
    """The ramp of the AccSet that holds, so that it stays: nothing here is planned by it.

    That is the last one above; a routine below may have been called before, if it is one of the share that holds.
    """
    above, below = (
        [found for line in part if (found := _RAMP.search(blanked(line))) is not None]
        for part in (reversed(lines[:first]), lines[first:])
    )
    same = [found for found in [*above, *below] if found["share"].strip() == share]
    return next((found["ramp"] for found in [*same, *above]), "100")


def _slower(text: str, bare: str, begin: int, end: int, place: int, factor: float, now: float) -> tuple[str, int]:
    """The text with the speed of that place times a factor; ``now`` is what it asks for, mm/s."""
    operands = _operands(bare, begin, end)
    if place >= len(operands):
        return text, end
    a, b = operands[place]
    option = _OPTION.search(bare, a, b)
    speed_end = bare.find("\\", a, b)
    speed_end = b if speed_end < 0 else len(bare[a:speed_end].rstrip(", ")) + a
    written = text[a:speed_end]
    behind = text[speed_end:b]
    if "(" in written and not written.lstrip().startswith("["):  # of what a function gives no part can be named
        changed = written if option is not None else f"{written}\\V:={rounded_down(now * factor)}"
    else:
        changed = _speed(written, factor)
    if option is not None:
        value = option["value"]
        new = times(value, factor) if option["name"].upper() == "V" else over(value, factor)
        behind = text[speed_end : option.start("value")] + new + text[option.end("value") : b]
        if option["name"].upper() == "T":
            changed = written
    made = text[:a] + changed + behind + text[b:]
    return made, end + len(made) - len(text)


def _operands(bare: str, begin: int, end: int) -> list[tuple[int, int]]:
    """Where operands lie, each with its options, which may have a comma before them.

    >>> text = "p1, v100, \\\\T:=2, fine, tool0"
    >>> [text[slice(*each)] for each in _operands(text, 0, len(text))]
    ['p1', ' v100, \\\\T:=2', ' fine', ' tool0']
    """
    found: list[tuple[int, int]] = []
    for a, b in spans(bare, begin, end):
        if not bare[a:b].lstrip().startswith("\\"):
            found.append((a, b))
        elif found:
            found[-1] = (found[-1][0], b)
    return found


def _speed(written: str, factor: float) -> str:
    """
    >>> _speed(" v500", 0.5), _speed("[100,50,5000,1000]", 0.5), _speed(" vMine", 0.5)
    (' [250,250,5000,1000]', '[50,25,5000,1000]', ' [vMine.v_tcp*0.5,vMine.v_ori*0.5,vMine.v_leax,vMine.v_reax]')
    """
    bare = written.strip()
    before = written[: len(written) - len(written.lstrip())]
    known = CONSTANTS.get(bare.lower())
    if isinstance(known, dict):
        tcp, turn, *rest = (float(value) for value in known.values())  # type: ignore[arg-type]
        listed = [rounded_down(tcp * factor), rounded_down(turn * factor), *(f"{value:g}" for value in rest)]
    elif bare.startswith("["):
        inside = [bare[slice(*each)] for each in spans(bare, 1, len(bare) - 1)]
        listed = [times(each, factor) if k < 2 else each for k, each in enumerate(inside)]
    else:
        listed = [f"{bare}.v_tcp*{factor:.6g}", f"{bare}.v_ori*{factor:.6g}", f"{bare}.v_leax", f"{bare}.v_reax"]
    return f"{before}[{','.join(listed)}]"
