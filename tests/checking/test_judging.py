"""The numbers of a verdict against the same computed another way."""

from dataclasses import replace

import numpy as np
import pytest

import torsor
from torsor.checking import sampling
from torsor.checking.checked_arm import CheckedArm
from torsor.checking.equipping import Equipped
from torsor.drives import achievable
from torsor.model.parts import Motor, Thermal
from torsor.motion.commands import Payload, Place, Tool

WRENCH = np.array([-100.0, -100.0, -150.0, 0.0, 0.0, 0.0])


def fine(piece, count=4001):
    return piece.trajectory.at(np.linspace(0.0, piece.trajectory.duration, count))


def test_peaks_are_those_of_the_motors(hand, rl15):
    pieces = list(hand.tour(rl15, (1.5, 0.9), dwell=0.0))
    verdict = hand.verdict(rl15, pieces, wrench=WRENCH, dt=1e-3)
    peak = np.array([drive.motor.torque for drive in rl15.model.drives])
    speed = np.array([drive.motor.speed for drive in rl15.model.drives])
    for move, piece in zip(verdict.moves, pieces, strict=True):
        q, qd, qdd, _ = fine(piece)
        u = rl15.drives.torques(q, qd, qdd, wrench=WRENCH)
        # at the very ends the speed is rounding, and friction points anywhere
        # a peak between samples: curvature times dt^2 / 8
        np.testing.assert_allclose(move.torque.share, np.abs(u[1:-1] / peak).max(axis=0), rtol=3e-3)
        np.testing.assert_allclose(
            move.motor_speed.share, np.abs(rl15.drives.rates(q, qd) / speed).max(axis=0), rtol=1e-3
        )
        rms = np.sqrt((u[:-1] ** 2 + u[1:] ** 2).mean(axis=0) / 2)
        np.testing.assert_allclose(move.rms_share, rms / peak, rtol=1e-3)
        assert move.peak_power == pytest.approx((u * rl15.drives.rates(q, qd)).sum(axis=-1).max(), rel=1e-3)
        tool = np.linalg.norm((rl15.jacobian(q)[:, :3] @ qd[..., None])[..., 0], axis=-1)
        assert move.tool_speed == pytest.approx(tool.max(), rel=1e-3)


def test_work_of_the_motors_becomes_energy_and_heat(hand, rl15):
    """The cycle of the signals has no part in it."""
    pieces = list(hand.tour(rl15, (1.5, 0.9), dwell=0.0))
    verdict = hand.verdict(rl15, pieces)
    first, last = fine(pieces[0]), fine(pieces[-1])
    stored = sum(rl15.energy(last.q[-1], last.qd[-1], drives=True))
    stored -= sum(rl15.energy(first.q[0], first.qd[0], drives=True))
    heat = sum(move.friction for move in verdict.moves)
    assert heat > 0.0
    assert verdict.energy - stored == pytest.approx(heat, rel=1e-6)


def test_what_is_reached_is_algorithm_1(hand, rl15):
    [piece] = hand.tour(rl15, (0.3,), dwell=0.0, seed=5)
    verdict = hand.verdict(rl15, [piece], wrench=WRENCH)
    t = np.minimum(np.arange(31) * 0.01, 0.3)
    done = achievable(rl15, piece.trajectory.at(t).q, 0.01, wrench=WRENCH)
    assert done.limited.any()
    np.testing.assert_allclose(verdict.signals.reached[1:], done.q, atol=1e-12)
    np.testing.assert_allclose(verdict.signals.given[1:], done.reached, rtol=1e-9)
    # the verdict looks at the path between the samples too
    assert verdict.moves[0].deviation == pytest.approx(done.deviation.max(), rel=0.01)
    assert verdict.moves[0].turned > 0.0
    np.testing.assert_allclose(verdict.lag, done.lag[-1], atol=1e-12)


def test_spans_are_where_the_torque_is_beyond_its_limit(hand, rl15, fast):
    for move in fast.moves:
        assert bool(move.saturated) == (move.torque.worst > 1.0)
    signals = fast.signals
    over = np.abs(signals.torque) > signals.upper * (1 + 1e-9)
    for motor in range(6):
        spans = [span for move in fast.moves for span in move.saturated if span.motor == motor]
        inside = np.zeros(len(signals.time), dtype=bool)
        for span in spans:
            inside |= (signals.time >= span.start - 1e-9) & (signals.time <= span.end + 1e-9)
        assert (inside >= over[:, motor]).all()
        assert sum(span.end - span.start for span in spans) == pytest.approx(0.01 * over[:, motor].sum(), abs=0.02)


