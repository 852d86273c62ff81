"""Friction that sticks: against theory, and the two ways of stepping against each other."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import brentq

import torsor
from torsor import Arm
from torsor.algebra import cos, sin
from torsor.errors import ShapeError, Unsupported
from torsor.model.armfile import parse_arm_file
from torsor.model.expression import ArmFormula
from torsor.model.parts import Drive, DriveFriction, JointFriction, Motor
from torsor.simulation import SimulationNotice
from torsor.simulation import simulate as run

METHODS = ("rk4", "dormand-prince")
Z = np.array([0.0, 0.0, 1.0])


def slider(mass=2.0, **friction) -> Arm:
    """A mass that slides along x, without gravity along it."""
    text = f"""
        name = "slider"
        frames = "placements"
        [[link]]
        joint = "prismatic"
        axis = [1, 0, 0]
        mass = {mass}
        [[drive]]
        ratio = [1.0]
        rotor = {{ inertia = 0.0 }}
    """
    model = parse_arm_file(text)
    return Arm(replace(model, drives=(replace(model.drives[0], friction=DriveFriction(**friction)),)))


def pendulum(**friction) -> Arm:
    """A point mass of 1.5 kg on a massless rod of 0.8 m, hanging at q = -pi/2, with friction at its joint."""
    text = """
        name = "pendulum"
        frames = "standard-dh"
        gravity = [0, -9.81, 0]
        [[link]]
        joint = "revolute"
        a = 0.8
        mass = 1.5
    """
    model = parse_arm_file(text)
    joint = replace(model.links[0].joint, friction=JointFriction(**friction))
    return Arm(replace(model, links=(replace(model.links[0], joint=joint),)))


@pytest.mark.parametrize("method", METHODS)
def test_spring_and_dry_friction(method):
    """Released at x0, it stops after each half period with 2 F/k less, and for good within F/k."""
    k, F, m, x0 = 50.0, 2.0, 2.0, 0.55
    arm = slider(m, coulomb=(F, F))
    done = run(arm, lambda t, q, qd: -k * q, q0=[x0], until=6.0, dt=2e-3, integrator=method)
    halves, x = 0, x0
    while x > F / k:
        x, halves = x - 2 * F / k, halves + 1
    end = x * (-1) ** halves
    assert done.stuck[-1, 0]
    assert done.q[-1, 0] == pytest.approx(end, abs=1e-7)
    stop = done.time[np.argmax(done.stuck[1:, 0]) + 1]
    assert done.stuck[0, 0]  # at rest until the first step finds it pushed
    moving = np.flatnonzero(~done.stuck[:, 0])
    assert done.time[moving[-1]] == pytest.approx(halves * np.pi * np.sqrt(m / k), abs=4e-3)
    assert stop >= 0.0
    after = done.q[moving[-1] + 1 :]
    assert (after == after[-1]).all()


@pytest.mark.parametrize("method", METHODS)
def test_pendulum_stops_where_theory_says(method):
    """Between turning points energy falls by F times the angle."""
    F, mgl = 1.7, 1.5 * 9.81 * 0.8
    theta, direction = 1.2, -1.0  # from hanging
    while mgl * np.sin(abs(theta)) > F:

        def lost(x, theta=theta):
            return mgl * (np.cos(x) - np.cos(theta)) - F * abs(x - theta)

        theta = brentq(lost, theta + direction * 1e-6, -theta)
        direction = -direction
    done = run(pendulum(coulomb=F), np.zeros(1), q0=[1.2 - np.pi / 2], until=8.0, dt=1e-3, integrator=method)
    assert done.stuck[-1, 0]
    assert done.q[-1, 0] + np.pi / 2 == pytest.approx(theta, abs=2e-8)


@pytest.mark.parametrize("method", METHODS)
def test_stick_slip_on_a_belt(method):
    """A mass on a belt held by a spring, seen from the belt: the spring's end moves away at v.

    The period is 2 D / (k v) sticking plus 2 / w (pi - atan(D / (v sqrt(k m)))) sliding, D = F_s - F_c.
    """
    m, k, v, Fs, Fc = 1.0, 40.0, 0.1, 5.0, 3.0
    D, w = Fs - Fc, np.sqrt(k / m)
    period = 2 * D / (k * v) + 2 / w * (np.pi - np.arctan(D / (v * np.sqrt(k * m))))
    arm = slider(m, coulomb=(Fc, Fc), starting=(Fs, Fs))
    done = run(arm, lambda t, q, qd: k * (v * t - q), q0=[0.0], until=8 * period, dt=1e-3, integrator=method)
    stuck = done.stuck[:, 0]
    starts = done.time[1:][stuck[:-1] & ~stuck[1:]]
    assert len(starts) >= 6
    np.testing.assert_allclose(np.diff(starts)[1:], period, rtol=1e-2)
    assert np.diff(starts)[1:].mean() == pytest.approx(period, rel=1e-3)
    sliding = 1.0 - stuck.mean()
    assert sliding == pytest.approx(1.0 - 2 * D / (k * v) / period, abs=0.05)


@pytest.mark.parametrize("method", METHODS)
def test_stribeck_makes_the_same_cycle_in_both(method):
    arm = slider(1.0, coulomb=(3.0, 3.0), starting=(5.0, 5.0), stribeck=0.3, viscous=0.4)
    done = run(arm, lambda t, q, qd: 40.0 * (0.1 * t - q), q0=[0.0], until=3.0, dt=1e-3, integrator=method)
    other = run(arm, lambda t, q, qd: 40.0 * (0.1 * t - q), q0=[0.0], until=3.0, dt=2.5e-4, every=4)
    np.testing.assert_allclose(done.q, other.q, atol=2e-4)


@pytest.mark.parametrize("method", METHODS)
def test_a_stuck_arm_does_not_move_at_all(method):
    arm = torsor.load("puma560")
    q0 = np.array([0.3, np.pi / 2, -np.pi / 2, 0.1, 0.2, 0.3])
    hold = arm.drives.torques(q0, np.zeros(6), np.zeros(6))
    done = run(arm, hold, q0=q0, until=2.0, integrator=method)
    assert done.stuck.all()
    assert (done.q == done.q[0]).all()
    assert (done.qd == 0.0).all()
    # anywhere inside the band
    band = np.array([d.friction.coulomb for d in arm.model.drives])
    for share in (-0.99, 0.5, 0.99):
        u = hold + share * (band[:, 0] if share > 0 else band[:, 1])
        assert (run(arm, u, q0=q0, until=0.2, integrator=method).qd == 0.0).all()


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("motor", range(6))
def test_outside_the_band_it_starts_the_right_way(motor, method):
    arm = torsor.load("puma560")
    q0 = np.array([0.3, np.pi / 2, -np.pi / 2, 0.1, 0.2, 0.3])
    hold = arm.drives.torques(q0, np.zeros(6), np.zeros(6))
    for way, side in ((1.0, 0), (-1.0, 1)):
        u = hold.copy()
        u[motor] += way * 1.02 * arm.model.drives[motor].friction.coulomb[side]
        done = run(arm, u, q0=q0, until=0.05, integrator=method)
        rates = arm.drives.rates(done.q, done.qd)
        assert way * rates[-1, motor] > 0.0
        assert not done.stuck[-1, motor]


def test_no_creep_in_an_hour():
    arm = torsor.load("puma560")
    q0 = np.array([0.3, 0.7, -0.4, 0.1, 0.2, 0.3])
    hold = arm.drives.torques(q0, np.zeros(6), np.zeros(6))
    band = np.array([d.friction.coulomb[0] for d in arm.model.drives])
    done = run(arm, hold + 0.9 * band, q0=q0, until=3600.0, dt=1e-2, every=36_000)
    assert done.stuck.all()
    assert (done.q == done.q[0]).all()


def two_links(coupled: bool = False, **friction) -> Arm:
    model = torsor.load("planar2").model
    law = DriveFriction(**({"coulomb": (0.2, 0.3), "starting": (0.4, 0.45), "viscous": 1e-3} | friction))
    rows = np.array([[30.0, 0.0], [1.5 if coupled else 0.0, 25.0]])
    drives = tuple(Drive(f"m{k}", rows[k], 0.0, 2e-3, k - 1, Z, friction=law) for k in range(2))
    return Arm(replace(model, drives=drives))


def swinging(t, q, qd):
    return np.array([1.2 * cos(3.0 * t), 0.9 * sin(5.0 * t)])


@pytest.mark.parametrize(
    "arm",
    [
        two_links(),
        two_links(coupled=True),
        two_links(coupled=True, load=0.25),
        two_links(load=0.2, stribeck=3.0),
        two_links(side="joint", coulomb=(3.0, 4.0), starting=(6.0, 7.0)),
    ],
    ids=["plain", "coupled", "loaded", "stribeck", "joint side"],
)
def test_both_ways_of_stepping_agree(arm):
    a = run(arm, swinging, q0=[0.2, -0.4], until=3.0, dt=1e-3)
    b = run(arm, swinging, q0=[0.2, -0.4], until=3.0, dt=1e-3, integrator="dormand-prince")
    assert 0.005 < a.stuck.mean() < 0.9
    np.testing.assert_allclose(a.q, b.q, atol=1e-5)
    # they may stick or slide for one sample longer around an event
    assert (a.stuck != b.stuck).mean() < 0.01
    finer = run(arm, swinging, q0=[0.2, -0.4], until=3.0, dt=2.5e-4, every=4)
    right = run(arm, swinging, q0=[0.2, -0.4], until=3.0, dt=1e-3, integrator="dormand-prince", tolerance=1e-11)
    assert np.abs(finer.q - right.q).max() <= 0.5 * np.abs(a.q - right.q).max() + 1e-8


def test_a_stuck_motor_of_a_coupled_pair_stays_put():
    """Motor 2 is stuck while motor 1 turns: the coupling moves joint 2, the motor does not move to the last bit."""
    arm = two_links(coupled=True, starting=(50.0, 50.0))
    law = replace(arm.model.drives[0].friction, starting=(0.4, 0.4))
    arm = Arm(replace(arm.model, drives=(replace(arm.model.drives[0], friction=law), arm.model.drives[1])))
    done = run(arm, swinging, q0=[0.2, -0.4], until=1.0)
    assert done.stuck[:, 1].all()
    assert not done.stuck[:, 0].all()
    assert np.ptp(done.q[:, 1]) > 1e-3
    assert np.abs(arm.drives.rates(done.q, done.qd)[:, 1]).max() < 1e-12


def test_constraint_torques_are_solved_jointly():
    """With the elbow held by friction, the shoulder moves the arm as one body."""
    arm = two_links(starting=(50.0, 50.0))
    first = replace(arm.model.drives[0], friction=DriveFriction())
    arm = Arm(replace(arm.model, drives=(first, arm.model.drives[1])))
    done = run(arm, [0.8, 0.0], q0=[0.2, -0.4], until=0.01, dt=1e-5)
    M = arm.mass_matrix(done.q[0], drives=True)
    expected = (30.0 * 0.8 - arm.gravity(done.q[0])[0]) / M[0, 0]
    assert done.qd[1, 0] / 1e-5 == pytest.approx(expected, rel=1e-4)
    assert (done.qd[:, 1] == 0.0).all()


def test_friction_on_both_sides_of_a_gear_is_one_element():
    arm = two_links()
    joint = replace(arm.model.links[0].joint, friction=JointFriction(coulomb=6.0))
    arm = Arm(replace(arm.model, links=(replace(arm.model.links[0], joint=joint), arm.model.links[1])))
    q0 = np.array([0.2, -0.4])
    hold = arm.drives.torques(q0, np.zeros(2), np.zeros(2))
    band = 0.4 + 6.0 / 30.0  # starting friction at the motor and that of the joint, through the gear
    still = run(arm, hold + np.array([0.999 * band, 0.0]), q0=q0, until=0.1)
    assert still.elements == ("motor 1 and joint 1", "motor 2")
    assert (still.qd == 0.0).all()
    assert run(arm, hold + np.array([1.001 * band, 0.0]), q0=q0, until=0.1).qd[-1, 0] > 0.0


def test_linkage_with_friction():
    model = torsor.load("planar2").model
    law = DriveFriction(coulomb=(0.2, 0.3), starting=(0.4, 0.45), load=0.1)
    formula = ArmFormula("25 * joint2 + 3 * sin(joint2)", model.joint_names)
    drives = (
        Drive("m1", np.array([30.0, 0.0]), 0.0, 2e-3, -1, Z, friction=law),
        Drive("m2", np.array([0.0, 28.0]), 0.0, 1e-3, 0, Z, friction=law, transmission=formula),
    )
    arm = Arm(replace(model, drives=drives))
    a, b = (run(arm, swinging, q0=[0.2, -0.4], until=2.0, integrator=method) for method in METHODS)
    assert a.stuck.any()
    np.testing.assert_allclose(a.q, b.q, atol=2e-6)
    crossed = ArmFormula("25 * joint2 + 3 * sin(joint1 + joint2)", model.joint_names)
    refused = Arm(replace(model, drives=(drives[0], replace(drives[1], transmission=crossed))))
    with pytest.raises(Unsupported, match="behind a linkage of several joints"):
        run(refused, swinging, q0=[0.2, -0.4], until=1.0)


def test_without_friction_energy_stays_and_order_is_at_least_four():
    arm = torsor.load("planar2")
    q0, qd0 = [0.5, 0.8], [0.3, -0.4]
    exact = run(arm, [0.0, 0.0], q0=q0, qd0=qd0, until=1.0, dt=1.0, integrator="dormand-prince", tolerance=1e-12)
    errors = []
    for dt in (4e-3, 2e-3):
        done = run(arm, [0.0, 0.0], q0=q0, qd0=qd0, until=1.0, dt=dt)
        errors.append(np.abs(done.q[-1] - exact.q[-1]).max())
    assert errors[0] / errors[1] > 12.0
    kinetic, potential = arm.energy(exact.q, exact.qd)
    assert np.ptp(kinetic + potential) < 1e-9


def test_rl15_falls_with_load_friction_and_both_agree():
    """Its friction is a share of the load: less than one, so nothing holds the arm without torque."""
    arm = torsor.load("rl15")
    q0 = np.array([0.0, -0.3, 0.4, 0.1, 0.2, 0.0])
    a, b = (run(arm, np.zeros(6), q0=q0, until=0.2, integrator=method) for method in METHODS)
    assert a.q[-1, 1] < q0[1]
    np.testing.assert_allclose(a.q, b.q, atol=1e-6)


def test_sampled_torques_are_held():
    arm = two_links()
    u = np.random.default_rng(0).uniform(-2.0, 2.0, (50, 2)).repeat(10, axis=0)
    a, b = (run(arm, u, q0=[0.2, -0.4], until=0.5, integrator=method) for method in METHODS)
    np.testing.assert_allclose(a.q, b.q, atol=1e-6)


@pytest.mark.parametrize(
    ("options", "kind", "text"),
    [
        ({"dt": -1e-3}, ShapeError, "dt is -0.001"),
        ({"until": 0.0}, ShapeError, "until is 0.0"),
        ({"integrator": "rk5"}, Unsupported, "there is no integrator 'rk5'; did you mean 'rk4'?"),
        ({"torque": [0.0]}, ShapeError, "torque has shape (1,)"),
        ({"torque": np.zeros((3, 2))}, ShapeError, "torque has shape (3, 2)"),
        ({"q0": [0.0, 0.0, 0.0]}, ShapeError, "q0 has shape (3,)"),
        ({"qd0": [0.0]}, ShapeError, "qd0 has shape (1,)"),
    ],
)
def test_refusals(options, kind, text):
    given = {"torque": [0.0, 0.0], "q0": [0.0, 0.0], "until": 0.1} | options
    with pytest.raises(kind) as error:
        run(two_links(), given.pop("torque"), **given)
    assert text in str(error.value)


def test_too_much_friction_is_refused():
    arm = two_links(coupled=True)
    links = tuple(
        replace(link, joint=replace(link.joint, friction=JointFriction(coulomb=1.0))) for link in arm.model.links
    )
    with pytest.raises(Unsupported, match="both sides of coupled gears"):
        run(Arm(replace(arm.model, links=links)), [0.0, 0.0], q0=[0.0, 0.0], until=0.1)


def test_motors_at_their_limits_hide_no_stiffness():
    """At first the motor pushes with all it has, whatever the speed: that its loop is stiff shows on the way."""
    arm = slider(coulomb=(1.0, 1.0))
    arm = Arm(replace(arm.model, drives=(replace(arm.model.drives[0], motor=Motor(torque=20.0)),)))

    def brake(t, q, qd):
        return 9000.0 * (1.0 - q) - 9000.0 * qd  # a pole at -4500 1/s: rk4 bears 2800 with steps of a millisecond

    with pytest.warns(SimulationNotice, match="the loop is stiff: a pole at -4499 1/s"):
        chosen = run(arm, brake, q0=[0.0], until=3.0)
    exact = run(arm, brake, q0=[0.0], until=3.0, integrator="dormand-prince")
    assert exact.saturated[0].all()
    assert not exact.saturated[-1].any()
    assert np.abs(chosen.q - exact.q).max() < 1e-6
    assert (chosen.saturated == exact.saturated).all()
