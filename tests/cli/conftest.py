"""Runs the command line inside the test process."""

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from torsor.cli import main


@dataclass(frozen=True)
class Ran:
    code: int
    out: str
    err: str


Run = Callable[..., Ran]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """run("show", "rl15", width=120): exit code and what went to stdout and stderr."""

    def call(*arguments: object, width: int = 80) -> Ran:
        monkeypatch.setenv("COLUMNS", str(width))
        capsys.readouterr()
        code = main([str(argument) for argument in arguments])
        return Ran(code, *capsys.readouterr())

    return call
