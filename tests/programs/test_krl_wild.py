"""What KRL files of strangers have beside their moves: written here anew, one of each kind."""

from __future__ import annotations

import pytest

from torsor.loading import load
from torsor.motion.commands import Assumed, Joints, Move, Pace, Place
from torsor.programs import parse
from torsor.programs.krl.krl_pace import repace
from torsor.programs.pace import Factor

HOME = "PTP {A1 0,A2 -90,A3 90,A4 0,A5 30,A6 0}"
CONFIG = """DEFDAT $CONFIG PUBLIC
INT DEF_VEL_PTP=80
REAL DEF_VEL_CP=1.5
REAL DEF_ACC_CP=2.0
DECL PDAT PFAST={VEL 100,ACC 100,APO_DIST 40,APO_MODE #CDIS}
DECL LDAT LFAST={VEL 2,ACC 100,APO_DIST 30,AXIS_VEL 100,AXIS_ACC 50,ORI_TYP #VAR}
ENDDAT
"""


def run(body, data=""):
    program = parse(f"DEF cell( )\n{body}\nEND\n{data}", "KRL", file="cell.src")
    assert not program.errors, program.errors
    return program, [each for each in program.commands() if isinstance(each, Move)]


def firsts(moves):
    """The first axis of each joint move, degrees."""
    return [round(move.target.q[0] * 180 / 3.141592653589793, 9) for move in moves]


def test_arrays_that_no_file_declares_grow():
    body = f"""{HOME}
FOR i=1 TO 4
  done[i]=FALSE
  msg.txt[i]=0
ENDFOR
table[2,3]=7
IF done[9]==FALSE THEN
  PTP {{A1 1}}
ENDIF
IF table[2,3]==7 THEN
  PTP {{A1 2}}
ENDIF"""
    _, moves = run("INT i\n" + body)
    assert firsts(moves) == [0.0, 1.0, 2.0]


def test_arrays_that_are_declared_do_not():
    program = parse("DEF cell( )\nINT a[3]\na[4]=1\nEND\n", "KRL", file="cell.src")
    with pytest.raises(Exception, match=r"cell.src:3:1: index 4 is outside of 1..3"):
        list(program.commands())


def test_a_taught_point_becomes_a_frame():
    data = """DEFDAT cell
DECL E6POS XP={X 500,Y 0,Z 500,A 0,B 90,C 0,S 2,T 10,E1 0.0,E2 0.0}
E6AXIS XQ={A1 1,A2 -90,A3 90,A4 0,A5 0,A6 0,E1 0.0}
ENDDAT
"""
    _, (up, at, turned) = run("FRAME f\nAXIS q\nf=XP\nf.Z=f.Z+10\nLIN f\nf=XP\nLIN f\nq=XQ\nPTP q", data)
    assert up.target.position == pytest.approx((0.5, 0.0, 0.51))
    assert at.target.position == pytest.approx((0.5, 0.0, 0.5))
    assert turned.target.q[1] == pytest.approx(-1.5707963267948966)
    wrong = parse("DEF cell( )\nFRAME f\nf={X 1,Q 2}\nEND\n", "KRL", file="cell.src")
    with pytest.raises(Exception, match="a frame has no part 'q'"):
        list(wrong.commands())


def test_comparisons_that_stand_without_parentheses():
    body = f"""INT q,k
BOOL b
q=0
k=2
b=TRUE
{HOME}
IF q==0 AND k<>5 THEN
  PTP {{A1 1}}
ENDIF
IF $MODE_OP==#T1 OR k==2 THEN
  PTP {{A1 2}}
ENDIF
IF b AND (k==3) THEN
  PTP {{A1 3}}
ENDIF
WHILE q<2 AND k<5
  q=q+1
ENDWHILE
PTP {{A1 q}}"""
    program, moves = run(body)
    assert firsts(moves) == [0.0, 1.0, 2.0, 2.0]
    (warned,) = [each for each in program.diagnostics if "in parentheses" in each.problem]
    assert (warned.severity, warned.place.line) == ("warning", 8)


