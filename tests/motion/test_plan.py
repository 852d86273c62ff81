"""Plans: published times, limits, continuity, blends, events, remarks and errors."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from published_programs import at, joints, lola, lola_point
from torsor import load
from torsor.errors import ShapeError, TorsorError, Unsupported
from torsor.model.transforms import pose, rotation_x, rotation_z
from torsor.motion import (
    BeyondRange,
    Blend,
    Dwell,
    Gripper,
    Joints,
    Move,
    OutOfLimits,
    Pace,
    Payload,
    Pose,
    Signal,
    Start,
    Timing,
    Tool,
    Unreachable,
    plan,
)
from torsor.motion.paths.blends import DEVIATION
from torsor.motion.paths.following import Lost
from torsor.motion.paths.tool_paths import DegenerateCircle
from torsor.motion.time_laws.time_law import SHAPES

ORACLE = json.loads((Path(__file__).parent.parent / "oracles" / "rl15.json").read_text())
SPEEDS = np.array([3.05, 3.46, 3.08, 2.66, 1.62, 6.67])
ACCELERATIONS = np.array([3.75, 2.1, 3.75, 3.75, 1.5, 6.0])
Q = np.array([0.3, 0.2, 0.1, 0.2, -0.8, 0.3])  # a posture of rl15 far from singular ones


@pytest.fixture(scope="module")
def arm():
    return load("rl15")


def target(arm, q, *offset):
    T = arm.pose(np.asarray(q))
    return Pose(tuple(T[:3, 3] + np.array(offset or (0, 0, 0))), T[:3, :3])


def assert_smooth(pieces, *, accelerations=False):
    """Positions and speeds go on from piece to piece, and inside of pieces."""
    moving = [piece for piece in pieces if piece.duration > 0.0]
    for before, after in pairwise(moving):
        assert after.start == pytest.approx(before.end, abs=1e-12)
        a, b = before.trajectory.at(np.array([before.duration])), after.trajectory.at(np.zeros(1))
        for k in range(3 if accelerations else 2):
            assert np.abs(a[k] - b[k]).max() < 1e-8
    for piece in moving:
        t = np.linspace(0.0, piece.duration, 301)
        motion = piece.trajectory.at(t)
        step = t[1]
        most = np.abs(motion.qdd).max() + 1e-9
        assert np.abs(np.diff(motion.qd, axis=0)).max() <= 1.01 * most * step + 1e-9
        mean = 0.5 * (motion.qd[1:] + motion.qd[:-1]) * step
        assert np.abs(np.diff(motion.q, axis=0) - mean).max() <= most * step**2 + 1e-9


class TestJointMoves:
    @pytest.mark.parametrize(("share", "right"), [(1.0, "p0_to_j_acc1.0"), (3.0, "p0_to_j_acc3.0")])
    def test_the_published_move(self, arm, share, right):
        move = Move("joint", joints(-115.7, 55.7, 68.7), at(36), pace=Pace(acceleration_share=share))
        planned = ORACLE["algorithm1"][right]["planned_T"]
        joints_alone = Timing(speeds="joints")  # as published: motor 1 cannot turn that fast
        assert plan(arm, [move], timing=joints_alone).duration == pytest.approx(planned, rel=1e-14)

    def test_all_joints_start_and_arrive_together(self, arm):
        (piece,) = plan(arm, [Move("joint", Joints(tuple(Q)), at(1))])
        motion = piece.trajectory.at(np.linspace(0.0, piece.duration, 101))
        share = motion.q[1:-1] / Q
        assert np.abs(share - share[:, :1]).max() < 1e-12
        assert np.abs(motion.q[-1] - Q).max() < 1e-12

    def test_joints_left_out_stay(self, arm):
        (piece,) = plan(arm, [Move("joint", Joints((0.5,)), at(1))], start=Q)
        assert np.abs(piece.trajectory.at(np.array([piece.duration])).q[0] - [0.5, *Q[1:]]).max() < 1e-12

    def test_speeds_of_motors(self, arm):
        """Motors 1 to 3 allow less than the joints' published limits: rpm_max / k."""
        move = Move("joint", joints(300.0), at(1), pace=Pace(acceleration_share=100.0))
        (piece,) = plan(arm, [move])
        fastest = np.abs(piece.trajectory.at(np.linspace(0, piece.duration, 999)).qd).max()
        assert fastest == pytest.approx(3150 * 2 * np.pi / 60 / 120, rel=1e-9)
        (piece,) = plan(arm, [move], timing=Timing(speeds="joints"))
        assert np.abs(piece.trajectory.at(np.linspace(0, piece.duration, 999)).qd).max() == pytest.approx(3.05)

    @pytest.mark.parametrize("shape", SHAPES)
    @settings(max_examples=25, deadline=None)
    @given(seed=st.integers(0, 10_000), blends=st.lists(st.booleans(), min_size=6, max_size=6))
    def test_limits_and_continuity_of_blended_moves(self, arm, shape, seed, blends):
        rng = np.random.default_rng(seed)
        size = np.exp(rng.uniform(np.log(1e-3), 0.0, (6, 1)))
        targets = rng.uniform(-2.0, 2.0, (6, 6)) * size
        commands = [
            Move("joint", Joints(tuple(q)), at(k), blend=Blend("joint" if blended else "stop"))
            for k, (q, blended) in enumerate(zip(targets, blends, strict=True))
        ]
        pieces = list(plan(arm, commands, timing=shape))
        assert len(pieces) == 6
        assert_smooth(pieces, accelerations=shape != "trapezoid")
        for piece in pieces:
            motion = piece.trajectory.at(np.linspace(0.0, piece.duration, 301))
            assert (np.abs(motion.qd) <= SPEEDS * (1 + 1e-9)).all()
            assert (np.abs(motion.qdd) <= ACCELERATIONS * (1 + 1e-9)).all()
        last = pieces[-1].trajectory.at(np.array([pieces[-1].duration]))
        assert np.abs(last.q[0] - targets[-1]).max() < 1e-12
        assert np.abs(last.qd).max() < 1e-9

    def test_blending_saves_time(self, arm):
        stops = [Move("joint", Joints(tuple(Q * k)), at(line)) for line, k in enumerate((0.3, 0.6, 1.0))]
        through = [replace(move, blend=Blend("joint")) for move in stops]
        assert plan(arm, through).duration < 0.8 * plan(arm, stops).duration
        # in one direction there is no corner: it is one move
        alone = plan(arm, stops[-1:]).duration
        assert plan(arm, through).duration == pytest.approx(alone, rel=1e-9)


