"""A run as a figure. matplotlib is imported when one is drawn."""

from __future__ import annotations

import io
import itertools
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from torsor.errors import Unsupported
from torsor.model.files import write_bytes
from torsor.model.transforms import Floats
from torsor.report.notebook_looks import drawn
from torsor.simulation.outcome import Run
from torsor.simulation.torques import name_of

# Okabe and Ito's colours, which people tell apart who see few; the yellow is left out, it is faint on paper.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000", "#7F7F7F")
INK, FAINT = "#333333", "#B0B0B0"
SUFFIXES = (".png", ".svg", ".pdf")
MOST_EVENTS = 12  # that are marked
OVER = ((0, (4, 3)), (0, (1, 2)), (0, (6, 2, 1, 2)))  # broken lines of the runs drawn over another


def plotted(
    run: Run, path: str | Path | None, reference: ArrayLike | None, title: str | None, others: Sequence[Run] = ()
) -> Any:
    require_drawable(path)
    from matplotlib import rc_context

    target = goal_of(run, reference)
    joints = tuple(run.arm.joint_names)
    slides = any(link.joint.kind == "prismatic" for link in run.arm.model.links_on(joints))
    scale, unit, per_second = (1.0, "rad, m", "rad/s, m/s") if slides else (180.0 / np.pi, "°", "°/s")
    panels: list[tuple[str, Floats, tuple[str, ...]]] = [(f"position [{unit}]", scale * run.q, joints)]
    over: list[Callable[[Run], Floats] | None] = [lambda each: scale * each.q]  # the same of other runs
    if target is not None:
        error = scale * (run.q - target)
        # how fast the errors of a step fall is seen on a logarithmic scale, where a line is a decay
        decays = bool((target == target[0]).all() and np.abs(error[-1]).max() < 0.05 * np.abs(error).max())
        error = np.maximum(np.abs(error), 1e-6 * np.abs(error).max()) if decays else error
        panels.append((f"|error| [{unit}]" if decays else f"error [{unit}]", error, joints))
        over.append(None)
    panels.append((f"speed [{per_second}]", scale * run.qd, joints))
    panels.append(("torque [N m]" if run.motors == joints else "motor torque [N m]", run.tau, run.motors))
    over += [lambda each: scale * each.qd, lambda each: each.tau]
    with rc_context({"font.size": 9, "svg.fonttype": "none"}):
        figure = drawn(figsize=(9.0, 2.1 * len(panels) + 0.9), dpi=150, layout="constrained")
        all_axes = figure.subplots(len(panels), 1, sharex=True)
        for k, (axes, (label, lines, names)) in enumerate(zip(all_axes, panels, strict=True)):
            draw_panel(axes, run.time, lines, names, label, pale=bool(others and over[k]))
            for other, style in zip(others, itertools.cycle(OVER), strict=False):
                if (same := over[k]) is not None:
                    draw_over(axes, other.time, same(other), style)
            if k == 0 and target is not None:
                for j, line in enumerate(target.T):
                    axes.plot(run.time, scale * line, color=_colour(j), linewidth=1.0, linestyle=(0, (1, 2)), zorder=1)
            if k == len(panels) - 1:
                _mark_asked(axes, run)
            if label.startswith(("position", "speed")):
                _mark_limits(axes, run, label.split(" ")[0], scale)
            if label.startswith("|"):
                axes.set_yscale("log")
                axes.minorticks_off()
            _mark_saturation(axes, run)
            _mark_events(axes, run, named=k == 0)
            if len(names) != len(joints):  # else the motor of a joint has its colour
                axes.legend(loc="upper right", ncols=min(len(names), 6), frameon=False, fontsize=7)
        first, last = all_axes[0], all_axes[-1]
        handles, labels = first.get_legend_handles_labels()
        figure.legend(
            handles, labels, loc="outside lower center", ncols=min(len(joints), 6), frameon=False, fontsize=8,
            handlelength=1.4, columnspacing=1.6,
        )  # fmt: skip
        first.set_title(title or run.arm.name, loc="left", fontweight="bold", color=INK, fontsize=11, pad=22)
        about = _subtitle(run, target is not None, title, others)
        first.text(0.0, 1.03, about, transform=first.transAxes, color="#666666", fontsize=8)
        last.set_xlabel("time [s]", color=INK)
        last.set_xlim(run.time[0], run.time[-1] if len(run.time) > 1 else run.time[0] + 1.0)
        figure.align_ylabels(list(all_axes))
        save_figure(figure, path)
    return figure


