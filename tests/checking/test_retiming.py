"""As fast as the motors allow: faster than any law, no limit exceeded, paths and programmed speeds of the tool kept."""

import numpy as np
import pytest

import torsor
from torsor.programs import parse

PROGRAM = """program fast;
var
  robtarg: a = robtarg(((1100, 300, 800), (15, -60, -175)), 4);
  robtarg: b = robtarg(((1100, 300, 400), (15, -60, -175)), 4);
  robtarg: c = robtarg(((1100, -100, 400), (15, -60, -175)), 4);
endvar
seq
  move ptp a speed_ptp=0.5;
  move lin b c_cp=50;
  move lin c speed=300 c_speed;
  move lin a;
  wait 0.2;
  move ptp joint(mainjoint(0, 0, 0));
endseq
endprogram
"""


@pytest.fixture(scope="module")
def both():
    program = parse(PROGRAM, "L-IRL", file="fast.irl")
    return torsor.check(program, "rl15"), torsor.check(program, "rl15", timing="optimal", dt=0.001)


def test_faster_and_within_all_limits(both):
    law, optimal = both
    assert law.feasible
    assert optimal.feasible
    assert optimal.time < 0.95 * law.time
    for what in ("torque", "motor_speed", "speed", "acceleration"):
        assert optimal.peak(what).max() <= 1.0 + 1e-6
    assert max(optimal.peak("acceleration").max(), optimal.peak("torque").max()) > 1.0 - 1e-3


def test_speeds_of_the_tool_hold(both):
    _, optimal = both
    (line,) = [move for move in optimal.moves if move.place.line == 10]
    assert line.tool_speed <= 0.3 * (1 + 1e-6)
    assert line.tool_speed > 0.29


def test_the_path_stays(both):
    law, optimal = both
    there = np.array([law.signals.tool[k] for k in range(0, len(law.signals.tool), 7)])
    distance = np.linalg.norm(there[:, None] - optimal.signals.tool[None], axis=-1).min(axis=1)
    assert distance.max() < 1.5e-3  # samples of a millisecond are this far apart
    assert np.abs(np.diff(optimal.signals.q, axis=0)).max() < 0.02  # no jumps


def test_fastest_raises_speeds_of_the_tool_where_motors_decide_the_rest(both):
    _, optimal = both
    program = parse(PROGRAM, "L-IRL", file="fast.irl")
    fast = torsor.check(program, "rl15", timing="optimal", fastest=True)
    assert fast.feasible
    assert fast.time < optimal.time - 0.1
    assert "speed=300" not in fast.rewritten.text
    again = torsor.check(parse(fast.rewritten.text, "L-IRL"), "rl15", timing="optimal")
    assert again.time == pytest.approx(fast.time, abs=1e-9)
    kept = torsor.check(program, "rl15", timing="optimal", fastest=True, keep_tool_speeds=True)
    assert kept.rewritten is None


def test_no_time_is_asked_for_that_the_arm_cannot_keep():
    text = "movej([0, -1.57, 1.57, -1.57, -1.57, 0], t=5)\nmovej([0.5, -1.2, 1.2, -1.57, -1.57, 0], t=4)\n"
    fast = torsor.check(parse(text, "URScript"), "ur5e", fastest=True)
    times = [float(line.split("t=")[1].rstrip(")")) for line in fast.rewritten.text.strip().split("\n")]
    again = torsor.check(parse(fast.rewritten.text, "URScript"), "ur5e")
    assert sum(times) < 2.0
    assert again.time == pytest.approx(sum(times), abs=1e-9)  # no longer: both are kept
