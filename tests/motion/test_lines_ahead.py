"""Lines that are looked at together: every plan is what it is when each line is looked at alone."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

import torsor
from torsor.errors import TorsorError
from torsor.model.transforms import pose, rotation_x, rotation_y, rotation_z
from torsor.motion import Joints, Move, Place, Pose, Timing, plan
from torsor.motion.commands import Blend, Pace, Payload, Signal, Tool
from torsor.motion.paths.chain import Chain
from torsor.motion.paths.following import Followed
from torsor.motion.paths.following_many import followed_between, joints_along
from torsor.motion.paths.tool_paths import Line
from torsor.motion.planning import lines_ahead
from torsor.motion.planning.best_trapezoids import best_trapezoids
from torsor.motion.planning.corners import Corners
from torsor.motion.planning.joints_ahead import JointsAhead
from torsor.motion.planning.lines_ahead import LinesAhead, windows
from torsor.motion.planning.slowing import Seen

START = {
    "irb140": np.deg2rad([10.0, 20.0, -10.0, 5.0, 60.0, 10.0]),
    "ur5e": np.deg2rad([20.0, -80.0, 100.0, -110.0, -85.0, 10.0]),
    "rl15": np.deg2rad([-60.0, 55.7, 40.0, 20.0, 60.0, 30.0]),
    "scara": np.array([0.3, 0.8, 0.1, 0.5]),
}


TIMING = Timing(speed=2.0, acceleration=8.0)  # where an arm file says nothing


def at(line: int) -> Place:
    return Place("a.irl", line, 1)


def pose_of(T, name: str = "") -> Pose:
    return Pose(tuple(T[:3, 3].tolist()), T[:3, :3], name=name)


def wandering(name: str, *, count: int, step: float, turn: float, seed: int, kinds: str = "zone stop speed"):
    """Lines from one pose near the start to the next, with paces and blends of all kinds, signals between them."""
    arm, draw = torsor.load(name), random.Random(seed)
    T = np.asarray(arm.pose(START[name]))
    commands = []
    for k in range(count):
        way = np.array([draw.uniform(-1.0, 1.0) for _ in range(3)])
        own = rotation_z(draw.uniform(-turn, turn))
        own = own if name == "scara" else own @ rotation_x(draw.uniform(-turn, turn))
        T = pose(T[:3, :3] @ own, T[:3, 3] + step * way / np.linalg.norm(way))
        kind = draw.choice(kinds.split())
        blend = Blend(kind, draw.choice([0.3, 0.6]) * step) if kind == "zone" else Blend(kind)
        pace = Pace(speed=draw.choice([0.05, 0.3, 2.0]), acceleration=draw.choice([None, 1.0, 20.0]))
        pace = replace(pace, share=draw.choice([None, 0.3]), turn=draw.choice([None, 0.5]))
        commands.append(Move("line", pose_of(T), at(k + 1), pace=pace, blend=blend))
        if draw.random() < 0.1:
            commands.append(Signal("out 1", at(k + 1)))
    return arm, commands


def alone(monkeypatch) -> None:
    monkeypatch.setattr(LinesAhead, "look", lambda *_: None)
    monkeypatch.setattr(JointsAhead, "look", lambda *_: None)
    monkeypatch.setattr(Corners, "_look", lambda *_: None)
    monkeypatch.setattr(Corners, "_look_at_joints", lambda *_: None)


def told(plan) -> list[tuple[str, int, str]]:
    """Notes but for the places in them: where a flat peak is highest is a matter of rounding."""
    return sorted((note.kind, note.place.line, re.sub(r"at \(.*?\)", "", note.text)) for note in plan.notes)


def told_of(take, seen: list):
    def taking(self, number):
        seen.append(take(self, number))
        return seen[-1]

    return taking


def compared(monkeypatch, arm, commands, start, *, strict: bool = True) -> int:
    """Both plans sampled; gives how many moves were seen together."""
    seen = []
    with monkeypatch.context() as patch:
        for kind in (LinesAhead, JointsAhead):
            patch.setattr(kind, "take", told_of(kind.take, seen))
        together = plan(arm, commands, start=start, timing=TIMING, strict=strict)
        samples = together.at(0.01)
    with monkeypatch.context() as patch:
        alone(patch)
        one_by_one = plan(arm, commands, start=start, timing=TIMING, strict=strict)
        expected = one_by_one.at(0.01)
    assert samples.time == pytest.approx(expected.time, rel=1e-9, abs=1e-9)
    for name in ("q", "qd", "qdd"):
        size = np.abs(getattr(expected, name)).max()
        # a time that differs by 1e-9 of it moves what is sampled by as much of the next derivative
        assert np.abs(getattr(samples, name) - getattr(expected, name)).max() < 1e-6 * size, name
    assert told(together) == told(one_by_one)
    return sum(each is not None for each in seen)


@pytest.mark.parametrize("name", ["irb140", "ur5e", "rl15"])
@pytest.mark.parametrize(("step", "turn"), [(0.004, 0.0), (0.09, 0.3)])
def test_as_alone(monkeypatch, name, step, turn):
    arm, commands = wandering(name, count=20, step=step, turn=turn, seed=int(1e4 * step))
    assert compared(monkeypatch, arm, commands, START[name], strict=False) > 10


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_as_alone_on_many(monkeypatch, seed):
    draw = random.Random(seed)
    name = ("irb140", "ur5e", "rl15")[seed % 3]
    step, turn = 10 ** draw.uniform(-3.0, -0.7), draw.choice([0.0, 10 ** draw.uniform(-3.0, 0.0)])
    arm, commands = wandering(name, count=80, step=step, turn=turn, seed=seed)
    compared(monkeypatch, arm, commands, START[name], strict=False)


def test_fewer_joints_than_six(monkeypatch):
    """A SCARA follows lines that keep its axis upright."""
    arm, commands = wandering("scara", count=12, step=0.01, turn=0.05, seed=3, kinds="zone")
    compared(monkeypatch, arm, commands, START["scara"], strict=False)


@pytest.mark.parametrize("name", ["irb140", "ur5e"])
def test_lines_that_stop_as_alone(monkeypatch, name):
    """Their best trapezoids are found together."""
    counts = []

    def counted(rates, seen, asked):
        counts.append(len(seen.lengths))
        return best_trapezoids(rates, seen, asked)

    monkeypatch.setattr(lines_ahead, "best_trapezoids", counted)
    arm, commands = wandering(name, count=16, step=0.05, turn=0.1, seed=11, kinds="stop")
    assert compared(monkeypatch, arm, commands, START[name], strict=False) > 10
    assert max(counts) > 5


@pytest.mark.parametrize("name", ["irb140", "ur5e"])
def test_zones_of_joint_moves_as_alone(monkeypatch, name):
    """With lines beside them, and zones that have no radius, or more than there is room for."""
    arm, commands = wandering(name, count=24, step=0.05, turn=0.2, seed=7)
    commands = [
        replace(each, kind="joint") if isinstance(each, Move) and each.place.line % 4 else each for each in commands
    ]
    assert compared(monkeypatch, arm, commands, START[name], strict=False) > 10


def test_an_arm_with_loops(monkeypatch):
    """SIMASEA's arm: the joints of the plan move others, whose limits count."""
    arm = torsor.load("asea-irb")
    chain = Chain(arm.model)
    q = chain.to_arm(chain.home()) + np.array([0.1, -0.2, 0.15, 0.1, 0.6, 0.1])
    T = np.asarray(arm.pose(q))
    ways = [pose(T[:3, :3] @ rotation_x(0.01 * k), T[:3, 3] + [0.0, 0.01 * k, 0.003 * k * k]) for k in range(1, 9)]
    commands = [Move("line", pose_of(way), at(k), blend=Blend("zone", 0.003)) for k, way in enumerate(ways)]
    assert compared(monkeypatch, arm, commands, q, strict=False) == 8


