"""How commands end: exit codes, one line on stderr, never a traceback for what a user can do wrong."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import torsor
from torsor.cli import ending

TORSOR = [sys.executable, "-c", "import sys; from torsor.cli import main; sys.exit(main())"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["sow"], 'Unknown command "sow". Did you mean "show"?'),
        (["--bogus"], 'Unknown command "--bogus"'),
        (["show"], 'Command "show" parameter ROBOT requires an argument'),
        (["show", "rl15", "--jsn"], "Unknown option: --jsn. Did you mean --json?"),
        (["show", "rl15", "puma560"], "Unused Tokens: ['puma560']"),
        (["show", "puma56"], "no robot 'puma56'; did you mean 'puma560'? known: "),
        (["show", ""], "no robot ''; known: "),
        (["show", "nothing.toml"], "there is no file 'nothing.toml'"),
        (["show", "a" * 5000], "File name too long"),
        (["show", "nul\0byte"], "no robot "),
        (["export", "rl15"], 'Command "export" parameter --to requires an argument'),
        (["export", "rl15", "--to", "sdf"], 'Invalid value "sdf" for --to. Choose from: "toml", "urdf", "mjcf"'),
        (["export", "rl15", "--to", "urdf", "-o"], "requires an argument"),
    ],
)
def test_bad_input_is_one_line_and_exit_2(run, arguments, message):
    ran = run(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize(
    "arguments", [[], ["--help"], ["robots", "--help"], ["show", "-h"], ["export", "--help"], ["bench", "--help"]]
)
def test_help_has_an_example(run, arguments):
    ran = run(*arguments)
    assert (ran.code, ran.err) == (0, "")
    assert "Example: torsor " in ran.out


def test_version(run):
    ran = run("--version")
    assert (ran.code, ran.out) == (0, f"{torsor.__version__}\n")


def test_interrupted_is_one_line_and_exit_130(run, monkeypatch):
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("torsor.loading.load", interrupt)
    ran = run("show", "rl15")
    assert (ran.code, ran.out, ran.err) == (130, "", "interrupted\n")


def test_a_fault_of_torsor_shows_where_and_is_not_taken_for_an_answer(run, monkeypatch):
    def fault(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("torsor.loading.load", fault)
    ran = run("show", "rl15")
    assert ran.code == 70
    assert "ZeroDivisionError" in ran.err
    assert ran.err.endswith("please report it with the lines above\n")


def test_other_warnings_keep_their_form(run, monkeypatch):
    seen = []
    show = ending._warn(lambda *arguments: seen.append(arguments))
    show("old", DeprecationWarning, "file.py", 3)
    assert seen == [("old", DeprecationWarning, "file.py", 3)]


def test_a_reader_that_has_seen_enough(tmp_path):
    """torsor show rl15 --json | head -c 1: no traceback, no complaint."""
    read, write = os.pipe()
    process = subprocess.Popen([*TORSOR, "show", "rl15", "--json"], stdout=write, stderr=subprocess.PIPE, text=True)
    os.close(write)
    os.close(read)
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (141, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a disk that is always full")
def test_a_full_disk(tmp_path):
    with open("/dev/full", "w") as full:
        ran = subprocess.run([*TORSOR, "show", "rl15"], stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
    assert (ran.returncode, ran.stderr) == (2, "cannot write the output: No space left on device\n")


def test_a_closed_output():
    ran = subprocess.run(
        ["sh", "-c", 'exec "$@" >&-', "sh", *TORSOR, "robots"], capture_output=True, text=True, timeout=60
    )
    assert (ran.returncode, ran.stderr) == (2, "cannot write the output: standard output is closed\n")


def test_a_terminal_that_knows_only_ascii():
    environment = os.environ | {"PYTHONIOENCODING": "ascii", "COLUMNS": "80"}
    ran = subprocess.run([*TORSOR, "robots"], capture_output=True, env=environment, timeout=60)
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert ran.stdout.isascii()


def test_ctrl_c_while_it_works(tmp_path):
    """The process reads a pipe that never ends and is interrupted there."""
    pipe = tmp_path / "endless.toml"
    os.mkfifo(pipe)
    process = subprocess.Popen([*TORSOR, "show", str(pipe)], stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    writer = os.open(pipe, os.O_WRONLY)  # returns once the process has opened it to read
    time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    os.close(writer)
    assert (process.returncode, out, err) == (130, "", "interrupted\n")
