"""KRL that talks to others: EthernetKRL answers, and what comes may be told."""

from __future__ import annotations

from torsor.motion.commands import Assumed, Move
from torsor.programs import parse


def run(text, **more):
    program = parse(text, "KRL", file="cell.src", **more)
    assert not program.errors, program.errors
    made = list(program.commands())
    return [each for each in made if isinstance(each, Move)], [each for each in made if isinstance(each, Assumed)]


SERVER = """DEF cell( )
DECL EKI_STATUS back
INT job
BAS(#INITMOV,0)
back=EKI_Open("cell")
EKI_CHECK(back,#QUIT)
IF back.MSG_NO<>0 THEN
  HALT
ENDIF
back=EKI_CheckBuffer("cell","Job")
IF back.BUFF>0 THEN
  back=EKI_GetInt("cell","Job",job)
ENDIF
SWITCH job
CASE 1
  PTP {A1 10,A2 -90,A3 90,A4 0,A5 30,A6 0}
CASE 2
  PTP {A1 20,A2 -90,A3 90,A4 0,A5 30,A6 0}
ENDSWITCH
END
"""


def test_ethernet_answers_and_what_comes_may_be_told():
    moves, assumed = run(SERVER)
    assert [each.place.line for each in moves] == [16]
    said = {each.place.line: each.text for each in assumed}
    assert said[5] == "EKI_Open: the other end is taken to be there, and to answer"
    assert said[10] == "EKI_CheckBuffer: data is taken to have come"
    assert said[14].startswith("job == 1 is taken to hold") or said[14].startswith("job is taken to be 1")
    moves, assumed = run(SERVER, world={"job": 2.0})
    assert [each.place.line for each in moves] == [18]
    assert {each.place.line for each in assumed} == {5, 10}


def test_what_only_talks_to_others_would_not_move_with_other_files():
    text = 'DEF cell( )\nback=EKI_Open("cell")\nEKI_CHECK(back,#QUIT)\nback=EKI_Send("cell",text[])\nEND\n'
    _, assumed = run(text)
    assert "nothing moves; there is no move in it" in [each.text for each in assumed]


FLAGGED = """DEF cell( )
IF $FLAG[3] THEN
PTP {A1 9,A2 -90,A3 90,A4 0,A5 30,A6 0}
ELSE
PTP {A1 5,A2 -90,A3 90,A4 0,A5 30,A6 0}
ENDIF
END
"""


def test_flags_that_nobody_sets_are_told_by_the_world():
    moves, assumed = run(FLAGGED)
    assert [each.place.line for each in moves] == [5]
    assert "$FLAG[3] is taken to be FALSE" in [each.text for each in assumed]
    moves, assumed = run(FLAGGED, world={"$FLAG[3]": True})
    assert [each.place.line for each in moves] == [3]
    assert not assumed
    moves, assumed = run(FLAGGED.replace("IF", "$FLAG[3]=TRUE\nIF", 1))
    assert [each.place.line for each in moves] == [4]
    assert not assumed


def test_axes_beside_the_arm_that_nobody_knows_leave_the_point_known():
    text = (
        "DEF cell( )\nDECL E6AXIS home\nhome={A1 5,A2 -90,A3 90,A4 0,A5 30,A6 0}\nhome.E2=$AXIS_ACT.E2\nPTP home\nEND\n"
    )
    moves, assumed = run(text)
    assert [each.place.line for each in moves] == [5]
    assert not [each for each in assumed if "passed over" in each.text]


def test_waits_are_told_each_with_what_it_waits_for():
    asks = "IF NOT ready THEN\nHALT\nENDIF\nIF NOT $FLAG[2] THEN\nHALT\nENDIF\n"
    waits = "WAIT FOR ready\nWAIT FOR ready OR part\nWAIT FOR $FLAG[2]\n"
    _, assumed = run(f"DEF cell( )\nBOOL ready\n{waits}{asks}PTP XHOME\nEND\n")
    said = {each.place.line: each.text for each in assumed}
    assert said[3] == "ready is taken to become TRUE"
    assert 4 not in said
    assert said[5] == "$FLAG[2] is taken to become TRUE"
    assert set(said) == {3, 5, 12}


def test_elements_that_nobody_knows_are_said_once_a_line():
    text = "DEF cell( )\nFOR k=1 TO 30\nPTP points[k]\nENDFOR\nPTP points[31]\nEND\n"
    said = [each.text for each in run(text)[1] if "passed over" in each.text]
    assert said == [
        "where points[1] lies is not known: the move is passed over",
        "where other elements of points lie is not known, either: moves to them are passed over",
        "where points[31] lies is not known: the move is passed over",
    ]
