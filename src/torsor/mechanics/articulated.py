"""Articulated bodies in link frames (Featherstone's ABA): forward dynamics in a number of operations linear in joints.

Velocities are dealt with first: the motion at qdd = 0 gives every body a bias wrench. What is left is linear in the
accelerations, so the recursion below knows no velocity: inward the wrench n = J wd + H a, f = H^T wd + M a that a body
with all it carries asks of its joint; outward the accelerations.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from torsor.mechanics.body_motion import inertial_wrench, motion
from torsor.mechanics.formulation import Formulation, named, no_followers
from torsor.mechanics.kinematics import JointStep, dot, skew, steps, vector
from torsor.mechanics.newton_euler import to_parent, tool_pushes
from torsor.mechanics.tree import Reals, Tree
from torsor.model.parts import BASE

Blocks = tuple[Reals, Reals, Reals]  # J, H, M, each (..., 3, 3)


def forward_dynamics(tree: Tree, q: Reals, qd: Reals, tau: Reals, gravity: Reals, wrench: Reals | None = None) -> Reals:
    """qdd (..., n). Joints that follow others carry their torque to the joint they follow: not for such trees."""
    joints = steps(tree, q)
    bodies = tree.bodies
    moving = motion(tree, joints, qd, np.zeros(tree.n), gravity)
    bias = [inertial_wrench(body, m) for body, m in zip(bodies, moving, strict=True)]
    for i, force, moment in tool_pushes(tree, joints, wrench):
        bias[i] = bias[i][0] - force, bias[i][1] - moment
    inertia: list[Blocks] = [(b.inertia, skew(b.moment), b.mass * np.eye(3)) for b in bodies]
    torque = [tau[..., b.source] for b in bodies]
    asked: list[tuple[Reals, Reals, Any]] = [None] * len(bodies)  # type: ignore[list-item]
    for i in reversed(range(len(bodies))):
        body, (J, H, M), (f, n) = bodies[i], inertia[i], bias[i]
        U_n = body.turn * J[..., :, 2] + body.slide * H[..., :, 2]
        U_f = body.turn * H[..., 2, :] + body.slide * M[..., :, 2]
        inverse_D = 1.0 / body.along_axis(U_f, U_n)
        torque[i] = torque[i] - body.along_axis(f, n)
        asked[i] = U_n, U_f, inverse_D
        if (p := body.parent) != BASE:
            share = np.asarray(torque[i] * inverse_D)[..., None]
            reduced = _without_joint(body.turn, body.slide, (J, H, M), U_n, U_f, inverse_D)
            J, H, M = (own + more for own, more in zip(inertia[p], _carried(joints[i], reduced), strict=True))
            inertia[p] = J, H, M
            force, moment = to_parent(joints[i], f + U_f * share, n + U_n * share)
            bias[p] = bias[p][0] + force, bias[p][1] + moment
    qdd: list[Any] = [None] * tree.n
    accelerations: list[tuple[Reals, Reals]] = []
    for body, joint, own, (U_n, U_f, inverse_D) in zip(bodies, joints, torque, asked, strict=True):
        a = wd = np.zeros(3)
        if body.parent != BASE:
            a, wd = joint.carried(*accelerations[body.parent])
        rate = qdd[body.source] = (own - dot(U_n, wd) - dot(U_f, a)) * inverse_D
        accelerations.append((a + vector(0.0, 0.0, body.slide * rate), wd + vector(0.0, 0.0, body.turn * rate)))
    return vector(*qdd)


def _without_joint(turn: float, slide: float, blocks: Blocks, U_n: Reals, U_f: Reals, inverse_D: Any) -> Blocks:
    """What the parent feels: the joint gives way along its own axis, so nothing is left there (exact zeros)."""
    J, H, M = blocks
    over = np.asarray(inverse_D)[..., None, None]
    n_column, f_column = U_n[..., :, None] * over, U_f[..., :, None] * over
    free_n = np.array([1.0, 1.0, 0.0 if turn and not slide else 1.0])
    free_f = np.array([1.0, 1.0, 0.0 if slide and not turn else 1.0])
    return (
        (J - n_column * U_n[..., None, :]) * np.outer(free_n, free_n),
        (H - n_column * U_f[..., None, :]) * np.outer(free_n, free_f),
        (M - f_column * U_f[..., None, :]) * np.outer(free_f, free_f),
    )


def _carried(joint: JointStep, blocks: Blocks) -> Blocks:
    """Blocks seen from the parent: shifted along z, turned, shifted by the joint's position."""
    body = joint.body
    if body.slide or body.along:
        blocks = _shifted(skew(vector(0.0, 0.0, joint.reach)), blocks)
    J, H, M = (_rotated(joint, block) for block in blocks)
    return _shifted(skew(body.position), (J, H, M))


def _shifted(t: Reals, blocks: Blocks) -> Blocks:
    """About a point -t away: H + t^ M and J - H t^ + t^ (H + t^ M)^T."""
    J, H, M = blocks
    moved = H + t @ M
    return J - H @ t + t @ np.swapaxes(moved, -1, -2), moved, M


def _rotated(joint: JointStep, block: Reals) -> Reals:
    """R B R^T, row by row and column by column."""
    columns = np.stack([joint.out_of(block[..., :, k]) for k in range(3)], axis=-1)
    return np.stack([joint.out_of(columns[..., k, :]) for k in range(3)], axis=-2)


FORMULATION = Formulation(
    "articulated", "Featherstone 1983 and 2008, 7.3", named(forward_dynamics), frames="lean", refuses=no_followers
)
