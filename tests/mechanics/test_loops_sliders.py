"""Loops with slides: textbook closed forms, cylinders, cut joints that slide or are welded."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import torsor
from loop_arms import boom, guided, welded
from loop_checks import check_closure, check_dynamics
from random_loops import ORDERS, sliders
from torsor.arm import Arm
from torsor.errors import LoopOpen, ModelError

R, L = 0.10, 0.30  # crank and rod of the library's slider-crank


@pytest.fixture(scope="module")
def engine():
    return torsor.load("slider-crank")


def test_slider_crank_as_in_textbooks(engine):
    """s = r cos t + sqrt(l^2 - r^2 sin^2 t), and its first two derivatives in time."""
    t, td, tdd = np.random.default_rng(0).uniform(-7.0, 7.0, (3, 40, 1))
    root = np.sqrt(L**2 - (R * np.sin(t)) ** 2)
    s = R * np.cos(t) + root
    ds = -R * np.sin(t) - R**2 * np.sin(t) * np.cos(t) / root
    dds = -R * np.cos(t) - R**2 * np.cos(2 * t) / root - R**4 * (np.sin(t) * np.cos(t)) ** 2 / root**3
    closure = engine.closure
    assert closure.is_closed_form
    assert closure.redundant == 3
    np.testing.assert_allclose(closure.positions(t)[:, 2:], s, atol=1e-15)
    np.testing.assert_allclose(closure.velocities(t, td)[:, 2:], ds * td, atol=1e-14)
    np.testing.assert_allclose(closure.accelerations(t, td, tdd)[:, 2:], ds * tdd + dds * td**2, atol=1e-12)
    np.testing.assert_allclose(np.sin(t + closure.positions(t)[:, 1:2]), -R * np.sin(t) / L, atol=1e-15)
    assert closure.singularities() == []  # a crank that turns round
    np.testing.assert_allclose(closure.distance_to_singularity(t), root[:, 0] / L, atol=1e-15)
    front, behind = closure.assembly_modes([1.0])
    assert front[2] + behind[2] == pytest.approx(2 * R * np.cos(1.0), abs=1e-15)


def test_slider_crank_driven_by_its_slider_stops_at_its_dead_centres(engine):
    by_slider = engine.closure.given(["slider"])
    assert by_slider.is_closed_form
    ends = sorted((each.value, each.position) for each in by_slider.singularities([0.34]))
    np.testing.assert_allclose(ends, [(L - R, np.pi), (L + R, 0.0)], atol=1e-9)
    with pytest.raises(LoopOpen, match=r"0\.01 m are missing; it does from slider = 0\.4000 m on"):
        by_slider.positions([0.41])
    by_rod = engine.closure.given(["rod"])
    assert by_rod.is_closed_form
    for other in (by_slider, by_rod):
        q = engine.closure.positions([1.1])
        np.testing.assert_allclose(other.positions(other.free_of(q)), q, atol=1e-14)
        qd = engine.closure.velocities([1.1], [2.0])
        np.testing.assert_allclose(other.velocities(other.free_of(q), other.free_of(qd)), qd, atol=1e-13)


def test_slider_crank_dynamics(engine):
    check_dynamics(engine, np.array([1.0]), np.array([3.0]), np.array([-2.0]))
    # statics by hand: crank and rod weigh on a crank that is lifted, through the slopes of their heights
    t = 0.7
    q = engine.closure.positions([t])
    slope = engine.closure.matrix([t])[1, 0]
    rod = R * np.cos(t) + 0.15 * np.cos(t + q[1]) * (1.0 + slope)
    g = -engine.model.gravity[2]
    assert engine.gravity([t])[0] == pytest.approx(g * (0.5 * 0.05 * np.cos(t) + 0.9 * rod), rel=1e-12)


@given(st.integers(0, 2**32 - 1), st.sampled_from(sorted(ORDERS)))
@settings(max_examples=2, deadline=None)
def test_random_sliders_anywhere_in_space(seed, order):
    rng = np.random.default_rng(seed)
    arm = Arm(sliders(rng, order))
    assert arm.closure.is_closed_form
    assert arm.closure.redundant == 3
    x = arm.closure.free_of(arm.closure.reference)
    assume(arm.closure.distance_to_singularity(x) > 0.2)
    check_closure(arm, x, *rng.normal(size=(2, arm.n)))
    check_dynamics(arm, x, *rng.normal(size=(2, arm.n)))
    modes = arm.closure.assembly_modes(x)
    assert len(modes) == 2
    for q in modes:
        assert arm.closure.violation(q) < 1e-13


@given(st.integers(0, 2**32 - 1), st.sampled_from(sorted(ORDERS)))
@settings(max_examples=2, deadline=None)
def test_newton_closes_the_same_sliders(seed, order):
    """By Newton's method, with all five equations of its hinge."""
    from torsor.mechanics.closed_stance import ClosedStance
    from torsor.mechanics.closure import Closure
    from torsor.mechanics.quantities import QUANTITIES
    from torsor.mechanics.quantity import Options
    from torsor.mechanics.spatial_loop import ClosureGroup, SpatialLoop

    rng = np.random.default_rng(seed)
    arm = Arm(sliders(rng, order))
    tree, explicit = arm._trees.plain, arm.closure._closure
    x = arm.closure.free_of(arm.closure.reference)
    assume(arm.closure.distance_to_singularity(x) > 0.2)
    group = ClosureGroup((SpatialLoop("closing", 0, "hinge", *tree.ends[0], 0.0, tree),), tree, explicit.dependent)
    implicit = Closure(tree, explicit.free, (group,), {}, explicit.reference)
    q = arm.closure.positions(x)
    a, b = ClosedStance(explicit, x), ClosedStance(implicit, x, {k: q[k] for k in explicit.dependent})
    xd, xdd = rng.normal(size=(2, arm.n))
    np.testing.assert_allclose(a.G(), b.G(), atol=1e-10)
    page, options = QUANTITIES["inverse_dynamics"].page, Options(tree.gravity)
    ours, right = (page(at, options, xd, xdd) for at in (a, b))
    np.testing.assert_allclose(ours, right, atol=1e-9 * (1 + np.abs(ours).max()))


