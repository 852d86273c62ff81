"""What is printed reads back as the same tree."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from programs.random_programs import programs
from torsor.programs import ProgramError, languages, parse, read
from torsor.programs.blocks import read_tree
from torsor.programs.diagnostics import ProgramText
from torsor.programs.printer import Printer
from torsor.programs.project_language import ProjectLanguage

EXAMPLES = Path(__file__).parent.parent.parent / "examples" / "programs"
# programs of projects are printed as they were written
LANGUAGES = {language.name: language for language in languages() if not isinstance(language, ProjectLanguage)}


@pytest.mark.parametrize("path", sorted(EXAMPLES.iterdir()), ids=lambda path: path.name)
def test_examples(path):
    program = read(path)
    again = parse(program.text(), program.language)
    assert again.tree == program.tree
    assert again.text() == str(program)
    printed, original = list(again.commands()), list(program.commands())
    assert [type(command) for command in printed] == [type(command) for command in original]


def assert_reads_back(name, written):
    text = "\n".join(Printer(LANGUAGES[name]).lines(written.body))
    source = ProgramText("<text>", text)
    assert read_tree(LANGUAGES[name], source) == written, text
    assert source.found == [], text
    # and whatever they mean, they can be checked and run
    with contextlib.suppress(ProgramError):
        for _ in parse(text, name).commands(step_limit=300):
            pass


QUIET = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example]


@pytest.mark.parametrize("name", LANGUAGES)
@settings(max_examples=30, deadline=None, suppress_health_check=QUIET)
@given(data=st.data())
def test_random_programs(name, data):
    assert_reads_back(name, data.draw(programs(name)))


@pytest.mark.slow
@pytest.mark.parametrize("name", LANGUAGES)
@settings(max_examples=500, deadline=None, suppress_health_check=QUIET)
@given(data=st.data())
def test_many_random_programs(name, data):
    assert_reads_back(name, data.draw(programs(name)))
