"""Arms with loops in time: with motors, gears and friction at their free joints, and into their dead centres."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import torsor
from torsor.arm import Arm
from torsor.errors import Unsupported
from torsor.model.parts import Drive, DriveFriction, JointFriction, Motor
from torsor.simulation import SimulationNotice

Z = np.array([0.0, 0.0, 1.0])


def motor(model, joint, ratio, carrier, friction=None):
    row = ratio * (np.array(model.joint_names) == joint)
    return Drive(f"motor of {joint}", row, 0.0, 2e-4, carrier, Z, Motor(torque=5.0), friction or DriveFriction())


def with_motors(name, friction=None):
    """Motors on the free joints, each fixed on the link before."""
    model = torsor.load(name).model
    parents = {link.joint.name: link.parent for link in model.links}
    driven = torsor.load(name).joint_names
    drives = [motor(model, joint, 30.0 + 10.0 * k, parents[joint], friction) for k, joint in enumerate(driven)]
    return Arm(replace(model, drives=tuple(drives)))


@pytest.mark.parametrize("name", ["five-bar", "asea-irb"])
def test_motion_is_that_of_forward_dynamics_with_drives(name):
    """And without friction the motors' work is all there is: energy(t) - energy(0) = integral of u . qd_a."""
    arm = with_motors(name)
    x = arm.closure.free_of(arm.closure.reference)
    u = 0.05 * np.random.default_rng(2).normal(size=arm.n)
    run = torsor.simulate(arm, u, q0=x, until=0.2, limits="ignore", integrator="dormand-prince", tolerance=1e-11)
    tau = np.broadcast_to(u * np.diag(arm.drives.N()), run.q.shape)
    right = arm.forward_dynamics(run.q, run.qd, tau, drives=True)
    np.testing.assert_allclose(run.qdd, right, atol=1e-11 * np.abs(right).max())
    turned = arm.drives.positions(run.q) - arm.drives.positions(run.q[0])
    work = turned @ u  # constant torques
    assert np.abs(run.energy - run.energy[0] - work).max() < 1e-9 * np.abs(work).max()
    assert arm.closure.violation(arm.closure.positions(run.q)).max() < 1e-14
    rotors = np.asarray(run.kinetic) - arm.energy(run.q, run.qd)[0]
    assert rotors[-1] > 0.1 * run.kinetic[-1]


def test_friction_takes_what_the_balance_of_power_says():
    arm = with_motors("five-bar", DriveFriction(viscous=1e-4, coulomb=(0.01, 0.02), load=0.05))
    x = arm.closure.free_of(arm.closure.reference)
    run = torsor.simulate(arm, [0.25, -0.25], q0=x, until=0.15, limits="ignore", dt=1e-4, tolerance=1e-10,
                          integrator="dormand-prince")  # fmt: skip
    moving = ~run.stuck.any(axis=-1)
    assert moving.sum() > 1000
    power = arm.drives.power(run.q[moving], run.qd[moving], run.qdd[moving])
    given = (run.tau[moving] * arm.drives.rates(run.q[moving], run.qd[moving])).sum(axis=-1)
    size = np.abs(given).max()
    np.testing.assert_allclose(given, power.motor, atol=1e-10 * size)
    np.testing.assert_allclose(power.motor, power.friction + power.stored, atol=1e-12 * size)
    assert (power.friction > 0.0).all()
    time = run.time[moving]
    stored = np.concatenate([[0.0], np.cumsum(0.5 * (power.stored[1:] + power.stored[:-1]) * np.diff(time))])
    gained = run.energy[moving] - run.energy[moving][0]
    np.testing.assert_allclose(gained, stored, atol=1e-6 * np.abs(gained).max())  # trapezoids of 0.1 ms