@pytest.fixture(scope="module", params=SHAPES)
def made(request, arm):
    made = plan(arm, lola(), timing=request.param)
    return request.param, list(made), made


class TestLola:
    def test_all_moves_are_planned(self, made):
        _, pieces, _ = made
        assert [piece.place.line for piece in pieces] == [24, *range(26, 37)]
        assert [piece.index for piece in pieces] == list(range(12))

    def test_limits_hold(self, made):
        _, pieces, _ = made
        for piece in pieces:
            motion = piece.trajectory.at(np.linspace(0.0, piece.duration, 2001))
            assert (np.abs(motion.qd) <= SPEEDS * (1 + 1e-9)).all()
            assert (np.abs(motion.qdd) <= ACCELERATIONS * (1 + 1e-4)).all()

    def test_programmed_speeds_hold(self, made, arm):
        _, pieces, _ = made
        for piece in pieces:
            if piece.command.pace.speed is not None:
                motion = piece.trajectory.at(np.linspace(0.0, piece.duration, 301))
                v = (arm.jacobian(motion.q) @ motion.qd[..., None])[:, :3, 0]
                assert np.linalg.norm(v, axis=1).max() <= piece.command.pace.speed * (1 + 1e-9)

    def test_continuity(self, made):
        shape, pieces, _ = made
        # circles and lines that meet without a corner jump in curvature; here all moves meet in corners
        assert_smooth(pieces, accelerations=shape != "trapezoid")

    def test_derivatives(self, made):
        _, pieces, _ = made
        h = 1e-5
        for piece in pieces:
            t = np.linspace(0.001, piece.duration - 0.001, 211)
            a, now, b = (piece.trajectory.at(t + k * h) for k in (-1, 0, 1))
            for k in range(3):
                slope = (b[k] - a[k]) / (2 * h)
                off = np.abs(slope - now[k + 1]).max(axis=1)
                # a difference over the seam of two laws is none
                assert np.median(off) < 1e-6
                assert (off < 1e-4 * max(1.0, np.abs(now[k + 1]).max())).mean() > 0.97

    def test_remarks(self, made):
        _, _, plan_ = made
        assert {note.kind for note in plan_.notes} == {"slowed", "blend"}
        (cut,) = [note for note in plan_.notes if note.kind == "blend"]
        assert "mm, not 150 mm: it takes no more than 45 %" in cut.text
        assert any(note.kind == "slowed" and note.place.line == 27 and "mm/s" in note.text for note in plan_.notes)

    def test_stopping_everywhere_meets_the_published_joints(self, arm):
        """IK of the targets as in the oracle, on the branch that the path itself leads to."""
        stops = [replace(move, blend=Blend()) for move in lola()]
        ends = {}
        for piece in plan(arm, stops, branch="keep", start=joints(44.1, 44.4, -32.7, -27.9, -47.3, 34.8)):
            motion = piece.trajectory.at(np.array([piece.duration]))
            ends[piece.command.target.name] = motion.q[0]
            assert np.abs(motion.qd).max() < 1e-9
        for name in ("s0", "s5", "s8_a", "s9"):  # s2 is met with another orientation (o_pco); s6 is a via point
            assert np.abs(ends[name] - ORACLE["ik"]["targets"][name]["q_rad"]).max() < 1e-8

    def test_the_path_is_left_by_no_more_than_the_zones_allow(self, arm):
        stops = [replace(move, blend=Blend()) for move in lola()]
        programmed = np.concatenate(
            [
                arm.pose(piece.trajectory.at(np.linspace(0.0, piece.duration, 800)).q)[:, :3, 3]
                for piece in list(plan(arm, stops))[:10]
            ]
        )
        from scipy.spatial import cKDTree

        tree = cKDTree(programmed)
        for piece in list(plan(arm, lola()))[:10]:
            motion = piece.trajectory.at(np.linspace(0.0, piece.duration, 400))
            off = tree.query(arm.pose(motion.q)[:, :3, 3])[0].max()
            near_zone = piece.place.line in (30, 31)
            assert off < (DEVIATION * 0.15 if near_zone else 0.005) + 1e-3

    def test_kept_speeds(self, arm):
        """With too_fast="keep" tool paths are as fast as they are programmed, whatever the joints' limits."""
        fast, slow = (plan(arm, lola(), timing=Timing(too_fast=word)) for word in ("keep", "slow"))
        assert fast.duration < slow.duration
        assert not any(note.kind == "slowed" and "joint move" not in note.text for note in fast.notes)


