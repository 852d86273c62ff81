"""Axes beside the arm: unused ones are nothing, those that stand still change nothing, and no arm moves another's."""

import pytest

import torsor

RAPID = """MODULE Tracks
  CONST robtarget a := [[500,0,500],[0,1,0,0],[0,0,0,0],[{first},9E9,9E9,9E9,9E9,9E9]];
  CONST robtarget b := [[500,50,500],[0,1,0,0],[0,0,0,0],[{second},9E9,9E9,9E9,9E9,9E9]];
  PROC main()
    MoveJ a, v500, fine, tool0;
    MoveL b, v500, fine, tool0;
  ENDPROC
ENDMODULE
"""
KRL = """DEF tracks()
PTP {{A1 0, A2 -90, A3 90, A4 0, A5 30, A6 0, E1 {first}}}
PTP {{A1 5, A2 -90, A3 90, A4 0, A5 30, A6 0, E1 {second}}}
END
"""
LANGUAGES = {".mod": (RAPID, "irb140", "eax_a", 6), ".src": (KRL, "kr210-r2700-2", "E1", 3)}


@pytest.mark.parametrize("suffix", LANGUAGES)
def test_an_axis_that_moves_is_a_no_with_its_line(tmp_path, suffix):
    text, robot, axis, line = LANGUAGES[suffix]
    path = tmp_path / f"tracks{suffix}"
    path.write_text(text.format(first=100, second=250))
    verdict = torsor.check(path, robot)
    assert not verdict.feasible
    assert [(problem.place.line, problem.kind) for problem in verdict.problems] == [(line, "reach")]
    assert f"the external axis {axis} moves here, and the arm has no such axis" in str(verdict)
    assert not verdict.assumed


@pytest.mark.parametrize("suffix", LANGUAGES)
@pytest.mark.parametrize("stands", ["100", "9E9"])
def test_an_axis_that_stands_still_changes_nothing(tmp_path, suffix, stands):
    text, robot, _, _ = LANGUAGES[suffix]
    path = tmp_path / f"tracks{suffix}"
    path.write_text(text.format(first=stands, second=stands))
    assert torsor.check(path, robot).feasible
