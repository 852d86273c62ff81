"""`arm.elastic` against the oracle, and large motion against another program's."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import torsor
from elastic_arms import bending_fourbar, fourbar_text, with_a_bar
from torsor.arm import Arm
from torsor.elastic import LargeDeflection
from torsor.elastic.building import all_shapes, elastic_tree
from torsor.elastic.elastic_loops import closed_motions, closing_rows
from torsor.elastic.held_arm import HeldArm
from torsor.errors import ModelError, ShapeError, Unsupported
from torsor.model.armfile import parse_arm_file
from torsor.model.mass import Mass

ORACLE = json.loads((Path(__file__).parent.parent / "oracles" / "elastic.json").read_text())
UR5 = ORACLE["ur5_tubes"]
Q = np.array(UR5["q"])


@pytest.fixture(scope="module")
def ur5():
    return torsor.load("ur5-elastic").elastic


def test_five_modes_a_link_are_enough(ur5):
    np.testing.assert_allclose(ur5.frequencies(Q)[:3], UR5["locked_hz"][:3], rtol=1e-3)
    np.testing.assert_allclose(ur5.frequencies(Q, drives="held")[:3], UR5["joint_compliance_hz"][:3], rtol=1e-3)
    free = ur5.frequencies(Q, drives="free")
    assert (free[:6] < 1e-2).all()
    assert free[6] > UR5["locked_hz"][0]


@pytest.mark.parametrize(("drives", "name"), [("locked", "locked"), ("held", "joint_compliance")])
def test_compliance_and_deflection(ur5, drives, name):
    right = np.array(UR5[f"{name}_tool_compliance"])
    np.testing.assert_allclose(ur5.compliance(Q, drives=drives), right, atol=1e-6 * np.abs(right).max())
    np.testing.assert_allclose(ur5.stiffness(Q, drives=drives) @ right, np.eye(6), atol=1e-5)
    right = np.array(UR5[f"{name}_gravity_deflection"])
    bent = ur5.deflection(Q, drives=drives)
    np.testing.assert_allclose(bent.tool, right, atol=1e-6 * np.abs(right).max())
    # the last node of the forearm is what the wrist hangs on: a load there moves it as the compliance says
    pushed = ur5.deflection(Q, drives=drives, wrench=[10.0, -20.0, 30.0, 1.0, 2.0, 3.0])
    more = ur5.compliance(Q, drives=drives) @ [10.0, -20.0, 30.0, 1.0, 2.0, 3.0]
    np.testing.assert_allclose(pushed.tool - bent.tool, more, atol=1e-12)
    heavy = ur5.deflection(Q, drives=drives, payload=2.0)
    weight = ur5.compliance(Q, drives=drives) @ [0.0, 0.0, -2.0 * 9.81, 0.0, 0.0, 0.0]
    np.testing.assert_allclose(heavy.tool - bent.tool, weight, rtol=1e-3, atol=1e-9)


@pytest.mark.parametrize("drives", ["locked", "held"])
def test_segments_converge_with_the_square(ur5, drives):
    """Rigid segments with springs share nothing with the modes but the arm; they do not stretch."""
    found = np.array([ur5.frequencies(Q, drives=drives, by="segments", segments=k)[:3] for k in (2, 4, 8, 16)])
    rates = np.log2((found[:-2] - found[1:-1]) / (found[1:-1] - found[2:]))
    np.testing.assert_allclose(rates[-1], 2.0, atol=0.05)
    limit = (4.0 * found[-1] - found[-2]) / 3.0
    np.testing.assert_allclose(limit, ur5.frequencies(Q, drives=drives)[:3], rtol=1e-3)


def test_many_postures(ur5):
    q = np.random.default_rng(0).uniform(-3.0, 3.0, (2, 5, 6))
    many, stiff = ur5.frequencies(q, drives="held"), ur5.compliance(q)
    assert many.shape[:2] == (2, 5)
    bent = ur5.deflection(q)
    for at in np.ndindex(2, 5):
        np.testing.assert_allclose(many[at], ur5.frequencies(q[at], drives="held"), rtol=1e-9)
        np.testing.assert_allclose(stiff[at], ur5.compliance(q[at]), rtol=1e-9, atol=1e-18)
        np.testing.assert_allclose(
            bent.nodes["forearm_link"][at], ur5.deflection(q[at]).nodes["forearm_link"], rtol=1e-9
        )
    q[0, 1, 2] = np.nan
    assert np.isnan(ur5.frequencies(q)[0, 1]).all()
    assert np.isfinite(ur5.frequencies(q)[1]).all()


def test_the_softest_direction(ur5):
    q = np.random.default_rng(1).uniform(-3.0, 3.0, (2, 4, 6))
    for drives in ("held", "locked"):
        C = ur5.compliance(q, drives=drives)[..., :3, :3]
        radii, axes = ur5.ellipsoid(q, drives=drives)
        np.testing.assert_allclose(radii, np.linalg.eigvalsh(C)[..., ::-1], rtol=1e-9)
        np.testing.assert_allclose(C @ axes, axes * radii[..., None, :], atol=1e-9 * radii.max())
        np.testing.assert_allclose(np.swapaxes(axes, -1, -2) @ axes, np.broadcast_to(np.eye(3), C.shape), atol=1e-12)
    # of no force of one newton the tool goes farther than along the softest direction, or less far than the stiffest
    forces = np.random.default_rng(2).normal(size=(1000, 3))
    forces /= np.linalg.norm(forces, axis=1)[:, None]
    bent = ur5.deflection(q[0, 0], wrench=np.concatenate([forces, np.zeros((1000, 3))], axis=1))
    moved = bent.tool[:, :3] - ur5.deflection(q[0, 0]).tool[:3]
    soft = ur5.ellipsoid(q[0, 0])
    far = np.linalg.norm(moved, axis=1)
    assert soft.radii[-1] * (1.0 - 1e-6) <= far.min() < 1.1 * soft.radii[-1]
    assert 0.99 * soft.radii[0] < far.max() <= soft.radii[0] * (1.0 + 1e-6)
    in_axes = moved @ soft.axes / soft.radii
    np.testing.assert_allclose(np.linalg.norm(in_axes, axis=1), 1.0, rtol=1e-6)
    q[0, 1, 2] = np.nan
    assert np.isnan(ur5.ellipsoid(q).radii[0, 1]).all()
    assert np.isfinite(ur5.ellipsoid(q).axes[1]).all()


def test_modes_say_where_the_energy_is(ur5):
    found = ur5.modes(Q, 3, drives="held")
    np.testing.assert_allclose([mode.frequency for mode in found], ur5.frequencies(Q, drives="held")[:3], rtol=1e-9)
    for mode in found:
        assert sum(mode.shares.values()) == pytest.approx(100.0)
    assert "shoulder_lift_joint.spring 70 %" in str(found[0])


def test_nodes_move_with_the_tool_frame(ur5):
    """A beam's last node and the tool of an arm that ends there: two ways to the same displacement."""
    arm2 = torsor.load("elastic-arm2").elastic
    bent = arm2.deflection([0.4, -0.7], drives="locked", wrench=[1.0, 2.0, 0.0, 0.0, 0.0, 0.5])
    np.testing.assert_allclose(list(bent.nodes.values())[-1][-1], bent.tool[:3], atol=1e-12)


