"""Which solution is given: limits, names, continuity, singular targets; and what is said where there is none."""

from __future__ import annotations

import numpy as np
import pytest

from torsor import load
from torsor.errors import ShapeError, TorsorError, Unsupported
from torsor.model.limits import position_limits
from torsor.motion import OutOfLimits, Unreachable
from torsor.motion.inverse.targets import twist_between
from wrist_arms import ball_arm

Q = np.array([0.3, -0.4, 0.5, -0.6, 0.7, -0.8])


def test_names_and_limits():
    arm = load("irb140")
    found = arm.inverse_kinematics(arm.pose(Q))
    assert len(found) == 8
    assert len(set(found.names)) == 8
    assert found.names[0] == "front, up, wrist +"
    assert np.abs(found.q[0] - Q).max() < 1e-12
    assert list(found.within_limits) == sorted(found.within_limits, reverse=True)
    assert "out of limits" in str(found)
    assert found.singular == ("",) * 8


@pytest.mark.parametrize("name", ["puma560", "rl15", "stanford", "ur5"])
def test_names_differ(name):
    arm = load(name)
    for q in np.random.default_rng(2).uniform(-2.0, 2.0, (20, 6)):
        names = arm.inverse_kinematics(arm.pose(q)).names
        assert len(set(names)) == len(names)


def test_a_branch_by_name():
    arm = load("irb140")
    T = arm.pose(Q)
    found = arm.inverse_kinematics(T)
    for name, q in zip(found.names, found, strict=True):
        assert np.array_equal(found[name], q)
        assert np.abs(arm.inverse_kinematics(T, branch=name, limits=False) - q).max() < 1e-12
    assert np.abs(arm.inverse_kinematics(T, branch="wrist -, front") - found["front, up, wrist -"]).max() < 1e-12
    path = Q + np.linspace(0.0, 1.0, 50)[:, None] * np.array([0.5, 0.3, -0.4, 0.2, 0.1, 0.6])
    assert np.abs(arm.inverse_kinematics(arm.pose(path), branch="front, up, wrist +") - path).max() < 1e-9


def test_branches_that_are_none():
    arm = load("irb140")
    with pytest.raises(TorsorError) as caught:
        arm.inverse_kinematics(arm.pose(Q), branch="front, upp, wrist +")
    assert str(caught.value).startswith(
        "there is no branch 'front, upp, wrist +'; did you mean 'front, up, wrist +'? known: front, up, wrist +, "
    )
    with pytest.raises(TorsorError, match=r"no branch 'up' reaches the pose; known: front, up, wrist [+], "):
        arm.inverse_kinematics(arm.pose(Q))["up"]
    with pytest.raises(Unsupported, match="the branches of 'panda' have no names; it is solved by search"):
        load("panda").inverse_kinematics(load("panda").pose(np.zeros(7)), branch="up")
    # so far to the front that it is out of reach from the back
    assert all(name.startswith("front") for name in arm.inverse_kinematics(arm.pose([0, 1.4, -1.4, 0, 1, 0])).names)
    with pytest.raises(Unsupported, match="'irb140' does not reach the pose on branch 'back'; those that do: front"):
        arm.inverse_kinematics(arm.pose([0.0, 1.4, -1.4, 0.0, 1.0, 0.0]), branch="back")


@pytest.mark.parametrize("name", ["puma560", "rl15", "irb140", "ur5", "stanford"])
def test_a_path_in_blocks_is_the_path_by_steps(name):
    """The choice for whole blocks of poses is the same as one pose after the other, also where branches change."""
    arm = load(name)
    low, high = arm._solver.search.low, arm._solver.search.high
    s = np.linspace(0.0, 1.0, 400)[:, None]
    path = 0.5 * (low + high) + 0.45 * (high - low) * np.sin(3.0 * s * np.arange(1, 7) + np.arange(6))
    T = arm.pose(path)
    found = arm.inverse_kinematics(T, nearest=path[0])
    before = path[0]
    for k in range(len(T)):
        before = arm.inverse_kinematics(T[k], nearest=before)
        assert np.abs(before - found[k]).max() < 1e-9


