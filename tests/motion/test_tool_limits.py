"""What a pace says of the tool, and zones, on joint moves: by differences of sampled positions, on several arms."""

from __future__ import annotations

from dataclasses import fields, replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import torsor
from published_programs import at
from torsor.errors import TorsorError
from torsor.model.transforms import pose, rotation_x
from torsor.motion import Blend, Dwell, Joints, Move, Pace, Paul, Pose, Timing, Tool, plan
from torsor.motion.paths.chain import Chain
from torsor.motion.paths.trajectories import JointLine
from torsor.motion.planning.tip import Tip
from torsor.motion.time_laws.time_law import SHAPES
from torsor.programs import ProgramError, parse

ARMS = ("rl15", "ur5", *(pytest.param(name, marks=pytest.mark.slow) for name in ("puma560", "irb140")))
BASE = {"puma560": (0.1, -0.6, 0.3, 0.2, 0.7, 0.1), "irb140": (0.1, 0.2, -0.3, 0.2, 0.7, 0.1)}
BASE |= {"rl15": (0.3, 0.2, 0.1, 0.2, -0.8, 0.3), "ur5": (0.2, -1.2, 1.4, -0.6, 0.9, 0.1)}


@pytest.fixture(scope="module", params=ARMS)
def arm(request):
    return torsor.load(request.param)


@pytest.fixture(scope="module")
def rl15():
    return torsor.load("rl15")


def timing(shape="trapezoid"):
    return Timing(shape, speed=2.0, acceleration=6.0)


def around(arm, seed, *, moves=1, size=0.5):
    """Joints near a posture that is far from singular ones: where a program begins, and its targets."""
    rng = np.random.default_rng(seed)
    return BASE[arm.name] + rng.uniform(-size, size, (moves + 1, 6))


def measured(arm, pieces, *, offset=None, h=1e-5, count=4001):
    """Greatest speed, turning and acceleration of the tool, by central differences of its poses alone."""
    found = []
    for piece in pieces:
        if not piece.duration:
            continue
        t = np.linspace(2 * h, piece.duration - 2 * h, count)
        before, now, after = (
            arm.pose(piece.trajectory.at(t + k * h).q) @ (np.eye(4) if offset is None else offset) for k in (-1, 0, 1)
        )
        v = np.linalg.norm(after[:, :3, 3] - before[:, :3, 3], axis=1) / (2 * h)
        turn = np.swapaxes(before[:, :3, :3], 1, 2) @ after[:, :3, :3]
        w = np.linalg.norm(turn - np.swapaxes(turn, 1, 2), axis=(1, 2)) / np.sqrt(8.0) / (2 * h)
        a = np.linalg.norm(after[:, :3, 3] - 2 * now[:, :3, 3] + before[:, :3, 3], axis=1) / h**2
        found.append((v.max(), w.max(), a.max()))
    return np.max(found, axis=0)


def as_fast_everywhere(arm, start, goal, pieces):
    """Greatest speed of the tool if the joints went all the way as fast as they do where they are fastest.

    Where the tool would be fastest joints may still be gathering speed: then it is slower than it may be.
    """
    rates = [piece.trajectory.at(np.linspace(0.0, piece.duration, 4001)).qd for piece in pieces]
    j = int(np.argmax(np.abs(goal - start)))
    top = np.abs(np.concatenate(rates)[:, j]).max() / abs(goal[j] - start[j])
    J = arm.jacobian(start + np.linspace(0.0, 1.0, 4001)[:, None] * (goal - start))[:, :3]
    return top * np.linalg.norm(J @ (goal - start), axis=1).max()


