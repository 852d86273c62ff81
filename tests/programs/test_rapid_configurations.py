"""Configurations of RAPID: taught points have theirs, points that are moved from them may have the next quarter.

p1 is where joint 1 of the arm is at -2 deg; 40 mm to the left of it joint 1 is at +2.4 deg.
"""

from __future__ import annotations

import pytest

import torsor

ARM = "irb1200"
TURN = "[0.087218123,0.029763074,0.995718868,0.007148087]"
UNUSED = "[9E9,9E9,9E9,9E9,9E9,9E9]"


def point(name, y=0.0, cf1=-1):
    return f"PERS robtarget {name}:=[[529.923719,{y - 17.265222},644.765807],{TURN},[{cf1},0,0,0],{UNUSED}];\n"


def told(tmp_path, body, data=""):
    home = f"CONST jointtarget home:=[[-2,10,10,1,60,1],{UNUSED}];\nPERS pose left:=[[0,40,0],[1,0,0,0]];\n"
    path = tmp_path / "points.mod"
    begin = "PROC main()\nMoveAbsJ home,v100,fine,tool0;\n"
    path.write_text(f"MODULE points\n{home}{data or point('p1')}{begin}{body}\nENDPROC\nENDMODULE\n")
    verdict = torsor.check(path, ARM)
    notes = [each for each in (*verdict.problems, *verdict.notes) if "than is asked for" in each.text]
    wrong = [each for each in verdict.problems if "configuration" in each.text]
    return verdict.feasible, ["problem"] * len(wrong) + ["note"] * len([each for each in notes if each not in wrong])


@pytest.mark.parametrize("move", ["MoveJ", "MoveL"])
def test_taught_points_have_their_quarters(tmp_path, move):
    go = f"{move} p1,v100,fine,tool0;"
    assert told(tmp_path, go) == (True, [])
    assert told(tmp_path, go, point("p1", y=40)) == (False, ["problem"])
    assert told(tmp_path, go, point("p1", y=40, cf1=0)) == (True, [])


@pytest.mark.parametrize("move", ["MoveJ", "MoveL"])
@pytest.mark.parametrize(
    "how",
    [
        "{} Offs(p1,0,40,0),v100,fine,tool0;",
        "p1.trans.y:=p1.trans.y+40;\n{} p1,v100,fine,tool0;",
        "PDispSet left;\n{} p1,v100,fine,tool0;",
    ],
)
def test_points_that_are_moved_may_have_the_next_quarter(tmp_path, move, how):
    assert told(tmp_path, how.format(move)) == (True, ["note"])
    assert told(tmp_path, how.format(move), point("p1", cf1=1)) == (True, ["note"])
    assert told(tmp_path, how.format(move), point("p1", cf1=2)) == (False, ["problem"])


def test_a_configuration_that_is_given_anew_is_asked_for(tmp_path):
    moved = "p1.trans.y:=p1.trans.y+40;\np1.robconf:=[-1,0,0,0];\nMoveJ p1,v100,fine,tool0;"
    assert told(tmp_path, moved) == (False, ["problem"])


def test_the_quarter_that_is_asked_for_comes_first(tmp_path):
    assert told(tmp_path, "MoveJ RelTool(p1,0,0,-10),v100,fine,tool0;") == (True, [])