def test_response_at_rest_is_the_compliance(ur5):
    slow = ur5.response(Q, of="tool.z", to="tool.z", frequency=1e-3, drives="held")
    assert slow.real == pytest.approx(ur5.compliance(Q)[2, 2], rel=1e-3)  # five modes, not all shapes
    w = 2.0 * np.pi * ur5.frequencies(Q, drives="held")[0]
    around = np.abs(ur5.response(Q, of="tool.z", to="tool.z", frequency=w * np.array([0.9, 1.0, 1.1]), drives="held"))
    assert around[1] > 3.0 * around[[0, 2]].max()


def simasea(point):
    """Free joints of asea-irb, and all joints of its tree, at a point of SIMASEA's program."""
    known = json.loads((Path(__file__).parent.parent / "oracles" / "asea-simasea.json").read_text())
    chosen = {"shoulder": 1, "elbow": 1, "wrist": 1}
    joints = next(each["theta_deg"] for each in known["ik"][point] if each["branch"] == chosen)
    seventh, eighth = known["loop_deg"][point]["theta7"], known["loop_deg"][point]["theta8"]
    whole = np.radians([*joints, seventh, eighth])
    return whole[[0, 1, 3, 4, 5, 6]], whole


@pytest.mark.parametrize("point", ["P1", "P2", "P6"])
def test_the_loop_of_simasea(point):
    """Released: elbow, joint 8 and P8 turn; welded, as Behi had to have it, they do not."""
    arm, given = torsor.load("asea-irb"), ORACLE["asea_irb"][point]
    q, whole = simasea(point)
    released = np.array(given["released_hz"])
    np.testing.assert_allclose(arm.elastic.frequencies(q)[: len(released)], released, rtol=1e-7)
    tree = elastic_tree(arm.model, shapes=all_shapes, posture=whole)
    x, shapes = np.concatenate([whole, np.zeros(tree.size - tree.n)]), np.arange(tree.n, tree.size)
    Z = np.eye(tree.size)[:, shapes] @ closed_motions(closing_rows(tree, arm.model.loops, x, welded=True)[:, shapes])
    welded = np.array(given["welded_hz"])
    stiff = HeldArm(tree, whole, Z)
    np.testing.assert_allclose(stiff.frequencies[: len(welded)], welded, rtol=1e-7)
    if "welded_static_tip" in given:
        right = np.array(given["welded_static_tip"])
        tip = stiff.deflection(np.array([0.0, 0.0, -9.81]), np.zeros(6)).tool[:3]
        np.testing.assert_allclose(tip, right, atol=1e-6 * np.abs(right).max())


