"""servoj and speedj: where streams of targets and speeds lead, and how they stop: motion at even acceleration."""

from __future__ import annotations

import numpy as np
import pytest

import torsor
from torsor.motion.commands import Assumed, Dwell, Endless, Follow, Move, Payload
from torsor.programs import parse
from torsor.programs.diagnostics import ProgramError

REST = "movej([0.1, -1.5, 1.5, 0, 0, 0])\n"
NOT_JUDGED = "ends at speed: what stops it is not in the program, and is not judged"
STOPS = "the joints are still moving here: they are taken to stop at 2 rad/s^2"


def run(text):
    program = parse(text, "URScript")
    assert not program.errors, program.errors
    return list(program.commands(arm=torsor.load("ur5e")))


def followed(commands):
    return [each for each in commands if isinstance(each, Follow)]


def told(commands):
    return [each.text for each in commands if isinstance(each, Assumed)]


def line(k, word="servoj"):
    return f"{word}([{k}, -1.5, 1.5, 0, 0, 0], t=0.01)\n"


EVEN = REST + "k = 0\nwhile k < 50:\n" + line("0.1 + 0.005 * k") + "k = k + 1\nend\n"  # 0.5 rad/s in the end


@pytest.mark.parametrize(
    ("behind", "deceleration", "assumed"),
    [("stopj(4)\n", 4.0, None), (REST, 2.0, f"{STOPS}, and then comes movej"), ("stopl(3)\n", 2.0, STOPS)],
)
def test_a_stream_that_ends_at_speed_stops_beyond_its_last_target(behind, deceleration, assumed):
    commands = run(EVEN + behind)
    (stream,) = followed(commands)
    assert stream.times[-1] - stream.times[-2] == pytest.approx(0.5 / deceleration, rel=1e-9)
    assert stream.q[-1, 0] - stream.q[-2, 0] == pytest.approx(0.5**2 / (2 * deceleration), rel=1e-9)
    assert stream.qd[-2:, 0] == pytest.approx([0.5, 0.0], abs=1e-12)
    assert [each for each in told(commands) if "still moving" in each] == ([assumed] if assumed else [])


@pytest.mark.parametrize(
    "text", [EVEN, "k = 0\nwhile (True):\n" + line("k").replace("-1.5, 1.5", "0, 0") + "k = k + 0.001\nend\n"]
)
def test_what_would_stop_a_stream_behind_the_program_is_not_judged(text):
    commands = run(text)
    (stream,) = followed(commands)
    assert stream.qd[-1, 0] == pytest.approx((stream.q[-1, 0] - stream.q[-2, 0]) / 0.01, rel=1e-9)
    assert any(NOT_JUDGED in each for each in told(commands))


def test_an_endless_stream_asks_no_torque_to_stop_at_once():
    """At 0.1 rad/s, left after 300 rounds: a stop in 10 ms would take 1.07 times the torque of the pan joint."""
    program = parse("k = 0\nwhile (True):\nservoj([k, 0, 0, 0, 0, 0], t=0.01)\nk = k + 0.001\nend\n", "URScript")
    assert torsor.check(program, "ur5e").feasible


@pytest.mark.parametrize(
    "stream",
    [
        # slows down evenly to rest; waits at its last target; one target; targets further apart than servoj sees
        "k = 0\nwhile k < 51:\n" + line("0.35 - 0.0001 * (50 - k) * (50 - k)") + "k = k + 1\nend\n",
        line(0.11) + line(0.12) + line(0.12),
        line(0.11),
        line(0.3).replace("0.01", "0.5") + line(0.6).replace("0.01", "0.5"),
    ],
)
def test_a_stream_that_ends_at_rest_ends_at_its_last_target(stream):
    commands = run(REST + stream + "stopj(2)\n")
    (made,) = followed(commands)
    assert made.qd[-1].tolist() == [0.0] * 6
    assert len(made.times) == 1 + (51 if "while" in stream else stream.count("servoj"))
    assert not any("moving" in each or "at speed" in each for each in told(commands))


