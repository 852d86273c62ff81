"""Paul's transitions as SIMASEA uses them: coordinates run evenly between points and turn smoothly in between.

In the transition at P from speed v0 to v1, |t| <= t_acc: x = P + v0 t + 2 t_acc (v1 - v0) (h^3 - h^4 / 2) with
h = (t + t_acc) / (2 t_acc). Position, speed and acceleration are continuous; a via point is passed, not touched.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from torsor.model.transforms import Floats
from torsor.motion.time_laws.polynomials import Polynomials
from torsor.motion.time_laws.timing import Paul


def segment_times(timing: Paul, points: Floats, rates: Floats, share: float) -> list[float]:
    """T of each segment between points (m, k) whose coordinates run at ``rates`` (k,) times ``share``."""
    times = []
    for delta in np.abs(np.diff(points, axis=0)):
        needed = float((delta / (rates * share)).max())
        times.append(max(2.0 * timing.t_acc, timing.whole(needed)))
    return times


def transitions(points: Floats, times: Sequence[float], t_acc: float) -> Polynomials:
    """The motion through points (m, k), from rest to rest, in sum(times) + 2 t_acc.

    >>> x = transitions(np.array([[0.0], [3.0]]), [3.0], 1.0)
    >>> x.duration, [float(each[0]) for each in x.at(2.5)]      # halfway, at even speed
    (5.0, [1.5, 1.0, 0.0, 0.0])
    """
    zero = np.zeros(points.shape[1])
    speeds = [zero, *(np.diff(points, axis=0) / np.asarray(times)[:, None]), zero]
    breaks, rows = [0.0], []
    for k, point in enumerate(points):
        v0, v1 = speeds[k], speeds[k + 1]
        # x(t) from t = -t_acc on, in powers of t + t_acc
        width = 2.0 * t_acc
        rows.append([point - v0 * t_acc, v0, zero, (v1 - v0) / width**2, -0.5 * (v1 - v0) / width**3])
        breaks.append(breaks[-1] + width)
        even = times[k] - width if k < len(times) else 0.0
        if even > 0.0:
            rows.append([point + v1 * t_acc, v1, zero, zero, zero])
            breaks.append(breaks[-1] + even)
    return Polynomials(np.array(breaks), np.array(rows))
