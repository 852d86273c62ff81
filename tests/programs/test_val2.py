"""What each VAL II statement does."""

from __future__ import annotations

from math import asin, atan2, cos, degrees, pi, radians, sin

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from torsor.model.transforms import is_rotation, pose, rotation_z
from torsor.motion.commands import Dwell, Gripper, Joints, Move, Payload, Signal, Tool
from torsor.programs import ProgramError, parse
from torsor.programs.val2_dialect import rotation

DOWN = np.diag([-1.0, 1.0, -1.0])  # Ry(180)


def run(text, **options):
    program = parse(text, "VAL II")
    assert program.errors == (), program.errors
    return list(program.commands(**options))


def typed(text, **options):
    """What the TYPE lines of a program print."""
    return [
        c.text.removeprefix("TYPE ")
        for c in run(text, **options)
        if isinstance(c, Signal) and c.text.startswith("TYPE")
    ]


def program(body):
    """A program of VAL II proper: millimetres, flowing motions, SPEED for the next motion only."""
    return f".PROGRAM main\nPOINT p 400 0 200 0 180 0\nPOINT q 500 100 200 0 180 0\n{body}\n.END"


# Expressions
@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("1 + 2 * 3", "7"), ("(1 + 2) * 3", "9"), ("2 ^ 3 ^ 2", "64"), ("10 - 4 - 3", "3"), ("7 MOD 4", "3"),
        ("-7 MOD 4", "-3"), ("1 / 4", "0.25"), ("-2 ^ 2", "4"), ("5 == 5", "-1"), ("5 <> 5", "0"), ("2 =< 1", "0"),
        ("2 => 2", "-1"), ("1 < 2 AND 3 > 2", "-1"), ("NOT 1 == 2", "0"), ("1 XOR 0", "-1"), ("0 OR 0", "0"),
        ("SIN(30)", repr(sin(radians(30)))), ("COS(90)", "0"), ("TAN(0)", "0"), ("ATAN2(1, 1)", "45"), ("ABS(-3)", "3"),
        ("SQRT(16)", "4"), ("SQR(5)", "25"), ("INT(-2.7)", "-2"), ("FRACT(2.5)", "0.5"), ("SIGN(-2)", "-1"),
        ("MIN(3, 1, 2)", "1"), ("MAX(3, 1, 2)", "3"), ("PI", repr(pi)), ("TRUE", "-1"), ("OFF", "0"), (".5 + 1.", "1.5"),  # noqa: E501
        ("1E2", "100"), ("DX(TRANS(1, 2, 3))", "1"), ("DY(TRANS(1, 2, 3))", "2"), ("DZ(TRANS(,, 3))", "3"),
        ("DISTANCE(TRANS(3, 4), NULL)", "5"), ("DX(SHIFT(TRANS(1) BY 2,, 3))", "3"), ("DY(RZ(90):TRANS(2))", "2"),
        ("DX(INVERSE(TRANS(4)))", "-4"), ("DX(BASE)", "0"), ("DZ(FRAME(NULL, TRANS(1), TRANS(,1), TRANS(,,5)))", "5"),
        ("$a", "text"), ('"it ; is"', "it ; is"), ("arr[2]", "9"), ("arr[1 + 1, 3]", "8"), ("ASIN(1)", "90"), ("ACOS(1)", "0"),  # noqa: E501
    ],
)  # fmt: skip
def test_expressions(expression, value):
    assert typed(f'$a = "text"\narr[2] = 9\narr[2, 3] = 8\nTYPE {expression}') == [value]


