"""Loops that never end: recognised where it is certain, left after the cycles asked for, and never a loop that ends."""

import json
import random

import pytest

import torsor
from torsor import scenarios
from torsor.errors import TorsorError
from torsor.motion.commands import Endless, Move
from torsor.programs import ProgramError, parse
from torsor.programs.pace import Factor
from torsor.programs.rounds import Rounds

POINTS = "POINT #A 0 10 20\nPOINT #B 10 20 30\n"
IRL = """program p;
var
  joint: a := joint(mainjoint(10, 20, 30)); joint: b := joint(mainjoint(40, 20, 30));
  int: n := 0; bool: going := true;
endvar
{units}
seq
{body}
endseq
endprogram
"""


def outcome(text, language="VAL II", **options):
    """How many moves, and of the loop that was left its line and cycles."""
    commands = list(parse(text, language).commands(**options))
    moves = sum(isinstance(command, Move) for command in commands)
    left = [(command.place.line, command.cycles) for command in commands if isinstance(command, Endless)]
    assert left == [] or isinstance(commands[-1], Endless)
    return moves, *left


ENDLESS = {
    "a constant condition": ("WHILE 1 == 1 DO\nMOVE #A\nMOVE #B\nEND", (2, (3, 1))),
    "a jump to the start": ("10 MOVE #A\nMOVE #B\nGOTO 10", (2, (3, 1))),
    "what stands before": ("MOVE #A\n10 MOVE #A\nMOVE #B\nGOTO 10", (3, (4, 1))),
    "tested at its end": ("DO\nMOVE #A\nUNTIL FALSE", (1, (3, 1))),
    "a variable that stays": ("on = 1\nWHILE on DO\nMOVE #A\nEND", (1, (4, 1))),
    "a way out that stays closed": ("on = 1\n10 MOVE #A\nIF on == 2 GOTO 20\nGOTO 10\n20 STOP", (1, (4, 1))),
    "a pallet counter": ("n = 0\nWHILE TRUE DO\nMOVE #A\nn = n + 1\nEND", (1, (4, 1))),
    "a counter that wraps": ("n = 0\nWHILE TRUE DO\nMOVE #A\nn = n + 1\nIF n > 5 THEN\nn = 0\nEND\nEND", (1, (4, 1))),
    "the outer one of two": ("WHILE TRUE DO\nMOVE #A\nFOR i = 1 TO 3\nMOVE #B\nEND\nEND", (4, (3, 1))),
    "the inner one of two": ("WHILE TRUE DO\nMOVE #A\nWHILE TRUE DO\nMOVE #B\nEND\nEND", (2, (5, 1))),
    "behind a loop that ends": ("FOR i = 1 TO 3\nMOVE #A\nEND\n10 MOVE #B\nGOTO 10", (4, (6, 1))),
    "before another": ("on = 1\nWHILE on DO\nMOVE #A\nEND\n10 MOVE #B\nGOTO 10", (1, (4, 1))),
    "in a unit that is called": (".PROGRAM m\nCALL c\n.END\n.PROGRAM c\n10 MOVE #A\nGOTO 10\n.END", (1, (7, 1))),
    "with a unit that is called": (".PROGRAM m\n10 CALL c\nGOTO 10\n.END\n.PROGRAM c\nMOVE #A\n.END", (1, (4, 1))),
    "an input": ("WHILE SIG(-1001) DO\nMOVE #A\nEND", (1, (3, 1))),
    # only the state tells: it takes a lap to see that it is as before
    "a signal that is set in it": ("WHILE SIG(-1001) DO\nMOVE #A\nSIGNAL 3\nEND", (2, (3, 2))),
    "a counter that is set back": ("FOR i = 1 TO 3\nMOVE #A\ni = 1\nEND", (65, (3, 65))),
    "never where it would end": ("n = 0\nWHILE n < 3 DO\nMOVE #A\nn = 1 - n\nEND", (4, (4, 4))),
}


@pytest.mark.parametrize("name", ENDLESS)
def test_left_after_one_cycle(name):
    text, expected = ENDLESS[name]
    program = text.replace(".PROGRAM m\n", f".PROGRAM m\n{POINTS}") if ".PROGRAM" in text else POINTS + text
    assert outcome(program) == expected


