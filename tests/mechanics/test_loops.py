"""Loops: closure, its rates, and dynamics in free joints, on the library and on random bars anywhere in space."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import torsor
from loop_checks import H, check_closure, check_dynamics
from random_loops import bars
from torsor.algebra import symbols, tape_from
from torsor.arm import Arm
from torsor.errors import LoopOpen, SingularLoop

LIBRARY = ["asea-irb", "fourbar", "five-bar", "slider-crank", "delta"]
LIBRARY += [pytest.param("parallelogram5", marks=pytest.mark.slow)]  # five joints of which asea-irb has the loop
SEEDS = st.integers(0, 2**32 - 1)


@pytest.fixture(scope="module", params=LIBRARY)
def arm(request):
    return torsor.load(request.param)


def states(arm, seed=0, reach=0.1):
    rng = np.random.default_rng(seed)
    x = arm.closure.free_of(arm.closure.reference) + rng.uniform(-reach, reach, arm.n)
    return x, rng.normal(size=arm.n), rng.normal(size=arm.n)


def test_closure_of_the_library(arm):
    for seed in range(3):
        check_closure(arm, *states(arm, seed))


def test_dynamics_of_the_library(arm):
    check_dynamics(arm, *states(arm, 4))


def test_the_compiled_is_the_reference(arm):
    x, xd, xdd = states(arm, 7)
    many = x + np.random.default_rng(1).uniform(-0.05, 0.05, (6, arm.n))
    for quantity, given_ in {
        "inverse_dynamics": (many, xd, xdd),
        "forward_dynamics": (many, xd, xdd),
        "mass_matrix": (many,),
        "coriolis_matrix": (many, xd),
        "gravity": (many,),
        "pose": (many,),
        "jacobian": (many,),
        "jacobian_dot_qd": (many, xd),
        "regressor": (many, xd, xdd),
        "bearing_loads": (many, xd, xdd),
    }.items():
        ours, right = getattr(arm, quantity)(*given_), getattr(arm.reference, quantity)(*given_)
        assert np.abs(ours - right).max() <= 1e-11 * (1.0 + np.abs(right).max()), quantity
    np.testing.assert_allclose(arm.regressor(x, xd, xdd) @ arm.parameters, arm.inverse_dynamics(x, xd, xdd), rtol=1e-9)


def test_derivatives(arm):
    x, xd, xdd = states(arm, 8)
    tau = arm.inverse_dynamics(x, xd, xdd)
    inverse, forward = arm.inverse_dynamics_derivatives(x, xd, xdd), arm.forward_dynamics_derivatives(x, xd, tau)

    def slope(f, at):
        return np.stack([(f(at + H * e) - f(at - H * e)) / (2 * H) for e in np.eye(arm.n)], axis=-1)

    for ours, right in (
        (inverse[0], slope(lambda y: arm.inverse_dynamics(y, xd, xdd), x)),
        (inverse[1], slope(lambda y: arm.inverse_dynamics(x, y, xdd), xd)),
        (inverse[2], arm.mass_matrix(x)),
        (forward[0], slope(lambda y: arm.forward_dynamics(y, xd, tau), x)),
        (forward[1], slope(lambda y: arm.forward_dynamics(x, y, tau), xd)),
        (forward[2], np.linalg.inv(arm.mass_matrix(x))),
    ):
        assert np.abs(ours - right).max() < 1e-6 * (1.0 + np.abs(right).max())


def test_frames(arm):
    x, xd, _ = states(arm, 9)
    J, twist = arm.jacobian(x), arm.jacobian_dot_qd(x, xd)
    T = arm.pose(x)
    np.testing.assert_allclose(T, arm.tree.pose(arm.closure.positions(x)), atol=1e-13)
    moved = (arm.pose(x + H * xd) - arm.pose(x - H * xd)) / (2 * H)
    spin = moved[:3, :3] @ T[:3, :3].T
    np.testing.assert_allclose(
        np.r_[moved[:3, 3], spin[2, 1], spin[0, 2], spin[1, 0]], J @ xd, atol=1e-8 * (1 + np.abs(J).max())
    )
    changed = (arm.jacobian(x + H * xd) - arm.jacobian(x - H * xd)) @ xd / (2 * H)
    np.testing.assert_allclose(changed, twist, atol=1e-7 * (1 + np.abs(twist).max()))
    wrench = np.arange(1.0, 7.0)
    loaded = arm.inverse_dynamics(x, xd, 0 * x, wrench=wrench) - arm.inverse_dynamics(x, xd, 0 * x)
    np.testing.assert_allclose(loaded, -J.T @ wrench, atol=1e-11 * np.abs(J).max() * 100)


def test_bearings_and_loop_forces(arm):
    """Joints that loops move carry no torque; driven ones that of their motor; bodies obey Newton with all of it."""
    x, xd, xdd = states(arm, 10)
    loads, tau = arm.bearing_loads(x, xd, xdd), arm.inverse_dynamics(x, xd, xdd)
    tree = arm._trees.plain
    for row, i in enumerate(tree.listed):
        body = tree.bodies[i]
        axis = body.link[:3, :3].T @ np.array([0.0, 0.0, 1.0])
        torque = loads[row, 3:] @ axis if body.turn else loads[row, :3] @ axis
        name = arm.model.joint_names[body.source]
        wanted = tau[arm.joint_names.index(name)] if name in arm.joint_names else 0.0
        assert abs(torque - wanted) < 1e-10 * (1.0 + np.abs(loads).max()), name
    assert arm.closure.forces(x, xd, xdd).shape == (len(arm.model.loops), 6)


def test_multipliers_of_the_tree_form_are_the_loop_forces(arm):
    x, xd, xdd = states(arm, 11)
    c, tau = arm.closure, arm.inverse_dynamics(x, xd, xdd)
    q, qd, qdd = c.positions(x), c.velocities(x, xd), c.accelerations(x, xd, xdd)
    found, multipliers = c.forward_dynamics(q, qd, tau)
    np.testing.assert_allclose(found, qdd, atol=1e-9 * (1.0 + np.abs(qdd).max()))
    if arm.name in ("fourbar", "five-bar", "slider-crank", "asea-irb"):
        forces = c.forces(x, xd, xdd)
        np.testing.assert_allclose(np.hypot(*multipliers), np.linalg.norm(forces[0, :3]), rtol=1e-8)


def test_batches_options_and_nan(arm):
    x, xd, xdd = states(arm, 12)
    many = np.stack([x, x + 0.01, np.full(arm.n, np.nan)])
    out = np.empty((3, arm.n))
    tau = arm.inverse_dynamics(many, xd, xdd, out=out, threads=1)
    assert tau is out
    np.testing.assert_allclose(tau[0], arm.inverse_dynamics(x, xd, xdd), rtol=1e-12, atol=1e-12)
    assert np.isfinite(tau[:2]).all()
    assert np.isnan(tau[2]).any()
    weightless = arm.inverse_dynamics(x, 0 * x, 0 * x, gravity=[0.0, 0.0, 0.0])
    assert np.abs(weightless).max() < 1e-12
    assert arm.closure.positions(many).shape == (3, arm.model.n)


@pytest.mark.parametrize("name", ["asea-irb", "fourbar", "parallelogram5"])
def test_methods_on_graph_scalars(name):
    arm = torsor.load(name)
    x, xd, xdd = states(arm, 13)
    given_ = {word: symbols(word, arm.n) for word in ("x", "xd", "xdd")}
    tape = tape_from("law", given_, {"tau": arm.inverse_dynamics(*given_.values())})
    np.testing.assert_allclose(tape.evaluate(x, xd, xdd)[0], arm.inverse_dynamics(x, xd, xdd), rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("kind", ["hinge", "ball"])
@pytest.mark.parametrize("cranks", [1, 2])
def test_bars_anywhere_in_space(cranks, kind):
    bars_anywhere(cranks, cranks, kind)


@pytest.mark.slow
@given(SEEDS, st.sampled_from([1, 2]), st.sampled_from(["hinge", "ball"]))
@settings(max_examples=60, deadline=None)
def test_many_bars_anywhere_in_space(seed, cranks, kind):
    bars_anywhere(seed, cranks, kind)


def bars_anywhere(seed, cranks, kind):
    rng = np.random.default_rng(seed)
    arm = Arm(bars(rng, cranks, kind=kind))
    assert arm.closure.is_closed_form
    assert arm.closure.redundant == (3 if kind == "hinge" else 1)
    x = arm.closure.free_of(arm.closure.reference)
    check_closure(arm, x, *rng.normal(size=(2, arm.n)))
    check_dynamics(arm, x, *rng.normal(size=(2, arm.n)))
    modes = arm.closure.assembly_modes(x)
    assert len(modes) == 2
    for q in modes:
        assert arm.closure.violation(q) < 1e-13
    np.testing.assert_allclose(modes[0], arm.closure.positions(x), atol=1e-13)


@given(SEEDS, st.sampled_from([1, 2]))
@settings(max_examples=6, deadline=None)
def test_newton_closes_what_the_closed_form_closes(seed, cranks):
    """A loop by Newton's method, with all five equations of its hinge, is the same as its triangle."""
    from torsor.mechanics.closed_stance import ClosedStance
    from torsor.mechanics.closure import Closure
    from torsor.mechanics.quantities import QUANTITIES
    from torsor.mechanics.quantity import Options
    from torsor.mechanics.spatial_loop import ClosureGroup, SpatialLoop

    rng = np.random.default_rng(seed)
    arm = Arm(bars(rng, cranks))
    tree, explicit = arm._trees.plain, arm.closure._closure
    loop = SpatialLoop("closing", 0, "hinge", *tree.ends[0], 0.0, tree)
    group = ClosureGroup((loop,), tree, explicit.dependent)
    implicit = Closure(tree, explicit.free, (group,), {}, explicit.reference)
    x = arm.closure.free_of(arm.closure.reference)
    q = arm.closure.positions(x)
    a, b = ClosedStance(explicit, x), ClosedStance(implicit, x, {k: q[k] for k in explicit.dependent})
    xd, xdd = rng.normal(size=(2, arm.n))
    np.testing.assert_allclose(a.G(), b.G(), atol=1e-10)

    def page(name, at, *rates):
        return QUANTITIES[name].page(at, Options(tree.gravity), *rates)

    for ours, right in (
        (a.accelerations(a.rates(xd), xdd), b.accelerations(b.rates(xd), xdd)),
        (page("mass_matrix", a), page("mass_matrix", b)),
        (page("coriolis_matrix", a, xd), page("coriolis_matrix", b, xd)),
        (page("inverse_dynamics", a, xd, xdd), page("inverse_dynamics", b, xd, xdd)),
    ):
        np.testing.assert_allclose(ours, right, atol=1e-9 * (1.0 + np.abs(right).max()))


