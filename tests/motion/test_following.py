"""Tool paths in joints: on the path, on one branch, with exact derivatives; and what is said where that ends."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from torsor import load
from torsor.model.transforms import inverse, pose, rotation_x, rotation_y, rotation_z
from torsor.motion.paths.blends import ToolCorner
from torsor.motion.paths.chain import Chain, tool_joints
from torsor.motion.paths.following import Followed, Lost
from torsor.motion.paths.tool_paths import Carried, Circle, Line

ORACLE = json.loads((Path(__file__).parent.parent / "oracles" / "asea-simasea.json").read_text())
START = {
    "panda": [0.1, 0.2, 0.3, -1.5, 0.4, 1.6, 0.2],
    "scara": [0.3, -1.2, 0.1, 0.4],
    "ur5": [0.3, -1.2, 1.4, -0.6, 0.7, -0.8],
    "asea-irb": np.deg2rad([32.7, 101.9, 107.8, -120.0, 74.0, 68.5]),
}
ARMS = ["puma560", "irb140", "rl15", "ur5", "stanford", "panda", "scara", "asea-irb"]


def slopes(path, s, h):
    """Central differences of fourth order, of q and its first two derivatives."""
    a, b, c, d = (path.at(s + k * h) for k in (-2, -1, 1, 2))
    return [(a[k] - 8.0 * b[k] + 8.0 * c[k] - d[k]) / (12.0 * h) for k in range(3)]


def assert_exact(path, *, tolerance=1e-7):
    s = np.linspace(0.02, 0.98, 30) * path.length
    now = path.at(s)
    for found, right in zip(slopes(path, s, 2e-4 * path.length), now[1:], strict=True):
        assert np.abs(found - right).max() < tolerance * max(1.0, np.abs(right).max())


def journey(name):
    """An arm, its chain, joints, and a tool path of a line, a corner and a circle from there."""
    arm = load(name)
    chain = Chain(arm.model)
    q = np.array(START.get(name, [0.3, -0.4, 0.5, -0.6, 0.7, -0.8]), dtype=float)
    if arm.model.loops:  # it is given in the joints of the tool's chain
        q = Chain(arm.model, tool_joints(arm.model)).to_arm(q)
    T = chain.where(q[None])[0][0]
    turn = rotation_z(0.2) if name == "scara" else rotation_x(0.2) @ rotation_z(-0.1)
    line = Line.between(T, pose(T[:3, :3] @ turn, T[:3, 3] + [0.02, 0.05, -0.03]))
    corner = line.at(np.array([line.length])).T[0]
    goal = pose(corner[:3, :3] @ turn.T, T[:3, 3] + [0.06, 0.02, 0.02])
    circle = Circle.through(corner, T[:3, 3] + [0.05, 0.05, 0.0], goal)
    return arm, chain, q, line, circle


@pytest.mark.parametrize("name", ARMS)
def test_on_the_path_with_exact_derivatives(name):
    arm, chain, q, line, circle = journey(name)
    path = Followed(chain, line, q, arm=arm)
    s = np.linspace(0.0, line.length, 101)
    along = path.at(s)
    assert np.abs(chain.where(along.q)[0] - line.at(s).T).max() < 1e-13
    assert np.abs(along.q[0] - q).max() < 1e-12
    assert_exact(path)
    after = Followed(chain, circle, path.end, arm=arm)
    assert_exact(after)
    start = path.joints(np.array([line.length - 0.02]))[0]
    assert_exact(Followed(chain, ToolCorner(line, circle, 0.02), start, arm=arm), tolerance=1e-6)


@pytest.mark.parametrize("name", ["puma560", "rl15", "asea-irb"])
def test_the_next_derivative_of_the_velocity(name):
    """J q' = V, and its derivatives by s through the arm's own J and (dJ/ds) q'."""
    arm, chain, q, line, circle = journey(name)
    path = Followed(chain, Circle.through(line.start, circle.centre, circle.start), q, arm=arm)
    s = np.linspace(0.0, path.length, 50)
    along, tool = path.at(s), path.tool.at(s)
    J = chain.where(along.q)[1]
    twist, dtwist, _ = tool.rates
    assert np.abs((J @ along.dq[..., None])[..., 0] - twist).max() < 1e-12
    again = (J @ along.ddq[..., None])[..., 0] + chain.drift(along.q, along.dq)
    assert np.abs(again - dtwist).max() < 1e-10 * max(1.0, np.abs(along.ddq).max())
    if name != "asea-irb":
        assert np.abs(chain.where(along.q)[1] - arm.jacobian(along.q)).max() < 1e-14
        assert np.abs(chain.drift(along.q, along.dq) - arm.jacobian_dot_qd(along.q, along.dq)).max() < 1e-11


def test_another_tool():
    arm, chain, q, line, _ = journey("puma560")
    offset = pose(rotation_x(0.4), [0.1, -0.05, 0.2])
    moved = Line.between(line.start @ offset, line.at(np.array([line.length])).T[0] @ offset)
    path = Followed(chain, Carried(moved, inverse(offset)), q, arm=arm)
    s = np.linspace(0.0, moved.length, 20)
    assert np.abs(arm.pose(path.at(s).q) @ offset - moved.at(s).T).max() < 1e-13
    assert_exact(path)