@pytest.mark.parametrize(
    ("speeds", "times", "places", "ends"),
    [
        # v^2 / (2 a) on the ramp, then v t; the leading joint has a = 0.5, the other one is as long under way
        ("speedj([0.5, 0, 0, 0, 0.25, 0], 0.5, 2)", (1, 2), (0.1 + 0.25, 0.1 + 0.75), 0.5),
        ("speedj([0.5, 0, 0, 0, 0.25, 0], 0.5, 0.5)", (0.5,), (0.1 + 0.0625,), 0.25),  # before it is reached
        ("speedj([0.5, 0, 0, 0, 0.25, 0], 0.5)", (1,), (0.1 + 0.25,), 0.5),  # until it is
        ("speedj([0.5, 0, 0, 0, 0.25, 0], a=0.5)\nsleep(1.5)", (1, 2.5), (0.1 + 0.25, 0.1 + 1.0), 0.5),  # held
        # down to the other speed, and through rest
        ("speedj([0.5, 0, 0, 0, 0.25, 0], 0.5)\nspeedj([-0.5, 0, 0, 0, -0.25, 0], 1)", (1, 2), (0.35, 0.35), -0.5),
    ],
)
def test_speeds_lead_where_even_acceleration_does(speeds, times, places, ends):
    commands = run(REST + speeds + "\n")
    (made,) = followed(commands)
    assert made.times == pytest.approx((0, *times), rel=1e-12)
    assert made.q[:, 0] == pytest.approx([0.1, *places], rel=1e-12)
    assert made.q[:, 4] == pytest.approx(0.5 * (made.q[:, 0] - 0.1), rel=1e-12)
    assert made.qd[-1, 0] == pytest.approx(ends, rel=1e-12)
    assert not [each for each in commands if isinstance(each, Dwell)]
    assert any(NOT_JUDGED in each for each in told(commands))


@pytest.mark.parametrize(
    ("more", "down", "turned", "ends"),
    [
        # of one second 0.1 s are lost on the ramp of 0.2 s, along z and about it: the tool turns where it is
        ("", 0.9, 0.9, (-0.05, 0.2)),
        ("sleep(0.5)\n", 1.4, 1.4, (-0.05, 0.2)),
        ("stopl(0.5)\n", 0.9 + 0.2, 0.9 + 0.2, (0.0, 0.0)),  # 0.4 s, for the rotation
        ("stopl(100)\n", 0.9 + 0.001, 0.9 + 0.001, (0.0, 0.0)),  # within a sample
        ("speedl([0, 0, 0.05, 0, 0, 0.2], 0.25, 1, 1)\n", 0.9 - 0.6, 1.9, (0.05, 0.2)),  # up again, turning on
    ],
)
def test_tool_speeds_lead_where_even_acceleration_does(more, down, turned, ends):
    arm, begin = torsor.load("ur5e"), [0.1, -1.5, 1.5, -1.2, -1.4, 0]
    text = f"set_tcp(p[0.05, 0, 0.1, 0, 0.3, 0])\nmovej({begin})\nspeedl([0, 0, -0.05, 0, 0, 0.2], 0.25, 1, 1)\n{more}"
    commands = run(text)
    (made,) = followed(commands)
    assert any(NOT_JUDGED in each for each in told(commands)) == any(ends)
    assert not any("still moving" in each for each in told(commands))
    T_flange_tool = np.eye(4)
    T_flange_tool[:3] = [[np.cos(0.3), 0, np.sin(0.3), 0.05], [0, 1, 0, 0], [-np.sin(0.3), 0, np.cos(0.3), 0.1]]
    first, last, later = (arm.pose(q) @ T_flange_tool for q in (begin, made.q[-1], made.q[-1] + 1e-6 * made.qd[-1]))
    np.testing.assert_allclose(last[:3, 3] - first[:3, 3], [0, 0, -0.05 * down], atol=1e-9)
    cos, sin = np.cos(0.2 * turned), np.sin(0.2 * turned)
    about_z = np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1]])
    np.testing.assert_allclose(last[:3, :3], about_z @ first[:3, :3], atol=1e-9)
    np.testing.assert_allclose((later - last)[:3, 3] / 1e-6, [0, 0, ends[0]], atol=1e-4)
    np.testing.assert_allclose(((later - last) / 1e-6 @ np.linalg.inv(last))[1, 0], ends[1], atol=1e-4)


