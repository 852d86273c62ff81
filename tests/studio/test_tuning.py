"""A gain that is turned does what a gain that was written does, for every law there is."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from torsor.algebra import substitute
from torsor.control.fields import REQUIRED, keys_of
from torsor.control.law import laws_of_files
from torsor.scenarios import parse
from torsor.scenarios.tuning import Tuned
from torsor.studio.questions import QUESTIONS
from torsor.studio.shelf import Shelf

TEXT = """name = "a"
arm = "{arm}"
duration = 0.1
limits = "ignore"
start = {{ q = {q0} }}
law = {{ kind = "{kind}", {gains} }}
reference = {{ kind = "point", {goal} }}
{more}
"""
IN_JOINTS = {"arm": "planar2", "q0": [0.1, 0.2], "goal": "q = [0.3, 0.1]"}
IN_SPACE = {"arm": "scara", "q0": [0.3, 0.8, 0.1, 0.0], "goal": "position = [0.3, 0.5, 0.1]"}


def scenario_of(kind, more=""):
    law = laws_of_files()[kind]
    keys = keys_of(law.fields)
    said = {key: 5.0 for key, field in keys.items() if REQUIRED is field.default is field.unsaid}
    said |= {"payload": "[0, 1]", "disturbance": 1.0} if "payload" in keys else {}
    gains = ", ".join(f"{key} = {value}" for key, value in said.items())
    where = IN_SPACE if law.follows() == "tool" else IN_JOINTS
    return parse(TEXT.format(kind=kind, gains=gains, more=more, **where))


@pytest.mark.parametrize("kind", laws_of_files())
def test_what_a_law_reads_is_all_that_can_be_turned(kind):
    """The law with symbols for gains, these put in afterwards, is the law with the gains: nothing was kept aside."""
    tuned = Tuned(scenario_of(kind))
    arm, law = tuned.scenario.arm, tuned.simulation.law
    q, qd = np.full(arm.n, 0.3), np.full(arm.n, 0.2)
    x = [law.initial_state(q, qd)] if law.states else []
    turned = {knob.name: 1.5 * np.array(knob.values) for knob in tuned.knobs}
    assert turned
    values = {f"{name}": value for name, value in turned.items()}
    put = {}
    for name, value in values.items():
        entries = np.ravel(getattr(law, name))
        numbers = np.ravel(np.diag(value) if getattr(law, name).ndim > value.ndim else value)
        put |= {entry: number for entry, number in zip(entries, numbers, strict=True) if hasattr(entry, "op")}
    symbolic = law.torque_and_rates(0.1, q, qd, np.concatenate([*x, []]))
    plain = tuned.with_gains(turned).law.torque_and_rates(0.1, q, qd, np.concatenate([*x, []]))
    for mine, theirs in zip(symbolic, plain, strict=True):
        numbers = [
            float(substitute(np.array([each]), put)[0]) if hasattr(each, "op") else each for each in np.ravel(mine)
        ]
        np.testing.assert_allclose(np.array(numbers, dtype=float), np.ravel(theirs), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("kind", ["pid", "computed-torque"])
def test_turned_is_written(kind):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tuned = Tuned(scenario_of(kind))
        gains = {knob.name: (1.5 * np.array(knob.values)).tolist() for knob in tuned.knobs}
        run, plain = tuned.run(gains), tuned.with_gains(gains).run()
        np.testing.assert_allclose(run.q, plain.q, rtol=1e-9, atol=1e-11)
        for name, value in gains.items():  # every knob does something
            assert np.abs(tuned.run({name: value}).q - tuned.run().q).max() > 0.0, name


def test_knobs_of_a_law_that_is_sampled_and_cut_off():
    more = "[controller]\nperiod = 0.002\n"
    tuned = Tuned(scenario_of("pd-gravity", more))
    assert [knob.name for knob in tuned.knobs] == ["Kp", "Kd"]
    gains = {"Kp": [9.0, 8.0]}
    np.testing.assert_allclose(tuned.run(gains).q, tuned.with_gains(gains).run().q, rtol=1e-9, atol=1e-11)


def test_a_matrix_where_there_were_numbers():
    tuned = Tuned(scenario_of("pd-gravity"))
    gains = {"Kp": [[9.0, 1.0], [1.0, 8.0]]}
    np.testing.assert_allclose(tuned.run(gains).q, tuned.with_gains(gains).run().q, rtol=1e-12)


def test_one_simulation_serves_all_gains(monkeypatch):
    tuned = Tuned(scenario_of("pd-gravity"))
    tuned.run()
    kept = tuned.simulation
    tuned.run({"Kp": 7.0})
    assert tuned.simulation is kept


def test_held_torques_have_no_knobs():
    law = 'law = { kind = "torque", torque = "hold" }'
    text = f'name = "a"\narm = "planar2"\nduration = 0.1\nstart = {{ q = [0, 0] }}\n{law}\n'
    assert Tuned(parse(text)).knobs == []
    assert len(Tuned(parse(text)).run().time) == 101


@pytest.mark.parametrize("kind", laws_of_files())
def test_every_template_is_a_scenario(kind):
    arm = "scara" if laws_of_files()[kind].follows() == "tool" else "planar2"
    made = QUESTIONS["template"].answer(Shelf({}), lambda text: None, {"arm": arm, "law": kind})
    scenario = parse(made["text"].replace("duration = 3", "duration = 0.05"))
    assert scenario.kind == kind
