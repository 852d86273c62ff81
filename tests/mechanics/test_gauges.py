"""Parallel joints taken together, and arms written in other gauges: the torques are those of other formulations."""

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import torsor
from torsor.algebra import count, simplify, symbols
from torsor.mechanics import lagrange, newton_euler
from torsor.mechanics.canonical import canonical, regrouped
from torsor.mechanics.gauges import Gauge, can_be_gauged, leanest, neighbours, slid
from torsor.mechanics.kinematics import pose
from torsor.mechanics.tree import Body, Mount, Tree
from torsor.model.transforms import rotation_x, rotation_z
from torsor.record_search import AS_GIVEN, StartedGauge

EPS = np.finfo(float).eps
GRAVITY = np.array([0.7, -1.1, -9.6])
QUARTER = np.pi / 2
ALL_BUT = 3.6e-9  # pi as files write it, 3.14159265: no joint is parallel for that
TWISTS = (0.0, np.pi, QUARTER, -QUARTER, 0.4, np.pi - ALL_BUT, 1e-9, QUARTER + ALL_BUT)
SEEDS = st.integers(0, 2**32 - 1)


def exact(R):
    """Quarter turns without the rounding of pi."""
    return np.where(np.abs(R - np.round(R)) < 1e-15, np.round(R), R)


def random_tree(rng, twists, *, branches=False):
    """Bodies that turn, or slide now and then, behind such twists; half of their offsets are zero."""
    bodies = []
    for i, twist in enumerate(twists):
        turn = float(rng.random() < 0.9)
        points, masses = rng.uniform(-0.5, 0.5, (5, 3)), rng.uniform(0.1, 2.0, 5)
        rotation = exact(rotation_z(rng.choice([0.0, QUARTER, np.pi]))[:3, :3] @ rotation_x(twist)[:3, :3])
        bodies.append(
            Body(
                name=f"b{i}",
                parent=i - 1 if i < 2 or not branches else int(rng.integers(-1, i)),
                turn=turn,
                slide=1.0 - turn,
                rotation=rotation,
                position=rng.uniform(-0.6, 0.6, 3) * rng.integers(0, 2, 3),
                along=float(rng.uniform(-0.3, 0.3) * rng.integers(0, 2)),
                mass=float(masses.sum()),
                moment=masses @ points,
                second=(points * masses[:, None]).T @ points,
                source=i,
                factor=1.0,
                shift=0.0,
                link=np.eye(4),
                place=i,
            )
        )
    tool = Mount(len(bodies) - 1, np.eye(3), np.zeros(3))
    return Tree("random", len(bodies), tuple(bodies), {"tool": tool}, GRAVITY)


def states(rng, n):
    return [rng.uniform(-2.0, 2.0, (2, 3, n)) for _ in range(3)]


def torques_agree(tree, other, rng):
    q, qd, qdd = states(rng, tree.n)
    mine = newton_euler.inverse_dynamics(other, q, qd, qdd, other.gravity)
    right = lagrange.inverse_dynamics(tree, q, qd, qdd, tree.gravity)
    load = np.abs(newton_euler.bearing_loads(tree, q, qd, qdd, tree.gravity)).max()
    assert np.abs(mine - right).max() <= 1e4 * EPS * load


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(TWISTS), min_size=1, max_size=7), SEEDS, st.booleans())
def test_parallel_joints_are_taken_together(twists, seed, branches):
    """By the energies of the bodies, which know nothing of runs."""
    rng = np.random.default_rng(seed)
    tree = random_tree(rng, twists, branches=branches)
    torques_agree(tree, tree, rng)
    torques_agree(tree, regrouped(tree), rng)


@pytest.mark.parametrize(
    ("robot", "together", "one_by_one"), [("ur5", 250, 295), ("irb140", 250, 263), ("panda", 561, 563)]
)
def test_runs_save_operations(robot, together, one_by_one):
    """As traced. The UR5 has three parallel joints across its first, the IRB 140 two, the Panda none."""
    tree = torsor.load(robot)._trees.lean
    q, qd, qdd = (symbols(name, tree.n) for name in ("q", "qd", "qdd"))
    assert count(newton_euler.inverse_dynamics(tree, q, qd, qdd, tree.gravity)).total == together
    wrenches, _ = newton_euler.joint_wrenches(tree, q, qd, qdd, tree.gravity, None)
    assert count(np.stack([moment[2] for _, moment in wrenches])).total == one_by_one


@settings(max_examples=25, deadline=None)
@given(st.lists(st.sampled_from(TWISTS), min_size=2, max_size=5), SEEDS)
def test_every_gauge_has_the_torques_of_the_arm(twists, seed):
    rng = np.random.default_rng(seed)
    tree = canonical(random_tree(rng, twists))
    if not can_be_gauged(tree):
        return
    gauge = Gauge()
    for _ in range(4):
        around = list(neighbours(tree, gauge))
        gauge = around[int(rng.integers(len(around)))]
        torques_agree(tree, gauge.of(tree), rng)


def test_an_origin_that_slides_takes_its_frames_along():
    arm = torsor.load("ur5")
    q = np.linspace(-1.0, 1.0, 6)
    tree = arm._trees.plain
    moved = slid(slid(tree, 2, 0.3), 5, -0.1)
    np.testing.assert_allclose(pose(moved, q), pose(tree, q), atol=1e-15)
    np.testing.assert_allclose(pose(moved, q, "wrist_3_link"), pose(tree, q, "wrist_3_link"), atol=1e-15)


def test_what_slides_or_carries_rotors_has_no_gauges():
    assert not can_be_gauged(torsor.load("stanford")._trees.lean)
    assert can_be_gauged(torsor.load("puma560")._trees.lean)


def test_the_search_ends_where_no_neighbour_is_better():
    tree = torsor.load("irb140")._trees.lean

    def cost(other):
        q, qd, qdd = (symbols(name, tree.n) for name in ("q", "qd", "qdd"))
        return count(newton_euler.inverse_dynamics(other, q, qd, qdd, other.gravity)).total

    heard = []
    found = leanest(tree, cost, heard.append)
    assert heard == sorted(heard, reverse=True)
    assert heard[-1] == cost(found.of(tree)) < cost(tree)
    assert min(cost(each.of(tree)) for each in neighbours(tree, found)) >= heard[-1]


@pytest.mark.usefixtures("own_cache")
def test_a_record_names_what_turns_alone(monkeypatch):
    """In another gauge accelerations and forces are those of other points, in another unit."""
    monkeypatch.setattr("torsor.deriving.fewest", lambda outputs, *_: simplify(outputs))
    for gauge, all_named in ((AS_GIVEN, True), (StartedGauge(gauge=Gauge(unit=0.5)), False)):
        monkeypatch.setattr("torsor.deriving.leanest_gauge", lambda trees, trace, progress, gauge=gauge: gauge)
        found = torsor.derive(torsor.load("planar3"), parameters="base" if all_named else "numeric", effort="record")
        names = {each.name for each in found.sheet.equations}
        assert any(re.fullmatch(r"wd?[xyz]\d", name) for name in names)
        assert any(re.fullmatch(r"[aFNfn][xyz]\d", name) for name in names) == all_named
