"""Several answers side by side: each is that of `torsor.check`, and what cannot be told stands in its row."""

import pytest

import torsor
from torsor.checking import side_by_side
from torsor.errors import TorsorError
from torsor.programs import parse, read

SHORT = """program short;
seq
  move ptp joint(mainjoint(-60, 30, 40));
  move ptp joint(mainjoint(0, 0, 0)) speed_ptp=0.5;
endseq
endprogram
"""
STRAIGHT = """program straight;
var
  robtarg: a = robtarg(((1100, 300, 800), (15, -60, -175)), 4);
endvar
seq
  move ptp a;
endseq
endprogram
"""


@pytest.fixture(scope="module")
def found():
    programs = [parse(SHORT, "L-IRL", file="short.irl"), parse(STRAIGHT, "L-IRL", file="straight.irl")]
    return side_by_side(programs, ["rl15", "planar2"], [0.0, 400.0])


def test_each_is_the_verdict_of_check(found):
    assert [(a.program, a.robot, a.payload) for a in found.answers[:3]] == [
        ("short", "rl15", 0.0), ("short", "rl15", 400.0), ("short", "planar2", 0.0),
    ]  # fmt: skip
    alone = torsor.check(parse(SHORT, "L-IRL"), "rl15", payload=0.0)
    assert found.answers[0].verdict.time == alone.time
    assert found.answers[0].most[0] == alone.peak("torque").max()
    assert [answer.word for answer in found.answers[:2]] == ["yes", "no"]
    assert "its torque" in found.answers[1].reason
    assert not found.feasible


def test_what_cannot_be_told_stands_in_its_row(found):
    """A pose in space that an arm in a plane cannot take, and joints that it does not have."""
    flat = [answer for answer in found.answers if answer.robot == "planar2"]
    assert all(answer.word in ("no", "cannot be told") and answer.reason for answer in flat)


def test_only_what_tells_answers_apart_is_a_column(found):
    assert found.titles[:4] == ["program", "robot", "payload kg", "feasible"]
    assert all(len(row) == len(found.titles) for row in found.rows)
    one = side_by_side(parse(SHORT, "L-IRL", file="short.irl"), "rl15", [0.0, 5.0])
    assert one.titles[:2] == ["payload kg", "feasible"]
    assert [one.name(answer) for answer in one.answers] == ["0 kg", "5 kg"]


def test_one_page_for_all(found, tmp_path):
    found.report(tmp_path / "all.html")
    text = (tmp_path / "all.html").read_text()
    assert "What to change" in text
    assert text.count("Checked with") == sum(answer.verdict is not None for answer in found.answers)
    assert "inf" not in text.partition("<main>")[2].partition("</main>")[0].replace("infeasible", "")


def test_files_of_one_program_and_of_several(tmp_path):
    from torsor.programs.several import read_several

    for name, text in (("a.irl", SHORT), ("b.irl", STRAIGHT)):
        (tmp_path / name).write_text(text)
    (tmp_path / "m.mod").write_text("MODULE m\nPROC main()\nhelp;\nENDPROC\nENDMODULE\n")
    (tmp_path / "n.mod").write_text("MODULE n\nPROC help()\nWaitTime 1;\nENDPROC\nENDMODULE\n")
    files = [tmp_path / name for name in ("a.irl", "m.mod", "b.irl", "n.mod")]
    assert [program.name for program in read_several(files[:1])] == [read(files[0]).name]
    assert [program.language for program in read_several(files)] == ["L-IRL", "L-IRL", "RAPID"]


def test_no_more_than_a_person_reads():
    with pytest.raises(TorsorError, match="501 answers side by side"):
        side_by_side(parse(SHORT, "L-IRL"), "rl15", [0.01 * k for k in range(501)])
