"""Newton-Euler recursion in link frames (Luh, Walker & Paul 1980; Fedorov 2015, 4.1), for trees and all joints.

Outward: velocities and accelerations of every body in its own axes. Inward: the force and moment each joint carries.
Gravity is an acceleration of the base the other way.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from torsor.mechanics.kinematics import Z, frame_pose, rotate, step, unrotate
from torsor.mechanics.tree import Array, Tree
from torsor.model.parts import BASE


@dataclass(frozen=True, eq=False)
class BodyMotion:
    """Motion of one body in its own axes; ``a`` is that of its origin with gravity taken off."""

    R: Array  # R_parent_body
    p: Array  # its origin in the parent
    w: Array
    wd: Array
    a: Array


def motion(tree: Tree, q: Array, qd: Array, qdd: Array, gravity: Array) -> list[BodyMotion]:
    """The outward recursion."""
    q, qd, qdd = tree.expand(q), tree.expand(qd, rate=True), tree.expand(qdd, rate=True)
    base = BodyMotion(np.eye(3), np.zeros(3), np.zeros(3), np.zeros(3), -gravity)
    bodies: list[BodyMotion] = []
    for i, body in enumerate(tree.bodies):
        parent = base if body.parent == BASE else bodies[body.parent]
        R, p = step(body, q[..., i])
        spin, spin_rate = Z * (body.turn * qd[..., i])[..., None], Z * (body.turn * qdd[..., i])[..., None]
        slide, slide_rate = Z * (body.slide * qd[..., i])[..., None], Z * (body.slide * qdd[..., i])[..., None]
        w_parent = unrotate(R, parent.w)
        w = w_parent + spin
        wd = unrotate(R, parent.wd) + spin_rate + np.cross(w_parent, spin)
        a_joint = parent.a + np.cross(parent.wd, p) + np.cross(parent.w, np.cross(parent.w, p))
        # the sliding body drifts through a turning frame: Coriolis with the parent's rotation
        a = unrotate(R, a_joint) + slide_rate + 2.0 * np.cross(w_parent, slide)
        bodies.append(BodyMotion(R, p, w, wd, a))
    return bodies


def joint_wrenches(
    tree: Tree, q: Array, qd: Array, qdd: Array, gravity: Array, wrench: Array | None = None
) -> list[tuple[Array, Array]]:
    """Force and moment that each joint exerts on its body, in the body's axes, the moment about the body's origin.

    ``wrench`` is the force over the moment that the surroundings exert on the tool, in base axes.
    """
    bodies = motion(tree, q, qd, qdd, gravity)
    f: list[Array] = []
    n: list[Array] = []
    for body, m in zip(tree.bodies, bodies, strict=True):
        c = body.com
        F = body.mass * (m.a + np.cross(m.wd, c) + np.cross(m.w, np.cross(m.w, c)))
        N = rotate(body.inertia, m.wd) + np.cross(m.w, rotate(body.inertia, m.w))
        f.append(F)
        n.append(N + np.cross(c, F))
    if wrench is not None and (tool := tree.mount("tool")).body != BASE:
        to_base = _base_rotations(tree, bodies)
        _, lever = frame_pose(tree, [(np.eye(3), np.zeros(3))] * len(bodies), "tool")  # in the axes of its body
        force, moment = (unrotate(to_base[tool.body], part) for part in (wrench[..., :3], wrench[..., 3:]))
        f[tool.body] = f[tool.body] - force
        n[tool.body] = n[tool.body] - moment - np.cross(lever, force)
    for i in reversed(range(len(bodies))):
        parent = tree.bodies[i].parent
        if parent != BASE:
            R, p = bodies[i].R, bodies[i].p
            force = rotate(R, f[i])
            f[parent] = f[parent] + force
            n[parent] = n[parent] + rotate(R, n[i]) + np.cross(p, force)
    return list(zip(f, n, strict=True))


def inverse_dynamics(
    tree: Tree, q: Array, qd: Array, qdd: Array, gravity: Array, wrench: Array | None = None
) -> Array:
    """tau = M(q) qdd + C(q, qd) qd + g(q) - J^T wrench, (..., n)."""
    wrenches = joint_wrenches(tree, q, qd, qdd, gravity, wrench)
    return tree.gather(
        [body.turn * n[..., 2] + body.slide * f[..., 2] for body, (f, n) in zip(tree.bodies, wrenches, strict=True)]
    )


def _base_rotations(tree: Tree, bodies: list[BodyMotion]) -> list[Array]:
    rotations: list[Array] = []
    for body, m in zip(tree.bodies, bodies, strict=True):
        rotations.append(m.R if body.parent == BASE else rotations[body.parent] @ m.R)
    return rotations
