"""The momentum observer against closed forms: what it says of known forces, its order, friction, loops, random arms."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import torsor
from monitored_streams import followed, home, swinging
from random_arms import models
from torsor.algebra import sin
from torsor.checking.checked_arm import CheckedArm
from torsor.monitoring.observer import MomentumObserver

GAIN, RATE = 25.0, 60.0


def observed(motion, *, speeds=True, gain=GAIN):
    drives = CheckedArm(motion.arm).driven.drives
    observer = MomentumObserver(drives, gain=gain, rate=RATE, speeds=speeds)
    steps = np.concatenate([[0.0], np.diff(motion.t)])
    return observer.step(motion.q, motion.qd if speeds else None, motion.u, steps)


def test_a_simulated_collision_is_the_torque_it_exerts_followed_by_the_law():
    """Forward dynamics move the arm, a law holds it; J^T f through r' = K (J^T f - r) is what r must be."""
    arm = torsor.load("planar3")

    def push(t):
        size = 20.0 * sin(4.0 * t) * sin(4.0 * t)
        return np.array([0.5 * size, size, 0.0 * t, 0.0 * t, 0.0 * t, 0.0 * t])

    law = torsor.control.computed_torque(arm, 100.0, 20.0, [0.4, -0.6, 0.3])
    run = torsor.simulate(arm, law, q0=[0.5, -0.2, 0.1], until=1.5, dt=1e-3, wrench=push, limits="ignore")
    steps = np.concatenate([[0.0], np.diff(run.time)])
    observer = MomentumObserver(CheckedArm(arm).driven.drives, gain=GAIN, rate=RATE, speeds=True)
    r = observer.step(run.q, run.qd, run.tau, steps).external
    f = np.array([push(t) for t in run.time.tolist()], dtype=float)
    truth = followed((np.swapaxes(arm.jacobian(run.q), -1, -2) @ f[..., None])[..., 0], run.time, GAIN)
    assert np.abs(truth).max() > 10.0
    assert np.abs(r - truth).max() < 2e-4 * np.abs(truth).max()


