"""The centre of mass of an arm and of its links: by masses and poses, by differences, by Pinocchio, by Newton's law."""

import numpy as np
import pytest
from hypothesis import given, settings

import torsor
from pinocchio_oracle import PinocchioArm
from random_arms import arms_and_states, random_state
from torsor.arm import Arm
from torsor.errors import ModelError
from torsor.mechanics.reference_quantities import ReferenceQuantities
from torsor.mechanics.tree import lower

STEP = 1e-200  # of complex steps: no cancellation, so no error
TREES = ["planar3", "puma560", "stanford", "ur5", "scara"]
LOOPS = ["asea-irb", "delta", "fourbar", "slider-crank"]


def close(mine, right, size=1.0):
    np.testing.assert_allclose(mine, right, rtol=0, atol=1e-12 * (size + np.abs(right).max()))


def states_of(arm, batch=()):
    q, qd, qdd = random_state(arm.n, 5, batch)
    if arm.model.loops:
        q = arm.closure.free_of(arm.closure.reference) + 0.02 * q
    return q, qd, qdd


def held_by_masses(model, arm, q):
    """From what the arm file says of each link: its own pose, mass and centre; the payload in the tool's."""
    parts = [(link.mass, arm.pose(q, frame=link.name)) for i, link in enumerate(model.links) if model.moving(i)]
    parts.append((model.payload, arm.pose(q)))
    parts = [(mass, T) for mass, T in parts if mass is not None]
    total = sum(mass.mass for mass, _ in parts)
    return sum(mass.mass * (T[..., :3, :3] @ mass.com + T[..., :3, 3]) for mass, T in parts) / total


@pytest.mark.parametrize("robot", TREES + LOOPS)
def test_positions_are_those_of_the_masses(robot):
    arm = torsor.load(robot).with_payload(1.5, [0.1, 0.0, 0.2])
    q, _, _ = states_of(arm, (3,))
    position, velocity, acceleration, *_ = arm.centre_of_mass(q)
    close(position, held_by_masses(arm.model, arm, q))
    assert not velocity.any()
    assert not acceleration.any()


@settings(max_examples=60, deadline=None)
@given(arms_and_states(batch=()))
def test_rates_are_derivatives_of_positions(arm_and_states):
    """Random trees, with screws, slides, branches and joints that follow others; by complex steps."""
    model, (q, qd, qdd) = arm_and_states
    reference = ReferenceQuantities(lower(model))
    if not sum(body.mass for body in reference.tree.bodies):
        with pytest.raises(ModelError, match="has no mass, and so no centre of mass"):
            reference.centre_of_mass(q, qd, qdd)
        return
    found = reference.centre_of_mass(q, qd, qdd)
    moved = reference.centre_of_mass(q + 1j * STEP * qd, qd + 1j * STEP * qdd, qdd)
    size = 1.0 + float(np.abs(found[2]).max()) + float(np.abs(found[5]).max())
    for mine, right in zip((found[1], found[2], found[4], found[5]), (moved[k] for k in (0, 1, 3, 4)), strict=True):
        close(mine, right.imag / STEP, size)


@settings(max_examples=20, deadline=None)
@given(arms_and_states(batch=(), max_links=5))
def test_the_compiled_one_is_the_reference(arm_and_states):
    model, (q, qd, qdd) = arm_and_states
    if sum(body.mass for body in lower(model).bodies):
        arm = Arm(model)
        for mine, right in zip(arm.centre_of_mass(q, qd, qdd), arm.reference.centre_of_mass(q, qd, qdd), strict=True):
            close(mine, right, 1.0 + np.abs(qd).max() ** 2 + np.abs(qdd).max())


