"""Linearisation against differences, poles against the thesis, margins, ellipsoids and energy against closed forms."""

import json
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from closed_loop import roll

import torsor
from torsor import control
from torsor.control import reference
from torsor.errors import ShapeError

ORACLE = json.loads((Path(__file__).parents[1] / "oracles" / "irb140.json").read_text())


def by_differences(arm, law, z, t, h=1e-6):
    n = arm.n

    def rates(z):
        tau, own = law.torque_and_rates(t, z[:n], z[n : 2 * n], z[2 * n :])
        return np.concatenate([z[n : 2 * n], arm.forward_dynamics(z[:n], z[n : 2 * n], tau), own])

    columns = [(rates(z + h * e) - rates(z - h * e)) / (2 * h) for e in np.eye(len(z))]
    return np.array(columns).T


@pytest.mark.parametrize(
    "name", ["pd_gravity", "computed_torque", "pid", "slotine_li", "operational_space", "observer"]
)
def test_the_linearisation_is_that_of_differences(planar3, irb140, name):
    arm = irb140 if name == "operational_space" else planar3
    n = arm.n
    goal = reference.sine(np.zeros(n), 0.5, 0.4)
    law = {
        "pd_gravity": lambda: control.pd_gravity(arm, 50.0, 20.0, goal),
        "computed_torque": lambda: control.computed_torque(arm, 50.0, 20.0, goal),
        "pid": lambda: control.pid(arm, 50.0, 5.0, 20.0, goal),
        "slotine_li": lambda: control.slotine_li(arm, 5.0, 10.0, 1.0, goal),
        "operational_space": lambda: control.operational_space(arm, 100.0, 20.0, [0.4, 0.1, 0.5]),
        "observer": lambda: control.disturbance_observer(arm, control.pd_gravity(arm, 50.0, 20.0, goal), 10.0),
    }[name]()
    q, qd = np.random.default_rng(0).uniform(-1.0, 1.0, size=(2, n))
    x = law.initial_state(q, qd)
    loop = control.linearise(arm, law, q, qd, t=0.3, x=x)
    want = by_differences(arm, law, np.concatenate([q, qd, x]), 0.3)
    assert np.abs(loop.A - want).max() <= 1e-6 * np.abs(want).max()
    assert loop.B[n : 2 * n] == pytest.approx(np.linalg.inv(arm.mass_matrix(q)), rel=1e-9)


def test_along_a_trajectory_it_is_that_of_each_state(planar3):
    law = control.pd_gravity(planar3, 50.0, 20.0, np.zeros(3))
    q, qd = np.random.default_rng(1).uniform(-1.0, 1.0, size=(2, 5, 3))
    together = control.linearise(planar3, law, q, qd)
    for k in range(5):
        assert together.A[k] == pytest.approx(control.linearise(planar3, law, q[k], qd[k]).A, abs=1e-9)
    assert together.poles.shape == (5, 6)
    integrating = control.pid(planar3, 1.0, 1.0, 1.0, np.zeros(3))
    with pytest.raises(ShapeError, match="Pid has 3 states; give x= along the trajectory"):
        control.linearise(planar3, integrating, q, qd)


def test_the_fastest_pole_of_the_thesis(irb140):
    """-22858 1/s: what makes its loop stiff."""
    case = ORACLE["sim"]["closed_1"]
    law = control.pd_gravity(irb140, [50.0] * 5 + [60.0], [20.0] * 5 + [22.0], case["q_ref"])
    poles = control.linearise(irb140, law, case["q_init"]).poles
    assert poles[0].real == pytest.approx(-22858.0, rel=2e-3)
    at_goal = control.linearise(irb140, law, case["q_ref"])
    assert at_goal.stable
    assert (at_goal.poles.real < 0.0).all()


def test_without_a_law_it_is_the_arm_that_is_held(planar3):
    up = [np.pi / 2, 0.0, 0.0]
    assert not control.linearise(planar3, None, up).stable  # upright: it falls
    down = control.linearise(planar3, None, [-np.pi / 2, 0.0, 0.0])
    assert np.abs(down.poles.real).max() < 1e-6 * np.abs(down.poles).max()  # hanging: it swings
    swings = np.sort(
        np.linalg.eigvals(np.linalg.inv(planar3.mass_matrix([-np.pi / 2, 0, 0])) @ stiffness(planar3)).real
    )
    assert np.sort(np.unique(np.abs(down.poles.imag).round(6))) == pytest.approx(np.sqrt(swings), rel=1e-5)


def stiffness(arm, h=1e-6):
    q = np.array([-np.pi / 2, 0.0, 0.0])
    return np.array([(arm.gravity(q + h * e) - arm.gravity(q - h * e)) / (2 * h) for e in np.eye(3)]).T


