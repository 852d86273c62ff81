"""``torsor simulate``: exit codes, tables, one JSON document, files that appear whole, Ctrl-C."""

import csv
import json
import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from bad_scenarios import BAD_SCENARIOS, GOOD

EXAMPLES = Path(__file__).parents[2] / "examples" / "scenarios"
CLOSED = EXAMPLES / "irb140_closed_loop_1.toml"
TORSOR = [sys.executable, "-c", "import sys; from torsor.cli import main; sys.exit(main())"]
WILD = 'name = "wild"\narm = "planar2"\nduration = 1\nintegrator = "euler"\ndt = 0.01\nstart = { q = [1, 0] }\nlaw = { kind = "pd-gravity", Kp = 1e6, Kd = 1e5 }\nreference = { kind = "point", q = [0, 0] }\n'  # noqa: E501


@pytest.fixture
def good(tmp_path):
    path = tmp_path / "good.toml"
    path.write_text(GOOD)
    return path


@pytest.mark.parametrize("width", [80, 120])
def test_the_table_lines_up(run, width):
    ran = run("simulate", CLOSED, width=width)
    assert (ran.code, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert lines[0].startswith("yes  IRB 140, closed loop 1: irb140 under pd-gravity settles within ")
    assert max(map(len, lines)) <= width
    at = next(k for k, line in enumerate(lines) if line.startswith("joint "))
    head, rule, *body = lines[at:]
    assert head.split() == [
        "joint",
        "settles",
        "s",
        "over",
        "deg",
        "RMS",
        "deg",
        "end",
        "deg",
        "peak",
        "N",
        "m",
        "energy",
        "J",
    ]
    assert set(rule) == {"─"}
    rows = body[: body.index("")]
    assert [row.split()[0] for row in rows] == [f"joint{k}" for k in range(1, 7)]
    assert len({len(row) for row in rows} | {len(head)}) == 1  # numbers end where their headings do
    assert [float(row.split()[1]) for row in rows] == pytest.approx(
        [0.984, 2.666, 1.587, 1.979, 1.746, 1.855], abs=0.01
    )
    assert "the loop is stiff" in ran.out


def test_json_is_one_document(run):
    ran = run("simulate", CLOSED, "--json")
    assert (ran.code, ran.err) == (0, "")
    document = json.loads(ran.out)
    kinds = {
        "name": str, "file": str, "source": str, "arm": str, "law": str, "duration": float, "dt": float,
        "integrator": str, "good": bool, "asks_to_settle": bool, "unsettled": list,
            "reached": float, "states": int, "stopped": type(None),
        "settled_within": float, "follows": str, "errors": list, "motors": list, "final": dict, "energy": dict,
        "saturated_time": float, "events": list, "notes": list, "by": list, "files": dict,
    }  # fmt: skip
    assert {key: type(value) for key, value in document.items()} == kinds
    assert list(document["errors"][0]) == ["name", "settling_time", "overshoot", "rms_error", "final_error"]
    assert list(document["motors"][0]) == ["name", "peak_torque", "peak_time", "energy"]
    assert [each["name"] for each in document["by"]] == ["newton-euler", "exponentials"]
    assert max(each["apart"] for each in document["by"][1]["apart"]) < 1e-9
    assert (document["good"], document["integrator"], document["states"]) == (True, "rosenbrock", 5001)
    assert document["errors"][1]["settling_time"] == pytest.approx(2.666, abs=0.01)
    assert document["motors"][5]["peak_torque"] == pytest.approx(-188.4956, abs=0.1)


def test_without_a_reference_errors_are_null(run, tmp_path):
    path = tmp_path / "free.toml"
    path.write_text(GOOD.replace('kind = "pd-gravity", Kp = 50, Kd = 20', 'kind = "torque", torque = [0, 0]')
                    .split("reference")[0])  # fmt: skip
    document = json.loads(run("simulate", path, "--json").out)
    assert document["errors"][0] == {
        "name": "joint1", "settling_time": None, "overshoot": None, "rms_error": None, "final_error": None,
    }  # fmt: skip
    assert "Torques" in run("simulate", path).out


def test_divergence_is_exit_1_with_time_joint_and_a_hint(run, tmp_path):
    path = tmp_path / "wild.toml"
    path.write_text(WILD)
    ran = run("simulate", path)
    assert (ran.code, ran.err) == (1, "")
    said = " ".join(ran.out.split())
    assert said.startswith("no wild: planar2 under pd-gravity: the motion diverges at 0.0")
    assert "integrator='rosenbrock'" in said
    document = json.loads(run("simulate", path, "--json").out)
    assert (document["good"], document["stopped"]["reason"]) == (False, "diverged")


def test_a_limit_is_exit_1(run, tmp_path):
    path = tmp_path / "limit.toml"
    text = 'name = "limit"\narm = "scara"\nduration = 1\n{}start = {{ q = [2.5, 0, 0.1, 0], qd = [1, 0, 0, 0] }}\n'
    text += 'law = {{ kind = "torque", torque = "hold" }}\n'
    path.write_text(text.format(""))
    ran = run("simulate", path)
    assert ran.code == 1
    assert ran.out.split()[0] == "no"
    assert "shoulder" in ran.out
    path.write_text(text.format('limits = "report"\n'))
    ran = run("simulate", path)
    assert ran.code == 1
    assert "Events" in ran.out
    path.write_text(text.format('limits = "ignore"\n'))
    assert run("simulate", path).code == 0


def test_files(run, good, tmp_path):
    pytest.importorskip("matplotlib")
    ran = run("simulate", good, "--csv", tmp_path / "run.csv", "--plot", tmp_path / "run.png")
    assert (ran.code, ran.err) == (0, "")
    assert "Written" in ran.out
    with (tmp_path / "run.csv").open() as stream:
        rows = list(csv.DictReader(stream))
    assert len(rows) == 1001
    assert float(rows[-1]["time"]) == pytest.approx(1.0)
    assert (tmp_path / "run.png").read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["good.toml", "run.csv", "run.png"]


def test_files_of_the_scenario_lie_beside_it(run, good):
    good.write_text(GOOD + '[output]\ncsv = "states.csv"\n')
    document = json.loads(run("simulate", good, "--json").out)
    assert document["files"] == {"csv": str(good.parent / "states.csv")}
    assert (good.parent / "states.csv").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--plot", "run.what"], "cannot draw to run.what; give a path that ends in .png, .svg or .pdf"),
        (["--csv", "no/run.csv"], "no/run.csv: cannot write here: No such file or directory"),
    ],
)
def test_outputs_that_cannot_be(run, good, arguments, message, monkeypatch):
    monkeypatch.chdir(good.parent)
    ran = run("simulate", good, *arguments)
    assert (ran.code, ran.out, ran.err) == (2, "", message + "\n")


