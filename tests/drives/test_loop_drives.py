"""Drives of an arm with loops: rotors, gears and friction at its free joints."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import torsor
from torsor.arm import Arm
from torsor.errors import Unsupported
from torsor.model.parts import BASE, Drive, DriveFriction, JointFriction, Motor

Z = np.array([0.0, 0.0, 1.0])
CARRIERS = {"joint1": BASE, "joint2": 0, "joint4": 2, "joint5": 3, "joint6": 4, "joint7": 0}
FRICTION = DriveFriction(viscous=1e-4, coulomb=(0.01, 0.02), load=0.05)


def driven(model, joint, ratios, inertia=1e-4):
    row = np.zeros(model.n)
    for name, ratio in ratios.items():
        row[model.joint_names.index(name)] = ratio
    return Drive(f"motor of {joint}", row, 0.0, inertia, CARRIERS.get(joint, BASE), Z, Motor(torque=5.0), FRICTION)


@pytest.fixture(scope="module")
def arm():
    """asea-irb with motors of 50 to 100 turns, the last one coupled to the bend of the wrist."""
    model = torsor.load("asea-irb").model
    drives = [
        driven(model, name, {name: 50.0 + 10.0 * k} | ({"joint5": 5.0} if name == "joint6" else {}), 1e-4 * (k + 1))
        for k, name in enumerate(CARRIERS)
    ]
    return Arm(replace(model, drives=tuple(drives)))


@pytest.fixture(scope="module")
def state(arm):
    rng = np.random.default_rng(1)
    return arm.closure.free_of(arm.closure.reference), rng.normal(size=6), rng.normal(size=6)


def test_rotors_inside_the_dynamics(arm, state):
    x, xd, xdd = state
    M, C = arm.mass_matrix(x, drives=True), arm.coriolis_matrix(x, xd, drives=True)
    tau = arm.inverse_dynamics(x, xd, xdd, drives=True)
    np.testing.assert_allclose(M @ xdd + C @ xd + arm.gravity(x), tau, atol=1e-12)
    np.testing.assert_allclose(arm.forward_dynamics(x, xd, tau, drives=True), xdd, atol=1e-12)
    c = arm.closure
    q, qd, qdd = c.positions(x), c.velocities(x, xd), c.accelerations(x, xd, xdd)
    np.testing.assert_allclose(c.matrix(x).T @ arm.tree.inverse_dynamics(q, qd, qdd, drives=True), tau, atol=1e-12)
    h = 1e-6
    S = (arm.mass_matrix(x + h * xd, drives=True) - arm.mass_matrix(x - h * xd, drives=True)) / (2 * h) - 2 * C
    assert np.abs(S + S.T).max() < 1e-7
    N, I = arm.drives.N(), np.diag(1e-4 * np.arange(1, 7))
    np.testing.assert_allclose(arm.mass_matrix(x, drives="reduced"), arm.mass_matrix(x) + N.T @ I @ N, atol=1e-12)


def test_motor_torques_and_back(arm, state):
    x, xd, xdd = state
    drives = arm.drives
    tau = arm.inverse_dynamics(x, xd, xdd, drives=True)
    np.testing.assert_allclose(
        drives.torques(x, xd, xdd, friction=False), np.linalg.solve(drives.N().T, tau), atol=1e-14
    )
    u = drives.torques(x, xd, xdd)
    np.testing.assert_allclose(drives.forward(x, xd, torque=u), xdd, atol=1e-11)
    power = drives.power(x, xd, xdd)
    assert power.friction > 0.0
    np.testing.assert_allclose(power.motor, power.friction + power.stored + power.tool, rtol=1e-12)
    assert drives.positions(x).shape == (6,)
    assert (drives.effective_inertia(x) > 1e-4).all()


def test_drives_of_joints_that_loops_move_are_refused(arm):
    model = arm.tree.model
    wrong = replace(arm.model, drives=(driven(model, "joint1", {"joint3": 50.0}),))
    with pytest.raises(Unsupported) as raised:
        _ = Arm(wrong).drives
    assert str(raised.value) == (
        "drive 'motor of joint1' of 'asea-irb' turns joint 'joint3', which a loop moves; "
        "drives sit on driven joints: joint1, joint2, joint4, joint5, joint6, joint7"
    )


def test_friction_of_joints_that_loops_move_is_refused(arm):
    links = list(arm.model.links)
    links[2] = replace(links[2], joint=replace(links[2].joint, friction=JointFriction(viscous=0.1)))
    with pytest.raises(Unsupported, match="joint 'joint3' of 'asea-irb' has friction, and is moved by a loop"):
        _ = Arm(replace(arm.model, links=tuple(links))).drives
