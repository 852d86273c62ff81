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
SHORTEST = 1e-6  # step of a climb, of a joint's range
ROUNDS = 500  # of a climb where loops hardly ever close, along a thread of postures; tens do elsewhere
LONGEST = 1e6  # m; an arm that slides further than this has no limits in earnest


@dataclass(frozen=True, eq=False)
class Reach:
    """``distance`` (m) of the tool from the base origin and the joint coordinates that give it, None if unbounded.

    For an arm with loops q are the free joints; the joints that loops move are within their limits too. Where its
    loops hardly ever close, the search is given up, and the arm may reach further: not ``is_largest``.
    """

    distance: float | None
    q: Floats | None
    is_largest: bool = True

    def __str__(self) -> str:
        if self.distance is None:
            return "unbounded"
        if not self.is_largest:
            return f"at least {self.distance:.3f} m from tool to base origin; its loops hardly ever close"
        return f"{self.distance:.3f} m, the largest distance of tool to base origin within the position limits"


def reach(arm: Arm) -> Reach:
    """Maximises |p_tool(q)| over the position limits: from the best of many random q, uphill along J^T p."""
    if arm.model.loops:
        return _closed_reach(arm)
    from scipy.optimize import minimize

    compute = arm.reference  # compiling a kernel would take longer than the few hundred poses asked for here
    used = np.abs(compute.jacobian(np.random.default_rng(0).uniform(-1.0, 1.0, arm.n))).sum(axis=0) > 0.0
    bounds = [joint_span(link.joint) for link in arm.model.independent]
    if any(high - low > LONGEST for (low, high), matters in zip(bounds, used, strict=True) if matters):
        return Reach(None, None)
    # a joint that does not move the tool rests as near to zero as it may
    bounds = [b if matters else (min(max(0.0, b[0]), b[1]),) * 2 for b, matters in zip(bounds, used, strict=True)]
    low, high = np.array(bounds).T
    samples = np.random.default_rng(0).uniform(low, high, (SAMPLES, arm.n))
    distances = np.linalg.norm(compute.pose(samples)[:, :3, 3], axis=-1)
    if distances.max() > LONGEST:
        return Reach(None, None)
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
    return Reach(float(reached.max()), ends[reached.argmax()])


def _closed_reach(arm: Arm) -> Reach:
    """Of an arm with loops: from the best of many random free joints, by ever shorter steps uphill.

    Where its loops cannot close, or move a joint beyond its limits, it cannot be; that edge has no slope to follow, so
    that steps are tried along every joint and in as many directions at random.
    """
    links = {link.joint.name: link.joint for link in arm.model.links}
    low, high = np.array([joint_span(links[name]) for name in arm.joint_names]).T
    reference = arm.closure.free_of(arm.closure.reference)
    # a slide without limits is held by its loop, somewhere within the arm's size
    size = sum(float(np.linalg.norm(link.joint.before[:3, 3] + link.joint.after[:3, 3])) for link in arm.model.links)
    low, high = np.where(np.isinf(low), reference - size, low), np.where(np.isinf(high), reference + size, high)
    least, most = np.array([links[name].limits.position or (-inf, inf) for name in arm.closure.names]).T

    def distances(x: Floats) -> Floats:
        flat = x.reshape(-1, x.shape[-1])
        q = arm.closure.positions(flat)
        with np.errstate(invalid="ignore"):
            kept = ((least <= q) & (q <= most)).all(axis=-1)
        far = np.full(len(flat), -inf)
        far[kept] = np.linalg.norm(arm.tree.reference.pose(q[kept])[:, :3, 3], axis=-1)
        return far.reshape(x.shape[:-1])

    rng = np.random.default_rng(0)
    samples = np.concatenate([reference[None], rng.uniform(low, high, (SAMPLES, arm.n))])
    found = distances(samples)
    best = samples[np.argsort(found)[-STARTS:]]
    far, step = np.sort(found)[-STARTS:], np.full(STARTS, 0.1)
    rows, along = np.arange(STARTS), np.broadcast_to(np.eye(arm.n), (STARTS, arm.n, arm.n))
    for _ in range(ROUNDS):
        if not (step > SHORTEST).any():
            break
        ways = np.concatenate([along, rng.normal(size=(STARTS, 2 * arm.n, arm.n))], axis=1)
        ways = np.concatenate([ways, -ways], axis=1) * (step[:, None] * (high - low))[:, None, :]
        tried = np.clip(best[:, None, :] + ways, low, high)
        reached = distances(tried)
        chosen = rows, reached.argmax(axis=1)
        better = reached[chosen] > far
        best = np.where(better[:, None], tried[chosen], best)
        far, step = np.where(better, reached[chosen], far), np.where(better, step, 0.5 * step)
    return Reach(float(far.max()), best[far.argmax()], is_largest=not (step > SHORTEST).any())


def joint_span(joint: Joint) -> tuple[float, float]:
    """The span to search: the position limits, a turning joint once around at most."""
    low, high = joint.limits.position or (-inf, inf)
    if joint.kind in ("revolute", "continuous") and high - low > 2 * pi:
        middle = 0.0 if low <= -pi and high >= pi else low + pi
        return middle - pi, middle + pi
    return low, high