class TestTools:
    def test_a_line_of_another_tool(self, arm):
        offset = pose(rotation_x(0.3), [0.0, 0.1, 0.2])
        T = arm.pose(Q) @ offset
        goal = Pose(tuple(T[:3, 3] + [0.0, 0.1, 0.05]), T[:3, :3])
        commands = [Tool(offset, at(1)), Move("line", goal, at(2), pace=Pace(speed=0.1, acceleration=0.5))]
        piece = list(plan(arm, commands, start=Q))[-1]
        tips = (arm.pose(piece.trajectory.at(np.linspace(0.0, piece.duration, 101)).q) @ offset)[:, :3, 3]
        along = np.array([0.0, 0.1, 0.05]) / np.hypot(0.1, 0.05)
        off = tips - T[:3, 3]
        assert np.linalg.norm(off - (off @ along)[:, None] * along, axis=1).max() < 1e-12
        assert np.linalg.norm(tips[-1] - goal.position) < 1e-12

    def test_a_turn_on_the_spot(self, arm):
        T = arm.pose(Q)
        goal = Pose(tuple(T[:3, 3]), T[:3, :3] @ rotation_x(0.4))
        (piece,) = plan(arm, [Move("line", goal, at(1), pace=Pace(speed=0.01, turn=0.2))], start=Q)
        motion = piece.trajectory.at(np.linspace(0.0, piece.duration, 201))
        twist = (arm.jacobian(motion.q) @ motion.qd[..., None])[..., 0]
        assert np.abs(twist[:, :3]).max() < 1e-12
        assert np.linalg.norm(twist[:, 3:], axis=1).max() == pytest.approx(0.2, rel=1e-6)

    def test_orientations_of_a_circle(self, arm):
        T = arm.pose(Q)
        spots = [T[:3, 3] + 0.1 * np.array([np.cos(a) - 1.0, np.sin(a), 0.0]) for a in (0.3, 0.6)]
        via, end = Pose(tuple(spots[0])), tuple(spots[1])
        goal = Pose(end, T[:3, :3] @ rotation_x(0.3))
        ends = {}
        for orientation in ("variable", "constant", "path", "path-variable"):
            move = Move("circle", goal, at(1), (via,), Pace(speed=0.1, acceleration=1.0), orientation=orientation)
            (piece,) = plan(arm, [move], start=Q)
            ends[orientation] = arm.pose(piece.trajectory.at(np.array([piece.duration])).q[0])
            assert np.abs(ends[orientation][:3, 3] - end).max() < 1e-12
        for orientation in ("variable", "path-variable"):
            assert np.abs(ends[orientation][:3, :3] - goal.rotation).max() < 1e-12
        assert np.abs(ends["constant"][:3, :3] - T[:3, :3]).max() < 1e-12
        assert np.abs(ends["path"][:3, :3] - rotation_z(0.6) @ T[:3, :3]).max() < 1e-9

    @pytest.mark.parametrize("shape", SHAPES)
    def test_a_staircase_at_speed(self, arm, shape):
        """Corners are rounded within 5 mm, the tool never faster than asked, speeds and accelerations in limits."""
        T = arm.pose(Q)
        steps = [(0.05, 0.0, 0.0), (0.05, 0.05, 0.0), (0.1, 0.05, 0.0), (0.1, 0.1, 0.02), (0.1, 0.1, 0.1)]
        pace = Pace(speed=0.15, acceleration=0.8)
        commands = [
            Move("line", Pose(tuple(T[:3, 3] + step)), at(k), pace=pace, blend=Blend("speed"))
            for k, step in enumerate(steps)
        ]
        pieces = list(plan(arm, commands, start=Q, timing=shape))
        assert_smooth(pieces, accelerations=shape != "trapezoid")
        corners = T[:3, 3] + np.array([(0, 0, 0), *steps])
        for piece in pieces:
            motion = piece.trajectory.at(np.linspace(0.0, piece.duration, 301))
            p = arm.pose(motion.q)[:, :3, 3]
            v = (arm.jacobian(motion.q) @ motion.qd[..., None])[:, :3, 0]
            J = arm.jacobian(motion.q)
            a = ((J @ motion.qdd[..., None])[..., 0] + arm.jacobian_dot_qd(motion.q, motion.qd))[:, :3]
            assert np.linalg.norm(v, axis=1).max() <= 0.15 * (1 + 1e-9)
            assert np.linalg.norm(a, axis=1).max() <= 0.8 * (1 + 1e-6)
            off = np.min([_distance(p, x, y) for x, y in pairwise(corners)], axis=0)
            assert off.max() < 0.005 + 1e-9
        stops = [replace(move, blend=Blend()) for move in commands]
        assert pieces[-1].end < plan(arm, stops, start=Q, timing=shape).duration

    def test_a_longer_look_ahead_is_never_slower(self, arm):
        T = arm.pose(Q)
        angles = np.linspace(0.0, 6.0, 80)
        commands = [
            Move(
                "line",
                Pose(tuple(T[:3, 3] + 0.1 * np.array([np.sin(a), 1 - np.cos(a), 0.0]))),
                at(k),
                pace=Pace(speed=0.5, acceleration=1.0),
                blend=Blend("speed"),
            )
            for k, a in enumerate(angles[1:])
        ]
        times = [plan(arm, commands, start=Q, timing=Timing(look_ahead=k)).duration for k in (2, 8, 100)]
        assert times[0] >= times[1] - 1e-9
        assert times[1] >= times[2] - 1e-9
        assert times[0] > times[2]


