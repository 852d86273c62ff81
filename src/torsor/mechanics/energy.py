"""Kinetic and potential energy."""

from __future__ import annotations

import numpy as np

from torsor.mechanics.kinematics import body_poses, dot, rotate, steps
from torsor.mechanics.transmissions import rotor_energy
from torsor.mechanics.tree import Reals, Tree
from torsor.model.parts import BASE

Z = np.array([0.0, 0.0, 1.0])


def energy(tree: Tree, q: Reals, qd: Reals, gravity: Reals) -> tuple[Reals, Reals]:
    """T = 1/2 sum (m v.v + 2 v.(w x s) + w.I w) and V = - sum g.(m p + s), both (...).

    V is zero with all masses at the base origin.
    """
    kinetic = np.zeros(np.broadcast_shapes(q.shape[:-1], qd.shape[:-1], np.shape(gravity)[:-1]))
    potential = np.zeros_like(kinetic)
    rates = tree.expand(qd, rate=True)
    motions: list[tuple[Reals, Reals]] = []  # velocity of the origin and angular velocity, in body axes
    still = np.zeros(3)
    for i, (joint, (R, p)) in enumerate(zip(steps(tree, q), body_poses(tree, q), strict=True)):
        body = joint.body
        v, w = joint.carried(*((still, still) if body.parent == BASE else motions[body.parent]))
        v, w = v + body.slide * Z * rates[..., i, None], w + body.turn * Z * rates[..., i, None]
        motions.append((v, w))
        own = body.mass * (v * v) + 2.0 * v * np.cross(w, body.moment) + w * rotate(body.inertia, w)
        kinetic = kinetic + 0.5 * own.sum(axis=-1)
        potential = potential - dot(gravity, body.mass * p + rotate(R, body.moment))
    return kinetic + rotor_energy(tree, motions, q, qd), potential
