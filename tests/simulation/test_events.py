"""Limits, events, divergence, Ctrl-C, walls and payloads."""

import _thread
import threading
import warnings

import numpy as np
import pytest

import torsor
from torsor.errors import ShapeError, Unsupported
from torsor.model.armfile import parse_arm_file
from torsor.simulation import Buffers, ContactSpring, Event, SimulationNotice

INTEGRATORS = ["rk4", "dormand-prince", "rosenbrock", "symplectic"]


def falling_mass(limits="limits = { position = [-0.5, 2.0] }"):
    """A mass that falls along z: z = z0 - g t^2 / 2."""
    text = f"""
        name = "falling"
        frames = "placements"
        gravity = [0, 0, -9.81]
        [[link]]
        joint = "prismatic"
        axis = [0, 0, 1]
        mass = 2.0
        {limits}
    """
    return torsor.Arm(parse_arm_file(text))


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_a_limit_stops_the_run_where_it_is_reached(integrator):
    arm = falling_mass()
    with pytest.warns(SimulationNotice, match="reaches its lower limit -0.5"):
        run = torsor.simulate(arm, [0.0], q0=[1.0], until=2.0, dt=7e-3, integrator=integrator)
    expected = np.sqrt(2 * 1.5 / 9.81)
    assert run.stopped.reason == "limit"
    assert run.stopped.joint == arm.joint_names[0]
    assert run.time[-1] == pytest.approx(expected, abs=1e-9)
    assert run.q[-1, 0] == pytest.approx(-0.5, abs=1e-9)
    assert run.qd[-1, 0] == pytest.approx(-9.81 * expected, abs=1e-8)
    assert [event.time for event in run.events] == [run.time[-1]]
    np.testing.assert_allclose(np.diff(run.time)[:-1], 7e-3)


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_events_are_located_and_the_run_goes_on(integrator):
    arm = falling_mass("")
    marks = [
        Event("passes zero", lambda t, q, qd: q[0]),
        Event("falls at 5 m/s", lambda t, q, qd: qd[0] + 5.0, direction=-1),
        Event("never rises so", lambda t, q, qd: qd[0] + 5.0, direction=1),
    ]
    run = torsor.simulate(arm, [0.0], q0=[1.0], until=1.0, dt=7e-3, every=3, events=marks, integrator=integrator)
    found = {event.name: event.time for event in run.events}
    assert found == pytest.approx({"passes zero": np.sqrt(2 / 9.81), "falls at 5 m/s": 5 / 9.81}, abs=1e-9)
    assert run.stopped is None
    assert len(run.time) == 1 + round(1.0 / 21e-3)
    np.testing.assert_allclose(run.q[:, 0], 1.0 - 9.81 * run.time**2 / 2, atol=1e-9)
    landing = [Event("lands", lambda t, q, qd: q[0], stop=True)]
    with pytest.warns(SimulationNotice, match="lands at"):
        ended = torsor.simulate(arm, [0.0], q0=[1.0], until=1.0, dt=7e-3, integrator=integrator, events=landing)
    assert ended.stopped.reason == "event"


def test_limits_reported_ignored_and_started_beyond():
    arm = falling_mass()
    reported = torsor.simulate(arm, [0.0], q0=[1.0], until=1.0, limits="report")
    assert len(reported.events) == 1
    assert reported.stopped is None
    assert torsor.simulate(arm, [0.0], q0=[1.0], until=1.0, limits="ignore").events == ()
    with pytest.warns(SimulationNotice, match="beyond a position limit at the start"):
        assert torsor.simulate(arm, [0.0], q0=[-0.7], until=0.1).stopped is None


def test_buffers_hold():
    arm = falling_mass()
    run = torsor.simulate(arm, [0.0], q0=[0.0], until=3.0, limits=Buffers(stiffness=4000.0, damping=120.0))
    assert run.stopped is None
    assert run.q[-1, 0] == pytest.approx(-0.5 - 2.0 * 9.81 / 4000.0, abs=1e-6)
    assert run.q.min() > -0.65