def test_a_loop_gives_way_as_its_compliance_says():
    arm = torsor.load("asea-irb")
    q, _ = simasea("P1")
    before = arm.elastic.deflection(q)
    push = np.array([3.0, -2.0, 5.0, 0.4, 0.2, -0.3])
    after = arm.elastic.deflection(np.stack([q, q]), wrench=np.stack([push, 2.0 * push]))
    more = arm.elastic.compliance(q) @ push
    np.testing.assert_allclose(after.tool - before.tool, [more, 2.0 * more], atol=1e-9 * np.abs(more).max())
    with pytest.raises(Unsupported, match="loops"):
        arm.elastic.frequencies(q, by="segments")
    with pytest.raises(ShapeError, match="32 coordinates"):
        arm.elastic.forward_dynamics(np.zeros(9), np.zeros(9), np.zeros(6))


def rk4(arm, x, xd, tau, until, dt):
    def rates(t, x, xd):
        return xd, arm.forward_dynamics(x, xd, tau(t))

    for k in range(round(until / dt)):
        t = k * dt
        a1, b1 = rates(t, x, xd)
        a2, b2 = rates(t + dt / 2, x + dt / 2 * a1, xd + dt / 2 * b1)
        a3, b3 = rates(t + dt / 2, x + dt / 2 * a2, xd + dt / 2 * b2)
        a4, b4 = rates(t + dt, x + dt * a3, xd + dt * b3)
        x, xd = x + dt / 6 * (a1 + 2 * a2 + 2 * a3 + a4), xd + dt / 6 * (b1 + 2 * b2 + 2 * b3 + b4)
    return x, xd


def test_two_elastic_links_swing_as_in_exudyn():
    given = ORACLE["two_link_elastic_arm"]
    arm = torsor.load("elastic-arm2").elastic
    x = xd = np.zeros(len(arm.coordinates))

    def pushed(t):
        return np.array([2.0, -0.6]) * np.sin(2.0 * np.pi * t) if t < 1.0 else np.zeros(2)

    def energy(x, xd):
        return 0.5 * xd @ arm.mass_matrix(x) @ xd + 0.5 * x @ arm.moving.K @ x

    dt, seen = 2.5e-4, []
    for k in range(4):
        x, xd = rk4(arm, x, xd, lambda t, k=k: pushed(t + 0.5 * k), 0.5, dt)
        right = given["tip_xy"][str(0.5 * (k + 1))]
        np.testing.assert_allclose(arm.pose(x)[:2, 3], right, atol=1e-4)
        seen.append(energy(x, xd))
    assert seen[1] == pytest.approx(given["energy_after_1_s_lab_page_3_modes"], rel=1e-4)
    assert seen[3] == pytest.approx(seen[1], rel=1e-7)


