"""How fast a program may be run with each payload: speeds times s, accelerations times s^2, the same paths sooner."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

import numpy as np

from torsor.arm import Arm
from torsor.errors import StudyError
from torsor.model.transforms import Floats
from torsor.programs import Program
from torsor.study.answer import StudyAnswer
from torsor.study.changes import PAYLOAD
from torsor.study.check_base import CheckBase
from torsor.study.shown.study_figures import curves

SLOWEST, FASTEST, STEPS = 0.25, 4.0, 17  # of the pace of the program
ROUNDS, PARTS = 2, 4  # of dividing what was found: to 2 % of the pace at least


def fastest(
    program: str | os.PathLike[str] | Program,
    robot: str | os.PathLike[str] | Arm,
    payloads: Iterable[float] = (0.0,),
    **settings: Any,
) -> StudyAnswer:
    """The largest factor s on the pace of a program with which it is feasible, for each payload.

    All paces below it that were looked at are feasible too. ``settings`` are those of `CheckBase.of`.
    """
    base = CheckBase.of(program, robot, **settings)
    masses = np.array(sorted(set(map(float, payloads))))
    if not len(masses):
        raise StudyError("there are no payloads", hint="one or more, in kg")
    (arm,), (name,) = base.arms, base.programs
    seen: dict[float, tuple[Floats, Floats]] = {}  # by pace: feasible and time of each payload

    def look(pace: float) -> tuple[Floats, Floats]:
        if pace not in seen:
            count = len(masses)
            inputs = {"speed": np.full(count, pace), "acceleration": np.full(count, pace * pace), PAYLOAD: masses}
            found = base.evaluate(inputs, ("feasible", "time"))
            if found.failures:
                raise StudyError(next(iter(found.failures.values())))
            seen[pace] = found.values["feasible"], found.values["time"]
        return seen[pace]

    paces = SLOWEST * (FASTEST / SLOWEST) ** (np.arange(STEPS) / (STEPS - 1))
    best: list[float | None] = []
    for k in range(len(masses)):
        low, high = _edge([float(pace) for pace in paces], lambda pace, k=k: bool(look(pace)[0][k]))
        for _ in range(ROUNDS if low is not None and high is not None else 0):
            assert low is not None and high is not None  # noqa: PT018  one of them says nothing alone
            between = [low + (high - low) * part / PARTS for part in range(PARTS + 1)]
            low, high = _edge(between, lambda pace, k=k: bool(look(pace)[0][k]))
        best.append(low)
    rows = [
        (
            float(mass),
            "-" if pace is None else round(pace, 4),
            "-" if pace is None else round(float(look(pace)[1][k]), 3),
        )
        for k, (mass, pace) in enumerate(zip(masses, best, strict=True))
    ]
    found = {"payloads": masses.tolist(), "pace": best}
    if best[0] is None:
        sentence = f"{arm} cannot do {name} with {masses[0]:g} kg, even at {SLOWEST:g} times its pace"
    else:
        ends = [
            f"{pace:.3g} times with {mass:g} kg" for mass, pace in zip(masses, best, strict=True) if pace is not None
        ]
        more = f" to {ends[-1]}" if len(ends) > 1 else ""
        sentence = f"{arm} can do {name} at {ends[0]}{more} as fast as it is written"
    drawn = np.array([np.nan if pace is None else pace for pace in best])
    picture = curves(masses, {"pace": drawn}, f"{name} on {arm}", ("payload, kg", "times as fast"))
    titles = ["payload kg", "times as fast", "takes s"]
    notes = base.own_payloads() if masses.any() else []
    notes += [f"no more than {FASTEST:g} times was looked at"] if FASTEST in best else []
    done = any(pace is not None for pace in best)
    return StudyAnswer("fastest", sentence, titles, rows, found, picture, yes=done, notes=tuple(notes))


def _edge(paces: list[float], good: Any) -> tuple[float | None, float | None]:
    """The last pace up to which all are good, and the first that is not."""
    low = None
    for pace in paces:
        if not good(pace):
            return low, pace
        low = pace
    return low, None
