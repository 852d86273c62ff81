"""Arms whose loops have no closed form, stepped in their free joints: the Delta robot."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import torsor
from torsor.arm import Arm
from torsor.drives import achievable
from torsor.errors import LoopOpen
from torsor.model.parts import BASE, Drive, DriveFriction, Motor
from torsor.simulation import ContactSpring, Encoder, Event, Sampled, SimulationNotice, parameter

HANGING = [1.6, 1.7, 1.8]  # near to where it hangs at rest
STILL = np.zeros(3)


@pytest.fixture(scope="module")
def delta():
    return torsor.load("delta")


@pytest.fixture(scope="module")
def driven(delta):
    """With a motor, a gear and friction at each crank."""
    friction = DriveFriction(coulomb=(0.02, 0.03), viscous=1e-4)
    drives = tuple(
        Drive(f"motor{k + 1}", row, 0.0, 2e-5, BASE, np.array([0.0, 0.0, 1.0]), Motor(torque=0.4), friction)
        for k, row in enumerate(20.0 * np.eye(6)[:3])
    )
    return Arm(replace(delta.model, drives=drives))


def violation(arm, run):
    return arm.closure.violation(np.concatenate([run.q, run._guess], axis=-1)).max()


def test_energy_stays_and_loops_stay_closed(delta):
    run = torsor.simulate(delta, STILL, q0=HANGING, until=10.0, limits="ignore", every=10)
    assert run.stopped is None
    assert np.ptp(run.energy) < 1e-8 * run.kinetic.max()
    assert violation(delta, run) < 1e-14
    again = torsor.simulate(delta, STILL, q0=HANGING, until=10.0, limits="ignore", every=10)
    assert run.q.tobytes() == again.q.tobytes()


@pytest.mark.parametrize(
    "hows", [("rk4", "dormand-prince", "rosenbrock"), pytest.param(("symplectic", "euler"), marks=pytest.mark.slow)]
)
def test_an_independent_integration_agrees(delta, hows):
    x, xd = np.array([0.3, 0.4, 0.2]), np.array([0.1, -0.2, 0.3])

    def rates(t, y):
        return np.concatenate([y[3:], delta.forward_dynamics(y[:3], y[3:], STILL)])

    there = solve_ivp(rates, (0.0, 0.2), np.concatenate([x, xd]), rtol=1e-12, atol=1e-12).y[:, -1]
    errors = {}
    for how in hows:
        run = torsor.simulate(delta, STILL, q0=x, qd0=xd, until=0.2, integrator=how, limits="ignore", saturation=False)
        errors[how] = np.abs(np.concatenate([run.q[-1], run.qd[-1]]) - there).max()
        np.testing.assert_allclose(run.qdd[7], delta.forward_dynamics(run.q[7], run.qd[7], STILL), atol=1e-9)
        assert violation(delta, run) < 1e-14
    most = {"rk4": 1e-9, "dormand-prince": 1e-8, "rosenbrock": 1e-9, "symplectic": 1e-3, "euler": 0.5}
    assert all(error < most[how] for how, error in errors.items()), errors


@pytest.mark.slow
def test_laws_ask_for_the_arm_at_its_state_and_elsewhere(delta):
    """Gravity at q, at a reference that moves, and of the same arm with a payload."""
    loaded = delta.with_payload(0.5)

    def law(t, q, qd):
        wanted = np.array([0.4 + 0.2 * np.sin(3.0 * t), 0.4 + 0.1 * np.cos(2.0 * t), 0.5 + 0.0 * t])
        weight = 0.5 * delta.gravity(q) + 0.25 * delta.gravity(wanted) + 0.25 * loaded.gravity(q)
        return weight - 30.0 * (q - wanted) - 2.0 * qd

    def on_numbers(t, q, qd):
        return np.array(law(float(t), q, qd), dtype=float)

    run = torsor.simulate(delta, law, q0=[0.3, 0.3, 0.3], until=0.5)
    asked = np.array([on_numbers(t, q, qd) for t, q, qd in zip(run.time, run.q, run.qd, strict=True)])
    np.testing.assert_allclose(run.asked, asked, atol=1e-12)
    np.testing.assert_allclose(run.along(lambda t, q, qd: delta.pose(q)), delta.pose(run.q), atol=1e-14)
    sampled = torsor.simulate(delta, Sampled(law, period=2e-3, encoder=Encoder(1e-3)), q0=[0.3, 0.3, 0.3], until=0.5)
    assert np.abs(sampled.q - run.q).max() < 0.02


def test_joints_too_far_away_are_not_taken_for_closed(delta):
    def law(t, q, qd):
        return delta.gravity(np.array([0.3 + 40.0 * t, 0.3 - 40.0 * t, 0.3 + 0.0 * t])) - 5.0 * qd

    with pytest.warns(SimulationNotice, match="asks at 0.0.* s for the arm where its loops do not close"):
        run = torsor.simulate(delta, law, q0=[0.3, 0.3, 0.3], until=0.2)
    assert run.stopped.reason == "diverged"


def test_events_and_walls(delta):
    low = Event("low", lambda t, q, qd: delta.pose(q)[2, 3] + 0.9)
    run = torsor.simulate(delta, STILL, q0=[0.3, 0.3, 0.3], until=0.2, events=[low])
    (event,) = run.events
    assert delta.pose(event.q)[2, 3] == pytest.approx(-0.9, abs=1e-12)
    floor = ContactSpring([0, 0, 1], -0.85, stiffness=2e4, damping=100.0)
    run = torsor.simulate(delta, STILL, q0=[0.3, 0.3, 0.3], until=0.5, wrench=floor, events=[low])
    assert not run.events
    assert floor.depth(delta, run.q[-1]) > 0.0


def test_rollouts_are_single_runs(delta):
    Kp = parameter("Kp")

    def law(t, q, qd):
        return delta.gravity(q) - Kp * (q - 0.5) - qd

    starts = np.array([[0.3, 0.3, 0.3], [0.2, 0.4, 0.3], [0.5, 0.4, 0.6]])
    runs = torsor.simulate(delta, law, q0=starts, until=0.1, parameters={"Kp": [10.0, 20.0, 30.0]})
    for k, gain in enumerate((10.0, 20.0, 30.0)):
        alone = torsor.simulate(delta, law, q0=starts[k], until=0.1, parameters={"Kp": gain})
        assert runs.q[k].tobytes() == alone.q.tobytes()
        np.testing.assert_allclose(runs[k].energy, alone.energy, rtol=1e-14)


@pytest.mark.parametrize("how", ["rk4", "dormand-prince", "rosenbrock"])
def test_a_dead_centre_ends_it_by_name(delta, how):
    """Rods that are parallel: cranks at 120 degrees."""
    with pytest.warns(SimulationNotice, match="singular at x = "):
        run = torsor.simulate(delta, STILL, q0=[0.3, 0.3, 0.3], until=1.0, limits="ignore", integrator=how)
    assert run.stopped.reason == "singular"
    assert run.q[-1] == pytest.approx(np.full(3, np.radians(120.0)), abs=5e-3)
    assert np.isfinite(run.energy).all()


def test_steps_in_which_joints_turn_too_far_are_named(delta):
    with pytest.warns(SimulationNotice, match="cannot be followed from .* a smaller dt"):
        run = torsor.simulate(
            delta, STILL, q0=[0.3] * 3, qd0=[60.0, -60.0, 0.0], until=0.5, dt=0.02, integrator="euler", limits="ignore"
        )
    assert run.stopped.reason == "diverged"
    assert np.isfinite(run.q).all()


@pytest.mark.parametrize("how", ["rk4", "dormand-prince"])
def test_friction_sticks(driven, how):
    """Held by friction where it is, moving where it is not: power that is lost is that of friction."""
    x = [0.3, 0.3, 0.3]
    held = torsor.simulate(driven, driven.drives.torques(x, STILL, STILL), q0=x, until=0.05, integrator=how)
    assert held.stuck.all()
    assert (held.q == held.q[0]).all()
    run = torsor.simulate(driven, STILL, q0=[1.2, 1.3, 1.1], until=0.3, integrator=how, limits="ignore")
    rates = driven.drives.rates(run.q, run.qd)
    lost = np.trapezoid((np.where(rates > 0.0, 0.02, 0.03) * np.abs(rates) + 1e-4 * rates**2).sum(axis=-1), run.time)
    assert run.energy[0] - run.energy[-1] == pytest.approx(lost, rel=2e-3)


def test_motors_along_loops_of_newton(driven):
    """A plan that motors can do is done; one that they cannot is limited, and torques reached say so."""
    s = np.linspace(0.0, 1.0, 41)[:, None]
    plan = np.array([0.3, 0.3, 0.3]) + np.array([0.2, -0.1, 0.15]) * (10 * s**3 - 15 * s**4 + 6 * s**5)
    easy = achievable(driven, plan, 0.02)
    assert easy.feasible
    np.testing.assert_allclose(easy.q, plan[1:], atol=1e-12)
    hard = achievable(driven, plan, 0.002)
    assert hard.limited.any()
    assert (np.abs(hard.reached) <= 0.4 * (1 + 1e-9)).all()
    k = 20  # friction acts against the speed asked for; its viscous part is that of the end of a cycle
    before, qd = hard.q[k - 1], hard.qd[k - 1]
    links = driven.drives.torques(before, qd, hard.qdd[k], friction=False)
    dry = np.where(plan[k + 1] > plan[k], 0.02, -0.03)
    np.testing.assert_allclose(hard.reached[k], links + dry + 1e-4 * driven.drives.rates(before, hard.qd[k]), atol=1e-9)


def test_cycles_in_which_joints_turn_too_far_are_named(driven):
    plan = np.array([[0.3, 0.3, 0.3], [0.3, 0.3, 0.3], [1.6, -1.0, 0.3], [1.6, -1.0, 0.3], [1.6, -1.0, 0.3]])
    strong = Arm(replace(driven.model, drives=tuple(replace(d, motor=Motor(torque=1e9)) for d in driven.model.drives)))
    with pytest.raises(LoopOpen, match="the loops of 'delta' cannot be followed beyond cycle 2, where q = "):
        achievable(strong, plan, 0.1)
