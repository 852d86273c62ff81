"""Where a program starts: what is asked for, what it says itself, and what is assumed."""

import numpy as np
import pytest

import torsor
from torsor.motion.commands import Dwell, Joints, Move, Place, Pose, Start
from torsor.programs.planner import Planner
from torsor.programs.starting import beginning, posture_of, posture_text

HERE = Place("a.irl", 1, 1)


def joint(*q, name=""):
    return Move("joint", Joints(q, name), HERE)


@pytest.fixture(scope="module")
def planner():
    return Planner.of(torsor.load("puma560"))


def test_without_a_word_it_is_assumed_and_said(planner):
    found = beginning(planner, lambda: [joint(0.1)])
    assert (found.given, found.asked) == (None, False)
    assert found.text == "nothing says where it starts: assumed are all joints at zero"


def test_what_is_assumed_keeps_limits():
    panda = torsor.load("panda")
    found = beginning(Planner.of(panda), lambda: [joint(0.1)])
    limits = [link.joint.limits.position for link in panda.model.independent]
    assert all(low <= x <= high for x, (low, high) in zip(found.q, limits, strict=True))
    assert "at zero, or at the limit next to it" in found.text


def test_joints_a_name_and_the_first_target(planner):
    q = (0.1, -0.2, 0.3, 0.0, 0.5, 0.0)
    commands = [Dwell(1.0, HERE), joint(*q, name="a"), joint(*np.negative(q), name="b")]
    for start, expected in ((list(q), q), ("a", q), ("b", np.negative(q)), ("first-target", q)):
        found = beginning(planner, lambda: commands, start)
        assert found.asked
        np.testing.assert_allclose(found.q, expected, rtol=0, atol=1e-12)


def test_a_pose_is_met_on_the_branch_of_the_program(planner):
    arm = planner.arm
    q = np.array([0.3, -0.4, 0.2, 0.1, 0.6, 0.2])
    T = arm.pose(q)
    target = Pose(tuple(T[:3, 3]), T[:3, :3], "p")
    found = beginning(planner, lambda: [joint(*q, name="near"), Move("line", target, HERE)], "p")
    np.testing.assert_allclose(found.q, q, atol=1e-9)


def test_the_programs_own_start_holds_unless_another_is_asked_for(planner):
    commands = [Start(Joints((0.5,) * 6), HERE), joint(0.1, name="a")]
    own = beginning(planner, lambda: commands)
    assert (own.given, own.text) == (None, "where line 1 of the program says")
    assert list(own.commands(commands)) == commands
    other = beginning(planner, lambda: commands, [0.0] * 6)
    assert list(other.commands(commands)) == commands[1:]
    assert other.notes == ("the start that line 1 gives is left out: another was asked for",)


def test_a_cycle_ends_where_it_starts(planner):
    commands = [joint(0.1, 0.2, name="a"), joint(0.3, -0.2, name="b")]
    found = beginning(planner, lambda: commands, cycle=True)
    np.testing.assert_allclose(found.q, [0.3, -0.2, 0, 0, 0, 0], atol=1e-12)


@pytest.mark.parametrize(
    ("start", "cycle", "message"),
    [
        ("c", False, "the program goes to no target 'c'; known: a, first-target"),
        ([0.0] * 6, True, "a cycle starts where it ends; give a start or a cycle, not both"),
    ],
)
def test_what_cannot_be(planner, start, cycle, message):
    with pytest.raises(torsor.errors.TorsorError) as raised:
        beginning(planner, lambda: [joint(0.1, name="a")], start, cycle=cycle)
    assert str(raised.value) == message


def test_a_start_out_of_reach_is_an_error(planner):
    far = Move("joint", Pose((9.0, 0.0, 0.0), np.eye(3), "far"), HERE)
    with pytest.raises(torsor.errors.TorsorError, match="the program cannot start there: "):
        beginning(planner, lambda: [far], "far")