def test_divergence_says_where_and_why():
    arm = torsor.load("planar2")
    with pytest.warns(SimulationNotice, match="the motion diverges at .* turns at .* smaller dt"):
        run = torsor.simulate(
            arm, lambda t, q, qd: 50.0 * qd, q0=[0.1, 0.1], until=60.0, limits="ignore", integrator="rk4"
        )
    assert run.stopped.reason == "diverged"
    assert np.isfinite(run.q).all()
    assert run.events[-1].name == "diverges"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        nothing = torsor.simulate(
            arm, lambda t, q, qd: q * np.nan, q0=[0.1, 0.1], until=1.0, limits="ignore", integrator="rk4"
        )
    assert nothing.stopped.reason == "diverged"
    assert nothing.stopped.time == 0.0


def test_a_loop_that_becomes_stiff_is_noticed():
    """Damping that grows with the angle."""
    arm = torsor.load("planar2")

    def law(t, q, qd):
        return arm.gravity(q) + 20.0 * (1.0 - q) - (5.0 + 1e6 * q[0] ** 8) * qd

    with pytest.warns(SimulationNotice, match="becomes stiff"):
        run = torsor.simulate(arm, law, q0=[0.1, 0.0], until=3.0)
    assert run.integrator == "rosenbrock"
    assert np.isfinite(run.q).all()


def test_a_stiff_law_that_cannot_be_traced_gets_smaller_steps():
    arm = torsor.load("planar2")

    def law(t, q, qd):
        return arm.gravity(q) - 100.0 * q - 3000.0 * qd * (1.0 if float(t) >= 0.0 else 2.0)

    with pytest.warns(SimulationNotice) as told:
        run = torsor.simulate(arm, law, q0=[0.1, -0.1], until=0.05)
    assert any("steps of rk4 are made for each dt" in str(each.message) for each in told)
    exact = torsor.simulate(
        arm, lambda t, q, qd: arm.gravity(q) - 100.0 * q - 3000.0 * qd, q0=[0.1, -0.1], until=0.05,
        integrator="rosenbrock", tolerance=1e-10,
    )  # fmt: skip
    np.testing.assert_allclose(run.q, exact.q, atol=1e-5)


def test_ctrl_c_keeps_what_was_computed():
    arm = torsor.load("irb140")
    options = {"q0": np.zeros(6), "dt": 1e-3, "every": 1000, "limits": "ignore", "integrator": "rk4"}
    torsor.simulate(arm, np.zeros(6), until=1.0, **options)
    threading.Timer(0.6, _thread.interrupt_main).start()
    with pytest.warns(SimulationNotice, match="interrupted at"):
        run = torsor.simulate(arm, np.zeros(6), until=1e6, **options)
    assert run.stopped.reason == "interrupted"
    assert 1.0 < run.time[-1] < 1e6
    assert len(run.q) == len(run.time)
    assert np.isfinite(run.q).all()


def test_progress_is_told():
    told = []
    torsor.simulate(torsor.load("planar2"), np.zeros(2), q0=[0, 0], until=1.0, progress=told.append, limits="ignore")
    assert told == sorted(told)
    assert told[-1] == pytest.approx(1.0)


def test_a_wall_stops_a_slider():
    """1/2 m v^2 = 1/2 k d^2, and back again."""
    text = """
        name = "slider"
        frames = "placements"
        [[link]]
        joint = "prismatic"
        axis = [1, 0, 0]
        mass = 2.0
    """
    arm = torsor.Arm(parse_arm_file(text))
    wall = ContactSpring(normal=[-1.0, 0.0, 0.0], offset=-0.3, stiffness=5000.0)
    run = torsor.simulate(
        arm, [0.0], q0=[0.0], qd0=[1.0], until=1.0, dt=1e-4, wrench=wall, integrator="dormand-prince", tolerance=1e-10
    )
    assert run.q.max() == pytest.approx(0.3 + np.sqrt(2.0 / 5000.0), abs=1e-6)
    assert run.qd[-1, 0] == pytest.approx(-1.0, abs=1e-6)
    damped = ContactSpring(normal=[-1.0, 0.0, 0.0], offset=-0.3, stiffness=5000.0, damping=50.0)
    slower = torsor.simulate(arm, [0.0], q0=[0.0], qd0=[1.0], until=1.0, dt=1e-4, wrench=damped)
    assert -0.8 < slower.qd[-1, 0] < -0.3


