"""Friction at the joints of arms without motors: F_v qd and F_c sign(qd) beside the dynamics of the links."""

from dataclasses import replace

import numpy as np
import pytest

import torsor
from torsor.arm import Arm
from torsor.errors import Unsupported
from torsor.model.parts import JointFriction

RNG = np.random.default_rng(17)


def rubbing_arm(name, dry=1.0):
    """A library arm with friction at every joint, another at each."""
    model = torsor.load(name).model
    links = tuple(
        replace(link, joint=replace(link.joint, friction=JointFriction(0.3 + 0.2 * k, dry * (1.0 + 0.5 * k))))
        for k, link in enumerate(model.links)
    )
    return Arm(replace(model, links=links, drives=()))


def moving(arm, many=20):
    q, qd, qdd = RNG.uniform(-0.3, 0.3, (3, many, arm.n))
    if arm.model.loops:
        q = arm.closure.free_of(arm.closure.reference) + 0.1 * q
    return q, qd, qdd


@pytest.mark.parametrize("by", [None, "exponentials"])
def test_it_is_what_the_thesis_adds_to_the_torques(by):
    arm = rubbing_arm("irb140")
    q, qd, qdd = moving(arm)
    viscous, dry = 0.3 + 0.2 * np.arange(6), 1.0 + 0.5 * np.arange(6)
    more = arm.inverse_dynamics(q, qd, qdd, drives=True, by=by) - arm.inverse_dynamics(q, qd, qdd)
    np.testing.assert_allclose(more, viscous * qd + dry * np.sign(qd), rtol=1e-10, atol=1e-11)


@pytest.mark.parametrize("name", ["irb140", "fourbar"])
def test_accelerations_are_those_of_the_torques(name):
    arm = rubbing_arm(name)
    q, qd, qdd = moving(arm)
    tau = arm.inverse_dynamics(q, qd, qdd, drives=True)
    np.testing.assert_allclose(arm.forward_dynamics(q, qd, tau, drives=True), qdd, rtol=1e-8, atol=1e-8)


def test_joints_that_a_loop_moves_rub_by_virtual_work():
    """Power that is lost is that of all joints of the tree, those without a motor too."""
    arm = rubbing_arm("fourbar")
    q, qd, qdd = moving(arm)
    lost = ((arm.inverse_dynamics(q, qd, qdd, drives=True) - arm.inverse_dynamics(q, qd, qdd)) * qd).sum(axis=-1)
    rates = arm.closure.velocities(q, qd)
    own = [link.joint.friction for link in arm.model.independent]
    expected = sum(f.viscous * rates[:, k] ** 2 + f.coulomb * np.abs(rates[:, k]) for k, f in enumerate(own))
    np.testing.assert_allclose(lost, expected, rtol=1e-9)


@pytest.mark.parametrize("name", ["planar3", "fourbar"])
@pytest.mark.parametrize("what", ["inverse_dynamics", "forward_dynamics"])
def test_slopes_are_differences(name, what):
    arm, h = rubbing_arm(name), 1e-6
    q, qd, last = (each[0] for each in moving(arm, 1))
    dq, dqd, _ = getattr(arm, f"{what}_derivatives")(q, qd, last, drives=True)
    ask = getattr(arm, what)
    for k, unit in enumerate(np.eye(arm.n)):
        along_q = (ask(q + h * unit, qd, last, drives=True) - ask(q - h * unit, qd, last, drives=True)) / (2 * h)
        along_qd = (ask(q, qd + h * unit, last, drives=True) - ask(q, qd - h * unit, last, drives=True)) / (2 * h)
        np.testing.assert_allclose(dq[:, k], along_q, rtol=1e-6, atol=1e-6 * (1 + np.abs(dq).max()))
        np.testing.assert_allclose(dqd[:, k], along_qd, rtol=1e-6, atol=1e-6 * (1 + np.abs(dqd).max()))


def test_what_does_not_move_does_not_rub():
    arm = rubbing_arm("irb140")
    q, _, qdd = moving(arm)
    plain = arm.inverse_dynamics(q, 0 * q, qdd)  # by another tape
    rubbing = arm.inverse_dynamics(q, 0 * q, qdd, drives=True)
    np.testing.assert_allclose(rubbing, plain, rtol=0.0, atol=1e-14 * np.abs(plain).max())
    np.testing.assert_array_equal(arm.mass_matrix(q, drives=True), arm.mass_matrix(q))


def test_an_arm_without_motors_and_friction_is_refused():
    with pytest.raises(Unsupported, match=r"'planar2' has no drives; .* or friction at its joints"):
        torsor.load("planar2").inverse_dynamics([0, 0], [0, 0], [0, 0], drives=True)