def test_bode_of_computed_torque_is_that_of_its_linear_loop(planar3):
    """Each joint is 1/s^2 with Kp + Kd s around it: L = (Kd s + Kp)/s^2 once the others are taken as rigid.

    At a set point with all joints alike, the closed loop from torque is M^-1 / (s^2 + Kd s + Kp).
    """
    q = np.array([0.3, 0.4, -0.5])
    loop = control.linearise(planar3, control.computed_torque(planar3, 100.0, 12.0, q), q)
    w = np.geomspace(0.1, 1000.0, 60)
    G = control.frequency_response(loop, w)
    s = 1j * w
    want = np.linalg.inv(planar3.mass_matrix(q)) / (s**2 + 12.0 * s + 100.0)[:, None, None]
    assert np.abs(G - want).max() <= 1e-9 * np.abs(want).max()


def test_margins_of_one_joint_are_those_of_the_textbook():
    """PD round one joint of inertia J on which gravity pulls as a spring g': L = (Kd s + Kp - g')/(J s^2 + g')."""
    arm = torsor.load("planar2")
    heavy = np.array([[1.0, 0.0], [0.0, 1e9]])  # the second joint is clamped
    q = np.array([0.2, 0.5])
    law = control.pd_gravity(arm, 100.0 * heavy, 20.0 * heavy, q)
    loop = control.linearise(arm, law, q)
    w = np.geomspace(0.1, 1000.0, 4000)
    bode = control.loop_gain(loop, 0, w)
    J = arm.mass_matrix(q)[0, 0]
    h = np.array([1e-6, 0.0])
    pull = (arm.gravity(q + h) - arm.gravity(q - h))[0] / 2e-6
    want = (20.0 * 1j * w + 100.0 - pull) / (J * (1j * w) ** 2 + pull)
    assert np.abs(bode.response - want).max() <= 1e-5 * np.abs(want).max()
    crossover = w[np.argmin(np.abs(np.abs(want) - 1.0))]
    assert bode.crossover == pytest.approx(crossover, rel=3e-3)
    margin = 180.0 + np.degrees(np.unwrap(np.angle(want)))[np.argmin(np.abs(w - crossover))]
    assert bode.phase_margin == pytest.approx(margin, abs=0.2)
    with pytest.raises(ShapeError, match="there is no joint 2; from 0 to 1"):
        control.loop_gain(loop, 2, w)
    with pytest.raises(ShapeError, match="omega has shape"):
        control.loop_gain(loop, 0, [0.0, 1.0])


def test_ellipsoids_of_a_planar_arm():
    arm = torsor.load("planar2")
    q = np.array([0.3, 0.9])
    # links of 1 m: |det J| = |sin q2|
    assert control.manipulability(arm, q, rows=2) == pytest.approx(np.sin(0.9), rel=1e-12)
    assert control.manipulability(arm, np.stack([q, 0 * q]), rows=2).shape == (2,)
    J = arm.jacobian(q)[:2]
    grip = control.velocity_ellipsoid(arm, q, rows=2)
    on_edge = grip.axes[:, 0] * grip.radii[0]
    assert np.linalg.norm(np.linalg.solve(J, on_edge)) == pytest.approx(1.0, rel=1e-9)
    strong = control.dynamic_ellipsoid(arm, q, torque=[10.0, 4.0], rows=2)
    edge = strong.axes[:, 1] * strong.radii[1]
    tau = arm.mass_matrix(q) @ np.linalg.solve(J, edge)
    assert np.linalg.norm(tau / [10.0, 4.0]) == pytest.approx(1.0, rel=1e-9)


def test_the_energy_of_a_run_is_accounted_for(planar3):
    law = control.pd_gravity(planar3, [50.0, 30.0, 10.0], [20.0, 10.0, 2.0], [0.5, -0.3, 0.2])
    run = roll(planar3, law, np.zeros(3), [1.0, -1.0, 0.5], until=1.0, dt=1e-3)
    audit = control.energy_audit(planar3, run)
    assert np.abs(audit.missing).max() < 1e-6 * np.abs(audit.work).max()
    again = control.energy_audit(planar3, SimpleNamespace(time=run.time, q=run.q, qd=run.qd), law)
    assert again.missing == pytest.approx(audit.missing, abs=1e-9)
    rubbed = roll(planar3, law, np.zeros(3), [1.0, -1.0, 0.5], until=1.0, dt=1e-3, disturbance=[-5.0, 0.0, 0.0])
    lost = control.energy_audit(planar3, rubbed).missing[-1]
    assert lost == pytest.approx(5.0 * (rubbed.q[-1, 0] - rubbed.q[0, 0]), rel=1e-4)
    with pytest.raises(ShapeError, match="the run has no torques; give law="):
        control.energy_audit(planar3, SimpleNamespace(time=run.time, q=run.q, qd=run.qd))
