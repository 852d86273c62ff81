"""The fastest pace that an arm can follow with the time law a program asks for, and the least slowing of a motion.

`time_optimal` finds the best of all time laws. A robot program has only the numbers of one law to change, a speed and
an acceleration: `fit_pace` finds the pair of them that loses least time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from torsor.errors import ShapeError
from torsor.model.transforms import Floats
from torsor.motion.any_arm import AnyArm
from torsor.motion.curves import Along, Motion, Trajectory
from torsor.motion.narrowing import edge, peak
from torsor.motion.optimal.path_limits import PathLimits, limits_of
from torsor.motion.optimal.time_optimal import Infeasible

ZOOMS, CLOSER = 3, 16  # how often the greatest use is looked at more closely, and how many samples that takes
WITHIN = 1e-9  # share above a limit that is rounding
TRIED = 7  # speeds tried before the best of them is refined


@dataclass(frozen=True)
class MostUsed:
    """The greatest share of any limit in a motion, which limit that is, and when."""

    share: float
    limit: str
    time: float

    @property
    def holds(self) -> bool:
        return self.share <= 1.0 + WITHIN


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
        return not self.asked.holds


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


def peak_use(arm: AnyArm, trajectory: Trajectory, *, samples: int = 400, **options: Any) -> MostUsed:
    """The greatest share of a limit that a motion uses, looked for at even times and then closely around the worst.

    Options are those of `time_optimal`: ``drives``, ``wrench``, ``gravity``, ``speed``, ``acceleration``.
    """
    return _peak(_limits(arm, options), trajectory, samples)


def slow_down(arm: AnyArm, trajectory: Trajectory, *, samples: int = 400, **options: Any) -> Stretched:
    """The same motion, q(t / c), with the least c >= 1 at which no limit is exceeded.

    Options are those of `time_optimal`. Speeds fall by c and accelerations by c^2; what holds the arm against gravity
    stays, and if that is too much there is no c: `Infeasible`.
    """
    limits = _limits(arm, options)

    def holds(stretch: float) -> bool:
        return _peak(limits, trajectory, samples, stretch).holds

    if holds(1.0):
        return Stretched(trajectory, 1.0)
    high = 2.0
    while not holds(high):
        high = 2.0 * high
        if high > 1e4:
            peak = _peak(limits, trajectory, samples, high)
            problem = (
                f"{arm.model.name!r} cannot do this motion however slowly: {peak.limit} at {peak.time / high:.6g} s"
            )
            hint = "gravity, the wrench and friction alone are too much there"
            raise Infeasible(problem, peak.time / high, peak.limit, hint=hint)
    return Stretched(trajectory, edge(high, 0.5 * high, holds, halvings=40))


def fit_pace(
    arm: AnyArm,
    plan: Callable[[float, float], Trajectory],
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

    def down(share: Any) -> Any:
        """Rounded down to the resolution."""
        return np.maximum(np.floor(share / resolution + 1e-9), 1.0) * resolution

    def peak_at(v: float, a: float) -> MostUsed:
        return _peak(limits, plan(v, a), samples)

    @cache
    def best(v: float) -> tuple[float, float]:
        """How long the motion takes at a speed, and its greatest acceleration; for ever where there is none."""

        def holds(a: float) -> bool:
            return peak_at(v, a).holds

        if holds(a1):
            return plan(v, a1).duration, a1
        if not holds(a0):
            return np.inf, a0
        a = edge(a0, a1, holds, within=0.5 * resolution)
        rounded = max(float(down(a)), a0)
        a = rounded if holds(rounded) else a
        return plan(v, a).duration, a

    asked = peak_at(v1, a1)
    if asked.holds:
        return Fitted(v1, a1, plan(v1, a1), asked, asked)
    if best(v0)[0] == np.inf:
        peak = peak_at(v0, a0)
        problem = (
            f"{arm.model.name!r} cannot follow this move at {v0:.3g} of its speed and {a0:.3g} of its acceleration"
        )
        used, hint = f"{peak.limit} is used to {peak.share:.1%}", "allow lower shares, or change the path"
        raise Infeasible(f"{problem}: {used}", peak.time, peak.limit, hint=hint)
    speeds = np.geomspace(v0, v1, TRIED)
    speeds = np.concatenate([speeds[:1], down(speeds[1:])]).tolist()
    v = min(speeds, key=best)
    k = speeds.index(v)
    low, high, ratio = speeds[max(k - 1, 0)], speeds[min(k + 1, TRIED - 1)], 0.5 * (np.sqrt(5.0) - 1.0)
    while high - low > 2.0 * resolution:  # golden section
        inner = [float(down(low + share * (high - low))) for share in (1.0 - ratio, ratio)]
        v = min([v, *inner], key=best)
        low, high = (low, inner[1]) if best(inner[0])[0] <= best(inner[1])[0] else (inner[0], high)
    a = best(v)[1]
    return Fitted(v, a, plan(v, a), peak_at(v, a), asked)


def _limits(arm: AnyArm, options: dict[str, Any]) -> PathLimits:
    known = ("drives", "wrench", "gravity", "speed", "acceleration")
    for option in options:
        if option not in known:
            raise TypeError(f"there is no option {option!r}; known: {', '.join(known)}")
    return limits_of(arm, **options)


def _peak(limits: PathLimits, trajectory: Trajectory, samples: int, stretch: float = 1.0) -> MostUsed:
    """The greatest use of a limit, by the exact model. The trajectory is a path of its own, passed at 1 / stretch."""

    def used(times: Floats) -> Floats:
        rate = np.full(len(times), 1.0 / stretch**2)
        return limits.uses(times, Along(*trajectory.at(times)), rate, 0.0 * rate)

    even = np.linspace(0.0, trajectory.duration, samples + 1)
    _, time = peak(lambda times: used(times).max(axis=1), even, zooms=ZOOMS, points=CLOSER)
    at = used(np.array([time]))[0]
    limit = int(np.argmax(at))
    return MostUsed(float(at[limit]), [*chain.from_iterable(limits.names)][limit], time * stretch)
