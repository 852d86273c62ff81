"""toppra times a path as fast as torques and speeds allow, where its assumptions hold: without friction.

It keeps limits at the points of a grid and holds the acceleration between them, so its times approach ours as the grid
gets finer; ours keep limits everywhere.
"""

from dataclasses import replace

import numpy as np
import pytest
import toppra
import toppra.algorithm
import toppra.constraint
from toppra.interpolator import AbstractGeometricPath

from timed_paths import Wave
from torsor import Arm, load
from torsor.motion import time_optimal

POINTS = 1000


@pytest.fixture(scope="module")
def frictionless() -> Arm:
    """The RL15 with its motors' torques as limits, and the speeds of its joints."""
    model = load("rl15").model
    drives = [replace(d, friction=type(d.friction)(), motor=replace(d.motor, speed=None)) for d in model.drives]
    links = [
        replace(link, joint=replace(link.joint, limits=replace(link.joint.limits, acceleration=None)))
        for link in model.links
    ]
    return Arm(replace(model, links=tuple(links), drives=tuple(drives)))


def by_toppra(arm: Arm, path: Wave) -> float:
    class Geometric(AbstractGeometricPath):
        dof = arm.n
        path_interval = np.array([0.0, path.length])
        waypoints = None

        def __call__(self, s, order=0):
            found = path.at(np.atleast_1d(np.asarray(s, float)))[order]
            return found if np.ndim(s) else found[0]

    def torques(q, qd, qdd):
        return arm.drives.torques(q, qd, qdd, friction=False)

    peaks = np.array([drive.motor.torque for drive in arm.model.drives])
    speeds = np.array([link.joint.limits.speed for link in arm.model.independent])
    constraints = [
        toppra.constraint.JointVelocityConstraint(np.column_stack([-speeds, speeds])),
        toppra.constraint.JointTorqueConstraint(
            torques, np.column_stack([-peaks, peaks]), np.zeros(arm.n), discretization_scheme=1
        ),
    ]
    grid = np.linspace(0.0, path.length, POINTS + 1)
    toppra.setup_logging("ERROR")
    search = toppra.algorithm.TOPPRA(constraints, Geometric(), gridpoints=grid, parametrizer="ParametrizeConstAccel")
    return float(search.compute_trajectory(0, 0).duration)


@pytest.mark.parametrize("seed", range(6))
def test_random_paths(table, frictionless: Arm, seed: int):
    rng = np.random.default_rng(seed)
    start, goal = rng.uniform(-0.8, 0.8, (2, 6))
    path = Wave(start, goal, 0.1 * rng.normal(size=6), rng.uniform(2.0, 12.0, 6))
    ours = time_optimal(frictionless, path, points=POINTS).duration
    theirs = by_toppra(frictionless, path)
    what = f"time of time-optimal paths of the RL15, on {POINTS:,} points each"
    table.note("toppra", what, 1, abs(ours / theirs - 1.0), within=2e-3)
    assert ours <= theirs * (1.0 + 1e-6)
