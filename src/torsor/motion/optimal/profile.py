"""A path with its timing: s(t) by pieces on which sdd is a straight line over s, and what limits each piece.

With sdd = a + b (s - s0) the motion is s - s0 = v sinh(w t) / w + a (cosh(w t) - 1) / w^2 with w^2 = b (and the
circular functions for b < 0), and it takes tanh(w T / 2) = w h / (v0 + v1) for an interval of width h.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from torsor.errors import ShapeError
from torsor.model.transforms import Floats
from torsor.motion.curves import JointPath, Motion, chain_rule


@dataclass(frozen=True, eq=False)
class Timed:
    """A trajectory along a path. Between the grid points ``s`` the acceleration sdd is a straight line over s."""

    path: JointPath
    s: Floats  # (points,) the grid
    x: Floats  # (points,) sd^2 at the grid points
    first: Floats  # (points - 1,) sdd where each interval begins ...
    last: Floats  # ... and where it ends
    limits: tuple[str, ...]  # what there is to exceed: "torque of motor2", "speed of joint1", ...
    use: Floats  # (points - 1, limits) the greatest share of each limit that is used in each interval
    excess: float  # the greatest share above 1 anywhere, as the exact model finds it between grid points
    slowed: float  # how much longer than the passes found, where nothing else removed an excess; 1 is not at all
    stops: tuple[float, ...] = ()  # where on the path it rests because of a corner

    @cached_property
    def bend(self) -> Floats:
        """(points - 1,) d sdd / ds of each interval."""
        return np.asarray((self.last - self.first) / np.diff(self.s))

    @cached_property
    def time(self) -> Floats:
        """(points,) when the grid points are passed."""
        rate = np.sqrt(self.x)
        slow = np.diff(self.s) / (rate[:-1] + rate[1:])
        return np.concatenate([[0.0], np.cumsum(2.0 * slow * _arctan_ratio(self.bend * slow**2))])

    @property
    def duration(self) -> float:
        return float(self.time[-1])

    @property
    def switches(self) -> Floats:
        """Where sdd may jump or bend: at the grid points, where breaks of the path are too."""
        return np.unique(self.time)

    def along(self, t: ArrayLike) -> tuple[Floats, Floats, Floats]:
        """s, sd and sdd at times t, each as t."""
        return self._along(np.asarray(t, dtype=np.float64))[:3]

    def _along(self, times: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        """s and its three derivatives by time."""
        if np.any((times < 0.0) | (times > self.duration * (1.0 + 1e-12))):
            raise ShapeError("there are times outside of the motion", hint=f"give 0 to {self.duration:g} s")
        k = np.clip(np.searchsorted(self.time, times, side="right") - 1, 0, len(self.bend) - 1)
        since = times - self.time[k]
        v, a, b = np.sqrt(self.x[k]), self.first[k], self.bend[k]
        sine, cosine = _sine_ratios(b * since**2)
        gone = np.clip((v * sine + a * cosine * since) * since, 0.0, self.s[k + 1] - self.s[k])
        # speed and acceleration from where it is, not from when: exact at the ends of the interval
        sd = self._rate(k, gone)
        return self.s[k] + gone, sd, a + b * gone, b * sd

    def at(self, t: ArrayLike) -> Motion:
        """q and its derivatives at times t (k,), each (k, n).

        qd = q' sd, qdd = q'' sd^2 + q' sdd, and qddd = q''' sd^3 + 3 q'' sd sdd + q' sddd. Where sdd jumps, at grid
        points, there is no third derivative; there it is that of the interval that begins.
        """
        s, *by_time = self._along(np.atleast_1d(np.asarray(t, dtype=np.float64)))
        q, *by_s = self.path.at(s)
        return Motion(q, *chain_rule(by_s, by_time))

    def rate(self, s: ArrayLike) -> Floats:
        """sd at parameters s of the path."""
        given = np.asarray(s, dtype=np.float64)
        k = np.clip(np.searchsorted(self.s, given, side="right") - 1, 0, len(self.bend) - 1)
        return self._rate(k, given - self.s[k])

    def _rate(self, k: NDArray[np.intp], gone: Floats) -> Floats:
        """sd after a distance from the beginning of interval k."""
        h = self.s[k + 1] - self.s[k]
        # both ends' own x and a parabola that vanishes at both: exact at the ends
        x = self.x[k] + (gone / h) * (self.x[k + 1] - self.x[k]) - self.bend[k] * gone * (h - gone)
        return np.sqrt(np.maximum(x, 0.0))

    @cached_property
    def active(self) -> NDArray[np.intp]:
        """(points - 1,) which of ``limits`` holds each interval back most; its share is in ``use``."""
        return np.asarray(np.argmax(self.use, axis=-1))

    @property
    def slack(self) -> Floats:
        """(points - 1,) the share of the tightest limit that is left; about 0 wherever the motion is time-optimal."""
        return np.asarray(1.0 - self.use.max(axis=-1))

    def held_by(self) -> list[tuple[float, float, str]]:
        """From where to where on the path which limit holds the motion back, joined over neighbours."""
        first = np.flatnonzero(np.diff(self.active, prepend=-1))
        ends = self.s[[*first, -1]].tolist()
        return [(*pair, self.limits[self.active[k]]) for pair, k in zip(pairwise(ends), first, strict=True)]

    def shares(self) -> dict[str, float]:
        """Of the whole duration, how much of it each limit is the tightest; the largest first."""
        spent = np.diff(self.time)
        total = {name: float(spent[self.active == k].sum() / self.duration) for k, name in enumerate(self.limits)}
        return dict(sorted(((k, v) for k, v in total.items() if v > 0.0), key=lambda item: -item[1]))

    def __repr__(self) -> str:
        first, share = next(iter(self.shares().items()))
        how = f", {self.slowed:.6f} times slower than the passes" if self.slowed != 1.0 else ""
        return f"<Timed {self.duration:.4f} s, {len(self.s)} points: {first} for {share:.0%} of it{how}>"


def _arctan_ratio(z: Floats) -> Floats:
    """artanh(sqrt(z)) / sqrt(z), for z < 0 arctan(sqrt(-z)) / sqrt(-z): smooth through 1 at z = 0."""
    root = np.sqrt(np.abs(z))
    small = root < 1e-4
    safe = np.where(small, 0.5, root)
    whole = np.where(z > 0.0, np.arctanh(np.minimum(safe, 1.0 - 1e-16)), np.arctan(safe)) / safe
    return np.where(small, 1.0 + z / 3.0, whole)


def _sine_ratios(z: Floats) -> tuple[Floats, Floats]:
    """sinh(r) / r and (cosh(r) - 1) / r^2 with r = sqrt(z), circular for z < 0: smooth through 1 and 1/2 at z = 0."""
    root = np.sqrt(np.abs(z))
    small = root < 1e-3
    safe = np.where(small, 0.5, root)
    half = 0.5 * safe
    sine = np.where(z > 0.0, np.sinh(safe), np.sin(safe)) / safe
    cosine = 0.5 * (np.where(z > 0.0, np.sinh(half), np.sin(half)) / half) ** 2
    return np.where(small, 1.0 + z / 6.0 + z * z / 120.0, sine), np.where(small, 0.5 + z / 24.0 + z * z / 720.0, cosine)