def test_as_many_cycles_as_asked_for():
    text = POINTS + "WHILE TRUE DO\nMOVE #A\nMOVE #B\nEND"
    assert outcome(text, cycles=3) == (6, (3, 3))
    wrapping = POINTS + "n = 0\nWHILE n < 3 DO\nMOVE #A\nn = 1 - n\nEND"
    assert outcome(wrapping, cycles=50) == (50, (4, 50))
    for bad in (0, -1, 1.5, True + 0.0):
        with pytest.raises(TorsorError, match="cycles is"):
            parse(text, "VAL II").commands(cycles=bad)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("while true do move ptp a; n := n + 1; endwhile;", (1, (8, 1))),
        ("while going do move ptp a; endwhile;", (1, (8, 1))),
        ("repeat move ptp a; until false;", (1, (8, 1))),
        ("repeat move ptp a; n := n + 1; until n > 3;", (4,)),
        ("while going do move ptp a; n := n + 1; if n = 40 then going := false; endif; endwhile;", (40,)),
        ("while going do move ptp a; n := n + 1; if n = 4 then halt; endif; endwhile;", (4,)),
        # by other names: what is handed over by reference is what the loop reads
        ("s(going);", (1,)),
        ("t(going);", (1,)),
    ],
)
def test_irl(body, expected):
    units = (
        "procedure s(var bool: x); while going do move ptp a; x := false; endwhile; endprocedure;"
        "procedure t(var bool: x); while x do move ptp a; going := false; endwhile; endprocedure;"
    )
    assert outcome(IRL.format(body=body, units=units), "L-IRL") == expected


@pytest.mark.parametrize("before", ["", "MOVE #A\n"])
def test_one_that_never_moves_is_an_error(before):
    for loop in ("WHILE TRUE DO\nx = 1\nEND", "WHILE TRUE DO\nDELAY 1\nEND", "10 x = 1\nGOTO 10"):
        with pytest.raises(ProgramError, match=r"the loop of line \d has not ended after 2,000 steps"):
            outcome(POINTS + before + loop, step_limit=2000)


def random_program(chance):
    """Loops, jumps and counters at random; whether it ends only running it can tell."""
    lines, labels = ["x = 1", "y = 0"], []

    def condition():
        return chance.choice(["x < 3", "y < 4", "x <> y", "y == 2", "TRUE", "x + y < 7", "SIG(3)", "SIG(-3)"])

    def block(depth):
        for _ in range(chance.randint(1, 3)):
            match chance.randrange(10 if depth < 3 else 5):
                case 0:
                    lines.append("MOVE #A")
                case 1 | 2:
                    lines.append(chance.choice(["x = x + 1", "y = y + 1", "x = 1 - x", "y = y - 2", "x = y", "y = 0"]))
                case 3:
                    lines.append(chance.choice(["SIGNAL 3", "SIGNAL -3", "MOVES #B", "STOP"] if depth else ["MOVE #B"]))
                case 4:
                    labels.append(str(len(labels) + 1))
                    lines.append(f"{labels[-1]} MOVE #B")
                case 5:
                    lines.append(f"WHILE {condition()} DO")
                    block(depth + 1)
                    lines.append("END")
                case 6:
                    lines.append("DO")
                    block(depth + 1)
                    lines.append(f"UNTIL {condition()}")
                case 7:
                    lines.append(f"FOR {chance.choice('xyz')} = 1 TO {chance.randint(1, 4)}")
                    block(depth + 1)
                    lines.append("END")
                case 8:
                    lines.append(f"IF {condition()} THEN")
                    block(depth + 1)
                    lines.append("END")
                case 9 if labels:
                    lines.append(f"IF {condition()} GOTO {chance.choice(labels)}")

    block(0)
    text = POINTS + "\n".join(lines)
    return f".PROGRAM p\n{text}\n.END" if chance.random() < 0.5 else text  # where moves flow they come out later


