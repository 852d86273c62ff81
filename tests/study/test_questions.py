"""Questions that are ready to ask: each a sentence, a table, a picture, and numbers that hold."""

import json

import numpy as np
import pytest

import torsor
from studied import STEP, check_base
from torsor.errors import StudyError
from torsor.scenarios import parse
from torsor.sizing import CatalogueMotor, read_catalogue
from torsor.study import (
    CheckBase,
    Grid1D,
    QuantityBase,
    Uniform,
    fastest,
    gain_map,
    motor_choice,
    payload_limit,
    probability,
    program_table,
    workspace_map,
)  # fmt: skip
from torsor.study.cells import binned


@pytest.fixture(scope="module")
def given():
    base = check_base()
    return next(iter(base.programs.values())), next(iter(base.arms.values()))


def whole(answer, tmp_path):
    """It is told, drawn and written down."""
    assert answer.sentence
    assert json.dumps(answer.document())
    for row in answer.rows:
        assert len(row) == len(answer.titles)
    answer.plot(tmp_path / "a.png")
    answer.report(tmp_path / "a.html")
    assert ('"clouds"' if answer.space else "data:image/png") in (tmp_path / "a.html").read_text()
    return answer


def test_probability(given, tmp_path):
    vary = {"friction": Uniform(0.8, 1.2), "motor": Uniform(0.7, 1.1)}
    answer = whole(probability(*given, vary, samples=300, payload=2.0), tmp_path)
    feasible = answer.result["feasible"]
    assert answer.found["probability"] == feasible.mean()
    assert 0.0 < feasible.mean() < 1.0
    assert "assumed" not in answer.sentence
    assert "assumed" in probability(*given, samples=10).sentence


def test_of_saltelli_only_independent_runs_say_how_likely(given):
    """Mixtures of A and B repeat what these say: an interval from all of them would be too narrow."""
    answer = probability(*given, {"motor": Uniform(0.7, 1.1)}, samples=64, design="saltelli", payload=2.0)
    rows = answer.result["feasible"].reshape(64, 3)
    assert answer.found["runs"] == 128
    assert answer.found["probability"] == rows[:, :2].mean()


HELD = """def main():
  set_payload(1.0)
  movej([0.3, -0.2], a=1.0, v=0.5)
end
"""


def test_a_program_that_says_itself_what_the_arm_holds(given):
    """Payloads of a study end there: that is said, and not taken for an arm that lifts everything."""
    program = torsor.programs.parse(HELD, "URScript", file="held.script")
    with pytest.raises(StudyError, match="held says itself what the arm holds, from line 2 on"):
        payload_limit(program, given[1])
    assert "from line 2 on" in " ".join(fastest(program, given[1], [0.0, 1.0]).notes)


def test_an_error_of_ours_takes_one_run_and_is_told(monkeypatch):
    base = check_base()
    monkeypatch.setattr(CheckBase, "verdict", lambda self, values: 1 / int(values["payload"]))
    found = base.evaluate({"payload": np.array([0.0])}, ("energy",))
    assert found.failures == {0: "an error in Torsor itself, please report it: ZeroDivisionError: division by zero"}
    assert np.isnan(found.values["energy"]).all()


def test_fastest(given, tmp_path):
    """The pace that is told is feasible by `torsor.check`, and the heavier the payload the slower."""
    much = 1.2 * payload_limit(*given).found["limit"]
    answer = whole(fastest(*given, [0.0, much]), tmp_path)
    light, heavy = answer.found["pace"]
    assert light > heavy > 0.0
    base = check_base()
    for pace, mass in ((light, 0.0), (heavy, much)):
        assert base.verdict({"speed": pace, "acceleration": pace**2, "payload": mass}).feasible
        assert not base.verdict({"speed": 1.05 * pace, "acceleration": (1.05 * pace) ** 2, "payload": mass}).feasible