@pytest.mark.parametrize("bad", BAD_SCENARIOS, ids=str)
def test_bad_scenarios_are_one_line_and_exit_2(run, bad, tmp_path):
    path = bad.write(tmp_path)
    ran = run("simulate", path)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == f"{tmp_path / bad.culprit}{bad.message}\n".replace("{folder}", str(tmp_path))


def test_help_has_an_example(run):
    ran = run("simulate", "--help")
    assert ran.code == 0
    assert "Example: torsor simulate examples/scenarios/irb140_closed_loop_1.toml" in ran.out


def test_a_bar_on_a_terminal(good):
    """In a pipe stderr stays silent (every other test here); on a terminal it shows how far it is."""
    ours, theirs = pty.openpty()
    ran = subprocess.run([*TORSOR, "simulate", str(good)], stdout=subprocess.PIPE, stderr=theirs, timeout=120)
    os.close(theirs)
    os.set_blocking(ours, False)
    shown = os.read(ours, 100_000).decode()
    os.close(ours)
    assert ran.returncode == 0
    assert "of 1 s" in shown
    assert ran.stdout.decode().startswith("yes")


def test_ctrl_c_keeps_what_was_computed(tmp_path):
    path = tmp_path / "long.toml"
    path.write_text(GOOD.replace("duration = 1\n", "duration = 100000\nevery = 1000\n"))
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [*TORSOR, "simulate", str(path), "--json", "--csv", str(tmp_path / "run.csv")],
        stdout=subprocess.PIPE, stderr=theirs,
    )  # fmt: skip
    shown = b""
    while b"of 100000 s" not in shown:  # the bar tells that it is on its way
        shown += os.read(ours, 10_000)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    os.close(theirs)
    os.close(ours)
    assert process.returncode == 130
    document = json.loads(out)
    assert document["stopped"]["reason"] == "interrupted"
    assert 0.0 < document["reached"] < 100_000.0
    times = np.genfromtxt(tmp_path / "run.csv", delimiter=",", names=True)["time"]
    assert len(times) == document["states"]
    assert times[-1] == pytest.approx(document["reached"])


def test_the_report_is_a_page_with_the_arm_its_motion_and_what_it_presses_on(run, tmp_path):
    scenario = EXAMPLES / "irb140_contact.toml"
    ran = run("simulate", scenario, "--report", tmp_path / "run.html", "--json")
    assert ran.code == 0
    assert json.loads(ran.out)["files"] == {"report": str(tmp_path / "run.html")}
    page = (tmp_path / "run.html").read_text()
    data = json.loads(page.partition('id="torsor">')[2].partition("</script>")[0])
    assert (data["kind"], len(data["motions"])) == ("run", 1)
    (plane,) = data["scene"]["planes"]
    assert plane["normal"] == [-1.0, 0.0, 0.0]
    # what bearings carry is not known where a wall pushes the tool
    wanted = {"positions", "speeds", "accelerations", "torques", "power", "energy", "tool"}
    assert {group["key"] for group in data["groups"]} == wanted


def test_a_report_that_cannot_be_written_is_told_before_the_work(run, good, tmp_path):
    ran = run("simulate", good, "--report", tmp_path / "none" / "run.html")
    assert ran.code == 2
    assert "cannot write here" in ran.err


def test_the_first_word_answers_what_is_asked(run, tmp_path):
    """An arm that falls is not a yes; one that does not arrive is a no."""
    fallen = run("simulate", EXAMPLES / "irb140_open_loop_falling.toml")
    assert fallen.code == 0
    assert fallen.out.startswith("ended  IRB 140, open loop, falling: irb140 under torque came to its end, 2 s")
    lazy = tmp_path / "lazy.toml"
    lazy.write_text(
        'name = "lazy"\narm = "planar2"\nduration = 0.1\nstart = { q = [1, 0] }\n'
        'law = { kind = "pd-gravity", Kp = 1, Kd = 1 }\nreference = { kind = "point", q = [0, 0] }\n'
    )
    late = run("simulate", lazy, width=200)
    assert late.code == 1
    assert late.out.startswith("no  lazy: planar2 under pd-gravity: joint1 not settled within 1.15 deg after ")
    found = json.loads(run("simulate", lazy, "--json").out)
    assert (found["good"], found["unsettled"]) == (False, ["joint1"])
