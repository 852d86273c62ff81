"""Forces in the sections of beams against closed forms, the elements themselves, and accelerations by differences."""

from pathlib import Path

import numpy as np
import pytest

import torsor
from torsor.elastic.beam_cuts import ArmCuts
from torsor.elastic.beam_element import POINTS, WEIGHTS
from torsor.elastic.building import elastic_tree
from torsor.elastic.elastic_kinematics import BentArm
from torsor.elastic.elastic_newton_euler import TipStep, residual
from torsor.elastic.flexible import _shortening, integrals
from torsor.elastic.moving_stress import stress_at
from torsor.elastic.section_forces import closing_pushes, moving_forces_page, section_forces
from torsor.elastic.swinging import Swing, follow

L, AREA, IY, IZ, RHO = 0.8, 4e-4, 5e-8, 2e-8, 2700.0
NUMBERS = f"{{ area = {AREA}, Iy = {IY}, Iz = {IZ}, J = 6e-8, extent = [0.02, 0.03] }}"


def cantilever(
    path, *, through="", end=(L, 0.0, 0.0), E=7e10, payload="", modes=2, more="", beam="", gravity="0, -9.81"
):
    """Along x from a joint about z; y and z of the section are those of the base."""
    path.write_text(
        f"""name = "cantilever"
frames = "placements"
gravity = [0, {gravity}]
[[link]]
name = "beam"
joint = "revolute"
axis = [0, 0, 1]
[link.beam]
to = "tool"
{through}
section = {NUMBERS}
up = [0, 0, 1]
material = {{ E = {E}, nu = 0.3, rho = {RHO}, yield = "250 MPa" }}
modes = {modes}
damping = 0
mass = "instead"
{beam}
{more}
[tool]
link = "beam"
position = {list(end)}
{payload}
"""
    )
    return torsor.load(path)


def test_a_cantilever_with_weight_and_a_load_at_its_end(tmp_path):
    arm = cantilever(tmp_path / "arm.toml")
    F, M = np.array([300.0, -40.0, 70.0]), np.array([5.0, -6.0, 7.0])
    found = arm.elastic.stress([0.0], wrench=[*F, *M], payload=2.0).links["beam"]
    d = L - found.places
    np.testing.assert_allclose(found.places, np.linspace(0.0, L, 9), atol=1e-15)
    w, down = RHO * AREA * 9.81, F[2] - 2.0 * 9.81
    right = [
        F[0] + 0.0 * d,
        F[1] + 0.0 * d,
        down - w * d,
        M[0] + 0.0 * d,
        M[1] - down * d + 0.5 * w * d * d,
        M[2] + F[1] * d,
    ]
    np.testing.assert_allclose(found.forces, np.transpose(right), rtol=1e-12, atol=1e-10)
    turned = arm.elastic.stress([0.7], wrench=[*F, *M], gravity=[0.0, 0.0, 0.0]).links["beam"]
    c, s = np.cos(0.7), np.sin(0.7)
    assert turned.forces[-1, :2] == pytest.approx([c * F[0] + s * F[1], c * F[1] - s * F[0]])


def test_an_arm_round_a_corner_is_twisted(tmp_path):
    a, b, F = 0.5, 0.3, 80.0
    arm = cantilever(tmp_path / "arm.toml", through=f"through = [[{a}, 0, 0]]", end=(a, b, 0.0), gravity="0, 0")
    found = arm.elastic.stress([0.0], wrench=[0.0, 0.0, F, 0.0, 0.0, 0.0]).links["beam"]
    first = found.places <= a
    first[9:] = False  # the corner has a cut on each side
    s, t = found.places[first], found.places[~first] - a
    still = np.zeros_like(s)
    np.testing.assert_allclose(
        found.forces[first], np.transpose([still, still, still + F, still + b * F, -(a - s) * F, still]), atol=1e-10
    )
    still = np.zeros_like(t)
    np.testing.assert_allclose(
        found.forces[~first], np.transpose([still, still, still + F, still, -(b - t) * F, still]), atol=1e-10
    )


