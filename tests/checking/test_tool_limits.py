"""What a data sheet allows at the tool: payload, speed, acceleration, each judged where the program is worst."""

from dataclasses import replace

import numpy as np
import pytest

import torsor
from torsor.arm import Arm
from torsor.checking.checked_arm import CheckedArm
from torsor.errors import ModelError
from torsor.model.armfile import parse_arm_file
from torsor.model.parts import ToolLimits
from torsor.model.transforms import pose, rotation_rpy

PROGRAM = "SPEED 30 ALWAYS\nMOVE #PPOINT(30,20,10,0,40,0)\nMOVE #PPOINT(-30,20,-10,0,40,0)\n"


def checked(tmp_path, limits, **options):
    model = torsor.load("irb140").model
    (tmp_path / "p.v2").write_text(PROGRAM)
    return torsor.check(tmp_path / "p.v2", Arm(replace(model, tool_limits=limits)), start=np.zeros(6), **options)


def test_speed_and_acceleration_are_those_of_the_path(tmp_path):
    """The worst shares are those of differences of the tool's position, sampled finely."""
    open_ended = checked(tmp_path, ToolLimits(), dt=1e-3)
    assert open_ended.feasible
    signals, arm = open_ended.signals, torsor.load("irb140")
    speed = signals.tool_speed.max()
    p = arm.pose(signals.q)[:, :3, 3]
    hard = np.linalg.norm(p[2:] - 2.0 * p[1:-1] + p[:-2], axis=1).max() / 1e-6
    tight = checked(tmp_path, ToolLimits(speed=float(0.5 * speed), acceleration=float(0.5 * hard)))
    worst = {problem.kind: problem.share for problem in tight.problems}
    assert worst["tool speed"] == pytest.approx(2.0, rel=1e-4)
    assert worst["tool acceleration"] == pytest.approx(2.0, rel=2e-2)  # differences round off a jump at a switch
    assert checked(tmp_path, ToolLimits(speed=float(1.01 * speed), acceleration=float(1.2 * hard))).feasible
    assert "the tool moves at 2.00 times the speed that the data sheet allows, at " in str(tight.problems)


def test_a_mounted_tool_counts():
    arm, T = torsor.load("irb140"), pose(rotation_rpy(0.3, 0.2, 0.1), [0.1, -0.2, 0.3])
    machine, h = CheckedArm(arm, tool=T), 1e-4
    q, qd, qdd = np.random.default_rng(3).uniform(-1.0, 1.0, (3, 5, 6))
    places = [(arm.pose(q + s * qd + 0.5 * s * s * qdd) @ T)[:, :3, 3] for s in (-h, 0.0, h)]
    differences = np.linalg.norm(places[2] - 2.0 * places[1] + places[0], axis=1) / h**2
    np.testing.assert_allclose(machine.tool_acceleration(q, qd, qdd), differences, rtol=1e-5)


def test_slower_lines_are_advised(tmp_path):
    verdict = checked(tmp_path, ToolLimits(speed=0.1), timing="trapezoid")
    assert not verdict.feasible
    assert verdict.advice is not None
    assert {change.line for change in verdict.advice.changes} <= {2, 3}


def test_a_payload_too_heavy_is_one_problem(tmp_path):
    verdict = checked(tmp_path, ToolLimits(payload=6.0), payload=7.5)
    assert [str(each) for each in verdict.problems] == [
        f"{tmp_path}/p.v2:2: the payload is 1.25 times what the data sheet allows"
    ]
    assert checked(tmp_path, ToolLimits(payload=6.0), payload=6.0).feasible


def test_the_data_sheet_of_the_irb_140():
    assert torsor.load("irb140").model.tool_limits == ToolLimits(6.0, 2.5, 20.0)


@pytest.mark.parametrize(
    ("limits", "said"),
    [
        ("{ payload = 0 }", "7: tool.limits.payload is 0; above zero"),
        ('{ payload = "6 kg" }', "7: tool.limits.payload is '6 kg'; expected a number above zero, in kg"),
        ("{ force = 3 }", "7: unknown key tool.limits.force; known: payload, speed, acceleration"),
    ],
)
def test_limits_that_are_none(limits, said):
    text = f'name = "a"\nframes = "standard-dh"\n[[link]]\njoint = "revolute"\na = 1.0\n[tool]\nlimits = {limits}'
    with pytest.raises(ModelError) as error:
        parse_arm_file(text)
    assert str(error.value) == f"<text>:{said}"
