"""Geometry of tool paths: on the line, on the circle, around the corner; derivatives against differences."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation, Slerp

from torsor.errors import TorsorError
from torsor.model.transforms import pose, rotation_y, rotation_z
from torsor.motion.paths.blends import DEVIATION, PathCorner, ToolCorner
from torsor.motion.paths.rotations import euler_zyz
from torsor.motion.paths.tool_paths import Carried, Circle, DegenerateCircle, Line, ToolCoordinates
from torsor.motion.paths.trajectories import JointLine
from torsor.motion.time_laws.polynomials import Polynomials

RNG = np.random.default_rng(3)


def random_pose(rng=RNG):
    return pose(Rotation.random(random_state=int(rng.integers(1 << 30))).as_matrix(), rng.normal(size=3))


def end(path):
    return path.at(np.array([path.length])).T[0]


def paths():
    rng = np.random.default_rng(5)
    line = Line.between(random_pose(rng), random_pose(rng))
    circle = Circle.through(end(line), rng.normal(size=3), random_pose(rng))
    following = Circle.through(end(line), rng.normal(size=3), random_pose(rng), follows=True)
    kept = Circle.through(end(line), rng.normal(size=3), random_pose(rng), follows=True, turns=False)
    corner = ToolCorner(line, following, 0.3)
    return {
        "line": line,
        "circle": circle,
        "circle with the tangent": following,
        "circle kept to the tangent": kept,
        "corner": corner,
        "corner of another frame": Carried(corner, random_pose(rng)),
        "euler": ToolCoordinates(Polynomials(np.array([0.0, 2.0]), 0.1 * rng.normal(size=(1, 5, 6)))),
        "turn on the spot": Line.between(
            pose(rotation_z(0.1), [1.0, 2.0, 3.0]), pose(rotation_y(1.0), [1.0, 2.0, 3.0])
        ),
    }


@pytest.mark.parametrize("name", paths())
def test_derivatives(name):
    path = paths()[name]
    s = np.linspace(0.02, 0.98, 40) * path.length
    h = 1e-3 * path.length
    far2, far1, now, near1, near2 = (path.at(s + k * h) for k in (-2, -1, 0, 1, 2))

    def slope(pick):
        """Central differences of fourth order."""
        return (pick(far2) - 8.0 * pick(far1) + 8.0 * pick(near1) - pick(near2)) / (12.0 * h)

    for k in range(3):
        scale = max(1.0, np.abs(now[k + 1]).max())
        assert np.abs(slope(lambda each, k=k: each[k]) - now[k + 1]).max() < 1e-7 * scale
    W = slope(lambda each: each.turning.R) @ np.swapaxes(now.turning.R, 1, 2)
    w = np.stack([W[:, 2, 1], W[:, 0, 2], W[:, 1, 0]], axis=-1)
    assert np.abs(w - now.turning.w).max() < 1e-7 * max(1.0, np.abs(w).max())
    for k in (1, 2):
        right = now.turning[k + 1]
        assert np.abs(slope(lambda each, k=k: each.turning[k]) - right).max() < 1e-6 * max(1.0, np.abs(right).max())


@pytest.mark.parametrize("name", paths())
def test_rotations_stay_rotations(name):
    path = paths()[name]
    R = path.at(np.linspace(0.0, path.length, 50)).turning.R
    assert np.abs(R @ np.swapaxes(R, 1, 2) - np.eye(3)).max() < 1e-14


def test_a_line_is_straight_and_turns_as_slerp_does():
    a, b = random_pose(), random_pose()
    path = Line.between(a, b)
    share = np.linspace(0.0, 1.0, 33)
    found = path.at(share * path.length)
    assert path.length == pytest.approx(np.linalg.norm(b[:3, 3] - a[:3, 3]), rel=1e-15)
    assert np.abs(found.p - (a[:3, 3] + share[:, None] * (b - a)[:3, 3])).max() < 1e-14
    slerp = Slerp([0.0, 1.0], Rotation.from_matrix([a[:3, :3], b[:3, :3]]))
    assert np.abs(found.turning.R - slerp(share).as_matrix()).max() < 1e-13
    assert np.abs(np.linalg.norm(found.dp, axis=1) - 1.0).max() < 1e-14


def test_a_circle_goes_through_its_points():
    for _ in range(50):
        a, b = random_pose(), random_pose()
        via = RNG.normal(size=3)
        path = Circle.through(a, via, b)
        s = np.linspace(0.0, path.length, 2001)
        p = path.at(s).p
        assert np.abs(np.linalg.norm(p - path.centre, axis=1) / path.radius - 1.0).max() < 1e-12
        assert np.abs((p - path.centre) @ path.normal).max() < 1e-11 * path.radius
        assert np.abs(end(path) - b).max() < 1e-10 * max(1.0, path.radius)
        # through the via point on its way, not on the other side
        assert np.linalg.norm(p - via, axis=1).min() < 2.0 * path.length / 2000


def test_a_quarter_circle():
    start, to = pose(position=[1.0, 0.0, 0.0]), pose(position=[0.0, 1.0, 0.0])
    root = np.sqrt(0.5)
    short = Circle.through(start, np.array([root, root, 0.0]), to)
    long = Circle.through(start, np.array([-root, -root, 0.0]), to)
    assert short.length == pytest.approx(np.pi / 2, rel=1e-12)
    assert long.length == pytest.approx(3 * np.pi / 2, rel=1e-12)
    follows = Circle.through(start, np.array([root, root, 0.0]), to, follows=True, turns=False)
    # what points outward at the start points outward at the end
    assert np.abs(end(follows)[:3, :3] - rotation_z(np.pi / 2)).max() < 1e-12


def test_circles_that_are_none():
    start, to = pose(position=[1.0, 0.0, 0.0]), pose(position=[3.0, 0.0, 0.0])
    with pytest.raises(DegenerateCircle, match="lie on a line"):
        Circle.through(start, np.array([2.0, 0.0, 0.0]), to)
    with pytest.raises(DegenerateCircle, match="start and via"):
        Circle.through(start, np.array([1.0, 0.0, 0.0]), to)
    with pytest.raises(DegenerateCircle, match="start and end"):
        Circle.through(start, np.array([2.0, 1.0, 0.0]), start)


def test_half_a_turn_has_no_shortest_way():
    with pytest.raises(TorsorError, match="half a turn"):
        Line.between(pose(), pose(rotation_z(np.pi), [1.0, 0.0, 0.0]))


@pytest.mark.parametrize("radius", [0.02, 0.2])
def test_a_corner_stays_close_and_meets_its_paths(radius):
    a = Line.between(random_pose(), random_pose())
    b = Circle.through(end(a), RNG.normal(size=3), random_pose(), follows=True)
    corner = ToolCorner(a, b, radius)
    ends = corner.at(np.array([0.0, corner.length]))
    for k, path, s in ((0, a, a.length - radius), (1, b, radius)):
        joins = path.at(np.array([s]))
        for order in range(3):  # up to the second derivative
            assert np.abs(ends[order][k] - joins[order][0]).max() < 1e-10
            assert np.abs(ends.turning[order][k] - joins.turning[order][0]).max() < 1e-10
    p = corner.at(np.linspace(0.0, corner.length, 301)).p
    programmed = np.concatenate(
        [a.at(np.linspace(a.length - radius, a.length, 3000)).p, b.at(np.linspace(0.0, radius, 3000)).p]
    )
    off = np.linalg.norm(p[:, None] - programmed[None], axis=2).min(axis=1)
    assert off.max() <= DEVIATION * radius * (1.0 + 1e-3)
    assert off.max() > 0.01 * radius


def test_the_deviation_of_a_square_corner():
    """By hand: at the middle both paths are 3/16 r from the corner, so the corner is 3/16 r from each."""
    a = Line.between(pose(), pose(position=[1.0, 0.0, 0.0]))
    b = Line.between(pose(position=[1.0, 0.0, 0.0]), pose(position=[1.0, 1.0, 0.0]))
    middle = ToolCorner(a, b, 0.16).at(np.array([0.16])).p[0]
    assert np.abs(middle - [1.0 - 0.03, 0.03, 0.0]).max() < 1e-15
    assert ToolCorner(a, b, 0.16).bend == pytest.approx(0.75 / 0.16 * np.sqrt(2.0), rel=1e-12)


def test_joint_corners():
    before, after = np.array([1.0, -2.0]), np.array([0.5, 3.0])
    corner = np.array([0.1, 0.2])
    path = PathCorner(JointLine(corner - before, before, 1.0), JointLine(corner, after, 1.0), 0.25, 0.5)
    ends = path.at(np.array([0.0, 2.0]))
    assert np.abs(ends.q[0] - (corner - 0.25 * before)).max() < 1e-15
    assert np.abs(ends.q[1] - (corner + 0.5 * after)).max() < 1e-15
    assert np.abs(ends.dq - [0.25 * before, 0.5 * after]).max() < 1e-15
    assert np.abs(ends.ddq).max() < 1e-15
    s, h = np.linspace(0.2, 1.8, 9), 1e-5
    for k in range(3):
        slope = (path.at(s + h)[k] - path.at(s - h)[k]) / (2 * h)
        assert np.abs(slope - path.at(s)[k + 1]).max() < 1e-6


def test_euler_angles():
    for angles in RNG.uniform([-3.0, 0.1, -3.0], [3.0, 3.0, 3.0], (50, 3)):
        R = rotation_z(angles[0]) @ rotation_y(angles[1]) @ rotation_z(angles[2])
        assert np.abs(np.array(euler_zyz(R)) - angles).max() < 1e-12
    for theta in (0.0, np.pi):
        R = rotation_z(0.4) @ rotation_y(theta)
        phi, found, psi = euler_zyz(R)
        assert np.abs(rotation_z(phi) @ rotation_y(found) @ rotation_z(psi) - R).max() < 1e-12