def test_what_cannot_be_asked():
    with pytest.raises(Unsupported, match="no elastic links"):
        torsor.load("puma560").elastic  # noqa: B018
    arm = torsor.load("ur5-elastic").elastic
    with pytest.raises(ShapeError, match="6 joints"):
        arm.frequencies([0.0, 1.0])
    with pytest.raises(Unsupported, match="segments"):
        arm.frequencies(Q, by="segment")
    with pytest.raises(Unsupported, match="locked"):
        arm.frequencies(Q, drives="lockd")
    with pytest.raises(Unsupported, match=r"tool\.z"):
        arm.response(Q, of="tool.zz", to="tool.z", frequency=1.0)
    with pytest.raises(Unsupported, match="lockd"):
        arm.stress(Q, drives="lockd")
    for ask in (arm.compliance, arm.deflection, arm.stress, arm.ellipsoid):
        with pytest.raises(Unsupported, match="nobody holds the joints"):
            ask(Q, drives="free")
    with pytest.raises(Unsupported, match="no bounds"):
        arm.response(Q, of="tool.z", to="tool.z", frequency=0.0)
    for drives in ("held", "locked"):  # the drive would push against what holds it
        with pytest.raises(Unsupported, match="'elbow_joint' is held"):
            arm.response(Q, of="elbow_joint", to="tool.z", frequency=1.0, drives=drives)
    for k in (0, -1, 2.5):
        with pytest.raises(Unsupported, match="one or more"):
            arm.modes(Q, k)
    for q in (np.array([Q, Q]), np.nan * np.array(Q)):
        with pytest.raises(ShapeError, match="one posture"):
            arm.modes(q, 1)
    for payload in (-1.0, np.nan, "5", [1.0, 2.0]):
        with pytest.raises(ShapeError, match="payload is"):
            arm.deflection(Q, payload=payload)
    with pytest.raises(ShapeError, match="one for all postures"):
        arm.deflection(Q, gravity=np.zeros((2, 3)))
    with pytest.raises(Unsupported, match="1 to 100"):
        arm.frequencies(Q, by="segments", segments=2.5)


CARRIED = """
[[link]]
name = "end"
joint = "revolute"
position = [{length!r}, 0, 0]
mass = 2.0
inertia = [0.01, 0.02, 0.02]
[[link]]
name = "middle"
parent = "bar"
joint = "revolute"
position = [{at!r}, 0, 0]
mass = 6.0
inertia = [{inertia}, {inertia}, {inertia}]
[tool]
link = "end"
"""


def hung(length=0.8, at=0.4, inertia=0.01, more="modes = 20"):
    """An arm whose beam has something hanging between its ends."""
    beam = f'to = "end"\nsection = {{ bar = ["40 mm", "20 mm"] }}\nup = [0, 0, 1]\nmaterial = "aluminium"\n{more}'
    text = with_a_bar("hung", beam, CARRIED.format(length=length, at=at, inertia=inertia))
    return Arm(parse_arm_file(text, "hung.toml")).elastic


def test_segments_carry_what_rides_between_the_ends():
    """A link that hangs in the middle of a beam swings with it; on its clamped end it would weigh nothing."""
    arm = hung()
    found = np.array([arm.frequencies(np.zeros(3), by="segments", segments=k)[:3] for k in (8, 16)])
    limit = (4.0 * found[1] - found[0]) / 3.0
    np.testing.assert_allclose(limit, arm.frequencies(np.zeros(3))[:3], rtol=2e-4)


