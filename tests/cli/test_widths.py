"""Terminals of 60, 80 and 120 columns: what commands print there, word for word, and that no word is broken.

Regenerate with ``python tests/cli/test_widths.py`` and read the difference before it is committed.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import sys
from pathlib import Path

import pytest

import torsor
from torsor.cli import main

FOLDER = Path(__file__).parent / "transcripts"
WIDTHS = (60, 80, 120)
COMMANDS = (
    ("--help",),
    ("derive", "--help"),
    ("robots",),
    ("show", "rl15"),
    ("show", "asea-irb"),
    ("derive", "planar2", "--too"),
)


def printed(arguments: tuple[str, ...]) -> str:
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        main(list(arguments))
    return out.getvalue()


def transcript(width: int) -> str:
    before = os.environ.get("COLUMNS")
    os.environ["COLUMNS"] = str(width)
    try:
        return "".join(f"$ torsor {' '.join(each)}\n{printed(each)}" for each in COMMANDS)
    finally:
        if before is None:
            del os.environ["COLUMNS"]
        else:
            os.environ["COLUMNS"] = before


@pytest.mark.parametrize("width", WIDTHS)
def test_transcript(width):
    assert transcript(width) == (FOLDER / f"{width}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_is_wider_than_the_window_and_no_word_is_broken(width):
    text = (FOLDER / f"{width}.txt").read_text(encoding="utf-8")
    told = text[
        : text.index("$ torsor derive planar2 --too")
    ]  # what errors say is one line, for other programs to read
    assert max(len(line.rstrip()) for line in told.splitlines()) <= width
    for name in (*torsor.robots(), "revolute", *torsor.load("rl15").joint_names):
        assert re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text), name
    assert "\x1b" not in text


def test_colour_on_a_terminal_and_none_in_a_pipe(run, monkeypatch):
    assert "\x1b" not in run("show", "planar2").out
    monkeypatch.setenv("FORCE_COLOR", "1")  # as rich takes a terminal to be one
    monkeypatch.setenv("TERM", "xterm-256color")
    assert "\x1b[1m" in run("show", "planar2").out
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[3" not in run("show", "planar2").out


def test_what_a_narrow_window_leaves_out_is_said(run):
    narrow = run("robots", width=60).out
    assert narrow.endswith("too narrow for: source\n")
    assert "source" in run("robots", width=80).out.splitlines()[0]


def test_version_and_hints(run):
    assert run("-V").out == run("--version").out == f"{torsor.__version__}\n"
    assert run("derive", "planar2", "--too").err.endswith("; see 'torsor derive --help'\n")
    assert run("shw").err.endswith("; see 'torsor --help'\n")


def test_completion_is_offered(run):
    assert "--install-completion" in run("--help").out


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2] / "src"))
    FOLDER.mkdir(exist_ok=True)
    for each in WIDTHS:
        (FOLDER / f"{each}.txt").write_text(transcript(each), encoding="utf-8")
