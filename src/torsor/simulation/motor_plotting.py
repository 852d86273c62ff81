"""The motors of a run as a figure: a column for each, rows of current, torque, angle and speed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from torsor.model.transforms import Floats
from torsor.simulation.outcome import Run
from torsor.simulation.plotting import COLOURS, INK, draw_panel, require_drawable, save_figure

WIDEST = 8  # columns beside each other


def plotted_motors(run: Run, path: str | Path | None, title: str | None) -> Any:
    require_drawable(path)
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    slides = run.is_direct and any(
        link.joint.kind == "prismatic" for link in run.arm.model.links_on(run.arm.joint_names)
    )
    rows: list[tuple[str, Floats]] = [] if run.currents is None else [("current [A]", run.currents)]
    rows.append(("force or torque [N, N m]" if slides else "torque [N m]", run.tau))
    rows.append(("position [m, rad]" if slides else "angle [rad]", run.angles))
    rows.append(("speed [m/s, rad/s]" if slides else "speed [rad/s]", run.rates))
    many = len(run.motors)
    with rc_context({"font.size": 8, "svg.fonttype": "none"}):
        width, height = 1.2 + 2.1 * min(many, WIDEST), 0.9 + 1.5 * len(rows)
        figure = Figure(figsize=(width, height), dpi=150, layout="constrained")
        grid = np.reshape(np.asarray(figure.subplots(len(rows), many, sharex=True, squeeze=False)), (len(rows), many))
        for (label, values), line in zip(rows, grid, strict=True):
            for k, axes in enumerate(line):
                draw_panel(axes, run.time, values[:, k : k + 1], ("",), label if k == 0 else "")
                axes.lines[0].set_color(COLOURS[k % len(COLOURS)])
        for name, axes in zip(run.motors, grid[0], strict=True):
            axes.set_title(name, color=INK, fontsize=9)
        for axes in grid[-1]:
            axes.set_xlabel("time [s]", color=INK)
        figure.suptitle(title or run.arm.name, color=INK, fontweight="bold", fontsize=11, x=0.01, ha="left")
        figure.align_ylabels(list(grid[:, 0]))
        save_figure(figure, path)
    return figure
