"""What users hold goes to other processes and back: results, arms, laws, and every error."""

import importlib
import inspect
import json
import pickle
import pkgutil
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pytest

import torsor
from studied import studies
from torsor import control
from torsor.errors import TorsorError
from torsor.motion.commands import Place
from torsor.programs.diagnostics import Diagnostic
from torsor.simulation import Event, Sampled, Simulation
from torsor.study import workspace_map

PROGRAM = """.PROGRAM two()
  MOVE #PPOINT(10, -20, 30, 0, 40, 0)
  SPEED 300
  MOVE #PPOINT(90, 10, 20, 0, 40, 0)
.END
"""
SAMPLES = {
    "problem": "it is wrong", "hint": "do it right", "file": Path("a.toml"), "line": 3, "column": 7,
    "part": ("joint", "elbow"), "nearest": np.ones(6), "pose": np.eye(4), "joint": "elbow", "value": 1.5, "limit": 1.25,
    "q": np.zeros(6), "share": 0.5, "beyond": True, "interval": 4, "x": 2.0, "most": 3.0, "s": 0.25,
    "diagnostics": [Diagnostic("error", Place("a.v2", 3, 6), f"no point P{k}", "did you mean P1?") for k in range(30)],
}  # fmt: skip


FAR = np.zeros((4, 4))
FAR[:3, 3] = 9.0


def kinds_of(base: type) -> list[type]:
    for found in pkgutil.walk_packages(torsor.__path__, "torsor."):
        importlib.import_module(found.name)
    below = [*base.__subclasses__()]
    return [base, *(kind for each in below for kind in kinds_of(each))]


def back(thing):
    return pickle.loads(pickle.dumps(thing))


def test_every_error():
    kinds = set(kinds_of(TorsorError))
    assert len(kinds) > 15
    for kind in kinds:
        asked = inspect.signature(kind).parameters.values()
        positional = [SAMPLES[each.name] for each in asked if each.kind is not each.KEYWORD_ONLY]
        error = kind(*positional, **{each.name: SAMPLES[each.name] for each in asked if each.kind is each.KEYWORD_ONLY})
        found = back(error)
        assert type(found) is kind
        assert str(found) == str(error)
        assert found.args == error.args
        np.testing.assert_equal(vars(found), vars(error))


@pytest.fixture(scope="module")
def arm():
    return torsor.load("planar2")


def test_arms_models_and_their_methods(arm):
    state = np.array([0.1, 0.2]), np.array([1.0, -2.0]), np.zeros(2)
    want = arm.inverse_dynamics(*state)
    assert type(arm.inverse_dynamics).__name__ == "builtin_function_or_method"  # after the first call
    for call in (back(arm).inverse_dynamics, back(arm.inverse_dynamics), back(back(arm.inverse_dynamics))):
        np.testing.assert_array_equal(call(*state), want)
    for name in ("planar2", "fourbar", "delta", "rl15"):
        model = torsor.load(name).model
        assert repr(back(model)) == repr(model)


@pytest.mark.parametrize("name", ["puma560", "rl15"])
def test_drives(name):
    drives = torsor.load(name).drives
    state = np.full((3, 6), 0.1)
    want = drives.torques(*state)
    for found in (back(drives).torques, back(drives.torques)):
        np.testing.assert_array_equal(found(*state), want)


LAWS = {
    "law": lambda arm: control.pd_gravity(arm, 50.0, 20.0, [0.0, 0.0]),
    "with states": lambda arm: control.pid(arm, 50.0, 20.0, 5.0, [0.0, 0.0]),
    "lambda": lambda arm: lambda t, q, qd: arm.gravity(q) - 3.0 * qd,
    "sampled": lambda arm: Sampled(lambda t, q, qd: -3.0 * qd, period=2e-3),
    "torques": lambda arm: [0.1, 0.2],
    "module": lambda arm: by_hand,
}


def by_hand(t, q, qd):
    return -3.0 * qd


