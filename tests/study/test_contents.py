"""Results are only continued by what began them: whatever a verdict depends on is noticed when it changes."""

from dataclasses import replace

import numpy as np
import pytest

import torsor
from torsor.cell.cell_file import parse_cell
from torsor.errors import StudyError
from torsor.model.parts import ToolLimits
from torsor.programs import parse, read
from torsor.study import CheckBase, Study
from torsor.study.base import arm_digest

TRAJECTORY = "time,joint1,joint2\n0,0,0\n1,0.1,{last}\n"
RAPID = """MODULE m
PROC main()
IF di_part = 1 THEN
MoveAbsJ [[0,0,0,0,0,0],[9E9,9E9,9E9,9E9,9E9,9E9]], v100, fine, tool0;
ENDIF
ENDPROC
PROC other()
MoveAbsJ [[10,0,0,0,0,0],[9E9,9E9,9E9,9E9,9E9,9E9]], v100, fine, tool0;
ENDPROC
ENDMODULE
"""
WALL = '[[box]]\nname = "wall"\nsize = [0.2, 2, 2]\nposition = [{x}, 0, 0]\n'


def changed(first: CheckBase, second: CheckBase) -> list[str]:
    one, other = first.contents, second.contents
    return [name for name in {**one, **other} if one.get(name) != other.get(name)]


def test_a_trajectory_has_no_text_and_is_told_apart(tmp_path):
    file = tmp_path / "t.csv"
    file.write_text(TRAJECTORY.format(last=0.2))
    study = Study(CheckBase.of(file, "planar2"), {"payload": [0.0, 1.0]})
    study.run(tmp_path / "results")
    file.write_text(TRAJECTORY.format(last=0.3))
    again = Study(CheckBase.of(file, "planar2"), {"payload": [0.0, 1.0]})
    with pytest.raises(StudyError, match=r"the program 't' changed since these results were begun"):
        again.run(tmp_path / "results", resume=True)


def test_what_a_program_is_told_from_outside():
    first = CheckBase.of(parse(RAPID, "RAPID", world={"di_part": 1}), "irb140")
    for other in (parse(RAPID, "RAPID", world={"di_part": 0}), parse(RAPID, "RAPID", entry="other")):
        assert changed(first, CheckBase.of(other, "irb140")) == ["program '<text>'"]
    assert not changed(first, CheckBase.of(parse(RAPID, "RAPID", world={"di_part": 1}), "irb140"))


def test_all_of_an_arm_but_its_looks():
    arm = torsor.load("irb140")
    assert arm_digest(torsor.Arm(replace(arm.model, source="somewhere else"))) == arm_digest(arm)
    for other in (replace(arm.model, tool_limits=ToolLimits(payload=1.0)), replace(arm.model, gravity=np.zeros(3))):
        assert arm_digest(torsor.Arm(other)) != arm_digest(arm)
    arm = torsor.load("irb6")  # whose links have shapes
    bare = torsor.Arm(replace(arm.model, base_visuals=(), links=tuple(replace(e, visuals=()) for e in arm.model.links)))
    assert any(link.visuals for link in arm.model.links)
    assert arm_digest(bare) == arm_digest(arm)
    assert arm_digest(bare, looks=True) != arm_digest(arm, looks=True)


@pytest.mark.slow
def test_what_stands_around():
    program = read("examples/programs/rl15_tour.irl")
    near, far = (CheckBase.of(program, "rl15", cell=parse_cell(WALL.format(x=x))) for x in (0.8, 30.0))
    assert changed(near, far) == ["cell"]
    masses = np.array([0.0, 60.0])
    for base in (near, far):
        found = base.evaluate({"payload": masses}, ("feasible",)).values["feasible"]
        right = [torsor.check(program, "rl15", payload=m, cell=base.cell, signals=False).feasible for m in masses]
        assert found.tolist() == right
    assert not near.evaluate({"payload": masses}, ("feasible",)).values["feasible"].any()