def test_a_loop_that_cannot_close_says_so():
    closure = torsor.load("asea-irb").closure
    x = closure.free_of(closure.reference)
    x[1] += 0.5
    with pytest.raises(LoopOpen, match=r"loop 'parallel' cannot close at .*: 0\.\d+ m are missing; it does from joint"):
        closure.positions(x)
    assert np.isnan(closure.positions(x[None])).any()
    assert np.isnan(closure.distance_to_singularity(x))
    # the hint is right: there it closes
    with pytest.raises(LoopOpen) as raised:
        closure.positions(x)
    name, value = raised.value.hint.split("from ")[1].split(" rad")[0].split(" = ")
    x[closure.free.index(name)] = float(value)
    best = np.abs(closure.distance_to_singularity(x + np.outer([0, 1e-4, -1e-4], np.eye(6)[closure.free.index(name)])))
    assert np.nanmin(best) < 0.05


def test_singular_rates_are_refused_by_name():
    closure = torsor.load("asea-irb").closure
    x = closure.free_of(closure.reference)
    (each,) = (s for s in closure.singularities() if s.driven == "joint7" and np.degrees(s.position) < 100)
    x[5] = each.value
    assert closure.distance_to_singularity(x) < 1e-6
    with pytest.raises(SingularLoop, match=r"driving joint2 or joint7 is singular at joint3 = 81\.36 deg"):
        closure.velocities(x, np.ones(6))


