"""The fastest pace of a given time law, and the least slowing of a motion."""

from dataclasses import dataclass

import numpy as np
import pytest
from numpy.testing import assert_allclose

import torsor
from torsor.errors import ShapeError
from torsor.motion import Infeasible, fit_pace, slow_down
from torsor.motion.curves import Motion
from torsor.motion.optimal.fit_pace import peak_use

GOAL = np.deg2rad([-115.70, 55.70, 68.70, 0, 0, 0])
SPEED, ACCELERATION = 2.74, 3 * 3.75  # of joint 1: the published move, at three times its acceleration


@dataclass(frozen=True)
class Trapezoid:
    """All joints by the trapezoid of joint 1."""

    v: float
    a: float

    @property
    def peak(self):
        return min(self.v, np.sqrt(abs(GOAL[0]) * self.a))

    @property
    def duration(self):
        return abs(GOAL[0]) / self.peak + self.peak / self.a

    def at(self, t):
        D, v, a, T = abs(GOAL[0]), self.peak, self.a, self.duration
        rising, falling = t < v / a, t > T - v / a
        s = np.where(rising, a * t**2 / 2, np.where(falling, D - a * (T - t) ** 2 / 2, v * t - v * v / a / 2))
        sd = np.where(rising, a * t, np.where(falling, a * (T - t), v))
        sdd = np.where(rising, a, np.where(falling, -a, 0.0))
        way = GOAL / D
        return Motion(*(each[:, None] * way for each in (s, sd, sdd, 0 * t)))


def plan(speed, acceleration):
    return Trapezoid(speed * SPEED, acceleration * ACCELERATION)


@pytest.fixture(scope="module")
def rl15():
    return torsor.load("rl15")


OPTIONS = {"acceleration": np.inf}  # the motors alone limit; the published accelerations are what is asked to be passed


def test_pace_that_holds_and_loses_least(rl15):
    fitted = fit_pace(rl15, plan, **OPTIONS)
    assert fitted.changed
    assert fitted.asked.share > 1.1
    assert fitted.asked.limit == "torque of motor1"
    assert fitted.peak.share <= 1.0 + 1e-9
    t = np.linspace(0, fitted.trajectory.duration, 20_000)
    at = fitted.trajectory.at(t)
    peaks = np.array([drive.motor.torque for drive in rl15.model.drives])
    assert (np.abs(rl15.drives.torques(at.q, at.qd, at.qdd)) <= peaks * (1 + 1e-6)).all()
    # by brute force no pair of shares is shorter by more than the resolution is worth
    best = min(
        plan(v, a).duration
        for v in np.linspace(0.3, 1.0, 15)
        for a in np.linspace(0.2, 1.0, 33)
        if peak_use(rl15, plan(v, a), **OPTIONS).share <= 1.0
    )
    assert fitted.trajectory.duration <= best * (1 + 2e-3)


def test_pace_that_holds_is_kept(rl15):
    fitted = fit_pace(rl15, lambda v, a: Trapezoid(v * SPEED, a * 3.75), **OPTIONS)
    assert not fitted.changed
    assert (fitted.speed, fitted.acceleration) == (1.0, 1.0)


def test_rounded_to_what_a_program_can_say(rl15):
    fitted = fit_pace(rl15, plan, resolution=0.01, **OPTIONS)
    assert_allclose(
        np.array([fitted.speed, fitted.acceleration]) * 100, np.round([100 * fitted.speed, 100 * fitted.acceleration])
    )
    assert fitted.peak.share <= 1.0 + 1e-9


def test_slow_down_uniformly(rl15):
    slower = slow_down(rl15, plan(1.0, 1.0), **OPTIONS)
    assert_allclose(peak_use(rl15, slower, **OPTIONS).share, 1.0, atol=1e-6)
    assert slower.duration == pytest.approx(slower.stretch * plan(1.0, 1.0).duration)
    assert slow_down(rl15, plan(0.5, 0.2), **OPTIONS).stretch == 1.0
    fitted = fit_pace(rl15, plan, **OPTIONS)
    assert fitted.trajectory.duration < slower.duration  # its speed need not fall with its acceleration


def test_stretched_derivatives(rl15):
    slower = slow_down(rl15, plan(1.0, 1.0), **OPTIONS)
    t, h = np.array([0.2, 0.5, 1.0]), 1e-6
    assert_allclose((slower.at(t + h).q - slower.at(t - h).q) / (2 * h), slower.at(t).qd, atol=1e-8)
    assert_allclose((slower.at(t + h).qd - slower.at(t - h).qd) / (2 * h), slower.at(t).qdd, atol=1e-7)


def test_what_cannot_be_fitted(rl15):
    heavy = rl15.with_payload(400.0)
    with pytest.raises(Infeasible, match="torque of motor"):
        fit_pace(heavy, plan, **OPTIONS)
    with pytest.raises(Infeasible, match="however slowly"):
        slow_down(heavy, plan(1.0, 1.0), **OPTIONS)
    with pytest.raises(ShapeError, match="above zero"):
        fit_pace(rl15, plan, lower=0.0, **OPTIONS)
    with pytest.raises(TypeError, match="no option 'acc'"):
        fit_pace(rl15, plan, acc=1.0)
