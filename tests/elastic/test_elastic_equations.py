"""The equations of motion that the simulator asks for: energy, rotors on links that bend, springs on rotors."""

import warnings
from dataclasses import replace

import numpy as np
import pytest
import scipy.linalg
from scipy.spatial.transform import Rotation

import torsor
from elastic_arms import two_bars
from torsor.algebra import count, symbols
from torsor.arm import Arm
from torsor.elastic import elastic_composite, elastic_kinematics
from torsor.elastic.coupled_equations import coupled_equations
from torsor.elastic.elastic_equations import ElasticEquations
from torsor.errors import ModelError, Unsupported
from torsor.model.armfile import parse_arm_file
from torsor.simulation import SimulationNotice


def equations(arm, **changed):
    return ElasticEquations.of(arm.elastic, replace(arm.model, **changed))


@pytest.fixture(scope="module", params=["rl15-elastic", "two bars", "tilting"])
def moving(request):
    """Six rotors, of which three ride beyond a link that bends; two of which one rides on one that does, and tilts."""
    if request.param == "rl15-elastic":
        return equations(torsor.load("rl15-elastic"))
    return equations(two_bars(drives=True, tilt=None if request.param == "two bars" else [400.0, 300.0]))


def state(at, seed, bent=0.03):
    rng = np.random.default_rng(seed)
    x = np.concatenate([rng.uniform(-2.0, 2.0, at.joints), bent * rng.normal(size=at.n - at.joints)])
    return x, rng.normal(size=at.n), rng.normal(size=at.n)


def carriers(arm):
    return [(drive.rotor_inertia, drive.carrier, drive.axis, drive.ratio) for drive in arm.model.drives]


@pytest.mark.parametrize("arm", [torsor.load("rl15-elastic"), two_bars(drives=True)], ids=lambda arm: arm.name)
def test_rotors_spin_on_links_that_bend(arm):
    """T = links + 1/2 I (qd_a + a . w_c)^2 - 1/2 I (a . w_c)^2: w_c from how the carrier turns, by differences."""
    at, h = equations(arm), 1e-6
    for seed in range(3):
        x, xd, _ = state(at, seed)
        links = replace(at.arm, tree=replace(at.arm.tree, rotors=()))
        T = 0.5 * xd @ elastic_composite.mass_matrix(links, x) @ xd
        for inertia, carrier, axis, ratio in carriers(arm):
            along = 0.0
            if carrier >= 0:
                frame = arm.model.links[carrier].name
                now, after, before = (elastic_kinematics.pose(at.arm, x + s * h * xd, frame) for s in (0, 1, -1))
                W = (after[:3, :3] - before[:3, :3]) / (2.0 * h) @ now[:3, :3].T
                along = now[:3, :3] @ axis @ [W[2, 1], W[0, 2], W[1, 0]]
            spin = ratio @ xd[: at.joints]
            T += 0.5 * inertia * ((spin + along) ** 2 - along**2)
        found = 0.5 * xd @ at.mass_matrix(x) @ xd
        np.testing.assert_allclose(found, T, rtol=1e-8)
        np.testing.assert_allclose(at.energy(x, xd, at.gravity)[0], found, rtol=1e-12)
        M = at.mass_matrix(x)
        np.testing.assert_allclose(M, M.T, atol=1e-13 * np.abs(M).max())


def test_columns_of_the_mass_matrix_are_unit_accelerations(moving):
    x, _, _ = state(moving, 5)
    still, none = np.zeros(moving.n), np.zeros(3)
    pulled = moving.inverse_dynamics(x, still, still, none)
    columns = [moving.inverse_dynamics(x, still, unit, none) - pulled for unit in np.eye(moving.n)]
    M = moving.mass_matrix(x)
    np.testing.assert_allclose(M, np.array(columns).T, atol=1e-10 * np.abs(M).max())


def test_lagrange(moving):
    """d/dt dT/dxd - dT/dx + dV/dx + D xd, with the slopes of the energies by differences."""
    x, xd, xdd = state(moving, 7)
    h, g = 1e-5, np.array([0.4, -0.3, -9.6])

    def momentum(x, xd):
        return moving.mass_matrix(x) @ xd

    def lagrangian(x):
        kinetic, potential = moving.energy(x, xd, g)
        return kinetic - potential

    rate = (momentum(x + h * xd, xd + h * xdd) - momentum(x - h * xd, xd - h * xdd)) / (2.0 * h)
    slope = [(lagrangian(x + h * unit) - lagrangian(x - h * unit)) / (2.0 * h) for unit in np.eye(moving.n)]
    found = moving.inverse_dynamics(x, xd, xdd, g)
    lost = moving.arm.D @ xd
    np.testing.assert_allclose(found, rate - slope + lost, atol=2e-6 * np.abs(found).max())
    given = moving.forward_dynamics(x, xd, found, g)
    np.testing.assert_allclose(given, xdd, atol=1e-7)


