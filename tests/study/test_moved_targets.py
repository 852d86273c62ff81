"""Targets, centres of mass and inertias that vary: against programs and arms that are written so."""

from dataclasses import replace

import numpy as np
import pytest

import torsor
from torsor.model.mass import Mass
from torsor.programs import parse
from torsor.study import CheckBase, Normal, Study, Uniform

TEXT = "POINT P1 {x} 0.1 0.4 0 180 0\nPOINT P2 0.4 {y} 0.3 0 180 0\nSPEED 50\nMOVE P1\nMOVES P2\n"


@pytest.fixture(scope="module")
def base():
    return CheckBase.of(parse(TEXT.format(x=0.5, y=-0.1), "VAL II", file="two.v2"), "puma560", timing="trapezoid")


def of_check(x, y, arm="puma560"):
    verdict = torsor.check(
        parse(TEXT.format(x=x, y=y), "VAL II", file="two.v2"), arm, timing="trapezoid", signals=False
    )
    return verdict.feasible, verdict.time, float(verdict.peak("torque").max())


def test_as_if_the_program_said_so(base):
    names = [name for name in base.variable if name.startswith("target")]
    assert names == [f"target{own}.{axis}" for own in ("", ".P1", ".P2") for axis in "xyz"]
    inputs = {"target.P1.x": np.array([0.0, 0.05]), "target.P2.y": np.array([0.0, -0.03])}
    found = base.evaluate(inputs, ("feasible", "time", "torque")).values
    for row, (x, y) in enumerate([(0.5, -0.1), (0.55, -0.13)]):
        got = [found[name][row] for name in ("feasible", "time", "torque")]
        np.testing.assert_allclose(got, of_check(x, y), rtol=1e-9)
    everywhere = base.evaluate({"target.z": np.array([0.02])}, ("time",)).values["time"]
    each = {f"target.P{k}.z": np.array([0.02]) for k in (1, 2)}
    assert everywhere.tolist() == base.evaluate(each, ("time",)).values["time"].tolist()


def test_out_of_reach_is_no_answer_but_a_no(base):
    found = base.evaluate({"target.x": np.array([0.0, 3.0, 1e9])}, ("feasible", "time"))
    assert found.values["feasible"][:2].tolist() == [1.0, 0.0]
    assert np.isnan(found.values["feasible"][2])
    assert "target.x is 1e+09" in found.failures[2]


def test_centre_and_inertia_of_a_link(base):
    inputs = {"centre.link3.x": np.array([0.0, 0.02]), "inertia.link3": np.array([1.0, 3.0])}
    found = base.evaluate(inputs, ("feasible", "time", "torque")).values
    model = torsor.load("puma560").model
    link = model.links[2]
    other = Mass(link.mass.mass, link.mass.com + np.array([0.02, 0.0, 0.0]), 3.0 * link.mass.inertia)
    links = [replace(each, mass=other) if each is link else each for each in model.links]
    for row, arm in enumerate([torsor.Arm(model), torsor.Arm(replace(model, links=tuple(links)))]):
        got = [found[name][row] for name in ("feasible", "time", "torque")]
        np.testing.assert_allclose(got, of_check(0.5, -0.1, arm), rtol=1e-12)
    assert found["torque"][0] != found["torque"][1]


def test_whoever_has_a_plan_of_its_own_is_judged_alone(base):
    """Together or by itself, in whatever chunks: a study decides it once."""
    drawn = Study(base, {"target.x": Normal(0.0, 0.005), "payload": Uniform(0.0, 1.0)}, 3, outputs=("time", "torque"))
    assert drawn.settled().portions.processes
    few = Study(base, {"target.x": [0.0, 0.01], "payload": Uniform(0.0, 1.0)}, 50)
    assert not few.settled().portions.processes
    whole, parts = drawn.run(workers=1), replace(drawn, chunk=1).run(workers=1)
    assert [whole[name].tolist() for name in drawn.outputs] == [parts[name].tolist() for name in drawn.outputs]
    alone = base.verdict({name: float(whole[name][2]) for name in drawn.vary})
    assert (whole["time"][2], whole["torque"][2]) == (alone.time, alone.peak("torque").max())
