"""The scenarios of examples/, those of Fedorov's thesis against tests/oracles/irb140.json to its tolerances."""

import json
import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from torsor import scenarios
from torsor.scenarios.figures import apart
from torsor.simulation import SimulationNotice

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples" / "scenarios"
SIM = json.loads((ROOT / "tests" / "oracles" / "irb140.json").read_text())["sim"]


def ran(name):
    scenario = scenarios.read(EXAMPLES / f"{name}.toml")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SimulationNotice)
        run = scenario.run()
    return scenario, run, scenario.figures(run)


@pytest.fixture(scope="module")
def closed_1():
    return ran("irb140_closed_loop_1")


def test_closed_loop_1_states(closed_1):
    scenario, run, _ = closed_1
    known = SIM["closed_1"]
    np.testing.assert_allclose(scenario.reference.at(0.0)[0], known["q_ref"], atol=1e-15)
    assert run.integrator == "rosenbrock"
    np.testing.assert_allclose(run.q[500], known["q_at_0p5s"], atol=1e-4)
    np.testing.assert_allclose(run.qd[500], known["qd_at_0p5s"], atol=1e-4)
    for second in (1, 2, 3):
        np.testing.assert_allclose(run.q[1000 * second] - known["q_ref"], known[f"err_at_{second}s"], atol=1e-4)


def test_closed_loop_1_figures(closed_1):
    scenario, run, figures = closed_1
    known = SIM["closed_1"]
    np.testing.assert_allclose(figures.settling_time, known["settle_abs_0p02rad"], atol=0.01)
    assert figures.overshoot[1] == pytest.approx(known["overshoot_max_abs_err_on_zero_step"][1], abs=1e-4)
    pd = run.tau - scenario.arm.gravity(run.q)
    k = np.argmax(np.abs(pd), axis=0)
    np.testing.assert_allclose(pd[k, np.arange(6)], known["peak_u_pd"], atol=0.1)
    np.testing.assert_allclose(run.time[k], known["t_peak"], atol=0.01)


def test_closed_loop_1_lyapunov_never_increases(closed_1):
    scenario, run, _ = closed_1
    assert np.diff(scenario.law.lyapunov(run.time, run.q, run.qd)).max() <= 0.0


@pytest.mark.parametrize("k", [2, 3])
def test_closed_loops_2_and_3_agree_with_radau(k):
    """(6.16)-(6.21): the same right-hand side by SciPy's Radau; and they converge in about 3 s, as the thesis says."""
    scenario, run, figures = ran(f"irb140_closed_loop_{k}")
    start = [[0, np.pi, -np.pi / 2, 0, 0, 0], [0, np.pi / 2, -np.pi / 2, 0, 0, 0]][k - 2]
    goal = np.pi * np.array([[1, 0, 0, 1, 0.5, -1], [-1, 1, -1, -1, -0.5, 1]][k - 2])
    np.testing.assert_allclose(scenario.q0, start, atol=1e-15)
    Kp, Kd = np.array([50.0] * 5 + [60]), np.array([20.0] * 5 + [22])
    arm = scenario.arm

    def rates(t, y):
        q, qd = y[:6], y[6:]
        return np.concatenate([qd, arm.forward_dynamics(q, qd, Kp * (goal - q) - Kd * qd + arm.gravity(q))])

    at = [0.5, 1.0, 3.0]
    peer = solve_ivp(rates, (0.0, 3.0), [*start, *np.zeros(6)], method="Radau", t_eval=at, rtol=1e-9, atol=1e-11)
    rows = [round(1000 * t) for t in at]
    # both solvers were told 1e-8 or less; the stiff transient amplifies neither
    np.testing.assert_allclose(run.q[rows], peer.y[:6].T, atol=1e-6)
    np.testing.assert_allclose(run.qd[rows], peer.y[6:].T, atol=1e-5)
    assert figures.settling_time.max() < 3.0
    assert figures.good


def test_open_loop_held():
    """(5.18): the torque that (6.3) prints as zero; no drift in 10 s."""
    scenario, run, figures = ran("irb140_open_loop_holding")
    np.testing.assert_allclose(scenario.law, SIM["open_1_u_des"]["u"], atol=1e-9)
    assert run.time[-1] == pytest.approx(10.0)
    assert np.abs(run.q - scenario.q0).max() < 1e-9
    assert figures.good


def test_open_loop_falling():
    """(6.3) as printed; chaotic, so compared up to 0.5 s."""
    known = SIM["open_1_tau0"]
    _, run, figures = ran("irb140_open_loop_falling")
    np.testing.assert_allclose(run.qdd[0], known["qdd0"], atol=1e-5)
    for t in (0.1, 0.2, 0.5):
        np.testing.assert_allclose(run.q[round(1000 * t)], known[f"q_{t}s"], atol=1e-4)
    # no torque, no friction: what it falls by, it gains in speed
    assert np.abs(run.energy - run.energy[0]).max() < 1e-8 * np.abs(run.kinetic).max()
    assert np.isnan(figures.settling_time).all()