def test_where_conditions_are_compared_the_manual_holds():
    body = f"BOOL a,b\na=FALSE\nb=FALSE\n{HOME}\nIF a==TRUE AND b THEN\n  PTP {{A1 1}}\nENDIF"
    program, moves = run(body)  # a == (TRUE AND b)
    assert firsts(moves) == [0.0, 1.0]
    assert not [each for each in program.diagnostics if "parentheses" in each.problem]


def test_relative_motions_have_what_others_have():
    body = """$TOOL=$NULLFRAME
$VEL.CP=0.5
LIN {X 500,Y 0,Z 500,A 0,B 90,C 0}
SLIN_REL {Z 20} #BASE WITH $VEL.CP=0.1, $APO.CDIS=5 C_SPL
LIN_REL {X 10} C_DIS #TOOL
CIRC_REL {X 10,Y 10},{X 20}, CA 360"""
    _, moves = run(body)
    up, along, half, whole = moves[1:]
    assert (up.pace.speed, up.blend.radius) == (0.1, 0.005)
    assert along.pace.speed == 0.5
    assert along.target.position == pytest.approx((0.5, 0.0, 0.51))  # x of the tool points down
    assert half.kind == whole.kind == "circle"
    assert whole.target.position == pytest.approx(along.target.position, abs=1e-12)


def test_inline_forms_of_splines_are_as_the_controller_computes_them():
    body = """BAS(#INITMOV,0)
SPTP XHOME WITH $VEL_AXIS[1]=SVEL_JOINT(50.0), $ACC_AXIS[1]=SACC_JOINT(PFAST), $APO=SAPO_PTP(PFAST) C_Spl
SLIN {X 500,Y 0,Z 500,A 0,B 90,C 0} WITH $VEL=SVEL_CP(2.0, ,LFAST), $ACC=SACC_CP(LFAST), $APO=SAPO(LFAST) C_SPL
PDAT_ACT=PFAST
BAS(#PTP_PARAMS,50)
PTP XHOME C_DIS
BAS(#VEL_CP,3)
LIN {X 500,Y 0,Z 500,A 0,B 90,C 0}"""
    _, (home, line, back, last) = run(body, CONFIG)
    assert (home.pace.share, home.blend.kind, home.blend.radius) == (0.4, "zone", 0.04)
    assert (line.pace.speed, line.pace.acceleration, line.blend.radius) == (1.5, 1.0, 0.03)
    assert (back.pace.share, back.blend.radius) == (0.4, 0.04)
    assert last.pace.speed == 1.5


def test_functions_that_tell_whether_are_conditions():
    _, moves = run(f'{HOME}\nIF hit OR STRCOMP(a[],"x",#NOT_CASE_SENS) THEN\n  PTP {{A1 1}}\nENDIF')
    assert firsts(moves) == [0.0]


def test_elseif():
    program = parse("DEF cell( )\nIF a THEN\nELSEIF b THEN\nENDIF\nEND\n", "KRL", file="cell.src")
    (error,) = program.errors
    assert error.place.line == 3
    assert "KRL has none" in (error.hint or "")


def test_turns_of_axes_beside_the_arm_are_no_matter():
    _, (move,) = run("PTP {X 500,Y 0,Z 500,A 0,B 90,C 0,S 2,T 74}")  # 64 + 8 + 2: E1, A4 and A2 below zero
    assert [high for _, _, high in move.target.within].count(0.0) == 2


