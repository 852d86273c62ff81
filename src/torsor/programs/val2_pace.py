"""How VAL II writes pace: as instructions before the move, and behind it as it was."""

from __future__ import annotations

import re

from torsor.motion.commands import Move
from torsor.programs.pace import Factor
from torsor.programs.rewriting import rounded_down

LABELLED = re.compile(r"(\s*)([0-9]+\.?\s+)?(.*)", re.DOTALL)
GOTO = re.compile(r"\bGOTO\b", re.IGNORECASE)


def repace(lines: list[str], move: Move, factor: Factor) -> None:
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
