"""What each L-IRL statement does."""

from __future__ import annotations

from math import radians

import numpy as np
import pytest

from torsor.model.transforms import rotation_rpy
from torsor.motion.commands import Dwell, Gripper, Move, Payload, Signal, Tool
from torsor.programs import ProgramError, parse


def run(body, declared="", before="", **options):
    text = f"program t;\n{before}\nvar\n{declared}\nendvar\nseq\n{body}\nendseq\nendprogram"
    program = parse(text, "L-IRL")
    assert program.errors == (), program.errors
    return list(program.commands(**options))


def said(body, declared="", before=""):
    return " ".join(c.text.removeprefix("message ") for c in run(body, declared, before) if isinstance(c, Signal))


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("1 + 2 * 3", "7"), ("7 div 2", "3"), ("-7 mod 4", "-3"), ("1 = 1", "True"), ("1 <> 1", "False"),
        ("(1 < 2) and not (3 <= 2)", "True"), ("false or true xor true", "False"), ("sqrt(16) + abs(-1)", "5"),
        ("cos(90)", "0"), ("sin(90)", "1"), ("round(2.6) + trunc(2.6)", "5"), ("min(2, 1) + max(1, 2)", "3"),
        ("atan2(1, 1)", "45"), ("p.x", "100"), ("p.z + p.status", "304"), ("(p + position(1, 0, 0)).x", "101"),
        ("(p - position(1, 0, 0)).x", "99"), ("distance(p, position(100, 200, 0))", "300"), ('"a" + "b"', "ab"),
        ("(p @ robtarg(position(0, 0, 5))).z", "305"), ("list[2]", "8"),
    ],
)  # fmt: skip
def test_expressions(expression, value):
    declared = "robtarg: p = robtarg(((100, 200, 300), (0, 0, 0)), 4);\narray[1..3] of real: list;"
    body = f"list[2] := 8;\nmessage({expression});"
    if expression.startswith("(p"):  # parts belong to names: (p + q).x goes by way of one
        whole, part = expression.rsplit(".", 1)
        declared += "\nrobtarg: q;"
        body = f"q := {whole};\nmessage(q.{part});"
    assert said(body, declared) == value


@pytest.mark.parametrize(
    ("body", "printed"),
    [
        ("for i := 1 to 3 do message(i); endfor;", "1 2 3"),
        ("for i := 3 to 1 step -1 do message(i); endfor;", "3 2 1"),
        ("i := 0; while i < 2 do i := i + 1; message(i); endwhile;", "1 2"),
        ("i := 0; repeat i := i + 1; message(i); until i >= 2;", "1 2"),
        ("if 1 > 2 then message(1); else message(2); endif;", "2"),
        ("if 1 < 2 then message(1); else message(2); endif", "1"),
        ("i := 2; case i of when 1: message(1); when 2, 3: message(23); otherwise message(9); endcase;", "23"),
        ("i := 7; case i of when 1: message(1); otherwise: message(9); endcase;", "9"),
        ("message(1); halt; message(2);", "1"),
        ("message(1); { a comment with ; and 'text' }\n(* another *) message(2);", "1 2"),
        ("message('a {not a comment}');", "a {not a comment}"),
        ("BAR(2, i); message(i);", "4"),
        ("message(twice(twice(3)));", "12"),
    ],
)
def test_control_flow(body, printed):
    before = """procedure bar(real: by; var int: into); into := by * 2; endprocedure;
    function twice(real: x): real; var real: y; endvar y := 2 * x; return y; endfunction;"""
    assert said(body, "int: i;", before) == printed


def test_procedures_may_move_and_keep_their_own_names():
    before = "procedure go(real: x); var real: k; endvar k := x; move lin position(x, 0, k) speed=100; endproc;"
    first, second = run("k := 9; go(100); go(200); if k <> 9 then halt; endif;", "real: k;", before)
    assert [m.target.position for m in (first, second)] == [(0.1, 0.0, 0.1), (0.2, 0.0, 0.2)]


def test_functions_that_move_come_first():
    before = "function f(): real; move ptp joint(mainjoint(1)); return 100; endfunction;"
    moves = run("move lin position(f(), 0, f()) speed=10;", before=before)
    assert [m.kind for m in moves] == ["joint", "joint", "line"]


