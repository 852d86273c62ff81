"""``torsor monitor`` from outside: its table, its exit codes, Ctrl-C, and a sender that plays a robot."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import torsor
from monitored_streams import swinging
from torsor.cli import main

EXAMPLES = Path(__file__).parents[2] / "examples"
ARM = torsor.load("planar2")


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    return tmp_path


def log(path, motion):
    rows = zip(motion.t.tolist(), motion.q.tolist(), motion.qd.tolist(), motion.u.tolist(), strict=True)
    titles = ["time", *(f"{word}{k}" for word in ("q", "qd", "tau_joint") for k in (1, 2))]
    lines = [",".join(map(repr, [t, *q, *qd, *u])) for t, q, qd, u in rows]
    path.write_text("\n".join([",".join(titles), *lines]) + "\n")


def test_a_quiet_log_is_fine(here, capsys):
    log(here / "quiet.csv", swinging(ARM, np.arange(0.0, 4.0, 2e-3)).noisy())
    assert main(["monitor", "quiet.csv", "--robot", "planar2", "--pace", "full"]) == 0
    out = capsys.readouterr().out
    assert "stream   planar2, ended, 0 flags" in out
    assert "samples  2000 in 3.998 s, 500 Hz" in out
    assert "trouble  none" in out
    assert "Flags" not in out
    assert list(here.glob("*.mcap")) == []  # a log is on disk already


def test_a_collision_is_an_answer(here, capsys):
    t = np.arange(0.0, 4.0, 2e-3)
    wrench = ((t > 3.0) & (t < 3.2))[:, None] * np.array([0.0, 30.0, 0.0, 0.0, 0.0, 0.0])
    log(here / "hit.csv", swinging(ARM, t, wrench=wrench).noisy())
    options = ["--robot", "planar2", "--pace", "full", "--record", "kept.mcap"]
    assert main(["monitor", "hit.csv", *options]) == 1
    assert re.search(r"^ 3\.00\d  3\.\d+  collision  joint1 ", capsys.readouterr().out, re.MULTILINE)
    # what was recorded is the same stream
    assert main(["monitor", "kept.mcap", "--robot", "planar2", "--pace", "full", "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["samples"] == 2000
    assert {flag["kind"] for flag in found["flags"]} == {"collision"}
    assert main(["monitor", "hit.csv", *options]) == 2
    assert "kept.mcap: this file is there already" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["udp://10.0.0.1:5005"], "10.0.0.1 is not this machine; give 127.0.0.1, ::1 or localhost"),
        (["nothing.csv"], "nothing.csv: cannot read the file: No such file or directory"),
        (["nothing.csv", "--pace", "slow"], "the pace is 'slow'; a number above zero, or full"),
        (["-", "--record", "a.mcap", "--no-record"], "--record and --no-record exclude each other"),
        (["-", "--gain", "0"], "Give 0.1 to 10000 1/s"),
    ],
)
def test_bad_input_is_told(arguments, told, here, capsys):
    assert main(["monitor", *arguments, "--robot", "planar2"]) == 2
    assert told in capsys.readouterr().err
    assert list(here.iterdir()) == []


def monitor(folder, *arguments, **options):
    program = "import sys; from torsor.cli import main; sys.exit(main(sys.argv[1:]))"
    command = [sys.executable, "-c", program, "monitor", "--no-page", *arguments]
    environment = os.environ | {"COLUMNS": "100"}
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    return subprocess.Popen(command, cwd=folder, env=environment, text=True, **pipes)


def test_ctrl_c_ends_with_the_table_and_a_whole_record(tmp_path):
    process = monitor(tmp_path, "-", "--robot", "planar2")
    process.stdin.write('{"t": 0, "q": [0, 0]}\nno sample \x1b[31m\n{"t": 0.1, "q": [0, 0]}\n')
    process.stdin.flush()
    until = time.monotonic() + 60.0
    while not (found := list(tmp_path.glob("monitor-planar2-*.mcap"))) or b'"t": 0.1' not in found[0].read_bytes():
        assert time.monotonic() < until
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, error = process.communicate(timeout=60)
    assert (process.returncode, error) == (130, "")
    assert "planar2, interrupted, 0 flags" in out
    assert "samples  2 in 0.100 s" in out
    assert r"no JSON: no sample \x1b[31m" in out
    assert f"record   {found[0].name}, 3 lines" in out
    from mcap.reader import make_reader

    with found[0].open("rb") as stream:  # the end of the file is there: it has a summary
        assert make_reader(stream).get_summary().statistics.message_count == 3


def test_another_arms_stream_is_refused_and_still_recorded(tmp_path):
    process = monitor(tmp_path, "-", "--robot", "planar2", "--record", "kept.mcap")
    out, error = process.communicate('{"t": 0, "q": [0, 0, 0]}\n', timeout=60)
    assert (process.returncode, out) == (2, "")
    assert error == "q has 3 numbers; 'planar2' has 2 joints\n"
    assert b'"q": [0, 0, 0]' in (tmp_path / "kept.mcap").read_bytes()


def test_the_sender_is_watched(tmp_path):
    """A simulated robot over UDP, pushed on its way."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        place = f"udp://127.0.0.1:{probe.getsockname()[1]}"
    watching = monitor(tmp_path, place, "--robot", "planar2", "--for", "30", "--json")
    until = time.monotonic() + 60.0
    while not list(tmp_path.glob("*.mcap")):  # it listens
        assert time.monotonic() < until
        time.sleep(0.05)
    sender = [sys.executable, EXAMPLES / "robot_sender.py", "--robot", "planar2", "--to", place]
    more = ["--seconds", "3", "--rate", "500", "--collision", "2.2"]
    sent = subprocess.run([*sender, *more], capture_output=True, text=True, check=True, timeout=60)
    assert sent.stdout == "1501 samples of planar2 sent\n"
    time.sleep(0.5)
    watching.send_signal(signal.SIGTERM)
    out, error = watching.communicate(timeout=60)
    assert (watching.returncode, error) == (143, "")
    found = json.loads(out)
    assert found["samples"] == 1501
    assert found["malformed"] == found["out_of_order"] == 0
    first = min(flag["time"] for flag in found["flags"] if flag["kind"] == "collision")
    assert 2.2 <= first < 2.25
