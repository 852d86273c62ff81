"""MJCF as MuJoCo loads it: the same dynamics as Torsor's."""

from __future__ import annotations

import warnings
from dataclasses import replace

import mujoco
import numpy as np
import pytest
from hypothesis import given, settings

import torsor
from library_arms import WITH_MASSES
from random_arms import arms_and_states, random_mass, random_state
from torsor.errors import DescriptionWarning, MissingInertia, Unsupported
from torsor.mechanics.reference_quantities import ReferenceQuantities
from torsor.mechanics.tree import lower
from torsor.model.armfile import parse_arm_file
from torsor.model.mass import Mass
from torsor.model.mjcf_writer import write_mjcf
from torsor.model.model import Model
from torsor.model.parts import Frame, Joint, JointFriction, Limits, Link, Mimic
from torsor.model.transforms import pose, rotation_rpy

TOLERANCE = 1e-9
MJCF_KINDS = ("revolute", "prismatic", "continuous", "fixed")


def written(model: Model) -> tuple[str, list[str]]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        text = write_mjcf(model)
    assert all(issubclass(each.category, DescriptionWarning) for each in caught)
    return text, [str(each.message) for each in caught]


class MujocoArm:
    """MuJoCo without constraints and friction; mimics are joints of their own, brought together by K."""

    def __init__(self, model: Model) -> None:
        self.mj = mujoco.MjModel.from_xml_string(written(model)[0])
        self.mj.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
        self.mj.dof_damping[:] = 0.0
        self.data = mujoco.MjData(self.mj)
        joints = {link.joint.name: link.joint for link in model.links if link.joint.moves}
        assert self.mj.nv == len(joints)
        self.K, self.shift = np.zeros((self.mj.nv, model.n)), np.zeros(self.mj.nv)
        for name, joint in joints.items():
            factor, shift = 1.0, 0.0
            while joint.mimic is not None:
                factor, shift = factor * joint.mimic.factor, shift + factor * joint.mimic.offset
                joint = joints[joint.mimic.joint]
            row = self.mj.joint(name).dofadr[0]
            self.K[row, model.joint_names.index(joint.name)], self.shift[row] = factor, shift

    def run(self, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """tau, M and the bias torques C qd + g."""
        self.data.qpos[:], self.data.qvel[:], self.data.qacc[:] = self.K @ q + self.shift, self.K @ qd, self.K @ qdd
        mujoco.mj_inverse(self.mj, self.data)
        M = np.zeros((self.mj.nv, self.mj.nv))
        mujoco.mj_fullM(self.mj, self.data, M)
        return self.K.T @ self.data.qfrc_inverse, self.K.T @ M @ self.K, self.K.T @ self.data.qfrc_bias


def same_arm(model: Model, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> None:
    arm, other = ReferenceQuantities(lower(model)), MujocoArm(model)
    tau, M, bias = other.run(q, qd, qdd)
    rotors = sum((d.rotor_inertia * np.outer(d.ratio, d.ratio) for d in model.drives), np.zeros((model.n, model.n)))
    loads = 1.0 + np.abs(arm.bearing_loads(q, qd, qdd)).max()
    np.testing.assert_allclose(arm.mass_matrix(q) + rotors, M, rtol=0, atol=TOLERANCE * np.abs(M).max())
    np.testing.assert_allclose(arm.inverse_dynamics(q, qd, qdd) + rotors @ qdd, tau, rtol=0, atol=TOLERANCE * loads)
    np.testing.assert_allclose(arm.inverse_dynamics(q, qd, np.zeros(model.n)), bias, rtol=0, atol=TOLERANCE * loads)
    for frame in ("tool", *model.frames):
        T, site = model.base @ arm.pose(q, frame=frame), other.data.site(frame)
        np.testing.assert_allclose(site.xpos, T[:3, 3], atol=1e-9 * (1 + np.abs(T).max()))
        np.testing.assert_allclose(site.xmat.reshape(3, 3), T[:3, :3], atol=1e-9)
    for link in model.links:
        T = model.base @ arm.pose(q, frame=link.name)
        np.testing.assert_allclose(other.data.body(link.name).xpos, T[:3, 3], atol=1e-9 * (1 + np.abs(T).max()))


@settings(max_examples=60, deadline=None)
@given(arms_and_states(kinds=MJCF_KINDS))
def test_random_arms(case):
    model, state = case
    same_arm(model, *state)


@pytest.mark.parametrize("robot", WITH_MASSES)
def test_library(robot):
    """Also the published arms whose inertias no body can have: MuJoCo gets others, with the same dynamics."""
    model = torsor.load(robot).model
    for seed in range(2):
        same_arm(model, *random_state(model.n, seed))


def chain(kinds: str, masses: list[Mass], **changes: object) -> Model:
    names = {"R": "revolute", "P": "prismatic", "F": "fixed"}
    before = pose(rotation_rpy(0.3, 0.5, 0.7), [0.1, 0.2, 0.3])
    links = tuple(
        Link(f"link{i}", i - 1, Joint(f"joint{i}", names[kind], np.array([0, 0.6, 0.8]), before, before), mass)
        for i, (kind, mass) in enumerate(zip(kinds, masses, strict=True))
    )
    return Model("chain", links, Frame(len(links) - 1, np.eye(4)), **changes)


def test_rotors_are_armature_and_coupled_ones_tendons():
    model = torsor.load("rl15").model
    mj = mujoco.MjModel.from_xml_string(written(model)[0])
    coupled = [d.name for d in model.drives if np.count_nonzero(d.ratio) > 1]
    assert coupled
    assert [mj.tendon(i).name for i in range(mj.ntendon)] == coupled
    single = {d.name: d for d in model.drives if d.name not in coupled}
    for drive in single.values():
        k = int(np.flatnonzero(drive.ratio)[0])
        assert mj.joint(model.joint_names[k]).armature[0] == pytest.approx(
            drive.ratio[k] ** 2 * drive.rotor_inertia, rel=1e-14
        )
    data = mujoco.MjData(mj)
    for i, drive in enumerate(model.drives):  # one N m at the motor is N^T at the joints
        data.ctrl[:] = 0
        data.ctrl[i] = 1
        mujoco.mj_forward(mj, data)
        np.testing.assert_allclose(data.qfrc_actuator, drive.ratio, rtol=1e-12)


def test_limits_friction_and_motors():
    body = random_mass(np.random.default_rng(0), "solid")
    model = chain("RP", [body, body])
    joint = replace(model.links[0].joint, limits=Limits((-1.0, 2.0), torque=5.0), friction=JointFriction(0.1, 0.2))
    model = replace(model, links=(replace(model.links[0], joint=joint), model.links[1]))
    text, said = written(model)
    mj = mujoco.MjModel.from_xml_string(text)
    first, second = mj.joint("joint0"), mj.joint("joint1")
    assert said == []
    assert (first.range.tolist(), first.limited[0], second.limited[0]) == ([-1.0, 2.0], 1, 0)
    assert (first.damping[0], first.frictionloss[0], mj.jnt_actfrcrange[0].tolist()) == (0.1, 0.2, [-5.0, 5.0])
    assert (mj.actuator("joint0").ctrlrange.tolist(), mj.actuator("joint1").ctrllimited[0]) == ([-5.0, 5.0], 0)


def test_mimics_are_equalities():
    body = random_mass(np.random.default_rng(0), "solid")
    model = chain("RR", [body, body], gravity=np.zeros(3))
    follower = replace(model.links[1].joint, mimic=Mimic("joint0", -2.0, 0.25))
    model = replace(model, links=(model.links[0], replace(model.links[1], joint=follower)))
    mj = mujoco.MjModel.from_xml_string(written(model)[0])
    data = mujoco.MjData(mj)
    data.qpos[:] = [0.3, -0.6 + 0.25]
    mujoco.mj_forward(mj, data)
    assert data.nefc == 1
    assert abs(data.efc_pos[0]) < 1e-12


LOOP = """
name = "four-bar"
frames = "placements"
[[link]]
joint = "revolute"
mass = 1
[[link]]
joint = "revolute"
position = [1, 0, 0]
mass = 1
[[link]]
parent = "base"
joint = "revolute"
position = [0, 1, 0]
mass = 1
[[loop]]
name = "closing"
joint = "{kind}"
first = {{ link = "link2", position = [0, 1, 0] }}
second = {{ link = "link3", position = [1, 0, 0] }}
driven = ["joint1"]
"""


@pytest.mark.parametrize(("kind", "rows"), [("hinge", 6), ("ball", 3), ("rigid", 6)])
def test_loops_are_equalities(kind, rows):
    text, said = written(parse_arm_file(LOOP.format(kind=kind)))
    mj = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(mj)
    assert said == []
    # a parallelogram: closed where links 1 and 3 are parallel and link 2 turns back
    data.qpos[:] = [0.4, -0.4, 0.4] if kind != "rigid" else [0.0, 0.0, 0.0]
    mujoco.mj_forward(mj, data)
    assert data.nefc == rows
    assert np.abs(data.efc_pos[:rows]).max() < 1e-12
    data.qpos[:] = [0.4, -0.3, 0.4]
    mujoco.mj_forward(mj, data)
    assert np.abs(data.efc_pos[:rows]).max() > 1e-2


@pytest.mark.parametrize("kind", ["slider", "distance"])
def test_loops_without_a_constraint_are_said_to_be_left_out(kind):
    length = "length = 1\n" if kind == "distance" else ""
    text, said = written(parse_arm_file(LOOP.format(kind=kind) + length))
    lost = f"the {kind} loop, for which MuJoCo has no constraint (the tree is left open there): closing"
    assert said == [f"four-bar as MJCF leaves out {lost}"]
    assert f"not in this file: {lost}" in text
    assert mujoco.MjModel.from_xml_string(text).neq == 0


def test_massless_links_and_thin_bodies_are_noted():
    rod = Mass(1.0, np.zeros(3), np.diag([1.0, 1.0, 0.0]))
    model = chain("RRR", [Mass.none(), rod, random_mass(np.random.default_rng(0), "solid")])
    text, said = written(model)
    assert said == []
    assert "note: link 'link0' has no mass; MuJoCo refuses that and gets 1e-14 kg and kg m^2" in text
    assert "note: 1e-12 kg m^2 were added to the moments of 'link1'; MuJoCo refuses bodies that thin" in text
    same_arm(model, *random_state(3, 0))


@pytest.mark.parametrize("kinds", ["RR", "RP", "PR", "RF"])
def test_nonphysical_bodies_get_others_with_the_same_dynamics(kinds):
    axis = rotation_rpy(0.3, 0.5, 0.7).T @ np.array([0, 0.6, 0.8])  # of the joint, in link axes
    flat = Mass(1.0, np.array([0.1, 0.2, 0.3]), 0.5 * np.outer(axis, axis))
    big = Mass(2.0, np.zeros(3), np.diag([5.0, 5.0, 5.0]))
    model = chain(kinds, [flat, big] if kinds == "RR" else [big, flat], allow_nonphysical=True)
    text, said = written(model)
    assert said == []
    assert "the dynamics are the same" in text
    same_arm(model, *random_state(model.n, 0))


def test_a_body_that_cannot_be_saved_is_raised_and_said():
    across = np.cross(rotation_rpy(0.3, 0.5, 0.7).T @ np.array([0, 0.6, 0.8]), [1.0, 0, 0])
    bad = Mass(1.0, np.zeros(3), 0.5 * np.outer(across, across) / (across @ across))
    model = chain("R", [bad], allow_nonphysical=True)
    text, said = written(model)
    assert len(said) == 1
    assert "so 0.5 kg m^2 were added to each" in said[0]
    mujoco.MjModel.from_xml_string(text)


def test_a_base_called_world_is_mujocos_world():
    model = torsor.load("ur5").model
    assert model.base_name == "world"
    mj = mujoco.MjModel.from_xml_string(written(model)[0])
    assert mj.body("base_link").parentid[0] == 0


def test_names_are_escaped():
    body = random_mass(np.random.default_rng(0), "solid")
    model = replace(chain("RF", [body, body]), name='<a> & "b" -- c', payload=body)
    model = replace(model, links=(replace(model.links[0], name="<&>"), replace(model.links[1], name="payload")))
    mj = mujoco.MjModel.from_xml_string(written(model)[0])
    assert mj.body("<&>").id > 0
    assert mj.body("payload2").mass[0] == body.mass


def test_what_mjcf_cannot_hold_is_refused_or_said():
    body = random_mass(np.random.default_rng(0), "solid")
    model = chain("R", [body])
    joint = model.links[0].joint
    screw = replace(joint, kind="screw", pitch=0.1)
    with pytest.raises(Unsupported, match="joint 'joint0' is a screw, which MJCF does not have"):
        write_mjcf(replace(model, links=(replace(model.links[0], joint=screw),)))
    with pytest.raises(MissingInertia, match="link 'link0'"):
        write_mjcf(replace(model, links=(replace(model.links[0], mass=None),)))
    stiff = replace(joint, limits=Limits((1.0, 1.0), speed=2.0, acceleration=3.0, torque=0.0))
    text, said = written(replace(model, links=(replace(model.links[0], joint=stiff),)))
    words = ("the speed limit", "the acceleration limit", "position limits without range", "the torque limit 0")
    assert said == [f"chain as MJCF leaves out {word}: joint0" for word in words]
    mujoco.MjModel.from_xml_string(text)


def test_base_mass_and_placement():
    body = random_mass(np.random.default_rng(0), "solid")
    model = chain("R", [body], base=pose(rotation_rpy(1.0, 0.5, 0.2), [1, 2, 3]), base_mass=body)
    mj = mujoco.MjModel.from_xml_string(written(model)[0])
    assert mj.body("base").mass[0] == body.mass
    same_arm(model, *random_state(1, 0))
