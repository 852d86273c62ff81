"""SIMASEA's program, by both timing rules: events, segments, joints, rates and torques of the published run."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from published_programs import at, joints, simasea, simasea_point
from torsor import load
from torsor.errors import TorsorError, Unsupported
from torsor.motion import BeyondRange, Move, Pace, Paul, Timing, plan
from torsor.motion.planning.simasea_timing import segment_times, transitions

ORACLE = json.loads((Path(__file__).parent.parent / "oracles" / "asea-simasea.json").read_text())
EVENTS = ("MOVE P2", "MOVE P6", "OPENI", "MOVES P7", "PAUSE", "MOVES P8")


@pytest.fixture(scope="module")
def arm():
    return load("asea-irb")


@pytest.fixture(scope="module", params=["A", "B"])
def run(request, arm):
    """The plan's pieces and the published run by the same rule."""
    made = plan(arm, simasea(), timing=Paul(overlap=request.param == "B"), strict=False)
    return list(made), ORACLE[f"program_rule_{request.param}"], made


def test_events(run):
    pieces, right, _ = run
    starts = [piece.start for piece in pieces if piece.kind != "start"]
    assert starts == pytest.approx([right["events"][name] for name in EVENTS], abs=1e-12)
    assert pieces[-1].end == pytest.approx(right["events"]["STOP"], abs=1e-12)


def test_segments(arm):
    """T = max(2 t_acc, what the slowest needs, rounded up to 0.25 s); a command takes their sum and 2 t_acc."""
    timing = Paul()
    moves = [piece for piece in plan(arm, simasea(), timing=timing, strict=False) if isinstance(piece.command, Move)]
    expected = [sum(times) + 2.0 * timing.t_acc for times in ORACLE["program_rule_A"]["segment_T"].values()]
    assert [piece.duration for piece in moves] == pytest.approx(expected, abs=1e-12)


def test_samples(run, arm):
    pieces, right, _ = run
    chosen = [0, 1, 3, 4, 5]  # theta7 follows from theta2 and theta3
    for sample in right["samples"]:
        piece = [each for each in pieces if each.duration and each.start <= sample["t"] <= each.end + 1e-9][-1]
        motion = piece.trajectory.at(np.array([sample["t"] - piece.start]))
        q = np.deg2rad([*np.array(sample["q_deg"])[chosen], sample["theta78_deg"][0]])
        # the published angles are principal values
        assert np.abs(np.angle(np.exp(1j * (motion.q[0] - q)))).max() < 1e-11
        assert np.abs(motion.qd[0, :5] - np.deg2rad(sample["qd_deg"])[chosen]).max() < 1e-11
        assert np.abs(motion.qdd[0, :5] - np.deg2rad(sample["qdd_deg"])[chosen]).max() < 1e-10
        tau = arm.inverse_dynamics(motion.q[0], motion.qd[0], motion.qdd[0])
        assert np.abs(tau - sample["tau"]).max() < 1e-10
        assert np.abs(arm.pose(motion.q[0])[:3, 3] - sample["pos"]).max() < 1e-12


def test_motion_is_smooth(run):
    """Joints, speeds and accelerations are continuous from piece to piece, but for accelerations where B overlaps."""
    pieces, _, _ = run
    moving = [piece for piece in pieces if piece.duration]
    for before, after in pairwise(moving):
        a, b = before.trajectory.at(np.array([before.duration])), after.trajectory.at(np.zeros(1))
        for k in range(3):
            assert np.abs(a[k] - b[k]).max() < 1e-9


def test_derivatives(run):
    pieces, _, _ = run
    for piece in pieces:
        if not piece.duration:
            continue
        t = np.linspace(0.1, piece.duration - 0.1, 67)
        h = 1e-4
        a, b, now, c, d = (piece.trajectory.at(t + k * h) for k in (-2, -1, 0, 1, 2))
        for k in range(3):
            slope = (a[k] - 8.0 * b[k] + 8.0 * c[k] - d[k]) / (12.0 * h)
            off = np.abs(slope - now[k + 1]).max(axis=1)
            if k == 2:  # jerk jumps at the ends of transitions, which are whole quarters of a second
                off = off[np.abs(t / 0.25 - np.round(t / 0.25)) > 0.01]
            assert off.max() < 1e-5 * max(1.0, np.abs(now[k + 1]).max())