def test_open_loop_2_by_both_formulations():
    """(6.7)-(6.9) with the torque (5.18), figure 6.2: unstable; as SciPy's DOP853 has it at first."""
    scenario = scenarios.read(EXAMPLES / "irb140_open_loop_2.toml")
    np.testing.assert_allclose(scenario.law, SIM["open_1_u_des"]["u"], atol=1e-9)
    np.testing.assert_allclose(scenario.q0, [0, np.pi, -np.pi / 2, 0, 0, 0], atol=1e-15)
    assert (scenario.by, scenario.duration) == (("newton-euler", "exponentials"), 10.0)
    short = replace(scenario, duration=1.0)
    first, second = (short.run(by=by) for by in short.by)
    assert (first.by, second.by) == scenario.by
    arm = scenario.arm

    def rates(t, y):
        return np.concatenate([y[6:], arm.forward_dynamics(y[:6], y[6:], scenario.law)])

    at = [0.1, 0.3, 0.5]
    start = [*scenario.q0, *np.zeros(6)]
    peer = solve_ivp(rates, (0.0, 0.5), start, method="DOP853", t_eval=at, rtol=1e-12, atol=1e-13)
    for run in (first, second):
        np.testing.assert_allclose(run.q[[100, 300, 500]], peer.y[:6].T, atol=1e-7)
    # what the torques give is what the arm gains, whichever formulation it is
    for run in (first, second):
        given = np.concatenate([[0.0], np.cumsum(0.5 * np.diff(run.q, axis=0) @ (2.0 * scenario.law))])
        np.testing.assert_allclose(run.energy - run.energy[0], given, atol=1e-7 * np.abs(run.kinetic).max())


def test_closed_loop_1_is_the_same_by_exponentials(closed_1, tmp_path):
    """Figures 6.3 and 6.4: the curves of both lie on each other."""
    scenario, run, _ = closed_1
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SimulationNotice)
        other = scenario.run(by="exponentials")
    assert (run.by, other.by) == ("newton-euler", "exponentials")
    np.testing.assert_allclose(other.q, run.q, atol=1e-9)
    np.testing.assert_allclose(other.tau, run.tau, atol=1e-6)
    gaps = apart(run, other)
    assert [each["name"] for each in gaps] == list(run.arm.joint_names)
    assert max(each["apart"] for each in gaps) == np.abs(run.q - other.q).max()
    assert {each["parts"] for each in gaps} == {None}
    figure = run.plot(compare=[other])
    lines = [len(axes.lines) for axes in figure.axes]
    alone = [len(axes.lines) for axes in run.plot().axes]
    assert [b - a for a, b in zip(alone, lines, strict=True)] == [6, 0, 6, 6]  # errors are those of the first
    files = scenario.write(run, other, plot=tmp_path / "a.svg", report=tmp_path / "a.html")
    assert "newton-euler wide, exponentials dashed" in (tmp_path / "a.svg").read_text()
    assert set(files) == {"plot", "report"}
    assert "exponentials" in (tmp_path / "a.html").read_text()


def test_a_program_is_followed_by_its_motors():
    scenario, run, figures = ran("rl15_tour")
    assert figures.good
    assert figures.motors == tuple(f"motor{k}" for k in range(1, 7))
    assert run.time[-1] == pytest.approx(scenario.reference.duration, abs=scenario.dt)
    assert figures.rms_error.max() < np.deg2rad(0.1)
    assert run.elements  # friction that sticks takes part


def test_a_payload_is_grasped_and_released():
    scenario, run, figures = ran("ur5_grasp")
    assert scenario.payload == [(0.0, 0.0), (1.3, 3.0), (4.0, 0.0)]
    shoulder = run.arm.joint_names.index("shoulder_lift_joint")
    held, after = (run.tau[round(1000 * t) - 100 : round(1000 * t), shoulder].mean() for t in (4.0, 6.0))
    weight = 3.0 * 9.81 * run.arm.jacobian(run.q[3990])[2, shoulder]  # J^T of what hangs at the tool
    assert held - after == pytest.approx(weight, rel=0.02)
    assert figures.good


def test_a_tool_leans_on_a_wall():
    """At rest the springs of law and wall are in series: 1000 (0.65 - x) = 2e4 (x - 0.6)."""
    _, run, figures = ran("irb140_contact")
    assert figures.followers == ("x", "y", "z")
    x = run.arm.pose(run.q[1499])[0, 3]
    assert x == pytest.approx((1000 * 0.65 + 2e4 * 0.6) / 2.1e4, abs=1e-3)