def _distance(p, a, b):
    along = (b - a) / np.linalg.norm(b - a)
    s = np.clip((p - a) @ along, 0.0, np.linalg.norm(b - a))
    return np.linalg.norm(p - a - s[:, None] * along, axis=1)


class TestEvents:
    def test_in_order_with_their_times(self, arm):
        commands = [
            Start(Joints(tuple(Q)), at(1)),
            Dwell(0.5, at(2)),
            Move("joint", Joints(tuple(Q + 0.1)), at(3), blend=Blend("joint")),
            Signal("out 3", at(4)),
            Move("joint", Joints(tuple(Q + np.array([0.2, -0.1, 0.1, 0.3, 0.0, 0.0]))), at(5)),
            Gripper(True, at(6), 0.25),
            Payload(5.0, at(7)),
            Move("joint", Joints(tuple(Q)), at(8)),
        ]
        pieces = list(plan(arm, commands))
        kinds = ["start", "dwell", "joint", "signal", "joint", "gripper", "payload", "joint"]
        assert [piece.kind for piece in pieces] == kinds
        assert [piece.index for piece in pieces] == list(range(8))
        for before, after in pairwise(pieces):
            assert after.start == pytest.approx(before.end, abs=1e-12)
        assert pieces[1].duration == 0.5
        assert pieces[5].duration == 0.25
        signal, moving = pieces[3], pieces[4]
        assert np.abs(moving.trajectory.at(np.zeros(1)).qd).max() > 0.01  # the signal does not stop the arm
        assert signal.duration == 0.0
        assert_smooth(pieces)

    def test_a_move_to_where_the_arm_is_takes_no_time(self, arm):
        pieces = list(plan(arm, [Move("joint", Joints(tuple(Q)), at(1)), Move("line", target(arm, Q), at(2))], start=Q))
        assert [piece.duration for piece in pieces] == [0.0, 0.0]

    def test_duration(self, arm):
        slow = Move("joint", Joints(tuple(Q)), at(1), pace=Pace(duration=4.0))
        made = plan(arm, [slow])
        assert made.duration == pytest.approx(4.0, rel=1e-15)
        end = next(iter(made)).trajectory.at(np.array([4.0]))
        assert np.abs(end.q[0] - Q).max() < 1e-12
        made = plan(arm, [replace(slow, pace=Pace(duration=0.1))])
        assert made.duration > 0.1
        assert [note.kind for note in made.notes] == ["duration"]


