"""Programs rewritten: only what must change changes, and what is written can be read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import torsor
from torsor.errors import Unsupported
from torsor.motion.commands import Move
from torsor.programs import parse
from torsor.programs.pace import Factor, ToolPace, paced
from torsor.programs.rewriting import rounded_down

IRL = """program test;
var
  joint: a = joint(mainjoint(10, 20, 30));
  robtarg: b = robtarg(((900, 0, 700), (0, -60, -175)), 4);
  real: v = 300;
endvar
seq
  move ptp a;  { speed=5; in a comment }
  move ptp a speed_ptp=0.5 acc_ptp=1.0 act_rob="speed=1";
  move lin b speed=760 acc=1000 c_ori=o_var;
  move lin b
    speed=v * 2
    acc=1000;
endseq
endprogram
"""
FACTOR = Factor(0.5, 0.25)


def moves_of(text, language):
    return [c for c in parse(text, language).commands() if isinstance(c, Move)]


@pytest.mark.parametrize("line", [8, 9, 10, 11])
def test_irl_asks_for_the_pace_that_was_meant(line):
    before = moves_of(IRL, "L-IRL")
    done = parse(IRL, "L-IRL", file="test.irl").repaced({line: FACTOR})
    after = moves_of(done.text, "L-IRL")
    for old, new in zip(before, after, strict=True):
        wanted = paced(old, FACTOR).pace if old.place.line == line else old.pace
        assert new.pace == wanted
    changed = [k for k, (a, b) in enumerate(zip(IRL.split("\n"), done.text.split("\n"), strict=True), 1) if a != b]
    assert changed == ([12, 13] if line == 11 else [line])
    assert "speed=5; in a comment" in done.text
    assert 'act_rob="speed=1"' in done.text


def test_a_tool_move_without_acceleration_gets_that_of_the_plan():
    text = IRL.replace(" acc=1000 c_ori=o_var", "")
    program = parse(text, "L-IRL", file="test.irl")
    done = program.repaced({10: FACTOR}, {10: ToolPace(0.5, 0.25)})
    assert "move lin b speed=380 acc=250;" in done.text
    with pytest.raises(Unsupported, match=r"10:3: this move has no 'acc'"):  # it turns on the spot: there is none
        program.repaced({10: FACTOR})


OPEN = """program open;
var
  robtarg: a = robtarg(((1100, 300, 800), (15, -60, -175)), 4);
  robtarg: b = robtarg(((1100, 300, 400), (15, -60, -175)), 4);
endvar
seq
  move ptp a;
  move lin b;
  move lin a speed=3000;
  move lin b c_speed;
  move lin a;
endseq
endprogram
"""


@pytest.mark.slow
def test_a_program_that_leaves_all_to_the_limits_becomes_feasible():
    program, options = parse(OPEN, "L-IRL", file="test.irl"), {"payload": 70.0, "wrench": [0, 0, -150, 0, 0, 0]}
    asked = torsor.check(program, "rl15", **options)
    fast = torsor.check(program, "rl15", fastest=True, **options)
    assert not asked.feasible
    assert fast.feasible
    assert fast.time < 1.2 * asked.time
    again = torsor.check(parse(fast.rewritten.text, "L-IRL", file="test.irl"), "rl15", **options)
    assert again.feasible
    assert abs(again.time - fast.time) < 1e-9


def test_in_a_val2_program_only_the_one_motion_is_slower():
    text = (
        f".PROGRAM main\nUNITS M\nSPEED 80 ALWAYS\n{VAL.replace('SPEED 80', '')}10 MOVE P2\nIF 1 == 2 GOTO 10\n.END\n"
    )
    before = moves_of(text, "VAL II")
    done = parse(text, "VAL II").repaced({before[-1].place.line: Factor(0.5, 0.5)})
    assert [move.pace.share for move in moves_of(done.text, "VAL II")] == [0.8, 0.8, 0.4]
    assert "10 SPEED 40\nACCEL 50, 50\nMOVE P2\nACCEL 100, 100\n" in done.text


VAL = """POINT P1 0.320 0.150 0.880 20.0 45.0 75.0
POINT P2 0.270 0.280 0.820 37.0 15.0 23.0
SPEED 80
START P1
MOVE P2
MOVES P1
"""


def test_val2_gets_its_speed_back_behind_the_move():
    before = moves_of(VAL, "VAL II")
    done = parse(VAL, "VAL II", file="test.v2").repaced({5: Factor(0.5, 1.0)})
    after = moves_of(done.text, "VAL II")
    assert [move.pace.share for move in before] == [0.8, 0.8]
    assert [move.pace.share for move in after] == [0.4, 0.8]
    assert done.diff.startswith("--- test.v2\n+++ test.v2\n")
    assert "+SPEED 40" in done.diff


@given(st.floats(1e-4, 1e6))
def test_rounding_never_goes_up(value):
    written = float(rounded_down(value))
    assert written <= value
    assert written >= value * (1 - 1e-3)
