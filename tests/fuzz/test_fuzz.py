"""Whatever is given, Torsor answers: exit 0, 1 or 2, never a bug of its own, nothing raw, no memory without end.

80 inputs in every run, 20,000 in ``make sweep``. A failure names its seed: ``python tests/fuzz/test_fuzz.py SEED``
shows the input and what becomes of it.
"""

from __future__ import annotations

import json
import os
import re
import resource
import signal
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent))
from mutating import Case, case

from torsor.cli import main
from torsor.errors import TorsorError, printable
from torsor.scenarios import read

LONGEST = 60  # s of computing; what takes longer hangs
ASLEEP = 600  # s on the clock, however busy the machine is
MOST_MEMORY = 1_000_000  # kB that one input may add


class Hangs(BaseException):
    """Not to be taken for an error of the input."""


def _ended(*_: object) -> None:
    raise Hangs


def complaint(asked: Case, folder: Path, capsys: pytest.CaptureFixture[str]) -> str | None:
    """What is wrong with the answer to an input, run in a folder of its own."""
    path = folder / f"input{asked.suffix}"
    path.write_bytes(asked.content)
    capsys.readouterr()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    usual = signal.signal(signal.SIGALRM, _ended), signal.signal(signal.SIGPROF, _ended)
    signal.alarm(ASLEEP)
    signal.setitimer(signal.ITIMER_PROF, LONGEST)
    try:
        code = _run([path.name if word == "input" else word for word in asked.words])
    except Hangs:
        return f"nothing after {LONGEST} s"
    except BaseException as error:
        return f"{type(error).__name__}: {error}"
    finally:
        signal.alarm(0)
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        signal.signal(signal.SIGALRM, usual[0])
        signal.signal(signal.SIGPROF, usual[1])
    out, err = capsys.readouterr()
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    if code not in (0, 1, 2):
        return f"exit {code}: {err[-600:]}"
    if code == 2 and not err.strip():
        return "exit 2 without a word"
    if raw := re.search(r"[^\n\x20-\x7e]", "".join(c for c in out + err if not c.isprintable())):
        return f"{raw[0]!r} reaches the terminal"
    if "Traceback" in err or "Warning:" in err:
        return f"stderr says {err[-600:]}"
    if code < 2 and "--json" in asked.words and "--help" not in asked.words:
        json.loads(out, parse_constant=lambda word: pytest.fail(f"{word} in JSON"))
    return f"{grown / 1e6:.1f} GB were needed" if grown > MOST_MEMORY else None


def _run(words: list[str]) -> int:
    if words[0] != "read":
        return main(words)
    try:  # of a scenario, what can be told without simulating it
        with np.errstate(all="ignore"):  # as on the command line
            read(words[1])
    except TorsorError as error:
        sys.stderr.write(f"{printable(str(error), keep=chr(10))}\n")
        return 2
    return 0


def answers(seeds: range, folder: Path, capsys: pytest.CaptureFixture[str], *, thorough: bool) -> dict[int, str]:
    """By seed, what is wrong; each input finds an empty folder."""
    wrong = {}
    for seed in seeds:
        if found := complaint(case(seed, thorough=thorough), folder, capsys):
            wrong[seed] = found
        for name in os.listdir(folder):
            os.unlink(folder / name)
    return wrong


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    return tmp_path


def test_80_inputs(folder, capsys):
    assert answers(range(80), folder, capsys, thorough=False) == {}


@pytest.mark.slow
@pytest.mark.parametrize("hundred", range(200))
def test_20000_inputs(folder, capsys, hundred):
    assert answers(range(1000 + 100 * hundred, 1100 + 100 * hundred), folder, capsys, thorough=True) == {}


if __name__ == "__main__":
    chosen = case(int(sys.argv[1]), thorough=int(sys.argv[1]) >= 1000)
    name = f"input{chosen.suffix}"
    Path(name).write_bytes(chosen.content)
    print(chosen.content.decode("utf-8", "replace"))
    print(*chosen.words)
    sys.exit(_run([name if word == "input" else word for word in chosen.words]))
