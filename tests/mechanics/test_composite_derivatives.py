"""Derivatives of inverse dynamics by composite bodies, on floats, against complex steps; and what they cost."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings

import torsor
from random_arms import arms_and_states, random_state
from torsor.algebra import Count, count, simplify
from torsor.measuring.chains import chain, general_arm
from torsor.mechanics import composite_derivatives, newton_euler
from torsor.mechanics.asking import Question
from torsor.mechanics.canonical import at_feet, canonical, in_lengths, unit_length
from torsor.mechanics.kinematics import steps
from torsor.mechanics.parallel_axes import in_shared_axes
from torsor.mechanics.quantities import QUANTITIES
from torsor.mechanics.reference_quantities import ReferenceQuantities
from torsor.mechanics.tree import Tree, lower
from torsor.model.mass import Mass

STEP = 1e-200  # of complex steps: no cancellation, so no error
SLOPES = ("inverse_dynamics_derivatives", "forward_dynamics_derivatives")


def stepped(tree: Tree, states: tuple[np.ndarray, ...], gravity: np.ndarray) -> list[np.ndarray]:
    """d tau/dq, d tau/dqd and d tau/dqdd of Newton-Euler on the plain tree."""
    found = []
    for k in range(3):
        moved = [x[..., None, :] + (1j * STEP * np.eye(x.shape[-1]) if j == k else 0.0) for j, x in enumerate(states)]
        tau = newton_euler.inverse_dynamics(tree, *moved, gravity)
        found.append(np.swapaxes(np.broadcast_to(tau, moved[k].shape).imag / STEP, -1, -2))
    return found


def page_agrees(plain: Tree, states: tuple[np.ndarray, ...], gravity: np.ndarray) -> None:
    """On the tree as it is, and on the lean one: to 1e-12 of what the links carry."""
    right = stepped(plain, states, gravity)
    load = float(np.abs(newton_euler.bearing_loads(plain, *states, gravity)).max())
    rest = ReferenceQuantities(plain).gravity(states[0], gravity=gravity)
    for tree in (plain, canonical(plain)):
        *found, at_rest = composite_derivatives.slopes(tree, *states, gravity)
        for mine, theirs in zip(found, right, strict=True):
            assert mine.shape == theirs.shape
            assert np.abs(mine - theirs).max() <= 1e-12 * max(10.0 * load, float(np.abs(theirs).max()))
        assert np.abs(at_rest - rest).max() <= 1e-12 * max(load, float(np.abs(rest).max()))


@settings(max_examples=30, deadline=None)
@given(arms_and_states(batch=(3,), max_links=9))
def test_random_trees(arm_and_states):
    """All joints, branches, massless links, joints that follow others, payloads."""
    model, states = arm_and_states
    plain = lower(model)
    page_agrees(plain, states, plain.gravity)


@pytest.mark.parametrize("robot", ["panda", "ur5", "puma560", "rl15", "stanford", "scara", "sdt4", "planar3"])
def test_arms_of_the_library(robot):
    """Small entries, too, where large ones stand beside them."""
    plain = torsor.load(robot).tree._trees.plain
    states = random_state(plain.n, 5, (20,))
    found = composite_derivatives.slopes(canonical(plain), *states, plain.gravity)
    for mine, right in zip(found, stepped(plain, states, plain.gravity), strict=False):
        largest = np.abs(right).max(axis=(-2, -1), keepdims=True)
        assert (np.abs(mine - right) <= np.maximum(1e-8 * np.abs(right), 1e-13 * largest)).all()
    page_agrees(plain, states, np.array([3.0, -2.0, 5.0]))


@pytest.mark.parametrize("drives", [pytest.param(False, marks=pytest.mark.slow), True])
def test_kernels_with_drives_wrench_gravity_and_payload(drives):
    """What drives and a wrench add is differentiated beside the page."""
    model = torsor.load("stanford").model
    arm = torsor.Arm(replace(model, payload=Mass(5.0, np.array([0.1, 0.02, 0.2]), 0.1 * np.eye(3))))
    q, qd, qdd = random_state(arm.n, 2, (4,))
    more = {"drives": drives, "wrench": np.array([30.0, -20.0, 10.0, 3.0, 5.0, -4.0]), "gravity": [1.0, 2.0, -9.0]}
    h = 1e-5

    def slopes(f, at):
        columns = [(8 * (f(at + h * e) - f(at - h * e)) - f(at + 2 * h * e) + f(at - 2 * h * e)) / 12 / h for e in E]
        return np.stack(columns, axis=-1)

    E = np.eye(arm.n)
    tau = arm.inverse_dynamics(q, qd, qdd, **more)
    inverse = arm.inverse_dynamics_derivatives(q, qd, qdd, **more)
    forward = arm.forward_dynamics_derivatives(q, qd, tau, **more)
    right = (
        slopes(lambda x: arm.inverse_dynamics(x, qd, qdd, **more), q),
        slopes(lambda x: arm.inverse_dynamics(q, x, qdd, **more), qd),
        arm.mass_matrix(q, drives=drives),
        slopes(lambda x: arm.forward_dynamics(x, qd, tau, **more), q),
        slopes(lambda x: arm.forward_dynamics(q, x, tau, **more), qd),
        np.linalg.inv(arm.mass_matrix(q, drives=drives)),
    )
    for mine, theirs in zip((*inverse, *forward), right, strict=True):
        assert np.abs(mine - theirs).max() <= 1e-8 * np.abs(theirs).max()


def test_parallel_joints_share_axes():
    """The UR5's second to fourth do: one turn, by the sum of their angles, and nothing between them."""
    tree = torsor.load("ur5")._trees.lean
    shared = in_shared_axes(tree, np.linspace(0.1, 0.6, 6))
    assert [step.c is None for step in shared] == [False, False, True, True, False, False]
    total = 0.2 + 0.3 + 0.4 + sum(body.shift for body in tree.bodies[1:4])
    assert sorted(np.abs([shared[1].c, shared[1].s])) == pytest.approx(sorted(np.abs([np.cos(total), np.sin(total)])))
    alone = torsor.load("panda")._trees.lean
    for mine, plain in zip(in_shared_axes(alone, np.ones(7)), steps(alone, np.ones(7)), strict=True):
        assert (mine.c, mine.s, mine.reach) == (plain.c, plain.s, plain.reach)


