"""RAPID: forms that the manual has and that few programs use, and IF without THEN."""

from __future__ import annotations

import numpy as np
import pytest

from torsor.motion.commands import Assumed, Move
from torsor.programs import parse

DATA = """MODULE m
CONST robtarget p1:=[[400,100,300],[0,0,1,0],[0,0,0,0],[9E9,9E9,9E9,9E9,9E9,9E9]];
VAR robtarget p2;
VAR dnum d;
VAR pos c;
"""


def told(source):
    return [(each.place.line, f"{each.problem}; {each.hint}") for each in parse(source, "RAPID").errors]


def commands(body):
    program = parse(f"{DATA}PROC main()\n{body}\nENDPROC\nENDMODULE", "RAPID")
    assert not [each for each in program.diagnostics if each.severity != "note"], program.diagnostics
    return list(program.commands())


@pytest.mark.parametrize("statement", [
    "MoveLGO p1, v100, z10, tool0, go1\\Value:=5;",
    "MoveJGO p1, v100, z10, tool0, go1, 5;",
    "ContactL p1, v100, tool0;",
    "ContactL\\DesPosition:=5, p1, v100, \\Zone:=z10, tool0;",
    "DispL\\On, p1, v100, 5, z20, tool0;",
    "MoveL MirPos(p1, wobj0\\MirY), v100, fine, tool0;",
])  # fmt: skip
def test_what_the_manual_has_moves(statement):
    assert [type(each) for each in commands(statement) if isinstance(each, Move)] == [Move]


@pytest.mark.parametrize("statement", [
    "WaitSyncTask\\InPos, sync1, all\\TimeOut:=60;",
    "WaitSensor belt\\RelDist:=120\\PredTime:=1\\MaxTime:=2;",
    'WaitLoad\\UnloadPath:="HOME:"\\UnloadFile:="a.mod", load1\\CheckRef;',
    "WaitGI gi1, 5\\MaxTime:=2\\DvalueAtTimeout:=d;",
    'TPReadFK n, "a", "b", stEmpty, stEmpty, stEmpty, stEmpty\\PersBoolBreak:=stop\\PersBoolPassive;',
    "c := CorrRead();",
])  # fmt: skip
def test_what_the_manual_has_is_read(statement):
    source = f"{DATA}VAR num n;\nPERS bool stop:=FALSE;\nPROC main()\n{statement}\nENDPROC\nENDMODULE"
    program = parse(source, "RAPID")
    assert not [each for each in program.diagnostics if "option" in each.problem or "takes" in each.problem]
    assert not any(isinstance(each, Assumed) and "defined in no file" in each.text for each in program.commands())


def test_a_point_is_mirrored_in_the_xy_plane_of_a_work_object():
    """The tool points down at p1, its x to -x; mirrored in z = 0 it points up, its x as before, and y follows."""
    (move,) = (each for each in commands("MoveL MirPos(p1, wobj0), v100, fine, tool0;") if isinstance(each, Move))
    assert move.target.position == pytest.approx((0.4, 0.1, -0.3))
    assert move.target.rotation == pytest.approx(np.diag([-1.0, -1.0, 1.0]))


def test_numbers_of_64_bits_are_shifted_and_negated_in_52():
    (move,) = (each for each in commands(
        "d:=BitLShDnum(1, 9); p2:=Offs(p1, d, 0, DnumToNum(BitNegDnum(4503599627370495))); MoveL p2, v100, fine, tool0;"
    ) if isinstance(each, Move))  # fmt: skip
    assert move.target.position == pytest.approx((0.912, 0.1, 0.3))


def test_an_if_without_then_is_told_where_it_stands_and_not_its_end():
    source = """MODULE M
  PROC main()
    IF reg=2 THEN
      IF reg=1
        Set doA;
        Set doB;
      ELSE
        Set doC;
      ENDIF
    ENDIF
    IF reg=3
      Reset doA;
      Reset doB;
    ENDIF
  ENDPROC
ENDMODULE"""
    assert told(source) == [
        (4, "IF has no THEN; ELSE of line 7 belongs to it"),
        (11, "IF has no THEN; ENDIF of line 14 belongs to it"),
    ]


def test_a_short_if_over_two_lines_is_no_fault_where_an_end_stands_askew_below_it():
    assert told("MODULE M\nPROC main()\n  IF a THEN\n    IF b\n      Set doA;\n    ENDIF\nENDPROC\nENDMODULE") == []


def test_types_and_names_of_the_controller_are_no_slips():
    source = f"{DATA}VAR tpnum view := TP_LATEST;\nVAR opcalc how := OpAdd;\nVAR aiotrigg when := AIO_ABOVE_HIGH;\n"
    program = parse(f"{source}PROC main()\nMoveL p1, v100, fine, tool0;\nENDPROC\nENDMODULE", "RAPID")
    assert [each for each in program.diagnostics if each.severity != "note"] == []
    assert not any(isinstance(each, Assumed) for each in program.commands())


def test_a_function_of_somebody_is_no_slip_of_a_rare_one():
    assert not parse(f"{DATA}PROC main()\np2 := MidPos(p1);\nENDPROC\nENDMODULE", "RAPID").errors
