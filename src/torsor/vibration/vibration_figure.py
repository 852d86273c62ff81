"""A vibration as a figure: how far the tool is off, before and after shaping, frequencies, and the moves beneath."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from torsor.report.notebook_looks import drawn
from torsor.simulation.plotting import COLOURS, FAINT, INK, draw_panel, require_drawable, save_figure
from torsor.vibration.vibration import Vibration

MODES = 6
LEAST = 0.05  # of the tolerance, from which on deviations are drawn
LATE, FINE, BEFORE = "#F6D9C6", "#D5E5F0", "#9AA3AD"


def plotted(found: Vibration, path: str | os.PathLike[str] | None) -> Any:
    file = None if path is None else os.fspath(path)
    require_drawable(file)
    from matplotlib import rc_context

    with rc_context({"font.size": 9, "svg.fonttype": "none"}):
        figure = drawn(figsize=(9.0, 5.6), dpi=150, layout="constrained")
        deviation, frequencies, moves = figure.subplots(3, 1, sharex=True, height_ratios=[1.0, 0.8, 0.09])
        _deviation(deviation, found)
        _frequencies(frequencies, found)
        _moves(moves, found)
        deviation.set_title(_title(found), loc="left", fontweight="bold", color=INK, fontsize=11, pad=22)
        about = f"{found.program} · fidelity {found.fidelity} · tolerance {1e3 * found.tolerance:g} mm"
        deviation.text(0.0, 1.03, about, transform=deviation.transAxes, color="#666666", fontsize=8)
        ends = [each.time[-1] for each in (found, found.before) if each is not None]
        moves.set_xlim(0.0, float(max(ends)))
        figure.align_ylabels([deviation, frequencies])
        save_figure(figure, file)
    return figure


def _title(found: Vibration) -> str:
    said = "settles after every stop" if found.settled else "does not settle after every stop"
    return f"{found.arm.name} {said}" + ("" if found.shape is None else f", shaped by {found.shape}")


def _deviation(axes: Any, found: Vibration) -> None:
    """On a logarithmic scale, on which what dies down evenly is straight."""
    tolerance, least = 1e3 * found.tolerance, 1e3 * LEAST * found.tolerance
    runs = [(found, "the tool" if found.shape is None else f"shaped by {found.shape}", COLOURS[0], 1.4)]
    if found.before is not None:
        runs.insert(0, (found.before, "as written", BEFORE, 1.0))
    draw_panel(axes, found.time, np.zeros((len(found.time), 0)), (), "tool off [mm]")
    highest = tolerance
    for each, label, colour, width in runs:
        off = 1e3 * each.swing.deviation
        highest = max(highest, float(off.max()))
        axes.plot(each.time, np.maximum(off, 0.5 * least), label=label, color=colour, linewidth=width, zorder=2)
    axes.set_yscale("log")
    axes.minorticks_off()
    axes.set_ylim(least, 1.5 * highest)
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axes.axhspan(tolerance, 10.0 * highest, color="#D55E00", alpha=0.06, linewidth=0, zorder=0)
    axes.axhline(tolerance, color=INK, linewidth=0.9, linestyle=(0, (5, 4)), zorder=3)
    behind = {"facecolor": "white", "alpha": 0.8, "linewidth": 0, "pad": 1}
    axes.annotate(
        "tolerance", (0.0, tolerance), xycoords=("axes fraction", "data"), xytext=(4, -3), va="top", fontsize=7.5,
        textcoords="offset points", color=INK, zorder=4, bbox=behind,
    )  # fmt: skip
    if len(runs) > 1:
        axes.legend(loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=2, frameon=False, fontsize=8, handlelength=1.4)


def _frequencies(axes: Any, found: Vibration) -> None:
    modes = found.frequencies[:, :MODES]
    names = tuple(f"mode {k + 1}" for k in range(modes.shape[1]))
    draw_panel(axes, found.looks, modes, names, "frequency [Hz]")
    axes.set_ylim(bottom=0.0)
    axes.legend(loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=MODES, frameon=False, fontsize=8, handlelength=1.2)


def _moves(axes: Any, found: Vibration) -> None:
    """A bar for each move with its line; those after which it does not settle in another colour."""
    late = {(stop.place.line, stop.end) for stop in found.stops if not stop.is_settled}
    end = float(found.time[-1])
    for move, _ in found.moves:
        is_late = (move.place.line, move.end) in late
        axes.axvspan(move.start, move.end, color=LATE if is_late else FINE, linewidth=0)
        axes.axvline(move.end, color="white", linewidth=1.2)
        if move.end - move.start > 0.025 * end:
            middle, ink = 0.5 * (move.start + move.end), "#A34700" if is_late else "#4A5560"
            axes.text(
                middle, 0.48, f"{move.place.line}", ha="center", va="center", fontsize=7.5, color=ink, clip_on=True
            )
    axes.set_ylim(0.0, 1.0)
    axes.set_yticks([])
    axes.set_ylabel("line", color=INK, rotation=0, ha="right", va="center", fontsize=8)
    axes.set_xlabel("time [s]", color=INK)
    axes.tick_params(length=0, colors=INK, labelsize=8)
    for side in ("top", "right", "left", "bottom"):
        axes.spines[side].set_color(FAINT)
        axes.spines[side].set_visible(False)
