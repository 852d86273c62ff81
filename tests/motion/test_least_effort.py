"""Timing of least effort: closed form, Pontryagin's conditions, and that nothing else that is tried costs less."""

import numpy as np
import pytest
from scipy.integrate import solve_bvp

import torsor
from torsor.errors import ShapeError, TorsorError
from torsor.motion import least_effort, time_optimal
from torsor.motion.curves import Along

ARM = """
name = "pendulum"
frames = "placements"
gravity = GRAVITY
[[link]]
joint = "revolute"
axis = [0, -1, 0]
mass = 1.0
com = [0.5, 0, 0]
inertia = [0.1, 0.1, 0.1]
limits = { torque = 20, speed = 50 }
"""
J, WEIGHT, LIMIT = 0.1 + 0.25, 9.81 * 0.5, 20.0


class Straight:
    length = 1.0

    def __init__(self, start, end):
        self.start, self.way = np.array(start, dtype=float), np.subtract(end, start)

    def at(self, s):
        none = np.zeros((len(s), len(self.way)))
        return Along(self.start + s[:, None] * self.way, none + self.way, none, none)


def pendulum(tmp_path, gravity):
    path = tmp_path / "pendulum.toml"
    path.write_text(ARM.replace("GRAVITY", gravity))
    return torsor.load(path)


def effort(arm, timed, count=20001, torques=None):
    """Of the motion as it is, by the trapezoidal rule in time."""
    t = np.linspace(0.0, timed.duration, count)
    q, qd, qdd = motion = [timed.at(t)[k] for k in range(3)] if torques is None else torques(t)
    if arm.model.drives:
        u = np.linalg.solve(arm.drives.N().T, arm.inverse_dynamics(q, qd, qdd, drives=True).T).T
        u = u / [drive.motor.torque for drive in arm.model.drives]
    else:
        u = arm.inverse_dynamics(*motion) / LIMIT
    return float(np.trapezoid((u * u).sum(axis=1), t))


def test_without_weight_it_is_a_cubic(tmp_path):
    """12 J^2 L^2 / T^3, along 3 (t/T)^2 - 2 (t/T)^3."""
    arm, length, time = pendulum(tmp_path, "[0, 0, 0]"), 1.2, 2.0
    timed = least_effort(arm, Straight([0.3], [0.3 + length]), time, points=400)
    assert timed.duration == pytest.approx(time, rel=1e-7)
    assert effort(arm, timed) == pytest.approx(12.0 * (J * length / LIMIT) ** 2 / time**3, rel=2e-4)
    t = np.linspace(0.0, timed.duration, 50)
    q = timed.at(t)[0][:, 0]
    np.testing.assert_allclose(q, 0.3 + length * (3 * (t / time) ** 2 - 2 * (t / time) ** 3), atol=1e-4)


def test_with_weight_it_is_pontryagins(tmp_path):
    """u = -p2 / (2 J), p1' = p2 G'(q) / J, p2' = -p1, from rest to rest."""
    arm, time, start, end = pendulum(tmp_path, "[0, 0, -9.81]"), 0.7, -0.4, 0.9

    def slopes(t, y):
        q, qd, p1, p2 = y
        return np.array([qd, (-p2 / (2 * J) - WEIGHT * np.cos(q)) / J, -p2 * WEIGHT * np.sin(q) / J, -p1])

    def ends(a, b):
        return np.array([a[0] - start, a[1], b[0] - end, b[1]])

    t = np.linspace(0.0, time, 200)
    guess = np.array([np.interp(t, [0, time], [start, end]), np.full(200, (end - start) / time), 0 * t, 0 * t])
    found = solve_bvp(slopes, ends, t, guess, tol=1e-8, max_nodes=20000)
    assert found.success
    fine = np.linspace(0.0, time, 20001)
    u = -found.sol(fine)[3] / (2 * J)
    expected = float(np.trapezoid((u / LIMIT) ** 2, fine))
    timed = least_effort(arm, Straight([start], [end]), time, points=400)
    assert timed.duration == pytest.approx(time, rel=1e-7)
    assert effort(arm, timed) == pytest.approx(expected, rel=5e-4)
    np.testing.assert_allclose(timed.at(fine[:-1:500])[0][:, 0], found.sol(fine[:-1:500])[0], atol=2e-4)


def test_waiting_costs_where_a_weight_is_held(tmp_path):
    arm = pendulum(tmp_path, "[0, 0, -9.81]")
    first, second = (least_effort(arm, Straight([-0.4], [0.9]), time).duration for time in (20.0, 60.0))
    assert first < 5.0
    assert first == pytest.approx(second, rel=1e-3)


def test_nothing_else_costs_less():
    """The motors of the Lola 15: against the fastest motion slowed to the same time, and a quintic."""
    arm = torsor.load("rl15")
    path = Straight(np.zeros(6), [0.5, -0.3, 0.4, 0.6, -0.3, 0.8])
    fastest = time_optimal(arm, path, drives=False, speed=3.0, acceleration=10.0)
    time = 1.2
    timed = least_effort(arm, path, time)
    assert fastest.duration < timed.duration <= time * (1 + 1e-9)
    rate, own = fastest.duration / timed.duration, timed.duration

    def slowed(t):
        q, qd, qdd = (fastest.at(rate * t)[k] for k in range(3))
        return q, rate * qd, rate**2 * qdd

    def quintic(t):
        h = (t / own)[:, None]
        s = 10 * h**3 - 15 * h**4 + 6 * h**5
        sd = (30 * h**2 - 60 * h**3 + 30 * h**4) / own
        sdd = (60 * h - 180 * h**2 + 120 * h**3) / own**2
        return s * path.way, sd * path.way, sdd * path.way

    least = effort(arm, timed)
    assert least < 0.999 * effort(arm, timed, torques=slowed)
    assert least < 0.999 * effort(arm, timed, torques=quintic)


def test_refusals(tmp_path):
    arm = pendulum(tmp_path, "[0, 0, -9.81]")
    with pytest.raises(TorsorError, match=r"would need .* of the torque of joint1.*; give it more time"):
        least_effort(arm, Straight([-1.0], [1.0]), 0.2)
    with pytest.raises(ShapeError, match="a time above zero"):
        least_effort(arm, Straight([0.0], [1.0]), 0.0)
    with pytest.raises(ShapeError, match="the scale is"):
        least_effort(arm, Straight([0.0], [1.0]), 1.0, scale=[0.0])
