"""Joint rates for a tool's twist, in closed form for arms with a spherical wrist (Hollerbach and Sahar 1983, Behi 3.4).

The wrist's centre W moves by the first three joints alone, so the six equations fall into three and three:

    v_W = v + w x (W - tool) = J11 qd123,        w - (turns of joints 1 to 3) = [z4 z5 z6] qd456.

Accelerations are the same equations with the tool's acceleration less what the rates make of it (Behi 3.5).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from torsor.algebra import less, maximum, select
from torsor.mechanics.composite import solve_dense
from torsor.mechanics.kinematics import body_poses, dot, frame_pose, jacobian_dot_qd, matrix, rotate, scaled, vector
from torsor.mechanics.spherical_wrist import Geometry
from torsor.mechanics.tree import Reals


def chain_rates(geometry: Geometry, q: Reals, twist: Reals, damping: Any) -> Reals:
    """qd (..., 6) of the tool's chain with J qd = twist (..., 6), linear over angular in base axes.

    Where one of the two sets of equations is nearly singular (a joint would have to move faster than 1 / ``damping``
    for a unit of motion) it is solved by damped least squares, which goes over into the exact solution without a step.
    """
    tree = geometry.tree
    poses = body_poses(tree, q)
    _, tool = frame_pose(tree, poses, "tool")
    R6, p6 = poses[5]
    W = p6 + rotate(R6, geometry.wrist_in_6)
    v, w = twist[..., :3], twist[..., 3:]
    z = [R[..., :, 2] for R, _ in poses]
    columns = [np.cross(z[i], W - poses[i][1]) if body.turn else z[i] for i, body in enumerate(tree.bodies[:3])]
    arm = three_by_three(columns, v + np.cross(w, W - tool), damping * geometry.first_three.size)
    rest = w
    for body, axis, rate in zip(tree.bodies, z, arm, strict=False):
        rest = rest - scaled(body.turn * rate, axis)
    wrist = three_by_three(z[3:], rest, damping)
    return vector(*arm, *wrist) * geometry.chain.factors


def chain_accelerations(geometry: Geometry, q: Reals, qd: Reals, twist_dot: Reals, damping: Any) -> Reals:
    """qdd (..., 6) of the tool's chain with J qdd + (dJ/dt) qd = twist_dot (..., 6)."""
    return chain_rates(geometry, q, twist_dot - jacobian_dot_qd(geometry.tree, q, qd), damping)


def three_by_three(columns: list[Reals], b: Reals, least: Any) -> list[Any]:
    """x of [c0 c1 c2] x = b, damped where the smallest singular value, about det / |adjugate|, is below ``least``."""
    c0, c1, c2 = columns
    adjugate = [np.cross(c1, c2), np.cross(c2, c0), np.cross(c0, c1)]
    determinant = dot(c0, adjugate[0])
    exact = [dot(row, b) / determinant for row in adjugate]
    singular2 = determinant * determinant / maximum(sum(dot(row, row) for row in adjugate), 1e-300)
    least2 = least * least
    share = 1.0 - singular2 / maximum(least2, 1e-300)
    damping = least2 * share * share
    normal = matrix(*(tuple(dot(a, c) + damping if a is c else dot(a, c) for c in columns) for a in columns))
    damped = solve_dense(normal, vector(*(dot(column, b) for column in columns)))
    near = less(singular2, least2)
    return [select(near, damped[..., i], exact[i]) for i in range(3)]
