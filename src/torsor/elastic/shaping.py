"""Input shaping: a motion repeated a few times in small shares, so that what its parts leave swinging cancels.

Singer & Seering (1990): ZV cancels the vibration of one frequency, ZVD also its first slope over frequency, and so
bears errors; EI (Singhose, Seering & Singer 1994) leaves a little at the frequency itself and bears more. All cost
time: half a period, or a whole one.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, pi, sqrt
from typing import Literal, Protocol, get_args

import numpy as np

from torsor.elastic.elastic_arm import Elastic
from torsor.errors import TorsorError, Unsupported, did_you_mean
from torsor.model.transforms import Floats
from torsor.motion.curves import Motion, Trajectory

ShaperKind = Literal["ZV", "ZVD", "EI"]
TOLERATED = 0.05  # what EI leaves of a vibration at the frequency it is made for


@dataclass(frozen=True)
class Shaper:
    """Shares of a motion, and how much later each begins, s."""

    kind: str
    times: tuple[float, ...]
    shares: tuple[float, ...]

    @property
    def duration(self) -> float:
        """What it costs."""
        return self.times[-1]

    def left(self, frequency: float, damping: float = 0.0) -> float:
        """What it leaves of a vibration of this frequency (Hz) and damping, as a share of that without it.

        >>> zv = shaper("ZV", 8.0)
        >>> round(zv.left(8.0), 12), round(zv.left(8.8), 4)
        (0.0, 0.1564)
        """
        w = 2.0 * pi * frequency
        wd, t = w * sqrt(1.0 - damping**2), np.array(self.times)
        swing = np.array(self.shares) * np.exp(damping * w * (t - self.times[-1]))  # as it is when the last one begins
        return abs(complex((swing * np.exp(1j * wd * t)).sum()))


def shaper(kind: ShaperKind, frequency: float, damping: float = 0.0) -> Shaper:
    """For one frequency in Hz and its share of critical damping.

    >>> shaper("ZV", 8.0, 0.05)
    Shaper(kind='ZV', times=(0.0, 0.06257827179021985), shares=(0.5392382385109088, 0.4607617614890911))
    """
    if kind not in get_args(ShaperKind):
        raise Unsupported(f"there is no shaper {kind!r}", hint=did_you_mean(str(kind), get_args(ShaperKind)))
    if not 0.0 < frequency < 1e6:
        raise TorsorError(f"a frequency of {frequency:g} Hz cannot be shaped", hint="give Hz, above zero")
    if not 0.0 <= damping < 1.0:
        raise TorsorError(f"damping is {damping:g}", hint="a share of critical damping, from 0 to less than 1")
    root = sqrt(1.0 - damping**2)
    half, K = 0.5 / (frequency * root), exp(-damping * pi / root)
    if kind == "ZV":
        raw = [1.0, K]
    elif kind == "ZVD":
        raw = [1.0, 2.0 * K, K * K]
    else:  # exact without damping; with a little of it each share decays as the swing does
        raw = [1.0 + TOLERATED, 2.0 * (1.0 - TOLERATED) * K, (1.0 + TOLERATED) * K * K]
    total = sum(raw)
    return Shaper(kind, tuple(k * half for k in range(len(raw))), tuple(each / total for each in raw))


@dataclass(frozen=True, eq=False)
class ShapedTrajectory:
    """A trajectory in shares, one after the other. It takes longer by the shaper's duration and ends where it ended."""

    trajectory: Trajectory
    shaper: Shaper

    @property
    def duration(self) -> float:
        return self.trajectory.duration + self.shaper.duration

    def at(self, t: Floats) -> Motion:
        parts = []
        for later, share in zip(self.shaper.times, self.shaper.shares, strict=True):
            own = np.asarray(t, dtype=np.float64) - later
            q, *rates = self.trajectory.at(np.clip(own, 0.0, self.trajectory.duration))
            moving = ((own >= 0.0) & (own <= self.trajectory.duration))[..., None]
            parts.append([share * q, *(share * np.where(moving, rate, 0.0) for rate in rates)])
        return Motion(*(np.sum(each, axis=0) for each in zip(*parts, strict=True)))


class HasElastic(Protocol):
    """An arm."""

    @property
    def elastic(self) -> Elastic: ...


def shaped(motion: Trajectory, arm: HasElastic | Elastic, kind: ShaperKind = "ZVD") -> ShapedTrajectory:
    """The motion, shaped for the lowest frequency of the arm where the motion ends, its drives held."""
    elastic = arm if isinstance(arm, Elastic) else arm.elastic
    end = motion.at(np.array([motion.duration])).q[0]
    held = elastic.at(end, drives="held")
    lowest = held.modes(1)[0]
    ratio = float(lowest.x @ held.tree.D @ lowest.x) / (4.0 * pi * lowest.frequency)  # of unit modal mass
    return ShapedTrajectory(motion, shaper(kind, lowest.frequency, min(ratio, 0.99)))
