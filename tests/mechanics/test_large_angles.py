"""Joints that turned often: sines and cosines keep their digits, as docs/conventions.md says."""

import numpy as np
import pytest
from mpmath import mp, mpf, nint, pi

import torsor
from torsor.arm import Arm
from torsor.model.armfile import parse_arm_file

SCALES = [1e2, 1e4, 1e6, 1e8, 1e10]
LINK = """
[[link]]
joint = "revolute"
mass = 1.5
com = [-0.1, 0.02, 0.1]
inertia = [0.1, 0.2, 0.25, 0.01, 0.02, 0.03]
a = 0.4
"""
ODD = 'name = "odd"\nframes = "standard-dh"\n' + "".join(
    f'{LINK}alpha = "{alpha} deg"\noffset = "{offset} deg"\n' for alpha, offset in ((70, 20), (-35, -50), (0, 10))
)


def states(n: int, scale: float):
    """Large angles, and the same less their whole turns, in sixty digits."""
    rng = np.random.default_rng(0)
    q = rng.uniform(0.5, 1.0, (40, n)) * rng.choice([-scale, scale], (40, n))
    with mp.workdps(60):
        turn = 2 * pi
        near = [[float(mpf(x) - turn * nint(mpf(x) / turn)) for x in row] for row in q.tolist()]
    return q, np.array(near)


def lost(arm, q, near) -> float:
    """The largest difference of mass matrices and of gravity, in their largest entries."""
    pairs = [(what(q), what(near)) for what in (arm.mass_matrix, arm.gravity)]
    return max(np.abs(a - b).max() / np.abs(b).max() for a, b in pairs)


@pytest.mark.parametrize("name", ["puma560", "ur5"])
def test_quarter_turns_cost_no_digit(name):
    arm = torsor.load(name)
    for scale in SCALES:
        q, near = states(arm.n, scale)
        assert lost(arm, q, near) < 3e-15
        assert lost(arm.reference, q, near) < 3e-15


def test_odd_offsets_cost_half_a_unit_of_the_last_place():
    arm = Arm(parse_arm_file(ODD, "odd.toml"))
    for scale in SCALES:
        q, near = states(arm.n, scale)
        assert lost(arm, q, near) < np.spacing(scale)
        assert lost(arm.reference, q, near) < 3e-15


@pytest.mark.parametrize(("alpha", "snapped"), [("1.57079632679", True), ("1.570796327", False)])
def test_a_typed_right_angle_is_one(alpha, snapped):
    arm = parse_arm_file(ODD.replace('"70 deg"', alpha), "odd.toml")
    assert (arm.links[0].joint.after[1, 1] == 0.0) == snapped