def test_what_the_published_program_asks_of_joint_4(run):
    """Followed without jumps, the last line turns joint 4 beyond half a turn; SIMASEA takes principal values."""
    _, _, made = run
    assert [(note.kind, note.place.line) for note in made.notes] == [("limits", 8)]
    assert "joint4" in made.notes[0].text
    with pytest.raises(BeyondRange, match=r"program:8:1: the line takes joint4 to"):
        list(plan(made.arm, simasea(), timing=Paul()))


def test_segment_times():
    points = np.array([[0.26, 0.18, 0.74], [0.31, 0.30, 0.80]])
    assert segment_times(Paul(), points, np.full(3, 0.03), 1.0) == [4.0]
    assert segment_times(Paul(), points, np.full(3, 0.03), 0.5) == [8.0]
    assert segment_times(Paul(), 0.01 * points, np.full(3, 0.03), 1.0) == [3.0]  # 2 t_acc at least


def test_a_via_point_is_passed_not_touched():
    points = np.array([[0.0], [3.0], [0.0]])
    x = transitions(points, [3.0, 3.0], 1.0)
    assert x.duration == 8.0
    t = np.linspace(0.0, 8.0, 4001)
    # x = P + v0 t + 2 t_acc (v1 - v0) (h^3 - h^4 / 2) at t = 0, h = 1/2: P + 2 (-2) (1/8 - 1/32)
    assert x.at(t)[0].max() == pytest.approx(3.0 - 4.0 * (1 / 8 - 1 / 32), abs=1e-12)
    for at_break in x.breaks[1:-1]:
        before, after = x.at(at_break - 1e-12), x.at(at_break + 1e-12)
        assert all(abs(float((a - b)[0])) < 1e-10 for a, b in zip(before[:3], after[:3], strict=True))


def test_speed_in_percent(arm):
    commands = [*simasea()[:1], Move("joint", simasea_point("P6"), at(4), pace=Pace(share=0.5))]
    half = list(plan(arm, commands, timing=Paul()))[-1].duration
    full = list(plan(arm, [commands[0], Move("joint", simasea_point("P6"), at(4))], timing=Paul()))[-1].duration
    assert half > full


def test_no_circles(arm):
    P = simasea_point
    circle = Move("circle", P("P2"), at(3), via=(P("P3"),))
    with pytest.raises(Unsupported, match="program:3:1: SIMASEA's timing knows no circles"):
        list(plan(arm, [*simasea()[:1], circle], timing=Paul()))


def test_serial_arms_too():
    arm = load("puma560")
    made = plan(arm, [Move("joint", joints(50, 0, 0, 0, 0, 0), at(1))], timing=Paul())
    assert made.duration == 6.0  # T = 2 t_acc = 3 s, and 2 t_acc


def test_bad_timing():
    with pytest.raises(TorsorError, match="t_acc is 0"):
        Paul(t_acc=0.0)


def test_other_timings_of_an_arm_with_loops(arm):
    """The same program by a time law: smooth in the free joints, the tool where it should be."""
    made = plan(arm, simasea()[:5], timing=Timing("s-curve", speed=1.0, acceleration=2.0), branch="front, up, wrist +")
    pieces = [piece for piece in made if piece.duration]
    for before, after in pairwise(pieces):
        a, b = before.trajectory.at(np.array([before.duration])), after.trajectory.at(np.zeros(1))
        assert np.abs(a.q - b.q).max() < 1e-9
        assert np.abs(a.qd - b.qd).max() < 1e-9
    ends = arm.pose(pieces[-1].trajectory.at(np.array([pieces[-1].duration])).q[0])
    right = simasea_point("P7")
    assert np.abs(ends[:3, 3] - right.position).max() < 1e-12
    assert np.abs(ends[:3, :3] - right.rotation).max() < 1e-12