def test_after_a_rest_the_arm_is_on_its_plan_again(fast):
    signals = fast.signals
    late = np.abs(signals.reached - signals.q).max(axis=1) > 1e-9
    guilty = {
        move.index for move in fast.moves if not move.feasible and (move.torque.worst > 1 or move.speed.worst > 1)
    }
    assert late.any()
    assert set(signals.move[late].tolist()) <= guilty


@pytest.mark.parametrize(("small", "large"), [(7, 16), (20, 40), (64, 10**6)])
def test_blocks_do_not_show(hand, rl15, fast, monkeypatch, small, large):
    """The same verdict however the samples are cut: no move or saturated stretch knows of blocks."""
    monkeypatch.setattr(sampling, "SMALL", small)
    monkeypatch.setattr(sampling, "LARGE", large)
    again = hand.verdict(rl15, hand.tour(rl15, (1.5, 1.0, 0.6, 1.2, 0.5, 2.0)))
    np.testing.assert_array_equal(again.signals.time, fast.signals.time)
    np.testing.assert_allclose(again.signals.reached, fast.signals.reached, atol=1e-9)
    for one, other in zip(again.moves, fast.moves, strict=True):
        np.testing.assert_allclose(one.torque.share, other.torque.share, rtol=5e-7)  # to which peaks are refined
        # steps are halved until one is off by less than 1e-8 of what its block takes
        assert one.energy == pytest.approx(other.energy, rel=1e-6, abs=1e-6 * fast.energy)
        assert one.saturated_time == pytest.approx(other.saturated_time, abs=0.011)
    assert again.feasible is fast.feasible


def test_samples_are_whole_cycles_and_the_end(hand, rl15):
    verdict = hand.verdict(rl15, hand.tour(rl15, (0.333, 0.333), dwell=0.0))
    np.testing.assert_allclose(verdict.signals.time, np.minimum(np.arange(68) * 0.01, 0.666), atol=1e-12)
    assert verdict.time == pytest.approx(0.666)


def test_an_arm_without_drives_is_checked_at_its_joints(hand):
    ur5 = torsor.load("ur5")
    pieces = list(hand.tour(ur5, (0.7,), dwell=0.0))
    verdict = hand.verdict(ur5, pieces, dt=1e-3)
    q, qd, qdd, _ = fine(pieces[0])
    limits = np.array([150.0, 150.0, 150.0, 28.0, 28.0, 28.0])
    tau = np.abs(ur5.inverse_dynamics(q, qd, qdd) / limits).max(axis=0)
    np.testing.assert_allclose(verdict.moves[0].torque.share, tau, rtol=1e-3)
    assert verdict.motors == ur5.joint_names


def test_bearings_carry_all_but_the_motors_part(hand):
    """Planar arm at rest, held level: the first bearing carries both weights, and no moment but that of the motor."""
    arm = torsor.load("planar2")
    piece = hand.Piece(next(hand.tour(arm, (1.0,))).command, 0.0, hand.Quintic(np.zeros(2), np.zeros(2), 0.5))
    [move] = hand.verdict(arm, [piece]).moves
    np.testing.assert_allclose(move.force, [2 * 9.81, 9.81])
    np.testing.assert_allclose(move.moment, 0.0, atol=1e-12)


def test_a_payload_changes_what_follows(hand, rl15):
    first, second = (p for p in hand.tour(rl15, (1.5, 1.5), dwell=0.0))
    held = hand.Quintic(second.trajectory.start, second.trajectory.start, 0.0)
    grasp = hand.Piece(Payload(10.0, Place("tour.irl", 9, 1)), 1.5, held)
    light = hand.verdict(rl15, [first, second])
    heavy = hand.verdict(rl15, [first, grasp, second])
    holding = rl15.with_payload(10.0)
    q, qd, qdd, _ = fine(second)
    peak = np.array([drive.motor.torque for drive in rl15.model.drives])
    np.testing.assert_allclose(heavy.moves[0].torque.share, light.moves[0].torque.share)
    np.testing.assert_allclose(
        heavy.moves[-1].torque.share, np.abs(holding.drives.torques(q, qd, qdd)[1:-1] / peak).max(axis=0), rtol=1e-2
    )