def test_a_turning_joint_goes_on_turning():
    """A joint without narrow limits is followed beyond half a turn."""
    arm = ball_arm(0.5, 0.4)
    path = np.array([0.3, 0.4, 0.9, 0.2, 0.8, 0.1]) + np.linspace(0.0, 12.0, 500)[:, None] * np.eye(6)[5]
    found = arm.inverse_kinematics(arm.pose(path), nearest=path[0])
    assert np.abs(found - path).max() < 1e-9


@pytest.mark.parametrize("name", ["puma560", "irb140", "rl15", "asea-irb"])
def test_at_a_straight_wrist_q4_stays(name):
    arm = load(name)
    straight = {"asea-irb": np.pi}.get(name, 0.0)
    q = np.array([0.2, 0.9, 2.0 if name == "asea-irb" else -0.4, 0.6, straight, -0.5])
    T = arm.tree.pose(np.append(q, [0.0, 0.0]) if name == "asea-irb" else q)
    found = arm.inverse_kinematics(T)
    assert any(part == "wrist" for part in found.singular)
    assert "wrist singular" in str(found)
    solver = arm._solver
    whole = solver.options(T, np.zeros(solver.tree.n))[0]
    whole = whole[np.isfinite(whole).all(axis=-1)]
    assert np.abs(arm.tree.pose(whole) - T).max() < 1e-9
    for q4 in (-1.0, 0.0, 0.6, 1.5):
        near = solver.options(T, np.full(solver.tree.n, q4))[0]
        close = np.abs(near[:, 1] - q[1]) < 1e-6
        assert np.abs(near[close, 3] - q4).max() < 1e-9
        assert np.abs(arm.tree.pose(near[close]) - T).max() < 1e-9


def test_a_path_with_a_straight_wrist_keeps_q4():
    arm = load("puma560")
    path = np.array([0.2, 0.5, -0.4, 0.6, 0.0, -0.5]) + np.linspace(0.0, 0.5, 60)[:, None] * np.array(
        [1.0, 0.4, 0.6, 0.0, 0.0, 0.5]
    )
    found = arm.inverse_kinematics(arm.pose(path), nearest=path[0])
    assert np.abs(found - path).max() < 1e-7


def test_a_wrist_above_the_shoulder_keeps_q1():
    arm = ball_arm(0.5, 0.4)
    T = arm.pose(np.zeros(6)).copy()
    T[:3, 3] = 0.0, 0.0, 0.6  # on axis 1, with no offset to tell the shoulder's sides apart
    for q1 in (-2.0, 0.0, 0.7, 1.9):
        q = arm.inverse_kinematics(T, nearest=np.array([q1, 0.5, 0.5, 0.0, 0.5, 0.0]))
        assert abs(q[0] - q1) < 1e-12
        assert np.abs(arm.pose(q) - T).max() < 1e-10
    assert all("shoulder" in part for part in arm.inverse_kinematics(T).singular)


