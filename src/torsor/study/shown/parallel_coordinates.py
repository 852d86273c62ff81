"""Parallel coordinates: every run of a study a line through its inputs and outputs."""

from __future__ import annotations

from textwrap import wrap
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torsor.simulation.plotting import FAINT, INK
from torsor.study.result import StudyResult
from torsor.study.shown.study_figures import NO, YES, Draws, by_lot, labelled, measured, plain
from torsor.study.summary import YES_OR_NO

MOST_LINES = 2000  # runs
MOST_PANELS, MOST_WORDS = 9, 8  # axes, and names that are said along one
WORDS_WIDE = 15  # letters beneath an axis


def parallel(result: StudyResult, colour_by: str) -> Draws:
    """Every run a line through its inputs and outputs, each from its least to its largest; what is one is left out."""
    columns = {name: np.asarray(result[name]) for name in (*result.inputs, *result.scalars)}
    words = {name: list(dict.fromkeys(own.tolist())) for name, own in columns.items() if own.dtype.kind == "U"}
    for name, known in words.items():
        columns[name] = np.array([known.index(each) for each in columns[name].tolist()], dtype=np.float64)
    spans = {name: _span(own) for name, own in columns.items()}
    varied = [name for name, (least, most) in spans.items() if least < most]
    first = [name for name in varied if name in result.inputs or name == colour_by]
    names = [*first, *(name for name in varied if name not in first)][:MOST_PANELS]
    shown = by_lot(result.runs, MOST_LINES)
    low, high = (np.array([spans[name][side] for name in names]) for side in (0, 1))
    shares = (np.column_stack([columns[name][shown] for name in names]) - low) / (high - low)  # NaN: a gap in the line
    by = shares[:, names.index(colour_by)] if colour_by in names else np.zeros(len(shares))
    some = f"{len(shown)} of {result.runs} runs" if len(shown) < result.runs else f"all {result.runs} runs"
    left = f", {len(names)} of {len(varied)} names" if len(names) < len(varied) else ""

    def draw(axes: Any) -> None:
        from matplotlib import colormaps
        from matplotlib.cm import ScalarMappable
        from matplotlib.collections import LineCollection
        from matplotlib.colors import Normalize, to_rgba, to_rgba_array
        from matplotlib.lines import Line2D

        plain(axes, f"every run a line, coloured by {colour_by} ({some}{left})", "", "")
        place = np.arange(len(names))
        lines = [np.column_stack([place, row]) for row in shares]  # as they come: none of the colours lies on top
        answered = colour_by in YES_OR_NO
        colours = to_rgba_array([YES if share > 0.5 else NO for share in by]) if answered else colormaps["viridis"](by)
        colours[np.isnan(by)] = to_rgba(FAINT)  # of runs that failed
        ink = float(np.clip(250.0 / max(len(lines), 1), 0.2, 0.9))
        axes.add_collection(LineCollection(lines, colors=colours, linewidths=0.7, alpha=ink))
        axes.grid(visible=False)
        for side in ("left", "bottom"):
            axes.spines[side].set_visible(False)
        for k, name in enumerate(names):
            axes.axvline(k, color=INK, linewidth=0.8)
            last = k > 0 and k == len(names) - 1  # beside the last axis there is room to its left only
            for at, text in _ticks(words.get(name), low[k], high[k]):
                axes.annotate(
                    text, (k, at), (-3 if last else 3, 0), textcoords="offset points", va="center", fontsize=8,
                    ha="right" if last else "left", bbox={"facecolor": "white", "alpha": 0.75, "lw": 0, "pad": 1},
                )  # fmt: skip
        axes.set_xlim(-0.1, len(names) - 0.9)
        axes.set_ylim(-0.04, 1.04)
        axes.set_yticks([])
        axes.tick_params(axis="x", length=0)
        axes.set_xticks(
            place, [_below(name, "" if name in words else measured(result, name)) for name in names], fontsize=7
        )
        if answered:
            marks = [Line2D([], [], color=YES, label=colour_by), Line2D([], [], color=NO, label=f"not {colour_by}")]
            axes.legend(handles=marks, frameon=False, fontsize=8, loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=2)
        elif colour_by in names:
            k = names.index(colour_by)
            scale = ScalarMappable(Normalize(low[k], high[k]), "viridis")
            axes.figure.colorbar(scale, ax=axes, label=labelled(colour_by, result.units.get(colour_by, "")))

    return draw


def _span(values: NDArray[Any]) -> tuple[float, float]:
    known = values[np.isfinite(values)]
    return (float(known.min()), float(known.max())) if len(known) else (0.0, 0.0)


def _ticks(words: list[str] | None, low: float, high: float) -> list[tuple[float, str]]:
    """Where something is said beside an axis, and what."""
    if words is not None and len(words) <= MOST_WORDS:
        return [(k / max(len(words) - 1, 1), word) for k, word in enumerate(words)]
    return [(0.0, f"{low:.4g}"), (1.0, f"{high:.4g}")]


def _below(name: str, what: str) -> str:
    """A name, and what it is measured in, in lines that stand below an axis beside others."""
    own = name.replace(".", ".\n").replace("_", "_\n")
    return "\n".join([own, *wrap(what, WORDS_WIDE)])
