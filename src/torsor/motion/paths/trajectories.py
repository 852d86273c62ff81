"""Paths run through in time: q(s(t)) with its exact derivatives, alone and one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from torsor.model.transforms import Floats
from torsor.motion.curves import Along, JointPath, Motion, Switching, between, chain_rule, piecewise
from torsor.motion.time_laws.polynomials import Polynomials


@dataclass(frozen=True, eq=False)
class JointLine:
    """A straight path in joints: q = start + tangent s.

    >>> JointLine(np.array([0.0, 1.0]), np.array([2.0, 0.0]), 0.5).at(np.array([0.25])).q
    array([[0.5, 1. ]])
    """

    start: Floats  # (n,), or a row for each parameter that it is asked at
    tangent: Floats  # (n,) by the parameter
    length: float

    @property
    def end(self) -> Floats:
        return self.start + self.tangent * self.length

    @property
    def slopes(self) -> tuple[Floats, Floats]:
        return self.tangent, self.tangent

    def at(self, s: Floats) -> Along:
        zero = np.zeros((len(s), self.start.shape[-1]))
        return Along(self.start + s[:, None] * self.tangent, zero + self.tangent, zero, zero)


@dataclass(frozen=True, eq=False)
class TimedPath:
    """A path from parameter ``first`` on, run through by a time law s(t) that starts at 0."""

    path: JointPath
    time_law: Polynomials
    first: float = 0.0

    @property
    def duration(self) -> float:
        return self.time_law.duration

    @property
    def switches(self) -> Floats:
        """Those of the law: paths between stops, zones included, are smooth."""
        return self.time_law.breaks

    def at(self, t: Floats) -> Motion:
        """qd = q' sd, qdd = q'' sd^2 + q' sdd, qddd = q''' sd^3 + 3 q'' sd sdd + q' sddd."""
        s, *by_time = self.time_law.at(t)
        q, *by_s = self.path.at(np.clip(self.first + s, 0.0, self.path.length))
        return Motion(q, *chain_rule(by_s, by_time))


@dataclass(frozen=True, eq=False)
class ByTime:
    """A path whose parameter is time already, perhaps without its end."""

    path: JointPath
    duration: float
    breaks: Floats  # times at which it goes over into another formula

    @property
    def switches(self) -> Floats:
        return between(self.breaks, self.duration)

    def at(self, t: Floats) -> Motion:
        return Motion(*self.path.at(t))


@dataclass(frozen=True, eq=False)
class Rest:
    q: Floats  # (n,)
    duration: float

    @property
    def switches(self) -> Floats:
        return between(np.zeros(0), self.duration)

    def at(self, t: Floats) -> Motion:
        zero = np.zeros((len(t), len(self.q)))
        return Motion(zero + self.q, zero, zero, zero)


@dataclass(frozen=True, eq=False)
class Joined:
    """Trajectories one after the other. At a seam the later one speaks."""

    parts: Sequence[Switching]

    @cached_property
    def _starts(self) -> Floats:
        return np.cumsum([0.0, *(part.duration for part in self.parts)])

    @property
    def duration(self) -> float:
        return float(self._starts[-1])

    @property
    def switches(self) -> Floats:
        times = [start + part.switches for start, part in zip(self._starts, self.parts, strict=False)]
        return between(np.concatenate(times), self.duration)

    def at(self, t: Floats) -> Motion:
        which = np.clip(np.searchsorted(self._starts, t, side="right") - 1, 0, len(self.parts) - 1)

        def part(k: int, times: Floats) -> Motion:
            return self.parts[k].at(np.clip(times - self._starts[k], 0.0, self.parts[k].duration))

        return Motion(*piecewise(which, t, part))
