"""URDF read by Torsor and by Pinocchio, and what is made of each tag."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pinocchio as pin
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import torsor
from torsor import Arm
from torsor.errors import DescriptionWarning, MissingInertia, ModelError
from torsor.mechanics.reference_quantities import ReferenceQuantities
from torsor.mechanics.tree import lower
from torsor.model.model import Model
from torsor.model.parts import BASE, BallShape, JointFriction, Limits, Mimic
from torsor.model.urdf import parse_urdf, read_urdf

LIBRARY = Path(__file__).parents[2] / "src" / "torsor" / "model" / "library"
TOLERANCE = 1e-10  # UR5 writes pi/2 with 12 digits, which Torsor takes for a quarter turn: off by 5e-12


def read_quietly(text: str, **options: Any) -> tuple[Any, list[str]]:
    """The model and its warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model = parse_urdf(text, "arm.urdf", **options)
    assert all(issubclass(each.category, DescriptionWarning) for each in caught)
    return model, [str(each.message) for each in caught]


class PinocchioUrdf:
    """What Pinocchio's own URDF reader makes of a text, with mimics as joints of their own, in Torsor's order of q."""

    def __init__(self, text: str, model: Model) -> None:
        self.pin = pin.buildModelFromXML(text)
        self.data = self.pin.createData()
        self.K, self.shift = np.zeros((self.pin.nv, model.n)), np.zeros(self.pin.nv)
        joints = {link.joint.name: link.joint for link in model.links}
        for name in self.pin.names.tolist()[1:]:
            row, joint, factor, shift = self.pin.joints[self.pin.getJointId(name)].idx_v, joints[name], 1.0, 0.0
            while joint.mimic is not None:
                factor, shift = factor * joint.mimic.factor, shift + factor * joint.mimic.offset
                joint = joints[joint.mimic.joint]
            self.K[row, model.joint_names.index(joint.name)], self.shift[row] = factor, shift

    def state(self, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        angles = self.K @ q + self.shift
        configuration = pin.neutral(self.pin)
        for joint in self.pin.joints.tolist()[1:]:
            value = angles[joint.idx_v]
            # a continuous joint is a point on the circle
            configuration[joint.idx_q : joint.idx_q + joint.nq] = (
                value if joint.nq == 1 else [np.cos(value), np.sin(value)]
            )
        return configuration, self.K @ qd, self.K @ qdd


def agrees_with_pinocchio(text: str, seed: int, **options: Any) -> None:
    model, _ = read_quietly(text, **options)
    arm = ReferenceQuantities(lower(model))
    other = PinocchioUrdf(text, model)
    q, qd, qdd = np.random.default_rng(seed).uniform(-2.0, 2.0, (3, model.n))
    state = other.state(q, qd, qdd)
    pin.framesForwardKinematics(other.pin, other.data, state[0])
    for link in model.links:
        theirs = other.data.oMf[other.pin.getBodyId(link.name)].homogeneous
        np.testing.assert_allclose(
            arm.pose(q, frame=link.name), theirs, rtol=0, atol=TOLERANCE * (1 + np.abs(theirs).max())
        )
    theirs = other.K.T @ pin.rnea(other.pin, other.data, *state)
    M = pin.crba(other.pin, other.data, state[0]).reshape(other.pin.nv, other.pin.nv)
    M = other.K.T @ (np.triu(M) + np.triu(M, 1).T) @ other.K
    g = other.K.T @ pin.computeGeneralizedGravity(other.pin, other.data, state[0])
    size = 1.0 + np.abs(theirs).max() + np.abs(M).max() * 2 + np.abs(g).max()
    np.testing.assert_allclose(arm.inverse_dynamics(q, qd, qdd), theirs, rtol=0, atol=TOLERANCE * size)
    np.testing.assert_allclose(arm.mass_matrix(q), M, rtol=0, atol=TOLERANCE * (1 + np.abs(M).max()))
    np.testing.assert_allclose(arm.gravity(q), g, rtol=0, atol=TOLERANCE * (1 + np.abs(g).max()))


@pytest.mark.parametrize("robot", ["ur5", "panda"])
@pytest.mark.parametrize("seed", range(3))
def test_library_arms_as_pinocchio_reads_them(robot, seed):
    agrees_with_pinocchio((LIBRARY / f"{robot}.urdf").read_text(), seed)


def test_library_arms_need_no_remark_and_know_their_tool():
    for robot, tool, base, joints in (("ur5", "tool0", "world", 6), ("panda", "panda_hand_tcp", "panda_link0", 7)):
        model = read_urdf(LIBRARY / f"{robot}.urdf")  # a warning would fail the test
        assert (model.links[model.tool.link].name, model.base_name, model.n) == (tool, base, joints)
        assert model.source.startswith("the ")


@st.composite
def urdf_texts(draw: Any) -> str:
    """Random URDFs written by hand: branches, fixed links with inertia, any rpy, links in any order, mimics."""
    count = draw(st.integers(1, 8))
    kinds = [
        "revolute",
        *(draw(st.sampled_from(("revolute", "continuous", "prismatic", "fixed"))) for _ in range(count - 1)),
    ]
    parents = [draw(st.integers(max(-1, i - 3), i - 1)) for i in range(count)]
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))

    def numbers(n: int = 3, size: float = 1.0) -> str:
        return " ".join(repr(x) for x in rng.uniform(-size, size, n).round(int(rng.integers(4, 17))).tolist())

    def origin() -> str:
        quarters = " ".join(str(x) for x in rng.integers(-2, 3, 3) * (np.pi / 2))
        rpy = quarters if rng.integers(2) else numbers(size=3.0)
        return ("", f'<origin xyz="{numbers()}"/>', f'<origin rpy="{rpy}" xyz="{numbers()}"/>')[rng.integers(3)]

    def link(name: str) -> str:
        if rng.integers(6) == 0 and name.startswith("fixed"):
            return f'<link name="{name}"/>'
        factor = rng.uniform(-0.3, 0.3, (3, 3))
        second = factor @ factor.T
        I = np.trace(second) * np.eye(3) - second
        moments = " ".join(f'i{"xyz"[i]}{"xyz"[j]}="{float(I[i, j])!r}"' for i in range(3) for j in range(i, 3))
        inertial = f'<inertial>{origin()}<mass value="{rng.uniform(0.1, 5.0)!r}"/><inertia {moments}/></inertial>'
        return f'<link name="{name}">{inertial}</link>'

    names = [f"{'fixed' if kind == 'fixed' else 'link'}{i}" for i, kind in enumerate(kinds)]
    elements = ["<link name='root'/>", *(link(name) for name in names)]
    for i, kind in enumerate(kinds):
        parent = "root" if parents[i] < 0 else names[parents[i]]
        axis = ("", '<axis xyz="0 -1 0"/>', f'<axis xyz="{numbers()}"/>')[rng.integers(3)]
        leaders = [j for j in range(i) if kinds[j] in ("revolute", "prismatic") and kind == kinds[j]]
        mimic = ""
        if leaders and rng.integers(3) == 0:
            factor, offset = rng.uniform(-2, 2), rng.uniform(-1, 1)
            mimic = f'<mimic joint="joint{leaders[0]}" multiplier="{factor!r}" offset="{offset!r}"/>'
        limit = '<limit lower="-9" upper="9" effort="1" velocity="1"/>'
        ends = f'<parent link="{parent}"/><child link="{names[i]}"/>'
        elements.append(f'<joint name="joint{i}" type="{kind}">{origin()}{ends}{axis}{limit}{mimic}</joint>')
    return '<robot name="random">\n' + "\n".join(rng.permutation(np.array(elements, dtype=object))) + "\n</robot>"