@pytest.mark.parametrize("made", LAWS.values(), ids=LAWS)
def test_simulations_and_runs(arm, made):
    event = Event("low", lambda t, q, qd: q[0] - 0.05)
    sim = Simulation(arm, made(arm), limits="ignore", events=[event])
    run = sim.run(q0=[0.1, 0.2], until=0.1)
    other = back(sim)
    assert other == sim
    again, found = other.run(q0=[0.1, 0.2], until=0.1), back(run)
    for each in (again, found):
        for what in ("time", "q", "qd", "x", "tau"):
            np.testing.assert_array_equal(getattr(each, what), getattr(run, what))
    assert [(each.name, each.time) for each in found.events] == [(each.name, each.time) for each in run.events]
    if callable(found.law) and not hasattr(found.law, "states"):
        state = 0.0, np.array([0.1, 0.2]), np.array([0.3, 0.4])
        np.testing.assert_allclose(found.law(*state), run.law(*state), rtol=1e-15)


def test_a_run_of_an_arm_with_loops_and_one_of_many():
    fourbar = torsor.load("fourbar")
    for run in (
        torsor.simulate(fourbar, [0.0], q0=[0.5], until=0.02),
        torsor.simulate(fourbar, [0.0], q0=[[0.5], [0.6]], until=0.02),
    ):
        np.testing.assert_array_equal(back(run).tau, run.tau)


def test_a_law_that_only_runs_here_says_so(arm):
    def law(t, q, qd):
        return [float(q[0]), 0.0]

    with pytest.warns(torsor.simulation.SimulationNotice):
        run = torsor.simulate(arm, law, q0=[0.1, 0.2], until=0.01)
    with pytest.raises((pickle.PicklingError, AttributeError), match="law"):
        pickle.dumps(run)


def test_verdicts_and_a_real_pool(arm, tmp_path):
    """Workers of a new interpreter each: what they raise is raised here, and nothing waits for ever."""
    program, broken = tmp_path / "two.v2", tmp_path / "broken.v2"
    program.write_text(PROGRAM)
    broken.write_text(PROGRAM.replace("#PPOINT", "nowhere"))
    verdict = torsor.check(program, "puma560")
    found = back(verdict)
    assert str(found) == str(verdict)
    assert not found.feasible
    assert found.advice == verdict.advice  # searched for here, and there
    with get_context("spawn").Pool(1) as pool:
        wait = {"timeout": 120}
        there = pool.apply_async(torsor.check, (program, "puma560")).get(**wait)
        assert str(there) == str(verdict)
        assert json.loads(there.to_json()) == json.loads(verdict.to_json())
        with pytest.raises(torsor.programs.ProgramError) as error:
            pool.apply_async(torsor.check, (broken, "puma560")).get(**wait)
        assert error.value.diagnostics
        with pytest.raises(torsor.motion.Unreachable):
            pool.apply_async(torsor.load("puma560").inverse_kinematics, (np.eye(4) + FAR,)).get(**wait)
        arm.gravity([0.0, 0.0])
        rows = pool.map_async(arm.gravity, np.zeros((3, 2))).get(**wait)
        np.testing.assert_array_equal(rows, arm.gravity(np.zeros((3, 2))))
        run = pool.apply_async(torsor.simulate, (arm, [0.0, 0.0]), {"q0": [0.1, 0.2], "until": 0.01}).get(**wait)
        assert run.stopped is None


def test_studies_their_results_and_answers(tmp_path):
    """Of every kind of base, with what a task gives; results in memory and on disk, a summary, an answer."""
    for name, study in studies().items():
        other = back(study)
        assert other.contents == study.contents
        outcome, found = study.evaluate(1), back(other.evaluate(1))
        for column, values in outcome.values.items():
            np.testing.assert_array_equal(found.values[column], values)
        for result in (study.run(), study.run(tmp_path / name)):
            again = back(result)
            for column in (*result.inputs, *result.values):
                np.testing.assert_array_equal(again[column], result[column])
            assert json.dumps(back(result.summary()).document()) == json.dumps(result.summary().document())
    answer = workspace_map("planar2", states=2000)
    found = back(answer)
    assert (found.sentence, found.rows, found.found) == (answer.sentence, answer.rows, answer.found)
    assert found.notes[-1] == "the picture stayed in the process that asked"
