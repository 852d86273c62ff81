"""Bearings that tilt, against closed forms and against the same arm with two more joints written out."""

import numpy as np
import pytest

import torsor
from torsor.elastic.swinging import follow

HEAD = 'name = "arm"\nframes = "placements"\ngravity = [0, 0, -9.81]\n'
TILT = "tilt = [4e4, 9e4]\ntilt_damping = [3, 5]\n"
BODY = "mass = 6\ncom = [0.4, 0.1, 0.05]\ninertia = [0.2, 0.3, 0.4, 0.01, 0.02, -0.03]\n"
BEAM = '[link.beam]\nsection = { tube = ["60 mm", "3 mm"] }\nmaterial = "aluminium"\nmodes = 3\n'
TOOL = "[tool]\nposition = [0.5, 0, 0]\npayload = { mass = 2, com = [0.1, 0.05, 0.02] }\n"


def written(folder, name, text):
    path = folder / f"{name}.toml"
    path.write_text(text)
    return path


def load(folder, text):
    return torsor.load(written(folder, "arm", text)).elastic


def link(name, more="", kind="revolute", position="[0, 0, 0]", axis="[0, 0, 1]", rpy="[0, 0, 0]"):
    place = f"position = {position}\nrpy = {rpy}\naxis = {axis}\n"
    return f'[[link]]\nname = "{name}"\njoint = "{kind}"\n{place}{more}'


def massless(name, axis, k, d, **place):
    """A joint that is what a bearing does about one axis, with nothing behind it."""
    return link(name, f"mass = 0\n[link.compliance]\nstiffness = {k}\ndamping = {d}\n", axis=axis, **place)


def test_a_moment_tilts_it_by_moment_over_stiffness(tmp_path):
    arm = load(tmp_path, HEAD + link("one", BODY + "[link.compliance]\n" + TILT) + TOOL)
    C = arm.compliance([0.0])
    np.testing.assert_allclose(C[3:, 3:], np.diag([1 / 4e4, 1 / 9e4, 0.0]), atol=1e-20)
    assert C[2, 2] == pytest.approx(0.5**2 / 9e4, rel=1e-12)  # half a metre out, up by L^2 / ky
    np.testing.assert_allclose(arm.compliance([np.pi / 2])[2, 2], 0.5**2 / 4e4, rtol=1e-12)  # the bearing stays
    moment = 9.81 * (6 * 0.4 + 2 * 0.6)
    bent = arm.deflection([0.0])
    assert bent.springs["joint1.tilt_y"] == pytest.approx(moment / 9e4, rel=1e-12)
    assert bent.springs["joint1.tilt_x"] == pytest.approx(-9.81 * (6 * 0.1 + 2 * 0.05) / 4e4, rel=1e-12)
    slow = arm.response([0.0], of="tool.z", to="tool.z", frequency=0.0, drives="locked")
    assert slow.real == pytest.approx(C[2, 2], rel=1e-12)


def test_a_rigid_link_swings_with_the_root_of_stiffness_over_inertia(tmp_path):
    body = "mass = 6\ncom = [0.4, 0, 0]\ninertia = [0.2, 0.3, 0.4]\n"
    arm = load(tmp_path, HEAD + link("one", body + "[link.compliance]\ntilt = [4e4, 9e4]\n"))
    right = np.sqrt([4e4 / 0.2, 9e4 / (0.3 + 6 * 0.16)]) / (2 * np.pi)
    for drives in ("locked", "held"):
        np.testing.assert_allclose(arm.frequencies([0.7], drives=drives), np.sort(right_at(0.7, right)), rtol=1e-12)
    first = arm.modes([0.0], 1)[0]
    assert first.shares == {"joint1.tilt_x": 0.0, "joint1.tilt_y": 100.0}
    assert str(first) == f"{right[1]:.4g} Hz: joint1.tilt_y 100 %"
    free = arm.frequencies([0.0], drives="free")
    assert free[0] < 1e-6
    np.testing.assert_allclose(free[1:], np.sort(right), rtol=1e-12)