def test_joints_in_words():
    arm = torsor.load("scara")
    q = posture_of(arm, "90, 0 0.1 -45 deg")
    np.testing.assert_allclose(q, [np.pi / 2, 0.0, 0.1, -np.pi / 4])
    assert posture_text(arm, q) == "90, 0, -45 deg; stroke 100 mm"
    with pytest.raises(torsor.errors.TorsorError, match="start has 2 numbers for 4 joints"):
        posture_of(arm, "1 2")


ON_FROM_THERE = """
def prog():
  here = get_actual_tcp_pose()
  movel(here)
  movel(pose_add(here, p[0, 0, 0.1, 0, 0, 0]))
  movel(pose_add(here, p[0, 0.1, 0.1, 0, 0, 0]))
end
"""


def test_lines_that_lead_on_from_wherever_the_arm_is_begin_with_the_tool_downwards(tmp_path):
    """At zero a UR is stretched out: no line can be followed from there, and nobody asks for one."""
    file = tmp_path / "on.script"
    file.write_text(ON_FROM_THERE)
    verdict = torsor.check(file, "ur5e")
    assert verdict.feasible
    assert (
        "it leads on from there by lines, which cannot be followed from joints at zero" in verdict.conditions.start.text
    )
    told = torsor.check(file, "ur5e", start=[0.0, -1.5, 1.5, -1.5, -1.5, 0.0])
    assert told.feasible
    assert "tool downwards" not in told.conditions.start.text


def test_lines_to_places_that_are_written_out_begin_as_they_did(tmp_path):
    file = tmp_path / "out.script"
    file.write_text("movel(p[2, 0, 0.5, 0, 3.14, 0])\nmovel(p[2, 0.1, 0.5, 0, 3.14, 0])\n")
    verdict = torsor.check(file, "ur5e")
    assert not verdict.feasible
    assert "tool downwards" not in verdict.conditions.start.text


@pytest.mark.parametrize(
    ("stream", "start"),
    [
        ("servoj([0, -1.57, 1.57, -1.57, -1.57, 0], t=0.1)", "the first target of its stream, 0, -89.95, 89.95"),
        ("while (True):\nspeedl([0.1, 0, 0, 0, 0, 0], a=0.5, t=0.008)\nend", "assumed is the tool downwards"),
        ("speedj([0.1, 0, 0, 0, 0, 0], 0.5, 1)", "assumed are all joints at zero"),
    ],
)
def test_streams_begin_where_they_lead_on(tmp_path, stream, start):
    """Speeds of the tool at a stretched arm, or a jump to the first target, were a "no" of nobody's."""
    file = tmp_path / "stream.script"
    file.write_text(f"{stream}\n" * 2 if "servoj" in stream else stream)
    verdict = torsor.check(file, "ur5e")
    assert verdict.feasible
    assert start in verdict.conditions.start.text


@pytest.mark.parametrize(
    ("file", "arm", "text"),
    [
        (
            "a.script",
            "ur5e",
            "movel(p[2.5,0,0.4,3.1,0,0],a=1.2,v=.25)\nmovej(get_inverse_kin(p[0.35,-0.3,0.4,3.1,0,0]),a=1.4,v=1.05)\n",
        ),
        (
            "a.mod",
            "irb140",
            "MODULE M\nPROC main()\nVAR jointtarget j;\n"
            "MoveJ [[4000,0,400],[0,0,1,0],[0,0,0,0],[9E9,9E9,9E9,9E9,9E9,9E9]],v500,fine,tool0;\n"
            "j:=CalcJointT([[400,0,400],[0,0,1,0],[0,0,0,0],[9E9,9E9,9E9,9E9,9E9,9E9]],tool0);\n"
            "MoveAbsJ j,v500,fine,tool0;\nENDPROC\nENDMODULE\n",
        ),
    ],
)
def test_joints_for_a_pose_are_found_behind_a_move_that_cannot_be_done(tmp_path, file, arm, text):
    """Where nobody knows where the arm is: they were "cannot be computed of these values", and there was no verdict."""
    path = tmp_path / file
    path.write_text(text)
    verdict = torsor.check(path, arm, signals=False)
    assert not verdict.feasible
    assert [len(verdict.lines), len(verdict.moves)] == [1, 1]