def test_distance_to_a_singularity_is_the_sine_at_the_pin():
    closure = torsor.load("fourbar").closure
    x = np.radians(np.linspace(0, 360, 25))[:, None]
    q = closure.positions(x)
    coupler, rocker = q[:, 0] + q[:, 1], q[:, 2]
    np.testing.assert_allclose(closure.distance_to_singularity(x), np.abs(np.sin(rocker - coupler)), atol=1e-12)
    assert closure.singularities() == []  # a crank that turns round


def test_nearest_assembled_posture():
    closure = torsor.load("five-bar").closure
    rng = np.random.default_rng(0)
    q, qd = closure.assembled(closure.reference + rng.normal(size=4) * 1e-2, rng.normal(size=4))
    assert closure.violation(q) < 1e-14
    x = closure.free_of(q)
    np.testing.assert_allclose(closure.velocities(x, closure.free_of(qd)), qd, atol=1e-12)


def test_older_names_of_free_joints_stay():
    closure = torsor.load("asea-irb").closure
    chain = tuple(f"joint{k}" for k in range(1, 7))
    assert closure.driven == closure.free
    assert closure.driven_by(chain).free == closure.given(chain).free == chain
    np.testing.assert_array_equal(closure.driven_of(closure.reference), closure.free_of(closure.reference))


def test_the_parallelogram_keeps_its_wrist_level():
    arm = torsor.load("parallelogram5")
    rng = np.random.default_rng(3)
    x = rng.uniform([-3, -0.5, -0.3, -3], [3, 0.8, 0.8, 3], (20, 4))
    T = arm.pose(x)
    np.testing.assert_allclose(T[:, :3, 2], np.broadcast_to([0.0, 0.0, -1.0], (20, 3)), atol=1e-12)
