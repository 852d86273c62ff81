"""Time-optimal timing of random arms: no limit is exceeded anywhere, and nowhere could the motion be faster."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from random_arms import SEEDS, models
from timed_paths import Wave, require_within
from torsor.arm import Arm
from torsor.model.parts import BASE, Drive, DriveFriction, JointFriction, Limits, Motor
from torsor.motion import time_optimal
from torsor.motion.optimal.path_limits import limits_of

WINDOWS = 10  # pieces of a path that are each tried faster
# each arm is compiled, which is too slow to look for a smaller one that fails
SWEEP = settings(deadline=None, suppress_health_check=list(HealthCheck), phases=[Phase.explicit, Phase.generate])
FASTER, LOCALLY = 1.001, 1.01  # of the speed: of the whole motion, and at the middle of such a piece


def limited(model, rng, path, *, drives):
    """The arm with limits that it can be held within along the path: what it takes to rest, and a margin to move."""
    bare = Arm(model)
    at = path.at(np.linspace(0.0, 1.0, 60))
    still = np.zeros_like(at.q)
    holding = np.abs(bare.inverse_dynamics(at.q, still, still)).max(axis=0)
    moving = np.abs(bare.inverse_dynamics(at.q, at.dq, at.ddq, gravity=np.zeros(3))).max(axis=0)
    torque = 1.3 * holding + rng.uniform(0.5, 3.0) * moving + 0.1
    speed = np.abs(at.dq).max(axis=0) * rng.uniform(0.5, 2.0) + 0.1
    names = model.joint_names
    where = {name: k for k, name in enumerate(names)}

    def limits(name):
        k = where[name]
        return Limits(
            speed=float(speed[k]) if rng.random() < 0.6 else None,
            acceleration=float(rng.uniform(1.0, 8.0) * speed[k]) if rng.random() < 0.3 else None,
            torque=None if drives else float(1.2 * torque[k] + 1.0),
        )

    def bounded(link):
        if link.joint.name not in where:
            return link
        rubbing = JointFriction() if drives else JointFriction(float(rng.uniform(0, 0.05)), float(rng.uniform(0, 0.3)))
        return replace(link, joint=replace(link.joint, limits=limits(link.joint.name), friction=rubbing))

    links = tuple(bounded(link) for link in model.links)
    if not drives:
        return Arm(replace(model, links=links))
    ratio = np.diag(rng.choice([-1.0, 1.0], len(names)) * rng.uniform(20.0, 100.0, len(names)))
    if rng.random() < 0.5:  # a motor on the way drags the next one along
        ratio += np.diag(rng.uniform(-3.0, 3.0, len(names) - 1), -1)
    # u = N^-T tau: what the joints' torques are to the motors
    at_motors = np.abs(np.linalg.inv(ratio).T) @ torque
    shaft = np.abs(ratio) @ speed

    def drive(k):
        peak = float(1.5 * at_motors[k])
        dry = float(rng.uniform(0.0, 0.08) * peak)
        friction = rng.choice(["none", "coulomb", "stribeck", "load"])
        rubbing = {
            "none": DriveFriction(),
            "coulomb": DriveFriction(viscous=float(rng.uniform(0, 0.1) * peak / shaft[k]), coulomb=(dry, 0.7 * dry)),
            "stribeck": DriveFriction(
                coulomb=(dry, dry), starting=(1.5 * dry, 1.5 * dry), stribeck=float(0.05 * shaft[k])
            ),
            "load": DriveFriction(coulomb=(dry, dry), load=float(rng.uniform(0.0, 0.15))),
        }[str(friction)]
        bend, end = float(0.6 * shaft[k]), float(1.5 * shaft[k])
        curve = ((0.0, peak), (bend, peak), (end, 0.8 * peak)) if rng.random() < 0.4 else ()
        fastest = float(1.4 * shaft[k]) if rng.random() < 0.5 else None
        axis = rng.normal(size=3)
        return Drive(
            name=f"motor{k + 1}",
            ratio=ratio[k],
            offset=0.0,
            rotor_inertia=float(rng.uniform(0.0, 0.05) / ratio[k, k] ** 2),
            carrier=BASE,
            axis=axis / np.linalg.norm(axis),
            motor=Motor(torque=peak, speed=fastest, curve=curve),
            friction=rubbing,
        )

    return Arm(replace(model, links=links, drives=tuple(drive(k) for k in range(len(names)))))


@st.composite
def tasks(draw, max_links):
    model = draw(models(max_links=max_links, kinds=("revolute", "prismatic", "fixed"), massless=False, mimics=False))
    rng = np.random.default_rng(draw(SEEDS))
    start, goal = rng.uniform(-1.0, 1.0, (2, model.n))
    size, pace = draw(st.floats(0.0, 0.3)) * rng.normal(size=model.n), rng.uniform(2.0, 12.0, model.n)
    if model.n == 1:  # an arm that turns round as a whole rests there: the grid has too few points for a thousandth
        size = np.clip(size, -0.5 * np.abs(goal - start) / pace, 0.5 * np.abs(goal - start) / pace)
    path = Wave(start, goal, size, pace)
    return limited(model, rng, path, drives=draw(st.booleans())), path


def require_not_improvable(arm, timed):
    """A thousandth faster as a whole, some limit is exceeded; and on every piece of the path, a hundredth faster there.

    On a piece x = sd^2 gets the factor 1 + (1.01^2 - 1) b(s) with a smooth bump b, and sdd = x' / 2 follows.
    """
    limits = limits_of(arm)
    every = limits.uses(timed.s[:-1], timed.path.at(timed.s[:-1]), FASTER**2 * timed.x[:-1], FASTER**2 * timed.first)
    assert every.max() > 1.0 + 1e-6
    edges = np.linspace(0.0, timed.path.length, WINDOWS + 1)
    for start, end in pairwise(edges):
        s = np.unique(np.concatenate([np.linspace(start, end, 200), timed.s[(timed.s >= start) & (timed.s <= end)]]))
        s = 0.5 * (s[1:] + s[:-1])
        k = np.clip(np.searchsorted(timed.s, s, side="right") - 1, 0, len(timed.bend) - 1)
        a = timed.first[k] + timed.bend[k] * (s - timed.s[k])
        x = timed.rate(s) ** 2
        phase = np.pi * (s - start) / (end - start)
        bump, slope = np.sin(phase) ** 2, np.sin(2 * phase) * np.pi / (end - start)
        more = LOCALLY**2 - 1.0
        faster = limits.uses(s, timed.path.at(s), x * (1 + more * bump), a * (1 + more * bump) + 0.5 * x * more * slope)
        assert faster.max() > 1.0 + 1e-6, (start, end, faster.max())


def check_one(task):
    arm, path = task
    timed = time_optimal(arm, path, points=300)
    require_within(arm, timed, motors=bool(arm.model.drives))
    require_not_improvable(arm, timed)
    return timed


@settings(SWEEP, max_examples=6)
@given(tasks(max_links=3))
def test_random_arms(task):
    check_one(task)


@pytest.mark.slow
@settings(SWEEP, max_examples=200)
@given(tasks(max_links=5))
def test_many_random_arms(task):
    check_one(task)