@pytest.mark.parametrize(("elements", "node", "segments"), [(6, 5, 3), (8, 4, 3), (6, 1, 3), (4, 3, 2)])
def test_what_rides_on_a_hinge_rides_on_the_same_side(elements, node, segments):
    """However long the beam is: a length that differs by 1e-9 m gave frequencies that differ by a fifth."""
    for length in (0.3, 0.6, 0.7, 0.8, 0.9, 1.1):
        found = [
            hung(x, x * node / elements, 0.5, f"modes = 12\nelements = {elements}").frequencies(
                np.zeros(3), by="segments", segments=segments
            )
            for x in (length, length + 1e-9, length - 1e-9)
        ]
        np.testing.assert_allclose(found[1:], [found[0]] * 2, rtol=1e-6)


def test_where_much_is_bent_is_told_in_link_axes():
    """The axis is y, so that the axes of the joint are not those of the link."""
    beam = 'section = { rod = ["4 mm"] }\nmaterial = "aluminium"'
    text = with_a_bar("soft", beam, "[tool]\nposition = [1, 0, 0]", axis="0, 1, 0")
    with pytest.warns(LargeDeflection, match=r"bar bends by \S+ m at \(1, 0, 0\) m"):
        Arm(parse_arm_file(text, "soft.toml")).elastic.deflection([0.0], payload=1.0)


def test_a_spring_that_moves_no_mass_has_no_frequency():
    """It gave 1e10 Hz of rounding, and a program on such an arm ended in a singular matrix."""
    weightless = '[[link]]\njoint = "revolute"\nposition = [0.5, 0, 0]\nmass = 0.0\ncompliance = { stiffness = 1000 }'
    text = with_a_bar("bare", 'section = { rod = ["20 mm"] }\nmaterial = "aluminium"', weightless)
    arm = Arm(parse_arm_file(text, "bare.toml")).elastic
    assert arm.frequencies(np.zeros(2))[0] > 0.0
    still = np.zeros((3, 2))
    for ask in (
        lambda: arm.frequencies(np.zeros(2), drives="held"),
        lambda: torsor.elastic.follow(arm, 1e-3 * np.arange(3), still, still, still),
    ):
        with pytest.raises(ModelError, match=r"^frequencies of 'bare': 'joint2.spring' moves no mass"):
            ask()


def test_what_moves_no_mass_is_named_whoever_asks():
    """`modes` ended in LAPACK's words, and postures and segments in other ones than `frequencies`."""
    weightless = '[[link]]\njoint = "revolute"\nposition = [0.5, 0, 0]\nmass = 0.0\ncompliance = { stiffness = 1000 }'
    text = with_a_bar("bare", 'section = { rod = ["20 mm"] }\nmaterial = "aluminium"', weightless)
    arm, q = Arm(parse_arm_file(text, "bare.toml")).elastic, np.array([0.3, 0.4])
    for drives, name in (("held", "joint2.spring"), ("free", "joint2")):
        for ask in (
            lambda drives: arm.frequencies(q, drives=drives),
            lambda drives: arm.frequencies(np.array([[np.nan, 0.0], q, q]), drives=drives),
            lambda drives: arm.frequencies(q, drives=drives, by="segments"),
            lambda drives: arm.at(q, drives=drives).frequencies,
            lambda drives: arm.modes(q, drives=drives),
        ):
            with pytest.raises(ModelError, match=rf"^frequencies of 'bare': '{name}' moves no mass; give what swings"):
                ask(drives)


def test_a_posture_that_is_not_finite_has_no_frequencies(ur5):
    for by in ("modes", "segments"):
        found = ur5.frequencies(np.array([Q, np.nan * Q]), by=by, segments=1)
        assert np.isfinite(found[0]).all()
        assert np.isnan(found[1]).all()


@pytest.mark.parametrize("angle", [0.3, 1.0, 1.7, 2.4])
def test_a_loop_that_nobody_holds_has_no_bounds_at_rest(angle):
    """Whatever rounding leaves of its stiffness, it was 4.5e8 or -1e9 m/N; and it moves as one that is rigid does."""
    arm, q = bending_fourbar(modes=4), np.array([angle])
    asked = {"of": "tool.x", "to": "tool.x"}
    for frequency in (0.0, [10.0, 0.0]):
        with pytest.raises(Unsupported, match="has no bounds"):
            arm.elastic.response(q, frequency=frequency, **asked)
    w = np.array([1e-3, 1e-2, 1e-1])
    slow = -w * w * arm.elastic.response(q, frequency=w, **asked)
    np.testing.assert_allclose(slow, slow[0], rtol=1e-5)  # w^2 beside the lowest frequency, squared
    push = arm.jacobian(q)[0, 0]
    assert slow[0].real == pytest.approx(push**2 / arm.mass_matrix(q)[0, 0], rel=1e-3)  # rods count with their modes


