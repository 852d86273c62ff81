"""An arm in its cell against coal (the former hpp-fcl), which knows nothing of ours but shapes and where they are."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.spatial import ConvexHull

import torsor
from torsor.cell.arm_in_cell import ArmInCell
from torsor.cell.cell_file import parse_cell
from torsor.cell.convex_solids import Solid, SolidPoses, Solids, cylinder_solid
from torsor.mechanics.kinematics import body_poses
from torsor.model.limits import position_limits
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


def mesh_arm(folder):
    """A URDF of boxes, cylinders, capsules and meshes of every format, some drawn and some to touch with."""
    rng = np.random.default_rng(5)
    lumps = {name: rng.normal(size=(60, 3)) * size for name, size in (("upper", (0.05, 0.05, 0.16)), ("hand", 0.04))}
    write_stl(folder / "upper.stl", lumps["upper"] + [0, 0, 0.2])
    write_obj(folder / "hand.obj", 1000 * lumps["hand"])
    shapes = {
        "base": touching("<cylinder radius='0.12' length='0.1'/>", "xyz='0 0 0.05'"),
        "shoulder": "<visual><geometry><sphere radius='0.08'/></geometry></visual>",
        "upper": touching("<mesh filename='upper.stl'/>"),
        "fore": touching("<box size='0.08 0.06 0.3'/>", "xyz='0 0 0.15' rpy='0.1 0 0'"),
        "wrist": touching("<capsule radius='0.04' length='0.1'/>", "rpy='1.57 0 0'"),
        "hand": touching("<mesh filename='hand.obj' scale='.001 .001 .001'/>", "xyz='0 0 0.1'"),
    }
    heights = {"shoulder": 0.25, "upper": 0.05, "fore": 0.45, "wrist": 0.35, "hand": 0.05}
    axes = ("0 0 1", "0 1 0", "0 1 0", "0 0 1", "0 1 0")
    names = list(shapes)
    text = "".join(f"<link name='{name}'>{shape}</link>" for name, shape in shapes.items())
    for parent, child, axis in zip(names[:-1], names[1:], axes, strict=True):
        text += (
            f"<joint name='to_{child}' type='continuous'><parent link='{parent}'/><child link='{child}'/>"
            f"<origin xyz='0 0 {heights[child]}'/><axis xyz='{axis}'/></joint>"
        )
    path = folder / "lumpy.urdf"
    path.write_text(f"<robot name='lumpy'>{text}</robot>")
    return path


def touching(geometry, origin=""):
    return f"<collision><origin {origin}/><geometry>{geometry}</geometry></collision>"


def write_stl(path, points):
    triangles = points[: len(points) // 3 * 3].reshape(-1, 3, 3)
    corners = ["".join(f"vertex {x} {y} {z}\n" for x, y, z in each) for each in triangles]
    facets = "".join(f"facet normal 0 0 0\nouter loop\n{each}endloop\nendfacet\n" for each in corners)
    path.write_text(f"solid lump\n{facets}endsolid\n")


def write_obj(path, points):
    rows = [f"v {x} {y} {z}" for x, y, z in points]
    path.write_text("\n".join([*rows, *(f"f {k} {k + 1} {k + 2}" for k in range(1, len(points) - 1, 3))]))


def transform(R, p):
    return coal.Transform3s(np.asarray(R), np.asarray(p, dtype=float).reshape(3, 1))


def apart(one, T_one, other, T_other):
    """By coal's GJK and EPA: below zero by how deep."""
    result = coal.DistanceResult()
    return coal.distance(one, T_one, other, T_other, coal.DistanceRequest(), result)


def by_coal(solid):
    """A solid of ours as one of coal's, with its place on the body."""
    if solid.axis is not None or solid.is_round:
        a, b = solid.points[0], solid.points[-1]
        long = float(np.linalg.norm(b - a))
        R = rotation_to_z((b - a) / long) if long > 0.0 else np.eye(3)
        kind = coal.Cylinder if solid.axis is not None else coal.Capsule
        return kind(solid.radius + solid.disc, long), R, 0.5 * (a + b)
    hull, model = ConvexHull(solid.points), coal.BVHModelOBBRSS()
    corners, triangles = coal.StdVec_Vec3s(), coal.StdVec_Triangle()
    corners.extend(list(solid.points))
    triangles.extend([coal.Triangle(*map(int, each)) for each in hull.simplices])
    model.beginModel(len(triangles), len(corners))
    model.addSubModel(corners, triangles)
    model.endModel()
    model.buildConvexHull(False, "Qt")
    KEPT.append(model)
    return model.convex, np.eye(3), np.zeros(3)


