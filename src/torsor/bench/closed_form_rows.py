"""What closed forms are to cost: an arm in its free joints beside its own open tree, all branches of a 6R's pose."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import numpy as np

from torsor.arm import Arm
from torsor.bench.findings import Row
from torsor.loading import load
from torsor.measuring.agreement import difference
from torsor.measuring.state_loop import kernel_work
from torsor.measuring.states import states
from torsor.measuring.stopwatch import TimeBudget, TimedWork, repeated
from torsor.model.transforms import Floats

LOOPED = "asea-irb"
SIX = ("puma560", "irb140", "ur5")  # two spherical wrists, and three parallel axes
SEVEN, STARTS = "panda", 16
HALF = 0.5  # of the open tree's speed, at least
MICROSECOND = 1e-6  # for all branches of a pose, at most


def free_joints(effort: TimeBudget) -> Iterator[Row]:
    """Inverse dynamics in free joints, beside those of the tree in which all joints are given."""
    arm = load(LOOPED)
    inputs, of_tree = _closable(arm, effort.batch), states(effort.batch, arm.tree.n)
    given = [a[:64] for a in inputs]
    error = difference(arm.inverse_dynamics(*given), arm.reference.inverse_dynamics(*given))

    def works(count: int) -> Iterator[tuple[TimedWork | None, TimedWork]]:
        for each, arrays in ((arm, inputs), (arm.tree, of_tree)):
            _, single, batch = kernel_work(each.kernel("inverse_dynamics"), [a[:count] for a in arrays])
            yield single, batch

    row = Row(LOOPED, "ID native, free joints", "its open tree", at_least=HALF, error=error)
    (ours, _), (theirs, _) = works(effort.states)
    if ours is not None and theirs is not None:
        yield row.timed(effort, ours, theirs)
    (_, whole), (_, of_all) = works(effort.batch)
    yield replace(row, what=f"ID batch of {effort.batch}, free joints").timed(effort, whole, of_all)


def inverse_kinematics(effort: TimeBudget) -> Iterator[Row]:
    """Many poses in one call: all branches, a path on one branch, rates; and by search. The tool must come back."""
    count = effort.derivative_batch
    for name in SIX:
        arm = load(name)
        T = arm.pose(states(count, arm.n)[0])
        solve = partial(arm._solver.closed_form, T)
        there, error = _reached(arm, solve(), T)
        row = Row(name, f"IK, all branches, {count} poses", at_most=MICROSECOND, error=error if there else np.inf)
        yield row.timed(effort, repeated(solve, count))
    arm = load(SIX[0])
    path = _smooth(arm, count)
    follow = partial(arm.inverse_kinematics, arm.pose(path), nearest=path[0], limits=False)
    row = Row(arm.name, f"IK, a path of {count} poses", error=difference(follow(), path))
    yield row.timed(effort, repeated(follow, count))
    qd = states(count, arm.n)[1]
    twists = (arm.jacobian(path) @ qd[..., None])[..., 0]
    rates = partial(arm.inverse_velocity, path, twists, damping=1e-9)
    row = Row(arm.name, f"inverse velocity, {count} states", error=difference(rates(), qd))
    yield row.timed(effort, repeated(rates, count))
    arm, few = load(SEVEN), count // 50
    T = arm.pose(arm._solver.search.starts(few, seed=7))
    seek = partial(arm._solver.search.solutions, T, count=STARTS)
    row = Row(arm.name, f"IK by search, {STARTS} starts", error=_reached(arm, seek(), T)[1])
    yield row.timed(effort, repeated(seek, few))


def _reached(arm: Arm, found: Floats, T: Floats) -> tuple[bool, float]:
    """Whether every pose has a solution, and how far the solutions' poses are from those asked for."""
    there = np.isfinite(found).all(axis=-1)
    asked = np.broadcast_to(T[:, None], (*there.shape, 4, 4))[there]
    return bool(there.any(axis=-1).all()), difference(arm.pose(found[there]), asked)


def _smooth(arm: Arm, count: int) -> Floats:
    """Joints along a smooth path on which the wrist never is straight."""
    s = np.linspace(0.0, 1.0, count)[:, None]
    path: Floats = 0.3 + 0.2 * np.sin(2.0 * np.pi * s * np.arange(1, arm.n + 1) / 3.0)
    path[:, 4] += 0.5
    return path


def _closable(arm: Arm, count: int) -> list[Floats]:
    """States of free joints at which the loops close."""
    q, qd, qdd = states(4 * count, arm.n)
    closes = np.isfinite(arm.closure.positions(q)).all(axis=-1)
    kept = np.resize(np.flatnonzero(closes), count)  # over again where too few do
    return [np.ascontiguousarray(a[kept]) for a in (q, qd, qdd)]
