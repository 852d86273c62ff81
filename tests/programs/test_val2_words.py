"""Words of VAL II as the books have them: each is read; what moves runs, what does not is noted with its reason."""

from __future__ import annotations

from math import radians

import numpy as np
import pytest

from torsor import load
from torsor.errors import TorsorError
from torsor.model.transforms import is_rotation, pose
from torsor.motion.commands import Assumed, Gripper, Joints, Move, Place, Signal
from torsor.motion.planning.plan import plan
from torsor.programs import ProgramError, parse, read
from torsor.programs.val2_dialect import aligned, angles_of, rotation
from torsor.programs.val2_forms import FORMS, MOVING, NOTED, statements
from torsor.shipped import shipped

POINTS = "POINT p 400 0 200 0 180 0\nPOINT q 500 100 200 30 170 20\nPOINT #j 10 20 30 40 50 60\n"
ARM = load("puma560")
ENDING = ("STOP", "HALT", "RETURN", "RETURNE")  # nothing comes behind them
BOOK = """
MOVE p
MOVES p
MOVET p, 75
MOVEST p, 0
MOVE p VIA q
APPRO p, 50
APPROS p, 50
DEPART 50
DEPARTS 50
DRAW 10, , -5
DRIVE 4, -62.5, 75
ALIGN
READY
NEST
SPEED 60
SPEED 15 IPS ALWAYS
ACCEL 80, 60
DURATION 2.5 ALWAYS
BREAK
BRAKE
DELAY 1.5
PAUSE
OPEN 75
OPENI
CLOSE
CLOSEI 0.5
RELAX
RELAXI
GRASP 12.7, 120
RIGHTY
LEFTY
ABOVE
BELOW
FLIP
NOFLIP
SINGLE
SINGLE ALWAYS
MULTIPLE ALWAYS
COARSE ALWAYS
COARSE 50 ALWAYS
FINE
NULL ALWAYS
NONULL
INTON
INTOFF ALWAYS
SET r = p:q
SET #k = #j
POINT pa = p
HERE h
DECOMPOSE x[1] = p
TOOL TRANS(0, 0, 50)
BASE 0, 0, 100
REACT 1001, sub, 2
REACTI 1, sub ALWAYS
REACTE sub
IGNORE 1001 ALWAYS
LOCK 2
SIGNAL 1, -2
BITS 1, 4 = 5
RESET
WAIT
WAIT SIG(1001)
TIMER 1 = 0
TYPE "part", x
PROMPT "how many", n
ALTER (1) 3
NOALTER
EXTERNAL
INTERNAL
WINDOW w
SETBELT 1 = 0
PCEXECUTE sub
PCABORT
PCEND
PCPROCEED
PCRETRY
EXECUTE sub
ABORT
ATTACH
DETACH
CALIBRATE
IOPUT 1, 2
ENABLE CP
DISABLE FORCE
PARAMETER BELT.MODE = 1
GLOBAL a
LOCAL b
CALL sub
x = 5 BAND 4 BOR COM 1
IF TIMER(1) > 5 GOTO 10
DRAW , , 50
APPRO #j, 50
DURATION 0 ALWAYS
CPOFF
CPON ALWAYS
SET r = #j
DECOMPOSE x[] = p
DEFBELT %b = p, 1, 0, 0.1
WINDOW %b = p, q
SETBELT %b = BELT(%b)
RUNSIG 3
OVERLAP ALWAYS
NOOVERLAP
ALTER (-1, 19) 10, 0, 0
IOPUT 1 = 5
READ (5) $s, n
WRITE (5) "x", x
FOPENR (5) "a.dat"
FOPENW (5) "a.dat"
FOPENA (5) "a.dat"
FDELETE (5) "a.dat"
FCLOSE (5)
ATTACH (5, 4) "DISK"
MC SPEED 50
MCS "SPEED 50"
DOS "MOVE p"
SELECT ROBOT = 1
KEYMODE 1 = 2
SET.EVENT 1
CLEAR.EVENT 1
WAIT.EVENT 1, 0.1
TYPE /C2, "n = ", /F8.3, x, /S
x = ^HFF + ^B101 + ^17
x = HAND + RANDOM
x = IDENTICAL(p, q) OR OUTSIDE(1, x, 3)
x = SWITCH(CP) + PARAMETER(HAND.TIME) + SPEED(2)
$s = $ENCODE(/F5.2, x)
$s = $DECODE("a,b", ",", 0)
RETURNE
RETURN
STOP
HALT
""".strip().split("\n")  # fmt: skip


