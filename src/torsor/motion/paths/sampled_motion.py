"""Joints at given times, and how they are joined: as ros2_control does, by what is given.

Positions alone are joined by straight lines, positions and speeds by cubics, with accelerations by quintics.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from torsor.model.transforms import Floats
from torsor.motion.curves import Motion, between


@dataclass(frozen=True, eq=False)
class SampledMotion:
    """``time`` (k,) from 0 on, ``q`` (k, n), and ``qd``, ``qdd`` alike where they are given.

    >>> motion = SampledMotion(np.array([0.0, 2.0]), np.array([[0.0], [1.0]]), np.zeros((2, 1)))
    >>> motion.at(np.array([1.0])).q, motion.at(np.array([1.0])).qd
    (array([[0.5]]), array([[0.75]]))
    """

    time: Floats
    q: Floats
    qd: Floats | None = None
    qdd: Floats | None = None

    @property
    def duration(self) -> float:
        return float(self.time[-1])

    @property
    def switches(self) -> Floats:
        return between(self.time[1:-1], self.duration)

    @cached_property
    def _coefficients(self) -> Floats:
        """(k - 1, 6, n): of t^0 ... t^5, t from the beginning of each stretch."""
        T = np.diff(self.time)[:, None]
        a, b = self.q[:-1], self.q[1:]
        found = np.zeros((len(T), 6, self.q.shape[1]))
        found[:, 0] = a
        if self.qd is None:
            found[:, 1] = (b - a) / T
            return found
        u, v = self.qd[:-1], self.qd[1:]
        found[:, 1] = u
        if self.qdd is None:
            found[:, 2] = (3.0 * (b - a) / T - 2.0 * u - v) / T
            found[:, 3] = (u + v - 2.0 * (b - a) / T) / T**2
            return found
        x, y = self.qdd[:-1], self.qdd[1:]
        d = b - a
        found[:, 2] = 0.5 * x
        found[:, 3] = (20.0 * d - (8.0 * v + 12.0 * u) * T - (3.0 * x - y) * T**2) / (2.0 * T**3)
        found[:, 4] = (-30.0 * d + (14.0 * v + 16.0 * u) * T + (3.0 * x - 2.0 * y) * T**2) / (2.0 * T**4)
        found[:, 5] = (12.0 * d - 6.0 * (v + u) * T + (y - x) * T**2) / (2.0 * T**5)
        return found

    def at(self, t: Floats) -> Motion:
        k = np.clip(np.searchsorted(self.time, t, side="right") - 1, 0, len(self.time) - 2)
        x = (t - self.time[k])[:, None]
        c = self._coefficients[k]  # (m, 6, n)
        derivatives = []
        for order in range(4):
            factors = [float(np.prod(range(p - order + 1, p + 1))) if p >= order else 0.0 for p in range(6)]
            total = np.zeros_like(c[:, 0])
            for p in range(5, order - 1, -1):  # Horner
                total = total * x + factors[p] * c[:, p]
            derivatives.append(total)
        return Motion(*derivatives)


def smoothed(time: Floats, q: Floats) -> Floats:
    """Speeds (k, n) for positions alone: of parabolas through each point and its neighbours; at rest at both ends."""
    qd = np.zeros_like(q)
    if len(time) > 2:
        before, after = np.diff(time)[:-1, None], np.diff(time)[1:, None]
        slope = np.diff(q, axis=0) / np.diff(time)[:, None]
        qd[1:-1] = (slope[:-1] * after + slope[1:] * before) / (before + after)
    return qd