def test_more_joints_than_six(monkeypatch):
    """Which joints of a Panda rest is decided for each line alone."""
    arm = torsor.load("panda")
    q = np.array([0.1, -0.5, 0.1, -2.0, 0.1, 1.6, 0.7])
    T = np.asarray(arm.pose(q))
    commands = [
        Move("line", pose_of(pose(T[:3, :3], T[:3, 3] + [0.0, 0.01 * k, 0.005 * k])), at(k), blend=Blend("zone", 0.003))
        for k in range(1, 6)
    ]
    assert compared(monkeypatch, arm, commands, q) == 0


def test_what_is_between_lines_counts(monkeypatch):
    """Another tool, a payload, a joint move, a pose that cannot be reached, a line of no length, one without a pose."""
    arm, lines = wandering("irb140", count=40, step=0.01, turn=0.05, seed=5)
    commands = [each for each in lines if isinstance(each, Move)]
    far = pose_of(pose(np.eye(3), [5.0, 0.0, 0.0]))
    commands.insert(35, Move("line", Joints(tuple(START["irb140"] + 0.05)), at(35)))
    commands.insert(30, replace(commands[29]))
    commands.insert(25, Move("line", far, at(25)))
    commands.insert(20, Move("joint", commands[5].target, at(20)))
    commands.insert(15, Payload(1.0, at(15)))
    commands.insert(10, Tool(pose(rotation_x(0.2), [0.01, 0.0, 0.05]), at(10)))
    assert compared(monkeypatch, arm, commands, START["irb140"], strict=False) > 20


