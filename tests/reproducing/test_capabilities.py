"""The table of the works' capabilities: nothing works that no test runs, and every command is one."""

import ast
import re
import shlex
import tomllib
from functools import cache
from pathlib import Path

import pytest

import torsor
from torsor.checking.verdict import Verdict
from torsor.cli.app import app
from torsor.mechanics.formulations import FORMULATIONS
from torsor.model.json_schema import keys_of_table, tables_in
from torsor.model.schema import ArmFile
from torsor.reproducing.capabilities import capabilities
from torsor.reproducing.works import WORKS
from torsor.scenarios.scenario_schema import ScenarioFile
from torsor.simulation.outcome import Run

ROOT = Path(__file__).parents[2]
ROWS = capabilities()


@cache
def functions_of(path):
    return set(re.findall(r"^def (\w+)\(", (ROOT / path).read_text(), re.MULTILINE))


@pytest.mark.parametrize("each", ROWS, ids=lambda each: f"{each.work} {each.at}: {each.what}")
def test_what_works_is_run_by_a_test(each):
    assert each.work in WORKS
    if each.state in ("missing", "lost"):
        assert each.left
        assert not each.test
        assert not each.command
        return
    assert sum(map(bool, (each.shell, each.python, each.file))) == 1
    path, _, name = each.test.partition("::")
    assert name in functions_of(path)
    assert (each.state == "partly") == bool(each.left)


@pytest.mark.parametrize("command", sorted({each.shell for each in ROWS if each.shell}))
def test_commands_are_commands(command):
    """Each is taken apart as the command line does, and its files are there."""
    first, *words = shlex.split(command)
    assert first == "torsor"
    _, _, unused, *_ = app.parse_args(words, print_error=False, exit_on_error=False)
    assert not unused
    for word in words:
        if word.startswith("examples/"):
            assert (ROOT / word).is_file(), word
    if words[0] in ("show", "servo"):
        assert words[1] in torsor.robots()


@cache
def roots():
    arm = torsor.load("irb140")
    return {"torsor": torsor, "arm": arm, "run": Run, "verdict": Verdict}


@pytest.mark.parametrize("text", sorted({each.python for each in ROWS if each.python}))
def test_expressions_are_of_public_names(text):
    """Every name with dots leads to something that is there, and every ``by`` is a formulation."""
    for node in ast.walk(ast.parse(text, mode="eval")):
        if isinstance(node, ast.Attribute):
            names = ast.unparse(node).split("(")[0].split(".")
            if names[0] not in roots():
                continue
            found = roots()[names[0]]
            for name in names[1:]:
                if names[:2] == ["arm", "closure"]:
                    found = torsor.load("asea-irb") if found is roots()["arm"] else found
                if names[:2] == ["arm", "elastic"]:
                    found = torsor.load("ur5-elastic") if found is roots()["arm"] else found
                if names[:2] == ["arm", "drives"]:
                    found = torsor.load("rl15") if found is roots()["arm"] else found
                assert hasattr(found, name), f"{names} has no {name}"
                found = getattr(found, name)
        elif isinstance(node, ast.keyword) and node.arg == "by":
            assert node.value.value in FORMULATIONS


@cache
def all_keys():
    found, waiting, seen = set(), [ArmFile, ScenarioFile], set()
    while waiting:
        table = waiting.pop()
        if table in seen:
            continue
        seen.add(table)
        for key in keys_of_table(table):
            found.add(key.name)
            waiting += tables_in(key.annotation)
    return found


@pytest.mark.parametrize("text", sorted({each.file for each in ROWS if each.file}))
def test_lines_of_files_have_keys_that_are_known(text):
    assert set(tomllib.loads(text)) <= all_keys() | {"sample", "kind", "limits"}


def test_every_work_is_there():
    assert {each.work for each in ROWS} == set(WORKS)
    assert len(ROWS) == len({(each.work, each.at, each.what) for each in ROWS})
    assert len(ROWS) > 200
