"""Kawasaki AS: what its instructions mean, and what files of strangers have around them."""

from __future__ import annotations

import numpy as np
import pytest

import torsor
from torsor.model.transforms import rotation_y, rotation_z
from torsor.motion.commands import Assumed, Dwell, Joints, Move, Payload, Pose, Tool
from torsor.programs import parse, read
from torsor.programs.pace import Factor

SECTIONS = """
.TRANS
corner 400.0 -100.0 300.0 10.0 170.0 -20.0
grid[1,2] 500 0 300 0 180 0
.END
.JOINTS
#safe 10.0 -70.0 100.0 0.0 60.0 0.0
.END
.REALS
grip.open[1] = 33
far = -12.5
.END
.STRINGS
$name = "tray"
.END
.AUXDATA
N_OX33    "grip.open[1]|Open ( gripper"
.END
"""


def program(body, more=""):
    return parse(f".PROGRAM main()@25/11/13 12:08 #4; tray\n{body}\n.END\n{more}{SECTIONS}", "Kawasaki AS")


def run(body, more="", **options):
    read_in = program(body, more)
    assert not read_in.errors, read_in.errors
    return list(read_in.commands(**options))


def moves(commands):
    return [each for each in commands if isinstance(each, Move)]


def corner():
    o, a, t = np.radians([10.0, 170.0, -20.0])
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = rotation_z(o) @ rotation_y(a) @ rotation_z(t), [0.4, -0.1, 0.3]
    return T


def placed(target):
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = target.rotation, target.position
    return T


def test_places_compounds_and_approaches():
    made = moves(run("LMOVE corner\nLMOVE corner + TRANS(10, 20, 30) + RZ(90)\nLAPPRO corner, 100\nLDEPART 50"))
    by = np.eye(4)
    by[:3, :3], by[:3, 3] = rotation_z(np.pi / 2), [0.01, 0.02, 0.03]
    back = np.eye(4)
    back[2, 3] = -0.1
    further = np.eye(4)
    further[2, 3] = -0.15
    for move, T in zip(made, (corner(), corner() @ by, corner() @ back, corner() @ further), strict=True):
        assert move.kind == "line"
        np.testing.assert_allclose(placed(move.target), T, atol=1e-12)


def test_joints_are_degrees_and_elements_are_names():
    joint, line, literal = moves(run("JMOVE #safe\nJMOVE grid[1,2]\nJMOVE #[0, -90, 90, 0, far, 0]"))
    assert isinstance(joint.target, Joints)
    np.testing.assert_allclose(joint.target.q, np.radians([10, -70, 100, 0, 60, 0]))
    assert isinstance(line.target, Pose)
    assert line.target.position == (0.5, 0.0, 0.3)
    assert literal.target.q[4] == np.radians(-12.5)


def test_speeds_and_accuracies_are_for_one_move_or_always():
    body = """SPEED 50 ALWAYS
ACCURACY 10 ALWAYS
JMOVE #safe
SPEED 200 MM/S
ACCURACY 1
ACCEL 40
LMOVE corner
LMOVE grid[1,2]
BREAK
SPEED 3 S
LMOVE corner
SPEED 600 MM/MIN
LMOVE grid[1,2]"""
    first, second, third, fourth, fifth = moves(run(body))
    assert (first.pace.share, first.blend.radius) == (0.5, 0.01)
    assert (second.pace.speed, second.blend.radius, second.pace.acceleration_share) == (0.2, 0.001, 0.4)
    assert (third.pace.share, third.blend.radius, third.pace.acceleration_share) == (0.5, None, None)
    assert fourth.pace.duration == 3.0
    assert fifth.pace.speed == 0.01


def test_tool_base_and_weight():
    body = "TOOL TRANS(0, 0, 150)\nBASE TRANS(100, 0, 0)\nWEIGHT 2, 0, 0, 80, 0.1, 0.2, 0.3\nLMOVE grid[1,2]"
    commands = run(body)
    (tool,) = [each for each in commands if isinstance(each, Tool)]
    (load,) = [each for each in commands if isinstance(each, Payload)]
    (move,) = moves(commands)
    assert tool.T[2, 3] == 0.15
    assert (load.mass, load.com, load.frame) == (2.0, (0.0, 0.0, 0.08), "flange")
    np.testing.assert_array_equal(np.diag(load.inertia), [0.1, 0.2, 0.3])
    assert move.target.position == pytest.approx((0.6, 0.0, 0.3))


def test_circles_pass_through():
    (move,) = moves(run("C1MOVE corner + TRANS(0, 50, 50)\nC2MOVE grid[1,2]"))
    assert move.kind == "circle"
    assert move.target.position == (0.5, 0.0, 0.3)
    assert len(move.via) == 1


