"""Energies and root mean squares against sums over so many points that no kink matters."""

from pathlib import Path

import numpy as np
import pytest

import torsor
from torsor.checking.integrals import over_time

POINTS = 200_001
EXAMPLES = Path(__file__).parents[2] / "examples" / "programs"


@pytest.mark.parametrize(("name", "durations"), [("rl15", (1.5, 0.6, 2.0)), ("puma560", (1.5, 0.5)), ("ur5", (1.0,))])
def test_a_fine_sum_says_the_same(hand, name, durations):
    """A trapezoid in steps of some microseconds; a jump of friction where a motor turns costs it half a step."""
    arm = torsor.load(name)
    pieces = list(hand.tour(arm, durations, dwell=0.0, seed=3))
    for move, piece in zip(hand.verdict(arm, pieces).moves, pieces, strict=True):
        t = np.linspace(0.0, piece.trajectory.duration, POINTS)[1:-1]
        q, qd, qdd, _ = piece.trajectory.at(t)
        if arm.model.drives:
            u, rate = arm.drives.torques(q, qd, qdd), arm.drives.rates(q, qd)
            peak = np.array([drive.motor.torque for drive in arm.model.drives])
            friction = np.trapezoid(arm.drives.power(q, qd, qdd).friction, t)
            assert move.friction == pytest.approx(friction, rel=1e-5)
        else:
            u, rate = arm.inverse_dynamics(q, qd, qdd), qd
            peak = np.array([link.joint.limits.torque for link in arm.model.independent])
        power = (u * rate).sum(axis=-1)
        size = np.trapezoid(np.abs(power), t)
        assert move.energy == pytest.approx(np.trapezoid(power, t), abs=1e-5 * size)
        assert move.drawn == pytest.approx(np.trapezoid(np.maximum(power, 0.0), t), abs=1e-5 * size)
        rms = np.sqrt(np.trapezoid(u**2, t, axis=0) / t[-1]) / peak
        np.testing.assert_allclose(move.rms_share, rms, rtol=1e-5)


def test_joints_that_stand_still_take_no_friction():
    """Between samples of a straight line rounding moves them by 1e-17, against which dry friction does not work."""
    arm = torsor.load("puma560")
    moves = torsor.check(EXAMPLES / "palletise.v2", arm, signals=False).moves
    still = np.array([move.motor_speed.share <= 0.0 for move in moves])
    assert still.any(axis=0)[[0, 3, 5]].all()
    unloaded = np.array([move.torque.share < 1e-12 for move in moves])
    assert (unloaded & still).any()
    assert np.array([move.rms_share for move in moves])[unloaded & still].max() < 1e-12


class Section:
    is_rest, rows = False, slice(0, None)


class Grid:
    """Two joints that go q = (t, 1 - t) for two seconds, in steps of a tenth, with a sample beside the first."""

    local = np.insert(np.arange(21) / 10.0, 1, 1e-4)
    stretch = np.insert(np.zeros(21, dtype=int), 1, -1)
    owner = np.zeros(22, dtype=int)
    q = np.column_stack([local, 1.0 - local])
    qd = np.tile([1.0, -1.0], (22, 1))
    qdd = np.zeros((22, 2))
    sections = (Section,)


@pytest.mark.parametrize(
    ("measure", "exact", "most"),
    [
        (lambda q: q[:, :1] ** 3, 4.0, 30),  # Simpson's rule is exact
        (lambda q: np.abs(q[:, 1:] - 1 / 7), (6 / 7) ** 2 / 2 + (8 / 7) ** 2 / 2, 300),
        (lambda q: np.where(q[:, :1] < 1 / 3, 1.0, 5.0), 1 / 3 + 25 / 3, 300),
        (lambda q: np.exp(3.0 * q[:, :1]), np.expm1(6.0) / 3.0, 700),
        (lambda q: np.hstack([np.sign(q[:, :1] - 0.77), 0.0 * q[:, :1]]), [2.0 - 1.54, 0.0], 300),
    ],
)
def test_kinks_and_jumps_are_found(measure, exact, most):
    asked = []

    def counted(q, qd, qdd):
        asked.append(len(q))
        return measure(q)

    found = over_time(Grid, measure(Grid.q), counted)
    np.testing.assert_allclose(found[0], exact, rtol=3e-7)
    assert sum(asked) <= most


def test_noise_is_not_followed():
    """What never settles is given up, in bounded time and memory."""
    rng, asked = np.random.default_rng(1), []

    def noise(q, qd, qdd):
        asked.append(len(q))
        return rng.uniform(0.0, 1.0, (len(q), 1))

    (found,) = over_time(Grid, rng.uniform(0.0, 1.0, (22, 1)), noise)
    assert 0.0 < found[0] < 2.0
    assert sum(asked) < 50_000


def test_what_is_no_number_stays_none():
    values = np.where(Grid.local[:, None] > 1.0, np.nan, 1.0)
    assert np.isnan(over_time(Grid, values, lambda q, qd, qdd: np.full((len(q), 1), np.nan))[0, 0])
