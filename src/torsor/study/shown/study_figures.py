"""Pictures of studies. matplotlib is imported when one is drawn."""

from __future__ import annotations

import base64
import io
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torsor.model.transforms import Floats
from torsor.simulation.plotting import COLOURS, FAINT, INK, require_drawable
from torsor.study.result import StudyResult
from torsor.study.summary import Summary

BINS = 50
YES, NO = COLOURS[:2]
CLOUD, DOTS = 30_000, 90_000.0  # points, and what they cover together, square points
FEW = 20  # points of a curve that are drawn one by one
LEVELS, SHOWN = 21, (0.02, 0.98)  # of contours: a few cells far outside do not take all colours
SQUARE, SIDEWAYS, UPRIGHT = (6.4, 5.4), (7.5, 4.6), 4.8  # inches

Draws = Callable[[Any], None]  # onto matplotlib's axes


def figure_of(draw: Draws, *, size: tuple[float, float] = SIDEWAYS, space: bool = False) -> Any:
    """A figure with one pair of axes, on which ``draw`` draws; with ``space`` in 3-D."""
    require_drawable(None)
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context({"font.size": 9, "svg.fonttype": "none", "svg.hashsalt": "torsor"}):
        figure = Figure(figsize=size, dpi=120, layout="constrained")
        axes = figure.add_subplot(projection="3d" if space else None)
        draw(axes)
    return figure


def as_image(figure: Any) -> str:
    """A figure as the address of an image that stands in the page itself."""
    stream = io.BytesIO()
    figure.savefig(stream, format="png", metadata={"Software": None})
    return "data:image/png;base64," + base64.b64encode(stream.getvalue()).decode("ascii")


def plain(axes: Any, title: str, x: str, y: str) -> None:
    axes.set_title(title, loc="left", fontweight="bold", color=INK)
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.grid(color=FAINT, linewidth=0.5)
    axes.set_axisbelow(True)


def labelled(name: str, unit: str) -> str:
    return f"{name}, {unit}" if unit else name


def measured(result: StudyResult, name: str) -> str:
    """What an input is, or what an output is measured in."""
    return result.about[name] if name in result.inputs else result.units.get(name, "")


def histogram(result: StudyResult, name: str) -> Draws:
    values = np.asarray(result.values[name])
    known = values[np.isfinite(values)]

    def draw(axes: Any) -> None:
        plain(axes, f"{name} in {len(known)} runs", labelled(name, result.units.get(name, "")), "runs")
        axes.hist(known, bins=min(BINS, max(5, len(np.unique(known)))), color=COLOURS[0])

    return draw


def tornado(summary: Summary, name: str) -> Draws:
    """What an output depends on, the most on top: Sobol's totals with error bars, or rank correlations."""
    sobol = name in summary.indices
    if sobol:
        bars = sorted(summary.indices[name], key=lambda each: each.total)
        names, sizes = [each.name for each in bars], [each.total for each in bars]
        firsts, errors = [each.first for each in bars], [each.total_error for each in bars]
    else:
        own = sorted(summary.correlations.get(name, {}).items(), key=lambda each: abs(each[1]))
        names, sizes, firsts, errors = [each for each, _ in own], [value for _, value in own], [], []

    def draw(axes: Any) -> None:
        what = (
            "share of the variance, with intervals of 95 %"
            if sobol
            else "rank correlation: below zero, more of it makes it less"
        )
        plain(axes, f"what {name} depends on", what, "")
        axes.grid(visible=False, axis="y")
        place = np.arange(len(names))
        if sobol:
            axes.barh(place, sizes, color=FAINT, xerr=errors, ecolor=INK, capsize=3, label="total: with others")
            axes.barh(place, firsts, color=COLOURS[0], height=0.4, label="first: alone")
            axes.legend(frameon=False, fontsize=8, loc="lower right")
            axes.set_xlim(min(0.0, *firsts), max(1.0, *(a + b for a, b in zip(sizes, errors, strict=True))))
        else:
            axes.barh(place, sizes, color=[COLOURS[1] if size > 0.0 else COLOURS[0] for size in sizes])
            axes.set_xlim(-1.0, 1.0)
        axes.set_yticks(place, names)
        axes.axvline(0.0, color=INK, linewidth=0.8)

    return draw


def lying(bars: int) -> tuple[float, float]:
    """The size of a picture of so many bars, inches."""
    return SIDEWAYS[0], min(1.3 + 0.5 * bars, 9.0)