def run(text, **options):
    program = parse(text, "VAL II")
    assert program.errors == (), program.errors
    return list(program.commands(**options))


def moves(text, **options):
    return [each for each in run(text, **options) if isinstance(each, Move)]


def program(body):
    return f".PROGRAM main\n{POINTS}{body}\n.END"


@pytest.mark.parametrize("line", BOOK)
def test_every_statement_of_the_books_is_read(line):
    text = f".PROGRAM main\n{POINTS}x = 0\nMOVE #j\n10 {line}\n120 MOVE #j\n.END\n.PROGRAM sub\nTYPE 1\n.END"
    read = parse(text, "VAL II")
    assert read.errors == ()
    word = line.split()[0]
    notes = [
        found for found in read.diagnostics if found.problem.startswith(f"{word} ") and "no effect" in found.problem
    ]
    assert bool(notes) == (word in NOTED or line in ("DISABLE FORCE", "PARAMETER BELT.MODE = 1"))
    assert parse(read.text(), "VAL II").text() == read.text()  # print reads back
    given = list(read.commands(arm=ARM))
    assert len([each for each in given if isinstance(each, Move)]) == 1 + (word in MOVING) + (word not in ENDING)


def test_the_books_have_every_word():
    assert {line.split()[0] for line in BOOK} >= set(FORMS) - {"START", "PAYLOAD", "UNITS", "ANGLES", "AUTO"}  # ours
    assert set(NOTED) < set(FORMS)
    assert set(MOVING) < set(FORMS)
    assert len(statements()) == len(FORMS)


def test_the_hand_moves_on_the_way():
    hand, first, other, second = run(program("MOVET p, 75\nMOVEST q, 0"))
    assert isinstance(hand, Gripper)
    assert (hand.closed, first.kind, other.closed, second.kind) == (False, "joint", True, "line")


def test_draw_goes_along_world_axes():
    _, drawn = moves(program("MOVE q\nDRAW 10,, -5"))
    np.testing.assert_allclose(drawn.target.position, [0.51, 0.1, 0.195], atol=1e-15)
    assert drawn.kind == "line"


def test_drive_turns_one_joint_by_so_much():
    first, second, last = moves(program("MOVE #j\nDRIVE 4, -62.5, 75\nMOVE #HERE"))
    assert second.target.relative
    assert second.target.q == (0.0, 0.0, 0.0, radians(-62.5))
    assert (second.pace.share, last.pace.share) == (0.75, 1.0)
    np.testing.assert_allclose(np.degrees(last.target.q), [10, 20, 30, -22.5, 50, 60])
    assert not first.target.relative
    for bad in ("DRIVE 0, 5, 50", "DRIVE 1.5, 5, 50", "DRIVE 1, 5, 0"):
        with pytest.raises(ProgramError):
            run(program(bad))


def test_relative_joints_are_planned_from_where_the_arm_is():
    arm, place = load("rl15"), Place("tour", 1, 1)
    goal = Joints(tuple(np.radians([10, 20, -30])))
    turned = Move("joint", Joints((0.0, 0.2), relative=True), place)
    made = plan(arm, [Move("joint", goal, place), turned, turned])
    end = made.at(0.5).q[-1]
    np.testing.assert_allclose(end, [radians(10), radians(20) + 0.4, radians(-30), 0, 0, 0], atol=1e-12)


@pytest.mark.parametrize("seed", range(20))
def test_aligned_is_the_nearest_axis_by_the_shortest_turn(seed):
    rng = np.random.default_rng(seed)
    R = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    R = R * np.sign(np.linalg.det(R))
    done = aligned(R)
    assert is_rotation(done)
    z = done[:, 2]
    assert np.abs(z).max() == pytest.approx(1.0, abs=1e-12)
    axes = [*np.eye(3), *-np.eye(3)]
    assert z @ R[:, 2] == pytest.approx(max(axis @ R[:, 2] for axis in axes), abs=1e-12)
    turn = done @ R.T  # about an axis across both, by the angle between them: no twist beside it
    assert (np.trace(turn) - 1) / 2 == pytest.approx(z @ R[:, 2], abs=1e-12)


