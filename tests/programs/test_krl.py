"""KRL: what its words mean, inline forms included."""

from __future__ import annotations

from math import radians
from pathlib import Path

import numpy as np
import pytest

from torsor.model.transforms import rotation_rpy
from torsor.motion.commands import Assumed, Dwell, Endless, Move, Payload, Tool
from torsor.programs import parse, read

CELLS = Path(__file__).parent / "cells"


def run(body, data="", **more):
    program = parse(f"DEF cell( )\n{body}\nEND\n{data}", "KRL", file="cell.src", **more)
    assert not program.errors, program.errors
    return list(program.commands())


def moves(commands):
    return [command for command in commands if isinstance(command, Move)]


def test_a_program_with_its_data():
    program = read(CELLS / "k1.src")
    commands = list(program.commands())
    made = moves(commands)
    assert [move.place.line for move in made] == [17, 22, 23, 24, 33, 41]
    assert [move.kind for move in made] == ["joint", "joint", "line", "line", "line", "circle"]
    assert made[0].target.q == pytest.approx(np.radians([0, -90, 90, 0, 0, 0]))
    assert made[1].pace.share == 0.5
    assert made[2].blend.radius == 0.02
    assert made[3].target.position == pytest.approx((0.5, 0.1, 0.35))
    assert made[4].target.position == pytest.approx((0.45, 0, 0.49))  # x of a frame that is turned by B 90
    assert (made[4].pace.speed, made[5].pace.speed) == (0.2, 0.5)
    assert isinstance(commands[-1], Endless)


def test_frames():
    body = """
    $BASE={X 100,Y 0,Z 0,A 90,B 0,C 0}
    $TOOL={X 0,Y 0,Z 50,A 0,B 0,C 0}
    $VEL.CP=0.3
    LIN {X 10,Y 20,Z 30,A 10,B 20,C 30}
    LIN_REL {X 5,A 90} #TOOL
    """
    commands = run(body)
    first, second = moves(commands)
    assert first.target.position == pytest.approx((0.08, 0.01, 0.03))
    R = rotation_rpy(0, 0, radians(90)) @ rotation_rpy(radians(30), radians(20), radians(10))
    np.testing.assert_allclose(first.target.rotation, R, atol=1e-15)
    moved = np.array(first.target.position) + R @ [0.005, 0, 0]
    assert second.target.position == pytest.approx(moved)
    (tool,) = [command for command in commands if isinstance(command, Tool)]
    assert tool.T[2, 3] == 0.05


def test_inline_forms_mean_what_the_pendant_shows():
    data = """
DEFDAT cell PUBLIC
DECL E6POS XP7={X 400,Y 0,Z 500,A 0,B 90,C 0,S 2,T 10,E1 0}
DECL FDAT FP7={TOOL_NO 2,BASE_NO 1,IPO_FRAME #BASE,POINT2[] " "}
DECL LDAT LCPDAT3={VEL 2,ACC 100,APO_DIST 35,APO_FAC 50,ORI_TYP #CONSTANT}
DECL FRAME TOOL_DATA[16]
DECL FRAME BASE_DATA[32]
DECL LOAD LOAD_DATA[16]
TOOL_DATA[2]={X 0,Y 0,Z 120,A 0,B 0,C 0}
BASE_DATA[1]={X 0,Y 0,Z 10,A 0,B 0,C 0}
LOAD_DATA[2]={M 3,CM {X 0,Y 0,Z 60,A 0,B 0,C 0},J {X 0.1,Y 0.1,Z 0.05}}
ENDDAT
"""
    body = "LDAT_ACT=LCPDAT3\nFDAT_ACT=FP7\nBAS(#CP_PARAMS,0.75)\nLIN XP7 C_DIS"
    commands = run(body, data)
    (move,) = moves(commands)
    assert (move.pace.speed, move.blend.radius, move.orientation) == (0.75, 0.035, "constant")
    assert move.target.position == pytest.approx((0.4, 0, 0.51))
    (payload,) = [command for command in commands if isinstance(command, Payload)]
    assert (payload.mass, payload.com) == (3.0, (0, 0, 0.06))
    assert payload.inertia[2, 2] == 0.05
    assert move.target.within == ()  # lines do not ask for S and T
    (joint,) = moves(run("PTP XP7", data))
    assert [low for _, low, _ in joint.target.within] == [0, -np.inf, 0, -np.inf, 0, 0]  # T 10 is 001010
    assert not [command for command in commands if isinstance(command, Assumed)]


