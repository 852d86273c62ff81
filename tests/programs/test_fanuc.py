"""Fanuc TP, as controllers print it: what its statements mean, and what is said of what it leaves open."""

from __future__ import annotations

from math import radians

import numpy as np
import pytest

from torsor.model.transforms import rotation_rpy
from torsor.motion.commands import Assumed, Dwell, Move
from torsor.programs import parse
from torsor.programs.pace import Factor

PLACES = """/POS
P[1]{
   GP1:
	UF : 0, UT : 0,
	J1=    10.000 deg,	J2=    20.000 deg,	J3=    30.000 deg,
	J4=     0.000 deg,	J5=   -45.000 deg,	J6=     5.000 deg
   GP2:
	UF : 0, UT : 0,
	J1=    99.000 deg
};
P[2:"above"]{
   GP1:
	UF : 0, UT : 0,		CONFIG : 'N U T, 0, 0, 0',
	X =   800.500  mm,	Y =    -4.000  mm,	Z =   300.000  mm,
	W =   170.000 deg,	P =    10.000 deg,	R =     -.500 deg
};
P[3]{
   GP1:
	UF : 4, UT : 2,		CONFIG : 'N U T, 0, 0, 0',
	X =   700.000  mm,	Y =     0.000  mm,	Z =   200.000  mm,
	W =   180.000 deg,	P =     0.000 deg,	R =     0.000 deg
};
/END
"""


def program(*lines, **more):
    numbered = "\n".join(f"{k:4d}:{line} ;" for k, line in enumerate(lines, start=1))
    return parse(
        f'/PROG  PICK\n/ATTR\nCOMMENT = "a; b";\n/MN\n{numbered}\n{PLACES}', "Fanuc TP", file="pick.ls", **more
    )


def run(*lines, sort=Move, **more):
    made = program(*lines, **more)
    assert not made.errors, made.errors
    return [command for command in made.commands() if isinstance(command, sort)]


def told(*lines, **more):
    return [each.text for each in run(*lines, sort=Assumed, **more)]


def test_moves():
    joint, line, circle = run("J P[1] 50% FINE", "L P[2:above] 500mm/sec CR20 ACC80", "C P[3]\n    :  P[2] 2.5sec FINE")
    assert np.degrees(joint.target.q) == pytest.approx([10, 20, 50, 0, -45, 5])  # joint 3 keeps its angle to the floor
    assert (joint.pace.share, joint.blend.kind) == (0.5, "stop")
    assert line.target.position == pytest.approx((0.8005, -0.004, 0.3))
    np.testing.assert_allclose(line.target.rotation, rotation_rpy(*map(radians, (170, 10, -0.5))), atol=1e-15)
    assert (line.pace.speed, line.pace.acceleration_share) == (0.5, 0.8)
    assert (line.blend.kind, line.blend.radius) == ("zone", 0.02)
    assert (circle.kind, circle.pace.duration, len(circle.via)) == ("circle", 2.5, 1)
    assert [each.place.line for each in (joint, line, circle)] == [5, 6, 7]


@pytest.mark.parametrize(
    ("lines", "names"),
    [
        (["IF R[1]<>0,JMP LBL[5]", "J P[1] 10% FINE", "LBL[5:end]", "J P[2] 10% FINE"], ["P[1]", "P[2]"]),
        (["R[1]=2", "SELECT R[1]=1,CALL A", "       =2,JMP LBL[2]", "       ELSE,JMP LBL[3]", "LBL[3]",
          "J P[1] 10% FINE", "LBL[2]", "J P[2] 10% FINE"], ["P[2]"]),
        (["R[1]=7", "SELECT R[1]=1,JMP LBL[2]", "       ELSE,JMP LBL[3]", "LBL[2]", "J P[1] 10% FINE", "LBL[3]",
          "J P[2] 10% FINE"], ["P[2]"]),
        (["FOR R[1]=1 TO 2", "J P[R[1]] 10% FINE", "ENDFOR"], ["", ""]),
        (["IF (DI[3]=ON AND !DI[4]) THEN", "J P[1] 10% FINE", "ELSE", "J P[2] 10% FINE", "ENDIF"], ["P[2]"]),
        (["J P[1] 10% FINE", "END", "J P[2] 10% FINE"], ["P[1]"]),
        (["WENN (A[12]=AUS),SPRUNG LBL[1]", "J P[1] 10% FEIN", "LBL[1]", "L P[2] 10mm/sek CNT0"], ["P[2]"]),
    ],
)  # fmt: skip
def test_flow(lines, names):
    assert [move.target.name for move in run(*lines)] == names


