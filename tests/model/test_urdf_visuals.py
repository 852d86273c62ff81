"""Shapes and colours of a URDF, against Pinocchio's reader of the same text."""

from __future__ import annotations

import warnings

import numpy as np
import pinocchio as pin
import pytest

from torsor.errors import DescriptionWarning, ModelError
from torsor.model.armfile import parse_arm_file
from torsor.model.facts import described
from torsor.model.mjcf_writer import write_mjcf
from torsor.model.parts import BallShape, BoxShape, CylinderShape
from torsor.model.toml_writer import write_toml
from torsor.model.urdf import parse_urdf
from torsor.model.urdf_writer import write_urdf

INERTIAL = "<inertial><mass value='1'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial>"
PLACED = "<visual><origin xyz='0.1 0.2 0.3' rpy='0.4 0.5 0.6'/><geometry>{}</geometry>{}</visual>"
BOX = "<box size='0.1 0.2 0.3'/>"
SHAPES = {
    BOX: BoxShape((0.1, 0.2, 0.3)),
    "<cylinder radius='0.1' length='0.4'/>": CylinderShape(0.1, 0.4),
    "<sphere radius='0.2'/>": BallShape(0.2),
}


def text(visuals: str, *, of_base: str = "", materials: str = "") -> str:
    return (
        f"<robot name='arm'>{materials}<link name='base'>{of_base}</link><link name='a'>{INERTIAL}{visuals}</link>"
        "<joint name='j' type='continuous'><parent link='base'/><child link='a'/><axis xyz='0 0 1'/></joint></robot>"
    )


def test_shapes_stand_where_pinocchio_has_them():
    red = "<material name='red'><color rgba='0.8 0.1 0.2 0.5'/></material>"
    described = text("".join(PLACED.format(shape, red) for shape in SHAPES), of_base=PLACED.format(BOX, ""))
    ours = parse_urdf(described)
    theirs = pin.buildGeomFromUrdfString(pin.buildModelFromXML(described), described, pin.GeometryType.VISUAL)
    drawn = [*ours.base_visuals, *ours.links[0].visuals]
    assert len(theirs.geometryObjects) == len(drawn) == 4
    for mine, other in zip(drawn, theirs.geometryObjects, strict=True):
        np.testing.assert_allclose(mine.placement, other.placement.homogeneous, atol=1e-15)
        match mine.shape:
            case BoxShape(size):
                np.testing.assert_allclose(size, 2 * other.geometry.halfSide, rtol=1e-15)
            case CylinderShape(radius, length):
                assert (radius, length) == pytest.approx((other.geometry.radius, 2 * other.geometry.halfLength))
            case BallShape(radius):
                assert radius == pytest.approx(other.geometry.radius)
    assert [each.shape for each in ours.links[0].visuals] == [*SHAPES.values()]
    assert [each.color for each in drawn] == [None] + [(0.8, 0.1, 0.2, 0.5)] * 3
    np.testing.assert_allclose(theirs.geometryObjects[1].meshColor, drawn[1].color)


def test_a_material_is_known_by_its_name_to_all_links():
    ball = "<sphere radius='1'/>"
    named = PLACED.format(ball, "<material name='{}'/>")
    own = PLACED.format(ball, "<material name='blue'><color rgba='0 0 1 1'/><texture filename='a.png'/></material>")
    materials = "<material name='green'><color rgba='0 2 -1 1'/></material>"
    visuals = named.format("green") + own + named.format("blue") + named.format("nobody")
    model = parse_urdf(text(visuals, materials=materials))
    green, blue = (0.0, 1.0, 0.0, 1.0), (0.0, 0.0, 1.0, 1.0)
    assert [each.color for each in model.links[0].visuals] == [green, blue, blue, None]


@pytest.mark.parametrize("shape", ["<box size='1 0 1'/>", "<cylinder radius='-1' length='1'/>", "<sphere radius='0'/>"])
def test_what_has_no_extent_is_remarked_and_not_drawn(shape):
    with pytest.warns(DescriptionWarning, match="of link 'a' has no extent and is left out"):
        assert parse_urdf(text(PLACED.format(shape, ""))).links[0].visuals == ()


@pytest.mark.parametrize(
    ("shape", "problem"),
    [
        ("<box size='1 1'/>", "size of <box> of link 'a' has 2 numbers; 3 numbers"),
        ("<sphere radius='nan'/>", "radius of <sphere> of link 'a' is 'nan'"),
        ("<cylinder radius='1'/>", "<cylinder> of link 'a' has no length"),
    ],
)
def test_what_is_no_shape_is_left_out_and_remarked_and_an_error_where_the_reading_is_strict(shape, problem):
    with pytest.raises(ModelError, match=problem) as caught:
        parse_urdf(text(PLACED.format(shape, "")), strict=True)
    assert caught.value.line == 1
    with pytest.warns(DescriptionWarning, match=f"{problem.partition(';')[0]}: this <visual> is left out"):
        assert parse_urdf(text(PLACED.format(shape, ""))).links[0].visuals == ()


def test_what_a_link_touches_with_is_read_beside_what_is_drawn(tmp_path):
    touching = "".join(
        f"<collision name='c'><origin xyz='0 0 {k}'/><geometry>{shape}</geometry></collision>"
        for k, shape in enumerate((BOX, "<capsule radius='0.1' length='0.4'/>", "<mesh filename='m.stl'/>"))
    )
    model = parse_urdf(text(PLACED.format("<sphere radius='1'/>", "") + touching))
    found = model.links[0].collisions
    assert [type(each.shape).__name__ for each in found] == [
        "BoxShape", "CylinderShape", "BallShape", "BallShape", "MeshShape",
    ]  # fmt: skip
    assert [each.placement[2, 3] for each in found] == pytest.approx([0.0, 1.0, 0.8, 1.2, 2.0])
    assert len(model.links[0].visuals) == 1
    assert described(parse_arm_file(write_toml(model)).links) == described(model.links)
    again = parse_urdf(write_urdf(model)).links[0]
    assert described(again.collisions) == described(found)


def test_a_collision_that_is_wrong_never_ends_a_reading():
    bad = "<collision><geometry><box size='${w} 1 1'/></geometry></collision>"
    with pytest.warns(DescriptionWarning, match="this <collision> is left out"):
        assert parse_urdf(text(bad)).links[0].collisions == ()
    with pytest.raises(ModelError, match="size of <box>"):
        parse_urdf(text(bad), strict=True)


def test_a_capsule_or_an_empty_visual_is_not_drawn():
    odd = PLACED.format("<capsule radius='1' length='1'/>", "") + "<visual/>" + PLACED.format("", "")
    assert parse_urdf(text(odd)).links[0].visuals == ()


def test_mjcf_says_that_it_holds_nothing_to_draw():
    model = parse_urdf(text(PLACED.format(BOX, "")))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        write_mjcf(model)
    assert [str(each.message) for each in caught] == ["arm as MJCF leaves out what is drawn of it: a"]