def test_a_boom_on_its_cylinder():
    """Driven by the stroke: angles by the law of cosines, and the cylinder's force by virtual work."""
    arm = boom()
    assert arm.closure.is_closed_form
    stroke = np.linspace(0.9, 1.7, 9)[:, None]
    base, eye = np.hypot(0.4, 0.8), np.hypot(1.2, 0.1)  # from the boom's pivot to the barrel's, and to the eye
    down, off = np.arctan2(-0.8, 0.4), np.arctan2(-0.1, 1.2)
    corner = np.arccos((base**2 + eye**2 - stroke**2) / (2 * base * eye))
    angle = down + corner - off
    q = arm.closure.positions(stroke)
    np.testing.assert_allclose(q[:, :1], angle, atol=1e-13)
    slope = stroke / (base * eye * np.sin(corner))  # d angle / d stroke
    np.testing.assert_allclose(arm.closure.matrix(stroke)[:, 0], slope, rtol=1e-12)
    light = replace(arm.model, links=(arm.model.links[0], *(_weightless(link) for link in arm.model.links[1:])))
    force = Arm(light).gravity(stroke)
    weight = -arm.model.gravity[2]
    np.testing.assert_allclose(force, 200.0 * weight * 1.5 * np.cos(angle) * slope, rtol=1e-12)
    check_closure(arm, np.array([1.3]), np.array([0.2]), np.array([0.5]))
    check_dynamics(arm, np.array([1.3]), np.array([0.2]), np.array([0.5]))
    by_boom = arm.closure.given(["joint1"])  # the cylinder follows: it swings
    assert by_boom.is_closed_form
    np.testing.assert_allclose(by_boom.positions(angle), q, atol=1e-13)
    np.testing.assert_allclose(by_boom.distance_to_singularity(angle), 1.0, atol=1e-12)
    with pytest.raises(LoopOpen, match=r"0\.0\d+ m are missing"):
        arm.closure.positions([eye + base + 0.05])


def _weightless(link):
    return replace(link, mass=replace(link.mass, mass=0.0, com=np.zeros(3), inertia=np.zeros((3, 3))))


def test_a_cut_joint_that_slides(engine):
    """The slider-crank cut at its guide: the block hangs on the rod by a hinge, and slides on the base."""
    arm = guided()
    assert not arm.closure.is_closed_form
    assert arm.closure.redundant == 3
    rng = np.random.default_rng(1)
    for x, xd, xdd in rng.uniform(0.2, 1.2, (4, 3, 1)):
        check_closure(arm, x, xd, xdd)
        np.testing.assert_allclose(arm.closure.positions(x)[:2], engine.closure.positions(x)[:2], atol=1e-12)
        for quantity in ("inverse_dynamics", "forward_dynamics"):
            ours, right = getattr(arm, quantity)(x, xd, xdd), getattr(engine, quantity)(x, xd, xdd)
            np.testing.assert_allclose(ours, right, rtol=1e-10)
    check_dynamics(arm, x, xd, xdd)
    # what the guide carries: across the slide only, and all of what holds the slider up
    force = arm.closure.forces([1.0], [0.0], [0.0])[0]
    assert abs(force[2]) < 1e-12  # along z of the guide it slides


def test_a_welded_loop():
    """The four-bar with its rocker's pivot as a joint of its own, welded to the base: the same motion and torques."""
    right = torsor.load("fourbar")
    arm = welded()
    assert not arm.closure.is_closed_form
    assert arm.closure.redundant == 3
    rng = np.random.default_rng(2)
    for x, xd, xdd in rng.uniform(0.5, 1.5, (4, 3, 1)):
        check_closure(arm, x, xd, xdd)
        np.testing.assert_allclose(arm.pose(x), right.pose(x), atol=1e-12)
        for quantity in ("inverse_dynamics", "forward_dynamics"):
            ours, wanted = getattr(arm, quantity)(x, xd, xdd), getattr(right, quantity)(x, xd, xdd)
            np.testing.assert_allclose(ours, wanted, rtol=1e-9)
    check_dynamics(arm, x, xd, xdd)
    q, qd = arm.closure.positions(x), arm.closure.velocities(x, xd)
    with pytest.raises(ModelError, match="moves no mass"):
        arm.closure.forward_dynamics(q, qd, [0.0])  # its foot has none: in all joints that is no motion
    # the weld carries what the rocker's pivot does
    carried = np.linalg.norm(arm.closure.forces(x, xd, xdd)[0, :3])
    pivot = np.linalg.norm(right.bearing_loads(x, xd, xdd)[2, :3])
    assert carried == pytest.approx(pivot, rel=1e-9)