class TestSampling:
    def test_samples_are_the_pieces(self, arm):
        made = plan(arm, lola())
        samples = made.at(0.01)
        assert np.abs(np.diff(samples.time)[:-1] - 0.01).max() < 1e-12
        assert samples.time[-1] == made.duration
        assert samples.q.shape == samples.qddd.shape == (len(samples.time), 6)
        pieces = list(made)
        for k in range(0, len(samples.time), 97):
            piece = pieces[samples.command[k]]
            right = piece.trajectory.at(samples.time[k : k + 1] - piece.start)
            assert np.abs(samples.q[k] - right.q).max() < 1e-12
            assert np.abs(samples.qdd[k] - right.qdd).max() < 1e-6

    def test_blocks(self, arm):
        blocks = list(plan(arm, lola()).sample(1e-3))
        assert len(blocks) > 2
        assert np.concatenate([block.time for block in blocks]).tolist() == plan(arm, lola()).at(1e-3).time.tolist()

    def test_commands_that_come_once(self, arm):
        made = plan(arm, iter(lola()))
        assert len(list(made)) == 12
        with pytest.raises(TorsorError, match="used up"):
            list(made)

    def test_bad_dt(self, arm):
        with pytest.raises(ShapeError, match="dt is 0"):
            next(plan(arm, lola()).sample(0.0))
        with pytest.raises(TorsorError, match="no motion"):
            plan(arm, []).at(0.01)