def test_align_turns_the_tool_where_it_is():
    _, done = moves(program("MOVE q\nALIGN"))
    np.testing.assert_allclose(done.target.position, [0.5, 0.1, 0.2], atol=1e-15)
    np.testing.assert_allclose(done.target.rotation[:, 2], [0, 0, -1], atol=1e-12)


def test_ready_is_told_or_assumed():
    assert [each.text for each in run(program("READY")) if isinstance(each, Assumed)] == [
        "READY is taken to be all joints at 0"
    ]
    told = parse(program("READY"), "VAL II", world={"ready": "0 90 -90 0 0 0"})
    (move,) = told.commands()
    np.testing.assert_allclose(np.degrees(move.target.q), [0, 90, -90, 0, 0, 0])
    assert len(moves(program("NEST"), arm=load("scara"))[0].target.q) == 4


def test_the_arm_tells_where_joints_bring_the_tool():
    """DEPART behind a joint point needs the arm; with it the tool goes back along its own z."""
    arm = load("puma560")
    text = program("TOOL TRANS(0, 0, 100)\nMOVE #j\nDEPARTS 50")
    with pytest.raises(ProgramError, match="the tool's place is not known here"):
        run(text)
    back = moves(text, arm=arm)[-1]
    T = arm.pose(np.radians([10, 20, 30, 40, 50, 60])) @ pose(None, [0, 0, 0.1 - 0.05])
    np.testing.assert_allclose(back.target.position, T[:3, 3], atol=1e-12)
    np.testing.assert_allclose(back.target.rotation, T[:3, :3], atol=1e-12)


def test_timers_go_on_as_they_are_read():
    text = program("TIMER 2 = 5\nWHILE TIMER(2) < 8 DO\nMOVE #j\nEND")
    given = run(text)
    assert sum(isinstance(each, Move) for each in given) == 3
    assert [each.text for each in given if isinstance(each, Assumed)] == [
        "TIMER(2) is taken to be 1 s later each time that it is read"
    ]


def test_bits_are_signals():
    text = program("BITS 3, 4 = 5\nIF SIG(3, -4, 5, -6) THEN\nTYPE BITS(3, 4), BITS(4, 2)\nEND\nTYPE ADC(1)")
    given = run(text)
    assert [each.text for each in given if isinstance(each, Signal) and each.text.startswith("TYPE")] == [
        "TYPE 5 2", "TYPE 0",
    ]  # fmt: skip
    assert [each.text for each in given if isinstance(each, Assumed)] == ["ADC is taken to be 0"]
    for bad in ("BITS 0, 4 = 1", "BITS 1, 2 = 4", "BITS 1, 40 = 4"):
        with pytest.raises(ProgramError):
            run(program(bad))


def test_signals_that_nobody_tells_are_said_to_be_off():
    given = run(program("IF SIG(1001) THEN\nMOVE #j\nEND"))
    assert [(each.text, each.cure) for each in given] == [("signal 1001 is taken to be off", "--set inputs=1001")]
    told = parse(program("IF SIG(1001, 1002) THEN\nMOVE #j\nEND"), "VAL II", world={"inputs": [1001, 1002]})
    assert [type(each) for each in told.commands()] == [Move]


@pytest.mark.parametrize(("expression", "value"), [
    ("6 BAND 3", "2"), ("6 BOR 3", "7"), ("6 BXOR 3", "5"), ("COM 0", "-1"), ("LEN($a)", "4"), ("ASC($a)", "116"),
    ("ASC($a, 9)", "-1"), ('VAL("2.5")', "2.5"), ("$CHR(65)", "A"), ("$MID($a, 2, 2)", "ex"),
    ("$ENCODE($a, 2)", "text2"),
    ("BCD(25)", "37"), ("DCB(37)", "25"), ("DX(SCALE(TRANS(3) BY 2))", "6"), ("DX(NORMAL(TRANS(3)))", "3"),
])  # fmt: skip
def test_functions(expression, value):
    (given,) = run(f'$a = "text"\nTYPE {expression}')
    assert given.text == f"TYPE {value}"