# Control flow
@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("FOR i = 1 TO 3\nTYPE i\nEND", "1 2 3"),
        ("FOR i = 3 TO 1 STEP -1\nTYPE i\nEND", "3 2 1"),
        ("FOR i = 0 TO 1 STEP 0.25\nTYPE i\nEND", "0 0.25 0.5 0.75 1"),
        ("FOR i = 2 TO 1\nTYPE i\nEND\nTYPE 9", "9"),
        ("x = 3\nWHILE x > 0 DO\nTYPE x\nx = x - 2\nEND", "3 1"),
        ("x = 0\nDO\nx = x + 1\nTYPE x\nUNTIL x == 2", "1 2"),
        ("IF 1 THEN\nTYPE 1\nELSE\nTYPE 2\nEND", "1"),
        ("IF 0 THEN\nTYPE 1\nELSE\nTYPE 2\nEND", "2"),
        ("IF 0 THEN\nTYPE 1\nEND\nTYPE 3", "3"),
        ("x = 2\nCASE x OF\nVALUE 1:\nTYPE 1\nVALUE 2, 3:\nTYPE 23\nANY\nTYPE 9\nEND", "23"),
        ("x = 7\nCASE x OF\nVALUE 1\nTYPE 1\nANY\nTYPE 9\nEND", "9"),
        ("x = -1\nCASE x OF\nVALUE -1:\nTYPE 1\nEND", "1"),
        ("x = 0\n10 x = x + 1\nTYPE x\nIF x < 3 GOTO 10", "1 2 3"),
        ("GOTO 20\nTYPE 1\n20 TYPE 2", "2"),
        ("1. TYPE 1\n2. GOTO 4\n3. TYPE 3\n4. TYPE 4", "1 4"),
        ("type 1 ; lower case\n; only a comment\n\n   TYPE 2", "1 2"),
        ("TYPE 1\nSTOP\nTYPE 2", "1"),
        (".PROGRAM a\nTYPE 1\nCALL b\nTYPE 3\n.END\n.PROGRAM b\nTYPE 2\nRETURN\nTYPE 9\n.END", "1 2 3"),
        (".PROGRAM a\nx = 1\nCALL b(x, 5)\nTYPE x\n.END\n.PROGRAM b(u, v)\nu = u + v\n.END", "6"),
        (".PROGRAM a\nk[2] = 1\nCALL b(k[2])\nTYPE k[2]\n.END\n.PROGRAM b(u)\nu = 7\n.END", "7"),
        (".PROGRAM a\nx = 1\nCALL b(x + 0)\nTYPE x\n.END\n.PROGRAM b(u)\nu = 7\n.END", "1"),
        (".PROGRAM a\nx = 1\nCALL b\nTYPE x\n.END\n.PROGRAM b\nLOCAL x\nx = 7\n.END", "1"),
        (".PROGRAM a\nCALL b\nTYPE x\n.END\n.PROGRAM b\nx = 7\n.END", "7"),
        (".PROGRAM a\nCALL b\nTYPE 1\n.END\n.PROGRAM b\nHALT\n.END", ""),
    ],
)
def test_control_flow(text, printed):
    assert " ".join(typed(text)) == printed


# Motions
def test_approach_and_departure_go_along_the_tool():
    appro, _, depart = run(program("APPRO p, 50\nMOVES p\nDEPARTS 80"))
    np.testing.assert_allclose(appro.target.position, [0.4, 0.0, 0.25], atol=1e-15)  # the tool points down
    np.testing.assert_allclose(depart.target.position, [0.4, 0.0, 0.28], atol=1e-15)
    assert [appro.kind, depart.kind] == ["joint", "line"]
    np.testing.assert_allclose(appro.target.rotation, DOWN, atol=1e-15)


def test_motions_flow_in_val2_unless_broken():
    moves = [c for c in run(program("MOVE p\nMOVES q\nMOVE p\nBREAK\nMOVE q\nDELAY 1\nMOVE p")) if isinstance(c, Move)]
    assert [move.blend.kind for move in moves] == ["joint", "speed", "stop", "stop", "stop"]


def test_signals_do_not_break_motions():
    first, signal, second = run(program("MOVE p\nSIGNAL 3, -4\nMOVES q"))
    assert first.blend.kind == "joint"
    assert signal.text == "SIGNAL 3, -4"
    assert second.blend.kind == "stop"


