"""Every pose that an arm can reach is solved, also where parts of it are singular, alone or together."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from singular_postures import singular_postures
from torsor import load
from torsor.arm import Arm
from torsor.errors import ShapeError
from torsor.model.armfile import parse_arm_file
from torsor.motion import OutOfLimits, Unreachable
from wrist_arms import ball_arm, wrist_arm

CLOSED = ("asea-irb", "irb140", "puma560", "rl15", "stanford", "ur5")
SAME = ("irb140-screws", "puma560-akb", "puma560-burdick")  # written another way
OTHERS = {
    "ball": lambda: ball_arm(0.5, 0.4),
    "folding ball": lambda: ball_arm(0.4, 0.4),  # its wrist can be on axes 1 and 2
    "quartic": lambda: wrist_arm(1),
    "another quartic": lambda: wrist_arm(2),
    "sliding quartic": lambda: wrist_arm(5, third="prismatic"),
    "meeting": lambda: wrist_arm(3, first_two="meet"),
    "parallel": lambda: wrist_arm(4, first_two="parallel"),
    "sliding, meeting": lambda: wrist_arm(6, third="prismatic", first_two="meet"),
}


@cache
def arm_of(name: str) -> Arm:
    return OTHERS[name]() if name in OTHERS else load(name)


def uncertain(arm, q):
    """Where two solutions meet, joints are as uncertain as the square root of rounding.

    A wrist that is all but straight, by more than what counts as straight, makes them so by rounding over that.
    """
    values = np.linalg.svd(arm.jacobian(q), compute_uv=False)
    bent = values[(values > 1e-14) & (values < 2e-9)]
    return max(1e-5, 4e-15 / bent.min()) if len(bent) else 1e-5


def both_are(arm, q, other):
    """Whether a posture close by has the same tool to rounding: where solutions meet flatly, neither is more right.

    Where three meet, joints off by 1e-4 turn the tool by the cube of that.
    """
    return np.abs(other - q).max() < 1e-4 and np.abs(arm.pose(other) - arm.pose(q)).max() < 1e-12


def check_posture(arm: Arm, q: np.ndarray, rng: np.random.Generator) -> None:
    """All branches; the posture itself, with and without limits; the nearest of all to joints elsewhere."""
    T = arm.pose(q)
    ranges = arm._solver.ranges.only(arm._solver.columns)
    is_inside = bool(arm._solver.ranges.inside(arm._solver.whole(q[None]))[0])  # joints that loops move, too
    found = arm.inverse_kinematics(T)
    meant = np.array([each for each, there in zip(found, found.assembled, strict=True) if there])
    assert not len(meant) or np.abs(arm.pose(meant) - T).max() < 1e-9
    for limits in (False, True) if is_inside else (False,):
        same = arm.inverse_kinematics(T, nearest=q, limits=limits)
        assert np.abs(arm.pose(same) - T).max() < 1e-9
        assert np.abs(same - q).max() < uncertain(arm, q) or both_are(arm, q, same)
        assert not limits or ranges.inside(same)
    if is_inside and len(meant):
        assert any(found.within_limits)
    elsewhere = rng.uniform(-3.0, 3.0, arm.n)
    nearest = arm.inverse_kinematics(T, nearest=elsewhere, limits=False)
    assert np.abs(arm.pose(nearest) - T).max() < 1e-9
    if not any(found.singular) and not arm.model.loops:  # else joints may be free, and a crank stays on its side
        known = ranges.unlimited().turned(np.vstack([meant, q]), elsewhere)
        least = np.linalg.norm(known - elsewhere, axis=-1).min()
        assert np.linalg.norm(nearest - elsewhere) < least + 1e-5


@pytest.mark.parametrize("name", [*CLOSED, *OTHERS])
def test_postures_are_found_again(name):
    arm, rng = arm_of(name), np.random.default_rng(1)
    for q in singular_postures(arm, 8):
        check_posture(arm, q, rng)


@pytest.mark.slow
@pytest.mark.parametrize("name", [*CLOSED, *SAME, *OTHERS])
def test_many_postures_are_found_again(name):
    arm, rng = arm_of(name), np.random.default_rng(2)
    for q in singular_postures(arm, 150, seed=3):
        check_posture(arm, q, rng)


@pytest.mark.parametrize("bend", [1e-10, 3e-9, 1e-8, 1e-7])
@pytest.mark.parametrize("name", ["asea-irb", "irb140", "puma560"])
def test_a_wrist_on_its_limit_and_all_but_straight_stays_on_its_branch(name, bend):
    """Rounding over the bend moves joint 4 beyond its limit: that is no reason to turn the wrist over."""
    arm = arm_of(name)
    ranges = arm._solver.ranges.only(arm._solver.columns)
    fourth, fifth = (arm._solver.columns.index(k) for k in arm._solver.sources[3:5])
    home = arm.closure.free_of(arm.closure.reference) if arm.model.loops else 0.5 * (ranges.low + ranges.high)
    rng = np.random.default_rng(5)
    for limit in (ranges.low, ranges.high) * 6:
        q = home + rng.uniform(-0.1, 0.1, arm.n)
        q[fourth], q[fifth] = limit[fourth], rng.choice([-bend, bend])
        T = arm.pose(q)
        same = arm.inverse_kinematics(T, nearest=q)
        assert np.abs(arm.pose(same) - T).max() < 1e-9
        assert ranges.inside(same)
        assert np.abs(same - q).max() < 1e-5 + 1e-13 / bend  # the elbow is not far from straight either


@pytest.mark.parametrize("limits", [True, False])
def test_what_is_really_beyond_a_limit_is_not_put_on_it(limits):
    arm = load("puma560")
    q = np.array([0.2, 0.4, -0.3, arm._solver.ranges.high[3] + 5e-3, 1e-7, 0.3])
    found = arm.inverse_kinematics(arm.pose(q), limits=limits)
    near = np.abs(np.array(found) - q).max(axis=-1)
    assert near.min() < 1e-7
    assert not found.within_limits[int(near.argmin())]
    assert np.abs(arm.pose(np.array(found)) - arm.pose(q)).max() < 1e-13


@pytest.mark.parametrize("q5", [0.0, np.pi, 1e-14, 1e-12, 1e-9, 1e-7])
def test_a_ur_arm_with_its_wrist_straight_closes_its_links(q5):
    """The free turn of joint 6 stays where it is, if the two links can reach; else as near to that as they can."""
    arm = load("ur5")
    rng = np.random.default_rng(0)
    for k in range(12):
        q = rng.uniform(-np.pi, np.pi, 6)
        q[2], q[4] = (rng.uniform(-0.4, 0.4), q5) if k else (0.0, q5)
        T = arm.pose(q)
        for each in (*arm.inverse_kinematics(T), *(arm.inverse_kinematics(T, nearest=near) for near in (0.0 * q, q))):
            assert np.abs(arm.pose(each) - T).max() < 1e-9
        assert np.abs(arm.inverse_kinematics(T, nearest=q) - q).max() < 1e-5


def test_a_ur_arm_follows_a_path_through_a_straight_wrist():
    arm = load("ur5")
    way = np.linspace(-1.0, 1.0, 101)[:, None] * np.array([0.1, 0.1, 0.05, 0.1, 0.2, 0.1])
    path = np.array([0.3, -1.2, 0.3, -1.5, 0.0, 2.0]) + way
    found = arm.inverse_kinematics(arm.pose(path), nearest=path[0])
    assert np.abs(arm.pose(found) - arm.pose(path)).max() < 1e-12
    assert np.abs(np.diff(found, axis=0)).max() < 0.02


@pytest.mark.parametrize("name", ["puma560", "irb140", "stanford", "ur5"])
def test_the_nearest_without_limits_knows_none(name):
    arm = load(name)
    q = np.random.default_rng(3).uniform(-2.5, 2.5, (40, 6))
    found = np.array(
        [arm.inverse_kinematics(T, nearest=each, limits=False) for T, each in zip(arm.pose(q), q, strict=True)]
    )
    assert np.abs(found - q).max() < 1e-6
    turned = q + 2.0 * np.pi * np.random.default_rng(4).integers(-2, 3, (40, 6)) * arm._solver.ranges.turning
    for T, each in zip(arm.pose(q), turned, strict=True):
        assert np.abs(arm.inverse_kinematics(T, nearest=each, limits=False) - each).max() < 1e-6


def test_an_arm_by_search_without_limits():
    """All that `limits=False` gives, what is within the limits first; and the nearest, whole turns included."""
    arm = load("scara")
    ranges = arm._solver.search.ranges
    q = np.array([0.3, 0.9, ranges.high[2] + 0.1, -0.8])
    with pytest.raises(OutOfLimits, match="'scara' reaches the pose out of its limits only: stroke would be at"):
        arm.inverse_kinematics(arm.pose(q))
    found = arm.inverse_kinematics(arm.pose(q), limits=False)
    assert not any(found.within_limits)
    assert "out of limits" in str(found)
    assert min(np.abs(each - q).max() for each in found) < 1e-9
    inside = 0.4 * ranges.low + 0.6 * ranges.high
    found = arm.inverse_kinematics(arm.pose(inside), limits=False)
    assert found.within_limits[0]
    assert list(found.within_limits) == sorted(found.within_limits, reverse=True)
    turned = q + 2.0 * np.pi * np.array([1.0, 0.0, 0.0, -1.0])
    assert np.abs(arm.inverse_kinematics(arm.pose(q), nearest=turned, limits=False) - turned).max() < 1e-9


def test_a_crank_stays_on_its_side():
    """The ASEA arm reaches every pose with its crank on either side of the rod."""
    arm = load("asea-irb")
    one = np.array([0.4, 1.5, 0.3, 1.2, 0.5, 1.9])
    T = arm.pose(one)
    options, _ = arm._solver.options(T, np.zeros(8), way=1)
    other = min(options[:, arm._solver.columns], key=lambda q: np.abs(q[:5] - one[:5]).max())
    assert np.abs(other - one)[:5].max() < 1e-9
    assert abs(other[5] - one[5]) > 0.5
    for each in (one, other):
        assert np.abs(arm.pose(each) - T).max() < 1e-12
        assert np.abs(arm.inverse_kinematics(T, nearest=each) - each).max() < 1e-9
    path = other + np.linspace(0.0, 0.3, 40)[:, None] * np.array([1.0, 0.0, 1.0, 1.0, 1.0, 0.0])
    assert np.abs(arm.inverse_kinematics(arm.pose(path), nearest=other) - path).max() < 1e-9


def narrow_ball() -> Arm:
    """With joints 4 and 6 that turn by little."""
    limits = {4: "[-2.0, 2.0]", 6: "[-0.5, 0.5]"}
    rows = [(0.0, 90.0, 0.0), (0.5, 0.0, 0.0), (0.0, 90.0, 0.0), (0.0, -90.0, 0.4), (0.0, 90.0, 0.0), (0.0, 0.0, 0.0)]
    text = 'name = "narrow"\nframes = "standard-dh"\n'
    for k, (a, alpha, d) in enumerate(rows, start=1):
        text += f'[[link]]\njoint = "revolute"\na = {a}\nalpha = "{alpha} deg"\nd = {d}\n'
        text += f"limits = {{ position = {limits[k]} }}\n" if k in limits else ""
    return Arm(parse_arm_file(text))


def test_a_free_joint_is_turned_into_the_limits():
    arm = narrow_ball()
    q = np.array([0.3, 0.4, 0.9, 1.5, 0.0, 0.2])
    T = arm.pose(q)
    found = arm.inverse_kinematics(T)
    assert found.within_limits[0]
    assert np.abs(arm.pose(found.q[0]) - T).max() < 1e-9
    near = np.array([0.3, 0.4, 0.9, 0.0, 0.0, 0.0])
    nearest = arm.inverse_kinematics(T, nearest=near)
    assert np.abs(arm.pose(nearest) - T).max() < 1e-9
    # q4 + q6 = 1.7, and q6 ends at 0.5
    assert np.abs(nearest - np.array([0.3, 0.4, 0.9, 1.2, 0.0, 0.5])).max() < 1e-5
    free = arm.inverse_kinematics(T, nearest=near, limits=False)
    assert np.abs(free - np.array([0.3, 0.4, 0.9, 0.0, 0.0, 1.7])).max() < 1e-9


def test_what_is_out_of_reach_is_so_by_an_amount_one_can_see():
    """No pose is refused by a rounding error; a pose beyond the reach of a stretched arm is refused by how far."""
    arm = ball_arm(0.5, 0.4)
    stretched = arm.pose([0.3, 0.4, 0.5 * np.pi, 0.2, 0.0, 0.1])
    assert np.linalg.norm(stretched[:3, 3]) == pytest.approx(0.9)
    assert len(arm.inverse_kinematics(stretched)) > 0
    for beyond in (1e-3, 1e-6):
        T = stretched.copy()
        T[:3, 3] *= 1.0 + beyond / 0.9
        with pytest.raises(Unreachable, match=r"'ball' cannot reach the pose by [0-9.]+ mm; the nearest") as caught:
            arm.inverse_kinematics(T)
        said = float(str(caught.value).split(" by ")[1].split(" mm")[0])
        assert said == pytest.approx(1e3 * beyond, rel=0.01)


def test_bad_input():
    arm = load("puma560")
    T = arm.pose(np.zeros(6))
    with pytest.raises(ShapeError, match=r"nearest is not an array of numbers; give \(6,\)"):
        arm.inverse_kinematics(T, nearest="home")
    with pytest.raises(ShapeError, match="branch is 3; give its name, or some of its words"):
        arm.inverse_kinematics(T, branch=3)