def test_functions_refuse_what_has_no_value():
    for bad in ("DCB(10)", "BCD(0.5)", 'VAL("x")', "$CHR(900)", "0.5 BAND 1", "COM 0.5", '$MID("a", 0, 1)'):
        with pytest.raises(ProgramError):
            run(f"TYPE {bad}")


@pytest.mark.parametrize("angles", ["zyz", "oat"])
def test_angles_are_found_again(angles):
    for a, b, c in [(10, 20, 30), (-170, 75, 100), (0, 0, 40)]:
        R = rotation(angles, a, b, c)
        np.testing.assert_allclose(rotation(angles, *angles_of(angles, R)), R, atol=1e-12)
    straight = rotation("oat", 25, 90, 10)  # the tool points down: O and T turn about one axis
    np.testing.assert_allclose(rotation("oat", *angles_of("oat", straight)), straight, atol=1e-7)


def test_decompose():
    text = program("DECOMPOSE x[1] = q\nTYPE x[1], x[3], x[4], x[5], x[6]\nDECOMPOSE y[0] = #j\nTYPE y[5]")
    first, second = (each.text.split()[1:] for each in run(text))
    np.testing.assert_allclose(list(map(float, first)), [500, 200, 30, 170, 20], atol=1e-9)
    assert second == ["60"]


def test_names_may_be_words_of_instructions():
    given = run("ready = 1\ndrive = 2\nlock = ready + drive\nIF lock == 3 THEN\nTYPE lock\nEND")
    assert [each.text for each in given] == ["TYPE 3"]


# What a program is told
def test_the_inputs_of_simasea():
    text = "POINT #a 0 0 0 0 0 0\nPOINT #b 90 0 0 0 0 0\nSTART #a\nMOVE #b\nOPENI\nCLOSEI"
    told = parse(text, "VAL II", world={"t_acc": 2, "t_inc": 0.5, "rate_joint": 30, "t_open": 0.25, "t_close": 0.75})
    timing = told.timing
    assert (timing.t_acc, timing.increment) == (2.0, 0.5)
    assert timing.rate_joint == pytest.approx(radians(30))
    assert [each.seconds for each in told.commands() if isinstance(each, Gripper)] == [0.25, 0.75]
    made = plan(load("puma560"), told.commands(), timing=timing)
    assert made.duration == pytest.approx(90 / 30 + 1 + 2 * 2.0 + 1.0)  # at least 2 t_acc a segment, 2 t_acc around it
    assert parse(text, "VAL II", world={"rate_linear": 0.05, "rate_euler": 25}).timing.rate_linear == 0.05


def test_what_is_set_from_outside_holds():
    """The published program says HAND.TIME itself: an input of A.3 goes before it, and that is told."""
    sample = read(shipped("programs/simasea.v2"), world={"t_open": 3})
    given = list(sample.commands())
    assert [each.seconds for each in given if isinstance(each, Gripper)] == [3.0]
    assert [each.text for each in given if isinstance(each, Assumed)] == [
        "HAND.TIME = 1 gives way to what was set from outside"
    ]
    untold = read(shipped("programs/simasea.v2"))
    assert [each.seconds for each in untold.commands() if isinstance(each, Gripper)] == [1.0]


@pytest.mark.parametrize(("world", "message"), [
    ({"t_ack": 1}, "ask for nothing called 't_ack'; did you mean 't_acc'"),
    ({"t_acc": 0}, "t_acc is 0.0; a number from"),
    ({"t_open": -1}, "t_open is -1.0; a number from 0"),
    ({"t_acc": True}, "t_acc is True; give a number"),
    ({"units": 3}, "units is 3.0; give m or mm"),
    ({"ready": "home"}, "ready is 'home'; numbers"),
])  # fmt: skip
def test_bad_inputs(world, message):
    with pytest.raises(TorsorError, match=message):
        parse("POINT #a 0\nMOVE #a", "VAL II", world=world)