def goal_of(run: Run, reference: ArrayLike | None) -> Floats | None:
    """Where joints should be (times, n): as it is given, else what the law follows, where that is of joints."""
    if reference is not None:
        return np.broadcast_to(np.asarray(reference, dtype=np.float64), run.q.shape)
    follows = getattr(type(run.law), "follows", None)
    if follows is None or follows() != "joints":
        return None
    goal = np.asarray(run.law.followed.at(run.time)[0])
    return None if goal.dtype == object else np.broadcast_to(goal, run.q.shape)  # a stream is known while it runs


def require_drawable(path: str | Path | None) -> None:
    """Refuses a figure that could not be drawn, or written to such a file."""
    if find_spec("matplotlib") is None:
        raise Unsupported("a plot needs matplotlib", hint="pip install torsor[plot], or use to_csv")
    if path is not None and Path(path).suffix.lower() not in SUFFIXES:
        raise Unsupported(f"cannot draw to {path}", hint="give a path that ends in .png, .svg or .pdf")


def save_figure(figure: Any, path: str | Path | None) -> None:
    if path is not None:
        drawn = io.BytesIO()
        figure.savefig(drawn, format=Path(path).suffix[1:].lower())
        write_bytes(path, drawn.getvalue())


def draw_over(axes: Any, time: Floats, lines: Floats, style: Any) -> None:
    """Lines of another run: thin, dark and broken, so that those below show."""
    for line in lines.T:
        axes.plot(time, line, color=INK, linewidth=0.8, linestyle=style, zorder=3)


def draw_panel(
    axes: Any, time: Floats, lines: Floats, names: tuple[str, ...], label: str, *, pale: bool = False
) -> None:
    how = {"linewidth": 3.4, "alpha": 0.55} if pale else {"linewidth": 1.4}
    for j, name in enumerate(names):
        axes.plot(time, lines[:, j], label=name, color=_colour(j), solid_capstyle="round", zorder=2, **how)
    axes.set_ylabel(label, color=INK)
    axes.axhline(0.0, color=FAINT, linewidth=0.6, zorder=0)
    axes.grid(color="#E6E6E6", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.margins(x=0.0, y=0.08)
    axes.tick_params(length=0, colors=INK, labelsize=8)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(FAINT)


def _subtitle(run: Run, following: bool, title: str | None, others: Sequence[Run] = ()) -> str:
    stopped = "" if run.stopped is None else f"{run.stopped.reason} at {run.stopped.time:.4g} s"
    dotted = "reference dotted" if following else ""
    names = [each.by or name_of(each.law) for each in (run, *others)]
    compared = f"{names[0]} wide, {', '.join(names[1:])} dashed" if others else run.by and f"by {run.by}"
    parts = run.arm.name if title else "", run.integrator, f"{len(run.time)} states", compared, dotted, stopped
    return " · ".join(part for part in parts if part)


def _mark_saturation(axes: Any, run: Run) -> None:
    """Shades when a motor did not give what was asked."""
    if len(run.time) < 2 or not run.saturated.any():
        return
    (low, high), inside = axes.get_ylim(), run.saturated.any(axis=1)
    axes.fill_between(run.time, low, high, where=inside, color="#D55E00", alpha=0.08, linewidth=0, zorder=0)
    axes.set_ylim(low, high)


def _mark_asked(axes: Any, run: Run) -> None:
    """Torques that were asked for where motors gave less, dotted."""
    for j in np.flatnonzero(run.saturated.any(axis=0)).tolist() if len(run.time) > 1 else ():
        axes.plot(run.time, run.asked[:, j], color=_colour(j), linewidth=0.9, linestyle=(0, (1, 1.5)), zorder=1)


def _mark_limits(axes: Any, run: Run, what: str, scale: float) -> None:
    """Limits of joints that come near: dashed, in the colour of their joint. Far ones would only flatten the curves."""
    low, high = axes.get_ylim()
    room = 0.25 * (high - low)
    for j, link in enumerate(run.arm.model.links_on(run.arm.joint_names)):
        limits = link.joint.limits
        ends = (
            limits.position if what == "position" else (None if limits.speed is None else (-limits.speed, limits.speed))
        )
        for end in ends or ():
            if low - room <= scale * end <= high + room:
                axes.axhline(scale * end, color=_colour(j), linewidth=0.8, linestyle=(0, (6, 3)), zorder=1)


def _mark_events(axes: Any, run: Run, *, named: bool) -> None:
    for event in run.events[:MOST_EVENTS]:
        axes.axvline(event.time, color=INK, linewidth=0.8, linestyle=(0, (4, 3)), zorder=1)
        if named:
            axes.annotate(
                event.name, (event.time, 0.97), xycoords=("data", "axes fraction"), xytext=(3, 0), fontsize=7,
                textcoords="offset points", va="top", color=INK,
            )  # fmt: skip


def _colour(j: int) -> str:
    return COLOURS[j % len(COLOURS)]
