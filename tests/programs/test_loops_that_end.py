"""Loops that end by themselves are run to their end; what a program says plainly is not taken to be otherwise."""

from __future__ import annotations

from typing import Any

import pytest

from torsor.motion.commands import Assumed, Move
from torsor.programs import parse
from torsor.programs.rapid.rapid_pace import _ramp

POINT = "CONST robtarget p10:=[[400,-50,250],[0,0,1,0],[-1,0,-1,0],[9E9,9E9,9E9,9E9,9E9,9E9]];"
UP = "MoveL Offs(p10,0,0,i), v100, fine, tool0;"


def ran(body: str, data: str = "", cycles: int = 1, **given: Any) -> tuple[list[Move], list[str]]:
    text = f"MODULE M\n{POINT}\nVAR num i:=0;\n{data}\nPROC main()\n{body}\nENDPROC\nENDMODULE"
    commands = list(parse(text, "RAPID", **given).commands(cycles=cycles))
    moves = [each for each in commands if isinstance(each, Move)]
    return moves, [each.text for each in commands if isinstance(each, Assumed)]


@pytest.mark.parametrize(
    ("loop", "rounds"),
    [
        (f"WHILE i<25 AND DInput(diStop)=0 DO\n{UP}\ni:=i+1;\nENDWHILE", 25),
        (f"WHILE i<130 DO\nIF nMode=1 TPErase;\n{UP}\ni:=i+1;\nENDWHILE", 130),
        ("FOR k FROM 1 TO 40 DO\nIF nMode=1 TPErase;\nMoveL Offs(p10,0,0,k), v100, fine, tool0;\nENDFOR", 40),
        (f"again:\nIF nMode=1 TPErase;\n{UP}\ni:=i+1;\nIF i<30 GOTO again;", 30),
    ],
)
def test_a_loop_that_counts_is_run_to_its_end(loop: str, rounds: int) -> None:
    moves, assumed = ran(f"{loop}\nMoveJ p10, v100, fine, tool0;")
    assert len(moves) == rounds + 1
    assert not any("is left" in each for each in assumed)


def test_a_loop_whose_end_nobody_tells_is_still_left() -> None:
    moves, assumed = ran(f"WHILE DInput(diStop)=0 DO\n{UP}\ni:=i+1;\nENDWHILE\nMoveJ p10, v100, fine, tool0;")
    assert len(moves) == 11
    assert any("left after 10 rounds" in each for each in assumed)


MOVE = "MoveJ p10, v100, fine, tool0;"


@pytest.mark.parametrize("around", ["", "WHILE TRUE DO\n"])
def test_behind_a_loop_that_only_an_input_ends_the_program_goes_on(around: str) -> None:
    inside = f"WHILE DInput(diStop)=0 DO\n{UP}\n{MOVE}\nENDWHILE\n{MOVE}"
    moves, assumed = ran(f"{around}{inside}\nENDWHILE" if around else inside, cycles=2)
    assert len(moves) == (2 * 2 + 1) * (2 if around else 1)
    assert any("left after 2 rounds" in each for each in assumed)


@pytest.mark.parametrize(
    ("body", "data", "taken"),
    [
        (f"TEST job\nCASE 1:\nTPErase;\nCASE 3,4:\n{MOVE}\nENDTEST", "PERS num job:=0;", "job is taken to be 3"),
        (f"IF halted THEN\nTPErase;\nELSE\n{MOVE}\nENDIF", "PERS bool halted:=TRUE;", "halted is taken to be FALSE"),
        (
            f"IF broken THEN\nTPErase;\nELSEIF go THEN\n{MOVE}\nENDIF",
            "PERS bool broken:=FALSE;\nPERS bool go:=FALSE;",
            "go is taken to be TRUE",
        ),
        (f"TEST TRUE\nCASE go:\n{MOVE}\nENDTEST", "PERS bool go:=FALSE;", "go is taken to be TRUE"),
    ],
)
def test_the_way_that_moves_is_the_one_that_is_taken(body: str, data: str, taken: str) -> None:
    moves, assumed = ran(body, data)
    assert len(moves) == 1
    assert [each.partition(":")[0] for each in assumed] == [taken]


def test_a_constant_is_what_it_says_unless_somebody_sets_it() -> None:
    body, data = f"IF dry THEN\n{MOVE}\nENDIF", "CONST bool dry:=FALSE;"
    assert not ran(body, data)[0]
    assert len(ran(body, data, world={"dry": True})[0]) == 1


@pytest.mark.parametrize("name", ["Maintenance", "maint_pos", "Remains"])
def test_a_word_with_main_in_it_is_no_main_routine(name: str) -> None:
    moved = "MoveL p10, v100, fine, tool0;"
    for main, first in ((name, "Path_10"), ("main_weld", "main_weld"), ("PickMain", "PickMain")):
        text = f"MODULE M\n{POINT}\nPROC Path_10()\n{moved}\nENDPROC\nPROC {main}()\n{moved}\nENDPROC\nENDMODULE"
        program = parse(text, "RAPID")
        lines = [each.place.line for each in program.commands() if isinstance(each, Move)]
        assert lines == [4 if first == "Path_10" else 7]


WAITING = """DEF waiting()
SIGNAL part $IN[5]
PTP {A1 0,A2 -90,A3 90,A4 0,A5 45,A6 0}
WAIT FOR part
PTP {A1 5,A2 -90,A3 90,A4 0,A5 45,A6 0}
END"""


