"""How AS writes pace: SPEED and ACCEL before a move, which without ALWAYS are for that one alone."""

from __future__ import annotations

import re

from torsor.motion.commands import Move
from torsor.programs.pace import Factor
from torsor.programs.rewriting import rounded_down

_LABELLED = re.compile(r"(\s*)([0-9]+\s+)?(.*)", re.DOTALL)


def repace(lines: list[str], move: Move, factor: Factor) -> None:
    pace, k = move.pace, move.place.line - 1
    before = []
    if factor.speed != 1.0:
        if pace.duration is not None:
            before.append(f"SPEED {pace.duration / factor.speed:.6g} S")
        elif pace.speed is not None:
            before.append(f"SPEED {rounded_down(1e3 * pace.speed * factor.speed)} MM/S")
        else:
            share = 1.0 if pace.share is None else pace.share
            before.append(f"SPEED {rounded_down(100.0 * share * factor.speed)}")
    if factor.acceleration != 1.0:
        share = 1.0 if pace.acceleration_share is None else pace.acceleration_share
        new = rounded_down(100.0 * share * factor.acceleration)
        before += [f"ACCEL {new}", f"DECEL {new}"]
    if not before:
        return
    blank, label, rest = _LABELLED.fullmatch(lines[k]).groups()  # type: ignore[union-attr]
    if label:  # whoever jumps here needs the new pace too
        before[0] = f"{label}{before[0]}"
        lines[k] = f"{blank}{rest}"
    lines[k:k] = [f"{blank}{line}" for line in before]
