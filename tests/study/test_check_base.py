"""Many loads on one plan against `torsor.check`, run by run: the verdict and the time to the bit, shares to 1e-6."""

import dataclasses

import numpy as np
import pytest

from studied import check_base
from torsor.arm import Arm
from torsor.checking.between_samples import ROUNDING
from torsor.study import CheckBase, Study
from torsor.study.peak_search import vertex
from torsor.study.planned_loads import NEAR
from torsor.study.torque_parts import AGREES

RANGES = {"payload": (0.0, 12.0), "friction": (0.3, 2.0), "mass.link2": (0.8, 1.2), "mass": (0.9, 1.1),
          "motor": (0.8, 1.2), "motor.motor2": (0.8, 1.2), "friction.motor1": (0.5, 2.0),
          "force.z": (-40.0, 40.0)}  # fmt: skip


def drawn(names, count, seed):
    rng = np.random.default_rng(seed)
    return {name: rng.uniform(*RANGES[name], count) for name in names}


def held(base, inputs, rows):
    found = base.evaluate(inputs, base.usual)
    assert not found.failures
    seen = set()
    for row in rows:
        verdict = base.verdict({name: values[row] for name, values in inputs.items()})
        assert found.values["feasible"][row] == verdict.feasible
        assert found.values["time"][row] == verdict.time
        shares = [found.values[f"torque.{name}"][row] for name in verdict.motors]
        np.testing.assert_allclose(shares, verdict.peak("torque"), rtol=AGREES, atol=AGREES)
        seen.add(verdict.feasible)
    return seen


def test_payload_and_friction():
    """Both answers are among them: a test of one alone would prove little."""
    assert held(check_base(), drawn(["payload", "friction"], 40, 0), range(1)) | held(
        check_base(), {"payload": np.array([0.0, 40.0]), "friction": np.array([1.0, 1.0])}, range(2)
    ) == {True, False}


def test_all_that_can_vary_together():
    held(check_base(), drawn(list(RANGES), 20, 2), range(1))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("program", "robot"), [("rl15_tour.irl", "rl15"), ("palletise.v2", "puma560"), ("deburr.irl", "rl15")]
)
@pytest.mark.parametrize("names", [["payload", "friction"], list(RANGES)], ids=["two", "all"])
def test_published_programs(program, robot, names):
    base = CheckBase.of(f"examples/programs/{program}", robot)
    held(base, drawn([name for name in names if name in base.variable], 30, 1), range(6))


def near_the_limit(off):
    """Motors that are as strong as what the program takes of them, but for so much."""
    most = check_base().verdict({"payload": 2.0, "motor": 1.0}).peak("torque").max()
    return {"payload": np.full(len(off), 2.0), "motor": most / ((1.0 + np.array(off)) * (1.0 + ROUNDING))}


def test_what_is_near_is_looked_at_as_the_check_does(monkeypatch):
    """Nearer to its limit than what is found by parts may be off: only rounding is between the two then."""
    base, off = check_base(), np.array([-0.5, 0.5, -0.02, 0.02]) * NEAR
    given = near_the_limit(off)
    verdicts = [base.verdict({"payload": 2.0, "motor": factor}) for factor in given["motor"]]
    base.together(("payload", "motor"))  # plans
    monkeypatch.setattr(CheckBase, "verdict", None)  # nobody asks it
    found = base.evaluate(given, ("feasible", "torque")).values
    assert found["feasible"].tolist() == [verdict.feasible for verdict in verdicts] == [1.0, 0.0, 1.0, 0.0]
    np.testing.assert_allclose(found["torque"], [v.peak("torque").max() for v in verdicts], rtol=0, atol=1e-12)


def test_what_rounding_would_decide_is_decided_by_the_check_itself(monkeypatch):
    base, asked = check_base(), []
    given = near_the_limit([0.0, 1e-10, -1e-10, 0.1, -0.1])
    want = [base.verdict({"payload": 2.0, "motor": factor}).feasible for factor in given["motor"]]
    base.together(("payload", "motor"))
    usual = CheckBase.verdict
    monkeypatch.setattr(CheckBase, "verdict", lambda self, values: asked.append(values) or usual(self, values))
    found = base.evaluate(given, ("feasible", "torque"))
    assert found.values["feasible"].tolist() == want
    assert want[3:] == [False, True]
    assert [each["motor"] for each in asked] == given["motor"][:3].tolist()


def test_the_payload_of_the_data_sheet_is_a_limit_too():
    base = check_base()
    ((name, arm),) = base.arms.items()
    limited = Arm(dataclasses.replace(arm.model, tool_limits=dataclasses.replace(arm.model.tool_limits, payload=1.0)))
    base = CheckBase({name: limited}, base.programs)
    found = base.evaluate({"payload": np.array([0.5, 1.0, 1.1])}, ("feasible",)).values["feasible"]
    assert found.tolist() == [1.0, 1.0, 0.0]
    assert not base.verdict({"payload": 1.1}).feasible


def test_pace_replans_and_lists_choose():
    base = check_base()
    study = Study(base, {"speed": [0.5, 1.0], "payload": [0.0, 1.0]}, outputs=("time", "torque"))
    found = study.run()
    times = found.folded("time")
    assert (times[0] > 1.2 * times[1]).all()
    assert times[1, 0] == times[1, 1] == base.verdict({}).time


def test_what_makes_no_sense_fails_alone():
    """One run with a payload below zero is told by its number; the others have their answers."""
    found = check_base().evaluate({"payload": np.array([1.0, -1.0, 2.0])}, ("feasible", "torque"))
    assert list(found.failures) == [1]
    assert "payload is -1" in found.failures[1]
    assert np.isfinite(found.values["torque"][[0, 2]]).all()
    assert np.isnan(found.values["torque"][1])


def test_tops_of_parabolas():
    x = np.linspace(-1.0, 1.0, 9)
    tops = vertex(np.array([3.0 - (x - 0.07) ** 2, 2.0 + x, 1.0 - np.abs(x)]))
    np.testing.assert_allclose(tops, [3.0, 3.0, 1.0], atol=1e-12)
