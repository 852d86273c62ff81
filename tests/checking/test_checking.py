"""``torsor.check`` on the published programs."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import torsor
from torsor.checking.held_back import held_back
from torsor.errors import ShapeError, TorsorError, Unsupported
from torsor.model.parts import Limits
from torsor.motion import Timing, plan
from torsor.motion.commands import Dwell, Joints, Move, Pace, Place, Pose, Tool

PROGRAMS = Path(__file__).parent.parent.parent / "examples" / "programs"
ORACLES = Path(__file__).parent.parent / "oracles"
FORCE = [-100.0, -100.0, -150.0, 0.0, 0.0, 0.0]  # on the arm: the paper's 100, 100, 150 N act on the surroundings
GOAL = Joints(tuple(np.deg2rad([-115.7, 55.7, 68.7])), "goal")


def ptp(line=1, **pace):
    return Move("joint", GOAL, Place("tour.irl", line, 1, "move ptp goal;"), pace=Pace(**pace))


@pytest.fixture(scope="module")
def tour():
    return torsor.check(PROGRAMS / "rl15_tour.irl", "rl15", wrench=FORCE)


@pytest.fixture(scope="module")
def harder():
    published = Timing(speeds="joints")  # as the oracle plans: motor 1 is asked to turn too fast
    return torsor.check(PROGRAMS / "rl15_tour.irl", "rl15", wrench=FORCE, acceleration=3.0, timing=published)


# SIMASEA


@pytest.mark.parametrize(("overlap", "rule", "time"), [(False, "program_rule_A", 53.0), (True, "program_rule_B", 51.5)])
def test_simasea(overlap, rule, time):
    """Behi's sample program: every event and every torque sample, by both timing rules."""
    oracle = json.loads((ORACLES / "asea-simasea.json").read_text())[rule]
    verdict = torsor.check(PROGRAMS / "simasea.v2", "asea-irb", overlap=overlap, dt=0.25)
    assert verdict.time == pytest.approx(time, abs=1e-9)
    assert [move.start for move in verdict.moves] == pytest.approx(list(oracle["events"].values())[:-1], abs=1e-9)
    signals = verdict.signals
    for sample in oracle["samples"]:
        k = int(np.argmin(np.abs(signals.time - sample["t"])))
        assert signals.time[k] == pytest.approx(sample["t"], abs=1e-9)
        theta = [*sample["q_deg"], *sample["theta78_deg"]]
        driven = np.deg2rad([theta[j - 1] for j in (1, 2, 4, 5, 6, 7)])
        turns = (signals.q[k] - driven) / (2 * np.pi)  # the oracle wraps joint 4, which passes 180 deg
        np.testing.assert_allclose(turns, np.round(turns), atol=1e-9)
        np.testing.assert_allclose(signals.torque[k], sample["tau"], atol=1e-9)
        np.testing.assert_allclose(signals.tool[k], sample["pos"], atol=1e-9)
    assert not verdict.known.torque
    assert any("no limits of torque are known" in note.text for note in verdict.notes)


def test_simasea_leaves_the_range_of_joint_4():
    """The straight line to P8 by way of P9 and P10 turns joint 4 past the printed 180 deg; SIMASEA wrapped it. Joints
    pass their 50 deg/s there too: SIMASEA looks at the rates of joints in joint moves only."""
    verdict = torsor.check(PROGRAMS / "simasea.v2", "asea-irb")
    assert [(p.who, p.place.line) for p in verdict.problems if p.kind == "position"] == [("joint4", 21)]
    assert {(p.kind, p.place.line) for p in verdict.problems} == {("position", 21), ("speed", 21)}
    assert verdict.advice is None  # no pace helps


# Lola 15


def test_the_tour_is_feasible_as_published(tour):
    assert tour.feasible
    assert len(tour.moves) == 12
    assert tour.peak("torque").max() < 0.7
    assert tour.peak("motor_speed").max() < 1.0 + 1e-9
    # planned_T of rl15.json, where motor 1 turns at 1.0010 times its speed; slowed to it that takes 6e-7 more
    assert tour.moves[-1].duration == pytest.approx(1.4676406261506716, rel=1e-6)