def test_registers():
    first, second = run(
        "PR[1]=P[2]", "PR[1,3]=PR[1,3]+50", "J PR[1] 10% FINE", "PR[2,1]=5", "L P[2] 9mm/sec FINE Offset,PR[2]"
    )
    assert first.target.position == pytest.approx((0.8005, -0.004, 0.35))
    assert second.target.position == pytest.approx((0.8055, -0.004, 0.3))
    (wait,) = run("R[1]=3", "WAIT   0.50(sec)", "J P[1] 10% FINE", sort=Dwell)
    assert wait.seconds == 0.5
    slow, _ = run("OVERRIDE=20%", "J P[1] 50% FINE", "L P[2] 100mm/sec CNT100")
    assert slow.pace.share == pytest.approx(0.1)


def test_what_is_assumed_is_said():
    assert told("J P[1] 10% FINE", "WAIT DI[3]=ON TIMEOUT,LBL[1]", "LBL[1]") == [
        "the condition of this wait is taken to become true"
    ]
    said = told("L P[3] WELD_SPEED CNT50", "IF DI[7],CALL OTHER", "CALL GONE", "L PR[9] 5mm/sec FINE")
    for part in ("user frame 4 is in no file", "tool frame 2 is in no file", "weld_speed is not known", "CNT:",
                 "DI[7] is taken to be FALSE", "program GONE is in no file", "where PR[9] lies is"):  # fmt: skip
        assert any(part in each for each in said), part
    lines = ["IF DI[7],JMP LBL[1]", "LBL[1]", "J P[1] 9% FINE"]
    assert told(*lines, world={"DI[7]": True}) == []


def test_what_is_read_and_not_run():
    assert run("PAYLOAD[2]", "TC_ONLINE (DI[1] AND M[3])", "MESSAGE[hello; there]"[:-8], "UALM[3]", "Arc Start[1]",
               "DO[4]=PULSE,0.5sec", "TIMER[4]=RESET", "$GROUP[1].$UFRAME=PR[1]", "SKIP CONDITION DI[1]=ON",
               "Weld Start E1[1,10,E0]", "!a remark", "RUN OTHER", "DO[23]=(OFF)", "------") == []  # fmt: skip


@pytest.mark.parametrize(
    ("lines", "line", "problem"),
    [
        (["J P[1] 50% FINE", "JPM LBL[1]"], 6, ""),
        (["J P[1] 50% FINE", "JMP LBL[1]"], 6, "there is no label LBL[1]"),
        (["IF (R[1]=2) THEN", "J P[1] 50% FINE"], 5, "IF is never closed"),
        (["FOR R[1]=1 TO 5", "J P[1] 50% FINE"], 5, "FOR is never closed"),
        (["L P[2 50mm/sec FINE"], 5, ""),
        (["R[1]=(2+R[3]"], 5, ""),
    ],
)
def test_slips(lines, line, problem):
    (error, *_) = program(*lines).errors
    assert (error.place.line, error.place.file) == (line, "pick.ls")
    assert problem in error.problem


def test_a_place_that_was_never_taught():
    place = "P[1]{\n   GP1:\n  UF : 0, UT : 0,\n  X = ********  mm\n};"
    text = f"/PROG A\n/MN\n   1:J P[1] 5% FINE ;\n/POS\n{place}\n/END\n"
    commands = list(parse(text, "Fanuc TP").commands())
    assert not [each for each in commands if isinstance(each, Move)]
    assert any("where P[1] lies is not known" in each.text for each in commands if isinstance(each, Assumed))


