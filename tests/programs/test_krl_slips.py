"""Slips of the pen in KRL where two places may be the wrong one, or where something may be left out."""

from __future__ import annotations

import pytest

from torsor.programs import parse


def told(text):
    program = parse(text, "KRL", file="cell.src")
    return {(each.severity, int(each.place.line)): each.problem for each in program.diagnostics}


def test_a_misspelt_definition_is_told_beside_its_use():
    text = "DEF cell( )\nTRIGGER WHEN PATH=-35 DELAY=0 DO closeGrip() PRIO=81\nPTP XHOME\nEND\nDEF clseGrip( )\nEND\n"
    found = told(text)
    assert found["error", 2] == "there is no name 'closeGrip'"
    assert found["warning", 5] == "clseGrip is defined here and never used, and closeGrip is used and not there"


def test_two_names_that_are_written_once_and_differ_by_a_letter():
    found = told("DEF cell( )\nIF weldRetry THEN\nweldReetry=FALSE\nENDIF\nPTP XHOME\nEND\n")
    assert found["warning", 3] == "weldReetry and weldRetry are defined in no file, and written once each"
    assert not [line for severity, line in found if severity == "error"]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("BAS(,100)", "BAS is given no command"),
        ("TRIGGER WHEN DISTANCE=0 DELAY=0 DO shut() PRI=-1", "a TRIGGER has no 'PRI'"),
        ("TRIGGER WHEN DISTANCE=0 DELAY=0 DO shut() PRIO=-", "this is no TRIGGER"),
    ],
)
def test_what_is_misspelt_or_left_out_is_told(line, problem):
    assert told(f"DEF cell( )\n{line}\nPTP XHOME\nEND\nDEF shut( )\nEND\n")["error", 2] == problem


@pytest.mark.parametrize("do", ["shut() PRIO=-1", "shut() PRIO = 40", "$OUT[2]=TRUE", "n=5", "PULSE($OUT[1],TRUE,0.5)"])
def test_triggers_as_they_are_written(do):
    found = told(f"DEF cell( )\nINT n\nTRIGGER WHEN DISTANCE=0 DELAY=0 DO {do}\nPTP XHOME\nEND\nDEF shut( )\nEND\n")
    assert not [line for severity, line in found if severity == "error"]


def test_a_routine_that_is_not_given_what_it_takes():
    level = "DEF level(n:IN)\nINT n\nENDING\nEND\n"
    found = told("DEF cell( )\nlevel()\nlevel(2)\nPTP XHOME\nEND\n" + level.replace("ENDING", "HALT"))
    assert found["warning", 2] == "level is not given n, and does not ask whether it is"
    assert ("warning", 3) not in found
    asks = level.replace("ENDING", 'IF VARSTATE("n")<>#INITIALIZED THEN\nRETURN\nENDIF')
    assert ("warning", 2) not in told("DEF cell( )\nlevel()\nPTP XHOME\nEND\n" + asks)
