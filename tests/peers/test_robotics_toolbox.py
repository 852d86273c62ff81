"""The Robotics Toolbox: its own PUMA 560, and random Denavit-Hartenberg arms written in its terms."""

import numpy as np
import roboticstoolbox as rtb
from hypothesis import HealthCheck, assume, given, settings

from random_arms import DhArm, dh_arms
from torsor import Arm, load

PEER = "roboticstoolbox-python"


def test_its_puma560_without_and_with_rotors(table):
    """``drives="reduced"`` adds the rotors as the Toolbox does: as if their carriers did not turn."""
    arm = load("puma560")
    bare, geared = rtb.models.DH.Puma560(), rtb.models.DH.Puma560()
    for link in (*bare.links, *geared.links):
        link.B, link.Tc = 0.0, [0.0, 0.0]
    for link in bare.links:
        link.Jm = 0.0
    q, qd, qdd = np.random.default_rng(0).uniform(-2.0, 2.0, (3, 2000, 6))
    for what, theirs, drives in (("links", bare, False), ("links and rotors", geared, "reduced")):
        expected = theirs.rne(q, qd, qdd)
        ours = arm.inverse_dynamics(q, qd, qdd, drives=drives)
        table.hold(PEER, f"inverse dynamics of its PUMA 560, {what}", ours, expected, within=1e-9)


def in_its_terms(drawn: DhArm) -> rtb.DHRobot:
    kinds = {
        ("standard-dh", "revolute"): rtb.RevoluteDH,
        ("standard-dh", "prismatic"): rtb.PrismaticDH,
        ("modified-dh", "revolute"): rtb.RevoluteMDH,
        ("modified-dh", "prismatic"): rtb.PrismaticMDH,
    }
    links = []
    for kind, (a, alpha, d, theta), start, mass in zip(
        drawn.kinds, drawn.rows, drawn.starts, drawn.masses, strict=True
    ):
        moves = {"theta": theta, "offset": d + start} if kind == "prismatic" else {"d": d, "offset": theta}
        body = {"m": mass.mass, "r": mass.com, "I": mass.inertia}
        links.append(kinds[drawn.frames, kind](a=a, alpha=alpha, **moves, **body))
    return rtb.DHRobot(links)  # its gravity is ours, -9.81 m/s^2 along z


@given(dh_arms(max_joints=6))
@settings(max_examples=150, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
def test_random_denavit_hartenberg_arms(table, drawn: DhArm):
    # its recursion in C leaves gravity unturned there, with a fault of some N m; Drake and Pinocchio agree with us
    assume(drawn.frames == "standard-dh" or drawn.kinds[0] == "revolute")
    arm, theirs = Arm(drawn.model()), in_its_terms(drawn)
    q, qd, qdd = np.random.default_rng(1).uniform(-2.0, 2.0, (3, 20, arm.n))
    expected = theirs.rne(q, qd, qdd).reshape(20, arm.n)
    of = "random arms by Denavit-Hartenberg rows"
    table.hold(PEER, f"inverse dynamics of {of}", arm.reference.inverse_dynamics(q, qd, qdd), expected, within=1e-9)
    table.hold(PEER, f"pose of {of}", arm.reference.pose(q), theirs.fkine(q).A, within=1e-9)
    table.hold(PEER, f"mass matrix of {of}", arm.reference.mass_matrix(q), theirs.inertia(q), within=1e-9)
