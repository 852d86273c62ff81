"""Masses from solids: closed forms held against Pinocchio's, meshes against closed forms, and what is refused."""

import re

import numpy as np
import pinocchio as pin
import pytest
from hypothesis import given
from hypothesis import strategies as st

import torsor
from scene.solids import ball, binary_stl, box, obj
from torsor.arm import Arm
from torsor.errors import ModelError
from torsor.model.armfile import parse_arm_file, read_arm_file
from torsor.model.solids import ball_of, box_of, cylinder_of, mesh_of
from torsor.model.transforms import pose, rotation_rpy
from torsor.model.triangles import checked
from torsor.model.urdf import parse_urdf
from torsor.model.urdf_writer import write_urdf
from torsor.scene.composing import scene_of

HEAD = 'name = "a"\nframes = "standard-dh"\n[[link]]\njoint = "revolute"\n'
CUBE = box(1.0, 1.0, 1.0)
LENGTHS = st.floats(0.01, 2.0)


def link_of(text):
    return parse_arm_file(HEAD + text).links[0]


@given(LENGTHS, LENGTHS, LENGTHS)
def test_closed_forms_are_those_of_pinocchio(x, y, z):
    pairs = [
        (cylinder_of(x, y), pin.Inertia.FromCylinder(np.pi * x * x * y, x, y)),
        (box_of(x, y, z), pin.Inertia.FromBox(x * y * z, x, y, z)),
        (ball_of(x), pin.Inertia.FromSphere(4.0 / 3.0 * np.pi * x**3, x)),
    ]
    for mine, theirs in pairs:
        assert mine.mass == pytest.approx(theirs.mass)
        np.testing.assert_allclose(mine.inertia, theirs.inertia, rtol=1e-12, atol=1e-15)


@given(st.tuples(LENGTHS, LENGTHS, LENGTHS), st.lists(st.floats(-3.0, 3.0), min_size=6, max_size=6))
def test_a_mesh_is_what_it_encloses_wherever_it_is(size, place):
    """A box as triangles, turned and moved, is the box turned and moved; inside out it is the same."""
    corners, triples = box(*size)
    T = pose(rotation_rpy(*place[:3]), place[3:])
    moved = corners @ T[:3, :3].T + T[:3, 3]
    expected = box_of(*size).moved(T)
    for order in (triples, triples[:, ::-1]):
        found = mesh_of([checked(moved, order)])
        # corners nearer than 1e-7 of the size are one: numbers of a mesh are no better
        assert found.mass == pytest.approx(expected.mass, rel=1e-5)
        np.testing.assert_allclose(found.com, expected.com, atol=1e-6)
        np.testing.assert_allclose(found.inertia, expected.inertia, atol=1e-5 * np.trace(expected.inertia))


def test_a_ball_of_facets_comes_to_the_ball():
    errors = []
    for many in (8, 16, 32):
        corners, triples = ball(0.5, many)
        found = mesh_of([checked(corners, triples)])
        errors.append(abs(found.inertia[0, 0] / ball_of(0.5).inertia[0, 0] - 1.0))
    ratios = np.array(errors[:-1]) / np.array(errors[1:])
    assert (ratios > 3.5).all()  # by the square of the number of facets around
    assert (ratios < 4.5).all()


def test_the_cylinders_of_the_thesis_are_the_links_of_the_library():
    """Fedorov's Table 3.1: masses, radii and heights, each along the axis of (3.49)-(3.54)."""
    cylinders = {0: (0.191, 0.363, "y"), 1: (0.151, 0.515, "x"), 3: (0.115, 0.583, "y"), 5: (0.044, 0.107, "z")}
    for i, (radius, height, along) in cylinders.items():
        own = torsor.load("irb140").model.links[i].mass
        shape = f'{{ cylinder = [{radius}, "{1e3 * height} mm"], along = "{along}", position = {own.com.tolist()} }}'
        made = link_of(f"mass = {own.mass}\nshape = {shape}").mass
        np.testing.assert_allclose(made.inertia, own.inertia, rtol=1e-12)
        np.testing.assert_array_equal(made.com, own.com)


def test_a_density_of_water_makes_a_litre_a_kilogram(tmp_path):
    (tmp_path / "litre.obj").write_bytes(obj(*box(100.0, 100.0, 100.0)))
    (tmp_path / "a.toml").write_text(
        HEAD + 'shape = { mesh = "litre.obj", scale = 0.001, density = "1 g/cm^3", position = [0, 0, 0.2] }'
    )
    link = read_arm_file(tmp_path / "a.toml").links[0]
    assert link.mass.mass == pytest.approx(1.0)
    np.testing.assert_allclose(link.mass.com, [0, 0, 0.2], atol=1e-12)
    np.testing.assert_allclose(link.mass.inertia, 0.01 / 6.0 * np.eye(3), atol=1e-9)
    assert link.visuals[0].shape.path == tmp_path / "litre.obj"


