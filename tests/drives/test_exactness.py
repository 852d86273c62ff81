"""Rotors in the dynamics against rotors as bodies of their own, and against energy."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rotor_bodies import lumped, with_rotor_bodies
from scipy.integrate import solve_ivp

import torsor
from pinocchio_oracle import PinocchioArm
from random_arms import models, random_axis, random_state
from torsor import Arm
from torsor.errors import ModelError
from torsor.model.armfile import parse_arm_file
from torsor.model.expression import ArmFormula
from torsor.model.mass import Mass
from torsor.model.model import Model
from torsor.model.parts import BASE, AngleTable, Drive, GearStage

CASES = ("on-axis", "parallel", "skew", "coupled", "base")


def driven(model: Model, case: str, seed: int) -> Model:
    """The arm with a drive for each joint: on its axis, parallel to it elsewhere, askew anywhere, coupled."""
    rng = np.random.default_rng(seed)
    n = model.n
    N = np.diag(rng.choice([-1.0, 1.0], n) * rng.uniform(2.0, 120.0, n))
    if case == "coupled":
        N = N + rng.uniform(-3.0, 3.0, (n, n))
    drives = []
    for k, link in enumerate(model.independent):
        axis, carrier = link.joint.before[:3, :3] @ link.joint.axis, link.parent
        if case == "parallel":
            carrier = int(rng.integers(-1, len(model.links)))
        if case in ("skew", "coupled"):
            carrier, axis = int(rng.integers(-1, len(model.links))), random_axis(rng, "general")
        if case == "base":
            carrier = BASE
        drives.append(Drive(f"m{k}", N[k], 0.0, float(rng.uniform(1e-4, 0.1)), carrier, axis))
    return replace(model, drives=tuple(drives))


def by_bodies(model: Model, q, qd, qdd, solver):
    N = np.array([d.ratio for d in model.drives])
    tau = solver(with_rotor_bodies(model))(*(np.concatenate([x, N @ x]) for x in (q, qd, qdd)))
    return tau[: model.n] + N.T @ tau[model.n :]


@pytest.mark.parametrize("case", CASES)
@settings(max_examples=6, deadline=None)
@given(model=models(max_links=6, mimics=False, massless=False, shuffled=False), seed=st.integers(0, 2**32 - 1))
def test_rotors_as_bodies(case, model, seed):
    model = driven(model, case, seed)
    q, qd, qdd = random_state(model.n, seed)
    arm = Arm(lumped(model))
    tau = arm.inverse_dynamics(q, qd, qdd, drives=True)
    size = 1.0 + np.abs(tau).max()
    ours = by_bodies(model, q, qd, qdd, lambda m: Arm(m).reference.inverse_dynamics)
    np.testing.assert_allclose(tau, ours, rtol=0, atol=1e-9 * size)
    theirs = by_bodies(model, q, qd, qdd, lambda m: PinocchioArm(m).inverse_dynamics)
    np.testing.assert_allclose(tau, theirs, rtol=0, atol=1e-9 * size)
    N = np.array([d.ratio for d in model.drives])
    u = arm.drives.torques(q, qd, qdd)
    np.testing.assert_allclose(N.T @ u, tau, rtol=0, atol=1e-9 * size)


def four_bar() -> Arm:
    """planar2 with a linkage on its elbow, as on the IRb-6, and a stage behind the shoulder's motor."""
    model = torsor.load("planar2").model
    formula = ArmFormula("60 * joint2 + 4 * sin(joint2) + 1.5 * cos(joint1 + joint2)", model.joint_names)
    drives = (
        Drive("m1", np.array([80.0, 0.0]), 0.1, 3e-3, 0, np.array([0.0, 0.6, 0.8]), stages=(GearStage(0.02, -0.25),)),
        Drive("m2", np.array([0.0, 64.0]), 0.0, 2e-3, 0, np.array([0.0, 0.0, 1.0]), transmission=formula),
    )
    return Arm(replace(model, drives=drives))


