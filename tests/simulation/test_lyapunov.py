"""V along runs: of laws with and without states, of rollouts, of one's own, and the refusals."""

import numpy as np
import pytest

import torsor
from torsor import control
from torsor.errors import TorsorError, Unsupported
from torsor.simulation import Sampled, SimulationNotice, parameter

ARM = torsor.load("planar2")
START = {"q0": [0.5, -0.2], "until": 0.3}


def test_it_is_the_laws_own():
    way = control.reference.sine([0.1, 0.2], [0.3, 0.2], [1.0, 0.7])
    law = control.passivity_based(ARM, 5.0, 20.0, way)
    run = torsor.simulate(ARM, law, **START)
    assert run.law is law
    np.testing.assert_allclose(run.lyapunov, control.lyapunov_along(law, run), rtol=1e-12, atol=1e-14)
    assert np.diff(run.lyapunov).max() < 0.0


def test_of_a_law_with_states():
    heavy = ARM.with_payload(2.0)
    law = control.slotine_li(ARM, 5.0, 20.0, 1.0, [0.0, 0.0], plant=heavy)
    run = torsor.simulate(heavy, law, **START)
    assert run.x.shape == (301, law.states)
    np.testing.assert_allclose(run.lyapunov, law.lyapunov(run.time, run.q, run.qd, run.x), rtol=1e-12)
    assert np.diff(run.lyapunov).max() < 0.0


def test_of_rollouts_with_parameters():
    K = parameter("K")

    class Own:
        """Written for one state, as laws are."""

        def __call__(self, t, q, qd):
            return ARM.gravity(q) - K * q - 20.0 * qd

        def lyapunov(self, t, q, qd):
            return ARM.energy(q, qd)[0] + 0.5 * K * (q @ q)

    gains = np.array([20.0, 40.0, 80.0])
    runs = torsor.simulate(ARM, Own(), **START, parameters={"K": gains})
    V = ARM.energy(runs.q, runs.qd)[0] + 0.5 * gains[:, None] * (runs.q**2).sum(axis=-1)
    np.testing.assert_allclose(runs.lyapunov, V, rtol=1e-12)
    np.testing.assert_array_equal(runs[1].lyapunov, runs.lyapunov[1])


def test_of_a_law_that_only_runs_on_numbers():
    class Own:
        def __call__(self, t, q, qd):
            return -50.0 * q - 20.0 * qd if q[0] > -9.0 else 0.0 * q

        def lyapunov(self, t, q, qd):
            return float(q @ q) if q[0] > -9.0 else 0.0

    with pytest.warns(SimulationNotice, match="called from Python"):
        run = torsor.simulate(ARM, Own(), q0=[0.5, -0.2], until=0.02)
    np.testing.assert_allclose(run.lyapunov, (run.q**2).sum(axis=1), rtol=1e-15)


def test_of_a_sampled_law():
    law = control.pd_gravity(ARM, 50.0, 20.0, [0.0, 0.0])
    run = torsor.simulate(ARM, Sampled(law, period=2e-3), **START)
    np.testing.assert_allclose(run.lyapunov, law.lyapunov(run.time, run.q, run.qd), rtol=1e-12)


@pytest.mark.parametrize(
    ("law", "text"),
    [
        (np.zeros(2), "torques that are given have no Lyapunov function"),
        (lambda t, q, qd: -q, "the law <lambda> has no Lyapunov function; .* a method lyapunov"),
        (control.pid(ARM, 50.0, 10.0, 20.0, [0.0, 0.0]), "Pid comes with no Lyapunov function"),
        (
            control.feed_forward(ARM, [0.0, 0.0]) + control.pd_gravity(ARM, 50.0, 20.0, [0.0, 0.0]),
            "Sum comes with no Lyapunov function",
        ),
    ],
)
def test_where_there_is_none(law, text):
    run = torsor.simulate(ARM, law, q0=[0.5, -0.2], until=0.01)
    with pytest.raises(Unsupported, match=text):
        _ = run.lyapunov


def test_one_number_is_asked_for():
    class Own:
        def __call__(self, t, q, qd):
            return -q

        def lyapunov(self, t, q, qd):
            return q

    run = torsor.simulate(ARM, Own(), q0=[0.5, -0.2], until=0.01)
    with pytest.raises(TorsorError, match=r"lyapunov of Own gives \(2,\); one number"):
        _ = run.lyapunov