class TestErrors:
    def test_out_of_reach(self, arm):
        with pytest.raises(Unreachable, match=r"^program:7:1: .*cannot reach"):
            list(plan(arm, [Move("joint", Pose((5.0, 0.0, 1.0), np.eye(3)), at(7))]))
        with pytest.raises(Lost, match=r"^program:8:1: the line leaves the reach"):
            list(plan(arm, [Move("line", target(arm, Q, 3.0, 0.0, 0.0), at(8))], start=Q))

    def test_loose_plans_go_on(self, arm):
        commands = [
            Move("joint", Pose((5.0, 0.0, 1.0), np.eye(3)), at(7)),
            Move("joint", Joints(tuple(Q)), at(8)),
        ]
        made = plan(arm, commands, strict=False)
        assert [piece.place.line for piece in made] == [8]
        assert [(note.severity, note.kind, note.place.line) for note in made.notes] == [("error", "skipped", 7)]
        assert str(made.notes[0]).startswith("program:7:1: error: ")

    def test_out_of_limits(self):
        puma = load("puma560")
        far = Move("joint", Joints(joints(300.0).q, "P"), at(3))
        made = plan(puma, [far], timing=Timing(speed=1.0, acceleration=1.0))
        with pytest.raises(BeyondRange, match=r"program:3:1: its target P takes joint1 to 300 deg; its range is"):
            list(made)

    def test_ik_out_of_limits(self):
        irb = load("irb140")
        q = np.array([0.0, 2.2, 0.0, 0.0, 0.5, 0.0])
        T = irb.pose(q)
        goal = Move("joint", Pose(tuple(T[:3, 3]), T[:3, :3], branch="front, up, wrist +"), at(4))
        with pytest.raises((OutOfLimits, Unreachable), match="program:4:1"):
            list(plan(irb, [goal], timing=Timing(speed=1.0, acceleration=1.0)))

    def test_limits_that_are_missing(self):
        two = load("planar2")
        with pytest.raises(Unsupported, match=r"'planar2' has no speed limit for joint1, joint2; add limits"):
            list(plan(two, [Move("joint", Joints((1.0, 1.0)), at(1))]))
        timing = Timing(speed=1.0, acceleration=(1.0, 2.0))
        assert plan(two, [Move("joint", Joints((1.0, 1.0)), at(1))], timing=timing).duration == pytest.approx(2.0)

    def test_degenerate_circle(self, arm):
        T = arm.pose(Q)
        via, end = (Pose(tuple(T[:3, 3] + [0.0, y, 0.0])) for y in (0.05, 0.1))
        with pytest.raises(DegenerateCircle, match="program:9:1: the three points of the circle lie on a line"):
            list(plan(arm, [Move("circle", end, at(9), (via,))], start=Q))
        with pytest.raises(TorsorError, match="program:9:1: a circle through 0 via points"):
            list(plan(arm, [Move("circle", end, at(9))], start=Q))

    def test_near_a_singularity(self, arm):
        """A line past a straight wrist is remarked on, and slowed so that the joints can follow."""
        q = np.array([0.3, 0.2, 0.1, 0.0, -0.01, 0.3])
        T = arm.pose(q)
        start = T.copy()
        start[:3, 3] += [0.0, -0.1, 0.0]
        commands = [Move("line", Pose(tuple(T[:3, 3] + [0.0, 0.1, 0.0]), T[:3, :3]), at(5), pace=Pace(speed=0.5))]
        first = arm.inverse_kinematics(start, nearest=q)
        made = plan(arm, commands, start=first)
        (piece,) = made
        kinds = {note.kind for note in made.notes}
        assert kinds == {"singular", "slowed"}
        motion = piece.trajectory.at(np.linspace(0.0, piece.duration, 20001))
        assert (np.abs(motion.qd) <= SPEEDS * (1 + 1e-6)).all()
        assert (np.abs(motion.qdd) <= ACCELERATIONS * (1 + 1e-3)).all()

    @pytest.mark.parametrize(
        ("pace", "word"),
        [(Pace(share=0.0), "share"), (Pace(speed=-1.0), "speed"), (Pace(duration=np.inf), "duration")],
    )
    def test_bad_paces(self, arm, pace, word):
        with pytest.raises(TorsorError, match=rf"program:2:1: {word} of the move is"):
            list(plan(arm, [Move("joint", Joints(tuple(Q)), at(2), pace=pace)]))

    def test_bad_options(self, arm):
        with pytest.raises(TorsorError, match="no time law 'linear'"):
            plan(arm, [], timing="linear")
        with pytest.raises(ShapeError, match="start"):
            plan(arm, [], start=[0.0, 1.0])
        with pytest.raises(TorsorError, match="look_ahead"):
            Timing(look_ahead=0)
        with pytest.raises(TorsorError, match="there are no speeds 'motors'"):
            Timing(speeds="motors")
        with pytest.raises(ShapeError, match="has 7 joints"):
            list(plan(arm, [Move("joint", Joints((0.0,) * 7), at(1))]))
        with pytest.raises(TorsorError, match="program:1:1: a wait of -1"):
            list(plan(arm, [Dwell(-1.0, at(1))]))

    def test_an_unknown_branch(self, arm):
        s0 = lola_point("s0")
        with pytest.raises(TorsorError, match="program:1:1"):
            list(plan(arm, [Move("joint", replace(s0, branch="sideways"), at(1))]))