def right_at(q, at_zero):
    """Where link and bearing are turned against each other: of the inertia in the axes of the bearing."""
    if q == 0.0:
        return at_zero
    c, s = np.cos(q), np.sin(q)
    R = np.array([[c, -s], [s, c]])
    M = R @ np.diag([0.2, 0.3 + 6 * 0.16]) @ R.T
    return np.sqrt(np.linalg.eigvals(np.linalg.solve(M, np.diag([4e4, 9e4]))).real) / (2 * np.pi)


def written_out(kind, stiffness, beams=(BEAM, BEAM)):
    """Both ways to say it: with a tilt, and with two joints more. On a beam, with a beam, turned and displaced."""
    given = {"position": "[0.3, 0, 0]", "rpy": "[0.3, -0.2, 0.5]"}
    spring = f"[link.compliance]\nstiffness = {stiffness}\ndamping = 2\n"
    first = HEAD + link("one", BODY + beams[0])
    tilts = first + link("two", BODY + spring + TILT + beams[1], kind=kind, **given) + TOOL
    joints = first + massless("across", "[1, 0, 0]", 4e4, 3, **given) + massless("over", "[0, 1, 0]", 9e4, 5)
    return tilts, joints + link("two", BODY + spring + beams[1], kind=kind) + TOOL


@pytest.mark.parametrize(("kind", "stiffness"), [("revolute", 2e4), ("prismatic", 4e5)])
def test_it_is_two_joints_more(tmp_path, kind, stiffness):
    tilts, joints = (load(tmp_path, text) for text in written_out(kind, stiffness))
    for q in ([0.4, 0.2], [-1.0, -0.1]):
        more = [q[0], 0.0, 0.0, q[1]]
        found, right = tilts.frequencies(q, drives="held"), joints.frequencies(more, drives="held")
        np.testing.assert_allclose(found, right, rtol=1e-9)
        scale = np.abs(tilts.compliance(q)).max()
        np.testing.assert_allclose(tilts.compliance(q), joints.compliance(more), atol=1e-11 * scale)
        push = [10.0, -20.0, 30.0, 1.0, 2.0, 3.0]
        ours, theirs = tilts.deflection(q, wrench=push), joints.deflection(more, wrench=push)
        np.testing.assert_allclose(ours.tool, theirs.tool, rtol=1e-9)
        np.testing.assert_allclose(ours.nodes["two"], theirs.nodes["two"], rtol=1e-9, atol=1e-15)
        asked = {"of": "tool.y", "to": "tool.z", "frequency": [1.0, 80.0, 300.0], "drives": "held"}
        np.testing.assert_allclose(tilts.response(q, **asked), joints.response(more, **asked), rtol=1e-8)
        cut = [arm.frequencies(x, drives="held", by="segments", segments=2) for arm, x in ((tilts, q), (joints, more))]
        np.testing.assert_allclose(*cut, rtol=1e-9)


@pytest.mark.slow
def test_along_a_motion_it_is_two_joints_more(tmp_path):
    tilts, joints = (load(tmp_path, text) for text in written_out("revolute", 2e4, (BEAM, "")))
    t = np.arange(0.0, 0.05, 2e-4)
    w = np.pi / 0.05
    q, qd = 0.02 * np.sin(w * t) ** 3, 0.06 * w * np.sin(w * t) ** 2 * np.cos(w * t)
    qdd = 0.06 * w**2 * (2.0 * np.sin(w * t) * np.cos(w * t) ** 2 - np.sin(w * t) ** 3)
    few = [np.outer(part, [1.0, -0.5]) for part in (q, qd, qdd)]
    more = [np.outer(part, [1.0, 0.0, 0.0, -0.5]) for part in (q, qd, qdd)]
    for fidelity in (1, 2):
        ours, theirs = follow(tilts, t, *few, fidelity), follow(joints, t, *more, fidelity)
        np.testing.assert_allclose(ours.tip, theirs.tip, atol=1e-9 * np.abs(ours.tip).max())