def test_it_is_of_second_order_at_irregular_times():
    arm, random = torsor.load("planar3"), np.random.default_rng(3)
    dense = np.linspace(0.0, 1.0, 1601)
    wrench = 30.0 * np.sin(7.0 * dense)[:, None] * np.array([1.0, -0.5, 0.0, 0.0, 0.0, 0.3])
    motion = swinging(arm, dense, wrench=wrench, pace=4.0)
    truth = followed((np.swapaxes(arm.jacobian(motion.q), -1, -2) @ wrench[..., None])[..., 0], dense, GAIN)
    errors = []
    jitter = np.clip(random.integers(-3, 4, size=1601), -3, 3)
    for every in (32, 16, 8):
        # irregular by three sixteenths of a step, on the dense grid on which the truth is known
        middle = np.arange(every, 1600, every)
        rows = np.unique(np.concatenate([[0], middle + jitter[middle] * every // 16, [1600]]))
        part = type(motion)(arm, *(each[rows] for each in (motion.t, motion.q, motion.qd, motion.u)))
        errors.append(np.abs(observed(part).external - truth[rows]).max())
    rates = np.log2(np.array(errors[:-1]) / errors[1:])
    assert np.all(rates > 1.7), (errors, rates)


@pytest.mark.parametrize("name", ["five-bar", "delta", "scara"])
def test_loops_and_sliding_joints_have_no_residual_of_their_own(name):
    motion = swinging(torsor.load(name), np.arange(0.0, 1.0, 1e-3), pace=3.0, size=0.15)
    seen = observed(motion)
    assert np.abs(seen.external).max() < 1e-4 * np.abs(motion.u).max()
    assert np.all(seen.band == 0.0)


def test_a_force_in_a_loop_is_seen_in_free_joints():
    arm = torsor.load("five-bar")
    t = np.arange(0.0, 1.0, 1e-3)
    wrench = np.tile([5.0, 3.0, 0.0, 0.0, 0.0, 0.0], (len(t), 1))
    motion = swinging(arm, t, wrench=wrench, pace=3.0, size=0.15)
    truth = followed((np.swapaxes(arm.jacobian(motion.q), -1, -2) @ wrench[..., None])[..., 0], t, GAIN)
    # from the second on: the first sample says what acts already, the law begins at zero
    truth -= truth[0]
    assert np.abs(observed(motion).external - truth)[1:].max() < 2e-3 * np.abs(truth).max()


@pytest.mark.parametrize("name", ["puma560", "rl15"])
def test_friction_of_drives_is_the_models(name):
    """Nothing acts: r is zero but for what friction may hide near rest, and the band says how much that is."""
    arm = torsor.load(name)
    motion = swinging(arm, np.arange(0.0, 3.0, 1e-3), pace=2.0)
    seen = observed(motion)
    peak = np.abs(arm.drives.gearing.to_joints(motion.q, motion.u)).max(axis=0)
    assert np.all(np.abs(seen.external) <= seen.band + 1e-3 * peak)
    apart = np.all(seen.band < 1e-6 * peak, axis=1)
    assert apart.any()
    assert np.abs(seen.external[apart] / peak).max() < 1e-3


def test_load_friction_does_not_hide_a_steady_force():
    """Friction of gears follows the load with the force in it: what is seen in the end is J^T f, not a part of it."""
    arm = torsor.load("rl15")
    t = np.arange(0.0, 0.6, 1e-3)
    wrench = np.tile([0.0, 150.0, -200.0, 0.0, 0.0, 0.0], (len(t), 1))
    motion = swinging(arm, t, wrench=wrench, pace=0.7)
    moves = np.abs(motion.qd).min(axis=0) > 0.02
    truth = (np.swapaxes(arm.jacobian(motion.q), -1, -2) @ wrench[..., None])[..., 0]
    left = np.abs(observed(motion).external - truth)[-1]
    assert moves.sum() >= 3
    assert np.all(left[moves] < 0.02 * np.abs(truth).max())


def test_the_unit_is_a_kilogram_at_the_tool():
    arm = torsor.load("puma560")
    t = np.arange(0.0, 1.0, 1e-3)
    motion, heavy = swinging(arm, t, pace=3.0), swinging(arm, t, pace=3.0, held=1.0)
    apart = observed(motion).band.max(axis=1) < 1e-3
    seen = observed(heavy)
    difference = seen.external - observed(motion).external
    assert np.abs(difference - seen.unit)[apart].max() < 1e-3 * np.abs(seen.unit).max()


def test_speeds_from_positions_are_late_by_what_is_said():
    arm = torsor.load("planar2")
    motion = swinging(arm, np.arange(0.0, 2.0, 1e-3))
    seen = observed(motion, speeds=False)
    late = np.searchsorted(motion.t, motion.t[600:] - 1.0 / RATE)
    assert np.abs(seen.qd[600:] - motion.qd[late]).max() < 1e-3
    assert np.abs(seen.external[600:]).max() < 2e-3 * np.abs(motion.u).max()


def test_accelerations_of_the_plain_residual_agree_with_the_model():
    """Two ways to the same torques: inverse dynamics at filtered accelerations, and what was measured, as late."""
    arm = torsor.load("scara")
    motion = swinging(arm, np.arange(0.0, 2.0, 1e-3))
    seen = observed(motion)
    model = arm.inverse_dynamics(seen.q_slow, seen.qd_slow, seen.qdd_slow)
    assert np.abs(model - seen.torque_slow)[300:].max() < 2e-3 * np.abs(motion.u).max()


def test_what_is_no_number_does_not_stay():
    arm = torsor.load("planar2")
    motion = swinging(arm, np.arange(0.0, 1.0, 1e-2))
    observer = MomentumObserver(CheckedArm(arm).driven.drives, gain=GAIN, rate=RATE, speeds=True)
    still = np.full(2, np.nan)
    observer.step(still[None], still[None], still[None], np.zeros(1))
    steps = np.concatenate([[0.0], np.diff(motion.t)])
    assert np.isfinite(observer.step(motion.q, motion.qd, motion.u, steps).external).all()


def test_one_by_one_is_all_at_once():
    arm = torsor.load("planar3")
    motion = swinging(arm, np.sort(np.random.default_rng(0).uniform(0.0, 1.0, 50)))
    steps = np.concatenate([[0.0], np.diff(motion.t)])
    drives = CheckedArm(arm).driven.drives
    observers = [MomentumObserver(drives, gain=GAIN, rate=RATE, speeds=True) for _ in range(2)]
    whole = observers[0].step(motion.q, motion.qd, motion.u, steps)
    rows = [observers[1].step(*(each[k : k + 1] for each in (motion.q, motion.qd, motion.u, steps))) for k in range(50)]
    for word, values in vars(whole).items():
        assert np.array_equal(values, np.vstack([getattr(row, word) for row in rows])), word


@settings(max_examples=4, deadline=None)
@given(models(max_links=3), st.integers(0, 2**32 - 1))
def test_random_arms_show_a_constant_torque_by_its_closed_form(model, seed):
    """tau = inverse dynamics - e: then r = e (1 - exp(-K t)), whatever the arm."""
    arm, random = torsor.Arm(model), np.random.default_rng(seed)
    t = np.arange(0.0, 0.4, 1e-3)
    motion = swinging(arm, t, size=0.3)
    assert np.all(np.isfinite(home(arm)))
    size = max(float(np.abs(motion.u).max()), 1.0)
    e = size * random.uniform(-1.0, 1.0, arm.n)
    seen = observed(type(motion)(arm, t, motion.q, motion.qd, motion.u - e))
    assert np.abs(seen.external - e * (1.0 - np.exp(-GAIN * t))[:, None]).max() < 1e-4 * size