@pytest.mark.parametrize("kind", ["line", "joint"])
def test_a_tool_that_is_changed_later_changes_no_zone_before(kind):
    """Zones are looked at with what comes behind them: another tool there is none of theirs."""
    arm, lines = wandering("irb140", count=8, step=0.02, turn=0.05, seed=5, kinds="zone")
    moves = [replace(each, kind=kind) for each in lines if isinstance(each, Move)]
    then = Move("joint", Joints(tuple(START["irb140"])), at(99))
    other = Tool(pose(rotation_x(0.2), [0.01, 0.0, 0.05]), at(98))
    tours = [[*moves, *more, then] for more in ([Payload(1.0, at(98))], [other])]
    one, changed = (plan(arm, tour, start=START["irb140"], timing=TIMING) for tour in tours)
    assert [piece.duration for piece in changed][:8] == pytest.approx([piece.duration for piece in one][:8], rel=1e-12)
    assert told(changed) == told(one)


def test_lines_near_a_singularity_are_told(monkeypatch):
    """Short ways with the wrist all but stretched."""
    arm = torsor.load("irb140")
    q = np.deg2rad([0.0, 10.0, 0.0, 5.0, 1.5, 0.0])
    T = np.asarray(arm.pose(q))
    turned = [pose(T[:3, :3] @ rotation_y(0.002 * k), T[:3, 3]) for k in range(1, 9)]
    commands = [Move("line", pose_of(T), at(k), blend=Blend("zone", 1e-3)) for k, T in enumerate(turned)]
    assert compared(monkeypatch, arm, commands, q, strict=False)
    planned = plan(arm, commands, start=q, timing=TIMING, strict=False)
    assert planned.duration > 0.0
    assert [note.place.line for note in planned.notes if note.kind == "singular"] == list(range(8))


def test_what_goes_wrong_ahead_is_left_to_each_line(monkeypatch):
    """Nothing that is found out ahead is told of the wrong line, or ends the plan."""

    def broken(*_):
        raise TorsorError("somewhere along them")

    arm, commands = wandering("irb140", count=8, step=0.01, turn=0.0, seed=5)
    monkeypatch.setattr(Seen, "together", staticmethod(broken))
    assert compared(monkeypatch, arm, commands, START["irb140"], strict=False) == 0


def until_error(items) -> tuple[list, str]:
    items, found = iter(items), []
    while True:
        try:
            found.append(next(items))
        except StopIteration:
            return found, ""
        except TorsorError as error:
            return found, error.problem


def test_strict_plans_give_what_comes_before_an_error(monkeypatch):
    arm, commands = wandering("irb140", count=10, step=0.01, turn=0.0, seed=5, kinds="stop")
    moves = [each for each in commands if isinstance(each, Move)]
    moves.append(Move("line", pose_of(pose(np.eye(3), [5.0, 0.0, 0.0])), at(99)))

    def planned():
        found, error = until_error(plan(arm, moves, start=START["irb140"], timing=TIMING))
        return [piece.command.place.line for piece in found], error

    together = planned()
    alone(monkeypatch)
    assert together == planned()
    assert together[0] == list(range(1, 10))
    assert "leaves the reach" in together[1]


def test_windows_keep_what_comes_before_an_error():
    def items():
        yield from (1, 2, 3)
        raise TorsorError("no four")

    assert until_error(windows(items(), 2)) == ([[1, 2], [3]], "no four")
    assert list(windows(range(5), 2)) == [[0, 1], [2, 3], [4]]
    assert list(windows([], 2)) == []


