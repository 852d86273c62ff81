"""A language is one file: how it reads, how its motions are timed, how it writes pace; the rest of the house asks it.

The toy of toy_language.py is tried as if its name stood in the list.
"""

import re

import pytest
from toy_language import Toy

import torsor
from torsor import scenarios
from torsor.errors import TorsorError, Unsupported
from torsor.motion import Paul, Timing
from torsor.programs import languages, parse, program, read
from torsor.programs.pace import Factor


@pytest.fixture(autouse=True)
def toy(monkeypatch):
    """The one word by which a language of the house is known."""
    monkeypatch.setattr(program, "HOMES", (*program.HOMES, "toy_language"))


PROGRAM = "GO 40 -30 20 0 30 0 AT 80\nGO 0 0 0 0 0 0\n"


def test_it_is_read_checked_and_run(tmp_path):
    assert "Toy" in [language.name for language in languages()]
    (tmp_path / "a.toy").write_text(PROGRAM)
    read_back = read(tmp_path / "a.toy")
    assert read_back.language == "Toy"
    assert not read_back.diagnostics
    assert [move.pace.share for move in read_back.commands(faster=0.5)] == [0.4, 0.5]
    with pytest.raises(TorsorError, match="Toy has no option 'slower'"):
        read_back.commands(slower=2)
    assert parse(str(read_back), "Toy").tree.body[1].word == "GO"
    assert str(parse("GOO 1\n", "toy").errors[0]) == "<text>:1:1: 'GOO' does not belong here; expected INSTRUCTION"


def test_its_timing_is_that_of_checks_and_scenarios(tmp_path):
    (tmp_path / "a.toy").write_text(PROGRAM)
    verdict = torsor.check(tmp_path / "a.toy", "rl15")
    asked = torsor.check(tmp_path / "a.toy", "rl15", timing="quintic")
    assert verdict.time == asked.time
    assert verdict.time > 1.05 * torsor.check(tmp_path / "a.toy", "rl15", timing="trapezoid").time
    scenario = scenarios.parse(SCENARIO.format(arm="rl15", file="a.toy"), folder=tmp_path)
    assert 0.0 <= scenario.duration - verdict.time < scenario.dt


def test_it_rewrites_its_own_lines(tmp_path):
    done = parse(PROGRAM, "Toy").repaced({2: Factor(0.5, 0.25)}).text
    assert done == PROGRAM.replace("\nGO 0 0 0 0 0 0", "\nGO 0 0 0 0 0 0 at 50 softly 25")
    (tmp_path / "a.toy").write_text(PROGRAM)
    options = {"payload": 100.0, "timing": "trapezoid"}
    asked = torsor.check(tmp_path / "a.toy", "rl15", **options)
    fast = torsor.check(tmp_path / "a.toy", "rl15", fastest=True, **options)
    assert not asked.feasible
    assert fast.feasible
    assert re.search(r"^\+GO 40 -30 20 0 30 0 (at|AT) 80 softly \d", fast.rewritten.diff, re.MULTILINE)


def test_one_that_cannot_be_rewritten_says_so(monkeypatch):
    monkeypatch.delattr(Toy, "repace")
    with pytest.raises(Unsupported, match="programs of Toy cannot be rewritten; slow the lines down by hand"):
        parse(PROGRAM, "Toy").repaced({2: Factor(0.5)})


def test_the_languages_of_the_house_time_their_programs_themselves():
    simasea, val2 = "SPEED 50\nMOVE #PPOINT(1, 2, 3, 4, 5, 6)", ".PROGRAM a\nMOVE #PPOINT(1, 2, 3, 4, 5, 6)\n.END"
    assert parse(simasea, "VAL II").timing == Paul()
    assert parse(val2, "VAL II").timing == Timing()
    assert parse("program a;\nseq\nendseq\nendprogram", "L-IRL").timing == Timing()


SCENARIO = """
name = "a program"
arm = "{arm}"
law = {{ kind = "computed-torque", Kp = 100, Kd = 20 }}
reference = {{ kind = "program", file = "{file}" }}
limits = "ignore"
"""