@settings(max_examples=60, deadline=None)
@given(urdf_texts(), st.integers(0, 1000))
def test_random_urdfs_as_pinocchio_reads_them(text, seed):
    agrees_with_pinocchio(text, seed, allow_nonphysical=True)


def link(name: str, inside: str = "") -> str:
    inertial = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
    return f'<link name="{name}">{inertial}{inside}</link>'


def joint(name: str, parent: str, child: str, inside: str = "<axis xyz='0 0 1'/>", kind: str = "continuous") -> str:
    return f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>{inside}</joint>'


def robot(*elements: str) -> str:
    return '<robot name="arm">\n' + "\n".join(elements) + "\n</robot>"


def one_joint(inside: str, kind: str = "continuous") -> Any:
    model, _ = read_quietly(robot(link("base"), link("a"), joint("j", "base", "a", inside, kind)))
    return model.links[0].joint


def test_joints():
    found = one_joint(
        '<origin xyz="1 2 3" rpy="0 0 1.5707963267948966"/><axis xyz="0 3 4"/><dynamics damping="0.5" friction="2"/>'
        '<limit lower="-1" upper="2" velocity="3" effort="4" acceleration="5"/>',
        "prismatic",
    )
    assert (found.name, found.kind) == ("j", "prismatic")
    np.testing.assert_array_equal(found.axis, [0, 0.6, 0.8])
    np.testing.assert_array_equal(found.before, [[0, -1, 0, 1], [1, 0, 0, 2], [0, 0, 1, 3], [0, 0, 0, 1]])
    np.testing.assert_array_equal(found.after, np.eye(4))
    assert found.limits == Limits((-1.0, 2.0), speed=3.0, acceleration=5.0, torque=4.0)
    assert found.friction == JointFriction(viscous=0.5, coulomb=2.0)