@pytest.mark.parametrize("robot", ["puma560", "stanford", "ur5", "planar3"])
def test_pinocchio(robot):
    pin = pytest.importorskip("pinocchio")
    arm = torsor.load(robot)
    other = PinocchioArm(arm.model)
    q, qd, qdd = states_of(arm)
    pin.centerOfMass(other.pin, other.data, other.K @ q + other.shift, other.K @ qd, other.K @ qdd)
    right = [np.array(each[0]) for each in (other.data.com, other.data.vcom, other.data.acom)]
    right[0] = right[0] - arm.model.base[:3, 3]
    for mine, theirs in zip(arm.centre_of_mass(q, qd, qdd)[:3], right, strict=True):
        close(mine, arm.model.base[:3, :3].T @ theirs)


@pytest.mark.parametrize("robot", ["asea-irb", "fourbar"])
def test_loops_are_the_tree_at_closed_joints(robot):
    arm = torsor.load(robot)
    x, xd, xdd = states_of(arm, (4,))
    q, qd = arm.closure.positions(x), arm.closure.velocities(x, xd)
    qdd = arm.closure.accelerations(x, xd, xdd)
    for mine, right in zip(arm.centre_of_mass(x, xd, xdd), arm.tree.centre_of_mass(q, qd, qdd), strict=True):
        close(mine, right)


@pytest.mark.parametrize("robot", ["delta", "slider-crank", "five-bar"])
def test_rates_of_loops_by_differences(robot):
    arm = torsor.load(robot)
    x, xd, xdd = states_of(arm)
    h = 1e-4

    def at(t):
        return arm.centre_of_mass(x + t * xd + 0.5 * t * t * xdd, xd + t * xdd, xdd)

    before, now, after = at(-h), at(0.0), at(h)
    for k in (0, 3):
        size = 1.0 + np.abs(now[k + 2]).max()
        np.testing.assert_allclose((after[k] - before[k]) / (2 * h), now[k + 1], atol=1e-5 * size)
        np.testing.assert_allclose((after[k + 1] - before[k + 1]) / (2 * h), now[k + 2], atol=1e-4 * size)


@pytest.mark.parametrize("robot", ["puma560", "stanford"])
def test_newtons_law(robot):
    """M a = what the first bearing exerts + weight: the base carries the whole arm."""
    arm = torsor.load(robot)
    q, qd, qdd = states_of(arm)
    T = arm.pose(q, frame=arm.model.links[0].name)
    force = T[:3, :3] @ arm.bearing_loads(q, qd, qdd)[0, :3]
    mass = arm.model.total_mass
    close(mass * arm.centre_of_mass(q, qd, qdd)[2], force + mass * arm.model.gravity, 1e3)


def test_links_and_the_arm():
    arm = torsor.load("puma560")
    q, qd, qdd = states_of(arm, (2, 3))
    found = arm.centre_of_mass(q, qd, qdd)
    masses = arm.parameters[::10]
    for k in range(3):
        assert found[k].shape == (2, 3, 3)
        assert found[k + 3].shape == (2, 3, 6, 3)
        close(found[k], np.einsum("l,...lk->...k", masses, found[k + 3]) / masses.sum())
        np.testing.assert_array_equal(found[k][1, 2], arm.centre_of_mass(q[1, 2], qd[1, 2], qdd[1, 2])[k])


def test_rates_may_be_named_or_left_out():
    arm = torsor.load("planar2")
    q, qd = [0.3, 0.4], [1.0, -2.0]
    full = arm.centre_of_mass(q, qd, [0.0, 0.0])
    for less in (arm.centre_of_mass(q, qd), arm.centre_of_mass(q, qd=qd), arm.centre_of_mass(qd=qd, q=q)):
        for mine, right in zip(less, full, strict=True):
            np.testing.assert_array_equal(mine, right)
    with pytest.raises(TypeError, match="'qdd'"):
        arm.inverse_dynamics(q, qd)


def test_an_arm_without_mass():
    from dataclasses import replace

    from torsor.model import Mass

    model = torsor.load("planar2").model
    light = replace(model, links=tuple(replace(link, mass=Mass.none()) for link in model.links))
    with pytest.raises(ModelError, match="has no mass, and so no centre of mass; give its links mass"):
        Arm(light).centre_of_mass([0.0, 0.0])