def test_locals_are_of_one_call_and_arguments_come_back():
    body = ".i = 7\nCALL twice(3, .out)\nJMOVE #[.i, .out, 0, 0, 0, 0]"
    more = ".PROGRAM twice(.in, .result)\n.i = 99\n.result = 2 * .in\n.END\n"
    (move,) = moves(run(body, more))
    np.testing.assert_allclose(np.degrees(move.target.q[:2]), [7.0, 6.0])


def test_flow():
    body = """n = 0
DO
  n = n + 1
UNTIL n >= 3
SCASE $name OF
  SVALUE "none":
    JMOVE #[1, 0, 0, 0, 0, 0]
  SVALUE "tray":
    CASE n OF
      VALUE 1, 2
        JMOVE #[2, 0, 0, 0, 0, 0]
      ANY :
        JMOVE #[3, 0, 0, 0, 0, 0]
    END
END
10 n = n + 1
IF n < 6 GOTO 10
WHILE n > 4 DO
  n = n - 1
END
FOR .k = 1 TO 5 STEP 2
  JMOVE #[n, .k, 0, 0, 0, 0]
END
GOTO done
JMOVE #[9, 9, 9, 9, 9, 9]
done:
RETURN"""
    made = [np.degrees(move.target.q[:2]).round(9).tolist() for move in moves(run(body))]
    assert made == [[3.0, 0.0], [4.0, 1.0], [4.0, 3.0], [4.0, 5.0]]


def test_waits_signals_and_what_the_controller_knows_are_assumed():
    body = "HOME\nJMOVE nowhere\nSWAIT 1001, -1002\nWAIT SIG(1003)\nTWAIT 0.5\nIF SIG(1004) THEN\nJMOVE #untold\nEND"
    commands = run(body)
    assert not moves(commands)
    assert [each.seconds for each in commands if isinstance(each, Dwell)] == [0.5]
    told = [each.text for each in commands if isinstance(each, Assumed)]
    assert any("HOME" in text for text in told)
    assert any("nowhere" in text for text in told)
    assert "SIG(1004) is taken to be FALSE" in told


def test_the_world_tells_inputs_and_home():
    text = ".PROGRAM main()\nHOME\nIF SIG(1004) THEN\nJMOVE #[1, 0, 0, 0, 0, 0]\nEND\n.END\n"
    told = parse(text, "Kawasaki AS", world={"SIG(1004)": True, "home": "0 -90 90 0 0 0"})
    home, other = moves(list(told.commands()))
    np.testing.assert_allclose(home.target.q, np.radians([0, -90, 90, 0, 0, 0]))
    assert other.target.q[0] == np.radians(1.0)


def test_the_arm_tells_where_it_is():
    arm = torsor.load("kr6-r900-2")
    q = np.radians([10.0, -70.0, 100.0, 0.0, 60.0, 0.0])
    (_, up, same) = moves(run("JMOVE #safe\nHERE before\nDRAW 0, 0, 40\nLMOVE before", arm=arm))
    T = arm.pose(q)
    np.testing.assert_allclose(placed(same.target), T, atol=1e-12)
    assert up.target.position[2] == pytest.approx(T[2, 3] + 0.04)


def test_decompose_gives_numbers_that_make_the_place_again():
    body = "DECOMPOSE x[1] = corner\nLMOVE TRANS(x[1], x[2], x[3], x[4], x[5], x[6])"
    (move,) = moves(run(body))
    np.testing.assert_allclose(placed(move.target), corner(), atol=1e-12)


def test_taught_steps_are_moves():
    body = "JOINT SPEED9 ACCU1 TIMER0 TOOL1 WORK0 CLAMP1 (OFF,0,0,O) OX= WX= #[43.8,4.1,-86.1,-23.9,72.4,26.2] ;"
    (move,) = moves(run(body))
    assert move.target.q[0] == np.radians(43.8)


@pytest.mark.parametrize(
    ("body", "line", "told"),
    [
        ("JMVOE #safe", 2, "JMVOE"),
        ("IF SIG(1) THEN\nJMOVE #safe", 2, "if"),
        ("JMOVE #safe\nEND", 3, "END closes nothing"),
        ("LMOVE corner + TRANS(1, 2", 2, "ends too early"),
        ("LMOVE corner + TRANS 1, 2)", 2, ""),
        ("LAPPRO corner", 2, "LAPPRO takes"),
        ("x = = 3", 2, ""),
        ("GOTO nowhere", 2, "nowhere"),
        ("FOR .i = 1 TOO 5\nEND", 2, ""),
        ("SPEED 50 MMS ALWAYS", 2, ""),
        ("WEIGHT 2, 0  0, 100", 2, "a comma is missing"),
        ("JMOVE #[0, 0, -15  0, 0, 0]", 2, "a comma is missing"),
    ],
)
def test_slips_are_told_in_their_line(body, line, told):
    errors = program(body).errors
    assert errors
    assert errors[0].place.line == line
    assert told.lower() in str(errors[0]).lower()