@pytest.mark.parametrize("make", [four_bar, lambda: torsor.load("rl15"), lambda: torsor.load("puma560")])
def test_lagrange_by_differences(make):
    """d/dt dL/dqd - dL/dq of the energy, by differences, is the joint torque; so motor torques are right as well."""
    arm = make()
    rng = np.random.default_rng(3)
    for _ in range(3):
        q, qd, qdd = rng.uniform(-1.0, 1.0, (3, arm.n))
        tau = arm.drives.gearing.to_joints(q, arm.drives.torques(q, qd, qdd, friction=False))
        np.testing.assert_allclose(tau, lagrange(arm, q, qd, qdd), rtol=1e-6, atol=1e-5 * np.abs(tau).max())
        np.testing.assert_allclose(tau, arm.inverse_dynamics(q, qd, qdd, drives=True), rtol=1e-11, atol=1e-10)


def lagrange(arm, q, qd, qdd, h=1e-4):
    """d/dt dL/dqd - dL/dq by central differences of fourth order."""
    eye = np.eye(arm.n)

    def L(q, qd):
        kinetic, potential = arm.energy(q, qd, drives=True)
        return kinetic - potential

    def slope(f):
        return (8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h)

    def momentum(t):
        at, rate = q + qd * t + 0.5 * qdd * t * t, qd + qdd * t
        return np.array([(L(at, rate + h * e) - L(at, rate - h * e)) / (2 * h) for e in eye])

    return slope(momentum) - np.array([slope(lambda t, e=e: L(q + t * e, qd)) for e in eye])


@pytest.mark.parametrize("make", [four_bar, lambda: torsor.load("rl15")])
def test_energy_stays(make):
    """Free motion with spinning rotors and no friction keeps its energy to 1e-9."""
    arm = make()
    n = arm.n
    q0, qd0 = np.linspace(0.2, 0.5, n), np.linspace(-0.6, 0.8, n)

    def motion(t, y):
        return np.concatenate([y[n:], arm.drives.forward(y[:n], y[n:], torque=np.zeros(n), friction=False)])

    run = solve_ivp(motion, (0.0, 0.5), np.concatenate([q0, qd0]), method="DOP853", rtol=1e-12, atol=1e-12)
    kinetic, potential = arm.energy(run.y[:n].T, run.y[n:].T, drives=True)
    total = kinetic + potential
    assert np.ptp(total) <= 1e-9 * kinetic.max()
    assert np.ptp(kinetic) > 1e-3 * kinetic.max()


@pytest.mark.parametrize("make", [four_bar, lambda: torsor.load("rl15"), lambda: torsor.load("puma560")])
def test_power_balance(make):
    arm = make()
    q, qd, qdd = np.random.default_rng(5).uniform(-1.0, 1.0, (3, 4, arm.n))
    wrench = np.array([10.0, -20.0, 30.0, 1.0, 2.0, 3.0])
    p = arm.drives.power(q, qd, qdd, wrench=wrench)
    np.testing.assert_allclose(p.motor, p.friction + p.stored + p.tool, rtol=1e-10, atol=1e-9)
    assert (p.friction >= 0.0).all()
    h = 1e-5
    later, earlier = (
        sum(arm.energy(q + s * qd * h + 0.5 * qdd * h * h, qd + s * qdd * h, drives=True)) for s in (1.0, -1.0)
    )
    np.testing.assert_allclose(p.stored, (later - earlier) / (2 * h), rtol=1e-5, atol=1e-4)
    twist = np.einsum("...ij,...j->...i", arm.jacobian(q), qd)
    np.testing.assert_allclose(p.tool, -(wrench * twist).sum(axis=-1), rtol=1e-9, atol=1e-9)


def test_table_transmission_goes_both_ways():
    model = torsor.load("planar2").model
    positions = np.linspace(-2.0, 2.0, 9)
    table = AngleTable("joint2", tuple(positions), tuple(50 * positions + 3 * np.sin(positions)))
    drives = (
        Drive("m1", np.array([80.0, 0.0]), 0.0, 3e-3, BASE, np.array([0.0, 0.0, 1.0])),
        Drive("m2", np.array([0.0, 53.0]), 0.0, 2e-3, 0, np.array([0.0, 0.0, 1.0]), transmission=table),
    )
    arm = Arm(replace(model, drives=drives))
    q, qd, qdd = np.random.default_rng(1).uniform(-1.0, 1.0, (3, 5, 2))
    u = arm.drives.torques(q, qd, qdd)
    np.testing.assert_allclose(arm.drives.forward(q, qd, torque=u), qdd, rtol=1e-10)
    h = 1e-6
    step = np.array([0.0, h])
    slope = (arm.drives.positions(q + step) - arm.drives.positions(q - step)) / (2 * h)
    np.testing.assert_allclose(arm.drives.N(q)[..., :, 1], slope, rtol=1e-6, atol=1e-6)


