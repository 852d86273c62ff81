"""Which of our arms can do which of our programs."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from torsor.arm import Arm
from torsor.programs import Program
from torsor.simulation.plotting import FAINT
from torsor.study.answer import StudyAnswer
from torsor.study.check_base import CheckBase
from torsor.study.definition import Study
from torsor.study.varying import Listed

BRIGHT = 0.6  # of a share: its colour asks for dark letters


def program_table(
    programs: Sequence[str | os.PathLike[str] | Program],
    robots: Sequence[str | os.PathLike[str] | Arm],
    *,
    on: str | None = None,
    workers: int | None = None,
    progress: Any = None,
    **settings: Any,
) -> StudyAnswer:
    """Each program on each arm: how long it takes where it is feasible, and what stands in the way where not.

    ``settings`` are those of `CheckBase.of`.
    """
    base = CheckBase.of(programs, robots, **settings)
    vary = {"program": Listed(tuple(base.programs)), "robot": Listed(tuple(base.arms))}
    study = Study(base, vary, outputs=("feasible", "time", "torque"), name="programs and arms", chunk=1)
    result = study.run(on=on, workers=workers, progress=progress)
    feasible, time = result.folded("feasible"), result.folded("time")
    failed = np.reshape([result.failures.get(run, "") for run in range(result.runs)], feasible.shape)
    rows, notes = [], []
    for i, name in enumerate(base.programs):
        cells = []
        for j, arm in enumerate(base.arms):
            if failed[i, j]:
                cells.append("cannot be told")
                notes.append(f"{name} on {arm}: {failed[i, j]}")
            else:
                cells.append(f"{time[i, j]:.2f} s" if feasible[i, j] else "no")
                if not feasible[i, j]:
                    verdict = base.verdict({"program": name, "robot": arm})
                    notes.append(f"{name} on {arm}: {verdict.problems[0].text} (line {verdict.problems[0].place.line})")
        rows.append((name, *cells))
    doing = {arm: int((feasible[:, j] == 1.0).sum()) for j, arm in enumerate(base.arms)}
    most = max(doing.values())
    best = [arm for arm, count in doing.items() if count == most]
    all_ = "all" if most == len(base.programs) else f"{most} of"
    who = f"{', '.join(best)} can do {all_} {len(base.programs)} programs"
    sentence = who if most else f"none of {len(doing)} arms can do any of {len(base.programs)} programs"
    found = {"feasible": {arm: (feasible[:, j] == 1.0).tolist() for j, arm in enumerate(base.arms)}}

    def draw(axes: Any) -> None:
        shares = np.ma.array(np.nan_to_num(result.folded("torque")), mask=feasible != 1.0)
        axes.set_title("how long each program takes on each arm; grey: it cannot", loc="left", fontweight="bold")
        axes.set_facecolor(FAINT)
        drawn = axes.imshow(
            shares, cmap="viridis", vmin=0.0, vmax=max(1.0, float(shares.max() if shares.count() else 1))
        )
        axes.set_xticks(np.arange(len(base.arms)), list(base.arms), rotation=30)
        axes.set_yticks(np.arange(len(base.programs)), list(base.programs))
        for i in range(len(base.programs)):
            for j in range(len(base.arms)):
                dark = feasible[i, j] != 1.0 or shares[i, j] > BRIGHT
                colour = "black" if dark else "white"
                axes.text(j, i, rows[i][j + 1], ha="center", va="center", color=colour, fontsize=8)
        axes.set_aspect("auto")
        axes.figure.colorbar(drawn, ax=axes, label="largest share of a motor's torque")

    titles = ["program", *base.arms]
    return StudyAnswer("table", sentence, titles, rows, found, draw, yes=most > 0, notes=tuple(notes), result=result)
