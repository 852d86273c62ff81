"""The simulations of Fedorov's thesis, against tests/oracles/irb140.json to its tolerances."""

import json
from pathlib import Path

import numpy as np
import pytest

import torsor
from torsor.simulation import SimulationNotice

SIM = json.loads((Path(__file__).parents[1] / "oracles" / "irb140.json").read_text())["sim"]
KP, KD = np.array([50.0, 50, 50, 50, 50, 60]), np.array([20.0, 20, 20, 20, 20, 22])  # after (5.29)


@pytest.fixture(scope="module")
def arm():
    return torsor.load("irb140")


def pd_gravity(arm, reference):
    return lambda t, q, qd: arm.gravity(q) + KP * (reference - q) - KD * qd


@pytest.fixture(scope="module")
def closed(arm):
    """(6.13)-(6.15); nobody says that the loop is stiff."""
    reference = np.array(SIM["closed_1"]["q_ref"])
    with pytest.warns(SimulationNotice, match=r"stiff: a pole at -2\.286e\+04 1/s"):
        return torsor.simulate(arm, pd_gravity(arm, reference), q0=np.zeros(6), until=5.0)


def test_the_default_notices_stiffness(closed):
    assert closed.integrator == "rosenbrock"
    assert "rosenbrock" in closed.notes[0]
    assert closed.stopped is None


def test_states(closed):
    known = SIM["closed_1"]
    reference = np.array(known["q_ref"])
    np.testing.assert_allclose(closed.q[500], known["q_at_0p5s"], atol=1e-4)
    np.testing.assert_allclose(closed.q[1000], known["q_at_1s"], atol=1e-4)
    np.testing.assert_allclose(closed.qd[500], known["qd_at_0p5s"], atol=1e-4)
    for second in (1, 2, 3):
        np.testing.assert_allclose(closed.q[1000 * second] - reference, known[f"err_at_{second}s"], atol=1e-4)
    assert np.abs(closed.q[3000] - reference).max() == pytest.approx(known["max_abs_err_at_3s"], abs=1e-4)
    # joint 6 is fastest within the first millisecond, between two states
    np.testing.assert_allclose(np.abs(closed.qd).max(axis=0), known["max_abs_qd"], rtol=3e-3)


def test_settling_times(closed):
    known = SIM["closed_1"]
    reference = np.array(known["q_ref"])
    np.testing.assert_allclose(closed.settling_time(reference, 0.02), known["settle_abs_0p02rad"], atol=0.01)
    share = 0.02 * np.abs(reference).max()
    np.testing.assert_allclose(closed.settling_time(reference, share), known["settle_2pct_of_max_step"], atol=0.01)
    tight = closed.settling_time(reference, 1e-3)
    assert np.isnan(tight[1])  # it has not settled when the simulation ends, at 5 s
    np.testing.assert_allclose(np.delete(tight, 1), np.delete(known["settle_0p001rad"], 1), atol=0.01)
    assert closed.overshoot(reference)[1] == pytest.approx(known["overshoot_max_abs_err_on_zero_step"][1], abs=1e-4)


def test_peak_torques(arm, closed):
    gravity = arm.gravity(closed.q)
    pd = closed.tau - gravity
    k = np.argmax(np.abs(pd), axis=0)
    np.testing.assert_allclose(pd[k, np.arange(6)], SIM["closed_1"]["peak_u_pd"], atol=0.1)
    np.testing.assert_allclose(closed.time[k], SIM["closed_1"]["t_peak"], atol=0.01)
    np.testing.assert_allclose(np.abs(gravity).max(axis=0), SIM["closed_1"]["max_abs_gravity_comp"], atol=1e-3)


def test_the_lyapunov_function_never_increases(arm, closed):
    """V = 1/2 qd M qd + 1/2 e Kp e (5.24) of the law, along the run it made; and the same written out here."""
    reference = np.array(SIM["closed_1"]["q_ref"])
    law = torsor.control.pd_gravity(arm, KP, KD, reference)
    with pytest.warns(SimulationNotice, match="stiff"):
        run = torsor.simulate(arm, law, q0=np.zeros(6), until=5.0)
    V = run.lyapunov
    assert np.diff(V).max() <= 0.0
    assert V[-1] < 1e-4 * V[0]
    error = reference - closed.q
    kinetic = 0.5 * np.einsum("ti,tij,tj->t", closed.qd, arm.mass_matrix(closed.q), closed.qd)
    np.testing.assert_allclose(V, kinetic + 0.5 * (KP * error**2).sum(axis=1), rtol=1e-6, atol=1e-9 * V[0])
    np.testing.assert_allclose(kinetic, closed.kinetic, rtol=1e-9, atol=1e-12)


def test_the_holding_torque_holds(arm):
    """Open loop 1 with the torque (5.18), which (6.3) prints as zero: it drifts below 1e-9 rad in 10 s."""
    known = SIM["open_1_u_des"]
    q0 = np.array(known["q_init"])
    held = arm.gravity(q0)
    np.testing.assert_allclose(held, known["u"], atol=1e-9)
    run = torsor.simulate(arm, held, q0=q0, until=10.0)
    assert run.integrator == "rk4"
    assert np.abs(run.q - q0).max() < 1e-9
    assert np.abs(run.qdd[0]).max() < 1e-12


@pytest.mark.parametrize("integrator", ["rk4", "dormand-prince", "rosenbrock"])
def test_falling(arm, integrator):
    """Open loop without torque; chaotic, so compared up to 0.5 s."""
    known = SIM["open_1_tau0"]
    q0 = np.array(known["q_init"])
    run = torsor.simulate(arm, np.zeros(6), q0=q0, until=0.5, integrator=integrator, limits="ignore")
    np.testing.assert_allclose(run.qdd[0], known["qdd0"], atol=1e-5)
    for t in (0.1, 0.2, 0.5):
        np.testing.assert_allclose(run.q[round(1000 * t)], known[f"q_{t}s"], atol=1e-4)


def test_explicit_euler_diverges_as_the_thesis_would_have_it(arm):
    reference = np.array(SIM["closed_1"]["q_ref"])
    law = pd_gravity(arm, reference)
    with pytest.warns(SimulationNotice, match="diverges"):
        wild = torsor.simulate(arm, law, q0=np.zeros(6), until=1.0, dt=1e-4, integrator="euler", limits="ignore")
    assert wild.stopped.reason == "diverged"
    assert wild.stopped.joint == "joint6"
    calm = torsor.simulate(arm, law, q0=np.zeros(6), until=0.5, dt=8e-5, integrator="euler")
    np.testing.assert_allclose(calm.q[-1], SIM["closed_1"]["q_at_0p5s"], atol=1e-3)