def test_without_a_word_the_axis_is_x():
    np.testing.assert_array_equal(one_joint("").axis, [1, 0, 0])


def test_a_quaternion_may_stand_for_rpy():
    found = one_joint('<origin quat_xyzw="0 0 2 2"/>')
    np.testing.assert_allclose(found.before[:3, :3], [[0, -1, 0], [1, 0, 0], [0, 0, 1]], atol=1e-15)


def test_limits_of_each_kind():
    limit = '<limit lower="-1" upper="2" velocity="3" effort="4"/>'
    assert one_joint(limit, "revolute").limits == Limits((-1.0, 2.0), speed=3.0, torque=4.0)
    assert one_joint(limit, "continuous").limits == Limits(speed=3.0, torque=4.0)
    assert one_joint('<limit upper="2" velocity="3" effort="4"/>', "revolute").limits.position == (0.0, 2.0)
    assert one_joint('<limit lower="-1e300" upper="1e300" velocity="1e300" effort="4"/>', "prismatic").limits == Limits(
        torque=4.0
    )


def test_missing_limits_are_remarked_with_the_line():
    model, said = read_quietly(
        robot(
            link("base"),
            link("a"),
            link("b"),
            joint("j", "base", "a", "", "revolute"),
            joint("k", "a", "b", '<limit effort="0"/>', "prismatic"),
        )
    )
    assert said == [
        "arm.urdf:5: revolute joint 'j' has no <limit>, which URDF requires; it is taken as unbounded",
        "arm.urdf:6: <limit> of joint 'k' has neither lower nor upper; its position is taken as unbounded",
        "arm.urdf:6: <limit> of joint 'k' has no velocity, which URDF requires; it is taken as unbounded",
        "arm.urdf:6: effort of <limit> of joint 'k' is 0: taken as not known, as ROS-Industrial means it; "
        "write its limit where you know it",
    ]
    assert model.links[0].joint.limits == Limits()
    assert model.links[1].joint.limits == Limits()


