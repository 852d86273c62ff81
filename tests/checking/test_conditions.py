"""What was judged is said: in the headline, the text, the JSON document and the page, and it is what was judged."""

import hashlib
import json
import re
from pathlib import Path

import numpy as np
import pytest

import torsor
from torsor.model.file_mark import FileMark
from torsor.motion.commands import Joints, Move, Place

SWING = """program swing;
var
  joint: rest = joint(mainjoint(0, 0, 0));
  joint: near = joint(mainjoint(10, 20, 30));
endvar
seq
  move ptp near;
  gripper_close;
  move ptp rest;
endseq
endprogram
"""


@pytest.fixture
def swing(tmp_path):
    path = tmp_path / "swing.irl"
    path.write_text(SWING.replace("  gripper_close;\n", ""))
    return path


def test_a_what_if_factor_stands_in_the_headline_and_on_the_page(swing, tmp_path):
    verdict = torsor.check(swing, "rl15", acceleration=3.0, speed=2.0)
    assert " swing at 2 times the speed and 3 times the acceleration: " in verdict.headline
    verdict.report(tmp_path / "r.html")
    page = (tmp_path / "r.html").read_text()
    title = re.search("<title>(.*?)</title>", page)[1]
    assert "at 2 times the speed and 3 times the acceleration" in title
    assert "<dd>2 times the speed and 3 times the acceleration</dd>" in page


def test_without_factors_nothing_is_said_of_them(swing):
    assert " at " not in torsor.check(swing, "rl15").headline.partition(":")[0]


def test_everything_that_was_given_is_in_the_document(swing):
    options = {"payload": 2.5, "wrench": [1.0, 2.0, 3.0, 0.0, 0.0, 4.0], "timing": "s-curve", "acceleration": 0.5}
    said = json.loads(torsor.check(swing, "rl15", **options).to_json())["checked_with"]
    assert said["payload"] == {"mass": 2.5, "com": [0.0, 0.0, 0.0]}
    assert said["wrench"] == options["wrench"]
    assert (said["timing"], said["times_acceleration"], said["times_speed"]) == ("s-curve", 0.5, 1.0)
    assert said["program_file"] == {"path": str(swing), "sha256": hashlib.sha256(swing.read_bytes()).hexdigest()}
    assert said["robot_file"]["path"] == "library/rl15.toml"
    assert (said["date"], said["version"]) == ("2027-01-15 08:00 UTC", torsor.__version__)
    assert said["start"] == {
        "joints": [0.0] * 6,
        "assumed": True,
        "text": "nothing says where it starts: assumed are all joints at zero",
    }


def test_the_hash_is_that_of_the_file(tmp_path):
    library = Path(torsor.__file__).parent / "model" / "library" / "planar2.toml"
    own = tmp_path / "mine.toml"
    own.write_bytes(library.read_bytes())
    mark = torsor.load(own).model.read_from
    assert mark == FileMark(str(own), hashlib.sha256(own.read_bytes()).hexdigest())
    assert torsor.load(own).with_payload(1.0).model.read_from == mark


def test_where_a_file_lies_changes_nothing_that_is_computed(tmp_path):
    from torsor.model.facts import described

    library = torsor.load("planar2").model
    own = tmp_path / "mine.toml"
    own.write_bytes((Path(torsor.__file__).parent / "model" / "library" / "planar2.toml").read_bytes())
    assert described(torsor.load(own).model) == described(library)


def test_an_arm_of_python_and_commands_have_no_files():
    verdict = torsor.check([Move("joint", Joints((0.1, 0.2)), Place("tour", 1, 1))], torsor.load("planar2"))
    said = verdict.conditions.document()
    assert (said["program_file"], said["command"]) == (None, None)
    assert ("command", "torsor.check in Python") in verdict.conditions.items()


def test_the_number_of_moves_is_the_same_everywhere(tmp_path):
    program = tmp_path / "p.irl"
    program.write_text("program p;\nseq\n  move ptp joint(mainjoint(10, 20, 30));\n  wait 0.5;\nendseq\nendprogram\n")
    verdict = torsor.check(program, "rl15")
    assert len(verdict.moves) == 2
    assert verdict.headline.split(": ")[1].startswith("1 move in ")
    verdict.report(tmp_path / "r.html")
    page = (tmp_path / "r.html").read_text()
    assert "<dt>moves</dt><dd>1</dd>" in page
    assert re.search("<footer>.* 1 moves</footer>", page)
    assert verdict.document()["motions"] == 1


@pytest.mark.parametrize("dt", [0.3, 10.0, 0.0])
def test_signals_that_would_hide_a_problem_are_refused(swing, dt):
    with pytest.raises(torsor.errors.ShapeError, match=r"give 1e-06 to 0.25 s"):
        torsor.check(swing, "rl15", dt=dt)


def test_rms_is_a_share_of_the_continuous_torque_where_that_is_known(tmp_path):
    text = (Path(torsor.__file__).parent / "model" / "library" / "rl15.toml").read_text()
    with_one = re.sub(r"(motor = \{ torque = [\d.]+)", r"\1, continuous = 3.0", text, count=1)
    assert with_one != text
    own = tmp_path / "rl15.toml"
    own.write_text(with_one)
    program = tmp_path / "p.irl"
    program.write_text("program p;\nseq\n  move ptp joint(mainjoint(10, 20, 30));\nendseq\nendprogram\n")
    verdict = torsor.check(program, own)
    first, second = verdict.document()["motors"][:2]
    assert (first["rms_share_of"], second["rms_share_of"]) == ("continuous", "peak")
    assert first["rms_share"] == pytest.approx(first["rms"] / 3.0)
    assert second["rms_share"] == pytest.approx(second["rms"] / second["peak_torque"])
    assert verdict.machine.rms_said == "continuous, or peak"