def test_flow_and_signals():
    body = """
    INT i, n
    SIGNAL busy $OUT[7]
    n=0
    FOR i=1 TO 3
      IF (i==2) THEN
        busy=TRUE
      ELSE
        n=n+i
      ENDIF
    ENDFOR
    REPEAT
      n=n+1
    UNTIL n>=8
    SWITCH n
    CASE 8
      IF $OUT[7] AND ($IN[4]==FALSE) THEN
        go(n)
      ENDIF
    DEFAULT
      HALT
    ENDSWITCH
    WAIT FOR NOT $IN[9]
    """
    more = "DEF go(k:IN)\nINT k\nPTP {A1 k,A2 -90,A3 90,A4 0,A5 0,A6 0}\nEND\n"
    commands = run(body, more)
    (move,) = moves(commands)
    assert move.target.q[0] == pytest.approx(radians(8))
    assert [command.text for command in commands if isinstance(command, Assumed)] == [
        "$IN[4] is taken to be FALSE",
        "$IN[9] is taken to become FALSE",
    ]
    assert not any(isinstance(c, Assumed) for c in run(body, more, world={"$IN[4]": False, "$IN[9]": [True, False]}))


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        ("DEF a( )\nPTTP {A1 0}\nEND", 2, "there is no instruction 'PTTP'"),
        ("DEF a( )\nIF TRUE THEN\nWAIT SEC 1\nEND", 2, "IF is never closed"),
        ("DEF a( )\nPTP {A1 0,A2 0\nEND", 2, ""),
        ("DEF a( )\nWAIT SEC 1\nDEF b( )\nEND", 1, "DEF is never closed"),
        ("DEF a( )\nWAIT SEC\nEND", 2, ""),
        ("DEF a( )\nFOR i=1 T0 3\nENDFOR\nEND", 2, ""),
        ("DEF a( )\nGOTO there\nEND", 2, "there is no label there"),
    ],
)
def test_slips(text, line, problem):
    errors = parse(f"{text}\n", "KRL", file="a.src").errors
    assert errors
    assert (errors[0].place.line, errors[0].problem[: len(problem)]) == (line, problem), errors


@pytest.mark.parametrize(
    ("expression", "value"),
    [("7/4", 1.0), ("-7/4", -1.0), ("7/4.0", 1.75), ("n/4", 1.0), ("r/4", 1.75), ("(n+1)/3*3", 6.0), ("a[2]/2", 2.0)],
)
def test_whole_numbers_are_divided_to_whole_ones(expression, value):
    moving = "PTP {A1 0,A2 -90,A3 90,A4 0,A5 0,A6 0}"
    text = f"DEF m()\nINT n,a[2]\nREAL r,x\nn=7\nr=7\na[2]=5\nx={expression}\n{moving}\nWAIT SEC x+2\nEND\n"
    (wait,) = [command for command in parse(text, "KRL").commands() if isinstance(command, Dwell)]
    assert wait.seconds == value + 2.0


def test_work_in_hand_comes_to_a_tool_that_stands():
    """$IPO_MODE #TCP: T_flange $TOOL p = $BASE."""
    head = "$TOOL={X 10,Y 0,Z 50,A 0,B 90,C 0}\n$BASE={X 500,Y 100,Z 300,A 30,B 0,C 0}\n$IPO_MODE=#TCP\n$VEL.CP=0.1\n"
    commands = list(parse(f"DEF a( )\n{head}LIN {{X 5,Y 6,Z 7,A 40,B 0,C 0}}\nEND", "KRL", file="a.src").commands())
    (move,) = (command for command in commands if isinstance(command, Move))
    T, p = np.eye(4), np.eye(4)
    T[:3, :3], T[:3, 3] = move.target.rotation, move.target.position
    a = np.radians(40)
    p[:2, :2], p[:3, 3] = [[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]], [0.005, 0.006, 0.007]
    base = np.eye(4)
    b = np.radians(30)
    base[:2, :2], base[:3, 3] = [[np.cos(b), -np.sin(b)], [np.sin(b), np.cos(b)]], [0.5, 0.1, 0.3]
    np.testing.assert_allclose(T @ p, base, atol=1e-12)


