"""Lines that limits slow: against the best trapezoid that brute force finds, from joints of its own, by differences."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import torsor
from published_programs import at
from torsor.arm import Arm
from torsor.model.expression import ArmFormula
from torsor.model.parts import Drive, Motor
from torsor.motion import Blend, Joints, Move, Pace, Pose, Timing, Unreachable, plan

BASE = {"puma560": (0.1, -0.6, 0.3, 0.2, 0.7, 0.1), "irb140": (0.1, 0.2, -0.3, 0.2, 0.7, 0.1)}
BASE |= {"rl15": (0.3, 0.2, 0.1, 0.2, -0.8, 0.3), "ur5": (0.2, -1.2, 1.4, -0.6, 0.9, 0.1)}
SPEED, ACCELERATION = 2.0, 6.0  # of joints without limits
TIMING = Timing(speed=SPEED, acceleration=ACCELERATION)
POINTS = 1001


def limits(arm):
    """Rows |R qd| <= v of joints and motors, and |qdd| <= a, from the arm file."""
    own = [link.joint.limits for link in arm.model.independent]
    v = [SPEED if each.speed is None else each.speed for each in own]
    a = [ACCELERATION if each.acceleration is None else each.acceleration for each in own]
    turning = [drive for drive in arm.model.drives if drive.motor.speed is not None]
    rows = np.vstack([np.eye(6), *(drive.ratio for drive in turning)])
    return rows, np.array([*v, *(drive.motor.speed for drive in turning)]), np.array(a)


def turned(axis, angle):
    K = np.cross(np.eye(3), axis / np.linalg.norm(axis))
    return np.eye(3) + np.sin(angle) * K + (1.0 - np.cos(angle)) * K @ K


class Brute:
    """q', q'' along a line, by differences of joints that inverse kinematics finds, and trapezoids tried one by one."""

    def __init__(self, arm, q, reach, axis, angle):
        T = arm.pose(q)
        self.length = float(np.linalg.norm(reach))
        self.s = np.linspace(0.0, self.length, POINTS)
        h = self.s[1]
        around = np.concatenate([[-2 * h, -h], self.s, [self.length + h, self.length + 2 * h]])  # beyond its ends
        poses = np.tile(np.eye(4), (len(around), 1, 1))
        for each, s in zip(poses, around / self.length, strict=True):
            each[:3, 3] = T[:3, 3] + s * reach
            each[:3, :3] = turned(axis, s * angle) @ T[:3, :3]
        joints = arm.inverse_kinematics(poses, nearest=q, limits=False)
        stencils = (1.0, -8.0, 0.0, 8.0, -1.0), (-1.0, 16.0, -30.0, 16.0, -1.0)
        shifted = [joints[k : len(joints) - 4 + k] for k in range(5)]
        self.dq, self.ddq = (sum(c * each for c, each in zip(st, shifted, strict=True)) / 12.0 for st in stencils)
        self.dq, self.ddq = self.dq / h, self.ddq / h**2
        rows, self.v, self.a = limits(arm)
        self.fast = (np.abs(self.dq @ rows.T) / self.v).max(axis=1)
        self.target = Pose(tuple(poses[-3, :3, 3]), poses[-3, :3, :3])

    def use(self, v, a, every=1):
        """The greatest share of a limit in a trapezoid, and how long it takes."""
        v = min(v, np.sqrt(a * self.length))
        s, r = self.s[::every], 0.5 * v * v / a
        x = np.minimum(v * v, 2.0 * a * np.minimum(s, self.length - s))
        bent, along = self.ddq[::every] * x[:, None], self.dq[::every] * a
        hard = np.abs(bent) * ((s >= r) & (s <= self.length - r))[:, None]
        hard = np.maximum(hard, np.abs(bent + along) * (s <= r)[:, None])
        hard = np.maximum(hard, np.abs(bent - along) * (s >= self.length - r)[:, None])
        return max((hard / self.a).max(), (self.fast[::every] * np.sqrt(x)).max()), self.length / v + v / a

    def best(self, speed, acceleration):
        """The time of the best of a grid of both numbers, and of ever finer ones around it."""
        centre, width, best = (0.2, 0.15), np.log([5.0, 7.0]), (np.inf, 1.0, 1.0)
        for _ in range(4):
            for f in np.exp(np.linspace(-width[0], width[0], 17)) * centre[0]:
                for g in np.exp(np.linspace(-width[1], width[1], 17)) * centre[1]:
                    share = min(f, 1.0), min(g, 1.0)
                    use, time = self.use(share[0] * speed, share[1] * acceleration, every=4)
                    best = min(best, (time if use <= 1.0 else np.inf, *share))
            centre, width = best[1:], width / 5.0
        return best[0]


def reachable(arm, q, reach, axis, angle):
    try:
        return Brute(arm, q, reach, axis, angle)
    except Unreachable:
        return reachable(arm, q, 0.5 * reach, axis, 0.5 * angle)