def test_out_of_limits():
    arm = load("irb140")
    low, high = arm._solver.ranges.low, arm._solver.ranges.high
    q = np.array([2.14, 0.7, 1.76, -1.78, 0.9, -1.96])  # the elbow bent more than it can be
    T = arm.pose(q)
    found = arm.inverse_kinematics(T)
    assert not any(found.within_limits)
    over = np.maximum(found.q - high, low - found.q)
    least = found.q[int(np.argmin(over.max(axis=-1)))]
    k = int(np.argmax(np.maximum(least - high, low - least)))
    with pytest.raises(OutOfLimits) as caught:
        arm.inverse_kinematics(T, nearest=np.zeros(6))
    error = caught.value
    assert error.joint == arm.joint_names[k]
    assert error.limit == (high[k] if least[k] > 0.0 else low[k])
    assert error.value == pytest.approx(least[k])
    assert str(error).startswith(
        f"'irb140' reaches the pose out of its limits only: {error.joint} would be at {np.degrees(least[k]):.4g} deg, "
        f"its limit is {np.degrees(error.limit):.4g} deg; the nearest that can be reached has the tool at ("
    )
    assert ((error.nearest >= low) & (error.nearest <= high)).all()
    assert np.abs(arm.pose(error.nearest) - error.pose).max() < 1e-12
    cut = arm.pose(np.clip(q, low, high))
    assert np.linalg.norm(twist_between(T, error.pose)) <= np.linalg.norm(twist_between(T, cut))
    assert np.abs(arm.inverse_kinematics(T, nearest=q, limits=False) - q).max() < 1e-9
    many = np.stack([arm.pose(Q), T])
    with pytest.raises(OutOfLimits, match="reaches pose 1 out of its limits only"):
        arm.inverse_kinematics(many, nearest=Q)


def test_out_of_limits_by_search():
    arm = load("scara")
    low, high = arm._solver.search.low, arm._solver.search.high
    q = 0.4 * low + 0.6 * high
    q[2] = high[2] + 0.01
    with pytest.raises(OutOfLimits) as caught:
        arm.inverse_kinematics(arm.pose(q), nearest=np.clip(q, low, high))
    error = caught.value
    assert (error.joint, error.limit) == (arm.joint_names[2], high[2])
    assert error.value == pytest.approx(q[2])
    assert np.abs(arm.pose(error.q) - arm.pose(q)).max() < 1e-10
    assert np.linalg.norm(error.pose[:3, 3] - arm.pose(q)[:3, 3]) == pytest.approx(0.01, abs=1e-6)


@pytest.mark.parametrize("far", [0.91, 1.3, 2.5, 6.0])
def test_the_nearest_pose_of_a_ball(far):
    """The wrist's centre fills a shell: the way to it is known."""
    arm = ball_arm(0.5, 0.4)
    rng = np.random.default_rng(int(10 * far))
    for _ in range(3):
        T = arm.pose(rng.uniform(-2.0, 2.0, 6)).copy()
        direction = rng.normal(size=3)
        T[:3, 3] = far * direction / np.linalg.norm(direction)
        with pytest.raises(Unreachable, match=r"'ball' cannot reach the pose by [0-9.]+ mm; the nearest") as caught:
            arm.inverse_kinematics(T)
        away = np.linalg.norm(caught.value.pose[:3, 3] - T[:3, 3])
        assert away == pytest.approx(far - 0.9, abs=1e-6)
        assert np.abs(caught.value.pose[:3, :3] - T[:3, :3]).max() < 1e-6


def test_the_nearest_pose_in_the_hole_of_a_ball():
    arm = ball_arm(0.5, 0.3)
    T = arm.pose(np.array([0.3, 0.4, 0.9, 0.2, 0.8, 0.1])).copy()
    T[:3, 3] = 0.05, 0.0, 0.03
    with pytest.raises(Unreachable) as caught:
        arm.inverse_kinematics(T)
    away = np.linalg.norm(caught.value.pose[:3, 3] - T[:3, 3])
    assert away == pytest.approx(0.2 - np.hypot(0.05, 0.03), abs=1e-6)


def test_the_nearest_pose_of_a_loop_is_finite():
    """The way down may lead to where the loop cannot close: that is a wall, not the end of the search."""
    arm = load("asea-irb")
    low, high = position_limits(link for link in arm.model.independent if link.joint.name in arm.joint_names)
    rng = np.random.default_rng(0)
    for _ in range(6):
        T = np.eye(4)
        T[:3, 3] = rng.uniform(-3.0, 3.0, 3)
        with pytest.raises(Unreachable) as caught:
            arm.inverse_kinematics(T)
        nearest = caught.value.nearest
        least = np.linalg.norm(twist_between(T, arm.pose(nearest)))
        beside = np.clip(nearest + rng.normal(scale=1e-4, size=(200, 6)), low, high)
        away = np.linalg.norm(twist_between(T, arm.pose(beside)), axis=-1)
        assert np.nanmin(away) > least - 1e-9


