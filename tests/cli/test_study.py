"""``torsor study``: files, folders, resume, questions, exit codes, one JSON document."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

TORSOR = [sys.executable, "-c", "import sys; from torsor.cli import main; sys.exit(main())"]
STUDY = """name = "postures"
samples = 40
seed = 2
chunk = 10
[quantity]
robot = "planar2"
[vary]
q.joint1 = { uniform = [0, 1] }
q.joint2 = { normal = 0.5, deviation = 0.1 }
"""


@pytest.fixture
def asked(tmp_path):
    path = tmp_path / "study.toml"
    path.write_text(STUDY)
    return path


def test_a_file_a_folder_and_resume(run, asked, tmp_path):
    folder = tmp_path / "results"
    ran = run("study", asked, "-o", folder, "--summary", "--report", tmp_path / "a.html")
    assert (ran.code, ran.err) == (0, "")
    assert "postures, 40 runs of quantity" in ran.out
    assert "Rank correlations" in ran.out
    assert "data:image/png" in (tmp_path / "a.html").read_text()
    again = run("study", asked, "-o", folder)
    assert again.code == 2
    assert "there are results here already; resume goes on with them" in again.err
    assert run("study", asked, "-o", folder, "--resume").code == 0
    looked = run("study", folder, "--json")
    document = json.loads(looked.out)
    assert (looked.code, document["runs"], document["failed"]) == (0, 40, 0)
    assert document == json.loads(run("study", asked, "-o", folder, "--resume", "--json").out)
    asked.write_text(STUDY.replace("seed = 2", "seed = 3"))
    assert "the study changed since these results were begun" in run("study", asked, "-o", folder, "--resume").err


@pytest.mark.slow
def test_a_question_under_conditions_of_a_check(run):
    words = ["examples/programs/rl15_tour.irl", "--robot", "rl15", "--samples", "20", "--json"]
    more = ["--payload", "43", "--force", "0", "0", "-100", "--start", "0 0 0 0 0 0", "--cell", "empty"]
    first, second = (json.loads(run("study", "probability", *words, *each).out) for each in ([], more))
    assert first["probability"] == 1.0
    assert second["probability"] < 1.0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nowhere.toml"], "nowhere.toml: cannot read the file"),
        (["map", "planar2", "--quantity", "beauty"], "there is no quantity 'beauty'"),
        (["map", "planar2", "--section", "ab"], "--section"),
        (["payload", "nowhere.irl", "--robot", "planar2"], "nowhere.irl"),
        (["probability", "a.irl", "--robot", "planar2", "--vary", "friction"], "says not what varies"),
        (["gains", "nowhere.toml"], "nowhere.toml: cannot read the file"),
    ],
)
def test_bad_input(run, words, said):
    ran = run("study", *words)
    assert ran.code == 2
    assert said in ran.err


def test_a_map(run, tmp_path):
    ran = run("study", "map", "planar2", "--section", "xy", "--states", 2000, "--plot", tmp_path / "a.png")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("answer  the tool of planar2 reaches")
    assert (tmp_path / "a.png").read_bytes()[:4] == b"\x89PNG"
    document = json.loads(run("study", "map", "planar2", "--section", "xy", "--states", 2000, "--json").out)
    assert document["states"] == 2000
    assert document["yes"] is True


def test_ctrl_c_keeps_what_is_complete(asked, tmp_path):
    """A signal in the midst: exit code 130, and resume computes the rest."""
    folder = tmp_path / "results"
    asked.write_text(STUDY.replace("samples = 40", "samples = 20000000").replace("chunk = 10", "chunk = 50000"))
    process = subprocess.Popen([*TORSOR, "study", str(asked), "-o", str(folder)], stderr=subprocess.PIPE, text=True)
    try:
        deadline = time.monotonic() + 240
        while not list(folder.glob("chunks/*.json")):
            assert time.monotonic() < deadline
            assert process.poll() is None
            time.sleep(0.01)
        os.kill(process.pid, signal.SIGINT)
        _, said = process.communicate(timeout=120)
    finally:
        process.kill()  # where the test failed, it does not go on for itself
    assert (process.returncode, said) == (130, "interrupted\n")
    assert list(folder.glob("chunks/*.json"))