def test_whether_motions_flow_is_an_option_and_a_switch():
    assert {c.blend.kind for c in run(program("MOVE p\nMOVE q\nMOVE p"), continuous=False)} == {"stop"}
    assert [c.blend.kind for c in run(program("DISABLE CP\nMOVE p\nMOVE q\nENABLE CP\nMOVE p\nMOVE q"))] == [
        "stop", "stop", "joint", "stop",
    ]  # fmt: skip
    simple = "POINT p 0.4 0 0.2 0 180 0\nMOVE p\nMOVES p\n"
    assert [c.blend.kind for c in run(simple)] == ["stop", "stop"]
    assert [c.blend.kind for c in run(simple, continuous=True)] == ["joint", "stop"]


def test_speed_holds_for_one_motion_or_always():
    moves = run(program("SPEED 50\nMOVE p\nMOVE q\nSPEED 30 ALWAYS\nMOVE p\nSPEED 250 MMPS\nMOVES q\nMOVE p"))
    assert [(m.pace.share, m.pace.speed) for m in moves] == [
        (0.5, None),
        (1, None),
        (0.3, None),
        (None, 0.25),
        (0.3, None),
    ]
    simple = run("POINT p 0.4 0 0.2 0 180 0\nSPEED 50.\nMOVE p\nMOVE p")  # SIMASEA: until the next SPEED
    assert [m.pace.share for m in simple] == [0.5, 0.5]


def test_acceleration_and_duration():
    moves = run(program("ACCEL 80, 40\nDURATION 2.5\nMOVE p\nMOVE q\nSPEED 10 IPS\nMOVE p"))
    assert [(m.pace.acceleration_share, m.pace.duration, m.pace.speed) for m in moves] == [
        (0.4, 2.5, None), (0.4, None, None), (0.4, None, 0.254),
    ]  # fmt: skip


def test_gripper():
    text = "POINT p 0.4 0 0.2 0 180 0\nPARAMETER HAND.TIME = 0.3\nCLOSEI\nOPENI 0.5\nCLOSE\nMOVE p\nOPEN"
    hands = [(c.closed, c.seconds, c.place.line) for c in run(text) if isinstance(c, Gripper)]
    assert hands == [(True, 0.3, 3), (False, 0.5, 4), (True, 0.0, 5), (False, 0.0, 7)]


def test_pause_with_and_without_a_time():
    dwell, signal, delay = run("PAUSE 1.5\nPAUSE\nDELAY 2")
    assert isinstance(dwell, Dwell)
    assert (dwell.seconds, signal.text, delay.seconds) == (1.5, "PAUSE until PROCEED", 2.0)


def test_waiting_for_a_signal():
    assert [c.text for c in run("WAIT SIG(1001) AND NOT SIG(3)")] == ["WAIT SIG(1001) AND NOT SIG(3)"]
    event, dwell = run("WAIT SIG(1001)", wait_seconds=2.0)
    assert (event.text, dwell.seconds) == ("WAIT SIG(1001)", 2.0)


def test_signals_are_remembered_and_inputs_can_be_given():
    text = (
        "SIGNAL 3\nIF SIG(3, -4) THEN\nTYPE 1\nEND\nIF SIG(1001) THEN\nTYPE 2\nEND\nRESET\nIF SIG(3) THEN\nTYPE 3\nEND"
    )
    assert typed(text) == ["1"]
    assert typed(text, inputs=[1001]) == ["1", "2"]


def test_payload():
    load, nothing = run(program("PAYLOAD 1.5, 0,, 40\nPAYLOAD 0"))
    assert isinstance(load, Payload)
    assert (load.mass, load.com, nothing.mass) == (1.5, (0.0, 0.0, 0.04), 0.0)


# Points and frames
def test_joint_points():
    first, second, third = run("POINT #home 10 20 30\nMOVE #home\nMOVE #PPOINT(0, 90)\nSET #b = #home\nMOVE #b")
    assert isinstance(first.target, Joints)
    assert first.target.q == (radians(10), radians(20), radians(30))
    assert second.target.q == (0.0, pi / 2)
    assert (third.target.q, third.target.name) == (first.target.q, "#b")