def test_the_last_move_asks_what_algorithm_1_of_the_oracle_asks(tour):
    """Peaks of the oracle are over cycles of (D.3); the exact ones differ by a cycle's discretisation, at most a tenth.

    Motor 2's peak is at the very start and end, where the published cycle has half the acceleration only.
    """
    oracle = json.loads((ORACLES / "rl15.json").read_text())["algorithm1"]["p0_to_j_acc1.0"]
    verdict = torsor.check([ptp()], "rl15", wrench=FORCE)
    exact, published = verdict.peak("torque"), np.array(oracle["max_req_over_Mmax"])
    np.testing.assert_allclose(np.delete(exact, 1), np.delete(published, 1), rtol=0.02)
    assert published[1] < exact[1] < 1.3 * published[1]
    assert verdict.time == pytest.approx(oracle["planned_T"], rel=1e-6)  # motor 1 is slowed by 0.1 % for a moment
    assert verdict.feasible is (oracle["sat_cycles"] == [0] * 6)


def test_three_times_the_acceleration_saturates_where_the_oracle_does(harder):
    oracle = json.loads((ORACLES / "rl15.json").read_text())["algorithm1"]["p0_to_j_acc3.0"]
    assert not harder.feasible
    last = harder.moves[-1]
    assert last.duration == pytest.approx(oracle["planned_T"], rel=1e-12)
    saturated = {harder.motors[span.motor] for span in last.saturated}
    assert saturated == {f"motor{k + 1}" for k, cycles in enumerate(oracle["sat_cycles"]) if cycles}
    assert harder.lines == sorted({problem.place.line for problem in harder.problems})
    assert last.place.line in harder.lines
    assert last.deviation > 0.01
    np.testing.assert_array_less(np.abs(harder.signals.given), harder.signals.upper * (1 + 1e-9))
    lag = np.rad2deg(np.abs(harder.lag)).max()
    assert 0.5 * max(map(abs, oracle["final_lag_deg"])) < lag < 2.0 * max(map(abs, oracle["final_lag_deg"]))


