"""ruckig times a move from rest to rest as fast as limits of speed, acceleration and jerk allow; joint moves do, too.

A joint move goes straight in joint space, so that ruckig is asked along the line: the joint that is limited most limits
all. The acceleration of an s-curve rises within ``jerk_time``: the limit of jerk is that of acceleration over it.
"""

from dataclasses import replace

import numpy as np
import pytest
import ruckig

from torsor import Arm, load
from torsor.model import Limits
from torsor.motion import Joints, Move, Place, Timing, plan

JERK_TIME = 0.08
MOVES = 250


def fastest(speed: float, acceleration: float, jerk: float) -> float:
    """Seconds from 0 to 1."""
    asked = ruckig.InputParameter(1)
    asked.current_position, asked.target_position = [0.0], [1.0]
    asked.max_velocity, asked.max_acceleration, asked.max_jerk = [speed], [acceleration], [jerk]
    found = ruckig.Trajectory(1)
    assert ruckig.Ruckig(1).calculate(asked, found) == ruckig.Result.Working
    return float(found.duration)


def limited(arm: Arm, speed: np.ndarray, acceleration: np.ndarray) -> Arm:
    """The arm without motors, its joints limited like this."""
    limits = [Limits(speed=float(v), acceleration=float(a)) for v, a in zip(speed, acceleration, strict=True)]
    links = [
        replace(link, joint=replace(link.joint, limits=limit))
        for link, limit in zip(arm.model.links, limits, strict=True)
    ]
    return Arm(replace(arm.model, links=tuple(links), drives=()))


@pytest.mark.parametrize("name", ["rl15", "irb140", "scara"])
@pytest.mark.parametrize("shape", ["trapezoid", "s-curve"])
def test_joint_moves_take_no_longer(table, name: str, shape: str):
    rng = np.random.default_rng(0)
    n = load(name).n
    speed, acceleration = rng.uniform(0.5, 4.0, n), rng.uniform(0.5, 9.0, n)
    arm = limited(load(name), speed, acceleration)
    timing = Timing(shape, jerk_time=JERK_TIME) if shape == "s-curve" else Timing(shape)
    ours, theirs = [], []
    for k in range(MOVES):
        q0, q1 = rng.uniform(-1.0, 1.0, (2, n)) * 10.0 ** -rng.integers(0, 4)  # short ones never reach the speed
        q1 = np.where(np.arange(n) == k % n, q1, q0) if k % 5 == 0 else q1  # one joint alone
        move = Move("joint", Joints(tuple(q1)), Place("ruckig", 1, 1))
        ours.append(plan(arm, [move], start=q0, timing=timing).duration)
        with np.errstate(divide="ignore"):
            v, a = (np.min(limit / np.abs(q1 - q0)) for limit in (speed, acceleration))
        theirs.append(fastest(v, a, a / JERK_TIME if shape == "s-curve" else np.inf))
    table.hold("ruckig", f"time of joint moves, {shape}", np.array(ours), np.array(theirs), within=1e-9)
