"""Many runs at once against the same runs one by one."""

import numpy as np
import pytest

import torsor
from torsor.errors import ShapeError, Unsupported
from torsor.simulation import Encoder, FilteredDifference, Sampled, SimulationNotice, parameter

REFERENCE = np.array([0.4, 0.3, -0.5, 0.6, 0.2, -0.3])


@pytest.fixture(scope="module")
def arm():
    return torsor.load("ur5")


def law_of(arm, Kp=80.0, Kd=25.0, reference=REFERENCE):
    return lambda t, q, qd: arm.gravity(q) + Kp * (reference - q) - Kd * qd


@pytest.mark.parametrize(
    "integrator", ["rk4", "euler", "semi-implicit-euler", "symplectic", "rosenbrock", "dormand-prince"]
)
def test_lanes_are_the_runs_one_by_one(arm, integrator):
    """More rollouts than a group of lanes has, and a number that no vector width divides."""
    count = 67 if integrator == "rk4" else 5
    q0 = np.random.default_rng(0).uniform(-1.0, 1.0, (count, 6))
    law = law_of(arm)
    options = {"until": 0.05, "dt": 1e-3, "every": 5, "integrator": integrator}
    together = torsor.simulate(arm, law, q0=q0, **options)
    assert together.q.shape == (count, 11, 6)
    assert together.tau.shape == (count, 11, 6)
    assert together.energy.shape == (count, 11)
    for k in (0, count - 1):
        one = torsor.simulate(arm, law, q0=q0[k], **options)
        for name in ("q", "qd", "qdd", "tau", "energy"):
            np.testing.assert_allclose(getattr(together, name)[k], getattr(one, name), rtol=1e-9, atol=1e-9)
        np.testing.assert_array_equal(together[k].q, together.q[k])


def test_parameters_of_each_rollout(arm):
    """Gains, references, payload: every rollout its own."""
    Kp, reference = parameter("Kp"), parameter("reference", 6)
    rng = np.random.default_rng(1)
    gains, goals, masses = rng.uniform(50.0, 120.0, 9), rng.uniform(-0.5, 0.5, (9, 6)), rng.uniform(0.0, 5.0, 9)
    given = {"Kp": gains, "reference": goals, "payload": masses}
    options = {"q0": np.zeros(6), "until": 0.1, "every": 20, "integrator": "rk4"}
    together = torsor.simulate(arm, law_of(arm, Kp, 25.0, reference), parameters=given, **options)
    for k in (0, 8):
        loaded = arm.with_payload(float(masses[k]))
        one = torsor.simulate(loaded, law_of(arm, gains[k], 25.0, goals[k]), **options)
        np.testing.assert_allclose(together.q[k], one.q, atol=1e-12)
        np.testing.assert_allclose(together.energy[k], one.energy, rtol=1e-9)
        assert together[k].parameters["payload"] == masses[k]


def test_one_value_for_all(arm):
    Kp = parameter("Kp")
    law = law_of(arm, Kp)
    a = torsor.simulate(arm, law, q0=np.zeros(6), until=0.1, parameters={"Kp": 80.0})
    b = torsor.simulate(arm, law_of(arm), q0=np.zeros(6), until=0.1)
    assert a.rollouts is None
    np.testing.assert_allclose(a.q, b.q, atol=1e-13)


def test_friction_varied_between_rollouts():
    """Twice the friction, twice the band in which the arm stays put; threads step friction that sticks."""
    puma = torsor.load("puma560")
    q0 = np.array([0.3, 0.7, -0.4, 0.1, 0.2, 0.3])
    u = puma.drives.torques(q0, np.zeros(6), np.zeros(6))
    u[0] += 1.5 * puma.model.drives[0].friction.coulomb[0]
    runs = torsor.simulate(puma, u, q0=q0, until=0.05, parameters={"friction": [0.0, 1.0, 1.4, 1.6, 3.0]})
    assert runs.stuck[:, -1, 0].tolist() == [False, False, False, True, True]
    assert np.abs(runs.qd[1, -1, 0]) > np.abs(runs.qd[2, -1, 0]) > 0.0
    alone = torsor.simulate(puma, u, q0=q0, until=0.05)
    np.testing.assert_allclose(runs.q[1], alone.q, atol=1e-12)