def test_compound_transformations():
    (move,) = run(program("SET frame = TRANS(100, 0, 50, 90, 0, 0)\nSET r = frame:TRANS(10, 20, 30)\nMOVE r:RX(180)"))
    np.testing.assert_allclose(move.target.position, [0.08, 0.01, 0.08], atol=1e-15)
    np.testing.assert_allclose(move.target.rotation, rotation_z(pi / 2) @ np.diag([1, -1, -1]), atol=1e-15)
    assert move.target.name == "r:RX(180)"


def test_base_is_where_the_robot_stands():
    (move,) = run(program("BASE 100,, -50, 90\nMOVE p"))
    moved = np.linalg.inv(pose(rotation_z(pi / 2), [0.1, 0, -0.05])) @ pose(DOWN, [0.4, 0, 0.2])
    np.testing.assert_allclose(move.target.position, moved[:3, 3], atol=1e-15)
    np.testing.assert_allclose(move.target.rotation, moved[:3, :3], atol=1e-15)


def test_tool_and_here():
    tool, *_, last = run(program("MOVE p\nTOOL TRANS(0, 0, 100)\nHERE h\nMOVE SHIFT(h BY 10)"))[1:]
    assert isinstance(tool, Tool)
    np.testing.assert_array_equal(tool.T, pose(None, [0, 0, 0.1]))
    np.testing.assert_allclose(last.target.position, [0.41, 0, 0.1], atol=1e-15)  # the new tool tip hangs lower


def test_units_and_locations_section():
    text = "UNITS MM\n.LOCATIONS\np 400 0 200 0 180 0\nq 500, -100, 200, 0, 180, 0\n.END\nMOVE p\nMOVE q\nUNITS M\nMOVE NULL"  # noqa: E501
    positions = [move.target.position for move in run(text)]
    assert positions == [(0.4, 0.0, 0.2), (0.5, -0.1, 0.2), (0.0, 0.0, 0.0)]
    assert run("POINT p 400 0 200 0 180 0\nMOVE p", units="mm")[0].target.position == (0.4, 0.0, 0.2)


@given(st.floats(-179, 179), st.floats(-89, 89), st.floats(-89, 89))
def test_oat_angles_measure_what_they_are_said_to(o, a, t):
    """O turns the tool's z about the vertical from -y; A dips it below the horizontal; T lifts y out of it."""
    R = rotation("oat", o, a, t)
    assert is_rotation(R)
    _, s, approach = R.T
    assert degrees(atan2(approach[0], -approach[1])) == pytest.approx(o, abs=2e-9)
    assert degrees(asin(np.clip(-approach[2], -1, 1))) == pytest.approx(a, abs=1e-6)
    assert s[2] == pytest.approx(sin(radians(t)) * cos(radians(a)), abs=2e-11)  # angles snap to quarter turns


def test_running_into_trouble_names_the_place():
    for text, message in {
        "DEPART 5": "<text>:1:1: the tool's place is not known here; it is known after START or a motion to a location",
        "x = 0\ny = 1 / x": "<text>:2:5: division by zero",
        "IF 0 THEN\nx = 1\nEND\nTYPE x": "<text>:4:6: x has no value here; it is set nowhere before this line",
        "SPEED 0 - 5": "<text>:1:1: a speed of -5; speeds are larger than 0",
        "DELAY -1": "<text>:1:1: DELAY of -1 s; times are 0 or larger",
        "x = SQRT(-1)": "<text>:1:5: the square root of -1",
        "a[1] = 1\nx = a[2]": "<text>:2:5: element [2] has no value here",
        "SET #a = NULL": "<text>:1:1: SET gives a location; names of joint points begin with '#', "
        "names of locations do not",
    }.items():
        with pytest.raises(ProgramError) as caught:
            run(text)
        assert str(caught.value) == message