class TestSpeeds:
    @pytest.mark.parametrize("shape", SHAPES)
    @settings(max_examples=6, deadline=None)
    @given(seed=st.integers(0, 10_000), speed=st.floats(0.01, 0.3))
    def test_of_the_tool(self, arm, shape, seed, speed):
        start, goal = around(arm, seed)
        move = Move("joint", Joints(tuple(goal)), at(1), pace=Pace(speed=speed))
        made = plan(arm, [move], start=start, timing=timing(shape), strict=False)
        found = measured(arm, list(made))[0]
        assert found <= speed * (1.0 + 1e-7)  # differences are exact to about 1e-8
        slower = plan(arm, [move], start=start, timing=timing(shape), strict=False).duration
        free = plan(arm, [replace(move, pace=Pace())], start=start, timing=timing(shape), strict=False)
        if measured(arm, list(free))[0] > 1.01 * speed:  # it had to be slowed: and no more than needed
            assert slower > free.duration
            assert as_fast_everywhere(arm, start, goal, list(made)) > 0.999 * speed

    def test_the_limit_is_met(self, arm):
        """A long move at even speed: somewhere on it, if not at its very ends, the tool is as fast as is allowed."""
        start, goal = around(arm, 3, size=0.9)
        for pace, which in ((Pace(speed=0.05), 0), (Pace(turn=0.05), 1)):
            move = Move("joint", Joints(tuple(goal)), at(1), pace=pace)
            found = measured(arm, list(plan(arm, [move], start=start, timing=timing(), strict=False)), count=40001)
            assert 0.05 * (1 - 1e-3) < found[which] <= 0.05 * (1 + 1e-7)

    @settings(max_examples=10, deadline=None)
    @given(seed=st.integers(0, 10_000), size=st.floats(0.01, 6.0))
    def test_the_greatest_along_a_line_of_joints(self, arm, seed, size):
        """Against twenty thousand samples, which can only miss it by 1e-8 of itself."""
        start, goal = around(arm, seed, size=size)
        offset = pose(rotation_x(0.4), [0.05, 0.1, 0.4])
        path = JointLine(start, goal - start, 1.0)
        found = Tip(Chain(arm.model), offset).peaks_of(path)
        q = path.at(np.linspace(0.0, 1.0, 20001)).q
        h = 1e-5
        before, after = (arm.pose(q + k * h * (goal - start)) @ offset for k in (-1, 1))
        right = np.linalg.norm((after - before)[:, :3, 3], axis=1).max() / (2 * h)
        assert found.speed == pytest.approx(right, rel=1e-6)
        w = np.linalg.norm((arm.jacobian(q) @ (goal - start)[:, None])[:, 3:, 0], axis=1).max()
        assert w * (1 - 1e-12) <= found.turn <= w * (1 + 1e-5)

    @settings(max_examples=10, deadline=None)
    @given(seed=st.integers(0, 10_000))
    def test_of_a_turning_tool(self, arm, seed):
        start, goal = around(arm, seed)
        move = Move("joint", Joints(tuple(goal)), at(1), pace=Pace(turn=0.1))
        made = plan(arm, [move], start=start, timing=timing(), strict=False)
        assert measured(arm, list(made))[1] <= 0.1 * (1.0 + 1e-7)

    @pytest.mark.parametrize("shape", ["s-curve", "quartic", "quintic"])
    @settings(max_examples=5, deadline=None)
    @given(seed=st.integers(0, 10_000))
    def test_accelerations(self, arm, shape, seed):
        """Smooth laws, so that a difference is the acceleration."""
        start, goal = around(arm, seed)
        move = Move("joint", Joints(tuple(goal)), at(1), pace=Pace(acceleration=0.2))
        made = plan(arm, [move], start=start, timing=timing(shape), strict=False)
        found = measured(arm, list(made), h=1e-4)[2]
        assert 0.05 < found <= 0.2 * (1.0 + 1e-3)

    def test_of_a_mounted_tool(self, arm):
        """A longer tool swings faster: its own speed is what holds."""
        offset = pose(rotation_x(0.4), [0.05, 0.1, 0.4])
        start, goal = around(arm, 5)
        move = Move("joint", Joints(tuple(goal)), at(2), pace=Pace(speed=0.1))
        made = plan(arm, [Tool(offset, at(1)), move], start=start, timing=timing(), strict=False)
        assert measured(arm, list(made), offset=offset)[0] == pytest.approx(0.1, rel=1e-3)

    @pytest.mark.parametrize("blend", [Blend("joint"), Blend("speed"), Blend("zone", 0.04)])
    def test_through_corners(self, arm, blend):
        """Each move, its halves of zones included, keeps what it says."""
        start, *goals = around(arm, 8, moves=3)
        paces = [Pace(speed=0.05), Pace(speed=0.3, turn=0.2), Pace(acceleration=0.5)]
        moves = [
            Move("joint", Joints(tuple(q)), at(k), pace=p, blend=blend)
            for k, (q, p) in enumerate(zip(goals, paces, strict=True))
        ]
        first, second, third = plan(arm, moves, start=start, timing=timing("quartic"), strict=False)
        assert measured(arm, [first])[0] <= 0.05 * (1 + 1e-7)
        v, w, _ = measured(arm, [second])
        assert v <= 0.3 * (1 + 1e-7)
        assert w <= 0.2 * (1 + 1e-7)
        assert measured(arm, [third], h=1e-4)[2] <= 0.5 * (1 + 1e-3)

    def test_out_of_reach_of_the_joints(self, arm):
        """A speed that the joints' limits do not allow is remarked on, as it is for lines."""
        start, goal = around(arm, 1)
        move = Move("joint", Joints(tuple(goal)), at(4), pace=Pace(speed=50.0))
        made = plan(arm, [move], start=start, timing=timing(), strict=False)
        list(made)
        (note,) = [note for note in made.notes if note.kind == "slowed"]
        assert "the joint move is slowed from 5e+04 to " in note.text
        assert "would pass its speed limit" in note.text

    def test_pauls_timing(self, arm):
        start, goal = around(arm, 2)
        for kind in ("joint", "line"):
            T = arm.pose(start)
            goals = Joints(tuple(goal)) if kind == "joint" else Pose(tuple(T[:3, 3] + [0.02, 0.03, -0.05]), T[:3, :3])
            for pace, which, most in ((Pace(speed=0.005), 0, 0.005), (Pace(turn=0.004), 1, 0.004)):
                if kind == "line" and pace.turn:
                    continue
                move = Move(kind, goals, at(1), pace=pace)
                made = plan(arm, [move], start=start, timing=Paul(branch=""), strict=False)
                found = measured(arm, list(made))[which]
                assert found <= most * (1 + 1e-6)
                assert found > 0.9 * most


