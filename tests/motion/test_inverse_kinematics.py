"""Inverse kinematics against forward kinematics, the published targets, and a search that knows nothing of branches."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from torsor import load
from torsor.model.transforms import pose, rotation_x, rotation_y, rotation_z

ORACLES = Path(__file__).parent.parent / "oracles"
CLOSED = [
    "asea-irb",
    "irb140",
    "irb140-screws",
    "puma560",
    "puma560-akb",
    "puma560-burdick",
    "rl15",
    "stanford",
    "ur5",
]


@pytest.fixture(scope="module", params=CLOSED)
def arm(request):
    return load(request.param)


def angles_apart(a, b):
    return np.abs(np.angle(np.exp(1j * (a - b))))


def test_ten_thousand_poses(arm):
    """Every pose comes back, on the joints it was made with and on all other branches."""
    solver, tree = arm._solver, arm.tree
    q = np.random.default_rng(0).uniform(-np.pi, np.pi, (10_000, tree.n))
    T = tree.pose(q)
    found, _ = solver.options(T, np.zeros(tree.n))
    there = np.isfinite(found).all(axis=-1)
    assert np.abs(tree.pose(found) - T[:, None])[there].max() < 1e-10
    chain = list(solver.geometry.chain.sources)
    apart = np.where(solver.ranges.turning, angles_apart(found, q[:, None]), np.abs(found - q[:, None]))
    own = np.where(there, apart[..., chain].max(axis=-1), np.inf).min(axis=-1)
    # near a straight wrist or a stretched elbow angles are as uncertain as the square root of rounding
    assert np.median(own) < 1e-12
    assert own.max() < 1e-6
    for k in range(0, 10_000, 500):
        each = found[k][there[k]]
        between = [angles_apart(a, b).max() for i, a in enumerate(each) for b in each[:i]]
        assert not between or min(between) > 1e-6


def test_solutions_of_an_arm_with_loops_close_them():
    """The ends of the rod and the forearm meet in every branch, and the free joints lead back to half of them."""
    arm = load("asea-irb")
    solver = arm._solver
    q = np.random.default_rng(0).uniform(-np.pi, np.pi, (1000, 8))
    T = arm.tree.pose(q)
    found, _ = solver.options(T, np.zeros(8))
    rod_end = arm.tree.pose(found, frame="link8")[..., :3, 3]
    forearm = arm.tree.pose(found, frame="link3")
    hinge = forearm[..., :3, 3] - 0.24 * forearm[..., :3, 2]
    assert np.abs(rod_end - hinge).max() < 1e-12
    assembled = solver.linkage.is_assembled(found)
    assert 0.4 < assembled.mean() < 0.6
    back = arm.pose(found[..., solver.columns])
    error = np.abs(back - T[:, None]).max(axis=(-1, -2))[assembled]
    # close to where driving theta7 is singular the way back loses half the digits
    assert np.median(error) < 1e-14
    assert (error < 1e-10).mean() > 0.99
    assert error.max() < 1e-6
    assert (np.abs(back - T[:, None]).max(axis=(-1, -2))[~assembled] > 1e-7).all()


@pytest.mark.parametrize("name", ["irb140", "puma560", "rl15", "stanford", "ur5"])
def test_no_branch_is_missing(name):
    """A search from many starts finds nothing that the closed form does not have."""
    arm = load(name)
    rng = np.random.default_rng(1)
    for q in rng.uniform(-2.0, 2.0, (3, 6)):
        T = arm.pose(q)
        closed = arm._solver.closed_form(T)
        closed = closed[np.isfinite(closed).all(axis=-1)]
        seeking = arm._solver.search.solutions(T)
        for other in seeking[np.isfinite(seeking).all(axis=-1)]:
            assert angles_apart(closed, other).max(axis=-1).min() < 1e-5


def test_every_branch_of_the_points_of_simasea():
    """All eight branches of all points, and theta7, theta8 of the branch that the thesis takes."""
    arm = load("asea-irb")
    solver = arm._solver
    oracle = json.loads((ORACLES / "asea-simasea.json").read_text())
    for point, listed in oracle["ik"].items():
        right = np.radians([each["theta_deg"] for each in listed])
        T = arm.tree.pose(np.append(right[0], [0.0, 0.0]))
        found, _ = solver.options(T, np.zeros(8))
        for theta in right:
            assert angles_apart(found[:, :6], theta).max(axis=-1).min() < 1e-9
        chosen = found[int(np.argmin(angles_apart(found[:, :6], right[0]).max(axis=-1)))]
        loop = oracle["loop_deg"][point]
        assert angles_apart(chosen[6:], np.radians([loop["theta7"], loop["theta8"]])).max() < 1e-9
        branches = arm.inverse_kinematics(T)
        assert len(branches) == len(set(branches.names)) == 8
        # driving theta7 is singular at theta3 = 81.362 and 264.348 deg: what is beyond is another assembly
        theta3 = np.degrees(right[:, 2]) % 360.0
        assert branches.assembled.count(True) == int(((theta3 > 81.362) & (theta3 < 264.348)).sum())
        driven = [*right[0][[0, 1, 3, 4, 5]], np.radians(loop["theta7"])]
        assert angles_apart(branches["front, up, wrist +"], driven).max() < 1e-9
        assert angles_apart(arm.inverse_kinematics(T, nearest=driven, limits=False), driven).max() < 1e-9


def test_the_points_of_the_program_of_simasea():
    """The poses of the published samples, given by position and Euler angles Z-Y'-Z'', lead to its joints."""
    arm = load("asea-irb")
    for sample in json.loads((ORACLES / "asea-simasea.json").read_text())["program_rule_A"]["samples"]:
        phi, theta, psi = np.radians(sample["euler_deg"])
        T = pose(rotation_z(phi) @ rotation_y(theta) @ rotation_z(psi), np.array(sample["pos"]))
        q, (theta7, _) = np.radians(sample["q_deg"]), np.radians(sample["theta78_deg"])
        driven = np.array([*q[[0, 1, 3, 4, 5]], theta7])
        assert angles_apart(arm.inverse_kinematics(T, nearest=driven, limits=False), driven).max() < 1e-7


