"""URDF written and read again: the same arm, and nothing lost in silence."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any

import numpy as np
import pinocchio as pin
import pytest
from hypothesis import given, settings

import torsor
from random_arms import arms_and_states, dh_arms, random_state
from torsor.errors import DescriptionWarning, Unsupported
from torsor.mechanics.reference_quantities import ReferenceQuantities
from torsor.mechanics.tree import lower
from torsor.model.armfile import parse_arm_file
from torsor.model.mass import Mass
from torsor.model.model import Model
from torsor.model.parts import (
    BASE,
    BallShape,
    BoxShape,
    CylinderShape,
    Frame,
    Joint,
    JointFriction,
    Limits,
    Link,
    MeshShape,
    Mimic,
    Visual,
)
from torsor.model.transforms import pose, rotation_rpy
from torsor.model.urdf import parse_urdf
from torsor.model.urdf_writer import write_urdf

URDF_KINDS = ("revolute", "prismatic", "continuous", "fixed")


def written(model: Model) -> tuple[str, list[str]]:
    """The text and the warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        text = write_urdf(model)
    assert all(issubclass(each.category, DescriptionWarning) for each in caught)
    return text, [str(each.message) for each in caught]


def again(model: Model, **options: Any) -> Model:
    return parse_urdf(written(model)[0], **options)


def same_arm(model: Model, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray, tolerance: float = 1e-12) -> None:
    read = again(model, allow_nonphysical=True)
    assert read.joint_names == model.joint_names
    arm, other = ReferenceQuantities(lower(model)), ReferenceQuantities(lower(read))
    tau = arm.inverse_dynamics(q, qd, qdd)
    loads = np.abs(arm.bearing_loads(q, qd, qdd)).max()
    mine = other.inverse_dynamics(q, qd, qdd, gravity=model.gravity)
    np.testing.assert_allclose(mine, tau, rtol=0, atol=tolerance * (1.0 + loads))
    M = arm.mass_matrix(q)
    np.testing.assert_allclose(other.mass_matrix(q), M, rtol=0, atol=tolerance * (1.0 + np.abs(M).max()))
    for frame in ("tool", *model.frames):
        T = model.base @ arm.pose(q, frame=frame)
        np.testing.assert_allclose(other.pose(q, frame=frame), T, rtol=0, atol=tolerance * (1 + np.abs(T).max()))


@settings(max_examples=60, deadline=None)
@given(arms_and_states(kinds=URDF_KINDS))
def test_random_arms(case):
    model, state = case
    same_arm(model, *state)


@settings(max_examples=40, deadline=None)
@given(dh_arms())
def test_denavit_hartenberg(arm):
    same_arm(arm.model(), *random_state(len(arm.kinds), 0))


@pytest.mark.parametrize("robot", torsor.robots())
def test_library(robot):
    model = torsor.load(robot).tree.model
    same_arm(model, *random_state(model.n, 1, (10,)))


@pytest.mark.parametrize("robot", ["puma560-burdick", "planar3", "scara", "irb140"])
def test_pinocchio_reads_what_is_written(robot):
    model = torsor.load(robot).model
    other = pin.buildModelFromXML(written(model)[0])
    assert set(other.names.tolist()[1:]) == set(model.joint_names)
    assert sum(body.mass for body in other.inertias.tolist()[1:]) == pytest.approx(model.total_mass, rel=1e-14)


def two_links(**changes: Any) -> Model:
    solid = Mass(1.0, np.array([0.1, 0.2, 0.3]), np.diag([0.3, 0.2, 0.25]))
    links = (
        Link("upper", BASE, Joint("shoulder", "revolute", after=pose(rotation_rpy(0.1, 0.2, 0.3), [1, 2, 3])), solid),
        Link("lower", 0, Joint("elbow", "continuous", axis=np.array([0.0, 0.6, 0.8])), solid),
    )
    return replace(Model("arm", links, Frame(1, np.eye(4))), **changes)


def with_joint(model: Model, index: int, **changes: Any) -> Model:
    links = list(model.links)
    links[index] = replace(links[index], joint=replace(links[index].joint, **changes))
    return replace(model, links=tuple(links))


@pytest.mark.parametrize(
    "limits",
    [
        Limits(),
        Limits((-1.0, 2.0), 3.0, 4.0, 5.0),
        Limits((-1.0, 2.0)),
        Limits(speed=3.0),
        Limits(torque=2.0, acceleration=1.5),
        Limits((0.1, 0.1), torque=0.0),
    ],
)
@pytest.mark.parametrize("kind", ["revolute", "prismatic", "continuous"])
def test_limits_survive(kind, limits):
    if kind == "continuous":
        limits = replace(limits, position=None)
    model = with_joint(two_links(), 0, kind=kind, limits=limits)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a limit of 0, or a missing one, is remarked when read
        joint = again(model, strict=True).links[0].joint  # else a limit of 0 is one that is not known
    assert joint.limits == limits
    # URDF calls a revolute joint without bounds continuous
    assert joint.kind == ("continuous" if kind == "revolute" and limits.position is None else kind)


