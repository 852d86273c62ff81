"""A verdict in a cell: what is run into, when, by which line; and what is near."""

import json
import math

import numpy as np
import pytest

import torsor
from torsor.cell.cell_file import parse_cell

PROGRAM = """program reach;
seq
  move ptp joint(mainjoint(0, 20, 20));
  move ptp joint(mainjoint(90, 20, 20));
endseq
endprogram
"""
WALL = "[[plane]]\nname = 'wall'\nnormal = [0, -1, 0]\noffset = {}\n"


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    path = tmp_path_factory.mktemp("cell") / "reach.irl"
    path.write_text(PROGRAM)
    return path


def test_a_wall_that_is_run_into_names_link_time_and_line(program, tmp_path):
    verdict = torsor.check(program, "rl15", cell=parse_cell(WALL.format(-0.6)))
    assert not verdict.feasible
    (problem,) = verdict.problems
    assert (problem.kind, problem.place.line) == ("collision", 4)
    assert problem.text.split(" runs into wall by ")[0].startswith("link")
    assert verdict.advice is None  # no slower pace helps
    signals = verdict.signals
    assert signals.clearance.min() == pytest.approx(verdict.clearance, abs=1e-6)
    # where it is worst the arm has come furthest: at the end of the move
    assert problem.time == pytest.approx(verdict.time, abs=1e-3)
    verdict.report(tmp_path / "r.html")
    assert "wall" in (tmp_path / "r.html").read_text()


def test_a_wall_further_away_is_left_free(program):
    verdict = torsor.check(program, "rl15", cell=parse_cell(WALL.format(-3.0)))
    assert verdict.feasible
    far = torsor.check(program, "rl15", cell=parse_cell(WALL.format(-4.0)))
    assert 0.0 < verdict.clearance <= far.clearance
    assert dict(verdict.conditions.items())["collision"] == "cell: against its own links, wall"


def test_the_margin_counts(program):
    wall = WALL.format(-3.0)
    near = torsor.check(program, "rl15", cell=parse_cell(wall)).clearance
    verdict = torsor.check(program, "rl15", cell=parse_cell(f"margin = {near + 0.01}\n{wall}"))
    assert not verdict.feasible
    assert " comes within " in verdict.problems[0].text


def test_without_a_cell_it_is_said_that_nobody_looked(program):
    verdict = torsor.check(program, "rl15")
    assert dict(verdict.conditions.items())["collision"].startswith("not looked at")
    assert verdict.clearance is None
    assert np.isnan(verdict.signals.clearance).all()


def test_the_text_the_table_and_the_document(program, tmp_path):
    cell = tmp_path / "cell.toml"
    cell.write_text(WALL.format(-0.6))
    verdict = torsor.check(program, "rl15", cell=cell)
    verdict.to_csv(tmp_path / "s.csv")
    assert (
        "clearance [m]" in (tmp_path / "s.csv").read_text().split("\n")[0]
        or "clearance" in (tmp_path / "s.csv").read_text().split("\n")[0]
    )
    assert json.loads(verdict.to_json())["clearance"] == pytest.approx(verdict.clearance)


def test_a_verdict_says_what_comes_nearest_and_where(tmp_path):
    program = tmp_path / "swing.csv"
    program.write_text("time,j\n0,0\n1,0.4\n2,0.8\n")
    arm = tmp_path / "bar.urdf"
    arm.write_text(
        "<robot name='bar'><link name='base'/><link name='bar'>"
        "<visual><geometry><sphere radius='9'/></geometry></visual>"
        "<collision><origin xyz='0.5 0 0'/><geometry><box size='1 0.02 0.02'/></geometry></collision></link>"
        "<joint name='j' type='continuous'><parent link='base'/><child link='bar'/><axis xyz='0 -1 0'/></joint></robot>"
    )
    cell = parse_cell("[[plane]]\nname = 'roof'\nnormal = [0, 0, -1]\noffset = -0.8")
    verdict = torsor.check(program, arm, cell=cell)
    # the corner of the box at (1, 0.01) turned by 0.8 rad: what is drawn does not count
    high = math.sin(0.8) + 0.01 * math.cos(0.8)
    assert verdict.clearance == pytest.approx(0.8 - high, abs=1e-6)
    (note,) = [each for each in verdict.notes if "come nearest" in each.text]
    assert note.text == f"collision: bar and roof come nearest: {1e3 * (0.8 - high):.3g} mm, at 2.00 s"


def test_a_motion_that_asks_for_no_torque_says_so(tmp_path):
    """Straight lines between points about an upright axis: unknown is not zero, and zero is no share."""
    program, arm = tmp_path / "turn.csv", tmp_path / "turn.urdf"
    program.write_text("time,j\n0,0\n1,0.4\n2,0.8\n")
    arm.write_text(
        "<robot name='turn'><link name='base'/><link name='a'><inertial><mass value='1'/>"
        "<inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial></link>"
        "<joint name='j' type='revolute'><parent link='base'/><child link='a'/><axis xyz='0 0 1'/>"
        "<limit lower='-2' upper='2' effort='10' velocity='2'/></joint></robot>"
    )
    assert torsor.check(program, arm).headline.endswith("2.00 s, and asks for no torque of a joint")
