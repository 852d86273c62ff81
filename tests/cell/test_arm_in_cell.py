"""An arm in its cell against coal (the former hpp-fcl), which knows nothing of ours but shapes and where they are."""

import numpy as np
import pytest

import torsor
from torsor.cell.arm_in_cell import ArmInCell
from torsor.cell.cell_file import parse_cell
from torsor.model.transforms import rotation_to_z

coal = pytest.importorskip("coal")
ARMS = ("rl15", "ur5", "panda", "scara")
CELL = parse_cell("""floor = -0.2
[[box]]
name = "table"
size = [0.6, 0.4, 0.3]
position = [0.5, 0.3, 0.1]
rpy = [0.2, -0.3, 0.7]
[[cylinder]]
name = "post"
radius = 0.08
length = 1.2
position = [-0.3, 0.5, 0.6]
rpy = [0.3, 0.1, 0]
""")


def transform(R, p):
    return coal.Transform3s(np.asarray(R), np.asarray(p, dtype=float).reshape(3, 1))


def apart(one, T_one, other, T_other):
    """By coal's GJK and EPA: below zero by how deep."""
    result = coal.DistanceResult()
    return coal.distance(one, T_one, other, T_other, coal.DistanceRequest(), result)


def segment(a, b):
    """A segment as a capsule of no radius: a thin one of coal is where it should be."""
    long = float(np.linalg.norm(b - a))
    R = rotation_to_z((b - a) / long) if long > 0.0 else np.eye(3)
    return long, transform(R, 0.5 * (a + b))


def by_coal(surroundings, q):
    """The least distance in one posture: every pair that ours looks at, each asked of coal."""
    capsules, pairs = surroundings.capsules, surroundings._candidates[surroundings._free]
    first, last = (each[0] for each in surroundings._placed(q[None]))
    placed = [segment(a, b) for a, b in zip(first, last, strict=True)]
    shapes = [coal.Capsule(float(r), long) for r, (long, _) in zip(capsules.radius, placed, strict=True)]
    found = [apart(shapes[i], placed[i][1], shapes[j], placed[j][1]) for i, j in pairs]
    for obstacle, moving in zip(surroundings.cell.obstacles, surroundings._clear, strict=True):
        R, p = obstacle.placement[:3, :3], obstacle.placement[:3, 3]
        if obstacle.kind == "plane":
            solid, T = coal.Halfspace(R[:, 2].copy(), float(R[:, 2] @ p)), transform(np.eye(3), np.zeros(3))
        elif obstacle.kind == "box":
            solid, T = coal.Box(*(2.0 * obstacle.sizes).tolist()), transform(R, p)
        else:
            solid, T = coal.Cylinder(float(obstacle.sizes[0]), 2.0 * float(obstacle.sizes[1])), transform(R, p)
        found += [apart(shapes[i], placed[i][1], solid, T) for i in moving]
    return min(found)


def agrees(robot, count):
    arm = torsor.load(robot)
    surroundings = ArmInCell(arm, CELL)
    rng = np.random.default_rng(1)
    low, high = np.full(arm.n, -np.pi), np.full(arm.n, np.pi)
    for k, link in enumerate(arm.model.independent):
        if link.joint.limits.position is not None:
            low[k], high[k] = link.joint.limits.position
    q = rng.uniform(low, high, (count, arm.n))
    ours, theirs = surroundings.clearance(q), np.array([by_coal(surroundings, each) for each in q])
    free = theirs > 1e-6
    np.testing.assert_allclose(ours[free], theirs[free], rtol=0, atol=3e-6)  # coal stops its GJK at 1e-6
    assert (ours[~free] < 2e-6).all()  # how deep is another question: ours is that of the segment
    return free


@pytest.mark.parametrize("robot", ARMS)
def test_distances_are_those_of_coal(robot):
    free = agrees(robot, 60)
    assert free.sum() > 0


@pytest.mark.slow
@pytest.mark.parametrize("robot", ARMS)
def test_ten_thousand_postures(robot):
    free = agrees(robot, 10_000)
    assert 100 < free.sum() < 9_990


def test_links_that_a_joint_joins_are_left_out():
    surroundings = ArmInCell(torsor.load("ur5"), parse_cell("floor = 0"))
    model = surroundings.arm.model
    body = surroundings._bodies
    for i, j in surroundings._candidates:
        assert model.links[max(body[i], body[j])].parent != min(body[i], body[j])


def test_what_touches_in_every_posture_is_found_and_told():
    surroundings = ArmInCell(torsor.load("rl15"), parse_cell("margin = 0"))
    assert surroundings.touching == (("link2", "link4"),)
    assert any("link2 and link4 touch in every posture" in note for note in surroundings.notes)


def test_the_margin_is_left_free():
    arm, q = torsor.load("ur5"), np.random.default_rng(2).uniform(-2, 2, (50, 6))
    near, far = (ArmInCell(arm, parse_cell(f"margin = {m}")).clearance(q) for m in (0.0, 0.05))
    np.testing.assert_allclose(near - far, 0.05)


def test_shapes_of_a_urdf_are_what_is_held_against():
    from torsor.model.urdf import parse_urdf

    look = '<visual><origin xyz="0 0 0.2"/><geometry><cylinder radius="0.03" length="0.4"/></geometry></visual>'
    model = parse_urdf(
        f'<robot name="r"><link name="base"/><link name="a">{look}</link>'
        '<joint name="j" type="continuous"><parent link="base"/><child link="a"/><axis xyz="0 1 0"/></joint></robot>'
    )
    surroundings = ArmInCell(
        torsor.Arm(model), parse_cell("[[plane]]\nname = 'wall'\nnormal = [-1, 0, 0]\noffset = -1")
    )
    assert surroundings.capsules.guessed == ()
    np.testing.assert_allclose(surroundings.capsules.radius, [0.03])
    # laid down along x the capsule reaches to 0.43, and the wall is at 1
    np.testing.assert_allclose(surroundings.clearance(np.array([[np.pi / 2]])), 1.0 - 0.43, atol=1e-12)


def test_what_always_touches_is_found_in_many_postures_of_loops_too():
    """In the posture in which loops are put together links may touch by chance; that leaves nothing out."""
    surroundings = ArmInCell(torsor.load("parallelogram5"), parse_cell("links = true"))
    q = surroundings._random_postures()
    assert len(q) > 50
    whole = surroundings.arm.closure.positions(q)
    assert np.isfinite(whole).all()
    apart = surroundings._between(*surroundings._placed(q), surroundings._candidates)
    left_out = ~surroundings._free
    pairs = surroundings._bodies[surroundings._candidates]
    for one in np.unique(pairs[left_out], axis=0):
        own = (pairs == one).all(axis=1)
        assert (apart[:, own].min(axis=1) < 0.0).mean() >= 0.99
