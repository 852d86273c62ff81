"""Where in the plane of two gains a loop is stable, when it settles, and what torque it takes."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from torsor.errors import StudyError
from torsor.scenarios import Scenario
from torsor.study.answer import StudyAnswer
from torsor.study.definition import Study
from torsor.study.shown.study_figures import contours
from torsor.study.simulation_base import SimulationBase
from torsor.study.varying import Grid1D

COUNT, AROUND = 24, 4.0  # values of each gain, from a quarter to four times that of the scenario


def gain_map(
    scenario: str | os.PathLike[str] | Scenario,
    vary: Mapping[str, Grid1D] | None = None,
    *,
    on: str | None = None,
    workers: int | None = None,
    progress: Any = None,
) -> StudyAnswer:
    """A scenario over a grid of two gains: which are good, when they settle, and their peak torque.

    ``vary`` has two grids by name (``Kp``, ``Kd.factor``, ``payload``, ...); without a word factors of the law's first
    two gains, from a quarter to four times.
    """
    base = SimulationBase.of(scenario)
    if vary is None:
        gains = [name for name in base.variable if name.endswith(".factor")][:2]
        if len(gains) < 2:
            hint = f"say what varies: {', '.join(base.variable)}"
            raise StudyError("the law has not two gains that are numbers", hint=hint)
        vary = {name: Grid1D(1.0 / AROUND, AROUND, COUNT, log=True) for name in gains}
    if len(vary) != 2 or not all(isinstance(own, Grid1D) for own in vary.values()):
        raise StudyError(f"a map of gains has two grids, not {len(vary)}", hint="such as Kp=grid:10,100,20")
    outputs = tuple(each for each in ("good", "settling_time", "overshoot", "peak_torque") if each in base.usual)
    study = Study(base, vary, outputs=outputs, name="gains")
    result = study.run(on=on, workers=workers, progress=progress)
    (one, other), good = tuple(vary), result["good"] > 0.5
    measure = "settling_time" if "settling_time" in outputs else "peak_torque"
    values = np.where(good, result[measure], np.nan)
    known = np.flatnonzero(np.isfinite(values))
    order = known[np.argsort(values[known], kind="stable")]
    rows = [
        (
            *(round(float(result[name][k]), 6) for name in (one, other)),
            *(float(result[name][k]) for name in outputs[1:]),
        )
        for k in order[:10]
    ]
    share = f"{int(good.sum())} of {result.runs} pairs of {one} and {other} keep the motion finite and within limits"
    if len(order):
        a, b = (float(result[name][order[0]]) for name in (one, other))
        best = f"{one} = {a:.4g}, {other} = {b:.4g}"
        told = f"; it settles soonest, after {values[order[0]]:.3g} s, with {best}"
        told = told if measure == "settling_time" else f"; it takes the least torque with {best}"
    else:
        told = "; none of them settles" if good.any() else ""
    axes = [np.array(study.axes[name]) for name in (one, other)]
    unit = base.outputs[measure].unit
    size = len(axes[0]), len(axes[1])
    torque = np.where(good, result["peak_torque"], np.nan).reshape(size) if measure != "peak_torque" else None
    title = measure if torque is None else f"{measure}; lines: peak torque, {base.outputs['peak_torque'].unit}"
    labels = one, other, f"{measure}, {unit}"
    picture = contours(axes[0], axes[1], values.reshape(size), title, labels, lines=torque)
    found = {"good": int(good.sum()), "runs": result.runs}
    notes = [*result.summary().failures]
    if len(order):
        ends = [
            name for name, own in zip((one, other), axes, strict=True) if result[name][order[0]] in (own[0], own[-1])
        ]
        notes += [f"the best {name} is at an end of its grid: beyond it may be better" for name in ends]
    titles = [one, other, *outputs[1:]]
    return StudyAnswer(
        "gains", share + told, titles, rows, found, picture, yes=bool(good.any()), notes=tuple(notes), result=result
    )