def test_wrenches_of_time_and_of_state():
    arm = torsor.load("irb140")
    q0 = np.array([0.2, 0.3, -0.4, 0.1, 0.5, 0.0])
    tau = arm.gravity(q0)
    options = {"q0": q0, "until": 0.2, "integrator": "rk4"}
    constant = np.array([5.0, -3.0, 2.0, 0.1, 0.2, 0.3])
    a = torsor.simulate(arm, tau, wrench=constant, **options)
    b = torsor.simulate(arm, tau, wrench=lambda t: constant + 0.0 * t, **options)
    c = torsor.simulate(
        arm, tau, wrench=[lambda t, q, qd: 0.5 * constant + 0.0 * q[0], 0.5 * constant + 0.0], **options
    )
    np.testing.assert_allclose(a.q, b.q, atol=1e-13)
    np.testing.assert_allclose(a.q, c.q, atol=1e-13)
    np.testing.assert_allclose(a.qdd, arm.forward_dynamics(a.q, a.qd, tau, wrench=constant), atol=1e-6)


def test_payloads_grasped_and_released():
    """Until the grasp the arm alone, from then on the arm with its load."""
    arm = torsor.load("planar2")
    law = arm.gravity([0.3, 0.2]) + 0.0
    run = torsor.simulate(arm, law, q0=[0.3, 0.2], until=0.4, payload=[(0.0, 0.0), (0.1, 1.5), (0.3, 0.5)], every=10)
    alone = torsor.simulate(arm, law, q0=[0.3, 0.2], until=0.1)
    loaded = torsor.simulate(arm.with_payload(1.5), law, q0=alone.q[-1], qd0=alone.qd[-1], until=0.2)
    last = torsor.simulate(arm.with_payload(0.5), law, q0=loaded.q[-1], qd0=loaded.qd[-1], until=0.1)
    np.testing.assert_allclose(run.q[10], alone.q[-1], atol=1e-13)
    np.testing.assert_allclose(run.q[30], loaded.q[-1], atol=1e-12)
    np.testing.assert_allclose(run.q[-1], last.q[-1], atol=1e-12)
    np.testing.assert_allclose(
        run.qdd[20], arm.with_payload(1.5).forward_dynamics(run.q[20], run.qd[20], law), rtol=1e-9
    )
    kinetic, potential = arm.with_payload(0.5).energy(run.q[-1], run.qd[-1])
    assert run.energy[-1] == pytest.approx(kinetic + potential)
    exact = torsor.simulate(
        arm, law, q0=[0.3, 0.2], until=0.4, payload=[(0.1, 1.5), (0.3, 0.5)], every=10, integrator="dormand-prince"
    )
    np.testing.assert_allclose(exact.q, run.q, atol=1e-8)


@pytest.mark.parametrize(
    ("options", "kind", "text"),
    [
        ({"limits": "stopp"}, Unsupported, "did you mean 'stop'?"),
        ({"integrator": "dormand"}, Unsupported, "did you mean 'dormand-prince'?"),
        ({"tolerance": 1e-6, "integrator": "rk4"}, Unsupported, "rk4 steps by dt and has no tolerance"),
        ({"tolerance": -1.0}, ShapeError, "tolerance is -1.0"),
        ({"torques": "axis"}, Unsupported, "torques is 'axis'"),
        ({"events": ["x"]}, ShapeError, "'x' is no event"),
        ({"payload": [(0.2, 1.0), (0.1, 2.0)]}, ShapeError, "rising times"),
        ({"payload": -1.0}, ShapeError, "payload is -1.0"),
        ({"wrench": [1.0, 2.0]}, ShapeError, "wrench has shape (2,)"),
        ({"wrench": lambda a, b: a}, Unsupported, "a function of 2 arguments"),
        ({"q0": [np.nan, 0.0]}, ShapeError, "no number"),
        ({"parameters": {"payloadd": 1.0}}, Unsupported, "did you mean 'payload'?"),
        ({"dt": 0.0}, ShapeError, "dt is 0.0"),
    ],
)
def test_refusals(options, kind, text):
    given = {"q0": [0.0, 0.0], "until": 0.1} | options
    with pytest.raises(kind) as error:
        torsor.simulate(torsor.load("planar2"), [0.0, 0.0], **given)
    assert text in str(error.value)


@pytest.mark.parametrize(
    "make",
    [
        lambda: ContactSpring([0, 0, 0], 0.0, 1.0),
        lambda: ContactSpring([0, 0, 1], 0.0, -1.0),
        lambda: Buffers(0.0),
        lambda: Event("x", lambda t, q, qd: t, direction=2),
    ],
)
def test_refused_when_made(make):
    with pytest.raises(ShapeError):
        make()
