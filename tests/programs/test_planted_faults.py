"""Messages: in sound programs with one planted fault each, the line is named, mostly in the first message."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from planted_faults import planted

from torsor.programs import parse

LINES = re.compile(r"\(line (\d+)\)")
CELLS = Path(__file__).parent / "cells"
SOUND = {"RAPID": "pallet.mod", "URScript": "feeder.script", "KRL": "k1.src"}


def rates(language, count, seed):
    text = (CELLS / SOUND[language]).read_text()
    assert not parse(text, language, file=SOUND[language]).errors
    faults = list(planted(text, language, count, seed))
    assert len(faults) == count
    named = first = 0
    missed = []
    for fault in faults:
        said = parse(fault.text, language, file=SOUND[language]).diagnostics
        found = [
            [each.place.line, *map(int, LINES.findall(each.problem))]  # one message may name several
            for each in sorted(said, key=lambda each: each.severity != "error")
            if each.severity != "note"
        ]
        told = [lines for lines in found if set(lines) & set(fault.lines)]
        named += bool(told)
        first += bool(found) and found[0] in told
        if not told:
            missed.append((fault.kind, fault.lines, [str(each) for each in said][:2]))
    return named / count, first / count, missed


@pytest.mark.parametrize("language", SOUND)
def test_lines_are_named(language):
    named, _, missed = rates(language, 24, seed=1)
    assert named >= 0.9, missed


@pytest.mark.slow
@pytest.mark.parametrize("language", SOUND)
def test_lines_are_named_in_many(language):
    named, first, missed = rates(language, 200, seed=2)
    assert named >= 0.95, missed
    assert first >= 0.8
