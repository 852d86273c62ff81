"""The scene of an arm: its links are where the arm's are, and what is drawn of them hangs together."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from scipy.linalg import expm

import torsor
from random_arms import models
from scene.drawn import Drawn, core, lowest, matrix, outside
from torsor import Arm
from torsor.errors import Unsupported
from torsor.loading import load_model, robots
from torsor.model.mass import Mass
from torsor.model.parts import MeshShape, Visual
from torsor.scene.composing import ellipsoid, scene_of

LOOPED = [name for name in robots() if load_model(name).loops]


def scene(arm):
    return scene_of(arm.model, arm.closure if arm.model.loops else None)


def joints_at_random(arm, seed, count=3):
    """Closed, where there are loops."""
    if arm.model.loops:
        reference = arm.closure.reference
        rng = np.random.default_rng(seed)
        return arm.closure.assembled(reference + rng.uniform(-0.1, 0.1, (count, len(reference))))[0]
    spans = [link.joint.limits.position or (-2.0, 2.0) for link in arm.model.independent]
    low, high = np.array(spans).T
    return np.random.default_rng(seed).uniform(low, high, (count, arm.n))


@pytest.mark.parametrize("name", robots())
def test_links_are_where_the_arm_has_them(name):
    arm = torsor.load(name)
    drawn = scene(arm)
    for q in joints_at_random(arm, 1):
        at = Drawn(drawn, q)
        for link in arm.model.links:
            np.testing.assert_allclose(at.pose(link.name), arm.tree.reference.pose(q, frame=link.name), atol=1e-12)
        np.testing.assert_allclose(at.frame(drawn["tool"]), arm.tree.reference.pose(q), atol=1e-12)


@settings(max_examples=40, deadline=None)
@given(models())
def test_links_of_any_arm_are_where_it_has_them(model):
    arm = Arm(model)
    drawn = scene_of(model)
    q = np.random.default_rng(0).uniform(-1.0, 1.0, arm.n)
    at = Drawn(drawn, q)
    for link in model.links:
        np.testing.assert_allclose(at.pose(link.name), arm.reference.pose(q, frame=link.name), atol=1e-11)
    (frame,) = drawn["frames"]
    np.testing.assert_allclose(at.frame(frame), arm.reference.pose(q, frame="camera"), atol=1e-11)
    assert all(np.isfinite(value).all() for each in all_shapes(drawn) for value in numbers_of(each))


def all_shapes(drawn):
    return [*drawn["base_shapes"], *(shape for link in drawn["links"] for shape in link["shapes"])]


def numbers_of(shape):
    return [np.array(value) for value in shape.values() if isinstance(value, float | list)]


def test_the_compiled_arm_agrees():
    arm = torsor.load("planar2")
    q = [0.4, -0.9]
    at = Drawn(scene(arm), q)
    np.testing.assert_allclose(at.pose("link2"), arm.pose(q, frame="link2"), atol=1e-14)


@pytest.mark.parametrize("name", robots())
def test_screws_give_the_same_poses(name):
    """T = exp([S1] q1) exp([S2] q2) ... T(0), by SciPy's exponential of matrices."""
    arm = torsor.load(name)
    drawn = scene(arm)
    q = joints_at_random(arm, 2, 1)[0]
    zero, at = Drawn(drawn, 0.0 * q), Drawn(drawn, q)

    def moved(i):
        if i < 0:
            return np.eye(4)
        link = drawn["links"][i]
        if link["screw"] is None:
            return moved(link["parent"])
        x, y, z = link["screw"]["omega"]
        S = np.zeros((4, 4))
        S[:3, :3], S[:3, 3] = [[0, -z, y], [z, 0, -x], [-y, x, 0]], link["screw"]["v"]
        return moved(link["parent"]) @ expm(S * (link["factor"] * q[link["joint"]]))

    for i in range(len(drawn["links"])):
        np.testing.assert_allclose(moved(i) @ zero.poses[i], at.poses[i], atol=1e-12)