def test_a_stage_may_sit_elsewhere():
    """A stage on a link and an axis of its own is the rotor of a second motor there that turns as it does."""
    model = torsor.load("rl15").model
    first = model.drives[0]
    x, y, z = (np.array([0.3, -0.5, 0.8]) / np.linalg.norm([0.3, -0.5, 0.8])).tolist()
    stage = GearStage(0.02, -0.25, carrier=2, axis=(x, y, z))
    staged = replace(model, drives=(replace(first, stages=(stage,)), *model.drives[1:]))
    second = Drive("second", -0.25 * first.ratio, 0.0, 0.02, 2, np.array([x, y, z]))
    beside = replace(model, drives=(*model.drives, second))
    q, qd, qdd = np.random.default_rng(8).uniform(-1.0, 1.0, (3, 5, model.n))
    for kind in (True, "reduced"):
        np.testing.assert_allclose(
            Arm(staged).inverse_dynamics(q, qd, qdd, drives=kind),
            Arm(beside).inverse_dynamics(q, qd, qdd, drives=kind),
            rtol=1e-12,
            atol=1e-9,
        )


def test_the_mass_of_a_stage_is_carried():
    """In a file a stage may have a mass, which is a thin disc on its carrier."""
    text = """
name = "a"
frames = "standard-dh"
[[link]]
joint = "revolute"
a = 0.5
mass = 3.0
com = [-0.2, 0, 0]
inertia = [0.01, 0.1, 0.1]
[[link]]
joint = "revolute"
a = 0.4
mass = 2.0
inertia = [0.01, 0.05, 0.05]
[[drive]]
ratio = { joint1 = 50 }
rotor = { inertia = 1e-3 }
[[drive]]
ratio = { joint2 = 60 }
rotor = { inertia = 1e-3 }
stages = [{ inertia = 2e-3, ratio = 0.1, carrier = "link1", axis = [0, 1, 0], MASS }]
"""
    plain = parse_arm_file(text.replace(", MASS", ""))
    heavy = parse_arm_file(text.replace("MASS", "mass = 1.5, position = [-0.1, 0.05, 0.02]"))
    disc = Mass(1.5, np.array([-0.1, 0.05, 0.02]), np.diag([1e-3, 2e-3, 1e-3]))
    total = plain.links[0].mass + disc
    np.testing.assert_allclose(heavy.links[0].mass.inertia, total.inertia)
    assert heavy.total_mass == plain.total_mass + 1.5
    assert heavy.drives[1].stages[0].axis == (0.0, 1.0, 0.0)


@pytest.mark.parametrize(
    ("stage", "said"),
    [
        (
            "inertia = 1e-3, ratio = 0.1, carrier = 'link2'",
            "stages[1] sits away from the rotor but has no axis",
        ),
        ("inertia = 1e-3, ratio = 0.1, carrier = 'link9'", "drive[1].stages[1].carrier is 'link9', which is no link"),
        ("inertia = 1e-3, ratio = 0.1, mass = -1", "drive[1].stages[1].mass is -1 kg; zero or more"),
        ("inertia = 1e-3, ratio = 0.1, position = [0, 0, 0]", "drive[1].stages[1].position is of a mass; give mass"),
        ("inertia = 1e-3", "missing drive[1].stages[1].ratio; expected a finite number: its turns for each turn"),
    ],
)
def test_stages_that_are_none(stage, said):
    text = 'name = "a"\nframes = "standard-dh"\n' + '[[link]]\njoint = "revolute"\na = 1\nmass = 1\n' * 2
    with pytest.raises(ModelError) as error:
        parse_arm_file(
            f"{text}[[drive]]\nratio = {{ joint1 = 9 }}\nrotor = {{ inertia = 1e-3 }}\nstages = [{{ {stage} }}]"
        )
    assert said in str(error.value)
