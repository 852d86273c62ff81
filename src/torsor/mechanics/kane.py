"""Kane's equations (Kane & Levinson 1985; Behi 1989, 3.6) with the joint rates as generalised speeds.

The partial velocities of a body are what multiplies each speed in its velocity; with them the generalised inertia and
active forces are plain scalar products, K_r + K*_r = 0. Behi computes every product of rates, angles and masses once
and calls it Z_i; a traced page does the same by itself, because equal expressions are one node.
Everything is about the bodies' origins instead of their centres of mass, so that massless links are no exception.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from torsor.mechanics.formulation import Formulation, links_only
from torsor.mechanics.kinematics import JointStep, steps, vector
from torsor.mechanics.newton_euler import BodyMotion, inertial_wrench, motion, tool_wrench
from torsor.mechanics.tree import Body, Reals, Tree
from torsor.model.parts import BASE

Partials = list[dict[int, tuple[Reals, Reals]]]  # body -> speed -> (partial velocity of the origin, partial angular)


def carried(body: Body, joint: JointStep, found: Partials) -> dict[int, tuple[Reals, Reals]]:
    """What a body has from the one it rides on, in its own axes."""
    if body.parent == BASE:
        return {}
    own = {}
    for r, (v, w) in found[body.parent].items():
        w_r = joint.into(w)
        v_r = joint.into(v + np.cross(w, body.position))
        if body.slide or body.along:
            v_r = v_r + np.asarray(joint.reach)[..., None] * vector(w_r[..., 1], -w_r[..., 0], 0.0)
        own[r] = v_r, w_r
    return own


def partial_velocities(tree: Tree, joints: list[JointStep]) -> Partials:
    """In the axes of each body; a body has partial velocities for the joints on its way from the base."""
    found: Partials = []
    for i, (body, joint) in enumerate(zip(tree.bodies, joints, strict=True)):
        own = carried(body, joint, found)
        own[i] = np.array([0.0, 0.0, body.slide]), np.array([0.0, 0.0, body.turn])
        found.append(own)
    return found


def inverse_dynamics(tree: Tree, q: Reals, qd: Reals, qdd: Reals, gravity: Reals, wrench: Reals | None = None) -> Reals:
    """tau_r = - (K*_r + K_r without the motors), for every speed r."""
    joints = steps(tree, q)
    partials = partial_velocities(tree, joints)
    # gravity is an active force; as an acceleration of the base the other way it enters K* with the same sign
    moving = motion(tree, joints, qd, qdd, gravity)
    torques: list[Any] = [0.0] * len(tree.bodies)
    for i, (body, m) in enumerate(zip(tree.bodies, moving, strict=True)):
        force, moment = inertial_wrench(body, m)
        _give(torques, partials[i], force, moment)
    if wrench is not None and (tool := tree.mount("tool")).body != BASE:
        force, moment = tool_wrench(tree, joints, wrench)
        _give(torques, partials[tool.body], -force, -moment)
    return tree.gather(torques)


def mass_matrix(tree: Tree, q: Reals) -> Reals:
    """M_rs: the generalised inertia force of speed r for a unit rate of change of speed s."""
    joints = steps(tree, q)
    partials = partial_velocities(tree, joints)
    m = len(tree.bodies)
    rows: list[list[Any]] = [[0.0] * m for _ in range(m)]
    for i, body in enumerate(tree.bodies):
        for s, (a, wd) in partials[i].items():
            force, moment = inertial_wrench(body, BodyMotion.starting(wd, a))
            for r, (v, w) in partials[i].items():
                if r <= s:
                    rows[s][r] = rows[s][r] + (force * v).sum(axis=-1) + (moment * w).sum(axis=-1)
    return tree.projected(lambda r, s: rows[max(r, s)][min(r, s)], q.shape[:-1])


def _give(torques: list[Any], partials: dict[int, tuple[Reals, Reals]], force: Reals, moment: Reals) -> None:
    for r, (v, w) in partials.items():
        torques[r] = torques[r] + (force * v).sum(axis=-1) + (moment * w).sum(axis=-1)


FORMULATION = Formulation(
    "kane",
    source="Kane & Levinson 1985; Behi 1989, 3.6",
    pages={"inverse_dynamics": inverse_dynamics, "mass_matrix": mass_matrix},
    refuses=links_only,
)
