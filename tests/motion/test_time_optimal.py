"""Time-optimal timing: against closed forms, a published optimum, a linear programme, toppra; and within all limits."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

import torsor
from timed_paths import Straight, Wave, require_within
from torsor.arm import Arm
from torsor.errors import ShapeError, Unsupported
from torsor.model.armfile import parse_arm_file
from torsor.model.parts import Limits
from torsor.motion import Infeasible, Timed, ToolBound, time_optimal
from torsor.motion.curves import Along

WRIST = np.deg2rad([-115.70, 55.70, 68.70, 0, 0, 0])  # the last listed move of Kvrgic & Vidakovic's program


class Reversed:
    def __init__(self, path):
        self.path, self.length = path, path.length

    def at(self, s):
        at = self.path.at(self.length - s)
        return Along(at.q, -at.dq, at.ddq, -at.dddq)


class Joined:
    """One path after the other, with a corner between."""

    def __init__(self, *paths):
        self.paths, self.length = paths, float(sum(path.length for path in paths))

    def at(self, s):
        k = np.clip(np.floor(s).astype(int), 0, len(self.paths) - 1)
        each = [path.at(s - i) for i, path in enumerate(self.paths)]
        return Along(*(np.stack(parts)[k, np.arange(len(s))] for parts in zip(*each, strict=True)))


def random_wave(n, seed, turn=0.1):
    rng = np.random.default_rng(seed)
    start, goal = rng.uniform(-0.8, 0.8, (2, n))
    return Wave(start, goal, turn * rng.normal(size=n), rng.uniform(2.0, 12.0, n))


def driven(text="", *, curve="", friction=""):
    """Two links behind gears."""
    motors = "".join(
        f"""