def test_a_tool_that_is_led_out_of_reach_is_said():
    commands = run(REST + "speedl([0, 0, 1, 0, 0, 0], 1, 9)\n" + REST)
    assert [type(each) for each in commands if not isinstance(each, Assumed)] == [Move, Move]
    assert "speedl leads beyond the arm's reach: where it leads is left out, here and behind it" in told(commands)


def test_what_follows_begins_where_speeds_have_led():
    commands = run(
        REST + "speedj([0.5, 0, 0, 0, 0, 0], 0.5)\nset_payload(1)\nstopj(1)\nmovej(get_actual_joint_positions())\n"
    )
    first, second = followed(commands)
    assert [type(each) for each in commands if isinstance(each, Follow | Payload | Move)] == [
        Move, Follow, Payload, Follow, Move,
    ]  # fmt: skip
    assert (first.qd[-1, 0], second.qd[0, 0], second.qd[-1, 0]) == (0.5, 0.5, 0.0)  # the payload stops nothing
    expected = 0.1 + 0.25 + 0.125
    assert second.q[-1, 0] == pytest.approx(expected, rel=1e-12)
    assert [each for each in commands if isinstance(each, Move)][-1].target.q[0] == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(("t", "lasts"), [(0.008, 300 * 0.008), (0.1, 3.0), (5.0, 5.0)])
def test_speeds_in_a_loop_that_nobody_ends(t, lasts):
    """300 rounds or three seconds, whatever is over sooner."""
    commands = run(f"{REST}while (True):\nspeedj([0.1, 0, 0, 0, 0, 0], 0.5, {t})\nend\n")
    (made,) = followed(commands)
    assert made.times[-1] == pytest.approx(lasts, rel=1e-9)
    assert made.q[-1, 0] - 0.1 == pytest.approx(0.1 * lasts - 0.1**2 / (2 * 0.5), rel=1e-9)
    assert np.abs(made.qd).max() == pytest.approx(0.1)


@pytest.mark.parametrize("speeds", ["[read_input_float_register(0), 0, 0, 0, 0, 0]", "somewhere"])
def test_speeds_that_lead_nowhere_that_is_known_are_said(speeds):
    commands = run(f"speedj({speeds}, 0.5, 0.1)\n")
    assert not followed(commands)
    assert any(each.startswith("speedj is read, not run") for each in told(commands))


def test_a_thread_that_leads_by_speeds_until_an_input_comes():
    text = (
        f"def prog():\n{REST}thread down():\nwhile True:\nspeedl([0, 0, -0.02, 0, 0, 0], 0.5, 0.008)\nend\nend\n"
        "h = run down()\nwhile True:\nif get_standard_digital_in(0):\nkill h\nstopl(1)\nbreak\nend\nsync()\nend\n"
        f"{REST}end\n"
    )
    commands = run(text)
    assert [type(each) for each in commands if not isinstance(each, Assumed | Endless)] == [Move, Follow, Move]
    assert not any("still moving" in each for each in told(commands))


@pytest.mark.parametrize("call", ["speedj([0, 0, 0.02, 0, 0, 0], 0.5, 0.008)", "servoj(get_actual_joint_positions())"])
def test_what_comes_behind_a_stream_until_contact_is_checked_too(call):
    commands = run(f"{REST}while force() < 10:\n{call}\nend\nstopj(2)\n{REST}")
    assert [type(each) for each in commands if not isinstance(each, Assumed)] == [Move, Follow, Move]
    assert "no file tells when this loop ends: it is left after 300 rounds" in told(commands)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("servoj([0, 0, 0, 0, 0, 0])\nservoj([0.1, 0])\n", "2 joints where the arm has 6"),
        ("speedj([0.1, 0], 0.5, 0.1)\n", "2 joints where the arm has 6"),
        ("speedj([0.1, 0, 0, 0, 0, 0], 0)\n", "a is 0.0"),
        ("xd = [0.1, 0, 0]\nspeedl(xd, 1, 1)\n", "a tool speed has 6 numbers, not 3"),
    ],
)
def test_streams_that_are_none(text, problem):
    with pytest.raises(ProgramError, match=problem):
        run(text)
