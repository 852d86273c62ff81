"""Targets that cannot be met: the errors that say so, and the nearest pose that can be reached instead."""

from __future__ import annotations

from functools import partial

import numpy as np

from torsor.errors import TorsorError
from torsor.model.transforms import Floats
from torsor.motion.any_arm import AnyArm
from torsor.motion.inverse.joint_ranges import Ranges
from torsor.motion.inverse.search import Search
from torsor.motion.inverse.targets import twist_between

VALLEYS = 6  # postures that are gone down from
NEIGHBOURS = 1e-3  # rad or m; what is closer is taken for the same valley
SAME = 1e-9  # of a distance: what is told apart
WALL = 1e12  # further than any pose that is asked for


class Unreachable(TorsorError):
    """The target is out of reach. ``nearest`` are the joints that come closest, ``pose`` is where they put the tool."""

    def __init__(self, problem: str, nearest: Floats, pose: Floats) -> None:
        position = ", ".join(f"{x:.4g}" for x in pose[:3, 3])
        super().__init__(problem, hint=f"the nearest that can be reached has the tool at ({position})")
        self.nearest, self.pose = nearest, pose


class OutOfLimits(Unreachable):
    """The target is within reach, but every solution has a joint out of its limits.

    ``joint`` is the joint that is furthest out in the solution that is least so, ``value`` where it would be, ``limit``
    the limit it passes; ``q`` is that solution. ``nearest`` and ``pose`` are the closest within all limits.
    """

    def __init__(
        self, problem: str, nearest: Floats, pose: Floats, *, joint: str, value: float, limit: float, q: Floats
    ) -> None:
        super().__init__(problem, nearest, pose)
        self.joint, self.value, self.limit, self.q = joint, value, limit, q


def nearest_pose(search: Search, arm: AnyArm, T: Floats) -> tuple[Floats, Floats]:
    """The joints within the limits that bring the tool closest to T, a radian counting as a metre, and their pose.

    Least squares from many starts finds the valleys; quasi-Newton steps on the sum of squares, whose slope is -J^T e,
    go to the bottom of the deepest, also where the residual is large and the bottom lies on a limit.
    """
    from scipy.optimize import minimize

    starts = search.starts(24, seed=1)
    q, size = search.improved(starts, np.broadcast_to(T, (len(starts), 4, 4)), steps=40)

    def half_square(x: Floats) -> tuple[float, Floats]:
        e = twist_between(T, arm.pose(x))
        slope = -arm.jacobian(x).T @ e
        if not np.isfinite(slope).all():  # loops that cannot close here: a wall, which a step goes back from
            return WALL, np.zeros(len(x))
        return 0.5 * float(e @ e), slope

    bounds = list(zip(search.ranges.low, search.ranges.high, strict=True))  # a joint without limits may turn on
    options = {"ftol": 1e-16, "gtol": 1e-11, "maxiter": 400}
    descend = partial(minimize, half_square, jac=True, method="L-BFGS-B", bounds=bounds, options=options)
    found = [(float(bottom.fun), np.asarray(bottom.x)) for bottom in map(descend, _valleys(q[np.argsort(size)]))]
    lowest = min(height for height, _ in found)
    # symmetric postures are equally near: which one is taken must not hang on the last bit
    best = min((x for height, x in found if height <= lowest * (1.0 + SAME) + SAME**2), key=lambda x: (*x.round(6),))
    return best, np.asarray(arm.pose(best))


def _valleys(q: Floats) -> list[Floats]:
    """The first few postures that are not one another's neighbours."""
    apart: list[Floats] = []
    for each in q:
        if len(apart) < VALLEYS and all(np.abs(each - other).max() > NEIGHBOURS for other in apart):
            apart.append(each)
    return apart


def amount(ranges: Ranges, joint: int, value: float) -> str:
    """A joint position in the units that people read."""
    return f"{np.degrees(value):.4g} deg" if ranges.turning[joint] else f"{value:.4g} m"