def test_branches_by_name(arm):
    s0 = lola_point("s0")
    for branch in ("front, up, wrist +", "front, up, wrist -"):
        (piece,) = plan(arm, [Move("joint", replace(s0, branch=branch), at(1))])
        q = piece.trajectory.at(np.array([piece.duration])).q[0]
        assert np.sin(q[4]) * (1.0 if branch.endswith("+") else -1.0) > 0.0
        (kept,) = plan(arm, [Move("joint", lola_point("s9"), at(1))], start=q, branch="keep")
        after = kept.trajectory.at(np.array([kept.duration])).q[0]
        assert np.sign(np.sin(after[4])) == np.sign(np.sin(q[4]))


def test_where_branches_meet_none_is_kept(arm):
    """At q = 0 the wrist is straight: the nearest solution is taken."""
    near, kept = (list(plan(arm, [Move("joint", lola_point("s0"), at(1))], branch=word)) for word in ("", "keep"))
    assert near[0].duration == kept[0].duration


@pytest.mark.parametrize("shape", SHAPES)
def test_from_a_joint_move_into_a_line_and_back(arm, shape):
    T = arm.pose(Q)
    commands = [
        Move("joint", Joints(tuple(Q)), at(1), blend=Blend("speed")),
        Move("line", Pose(tuple(T[:3, 3] + [0.1, 0.0, 0.1])), at(2), pace=Pace(speed=0.3), blend=Blend("speed")),
        Move("line", Pose(tuple(T[:3, 3] + [0.1, 0.0, 0.1]), T[:3, :3] @ rotation_x(0.3)), at(3), blend=Blend("speed")),
        Move("joint", Joints(tuple(0.5 * Q)), at(4)),
    ]
    pieces = list(plan(arm, commands, start=Q + 0.3, timing=shape))
    assert_smooth(pieces, accelerations=shape != "trapezoid")
    for piece in pieces:
        motion = piece.trajectory.at(np.linspace(0.0, piece.duration, 501))
        assert (np.abs(motion.qd) <= SPEEDS * (1 + 1e-9)).all()
        assert (np.abs(motion.qdd) <= ACCELERATIONS * (1 + 1e-4)).all()
    stops = [replace(move, blend=Blend()) for move in commands]
    assert pieces[-1].end < plan(arm, stops, start=Q + 0.3, timing=shape).duration
    # around the line the tool leaves its path by no more than about 5 mm
    written = list(plan(arm, stops, start=Q + 0.3))
    on_path = np.concatenate([tips(arm, piece, 2000) for piece in written])
    for piece in pieces[:2]:
        off = np.linalg.norm(tips(arm, piece, 200)[:, None] - on_path[None], axis=2).min(axis=1)
        assert off.max() < 0.006
    assert np.abs(pieces[1].trajectory.at(np.zeros(1)).qd).max() > 1e-3


