"""Input shaping: a motion repeated a few times in small shares, so that what its parts leave swinging cancels.

Singer & Seering (1990): ZV cancels the vibration of one frequency, ZVD also its first slope over frequency, and so
bears errors; EI (Singhose, Seering & Singer 1994) leaves a little at the frequency itself and bears more. "blend" is
the slower blend: every change of speed and acceleration is spread evenly over one period, as a limited jerk does whose
ramps take one period; it cancels the frequency and all its multiples. All cost time: half a period, or a whole one.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import exp, pi, sqrt
from typing import Any, Literal, Protocol, get_args

import numpy as np

from torsor.elastic.elastic_arm import Elastic
from torsor.errors import TorsorError, Unsupported, did_you_mean
from torsor.model.transforms import Floats
from torsor.motion.curves import Motion, Trajectory

ShaperKind = Literal["ZV", "ZVD", "EI", "blend"]
TOLERATED = 0.05  # what EI leaves of a vibration at the frequency it is made for
PANELS = 1000  # of the integral of a trajectory over time


@dataclass(frozen=True)
class Shaper:
    """Shares of a motion, how much later each begins, s, and over which time it is spread evenly."""

    kind: ShaperKind
    times: tuple[float, ...]
    shares: tuple[float, ...]
    spread: float = 0.0

    @property
    def duration(self) -> float:
        """What it costs."""
        return self.times[-1] + self.spread

    def left(self, frequency: float, damping: float = 0.0) -> float:
        """What it leaves of a vibration of this frequency (Hz) and damping, as a share of that without it.

        >>> zv = shaper("ZV", 8.0)
        >>> round(zv.left(8.0), 12), round(zv.left(8.8), 4)
        (0.0, 0.1564)
        """
        w = 2.0 * pi * frequency
        return float(np.abs(self.passes(np.array(w * complex(-damping, sqrt(1.0 - damping**2))))))

    def passes(self, poles: Any) -> Any:
        """What it makes of that which dies down with e^(p t), as a factor, with t from the end of the motion it shapes.

        sum of shares e^(p (t_last - t)), each spread: its mean over that time. Of what creeps p is real, and little is
        changed; of what swings it is complex, and parts cancel.
        """
        p = np.asarray(poles, dtype=complex)[..., None]
        total = (np.array(self.shares) * np.exp(p * (self.times[-1] - np.array(self.times)))).sum(axis=-1)
        if self.spread:
            over = p[..., 0] * self.spread
            moving = over != 0.0
            total = total * np.where(moving, np.expm1(over) / np.where(moving, over, 1.0), 1.0)
        return total


def shaper(kind: ShaperKind, frequency: float, damping: float = 0.0) -> Shaper:
    """For one frequency in Hz and its share of critical damping.

    >>> shaper("ZV", 8.0, 0.05)
    Shaper(kind='ZV', times=(0.0, 0.06257827179021985), shares=(0.5392382385109088, 0.4607617614890911), spread=0.0)
    """
    if kind not in get_args(ShaperKind):
        raise Unsupported(f"there is no shaper {kind!r}", hint=did_you_mean(str(kind), get_args(ShaperKind)))
    if not 0.0 < frequency < 1e6:
        raise TorsorError(f"a frequency of {frequency:g} Hz cannot be shaped", hint="give Hz, above zero")
    if not 0.0 <= damping < 1.0:
        raise TorsorError(f"damping is {damping:g}", hint="a share of critical damping, from 0 to less than 1")
    root = sqrt(1.0 - damping**2)
    half, K = 0.5 / (frequency * root), exp(-damping * pi / root)
    if (
        kind == "blend"
    ):  # exact without damping; with it as much is left as the swing dies down in one period, over 2 pi
        return Shaper(kind, (0.0,), (1.0,), 2.0 * half)
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
        given = np.asarray(t, dtype=np.float64)
        spread = self._averaged if self.shaper.spread else self._held
        shares = zip(self.shaper.times, self.shaper.shares, strict=True)
        parts = [[share * each for each in spread(given - later)] for later, share in shares]
        return Motion(*(np.sum(each, axis=0) for each in zip(*parts, strict=True)))

    def _held(self, t: Floats) -> Motion:
        """The trajectory, at rest before it begins and after it ends."""
        q, *rates = self.trajectory.at(np.clip(t, 0.0, self.trajectory.duration))
        moving = ((t >= 0.0) & (t <= self.trajectory.duration))[..., None]
        return Motion(q, *(np.where(moving, rate, 0.0) for rate in rates))

    def _averaged(self, t: Floats) -> Motion:
        """Its mean over the time before t that it is spread over."""
        over = self.shaper.spread
        new, old = self._held(t), self._held(t - over)
        mean = (self._summed(t, new) - self._summed(t - over, old)) / over
        return Motion(mean, (new.q - old.q) / over, (new.qd - old.qd) / over, (new.qdd - old.qdd) / over)

    @cached_property
    def _panels(self) -> tuple[Floats, Motion, Floats]:
        """Times, the trajectory there, and its integral up to there."""
        t = np.linspace(0.0, self.trajectory.duration, PANELS + 1)
        at = self.trajectory.at(t)
        each = _integral(np.diff(t), Motion(*(part[:-1] for part in at)), Motion(*(part[1:] for part in at)))
        return t, at, np.concatenate([0.0 * each[:1], np.cumsum(each, axis=0)])

    def _summed(self, t: Floats, at: Motion) -> Floats:
        """The integral of q from the beginning on."""
        knots, known, sums = self._panels
        inside = np.clip(t, 0.0, self.trajectory.duration)
        k = np.clip(np.searchsorted(knots, inside, side="right") - 1, 0, PANELS - 1)
        last = _integral(inside - knots[k], Motion(*(part[k] for part in known)), at)
        whole = (inside >= self.trajectory.duration)[:, None]
        return np.asarray(np.where(whole, sums[-1], sums[k] + last) + (t - inside)[:, None] * at.q)


def _integral(step: Floats, start: Motion, end: Motion) -> Floats:
    """Of q over a step, from q and its derivatives at both ends: exact for the quintic through them."""
    h = step[:, None]
    bent = (start.qd - end.qd) * (h / 10.0) + (start.qdd + end.qdd) * (h * h / 120.0)
    return np.asarray(h * (0.5 * (start.q + end.q) + bent))


class HasElastic(Protocol):
    """An arm."""

    @property
    def elastic(self) -> Elastic: ...


def shaped(motion: Trajectory, arm: HasElastic | Elastic, kind: ShaperKind = "ZVD") -> ShapedTrajectory:
    """The motion, shaped for the lowest frequency of the arm where the motion ends, its drives held.

    ``kind``: "ZV", "ZVD" or "EI", which repeat it in shares; "blend", which spreads it over one period.
    """
    elastic = arm if isinstance(arm, Elastic) else arm.elastic
    end = motion.at(np.array([motion.duration])).q[0]
    held = elastic.at(end, drives="held")
    lowest = held.modes(1)[0]
    ratio = float(lowest.x @ held.tree.D @ lowest.x) / (4.0 * pi * lowest.frequency)  # of unit modal mass
    return ShapedTrajectory(motion, shaper(kind, lowest.frequency, min(ratio, 0.99)))
