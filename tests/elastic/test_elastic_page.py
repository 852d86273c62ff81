"""The page of elastic links against energy, a plain global assembly, and itself in other words."""

import numpy as np
import pytest
import scipy.linalg

import torsor
from plain_frame import PlainFrame
from torsor.algebra import count, symbols
from torsor.elastic import elastic_composite, elastic_kinematics
from torsor.elastic.building import all_shapes, elastic_tree
from torsor.elastic.elastic_newton_euler import residual

ARMS = ["ur5-elastic", "rl15-elastic", "elastic-arm2"]


def bent(tree, seed, size=0.05):
    rng = np.random.default_rng(seed)
    x = np.concatenate([rng.uniform(-2.0, 2.0, tree.n), size * rng.normal(size=tree.size - tree.n)])
    return x, rng.normal(size=tree.size), rng.normal(size=tree.size)


@pytest.fixture(scope="module", params=ARMS)
def tree(request):
    return elastic_tree(torsor.load(request.param).model)


def test_columns_of_the_mass_matrix_are_unit_accelerations(tree):
    for seed in range(3):
        x, _, _ = bent(tree, seed)
        still, none = np.zeros(tree.size), np.zeros(3)
        M = elastic_composite.mass_matrix(tree, x)
        columns = [residual(tree, x, still, unit, none) for unit in np.eye(tree.size)]
        np.testing.assert_allclose(M, np.array(columns).T, atol=1e-13 * np.abs(M).max())
        np.testing.assert_allclose(M, M.T, atol=1e-14 * np.abs(M).max())


def test_lagrange(tree):
    """Rows are d/dt dT/dxd - dT/dx of T = 1/2 xd M xd: nothing is left out of the one Lagrangian."""
    x, xd, xdd = bent(tree, 7)

    def kinetic(x, xd):
        return 0.5 * xd @ elastic_composite.mass_matrix(tree, x) @ xd

    def momentum(x, xd):
        return elastic_composite.mass_matrix(tree, x) @ xd

    h = 1e-5
    rate = (momentum(x + h * xd, xd + h * xdd) - momentum(x - h * xd, xd - h * xdd)) / (2.0 * h)
    slope = [(kinetic(x + h * unit, xd) - kinetic(x - h * unit, xd)) / (2.0 * h) for unit in np.eye(tree.size)]
    found = residual(tree, x, xd, xdd, np.zeros(3))
    np.testing.assert_allclose(found, rate - slope, atol=1e-6 * np.abs(found).max())


def test_gravity_and_wrench_by_virtual_work(tree):
    """The slope of the potential, and the tool's velocity for a unit rate of each coordinate."""
    x, _, _ = bent(tree, 3)
    still, g, h = np.zeros(tree.size), np.array([0.4, -0.3, -9.6]), 1e-6
    wrench = np.array([30.0, -20.0, 50.0, 4.0, -3.0, 2.0])
    J = elastic_kinematics.jacobian(tree, x)
    for k, unit in enumerate(np.eye(tree.size)):
        after, before = (elastic_kinematics.pose(tree, x + side * h * unit) for side in (1.0, -1.0))
        R = elastic_kinematics.pose(tree, x)[:3, :3]
        W = (after[:3, :3] - before[:3, :3]) / (2.0 * h) @ R.T
        turning = [W[2, 1], W[0, 2], W[1, 0]]
        np.testing.assert_allclose(J[:, k], [*(after[:3, 3] - before[:3, 3]) / (2.0 * h), *turning], atol=1e-7)
    pushed = residual(tree, x, still, still, g, wrench) - residual(tree, x, still, still, g)
    np.testing.assert_allclose(pushed, -J.T @ wrench, atol=1e-12 * np.abs(pushed).max())
    # where nothing turns, gravity is an acceleration of the base the other way: M of the base's displacement
    for axis in range(3):
        weight = residual(tree, x, still, still, np.eye(3)[axis])
        assert np.isfinite(weight).all()
    whole = residual(tree, x, still, still, g)
    parts = [g[axis] * residual(tree, x, still, still, np.eye(3)[axis]) for axis in range(3)]
    np.testing.assert_allclose(whole, np.sum(parts, axis=0), atol=1e-12 * np.abs(whole).max())


def test_many_states_at_once(tree):
    states = [bent(tree, seed) for seed in range(4)]
    x, xd, xdd = (np.array(each) for each in zip(*states, strict=True))
    g = np.array([0.0, 0.0, -9.81])
    found = residual(tree, x, xd, xdd, g)
    M = elastic_composite.mass_matrix(tree, x)
    for k, state in enumerate(states):
        one = residual(tree, *state, g)
        np.testing.assert_allclose(found[k], one, atol=1e-13 * np.abs(one).max())
        np.testing.assert_allclose(M[k], elastic_composite.mass_matrix(tree, state[0]), atol=1e-13 * np.abs(M).max())


@pytest.mark.parametrize("name", ["ur5-elastic", "rl15-elastic"])
def test_all_shapes_are_a_plain_frame(name):
    """With nothing left out, frequencies are those of one global assembly in base axes, which shares no code."""
    model = torsor.load(name).model
    tree = elastic_tree(model, shapes=all_shapes)
    springs = {spring.name.removesuffix(".spring"): spring.stiffness for spring in tree.springs}
    first = {"locked": tree.n + len(tree.springs), "held": tree.n}
    for seed, given in ((0, {}), (1, springs)):
        q = np.random.default_rng(seed).uniform(-3.0, 3.0, tree.n)
        x = np.concatenate([q, np.zeros(tree.size - tree.n)])
        at = slice(first["held" if given else "locked"], None)
        M, K = elastic_composite.mass_matrix(tree, x)[at, at], tree.K[at, at]
        found = np.sqrt(scipy.linalg.eigh(K, M, eigvals_only=True)) / (2.0 * np.pi)
        right = PlainFrame(model, dict(zip(model.joint_names, q, strict=True)), given).frequencies()
        np.testing.assert_allclose(found, right, rtol=1e-9)


def test_operations():
    """At most, from issue 15: 3500 M for a UR5 with two links of five modes each."""
    tree = elastic_tree(torsor.load("ur5-elastic").model, springs=False)
    x, xd, tau = symbols("x", tree.size), symbols("xd", tree.size), symbols("tau", tree.n)
    assert tree.size == 16
    assert count(list(elastic_composite.forward_dynamics(tree, x, xd, tau, tree.tree.gravity))).M <= 3500