def passage(arm, moves, start, corner, shape="trapezoid"):
    """How near the tool comes to the corner, by dense samples; how far it is where the zone begins and ends."""
    made = plan(arm, moves, start=start, timing=timing(shape), strict=False)
    pieces = [piece for piece in made if piece.duration]
    p = np.concatenate([arm.pose(x.trajectory.at(np.linspace(0.0, x.duration, 20001)).q)[:, :3, 3] for x in pieces[:2]])
    return np.linalg.norm(p - corner, axis=1).min(), made


class TestZones:
    RADII = (0.001, 0.003, 0.01, 0.03, 0.1)

    def moves(self, arm, kinds, radius, seed):
        start, one, two = around(arm, seed, moves=2)
        corner = arm.pose(one)
        beyond = corner[:3, 3] + [0.0, 0.1, -0.15]
        before = corner[:3, 3] + [0.1, -0.15, 0.1]
        zone = Blend("zone", radius)
        if kinds == "joint-joint":
            return start, corner[:3, 3], [("joint", Joints(tuple(one)), zone), ("joint", Joints(tuple(two)), Blend())]
        if kinds == "joint-line":
            return start, corner[:3, 3], [("joint", Joints(tuple(one)), zone), ("line", Pose(tuple(beyond)), Blend())]
        first = arm.inverse_kinematics(pose(corner[:3, :3], before), nearest=one, limits=False)
        line = Pose(tuple(corner[:3, 3]), corner[:3, :3])
        return first, corner[:3, 3], [("line", line, zone), ("joint", Joints(tuple(two)), Blend())]

    @pytest.mark.parametrize("kinds", ["joint-joint", "joint-line", "line-joint"])
    @pytest.mark.parametrize("seed", [4, 12])
    def test_passes_within_the_zone(self, arm, kinds, seed):
        near = []
        for radius in self.RADII:
            start, corner, moves = self.moves(arm, kinds, radius, seed)
            commands = [Move(kind, goal, at(k), blend=blend) for k, (kind, goal, blend) in enumerate(moves)]
            distance, made = passage(arm, commands, start, corner)
            assert 0.0 < distance <= radius
            near.append(distance)
            before, _ = [piece for piece in made if piece.duration]
            assert np.abs(before.trajectory.at(np.array([before.duration])).qd).max() > 0.0  # no stop
        cut = [note for note in made.notes if "not 100 mm" in note.text]  # the last is the largest
        growing = near if not cut else near[:-1]
        assert all(b > 2.0 * a for a, b in pairwise(growing)), near
        assert near[-1] > near[-2]

    @settings(max_examples=10, deadline=None)
    @given(seed=st.integers(0, 10_000), radius=st.floats(0.002, 0.2))
    def test_leaves_the_path_at_the_radius(self, arm, seed, radius):
        """Outside of the zone both moves are as they are without it; all of the zone is inside of the radius."""
        start, one, two = around(arm, seed, moves=2)
        corner = arm.pose(one)[:3, 3]
        moves = [Move("joint", Joints(tuple(one)), at(1), blend=Blend("zone", radius))]
        moves.append(Move("joint", Joints(tuple(two)), at(2)))
        made = plan(arm, moves, start=start, timing=timing(), strict=False)
        for piece, (a, b) in zip(made, ((start, one), (one, two)), strict=True):
            q = piece.trajectory.at(np.linspace(0.0, piece.duration, 4001)).q
            off = q - a - ((q - a) @ (b - a) / ((b - a) @ (b - a)))[:, None] * (b - a)
            left = np.abs(off).max(axis=1) > 1e-9  # not on the straight line in joints
            distance = np.linalg.norm(arm.pose(q)[:, :3, 3] - corner, axis=1)
            assert left.any()
            assert distance[left].max() <= radius * (1 + 1e-5)
            said = [note for note in made.notes if note.kind == "blend"]
            if not said:  # nothing was cut: the zone reaches up to its radius
                assert distance[left].max() > 0.85 * radius

    def test_limits_hold_in_zones(self, arm):
        for shape in SHAPES:
            start, corner, moves = self.moves(arm, "joint-joint", 0.05, 7)
            commands = [Move(kind, goal, at(k), blend=blend) for k, (kind, goal, blend) in enumerate(moves)]
            _, made = passage(arm, commands, start, corner, shape)
            links = arm.model.links_on(arm.joint_names)
            fast = np.array([link.joint.limits.speed or 2.0 for link in links])
            hard = np.array([link.joint.limits.acceleration or 6.0 for link in links])
            for piece in made:
                motion = piece.trajectory.at(np.linspace(0.0, piece.duration, 2001))
                assert (np.abs(motion.qd) <= fast * (1 + 1e-9)).all()
                assert (np.abs(motion.qdd) <= hard * (1 + 1e-9)).all()

    def test_what_is_cut_is_said(self, arm):
        for kinds in ("joint-joint", "joint-line", "line-joint"):
            start, corner, moves = self.moves(arm, kinds, 1.5, 4)
            commands = [Move(kind, goal, at(k + 1), blend=blend) for k, (kind, goal, blend) in enumerate(moves)]
            _, made = passage(arm, commands, start, corner)
            (note,) = [note for note in made.notes if note.kind == "blend"]
            assert note.place.line == 1
            assert "mm, not 1500 mm: it takes no more than 45 % of a move" in note.text

    def test_no_zone(self, arm):
        start, one, two = around(arm, 4, moves=2)
        moves = [Move("joint", Joints(tuple(one)), at(1), blend=Blend("zone", 1e-8))]
        moves.append(Move("joint", Joints(tuple(two)), at(2)))
        made = plan(arm, moves, start=start, timing=timing(), strict=False)
        first, _ = made
        assert np.abs(first.trajectory.at(np.array([first.duration])).qd).max() < 1e-9
        assert [note.kind for note in made.notes if "is none" in note.text] == ["blend"]
        for blend in (Blend("zone", -0.1), Blend("joint", 0.1)):
            with pytest.raises(TorsorError, match=r"program:1:1: (zone of the move is -0.1|.*has no radius)"):
                list(plan(arm, [replace(moves[0], blend=blend)], start=start, timing=timing()))