def test_sampled_rollouts_have_noise_of_their_own(arm):
    law = Sampled(law_of(arm), encoder=Encoder(1e-4, 1e-4, seed=2), velocity=FilteredDifference(60.0))
    runs = torsor.simulate(arm, law, q0=np.zeros((3, 6)), until=0.1, integrator="rk4")
    assert np.abs(runs.q[0] - runs.q[1]).max() > 0.0
    one = torsor.simulate(arm, law, q0=np.zeros(6), until=0.1, integrator="rk4")
    np.testing.assert_allclose(runs.q[0], one.q, atol=1e-12)


def test_tables_and_held_torques(arm):
    table = np.random.default_rng(0).uniform(-5.0, 5.0, (50, 6))
    q0 = np.zeros((3, 6))
    for torque in (table, table[0]):
        runs = torsor.simulate(arm, torque, q0=q0, until=0.05, integrator="rk4")
        one = torsor.simulate(arm, torque, q0=q0[0], until=0.05, integrator="rk4")
        np.testing.assert_allclose(runs.q[2], one.q, atol=1e-13)
        np.testing.assert_allclose(runs.tau[2], one.tau)


def test_what_stops_one_rollout_leaves_the_others():
    arm = torsor.load("irb140")
    q0 = np.zeros((3, 6))
    q0[1, 0] = 3.1
    with pytest.warns(SimulationNotice, match="1 of 3 rollouts: a joint reaches its limit"):
        runs = torsor.simulate(
            arm,
            lambda t, q, qd: arm.gravity(q) - 5.0 * qd,
            q0=q0,
            qd0=[1.0, 0, 0, 0, 0, 0],
            until=0.2,
            integrator="rk4",
            dt=5e-5,
            every=20,
        )
    assert runs.events[0].joint == "joint1"
    assert np.isnan(runs.q[1, -1]).all()
    assert np.isfinite(runs.q[[0, 2]]).all()


def test_one_stiff_rollout_makes_all_implicit():
    arm = torsor.load("planar2")
    D = parameter("D")
    law = lambda t, q, qd: arm.gravity(q) - 50.0 * q - D * qd  # noqa: E731
    with pytest.warns(SimulationNotice, match="stiff"):
        runs = torsor.simulate(arm, law, q0=[0.2, -0.1], until=0.1, parameters={"D": [10.0, 20.0, 4e3]})
    assert runs.integrator == "rosenbrock"
    assert np.isfinite(runs.q).all()


def test_one_thread_or_two_are_the_same(arm):
    q0 = np.random.default_rng(0).uniform(-1.0, 1.0, (130, 6))
    law = law_of(arm)
    a, b = (torsor.simulate(arm, law, q0=q0, until=0.02, integrator="rk4", threads=k) for k in (1, 2))
    np.testing.assert_array_equal(a.q, b.q)


@pytest.mark.parametrize(
    ("options", "kind", "text"),
    [
        ({"q0": np.zeros((3, 6)), "qd0": np.zeros((4, 6))}, ShapeError, "q0 for 3, qd0 for 4"),
        ({"q0": np.zeros((3, 6)), "parameters": {"payload": [1.0, 2.0]}}, ShapeError, "q0 for 3, parameters for 2"),
        ({"parameters": {"payload": [[1.0]]}}, ShapeError, "payload has shape (1, 1)"),
        ({"parameters": {"payload": -1.0}}, ShapeError, "payload holds -1.0"),
        ({"q0": np.zeros((2, 2, 6))}, ShapeError, "q0 has shape (2, 2, 6)"),
    ],
)
def test_refusals(arm, options, kind, text):
    given = {"q0": np.zeros(6), "until": 0.1} | options
    with pytest.raises(kind) as error:
        torsor.simulate(arm, np.zeros(6), **given)
    assert text in str(error.value)
    runs = torsor.simulate(arm, np.zeros(6), q0=np.zeros((2, 6)), until=0.01, integrator="rk4")
    with pytest.raises(Unsupported, match="a table is of one run"):
        runs.to_csv("nowhere.csv")
