"""All words of RAPID, URScript and KRL at once, and what becomes of them when a cat walks over the keyboard."""

from __future__ import annotations

import contextlib
import random
from pathlib import Path

import pytest

from torsor.errors import TorsorError
from torsor.motion.commands import Move
from torsor.programs import parse, read

CELLS = Path(__file__).parent / "cells"
WORDS = {"RAPID": "words.mod", "URScript": "words.script", "KRL": "words.src"}


@pytest.mark.parametrize("name", WORDS.values())
def test_all_words_read_and_run(name):
    program = read(CELLS / name)
    assert not program.errors, program.errors
    assert any(isinstance(command, Move) for command in program.commands())


def changed(text, rng):
    """A few characters or lines taken away, doubled, swapped, or others in their place."""
    for _ in range(rng.randint(1, 4)):
        k, n = rng.randrange(len(text)), rng.randint(1, 12)
        match rng.randrange(6):
            case 0:
                text = text[:k] + text[k + n :]
            case 1:
                text = text[:k] + rng.choice('()[]{};:,"\\%$#=.\n\t\x00é') + text[k:]
            case 2:
                text = text[:k] + text[k : k + n] * 3 + text[k + n :]
            case 3:
                lines = text.split("\n")
                i, j = rng.randrange(len(lines)), rng.randrange(len(lines))
                lines[i], lines[j] = lines[j], lines[i]
                text = "\n".join(lines)
            case 4:
                text = text[:k] + rng.choice(["1e999", "-", "0/0", "END", "TRUE", "9E9", "''", "p["]) + text[k + n :]
            case 5:
                text = text[:k]
        text = text or "x"
    return text


def survives(language, count, seed):
    rng = random.Random(seed)
    text = (CELLS / WORDS[language]).read_text()
    for _ in range(count):
        wild = changed(text, rng)
        with contextlib.suppress(TorsorError):  # whatever else is raised is a bug
            for _ in parse(wild, language, file=f"wild.{language}").commands(step_limit=2000):
                pass


@pytest.mark.parametrize("language", WORDS)
def test_changed_programs_never_crash(language):
    survives(language, 25, seed=5)


@pytest.mark.slow
@pytest.mark.parametrize("language", WORDS)
def test_many_changed_programs_never_crash(language):
    survives(language, 500, seed=6)
