"""asea-irb in its free joints against the published arm, corrected: tests/oracles/asea-simasea.json (Behi 1989)."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import torsor

ORACLE = json.loads((Path(__file__).parents[1] / "oracles" / "asea-simasea.json").read_text())
DRIVEN = [0, 1, 3, 4, 5, 6]  # of the eight joints
CHOSEN = {"shoulder": 1, "elbow": 1, "wrist": 1}
SAMPLES = [*ORACLE["program_rule_A"]["samples"], *ORACLE["program_rule_B"]["samples"]]


@pytest.fixture(scope="module")
def arm():
    return torsor.load("asea-irb")


def joints_at(point):
    (found,) = (each["theta_deg"] for each in ORACLE["ik"][point] if each["branch"] == CHOSEN)
    loop = ORACLE["loop_deg"][point]
    return np.radians([*found, loop["theta7"], loop["theta8"]])


@pytest.mark.parametrize("point", ORACLE["loop_deg"])
def test_loop_angles(arm, point):
    q = joints_at(point)
    np.testing.assert_allclose(arm.closure.positions(q[DRIVEN]), q, atol=1e-13)


@pytest.mark.parametrize("point", ORACLE["loop_deg"])
def test_loop_angles_from_the_chain_of_the_tool(arm, point):
    q = joints_at(point)
    closure = arm.closure.given([f"joint{k}" for k in range(1, 7)])
    np.testing.assert_allclose(closure.positions(q[:6]), q, atol=1e-13)


@pytest.mark.parametrize("point", ORACLE["static_torque"])
def test_static_torques(arm, point):
    np.testing.assert_allclose(
        arm.gravity(joints_at(point)[DRIVEN]), ORACLE["static_torque"][point], rtol=1e-12, atol=1e-12
    )


@pytest.mark.parametrize("case", ORACLE["random_dynamics"])
def test_random_dynamics(arm, case):
    q, qd, qdd = (
        np.array([*case[six], *case[two]])
        for six, two in (("q6", "theta78"), ("qd6", "thetad78"), ("qdd6", "thetadd78"))
    )
    x, xd, xdd = q[DRIVEN], qd[DRIVEN], qdd[DRIVEN]
    np.testing.assert_allclose(arm.closure.positions(x), q, atol=1e-14)
    np.testing.assert_allclose(arm.closure.velocities(x, xd), qd, atol=1e-13)
    np.testing.assert_allclose(arm.closure.accelerations(x, xd, xdd), qdd, atol=1e-12)
    np.testing.assert_allclose(arm.inverse_dynamics(x, xd, xdd), case["tau"], atol=1e-13)
    np.testing.assert_allclose(arm.tree.inverse_dynamics(q, qd, qdd), case["tau_tree8"], atol=1e-13)
    np.testing.assert_allclose(arm.forward_dynamics(x, xd, case["tau"]), xdd, atol=1e-12)


def test_program_samples(arm):
    """Torques of the whole program under both timing rules; the loop's rates come from those of the tool's chain."""
    q, qd, qdd = (np.radians([s[key] for s in SAMPLES]) for key in ("q_deg", "qd_deg", "qdd_deg"))
    chain = arm.closure.given([f"joint{k}" for k in range(1, 7)])
    all_q = chain.positions(q)
    np.testing.assert_allclose(np.degrees(all_q[:, 6:]), [s["theta78_deg"] for s in SAMPLES], atol=1e-11)
    x = all_q[:, DRIVEN]
    xd = chain.velocities(q, qd)[:, DRIVEN]
    xdd = chain.accelerations(q, qd, qdd)[:, DRIVEN]
    np.testing.assert_allclose(arm.inverse_dynamics(x, xd, xdd), [s["tau"] for s in SAMPLES], atol=1e-12)


def test_kane_is_projection(arm):
    rng = np.random.default_rng(5)
    x = arm.closure.free_of(arm.closure.reference) + rng.uniform(-0.1, 0.1, (50, 6))
    xd, xdd = rng.normal(size=(2, 50, 6))
    wrench = rng.normal(size=6)
    ours = arm.inverse_dynamics(x, xd, xdd, wrench=wrench)
    size = np.abs(ours).max()
    assert np.abs(arm.inverse_dynamics(x, xd, xdd, wrench=wrench, by="kane") - ours).max() < 1e-12 * size
    assert np.abs(arm.mass_matrix(x, by="kane") - arm.mass_matrix(x)).max() < 1e-12
    assert np.abs(arm.gravity(x, by="kane") - arm.gravity(x)).max() < 1e-12 * size


def test_the_kane_page(arm):
    equations = torsor.derive(arm, "inverse_dynamics", by="kane", parameters="symbolic", effort="normal")
    rng = np.random.default_rng(6)
    x = arm.closure.free_of(arm.closure.reference) + rng.uniform(-0.1, 0.1, (5, 6))
    xd, xdd = rng.normal(size=(2, 5, 6))
    np.testing.assert_allclose(equations(x, xd, xdd), arm.inverse_dynamics(x, xd, xdd), atol=1e-12)
    text = str(equations)
    assert "sqrt(" in text
    assert "m8" in text
    assert "Z20" in text
    # joints are numbered as in the thesis: 1, 2, 4, 5, 6 and 7
    assert "s7 = sin(q7)" in text
    assert "tau7 = " in text
    assert "q3" not in text
    assert "theta" not in text
    assert r"\tau_{7}" in equations.to_latex() or "tau_7" in equations.to_latex()


def test_driving_theta7_is_singular_where_the_erratum_says(arm):
    found = {(each.driven, round(np.degrees(each.position), 3)) for each in arm.closure.singularities()}
    assert {("joint7", 81.362), ("joint7", 264.348)} <= found
    assert "driving joint7 is singular at joint3 = 81.36 deg" in map(str, arm.closure.singularities())


def test_planar_equations_are_counted_by_rank(arm):
    assert arm.closure.redundant == 3  # a hinge has five equations, a planar loop two
    assert arm.closure.is_closed_form
