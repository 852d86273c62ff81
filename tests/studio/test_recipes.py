"""The Python that an answer carries gives that answer."""

from __future__ import annotations

import json

import numpy as np
import pytest

from studio_texts import STEP, SWING
from torsor.studio.questions import QUESTIONS
from torsor.studio.shelf import Shelf
from torsor.studio.worker import as_json

SHELF = Shelf({})


def answered(question, **asked):
    """The answer, and what its Python leaves behind."""
    found = json.loads(as_json(QUESTIONS[question].answer(SHELF, lambda text: None, asked)))
    names: dict = {}
    exec(compile(found["python"], question, "exec"), names)
    return found, names


def test_of_a_state():
    found, names = answered("state", arm="rl15", q=[0.1, 0.2, 0.3, 0.4, 0.5, 0.6], qd=[0.1] * 6, payload=3.0)
    for name in ("torque", "gravity", "mass_matrix", "manipulability", "motor_torque", "effective_inertia"):
        np.testing.assert_array_equal(names[name], found[name])


@pytest.mark.parametrize("x", [0.4, 5.0])
def test_of_a_reach(x):
    pose = [0.0, 0.0, 1.0, x, 0.0, 1.0, 0.0, 0.1, -1.0, 0.0, 0.0, 0.2, 0.0, 0.0, 0.0, 1.0]
    asked = {"arm": "puma560", "pose": pose, "near": [0.1] * 6}
    found, names = answered("reach", **asked)
    np.testing.assert_allclose(names["q"], found["q"], atol=1e-12)


def test_of_diagnostics(capsys):
    found, names = answered("diagnose", text=SWING.replace("ptp far", "ptp 'fra\\n'"), name="it's.irl")
    assert len(names["program"].diagnostics) == len(found["diagnostics"]) > 0


def test_of_a_check(capsys):
    found, names = answered("check", arm="rl15", text=SWING, speed=0.5, payload=1.0)
    assert names["verdict"].headline == found["document"]["verdict"] == capsys.readouterr().out.strip()


def test_of_a_comparison():
    asked = {"arm": "rl15", "text": SWING}
    found, names = answered("compare", before=asked, after=asked | {"acceleration": 0.5})
    assert names["longer"] == found["longer"] > 0.0


def test_of_a_run():
    found, names = answered("run", text=STEP, gains={"Kd": [30.0, 25.0]})
    np.testing.assert_allclose(names["run"].q[-1], np.array(found["q"])[:, -1], rtol=1e-9, atol=1e-12)
    for mine, theirs in zip(names["figures"].document()["errors"], found["figures"]["errors"], strict=True):
        assert mine["rms_error"] == pytest.approx(theirs["rms_error"], rel=1e-9)


@pytest.mark.parametrize("to", ["latex", "text", "c", "python"])
def test_of_equations(to):
    found, names = answered("equations", arm="planar2", quantity="gravity", to=to)
    assert names["text"] == found["text"]


def test_of_exports(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for to in ("html", "csv", "json"):
        found, _ = answered("export", to=to, check={"arm": "rl15", "text": SWING})
        assert (tmp_path / found["name"]).read_text() == found["text"]
    found, _ = answered("export", to="csv", scenario={"text": STEP})
    assert (tmp_path / found["name"]).read_text() == found["text"]


def test_commands_do_the_same(tmp_path, monkeypatch, capsys):
    import shlex

    from torsor.cli import main

    monkeypatch.chdir(tmp_path)
    found, _ = answered("check", arm="rl15", text=SWING, speed=0.5)
    (tmp_path / "program.irl").write_text(SWING)
    capsys.readouterr()
    assert main([*shlex.split(found["command"])[1:], "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["time"] == found["document"]["time"]
    found, _ = answered("equations", arm="planar2", quantity="gravity", to="text")
    capsys.readouterr()
    assert main(shlex.split(found["command"])[1:]) == 0
    assert capsys.readouterr().out.strip() == found["text"].strip()
