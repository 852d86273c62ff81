"""Every example runs to its end in a folder of its own."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from library_arms import library

EXAMPLES = Path(__file__).parent.parent / "examples"
NUMBERED = sorted(EXAMPLES.glob("[0-9]*.py"))


def run(*arguments: object, folder: Path) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"COLUMNS": "80"}
    command = [sys.executable, *map(str, arguments)]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=120)


@pytest.mark.parametrize("example", NUMBERED, ids=lambda path: path.stem)
def test_example_runs(example, tmp_path):
    ran = run(example, folder=tmp_path)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout


@pytest.mark.parametrize("robot", library(few=True))
def test_first_look_passes_on_every_arm(robot, tmp_path):
    ran = run(EXAMPLES / "01_first_look.py", robot, folder=tmp_path)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.splitlines()[-1].startswith(f"PASS {robot}: 6 checks")
