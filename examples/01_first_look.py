"""A first look at an arm: its model, the torques that hold it, and a move whose torques are checked.

    python examples/01_first_look.py [ROBOT]

Prints tables and ends in PASS (exit 0) or FAIL (exit 1).
"""

import sys

import numpy as np

import torsor
from torsor.cli import main as torsor_command
from torsor.cli.printing import numbers, print_table
from torsor.control.reference import quintic

INSTANTS = 7
TOLERANCE = 1e-9  # relative; the ways differ by rounding only


def choose_move(arm):
    """A move of all joints, as fast as their speed and acceleration limits allow (without limits 2 and 5 SI units)."""
    wish = np.resize(np.radians([60, -40, 50, 90, -60, 120]), arm.n)
    start, goal = -wish / 2, wish / 2
    limits = [link.joint.limits for link in arm.model.independent]
    for k, link in enumerate(arm.model.independent):
        if link.joint.kind == "prismatic":
            start[k], goal[k] = 0.1, 0.4
        if limits[k].position is not None:
            start[k], goal[k] = np.clip([start[k], goal[k]], *limits[k].position)
    speed, acceleration = [each.speed or 2.0 for each in limits], [each.acceleration or 5.0 for each in limits]
    return quintic([start, goal], speed=speed, acceleration=acceleration)


def difference(a, b):
    """Largest difference relative to the largest value; as it is where all values are zero, as without gravity."""
    return float(np.max(np.abs(a - b)) / (np.max(np.abs(b)) or 1.0))


def check(arm, move):
    """Name and size of the disagreement between independent ways to the same answer."""
    t = np.linspace(0.0, move.duration, 201)
    q, qd, qdd = move.at(t)
    tau = arm.inverse_dynamics(q, qd, qdd)
    M, C, g = arm.mass_matrix(q), arm.coriolis_matrix(q, qd), arm.gravity(q)
    assembled = (M @ qdd[..., None] + C @ qd[..., None])[..., 0] + g

    # Work of the joints against the energy they put in: Gauss-Legendre is exact to rounding on so smooth a move.
    nodes, weights = np.polynomial.legendre.leggauss(60)
    times = (nodes + 1) * move.duration / 2
    half = move.at(times)
    work = np.sum(weights * np.sum(half[1] * arm.inverse_dynamics(*half), axis=-1)) * move.duration / 2
    before, after = (sum(arm.energy(q[i], qd[i])) for i in (0, -1))
    turnover = np.sum(weights * np.abs(np.sum(half[1] * arm.inverse_dynamics(*half), axis=-1))) * move.duration / 2

    return [
        (
            "compiled torques = those of the plain recursion",
            difference(tau, arm.reference.inverse_dynamics(q, qd, qdd)),
        ),
        ("Newton-Euler torques = M qdd + C qd + g", difference(assembled, tau)),
        ("forward dynamics give the accelerations back", difference(arm.forward_dynamics(q, qd, tau), qdd)),
        ("work of the joints = gain of energy", abs(work - (after - before)) / turnover),
        ("mass matrix is symmetric", difference(np.swapaxes(M, -1, -2), M)),
        ("torques without motion = gravity torques", difference(arm.inverse_dynamics(q, 0 * q, 0 * q), g)),
    ]


def by_joint(title, joints, columns, torques):
    """Prints a row for each joint; torques are (columns, joints)."""
    rows = [(joint, *(f"{x:z.2f}" for x in row)) for joint, row in zip(joints, np.transpose(torques), strict=True)]
    print_table(title, ["joint", *numbers(*columns)], rows)


def main(robot="rl15"):
    arm = torsor.load(robot).tree
    torsor_command(["show", robot])

    move = choose_move(arm)
    t = np.linspace(0.0, move.duration, INSTANTS)
    q, qd, qdd = move.at(t)
    poses = {"zero": np.zeros(arm.n), "start": q[0], "goal": q[-1]}
    units = ["N" if link.joint.kind == "prismatic" else "N m" for link in arm.model.independent]
    joints = [f"{name}, {unit}" for name, unit in zip(arm.joint_names, units, strict=True)]
    by_joint("Torques that hold the arm still", joints, poses, [arm.gravity(pose) for pose in poses.values()])
    torques = arm.inverse_dynamics(q, qd, qdd)
    by_joint(f"Torques of a {move.duration:.2f} s move from start to goal", joints, [f"{x:.2f} s" for x in t], torques)

    checks = check(arm, move)
    rows = [(name, f"{size:.1e}", "yes" if size <= TOLERANCE else "NO") for name, size in checks]
    columns = ["what must agree", *numbers("relative difference", "agrees")]
    print_table("Checks along the move", columns, rows)
    worst = max(size for _, size in checks)
    verdict = "PASS" if all(size <= TOLERANCE for _, size in checks) else "FAIL"  # NaN is no agreement
    print(f"\n{verdict} {arm.name}: {len(checks)} checks, largest difference {worst:.1e} relative")
    return 0 if verdict == "PASS" else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:2]))
