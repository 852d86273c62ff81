"""``arm.drives``: published motor torques, friction, limits of motors, and what is refused."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import torsor
from torsor import Arm
from torsor.errors import ShapeError, Unsupported
from torsor.model.parts import DriveFriction, JointFriction, Motor, Thermal

ORACLE = json.loads((Path(__file__).parent.parent / "oracles" / "rl15.json").read_text())
N = np.array(ORACLE["meta"]["gear_matrix_N"])


def rl15(**change) -> Arm:
    """RL15 with its first motor changed."""
    model = torsor.load("rl15").model
    first, *others = model.drives
    return Arm(replace(model, drives=(replace(first, **change), *others)))


def state(k):
    s = ORACLE["states"][k]
    return *(np.array(s[name]) for name in ("q", "qd", "qdd")), np.array([*s["f_e"], 0.0, 0.0, 0.0]) * -1.0, s


@pytest.mark.parametrize("k", range(len(ORACLE["states"])))
def test_published_torques(k):
    q, qd, qdd, wrench, s = state(k)
    u = torsor.load("rl15").drives.torques(q, qd, qdd, wrench=wrench, variant="as-published", dt=0.01)
    np.testing.assert_allclose(u, s["u_a_virtualwork_absfriction"], rtol=0, atol=1e-8)


def test_carriers_explain_what_is_left():
    """The exact model beside the published one, on RL15, term by term.

    With the rotors on the base it is the published one. What the carriers add to M is I_a (n b^T + b n^T), of relative
    order 1 / ratio.
    """
    q, *_ = state(0)
    arm = torsor.load("rl15")
    reduced, exact = arm.mass_matrix(q, drives="reduced"), arm.mass_matrix(q, drives=True)
    added = np.zeros((6, 6))
    for drive in arm.model.drives:
        if drive.carrier >= 0:
            name = arm.model.links[drive.carrier].name
            b = arm.jacobian(q, frame=name)[3:].T @ (arm.pose(q, frame=name)[:3, :3] @ drive.axis)
            added += drive.rotor_inertia * (np.outer(drive.ratio, b) + np.outer(b, drive.ratio))
    np.testing.assert_allclose(exact - reduced, added, rtol=0, atol=1e-12)
    # small beside the diagonal, but not beside what couples the joints
    assert np.abs(added).max() < 1e-3 * np.abs(np.diag(exact)).max()
    assert abs(added[0, 5]) > abs(reduced[0, 5])
    # the toolbox's M with motors, by the reduction
    toolbox = json.loads((Path(__file__).parent.parent / "oracles" / "puma560.json").read_text())
    qz = toolbox["standard_DH_puma560"]["qz"]
    M = torsor.load("puma560").mass_matrix(np.array(qz.get("q", np.zeros(6))), drives="reduced")
    np.testing.assert_allclose(M, qz["M_with_motor"], rtol=0, atol=1e-9)


def test_published_power():
    """Virtual work keeps the power of the joints, the printed u_i / k_i does not."""
    q, qd, qdd, wrench, _ = state(1)
    arm = torsor.load("rl15")
    u = arm.inverse_dynamics(q, qd, qdd, wrench=wrench)
    by_motors = arm.drives.gearing.to_motors(q, u) @ arm.drives.rates(q, qd)
    check = ORACLE["power_check_state2"]
    np.testing.assert_allclose([u @ qd, by_motors], [check["joint"], check["virtual_work"]], rtol=1e-12)
    np.testing.assert_allclose(u / np.diag(N) @ arm.drives.rates(q, qd), check["D3"], rtol=1e-12)


def test_motion_of_motors():
    drives = torsor.load("rl15").drives
    q, qd = np.random.default_rng(0).normal(size=(2, 3, 6))
    assert drives.names == tuple(f"motor{k}" for k in range(1, 7))
    np.testing.assert_allclose(drives.N(), N, rtol=1e-15)
    assert drives.N(q).shape == (3, 6, 6)
    np.testing.assert_allclose(drives.positions(q), q @ N.T, rtol=1e-13)
    np.testing.assert_allclose(drives.rates(q, qd), qd @ N.T, rtol=1e-13)
    assert drives.rates(q, qd[0]).shape == (3, 6)


@pytest.mark.parametrize("robot", ["rl15", "puma560", "puma560-akb", "stanford"])
def test_forward_undoes_torques(robot):
    arm = torsor.load(robot)
    q, qd, qdd = np.random.default_rng(1).uniform(-1.0, 1.0, (3, 2, 5, arm.n))
    wrench, gravity = np.array([5.0, 1.0, -7.0, 0.3, 0.2, 0.1]), np.array([1.0, 2.0, -9.0])
    for options in ({}, {"wrench": wrench, "gravity": gravity}, {"friction": False}):
        u = arm.drives.torques(q, qd, qdd, **options)
        np.testing.assert_allclose(arm.drives.forward(q, qd, torque=u, **options), qdd, rtol=1e-8, atol=1e-9)


def test_puma_friction_of_1995():
    """Coulomb by direction of the joint and viscous friction at the motor shafts, beside the torques without them."""
    arm = torsor.load("puma560")
    q, qd, qdd = np.random.default_rng(2).uniform(-1.0, 1.0, (3, 6))
    u, ideal = arm.drives.torques(q, qd, qdd), arm.drives.torques(q, qd, qdd, friction=False)
    rates = arm.drives.rates(q, qd)
    viscous = np.array([1.48e-3, 0.817e-3, 1.38e-3, 71.2e-6, 82.6e-6, 36.7e-6])
    forward = np.array([0.395, 0.126, 0.132, 11.2e-3, 9.26e-3, 3.96e-3])
    backward = np.array([0.435, 0.071, 0.105, 16.9e-3, 14.5e-3, 10.5e-3])
    dry = np.sign(rates) * np.where(qd > 0, forward, backward)
    np.testing.assert_allclose(u - ideal, viscous * rates + dry, rtol=1e-10)
    assert (arm.drives.torques(q, 0 * qd, qdd) == arm.drives.torques(q, 0 * qd, qdd, friction=False)).all()


def test_friction_laws_on_both_sides():
    q, qd, qdd, *_ = state(0)
    arm = torsor.load("rl15")
    ideal = arm.drives.torques(q, qd, qdd, friction=False)
    law = DriveFriction(viscous=0.01, coulomb=(0.2, 0.3), starting=(0.5, 0.6), stribeck=40.0, load=0.1)
    v = arm.drives.rates(q, qd)[0]
    links = arm.inverse_dynamics(q, qd, qdd)
    without = replace(arm.model, drives=tuple(replace(d, friction=DriveFriction()) for d in arm.model.drives))
    others = without.drives[1:]

    def added(friction):
        model = replace(without, drives=(replace(without.drives[0], friction=friction), *others))
        return Arm(model).drives.torques(q, qd, qdd) - ideal

    F = 0.2 + 0.3 * np.exp(-((v / 40.0) ** 2)) + 0.1 * abs(links[0] / 120.0) + 0.01 * v
    np.testing.assert_allclose(added(law), [F, 0, 0, 0, 0, 0], rtol=1e-3, atol=1e-12)  # load: carriers aside
    at_joint = added(replace(law, side="joint", load=0.0))
    F = 0.2 + 0.3 * np.exp(-((qd[0] / 40.0) ** 2)) + 0.01 * qd[0]
    np.testing.assert_allclose(at_joint, [F / 120.0, 0, 0, 0, 0, 0], rtol=1e-10, atol=1e-12)


def test_friction_of_urdf_joints_counts():
    model = torsor.load("rl15").model
    link = model.links[0]
    joint = replace(link.joint, friction=JointFriction(viscous=2.0, coulomb=3.0))
    arm = Arm(replace(model, links=(replace(link, joint=joint), *model.links[1:])))
    q, qd, qdd, *_ = state(0)
    more = arm.drives.torques(q, qd, qdd) - torsor.load("rl15").drives.torques(q, qd, qdd)
    np.testing.assert_allclose(more, [(2.0 * qd[0] + 3.0) / 120.0, 0, 0, 0, 0, 0], rtol=1e-9, atol=1e-12)


def test_effective_inertia():
    arm = torsor.load("rl15")
    q = np.random.default_rng(4).uniform(-1.0, 1.0, (3, 6))
    locked, free = (arm.drives.effective_inertia(q, others=others) for others in ("locked", "free"))
    M = arm.mass_matrix(q, drives=True)
    W = np.linalg.inv(N)
    np.testing.assert_allclose(locked, np.diagonal(W.T @ M @ W, axis1=-2, axis2=-1), rtol=1e-10)
    assert (free <= locked * (1 + 1e-12)).all()
    u = np.zeros(6)
    u[2] = 1.0
    still = {"gravity": np.zeros(3), "friction": False}
    alone = arm.drives.rates(q, arm.drives.forward(q, np.zeros(6), torque=u, **still))[:, 2]
    np.testing.assert_allclose(1.0 / alone, free[:, 2], rtol=1e-9)
    rotor = arm.model.drives[5].rotor_inertia
    assert (abs(locked[:, 5] / rotor - 1.0) < 0.01).all()  # almost all of the wrist's inertia is its rotor
    at_joint = arm.drives.effective_inertia(q, side="joint")
    np.testing.assert_allclose(at_joint, locked * np.diag(N) ** 2, rtol=1e-12)


def test_bounds_of_a_motor():
    lower, upper = rl15(motor=Motor(torque=17.8)).drives.available(np.zeros(6))
    assert (lower[0], upper[0]) == (-17.8, 17.8)
    curve = rl15(motor=Motor(torque=10.0, curve=((0.0, 10.0), (100.0, 10.0), (200.0, 4.0)))).drives
    rates = np.zeros((5, 6))
    rates[:, 0] = [0.0, 150.0, -150.0, 200.0, 201.0]
    lower, upper = curve.available(rates)
    np.testing.assert_allclose(upper[:, 0], [10.0, 7.0, 10.0, 4.0, 0.0])
    np.testing.assert_allclose(lower[:, 0], [-10.0, -10.0, -7.0, -10.0, -10.0])
    electric = Motor(torque=8.0, torque_constant=0.5, current=16.0, resistance=2.0, voltage=60.0, back_emf=0.4)
    lower, upper = rl15(motor=electric).drives.available(rates[:2] * 0.8)
    np.testing.assert_allclose(upper[:, 0], [8.0, 0.25 * (60.0 - 0.4 * 120.0)])
    np.testing.assert_allclose(lower[:, 0], [-8.0, -8.0])
    assert np.isinf(rl15(motor=Motor()).drives.available(np.zeros(6))[1][0])


def test_smaller_speed_limit_holds():
    limits = torsor.load("rl15").drives.joint_speed_limits()
    np.testing.assert_allclose(limits[:3], [2.749, 2.464, 2.772], atol=5e-4)
    np.testing.assert_allclose(limits[3:], [2.66, 1.62, 6.67], rtol=5e-3)


def test_duty_and_warming():
    drives = rl15(motor=Motor(torque=20.0, continuous=5.0, thermal=Thermal(600.0, 80.0, 120.0))).drives
    u = np.zeros((12_000, 6))
    u[:, 0] = np.where(np.arange(12_000) % 2, 10.0, 0.0)
    assert drives.rms(u)[0] == pytest.approx(np.sqrt(50.0))
    assert drives.duty(u)[0] == pytest.approx(np.sqrt(2.0))
    T = drives.warming(u, 1.0)
    assert T[-1, 0] == pytest.approx(160.0, rel=2e-3)  # twice the losses of the continuous torque
    assert T[599, 0] == pytest.approx(160.0 * (1 - np.exp(-1.0)), rel=2e-3)
    assert np.argmax(T[:, 0] > drives.temperature_limits[0]) == pytest.approx(600 * np.log(4.0), rel=0.01)
    assert np.isnan(T[:, 1]).all()
    assert drives.warming(u[:1], 1.0, start=50.0)[0, 0] < 50.0


def test_currents():
    drives = tuple(replace(d, motor=replace(d.motor, torque_constant=0.5)) for d in torsor.load("rl15").model.drives)
    arm = Arm(replace(torsor.load("rl15").model, drives=drives))
    q, qd, qdd, *_ = state(0)
    u = arm.drives.torques(q, qd, qdd)
    np.testing.assert_allclose(arm.drives.forward(q, qd, current=arm.drives.currents(u)), qdd, rtol=1e-9)


ZERO = np.zeros(6)


@pytest.mark.parametrize(
    ("call", "kind", "text"),
    [
        (lambda d: d.torques(ZERO[:5], ZERO, ZERO), ShapeError, "q has shape (5,)"),
        (lambda d: d.torques(ZERO, ZERO, ZERO, wrench=ZERO[:3]), ShapeError, "wrench has shape (3,)"),
        (lambda d: d.forward(ZERO, ZERO), TypeError, "torque or current, one of them"),
        (lambda d: d.forward(ZERO, ZERO, torque=ZERO, current=ZERO), TypeError, "torque or current, one of them"),
        (lambda d: d.forward(ZERO, ZERO, torque=ZERO[:2]), ShapeError, "torque has shape (2,)"),
        (lambda d: d.forward(ZERO, ZERO, current=ZERO), Unsupported, "have no torque constant"),
        (lambda d: d.torques(ZERO, ZERO, ZERO, variant="as-published"), ShapeError, "dt is None"),
        (lambda d: d.torques(ZERO, ZERO, ZERO, variant="as-published", dt=-0.01), ShapeError, "dt is -0.01"),
        (lambda d: d.torques(ZERO, ZERO, ZERO, dt=0.01), TypeError, "dt belongs"),
        (lambda d: d.torques(ZERO, ZERO, ZERO, variant="printed"), Unsupported, "there is no variant 'printed'"),
        (lambda d: d.effective_inertia(ZERO, side="gear"), Unsupported, "side 'gear'"),
        (lambda d: d.warming(np.zeros((2, 6)), -1.0), ShapeError, "dt is -1.0"),
        (lambda d: d.rms(ZERO), ShapeError, "give samples of a motion"),
    ],
)
def test_refusals(call, kind, text):
    with pytest.raises(kind) as error:
        call(torsor.load("rl15").drives)
    assert text in str(error.value)


def test_arms_without_drives_and_with_too_few():
    with pytest.raises(Unsupported, match="'planar2' has no drives"):
        _ = torsor.load("planar2").drives
    locking = rl15(friction=DriveFriction(load=1.1)).drives
    assert np.isfinite(locking.torques(ZERO, ZERO + 1.0, ZERO)).all()
    with pytest.raises(Unsupported, match="a gear that locks itself"):
        locking.forward(ZERO, ZERO, torque=ZERO)
    model = torsor.load("rl15").model
    few = Arm(replace(model, drives=model.drives[:5]))
    with pytest.raises(Unsupported, match="5 motors for 6 joints"):
        few.drives.torques(ZERO, ZERO, ZERO)
    assert few.drives.forward(ZERO, ZERO, torque=np.zeros(5), friction=False).shape == (6,)


# Of roboticstoolbox.models.DH.Puma560: gear ratio G, viscous B, Coulomb Tc by the direction of the joint (+, -).
TOOLBOX = [
    (-62.6111, 1.48e-3, 0.395, 0.435),
    (107.815, 0.817e-3, 0.126, 0.071),
    (-53.7063, 1.38e-3, 0.132, 0.105),
    (76.0364, 71.2e-6, 11.2e-3, 16.9e-3),
    (71.923, 82.6e-6, 9.26e-3, 14.5e-3),
    (76.686, 36.7e-6, 3.96e-3, 10.5e-3),
]


@pytest.mark.parametrize(("joint", "row"), list(enumerate(TOOLBOX)))
def test_friction_of_the_puma_is_that_of_its_source(joint, row):
    """Its Link.friction: |G| (|G| B qd + Tc), where Tc is that of the joint's direction, not of the motor's."""
    drives = torsor.load("puma560").drives
    G, B, forward, backward = row
    for speed, dry in ((0.5, forward), (-0.5, -backward)):
        qd = np.eye(6)[joint] * speed
        q, rest = np.zeros(6), np.zeros(6)
        at_motors = drives.torques(q, qd, rest) - drives.torques(q, qd, rest, friction=False)
        expected = abs(G) * (abs(G) * B * speed + dry)
        assert (drives.N().T @ at_motors)[joint] == pytest.approx(expected, rel=1e-12)


def test_a_correction_tells_of_motors_that_turn_against_their_joints():
    model = torsor.load("puma560").model
    assert [drive.name for drive in model.drives if drive.ratio.sum() < 0.0] == ["motor1", "motor3"]
    assert any("motors 1 and 3" in each for each in model.corrections)
