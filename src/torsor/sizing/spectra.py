"""Load spectra: how long, and over how much travel, a load stands in each class between nothing and its peak.

The equivalent load is the cubic mean over travel, by which bearings and gears are chosen: P = (sum w P^3 / sum w)^(1/3)
with w = |rate| dt; where nothing turns, over time.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from torsor.model.transforms import Floats

CLASSES = 10
LIFE = 3.0  # exponent of bearing life, and of gears with ball bearings


@dataclass(frozen=True, eq=False)
class LoadSpectrum:
    """Of one thing that is loaded; ``edges`` (classes + 1,) are of its size."""

    name: str
    what: str  # gear torque, bearing force, bearing moment
    unit: str
    edges: Floats
    time: Floats  # (classes,) shares of the time
    travel: Floats  # (classes,) shares of the travel; those of the time where nothing moves
    peak: float
    equivalent: float
    mean_rate: float  # rad/s or m/s, of its joint, over the time

    @classmethod
    def of(cls, name: str, what: str, unit: str, load: Floats, rate: Floats, weight: Floats) -> LoadSpectrum:
        """Of samples (k,) of a load and of its joint's rate that stand for ``weight`` (k,) s each.

        >>> one = LoadSpectrum.of("j", "gear torque", "N m", *np.array([[1.0, 2.0], [1.0, 1.0], [1.0, 1.0]]))
        >>> round(one.equivalent, 6), one.peak, one.time[[4, 9]].tolist()
        (1.650964, 2.0, [0.5, 0.5])
        """
        size = np.abs(load)
        peak = float(size.max(initial=0.0))
        edges = np.linspace(0.0, peak if peak > 0.0 else 1.0, CLASSES + 1)
        # a load on an edge, but for its rounding, belongs below it
        which = np.clip(np.ceil(size / edges[-1] * CLASSES - 1e-9).astype(int) - 1, 0, CLASSES - 1)
        travel = np.abs(rate) * weight
        turning = travel if travel.sum() > 0.0 else weight
        in_time = np.bincount(which, weights=weight, minlength=CLASSES) / max(weight.sum(), 1e-300)
        in_travel = np.bincount(which, weights=turning, minlength=CLASSES) / max(turning.sum(), 1e-300)
        equivalent = float((turning @ size**LIFE / max(turning.sum(), 1e-300)) ** (1.0 / LIFE))
        mean = float(travel.sum() / max(weight.sum(), 1e-300))
        return cls(name, what, unit, edges, in_time, in_travel, peak, equivalent, mean)

    def document(self) -> dict[str, Any]:
        words = {"name": self.name, "what": self.what, "unit": self.unit, "peak": self.peak}
        rows = {"edges": self.edges.tolist(), "time": self.time.tolist(), "travel": self.travel.tolist()}
        return {**words, "equivalent": self.equivalent, "mean_rate": self.mean_rate, **rows}


def weights(time: Floats) -> Floats:
    """(k,) s that each of some samples stands for: half of the way to its neighbours.

    >>> weights(np.array([0.0, 1.0, 3.0])).tolist()
    [0.5, 1.5, 1.0]
    """
    if len(time) < 2:
        return np.ones(len(time))
    steps = np.diff(time)
    return np.asarray(0.5 * (np.append(steps, 0.0) + np.append(0.0, steps)))
