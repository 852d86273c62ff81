"""Arm files: what each key means, units, defaults, and where errors are said to be. Malformed ones: test_bad_files."""

from __future__ import annotations

import re
from math import pi

import numpy as np
import pytest

from torsor.errors import ModelError
from torsor.model import BASE
from torsor.model.armfile import parse_arm_file, read_arm_file
from torsor.model.toml_lines import key_lines, line_of
from torsor.model.units import number, quantity

LINK = '[[link]]\njoint = "revolute"\nmass = 1.0\n'


def arm(body: str, frames: str = "standard-dh", head: str = ""):
    return parse_arm_file(f'name = "test"\nframes = "{frames}"\n{head}\n{body}')


# --- units


@pytest.mark.parametrize(
    ("text", "dimension", "value"),
    [
        ("90 deg", "angle", pi / 2),
        ("-0.5 rad", "angle", -0.5),
        ("0.25 turn", "angle", pi / 2),
        (" 1e2  deg ", "angle", 100 * pi / 180),
        ("250 mm", "length", 0.25),
        ("2 m", "length", 2.0),
        ("60 rpm", "rate", 2 * pi),
        ("180 deg/s", "rate", pi),
        ("250 mm/s", "rate", 0.25),
        ("180 deg/s^2", "acceleration", pi),
        ("5 mm/rev", "pitch", 0.005 / (2 * pi)),
        ("45 deg", "position", pi / 4),
        ("45 mm", "position", 0.045),
        (3, "angle", 3.0),
    ],
)
def test_quantities(text, dimension, value):
    assert quantity(text, dimension) == pytest.approx(value, rel=1e-15)


@pytest.mark.parametrize(
    ("value", "dimension"),
    [
        ("90 degrees", "angle"),
        ("90deg", "angle"),
        ("90", "angle"),
        ("deg", "angle"),
        ("", "angle"),
        ("x deg", "angle"),
        ("inf deg", "angle"),
        ("90 deg", "length"),
        ("90 deg", "rate"),
        (True, "angle"),
        (float("nan"), "angle"),
        ([1], "angle"),
        (None, "angle"),
    ],
)
def test_bad_quantities(value, dimension):
    with pytest.raises(ValueError, match="number"):
        quantity(value, dimension)


def test_numbers():
    assert number(3) == 3.0
    assert isinstance(number(3), float)


def test_quarter_turns_are_exact():
    link = arm('[[link]]\njoint = "revolute"\nalpha = "90 deg"\nmass = 1').links[0]
    assert link.joint.after[:3, :3].tolist() == [[1, 0, 0], [0, 0, -1], [0, 1, 0]]
    typed = arm('[[link]]\njoint = "revolute"\nalpha = 1.57079632679\nmass = 1').links[0]  # as many files have it
    assert typed.joint.after.tolist() == link.joint.after.tolist()


# --- defaults and references


def test_defaults():
    model = arm(LINK + LINK)
    assert [link.name for link in model.links] == ["link1", "link2"]
    assert [link.joint.name for link in model.links] == ["joint1", "joint2"]
    assert [link.parent for link in model.links] == [BASE, 0]
    assert model.gravity.tolist() == [0.0, 0.0, -9.81]
    assert model.base.tolist() == np.eye(4).tolist()
    assert (model.tool.link, model.payload, model.drives, model.loops) == (1, None, (), ())
    assert (model.convention, model.source, model.corrections) == ("standard-dh", "", ())
    mass = model.links[0].mass
    assert (mass.mass, mass.com.tolist(), mass.inertia.any()) == (1.0, [0.0, 0.0, 0.0], np.False_)


def test_parents_by_name_and_the_longest_branch_has_the_tool():
    body = LINK + 'name = "a"\n' + LINK + 'name = "b"\nparent = "d"\n' + LINK + 'name = "c"\nparent = "a"\n'
    body += LINK + 'name = "d"\nparent = "a"\n' + LINK + 'name = "e"\nparent = "base"\n'
    model = arm(body)
    assert [link.parent for link in model.links] == [BASE, 3, 0, 0, BASE]
    assert model.links[model.tool.link].name == "b"