def test_the_numbers_of_the_tour_hold_when_computed_again(tour):
    arm = torsor.load("rl15")
    signals = tour.signals
    u = arm.drives.torques(signals.q, signals.qd, signals.qdd, wrench=FORCE)
    np.testing.assert_allclose(signals.torque, u, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(signals.tool, arm.pose(signals.q)[:, :3, 3], atol=1e-12)
    peaks = np.array([drive.motor.torque for drive in arm.model.drives])
    assert (np.abs(u / peaks).max(axis=0) <= tour.peak("torque") + 1e-12).all()
    motion = np.gradient(signals.q[:-1], 0.01, axis=0)
    assert np.abs(motion - signals.qd[:-1])[1:-1].max() < 0.05  # qd belongs to q, to a cycle's differences


def test_the_advice_makes_it_feasible(harder):
    advice = harder.advice
    assert advice is not None
    assert set(advice.factors) >= set(harder.lines)
    assert all(0.0 < f.speed <= 1.0 and 0.0 < f.acceleration <= 1.0 for f in advice.factors.values())
    assert harder.time < advice.time < 1.2 * harder.time


def test_no_pace_helps_an_arm_that_cannot_hold_its_load():
    heavy = torsor.check([ptp()], "rl15", payload=150.0)
    assert {problem.kind for problem in heavy.problems} == {"torque"}
    assert heavy.advice is None
    arm = torsor.load("rl15").with_payload(150.0)
    holding = arm.drives.torques(heavy.signals.q, np.zeros(6), np.zeros(6))
    assert np.abs(holding / heavy.machine.peaks).max() > 1.0


def test_what_fastest_writes_takes_as_long_as_it_says_without_any_factor(harder, tmp_path):
    asked = {"wrench": FORCE, "timing": Timing(speeds="joints")}
    fixed = torsor.check(PROGRAMS / "rl15_tour.irl", "rl15", fastest=True, acceleration=3.0, **asked)
    assert fixed.feasible
    assert fixed.what_if == ""  # the factor is written into the lines
    path = tmp_path / "new.irl"
    path.write_text(fixed.rewritten.text)
    again = torsor.check(path, "rl15", **asked)
    assert again.feasible
    assert again.time == fixed.time
    plain = torsor.check(PROGRAMS / "rl15_tour.irl", "rl15", **asked)
    assert fixed.time < plain.time
    assert "at most 3 times the acceleration" in dict(fixed.conditions.items())["pace"]


@pytest.mark.slow
def test_fastest_makes_a_feasible_program_faster_up_to_limits(tour):
    fast = torsor.check(PROGRAMS / "rl15_tour.irl", "rl15", wrench=FORCE, fastest=True)
    assert fast.feasible
    assert fast.time < 0.98 * tour.time
    held = dict(held_back(fast))
    assert set(held) == {move.place.line for move in fast.moves if move.kind in ("joint", "line", "circle")}
    assert not any(text.startswith("what the program says") for text in held.values())  # each line is at a limit
    kept = torsor.check(PROGRAMS / "rl15_tour.irl", "rl15", wrench=FORCE, fastest=True, keep_tool_speeds=True)
    assert fast.time <= kept.time <= tour.time
    given = {move.place.line: move.tool_speed for move in tour.moves if move.kind == "line"}
    assert all(move.tool_speed <= given[move.place.line] + 1e-6 for move in kept.moves if move.kind == "line")


# other ways to ask


def test_out_of_reach_is_a_no_with_its_line():
    moves = [ptp(1), Move("line", Pose((9.0, 0.0, 0.5), np.eye(3), "far"), Place("tour.irl", 2, 1, "move lin far;"))]
    verdict = torsor.check(moves, "rl15")
    assert [(problem.kind, problem.place.line) for problem in verdict.problems] == [("reach", 2)]
    assert len(verdict.moves) == 1  # the rest is checked all the same
    assert "line 2" in verdict.headline
    assert verdict.advice is None


def test_a_payload_and_a_tool():
    plain = torsor.check([ptp()], "rl15")
    heavy = torsor.check([ptp()], "rl15", payload=15.0)
    assert heavy.peak("torque")[2] > plain.peak("torque")[2]
    shifted = np.eye(4)
    shifted[:3, 3] = 0.1, 0.0, 0.3
    held = torsor.check([Tool(shifted, Place("tour.irl", 1, 1)), ptp()], "rl15")
    arm = torsor.load("rl15")
    np.testing.assert_allclose(held.signals.tool, (arm.pose(held.signals.q) @ shifted)[:, :3, 3], atol=1e-12)
    moved = np.gradient(held.signals.tool, held.signals.time, axis=0)
    assert np.linalg.norm(moved, axis=1)[2:-2] == pytest.approx(held.signals.tool_speed[2:-2], abs=0.1)
    np.testing.assert_allclose(held.peak("torque"), plain.peak("torque"))


def test_limits_that_a_urdf_does_not_have_are_assumed_and_said():
    goal = Move("joint", Joints((0.5,) * 6, "goal"), Place("a.irl", 1, 1))
    verdict = torsor.check([goal], "ur5")
    assert verdict.feasible
    assert [note.text for note in verdict.notes] == [
        "assumed in planning: 0.5 s to full speed for joints without a limit of acceleration"
    ]
    slow = Timing(acceleration=0.1)
    assert torsor.check([goal], "ur5", timing=slow).time > 2 * verdict.time
    assert not torsor.check([goal], "ur5", timing=slow).notes


def test_closed_loops_have_bearings_and_passive_joints():
    """At rest, the first bearing of the ASEA carries all that moves; joint 3 is moved by the loop and has a range."""
    arm = torsor.load("asea-irb")
    place, q = Place("a.v2", 1, 1), np.deg2rad([30.0, 100.0, -100.0, 70.0, 60.0, 125.0])
    verdict = torsor.check([Dwell(0.5, place)], arm, start=q, timing="paul")
    [move] = verdict.moves
    assert move.force[0] == pytest.approx(9.81 * arm.model.total_mass, rel=1e-9)
    np.testing.assert_allclose(move.largest, np.abs(arm.gravity(q)), atol=1e-9)
    links = tuple(
        replace(link, joint=replace(link.joint, limits=Limits(position=(0.0, 1.0)))) if link.name == "link3" else link
        for link in arm.model.links
    )
    tight = torsor.Arm(replace(arm.model, links=links))
    swing = Move("joint", Joints(tuple(q + 0.05)), place)
    found = torsor.check([swing], tight, start=q, timing="paul").problems
    assert [(problem.kind, problem.who) for problem in found] == [("position", "joint3")]


def test_closed_loops_saturate_like_any_arm():
    """A palletiser with parallelograms, far too fast: Algorithm 1 in its free joints, and advice that holds."""
    arm = torsor.load("parallelogram5")
    q = arm.closure.free_of(arm.closure.reference)
    swing = Move("joint", Joints(tuple(q + 0.3)), Place("a.irl", 1, 1))
    verdict = torsor.check([swing], arm, start=q, acceleration=8.0, speed=3.0)
    [move] = verdict.moves
    t = np.minimum(np.arange(len(verdict.signals)) * 0.01, verdict.time)
    at = next(iter(plan(arm, [swing], start=q, timing=Timing(speed=1.0, acceleration=1.0)))).trajectory  # the same path
    assert move.saturated_time > 0.0
    assert move.deviation > 0.0
    assert verdict.signals.time == pytest.approx(t)
    np.testing.assert_allclose(verdict.signals.q[-1], at.at(np.array([at.duration])).q[0], atol=1e-9)
    tau = arm.inverse_dynamics(verdict.signals.q, verdict.signals.qd, verdict.signals.qdd)
    np.testing.assert_allclose(verdict.signals.torque, tau, rtol=1e-9, atol=1e-9)
    np.testing.assert_array_less(np.abs(verdict.signals.given), verdict.signals.upper * (1 + 1e-9) + 1e-9)
    assert verdict.advice is not None


def test_an_arm_in_hand_and_a_program_in_hand():
    from torsor.programs import read

    arm, program = torsor.load("rl15"), read(PROGRAMS / "rl15_tour.irl")
    assert torsor.check(program, arm).time == torsor.check(PROGRAMS / "rl15_tour.irl", "rl15").time


def test_signals_only_on_request():
    verdict = torsor.check([ptp()], "rl15", signals=False)
    with pytest.raises(Unsupported, match="not kept"):
        _ = verdict.signals


@pytest.mark.parametrize(
    "options",
    [
        {"dt": 0.0},
        {"dt": float("nan")},
        {"speed": -1.0},
        {"acceleration": 0.0},
        {"payload": -2.0},
        {"wrench": [1.0, 2.0]},
        {"start": [0.0, 1.0]},
        {"timing": "trapezoid", "overlap": True},
    ],
)
def test_bad_options(options):
    with pytest.raises(ShapeError):
        torsor.check([ptp()], "rl15", **options)


def test_the_document_is_plain(harder):
    document = json.loads(harder.to_json())
    assert document["feasible"] is False
    assert [move["line"] for move in document["moves"]] == [move.place.line for move in harder.moves]
    assert document["problems"][0]["text"] == harder.problems[0].text
    assert document["advice"]["time"] == harder.advice.time
    assert document["motors"][0]["peak_torque"] == 17.8


@pytest.mark.slow
def test_ten_thousand_moves_in_flat_memory():
    """What is kept of a move are its numbers: about 1.6 kB. Samples, 1.7 GB of them, come and go."""
    import tracemalloc

    from torsor.checking.checking import CheckJob
    from torsor.programs.planner import Planner
    from torsor.programs.starting import beginning

    class Many(CheckJob):
        def commands(self):
            rng = np.random.default_rng(0)
            for k in range(count):
                yield Move("joint", Joints(tuple(rng.uniform(-0.5, 0.5, 6))), Place("many.irl", k + 1, 1))

    peaks = []
    for count in (1000, 10_000):
        job = Many(Planner.of(torsor.load("rl15")), [])
        job = replace(job, begins=beginning(job.planner, job.commands, None, cycle=False))
        job.verdict(0.01, signals=False)  # kernels and the like
        tracemalloc.start()
        verdict = job.verdict(0.01, signals=False)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        assert len(verdict.moves) == count
    assert (peaks[1] - peaks[0]) / 9000 < 2000  # bytes a move


def test_errors_of_programs_carry_their_place(tmp_path):
    path = tmp_path / "bad.v2"
    path.write_text("MOVE NOWHERE\n")
    with pytest.raises(TorsorError, match=r"bad\.v2:1:6: "):
        torsor.check(path, "puma560")


@pytest.mark.slow
def test_motors_that_saturate_behind_loops_of_newton():
    """What is reached where motors saturate is computed as for any other arm."""
    arm = torsor.load("delta")
    x = arm.closure.free_of(arm.closure.reference)
    moves = [Move("joint", Joints(tuple(x + 0.2)), Place("a", 1, 1)), Move("joint", Joints(tuple(x)), Place("a", 2, 1))]
    verdict = torsor.check(moves, arm, start=x, payload=45.0)
    assert not verdict.feasible
    assert not any("is not computed" in note.text for note in verdict.notes)
    limits = np.array([link.joint.limits.torque for link in arm.model.links[:3]])
    assert (np.abs(verdict.signals.given) <= limits * (1 + 1e-9)).all()
    assert verdict.signals.off.max() > 0.1  # it sinks
