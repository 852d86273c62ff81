"""Actuators that cannot change their torque at once."""

import warnings

import numpy as np
import pytest

import torsor
from torsor import control
from torsor.errors import ShapeError
from torsor.simulation import SimulationNotice

GOAL = np.array([0.4, -0.3])


@pytest.fixture(scope="module")
def arm():
    return torsor.load("planar2")


def run_of(arm, law, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SimulationNotice)
        return torsor.simulate(arm, law, q0=[0.0, 0.0], until=1.0, **options)


def test_no_torque_changes_faster(arm):
    law = control.rate_limited(arm, control.pd_gravity(arm, 50.0, 20.0, GOAL), [200.0, 100.0])
    run = run_of(arm, law)
    np.testing.assert_allclose(run.tau[0], arm.gravity([0.0, 0.0]))
    changes = np.abs(np.diff(run.tau, axis=0)).max(axis=0) / 1e-3
    assert (changes <= [200.0 * (1 + 1e-9), 100.0 * (1 + 1e-9)]).all()
    assert (changes > [199.0, 99.0]).all()  # the step is ramped up at the limit
    assert np.abs(run.q[-1] - GOAL).max() < 0.05


def test_a_fast_one_with_little_lag_is_the_law_itself(arm):
    pd = control.pd_gravity(arm, 50.0, 20.0, GOAL)
    plain = run_of(arm, pd)
    apart = [
        np.abs(run_of(arm, control.rate_limited(arm, pd, 1e9, lag=lag)).q - plain.q).max() for lag in (4e-3, 2e-3, 1e-3)
    ]
    ratios = np.array(apart[:-1]) / np.array(apart[1:])
    np.testing.assert_allclose(ratios, 2.0, rtol=0.1)  # the lag of first order goes with its time


def test_states_of_the_law_stand_behind(arm):
    pid = control.pid(arm, 50.0, 30.0, 20.0, GOAL)
    law = control.rate_limited(arm, pid, 500.0)
    assert law.states == 2 + pid.states
    x = np.array([1.0, 2.0, 0.3, -0.2])
    tau, rates = law(0.0, np.zeros(2), np.zeros(2), x)
    inner, inner_rates = pid(0.0, np.zeros(2), np.zeros(2), x[2:])
    np.testing.assert_array_equal(tau, [1.0, 2.0])
    np.testing.assert_allclose(rates, [*np.clip((inner - tau) / 1e-3, -500, 500), *inner_rates])


def test_of_motors_it_begins_with_what_holds_them():
    rl15 = torsor.load("rl15")
    law = control.motor_side(rl15, control.pd_gravity(rl15, 1e4, 1e3, np.zeros(6)))
    limited = control.rate_limited(rl15, law, 100.0)
    held = rl15.drives.gearing.to_motors(np.full(6, 0.1), rl15.gravity(np.full(6, 0.1)))
    assert limited.gives == "motor"
    np.testing.assert_allclose(limited.initial_state(np.full(6, 0.1), np.zeros(6)), held)


@pytest.mark.parametrize(("rate", "lag", "said"), [(-1.0, 1e-3, "rate is -1.0"), (10.0, 0.0, "lag is 0; above zero")])
def test_refusals(arm, rate, lag, said):
    with pytest.raises(ShapeError, match=said):
        control.rate_limited(arm, control.pd_gravity(arm, 1.0, 1.0, GOAL), rate, lag=lag)
