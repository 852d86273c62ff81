"""What closed forms are to cost: an arm in its free joints beside its own open tree, all branches of a 6R's pose."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from torsor.arm import Arm
from torsor.bench.findings import Row
from torsor.loading import load
from torsor.measuring.agreement import difference
from torsor.measuring.state_loop import over_states
from torsor.measuring.states import states
from torsor.measuring.stopwatch import TimeBudget, TimedWork, alone, compared, repeated
from torsor.model.transforms import Floats

LOOPED = "asea-irb"
SIX = ("puma560", "irb140", "ur5")  # two spherical wrists, and three parallel axes
SEVEN, STARTS = "panda", 16
HALF = 0.5  # of the open tree's speed, at least
MICROSECOND = 1e-6  # for all branches of a pose, at most


def free_joints(effort: TimeBudget) -> Iterator[Row]:
    """Inverse dynamics in free joints, beside those of the tree in which all joints are given."""
    arm = load(LOOPED)
    tree, tree_states = arm.tree, states(effort.batch, arm.tree.n)
    inputs = _closable(arm, effort.batch)
    given = [a[:64] for a in inputs]
    error = difference(arm.inverse_dynamics(*given), arm.reference.inverse_dynamics(*given))
    kernels = arm.kernel("inverse_dynamics"), tree.kernel("inverse_dynamics")
    addresses = [kernel.scalar_address for kernel in kernels]
    if addresses[0] is not None and addresses[1] is not None:
        count = effort.states
        tasks = [
            TimedWork(over_states(address, [*(a[:count] for a in arrays), np.empty_like(arrays[0][:count])]), count)
            for address, arrays in zip((addresses[0], addresses[1]), (inputs, tree_states), strict=True)
        ]
        yield _row(LOOPED, "ID native, free joints", tasks[0], tasks[1], error, effort)

    def batch(which: Arm, arrays: list[Floats]) -> TimedWork:
        out = np.empty_like(arrays[0])
        return repeated(lambda: which.inverse_dynamics(*arrays, out=out, threads=1), len(out))

    ours, theirs = batch(arm, inputs), batch(tree, tree_states)
    yield _row(LOOPED, f"ID batch of {effort.batch}, free joints", ours, theirs, error, effort)


def inverse_kinematics(effort: TimeBudget) -> Iterator[Row]:
    """Many poses in one call: all branches, a path on one branch, rates; and by search. The tool must come back."""
    count = effort.derivative_batch
    for name in SIX:
        arm = load(name)
        T = arm.pose(states(count, arm.n)[0])
        solve = partial(arm._solver.closed_form, T)
        found = solve()
        there = np.isfinite(found).all(axis=-1)
        reached = np.broadcast_to(T[:, None], (*there.shape, 4, 4))[there]
        error = difference(arm.pose(found[there]), reached) if there.any(axis=-1).all() else float("inf")
        yield _alone(name, f"IK, all branches, {count} poses", solve, count, error, effort, MICROSECOND)
    arm = load(SIX[0])
    path = _smooth(arm, count)
    follow = partial(arm.inverse_kinematics, arm.pose(path), nearest=path[0], limits=False)
    yield _alone(arm.name, f"IK, a path of {count} poses", follow, count, difference(follow(), path), effort)
    qd = states(count, arm.n)[1]
    twists = (arm.jacobian(path) @ qd[..., None])[..., 0]
    rates = partial(arm.inverse_velocity, path, twists, damping=1e-9)
    yield _alone(arm.name, f"inverse velocity, {count} states", rates, count, difference(rates(), qd), effort)
    arm = load(SEVEN)
    search = arm._solver.search
    few = count // 50
    T = arm.pose(search.starts(few, seed=7))
    seek = partial(search.solutions, T, count=STARTS)
    solutions = seek()
    there = np.isfinite(solutions).all(axis=-1)
    error = difference(arm.pose(solutions[there]), np.broadcast_to(T[:, None], (*there.shape, 4, 4))[there])
    yield _alone(arm.name, f"IK by search, {STARTS} starts", seek, few, error, effort)


def _smooth(arm: Arm, count: int) -> Floats:
    """Joints along a smooth path on which the wrist never is straight."""
    s = np.linspace(0.0, 1.0, count)[:, None]
    path: Floats = 0.3 + 0.2 * np.sin(2.0 * np.pi * s * np.arange(1, arm.n + 1) / 3.0)
    path[:, 4] += 0.5
    return path


def _alone(
    name: str, what: str, call: Any, evaluations: int, error: float, effort: TimeBudget, at_most: float | None = None
) -> Row:
    row = Row(name, what, at_most=at_most, error=error)
    return row if row.wrong else replace(row, ours=alone(repeated(call, evaluations), effort))


def _closable(arm: Arm, count: int) -> list[Floats]:
    """States of free joints at which the loops close."""
    q, qd, qdd = states(4 * count, arm.n)
    closes = np.isfinite(arm.closure.positions(q)).all(axis=-1)
    kept = np.resize(np.flatnonzero(closes), count)  # over again where too few do
    return [np.ascontiguousarray(a[kept]) for a in (q, qd, qdd)]


def _row(name: str, what: str, ours: TimedWork, theirs: TimedWork, error: float, effort: TimeBudget) -> Row:
    row = Row(name, what, "its open tree", at_least=HALF, error=error)
    if row.wrong:
        return row
    f = compared(ours, theirs, effort)
    return replace(row, ours=f.ours, theirs=f.theirs, ratio=f.ratio)
