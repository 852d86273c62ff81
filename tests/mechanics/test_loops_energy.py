"""Free swings of a minute: energy and closure are kept, in free joints and through dead centres in the tree form."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import DOP853

import torsor
from torsor.arm import Arm

SWINGS = 60.0  # s
DRIFT = 1e-6  # of the energy that is exchanged
VIOLATION = 1e-10


def swung(rates, y, until, correct=None):
    """The states at the end of every step of DOP853, tight; ``correct`` puts what it leaves right."""
    solver = DOP853(lambda t, y: rates(y), 0.0, y, until, rtol=1e-10, atol=1e-11, max_step=0.05)
    found = [y]
    while solver.status == "running":
        message = solver.step()
        assert solver.status != "failed", message
        if correct is not None:
            solver.y = correct(solver.y)
            solver.f = rates(solver.y)
        found.append(solver.y.copy())
    return np.array(found)


@pytest.mark.parametrize("until", [5.0, pytest.param(SWINGS, marks=pytest.mark.slow)])
def test_a_fourbar_in_its_free_joint(until):
    arm = torsor.load("fourbar")

    def rates(y):
        return np.r_[y[1:], arm.forward_dynamics(y[:1], y[1:], [0.0])]

    states = swung(rates, np.array([1.0, 12.0]), until)
    x, xd = states[:, :1], states[:, 1:]
    kinetic, potential = arm.energy(x, xd)
    assert np.ptp(x) > until  # it went round and round
    assert np.ptp(kinetic + potential) < DRIFT * kinetic.max()
    assert arm.closure.violation(arm.closure.positions(x)).max() < VIOLATION


@pytest.mark.slow
@pytest.mark.parametrize("name", ["fourbar", "five-bar"])
def test_free_swings_in_the_tree_form(name):
    """From a posture in which it swings through dead centres, if there are any; the tree form does not see them."""
    arm = torsor.load(name)
    _check_tree_form(arm, SWINGS)


def test_short_swings_in_the_tree_form():
    arm = torsor.load("five-bar")
    _check_tree_form(arm, 5.0)


def _check_tree_form(arm: Arm, until: float) -> None:
    closure, n = arm.closure, arm.model.n
    tau = np.zeros(arm.n)

    def rates(y):
        qdd, _ = closure.forward_dynamics(y[:n], y[n:], tau, stabilise=5.0)
        return np.r_[y[n:], qdd]

    def correct(y):
        return np.concatenate(closure.assembled(y[:n], y[n:]))

    start = np.r_[closure.reference, np.zeros(n)]
    states = swung(rates, start, until, correct)
    q, qd = states[:, :n], states[:, n:]
    kinetic, potential = arm.tree.energy(q, qd)
    assert kinetic.max() > 0.1
    assert np.ptp(kinetic + potential) < DRIFT * kinetic.max()
    assert closure.violation(q).max() < VIOLATION


def test_dead_centres_are_passed_in_the_tree_form():
    """A rocker that drives its crank cannot be followed past the dead centre in its own joint, but in the tree."""
    from dataclasses import replace

    fourbar = torsor.load("fourbar")
    (loop,) = fourbar.model.loops
    arm = Arm(replace(fourbar.model, loops=(replace(loop, driven=("rocker",)),)))
    dead = arm.closure.singularities()
    assert {each.driven for each in dead} == {"rocker"}
    closure, n = arm.closure, arm.model.n
    q = fourbar.closure.positions([1.0])
    qd = fourbar.closure.velocities([1.0], [12.0])

    def rates(y):
        qdd, _ = closure.forward_dynamics(y[:n], y[n:], [0.0])
        return np.r_[y[n:], qdd]

    states = swung(rates, np.r_[q, qd], 2.0, lambda y: np.concatenate(closure.assembled(y[:n], y[n:])))
    crank = states[:, 0]
    assert np.ptp(crank) > 4 * np.pi  # twice past both dead centres
    x = np.array([1.0])
    xd = np.array([12.0])
    same = swung(lambda y: np.r_[y[1:], fourbar.forward_dynamics(y[:1], y[1:], [0.0])], np.r_[x, xd], 2.0)
    assert abs(same[-1, 0] - crank[-1]) < 1e-6
    assert closure.violation(states[:, :n]).max() < VIOLATION
