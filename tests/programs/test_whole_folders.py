"""A folder of programs: which of them moves, and that each line says its file."""

from __future__ import annotations

import json

import torsor
from torsor.motion.commands import Assumed, Move
from torsor.programs import read

BEGIN = """DEF begin( )
INT n
BAS(#INITMOV,0)
PTP $POS_ACT
IF $IN[1] THEN
  aside(n)
ENDIF
END
"""
ASIDE = """DEF aside(n:IN)
INT n
$VEL.CP=speed
PTP {A1 0,A2 -90,A3 90,A4 0,A5 30,A6 0}
LIN_REL {Z -50}
END
"""


def folder_of(tmp_path, **files):
    for name, text in files.items():
        (tmp_path / f"{name}.src").write_text(text)
    return tmp_path


def test_a_program_that_goes_where_the_arm_is_moves_nothing(tmp_path):
    verdict = torsor.check(folder_of(tmp_path, begin=BEGIN, aside=ASIDE), "kr6-r900-2")
    assert [int(move.place.line) for move in verdict.moves] == [4, 5]
    assert any("run in its place" in each.text or "else nothing moves" in each.text for each in verdict.assumed)


def test_one_that_goes_to_joints_at_zero_moves(tmp_path):
    file = folder_of(
        tmp_path, cell="DEF cell( )\nPTP {A1 0,A2 0,A3 0,A4 0,A5 0,A6 0}\nEND\nDEF other( )\nPTP XHOME\nEND\n"
    )
    program = read(file / "cell.src")
    made = list(program.commands(arm=torsor.load("kr6-r900-2")))
    assert [each.place.line for each in made if isinstance(each, Move)] == [2]
    (said,) = [each for each in made if isinstance(each, Assumed)]
    assert said.text.endswith("it only goes to where the arm is taken to start; these routines move: other")
    assert not [each for each in program.commands() if isinstance(each, Assumed)]  # nobody knows where it starts


def test_lines_of_a_folder_say_their_file(tmp_path):
    folder = folder_of(tmp_path, a_first=ASIDE.replace("aside", "a_first"), begin=BEGIN.replace("aside", "a_first"))
    program = read(folder)
    missing = next(each for each in program.diagnostics if "speed" in each.problem)
    assert f"{missing.place.line}" == "3 of a_first.src"
    document = json.loads(torsor.check(program, "kr6-r900-2").to_json())
    said = [*document["moves"], *document["notes"], *document["assumed"]]
    assert {each["file"] for each in said if each["line"]} <= {str(folder / "a_first.src"), str(folder / "begin.src")}
    assert all(each["file"].endswith("a_first.src") for each in document["moves"])


def test_names_that_no_file_has_are_told_with_their_file(tmp_path):
    text = ASIDE.replace("aside", "b_other").replace("speed", "quick")
    program = read(folder_of(tmp_path, a_first=ASIDE.replace("aside", "a_first"), b_other=text))
    problem = next(each.problem for each in program.diagnostics if "defined in no file" in each.problem)
    assert problem == "defined in no file: speed (line 3 of a_first.src), quick (line 3 of b_other.src)"