VALUES = {
    "share": 0.05,
    "acceleration_share": 0.2,
    "speed": 0.02,
    "acceleration": 0.05,
    "turn": 0.02,
    "duration": 30.0,
    "axis_speed": 0.02,
    "axis_acceleration": 0.02,
}


class TestNothingIsDropped:
    """Every field of a pace and every blend, on every kind of move, under every timing: it changes the plan, raises,
    or leaves a note."""

    TIMINGS = (*SHAPES, "paul", "optimal")

    def program(self, rl15, kind, pace, blend=Blend(), orientation="variable"):  # noqa: B008
        T = rl15.pose(np.array(BASE["rl15"]))
        turned = T[:3, :3] @ rotation_x(0.2)
        ends = [Pose(tuple(T[:3, 3] + d), turned) for d in ([0.1, 0.2, 0.1], [0.25, 0.25, 0.1])]
        via = (Pose(tuple(T[:3, 3] + [0.0, 0.1, 0.1])),) if kind == "circle" else ()
        first = Move(kind, ends[0], at(1), via, pace, blend, orientation)
        return [first, Move("joint", ends[1], at(2))]

    def verdict(self, rl15, commands, timing):
        verdict = torsor.check(commands, rl15, timing=timing, start=BASE["rl15"], dt=0.02)
        said = {note.text for note in verdict.notes} | {problem.text for problem in verdict.problems}
        move = next((move for move in verdict.moves if move.place.line == 1), None)
        signature = None if move is None else (move.duration, verdict.time, move.tool_speed)
        return signature, said

    @pytest.mark.parametrize("timing", TIMINGS)
    @pytest.mark.parametrize("kind", ["joint", "line", "circle"])
    def test_paces(self, rl15, kind, timing):
        assert set(VALUES) == {field.name for field in fields(Pace)}
        plain, said = self.verdict(rl15, self.program(rl15, kind, Pace()), timing)
        for name, value in VALUES.items():
            changed, more = self.verdict(rl15, self.program(rl15, kind, Pace(**{name: value})), timing)
            different = plain is not None and changed != pytest.approx(plain, rel=1e-6)
            assert different or more - said or plain is None, (name, kind, timing)
            if plain is None:  # SIMASEA's timing refuses circles, and says so
                assert any("knows no circles" in text for text in more)

    @pytest.mark.slow
    @pytest.mark.parametrize("timing", TIMINGS)
    @pytest.mark.parametrize("kind", ["joint", "line"])
    @pytest.mark.parametrize("blend", [Blend("zone", 0.03), Blend("speed"), Blend("joint")])
    def test_blends(self, rl15, kind, timing, blend):
        plain, said = self.verdict(rl15, self.program(rl15, kind, Pace()), timing)
        changed, more = self.verdict(rl15, self.program(rl15, kind, Pace(), blend), timing)
        assert changed != pytest.approx(plain, rel=1e-6) or more - said

    @pytest.mark.parametrize("timing", TIMINGS)
    @pytest.mark.parametrize("orientation", ["constant", "path", "path-variable"])
    def test_orientations(self, rl15, timing, orientation):
        """A joint move has no orientation on its way to choose; SIMASEA's lines have none either."""
        _, said = self.verdict(rl15, self.program(rl15, "joint", Pace(), orientation=orientation), timing)
        assert any("knows no orientation" in text for text in said)

    def test_blends_into_a_wait(self, rl15):
        first, second = self.program(rl15, "joint", Pace(), Blend("zone", 0.03))
        made = plan(rl15, [first, Dwell(1.0, at(3)), second], start=BASE["rl15"])
        list(made)
        assert [(note.kind, note.place.line) for note in made.notes] == [("blend", 1)]

    @pytest.mark.parametrize("pair", [("speed", "share"), ("turn", "duration"), ("acceleration", "acceleration_share")])
    def test_two_at_once(self, rl15, pair):
        """The slowest holds."""
        one, two, both = (
            self.verdict(rl15, self.program(rl15, "joint", Pace(**{word: VALUES[word] for word in words})), None)[0]
            for words in (pair[:1], pair[1:], pair)
        )
        assert both[0] >= max(one[0], two[0]) * (1 - 1e-9)


