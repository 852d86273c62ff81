"""A model made in Python is checked like one read from a file."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from torsor.errors import ModelError
from torsor.model.mass import Mass
from torsor.model.model import Model
from torsor.model.parts import BASE, Drive, Frame, Joint, JointFriction, Limits, Link, Loop, Mimic
from torsor.model.toml_lines import key_lines
from torsor.model.transforms import quaternion_of, rotation_quaternion, rotation_rpy, rpy_of

NAN = float("nan")
BAD_POSE = np.diag([1.0, 1.0, 2.0, 1.0])
NAN_POSE = np.full((4, 4), NAN)
Z = np.array([0.0, 0.0, 1.0])


def arm(joint: dict[str, Any] | None = None, link: dict[str, Any] | None = None, **model: Any) -> Model:
    """An arm of one joint with changes."""
    body = Mass(1.0, np.zeros(3), np.eye(3))
    only = Link("link", BASE, replace(Joint("joint", "revolute"), **(joint or {})), body)
    return replace(Model("arm", (replace(only, **(link or {})),), Frame(0, np.eye(4))), **model)


def drive(**changes: Any) -> tuple[Drive, ...]:
    return (replace(Drive("motor", np.ones(1), 0.0, 1.0, BASE, Z), **changes),)


def loop(**changes: Any) -> tuple[Loop, ...]:
    end = Frame(0, np.eye(4))
    return (replace(Loop("loop", "hinge", end, end, ("joint",)), **changes),)


@pytest.mark.parametrize(
    ("changes", "problem", "part"),
    [
        ({"name": ""}, "the arm has no name", ("arm", "")),
        ({"name": "a\nb"}, r"arm name 'a\nb' cannot be printed", ("arm", "a\nb")),
        ({"links": ()}, "arm 'arm' has no links", None),
        ({"joint": {"name": ""}}, "joint name '' cannot be printed", ("joint", "")),
        ({"base_name": "link"}, "a link and the base are both named 'link'", ("link", "link")),
        ({"link": {"parent": 5}}, "link 'link' has a parent that does not exist", ("link", "link")),
        ({"link": {"parent": 0}}, "link 'link' never reaches the base", ("parent", "link")),
        ({"joint": {"kind": "fixed"}}, "arm 'arm' has no joint that moves", None),
        ({"gravity": np.array([0.0, NAN, 0.0])}, "gravity is not finite", ("gravity", "")),
        ({"gravity": np.zeros(2)}, "gravity has shape (2,)", ("gravity", "")),
        ({"base": NAN_POSE}, "the base is not finite", ("base", "base")),
        ({"base": BAD_POSE}, "the placement of the base is not a pose", ("base", "base")),
        ({"base": BAD_POSE[:3]}, "the placement of the base is not a pose", ("base", "base")),
        (
            {"base_name": "world", "base": np.diag([-1.0, -1.0, 1.0, 1.0])},
            "the base is named 'world'",
            ("base", "world"),
        ),
        ({"base_mass": Mass(NAN, np.zeros(3), np.eye(3))}, "the mass of the base is not finite", ("link", "base")),
        ({"tool": Frame(0, NAN_POSE)}, "the tool frame is not finite", ("tool", "")),
        ({"tool": Frame(0, BAD_POSE)}, "the placement of the tool is not a pose", ("tool", "")),
        ({"tool": Frame(1, np.eye(4))}, "a frame or motor rides on a link that does not exist", None),
        ({"frames": {"camera": Frame(0, NAN_POSE)}}, "frame 'camera' is not finite", ("frame", "camera")),
        (
            {"frames": {"camera": Frame(0, BAD_POSE)}},
            "the placement of frame 'camera' is not a pose",
            ("frame", "camera"),
        ),
        ({"frames": {"tool": Frame(BASE, np.eye(4))}}, "frame 'tool' is not where the tool is", ("frame", "tool")),
        ({"frames": {"world": Frame(0, np.eye(4))}}, "no frame may be named 'world'", ("frame", "world")),
        ({"payload": Mass(NAN, np.zeros(3), np.eye(3))}, "the payload is not finite", ("payload", "")),
        ({"payload": Mass(-1.0, np.zeros(3), np.eye(3))}, "the payload: mass -1 kg is negative", ("payload", "")),
        (
            {"link": {"mass": Mass(1.0, np.full(3, NAN), np.eye(3))}},
            "the mass, com or inertia of link",
            ("link", "link"),
        ),
        ({"link": {"mass": Mass(1.0, np.zeros(3), np.diag([1, 1, 3]))}}, "link 'link': principal", ("inertia", "link")),
        (
            {"joint": {"axis": np.array([0.0, 0.0, 2.0])}},
            "the axis of joint 'joint' is [0.0, 0.0, 2.0]",
            ("joint", "joint"),
        ),
        ({"joint": {"before": NAN_POSE}}, "the placement of joint 'joint' is not finite", ("joint", "joint")),
        ({"joint": {"after": BAD_POSE}}, "the placement of joint 'joint' is not a pose", ("joint", "joint")),
        ({"joint": {"kind": "screw"}}, "screw joint 'joint' has no pitch", ("joint", "joint")),
        ({"joint": {"limits": Limits(speed=NAN)}}, "a limit of joint 'joint' is not finite", ("joint", "joint")),
        ({"joint": {"limits": Limits(torque=-1.0)}}, "the torque limit of joint 'joint' is -1", ("limits", "joint")),
        (
            {"joint": {"friction": JointFriction(NAN)}},
            "the friction of joint 'joint' is not finite",
            ("joint", "joint"),
        ),
        ({"joint": {"friction": JointFriction(0.0, -1.0)}}, "the coulomb friction of joint", ("friction", "joint")),
        ({"joint": {"mimic": Mimic("joint", NAN)}}, "the mimic of joint 'joint' is not finite", ("mimic", "joint")),
        ({"joint": {"mimic": Mimic("joint")}}, "joint 'joint' follows itself: joint -> joint", ("mimic", "joint")),
        ({"drives": drive(ratio=np.ones(2))}, "drive 'motor' has 2 ratios for 1 joints", ("drive", "motor")),
        ({"drives": drive(ratio=np.zeros(1))}, "drive 'motor' drives nothing", ("drive", "motor")),
        ({"drives": drive(offset=NAN)}, "drive 'motor' is not finite", ("drive", "motor")),
        ({"drives": drive(axis=2 * Z)}, "the axis of drive 'motor'", ("drive", "motor")),
        ({"drives": drive(rotor_inertia=-1.0)}, "the rotor inertia of drive 'motor' is -1", ("drive", "motor")),
        ({"drives": drive(carrier=3)}, "a frame or motor rides on a link that does not exist", None),
        ({"drives": drive() + drive()}, "two drives are named 'motor'", ("drive", "motor")),
        ({"loops": loop(driven=("elbow",))}, "loop 'loop' is driven by joint 'elbow'", ("loop", "loop")),
        ({"loops": loop(first=Frame(0, BAD_POSE))}, "the placement of loop 'loop' is not a pose", ("loop", "loop")),
        ({"loops": loop(second=Frame(0, NAN_POSE))}, "loop 'loop' is not finite", ("loop", "loop")),
    ],
)
def test_refused(changes, problem, part):
    with pytest.raises(ModelError) as caught:
        arm(**changes)
    assert str(caught.value).startswith(problem)
    assert caught.value.part == part


def test_accepted():
    assert arm(base_name="world").n == 1
    assert arm(frames={"tool": Frame(0, np.eye(4))}).n == 1
    assert arm(link={"name": "tool"}).n == 1
    assert arm(link={"name": "payload", "mass": None}, drives=drive(), loops=loop()).n == 1


def test_a_link_named_payload_is_checked_too():
    with pytest.raises(ModelError, match="link 'payload': mass -1 kg is negative"):
        arm(link={"name": "payload", "mass": Mass(-1.0, np.zeros(3), np.eye(3))})


def test_very_long_chains_are_checked_in_linear_time():
    body = Mass(1.0, np.zeros(3), np.eye(3))
    count = 3000
    links = [Link(f"l{i}", i + 1 if i + 1 < count else BASE, Joint(f"j{i}", "revolute"), body) for i in range(count)]
    follows = [replace(link.joint, mimic=Mimic(f"j{i + 1}") if i + 1 < count else None) for i, link in enumerate(links)]
    links = [replace(link, joint=joint) for link, joint in zip(links, follows, strict=True)]
    assert Model("chain", tuple(links), Frame(0, np.eye(4))).n == 1


angles = st.floats(-np.pi, np.pi)
pitches = st.one_of(
    angles, st.sampled_from((1.0, -1.0)).flatmap(lambda s: st.floats(-9, 0).map(lambda e: s * (np.pi / 2 - 10**e)))
)


@given(angles, pitches, angles)
def test_rpy_and_quaternions_lose_nothing(roll, pitch, yaw):
    R = rotation_rpy(roll, pitch, yaw)
    # 1e-11: angles within that of a quarter turn are taken to be one
    np.testing.assert_allclose(rotation_rpy(*rpy_of(R)), R, rtol=0, atol=1.1e-11)
    np.testing.assert_allclose(rotation_quaternion(*quaternion_of(R)), R, rtol=0, atol=2e-15)


@pytest.mark.parametrize("pitch", [np.pi / 2, -np.pi / 2, np.pi / 2 - 1e-9, -np.pi / 2 + 1e-8, np.pi / 2 - 1e-10])
def test_rpy_near_the_poles(pitch):
    R = rotation_rpy(0.3, pitch, 0.7)
    np.testing.assert_allclose(rotation_rpy(*rpy_of(R)), R, rtol=0, atol=5e-16)


def test_lines_of_keys():
    text = (
        'name = "x"  # [[link]]\n'
        'source = """\nmass = 3\n[[link]]\n"""\n'
        "corrections = [\n  'a ] b',  # ]\n  'mass = 1',\n]\n"
        "[[link]]\nmass = 1\nlimits.speed = 2\n[[link]]\n[link.limits]\nposition = [0,\n 1]\ntorque = 4\n"
    )
    assert key_lines(text) == {
        ("name",): 1,
        ("source",): 2,
        ("corrections",): 6,
        ("link",): 10,
        ("link", 0): 10,
        ("link", 0, "mass"): 11,
        ("link", 0, "limits", "speed"): 12,
        ("link", 1): 13,
        ("link", 1, "limits"): 14,
        ("link", 1, "limits", "position"): 15,
        ("link", 1, "limits", "torque"): 17,
    }
