"""Programs of RAPID, URScript and KRL with other paces: they read back, the same moves, nothing else changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from torsor.motion.commands import Joints, Move
from torsor.programs import read
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
        done = program.repaced({line: factor}, {line: ToolPace(0.1, 0.4)})
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