def test_springs_pass_on_what_loads_the_gears(moving):
    """What moves the links beyond a joint is what its spring pulls, in every motion that torques of joints cause."""
    x, xd, _ = state(moving, 11)
    tau = np.zeros(moving.n)
    tau[: moving.joints] = np.random.default_rng(2).normal(size=moving.joints)
    xdd = moving.forward_dynamics(x, xd, tau, moving.gravity)
    links = moving.link_torques(x, xd, xdd, moving.gravity, None)
    rotors = moving.rotor_torques(x, xd, xdd, moving.gravity)
    np.testing.assert_allclose(links + rotors, tau, atol=1e-8 * np.abs(links).max())
    known = moving.passed_on(x, xd)
    assert sorted(known) == list(range(moving.joints))
    np.testing.assert_allclose([known[j] for j in range(moving.joints)], links[: moving.joints], rtol=1e-7)


def test_held_rotors_leave_the_frequencies_of_held_drives():
    arm = torsor.load("rl15-elastic")
    at, q = equations(arm), np.random.default_rng(3).uniform(-1.0, 1.0, 6)
    x = np.concatenate([q, np.zeros(at.n - 6)])
    M, K = at.mass_matrix(x)[6:, 6:], at.arm.K[6:, 6:]
    found = np.sqrt(scipy.linalg.eigh(K, M, eigvals_only=True)) / (2.0 * np.pi)
    np.testing.assert_allclose(found, arm.elastic.frequencies(q, drives="held"), rtol=1e-9)


def test_springs_need_a_rotor_behind_them():
    arm = torsor.load("rl15-elastic")
    names = [f"joint{k}.spring" for k in range(1, 7)]
    assert list(equations(arm).names[6:12]) == names
    assert equations(arm).notes == []
    # links move beyond a bearing that tilts, whether motors stand behind the joint or not
    tilts = tuple(f"joint{k}.tilt_{axis}" for k in (1, 2) for axis in "xy")
    assert equations(two_bars(tilt=[400.0, 300.0])).names[2:6] == tilts
    # coupled wrist: without its last rotor two others turn three joints
    drives = tuple(replace(drive, rotor_inertia=0.0) if k == 5 else drive for k, drive in enumerate(arm.model.drives))
    fewer = equations(arm, drives=drives)
    assert fewer.left_out == ("joint6.spring",)
    assert fewer.n == 21
    alone = equations(arm, drives=())
    assert alone.left_out == tuple(names)
    left_out = ", ".join(names)
    assert alone.notes == [f"left out in motion: {left_out}; no rotor stands behind, so that torques only pass through"]


def test_tip_is_the_whole_difference_of_poses():
    arm = two_bars(tilt=[400.0, 300.0])
    at = equations(arm)
    x, _, _ = state(at, 1, bent=0.2)
    bent, rigid = at.pose(x), arm.pose(x[:2])
    turn = Rotation.from_matrix(bent[:3, :3] @ rigid[:3, :3].T).as_rotvec()
    assert np.linalg.norm(turn) > 0.1  # beyond what is small
    given = {"q0": x[:2], "until": 1e-5, "dt": 1e-5, "elastic": True, "limits": "ignore"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SimulationNotice)
        run = torsor.simulate(arm, np.zeros(2), eta0=[x[2:], 0.0 * x[2:]], **given)
    np.testing.assert_allclose(run.tip[0, 0], [*(bent[:3, 3] - rigid[:3, 3]), *turn], atol=1e-14)
    np.testing.assert_allclose(run.tip[1, 0], 0.0, atol=1e-15)


def test_operations():
    """Rotors and springs beside two links of five modes each: not much more than the links alone."""
    at = equations(torsor.load("rl15-elastic"))
    x, xd, tau = symbols("x", at.n), symbols("xd", at.n), symbols("tau", at.n)
    assert count(list(at.forward_dynamics(x, xd, tau, at.gravity))).M <= 9000


def test_what_has_no_coupled_motion_yet():
    opened = Arm(replace(torsor.load("asea-irb").model, loops=()))
    told = r"^'asea-irb' has sections that turn with its posture; coupled motion is for arms without them yet$"
    with pytest.raises(Unsupported, match=told):
        coupled_equations(opened.elastic, opened.model)


def test_a_spring_that_moves_no_mass():
    text = """
name = "bare"
source = "a rotor that turns a spring that turns nothing"
frames = "placements"
gravity = [0, 0, 0]

[[link]]
joint = "revolute"
mass = 0.0

[[drive]]
ratio = { joint1 = 10.0 }
rotor = { inertia = 1e-3, carrier = "base", axis = [0, 0, 1] }
stiffness = 100.0
"""
    arm = Arm(parse_arm_file(text, "bare.toml"))
    problem = "^motion of 'bare': 'joint1.spring' moves no mass; give the link, or what it carries, mass or inertia$"
    with pytest.raises(ModelError, match=problem):
        equations(arm)


def test_a_rotor_heavier_than_its_carrier():
    """The carrier counts its rotors in: one with more inertia than it makes a mass matrix that no arm has."""
    problem = "^motion of 'elastic-arm2': its mass matrix is not positive; a rotor may not have more inertia than its"
    with pytest.raises(ModelError, match=problem):
        equations(two_bars(drives=True, rotor=1.0))