def test_a_cycle_starts_where_it_ends(swing):
    verdict = torsor.check(swing, "rl15", cycle=True, signals=True)
    q = verdict.signals.q
    assert np.abs(q[0] - q[-1]).max() < 1e-9
    assert verdict.cycle_time == verdict.time
    assert f"a cycle of 2 moves takes {verdict.time:.2f} s" in verdict.headline


def test_the_cycle_of_a_loop_that_never_ends_is_one_round(tmp_path):
    program = tmp_path / "p.v2"
    program.write_text(
        ".PROGRAM p\nSET #A = #PPOINT(10,20,30,0,0,0)\nSET #B = #PPOINT(0,0,0,0,0,0)\nMOVE #A\n"
        "10 MOVE #B\nMOVE #A\nGOTO 10\n.END\n"
    )
    once, twice = (torsor.check(program, "puma560", cycles=n, start="#A", cycle=False) for n in (1, 2))
    found = torsor.check(program, "puma560", cycle=True)
    assert found.cycle_time == pytest.approx(twice.time - once.time, rel=1e-9)


def test_the_payload_of_the_program_is_told_with_when_it_counts(tmp_path):
    path = tmp_path / "p.script"
    moves = "  movej([{},-1,1,0,0,0])\n"

    def holds(text):
        path.write_text(f"def p():\n{text}end\n")
        verdict = torsor.check(path, "ur5", payload=50.0, signals=False)
        return dict(verdict.conditions.items())["holds"], verdict.conditions.document()["payload_in_program"]

    text, said = holds("  set_payload(5)\n" + moves.format(0.1) + "  set_payload(0)\n" + moves.format(0.2))
    own = "a payload of 50 kg at the tool"
    assert text == f"what the program says: 5 kg (line 2), 0 kg (line 4); {own} counts in no motion"
    assert [each["line"] for each in said] == [2, 4]
    text, said = holds(moves.format(0.1) + "  set_payload(5)\n" + moves.format(0.2))
    assert text == f"{own} until line 3, then what the program says: 5 kg (line 3)"
    assert said[0]["time"] > 0.0
    assert holds(moves.format(0.1)) == (own, [])


LINES = """def lines():
  movel(p[0.3, {y}, 0.4, 0, 3.14159, 0], a=1.2, v=0.25)
  movel(p[0.4, {y}, 0.4, 0, 3.14159, 0], a=1.2, v=0.25)
end
"""


def test_a_first_line_from_nowhere_is_no_line_of_the_program(tmp_path):
    """From joints at zero, where the UR5e is stretched out, no line leads anywhere: it starts where that line ends."""
    path = tmp_path / "lines.script"
    path.write_text(LINES.format(y=-0.3))
    verdict = torsor.check(path, "ur5e")
    assert verdict.feasible
    assert [move.place.line for move in verdict.moves] == [3]
    started = verdict.document()["checked_with"]["start"]
    assert started["assumed"]
    assert "its first line cannot be followed from joints at zero: assumed is the end of that line" in started["text"]
    arm = torsor.load("ur5e")
    assert np.allclose(arm.pose(np.asarray(started["joints"]))[:3, 3], [0.3, -0.3, 0.4], atol=1e-9)
    same = torsor.check(path, "ur5e", start="first-target")
    assert same.time == verdict.time


def test_a_program_of_one_line_is_judged(tmp_path):
    """Started at the end of its only line it would move nothing: so it comes from above."""
    path = tmp_path / "one.script"
    path.write_text("def one():\n  movel(p[0.3, -0.3, 0.4, 0, 3.14159, 0], a=1.2, v=0.25)\nend\n")
    verdict = torsor.check(path, "ur5e")
    assert verdict.feasible
    assert [move.place.line for move in verdict.moves] == [2]
    started = verdict.document()["checked_with"]["start"]
    assert started["assumed"]
    assert "assumed is 100 mm above its end" in started["text"]
    # 0.1 m at 0.25 m/s and 1.2 m/s^2: s / v + v / a
    assert verdict.time == pytest.approx(0.1 / 0.25 + 0.25 / 1.2, rel=1e-9)
    position = torsor.load("ur5e").pose(np.asarray(started["joints"]))[:3, 3]
    np.testing.assert_allclose(position, [0.3, -0.3, 0.5], atol=1e-9)


def test_a_first_line_that_no_start_helps_is_a_no_with_its_line(tmp_path):
    path = tmp_path / "far.script"
    path.write_text(LINES.format(y=-3.0))
    verdict = torsor.check(path, "ur5e")
    assert not verdict.feasible
    assert "assumed are all joints at zero" in verdict.document()["checked_with"]["start"]["text"]


def test_lines_from_where_the_arm_stands_begin_with_the_tool_downwards(tmp_path):
    """At zero the arm is stretched out, and LIN_REL would lead to nowhere from a place where nobody has put it."""
    path = tmp_path / "lift.src"
    path.write_text("DEF lift( )\n$VEL.CP=0.2\nPTP $POS_ACT\nLIN_REL {Z 100}\nEND\n")
    verdict = torsor.check(path, "kr6-r900-2")
    assert verdict.feasible
    started = verdict.document()["checked_with"]["start"]
    assert started["assumed"]
    assert "assumed is the tool downwards" in started["text"]
    assert [move.place.line for move in verdict.moves] == [4]
    # a line that is told by its end is the program's own, wherever the arm stands
    path.write_text("DEF lift( )\n$VEL.CP=0.2\nPTP $POS_ACT\nLIN {X 3000, Y 0, Z 500, A 0, B 90, C 0}\nEND\n")
    assert not torsor.check(path, "kr6-r900-2").feasible