def by_lot(count: int, most: int) -> NDArray[np.intp]:
    """Which of so many are drawn, ``most`` of them: as drawn by lot, since steps would meet those of grids and Sobol.

    >>> by_lot(3, 5).tolist(), len(by_lot(1000, 5))
    ([0, 1, 2], 5)
    """
    if count <= most:
        return np.arange(count)
    return np.sort(np.random.default_rng(0).choice(count, most, replace=False))


def yes_or_no(x: Floats, y: Floats, values: Floats, title: str, labels: tuple[str, str], name: str) -> Draws:
    """Where of values (len(x), len(y)) the answer is yes, 1, and where no, 0: nothing is between them."""

    def draw(axes: Any) -> None:
        plain(axes, title, *labels)
        at, across = np.meshgrid(x, y, indexing="ij")
        for yes, colour, marker, word in ((1.0, YES, "o", name), (0.0, NO, "x", f"not {name}")):
            axes.scatter(at[values == yes], across[values == yes], c=colour, marker=marker, s=36, label=word)
        axes.legend(frameon=False, fontsize=8, loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=2)

    return draw


def contours(
    x: Floats,
    y: Floats,
    values: Floats,
    title: str,
    labels: tuple[str, str, str],
    equal: bool = False,
    lines: Floats | None = None,
) -> Draws:
    """Filled contours of values (len(x), len(y)); NaN is left white. ``lines`` are of something else, with numbers."""

    def draw(axes: Any) -> None:
        from matplotlib.ticker import MaxNLocator

        plain(axes, title, labels[0], labels[1])
        known = np.ma.masked_invalid(values.T)
        low, high = np.quantile(known.compressed(), SHOWN) if known.count() else (0.0, 0.0)
        if low < high:
            levels = MaxNLocator(LEVELS, steps=[1, 2, 2.5, 5, 10]).tick_values(low, high)  # numbers that can be read
            drawn = axes.contourf(x, y, known, levels=levels, cmap="viridis", extend="both")
        else:
            drawn = axes.pcolormesh(x, y, known, cmap="viridis", shading="nearest")
        axes.figure.colorbar(drawn, ax=axes, label=labels[2])
        if lines is not None and len(np.unique(lines[np.isfinite(lines)])) > 1:
            across = axes.contour(x, y, np.ma.masked_invalid(lines.T), levels=6, colors="white", linewidths=0.8)
            axes.clabel(across, fontsize=7, fmt="%g")
        if equal:
            axes.set_aspect("equal")

    return draw


def upright(width: float, height: float) -> tuple[float, float]:
    """The size of a picture of something so wide and so high, in equal steps, with its colours beside it; inches."""
    ratio = width / height if height > 0.0 else 1.0
    return float(np.clip(UPRIGHT * ratio + 2.0, 5.8, 9.0)), float(np.clip(UPRIGHT, 3.0, 7.0 / ratio + 1.0)) + 0.6


def cloud(places: Floats, values: Floats, title: str, label: str) -> Draws:
    """Points (k, 3) in space, coloured."""
    drawn_ones = by_lot(len(values), CLOUD)

    def draw(axes: Any) -> None:
        shown = values[drawn_ones]
        size = float(np.clip(DOTS / max(len(shown), 1), 3.0, 30.0))
        drawn = axes.scatter(*places[drawn_ones].T, c=shown, s=size, cmap="viridis", alpha=0.6, linewidths=0)
        axes.figure.colorbar(drawn, ax=axes, label=label, shrink=0.7, pad=0.12)
        axes.set_title(title, loc="left", fontweight="bold", color=INK)
        axes.set_xlabel("x, m")
        axes.set_ylabel("y, m")
        axes.set_zlabel("z, m")
        axes.set_box_aspect(np.maximum(np.ptp(places, axis=0), 1e-6) if len(places) else (1, 1, 1))

    return draw


def curves(
    x: Floats, lines: Mapping[str, Floats], title: str, labels: tuple[str, str], marks: Sequence[float] = ()
) -> Draws:
    """Lines over x, and marks across: limits."""

    def draw(axes: Any) -> None:
        plain(axes, title, *labels)
        for k, (name, values) in enumerate(lines.items()):
            marker = "o" if len(x) <= FEW else ""
            axes.plot(
                x, values, label=name, color=COLOURS[k % len(COLOURS)], linewidth=1.4, marker=marker, markersize=4
            )
        for mark in marks:
            axes.axhline(mark, color=INK, linewidth=1.0, linestyle="--")
        if len(lines) > 1:
            axes.legend(frameon=False, fontsize=8)

    return draw
