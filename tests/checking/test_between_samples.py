"""A verdict holds between samples: peaks against brute force, only signals depend on dt, no number is no yes."""

import json
from pathlib import Path

import numpy as np
import pytest

import torsor
from torsor.errors import ShapeError, TorsorError
from torsor.motion.commands import Blend, Dwell, Joints, Move, Pace, Payload, Place, Pose
from torsor.programs.planner import Planner

PROGRAMS = Path(__file__).parent.parent.parent / "examples" / "programs"
ARMS = ("rl15", "puma560", "ur5", "irb140")
FEW = 30
LIMITS = ("torque", "motor_speed", "speed", "acceleration")


def random_program(arm, rng, moves):
    """Joint moves and lines of many paces, some without a stop between them, from near the arm's zero."""
    low, high = (
        np.array([(link.joint.limits.position or (-2.0, 2.0))[k] for link in arm.model.independent]) for k in (0, 1)
    )
    middle, size = 0.5 * (np.maximum(low, -2.0) + np.minimum(high, 2.0)), 0.2 * (np.minimum(high - low, 4.0))
    q = middle + size * rng.uniform(-1.0, 1.0, arm.n)
    commands = [Move("joint", Joints(tuple(q)), Place("a.irl", 1, 1))]
    for line in range(2, moves + 2):
        pace = Pace(share=rng.uniform(0.3, 1.0))
        blend = Blend("zone", 0.05) if rng.uniform() < 0.5 else Blend()
        place = Place("a.irl", line, 1)
        if rng.uniform() < 0.5:
            q = middle + size * rng.uniform(-1.0, 1.0, arm.n)
            commands.append(Move("joint", Joints(tuple(q)), place, pace=pace, blend=blend))
        else:
            q = q + 0.1 * rng.uniform(-1.0, 1.0, arm.n)
            T = arm.pose(q)
            commands.append(Move("line", Pose(tuple(T[:3, 3]), T[:3, :3]), place, pace=pace, blend=blend))
    return commands


def limits_of(arm):
    """Torque and speed of motors, speed and acceleration of joints: what there is to exceed, infinite where unknown."""
    of = lambda parts, name: np.array([np.inf if getattr(p, name) is None else getattr(p, name) for p in parts])  # noqa: E731
    motors, joints = [d.motor for d in arm.model.drives], [link.joint.limits for link in arm.model.independent]
    if motors:
        return [of(motors, "torque"), of(motors, "speed"), of(joints, "speed"), of(joints, "acceleration")]
    return [of(joints, "torque"), np.full(arm.n, np.inf), of(joints, "speed"), of(joints, "acceleration")]


def shares_at(arm, limits, trajectory, t, wrench):
    q, qd, qdd, _ = trajectory.at(t)
    if arm.model.drives:
        torque, rate = arm.drives.torques(q, qd, qdd, wrench=wrench), arm.drives.rates(q, qd)
    else:
        torque, rate = arm.inverse_dynamics(q, qd, qdd, wrench=wrench), 0.0 * qd
    return np.stack([np.abs(each) / limit for each, limit in zip((torque, rate, qd, qdd), limits, strict=True)], axis=1)


def brute_peaks(arm, trajectory, wrench, step):
    """(4, n) the largest shares: fine samples, both sides of each switch, and ever finer samples around the largest."""
    limits, duration = limits_of(arm), trajectory.duration
    switches = np.concatenate([trajectory.switches - 1e-10, trajectory.switches + 1e-10])
    t = np.sort(np.concatenate([np.linspace(0.0, duration, int(duration / step) + 3), switches]))
    t = np.unique(np.clip(t, 1e-10, duration - 1e-10))
    shares = shares_at(arm, limits, trajectory, t, wrench).reshape(len(t), -1)
    best = shares.max(axis=0)
    padded = np.pad(shares, ((1, 1), (0, 0)), constant_values=-1.0)
    high = (shares >= padded[:-2]) & (shares >= padded[2:]) & (shares > 0.998 * best) & (best > 1e-6)
    # of a plateau, on which all are largest, the largest few will do
    row = np.argsort(-np.where(high, shares, -1.0), axis=0, kind="stable")[:FEW]
    column = np.broadcast_to(np.arange(shares.shape[1]), row.shape)
    row, column = row[high[row, column]], column[high[row, column]]
    at, width = t[row], step
    for _ in range(5):
        width /= 10.0
        around = np.clip(at[:, None] + width * np.arange(-11, 12), 1e-10, duration - 1e-10)
        found = shares_at(arm, limits, trajectory, around.ravel(), wrench).reshape(*around.shape, -1)
        own = found[np.arange(len(at)), :, column]
        at = around[np.arange(len(at)), own.argmax(axis=1)]
        np.maximum.at(best, column, own.max(axis=1))
    return best.reshape(4, arm.n)