def tips(arm, piece, count):
    return arm.pose(piece.trajectory.at(np.linspace(0.0, piece.duration, count)).q)[:, :3, 3]


@pytest.mark.parametrize(
    ("file", "robot", "options"),
    [
        ("rl15_tour.irl", "rl15", {}),
        ("deburr.irl", "rl15", {}),
        ("palletise.v2", "puma560", {"timing": Timing("s-curve", speed=2.0, acceleration=5.0)}),
    ],
)
def test_the_programs_among_the_examples(file, robot, options):
    from torsor.programs import read

    program = read(Path(__file__).parent.parent.parent / "examples" / "programs" / file)
    made = plan(load(robot), list(program.commands()), **options)
    pieces = list(made)
    assert_smooth(pieces)
    assert made.at(0.01).time[-1] == pytest.approx(pieces[-1].end)


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "seconds"), [("joint", 20.0), ("line", 60.0)])
def test_ten_thousand_moves(arm, kind, seconds):
    """In seconds, and memory does not grow: the peak of the second half is that of the first."""
    import time
    import tracemalloc

    T = arm.pose(Q)

    def commands():
        rng = np.random.default_rng(0)
        for k in range(10_000):
            if kind == "joint":
                yield Move("joint", Joints(tuple(Q + rng.uniform(-0.3, 0.3, 6))), at(k), blend=Blend("joint"))
            else:
                a = 0.2 * k
                spot = T[:3, 3] + [0.1 * np.sin(a), 0.1 * np.cos(a), 0.02 * np.sin(3 * a)]
                pace = Pace(speed=0.2, acceleration=1.0)
                yield Move("line", Pose(tuple(spot)), at(k), pace=pace, blend=Blend("speed"))

    begun = time.process_time()  # whatever else the machine does
    assert sum(1 for _ in plan(arm, commands(), start=Q)) == 10_000
    assert time.process_time() - begun < seconds
    tracemalloc.start()
    peaks = []
    for k, _ in enumerate(plan(arm, commands(), start=Q)):
        if k in (999, 1999):
            peaks.append(tracemalloc.get_traced_memory()[1])
            tracemalloc.reset_peak()
        if k == 1999:
            break
    tracemalloc.stop()
    assert peaks[1] < 1.2 * peaks[0]