def test_friction_mimic_and_visuals_survive():
    model = with_joint(two_links(), 0, friction=JointFriction(0.1, 0.2))
    model = with_joint(model, 1, mimic=Mimic("shoulder", -0.3333333333333333, 0.1))
    at = pose(rotation_rpy(0.3, 0.2, 0.1), [1, 0, 0])
    shapes = [MeshShape("package://a/b.stl", None, (1.0, 2.0, 3.0)), BoxShape((0.1, 0.2, 0.3)), CylinderShape(0.1, 0.2)]
    visuals = tuple(Visual(shape, at, (0.1, 0.2, 0.3, 0.4)) for shape in (*shapes, BallShape(0.3)))
    model = replace(model, links=(replace(model.links[0], visuals=visuals), model.links[1]), base_visuals=visuals[::-1])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        read = again(model)
    assert read.links[0].joint.friction == JointFriction(0.1, 0.2)
    assert read.links[1].joint.mimic == Mimic("shoulder", -0.3333333333333333, 0.1)
    for found, visual in zip(read.links[0].visuals, visuals, strict=True):
        assert (found.shape, found.color) == (visual.shape, visual.color)
        np.testing.assert_allclose(found.placement, model.links[0].joint.after @ visual.placement, atol=1e-15)
    assert [each.shape for each in read.base_visuals] == [each.shape for each in visuals[::-1]]


def test_simple_drives_survive():
    model = torsor.load("stanford").model
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        read = again(model)
    assert [(d.name, d.ratio.tolist(), d.rotor_inertia) for d in read.drives] == [
        (d.name, d.ratio.tolist(), d.rotor_inertia) for d in model.drives
    ]


def test_missing_inertia_stays_missing_and_massless_stays_massless():
    model = two_links()
    links = (replace(model.links[0], mass=Mass.none()), replace(model.links[1], mass=None))
    read = again(replace(model, links=links))
    assert read.links[0].mass is not None
    assert read.links[0].mass.is_none
    assert read.links_without_inertia == ("lower",)


def test_names_are_escaped():
    model = two_links(name='<robot> & "co" -- it\'s', source="a -- b --> c")
    model = replace(model, links=(replace(model.links[0], name="<&\"'>"), model.links[1]))
    read = again(model)
    assert (read.name, read.links[0].name, read.source) == (model.name, "<&\"'>", "a - - b - -> c")


def test_a_placed_base_gets_a_world_and_free_names_are_found():
    model = two_links(
        base=pose(position=[0, 0, 1]), tool=Frame(0, pose(position=[1, 0, 0])), payload=two_links().links[0].mass
    )
    read = again(model)
    assert (read.base_name, [link.name for link in read.links]) == (
        "world",
        ["base", "upper", "lower", "payload", "tool0"],
    )
    names = ("tool0", "payload")
    taken = replace(model, links=tuple(replace(link, name=name) for link, name in zip(model.links, names, strict=True)))
    read = again(taken)
    assert [link.name for link in read.links] == ["base", "tool0", "payload", "payload2", "tool"]
    assert read.links[read.tool.link].name == "tool"
    same_arm(taken, *random_state(2, 3))


def test_a_tool_on_the_base():
    model = two_links(tool=Frame(BASE, pose(position=[1, 2, 3])))
    same_arm(model, *random_state(2, 3))


def test_what_urdf_cannot_hold_is_said_in_the_file_and_as_a_warning():
    model = parse_arm_file(
        'name = "arm"\nframes = "standard-dh"\ngravity = [0, 0, 9.81]\nallow_nonphysical = true\n'
        '[[link]]\njoint = "revolute"\na = 1\nmass = 1\ninertia = [0, 0, 1]\nlimits = { acceleration = 2 }\n'
        '[[link]]\njoint = "revolute"\na = 1\nmass = 1\n'
        '[[link]]\nparent = "link1"\njoint = "revolute"\na = 1\nmass = 1\n'
        "[[drive]]\nratio = [1, 0, 0]\noffset = 1\nrotor = { inertia = 1e-4 }\n"
        "motor = { torque = 1 }\nfriction = { viscous = 1 }\n"
        '[[drive]]\nratio = [0, 1, 0]\nrotor = { inertia = 1e-4, carrier = "base", axis = [0, 0, 1] }\n'
        "[[drive]]\nratio = [0, 1, 1]\nrotor = { inertia = 1e-4 }\n"
        '[[loop]]\nname = "l"\njoint = "hinge"\nfirst = { link = "link2" }\n'
        'second = { link = "link3" }\ndriven = ["joint1"]\n'
    )
    text, said = written(model)
    lost = [
        "the hinge loop (the tree is left open there): l",
        "the offset of the motor: motor1",
        "the friction of the drive: motor1",
        "the limits of the motor: motor1",
        "the place of the rotor (readers put it on the joint's axis): motor2",
        "the drive, which moves several joints: motor3",
        "that nonphysical inertia is meant (read it with allow_nonphysical=True): link1",
        "gravity [0.0, 0.0, 9.81] (URDF has none, readers take 0 0 -9.81)",
    ]
    assert said == [f"arm as URDF leaves out {each}" for each in lost]
    assert all(f"not in this file: {each}\n" in text for each in lost)
    assert "note: <limit acceleration> is of URDF 1.2; older readers ignore it" in text
    assert "note: link frames sit at the joints, not where standard-dh puts them: link1, link2, link3" in text


def test_screws_are_refused():
    with pytest.raises(Unsupported, match="joint 'shoulder' is a screw, which URDF does not have"):
        write_urdf(with_joint(two_links(), 0, kind="screw", pitch=0.1))