def compared(name, seed, step, moves):
    """How far the peaks of a random program are from those of brute force, and whether the verdict is theirs."""
    arm, rng = torsor.load(name), np.random.default_rng(seed)
    wrench = np.concatenate([rng.uniform(-30.0, 30.0, 3), np.zeros(3)])
    commands = random_program(arm, rng, moves)
    verdict = torsor.check(commands, arm, wrench=wrench, signals=False)
    peaks = {}
    for piece in Planner.of(arm).plan(commands):
        if piece.trajectory.duration > 0.0:
            line = piece.command.place.line
            peaks[line] = np.maximum(peaks.get(line, 0.0), brute_peaks(arm, piece.trajectory, wrench, step))
    assert [move.place.line for move in verdict.moves] == sorted(peaks)
    for move in verdict.moves:
        found = np.array([getattr(move, limit).share for limit in LIMITS])
        np.testing.assert_allclose(found, peaks[move.place.line], rtol=1e-6, atol=1e-7, err_msg=f"{name} {seed}")
    worst = max(peak.max() for peak in peaks.values())
    of_tool = {"payload", "tool speed", "tool acceleration"}
    kinds = {problem.kind for problem in verdict.problems} - {"position", "reach"} - of_tool
    assert bool(kinds) == (worst > 1.0 + 1e-6) or abs(worst - 1.0) < 3e-6


@pytest.mark.parametrize("name", ARMS)
@pytest.mark.parametrize("seed", range(3))
def test_peaks_are_those_of_brute_force(name, seed):
    compared(name, seed, 2e-3, moves=2)


@pytest.mark.parametrize(("name", "seed"), [("puma560", 1099), ("ur5", 1019)])
def test_peaks_that_were_missed(name, seed):
    """Where a joint turns just before it stops, and where a torque rises beside the start of a stretch."""
    compared(name, seed, 5e-4, moves=4)


@pytest.mark.slow
@pytest.mark.parametrize("name", ARMS)
@pytest.mark.parametrize("tens", range(25))
def test_peaks_of_a_thousand_programs_are_those_of_brute_force(name, tens):
    for seed in range(1000 + 10 * tens, 1010 + 10 * tens):
        compared(name, seed, 5e-5, moves=4)


def without_dt(verdict):
    document = verdict.document()
    assert document.pop("dt") == verdict.dt
    return json.dumps(document)


@pytest.mark.parametrize("harder", [1.0, pytest.param(3.0, marks=pytest.mark.slow)])
def test_nothing_but_signals_depends_on_dt(harder):
    """The program of the Lola 15 was feasible every 10 and 4 ms, and not every 2 and 1 ms."""
    program, force = PROGRAMS / "rl15_tour.irl", [-100.0, -100.0, -150.0, 0.0, 0.0, 0.0]
    options = {"wrench": force, "acceleration": harder}
    verdicts = [torsor.check(program, "rl15", dt=dt, **options) for dt in (0.01, 0.004, 0.00137)]
    assert len({without_dt(verdict) for verdict in verdicts}) == 1
    assert [len(verdict.signals) for verdict in verdicts] == [int(v.time / v.dt - 1e-9) + 2 for v in verdicts]
    if harder > 1.0:  # what is reached is a simulation with a cycle of its own; signals between cycles are between them
        first, second = verdicts[0].signals, verdicts[1].signals
        common = np.isin(np.round(first.time, 9), np.round(second.time, 9))
        there = np.isin(np.round(second.time, 9), np.round(first.time, 9))
        assert first.off.max() > 0.01
        np.testing.assert_allclose(first.reached[common], second.reached[there], atol=1e-9)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"wrench": [np.nan, 0, 0, 0, 0, 0]}, "a force of the wrench is nan"),
        ({"wrench": [0, 0, 0, np.inf, 0, 0]}, "a moment of the wrench is inf"),
        ({"start": [np.nan, 0, 0, 0, 0, 0]}, "a joint of start is nan"),
        ({"payload": np.inf}, "payload is inf"),
        ({"payload": 1e308}, r"payload is 1e\+308; give 0 to 1e\+06 kg"),
        ({"dt": 1e-300}, "dt is 1e-300; give 1e-06 to 0.25 s"),
        ({"speed": 1e300}, r"speed is 1e\+300"),
        ({"acceleration": np.nan}, "acceleration is nan"),
    ],
)
def test_what_is_not_finite_is_refused_by_name(options, message):
    goal = Move("joint", Joints((0.1,) * 6), Place("a.irl", 1, 1))
    with pytest.raises(ShapeError, match=message):
        torsor.check([goal], "rl15", **options)


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (Payload(1e308, Place("a.irl", 3, 5)), r"a\.irl:3:5: the mass of the payload is 1e\+308; give 0 to 1e\+06 kg"),
        (Payload(1.0, Place("a.irl", 3, 5), (1e308, 0, 0)), r"a\.irl:3:5: the place of the payload is 1e\+308"),
        (Payload(np.nan, Place("a.irl", 3, 5)), r"a\.irl:3:5: the mass of the payload is nan"),
    ],
)
def test_what_a_program_holds_is_refused_with_its_place(command, message):
    goal = Move("joint", Joints((0.1,) * 6), Place("a.irl", 4, 1))
    with pytest.raises(TorsorError, match=message):
        torsor.check([command, goal], "rl15")