@pytest.mark.parametrize(
    ("body", "line", "told"),
    [
        ("IF a THEN\nENDFI", 3, "'ENDFI'"),
        ("REPEAT\nUNTLI $IN[1]", 3, "'UNTLI'"),
        ("INT READY_POS\nREADY_POS=1\nREADY_POS=2\nREADY_POSS=3", 5, "'READY_POSS'"),
        ("FDA_ACT=FHOME", 2, "'FDA_ACT'"),
        ("IF $IN[1]==TRUEE THEN\nENDIF", 2, "'TRUEE'"),
        ("PULSE($OUT[1],TREU,0.5)", 2, "'TREU'"),
        ("PULSE($OUT[1] TRUE,0.5,2)", 2, "without a comma"),
        ('CWRITE($CMD,STAT,"RUN /R1/CELL()")', 2, "at least 4 values"),
        ("INTERRUPT DECL 5 WHEN $IN[1] DO found (6 CD0 )", 2, "without a comma"),
        ("BAS(#CP_PARAMS)", 2, "given no number"),
    ],
)
def test_one_slip_is_one_message(body, line, told):
    (error,) = parse(f"DEF cell( )\n{body}\nEND\n", "KRL", file="cell.src").errors
    assert error.place.line == line
    assert told in error.problem


def test_statements_that_are_not_run_are_no_slips():
    body = """GLOBAL INTERRUPT DECL 3 WHEN (($STOPMESS==TRUE) AND (a OR NOT b)) DO IR_STOPM ( )
TRIGGER WHEN PATH = 0 ONSTART DELAY = 0 DO motorOn() PRIO = 101
TRIGGER WHEN DISTANCE=1 DELAY=-5 DO count=count+1
ODAT_ACT=OUT_2
PULSE ($OUT[ODAT_ACT.OUT_NO],ODAT_ACT.STATE,ODAT_ACT.PULSE_TIME )
CWRITE($CMD,STAT,MODE,"RUN /R1/CELL ()")
WDAT_ACT=WDEFAULT
EXTFCT REAL LEVEL (REAL :IN, CHAR [] :OUT)"""
    assert not parse(f"DEF cell( )\n{body}\nEND\n", "KRL", file="cell.src").errors


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("SLIN p WITH $VEL.CP=0.1 C_SPL", "SLIN p WITH $VEL.CP=0.2 C_SPL"),
        ("SLIN p WITH $VEL.CP = r[1].v, $APO.CDIS = 5 C_DIS ;x",
         "SLIN p WITH $VEL.CP = (r[1].v)*2, $APO.CDIS = 5 C_DIS ;x"),
        ("SLIN p WITH $APO.CDIS=5", "$VEL.CP=0.2\nSLIN p WITH $APO.CDIS=5\n$VEL.CP=0.1"),
        ("SLIN p WITH $VEL={CP 0.1,ORI1 100}", "SLIN p WITH $VEL={CP 0.1,ORI1 100}, $VEL.CP=0.2"),
        ("SPTP p WITH $VEL_AXIS[1]=20, $VEL_AXIS[2]=20", "SPTP p WITH $VEL_AXIS[1]=40, $VEL_AXIS[2]=40"),
        ("SPTP p WITH $VEL_AXIS[1]=SVEL_JOINT(20.0)", "SPTP p WITH $VEL_AXIS[1]=SVEL_JOINT(40)"),
    ],
)  # fmt: skip
def test_paces_behind_with_are_changed_there(before, after):
    lines = [before]
    kind, pace = ("joint", Pace(share=0.2)) if before.startswith("SPTP") else ("line", Pace(speed=0.1))
    repace(lines, Move(kind, Joints((0.0,) * 6), Place("cell.src", 1, 1), pace=pace), Factor(2.0, 1.0), None)
    assert "\n".join(lines) == after


def test_data_that_have_the_name_of_their_point_are_no_slip():
    form = f"""{HOME}
;FOLD PTP DOCK  Vel= 100 % DEFAULT;%{{PE}}
PDAT_ACT=PDOCK
FDAT_ACT=FDOCK
BAS(#PTP_PARAMS,100)
PTP XDOCK
;ENDFOLD"""
    _, moves = run(form)
    assert [each.place.line for each in moves] == [2]
    slip = parse(f"DEF cell( )\n{form.replace('=FDOCK', '=FDOKC')}\nEND\n", "KRL", file="cell.src")
    assert [each.place.line for each in slip.errors] == [5]


