"""A first look at an arm: its model, the torques that hold it, and a move whose torques are checked.

    python examples/01_first_look.py [ROBOT] [REPORT.html]

Prints tables, writes a report to open in a browser, and ends in PASS (exit 0) or FAIL (exit 1).
"""

import sys
from dataclasses import dataclass

import numpy as np
from html_report import page, panel, table

import torsor
from torsor.cli import main as torsor_command
from torsor.cli.text import Column, numbers, print_table

INSTANTS = 7
TOLERANCE = 1e-9  # relative; the ways differ by rounding only


@dataclass
class Move:
    """q(t) from rest to rest along s(t) = 10 t^3 - 15 t^4 + 6 t^5, which starts and ends without a jerk in torque."""

    start: np.ndarray
    goal: np.ndarray
    duration: float

    def at(self, t):
        """q, qd, qdd at the times t: each (len(t), n)."""
        T, s = self.duration, np.asarray(t)[:, None] / self.duration
        way = self.goal - self.start
        q = self.start + way * (10 * s**3 - 15 * s**4 + 6 * s**5)
        qd = way * (30 * s**2 - 60 * s**3 + 30 * s**4) / T
        qdd = way * (60 * s - 180 * s**2 + 120 * s**3) / T**2
        return q, qd, qdd


def choose_move(arm):
    """A move of all joints, as fast as their speed and acceleration limits allow (without limits 2 and 5 SI units)."""
    wish = np.resize(np.radians([60, -40, 50, 90, -60, 120]), arm.n)
    goal, start = wish / 2, -wish / 2
    durations = []
    for k, link in enumerate(arm.model.independent):
        limits = link.joint.limits
        if link.joint.kind == "prismatic":
            start[k], goal[k] = 0.1, 0.4
        if limits.position is not None:
            start[k], goal[k] = np.clip([start[k], goal[k]], *limits.position)
        way = abs(goal[k] - start[k])
        durations += [15 / 8 * way / (limits.speed or 2.0), (10 / 3**0.5 * way / (limits.acceleration or 5.0)) ** 0.5]
    return Move(start, goal, max(durations))


def difference(a, b):
    """Largest difference relative to the largest value."""
    return float(np.max(np.abs(a - b)) / np.max(np.abs(b)))


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


def show_table(title, head, rows):
    """Prints a table and returns it as HTML."""
    print_table(title, [Column(head[0]), *numbers(*head[1:])], rows)
    return table(title, head, rows)


def by_joint(title, joints, columns, torques):
    """A table with a row for each joint; torques are (columns, joints)."""
    rows = [(joint, *(f"{x:z.2f}" for x in row)) for joint, row in zip(joints, np.transpose(torques), strict=True)]
    return show_table(title, ["joint", *columns], rows)


def main(robot="rl15", report="report.html"):
    arm = torsor.load(robot).tree
    torsor_command(["show", robot])

    move = choose_move(arm)
    t = np.linspace(0.0, move.duration, INSTANTS)
    q, qd, qdd = move.at(t)
    tau = arm.inverse_dynamics(q, qd, qdd)
    poses = {"zero": np.zeros(arm.n), "start": move.start, "goal": move.goal}
    units = ["N" if link.joint.kind == "prismatic" else "N m" for link in arm.model.independent]
    joints = [f"{name}, {unit}" for name, unit in zip(arm.joint_names, units, strict=True)]
    sections = [
        by_joint("Torques that hold the arm still", joints, poses, [arm.gravity(pose) for pose in poses.values()]),
        by_joint(f"Torques of a {move.duration:.2f} s move from start to goal", joints, [f"{x:.2f} s" for x in t], tau),
    ]
    checks = check(arm, move)
    passed = all(size <= TOLERANCE for _, size in checks)
    rows = [(name, f"{size:.1e}", "yes" if size <= TOLERANCE else "NO") for name, size in checks]
    sections.insert(0, show_table("Checks along the move", ["what must agree", "relative difference", "agrees"], rows))

    fine = np.linspace(0.0, move.duration, 201)
    torques = arm.inverse_dynamics(*move.at(fine))
    panels = [panel(joint, fine, torques[:, k]) for k, joint in enumerate(joints)]
    worst = max(size for _, size in checks)
    verdict = (
        f"{'PASS' if passed else 'FAIL'} {arm.name}: {len(checks)} checks, largest difference {worst:.1e} relative"
    )
    page(report, f"{arm.name}: a first look", verdict, passed, sections, panels)
    print(f"\nreport: {report}\n{verdict}")
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
