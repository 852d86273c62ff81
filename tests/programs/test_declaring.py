"""A language is one file: how it reads, how its motions are timed, how it writes pace; the rest of the house asks it.

The toy is what a newcomer would write first. It stands here and nowhere else.
"""

import gc
import re
from dataclasses import dataclass
from math import radians

import pytest

import torsor
from torsor import scenarios
from torsor.errors import TorsorError, Unsupported
from torsor.motion import Paul, Timing
from torsor.motion.commands import Joints, Move, Pace
from torsor.programs import languages, parse, read
from torsor.programs.language import Form, Language, Lowering, Piece
from torsor.programs.pace import Factor
from torsor.programs.rewriting import rounded_down

GRAMMAR = r"""
start: clause?
?clause: instruction
instruction: INSTRUCTION operands? option*
operands: (NUMBER | COMMA)+
option: OPTION operands
INSTRUCTION.3: /go(?!\w)/i
OPTION.3: /(at|softly)(?!\w)/i
COMMA: ","
NUMBER: /[+-]?[0-9]+(\.[0-9]*)?/
%ignore " "
"""


PACES = {"at": ("number",), "softly": ("number",)}
FORMS = {"GO": Form("go", ("number",), repeat=True, options=PACES, example="GO 10 20 AT 50 SOFTLY 80")}


@dataclass(frozen=True)
class Open:
    faster: float = 1.0


class ToyLowering(Lowering):
    def __init__(self, opened):
        self.opened = opened

    def go(self, node, operands, options):
        at, softly = (options.get(word, [100.0])[0] / 100.0 for word in ("at", "softly"))
        pace = Pace(share=self.opened.faster * at, acceleration_share=softly)
        target = Joints(tuple(radians(angle) for angle in operands))
        return [Move("joint", target, self.interpreter.place(node), pace=pace)]

    def finish(self):
        return iter(())


@pytest.fixture
def toy():
    class Toy(Language):
        name = "Toy"
        suffixes = (".toy",)
        grammar = GRAMMAR
        forms = FORMS

        def cut(self, source):
            for number, line in enumerate(source.lines, start=1):
                if line.strip():
                    yield Piece(line, (number, 1))

        def recognises(self, text):
            return text.upper().startswith("GO ")

        def lowering(self, program, options):
            return ToyLowering(self.chosen(Open(), options))

        def timing(self, program):
            return Timing("quintic")

        def repace(self, lines, move, factor, tool):
            at, softly = move.pace.share * factor.speed, move.pace.acceleration_share * factor.acceleration
            bare = re.sub(r"\s+(at|softly)\s.*", "", lines[move.place.line - 1], flags=re.IGNORECASE)
            lines[move.place.line - 1] = f"{bare} at {rounded_down(100 * at)} softly {rounded_down(100 * softly)}"

    yield Toy
    Toy = None
    gc.collect()


PROGRAM = "GO 40 -30 20 0 30 0 AT 80\nGO 0 0 0 0 0 0\n"


@pytest.mark.usefixtures("toy")
def test_it_is_read_checked_and_run(tmp_path):
    assert "Toy" in [language.name for language in languages()]
    (tmp_path / "a.toy").write_text(PROGRAM)
    program = read(tmp_path / "a.toy")
    assert program.language == "Toy"
    assert not program.diagnostics
    assert [move.pace.share for move in program.commands(faster=0.5)] == [0.4, 0.5]
    with pytest.raises(TorsorError, match="Toy has no option 'slower'"):
        program.commands(slower=2)
    assert parse(str(program), "Toy").tree.body[1].word == "GO"
    assert str(parse("GOO 1\n", "toy").errors[0]) == "<text>:1:1: 'GOO' does not belong here; expected INSTRUCTION"


@pytest.mark.usefixtures("toy")
def test_its_timing_is_that_of_checks_and_scenarios(tmp_path):
    (tmp_path / "a.toy").write_text(PROGRAM)
    verdict = torsor.check(tmp_path / "a.toy", "rl15")
    asked = torsor.check(tmp_path / "a.toy", "rl15", timing="quintic")
    assert verdict.time == asked.time
    assert verdict.time > 1.05 * torsor.check(tmp_path / "a.toy", "rl15", timing="trapezoid").time
    scenario = scenarios.parse(SCENARIO.format(arm="rl15", file="a.toy"), folder=tmp_path)
    assert 0.0 <= scenario.duration - verdict.time < scenario.dt


@pytest.mark.usefixtures("toy")
def test_it_rewrites_its_own_lines(tmp_path):
    done = parse(PROGRAM, "Toy").repaced({2: Factor(0.5, 0.25)}).text
    assert done == PROGRAM.replace("\nGO 0 0 0 0 0 0", "\nGO 0 0 0 0 0 0 at 50 softly 25")
    (tmp_path / "a.toy").write_text(PROGRAM)
    options = {"speed": 3.0, "acceleration": 6.0, "payload": 30.0, "timing": "trapezoid"}
    asked = torsor.check(tmp_path / "a.toy", "rl15", **options)
    fast = torsor.check(tmp_path / "a.toy", "rl15", fastest=True, **options)
    assert not asked.feasible
    assert fast.feasible
    assert re.search(r"^\+GO 40 -30 20 0 30 0 at \d", fast.rewritten.diff, re.MULTILINE)


def test_one_that_cannot_be_rewritten_says_so(toy):
    del toy.repace
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