def test_loops_of_inputs_and_interrupts_that_come_with_something_are_read_and_said():
    body = f"""INTERRUPT WITH BRAKE F DECL 4 WHEN $IN[2] DO halted()
{HOME}
DIGIN ON n=1.0*$DIGIN1+0.5
DIGIN OFF $DIGIN1"""
    program, moves = run(body, "DEF halted( )\nEND\n")
    assert [each.place.line for each in moves] == [3]
    assert not program.warnings


def what_it_takes(text):
    program = parse(text, "KRL", file="cell.src")
    assert not program.errors, program.errors
    assumed = [each.text for each in program.commands() if isinstance(each, Assumed)]
    return next(each for each in assumed if "nothing moves" in each)


def test_routines_that_are_never_come_to_are_what_a_dispatcher_would_take():
    ways = "CASE JOB_A\nfetch()\nCASE JOB_B\nbring(2)\nDEFAULT\nHALT"
    text = f"DEF cell(job :IN)\nINT job\nSWITCH job\n{ways}\nENDSWITCH\nEND\n"
    assert what_it_takes(text).endswith("; it would take fetch (line 5), bring (line 7)")
    assert what_it_takes("DEF cell( )\n$OUT[1]=TRUE\nEND\n") == "nothing moves; there is no move in it"


def test_a_move_to_where_the_arm_is_does_not_hide_the_condition_that_others_stand_behind():
    text = f"DEF cell( )\nPTP $AXIS_ACT\njob=0\nSWITCH job\nCASE 1\n{HOME}\nENDSWITCH\nEND\n"
    program = parse(text, "KRL", file="cell.src")
    told = [each.text for each in program.commands(arm=load("kr6-r900-2")) if isinstance(each, Assumed)]
    assert "with what is assumed nothing moves; its moves stand behind the condition of line 4: job" in told


@pytest.mark.parametrize("going_on", ["LIN_REL {Z 300}", "LIN {X 620}", "PTP {A1 10}", "LIN $POS_ACT:{X 5,Y 0,Z 0}"])
def test_behind_a_move_to_nobody_knows_where_the_arm_is_nobody_knows_where(going_on):
    body = f"{HOME}\n{going_on}\nLIN nowhere\n{going_on}\n{HOME}\n{going_on}"
    program = parse(f"DEF cell( )\n$VEL.CP=0.2\n{body}\nEND\n", "KRL", file="cell.src")
    given = list(program.commands(arm=load("kr6-r900-2")))
    assert [each.place.line for each in given if isinstance(each, Move)] == [3, 4, 7, 8]
    told = {each.place.line: each.text for each in given if isinstance(each, Assumed)}
    assert told[5] == "where nowhere lies is not known: the move is passed over"
    assert told[6].endswith("lies is not known: the move is passed over")


def test_before_it_has_gone_anywhere_the_arm_stands_where_it_is_taken_to_start():
    _, moves = run("$VEL.CP=0.2\nLIN nowhere\nPTP {A1 0,A2 -90,A3 90,A4 0,A5 90,A6 0}")
    assert len(moves) == 1
    program = parse("DEF cell( )\n$VEL.CP=0.2\nLIN nowhere\nLIN_REL {Z -10}\nEND\n", "KRL", file="cell.src")
    given = program.commands(arm=load("kr6-r900-2"), start=[0.0, -1.5, 1.5, 0.0, 1.5, 0.0])
    assert [each.place.line for each in given if isinstance(each, Move)] == [4]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("LIN {X 100,Y 2=5}", "expected ',', '}' or an operator"),
        ("$VEL.CP=,2.5", "expected '(', '{', NOT, a #VALUE, a name, a number or a text"),
        ("CIRC XP1,XP2,XP3", "expected CA"),
    ],
)
def test_what_might_stand_there_is_told_as_it_is_written(line, expected):
    (error,) = parse(f"DEF cell( )\n{line}\nEND\n", "KRL", file="cell.src").errors
    assert (error.place.line, error.hint) == (2, expected)