def test_bodies():
    model = arm(
        '[[link]]\njoint = "revolute"\nmass = 2\ncom = [0.1, 0, 0]\ninertia = [1, 2, 2.5]\n'
        '[[link]]\njoint = "revolute"\nmass = 2\ncom = [0.1, 0, 0]\ninertia = [1, 2.02, 2.52, 0.1, 0.2, 0.3]\n'
        'about = "origin"\n'
        '[[link]]\njoint = "fixed"\n'
        '[[link]]\njoint = "revolute"\nmass = 0\n'
    )
    diagonal, full, absent, none = (link.mass for link in model.links)
    assert np.diag(diagonal.inertia).tolist() == [1.0, 2.0, 2.5]
    np.testing.assert_allclose(full.inertia, [[1, 0.1, 0.2], [0.1, 2.0, 0.3], [0.2, 0.3, 2.5]], atol=1e-15)
    assert absent is None
    assert none.is_none
    assert model.links_without_inertia == ()


def test_tool_payload_frames_base():
    model = arm(
        LINK + '[[frame]]\nname = "camera"\nlink = "link1"\nposition = ["50 mm", 0, 0.1]\nrpy = [0, "90 deg", 0]\n'
        "[tool]\nposition = [0, 0, 0.2]\npayload = { mass = 3, com = [0, 0, 0.1], inertia = [1, 1, 1] }\n",
        head='gravity = [0, 0, -1.62]\nbase = { position = [1, 2, 3], rpy = ["180 deg", 0, 0] }',
    )
    assert model.frames["camera"].placement.tolist() == [[0, 0, 1, 0.05], [0, 1, 0, 0], [-1, 0, 0, 0.1], [0, 0, 0, 1]]
    assert model.tool.placement[:3, 3].tolist() == [0, 0, 0.2]
    assert model.payload.mass == 3.0
    assert model.base.tolist() == [[1, 0, 0, 1], [0, -1, 0, 2], [0, 0, -1, 3], [0, 0, 0, 1]]
    assert model.gravity[2] == -1.62


def test_limits_mimic_friction():
    model = arm(
        LINK
        + 'limits = { position = ["-90 deg", "90 deg"], speed = "60 rpm", acceleration = "90 deg/s^2", torque = 5 }\n'
        "friction = { viscous = 0.1, coulomb = 0.2 }\n"
        + LINK
        + 'joint_name = "finger"\nmimic = { joint = "joint1", factor = -2, offset = "10 deg" }\n'
    )
    first, finger = (link.joint for link in model.links)
    assert first.limits.position == (-pi / 2, pi / 2)
    assert (first.limits.speed, first.limits.acceleration, first.limits.torque) == (2 * pi, pi / 2, 5.0)
    assert (first.friction.viscous, first.friction.coulomb) == (0.1, 0.2)
    assert (finger.mimic.joint, finger.mimic.factor, finger.mimic.offset) == ("joint1", -2.0, pi / 18)
    assert model.joint_names == ("joint1",)


def test_drives():
    model = arm(
        LINK + 'alpha = "90 deg"\n' + LINK + "[[drive]]\nratio = { joint2 = -50 }\nrotor = { inertia = 1e-4 }\n"
        "friction = { coulomb = 0.1 }\n"
        '[[drive]]\nname = "extra"\nratio = [1, 2]\noffset = "90 deg"\n'
        'rotor = { inertia = 2e-4, carrier = "base", axis = [0, 3, 4] }\n'
        'motor = { torque = 2, speed = "3000 rpm" }\n'
        'friction = { side = "joint", viscous = 1, coulomb = [1, 2], load = 0.3 }\n'
    )
    own, extra = model.drives
    assert (own.name, own.ratio.tolist(), own.carrier) == ("motor1", [0.0, -50.0], 0)
    assert own.axis.tolist() == [0.0, 0.0, 1.0]  # on the axis of joint 2, which is z of link 1
    assert own.friction.coulomb == (0.1, 0.1)
    assert (extra.name, extra.ratio.tolist(), extra.carrier, extra.offset) == ("extra", [1.0, 2.0], BASE, pi / 2)
    assert extra.axis.tolist() == [0.0, 0.6, 0.8]
    assert (extra.motor.torque, extra.friction.side, extra.friction.coulomb) == (2.0, "joint", (1.0, 2.0))