@pytest.mark.parametrize("given", ["part", "$IN[5]"])
def test_a_wait_of_which_the_world_tells_that_it_is_over_is_not_assumed(given: str) -> None:
    assumed = [each for each in parse(WAITING, "KRL").commands() if isinstance(each, Assumed)]
    assert [(each.text, each.cure) for each in assumed] == [("$IN[5] is taken to become TRUE", "--set $IN[5]=TRUE")]
    told = parse(WAITING, "KRL", world={given: True}).commands()
    assert not any(isinstance(each, Assumed) for each in told)


def test_a_condition_that_is_told_to_hold_is_not_assumed() -> None:
    body = f"WaitUntil diPart=1 AND i=0;\n{MOVE}"
    assert ran(body)[1]
    assert not ran(body, world={"diPart": 1})[1]
    assert ran(body, world={"diPart": 0})[1]


def test_only_what_no_file_holds_is_said_to_be_missing() -> None:
    lines = "DEF s()\nREAL DEF_VEL_CP\nDEF_VEL_CP=1.0\nBAS(#INITMOV,0)\nLIN {X 400,Y 0,Z 400,A 0,B 90,C 0}\nEND"
    (said,) = [each.text for each in parse(lines, "KRL").commands() if isinstance(each, Assumed)]
    assert said.startswith("DEF_ACC_CP is in no file")


def test_many_of_them_are_no_slip_of_one() -> None:
    """Where the list is in a file that is not here."""
    text = "DEF place(slot:IN)\nINT slot\nLIN {X 400,Y 0,Z 400,A 0,B 90,C 0}\nLIN slots[slot]\nEND"
    program = parse(text, "KRL")
    assert not program.errors
    assert sum(isinstance(each, Move) for each in program.commands()) == 1


def test_data_that_is_also_received_is_told_each_of_its_texts_once() -> None:
    body = 'WHILE TRUE DO\nSocketReceive client\\Str:=rx;\nIF rx="up" THEN\nMoveL p10, v100, fine, tool0;\n'
    body += 'ELSEIF rx="off" THEN\nMoveJ p10, v100, fine, tool0;\nENDIF\nENDWHILE'
    text = f"MODULE M\n{POINT}\nVAR socketdev client;\nVAR string rx;\nPROC main()\n{body}\nENDPROC\nENDMODULE"
    commands = parse(text, "RAPID", world={"rx": ["up", "off", "no"]}).commands(cycles=3)
    assert [each.kind for each in commands if isinstance(each, Move)] == ["line", "joint"]


def test_an_array_is_given_all_of_its_values() -> None:
    body = "MoveL Offs(p10,0,0,steps{2}), v100, fine, tool0;"
    (move,), _ = ran(body, "PERS num steps{2}:=[1,2];", world={"steps": [10, 20]})
    assert move.target.position[2] == pytest.approx(0.27)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("defined", "used", "told"),
    [("bPartOK", "bPartNOK", False), ("nCounter", "nCounters", False), ("bPartFuond", "bPartFound", True)],
)
def test_a_name_is_told_as_a_slip_only_where_neither_may_be_meant(defined: str, used: str, told: bool) -> None:
    body = f"IF {used} OR {used} TPErase;\n{MOVE}"
    text = f"MODULE M\n{POINT}\nPERS bool {defined}:=TRUE;\nPROC main()\n{body}\nENDPROC\nENDMODULE"
    assert any("never used" in each.problem for each in parse(text, "RAPID").warnings) is told


def test_texts_of_krl_are_compared() -> None:
    there = "PTP {A1 5,A2 -90,A3 90,A4 0,A5 45,A6 0}"
    text = f'DEF s()\nCHAR t[8]\nt[]="abc"\nIF StrComp(t[],"ABC",#NOT_CASE_SENS) THEN\n{there}\nENDIF\n'
    text += f'IF StrComp(t[],"ABC",#CASE_SENS) THEN\n{there}\nENDIF\nIF StrComp(t[],"abc",#CASE_SENS) THEN\n{there}\n'
    moves = [each.place.line for each in parse(text + "ENDIF\nEND", "KRL").commands() if isinstance(each, Move)]
    assert moves == [5, 11]


def test_a_faster_program_keeps_the_ramp_of_a_routine_below() -> None:
    lines = ["PROC main()", "  init;", "  MoveL p10, v100, fine, tool0;", "ENDPROC", "PROC init()", "  AccSet 60,40;"]
    for share, ramp in (("60", "40"), ("100", "100")):
        assert _ramp(lines, 2, share) == ramp
    assert _ramp(["AccSet 60,40;", "AccSet 80,70;", "MoveL p10;"], 2, "60") == "40"
    assert _ramp(["AccSet a,40;", "MoveL p10;"], 1, "60") == "40"


def test_inputs_of_a_signal_may_be_told_one_by_one() -> None:
    there = "PTP {A1 5,A2 -90,A3 90,A4 0,A5 45,A6 0}"
    text = f"DEF s()\nSIGNAL kind $IN[10] TO $IN[12]\nIF kind==5 THEN\n{there}\nELSE\n{there}\nENDIF\nEND"
    commands = parse(text, "KRL", world={"$IN[10]": True, "$IN[12]": True}).commands()
    assert [each.place.line for each in commands if isinstance(each, Move)] == [4]


def test_a_wait_against_what_the_world_tells_of_a_signal_is_said_so() -> None:
    told = parse(WAITING, "KRL", world={"part": False}).commands()
    assert [each.text for each in told if isinstance(each, Assumed)] == [
        "part is taken to become TRUE, which the world never tells"
    ]
    in_time = parse(WAITING, "KRL", world={"part": [False, False, True]}).commands()
    assert not any(isinstance(each, Assumed) for each in in_time)
