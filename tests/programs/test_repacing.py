"""Programs of RAPID, URScript and KRL with other paces: they read back, the same moves, nothing else changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from torsor.motion.commands import Joints, Move
from torsor.programs import parse, read
from torsor.programs.pace import Factor, ToolPace

CELLS = Path(__file__).parent / "cells"


def pace_of(move):
    named = ("share", "acceleration_share", "speed", "acceleration", "duration", "axis_speed", "axis_acceleration")
    return {name: getattr(move.pace, name) for name in named if getattr(move.pace, name) is not None}


def moves(program):
    return [command for command in program.commands() if isinstance(command, Move)]


@pytest.mark.parametrize("name", ["pallet.mod", "feeder.script", "k1.src"])
@pytest.mark.parametrize("factor", [Factor(0.5, 1.0), Factor(0.5, 0.5)])
def test_every_line_alone(name, factor):
    program = read(CELLS / name)
    before = moves(program)
    for line in sorted({move.place.line for move in before}):
        done = program.repaced({line: factor}, {line: ToolPace(0.1, 0.4)} if name == "k1.src" else {})
        again = program.again(done)
        assert not again.errors, (line, done.diff, again.errors)
        after = moves(again)
        assert len(after) == len(before)
        for old, new in zip(before, after, strict=True):
            place = (old.target.q, new.target.q) if isinstance(old.target, Joints) else (
                old.target.position, new.target.position)  # fmt: skip
            assert place[0] == place[1]
            assert old.blend == new.blend
            if old.place.line != line:
                kept = pace_of(new)
                if "acceleration" not in pace_of(old):  # of KRL: what was never set cannot be set back
                    kept.pop("acceleration", None)
                assert pace_of(old) == pytest.approx(kept, rel=1e-5), (line, done.diff)
                continue
            for key, value in pace_of(old).items():
                slower = factor.acceleration if "acceleration" in key else factor.speed
                wanted = value / factor.speed if key == "duration" else value * slower
                assert pace_of(new).get(key, 1.0) == pytest.approx(wanted, rel=2e-3), (key, done.diff)


def test_all_moves_of_a_line_get_its_pace():
    text = "def my_movel(q): movej(q, a=1, v=1) movel([0, 1], v=0.2,\n  a=1) end\nmy_movel([1, 0])\n"
    program = parse(text, "URScript", file="cell.script")
    done = program.repaced({1: Factor(0.5, 0.25)})
    assert done.text == text.replace("a=1, v=1", "a=0.25, v=0.5").replace("v=0.2,\n  a=1", "v=0.1,\n  a=0.25")
    assert [pace_of(move) for move in moves(program.again(done))] == [
        {"axis_speed": 0.5, "axis_acceleration": 0.25},
        {"speed": 0.1, "acceleration": 0.25},
    ]