def test_a_line_gets_another_pace():
    made = program("J P[1] 50% FINE", "L P[2] 500mm/sec CNT50 ACC80", "L P[3] 3.5sec FINE")
    slower = made.again(made.repaced({5: Factor(0.5, 0.25), 6: Factor(0.5, 0.5)}))
    assert not slower.errors
    joint, line, timed = [command for command in slower.commands() if isinstance(command, Move)]
    assert (joint.pace.share, joint.pace.acceleration_share) == (0.25, 0.25)
    assert (line.pace.speed, line.pace.acceleration_share) == (0.25, 0.4)
    assert timed.pace.duration == 3.5


def test_what_files_of_strangers_have():
    text = """/PROG  MAIN	  Macro
/MN
   1:  PR[GP1:1,3:lift]=50    ;
   2:  PR[1,1:lift]=0    ;
   3:J P[1] 100% CNT0 ACC100 TB    .10sec,P-SPS    ;
      1:  TC_ONLINE (DI[76] AND M[3]) ;
       ------ ;
   4:  ECHO STYLE(230) ;
   5:  WAIT NEXT PATH    ;
   6:L P[2:"top"] 600mm/sec FINE TB .05sec,DO[77]=ON Tool_Offset,PR[1]    ;
   7:  R[7:pause]=2 ;
   8:  WAIT R[7] ;
   9:L P[3] 100mm/sec FINE    ;
  10:  JMP LBL[R[5]] ;
/POS
P[1]{
   GP1:
	UF : 0, UT : 0,
	J1= 0 deg, J2= 0 deg, J3= 0 deg, J4= 0 deg, J5= -70 deg, J6= 0 deg
};
P[2:"top"]{
   GP1:
	UF : 0, UT : 0, CONFIG : 'N U T, 0, 0, 0',
	X = 500 mm, Y = 0 mm, Z = 300 mm, W = 180 deg, P = 0 deg, R = 0 deg
};
P[3]{
   GP1:
	UF : F, UT : F,		CONFIG : '',
	X = ********  mm,	Y = ********  mm,	Z = ********  mm,
	W = ******** deg,	P = ******** deg,	R = ******** deg
};
/END
"""
    program = parse(text, "Fanuc TP")
    assert not program.errors
    commands = list(program.commands())
    joint, line = [each for each in commands if isinstance(each, Move)]
    assert joint.pace.acceleration_share == 1.0
    assert line.target.position == pytest.approx((0.5, 0.0, 0.25))  # the tool points down: 50 mm along its z
    assert [each.seconds for each in commands if isinstance(each, Dwell)] == [2.0]
    told = [each.text for each in commands if isinstance(each, Assumed)]
    assert any("P[3]" in each for each in told)
    assert any("ECHO STYLE(230)" in each for each in told)


def test_a_misspelt_word_is_no_macro():
    (error,) = parse("/PROG A\n/MN\n   1:  SELCT ;\n   2:  MESAGE ;\n/END\n", "Fanuc TP").errors[:1]
    assert "SELECT" in str(error)


def test_timers_are_numbers():
    lines = ["TIMER[1]=RESET", "TIMER[1]=START", "IF (TIMER[1]<.5) THEN", "J P[1] 9% FINE", "ENDIF", "TIMER[1]=STOP"]
    assert len(run(*lines)) == 1
    assert told(*lines) == []


def test_registers_that_nobody_sets_are_said():
    lines = ["IF R[155]=2,JMP LBL[1]", "J P[1] 9% FINE", "LBL[1]"]
    assert told(*lines) == ["R[155] is taken to be 0"]
    assert told("R[155]=1", *lines) == []
    assert run(*lines, world={"R[155]": 2.0}) == []