def test_times_of_simasea_are_not_for_val2():
    read = parse(program("MOVE #j"), "VAL II", world={"t_acc": 2})
    with pytest.raises(TorsorError, match="t_acc is of SIMASEA's timing"):
        _ = read.timing


def test_numbers_to_other_bases():
    (said,) = [each for each in run(program("TYPE ^HFF, ^B101, ^17")) if isinstance(each, Signal)]
    assert said.text == "TYPE 255 5 15"


def test_loops_are_left_and_gone_on_with():
    text = "FOR i = 1 TO 5\nIF i == 2 THEN\nNEXT\nEND\nIF i == 4 THEN\nEXIT\nEND\nTYPE i\nEND"
    assert [each.text for each in run(program(text)) if isinstance(each, Signal)] == ["TYPE 1", "TYPE 3"]
    known = parse(program(text), "VAL II")
    assert parse(known.text(), "VAL II").text() == known.text()
    (found,) = parse(program("EXIT"), "VAL II").errors
    assert "EXIT outside a loop" in str(found)


def test_a_belt_is_where_it_was_defined():
    """Belts stand still, which is said."""
    given = run(program("DEFBELT %b = TRANS(100, 0, 0), 1, 0, 0.1\nMOVES %b:p"))
    (move,) = [each for each in given if isinstance(each, Move)]
    np.testing.assert_allclose(move.target.position, [0.5, 0.0, 0.2], atol=1e-15)
    assert [each.text for each in given if isinstance(each, Assumed)] == ["belts stand still"]


def test_a_joint_point_is_a_place_of_the_arm():
    first, second = moves(program("APPRO #j, 50\nSET r = #j\nMOVE r:TRANS(0, 0, -50)"), arm=ARM)
    T = ARM.pose([radians(each) for each in (10, 20, 30, 40, 50, 60)])
    np.testing.assert_allclose(first.target.position, T[:3, 3] - 0.05 * T[:3, 2], atol=1e-12)
    np.testing.assert_allclose(second.target.position, first.target.position, atol=1e-12)
    with pytest.raises(TorsorError, match="a joint point where a location is needed; which place it is"):
        run(program("APPRO #j, 50"))


def test_one_motion_without_going_on():
    given = moves(program("CPOFF\nMOVES p\nMOVES q\nMOVES p"))
    assert [each.blend.kind for each in given] == ["stop", "speed", "stop"]


def test_a_duration_is_taken_back():
    first, second, third = moves(program("DURATION 2 ALWAYS\nMOVE p\nMOVE q\nDURATION 0 ALWAYS\nMOVE p"))
    assert [each.pace.duration for each in (first, second, third)] == [2.0, 2.0, None]


def test_arrays_are_handed_over_as_a_whole():
    text = ".PROGRAM main\nx[1] = 3\nx[2] = 4\nCALL sub(x[])\n.END\n.PROGRAM sub(a[])\nTYPE a[1], a[2]\n.END"
    (said,) = [each for each in run(text) if isinstance(each, Signal)]
    assert said.text == "TYPE 3 4"


def test_values_that_a_stored_program_comes_with():
    text = """.PROGRAM main
MOVES seam[2]
TYPE $name, n, list[2]
.END
.LOCATIONS
seam[2] 400 20 200 0 180 0
.END
.REALS
n 4
list[2] -2.5E-1
.END
.STRINGS
$name "left side"
.END
"""
    given = run(text)
    assert [each.text for each in given if isinstance(each, Signal)] == ["TYPE left side 4 -0.25"]
    assert len([each for each in given if isinstance(each, Move)]) == 1
    known = parse(text, "VAL II")
    assert parse(known.text(), "VAL II").text() == known.text()
    found = parse(text.replace("n 4", "n 4 5"), "VAL II").errors
    assert "<text>:9:1: n has 2 values; a name and one value" in map(str, found)
    found = parse(text.replace("seam[2] 400 20 200 0 180 0", 'seam "a"'), "VAL II").errors
    assert any("there is no instruction 'seam'" in str(each) for each in found)
