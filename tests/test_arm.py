"""Arm as users hold it: shapes, options, messages. That its numbers are right is shown in tests/mechanics."""

from __future__ import annotations

import pickle
import re
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import torsor
from random_arms import random_state
from torsor import Arm
from torsor.errors import MissingInertia, ModelError, ShapeError, UnknownRobot
from torsor.model.armfile import parse_arm_file

load = cache(torsor.load)
Z2 = np.zeros(2)


def message(error: str) -> str:
    """The exact text, as pytest.raises wants it."""
    return f"^{re.escape(error)}$"


def test_names():
    arm = load("puma560")
    assert (arm.n, arm.name) == (6, "puma560")
    assert arm.joint_names == tuple(f"joint{i}" for i in range(1, 7))
    assert repr(arm) == "<Arm puma560: 6 joints RRRRRR, 6 links, 23.45 kg, 6 drives>"
    assert "<caption>&lt;Model puma560" in arm._repr_html_()


def test_every_quantity_has_the_shape_of_its_states():
    arm = load("scara")
    q = random_state(4, 0, (3, 1))[0]
    _, qd, qdd = random_state(4, 1, (5,))
    assert arm.pose(q).shape == (3, 1, 4, 4)
    assert arm.jacobian(q).shape == (3, 1, 6, 4)
    assert arm.jacobian_dot_qd(q, qd).shape == (3, 5, 6)
    assert arm.inverse_dynamics(q, qd, qdd).shape == (3, 5, 4)
    assert arm.forward_dynamics(q, qd, qdd).shape == (3, 5, 4)
    assert arm.mass_matrix(q).shape == (3, 1, 4, 4)
    assert arm.coriolis_matrix(q, qd).shape == (3, 5, 4, 4)
    assert arm.gravity(q).shape == (3, 1, 4)
    assert [part.shape for part in arm.energy(q, qd)] == [(3, 5), (3, 5)]
    assert arm.regressor(q, qd, qdd).shape == (3, 5, 4, 40)
    assert arm.bearing_loads(q, qd, qdd).shape == (3, 5, 4, 6)
    assert arm.inverse_dynamics(q, qd, qdd, wrench=np.zeros((2, 1, 1, 6))).shape == (2, 3, 5, 4)
    assert arm.gravity(np.zeros((0, 4))).shape == (0, 4)


def test_batches_equal_loops():
    arm = load("stanford")
    q, qd, qdd = random_state(6, 0, (4, 3))
    wrench = np.random.default_rng(0).normal(size=(4, 3, 6))
    alone = [
        [arm.inverse_dynamics(q[i, j], qd[i, j], qdd[i, j], wrench=wrench[i, j]) for j in range(3)] for i in range(4)
    ]
    np.testing.assert_allclose(arm.inverse_dynamics(q, qd, qdd, wrench=wrench), alone, rtol=1e-13, atol=1e-13)
    np.testing.assert_allclose(arm.forward_dynamics(q, qd, arm.inverse_dynamics(q, qd, qdd)), qdd, rtol=1e-9, atol=1e-9)


def test_nan_stays_in_its_row():
    arm = load("planar2")
    q = np.array([[0.1, 0.2], [np.nan, 0.2], [0.3, np.inf], [0.5, -0.4]])
    for result in (arm.gravity(q), arm.pose(q), arm.forward_dynamics(q, Z2, Z2)):
        assert np.isnan(result.reshape(4, -1)).any(axis=1).tolist() == [False, True, True, False]
    M = arm.mass_matrix(q).reshape(4, 4)
    assert np.isnan(M).any(axis=1).tolist() == [False, False, True, False]  # M does not depend on q1
    np.testing.assert_array_equal(arm.gravity(q)[3], arm.gravity(q[3]))


def test_lists_and_smaller_numbers():
    arm = load("planar2")
    expected = arm.gravity(np.array([0.5, 0.25]))
    np.testing.assert_array_equal(arm.gravity([0.5, 0.25]), expected)
    np.testing.assert_array_equal(arm.gravity(np.array([0.5, 0.25], dtype=np.float32)), expected)  # computed in double
    assert arm.gravity(np.array([0.5, 0.25], dtype=np.float32)).dtype == np.float64
    np.testing.assert_array_equal(arm.gravity([1, 0]), arm.gravity([1.0, 0.0]))
    wide = np.array([[0.5, 9.0, 0.25, 9.0]] * 3)
    np.testing.assert_array_equal(arm.gravity(wide[:, ::2]), [expected] * 3)


def test_arguments_are_left_alone():
    arm = load("planar2")
    q = np.array([0.5, 0.25])
    q.flags.writeable = False
    arm.inverse_dynamics(q, q, q)
    assert q.tolist() == [0.5, 0.25]


