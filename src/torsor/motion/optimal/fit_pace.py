"""The fastest pace that an arm can follow with the time law a program asks for, and the least slowing of a motion.

`time_optimal` finds the best of all time laws. A robot program has only the numbers of one law to change, a speed and
an acceleration: `fit_pace` finds the pair of them that loses least time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from torsor.errors import ShapeError
from torsor.model.transforms import Floats
from torsor.motion.curves import Along, Motion, Trajectory
from torsor.motion.narrowing import edge, peak
from torsor.motion.optimal.limit_uses import Uses, uses
from torsor.motion.optimal.path_limits import Limited, PathLimits, limits_of
from torsor.motion.optimal.time_optimal import Infeasible

ZOOMS, CLOSER = 3, 16  # how often the greatest use is looked at more closely, and how many samples that takes
WITHIN = 1e-9  # share above a limit that is rounding
TRIED = 7  # speeds tried before the best of them is refined
MakesTrajectory = Callable[[float, float], Trajectory]


@dataclass(frozen=True)
class MostUsed:
    """The greatest share of any limit in a motion, which limit that is, and when."""

    share: float
    limit: str
    time: float


@dataclass(frozen=True, eq=False)
class Fitted:
    """A pace that an arm can follow: shares of the speed and the acceleration asked for, and the motion they give."""

    speed: float
    acceleration: float
    trajectory: Trajectory
    peak: MostUsed
    asked: MostUsed  # of the motion as asked for, with both at their upper ends

    @property
    def changed(self) -> bool:
        """Whether what was asked for had to be changed."""
        return self.asked.share > 1.0 + WITHIN


@dataclass(frozen=True, eq=False)
class Stretched:
    """A trajectory gone through ``stretch`` times slower."""

    whole: Trajectory
    stretch: float

    @property
    def duration(self) -> float:
        return self.whole.duration * self.stretch

    def at(self, t: Floats) -> Motion:
        c = 1.0 / self.stretch
        at = self.whole.at(np.minimum(np.asarray(t) * c, self.whole.duration))
        return Motion(at.q, at.qd * c, at.qdd * c**2, at.qddd * c**3)


def peak_use(arm: Limited, trajectory: Trajectory, *, samples: int = 400, **options: Any) -> MostUsed:
    """The greatest share of a limit that a motion uses, looked for at even times and then closely around the worst.

    Options are those of `time_optimal`: ``drives``, ``wrench``, ``gravity``, ``speed``, ``acceleration``.
    """
    return _peak(_limits(arm, options), trajectory, samples, 1.0)


def slow_down(arm: Limited, trajectory: Trajectory, *, samples: int = 400, **options: Any) -> Stretched:
    """The same motion, q(t / c), with the least c >= 1 at which no limit is exceeded.

    Options are those of `time_optimal`. Speeds fall by c and accelerations by c^2; what holds the arm against gravity
    stays, and if that is too much there is no c: `Infeasible`.
    """
    limits = _limits(arm, options)

    def share(stretch: float) -> float:
        return _peak(limits, trajectory, samples, stretch).share

    if share(1.0) <= 1.0 + WITHIN:
        return Stretched(trajectory, 1.0)
    high = 2.0
    while share(high) > 1.0 + WITHIN:
        high = 2.0 * high
        if high > 1e4:
            peak = _peak(limits, trajectory, samples, high)
            raise Infeasible(
                f"{arm.name!r} cannot do this motion however slowly: {peak.limit} at {peak.time / high:.6g} s",
                peak.time / high,
                peak.limit,
                hint="gravity, the wrench and friction alone are too much there",
            )
    least = edge(high, 0.5 * high, lambda stretch: share(stretch) <= 1.0 + WITHIN, halvings=40)
    return Stretched(trajectory, least)


def fit_pace(
    arm: Limited,
    plan: MakesTrajectory,
    *,
    lower: ArrayLike = 0.01,
    upper: ArrayLike = 1.0,
    resolution: float = 1e-3,
    samples: int = 400,
    **options: Any,
) -> Fitted:
    """The shares of speed and acceleration within bounds whose motion is shortest and exceeds no limit.

    ``plan(speed, acceleration)`` gives the trajectory of a pair of shares; ``lower`` and ``upper`` are bounds of both,
    or pairs of bounds. For each speed the greatest acceleration is found by bisection; speeds are tried over their
    range, and the best is refined by golden section, to ``resolution`` of a share. Shares are rounded down to it, so
    that a program that is rewritten with them holds. Options are those of `time_optimal`.
    """
    limits = _limits(arm, options)
    (v0, a0), (v1, a1) = (np.broadcast_to(np.asarray(each, dtype=np.float64), (2,)).tolist() for each in (lower, upper))
    if not (0.0 < v0 <= v1 and 0.0 < a0 <= a1 and resolution > 0.0):
        raise ShapeError(f"bounds {v0}, {a0} to {v1}, {a1}", hint="shares above zero, the lower ones first")
    fit = _Fit(limits, plan, samples, resolution, a0, a1)
    asked = fit.peak(v1, a1)
    if asked.share <= 1.0 + WITHIN:
        return Fitted(v1, a1, plan(v1, a1), asked, asked)
    if fit.best(v0) is None:
        peak = fit.peak(v0, a0)
        raise Infeasible(
            f"{arm.name!r} cannot follow this move at {v0:.3g} of its speed and {a0:.3g} of its acceleration: "
            f"{peak.limit} is used to {peak.share:.1%}",
            peak.time,
            peak.limit,
            hint="allow lower shares, or change the path",
        )
    speeds = np.geomspace(v0, v1, TRIED)
    speeds = np.concatenate([speeds[:1], fit.down(speeds[1:])])
    k = int(np.argmin([fit.duration(float(v)) for v in speeds]))
    low, high = float(speeds[max(k - 1, 0)]), float(speeds[min(k + 1, TRIED - 1)])
    best = _golden(fit, low, high, float(speeds[k]))
    found = fit.best(best)
    assert found is not None
    return Fitted(best, found[0], plan(best, found[0]), fit.peak(best, found[0]), asked)


def _golden(fit: _Fit, low: float, high: float, start: float) -> float:
    """The speed of the shortest motion between two."""
    ratio, best = 0.5 * (np.sqrt(5.0) - 1.0), start
    while high - low > 2.0 * fit.resolution:
        inner = [fit.down(low + (1.0 - ratio) * (high - low)), fit.down(low + ratio * (high - low))]
        times = [fit.duration(v) for v in inner]
        best = min([best, *inner], key=fit.duration)
        low, high = (low, inner[1]) if times[0] <= times[1] else (inner[0], high)
    return best


class _Fit:
    """What has been tried of a plan."""

    def __init__(
        self, limits: PathLimits, plan: MakesTrajectory, samples: int, resolution: float, a0: float, a1: float
    ) -> None:
        self.limits, self.plan, self.samples, self.resolution = limits, plan, samples, resolution
        self.a0, self.a1 = a0, a1
        self._found: dict[float, tuple[float, float] | None] = {}

    def down(self, share: Any) -> Any:
        """Rounded down to the resolution."""
        return np.maximum(np.floor(share / self.resolution + 1e-9), 1.0) * self.resolution

    def peak(self, v: float, a: float) -> MostUsed:
        return _peak(self.limits, self.plan(v, a), self.samples, 1.0)

    def duration(self, v: float) -> float:
        found = self.best(v)
        return float(np.inf) if found is None else found[1]

    def best(self, v: float) -> tuple[float, float] | None:
        """The greatest acceleration at a speed, and how long the motion takes; None where there is none."""
        if v not in self._found:
            self._found[v] = self._bisected(v)
        return self._found[v]

    def _bisected(self, v: float) -> tuple[float, float] | None:
        def holds(a: float) -> bool:
            return self.peak(v, a).share <= 1.0 + WITHIN

        if holds(self.a1):
            return self.a1, self.plan(v, self.a1).duration
        if not holds(self.a0):
            return None
        low = edge(self.a0, self.a1, holds, within=0.5 * self.resolution)
        rounded = max(float(self.down(low)), self.a0)
        low = rounded if holds(rounded) else low
        return low, self.plan(v, low).duration


def _limits(arm: Limited, options: dict[str, Any]) -> PathLimits:
    known = dict.fromkeys(("drives", "wrench", "gravity", "speed", "acceleration"))
    for option in options:
        if option not in known:
            raise TypeError(f"there is no option {option!r}; known: {', '.join(known)}")
    return limits_of(arm, tool=(), **{**known, **options})


def _peak(limits: PathLimits, trajectory: Trajectory, samples: int, stretch: float) -> MostUsed:
    """The greatest use of a limit, by the exact model. The trajectory is a path of its own, passed at 1 / stretch."""

    def used(times: Floats) -> Uses:
        rate = np.full(len(times), 1.0 / stretch**2)
        return uses(limits, times, Along(*trajectory.at(times)), rate, 0.0 * rate)

    even = np.linspace(0.0, trajectory.duration, samples + 1)
    _, time = peak(lambda times: used(times).share.max(axis=1), even, zooms=ZOOMS, points=CLOSER)
    at = used(np.array([time]))
    limit = int(np.argmax(at.share[0]))
    return MostUsed(float(at.share[0, limit]), at.names[limit], time * stretch)