KEPT = []  # coal's convex shapes die with the models they are of


def all_by_coal(surroundings, q):
    """(samples,) the least distances: every pair that ours looks at, each asked of coal."""
    looking = surroundings._looking
    shapes = [by_coal(solid) for solid in looking.solids.all]
    poses = body_poses(looking.bodies.tree, q)
    found = []
    for sample in range(len(q)):
        placed = []
        for (_, R, p), body in zip(shapes, looking.body, strict=True):
            R_body, p_body = (
                (np.eye(3), np.zeros(3))
                if body < 0
                else (
                    np.broadcast_to(each, (len(q), *each.shape[-k:]))[sample]
                    for k, each in ((2, poses[body][0]), (1, poses[body][1]))
                )
            )
            placed.append(transform(R_body @ R, p_body + R_body @ p))
        own = [apart(shapes[i][0], placed[i], shapes[j][0], placed[j]) for i, j in surroundings._pairs]
        for i, k in surroundings._over_planes:
            half = coal.Halfspace(looking.normals[k].copy(), float(looking.offsets[k]))
            own.append(apart(shapes[i][0], placed[i], half, transform(np.eye(3), np.zeros(3))))
        found.append(min(own))
    return np.array(found)


def agrees(robot, count):
    arm = torsor.load(robot)
    surroundings = ArmInCell(arm, CELL)
    low, high = position_limits(arm.model.independent)
    low, high = np.where(np.isfinite(low), low, -np.pi), np.where(np.isfinite(high), high, np.pi)
    q = np.random.default_rng(1).uniform(low, high, (count, arm.n))
    ours, theirs = surroundings.clearance(q), all_by_coal(surroundings, q)
    free = theirs > 1e-6
    np.testing.assert_allclose(ours[free], theirs[free], rtol=0, atol=3e-6)  # coal stops its GJK at 1e-6
    assert (ours[~free] < 2e-6).all()
    # the same as a motion in which samples follow each other
    path = np.linspace(q[0], q[1], 100)
    np.testing.assert_allclose(surroundings.clearance(path), [surroundings.clearance(each[None])[0] for each in path])
    return free


@pytest.mark.parametrize("robot", ARMS)
def test_distances_are_those_of_coal(robot):
    free = agrees(robot, 40)
    assert free.sum() > 0


def test_distances_of_meshes_boxes_and_cylinders_are_those_of_coal(tmp_path):
    path = mesh_arm(tmp_path)
    free = agrees(path, 40)
    assert 0 < free.sum() < 40
    known = ArmInCell(torsor.load(path), CELL).own.of_links
    assert known.guessed == ()
    assert known.drawn == ("shoulder",)
    assert sum(len(solid.points) > 8 for solid in known.solid) == 2  # hulls


@pytest.mark.slow
def test_ten_thousand_postures_of_meshes(tmp_path):
    free = agrees(mesh_arm(tmp_path), 10_000)
    assert 100 < free.sum() < 9_990


@pytest.mark.slow
@pytest.mark.parametrize("robot", ARMS)
def test_ten_thousand_postures(robot):
    free = agrees(robot, 10_000)
    assert 100 < free.sum() < 9_990


def test_links_that_a_joint_joins_are_left_out():
    surroundings = ArmInCell(torsor.load("ur5"), parse_cell("floor = 0"))
    tree, body = surroundings.own.tree, surroundings._looking.body
    for i, j in surroundings.own.candidates:
        assert tree.bodies[max(body[i], body[j])].parent != min(body[i], body[j])


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

    ends = "".join(
        f"<visual><origin xyz='0 0 {z}'/><geometry><sphere radius='.03'/></geometry></visual>" for z in (0, 0.4)
    )
    look = f"<visual><origin xyz='0 0 .2'/><geometry><cylinder radius='.03' length='.4'/></geometry></visual>{ends}"
    model = parse_urdf(
        f'<robot name="r"><link name="base"/><link name="a">{look}</link>'
        '<joint name="j" type="continuous"><parent link="base"/><child link="a"/><axis xyz="0 1 0"/></joint></robot>'
    )
    surroundings = ArmInCell(
        torsor.Arm(model), parse_cell("[[plane]]\nname = 'wall'\nnormal = [-1, 0, 0]\noffset = -1")
    )
    (solid,) = surroundings.own.of_links.solid  # a cylinder with balls at its ends is a capsule
    assert surroundings.own.of_links.guessed == ()
    assert (solid.is_round, solid.radius) == (True, 0.03)
    # laid down along x the capsule reaches to 0.43, and the wall is at 1
    np.testing.assert_allclose(surroundings.clearance(np.array([[np.pi / 2]])), 1.0 - 0.43, atol=1e-12)


