"""How TP writes pace: a number before its unit in the move itself, and ACC behind it."""

from __future__ import annotations

import re

from torsor.motion.commands import Move
from torsor.programs.pace import Factor
from torsor.programs.rewriting import rounded_down

_SPEED = re.compile(r"(\]\s*)([0-9.]+)(\s*(?:%|mm/se[ck]|cm/min|cm/sec|inch/min|deg/sec|grd/sek))", re.IGNORECASE)
_ACC = re.compile(r"(\bACC\s*)([0-9]+)", re.IGNORECASE)
_TERM = re.compile(r"(\b(?:FINE|FEIN|CNT\s*[0-9]+|C[RD]\s*[0-9]+))", re.IGNORECASE)


def repace(lines: list[str], move: Move, factor: Factor) -> None:
    """The speed is a whole number, or one with a point where it is below 1; the acceleration a share in percent."""
    k = move.place.line - 1
    if factor.speed != 1.0:
        lines[k] = _SPEED.sub(lambda found: f"{found[1]}{_less(float(found[2]) * factor.speed)}{found[3]}", lines[k])
    if factor.acceleration != 1.0:
        if _ACC.search(lines[k]):
            lines[k] = _ACC.sub(
                lambda found: f"{found[1]}{max(int(float(found[2]) * factor.acceleration), 1)}", lines[k]
            )
        else:
            old = 100.0 if move.pace.acceleration_share is None else 100.0 * move.pace.acceleration_share
            share = max(int(old * factor.acceleration), 1)
            lines[k] = _TERM.sub(lambda found: f"{found[1]} ACC{share}", lines[k], count=1)


def _less(speed: float) -> str:
    return str(int(speed)) if speed >= 1.0 else rounded_down(speed)