@pytest.mark.parametrize("angle", [0.3, 0.7, 1.1])
def test_a_plane_loop_that_stands_askew_is_the_same(angle):
    """Rounding leaves a little of the equations that links in a plane cannot break: it held all of them."""
    axis = f"[0, {-float(np.sin(angle))!r}, {float(np.cos(angle))!r}]"
    upright = fourbar_text(modes=1)
    text = upright.replace("axis = [0, 0, 1]", f"axis = {axis}").replace("up = [0, 0, 1]", f"up = {axis}")
    for x in ("0.50", "0.40"):  # the ends of the loop
        assert f"position = [{x}, 0, 0] }}" in text
        text = text.replace(f"position = [{x}, 0, 0] }}", f"position = [{x}, 0, 0], rpy = [{angle}, 0, 0] }}")
    arms = [Arm(parse_arm_file(each, "fourbar.toml")).elastic for each in (upright, text)]
    steps = 1e-3 * np.arange(4)
    for q in (0.3, 1.0, 1.7):
        right, askew = (arm.frequencies([q]) for arm in arms)
        assert len(right) == 2
        np.testing.assert_allclose(askew, right, rtol=1e-9)
        bent = [arm.deflection([q], gravity=[-9.81, 0.0, 0.0]) for arm in arms]
        np.testing.assert_allclose(bent[1].loops["rocker pin"], bent[0].loops["rocker pin"], rtol=1e-6, atol=1e-9)
        right, askew = (each.nodes["coupler"][:, 0] for each in bent)  # along x, which all planes have
        np.testing.assert_allclose(askew, right, atol=1e-9 * np.abs(right).max())
        way = np.full((4, 1), q), np.zeros((4, 1)), np.zeros((4, 1))
        swings = [torsor.elastic.follow(arm, steps, *way) for arm in arms]
        assert swings[0].arm.kept == swings[1].arm.kept


def test_a_resonance_that_nothing_damps_has_no_bounds():
    arm = bending_fourbar(modes=4, damping=0.0).elastic
    held, asked = arm.at([1.0], drives="locked"), {"of": "tool.z", "to": "tool.z", "drives": "locked"}
    w = 2.0 * np.pi * held.frequencies[0]
    for near in (1.0, 1.0 + 1e-15, 1.0 - 1e-14):
        with pytest.raises(Unsupported, match="has no bounds"):
            arm.response([1.0], frequency=w * near, **asked)
    assert np.isfinite(arm.response([1.0], frequency=w * (1.0 + 1e-9), **asked))


def test_no_mode_below_is_said_with_its_link():
    text = (Path(torsor.__file__).parent / "model" / "library" / "elastic-arm2.toml").read_text()
    arm = Arm(parse_arm_file(text.replace("modes = 3", 'below = "0.01 Hz"'), "slow.toml"))
    with pytest.raises(ModelError, match=r"^the beam of link 'upper': no mode lies below 0.01 Hz: .* modes instead"):
        arm.elastic.frequencies([0.0, 0.0])


def test_a_beam_that_carries_an_inertia_of_no_body_is_refused():
    """Published data may be accepted as they are; what has no mass in some direction has no frequency."""
    arm = torsor.load("rl15-elastic")
    tip = arm.model.links[5]
    wrong = Mass(tip.mass.mass, tip.mass.com, np.diag([0.273, 0.272, -72297.1]))
    links = (*arm.model.links[:5], replace(tip, mass=wrong))
    bad = Arm(replace(arm.model, links=links, allow_nonphysical=True))
    with pytest.raises(ModelError, match="no mass in some direction, or far less; are sections and densities right"):
        bad.elastic.frequencies(np.zeros(6))
