"""Where a tool is led by speeds (speedl): linear and about axes of the base, of the point that the tool has."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from torsor.model.transforms import Floats
from torsor.programs.urscript.urscript_values import rotation_of

MOST_STEPS = 2000  # of one call, however long it lasts


@dataclass(frozen=True)
class Ramp:
    """From one tool speed to another, (6,) in m/s and rad/s, evenly in ``takes`` s; then held until ``lasts`` s.

    >>> Ramp.of([0, 0, 0, 0, 0, 0], [0.1, 0, 0, 0, 0, 0.1], 0.5, 0.25, 2.0).takes
    0.4
    """

    before: Floats
    after: Floats
    takes: float
    lasts: float

    @classmethod
    def of(
        cls, before: Sequence[float], after: Sequence[float], acceleration: float, turning: float, lasts: float | None
    ) -> Ramp:
        """``acceleration`` of the point in m/s^2, ``turning`` in rad/s^2; without ``lasts`` the speed is reached."""
        change = np.subtract(after, before)
        takes = max(float(np.linalg.norm(change[:3])) / acceleration, float(np.linalg.norm(change[3:])) / turning)
        return cls(
            np.array(before, dtype=float), np.array(after, dtype=float), takes, takes if lasts is None else lasts
        )

    def speed(self, t: float) -> Floats:
        if t >= self.takes:
            return self.after
        return self.before + (self.after - self.before) * (t / self.takes)

    def poses(self, T_base_tool: Floats, step: float) -> tuple[Floats, Floats]:
        """Times (k,) behind its beginning and poses (k, 4, 4), no further apart than ``step`` s, where that is few."""
        corners = [0.0, min(self.takes, self.lasts), self.lasts]
        step = max(step, self.lasts / MOST_STEPS)
        times = [0.0]
        for begin, end in pairwise(corners):
            count = math.ceil(round((end - begin) / step, 6))
            times += [begin + (end - begin) * (k + 1) / count for k in range(count)]
        found, T = [], T_base_tool
        for begin, end in pairwise(times):
            way = 0.5 * (self.speed(begin) + self.speed(end)) * (end - begin)  # exact: speeds change evenly
            T = T.copy()
            T[:3, 3] += way[:3]
            T[:3, :3] = rotation_of(way[3:]) @ T[:3, :3]
            found.append(T)
        return np.array(times[1:]), np.array(found)