def test_of_symmetric_postures_that_are_equally_near_one_is_defined():
    """Equal but for the last bit: whichever comes out lower, the same one is taken."""
    arm = load("asea-irb")
    T = np.eye(4)
    T[:3, 3] = 1.9, 2.3, -0.5
    found = []
    for k in range(4):
        moved = T.copy()
        moved[:3, 3] *= 1.0 + k * 1e-15
        with pytest.raises(Unreachable) as caught:
            arm.inverse_kinematics(moved)
        found.append(caught.value.nearest)
    assert np.abs(np.array(found) - found[0]).max() < 1e-5


def test_out_of_reach_along_a_path():
    arm = load("puma560")
    T = arm.pose(np.zeros(6)).copy()
    T[0, 3] += 2.0
    with pytest.raises(Unreachable, match=r"'puma560' cannot reach pose 1 by \d+ mm; the nearest") as caught:
        arm.inverse_kinematics(np.stack([arm.pose(np.zeros(6)), T]), nearest=np.zeros(6))
    assert np.allclose(arm.pose(caught.value.nearest), caught.value.pose)
    with pytest.raises(Unreachable, match=r"'panda' cannot reach the pose by"):
        load("panda").inverse_kinematics(T, nearest=np.zeros(7))


def test_bad_input():
    arm = load("puma560")

    def said(kind, T, **options):
        with pytest.raises(kind) as caught:
            arm.inverse_kinematics(T, **options)
        return str(caught.value)

    eye = np.eye(4)
    assert said(ShapeError, np.zeros((3, 4))) == "T has shape (3, 4); give poses (..., 4, 4)"
    assert said(ShapeError, "tool") == "T is not an array of numbers; give poses (..., 4, 4)"
    assert said(TorsorError, np.ones((4, 4))) == "T is not a pose; its upper left 3 x 3 must be a rotation"
    assert (
        said(TorsorError, np.diag([1.0, 1.0, -1.0, 1.0])) == "T is not a pose; its upper left 3 x 3 must be a rotation"
    )
    assert said(TorsorError, np.full((4, 4), np.nan)) == "T has entries that are not numbers"
    assert said(TorsorError, eye + np.eye(4)[:, [3, 0, 1, 2]] * 0.1 * eye[3, :, None]) == (
        "T is not a pose; its last row must be 0, 0, 0, 1"
    )
    bad = np.stack([eye, np.diag([1.0, 1.0, 1.1, 1.0])])
    assert said(TorsorError, bad, nearest=np.zeros(6)) == "T[1] is not a pose; its upper left 3 x 3 must be a rotation"
    assert said(ShapeError, np.stack([eye] * 2)) == (
        "T has shape (2, 4, 4); all branches are for one pose; give nearest= or branch= for many"
    )
    assert said(ShapeError, eye, nearest=np.zeros(5)) == "nearest has shape (5,); give (6,)"
    assert said(ShapeError, eye, nearest=np.full(6, np.nan)) == (
        "nearest has entries that are not numbers; give finite joint positions"
    )


def test_a_rotation_that_is_rounded_is_put_right():
    arm = load("puma560")
    q = np.array([0.2, 0.5, -0.4, 0.6, 0.8, -0.5])
    assert np.abs(arm.inverse_kinematics(arm.pose(q).round(7), nearest=q) - q).max() < 1e-5


def test_no_poses():
    arm = load("puma560")
    assert arm.inverse_kinematics(np.zeros((0, 4, 4)), nearest=np.zeros(6)).shape == (0, 6)
