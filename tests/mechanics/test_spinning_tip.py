"""The last joint taken out of forward dynamics, where its body spins, against the reference."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import torsor
from random_arms import arms_and_states
from torsor.algebra import count, simplify, symbols, tape_from
from torsor.mechanics import composite
from torsor.mechanics.canonical import canonical
from torsor.mechanics.quantities import QUANTITIES
from torsor.mechanics.reference_quantities import ReferenceQuantities
from torsor.mechanics.spinning_tip import SpinningTip
from torsor.mechanics.tree import Tree, lower
from torsor.model.parts import BASE

EPS = np.finfo(float).eps
WRENCH = np.array([3.0, -2.0, 5.0, 0.5, 1.5, -1.0])
ROUND, OVAL = (0.02, 0.02, 0.05), (0.02, 0.035, 0.05)
KINDS = ("revolute", "continuous", "prismatic", "screw")
CHAINS = {"branches": False, "mimics": False, "shuffled": False, "max_links": 6}


def tipped(tree: Tree, second: tuple[float, float, float], off: float = 0.0) -> Tree:
    """The tree with such a last body: mass on its axis, of which ``off`` moves a product of inertia."""
    K = np.diag(second)
    K[0, 2] = K[2, 0] = off
    last = replace(tree.bodies[-1], mass=1.5, moment=np.array([0.0, 0.0, 0.2]), second=K)
    return replace(tree, bodies=(*tree.bodies[:-1], last))


def agrees(tree: Tree, q, qd, qdd, wrench=None) -> None:
    reference = ReferenceQuantities(tree)
    tau = reference.inverse_dynamics(q, qd, qdd, wrench=wrench)
    M = reference.mass_matrix(q)
    if (condition := float(np.linalg.cond(M).max())) > 1e8:
        return
    load = float(np.abs(reference.bearing_loads(q, qd, qdd, wrench=wrench)).max()) / float(np.abs(M).max())
    found = composite.forward_dynamics(tree, q, qd, tau, tree.gravity, wrench)
    assert np.abs(found - qdd).max() <= 1e3 * EPS * condition * (np.abs(qdd).max() + load)


@settings(max_examples=80, deadline=None)
@given(arms_and_states(batch=(2,), kinds=KINDS, **CHAINS), st.booleans(), st.booleans())
def test_round_and_oval_bodies(case, is_round, pushed):
    """At the end of any chain; the wrench is at the tool, wherever that is, often on the last body."""
    model, states = case
    tree = tipped(lower(model), ROUND if is_round else OVAL)
    eligible = tree.n > 1 and not tree.bodies[-1].slide
    tip = SpinningTip.of(tree)
    assert (tip is not None) == eligible
    if tip is not None:
        assert tip.round == is_round
        assert tip.inertia == sum((ROUND if is_round else OVAL)[:2])
    agrees(tree, *states, np.broadcast_to(WRENCH, (2, 6)) if pushed else None)


@settings(max_examples=20, deadline=None)
@given(arms_and_states(batch=(2,), mimics=False, max_links=7))
def test_trees(case):
    """The last of several tips; also one that stands on the base alone."""
    model, states = case
    agrees(tipped(lower(model), OVAL), *states)


@pytest.mark.parametrize("robot", ["planar2", "planar3", "ur5", "puma560", "scara"])
@pytest.mark.parametrize("second", [ROUND, OVAL])
def test_a_tip_that_goes_on_a_run_of_parallel_joints(robot, second):
    """The last joint of the plane is parallel to the one before; of three joints, two are across the first."""
    whole = torsor.load(robot)._trees.plain
    for size in range(2, whole.n + 1):
        bodies = whole.bodies[:size]
        frames = {"tool": replace(whole.mount("tool"), body=size - 1)}
        tree = tipped(replace(whole, n=size, bodies=bodies, frames=frames), second)
        rng = np.random.default_rng(size)
        for wrench in (None, np.broadcast_to(WRENCH, (5, 6))):
            agrees(tree, *rng.uniform(-3.0, 3.0, (3, 5, size)), wrench)
            agrees(canonical(tree), *rng.uniform(-3.0, 3.0, (3, 5, size)), wrench)


@pytest.mark.parametrize("off", [1e-6, 1e-12, 1e-300])
def test_what_is_nearly_principal_is_not_taken_out(off):
    tree = tipped(torsor.load("puma560")._trees.plain, OVAL, off)
    assert SpinningTip.of(tree) is None
    rng = np.random.default_rng(0)
    agrees(tree, *rng.uniform(-3.0, 3.0, (3, 20, 6)))


def test_what_is_round_up_to_rounding_is_round():
    tree = torsor.load("puma560")._trees.plain
    assert SpinningTip.of(tipped(tree, (0.1 + 0.2, 0.3, 0.05))).round
    assert not SpinningTip.of(tipped(tree, (0.3, 0.3 * (1 + 1e-12), 0.05))).round


def test_who_has_none():
    lean = torsor.load("puma560")._trees.lean
    assert SpinningTip.of(lean) is not None
    assert SpinningTip.of(torsor.load("panda")._trees.lean) is None  # its centre of mass is off the axis
    assert SpinningTip.of(lower(torsor.load("puma560").model, drives=True)) is None
    alone = replace(lean, n=1, bodies=(replace(lean.bodies[-1], parent=BASE, source=0),))
    assert SpinningTip.of(alone) is None


def test_traced_with_a_wrench():
    """A round tip's angle is no input; what pushes it does turn with it."""
    arm = torsor.load("puma560")
    q, qd, tau = np.random.default_rng(1).uniform(-3.0, 3.0, (3, 50, 6))
    for wrench in (None, np.broadcast_to(WRENCH, (50, 6))):
        right = arm.reference.forward_dynamics(q, qd, tau, wrench=wrench)
        assert np.abs(arm.forward_dynamics(q, qd, tau, wrench=wrench) - right).max() <= 1e-12 * np.abs(right).max()
    tree = arm._trees.lean
    states = {name: symbols(name, tree.n) for name in QUANTITIES["forward_dynamics"].states}
    tape = tape_from("qdd", states, {"qdd": composite.forward_dynamics(tree, *states.values(), tree.gravity)})
    assert tape.counts().trig == 10
    assert np.abs(tape.evaluate(q, qd, tau)[0] - arm.reference.forward_dynamics(q, qd, tau)).max() < 1e-9


COUNTS = {
    "puma560-burdick": (265, 199),
    "puma560": (265, 199),
    "rl15": (324, 252),
    "irb140": (225, 154),
    "stanford": (195, 137),
    "ur5": (203, 145),
}


@pytest.mark.parametrize("robot", COUNTS)
def test_counts(robot):
    """Where they were 315 M 241 A, 305 M 234 A, 343 M 275 A, 267 M 181 A, 223 M 155 A and 233 M 176 A."""
    tree = torsor.load(robot)._trees.lean
    q, qd, tau = (symbols(name, tree.n) for name in ("q", "qd", "tau"))
    found = count(simplify(composite.forward_dynamics(tree, q, qd, tau, tree.gravity)))
    assert COUNTS[robot][0] >= found.M
    assert COUNTS[robot][1] >= found.A