def compare(name, seed):
    """Time over that of the best trapezoid tried, the use of limits, and the note, of one random line."""
    arm, rng = torsor.load(name), np.random.default_rng(seed)
    q = np.array(BASE[name]) + rng.uniform(-0.1, 0.1, 6)
    brute = reachable(arm, q, rng.uniform(-0.25, 0.25, 3), rng.normal(size=3), rng.uniform(0.0, 0.6))
    speed, acceleration = np.exp(rng.uniform(np.log([0.2, 1.0]), np.log([1.5, 8.0])))
    pace = Pace(speed=speed, acceleration=acceleration)
    planned = plan(arm, [Move("line", brute.target, at(1), pace=pace)], start=q, timing=TIMING, strict=False)
    (piece,) = planned
    beside = np.concatenate([piece.switches[1:] - 1e-12, piece.switches[:-1]])
    motion = piece.trajectory.at(np.concatenate([np.linspace(0.0, piece.duration, 4001), beside]))
    rows, v, a = limits(arm)
    use = max((np.abs(motion.qd @ rows.T) / v).max(), (np.abs(motion.qdd) / a).max())
    return piece.duration / brute.best(speed, acceleration), use, planned.notes


def require_best(name, seed):
    ratio, use, notes = compare(name, seed)
    assert use < 1.0 + 1e-9
    assert ratio < 1.01
    notes = [note for note in notes if note.kind == "slowed"]
    if notes:  # then a limit is used up
        assert "would pass its" in notes[0].text
        assert use > 0.99
    return bool(notes)


@pytest.mark.parametrize(("name", "seed"), [("rl15", 0), ("puma560", 2), ("ur5", 4)])
def test_a_line_that_limits_slow_is_the_best_trapezoid(name, seed):
    require_best(name, seed)


@pytest.mark.slow
@pytest.mark.parametrize("name", BASE)
def test_many_lines_that_limits_slow_are_best_trapezoids(name):
    slowed = [require_best(name, seed) for seed in range(100, 125)]
    assert sum(slowed) > 12


def test_the_note_says_which_joint_which_limit_and_where():
    """The example of the probe: its acceleration is what is changed, not its speed."""
    arm, start = torsor.load("rl15"), np.array(BASE["rl15"])
    T = arm.pose(start)
    target = Pose(tuple(T[:3, 3] + [0.0, 0.3, 0.1]), turned(np.array([1.0, 1.0, 0.0]), 0.4) @ T[:3, :3])
    planned = plan(arm, [Move("line", target, at(1), pace=Pace(speed=0.25, acceleration=1.0))], start=start)
    assert planned.duration < 1.56  # 1.79 where |q''| v^2 + |q'| a was bounded everywhere
    (note,) = planned.notes
    assert note.text.startswith(
        "the line is slowed from 1 to 0.868 m/s^2: joint2 would pass its acceleration limit at ("
    )


def test_what_is_within_all_limits_is_left_as_it_is():
    arm, start = torsor.load("rl15"), np.array(BASE["rl15"])
    T = arm.pose(start)
    target = Pose(tuple(T[:3, 3] + [0.0, 0.2, 0.1]), T[:3, :3])
    planned = plan(arm, [Move("line", target, at(1), pace=Pace(speed=0.1, acceleration=0.2))], start=start)
    assert planned.duration == pytest.approx(np.sqrt(0.05) / 0.1 + 0.1 / 0.2, rel=1e-12)
    assert not planned.notes


def test_a_line_too_short_for_its_speed_is_not_slowed():
    arm, start = torsor.load("rl15"), np.array(BASE["rl15"])
    T = arm.pose(start)
    target = Pose(tuple(T[:3, 3] + [0.0, 0.02, 0.01]), T[:3, :3])
    planned = plan(arm, [Move("line", target, at(1), pace=Pace(speed=2.0, acceleration=0.5))], start=start)
    assert planned.duration == pytest.approx(2.0 * np.sqrt(np.sqrt(0.0005) / 0.5), rel=1e-12)
    assert not planned.notes


def test_a_turn_on_the_spot_is_slowed_in_degrees():
    arm, start = torsor.load("rl15"), np.array(BASE["rl15"])
    T = arm.pose(start)
    target = Pose(tuple(T[:3, 3]), turned(np.array([0.0, 1.0, 1.0]), 0.5) @ T[:3, :3])
    planned = plan(arm, [Move("line", target, at(1), pace=Pace(turn=20.0, acceleration_share=50.0))], start=start)
    list(planned)
    assert "is slowed from 1146 to" in planned.notes[0].text
    assert "deg/s" in planned.notes[0].text


