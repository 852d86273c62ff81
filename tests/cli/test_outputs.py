"""What commands write: never over what they read, never beside a device, and nothing lost by a signal."""

import os
import shutil
import signal
from pathlib import Path

import pytest

from torsor.cli.interrupts import interrupts
from torsor.model.files import whole
from torsor.scenarios import Scenario

EXAMPLES = Path(__file__).parents[2] / "examples"
SCENARIO = """name = "step"
arm = "planar2"
duration = 0.05
start = { q = [0, 0] }
[law]
kind = "pd-gravity"
Kp = 50
Kd = 10
[reference]
kind = "point"
q = [0.3, 0.2]
"""


@pytest.fixture
def tour(tmp_path):
    return shutil.copy(EXAMPLES / "programs" / "rl15_tour.irl", tmp_path / "tour.irl")


@pytest.mark.parametrize("option", ["--report", "--csv"])
def test_a_program_is_not_overwritten_by_its_results(run, tour, option):
    before = Path(tour).read_text()
    ran = run("check", tour, "--robot", "rl15", option, tour)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == f"{tour}: this file was read by this command and would be lost; write to another file\n"
    assert Path(tour).read_text() == before


def test_an_arm_is_not_overwritten_by_its_export(run, tmp_path):
    arm = tmp_path / "arm.toml"
    arm.write_text('name = "arm"\nframes = "standard-dh"\n[[link]]\njoint = "revolute"\nmass = 1\n')
    for arguments in (("export", arm, "--to", "urdf", "-o", arm), ("derive", arm, "-o", arm)):
        ran = run(*arguments)
        assert ran.code == 2
        assert "was read by this command and would be lost" in ran.err
    assert arm.read_text().startswith("name")


def test_outputs_of_one_command_are_different_files(run, tour, tmp_path):
    ran = run("check", tour, "--robot", "rl15", "--report", tmp_path / "a", "--csv", tmp_path / "a")
    assert (ran.code, ran.out) == (2, "")
    assert "--report and --csv are the same file" in ran.err
    ran = run("derive", "planar2", "--to", "c", "-o", tmp_path / "a.h")
    assert ran.code == 2
    assert "the source and its header are the same file" in ran.err
    assert os.listdir(tmp_path) == ["tour.irl"]


def test_c_to_a_device_is_one_text_and_nothing_beside_it(run, tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    assert run("derive", "planar2", "--what", "gravity", "--to", "c", "-o", pipe).code == 0
    text = os.read(reader, 1 << 20).decode()
    os.close(reader)
    assert "void" in text
    assert '#include "' not in text
    assert os.listdir(tmp_path) == ["pipe"]


@pytest.mark.parametrize(("number", "code", "said"), [
    (signal.SIGINT, 130, "interrupted\n"),
    (signal.SIGTERM, 143, "ended by SIGTERM\n"),
    (signal.SIGHUP, 129, "ended by SIGHUP\n"),
])  # fmt: skip
def test_a_signal_removes_what_is_half_written(run, tmp_path, monkeypatch, number, code, said):
    def killed(path, text):
        with whole(path) as stream:
            stream.write(b"half")
            assert len(os.listdir(tmp_path)) == 1
            os.kill(os.getpid(), number)

    monkeypatch.setattr("torsor.cli.printing.write_text", killed)
    if number == signal.SIGHUP:  # below nohup it is ignored, and stays so
        signal.signal(number, signal.SIG_DFL)
    handlers = [signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)]
    ran = run("export", "planar2", "--to", "urdf", "-o", tmp_path / "a.urdf")
    assert (ran.code, ran.err) == (code, said)
    assert os.listdir(tmp_path) == []
    assert handlers == [signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)]


@pytest.mark.parametrize("when", ["figures", "write"])
def test_late_interrupts_keep_what_was_computed(run, tmp_path, monkeypatch, when):
    """After the last step, while figures are made or files are written, Ctrl-C waits."""
    scenario, table = tmp_path / "step.toml", tmp_path / "run.csv"
    scenario.write_text(SCENARIO)
    usual = getattr(Scenario, when)

    def interrupted(self, *arguments, **options):
        os.kill(os.getpid(), signal.SIGINT)
        return usual(self, *arguments, **options)

    monkeypatch.setattr(Scenario, when, interrupted)
    ran = run("simulate", scenario, "--csv", table)
    assert (ran.code, ran.err) == (130, "")
    assert "step: planar2" in ran.out
    assert len(table.read_text().splitlines()) == 52


def test_an_interrupt_between_steps_keeps_what_was_computed(run, tmp_path, monkeypatch):
    scenario, table = tmp_path / "step.toml", tmp_path / "run.csv"
    scenario.write_text(SCENARIO)
    usual = interrupts.hold

    def interrupted():
        os.kill(os.getpid(), signal.SIGTERM)  # the first one ends it at once, inside the loop that keeps its rows
        usual()

    monkeypatch.setattr(interrupts, "hold", interrupted)
    ran = run("simulate", scenario, "--csv", table)
    assert (ran.code, ran.err) == (143, "")
    assert ran.out.startswith("interrupted")
    assert len(table.read_text().splitlines()) > 1


def test_who_cannot_wait_sends_it_twice(run, tmp_path, monkeypatch):
    scenario, table = tmp_path / "step.toml", tmp_path / "run.csv"
    scenario.write_text(SCENARIO)

    def interrupted(self, run):
        os.kill(os.getpid(), signal.SIGINT)
        os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(Scenario, "figures", interrupted)
    ran = run("simulate", scenario, "--csv", table)
    assert (ran.code, ran.err) == (130, "interrupted\n")
    assert os.listdir(tmp_path) == ["step.toml"]


def test_a_table_that_cannot_be_written_is_told_before_the_work(run, tmp_path, monkeypatch):
    scenario = tmp_path / "step.toml"
    scenario.write_text(SCENARIO)
    monkeypatch.setattr(Scenario, "run", lambda *_, **__: pytest.fail("the work was done first"))
    ran = run("simulate", scenario, "--csv", tmp_path / "no" / "run.csv")
    assert ran.code == 2
    assert "cannot write here: No such file or directory" in ran.err
