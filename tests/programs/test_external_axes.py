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
@pytest.mark.parametrize(("first", "second"), [("100", "100"), ("9E9", "9E9"), ("-14.9172", "-14.9169")])
def test_an_axis_that_stands_still_changes_nothing(tmp_path, suffix, first, second):
    """One that rests is taught with a few thousandths more or less each time."""
    text, robot, _, _ = LANGUAGES[suffix]
    path = tmp_path / f"tracks{suffix}"
    path.write_text(text.format(first=first, second=second))
    assert torsor.check(path, robot).feasible


def test_many_small_steps_are_a_way(tmp_path):
    path = tmp_path / "creeps.mod"
    moves = "\n".join("MoveL a, v500, fine, tool0;\na.extax.eax_a := a.extax.eax_a + 0.06;" for _ in range(5))
    path.write_text(
        RAPID.replace("MoveJ a, v500, fine, tool0;", moves).replace("CONST", "VAR").format(first=0, second=1)
    )
    assert "the external axis eax_a moves here" in str(torsor.check(path, "irb140"))


def test_a_point_that_is_read_where_the_arm_is_has_the_axes_beside_it(tmp_path):
    path = tmp_path / "asked.mod"
    text = RAPID.replace("CONST robtarget b", "VAR robtarget b").format(first=100, second=100)
    path.write_text(text.replace("MoveL b", "b := CRobT();\n{}MoveL b").replace("{}", ""))
    assert torsor.check(path, "irb140").feasible
    path.write_text(text.replace("MoveL b", "b := CRobT();\nb.extax.eax_a := b.extax.eax_a + 50;\nMoveL b"))
    assert "the external axis eax_a moves here" in str(torsor.check(path, "irb140"))


def test_what_is_reckoned_from_an_unused_axis_is_unused(tmp_path):
    path = tmp_path / "unused.mod"
    text = RAPID.replace("CONST", "VAR").format(first="9E9", second="9E9")
    path.write_text(text.replace("MoveL b", "b.extax.eax_a := a.extax.eax_a - 1800;\nMoveL b"))
    assert torsor.check(path, "irb140").feasible
