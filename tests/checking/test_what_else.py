"""What else would do: each remedy, carried out, makes the program feasible; a little more than it says does not."""

import numpy as np
import pytest

import torsor
from torsor.motion.commands import Joints, Move, Pace, Place, Pose
from torsor.motion.planning.legs import Legs
from torsor.programs import parse

REACH = Joints(tuple(np.deg2rad([-115.7, 55.7, 68.7])), "goal")


def ptp(line, target, **more):
    return Move("joint", target, Place("tour.irl", line, 1, "move ptp;"), **more)


@pytest.fixture(scope="module")
def heavy():
    return torsor.check([ptp(1, REACH)], "rl15", payload=55.0, signals=False)


def of_kind(verdict, kind):
    return [remedy for remedy in verdict.remedies if remedy.kind == kind]


def test_the_largest_payload(heavy):
    [remedy] = of_kind(heavy, "payload")
    limit = remedy.found["limit"]
    assert 0.0 < limit < 55.0
    assert torsor.check([ptp(1, REACH)], "rl15", payload=limit, signals=False).feasible
    assert not torsor.check([ptp(1, REACH)], "rl15", payload=1.01 * limit, signals=False).feasible


def test_the_missing_torque_of_each_motor(heavy):
    short = {name for name, share in zip(heavy.motors, heavy.peak("torque"), strict=True) if share > 1.0}
    found = of_kind(heavy, "torque")
    assert {remedy.found["motor"] for remedy in found} == short
    for remedy in found:
        k = heavy.motors.index(remedy.found["motor"])
        assert remedy.found["missing"] == pytest.approx(heavy.largest[k] - heavy.machine.peaks[k])


def test_another_start():
    """Only the way from zero, which nobody asked for, takes too much."""
    gentle = ptp(2, Joints(tuple(np.asarray(REACH.q) - 0.05), "next"), pace=Pace(acceleration_share=0.2))
    moves = [ptp(1, REACH), gentle]
    verdict = torsor.check(moves, "rl15", acceleration=3.0, signals=False)
    assert verdict.lines == [1]
    [remedy] = of_kind(verdict, "start")
    assert remedy.found["option"] == "--start first-target"
    again = torsor.check(moves, "rl15", acceleration=3.0, start="first-target", signals=False)
    assert again.feasible
    assert again.time == pytest.approx(remedy.found["time"])
    asked = torsor.check(moves, "rl15", acceleration=3.0, start=np.zeros(6), signals=False)
    assert of_kind(asked, "start") == []  # somebody said where it starts


def test_another_branch_is_carried_out_before_it_is_told():
    """A joint that is held in a narrow range leaves one branch only."""
    from dataclasses import replace

    arm = torsor.load("puma560")
    q = np.array([0.1, 0.8, -0.6, 0.4, 0.5, -0.6])
    T = arm.pose(q)
    here = np.asarray(arm.inverse_kinematics(T, nearest=q))
    goal = Pose(tuple(T[:3, 3]), T[:3, :3], "goal")
    # a line goes on from the goal; on this branch joint 4 is then kept from turning far enough
    for step in ([0.0, 0.0, -0.1], [-0.1, 0.0, 0.0], [0.0, -0.1, 0.0], [0.0, 0.1, 0.0]):
        end = Pose(tuple(T[:3, 3] + step), T[:3, :3], "end")
        line = Move("line", end, Place("tour.irl", 2, 1, "move lin;"))
        moves = [ptp(1, goal), line]
        free = torsor.check(moves, arm, start=here + 0.01)
        if free.feasible and abs(free.signals.q[-1, 3] - here[3]) > 0.05:
            break
    reached = free.signals.q[:, 3]
    assert abs(reached[-1] - here[3]) > 0.05
    links = []
    for link in arm.model.links:
        if link.joint.name == arm.joint_names[3]:
            low, high = float(here[3]) - 0.02, float(here[3]) + 0.02
            position = (low - 4.0, high) if reached[-1] > here[3] else (low, high + 4.0)
            link = replace(link, joint=replace(link.joint, limits=replace(link.joint.limits, position=position)))
        links.append(link)
    tight = torsor.Arm(replace(arm.model, links=tuple(links)))
    verdict = torsor.check(moves, tight, start=here + 0.01, signals=False)
    assert {problem.kind for problem in verdict.problems} == {"position"}
    for remedy in of_kind(verdict, "branch"):
        there = Joints(tuple(remedy.found["joints"]), "there")
        again = torsor.check([ptp(1, there), line], tight, start=here + 0.01, signals=False)
        assert again.feasible
        assert again.time == pytest.approx(remedy.found["time"])


def test_the_smallest_change_of_flowing_motion():
    """Acceleration alone inside a flowing stretch, judged by the time of all: no uniform change is better."""
    text = """program flow;
var
  robtarg: a = robtarg(((1100, 300, 800), (15, -60, -175)), 4);
  robtarg: b = robtarg(((1100, 300, 400), (15, -60, -175)), 4);
  robtarg: c = robtarg(((1100, -300, 400), (15, -60, -175)), 4);
endvar
seq
  move ptp a;
  move ptp b c_ptp;
  move ptp c c_ptp;
  move ptp a;
endseq
endprogram
"""
    program = parse(text, "L-IRL", file="flow.irl")
    asked = {"acceleration": 5.0, "signals": False}
    verdict = torsor.check(program, "rl15", **asked)
    assert not verdict.feasible
    advice = verdict.advice
    assert advice is not None
    for factor in (0.9, 0.75, 0.6, 0.5):  # all lines at fault alike, by their acceleration alone
        alike = torsor.check(
            parse(
                text.replace("c_ptp;", f"c_ptp acc_ptp={factor};").replace("ptp a;", f"ptp a acc_ptp={factor};"),
                "L-IRL",
            ),
            "rl15",
            **asked,
        )
        assert not (alike.feasible and alike.time < advice.time - 1e-6)


def test_trials_end_at_the_first_move_that_cannot_be_done(monkeypatch):
    """It is left out and makes no piece, so that nothing told the trial to end, and all that comes next was tried."""
    tried, of = [], Legs.of
    monkeypatch.setattr(Legs, "of", lambda legs, move, number: tried.append(number) or of(legs, move, number))
    far = [Move("line", Pose((9.0, 0.0, 0.1 * k), np.eye(3)), Place("tour.irl", k, 1)) for k in range(1, 21)]
    verdict = torsor.check([ptp(40, REACH), *far], "rl15", acceleration=3.0, signals=False)
    planned = len(tried)
    assert all(remedy.kind == "torque" for remedy in verdict.remedies)
    assert len(tried) - planned < 3 * len(far)  # where it would end, once from zero and once from there
