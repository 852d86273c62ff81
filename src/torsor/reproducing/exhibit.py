"""A work, and what is shown of it: a figure or a table of its text, made anew, beside what is printed there."""

from __future__ import annotations

import base64
import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from torsor.model.transforms import Floats
from torsor.report.markup import Column, Html, element, table

DPI = 90  # of pictures on the page
STYLES: dict[str, dict[str, Any]] = {
    "wide": {"linewidth": 3.5, "alpha": 0.45, "linestyle": "-"},
    "limit": {"color": "#999999", "linewidth": 0.8, "linestyle": "--"},
}


@dataclass(frozen=True)
class Outcome:
    """What came out: tables and pictures, and where it differs from the print and why."""

    content: tuple[Html, ...]
    differs: str = ""  # nothing to tell where empty


@dataclass(frozen=True)
class Exhibit:
    """One figure, table or statement of a text."""

    number: str  # as the text has it: "Figures 6.3, 6.4"
    what: str  # in our words
    printed: str  # what the print says of it, in our words and its numbers
    command: str  # that makes it
    make: Callable[[], Outcome]


@dataclass(frozen=True)
class PublishedWork:
    name: str
    title: str
    source: str
    exhibits: tuple[Exhibit, ...]
    lost: tuple[str, ...] = ()  # what nobody can reproduce, and why


def rows(titles: Sequence[str], lines: Sequence[Sequence[object]]) -> Html:
    """A table; the first column is text."""
    return table([Column(title, number=k > 0) for k, title in enumerate(titles)], [list(line) for line in lines])


def image(figure: Any, alt: str) -> Html:
    """A matplotlib figure inside the page."""
    drawn = io.BytesIO()
    figure.savefig(drawn, format="png", dpi=DPI)
    coded = base64.b64encode(drawn.getvalue()).decode("ascii")
    return element("img", src=f"data:image/png;base64,{coded}", alt=alt, class_="figure")


def curves(panels: Sequence[tuple[str, Floats, Sequence[tuple[str, Floats, Any]]]], wide: int = 3) -> Any:
    """Panels of curves over time: each a title, times, and (label, values (times,), style) of its curves.

    Beside matplotlib's styles there is "wide", of a curve that others are drawn over, and "limit".
    """
    from matplotlib.figure import Figure

    from torsor.simulation.plotting import COLOURS, INK, require_drawable

    require_drawable(None)
    lines = -(-len(panels) // wide)
    figure = Figure(figsize=(3.7 * wide, 2.0 * lines + 0.3), layout="constrained")
    grid = np.asarray(figure.subplots(lines, wide, squeeze=False, sharex=True)).ravel()
    told: set[str] = set()  # names that a legend before has
    for axes, (title, time, drawn) in zip(grid, panels, strict=False):
        for k, (label, values, style) in enumerate(drawn):
            look = {"color": COLOURS[k % len(COLOURS)], "linewidth": 1.2, "markersize": 2.5} | STYLES.get(style, {})
            axes.plot(time, values, *([] if style in STYLES else [style]), label=label, **look)
        axes.set_title(title, fontsize=8, color=INK)
        axes.tick_params(labelsize=7)
        axes.grid(color="#E6E6E6", linewidth=0.6)
        names = [label for label, *_ in drawn]
        if len(drawn) > 1 and any(name not in told for name in names):
            axes.legend(fontsize=6, frameon=False)
        told.update(names)
    for axes in grid[len(panels) :]:
        axes.set_axis_off()
    for axes in grid[max(0, len(panels) - wide) : len(panels)]:
        axes.set_xlabel("time [s]", fontsize=7)
        axes.tick_params(labelbottom=True)  # also where the row below is not full
    return figure