def test_origins_at_feet_and_units_of_length_leave_torques():
    plain = torsor.load("panda")._trees.plain
    q, qd, qdd = random_state(7, 1, (5,))
    tau = newton_euler.inverse_dynamics(plain, q, qd, qdd, plain.gravity)
    feet = at_feet(canonical(plain))
    assert not any(body.along for body in feet.bodies)
    unit = unit_length(feet)
    assert unit == pytest.approx(0.0825)  # across the elbow, there and back
    whole = in_lengths(feet, unit)
    for tree in (feet, whole):
        found = newton_euler.inverse_dynamics(tree, q, qd, qdd, tree.gravity)
        np.testing.assert_allclose(found, tau, rtol=0, atol=1e-13 * np.abs(tau).max())
    assert [abs(whole.bodies[k].position[0]) for k in (3, 4)] == [1.0, 1.0]
    assert unit_length(canonical(torsor.load("stanford")._trees.plain)) == 1.0  # sliding joints are in metres


@cache
def counted(robot: str, quantity: str) -> tuple[Count, str]:
    arm = torsor.Arm(general_arm(6)) if robot == "general6r" else torsor.load(robot)
    traced = Question(arm._trees, QUANTITIES[quantity]).traced()
    return count(simplify(traced.outputs)), traced.by


# M and A at most, of inverse and of forward dynamics; those of the Panda are the aim of issue 16
LIMITS = {
    "planar2": ((17, 12), (46, 27)),
    "planar3": ((63, 48), (148, 109)),
    "scara": ((27, 15), (56, 35)),
    "sdt4": ((255, 175), (448, 316)),
    "stanford": ((482, 362), (964, 744)),
    "ur5": ((470, 441), (955, 870)),
    "puma560-burdick": ((625, 538), (1130, 967)),
    "puma560": ((603, 520), (1111, 951)),
    "irb140": ((580, 481), (1088, 911)),
    "rl15": ((732, 641), (1292, 1120)),
    "general6r": ((1840, 1450), (2516, 1991)),
    "panda": ((1300, 1150), (2240, 1930)),
    "fourbar": ((161, 87), (171, 91)),
    "five-bar": ((365, 213), (404, 237)),
    "parallelogram5": ((2270, 1770), (2460, 1910)),
    "asea-irb": ((1380, 1055), (1990, 1550)),
    "delta": ((1652, 1190), (1746, 1258)),
}
QUICK = ("planar2", "scara", "ur5", "panda")


@pytest.mark.parametrize(
    "robot", [pytest.param(name, marks=[pytest.mark.slow] * (name not in QUICK)) for name in LIMITS]
)
def test_counts(robot):
    for quantity, (M, A) in zip(SLOPES, LIMITS[robot], strict=True):
        found, _ = counted(robot, quantity)
        assert found.M <= M, f"{quantity}: {found}"
        assert found.A <= A, f"{quantity}: {found}"


def test_the_cheaper_is_taken():
    assert counted("panda", SLOPES[0])[1] == "composite differentiated"
    assert counted("planar2", SLOPES[0])[1] == "newton-euler differentiated, composite"


def test_long_chains_are_not_differentiated():
    """Beyond the largest solve the page is always the cheaper one, and the graph takes long to differentiate."""
    arm = torsor.Arm(chain(18))
    assert Question(arm._trees, QUANTITIES[SLOPES[0]]).traced().by == "composite differentiated"
