"""What differs between two verdicts: how long, how hard, how far off."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from torsor.checking.verdict import Verdict
from torsor.report.two_documents import Difference


def labels_of(first: Verdict, second: Verdict) -> tuple[str, str]:
    """How to call them: by the first thing in which they differ."""
    ways: list[Callable[[Verdict], str]] = [lambda v: v.program, lambda v: v.robot, lambda v: v.file, _held]
    for way in ways:
        if way(first) != way(second):
            return way(first), way(second)
    return "this", "the other"


def _held(verdict: Verdict) -> str:
    payload = verdict.machine.model.payload
    return f"{0.0 if payload is None else payload.mass:g} kg"


def differences_of(first: Verdict, second: Verdict) -> list[Difference]:
    """Sums first, then the motors that both have."""
    pair = (first, second)

    def row(what: str, unit: str, of: Callable[[Verdict], float]) -> Difference:
        one, other = (float(of(verdict)) for verdict in pair)
        return what, unit, one, other

    rows = [
        row("time", "s", lambda v: v.time),
        row("problems", "", lambda v: len(v.problems)),
        row("largest torque", "% of limit", lambda v: 100.0 * v.peak("torque").max(initial=0.0)),
        row("peak power", "W", lambda v: v.peak_power),
        row("energy", "J", lambda v: v.energy),
        row("largest tool speed", "m/s", lambda v: max((m.tool_speed for m in v.moves), default=np.nan)),
        row("furthest off the path", "mm", lambda v: 1e3 * max((m.deviation for m in v.moves), default=np.nan)),
    ]
    for k, name in enumerate(first.motors):
        if name in second.motors:
            there, unit = second.motors.index(name), first.machine.units[k]
            rows.append((f"{name}: peak", unit, float(first.largest[k]), float(second.largest[there])))
            rows.append((f"{name}: RMS", unit, float(first.rms[k]), float(second.rms[there])))
    return rows