def test_functions_of_the_controller_are_its_own():
    """A backup may hold empty ones, for editors."""
    text = "DEF a( )\nREAL x\nx=COS(60)\nPTP {A1 x*10,A2 0,A3 0,A4 0,A5 0,A6 0}\nEND\nDEFFCT REAL COS(X :IN)\nENDFCT"
    (move,) = (c for c in parse(text, "KRL", file="a.src").commands() if isinstance(c, Move))
    assert np.degrees(move.target.q[0]) == pytest.approx(5.0)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("DEF a( )\nDECL INT i\nFOR i=1 TO 3\nIF $IN[3 THEN\nWAIT SEC 1\nENDIF\nENDFOR\nEND", 4),
        ("DEF a( )\nDECL INT tries\nFOR triis=1 TO 3\nWAIT SEC 1\nENDFOR\nEND", 3),
        ("DEF a( )\nDECL ITN level\nlevel=1\nEND", 2),
        ("DEF a( )\nREPEAT\nWAIT SEC 1\nUNTIL $IN[1]==\nEND", 4),
        ("DEFFDAT a\nINT n=1\nENDDAT", 1),
        ("DEF a( )\nSPLINE\nSPL {X 1}\nWAIT SEC 1\nEND", 2),
        ("DEF a( )\nSPTP {A1 1} WITH $TOOL=STOOL2()\nEND", 2),
        ("DEFDAT a\nEXT BAS (BAS_COMMAND :IN REAL :IN )\nENDDAT", 2),
    ],
)
def test_one_slip_is_one_message(text, line):
    errors = parse(text, "KRL", file="a.src").errors
    assert errors
    assert errors[0].place.line == line, errors


@pytest.mark.parametrize(("angle", "ends"), [(90, [(0, 100)]), (360, [(-100, 0), (100, 0)]), (-90, [(0, -100)])])
def test_a_circle_by_an_angle(angle, ends):
    """CA: through (0, 100) and (-100, 0), from (100, 0), about the origin; its end is where the angle says."""
    body = (
        "$VEL.CP=0.1\nLIN {X 100,Y 0,Z 0,A 0,B 0,C 0}\n"
        f"CIRC {{X 70.71067811865476,Y 70.71067811865476,Z 0,A 0,B 0,C 0}}, {{X -100,Y 0,Z 0,A 0,B 0,C 0}}, CA {angle}"
    )
    _, *circles = (command for command in run(body) if isinstance(command, Move))
    assert [move.kind for move in circles] == ["circle"] * len(ends)
    for move, (x, y) in zip(circles, ends, strict=True):
        np.testing.assert_allclose(move.target.position, [x / 1e3, y / 1e3, 0], atol=1e-12)
        assert np.linalg.norm(move.via[0].position) == pytest.approx(0.1)
    assert [move.blend.kind for move in circles] == ["speed"] * (len(ends) - 1) + ["stop"]


def test_a_circle_by_an_angle_turns_evenly():
    circle = "CIRC {X 0,Y 100,Z 0,A 0,B 0,C 0}, {X -100,Y 0,Z 0,A 30,B 80,C 0}, CA 360"
    body = f"$VEL.CP=0.1\nLIN {{X 100,Y 0,Z 0,A 30,B 0,C 0}}\n{circle}"
    _, half, _ = (command for command in run(body) if isinstance(command, Move))
    np.testing.assert_allclose(half.target.rotation, rotation_rpy(0, radians(40), radians(30)), atol=1e-12)


def test_a_loop_that_hangs_on_what_nobody_defines_is_left():
    body = "n=0\nWHILE (elsewhere<3)\nn=n+1\nENDWHILE\nPTP {A1 1,A2 0,A3 0,A4 0,A5 0,A6 0}"
    commands = list(parse(f"DEF cell( )\nDECL INT n\n{body}\nEND", "KRL", file="cell.src").commands())
    assert any(isinstance(command, Move) for command in commands)
    assert any("taken to be over" in command.text for command in commands if isinstance(command, Assumed))


def test_functions_alone_move_nothing_whatever_is_assumed():
    text = "DEFFCT INT twice(n:IN)\nINT n\nRETURN 2*n\nENDFCT\n"
    texts = [each.text for each in parse(text, "KRL", file="sums.src").commands() if isinstance(each, Assumed)]
    assert texts == ["the parameter n is taken to be 1", "nothing moves; there is no move in it"]