def test_a_payload_may_be_a_box():
    box = "shape = { box = [0.1, 0.2, 0.3], position = [0, 0, 0.15] }"
    text = HEAD + f"a = 1\nmass = 1.0\n[tool.payload]\nmass = 2.0\n{box}"
    held = parse_arm_file(text).payload
    np.testing.assert_allclose(np.diag(held.inertia), [2 * 0.13 / 12, 2 * 0.10 / 12, 2 * 0.05 / 12])
    assert held.com.tolist() == [0.0, 0.0, 0.15]


def test_solids_are_drawn_and_written_to_urdf():
    text = HEAD + 'a = 0.5\nshape = { cylinder = [0.05, 0.5], along = "x", density = 1500, position = [-0.25, 0, 0] }'
    text += '\n[[link]]\njoint = "revolute"\na = 0.3\nmass = 1.0\ncom = [-0.1, 0, 0]'
    model = parse_arm_file(text)
    plain = parse_arm_file(re.sub(r"shape = .*", "mass = 1.0", text))
    drawn, alone = (scene_of(each)["links"] for each in (model, plain))
    assert drawn[0]["shapes"][:-1] == alone[0]["shapes"]  # as any link, and its solid as a veil around it
    assert (drawn[0]["shapes"][-1]["kind"], drawn[0]["shapes"][-1]["opacity"]) == ("cylinder", 0.3)
    assert drawn[1]["shapes"] == alone[1]["shapes"]
    again = parse_urdf(write_urdf(model))
    assert [type(v.shape).__name__ for v in again.links[0].visuals] == ["CylinderShape"]
    q = np.array([0.3, -0.4])
    np.testing.assert_allclose(Arm(again).mass_matrix(q), Arm(model).mass_matrix(q), rtol=1e-12)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("shape = {}", "5: link[1].shape has no solid; give one of cylinder, box, ball, mesh"),
        ("mass = 1\nshape = { box = [1, 2] }", "6: link[1].shape.box has 2 numbers; expected [x, y, z], in m"),
        ("mass = 1\nshape = { ball = 0 }", "6: link[1].shape.ball is 0.0; above zero"),
        ("shape = { ball = 1 }", "5: link[1].shape has neither a mass nor a density; give link[1].mass in kg, or "),
        ("mass = 1\nshape = { ball = 1, density = 5 }", "6: link[1].shape has a mass and a density; give "),
        ("mass = 1\ncom = [1, 0, 0]\nshape = { ball = 1 }", "6: link[1].com is given, and link[1].shape says it too; "),
        ('mass = "m1"\nshape = { ball = 1 }', "5: link[1].mass is the symbol 'm1', and its inertia that of a shape; "),
        ('mass = 1\nshape = { ball = 1, along = "x" }', "6: link[1].shape.along is of cylinders; rpy turns any solid"),
        ('mass = 1\nshape = { ball = 1, scale = 2 }', "6: link[1].shape.scale is of meshes; give lengths in m"),
        ('mass = 1\nshape = { mesh = "../a.stl" }', "6: mesh '../a.stl' was not found; give a path inside the arm "),
        ("mass = 1\nshape = { sphere = 1 }", "6: unknown key link[1].shape.sphere; did you mean 'ball'? known: "),
    ],
)  # fmt: skip
def test_what_is_no_solid(text, said):
    with pytest.raises(ModelError) as error:
        link_of(text)
    assert str(error.value).startswith(f"<text>:{said}")


@pytest.mark.parametrize(
    ("content", "name", "said"),
    [
        (binary_stl(CUBE[0], CUBE[1][:-1]), "a.stl", "is not closed: 3 of its edges have no triangle on one side"),
        (b"no mesh", "a.stl", "says that it has 0 triangles, and ends before them"),
        (b"", "a.ply", "is none of .stl, .obj, .dae"),
        (binary_stl(np.eye(3), np.array([[0, 1, 2], [2, 1, 0]])), "a.stl", "holds nothing inside"),
    ],
)
def test_meshes_that_have_no_inside(tmp_path, content, name, said):
    (tmp_path / name).write_bytes(content)
    (tmp_path / "a.toml").write_text(HEAD + f'shape = {{ mesh = "{name}", density = 1000 }}')
    with pytest.raises(ModelError) as error:
        read_arm_file(tmp_path / "a.toml")
    assert f"a.toml:5: mesh '{name}' {said}" in str(error.value)


def test_no_mesh_is_read_outside_the_folder(tmp_path):
    (tmp_path / "a.stl").write_bytes(binary_stl(*box(1, 1, 1)))
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.toml").write_text(HEAD + 'shape = { mesh = "../a.stl", density = 1000 }')
    with pytest.raises(ModelError, match=r"mesh '\.\./a\.stl' lies outside the folders it may be in; give a path"):
        read_arm_file(tmp_path / "in" / "a.toml")