def test_mimics():
    follows = "<mimic joint='j' multiplier='-2' offset='0.5'/>"
    text = robot(link("base"), link("a"), link("b"), joint("j", "base", "a"), joint("k", "a", "b", follows))
    model, _ = read_quietly(text)
    assert model.links[1].joint.mimic == Mimic("j", -2.0, 0.5)
    assert model.joint_names == ("j",)


def test_inertia_is_turned_into_link_axes():
    inertial = (
        '<inertial><origin xyz="1 2 3" rpy="1.5707963267948966 0 0"/><mass value="2"/>'
        '<inertia ixx="3" iyy="4" izz="5" ixy="0" ixz="0" iyz="1"/></inertial>'
    )
    model, _ = read_quietly(robot(link("base"), f'<link name="a">{inertial}</link>', joint("j", "base", "a")))
    np.testing.assert_array_equal(model.links[0].mass.com, [1, 2, 3])
    np.testing.assert_array_equal(model.links[0].mass.inertia, [[3, 0, 0], [0, 5, -1], [0, -1, 4]])


def test_q_is_in_the_order_of_the_joints():
    elements = joint("k", "a", "b"), link("b"), link("a"), joint("j", "base", "a"), link("base")
    model, _ = read_quietly(robot(*elements))
    assert model.joint_names == ("k", "j")
    assert [(each.name, each.parent) for each in model.links] == [("b", 1), ("a", BASE)]


def test_kinematics_without_inertia():
    model, said = read_quietly(robot(link("base"), '<link name="a"/>', joint("j", "base", "a")))
    assert said == []
    arm = Arm(model)
    assert arm.pose([0.0]).shape == (4, 4)
    with pytest.raises(MissingInertia, match="need the inertia of link 'a'"):
        arm.gravity([0.0])


@pytest.mark.parametrize(
    ("names", "tool"),
    [
        (("a", "b", "c"), "c"),
        (("tool", "b", "c"), "tool"),
        (("a", "tool0", "c"), "tool0"),
        (("tool", "tool0", "c"), "tool"),
        (("hand_tcp", "b", "c"), "hand_tcp"),
        (("left_tcp", "right_tcp", "c"), "c"),
    ],
)
def test_which_link_is_the_tool(names, tool):
    a, b, c = names
    links = (link(name) for name in ("base", *names))
    model, _ = read_quietly(robot(*links, joint("j", "base", a), joint("k", a, b), joint("l", b, c)))
    assert model.links[model.tool.link].name == tool


def test_the_tool_may_be_named():
    text = robot(link("base"), link("a"), link("b"), joint("j", "base", "a"), joint("k", "a", "b"))
    model, _ = read_quietly(text, tool="a")
    assert model.tool.link == 0
    with pytest.raises(
        ModelError, match=r"arm.urdf:1:1: the tool was to be link 'c', which does not exist; known: a, b"
    ):
        read_quietly(text, tool="c")


def test_a_link_called_tool_is_the_tool_frame():
    model, _ = read_quietly(
        robot(link("base"), link("tool"), link("b"), joint("j", "base", "tool"), joint("k", "tool", "b"))
    )
    arm = Arm(model)
    assert model.tool.link == 0
    np.testing.assert_array_equal(arm.pose([0.3, 0.2], frame="tool"), arm.pose([0.3, 0.2]))


def test_a_link_called_world_that_is_not_the_root_gets_another_name():
    model, said = read_quietly(robot(link("base"), link("world"), joint("j", "base", "world")))
    assert model.links[0].name == "world_link"
    assert said == ["arm.urdf:3: link 'world' is not the root and is called 'world_link' here"]


