"""Inverse kinematics against forward kinematics, the published targets, and a search that knows nothing of branches."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from torsor import load
from torsor.errors import ShapeError, TorsorError
from torsor.model.transforms import pose, rotation_x, rotation_y, rotation_z
from torsor.motion.inverse_kinematics import Unreachable, searched

ORACLES = Path(__file__).parent.parent / "oracles"
CLOSED = ["irb140", "irb140-screws", "puma560", "puma560-akb", "puma560-burdick", "rl15"]


@pytest.fixture(scope="module", params=CLOSED)
def arm(request):
    return load(request.param)


def angles_apart(a, b):
    return np.abs(np.angle(np.exp(1j * (a - b))))


def test_ten_thousand_poses(arm):
    q = np.random.default_rng(0).uniform(-np.pi, np.pi, (10_000, 6))
    T = arm.pose(q)
    found = arm._solver.closed_form(T)
    there = np.isfinite(found).all(axis=-1)
    assert np.abs(arm.pose(found) - T[:, None])[there].max() < 1e-10
    own = np.where(there, angles_apart(found, q[:, None]).max(axis=-1), np.inf).min(axis=-1)
    # near a straight wrist or a stretched elbow angles are as uncertain as the square root of rounding
    assert np.median(own) < 1e-12
    assert own.max() < 1e-6
    for k in range(0, 10_000, 500):
        each = found[k][there[k]]
        apart = [angles_apart(a, b).max() for i, a in enumerate(each) for b in each[:i]]
        assert not apart or min(apart) > 1e-6


@pytest.mark.parametrize("name", ["irb140", "puma560", "rl15"])
def test_no_branch_is_missing(name):
    """A search from many starts finds nothing that the closed form does not have."""
    arm = load(name)
    rng = np.random.default_rng(1)
    for q in rng.uniform(-2.0, 2.0, (3, 6)):
        T = arm.pose(q)
        closed = arm._solver.closed_form(T)
        closed = closed[np.isfinite(closed).all(axis=-1)]
        seeking = searched(arm, T, None)
        for other in seeking[np.isfinite(seeking).all(axis=-1)]:
            assert angles_apart(closed, other).max(axis=-1).min() < 1e-5


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


@pytest.mark.parametrize("name", ["ur5", "panda", "scara", "stanford"])
def test_other_arms_by_search(name):
    arm = load(name)
    low = [link.joint.limits.position[0] if link.joint.limits.position else -1.0 for link in arm.model.independent]
    high = [link.joint.limits.position[1] if link.joint.limits.position else 1.0 for link in arm.model.independent]
    q = np.array(low) + np.random.default_rng(3).uniform(0.3, 0.7, arm.n) * (np.array(high) - np.array(low))
    T = arm.pose(q)
    found = arm.inverse_kinematics(T)
    assert all(found.within_limits)
    assert max(np.abs(arm.pose(each) - T).max() for each in found) < 1e-8
    assert np.abs(arm.pose(arm.inverse_kinematics(T, nearest=q)) - T).max() < 1e-8


def test_out_of_reach_names_the_nearest():
    arm = load("puma560")
    T = arm.pose(np.zeros(6)).copy()
    T[0, 3] += 2.0
    with pytest.raises(Unreachable, match=r"'puma560' cannot reach pose by \d") as caught:
        arm.inverse_kinematics(T)
    assert np.allclose(arm.pose(caught.value.nearest), caught.value.pose)
    with pytest.raises(Unreachable, match="cannot reach pose 1 by"):
        arm.inverse_kinematics(np.stack([arm.pose(np.zeros(6)), T]), nearest=np.zeros(6))


def test_bad_input():
    arm = load("puma560")
    with pytest.raises(ShapeError, match=r"T has shape \(3, 4\); give poses"):
        arm.inverse_kinematics(np.zeros((3, 4)))
    with pytest.raises(TorsorError, match="T is not a pose; its upper left 3 x 3 must be a rotation"):
        arm.inverse_kinematics(np.ones((4, 4)))
    with pytest.raises(TorsorError, match="T is not a pose"):
        arm.inverse_kinematics(np.full((4, 4), np.nan))
    with pytest.raises(ShapeError, match="all branches are for one pose; give nearest= for many"):
        arm.inverse_kinematics(np.stack([np.eye(4)] * 2))
    with pytest.raises(ShapeError, match=r"nearest has shape \(5,\); give \(6,\)"):
        arm.inverse_kinematics(np.eye(4), nearest=np.zeros(5))