VAL2 = """.PROGRAM a()
  SPEED {speed} MMPS ALWAYS
  MOVE #PPOINT(10, -40, 20, 10, 40, 10)
  BREAK
  MOVE #PPOINT(50, -60, 40, 30, 70, 40)
.END
"""
IRL = """program a;
seq
  move ptp joint(mainjoint(40, 30, 20)) {options};
  move ptp joint(mainjoint(70, 45, -5));
endseq
endprogram
"""


class TestPrograms:
    @pytest.mark.parametrize("robot", ARMS)
    @pytest.mark.parametrize("timing", [None, "s-curve", "quintic", "quartic", "paul", "optimal"])
    def test_val2(self, robot, timing):
        """``SPEED 20 MMPS`` before ``MOVE``: the tool moves at 20 mm/s, and no faster."""
        verdict = torsor.check(parse(VAL2.format(speed=20), "VAL II"), robot, timing=timing, dt=0.05)
        moving = [move for move in verdict.moves if move.kind == "joint"]
        assert len(moving) == 2
        for move in moving:
            assert 0.015 < move.tool_speed <= 0.02 * (1.0 + 1e-6)
        p = verdict.signals.tool
        assert (np.linalg.norm(np.diff(p, axis=0), axis=1) / np.diff(verdict.signals.time)).max() <= 0.02 * (1 + 1e-6)
        faster = torsor.check(parse(VAL2.format(speed=40), "VAL II"), robot, timing=timing, dt=0.05)
        assert faster.time < verdict.time

    def test_irl_speeds(self):
        """The grammar has speeds of the tool for its paths alone, and says so."""
        for option in ("speed=50", "speed_ori=5", "acc=100"):
            with pytest.raises(ProgramError, match=f"move ptp has no option {option.split('=')[0]}"):
                torsor.check(parse(IRL.format(options=option), "L-IRL"), "rl15")

    def test_irl_zones(self):
        near, times = [], []
        corner = torsor.load("rl15").pose(np.deg2rad([40, 30, 20, 0, 0, 0]))[:3, 3]
        for zone in (1, 10, 60):
            verdict = torsor.check(parse(IRL.format(options=f"c_cp={zone}"), "L-IRL"), "rl15", dt=0.0005)
            near.append(1e3 * np.linalg.norm(verdict.signals.tool - corner, axis=1).min())
            times.append(verdict.time)
        assert near[0] < 1.0
        assert near[0] < near[1] < 10.0
        assert near[1] < near[2] < 60.0

    def test_what_is_cut_is_printed(self, tmp_path, capsys):
        """In the text, in the JSON document and in the report."""
        from torsor.cli import main

        file = tmp_path / "a.irl"
        file.write_text(IRL.format(options="c_cp=5000"))
        said = "not 5000 mm: it takes no more than 45 % of a move"
        for options in ([], ["--json"], ["--report", str(tmp_path / "a.html")]):
            assert main(["check", str(file), "--robot", "rl15", *options]) == 0
            printed = capsys.readouterr().out
            assert said in " ".join(printed.split())
        assert said in (tmp_path / "a.html").read_text()