def test_records():
    before = "type record leg; real: feed = 100; robtarg: goal; endrecord; record trip; leg: a; endrecord; endtype"
    body = "t.a.goal := robtarg(((1, 2, 3), (0, 0, 0)), 1); t.a.goal.x := 7; t.a.feed := t.a.feed * 2;"
    (move,) = run(body + "move lin t.a.goal speed=t.a.feed;", "trip: t;", before)
    assert (move.target.position, move.pace.speed) == ((0.007, 0.002, 0.003), 0.2)


def test_parts_of_poses():
    declared = "robtarg: p = robtarg(((1, 2, 3), (10, 20, 30)), 4);"
    (move,) = run("p.b := -20; p.z := p.z + 0.5; p.status := 8; move ptp p;", declared)
    assert move.target.position == (0.001, 0.002, 0.0035)
    assert move.target.status == 8
    np.testing.assert_allclose(move.target.rotation, rotation_rpy(*np.radians([30, -20, 10])), atol=4e-16)


def test_move_options():
    body = """move lin position(1, 0, 0) speed=100 acc=500 speed_ori=90 c_ori=o_con c_cp=25;
    move circle position(1, 0, 0), pose(position(2, 0, 0), orientation(0, 0, 0)) speed=5 c_speed;
    move ptp joint(mainjoint(90)) speed_ptp=0.25 acc_ptp=0.5 c_ptp act_rob="a";"""
    lin, circle, ptp = run(body)
    assert (lin.pace.speed, lin.pace.acceleration, lin.orientation) == (0.1, 0.5, "constant")
    assert lin.pace.turn == pytest.approx(radians(90), rel=1e-15)
    assert (lin.blend.kind, lin.blend.radius) == ("zone", 0.025)
    assert (circle.kind, len(circle.via), circle.blend.kind) == ("circle", 1, "speed")
    np.testing.assert_array_equal(circle.target.rotation, np.eye(3))
    assert (ptp.pace.share, ptp.pace.acceleration_share, ptp.blend.kind) == (0.25, 0.5, "joint")
    assert ptp.target.q == (radians(90),)


def test_other_instructions():
    body = """wait 0.5; delay(1); wait for i > 2; gripper close; gripper(open); payload(2, 0, 0, 50); payload 0;
    tool(robtarg(((0, 0, 100), (0, 0, 0)))); output(3, true); message("at", i);"""
    found = run("i := 1;" + body, "int: i;", wait_seconds=3.0, gripper_seconds=0.2)
    assert [c.seconds for c in found if isinstance(c, Dwell)] == [0.5, 1.0, 3.0]
    assert [(c.closed, c.seconds) for c in found if isinstance(c, Gripper)] == [(True, 0.2), (False, 0.2)]
    assert [(c.mass, c.com) for c in found if isinstance(c, Payload)] == [(2, (0, 0, 0.05)), (0, (0, 0, 0))]
    assert [c.T[2, 3] for c in found if isinstance(c, Tool)] == [0.1]
    assert [c.text for c in found if isinstance(c, Signal)] == ["wait for i > 2", "output 3 = true", "message at 1"]
    assert not any(isinstance(c, Move) for c in found)


def test_running_into_trouble_names_the_place():
    for body, message in {
        "x := 1 / x;": "7:6: division by zero",
        "move lin position(0, 0, 0) speed=-5;": "7:1: speed is -5; it is larger than 0",
        "move ptp joint(mainjoint(0)) speed_ptp=2;": "7:1: speed_ptp is 2; it is a share of the joints' limits, at most 1",  # noqa: E501
        "list[4] := 1;": "7:1: index 4 is outside of 1..3",
        "p.w := 1;": "7:1: a location has no part 'w' here; parts of a pose: x, y, z, a, b, c, status",
    }.items():
        with pytest.raises(ProgramError) as caught:
            run(body, "real: x = 0; array[1..3] of real: list; robtarg: p = robtarg(position(0, 0, 0));")
        assert str(caught.value) == f"<text>:{message}"