def motor(joint, inertia, carrier):
    rotor = f'{{ inertia = {inertia}, carrier = "{carrier}", axis = [0, 0, 1] }}'
    return f"[[drive]]\nratio = {{ {joint} = 50 }}\nrotor = {rotor}\n"


def test_in_coupled_motion_it_is_a_coordinate(tmp_path):
    """As a rigid arm with two joints more, whose torques are those of the springs; with rotors on base and link."""
    second = link("two", BODY, position="[0.4, 0, 0]") + TOOL
    motors = motor("joint1", 3e-4, "base") + motor("joint2", 2e-4, "one")
    tilts = torsor.load(
        written(tmp_path, "tilts", HEAD + link("one", BODY + "[link.compliance]\n" + TILT) + second + motors)
    )
    assert tilts.elastic.coordinates == ("joint1", "joint2", "joint1.tilt_x", "joint1.tilt_y")
    bare = link("a", "mass = 0\n", axis="[1, 0, 0]") + link("b", "mass = 0\n", axis="[0, 1, 0]")
    motors = motor("joint1", 0.0, "base") + motor("joint2", 0.0, "base")
    motors += motor("joint3", 3e-4, "base") + motor("joint4", 2e-4, "one")
    rigid = torsor.load(written(tmp_path, "rigid", HEAD + bare + link("one", BODY) + second + motors))
    x, xd = np.array([0.2, -0.5, 2e-3, -1e-3]), np.array([3.0, 1.0, 0.2, -0.1])
    order, K, D = [2, 3, 0, 1], np.array([4e4, 9e4]), np.array([3.0, 5.0])
    tau = np.array([5.0, -2.0])
    found = tilts.elastic.forward_dynamics(x, xd, tau)
    right = rigid.forward_dynamics(x[order], xd[order], [*(-K * x[2:] - D * xd[2:]), *tau])
    np.testing.assert_allclose(found[order], right, rtol=1e-10)

    def springs(t, q, qd):
        return np.concatenate([-K * q[:2] - D * qd[:2], tau + 0.0 * q[2:]])

    asked = {
        "until": 0.02,
        "dt": 1e-4,
        "integrator": "rk4",
        "torques": "joint",
        "saturation": False,
        "limits": "ignore",
    }
    bent = {"eta0": x[2:], "etad0": xd[2:], "elastic": True}
    ours = torsor.simulate(tilts, lambda t, q, qd: tau + 0.0 * q, q0=x[:2], qd0=xd[:2], **bent, **asked)
    theirs = torsor.simulate(rigid, springs, q0=x[order], qd0=xd[order], **asked)
    np.testing.assert_allclose(ours.q[-1], theirs.q[-1][2:], rtol=1e-9)
    np.testing.assert_allclose(ours.eta[-1], theirs.q[-1][:2], atol=1e-9 * np.abs(theirs.q[:, :2]).max())


def test_a_stiff_bearing_is_a_rigid_one(tmp_path):
    text, _ = written_out("revolute", 2e4)
    rigid = load(tmp_path, text.replace(TILT, ""))
    q, gaps = [0.4, 0.2], []
    for share in (1e3, 1e6):
        arm = load(tmp_path, text.replace("tilt = [4e4, 9e4]", f"tilt = [{4e4 * share}, {9e4 * share}]"))
        found = arm.frequencies(q, drives="held")[: len(rigid.frequencies(q, drives="held"))]
        gaps.append(np.abs(found / rigid.frequencies(q, drives="held") - 1.0)[:3].max())
    assert gaps[1] < 1e-6
    assert gaps[0] / gaps[1] == pytest.approx(1e3, rel=0.05)  # as one over the stiffness
