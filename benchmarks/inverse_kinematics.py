"""Inverse kinematics: microseconds a pose for all branches, for a path on one branch, for rates, and by search.

python benchmarks/inverse_kinematics.py
"""

import time

import numpy as np

import torsor

POSES, PATH, SEARCHED, STARTS = 10_000, 10_000, 300, 16
CLOSED = ("puma560", "irb140", "rl15", "asea-irb", "stanford", "ur5")


def best(call, runs=7):
    """Seconds of the fastest of some calls; the first one compiles."""
    call()
    taken = []
    for _ in range(runs):
        begun = time.perf_counter()
        call()
        taken.append(time.perf_counter() - begun)
    return min(taken)


def smooth(arm, count):
    """Joints along a smooth path within the limits, where the wrist never is straight."""
    low, high = arm._solver.search.low, arm._solver.search.high
    s = np.linspace(0.0, 1.0, count)[:, None]
    path = 0.5 * (low + high) + 0.2 * (high - low) * np.sin(2.0 * np.pi * s * np.arange(1, arm.n + 1) / 3.0)
    path[:, 4] = 0.8 + 0.3 * np.sin(6.0 * s[:, 0])
    return path


def closed_form(name):
    arm = torsor.load(name)
    rng = np.random.default_rng(0)
    T = arm.tree.pose(rng.uniform(-3.0, 3.0, (POSES, arm.tree.n)))
    branches = best(lambda: arm._solver.closed_form(T)) / POSES
    line = f"{name:10s} all branches {1e6 * branches:6.2f} us a pose"
    if not arm.model.loops:
        path = smooth(arm, PATH)
        along = arm.pose(path)
        follow = best(lambda: arm.inverse_kinematics(along, nearest=path[0], limits=False), runs=3)
        line += f"   a path of {PATH} poses {1e3 * follow:6.1f} ms"
        twists = rng.uniform(-1.0, 1.0, (PATH, 6))
        rates = best(lambda: arm.inverse_velocity(path, twists)) / PATH
        line += f"   rates {1e6 * rates:5.2f} us a state"
    print(line, flush=True)


def by_search(name):
    arm = torsor.load(name)
    search = arm._solver.search
    T = arm.pose(search.starts(SEARCHED, seed=7))
    seconds = best(lambda: search.solutions(T, count=STARTS), runs=2)
    solved = np.isfinite(search.solutions(T, count=STARTS)).all(axis=-1)
    print(
        f"{name:10s} by search, {STARTS} starts a pose: {1e6 * seconds / SEARCHED:6.0f} us a pose, "
        f"{1e6 * seconds / solved.sum():5.1f} us a solution, {100.0 * solved.any(axis=-1).mean():.1f} % of poses solved"
    )


if __name__ == "__main__":
    for arm_name in CLOSED:
        closed_form(arm_name)
    for arm_name in ("panda", "ur5"):
        by_search(arm_name)
