"""Kinetic and potential energy."""

from __future__ import annotations

import numpy as np

from torsor.mechanics.kinematics import body_poses, rotate
from torsor.mechanics.newton_euler import motion
from torsor.mechanics.tree import Array, Tree
from torsor.model.parts import BASE


def energy(tree: Tree, q: Array, qd: Array, gravity: Array) -> tuple[Array, Array]:
    """T = sum 1/2 m v.v + 1/2 w.I w and V = - sum m g.p, both (...); V is zero with all masses at the base origin."""
    kinetic = np.zeros(np.broadcast_shapes(q.shape[:-1], qd.shape[:-1]))
    potential = np.zeros_like(kinetic)
    velocities: list[Array] = []  # of the origins, in body axes
    rates = tree.expand(qd, rate=True)
    bodies = motion(tree, q, qd, np.zeros(tree.n), np.zeros(3))
    for i, (body, m, (R, p)) in enumerate(zip(tree.bodies, bodies, body_poses(tree, q), strict=True)):
        v_parent, w_parent = np.zeros(3), np.zeros(3)
        if body.parent != BASE:
            v_parent, w_parent = velocities[body.parent], bodies[body.parent].w
        v = rotate(np.swapaxes(m.R, -1, -2), v_parent + np.cross(w_parent, m.p))
        v = v + np.array([0.0, 0.0, body.slide]) * rates[..., i, None]
        velocities.append(v)
        v_com = v + np.cross(m.w, body.com)
        own = body.mass * (v_com * v_com).sum(axis=-1) + (m.w * rotate(body.inertia, m.w)).sum(axis=-1)
        kinetic = kinetic + 0.5 * own
        potential = potential - body.mass * (gravity * (p + rotate(R, body.com))).sum(axis=-1)
    return kinetic, potential