class TestFollowedBetween:
    def test_as_followed_alone(self):
        arm = torsor.load("irb140")
        chain, q = Chain(arm.model), START["irb140"]
        T = np.asarray(arm.pose(q))
        ends = [pose(T[:3, :3] @ rotation_x(0.1 * k), T[:3, 3] + [0.0, 0.02 * k, 0.01 * k]) for k in range(8)]
        lines = [Line.between(a, b) for a, b in pairwise(ends)]
        joints = joints_along(chain, np.stack(ends), q)
        assert len(joints) == len(ends)
        found = followed_between(chain, lines, joints[:-1], joints[1:], arm=arm)
        for line, path in zip(lines, found, strict=True):
            expected = Followed(chain, line, q, arm=arm)
            s = np.linspace(0.0, line.length, 30)
            for one, other in zip(path.at(s), expected.at(s), strict=True):
                np.testing.assert_allclose(one, other, rtol=0, atol=1e-9 * max(1.0, np.abs(other).max()))
            q = expected.end

    def test_ends_on_two_branches_are_not_joined(self):
        """The wrist flipped at the end: the same poses, but no way between them."""
        arm = torsor.load("irb140")
        chain, q = Chain(arm.model), START["irb140"]
        T = np.asarray(arm.pose(q))
        line = Line.between(T, pose(T[:3, :3], T[:3, 3] + [0.0, 0.02, 0.0]))
        end = Followed(chain, line, q, arm=arm).end
        flipped = end + np.array([0.0, 0.0, 0.0, np.pi, -2.0 * end[4], -np.pi])
        np.testing.assert_allclose(np.asarray(arm.pose(flipped)), np.asarray(arm.pose(end)), atol=1e-9)
        assert followed_between(chain, [line], q[None], flipped[None], arm=arm) == [None]

    def test_joints_that_bend_away_are_looked_at_as_closely_as_alone(self):
        """The wrist swings by 70 degrees where the tool turns by 37: eight steps are too few for it."""
        arm = torsor.load("irb4600")
        chain = Chain(arm.model)
        q, near = np.deg2rad([[12.1, 15.3, 4.7, 215.3, 33.1, 48.5], [11.35, 14.9, 1.3, 288.2, 11.1, 1.9]])
        line = Line.between(np.asarray(arm.pose(q)), np.asarray(arm.pose(near)))
        expected = Followed(chain, line, q, arm=arm)
        assert len(expected.nodes) == 33
        assert followed_between(chain, [line], q[None], expected.end[None], arm=arm) == [None]

    def test_one_that_cannot_be_followed_leaves_the_others(self):
        arm = torsor.load("irb140")
        chain, q = Chain(arm.model), START["irb140"]
        T = np.asarray(arm.pose(q))
        near = Line.between(T, pose(T[:3, :3], T[:3, 3] + [0.0, 0.02, 0.0]))
        far = Line.between(T, pose(T[:3, :3], T[:3, 3] + [3.0, 0.0, 0.0]))
        end = Followed(chain, near, q, arm=arm).end
        found = followed_between(chain, [near, far, near], np.stack([q] * 3), np.stack([end] * 3), arm=arm)
        assert [path is None for path in found] == [False, True, False]

    def test_targets_end_before_what_is_out_of_reach(self):
        arm = torsor.load("irb140")
        q = START["irb140"]
        T = np.asarray(arm.pose(q))
        poses = np.stack([pose(T[:3, :3], T[:3, 3] + [x, 0.0, 0.0]) for x in (0.0, 0.01, 0.02, 3.0, 0.03)])
        assert len(joints_along(Chain(arm.model), poses, q)) == 3

    def test_a_tool_turned_around_is_not_where_it_was(self):
        """Half a turn has no small motion that leads to it: nothing is found at once."""
        arm = torsor.load("irb140")
        q = START["irb140"]
        T = np.asarray(arm.pose(q))
        poses = np.stack([T, pose(T[:3, :3] @ rotation_z(0.99 * np.pi), T[:3, 3])])
        found = joints_along(Chain(arm.model), poses, q)
        for joints, wanted in zip(found, poses, strict=False):
            np.testing.assert_allclose(np.asarray(arm.pose(joints)), wanted, atol=1e-6)