@pytest.mark.parametrize(
    ("text", "language"),
    [
        (".PROGRAM a()\nJMOVE #b\n.END\n", "Kawasaki AS"),
        (".PROGRAM a\nMOVES b\nAPPRO b, 50\n.END\n", "VAL II"),
        (".PROGRAM a() #0\n  CALL b\n.END\n.TRANS\nb 0 0 0 0 0 0\n.END\n", "Kawasaki AS"),
    ],
)
def test_pg_is_what_its_words_say(tmp_path, text, language):
    file = tmp_path / "a.pg"
    file.write_text(text)
    assert read(file).language == language


def test_a_slower_pace_is_written_before_the_move_and_read_back():
    body = (
        "SPEED 80 ALWAYS\n10 JMOVE #safe\nSPEED 200 MM/S\nLMOVE corner\nGOTO 20 IF far > 0\nLMOVE grid[1,2]\n20 BREAK"
    )
    source = program(body)
    rewritten = source.repaced({3: Factor(0.5, 0.25), 5: Factor(0.5, 1.0)})
    again = source.again(rewritten)
    assert not again.errors
    before, after = moves(list(source.commands())), moves(list(again.commands()))
    assert [move.target.name for move in after] == [move.target.name for move in before]
    assert (after[0].pace.share, after[0].pace.acceleration_share) == (0.4, 0.25)
    assert after[1].pace.speed == 0.1
    assert after[2].pace == before[2].pace
    assert "10 SPEED 40" in rewritten.text


def test_programs_that_are_called_by_a_name_that_is_made():
    body = """state = 3
.$next = "state" + $ENCODE(/L, state)
IF EXISTPGM(.$next) AND NOT EXISTPGM("state4") AND NOT SWITCH(REPEAT) THEN
  SCALL .$next
END"""
    more = ".PROGRAM state3()\nJMOVE #safe\n.END\n"
    commands = run(body, more)
    assert len(moves(commands)) == 1
    assert not [each for each in program(body, more).diagnostics if each.severity == "warning"]


@pytest.mark.parametrize(
    ("text", "line", "told"),
    [
        (".PROGRAM a()\n.END\n.TRANS\nb 0 0 0 0 0 0\n.JOINTS\n#c 0 0 0 0 0 0\n.END\n", 3, ".TRANS is never closed"),
        (".PROGRAM a()\nJMOVE #c\n.JOINTS\n#c 0 0 0 0 0 0\n.END\n", 1, ".PROGRAM is never closed"),
        (".PROGRAM a()\n.END\n.REALS\nx = 1\n", 3, ".REALS is never closed"),
        (".PROGRAM a()\n.END\n.TRASN\nb 0 0 0 0 0 0\n.END\n", 3, "did you mean .TRANS"),
        (".PROGRAM a .x)\n.END\n", 1, ""),
    ],
)
def test_sections_that_are_not_closed_or_misspelt(text, line, told):
    error = parse(text, "Kawasaki AS").errors[0]
    assert error.place.line == line
    assert told in str(error)


def test_lines_of_a_backup_outside_of_sections_are_passed_over():
    head = '.NETCONF     192.168.0.2,"timesys-",255.255.255.0\n.NETCONF2     0.0.0.0,0.0.0.0\n'
    assert not parse(head + ".PROGRAM a()\nTWAIT 1\n.END\n", "Kawasaki AS").errors


def test_a_program_may_have_the_name_of_a_function():
    commands = run('CALL log("begin")\nJMOVE #safe')
    assert len(moves(commands)) == 1
    assert "the program log is in no file: it is passed over" in [
        each.text for each in commands if isinstance(each, Assumed)
    ]


def test_signals_whose_number_nobody_tells():
    body = "IF SIG(at.home) THEN\n  JMOVE #safe\nEND\nSWAIT ready\n"
    commands = run(body + "JMOVE #safe")
    said = [each.text for each in commands if isinstance(each, Assumed)]
    assert "SIG(at.home) is taken to be FALSE" in said
    assert "SIG(ready) is taken to become TRUE" in said
    assert len(moves(commands)) == 1
    text = f".PROGRAM main()\n{body}JMOVE #safe\n.END\n{SECTIONS}"
    assert len(moves(parse(text, "Kawasaki AS", world={"SIG(at.home)": True}).commands())) == 2


def test_what_controllers_save():
    """An IF without THEN, a place of joints with the configuration of another, a search that ends at a signal."""
    body = """IF 5 MOD 2 == 1
  POINT .#there = corner + TRANS(,,-50), #safe
ELSE
  POINT .#there = #safe
END
JMOVE .#there
XMOVE corner TILL grip.open[1]"""
    joint, line = moves(run(body))
    assert (joint.kind, line.kind) == ("joint", "line")
    assert joint.target.position == pytest.approx(corner()[:3, 3] - 0.05 * corner()[:3, 2])