def test_out_takes_the_result():
    arm = load("planar2")
    out = np.full((3, 2), -1.0)
    q = np.array([[0.1, 0.2], [0.3, 0.4], [0.5, 0.6]])
    assert arm.gravity(q, out=out) is out
    np.testing.assert_array_equal(out, arm.gravity(q))
    kinetic, potential = np.empty(3), np.empty(3)
    arm.energy(q, Z2, out=(kinetic, potential))
    np.testing.assert_array_equal(potential, arm.energy(q, Z2)[1])
    expected = arm.gravity(q[0])
    state = q[0].copy()
    np.testing.assert_array_equal(arm.gravity(state, out=state), expected)  # even onto itself


def test_gravity_override_is_in_world_axes():
    """The base of planar2 is tipped by 90 deg: world z is base y."""
    arm = load("planar2")
    q = [0.3, 0.4]
    np.testing.assert_allclose(arm.gravity(q, gravity=[0, 0, -9.81]), arm.gravity(q), rtol=1e-15)
    np.testing.assert_allclose(arm.gravity(q, gravity=[0, 0, -1.62]), arm.gravity(q) * 1.62 / 9.81, rtol=1e-14)
    assert np.abs(arm.gravity(q, gravity=[0, 9.81, 0])).max() < 1e-15  # along its axes
    assert arm.gravity(q, gravity=[0, 0, 0]).tolist() == [0.0, 0.0]
    weights = np.array([[0, 0, -9.81], [0, 0, -1.62]])
    np.testing.assert_array_equal(arm.gravity(q, gravity=weights), [arm.gravity(q, gravity=w) for w in weights])


def test_wrench_is_felt_by_forward_dynamics_too():
    arm = load("stanford")
    q, qd, qdd = random_state(6, 3)
    wrench = [1.0, -2.0, 3.0, 0.4, -0.5, 0.6]
    tau = arm.inverse_dynamics(q, qd, qdd, wrench=wrench)
    np.testing.assert_allclose(arm.forward_dynamics(q, qd, tau, wrench=wrench), qdd, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(arm.inverse_dynamics(q, qd, qdd) - tau, arm.jacobian(q).T @ wrench, atol=1e-12)


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda arm: arm.gravity([0, 0, 0]), "q has shape (3,); 'planar2' has 2 joints: give (..., 2)"),
        (lambda arm: arm.gravity(0.0), "q has shape (); 'planar2' has 2 joints: give (..., 2)"),
        (lambda arm: arm.coriolis_matrix(Z2, [[0.0]]), "qd has shape (1, 1); 'planar2' has 2 joints: give (..., 2)"),
        (lambda arm: arm.gravity(["0", "0"]), "q is not an array of numbers: ['0', '0']"),
        (lambda arm: arm.gravity([True, False]), "q is not an array of numbers: [True, False]"),
        (lambda arm: arm.gravity(None), "q is not an array of numbers: None"),
        (lambda arm: arm.gravity([[0, 0], [0]]), "q is not an array of numbers: [[0, 0], [0]]"),
        (lambda arm: arm.gravity(np.array([1j, 0])), "q is not an array of numbers: array([0.+1.j, 0.+0.j])"),
        (
            lambda arm: arm.gravity(np.ma.masked_array([0.0, 0.0], [True, False])),
            "q has masked elements; fill them first: filled(numpy.nan) gives NaN rows",
        ),
        (lambda arm: arm.gravity(Z2, gravity=[1, 2]), "gravity has shape (2,); a vector in world axes: give (..., 3)"),
        (
            lambda arm: arm.inverse_dynamics(Z2, Z2, Z2, wrench=[1, 2, 3]),
            "wrench has shape (3,); force over moment at the tool, in base axes: give (..., 6)",
        ),
        (
            lambda arm: arm.inverse_dynamics(np.zeros((3, 2)), np.zeros((4, 2)), Z2),
            "planar2_inverse_dynamics: these do not broadcast: q (3, 2), qd (4, 2), qdd (2,); "
            "leading dimensions must match",
        ),
        (
            lambda arm: arm.inverse_dynamics(np.zeros((3, 2)), Z2, Z2, wrench=np.zeros((4, 6))),
            "planar2_inverse_dynamics: these do not broadcast: q (3, 2), qd (2,), qdd (2,), wrench (4, 6); "
            "leading dimensions must match",
        ),
        (
            lambda arm: arm.gravity(Z2, out=np.zeros(3)),
            "planar2_gravity: out for g has shape (3,) and type float64; it must be floats of shape (2,)",
        ),
        (lambda arm: arm.gravity(Z2, out=[0, 0]), "planar2_gravity: out is a list; it must be a NumPy array"),
    ],
)
def test_wrong_shapes(call, text):
    with pytest.raises(ShapeError, match=message(text)) as caught:
        call(load("planar2"))
    assert isinstance(caught.value, ValueError)  # so that NumPy's users catch it as they are used to
    assert isinstance(caught.value, torsor.TorsorError)