@pytest.mark.parametrize("blend", [Blend(), Blend("zone", 0.03), Blend("speed"), Blend("joint")])
def test_motors_are_never_too_fast(blend):
    """Through coupled gears, on joint moves, lines and zones; motors 1 to 3 allow less than the joints' limits."""
    arm, rng = torsor.load("rl15"), np.random.default_rng(3)
    rows, v, _ = limits(arm)
    commands = []
    for k in range(8):
        q = np.array(BASE["rl15"]) + rng.uniform(-0.6, 0.6, 6)
        T = arm.pose(q)
        target, kind = (Joints(tuple(q)), "joint") if k % 3 else (Pose(tuple(T[:3, 3]), T[:3, :3]), "line")
        commands.append(Move(kind, target, at(k + 1), pace=Pace(acceleration_share=20.0), blend=blend))
    used = []
    for piece in plan(arm, commands, start=BASE["rl15"], strict=False):
        motion = piece.trajectory.at(np.linspace(0.0, piece.duration, 4001))
        used.append((np.abs(motion.qd @ rows.T) / v).max(axis=0))
    assert np.max(used) < 1.0 + 1e-9
    assert np.max(used, axis=0)[6:9].max() > 0.999  # a motor decides somewhere


def test_a_share_that_motors_cannot_turn_is_noted_with_the_motor():
    """Motor 2 allows 293.2 / 119 rad/s of the 3.46 that joint 2 has: 71.2 %."""
    arm = torsor.load("rl15")
    move = Move("joint", Joints((0.0, 0.9)), at(1), pace=Pace(share=1.0, acceleration_share=50.0))
    planned = plan(arm, [move], start=np.zeros(6))
    (piece,) = planned
    fastest = np.abs(piece.trajectory.at(np.linspace(0.0, piece.duration, 2001)).qd).max()
    assert fastest == pytest.approx(293.21531433504737 / 119.0, rel=1e-9)
    (note,) = planned.notes
    assert (
        note.text
        == "the joint move is slowed from 100 to 71.21 % of the joints' speeds: motor2 would pass its speed limit"
    )
    slow = plan(arm, [Move("joint", Joints((0.0, 0.9)), at(1), pace=Pace(share=0.7))], start=np.zeros(6))
    assert slow.duration == plan(arm, slow.commands, start=np.zeros(6), timing=Timing(speeds="joints")).duration
    assert not slow.notes


def driven(model, *transmissions):
    """The model with a motor of limited speed for each; a transmission is a row of N, or a formula."""
    drives = []
    for k, each in enumerate(transmissions):
        formula = ArmFormula(each, model.joint_names) if isinstance(each, str) else None
        row = np.array(each if formula is None else np.eye(model.n)[k], dtype=float)
        axis = np.array([0.0, 0.0, 1.0])
        drives.append(Drive(f"m{k + 1}", row, 0.0, 1e-3, 0, axis, transmission=formula, motor=Motor(speed=100.0)))
    return Arm(replace(model, drives=tuple(drives)))


@pytest.mark.parametrize("shape", ["trapezoid", "s-curve"])
def test_motors_behind_linkages_are_never_too_fast(shape):
    """Where N changes on the way, a joint move and a zone are as fast as they may be where it is greatest."""
    arm = driven(torsor.load("planar2").model, [80.0, 0.0], "60 * joint2 + 30 * sin(2 * joint2) + 5 * cos(joint1)")
    targets = [(0.9, 1.4), (-0.5, -1.2), (0.4, 0.3)]
    commands = [Move("joint", Joints(q), at(k), blend=Blend("joint")) for k, q in enumerate(targets, start=1)]
    used = []
    for piece in plan(arm, commands, timing=Timing(shape, speed=5.0, acceleration=50.0)):
        motion = piece.trajectory.at(np.linspace(0.0, piece.duration, 20_001))
        used.append(np.abs(arm.drives.rates(motion.q, motion.qd)).max() / 100.0)
    assert 0.999 < max(used) < 1.0 + 1e-9


def test_motors_of_an_arm_with_loops_are_never_too_fast():
    model = torsor.load("fourbar").model
    arm = driven(model, [50.0, 0.0, 0.0])
    start = arm.closure.free_of(arm.closure.reference)
    commands = [Move("joint", Joints((float(start[0]) + 0.4,)), at(1), pace=Pace(share=1.0))]
    planned = plan(arm, commands, start=start, timing=Timing(speed=5.0, acceleration=100.0))
    (piece,) = planned
    motion = piece.trajectory.at(np.linspace(0.0, piece.duration, 4001))
    assert np.abs(motion.qd).max() == pytest.approx(2.0, rel=1e-5)
    assert np.abs(motion.qd).max() <= 2.0
    assert planned.notes[0].text.endswith("to 40 % of the joints' speeds: m1 would pass its speed limit")


def test_a_joint_move_that_does_not_move_the_tool_point_is_held_by_its_turning():
    """The wrist of the PUMA 560 turns about its tool point: what is asked of the point's speed says nothing then."""
    move = Move("joint", Joints((0.0, 0.0, 0.0, 0.0, 0.5, 0.0)), at(1), pace=Pace(speed=0.5, turn=50.0))
    planned = plan(torsor.load("puma560"), [move], start=np.zeros(6), timing=TIMING)
    (_,), (note,) = list(planned), planned.notes
    assert "deg/s" in note.text