[[drive]]
ratio = {{ {ratio} }}
rotor = {{ inertia = {inertia}, carrier = "{carrier}", axis = [0, 0, 1] }}
motor = {{ torque = {torque}, speed = 400.0{curve} }}
friction = {{ side = "motor"{friction} }}
"""
        for ratio, inertia, carrier, torque in (
            ("joint1 = 80.0", 2e-4, "base", 0.9),
            ("joint1 = 2.0, joint2 = -60.0", 1e-4, "link1", 0.4),
        )
    )
    links = "".join(
        '[[link]]\njoint = "revolute"\na = 1.0\nmass = 1.0\ncom = [-0.5, 0, 0]\ninertia = [0, 0.0833, 0.0833]\n'
        for _ in range(2)
    )
    return Arm(
        parse_arm_file('name = "driven2"\nframes = "standard-dh"\ngravity = [0, -9.81, 0]\n' + links + motors + text)
    )


def without_accelerations(arm):
    links = tuple(
        replace(link, joint=replace(link.joint, limits=replace(link.joint.limits, acceleration=None)))
        for link in arm.model.links
    )
    return Arm(replace(arm.model, links=links))


@pytest.fixture(scope="module")
def rl15():
    return torsor.load("rl15")


# closed forms


def test_bang_bang_without_a_speed_limit():
    """1 rad at 4 rad/s^2 from rest to rest takes 2 sqrt(1/4) s."""
    timed = time_optimal(torsor.load("planar2"), Straight([0, 0], [1, 0.5]), acceleration=4.0)
    assert_allclose(timed.duration, 1.0, rtol=1e-5)
    assert_allclose(timed.at([0.25]).q[0], [0.5 * 4 * 0.25**2, 0.25 * 4 * 0.25**2], rtol=1e-4)


def test_trapezoid_with_a_speed_limit():
    timed = time_optimal(torsor.load("planar2"), Straight([0, 0], [1, 0.5]), speed=1.0, acceleration=4.0)
    assert_allclose(timed.duration, 1.25, rtol=1e-5)
    assert set(timed.shares()) == {"speed of joint1", "acceleration of joint1"}


def test_speeds_at_the_ends():
    """From 0.6 to 0.8 rad/s at 4 rad/s^2 over 1 rad, peak v: v^2 = (2 a d + v0^2 + v1^2) / 2."""
    timed = time_optimal(
        torsor.load("planar2"), Straight([0, 0], [1, 0.5]), acceleration=4.0, start_speed=0.6, end_speed=0.8
    )
    peak = np.sqrt((2 * 4 + 0.36 + 0.64) / 2)
    assert_allclose(timed.duration, (peak - 0.6) / 4 + (peak - 0.8) / 4, rtol=1e-5)
    assert_allclose(timed.at([0.0, timed.duration]).qd[:, 0], [0.6, 0.8], rtol=1e-9)


def test_pendulum_by_its_energy():
    """One link against gravity with torque u: x = sd^2 follows from energy, I x / 2 = u s - m g l (1 - cos s) + ..."""
    text = 'name = "pendulum"\nframes = "standard-dh"\ngravity = [0, -9.81, 0]\n[[link]]\njoint = "revolute"\na = 1.0\n'
    text += 'offset = "-90 deg"\nmass = 1.0\ncom = [0, 0, 0]\ninertia = [0.1, 0.1, 0.2]\nlimits = { torque = 14.0 }\n'
    arm = Arm(parse_arm_file(text))
    timed = time_optimal(arm, Straight([0.0], [1.5]), points=1000)
    u, weight, inertia, goal = 14.0, 9.81, 1.2, 1.5

    def rising(s):  # accelerating from rest at 0
        return 2 / inertia * (u * s - weight * (1 - np.cos(s)))

    def falling(s):  # braking to rest at the goal
        return 2 / inertia * (u * (goal - s) + weight * (np.cos(s) - np.cos(goal)))

    s = goal * timed.s
    assert_allclose(goal**2 * timed.x, np.minimum(rising(s), falling(s)), rtol=2e-4, atol=1e-4)
    from scipy.integrate import quad
    from scipy.optimize import brentq

    switch = brentq(lambda s: rising(s) - falling(s), 0.1, 1.49)
    up = quad(lambda r: 2 * r / np.sqrt(rising(r * r)), 0, np.sqrt(switch))[0]  # s = r^2 takes the pole away
    down = quad(lambda r: 2 * r / np.sqrt(falling(goal - r * r)), 0, np.sqrt(goal - switch))[0]
    assert_allclose(timed.duration, up + down, rtol=1e-5)


# a published optimum

TWO_LINKS = """
name = "two links"
frames = "standard-dh"
gravity = [0, -9.81, 0]
[[link]]
joint = "revolute"
a = 1.0
mass = 1.0
com = [-0.5, 0, 0]
inertia = [0.5, 0.5, 0.5]
limits = { torque = 30.0 }
[[link]]
joint = "revolute"
a = 1.0
mass = 2.0
com = [-0.5, 0, 0]
inertia = [0.5, 0.5, 0.5]
limits = { torque = 15.0 }
"""


class Line:
    """The tool from (0, 1.5) to (1.5, 0), elbow of the positive angle."""

    length = 1.0

    def __init__(self, arm):
        self.arm = arm

    def at(self, s):
        y = np.stack([1.5 * s, 1.5 * (1 - s)], axis=-1)
        c = (y**2).sum(axis=-1) / 2 - 1
        q2 = np.arccos(c)
        q = np.stack([np.arctan2(y[:, 1], y[:, 0]) - np.arctan2(np.sin(q2), 1 + c), q2], axis=-1)
        J = self.arm.jacobian(q)[:, :2]
        dq = np.linalg.solve(J, np.broadcast_to([1.5, -1.5], q.shape)[..., None])[..., 0]
        ddq = -np.linalg.solve(J, self.arm.jacobian_dot_qd(q, dq)[:, :2, None])[..., 0]
        return Along(q, dq, ddq, np.full_like(q, np.nan))


def test_published_optimum_of_two_links():
    """Rockit's example of path following (MECO, KU Leuven; after Debrouwere's thesis), solved there with Ipopt.

    Its transit times are 0.82841, 0.83293 and 0.83357 s with 100, 1000 and 5000 intervals, held at their ends only,
    from where they rise towards the optimum. The tool begins with 1 m/s and ends as it will.
    """
    arm = Arm(parse_arm_file(TWO_LINKS))
    begin = 1 / np.hypot(1.5, 1.5)
    times = [
        time_optimal(arm, Line(arm), start_speed=begin, end_speed=None, points=p).duration for p in (500, 1000, 4000)
    ]
    assert_allclose(times[-1], 0.83357, rtol=1e-3)
    assert_allclose(times, times[-1], rtol=4e-4)


def test_second_order_of_the_grid():
    """Halving the intervals takes a quarter of the error, where nothing switches."""
    arm = Arm(parse_arm_file(TWO_LINKS))
    begin = 1 / np.hypot(1.5, 1.5)
    t = [
        time_optimal(arm, Line(arm), start_speed=begin, end_speed=None, points=p).duration
        for p in (250, 500, 1000, 2000)
    ]
    differences = -np.diff(t)
    assert (differences[:-1] / differences[1:] > 2.5).all(), differences


# independent optimal control


def by_linear_programme(arm, path, points, speed=None):
    """max sum x over a grid by linear programming: for rows linear in (x, a) that is the fastest motion (Verscheure).

    sdd is constant between grid points, and rows hold in the middles.
    """
    from scipy.optimize import linprog
    from scipy.sparse import lil_matrix

    s = np.linspace(0.0, path.length, points + 1)
    h = s[1] - s[0]
    at = path.at(0.5 * (s[:-1] + s[1:]))
    still, none = np.zeros_like(at.q), np.zeros(3)
    A = arm.inverse_dynamics(at.q, still, at.dq, gravity=none)
    B = arm.inverse_dynamics(at.q, at.dq, at.ddq, gravity=none)
    C = arm.gravity(at.q)
    most = np.array([link.joint.limits.torque for link in arm.model.independent])
    n = A.shape[1]
    rows, right = lil_matrix((2 * n * points, points + 1)), np.zeros(2 * n * points)
    for i in range(points):
        for j in range(n):
            near, far = B[i, j] / 2 - A[i, j] / (2 * h), B[i, j] / 2 + A[i, j] / (2 * h)
            for side, sign in enumerate((1.0, -1.0)):
                k = 2 * (i * n + j) + side
                rows[k, i], rows[k, i + 1] = sign * near, sign * far
                right[k] = most[j] - sign * C[i, j]
    cap = np.inf if speed is None else (speed / np.abs(path.at(s).dq).max(axis=1)) ** 2
    upper = np.broadcast_to(cap, points + 1).copy()
    upper[[0, -1]] = 0.0
    solved = linprog(-np.ones(points + 1), rows.tocsr(), right, bounds=np.column_stack([np.zeros(points + 1), upper]))
    assert solved.status == 0, solved.message
    rate = np.sqrt(solved.x)
    return float((2 * h / (rate[:-1] + rate[1:])).sum())


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_same_as_a_linear_programme(seed):
    arm = Arm(parse_arm_file(TWO_LINKS))
    path = random_wave(2, seed)
    path.line.start += [np.pi / 2, 0.0]  # upright, where both can be held
    timed = time_optimal(arm, path, points=1000)
    assert_allclose(timed.duration, by_linear_programme(arm, path, 1000), rtol=1e-3)


# within all limits, and not to be improved


@pytest.mark.parametrize("accelerations", [True, False])
@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(k, marks=pytest.mark.slow) for k in (2, 3))])
def test_rl15_within_all_limits(rl15, seed, accelerations):
    arm = rl15 if accelerations else without_accelerations(rl15)
    timed = time_optimal(arm, random_wave(6, seed), points=300)
    assert timed.excess <= 1e-7
    assert timed.slowed == 1.0
    require_within(arm, timed)


def test_rl15_faster_than_the_published_law(rl15):
    """The move of the paper at its law, and at what its motors can do under the same wrench."""
    wrench = np.array([-100.0, -100.0, -150.0, 0, 0, 0])
    path = Straight(np.zeros(6), WRIST)
    distance, a, v = abs(WRIST[0]), 3.75, 2.74
    v = min(v, np.sqrt(distance * a))
    published = distance / v + v / a
    timed = time_optimal(rl15, path, wrench=wrench, acceleration=np.inf)
    assert timed.duration < 0.75 * published
    require_within(without_accelerations(rl15), timed, wrench=wrench)


FRICTION = (
    ", viscous = 0.0004, coulomb = [0.03, 0.02]",
    ", viscous = 0.0004, coulomb = 0.03, load = 0.2",
    ", coulomb = 0.02, starting = 0.05, stribeck = 15.0, load = 0.1",
)
CURVES = (
    "",
    ", curve = [[0, 1.0], [150, 0.9], [300, 0.3], [420, 0.1]]",
    ", torque_constant = 0.05, resistance = 0.9, voltage = 24.0",
)


@pytest.mark.parametrize(
    ("friction", "curve"),
    [
        pytest.param(friction, curve, marks=[pytest.mark.slow] * (i != k), id=f"{i}-{k}")
        for i, friction in enumerate(FRICTION)
        for k, curve in enumerate(CURVES)
    ],
)
def test_friction_and_curves(friction, curve):
    arm = driven(curve=curve, friction=friction)
    for seed in (0, 5):
        path = random_wave(2, seed, turn=0.3)
        path.line.start += [1.3, 0.0]
        timed = time_optimal(arm, path, points=300)
        assert timed.excess <= 1e-7
        require_within(arm, timed)
        tight = timed.slack[(timed.s[:-1] > 0.02) & (timed.s[1:] < 0.98)]
        assert np.median(np.abs(tight)) < 1e-4  # something holds it back nearly everywhere


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(0, 3), st.floats(0.0, 0.5))
def test_random_paths(seed, which, turn):
    """No limit is exceeded ten times as finely, and nearly everywhere one is met."""
    arm = (torsor.load("rl15"), driven(friction=FRICTION[0]), driven(friction=FRICTION[1], curve=CURVES[1]), driven())[
        which
    ]
    path = random_wave(arm.n, seed, turn)
    try:
        timed = time_optimal(arm, path, points=200)
    except Infeasible:
        held = arm.drives.torques(*(path.at(np.linspace(0, 1, 400))[0:1] + (np.zeros((400, arm.n)),) * 2))
        assert np.abs(held / [d.motor.torque for d in arm.model.drives]).max() > 0.5  # with friction that is too much
        return
    require_within(arm, timed)
    assert timed.slowed < 1.0 + 1e-4
    tight = np.abs(timed.slack) < 1e-2
    assert np.diff(timed.time)[tight].sum() > 0.8 * timed.duration
    finer = time_optimal(arm, path, points=1000)
    assert finer.duration <= timed.duration * (1 + 1e-4)
    missed = timed.duration - finer.duration
    if missed > 2e-2 * timed.duration:  # then for want of points alone: what is missed falls with their distance
        assert finer.duration - time_optimal(arm, path, points=5000).duration < 0.3 * missed


def test_joint_torques_with_friction_of_the_joints():
    model = torsor.load("planar2").model
    limits = (Limits(torque=60.0), Limits(torque=25.0))
    from torsor.model.parts import JointFriction

    links = tuple(
        replace(link, joint=replace(link.joint, limits=limit, friction=JointFriction(viscous=2.0, coulomb=1.5)))
        for link, limit in zip(model.links, limits, strict=True)
    )
    arm = Arm(replace(model, links=links))
    timed = time_optimal(arm, random_wave(2, 8), points=400)
    at = timed.at(np.linspace(0, timed.duration, 5000))
    tau = arm.inverse_dynamics(at.q, at.qd, at.qdd) + 2.0 * at.qd + 1.5 * np.sign(at.qd)
    assert (np.abs(tau) <= np.array([60.0, 25.0]) * (1 + 1e-6)).all()


def test_path_back_takes_as_long(rl15):
    """Without friction and gravity the motion can be run backwards: the reversed path takes the same time."""
    drives = tuple(replace(d, friction=type(d.friction)()) for d in rl15.model.drives)
    arm = Arm(replace(rl15.model, drives=drives))
    path = random_wave(6, 4)
    there, back = (
        time_optimal(arm, p, gravity=np.zeros(3), acceleration=np.inf, points=600).duration
        for p in (path, Reversed(path))
    )
    assert_allclose(there, back, rtol=1e-4)


def test_tool_bounds_on_pieces():
    arm = torsor.load("rl15")
    path = random_wave(6, 3)
    bounds = [ToolBound(0.3, 0.6, speed=0.25), ToolBound(acceleration=1.5), ToolBound(0.5, 1.0, turn=0.4)]
    timed = time_optimal(arm, path, tool=bounds, points=400)
    t = np.linspace(0, timed.duration, 6000)
    at, (s, _, _) = timed.at(t), timed.along(t)
    twist = np.einsum("kij,kj->ki", arm.jacobian(at.q), at.qd)
    linear = np.einsum("kij,kj->ki", arm.jacobian(at.q), at.qdd) + arm.jacobian_dot_qd(at.q, at.qd)
    speed, turn, acceleration = (np.linalg.norm(v, axis=1) for v in (twist[:, :3], twist[:, 3:], linear[:, :3]))
    assert speed[(s > 0.3) & (s < 0.6)].max() <= 0.25 * (1 + 1e-6)
    assert speed.max() > 0.3
    assert turn[s > 0.5].max() <= 0.4 * (1 + 1e-6)
    assert acceleration.max() <= 1.5 * (1 + 1e-6)
    require_within(arm, timed)


# what a motion is


def test_derivatives_are_exact(rl15):
    timed = time_optimal(rl15, random_wave(6, 1), points=200)
    inside = 0.5 * (timed.time[20:180] + timed.time[21:181])
    h = 1e-6 * timed.duration
    before, now, after = timed.at(inside - h), timed.at(inside), timed.at(inside + h)
    for value, slope in (("q", "qd"), ("qd", "qdd"), ("qdd", "qddd")):
        difference = (getattr(after, value) - getattr(before, value)) / (2 * h)
        scale = np.abs(getattr(now, slope)).max()
        assert_allclose(difference, getattr(now, slope), atol=1e-6 * scale, rtol=1e-5)
    assert_allclose(timed.rate(timed.along(inside)[0]), timed.along(inside)[1], rtol=1e-9)


def test_stops_at_corners():
    arm = torsor.load("planar2")
    bent = Joined(Straight([0, 0], [1, 0.5]), Straight([1, 0.5], [0.2, 1.5]))
    timed = time_optimal(arm, bent, acceleration=4.0)
    assert_allclose(timed.stops, [1.0], atol=1e-9)
    assert_allclose(timed.duration, 2 * np.sqrt(1 / 4) * 2, rtol=1e-4)  # 1 rad each, of joint 1 and of joint 2


def test_straight_on_is_no_corner():
    arm = torsor.load("planar2")
    timed = time_optimal(arm, Joined(Straight([0, 0], [1, 0.5]), Straight([1, 0.5], [2, 1.0])), acceleration=4.0)
    assert timed.stops == ()
    assert_allclose(timed.duration, 2 * np.sqrt(2 / 4), rtol=1e-5)


def test_what_holds_it_back(rl15):
    timed = time_optimal(rl15, Straight(np.zeros(6), WRIST), acceleration=np.inf)
    pieces = timed.held_by()
    assert pieces[0][0] == 0.0
    assert pieces[-1][1] == 1.0
    assert {name for _, _, name in pieces} <= set(timed.limits)
    assert "torque of motor3" in timed.shares()
    assert isinstance(timed, Timed)
    assert next(iter(timed.shares())) in repr(timed)


# what cannot be


def test_gravity_that_cannot_be_held():
    arm = Arm(parse_arm_file(TWO_LINKS.replace("torque = 30.0", "torque = 20.0")))
    with pytest.raises(Infeasible, match=r"joint1 cannot hold the arm at s = 0\.\d+ of 1") as caught:
        time_optimal(arm, Straight([np.pi / 2, 0.0], [0.0, 0.0]))
    assert caught.value.limit == "torque of joint1"
    assert 0.0 < caught.value.s <= 1.0


def test_too_fast_at_the_ends():
    arm, path = torsor.load("planar2"), Straight([0, 0], [1, 0.5])
    with pytest.raises(Infeasible, match="begin at speed 3: speed of joint1"):
        time_optimal(arm, path, speed=1.0, start_speed=3.0)
    with pytest.raises(Infeasible, match="cannot begin at speed 3") as caught:
        time_optimal(arm, path, acceleration=4.0, start_speed=3.0)
    assert "2.828" in str(caught.value)  # sqrt(2 * 4 * 1)
    with pytest.raises(Infeasible, match="cannot end at speed 3"):
        time_optimal(arm, path, acceleration=4.0, end_speed=3.0)


def test_bad_arguments():
    arm, path = torsor.load("planar2"), Straight([0, 0], [1, 0.5])
    with pytest.raises(Unsupported, match="nothing limits"):
        time_optimal(arm, path)
    with pytest.raises(ShapeError, match="wrench"):
        time_optimal(arm, path, speed=1.0, acceleration=1.0, wrench=[1.0])
    with pytest.raises(ShapeError, match="above zero"):
        time_optimal(arm, path, speed=-1.0, acceleration=1.0)
    with pytest.raises(ShapeError, match="negative"):
        time_optimal(arm, path, speed=1.0, acceleration=1.0, start_speed=-1.0)
    with pytest.raises(ShapeError, match="outside"):
        time_optimal(arm, path, speed=1.0, acceleration=1.0).at([-1.0])


# toppra, where its assumptions hold: rows linear in sdd and sd^2


def by_toppra(arm, path, points):
    """Torque limits with no other friction than none, and the arm's speeds."""
    import toppra
    import toppra.algorithm
    import toppra.constraint
    from toppra.interpolator import AbstractGeometricPath

    class Geometric(AbstractGeometricPath):
        dof = arm.n
        path_interval = np.array([0.0, path.length])
        waypoints = None

        def __call__(self, s, order=0):
            found = path.at(np.atleast_1d(np.asarray(s, float)))[order]
            return found if np.ndim(s) else found[0]

    def torque(q, qd, qdd):
        return arm.drives.torques(q, qd, qdd, friction=False)

    peaks = np.array([d.motor.torque for d in arm.model.drives])
    limits = np.array([link.joint.limits.speed for link in arm.model.independent])
    constraints = [
        toppra.constraint.JointVelocityConstraint(np.column_stack([-limits, limits])),
        toppra.constraint.JointTorqueConstraint(
            torque, np.column_stack([-peaks, peaks]), np.zeros(arm.n), discretization_scheme=1
        ),
    ]
    grid = np.linspace(0.0, path.length, points + 1)
    toppra.setup_logging("ERROR")
    search = toppra.algorithm.TOPPRA(constraints, Geometric(), gridpoints=grid, parametrizer="ParametrizeConstAccel")
    trajectory = search.compute_trajectory(0, 0)
    return trajectory.duration


@pytest.mark.parametrize("seed", range(3))
def test_same_as_toppra(rl15, seed):
    pytest.importorskip("toppra")
    drives = tuple(
        replace(d, friction=type(d.friction)(), motor=replace(d.motor, speed=None)) for d in rl15.model.drives
    )
    arm = without_accelerations(Arm(replace(rl15.model, drives=drives)))
    path = random_wave(6, seed)
    theirs = by_toppra(arm, path, 500)
    timed = time_optimal(arm, path, points=500)
    require_within(arm, timed)
    assert timed.duration <= theirs * (1 + 1e-3)
    assert_allclose(timed.duration, theirs, rtol=0.02)
