"""Every quantity against Pinocchio, on random trees and on the library's arms."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pinocchio as pin
import pytest
from hypothesis import given, settings

import torsor
from library_arms import library
from pinocchio_oracle import PinocchioArm
from random_arms import arms_and_states, random_state
from torsor import Arm
from torsor.model.model import Model

TOLERANCE = 1e-12  # relative: a few thousand roundings; 1500 random trees came out at 3e-15
EPS = np.finfo(float).eps


def agree(mine: np.ndarray, theirs: np.ndarray, scale: float, what: str, tolerance: float = TOLERANCE) -> None:
    """Equal relative to the size of what was added up to get there: a sum may cancel to nothing."""
    worst = float(np.abs(np.asarray(mine) - theirs).max(initial=0.0))
    assert worst <= tolerance * scale, f"{what} differs by {worst:.3g}, of {scale:.3g}"


def compare(arm: Any, model: Model, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray, frames: Sequence[str]) -> None:
    """``arm`` is an Arm or its reference: they answer to the same names."""
    oracle = PinocchioArm(model)
    for frame in frames:
        T = oracle.pose(q, frame)
        agree(arm.pose(q, frame=frame), T, 1.0 + np.abs(T).max(), f"pose of {frame}")
        J = oracle.jacobian(q, frame)
        size = 1.0 + np.abs(J).max()
        agree(arm.jacobian(q, frame=frame), J, size, f"jacobian of {frame}")
        bias = oracle.jacobian_dot_qd(q, qd, frame)
        speed = 1.0 + np.abs(oracle.K @ qd).sum()
        agree(arm.jacobian_dot_qd(q, qd, frame=frame), bias, size * speed**2, f"jacobian_dot_qd of {frame}")

    wrench = np.array([3.0, -2.0, 5.0, 0.5, 1.5, -1.0])
    loads = oracle.bearing_loads(q, qd, qdd)
    load = max(1.0, *(float(np.abs(each).max()) for each in loads.values()))
    agree(arm.inverse_dynamics(q, qd, qdd), oracle.inverse_dynamics(q, qd, qdd), load, "tau")
    mine = arm.bearing_loads(q, qd, qdd)
    moving = [link.name for link in model.links if link.joint.moves]
    agree(mine, np.array([loads[name] for name in moving]), load, "bearing loads")
    pushed = oracle.inverse_dynamics(q, qd, qdd, wrench)
    agree(arm.inverse_dynamics(q, qd, qdd, wrench=wrench), pushed, load * 10, "tau with wrench")
    agree(arm.gravity(q), oracle.gravity(q), load * 10, "gravity")

    M = oracle.mass_matrix(q)
    inertia = np.abs(M).max()
    agree(arm.mass_matrix(q), M, inertia, "M")
    speed = max(1.0, float(np.abs(oracle.K @ qd).max()))
    agree(arm.coriolis_matrix(q, qd), oracle.coriolis_matrix(q, qd), inertia * speed * 10, "C")
    kinetic, potential = oracle.energy(q, qd)
    agree(arm.energy(q, qd)[0], kinetic, 1.0 + kinetic, "kinetic energy")
    agree(arm.energy(q, qd)[1], potential, 1.0 + 100 * model.total_mass, "potential energy")

    condition = float(np.linalg.cond(M))
    if condition < 1e9:  # massless links on one axis leave a joint that moves nothing
        tau = oracle.inverse_dynamics(q, qd, qdd, wrench)
        worst = np.abs(arm.forward_dynamics(q, qd, tau, wrench=wrench) - qdd).max()
        # the solution of a linear system inherits the errors of tau and M, times the condition of M
        assert worst <= 1e3 * EPS * condition * (np.abs(qdd).max() + load / inertia)


def frames_of(model: Model) -> list[str]:
    return ["tool", *model.frames, model.links[0].name, model.links[-1].name]


@settings(max_examples=40, deadline=None)
@given(arms_and_states())
def test_random_trees(case):
    model, (q, qd, qdd) = case
    compare(Arm(model).reference, model, q, qd, qdd, frames_of(model))


@pytest.mark.parametrize("robot", library())
def test_library(robot):
    arm = torsor.load(robot).tree
    for seed in range(3):
        compare(arm.reference, arm.model, *random_state(arm.n, seed), frames_of(arm.model))


@pytest.mark.parametrize("robot", library())
def test_library_compiled(robot):
    arm = torsor.load(robot).tree
    for seed in range(3):
        compare(arm, arm.model, *random_state(arm.n, seed), ["tool"])


@pytest.mark.parametrize("robot", ["ur5", "panda"])
def test_urdf_read_by_both(robot):
    """The same file through Pinocchio's own reader: no torsor code at all on the other side.

    The UR5 prints pi/2 with 12 digits (1.57079632679), which torsor takes for a quarter turn: hence 1e-10.
    """
    same = partial(agree, tolerance=1e-10)
    path = Path(str(files("torsor.model.library"))) / f"{robot}.urdf"
    theirs = pin.buildModelFromUrdf(str(path))
    data = theirs.createData()
    arm = torsor.load(robot)
    at = [theirs.joints[theirs.getJointId(name)].idx_v for name in arm.joint_names]  # their order of joints
    assert theirs.nq == theirs.nv == arm.n
    frames = [link.name for link in arm.model.links]
    for seed in range(5):
        state = random_state(arm.n, seed)
        q, qd, qdd = (np.zeros(arm.n) for _ in range(3))
        for full, mine in zip((q, qd, qdd), state, strict=True):
            full[at] = mine
        tau = pin.rnea(theirs, data, q, qd, qdd)[at]
        load = max(float(np.abs(f.vector).max()) for f in data.f.tolist()[1:])
        same(arm.inverse_dynamics(*state), tau, load, "tau")
        M = pin.crba(theirs, data, q)
        M = (np.triu(M) + np.triu(M, 1).T)[np.ix_(at, at)]
        same(arm.mass_matrix(state[0]), M, float(np.abs(M).max()), "M")
        same(arm.gravity(state[0]), pin.computeGeneralizedGravity(theirs, data, q)[at], load, "gravity")
        pin.framesForwardKinematics(theirs, data, q)
        for frame in frames:
            T = data.oMf[theirs.getFrameId(frame)].homogeneous
            same(arm.reference.pose(state[0], frame=frame), T, 2.0, f"pose of {frame}")
        world = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
        J = pin.computeFrameJacobian(theirs, data, q, theirs.getFrameId(frames[-1]), world)[:, at]
        same(arm.reference.jacobian(state[0], frame=frames[-1]), J, 2.0, "jacobian")