def test_what_is_found_not_finite_is_a_problem_of_its_line(hand, rl15):
    """However it came to be: a motion that is no number is no yes, in no field, without a warning."""

    class Broken(hand.Quintic):
        def at(self, t):
            motion = super().at(t)
            return motion._replace(qdd=np.where(np.asarray(t)[:, None] > 0.5, np.nan, motion.qdd))

    first, second = hand.tour(rl15, (1.5, 1.0), dwell=0.0)
    bad = hand.Piece(second.command, second.start, Broken(second.trajectory.start, second.trajectory.goal, 1.0))
    verdict = hand.verdict(rl15, [first, bad])
    assert not verdict.feasible
    assert [(problem.kind, problem.place.line) for problem in verdict.problems] == [("not finite", 2)]
    assert "not a finite number" in verdict.headline
    assert [move.feasible for move in verdict.moves] == [True, False]
    assert json.loads(verdict.to_json())["feasible"] is False


def test_a_rest_is_not_sampled(rl15):
    """A wait of eleven days: two samples, whatever it lasts, and two rows of signals."""
    import tracemalloc

    goal, place = Move("joint", Joints((0.1,) * 6), Place("a.irl", 1, 1)), Place("a.irl", 2, 1)
    torsor.check([goal, Dwell(1.0, place)], rl15)  # kernels and the like
    tracemalloc.start()
    verdict = torsor.check([goal, Dwell(1e6, place)], rl15)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 20e6
    assert verdict.time == pytest.approx(1e6 + verdict.moves[0].duration)
    assert verdict.moves[1].duration == pytest.approx(1e6)
    assert len(verdict.signals) < 200
    held = rl15.drives.torques(np.full(6, 0.1), np.zeros(6), np.zeros(6))
    np.testing.assert_allclose(verdict.moves[1].squared, 1e6 * held**2, rtol=1e-9)
    short = torsor.check([goal, Dwell(1.0, place)], rl15)
    assert len(short.signals) == int(short.time / 0.01) + 2  # a short one has all its rows


def test_a_long_motion_comes_in_parts(hand, rl15):
    """An hour from here to there, in 180,000 samples: no more than a block of them at once."""
    import tracemalloc

    piece = next(iter(hand.tour(rl15, (1.0,), dwell=0.0)))
    slow = [hand.Piece(piece.command, 0.0, hand.Quintic(piece.trajectory.start, piece.trajectory.goal, 3600.0))]
    hand.verdict(rl15, [piece], keep=False)
    tracemalloc.start()
    verdict = hand.verdict(rl15, slow, keep=False)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 80e6
    assert len(verdict.moves) == 1
    assert verdict.moves[0].duration == pytest.approx(3600.0)
    np.testing.assert_allclose(verdict.moves[0].speed.share, hand.verdict(rl15, [piece]).moves[0].speed.share / 3600.0)


def test_friction_jumps_where_a_joint_turns_round(hand, rl15):
    """Away and back within one smooth piece: the torque just before and just after the turn, both are seen."""

    class Swing(hand.Quintic):
        def at(self, t):
            s, way = np.asarray(t)[:, None], self.goal - self.start
            rows = way * np.sin(s), way * np.cos(s), -way * np.sin(s), -way * np.cos(s)
            return type(hand.Quintic(self.start, self.goal, 1.0).at(t))(self.start + rows[0], *rows[1:])

    piece = next(iter(hand.tour(rl15, (1.0,), dwell=0.0)))
    swing = Swing(piece.trajectory.start, piece.trajectory.goal, 3.0)  # turns at pi / 2
    [move] = hand.verdict(rl15, [hand.Piece(piece.command, 0.0, swing)]).moves
    t = np.concatenate([np.linspace(1e-9, 3.0 - 1e-9, 20001), np.pi / 2 + np.array([-1e-9, 1e-9])])
    q, qd, qdd, _ = swing.at(t)
    peak = np.array([drive.motor.torque for drive in rl15.model.drives])
    np.testing.assert_allclose(move.torque.share, np.abs(rl15.drives.torques(q, qd, qdd) / peak).max(axis=0), rtol=1e-6)
