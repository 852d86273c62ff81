"""What velocities and gravity ask of joints, by composite bodies, against Lagrange's equations; and what that saves."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings

import torsor
from parallel_arms import parallel_trees
from random_arms import SEEDS, arms_and_states, random_state
from torsor.algebra import count, simplify, symbols, tape_from
from torsor.arm import Arm
from torsor.measuring.chains import chain, general_arm
from torsor.mechanics import composite, lagrange
from torsor.mechanics.absolute_angles import AbsoluteAngles
from torsor.mechanics.canonical import canonical
from torsor.mechanics.composite_bias import CompositeBias
from torsor.mechanics.composite_bodies import CompositeBodies, SecondMoments
from torsor.mechanics.kinematics import unrotate
from torsor.mechanics.parallel_axes import in_shared_axes
from torsor.mechanics.reference_quantities import ReferenceQuantities
from torsor.mechanics.standing_bias import StandingBias
from torsor.mechanics.standing_runs import StandingRuns
from torsor.mechanics.tree import Tree, lower

EPS = np.finfo(float).eps


def agrees(tree: Tree, q, qd) -> None:
    """Asked in whichever axes, of joints in absolute angles and of those in their own."""
    right = lagrange.inverse_dynamics(tree, q, qd, 0.0 * q, tree.gravity)
    loads = ReferenceQuantities(tree).bearing_loads(q, qd, 0.0 * q)
    joints = in_shared_axes(tree, q)
    angles = AbsoluteAngles.of(joints)
    bodies = CompositeBodies.of(SecondMoments, joints, angles.sides)
    gravity = unrotate(tree.root, tree.gravity)
    ways = [CompositeBias(bodies, angles.sides, qd, gravity, bending=bending) for bending in (False, True)]
    alone = [i for i in range(tree.n) if i not in angles.sides and not bodies.riders(i)]
    runs, n = StandingRuns.of(tree, q, angles.sides), range(tree.n)
    standing, bending = (StandingBias(runs, qd, gravity, bending=bending) for bending in (False, True))
    some = [(standing, set()), (standing, set(n[::2])), (bending, set(n)), (bending, set(n[1::2]))]
    for moving, before_turning in [*product(ways, (set(), set(alone), set(alone[::2]))), *some]:
        forces = angles.forces_of_joints(moving._forces(None, before_turning))
        found = np.stack(np.broadcast_arrays(*forces), axis=-1)
        assert np.abs(found - right).max() <= 1e3 * EPS * np.abs(loads).max(initial=1e-3)


@settings(max_examples=60, deadline=None)
@given(parallel_trees(), SEEDS)
def test_runs_branches_and_opposite_axes(model, seed):
    tree = lower(model)
    if not tree.is_direct:
        return
    q, qd, _ = random_state(tree.n, seed, (3,))
    agrees(tree, q, qd)
    agrees(canonical(tree), q, qd)


@settings(max_examples=40, deadline=None)
@given(arms_and_states(batch=(2,), mimics=False, shuffled=False, max_links=7))
def test_random_trees(case):
    model, (q, qd, _) = case
    agrees(lower(model), q, qd)
    agrees(canonical(lower(model)), q, qd)


# As they come from the page, and what every body's own forces took.
SAVED = {
    "general4": (603, 697),
    "general6": (1277, 1399),
    "panda": (1001, 1101),
    "rl15": (585, 599),
    "chain8": (2126, 2277),
}


def arm_of(name: str) -> Arm:
    made = {"general4": lambda: general_arm(4), "general6": lambda: general_arm(6), "chain8": lambda: chain(8)}
    return Arm(made[name]()) if name in made else torsor.load(name)


@pytest.mark.parametrize("robot", SAVED)
def test_forward_dynamics_of_dense_arms(robot, monkeypatch):
    arm = arm_of(robot)
    tree = arm._trees.lean
    states = {name: symbols(name, tree.n) for name in ("q", "qd", "tau")}
    found = composite.forward_dynamics(tree, *states.values(), tree.gravity)
    monkeypatch.setattr(composite, "WORTH_WHOLE", 1.0)
    own = composite.forward_dynamics(tree, *states.values(), tree.gravity)
    assert (count(found).total, count(own).total) == SAVED[robot]
    numbers = np.random.default_rng(0).uniform(-2.0, 2.0, (3, 50, tree.n))
    right = arm.reference.forward_dynamics(*numbers)
    mine = tape_from("qdd", states, {"qdd": simplify(found)}).evaluate(*numbers)[0]
    assert np.abs(mine - right).max() <= 1e-11 * np.abs(right).max()


@pytest.mark.parametrize("robot", ["ur5", "irb140", "puma560-burdick", "stanford"])
def test_sparse_arms_keep_their_own_forces(robot, monkeypatch):
    tree = torsor.load(robot)._trees.lean
    states = [symbols(name, tree.n) for name in ("q", "qd", "tau")]
    found = composite.forward_dynamics(tree, *states, tree.gravity)
    monkeypatch.setattr(composite, "WORTH_WHOLE", 1.0)
    assert count(found) == count(composite.forward_dynamics(tree, *states, tree.gravity))