def test_what_always_touches_is_found_in_many_postures_of_loops_too():
    """In the posture in which loops are put together links may touch by chance; that leaves nothing out."""
    surroundings = ArmInCell(torsor.load("parallelogram5"), parse_cell("links = true"))
    whole = surroundings.own.postures
    assert len(whole) > 50
    assert np.isfinite(whole).all()
    touch = surroundings._looking.touching(whole, surroundings.own.candidates)
    left_out = ~surroundings.own.free
    pairs = surroundings._looking.body[surroundings.own.candidates]
    for one in np.unique(pairs[left_out], axis=0):
        own = (pairs == one).all(axis=1)
        assert touch[:, own].any(axis=1).mean() >= 0.99


def test_only_the_least_of_a_group_is_asked_for():
    """Samples of one move: its least is that of all of them, one by one, and none is said to be nearer."""
    for robot in ("ur5", "scara", "rl15"):
        arm = torsor.load(robot)
        surroundings = ArmInCell(arm, CELL)
        rng = np.random.default_rng(3)
        corners = rng.uniform(-1.5, 1.5, (6, arm.n)) * np.where(np.array(list(arm.model.kinds)) == "P", 0.1, 1.0)
        q = np.vstack([np.linspace(a, b, 70) for a, b in pairwise(corners)])
        group = np.repeat(np.arange(5), 70)
        alone, together = surroundings.clearance(q), surroundings.clearance(q, group)
        for k in range(5):
            least, exact = together[group == k].min(), alone[group == k].min()
            assert exact - 1e-4 <= least <= exact + 1e-12


def test_where_a_mesh_is_missing_capsules_stand_for_it(tmp_path):
    path = mesh_arm(tmp_path)
    (tmp_path / "upper.stl").unlink()
    (tmp_path / "hand.obj").write_text("no mesh")
    surroundings = ArmInCell(torsor.load(path), CELL)
    said = "\n".join(surroundings.notes)
    assert "no shapes are given for upper: capsules" in said
    assert "no shapes are known of hand: not looked at" in said
    assert "mesh hand.obj has no triangles" in said


def test_a_point_over_the_end_of_a_cylinder():
    """Straight over it all of the end is as near: no rounding may lead beyond it."""
    rng = np.random.default_rng(4)
    turns = [rotation_to_z(axis / np.linalg.norm(axis)) for axis in rng.normal(size=(200, 3))]
    for R in turns:
        T = np.eye(4)
        T[:3, :3] = R
        cylinder, post = cylinder_solid(T, 0.08, 0.6), Solid(np.array([[0.0, 0.0, 0.0]]))
        solids = Solids([cylinder, post])
        aside = R[:, 0] * 0.08 * rng.uniform(0, 1)
        at = SolidPoses(np.array([1]), np.eye(3)[None], (R[:, 2] * 0.65 + aside)[None])
        found = solids.apart(SolidPoses(np.array([0]), np.eye(3)[None], np.zeros((1, 3))), at)
        assert found[0] == pytest.approx(0.05, abs=1e-12)


def test_machine_code_and_numpy_say_the_same(tmp_path):
    """Also where only the least of a group is asked for: that is exact, and so is what stands beside it.

    Not to the last bit: GJK ends where rounding leaves no way nearer, and the two begin with other directions.
    """
    arm = torsor.load(mesh_arm(tmp_path))
    surroundings = ArmInCell(arm, CELL)
    looking, facing = surroundings._looking, surroundings._facing
    corners = np.random.default_rng(6).uniform(-1.5, 1.5, (5, arm.n))
    q = np.vstack([np.linspace(a, b, 30) for a, b in pairwise(corners)])
    by_code, by_numpy = looking.look(q, facing), looking.by_numpy(looking.bodies(q), facing)
    np.testing.assert_allclose(by_code.least, by_numpy.least, rtol=0, atol=1e-7)
    grouped = looking.look(q, facing, np.repeat(np.arange(4), 30))
    for k in range(4):
        rows = slice(30 * k, 30 * k + 30)
        best = int(by_code.least[rows].argmin())
        beside = slice(30 * k + max(best - 1, 0), 30 * k + min(best + 2, 30))
        np.testing.assert_allclose(grouped.least[beside], by_code.least[beside], rtol=0, atol=1e-7)
        assert (grouped.least[rows] >= by_code.least[rows].min() - 1e-7).all()
