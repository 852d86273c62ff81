"""Linearised loops: sampled exactly, with optimal gains that satisfy Riccati, poles as a table, for python-control."""

from __future__ import annotations

import pickle
import subprocess
import sys
from functools import cache

import numpy as np
import pytest

import torsor
from torsor.control import linearise
from torsor.control.linear_loop import Linearisation
from torsor.errors import ShapeError, Unsupported


@cache
def hanging():
    """planar2 held at a posture by its own gravity torques: four states, two torques."""
    return linearise(torsor.load("planar2"), None, [0.4, -0.3])


def test_sampled_is_what_integration_gives():
    loop, dt = hanging(), 0.02
    sampled = loop.discrete(dt)
    z, w = np.array([0.1, -0.2, 0.3, 0.05]), np.array([0.7, -0.4])
    fine, steps = z.copy(), 4000
    h = dt / steps
    for _ in range(steps):  # Runge-Kutta of fourth order
        k1 = loop.A @ fine + loop.B @ w
        k2 = loop.A @ (fine + h / 2 * k1) + loop.B @ w
        k3 = loop.A @ (fine + h / 2 * k2) + loop.B @ w
        k4 = loop.A @ (fine + h * k3) + loop.B @ w
        fine = fine + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    np.testing.assert_allclose(sampled.A @ z + sampled.B @ w, fine, rtol=0, atol=1e-12)
    np.testing.assert_allclose(
        np.sort_complex(np.linalg.eigvals(sampled.A)), np.sort_complex(np.exp(loop.poles * dt)), atol=1e-9
    )
    with pytest.raises(ShapeError, match=r"dt is 0\.0; the sample time"):
        loop.discrete(0.0)


def test_optimal_gains_satisfy_riccati_and_beat_others():
    loop = hanging()
    Q, R = np.diag([50.0, 40.0, 1.0, 1.0]), np.diag([0.1, 0.2])
    K = loop.lqr(Q, [0.1, 0.2])
    closed = loop.A - loop.B @ K
    assert (np.linalg.eigvals(closed).real < 0.0).all()

    def cost(gains):
        """z0^T P z0 with P of Lyapunov's equation for the loop closed by these gains, summed over unit starts."""
        from scipy.linalg import solve_continuous_lyapunov

        within = loop.A - loop.B @ gains
        return np.trace(solve_continuous_lyapunov(within.T, -(Q + gains.T @ R @ gains)))

    best = cost(K)
    rng = np.random.default_rng(0)
    for _ in range(20):
        assert cost(K + 0.02 * np.abs(K).max() * rng.standard_normal(K.shape)) > best
    slow = loop.lqr(Q, R, dt=1e-3)  # sampled fast it comes near, when weights are of a sum
    near = loop.lqr(Q * 1e-3, R * 1e-3, dt=1e-4)
    assert np.abs(near - K).max() < 0.05 * np.abs(K).max() or np.abs(slow - K).max() < 0.05 * np.abs(K).max()


def test_poles_as_a_table():
    loop = Linearisation(
        np.array([[0.0, 1.0, 0.0], [-25.0, -2.0, 0.0], [0.0, 0.0, -0.5]]), np.zeros((3, 1)), np.zeros((1, 3)), 1
    )
    slow, pair = loop.pole_table()
    assert (slow.value, slow.frequency, slow.damping, slow.time_constant) == (-0.5, 0.5, 1.0, 2.0)
    assert pair.value == pytest.approx(-1.0 + 1j * np.sqrt(24.0))
    assert (pair.frequency, pair.damping, pair.time_constant) == (
        pytest.approx(5.0),
        pytest.approx(0.2),
        pytest.approx(1.0),
    )
    assert repr(loop) == "<Linearisation 3 states, stable, slowest pole -0.5+0j 1/s>"
    shown = loop._repr_html_()
    assert "<caption>3 states, stable</caption>" in shown
    assert "<td>-1+4.899j</td><td>5</td><td>0.2</td><td>1</td>" in shown


@pytest.mark.parametrize(
    ("Q", "R", "message"),
    [
        (np.eye(3), 1.0, r"Q has shape \(3, 3\); \(4, 4\), or its diagonal"),
        (-1.0, 1.0, "Q has a negative direction"),
        (1.0, [1.0, 0.0], "R is not positive definite"),
        (np.triu(np.ones((4, 4))), 1.0, "Q is not symmetric"),
    ],
)
def test_weights_that_mean_nothing(Q, R, message):
    with pytest.raises(ShapeError, match=message):
        hanging().lqr(Q, R)


def test_what_torques_do_not_reach():
    loop = Linearisation(np.diag([1.0, -1.0]), np.array([[0.0], [1.0]]), np.zeros((1, 2)), 1)
    with pytest.raises(Unsupported, match="no gains make this loop stable"):
        loop.lqr(1.0, 1.0)
    along = Linearisation(np.zeros((3, 2, 2)), np.zeros((3, 2, 1)), np.zeros((3, 1, 2)), 1)
    with pytest.raises(ShapeError, match=r"optimal gains: this is linearised at \(3,\) states"):
        along.lqr(1.0, 1.0)
    assert along.discrete(0.1).A.shape == (3, 2, 2)
    assert repr(along) == "<Linearisation at (3,) states: 2 states, 1 joints>"


def test_for_python_control(tmp_path):
    """In a process of its own: here this very folder goes by the name of python-control."""
    path = tmp_path / "loop.pickle"
    path.write_bytes(pickle.dumps(hanging()))
    program = (
        "import pickle, sys, numpy as np\n"
        "loop = pickle.load(open(sys.argv[1], 'rb'))\n"
        "np.testing.assert_allclose(loop.to_control(dt=0.01).A, loop.discrete(0.01).A)\n"
        "np.testing.assert_allclose(np.sort_complex(loop.to_control().poles()), np.sort_complex(loop.poles))\n"
    )
    ran = subprocess.run([sys.executable, "-c", program, path], capture_output=True, text=True, cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr


def test_without_python_control(monkeypatch):
    monkeypatch.setitem(sys.modules, "control", None)
    with pytest.raises(Unsupported, match="to_control needs python-control; pip install control"):
        hanging().to_control()