def test_driven_joints_stick():
    """Held by more than its weight the four-bar stays where it is, to the last bit; with less torque it breaks away."""
    model = torsor.load("fourbar").model
    links = [
        replace(link, joint=replace(link.joint, friction=JointFriction(coulomb=2.0))) if k == 0 else link
        for k, link in enumerate(model.links)
    ]
    arm = Arm(replace(model, links=tuple(links)))
    x = np.array([1.0])
    weight = arm.gravity(x)[0]
    assert 0.0 < weight < 2.0
    still = torsor.simulate(arm, [0.0], q0=x, until=0.5)
    assert still.elements
    assert still.stuck.all()
    assert (still.q == x).all()
    almost, beyond = weight + 2.0 - 1e-9, weight + 2.0 + 1e-9
    assert torsor.simulate(arm, [almost], q0=x, until=0.1).stuck.all()
    started = torsor.simulate(arm, [beyond], q0=x, until=0.1)
    assert not started.stuck[1:].any()
    assert started.qd[-1] > 0.0
    slides = torsor.simulate(arm, [0.0], q0=x, qd0=[3.0], until=0.5, integrator="dormand-prince")
    assert (slides.stuck[0].any(), slides.stuck[-1].all()) == (False, True)
    lost = slides.energy[0] - slides.energy[-1]
    assert lost == pytest.approx(2.0 * abs(slides.q[-1, 0] - x[0]), rel=1e-7)  # it slides one way only


def test_payload_as_a_parameter_is_that_of_the_file():
    arm = torsor.load("five-bar")
    x = arm.closure.free_of(arm.closure.reference)
    run = torsor.simulate(arm, [0.0, 0.0], q0=x, until=0.1, payload=0.7)
    lighter = torsor.simulate(arm, [0.0, 0.0], q0=x, until=0.1)
    assert np.abs(run.q[-1] - lighter.q[-1]).max() > 1e-6
    assert np.abs(run.energy - run.energy[0]).max() < 1e-9 * np.abs(run.kinetic).max()
    held = torsor.simulate(arm.with_payload(0.7), [0.0, 0.0], q0=x, until=0.1)
    np.testing.assert_allclose(held.q, run.q, atol=1e-12)


@pytest.mark.parametrize(
    "how", [{}, {"integrator": "dormand-prince"}, {"integrator": "rosenbrock", "tolerance": 1e-8}], ids=str
)
def test_falling_into_a_dead_centre_ends_with_its_name(how):
    arm = torsor.load("asea-irb")
    with pytest.warns(SimulationNotice, match="singular at joint3 = 81.36 deg"):
        run = torsor.simulate(arm, np.zeros(6), q0=arm.closure.free_of(arm.closure.reference), until=1.0, **how)
    assert run.stopped.reason == "singular"
    assert run.stopped.text.startswith("driving joint2 or joint7 is singular at joint3 = 81.36 deg: loop 'parallel'")
    assert "closure.forward_dynamics" in run.stopped.hint
    assert run.time[-1] == run.stopped.time == pytest.approx(0.45258, abs=1e-5)
    assert np.isfinite(run.q).all()
    assert float(arm.closure.distance_to_singularity(run.q[-1])) == pytest.approx(1e-3, rel=1e-3)


def test_a_step_that_jumps_over_a_dead_centre_is_named_too():
    """A four-bar driven by its rocker, which cannot turn all around, in coarse steps."""
    model = torsor.load("fourbar").model
    arm = Arm(replace(model, loops=tuple(replace(loop, driven=("rocker",)) for loop in model.loops)))
    x = arm.closure.free_of(arm.closure.reference)
    with pytest.warns(SimulationNotice, match="driving rocker is singular"):
        run = torsor.simulate(arm, [0.0], q0=x, qd0=[30.0], until=1.0, dt=0.02, integrator="rk4")
    assert run.stopped.reason == "singular"
    assert np.isfinite(run.q).all()


def test_friction_of_joints_that_loops_move_is_refused():
    model = torsor.load("fourbar").model
    links = [
        replace(link, joint=replace(link.joint, friction=JointFriction(viscous=0.1 * k)))
        for k, link in enumerate(model.links)
    ]
    with pytest.raises(Unsupported, match="'coupler' of 'fourbar' has friction, and is moved by a loop"):
        torsor.simulate(Arm(replace(model, links=tuple(links))), [0.0], q0=[1.0], until=0.1)