def test_read_only_out():
    out = np.zeros(2)
    out.flags.writeable = False
    with pytest.raises(ShapeError, match=message("planar2_gravity: out for g is read-only")):
        load("planar2").gravity(Z2, out=out)


def test_unknown_options_and_frames():
    arm = load("planar2")
    text = "gravity() has no option 'grav'; did you mean 'gravity'? known: by, dtype, gravity, out, threads"
    with pytest.raises(TypeError, match=message(text)):
        arm.gravity(Z2, grav=[0, 0, 0])
    text = "arm 'planar2' has no frame 'link3'; did you mean 'link2'? known: base, link1, link2, tool"
    with pytest.raises(ModelError, match=message(text)):
        arm.pose(Z2, frame="link3")
    with pytest.raises(TypeError):
        arm.gravity(Z2, [0, 0, -9.81])  # options are keyword-only


def test_frames():
    arm = load("planar3")
    q = [0.1, 0.2, 0.3]
    assert arm.pose(q, frame="base").tolist() == np.eye(4).tolist()
    np.testing.assert_allclose(
        arm.pose(q, frame="hand") @ [0.4, 0.0, 0.0, 1.0], arm.pose(q, frame="tool")[:, 3], atol=1e-15
    )
    assert not arm.jacobian(q, frame="base").any()
    assert not arm.jacobian(q, frame="upper")[:, 1:].any()


MASSLESS_HAND = """
name = "camera-arm"
frames = "standard-dh"
[[link]]
joint = "revolute"
a = 1.0
mass = 1.0
[[link]]
joint = "revolute"
a = 0.5
[[link]]
name = "marker"
joint = "fixed"
a = 0.1
"""


def test_missing_inertia_names_the_link_and_leaves_kinematics():
    arm = Arm(parse_arm_file(MASSLESS_HAND))
    assert arm.pose(Z2)[:3, 3].tolist() == [1.6, 0.0, 0.0]
    assert arm.jacobian(Z2).shape == (6, 2)
    text = (
        "dynamics of 'camera-arm' need the inertia of link 'link2'; "
        "add its mass and inertia to the description; kinematics work without"
    )
    calls = (
        lambda: arm.gravity(Z2),
        lambda: arm.mass_matrix(Z2),
        lambda: arm.coriolis_matrix(Z2, Z2),
        lambda: arm.inverse_dynamics(Z2, Z2, Z2),
        lambda: arm.forward_dynamics(Z2, Z2, Z2),
        lambda: arm.energy(Z2, Z2),
        lambda: arm.regressor(Z2, Z2, Z2),
        lambda: arm.bearing_loads(Z2, Z2, Z2),
        lambda: arm.parameters,
    )
    for call in calls:
        with pytest.raises(MissingInertia, match=message(text)):
            call()


def test_an_arm_with_loops_speaks_of_its_free_joints():
    arm = load("asea-irb")
    assert (arm.n, arm.tree.n) == (6, 8)
    assert arm.joint_names == ("joint1", "joint2", "joint4", "joint5", "joint6", "joint7")
    assert arm.tree.model.loops == ()
    x = arm.closure.free_of(arm.closure.reference)
    np.testing.assert_allclose(arm.pose(x), arm.tree.pose(arm.closure.positions(x)), atol=1e-14)
    assert load("planar2").tree is load("planar2")


def test_payload_and_tool():
    """A payload is a mass on the tool: the same as a link more."""
    arm = load("planar2")
    text = MASSLESS_HAND.replace("a = 0.5\n", "a = 0.5\nmass = 1.0\ninertia = [0.1, 0.1, 0.1]\n")
    loaded = text + "[tool]\nposition = [0.2, 0, 0]\npayload = { mass = 2.0, com = [0.1, 0, 0] }\n"
    heavier = text.replace("a = 0.1\n", "a = 0.1\nmass = 2.0\ncom = [0.3, 0, 0]\n")
    q, qd, qdd = random_state(2, 5)
    a, b, none = (Arm(parse_arm_file(each)).reference.inverse_dynamics(q, qd, qdd) for each in (loaded, heavier, text))
    np.testing.assert_allclose(a, b, atol=1e-13)
    assert np.abs(a - none).max() > 1.0
    assert Arm(replace(arm.model, payload=None)).model.total_mass == 2.0


