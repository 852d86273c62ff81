"""Plans of all arms with loops: in their free joints, with the loops closed all along and every limit kept."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import torsor
from torsor import Arm, load
from torsor.errors import LoopOpen
from torsor.motion import Joints, Move, Pace, Paul, Place, Pose, Timing, plan
from torsor.programs import parse

ARMS = ("asea-irb", "fourbar", "five-bar", "slider-crank", "parallelogram5", "delta")
AT = Place("moves", 1, 1)
TIMING = Timing("s-curve", speed=1.0, acceleration=2.0)
SIMASEA = (Path(__file__).parent.parent.parent / "examples/programs/simasea.v2").read_text()
RNG = np.random.default_rng(0)


def start(arm):
    return arm.closure.free_of(arm.closure.reference)


def moves(x, *offsets):
    return [Move("joint", Joints(tuple(x + each)), Place("moves", k + 1, 1)) for k, each in enumerate(offsets)]


def assert_consistent(samples, dt):
    """Positions, speeds and accelerations belong together, by differences of fourth order away from jumps of jerk."""
    samples = type(samples)(*(each[:-1] for each in samples))  # the last one is at the end, not a whole cycle later
    for value, rate in ((samples.q, samples.qd), (samples.qd, samples.qdd)):
        slope = (value[:-4] - 8.0 * value[1:-3] + 8.0 * value[3:-1] - value[4:]) / (12.0 * dt)
        off = np.abs(slope - rate[2:-2]).max(axis=-1)
        jerk = np.abs(np.diff(samples.qddd, axis=0)).max(axis=-1)
        smooth = np.array([jerk[k : k + 4].max() < 0.05 * np.abs(samples.qddd).max() for k in range(len(off))])
        assert off[smooth].max() < 1e-5 * max(1.0, np.abs(rate).max())


def assert_closed(arm, x):
    assert arm.closure.violation(arm.closure.positions(x)).max() < 1e-12


@pytest.mark.parametrize("name", ARMS)
def test_joint_moves_are_straight_in_the_free_joints(name):
    arm = load(name)
    x = start(arm)
    off = RNG.uniform(-0.2, 0.2, arm.n)
    made = plan(arm, moves(x, off, 0.005 + 0.0 * off), start=x, timing=TIMING)
    samples = made.at(1e-3)
    assert_consistent(samples, 1e-3)
    assert_closed(arm, samples.q)
    first = samples.q[samples.command == 0]
    assert np.abs(np.cross(*_in_plane(first - x, off))).max() < 1e-12 if arm.n > 1 else True
    assert np.abs(samples.q[-1] - x - 0.005).max() < 1e-12
    assert np.abs(samples.qd).max() < 1.0 + 1e-9
    assert np.abs(samples.qdd).max() < 2.0 + 1e-9


def _in_plane(way, off):
    """The first two joints of a way, and of where it leads: parallel where the way is straight."""
    return np.pad(way[:, :2], ((0, 0), (0, 1))), np.broadcast_to([*off[:2], 0.0], (len(way), 3))


LINES = {"asea-irb": (0.03, -0.04, 0.05), "delta": (0.05, -0.03, 0.06), "slider-crank": (0.03, 0, 0)}
LINES["parallelogram5"] = (0.1, -0.15, 0.08)


@pytest.mark.parametrize("name", LINES)
def test_straight_lines_of_the_tool(name):
    arm = load(name)
    x = start(arm) + (0.1 if name == "asea-irb" else 0.0)
    T = arm.pose(x)
    goal = T.copy()
    goal[:3, 3] += LINES[name]
    line = Move("line", Pose(tuple(goal[:3, 3]), goal[:3, :3]), AT, pace=Pace(speed=0.05))
    samples = plan(arm, [line], start=x, timing=TIMING).at(1e-3)
    assert_consistent(samples, 1e-3)
    assert_closed(arm, samples.q)
    poses = arm.pose(samples.q)
    way = poses[:, :3, 3] - T[:3, 3]
    assert np.abs(np.cross(way, LINES[name])).max() < 1e-12
    assert np.abs(poses[-1] - goal).max() < 1e-11
    assert np.abs(poses[:, :3, :3] - T[:3, :3]).max() < 1e-11


@pytest.mark.parametrize("name", ARMS)
def test_joints_that_loops_move_keep_their_limits(name):
    """Their speeds and accelerations are checked densely, from differences of what the closure says."""
    arm = load(name)
    names = arm.closure.dependent
    tight = torsor.model.parts.Limits(speed=0.2, acceleration=0.3)
    links = tuple(
        replace(link, joint=replace(link.joint, limits=replace(tight, position=link.joint.limits.position)))
        if link.joint.name in names
        else link
        for link in arm.model.links
    )
    slow = Arm(replace(arm.model, links=links))
    x = start(slow)
    off = np.full(arm.n, -0.15)
    off[-1] = 0.15
    free, held = (plan(each, moves(x, off), start=x, timing=TIMING) for each in (arm, slow))
    assert held.duration > free.duration
    samples = held.at(2e-3)
    qd = slow.closure.velocities(samples.q, samples.qd)
    qdd = slow.closure.accelerations(samples.q, samples.qd, samples.qdd)
    moved = [slow.closure.names.index(each) for each in names]
    assert np.abs(qd[:, moved]).max() < 0.2 * (1.0 + 1e-3)
    assert np.abs(qdd[:, moved]).max() < 0.3 * (1.0 + 1e-3)
    assert max(np.abs(qd[:, moved]).max() / 0.2, np.abs(qdd[:, moved]).max() / 0.3) > 0.9


def test_a_move_on_which_a_loop_opens_says_which_and_where():
    arm = load("asea-irb")
    x = start(arm)
    with pytest.raises(LoopOpen, match=r"moves:1:1: loop 'parallel' cannot close at joint1 = .* m are missing"):
        plan(arm, moves(x, np.array([0.0, 0.0, 0.0, 0.0, 0.0, -0.5])), start=x, timing=TIMING).at(0.01)
    delta = load("delta")
    with pytest.raises(LoopOpen, match=r"loop 'rods\d' of 'delta' does not close at joint1 = .*: it stays open by"):
        delta.closure.positions([0.86, -1.45, -2.88])


def test_the_range_of_a_joint_that_a_loop_moves_holds_on_the_way():
    arm = load("fourbar")
    x = start(arm)
    rocker = arm.closure.reference[2]
    links = tuple(
        replace(link, joint=replace(link.joint, limits=torsor.model.parts.Limits(position=(rocker - 0.05, rocker + 1))))
        if link.joint.name == "rocker"
        else link
        for link in arm.model.links
    )
    ranged = Arm(replace(arm.model, links=links))
    made = plan(ranged, moves(x, np.array([-0.5])), start=x, timing=TIMING, strict=False)
    made.at(0.01)
    assert [note.kind for note in made.notes] == ["limits"]
    assert "rocker" in made.notes[0].text


@pytest.fixture(scope="module")
def asea():
    return load("asea-irb")


def test_simasea_runs_at_every_speed(asea):
    """Published at 100: 53.0 s. What is not at even speed, transitions and waits, does not scale."""
    times = []
    for speed in (10, 20, 30, 50, 70, 85, 90, 100):
        commands = list(parse(SIMASEA.replace("SPEED 100.", f"SPEED {speed}."), "VAL II").commands())
        made = plan(asea, commands, timing=Paul(), strict=False)
        pieces = [piece for piece in made if piece.duration]
        for piece in pieces:
            assert_closed(asea, piece.trajectory.at(np.linspace(0.0, piece.duration, 50)).q)
        times.append((speed, pieces[-1].end))
    assert times[-1][1] == 53.0
    # all but transitions, waits and rounding up to whole increments is proportional to 1 / speed
    even = (times[0][1] - 53.0) / 9.0
    assert all(abs(end - 53.0 - even * (100.0 / speed - 1.0)) < 3.0 for speed, end in times)


@pytest.mark.parametrize("name", ARMS)
def test_checked(name):
    """Of every arm with loops a verdict, from commands that move it back and forth."""
    arm = load(name)
    x = start(arm)
    verdict = torsor.check(moves(x, 0.1 * np.ones(arm.n), np.zeros(arm.n)), arm, start=x, timing=TIMING)
    assert verdict.time > 0.0


def test_a_margin_is_not_told_as_a_slower_pace():
    """A share that joints of a loop pass by rounding alone was told as "slowed from 80 to 80 %"."""
    arm = load("asea-irb")
    x = start(arm)
    planned = plan(arm, [Move("joint", Joints(tuple(x + 0.1)), AT, pace=Pace(share=0.8))], start=x, timing=TIMING)
    for _ in planned:
        pass
    assert not [note for note in planned.notes if "slowed" in str(note)]
