"""The largest payload for which a program stays feasible.

Torque is linear in the payload, and what a motor may give is an interval: so is the set of payloads that are feasible.
Its upper end is looked for by dividing, all payloads of a round on one plan, and confirmed by `torsor.check` itself.
"""

from __future__ import annotations

import os
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

GRAM = 1e-3  # kg: how fine the answer is
HEAVIEST = 1e5  # kg
ROUND = 33  # payloads that are looked at together
SHOWN = 41  # in the picture


def payload_limit(
    program: str | os.PathLike[str] | Program, robot: str | os.PathLike[str] | Arm, **settings: Any
) -> StudyAnswer:
    """The largest payload, at the tool point, with which an arm can do a program, to a gram, and who then gives up.

    ``settings`` are those of `CheckBase.of`, which are as for `torsor.check`.

    >>> print(payload_limit("examples/programs/rl15_tour.irl", "rl15").sentence)
    rl15 can do rl15_tour with up to 43.716 kg at its tool point; then motor3 gives all its torque (line 39)
    """
    base = CheckBase.of(program, robot, **settings)
    (arm,), (name,) = base.arms, base.programs
    nominal = base.verdict({PAYLOAD: 0.0})
    if not nominal.known.torque:
        raise StudyError(f"no limits of torque of {arm!r} are known", hint="without them it could lift anything")

    def feasible(masses: Floats) -> Any:
        found = base.evaluate({PAYLOAD: masses}, ("feasible",))
        if found.failures:
            raise StudyError(next(iter(found.failures.values())))
        return found.values["feasible"] > 0.5

    scan = np.concatenate([[0.0], 2.0 ** np.arange(-4, np.log2(HEAVIEST) + 1)])
    good = np.flatnonzero(feasible(scan))
    if not len(good):
        worst = nominal.problems[0].text if nominal.problems else "no payload does"
        text = f"{arm} cannot do {name} with any payload: {worst}"
        return StudyAnswer("payload", text, ["payload kg", "feasible"], [(0.0, "no")], {"limit": None}, yes=False)
    if good[-1] == len(scan) - 1 and (said := base.own_payloads()):
        raise StudyError(said[0], hint="leave that out of the program to ask for the largest payload")
    if good[-1] == len(scan) - 1:
        raise StudyError(f"{arm!r} lifts more than {HEAVIEST:g} kg", hint="are its limits right?")
    low, high = float(scan[good[-1]]), float(scan[good[-1] + 1])
    many = ROUND if base.together((PAYLOAD,)) else 3
    while high - low > GRAM:
        masses = np.linspace(low, high, many)
        inside = np.flatnonzero(feasible(masses))
        low, high = float(masses[inside[-1]]), float(masses[inside[-1] + 1])
    limit = np.floor(low / GRAM) * GRAM
    verdict = base.verdict({PAYLOAD: limit})
    if not verdict.feasible:  # a gram below what was found to hold
        limit -= GRAM
        verdict = base.verdict({PAYLOAD: limit})
    limit = round(limit, 3)
    return _told(base, arm, name, limit, float(scan[good[0]]))


def _told(base: CheckBase, arm: str, name: str, limit: float, least: float) -> StudyAnswer:
    shown = np.linspace(0.0, 1.25 * max(limit, GRAM), SHOWN)
    outputs = ("torque", "line", *(each for each in base.outputs if each.startswith("torque.")))
    found = base.evaluate({PAYLOAD: np.append(shown, limit)}, outputs).values
    motors = [each.removeprefix("torque.") for each in outputs[2:]]
    shares = np.column_stack([found[f"torque.{motor}"] for motor in motors])
    at = np.linspace(0.0, limit, 5)
    table = base.evaluate({PAYLOAD: at}, outputs).values
    worst = np.column_stack([table[f"torque.{motor}"] for motor in motors]).argmax(axis=1)
    rows = [
        (float(mass), float(table["torque"][k]), motors[worst[k]], int(table["line"][k])) for k, mass in enumerate(at)
    ]
    who, line = motors[int(shares[-1].argmax())], int(found["line"][-1])
    reason = f"then {who} gives all its torque (line {line})"
    if shares[-1].max() < 0.999:
        above = base.verdict({PAYLOAD: limit + 2.0 * GRAM}).problems
        reason = f"beyond that {above[0].text} (line {above[0].place.line})" if above else "beyond that it cannot"
    also = f", {least:g} kg at least" if least > 0.0 else ""
    return StudyAnswer(
        "payload",
        f"{arm} can do {name} with up to {limit:.3f} kg at its tool point{also}; {reason}",
        ["payload kg", "share of torque", "motor", "line"],
        rows,
        {"limit": limit, "motor": who, "line": line},
        curves(
            shown, {motor: shares[:-1, k] for k, motor in enumerate(motors)}, f"{name} on {arm}",
            ("payload, kg", "share of a motor's torque"), marks=(1.0,),
        ),
        notes=tuple(base.own_payloads()),
    )  # fmt: skip
