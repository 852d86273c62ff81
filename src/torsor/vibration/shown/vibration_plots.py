"""The plots of a vibration: how far the tool is off, against the tolerance, and frequencies along the path."""

from __future__ import annotations

from typing import Any

import numpy as np

from torsor.model.transforms import Floats
from torsor.report.packing import FINE, packed
from torsor.report.panels import group, panel
from torsor.vibration.vibration import Vibration

EACH = 5e-3  # s between moments that are drawn, at least: what swings at 20 Hz has ten of them
MOST = 12_000  # moments
MODES = 6  # whose frequencies are plotted
MOST_SPANS = 400
LEAST = 0.05  # of the tolerance, from which on deviations are drawn


def shown_samples(found: Vibration) -> Any:
    """The samples that are drawn: (k,), at equal steps."""
    step = max(1, round(EACH / float(found.time[1])), int(np.ceil(len(found.time) / MOST)))
    return np.arange(0, len(found.time), step)


def plots_of(found: Vibration) -> dict[str, Any]:
    """Times, groups of panels, and the moves that stand beneath them."""
    at = shown_samples(found)
    late = {(stop.place.line, stop.end) for stop in found.stops if not stop.is_settled}
    spans = [
        [round(move.start, 4), round(move.end, 4), move.place.line, (move.place.line, move.end) in late]
        for move, _ in found.moves
    ]
    drawn = {
        "time": packed(found.time[at], steps=FINE),
        "end": float(found.time[at[-1]]),
        "moves": [[start, line] for start, _, line, _ in spans] if len(spans) <= MOST_SPANS else [],
        "spans": spans if len(spans) <= MOST_SPANS else [],
        "groups": [_deviation(found), _frequencies(found), _directions(found)],
    }
    if found.before is None:
        return drawn
    labels = [f"shaped by {found.shape}", "as written"]
    return drawn | {"compared": {"labels": labels, "time": packed(_times(found.before), steps=FINE), "faint": True}}


def _times(found: Vibration) -> Floats:
    return np.asarray(found.time[shown_samples(found)])


def _panel(found: Vibration, name: str, limits: tuple[float, float], of: Any, *, from_zero: bool = False) -> Any:
    """One curve in mm; where the program is shaped, that of the program as it was under it."""
    label = "the tool" if found.shape is None else f"shaped by {found.shape}"
    drawn = panel(name, "mm", [(label, 1e3 * of(found)[shown_samples(found)])], limits=limits, from_zero=from_zero)
    if found.before is not None:
        values = 1e3 * of(found.before)[shown_samples(found.before)]
        drawn["series"].append({"label": "as written", **packed(values), "run": 1, "faint": True})
    return drawn


def _deviation(found: Vibration) -> dict[str, Any]:
    limit = 1e3 * found.tolerance
    note = "from where it would hang if the arm stood still in its posture; the band begins at the tolerance"
    least = LEAST * limit  # what dies down evenly is straight on a logarithmic scale

    def off(each: Vibration) -> Floats:
        return np.maximum(each.swing.deviation, 1e-3 * least)

    drawn = _panel(found, "tool off", (-np.inf, limit), off, from_zero=True) | {"log": least}
    return group("deviation", "How far the tool is off", note, [drawn]) | {"wide": True}


def _directions(found: Vibration) -> dict[str, Any]:
    limit = 1e3 * found.tolerance

    def along(k: int) -> Any:
        return lambda each: (each.tip - each.swing.sag)[:, k]

    panels = [_panel(found, f"along {axis}", (-limit, limit), along(k)) for k, axis in enumerate("xyz")]
    return group("directions", "Where to it is off", "in base axes", panels)


def _frequencies(found: Vibration) -> dict[str, Any]:
    """Straight lines between the moments at which they are computed."""
    times = _times(found)
    modes = found.frequencies[:, :MODES].T
    panels = [
        panel(f"mode {k + 1}", "Hz", [("drives held", np.interp(times, found.looks, each))], from_zero=True)
        for k, each in enumerate(modes)
    ]
    note = "natural frequencies of the arm in its posture of each moment, drives held"
    return group("frequencies", "Frequencies along the path", note, panels) | {"together": True}