def test_bearing_loads_hold_up_the_arm():
    """At rest the first joint carries all the weight, and the motor's part is the holding torque."""
    arm = load("rl15")
    q = random_state(6, 1)[0]
    loads = arm.bearing_loads(q, np.zeros(6), np.zeros(6))
    weight = arm.model.total_mass * 9.81
    R = arm.pose(q, frame="link1")[:3, :3]
    np.testing.assert_allclose(R @ loads[0, :3], [0.0, 0.0, weight], atol=1e-9)
    # standard DH: the joint's axis in the axes of its link is the third row of Rx(alpha)
    for i, link in enumerate(arm.model.links):
        axis = link.joint.after[:3, :3].T @ link.joint.axis
        assert axis @ loads[i, 3:] == pytest.approx(arm.gravity(q)[i], abs=1e-9)


def test_parameters_are_named():
    arm = load("planar2")
    assert arm.parameter_names[:11] == (
        "m_link1", "mx_link1", "my_link1", "mz_link1", "Ixx_link1", "Iyy_link1", "Izz_link1",
        "Ixy_link1", "Ixz_link1", "Iyz_link1", "m_link2",
    )  # fmt: skip
    third = 1.0 / 3.0  # a rod about its far end
    np.testing.assert_allclose(arm.parameters[:10], [1.0, -0.5, 0, 0, 0, third, third, 0, 0, 0], atol=1e-15)
    q, qd, qdd = random_state(2, 0)
    tau = arm.regressor(q, qd, qdd) @ arm.parameters
    np.testing.assert_allclose(tau, arm.inverse_dynamics(q, qd, qdd), atol=1e-13)


def test_arms_can_be_sent_to_other_processes():
    arm = pickle.loads(pickle.dumps(load("planar3")))
    np.testing.assert_array_equal(arm.gravity(np.ones(3)), load("planar3").gravity(np.ones(3)))


def test_loading():
    with pytest.raises(UnknownRobot, match=r"^no robot 'puma56'; did you mean 'puma560'\? known: asea-irb, "):
        torsor.load("puma56")
    with pytest.raises(UnknownRobot, match=r"^there is no file 'nowhere/irb140.toml'; did you mean 'irb140'\? known: "):
        torsor.load("nowhere/irb140.toml")


def test_loading_paths(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(MASSLESS_HAND, encoding="utf-8-sig")  # some editors write a mark in front
    assert torsor.load(path).name == torsor.load(str(path)).name == "camera-arm"
    other = tmp_path / "mine.txt"
    other.write_text(MASSLESS_HAND)
    text = f"cannot tell what {str(other)!r} is; arm files end in .toml, URDFs in .urdf, xacro in .xacro"
    with pytest.raises(UnknownRobot, match=message(text)):
        torsor.load(other)


def test_methods_on_graph_scalars_record_a_graph() -> None:
    from torsor.algebra import simplify, symbols, tape_from

    arm = torsor.load("planar3")
    q, qd = symbols("q", 3), symbols("qd", 3)
    kinetic, _ = arm.energy(q, qd)
    outputs = {"tau": arm.inverse_dynamics(q, [0.0, 0.0, 0.0], 2.0 * qd), "kinetic": kinetic}
    tau, energy = tape_from("traced", {"q": q, "qd": qd}, simplify(outputs)).evaluate(Q := np.ones(3), np.arange(3.0))
    np.testing.assert_allclose(tau, arm.inverse_dynamics(Q, np.zeros(3), 2.0 * np.arange(3.0)), rtol=1e-13)
    np.testing.assert_allclose(energy, arm.energy(Q, np.arange(3.0))[0], rtol=1e-13)
    with pytest.raises(ShapeError, match=r"q has shape \(2,\)"):
        arm.gravity(q[:2])


def test_a_method_that_was_taken_early_is_fast_too():
    """Before the first call it is the method of the class; it must not stay the slow way, nor answer differently."""
    arm = torsor.load("planar3")
    early = arm.inverse_dynamics
    states = np.random.default_rng(3).uniform(-1.0, 1.0, (3, 20, 3))
    first = early(*states)
    assert arm.inverse_dynamics is not early
    out = np.empty((20, 3))
    assert early(*states, out=out, threads=1) is out
    for again in (early(*states), out, early(*states.tolist())):
        np.testing.assert_array_equal(again, first)
    np.testing.assert_allclose(early(*states, gravity=arm.model.gravity), first, rtol=1e-12)  # by another kernel
    single = np.empty((20, 3), np.float32)
    assert early(*states, out=single) is single
    np.testing.assert_array_equal(single, arm.inverse_dynamics(*states, dtype=np.float32))
    with pytest.raises(torsor.TorsorError, match="q has shape"):
        early(states[0][:, :2], *states[1:])
    with pytest.raises(TypeError, match="has no option 'thread'"):
        early(*states, thread=1)