def test_a_beam_that_spins_and_is_spun_up(tmp_path):
    """rho A w^2 (L^2 - s^2) / 2 pulls; a mass at the end adds m w^2 L. Inertia against turning counts in Mz."""
    arm = cantilever(tmp_path / "arm.toml", payload="payload = { mass = 0.7 }", gravity="0, 0")
    cuts, w, wd = arm.elastic.cuts, 9.0, 4.0
    tree = cuts.tree
    x, xd, xdd = (np.zeros(tree.size) for _ in range(3))
    xd[0], xdd[0] = w, wd
    found = section_forces(cuts, x, xd, xdd, np.zeros(3))
    s = np.array([cut.place for cut in cuts.of[0]])
    per, d = RHO * AREA, L - s
    first = per * (L * L - s * s) / 2.0 + 0.7 * L
    lever = per * (L**3 / 3.0 - s * L * L / 2.0 + s**3 / 6.0) + 0.7 * L * d
    np.testing.assert_allclose(found[:, 0], first * w * w, rtol=1e-12)
    np.testing.assert_allclose(found[:, 1], -first * wd, rtol=1e-12)
    np.testing.assert_allclose(found[:, 5], -(lever + RHO * IZ * d) * wd, rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(found[:, 2:5], 0.0, atol=1e-12)


def first_mode(x):
    """Of a clamped bar, and its second and third derivative, over x / L; the end moves by one."""
    k = 1.8751040687119611
    c = (np.cosh(k) + np.cos(k)) / (np.sinh(k) + np.sin(k))
    u = k * x
    v = np.cosh(u) - np.cos(u) - c * (np.sinh(u) - np.sin(u))
    bend = k**2 * (np.cosh(u) + np.cos(u) - c * (np.sinh(u) + np.sin(u)))
    shear = k**3 * (np.sinh(u) - np.sin(u) - c * (np.cosh(u) + np.cos(u)))
    return v / 2.0, bend / 2.0, shear / 2.0


def test_a_cantilever_that_swings_in_its_first_mode(tmp_path):
    """Moment and shear at every cut are E I v'' and -E I v''' of the exact mode, with one mode of eight elements."""
    arm = cantilever(tmp_path / "arm.toml", modes=1, beam="rotary = false", gravity="0, 0")
    cuts = arm.elastic.cuts
    tree = cuts.tree
    tip = tree.flexible[0].tips[0].Phi[1, 0]
    x, xdd = np.zeros(tree.size), np.zeros(tree.size)
    x[1] = 1e-6 / tip  # the end moves by a micrometre along y
    xdd[1] = -tree.K[1, 1] / tree.flexible[0].M[0, 0] * x[1]
    found = section_forces(cuts, x, np.zeros(tree.size), xdd, np.zeros(3))
    s = np.array([cut.place for cut in cuts.of[0]]) / L
    _, bend, shear = first_mode(s)
    EI = 7e10 * IZ * 1e-6
    np.testing.assert_allclose(found[:, 5], EI / L**2 * bend, atol=1e-4 * EI / L**2 * bend[0])
    np.testing.assert_allclose(found[:, 1], -EI / L**3 * shear, atol=1e-4 * EI / L**3 * abs(shear[0]))


def test_few_modes_are_enough_for_forces_and_not_for_curvature(tmp_path):
    """A bar that hangs in one mode: the moment at its root is w L^2 / 2, that of the curvature is far off."""
    arm = cantilever(tmp_path / "arm.toml", modes=1, gravity="-1.0, 0").elastic
    still = np.zeros((3, 1))
    swing = follow(arm, np.arange(3) * 1e-3, still, still, still)
    found = stress_at(swing, 0).links["beam"].forces[:, 5]
    right = -0.5 * RHO * AREA * (L - arm.stress([0.0]).links["beam"].places) ** 2
    np.testing.assert_allclose(found, right, atol=1e-6 * abs(right[0]))
    tip = swing.e[0, 0] * arm.tree.flexible[0].tips[0].Phi[1, 0]
    curved = 7e10 * IZ * tip * first_mode(0.0)[1] / L**2
    assert abs(curved / right[0] - 1.0) > 0.1


def element_ends(tree, body, eta, gravity):
    """Forces in the first section of each element, from its own stiffness: -(k u - what the weight asks of it)."""
    mesh = tree.meshes[body]
    u = tree.flexible[body].shapes @ eta
    found = []
    for element in mesh.elements:
        T = np.kron(np.eye(4), element.axes.T)
        at = [6 * node + k for node in (element.first, element.last) for k in range(6)]
        weight = element.mass() @ (T @ np.tile([*gravity, 0.0, 0.0, 0.0], 2))
        found.append(-(element.stiffness() @ (T @ u[at]) - weight)[:6])
    return np.array(found)


def begins(cut, element):
    return cut.node == element.first and cut.section == element.section and np.array_equal(cut.axes, element.axes)


@pytest.mark.parametrize("name", ["ur5-elastic", "asea-irb"])
def test_at_rest_elements_say_the_same(name):
    """What bends each element, by its stiffness, is what equilibrium says: with loops, of what they share out."""
    arm = torsor.load(name).elastic
    q = {"ur5-elastic": [0.3, -0.9, 1.2, -0.4, 0.5, 0.2], "asea-irb": [0.793, 1.866, -2.88, 1.047, 0.698, 2.303]}[name]
    push = np.array([20.0, -30.0, 50.0, 4.0, -3.0, 2.0])
    found = arm.stress(q, wrench=push)
    held = arm.at(q, drives="held", static=True)
    tree, still = held.tree, np.zeros(held.tree.size)
    load = residual(tree, held.x, still, still, tree.tree.gravity, push)
    x = held.Z @ np.linalg.solve(held.K, -held.Z.T @ load)
    stance = BentArm.at(tree, held.x)
    largest = max(np.abs(link.forces).max() for link in found.links.values())
    for body in tree.meshes:
        g = stance.bodies[body][0].T @ tree.tree.gravity
        right = element_ends(tree, body, tree.own(body, x), g)
        link = found.links[tree.tree.bodies[body].name]
        elements, at = tree.meshes[body].elements, iter(range(len(link.cuts)))
        for row, element in enumerate(elements):  # cuts at their far ends lie between
            k = next(k for k in at if begins(link.cuts[k], element))
            np.testing.assert_allclose(link.forces[k], right[row], atol=2e-7 * largest)
    if name == "asea-irb":  # joint 8 turns freely: no moment about it, across a beam that is clamped to it
        axis = tree.meshes[list(tree.meshes)[-1]].elements[0].axes[2]
        assert abs(found.links["link8"].forces[0, 3:] @ axis) < 1e-9 * largest
        cuts, pushes = ArmCuts.through(tree), np.random.default_rng(0).normal(size=(2, 6))

        def pushed(x, w):
            return section_forces(cuts, x, 0.0 * x, 0.0 * x, g, closing_pushes(tree, x, [w]))

        many, one = pushed(np.stack([held.x, held.x]), pushes), pushed(held.x, pushes[1])
        np.testing.assert_allclose(many[1], one, atol=1e-12 * largest)


def bent(tree, seed, size):
    rng = np.random.default_rng(seed)
    shapes = size * rng.normal(size=(3, tree.size - tree.n))
    joints = rng.uniform(-2.0, 2.0, (3, tree.n))
    return tuple(np.concatenate([q, e]) for q, e in zip(joints, shapes, strict=True))


def places_of(tree, body, x, element, own_x):
    """Points of an element in base axes: the body, r0 + S eta + 1/2 eta^T H eta."""
    V, mesh = tree.flexible[body].shapes, tree.meshes[body]
    at = [6 * node + k for node in (element.first, element.last) for k in range(6)]
    own = np.kron(np.eye(4), element.axes.T) @ V[at]
    eta = tree.own(body, x)
    _, shortened = integrals(mesh, V)
    H = shortened[element.first] - _shortening(element, own, own_x)[:, :, None] * element.axes[:, 0]
    moved, _, _ = element.shapes(own_x)
    r = mesh.nodes[element.first] + own_x * element.axes[:, 0] + element.axes @ moved @ own @ eta
    R, p = BentArm.at(tree, x).bodies[body]
    return p + R @ (r + 0.5 * np.einsum("j,jka,k->a", eta, H, eta))


@pytest.mark.parametrize("name", ["elastic-arm2", "rl15-elastic"])
def test_between_two_cuts_is_what_moves_there(name):
    """Of the bent arm in motion: the forces of two cuts differ by mass times acceleration, found by differences."""
    tree = elastic_tree(torsor.load(name).model)
    x, xd, xdd = bent(tree, 5, 0.02)
    g, h = np.array([0.5, -1.0, -9.0]), 1e-4
    cuts = ArmCuts.through(tree)
    forces = section_forces(cuts, x, xd, xdd, g)
    for body, own in cuts.slices.items():
        mesh, through = tree.meshes[body], cuts.of[body]
        R, _ = BentArm.at(tree, x).bodies[body]
        k = 3
        element = mesh.elements[k]
        total = np.zeros(3)
        for s, weight in zip(POINTS, WEIGHTS, strict=True):
            seen = [
                places_of(tree, body, x + t * xd + 0.5 * t * t * xdd, element, s * element.length) for t in (-h, 0.0, h)
            ]
            acceleration = (seen[0] - 2.0 * seen[1] + seen[2]) / h**2
            per_length = mesh.beam.material.rho * element.section.area
            total += weight * element.length * per_length * (acceleration - g)
        near, far = (
            R @ TipStep.at(cut.here, tree.own(body, x)).out_of(cut.axes @ forces[own][j, :3])
            for j, cut in ((k, through[k]), (k + 1, through[k + 1]))
        )
        np.testing.assert_allclose(far - near, total, atol=2e-5 * np.abs(total).max())


def test_at_the_clamp_it_is_what_the_joint_gives(tmp_path):
    """Bent and in motion: about the joint's axis the moment of the first section is the row of the joint."""
    arm = cantilever(tmp_path / "arm.toml", payload="payload = { mass = 0.7, com = [0.1, 0.1, 0] }", modes=6)
    tree = arm.elastic.cuts.tree
    for seed in range(3):
        x, xd, xdd = bent(tree, seed, 0.02)
        g = np.array([1.0, -9.0, 2.0])
        found = section_forces(arm.elastic.cuts, x, xd, xdd, g)
        assert -found[0, 5] == pytest.approx(residual(tree, x, xd, xdd, g)[0], rel=1e-12)


@pytest.fixture(scope="module")
def stiff(tmp_path_factory):
    """elastic-arm2 with weight, a million times as stiff, all mass in its beams and what they carry."""
    text = (Path(torsor.__file__).parent / "model" / "library" / "elastic-arm2.toml").read_text()
    text = text.replace("gravity = [0, 0, 0]", "gravity = [1, -9, 3]").replace("E = 7e10", "E = 7e16")
    text = text.replace("mass = 0.5                              # a point at the elbow", "mass = 0.0")
    path = tmp_path_factory.mktemp("stiff") / "arm.toml"
    path.write_text(text)
    return torsor.load(path)


def test_a_stiff_arm_has_the_loads_of_its_bearings(stiff):
    rng = np.random.default_rng(0)
    q = rng.uniform(-2.0, 2.0, (5, 2))
    still = np.zeros_like(q)
    loads = stiff.bearing_loads(q, still, still)
    found = stiff.elastic.stress(q)
    for k, link in enumerate(found.links.values()):  # their axes are those of the sections: x along the beam, z up
        np.testing.assert_allclose(-link.forces[:, 0], loads[:, k], atol=1e-9 * np.abs(loads).max())
    t, w = np.arange(0.0, 0.5, 1e-3), 6.0  # from rest, smooth to the third derivative, so that nothing rings
    s, c = np.sin(w * t), np.cos(w * t)
    moved = np.array([s**4, 4.0 * w * s**3 * c, 4.0 * w**2 * (3.0 * s**2 * c**2 - s**4)])[..., None] * [1.0, -0.5]
    moved[0] += [0.3, -0.4]
    loads, along = stiff.bearing_loads(*moved), stress_at(follow(stiff.elastic, t, *moved), slice(None))
    for k, link in enumerate(along.links.values()):
        np.testing.assert_allclose(-link.forces[:, 0], loads[:, k], atol=1e-3 * np.abs(loads).max())


def test_a_branch_carries_its_own(tmp_path):
    """Two lines from one joint: what hangs on one is in no section of the other."""
    branch = f"""[[link.beam.branch]]
to = "side"
section = {NUMBERS}
[[link]]
name = "side"
parent = "beam"
joint = "fixed"
position = [0, 0.4, 0]
mass = 3.0
"""
    arm = cantilever(tmp_path / "arm.toml", more=branch)
    w, weight = RHO * AREA * 9.81, 3.0 * 9.81
    found = arm.elastic.stress([0.0], wrench=[0.0, 50.0, 0.0, 0.0, 0.0, 0.0]).links["beam"]
    to = np.array([cut.to for cut in found.cuts])
    d = L - found.places[to == "tool"]
    np.testing.assert_allclose(found.forces[to == "tool"][:, 4], 0.5 * w * d * d, atol=1e-10)
    np.testing.assert_allclose(found.forces[to == "tool"][:, 5], 50.0 * d, atol=1e-10)
    d = 0.4 - found.places[to == "side"]
    np.testing.assert_allclose(found.forces[to == "side"][:, 2], -weight - w * d, rtol=1e-12)
    np.testing.assert_allclose(found.forces[to == "side"][:, 4], weight * d + 0.5 * w * d * d, atol=1e-10)


def test_floats_and_machine_code_agree():
    arm = torsor.load("elastic-arm2").elastic
    rng = np.random.default_rng(1)
    q, qd, qdd, e, ed = *rng.normal(size=(3, 2)), *(1e-2 * rng.normal(size=(2, 6)))
    rows = [np.stack([0.0 * part, part]) for part in (q, e, ed, qd, qdd)]
    swing = Swing(arm, np.array([0.0, 1e-3]), *rows)
    right = moving_forces_page(arm.cuts, swing.x[1], swing.xd[1], swing.xdd[1])["forces"]
    balance = arm.tree.K @ swing.x[1] + residual(arm.tree, swing.x[1], swing.xd[1], swing.xdd[1], np.zeros(3))
    np.testing.assert_allclose(balance[2:], 0.0, atol=1e-10 * np.abs(right).max())
    found = stress_at(swing, 1)
    both = np.concatenate([link.forces for link in found.links.values()])
    np.testing.assert_allclose(both, right, atol=1e-11 * np.abs(right).max())