@pytest.mark.parametrize("name", LOOPED)
def test_loops_are_closed_at_home_and_in_other_assemblies(name):
    arm = torsor.load(name)
    drawn = scene(arm)
    for q in (None, *(mode["q"] for mode in drawn["modes"])):
        at = Drawn(drawn, q)
        for loop in drawn["loops"]:
            first, second = at.frame(loop["first"]), at.frame(loop["second"])
            apart = np.linalg.norm(first[:3, 3] - second[:3, 3])
            assert apart == pytest.approx(loop["length"] or 0.0, abs=1e-9)
            if loop["kind"] == "hinge":
                np.testing.assert_allclose(first[:3, 2], second[:3, 2], atol=1e-9)
    free = [joint["name"] for joint in drawn["joints"] if joint["free"]]
    assert free == list(arm.joint_names)


def test_other_assemblies_are_those_of_the_closure():
    arm = torsor.load("parallelogram5")
    others = arm.closure.assembly_modes(arm.closure.free_of(arm.closure.reference))[1:]
    assert [mode["q"] for mode in scene(arm)["modes"]] == [q.tolist() for q in others]
    assert len(others) == 7


@pytest.mark.parametrize("name", robots())
def test_joints_are_drawn_along_their_axes(name):
    arm = torsor.load(name)
    drawn = scene(arm)
    turning = 0
    for link in drawn["links"]:
        if link["kind"] in ("fixed", "prismatic"):
            continue
        before = matrix(link["before"])
        point, axis = before[:3, 3], before[:3, :3] @ link["axis"]
        carrier = drawn["links"][link["parent"]]["shapes"] if link["parent"] >= 0 else drawn["base_shapes"]
        cylinders = [matrix(shape["T"]) for shape in carrier if shape["kind"] == "cylinder"]
        on_axis = [
            abs(abs(T[:3, 2] @ axis) - 1.0) < 1e-9 and np.linalg.norm(np.cross(T[:3, 3] - point, axis)) < 1e-9
            for T in cylinders
        ]
        assert any(on_axis), link["name"]
        turning += 1
    assert turning


@pytest.mark.parametrize("name", robots())
def test_every_link_hangs_together_with_what_it_moves_on(name):
    """At any posture: something of it is inside something of the next link towards the base that is drawn."""
    arm = torsor.load(name)
    drawn = scene(arm)
    looped = {end["link"] for loop in drawn["loops"] for end in (loop["first"], loop["second"])}
    for q in (None, *joints_at_random(arm, 3)):
        at = Drawn(drawn, q)
        for i, link in enumerate(drawn["links"]):
            parent = link["parent"]
            while parent >= 0 and not drawn["links"][parent]["shapes"]:
                parent = drawn["links"][parent]["parent"]
            if not link["shapes"]:
                assert link["kind"] == "fixed" or link["mass"] == 0.0
            elif not (i in looped and link["kind"] == "prismatic" and parent != link["parent"]):
                touching = [outside(theirs, core(mine)).min() for mine in at.shapes(i) for theirs in at.shapes(parent)]
                assert min(touching) <= 1e-9, link["name"]
            parts = at.shapes(i)  # and it is one piece
            reached, waiting = set(), [0] if parts else []
            while waiting:
                k = waiting.pop()
                reached.add(k)
                near = [j for j in range(len(parts)) if j not in reached and touch(parts[k], parts[j])]
                waiting += near
            assert len(reached) == len(parts), link["name"]
        for loop in drawn["loops"]:
            for end in (loop["first"], loop["second"]):
                point = at.frame(end)[None, :3, 3]
                assert min(outside(shape, point)[0] for shape in at.shapes(end["link"])) <= 1e-9


def touch(one, other):
    reach = max(one.get("r", 0.0), 0.5 * min(one.get("size", [0.0])))
    return outside(other, core(one)).min() <= reach or outside(one, core(other)).min() <= 1e-9


@pytest.mark.parametrize("name", robots())
def test_it_stands_on_the_ground(name):
    arm = torsor.load(name)
    drawn = scene(arm)
    at, base = Drawn(drawn), matrix(drawn["base"])
    up, height = base[2, :3], drawn["ground"] - base[2, 3]
    for i in range(len(drawn["links"])):
        for shape in at.shapes(i):
            assert lowest(shape, up) > height - 0.05 * drawn["size"], drawn["links"][i]["name"]
    feet = [lowest(shape, up) for shape in at.shapes(-1)]
    assert min(feet) > height - 1e-9
    if name != "delta":  # which hangs
        assert min(feet) == pytest.approx(height, abs=1e-9)


