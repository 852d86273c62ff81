"""Newton's method for loops by itself: step control, many rows at once, continuation, and what fails says so."""

from __future__ import annotations

import numpy as np
import pytest

from torsor import load
from torsor.mechanics.newton import CLOSED, followed, settled


def circle(x, u):
    """A point on a unit circle at the height x: u with u^2 + x^2 = 1, which has two assemblies."""
    left = u[:, 0] ** 2 + x[:, 0] ** 2 - 1.0
    return -(left / (2.0 * u[:, 0]))[:, None], left**2


def test_full_steps_converge_to_rounding():
    found, left = settled(lambda u: circle(np.full_like(u, 0.6), u), np.array([[0.7], [-1.1]]))
    np.testing.assert_allclose(found[:, 0], [0.8, -0.8], atol=1e-15)
    assert (left < 1e-15).all()


def test_steps_are_held_back_where_newton_alone_runs_away():
    """arctan(u) = 0 from 2: the plain method goes to ever larger u."""

    def step(u):
        return -np.arctan(u) * (1.0 + u * u), np.arctan(u[:, 0]) ** 2

    found, left = settled(step, np.array([[2.0], [-8.0], [0.3]]), 40)
    assert np.abs(found).max() < 1e-15
    assert left.max() < 1e-15


def test_a_row_that_fails_does_not_disturb_the_others():
    x = np.array([[0.5], [1.5], [-0.9]])
    found = followed(circle, x, (np.zeros(1), np.ones(1)))
    assert np.isnan(found[1]).all()
    np.testing.assert_allclose(found[[0, 2], 0], np.sqrt(1.0 - x[[0, 2], 0] ** 2), atol=1e-14)


def test_on_from_a_neighbour_stays_in_its_assembly():
    x = np.linspace(0.0, 0.8, 9)[:, None]
    below = followed(circle, x, (np.zeros(1), -np.ones(1)))
    assert (below < 0.0).all()
    each_from_its_own = followed(circle, x + 1e-3, (x, below))
    np.testing.assert_allclose(each_from_its_own[:, 0], -np.sqrt(1.0 - (x[:, 0] + 1e-3) ** 2), atol=1e-14)


@pytest.mark.parametrize("name", ["delta", "fourbar", "five-bar", "parallelogram5"])
def test_a_closure_goes_on_from_any_closed_posture(name):
    closure = load(name).closure
    rng = np.random.default_rng(1)
    x = closure.free_of(closure.reference) + rng.uniform(-0.2, 0.2, (40, len(closure.free)))
    q = closure.positions(x)
    near = closure.positions(x + rng.uniform(-0.1, 0.1, x.shape))
    np.testing.assert_allclose(closure.positions(x, near=near), q, atol=1e-13)
    if closure.is_closed_form:
        other = closure.assembly_modes(x[0])[1]  # the other assembly, which ``near`` alone tells
        np.testing.assert_allclose(closure.positions(x[0], near=other), other, atol=1e-12)


@pytest.mark.parametrize("name", ["asea-irb", "fourbar", "five-bar", "slider-crank", "parallelogram5", "delta"])
def test_any_joints_that_say_where_all_are_close_the_same_loops(name):
    """By the reference, which is one for all, and back again."""
    closure = load(name).closure
    q = closure.positions(closure.free_of(closure.reference) + 0.05)
    chosen = {"asea-irb": [f"joint{k}" for k in range(1, 7)], "parallelogram5": ["trunk", "elbow", "plate", "flange"]}
    others = closure.given(chosen.get(name, [*closure.dependent, *closure.free][: len(closure.free)]))
    np.testing.assert_allclose(others.reference, closure.reference, atol=0.0)
    found = others.positions(others.free_of(q), near=q)
    assert others.violation(found) < 1e-13
    np.testing.assert_allclose(found, q, atol=1e-9)


@pytest.mark.parametrize("name", ["asea-irb", "slider-crank", "parallelogram5", "delta"])
def test_derivatives_on_a_path_up_to_the_third(name):
    closure = load(name).closure
    rng = np.random.default_rng(2)
    x0 = closure.free_of(closure.reference) + 0.05
    a, b, c = rng.normal(size=(3, len(x0)))

    def along(t):
        t = np.asarray(t)[:, None]
        x = x0 + t * a + t**2 / 2 * b + t**3 / 6 * c
        return closure.along(x, a + t * b + t**2 / 2 * c, b + t * c, c + 0.0 * t)

    h = 1e-3
    values = along(h * np.arange(-2, 3))
    for k in range(3):
        v = values[k]
        slope = (v[0] - 8.0 * v[1] + 8.0 * v[3] - v[4]) / (12.0 * h)
        np.testing.assert_allclose(slope, values[k + 1][2], rtol=1e-6, atol=1e-6 * np.abs(values[k + 1]).max())
    np.testing.assert_allclose(values[2][2], closure.accelerations(x0, a, b), rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(closure.along(x0)[0], closure.positions(x0), rtol=1e-12, atol=1e-13)  # no rates at all


def test_closed_means_closed():
    assert CLOSED < 1e-8
