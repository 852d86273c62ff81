"""Configurations at the end of lines: what is asked for is compared with what the line arrives in."""

from __future__ import annotations

from math import pi

import numpy as np
import pytest

import torsor
from torsor.motion import Timing, plan
from torsor.motion.commands import Joints, Move, Place, Pose
from torsor.motion.planning.configuring import configured, missed

QUARTERS = ((0, 0.0, pi / 2), (3, -pi / 2, 0.0))


def test_what_is_met_and_what_is_not():
    q = np.array([0.2, 0.0, 0.0, -0.3, 0.0, 0.0])
    assert missed(q, QUARTERS) == missed(q[:3], QUARTERS) == missed(q, ()) == ("", True)
    q[3] = 0.3
    assert missed(q, QUARTERS)[0] == (
        "ends in another configuration (11.5, 17.2 deg) than is asked for (joint 1 in 0..90, joint 4 in -90..0)"
        ": quarters 0, 0 would do"
    )


@pytest.mark.parametrize(("shift", "count"), [(0.0, 0), (pi, 1)])
def test_a_line_that_arrives_in_another_is_told(shift, count):
    arm = torsor.load("irb140")
    q = np.array([0.1, 0.2, 0.1, 0.3, 0.5, 0.2])
    T = arm.pose(q)
    T[:3, 3] += (0.0, 0.05, -0.05)
    end = arm.inverse_kinematics(T, nearest=q)
    within = tuple((k, float(end[k]) - 0.1 + shift, float(end[k]) + 0.1 + shift) for k in (0, 3, 5))
    place = Place("x.mod", 3, 1, "MoveL")
    start = Move("joint", Joints(tuple(q)), place)
    line = Move("line", Pose(tuple(T[:3, 3]), T[:3, :3], "p", within=within), place)
    planned = plan(arm, [start, line], strict=False, timing=Timing(acceleration=5.0))
    list(planned)
    told = [note for note in planned.notes if note.kind == "configuration"]
    assert len(told) == count
    assert all(note.severity == "error" and note.place.line == 3 for note in told)


def test_a_line_from_a_start_that_nobody_gave_is_not_blamed():
    """The second line goes on from the first, in the same other configuration: told once for each, as a remark."""
    arm = torsor.load("irb140")
    q = np.array([0.1, 0.2, 0.1, 0.3, 0.5, 0.2])
    lines = []
    for k in range(2):
        T = arm.pose(q)
        T[:3, 3] += (0.0, 0.05 * (k + 1), -0.05)
        within = tuple((joint, 2.0, 2.5) for joint in (0, 3, 5))
        lines.append(Move("line", Pose(tuple(T[:3, 3]), T[:3, :3], "p", within=within), Place("x.mod", k + 3, 1, "")))
    planned = plan(arm, lines, start=q, strict=False, timing=Timing(acceleration=5.0))
    list(planned)
    told = [note for note in planned.notes if note.kind == "configuration"]
    assert [(note.place.line, note.severity) for note in told] == [(3, "warning"), (4, "warning")]


def test_what_would_do_is_told():
    signs = ((0, 0.0, np.inf), (3, -np.inf, 0.0))
    assert missed(np.array([-0.2, 0.0, 0.0, -0.3]), signs)[0].endswith(": signs -, - would do")


def test_a_solution_beyond_the_limits_does_not_come_into_question():
    """Turned by a whole turn a joint has any sign, but not within its limits; the other wrist has it there."""
    arm = torsor.load("irb140")
    q = np.array([0.1, 0.2, 0.1, 0.3, 0.5, -0.2])
    now = np.array([0.1, 0.2, 0.1, 0.3, 0.5, 6.0])
    above = ((5, 0.0, np.inf),)
    T = arm.pose(q)
    far, _ = configured(arm, T, now, above)
    assert far[5] == pytest.approx(2.0 * pi - 0.2)
    near, _ = configured(arm, T, now, above, lambda q: abs(q[5]) < 3.2)
    assert near[5] == pytest.approx(pi - 0.2)
    assert arm.pose(near) == pytest.approx(T, abs=1e-9)
    none, wrong = configured(arm, T, now, above, lambda other: np.allclose(other, q))
    assert none is None
    assert wrong == (
        "no solution within the limits of the joints has the configuration that is asked for (joint 6 above 0)"
        "; the nearest has -11.5 deg: signs - would do"
    )


def test_the_next_quarter_is_near_enough_where_that_is_said():
    q = np.array([0.2, 0.0, 0.0, 1e-9, 0.0, 0.0])
    assert missed(q, QUARTERS) == ("", True)  # by rounding
    assert missed(q, ((0, -pi / 2, 0.0), (3, -pi / 2, 0.0)))[0].endswith(": quarters 0, -1 would do")
    text, near = missed(q, ((0, -pi / 2, 0.0),), pi / 2)
    assert near
    assert text.endswith("in -90..0); 90 deg beside it are near enough for a point that is moved")
    assert not missed(q, ((0, -pi, -pi / 2),), pi / 2)[1]


def test_a_solution_beside_what_is_asked_for_is_taken_where_none_has_it():
    arm = torsor.load("irb140")
    q = np.array([0.1, 0.2, 0.1, 0.3, 0.5, 0.2])
    T = arm.pose(q)
    next_ones = tuple((k, -pi / 2, 0.0) for k in (0, 3, 5))
    none, wrong = configured(arm, T, q, next_ones)
    assert none is None
    assert "quarters 0, 0, 0 would do" in wrong
    found, told = configured(arm, T, q, next_ones, beside=pi / 2)
    np.testing.assert_allclose(found, q, atol=1e-9)
    assert "ends in another configuration" in told
    assert configured(arm, T, q, tuple((k, 0.0, pi / 2) for k in (0, 3, 5)), beside=pi / 2)[1] == ""
