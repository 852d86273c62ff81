"""Joint rates and accelerations for the tool's motion, against J qd and against inverse kinematics along paths."""

from __future__ import annotations

import numpy as np
import pytest

from torsor import load
from torsor.errors import ShapeError
from wrist_arms import wrist_arm

ARMS = ["puma560", "irb140", "rl15", "stanford", "ur5", "panda", "scara"]


def motions(arm, count=500):
    rng = np.random.default_rng(4)
    low, high = arm._solver.search.low, arm._solver.search.high
    return rng.uniform(low, high, (count, arm.n)), *rng.uniform(-1.0, 1.0, (2, count, arm.n))


def times(J, qd):
    return (J @ qd[..., None])[..., 0]


@pytest.mark.parametrize("name", ARMS)
def test_rates_give_the_twist_back(name):
    arm = load(name)
    q, qd, qdd = motions(arm)
    J = arm.jacobian(q)
    smallest = np.linalg.svd(J, compute_uv=False)[:, -1]
    regular = smallest > 1e-2
    q, qd, qdd, J = q[regular], qd[regular], qdd[regular], J[regular]
    twist, twist_dot = times(J, qd), times(J, qdd) + arm.jacobian_dot_qd(q, qd)
    rates = arm.inverse_velocity(q, twist, damping=0.0)
    accelerations = arm.inverse_acceleration(q, qd, twist_dot, damping=0.0)
    assert np.abs(times(J, rates) - twist).max() < 1e-10
    assert np.abs(times(J, accelerations) + arm.jacobian_dot_qd(q, qd) - twist_dot).max() < 1e-10
    if arm.n <= 6:
        assert np.abs(rates - qd).max() < 1e-10
        assert np.abs(accelerations - qdd).max() < 1e-10
    else:
        assert (np.linalg.norm(rates, axis=-1) <= np.linalg.norm(qd, axis=-1) + 1e-12).all()


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("third", ["revolute", "prismatic"])
def test_rates_of_random_wrist_arms(seed, third):
    arm = wrist_arm(seed, third=third)
    assert arm._rates.is_closed_form
    q, qd, _ = motions(arm)
    J = arm.jacobian(q)
    regular = np.linalg.svd(J, compute_uv=False)[:, -1] > 1e-2
    q, qd, J = q[regular], qd[regular], J[regular]
    assert np.abs(arm.inverse_velocity(q, times(J, qd), damping=0.0) - qd).max() < 1e-10


@pytest.mark.parametrize("name", ["puma560", "rl15", "stanford", "asea-irb"])
def test_rates_are_the_derivatives_of_inverse_kinematics(name):
    """A smooth path of poses, solved by inverse kinematics alone; its differences in time are the rates."""
    arm = load(name)
    solver = arm._solver
    chain = list(solver.geometry.chain.sources)
    middle = {
        "puma560": [0.2, 0.5, -0.4, 0.6, 0.8, -0.5],
        "rl15": [0.3, -0.4, 0.5, 0.6, 0.9, 0.3],
        "stanford": [0.2, 0.6, 0.8, 0.4, 0.7, -0.3],
        "asea-irb": [0.4, 1.5, 2.0, 0.3, 1.2, 0.5],
    }[name]
    t = np.linspace(-1.0, 1.0, 2001)
    h = t[1] - t[0]
    joints = np.zeros((len(t), solver.tree.n))
    joints[:, chain] = np.array(middle) + 0.2 * np.sin(t[:, None] * np.arange(1, 7) / 3 + np.arange(6))
    T = arm.tree.pose(joints)
    q0 = min(
        arm.inverse_kinematics(T[0]), key=lambda q: np.abs(q[:2] - joints[0, :2]).max() + np.abs(q[3] - joints[0, 4])
    )
    q = arm.inverse_kinematics(T, nearest=q0, limits=False)

    def slope(x):
        """Fourth order, at all points but two at either end."""
        return (8.0 * (x[3:-1] - x[1:-3]) - (x[4:] - x[:-4])) / (12.0 * h)

    Rd = slope(T[:, :3, :3])
    W = Rd @ np.swapaxes(T[2:-2, :3, :3], -1, -2)
    twist = np.concatenate([slope(T[:, :3, 3]), np.stack([W[:, 2, 1], W[:, 0, 2], W[:, 1, 0]], axis=-1)], axis=-1)
    qd = arm.inverse_velocity(q[2:-2], twist)
    assert np.abs(qd - slope(q)).max() < 1e-8
    qdd = arm.inverse_acceleration(q[4:-4], qd[2:-2], slope(twist))
    assert np.abs(qdd - slope(slope(q))).max() < 1e-6


@pytest.mark.parametrize(
    ("name", "singular"),
    [
        ("puma560", [0.2, 0.5, -0.4, 0.6, 0.0, -0.5]),  # wrist straight
        ("irb140", [0.2, 0.5, -np.pi / 2, 0.6, 0.7, -0.5]),  # elbow stretched
        ("ur5", [0.2, -0.5, 0.0, 0.6, 0.7, -0.5]),  # elbow stretched
        ("panda", [0.0, 0.0, 0.0, -0.5, 0.0, 0.5, 0.0]),  # singular all along
    ],
)
def test_rates_fade_smoothly_at_singular_places(name, singular):
    """Through a singular configuration rates stay bounded, without steps, and exact away from it."""
    arm = load(name)
    singular = np.array(singular)
    bent = np.linspace(-0.2, 0.2, 4001)
    joint = {"puma560": 4, "irb140": 2, "ur5": 2, "panda": 1}[name]
    q = np.broadcast_to(singular, (len(bent), arm.n)).copy()
    q[:, joint] += bent
    twist = np.array([0.1, -0.2, 0.15, 0.3, 0.2, -0.1])
    rates = arm.inverse_velocity(q, np.broadcast_to(twist, (len(bent), 6)))
    assert np.isfinite(rates).all()
    assert np.abs(rates).max() < 100.0
    assert np.abs(np.diff(rates, axis=0)).max() < 0.05 * np.abs(rates).max()
    regular = np.linalg.svd(arm.jacobian(q), compute_uv=False)[:, -1] > 0.05
    assert np.abs(times(arm.jacobian(q), rates) - twist)[regular].max(initial=0.0) < 1e-9


def test_bad_input():
    arm = load("puma560")
    with pytest.raises(ShapeError, match=r"twist has shape \(5,\)"):
        arm.inverse_velocity(np.zeros(6), np.zeros(5))
    with pytest.raises(ShapeError, match=r"damping is -1; give a number from 0, exact everywhere, to below 1"):
        arm.inverse_velocity(np.zeros(6), np.zeros(6), damping=-1)
    q = np.array([[0.1, 0.2, 0.3, 0.4, 0.5, 0.6], [np.nan] * 6])
    for each in (arm, load("ur5")):
        assert np.isfinite(each.inverse_velocity(q, np.ones(6))).tolist() == [[True] * 6, [False] * 6]