def test_a_loop_that_ends_is_never_left(monkeypatch):
    """Programs at random, against a run that knows of no endless loops: all that ends there ends here, and alike."""

    def run(text):
        given = []
        try:
            given += ((type(each).__name__, each.place) for each in parse(text, "VAL II").commands(step_limit=3000))
        except ProgramError as error:
            given.append(error.problem)
        return given

    chance = random.Random(0)
    texts = [random_program(chance) for _ in range(250)]
    found = [run(text) for text in texts]
    monkeypatch.setattr(Rounds, "again", lambda *_: False)
    left = ended = 0
    for text, here in zip(texts, found, strict=True):
        there = run(text)
        if here and here[-1][0] == "Endless":
            left += 1
            assert there[-1].endswith("has not ended after 3,000 steps"), text
            both = min(len(here), len(there)) - 1  # a move that flows is held back until the next, which never comes
            assert here[:both] == there[:both], text
        else:
            ended += here == there
            assert here == there, text
    assert left > 30
    assert ended > 100


PRODUCTION = IRL.format(body="while true do\nmove ptp a; move ptp b;\nendwhile;", units="")


def test_the_verdict_says_so(tmp_path):
    program = parse(PRODUCTION, "L-IRL", file="cell.irl")
    verdict = torsor.check(program, "rl15")
    assert len(verdict.moves) == 2
    assert verdict.headline.endswith("; checked 1 cycle of the endless loop at line 8")
    twice = torsor.check(program, "rl15", cycles=2)
    assert len(twice.moves) == 4
    document = json.loads(twice.to_json())
    said = {"file": "cell.irl", "line": 8, "text": "checked 2 cycles of the endless loop"}
    assert document["endless"] == said
    assert document["endless"] in document["notes"]
    assert document["verdict"].endswith("checked 2 cycles of the endless loop at line 8")
    twice.report(tmp_path / "report.html")
    assert "checked 2 cycles of the endless loop at line 8" in (tmp_path / "report.html").read_text()
    too_fast = torsor.check(program, "rl15", acceleration=9.0, speed=3.0, cycles=2)
    assert too_fast.headline.endswith("checked 2 cycles of the endless loop at line 8")
    ends = parse(PRODUCTION.replace("while true", "while n > 0"), "L-IRL")
    assert torsor.check(ends, "rl15").endless is None


def test_simaseas_timing_says_it_too():
    program = parse(POINTS + "WHILE TRUE DO\nMOVE #A\nMOVE #B\nEND", "VAL II")
    assert torsor.check(program, "rl15").headline.endswith("checked 1 cycle of the endless loop at line 3")


def test_a_scenario_goes_round_as_often(tmp_path):
    (tmp_path / "cell.irl").write_text(PRODUCTION)
    text = """
name = "a cell"
arm = "rl15"
start = {{ q = [0, 0, 0, 0, 0, 0] }}
law = {{ kind = "computed-torque", Kp = 100, Kd = 20 }}
reference = {{ kind = "program", file = "cell.irl", cycles = {cycles} }}
"""
    both = [scenarios.parse(text.format(cycles=n), folder=tmp_path) for n in (1, 2)]
    one, two = (scenario.duration for scenario in both)
    assert both[1].remarks == (f"follows 2 cycles of the endless loop at line 8 of {tmp_path / 'cell.irl'}",)
    times = [torsor.check(tmp_path / "cell.irl", "rl15", cycles=n).time for n in (1, 2)]
    assert 0.0 <= one - times[0] < 1e-3
    assert 0.0 <= two - times[1] < 1e-3
    with pytest.raises(TorsorError, match=r"reference\.cycles is 0; expected how often to go round a loop"):
        scenarios.parse(text.format(cycles=0), folder=tmp_path)


def test_lines_of_later_cycles_are_rewritten_too():
    body = "while true do\nif n = 0 then\nmove ptp a;\nelse\nmove ptp b;\nendif;\nn := n + 1;\nendwhile;"
    program = parse(IRL.format(body=body, units=""), "L-IRL")
    factors = {10: Factor(0.5, 1.0), 12: Factor(0.5, 1.0)}
    assert program.repaced(factors, cycles=2).text.count("speed_ptp=0.5") == 2


def test_a_scenario_does_not_follow_a_wait_of_weeks(tmp_path):
    (tmp_path / "cell.irl").write_text(IRL.format(body="move ptp a; wait 1e6; move ptp b;", units=""))
    text = """
name = "a cell"
arm = "rl15"
law = { kind = "computed-torque", Kp = 100, Kd = 20 }
reference = { kind = "program", file = "cell.irl" }
"""
    with pytest.raises(TorsorError, match=r":5: reference: the program lasts longer than 10000 s; shorter waits"):
        scenarios.parse(text, folder=tmp_path)
