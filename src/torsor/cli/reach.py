"""How far an arm reaches."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, pi

import numpy as np

from torsor.arm import Arm
from torsor.model import Joint
from torsor.model.transforms import Floats

SAMPLES = 2000
STARTS = 5
LONGEST = 1e6  # m; an arm that slides further than this has no limits in earnest


@dataclass(frozen=True, eq=False)
class Reach:
    """``distance`` (m) of the tool from the base origin and the joint coordinates that give it; None if unbounded.

    For an arm with loops it is that of its tree with the loops opened, which the closed arm may not attain.
    """

    distance: float | None
    q: Floats | None
    opened: bool

    def __str__(self) -> str:
        if self.distance is None:
            return "unbounded"
        loops = ", its loops opened" if self.opened else ""
        return f"{self.distance:.3f} m, the largest distance of tool to base origin within the position limits{loops}"


def reach(arm: Arm) -> Reach:
    """Maximises |p_tool(q)| over the position limits: from the best of many random q, uphill along J^T p."""
    from scipy.optimize import minimize

    tree, opened = arm.tree, bool(arm.model.loops)
    compute = tree.reference  # compiling a kernel would take longer than the few hundred poses asked for here
    used = np.abs(compute.jacobian(np.random.default_rng(0).uniform(-1.0, 1.0, tree.n))).sum(axis=0) > 0.0
    bounds = [_bounds(link.joint) for link in tree.model.independent]
    if any(high - low > LONGEST for (low, high), matters in zip(bounds, used, strict=True) if matters):
        return Reach(None, None, opened)
    # a joint that does not move the tool rests as near to zero as it may
    bounds = [b if matters else (min(max(0.0, b[0]), b[1]),) * 2 for b, matters in zip(bounds, used, strict=True)]
    low, high = np.array(bounds).T
    samples = np.random.default_rng(0).uniform(low, high, (SAMPLES, tree.n))
    distances = np.linalg.norm(compute.pose(samples)[:, :3, 3], axis=-1)
    if distances.max() > LONGEST:
        return Reach(None, None, opened)
    starts = samples[np.argsort(distances)[-STARTS:]]

    # All climbs as one problem whose parts do not touch each other: one batched pose a step instead of STARTS.
    def descent(flat: Floats) -> tuple[float, Floats]:
        q = flat.reshape(starts.shape)
        p = compute.pose(q)[:, :3, 3]
        slopes = (p[:, None, :] @ compute.jacobian(q)[:, :3])[:, 0]
        return -0.5 * float((p * p).sum()), -slopes.ravel()

    climbed = minimize(descent, starts.ravel(), jac=True, method="L-BFGS-B", bounds=bounds * STARTS)
    ends = np.clip(climbed.x.reshape(starts.shape), low, high)
    reached = np.linalg.norm(compute.pose(ends)[:, :3, 3], axis=-1)
    return Reach(float(reached.max()), ends[reached.argmax()], opened)


def _bounds(joint: Joint) -> tuple[float, float]:
    """The span to search: the position limits, a turning joint once around at most."""
    low, high = joint.limits.position or (-inf, inf)
    if joint.kind in ("revolute", "continuous") and high - low > 2 * pi:
        middle = 0.0 if low <= -pi and high >= pi else low + pi
        return middle - pi, middle + pi
    return low, high