def test_the_published_targets_of_lola():
    arm = load("rl15")
    for target in json.loads((ORACLES / "rl15.json").read_text())["ik"]["targets"].values():
        x, y, z, a, b, c = target["pose_mm_deg"]
        a, b, c = np.radians([a, b, c])
        T = pose(rotation_z(a) @ rotation_y(b) @ rotation_x(c), np.array([x, y, z]) / 1000)
        right = np.array(target["q_rad"])
        assert angles_apart(arm.inverse_kinematics(T, nearest=right), right).max() < 1e-8


def test_names_and_limits():
    arm = load("irb140")
    q = np.array([0.3, -0.4, 0.5, -0.6, 0.7, -0.8])
    found = arm.inverse_kinematics(arm.pose(q))
    assert len(found) == 8
    assert len(set(found.names)) == 8
    assert found.names[0] == "front, up, wrist +"
    assert np.abs(found.q[0] - q).max() < 1e-12
    assert list(found.within_limits) == sorted(found.within_limits, reverse=True)
    assert "out of limits" in str(found)


def test_a_path_stays_on_its_branch():
    arm = load("puma560")
    start, end = np.array([0.2, 0.5, -0.4, 0.6, 0.8, -0.5]), np.array([1.0, 1.2, -1.1, -0.9, -0.7, 0.4])
    path = start + np.linspace(0.0, 1.0, 200)[:, None] * (end - start)  # through a straight wrist
    found = arm.inverse_kinematics(arm.pose(path), nearest=start)
    assert np.abs(arm.pose(found) - arm.pose(path)).max() < 1e-10
    before = np.arange(200) < 80
    assert np.abs(found - path)[before].max() < 1e-9


def test_a_straight_wrist_has_solutions():
    arm = load("puma560")
    q = np.array([0.2, 0.5, -0.4, 0.6, 0.0, -0.5])
    for each in arm.inverse_kinematics(arm.pose(q)):
        assert np.abs(arm.pose(each) - arm.pose(q)).max() < 1e-9


@pytest.mark.parametrize("name", ["panda", "scara"])
def test_other_arms_by_search(name):
    arm = load(name)
    low, high = arm._solver.search.low, arm._solver.search.high
    q = low + np.random.default_rng(3).uniform(0.3, 0.7, (20, arm.n)) * (high - low)
    T = arm.pose(q)
    for k in range(3):
        found = arm.inverse_kinematics(T[k])
        assert found.names[0] == "solution 1"
        assert all(found.within_limits)
        assert max(np.abs(arm.pose(each) - T[k]).max() for each in found) < 1e-10
    for k in range(20):
        assert np.abs(arm.pose(arm.inverse_kinematics(T[k], nearest=q[k] + 0.05)) - T[k]).max() < 1e-10


@pytest.mark.parametrize("name", ["panda", "ur5"])
def test_search_on_many_poses(name):
    arm = load(name)
    search = arm._solver.search
    T = arm.pose(search.starts(200, seed=7))
    found = search.solutions(T, count=32)
    there = np.isfinite(found).all(axis=-1)
    assert there.any(axis=-1).mean() > 0.99
    assert np.abs(arm.pose(found) - T[:, None])[there].max() < 1e-10
    assert ((found >= search.low - 1e-12) & (found <= search.high + 1e-12))[there].all()


def test_a_path_by_search_is_continuous():
    arm = load("panda")
    low, high = arm._solver.search.low, arm._solver.search.high
    start = 0.5 * (low + high)
    path = start + 0.3 * np.sin(np.linspace(0.0, 3.0, 100))[:, None] * np.arange(1, 8) / 7
    found = arm.inverse_kinematics(arm.pose(path), nearest=start)
    assert np.abs(arm.pose(found) - arm.pose(path)).max() < 1e-10
    assert np.abs(np.diff(found, axis=0)).max() < 0.05