def test_a_long_line_stays_on_its_branch():
    arm = load("rl15")
    chain = Chain(arm.model)
    q = np.array([0.77, 0.77, -0.57, -0.49, -0.83, 0.61])
    T = arm.pose(q)
    line = Line.between(T, pose(T[:3, :3], T[:3, 3] + [0.35, -0.9, 0.15]))
    path = Followed(chain, line, q, arm=arm)
    s = np.linspace(0.0, line.length, 4001)
    joints = path.at(s).q
    assert np.abs(np.diff(joints, axis=0)).max() < 5e-3
    right = arm.inverse_kinematics(line.at(s).T, nearest=q)
    assert np.abs(joints - right).max() < 1e-9


def test_the_joints_that_rest_on_an_arm_with_seven():
    arm, chain, q, line, _ = journey("panda")
    path = Followed(chain, line, q, arm=arm)
    still = [k for k in range(7) if k not in path.free]
    assert len(still) == 1
    joints = path.at(np.linspace(0.0, line.length, 20)).q
    assert np.abs(joints[:, still] - q[still]).max() == 0.0


def test_out_of_reach():
    arm = load("puma560")
    chain = Chain(arm.model)
    q = np.array([0.3, -0.4, 0.5, -0.6, 0.7, -0.8])
    T = arm.pose(q)
    with pytest.raises(Lost, match="leaves the reach of 'puma560'") as caught:
        Followed(chain, Line.between(T, pose(T[:3, :3], T[:3, 3] + [3.0, 0.0, 0.0])), q, arm=arm)
    assert 0.0 < caught.value.share < 0.5
    assert "nearest" in str(caught.value)


def test_through_a_singularity():
    """Both ends are reached, but the straight wrist lies in between: the branch ends there."""
    arm = load("puma560")
    chain = Chain(arm.model)
    q = np.array([0.2, -0.7, 0.4, 0.3, 0.0, 0.2])
    T = arm.pose(q)
    tilt = T[:3, :3] @ rotation_x(0.5)
    start, goal = pose(tilt, T[:3, 3]), pose(T[:3, :3] @ rotation_x(-0.5), T[:3, 3])
    first = arm.inverse_kinematics(start, nearest=q)
    with pytest.raises(Lost, match="cannot be followed on one branch") as caught:
        Followed(chain, Line.between(start, goal), first, arm=arm)
    assert "singular" in str(caught.value)


def test_where_a_branch_ends_costs_a_few_nodes(monkeypatch):
    """What is before its end is not gone through once more with every finer step: 2048 nodes led up to it."""
    arm = load("puma560")
    chain = Chain(arm.model)
    q = np.array([0.2, -0.7, 0.4, 0.3, 0.0, 0.2])
    T = arm.pose(q)
    start, goal = (pose(T[:3, :3] @ rotation_x(angle), T[:3, 3]) for angle in (0.5, -0.5))
    first, met, asked = arm.inverse_kinematics(start, nearest=q), Followed._met, []
    monkeypatch.setattr(Followed, "_met", lambda path, *given: asked.append(1) or met(path, *given))
    with pytest.raises(Lost, match="cannot be followed on one branch"):
        Followed(chain, Line.between(start, goal), first, arm=arm)
    assert 20 < len(asked) < 200


def test_nodes_that_are_sure_are_the_same_path():
    """Near a singularity nodes must be fine; those before it are kept as if all had been found with these."""
    arm = load("puma560")
    chain = Chain(arm.model)
    T = arm.pose(np.array([0.2, -0.7, 0.4, 0.3, 0.0, 0.2]))
    beside = T[:3, :3] @ rotation_z(0.3)
    start, goal = (pose(beside @ rotation_x(a) @ rotation_y(0.02), T[:3, 3]) for a in (0.9, -0.4))
    path = Followed(chain, Line.between(start, goal), arm.inverse_kinematics(start, nearest=np.zeros(6)), arm=arm)
    assert len(path.nodes) > 33
    assert np.abs(arm.pose(path.q) - path.tool.at(path.nodes).T).max() < 1e-9
    assert np.abs(np.diff(path.q, axis=0)).max() < 0.5


def test_not_at_the_start():
    arm, chain, q, line, _ = journey("puma560")
    with pytest.raises(Lost, match="not at the start"):
        Followed(chain, line, q + 0.1, arm=arm)


def test_a_scara_cannot_tilt():
    arm, chain, q, _, _ = journey("scara")
    T = chain.where(q[None])[0][0]
    with pytest.raises(Lost):
        Followed(chain, Line.between(T, pose(T[:3, :3] @ rotation_x(0.3), T[:3, 3])), q, arm=arm)


class TestLoops:
    def test_free_joints_of_the_published_samples(self):
        model = load("asea-irb").model
        chain = Chain(model, tool_joints(model))
        for sample in ORACLE["program_rule_A"]["samples"]:
            q = np.deg2rad(sample["q_deg"])
            right = np.append(q[[0, 1, 3, 4, 5]], np.deg2rad(sample["theta78_deg"][0]))
            assert np.abs(chain.to_arm(q) - right).max() < 1e-12
            assert np.abs(chain.from_arm(chain.to_arm(q), q) - q).max() < 1e-12

    def test_exact_derivatives_of_free_joints_by_way_of_the_tools_chain(self):
        arm, _, x, line, _ = journey("asea-irb")
        chain = Chain(arm.model, tool_joints(arm.model))
        path = chain.of_arm(Followed(chain, line, chain.from_arm(x, chain.home()), arm=arm))
        assert np.abs(path.at(np.zeros(1)).q - x).max() < 1e-12
        assert path.at(np.zeros(1)).q.shape == (1, arm.n)
        assert_exact(path)
        s = np.linspace(0.0, line.length, 20)
        assert np.abs(arm.pose(path.at(s).q) - line.at(s).T).max() < 1e-12