def test_transmissions():
    simple = (
        '<transmission name="t1"><type>transmission_interface/SimpleTransmission</type>'
        '<joint name="j"><hardwareInterface>EffortJointInterface</hardwareInterface></joint>'
        '<actuator name="m1"><mechanicalReduction>50</mechanicalReduction><rotorInertia>2e-4</rotorInertia></actuator>'
        "</transmission>"
    )
    old = (
        '<transmission type="SimpleTransmission" name="t2"><actuator name="m2"/><joint name="k"/>'
        "<mechanicalReduction>-10</mechanicalReduction></transmission>"
    )
    double = '<transmission name="t3"><joint name="j"/><joint name="k"/><actuator name="m3"/></transmission>'
    fixed = '<transmission name="t4"><joint name="f"/><actuator name="m4"/></transmission>'
    turned = '<origin rpy="1.5707963267948966 0 0"/><axis xyz="0 0 1"/><mimic joint="j" multiplier="2" offset="0.5"/>'
    elements = link("base"), link("a"), link("b"), link("c"), joint("j", "base", "a"), joint("k", "a", "b", turned)
    model, said = read_quietly(robot(*elements, joint("f", "b", "c", "", "fixed"), simple, old, double, fixed))
    first, second = model.drives
    assert (first.name, first.ratio.tolist(), first.rotor_inertia, first.carrier) == ("m1", [50.0], 2e-4, BASE)
    # k follows j: the motor of k turns with j, -10 (2 q + 0.5)
    assert (second.name, second.ratio.tolist(), second.offset, second.carrier) == ("m2", [-20.0], -5.0, 0)
    np.testing.assert_array_equal(second.axis, [0, -1, 0])
    assert said == [
        "arm.urdf:11: transmission 't3' is not one motor on one joint and is left out",
        "arm.urdf:12: transmission 't4' drives fixed joint 'f' and is left out",
    ]


def test_unknown_tags_and_attributes_are_remarked_once_with_the_line():
    model, said = read_quietly(
        '<robot name="arm" colour="red">\n'
        '<link name="base"><interial/></link>\n'
        '<link name="a"><interial/><visual><geometry><mesh filename="a.stl" sacle="1"/></geometry></visual></link>\n'
        '<joint name="j" type="continuous"><parent link="base"/><child link="a"/><axis xyz="0 0 1" of="a"/></joint>\n'
        '<flexible xmlns="https://example.org"/>\n</robot>',
        folder="/nowhere",
    )
    assert model.n == 1
    assert said == [
        "arm.urdf:1: unknown attribute 'colour' of <robot> is ignored",
        "arm.urdf:2: unknown tag <interial> in <link> is ignored (and 1 more)",
        "arm.urdf:3: unknown attribute 'sacle' of <mesh> is ignored",
        "arm.urdf:4: unknown attribute 'of' of <axis> is ignored",
        "arm.urdf:5: unknown tag <flexible> in <robot> is ignored",
    ]


def test_known_tags_that_do_not_matter_pass_in_silence():
    collision = "<collision><geometry><box size='1 1 1'/></geometry></collision>"
    visual = "<visual name='v'><material name='red'/><geometry><sphere radius='1'/></geometry></visual>"
    gazebo = "<gazebo reference='a'><plugin filename='x.so'><anything/></plugin></gazebo>"
    extras = "<calibration rising='0'/><safety_controller k_velocity='1'/>"
    text = robot(
        link("base"), link("a", collision + visual), joint("j", "base", "a", extras), gazebo, "<material name='red'/>"
    )
    model, said = read_quietly('<?xml version="1.0" encoding="latin-1"?>\n<!-- a comment -->' + text)
    assert said == []
    (drawn,) = model.links[0].visuals
    assert (drawn.shape, drawn.color) == (BallShape(1.0), None)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-be"])
def test_other_encodings_and_a_type_that_declares_nothing_are_read(tmp_path, encoding):
    head = '<?xml version="1.0"?>\n' + "<!-- - -->\n" * 60 + '<!DOCTYPE robot SYSTEM "robot.dtd">\n'
    text = head + robot(link("base"), link("größer"), joint("j", "base", "größer"))
    path = tmp_path / "arm.urdf"
    path.write_bytes((b"\xfe\xff" if encoding == "utf-16-be" else b"") + text.encode(encoding))
    assert torsor.load(path).model.links[-1].name == "größer"