def test_table_and_motors(given, tmp_path):
    program, arm = given
    answer = whole(program_table([program], [arm], workers=1), tmp_path)
    assert answer.rows[0][1].endswith(" s")
    strong = CatalogueMotor(name="strong", torque=5.0, speed=400.0, rotor_inertia=0.001)
    weak = CatalogueMotor(name="weak", torque=0.01, speed=400.0, rotor_inertia=0.0001)
    chosen = whole(motor_choice(program, arm, (weak, strong), workers=1), tmp_path)
    assert chosen.yes
    assert set(chosen.found["motors"].values()) == {"strong"}
    assert not motor_choice(program, arm, (weak,), workers=1).yes


def test_a_map_of_gains(tmp_path):
    grids = {"Kp": Grid1D(20.0, 80.0, 3), "Kd": Grid1D(10.0, 30.0, 3)}
    answer = whole(gain_map(parse(STEP.replace("0.5", "2")), grids), tmp_path)
    assert answer.found == {"good": 9, "runs": 9}
    assert len(gain_map(parse(STEP)).result["Kp.factor"]) == 24 * 24
    with pytest.raises(StudyError, match="two grids"):
        gain_map(parse(STEP), {"Kp": Grid1D(1.0, 2.0, 2)})


def test_a_map_of_the_workspace_in_closed_form(tmp_path):
    """Two links of 1 m: the tool reaches a disc of 2 m, and the volume of its velocities is |sin q2|."""
    answer = whole(workspace_map("planar2", section="xy", states=50_000), tmp_path)
    result = answer.result
    np.testing.assert_allclose(result["manipulability"], np.abs(np.sin(result["q.joint2"])), atol=1e-12)
    assert np.hypot(result["x"], result["y"]).max() <= 2.0 + 1e-12
    assert "plane of x and y" in answer.sentence
    _, cells = binned(np.stack([result["x"], result["y"]]), result["manipulability"], 20, lowest=False)
    assert np.nanmax(cells) == result["manipulability"].max()
    space = whole(workspace_map("planar2", "reach", section="xyz", states=2000, joints=["joint2"]), tmp_path)
    assert space.found["most"] <= 2.0 + 1e-12


def test_quantities_against_the_arm(given):
    """What motors hold: at the payload that is told one of them gives exactly its torque, at rest."""
    arm = given[1]
    base = QuantityBase.of(arm, quantities=("torque_margin", "payload"))
    q = {"q.joint1": np.array([0.1, 0.4]), "q.joint2": np.array([0.3, -1.0])}
    found = base.evaluate(q, ("torque_margin", "payload", "effective_inertia.motor1")).values
    states = np.column_stack(list(q.values()))
    for k, state in enumerate(states):
        still = np.zeros(2)
        limit = arm.drives.available(still)[1]
        held = arm.with_payload(found["payload"][k]).drives.torques(state, still, still, friction=False)
        assert (np.abs(held) / limit).max() == pytest.approx(1.0, rel=1e-12)
        own = arm.drives.torques(state, still, still, friction=False)
        assert found["torque_margin"][k] == pytest.approx(1.0 - (np.abs(own) / limit).max(), rel=1e-12)
        assert found["effective_inertia.motor1"][k] == arm.drives.effective_inertia(state)[0]


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda: workspace_map("planar2", "beauty"), "there is no quantity 'beauty'"),
        (lambda: workspace_map("planar2", "payload", states=10), "its arm file gives no torque limits"),
        (lambda: workspace_map("planar2", section="ab"), "there is no section 'ab'"),
        (lambda: workspace_map("planar2", joints=["elbow"]), "has no joint 'elbow'"),
        (lambda: workspace_map("planar2", states=0), "states is 0"),
    ],
)
def test_what_cannot_be_asked(ask, said):
    with pytest.raises(StudyError, match=said):
        ask()


def test_catalogues(tmp_path):
    file = tmp_path / "motors.toml"
    file.write_text('[[motor]]\nname = "a"\ntorque = 1\nspeed = "100 rpm"\nrotor_inertia = 0\n' * 2)
    with pytest.raises(StudyError, match=r"motors.toml:7: 'a' is there twice"):
        read_catalogue(file)
    file.write_text('[[motor]]\nname = "a"\ntorque = -1\nspeed = 3\nrotor_inertia = 0\n')
    with pytest.raises(StudyError, match="gives no torque"):
        read_catalogue(file)
