"""Damaged programs: nothing crashes, nothing hangs, every rejection has a line."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest

from programs.mutations import damaged
from torsor.programs import ProgramError, parse

EXAMPLES = Path(__file__).parent.parent.parent / "examples" / "programs"
NAMES = {".v2": "VAL II", ".irl": "L-IRL"}  # languages of projects are damaged in test_planted_faults.py
TEXTS = [(NAMES[path.suffix], path.read_text()) for path in sorted(EXAMPLES.iterdir()) if path.suffix in NAMES]
LONGEST = 5.0  # seconds of CPU for one program; the slowest take 0.1 s


def survive(count, seed):
    chance = random.Random(seed)
    rejected = 0
    for number in range(count):
        language, text = TEXTS[number % len(TEXTS)]
        text = damaged(text, chance)
        began = time.process_time()
        program = parse(text, language)
        lines = text.count("\n") + text.count("\r") + 1
        for found in program.diagnostics:
            assert 1 <= found.place.line <= lines, (text, found)
            assert found.place.column >= 1
        if not program.errors:
            assert parse(program.text(), language).tree == program.tree, text
        try:
            for _ in program.commands(step_limit=3000):
                pass
        except ProgramError as error:
            rejected += 1
            assert 1 <= error.line <= lines, text  # noqa: PT017
            assert error.column >= 1  # noqa: PT017
        assert time.process_time() - began < LONGEST, text
    return rejected


def test_two_hundred():
    assert 50 < survive(200, seed=7) < 200  # some accidents do no harm


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_ten_thousand(seed):
    survive(1000, seed=1000 + seed)
