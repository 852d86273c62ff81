"""Servo settings from effective inertia: the worst posture is the worst, and everywhere else the loop is no slower."""

import warnings
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import torsor
from torsor import control
from torsor.control.servo_settings import joint_ranges
from torsor.errors import ShapeError, Unsupported
from torsor.model.parts import DriveFriction
from torsor.simulation import SimulationNotice

ARMS = ("puma560", "rl15", "irb6")


@pytest.fixture(scope="module")
def settled():
    return {name: control.servo_gains(torsor.load(name), 30.0, 0.7) for name in ARMS}


@pytest.mark.parametrize("name", ARMS)
@settings(max_examples=30)
@given(seed=st.integers(0, 2**32 - 1))
def test_no_posture_is_worse(settled, name, seed):
    """At any posture each servo has at least the bandwidth and the damping that were asked for."""
    gains = settled[name]
    low, high = joint_ranges(gains.arm)
    q = low + (high - low) * np.random.default_rng(seed).uniform(size=(50, gains.arm.n))
    J = gains.arm.drives.effective_inertia(q)
    assert (gains.inertia * (1 + 1e-6) >= J).all()
    assert (gains.least * (1 - 1e-6) <= J).all()
    w = np.sqrt(gains.Kp / J)
    assert (w >= 30.0 * (1 - 1e-6)).all()
    assert (gains.Kd / (2.0 * w * J) >= 0.7 * (1 - 1e-6)).all()


@pytest.mark.parametrize("name", ARMS)
def test_at_the_worst_posture_it_is_what_was_asked_for(settled, name):
    gains = settled[name]
    for k, q in enumerate(gains.worst):
        assert gains.arm.drives.effective_inertia(q)[k] == pytest.approx(gains.inertia[k])
        roots = np.roots([gains.inertia[k], gains.Kd[k], gains.Kp[k]])
        np.testing.assert_allclose(np.abs(roots), 30.0)
        np.testing.assert_allclose(-roots.real / np.abs(roots), 0.7)
    np.testing.assert_array_equal((gains.speed_Kp, gains.speed_Ki), (gains.Kd, gains.Kp))


def test_a_motor_alone_answers_so():
    """One motor of an arm without friction, simulated: it comes to rest as a system of second order of that w and d."""
    model = torsor.load("puma560").model
    arm = torsor.Arm(replace(model, drives=tuple(replace(d, friction=DriveFriction()) for d in model.drives)))
    gains, k, w, d = control.servo_gains(arm, 25.0, 0.5), 2, 25.0, 0.5
    goal = gains.worst[k]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SimulationNotice)
        start = goal + 1e-3 * np.eye(6)[k]
        run = torsor.simulate(arm, gains.law(goal), q0=start, until=0.3, limits="ignore")
    e = (run.q[:, k] - goal[k]) / 1e-3
    wd = w * np.sqrt(1 - d * d)
    expected = np.exp(-d * w * run.time) * (np.cos(wd * run.time) + d * w / wd * np.sin(wd * run.time))
    # the other motors hold by servos of their own, not by locks: a few per cent
    assert np.abs(e - expected).max() < 0.05


def test_given_postures_only(settled):
    arm = torsor.load("puma560")
    q = np.array([[0.0, 0.5, -1.0, 0.0, 0.5, 0.0], [0.0, 1.5, -1.5, 0.0, 0.5, 0.0]])
    gains = control.servo_gains(arm, [30.0] * 6, postures=q)
    np.testing.assert_array_equal(gains.inertia, arm.drives.effective_inertia(q).max(axis=0))
    np.testing.assert_array_equal(gains.least, arm.drives.effective_inertia(q).min(axis=0))
    assert (gains.inertia <= settled["puma560"].inertia * (1 + 1e-9)).all()


def test_tables_and_a_map(settled, tmp_path):
    gains = settled["irb6"]
    titles, rows = gains.table()
    assert [row[0] for row in rows] == list(gains.names)
    assert len(titles) == len(rows[0])
    assert str(gains).splitlines()[0].split()[0] == "motor"
    titles, rows = gains.over([("zero", np.zeros(5))])
    found = [float(x) for x in rows[0][1:]]
    np.testing.assert_allclose(found, gains.arm.drives.effective_inertia(np.zeros(5)), rtol=1e-3)
    figure = gains.plot(tmp_path / "map.png")
    assert (tmp_path / "map.png").stat().st_size > 10_000
    assert [axes.get_title() for axes in figure.axes if axes.get_title()] == list(gains.names)


@pytest.mark.parametrize(
    ("call", "kind", "said"),
    [
        (lambda: control.servo_gains(torsor.load("planar2"), 30.0), Unsupported, "'planar2' has no drives"),
        (lambda: control.servo_gains(torsor.load("rl15"), -1.0), ShapeError, "bandwidth is -1.0"),
        (lambda: control.servo_gains(torsor.load("rl15"), 30.0, [1, 2]), ShapeError, "damping"),
        (lambda: control.servo_gains(torsor.load("rl15"), 30.0, postures=[0.0]), ShapeError, "postures has shape"),
        (
            lambda: control.servo_gains(torsor.load("irb6"), 30.0, postures=[[0, np.pi / 2, 0, 0, 0], [0] * 5]),
            Unsupported,
            "comes to a dead centre of its linkage near q = [0.0, 1.571, 0.0, 0.0, 0.0]",
        ),
        (lambda: control.servo_gains(torsor.load("irb6"), 30.0).law(np.zeros(5)), Unsupported, "it has a linkage"),
    ],
)
def test_refusals(call, kind, said):
    with pytest.raises(kind) as error:
        call()
    assert said in str(error.value)