def test_a_payload_of_no_mass_is_nothing(hand, rl15):
    """What the arm file has it hold is put down, as 1e-9 kg take its place; a tool carries nothing then."""
    first, second = (p for p in hand.tour(rl15, (1.5, 1.5), dwell=0.0))
    held = hand.Quintic(second.trajectory.start, second.trajectory.start, 0.0)
    own = rl15.with_payload(10.0)
    empty = hand.verdict(rl15, [first, second])
    assert hand.verdict(own, [first, second]).moves[-1].torque.worst > 1.05 * empty.moves[-1].torque.worst
    place, T = Place("tour.irl", 9, 1), np.eye(4)
    T[:3, 3] = 0.1
    for commands in (
        [Payload(0.0, place)],
        [Tool(T, place), Payload(0.0, place, (0.0, 0.0, 1.0))],
        [Payload(1e-9, place)],
    ):
        pieces = [first, *(hand.Piece(command, 1.5, held) for command in commands), second]
        np.testing.assert_allclose(
            hand.verdict(own, pieces).moves[-1].torque.share, empty.moves[-1].torque.share, rtol=1e-6
        )


def test_the_same_equipment_is_the_same_arm(rl15):
    place = Place("tour.irl", 9, 1)
    for arm in (rl15, rl15.with_payload(10.0)):
        machine = CheckedArm(arm)
        equipped = Equipped(machine)
        empty = equipped.after(Payload(0.0, place))
        assert (empty is machine) == (arm is rl15)
        heavy, tool = equipped.after(Payload(5.0, place)), equipped.after(Tool(np.eye(4), place))
        assert heavy.model.payload.mass == tool.model.payload.mass == 5.0
        assert equipped.after(Payload(0.0, place)).model.payload is None
        assert equipped.after(Payload(5.0, Place("tour.irl", 20, 1))) is tool


def arm_with_motors(arm, **motor):
    drives = tuple(replace(drive, motor=replace(drive.motor, **motor)) for drive in arm.model.drives)
    return torsor.Arm(replace(arm.model, drives=drives))


def test_beyond_the_torque_speed_curve_nothing_is_left(hand, rl15):
    speed = min(drive.motor.speed for drive in rl15.model.drives)
    weak = arm_with_motors(rl15, curve=((0.0, 3.0), (0.02 * speed, 0.0)))
    verdict = hand.verdict(weak, hand.tour(rl15, (1.5,)))
    assert not verdict.feasible
    assert verdict.moves[0].torque.worst == np.inf
    assert "far more than its torque" in " ".join(problem.text for problem in verdict.problems)
    verdict.to_json()


def test_motors_that_overheat(hand, rl15):
    hot = arm_with_motors(rl15, continuous=0.5, thermal=Thermal(time_constant=2.0, rise=80.0, limit=100.0))
    verdict = hand.verdict(hot, hand.tour(rl15, (2.5, 2.5)), dt=1e-3)
    kinds = {problem.kind for problem in verdict.problems if problem.who == "motor3"}
    assert {"duty", "temperature"} <= kinds
    torque = verdict.signals.given
    warm = hot.drives.warming(torque, 1e-3)
    np.testing.assert_allclose(verdict.warming.share, warm.max(axis=0), rtol=1e-3)
    np.testing.assert_allclose(verdict.rms, hot.drives.rms(verdict.signals.torque), rtol=1e-2)


def test_position_limits(hand):
    puma = torsor.load("puma560")
    verdict = hand.verdict(puma, hand.tour(puma, (20.0, 20.0), size=3.0))
    assert [problem.kind for problem in verdict.problems] == ["position"] * len(verdict.problems) != []
    assert "beyond its position limits" in verdict.headline


def test_without_limits_the_verdict_says_so(hand):
    arm = torsor.load("puma560")
    model = replace(arm.model, drives=tuple(replace(d, motor=Motor()) for d in arm.model.drives))
    verdict = hand.verdict(torsor.Arm(model), hand.tour(arm, (2.0,), size=0.4))
    assert verdict.feasible
    assert "no limits of torque are known" in verdict.headline


def test_nothing_to_do(hand, rl15):
    verdict = hand.verdict(rl15, [])
    assert (verdict.answer, verdict.feasible, verdict.advice, verdict.remedies) == ("nothing to judge", False, None, [])
    assert (verdict.time, verdict.moves, verdict.energy) == (0.0, [], 0)
    assert verdict.headline == "tour moves nothing on rl15"
