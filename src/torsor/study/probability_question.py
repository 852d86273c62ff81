"""How likely a program is feasible, where masses, friction and motors are only known within tolerances."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from torsor.arm import Arm
from torsor.programs import Program
from torsor.study.answer import StudyAnswer
from torsor.study.changes import FRICTION, MASS, MOTOR
from torsor.study.check_base import CheckBase
from torsor.study.definition import Study
from torsor.study.designs import DesignName
from torsor.study.sensitivity import rank_correlation
from torsor.study.shown.study_figures import tornado
from torsor.study.varying import Normal, Uniform, Variation

# What is assumed where nothing is said: data sheets of links, of gears that wear and warm, of motors.
ASSUMED: Mapping[str, Variation] = {
    MASS: Uniform(0.95, 1.05),
    FRICTION: Normal(1.0, 0.2, least=0.2),
    MOTOR: Uniform(0.95, 1.05),
}
SAMPLES = 10_000


def probability(
    program: str | os.PathLike[str] | Program,
    robot: str | os.PathLike[str] | Arm,
    vary: Mapping[str, Variation] | None = None,
    *,
    samples: int = SAMPLES,
    design: DesignName = "random",
    seed: int = 0,
    on: str | None = None,
    workers: int | None = None,
    folder: str | os.PathLike[str] | None = None,
    resume: bool = False,
    progress: Any = None,
    **settings: Any,
) -> StudyAnswer:
    """The share of arms within tolerances that can do a program, with its interval of 95 %, and what decides it.

    ``vary`` are distributions by name (`Study`); without a word masses and motors within 5 %, friction within 20 % (one
    deviation), which is said. ``settings`` are those of `CheckBase.of`.
    """
    base = CheckBase.of(program, robot, **settings)
    study = Study(base, vary or ASSUMED, samples, design, seed, name="probability")
    result = study.run(folder, on=on, workers=workers, resume=resume, progress=progress)
    summary = result.summary()
    likely = summary.probabilities[0]
    (arm,), (name,) = base.arms, base.programs
    shares = {motor: np.asarray(result[motor]) for motor in result.values if motor.startswith("torque.")}
    rows = [
        (motor.removeprefix("torque."), float(np.nanmean(own)), float(np.nanquantile(own, 0.95)), float(np.nanmax(own)),
         float((own > 1.0).mean()))
        for motor, own in shares.items()
    ]  # fmt: skip
    effects = {each: rank_correlation(np.asarray(result[each]), np.asarray(result["torque"])) for each in result.drawn}
    strongest = max(effects, key=lambda each: abs(np.nan_to_num(effects[each])), default=None)
    decides = f"; {strongest} matters most" if strongest else ""
    share, low, high = (f"{100.0 * value:.4g} %" for value in (likely.share, likely.low, likely.high))
    assumed = "" if vary else ", with tolerances that are assumed"
    sentence = f"{arm} can do {name} in {share} of {likely.count} cases (95 %: {low} to {high}){assumed}{decides}"
    notes = [*(f"{each} varies: {_said(own)}" for each, own in study.vary.items()), *summary.failures]
    if "payload" in study.vary or base.payload is not None:
        notes += base.own_payloads()
    found = {"probability": likely.share, "low": likely.low, "high": likely.high, "runs": likely.count}
    titles = ["motor", "mean share", "95 % below", "largest share", "too much in"]
    return StudyAnswer(
        "probability", sentence, titles, rows, found, tornado(summary, "torque"), yes=likely.yes > 0,
        notes=tuple(notes), result=result,
    )  # fmt: skip


def _said(own: Any) -> str:
    values = ", ".join(f"{word} {value:g}" for word, value in vars(own).items() if isinstance(value, int | float))
    return f"{type(own).__name__.lower()}, {values}"