def test_prismatic_and_screw_dh():
    model = arm(
        '[[link]]\njoint = "prismatic"\ntheta = "90 deg"\noffset = 0.5\nd = 0.1\na = 0.2\nmass = 1\n'
        '[[link]]\njoint = "screw"\npitch = "10 mm/rev"\noffset = "180 deg"\nmass = 1\n'
    )
    slide, screw = (link.joint for link in model.links)
    T = slide.before @ slide.after
    np.testing.assert_allclose(T, [[0, -1, 0, 0], [1, 0, 0, 0.2], [0, 0, 1, 0.6], [0, 0, 0, 1]], atol=1e-16)
    assert screw.pitch == pytest.approx(0.01 / (2 * pi))
    assert screw.before[2, 3] == pytest.approx(0.005)  # half a turn has moved it by half the lead


def test_twist_and_axis_are_the_same_screw():
    by_axis = arm(LINK + "axis = [0, 2, 0]\npoint = [1, 5, 2]\n", "screws").links[0].joint
    by_twist = arm(LINK + "twist = [-2, 0, 1, 0, 1, 0]\n", "screws").links[0].joint
    assert by_axis.axis.tolist() == by_twist.axis.tolist() == [0.0, 1.0, 0.0]
    np.testing.assert_allclose(by_axis.before[:3, 3] - by_twist.before[:3, 3], [0, 5, 0])  # another point of the axis


# --- errors carry file, line and key (their whole texts: test_bad_files)


@pytest.mark.parametrize(
    ("line", "key", "body"),
    [
        (8, "link[1].colour", LINK + "\ncolour = 3\n"),
        (7, "did you mean 'mass'?", LINK + "mas = 3\n"),
        (4, "link[1].joint", "[[link]]\nmass = 1"),
        (7, "link[1].alpha", LINK + 'alpha = "90"\n'),
        (7, "link[1].axis", LINK + "axis = [0, 0, 1]\n"),
        (7, "'elbow'", LINK + 'parent = "elbow"\n'),
        (7, "inertia but no mass", '[[link]]\njoint = "revolute"\nname = "x"\ninertia = [1, 1, 1]\n'),
        (7, "pitch", LINK + "pitch = 0.1\n"),
        (8, "link[1].limits.speed", LINK + "[link.limits]\nspeed = true\n"),
        (10, "link[2].com", LINK + LINK + "com = [1, 2]\n"),
    ],
)
def test_error_places(line, key, body):
    with pytest.raises(ModelError) as caught:
        arm(body)
    assert caught.value.line == line
    assert str(caught.value).startswith(f"<text>:{line}: ")
    assert key in str(caught.value)


def test_syntax_errors(tmp_path):
    with pytest.raises(ModelError, match=r"^<text>:1:"):
        parse_arm_file("name = [")
    path = tmp_path / "bad.toml"
    path.write_bytes(b'name = "x"\n# \xff\n')
    with pytest.raises(ModelError, match=re.escape(f"{path}:2: byte 0xff is not UTF-8; save the file as UTF-8")):
        read_arm_file(path)


# --- where keys stand


def test_key_lines():
    text = """name = "x"      # line 1

[base]
rpy = [
  1,
  2, 3]
[[link]]
joint = "revolute"
  [link.limits]
  speed = 1
[[link]]
joint = "fixed"
mimic.joint = "a"
"quoted key" = 1
[link.limits]
torque = 3
"""
    lines = key_lines(text)
    assert lines[("name",)] == 1
    assert lines[("base",)] == 3
    assert lines[("base", "rpy")] == 4
    assert lines[("link", 0)] == 7
    assert lines[("link", 0, "limits", "speed")] == 10
    assert lines[("link", 1, "joint")] == 12
    assert lines[("link", 1, "mimic", "joint")] == 13
    assert lines[("link", 1, "quoted key")] == 14
    assert lines[("link", 1, "limits", "torque")] == 16
    assert line_of(lines, ("link", 1, "limits", "position", 0)) == 15  # the table that would hold it
    assert line_of(lines, ("drive", 3)) is None
    assert line_of(lines, ()) is None