@pytest.mark.parametrize("name", ["puma560", "rl15", "ur5", "irb140", "panda"])
def test_links_get_thinner_towards_the_tool(name):
    drawn = scene(torsor.load(name))
    radii = [
        s["r"] for link in drawn["links"] for s in link["shapes"] if s["kind"] == "capsule" and s["role"] == "link"
    ]
    radii = radii if name != "ur5" else radii[1:]
    assert radii == sorted(radii, reverse=True)
    assert radii[0] < 0.06 * drawn["size"]


def test_what_is_known_of_links_is_there():
    drawn = scene(torsor.load("puma560"))
    dh = {"convention": "standard-dh", "a": 0.4318, "alpha": 0.0, "d": 0.0, "offset": 0.0}
    link = drawn["links"][1]
    assert link["dh"] == dh
    model = load_model("puma560")
    assert (link["mass"], link["com"]) == (model.links[1].mass.mass, model.links[1].mass.com.tolist())
    assert drawn["joints"][0] == {
        "name": "joint1",
        "unit": "rad",
        "lower": model.links[0].joint.limits.position[0],
        "upper": model.links[0].joint.limits.position[1],
        "free": True,
        "home": 0.0,
    }
    stanford = scene(torsor.load("stanford"))["joints"][2]
    assert stanford["unit"] == "m"
    assert stanford["home"] == pytest.approx(0.5 * (stanford["lower"] + stanford["upper"]))  # zero is out of reach


def test_the_ellipsoid_has_the_inertia_of_its_body():
    rng = np.random.default_rng(4)
    a, b, c = 0.3, 0.2, 0.1
    R, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    I = R @ np.diag([b * b + c * c, a * a + c * c, a * a + b * b]) @ R.T * (7.0 / 5.0)
    found = ellipsoid(Mass(7.0, np.zeros(3), I))
    axes, radii = np.array(found["axes"]).reshape(3, 3), np.array(found["radii"])
    assert np.linalg.det(axes) == pytest.approx(1.0)
    np.testing.assert_allclose(sorted(radii), [c, b, a], rtol=1e-12)
    # the surface is x^T A^-1 x = 1 with A = axes diag(radii^2) axes^T, whatever the order of the axes
    A = axes @ np.diag(radii**2) @ axes.T
    np.testing.assert_allclose(A, R @ np.diag([a * a, b * b, c * c]) @ R.T, atol=1e-12)
    assert ellipsoid(Mass.none()) is None
    assert ellipsoid(Mass(1.0, np.zeros(3), np.diag([1.0, 1.0, 5.0])))["radii"][2] == 0.0  # which no body has


def test_a_payload_is_drawn_by_its_mass():
    arm = torsor.load("puma560")
    light, heavy = (scene(arm.with_payload(mass))["payload"] for mass in (0.5, 4.0))
    assert heavy["radius"] == pytest.approx(2.0 * light["radius"])
    assert heavy["mass"] == 4.0
    assert scene(arm)["payload"] is None


def test_planes_and_another_home():
    model = load_model("planar2")
    drawn = scene_of(model, home=[0.3, 0.4], planes=[([1.0, 0, 0], [0, 0, 1])])
    assert drawn["planes"] == [{"point": [1.0, 0.0, 0.0], "normal": [0.0, 0.0, 1.0]}]
    assert [joint["home"] for joint in drawn["joints"]] == [0.3, 0.4]


def test_what_is_too_large_to_draw_is_refused():
    model = load_model("planar2")
    far = replace(model.links[0].joint, after=np.array([[1, 0, 0, 1e9], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]))
    with pytest.raises(Unsupported, match="'planar2' is 1e\\+09 m long; arms are drawn up to 1e\\+06 m"):
        scene_of(replace(model, links=(replace(model.links[0], joint=far), model.links[1])))


def test_a_mesh_that_was_not_found_leaves_capsules():
    model = load_model("planar2")
    lost = replace(model.links[0], visuals=(Visual(MeshShape("a.stl", None), np.eye(4)),))
    drawn = scene_of(replace(model, links=(lost, model.links[1])))
    assert drawn["links"][0]["shapes"] == scene_of(model)["links"][0]["shapes"]
    assert drawn["meshes"] == []
