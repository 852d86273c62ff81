"""Inverse kinematics in closed form of arms whose axes 2, 3 and 4 are parallel and axes 5 and 6 meet (UR3, UR5, UR10).

The point W where axes 5 and 6 meet keeps its distance along z2 whatever joints 2, 3, 4 do: that gives joint 1. The
orientation in body 1 is then three turns, about z2 by phi = q2 +- q3 +- q4, about z5 and about z6. With phi known the
origin of body 4 is known, and joints 2 and 3 reach it in their plane as two links do.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from torsor.algebra import less, select
from torsor.mechanics.kinematics import rotate, unrotate
from torsor.mechanics.pieper import FirstThree, first_three
from torsor.mechanics.tree import Reals, Tree
from torsor.mechanics.trigonometry import FREE, solved, three_turns, turn, unturned
from torsor.model.transforms import Floats

Found = tuple[list[Any], Any, Any, Any, Any]  # joints, miss, margins


def three_parallel(tree: Tree, wrist_in_4: Floats, W: Reals, R: Reals, near: Reals) -> list[Found]:
    """All eight: joints, miss, and how far shoulder, elbow and wrist are from singular; by joints 1, 3 and 5.

    W in the axes of joint 1 at rest, R that of body 6 against those axes.
    """
    _, second, third, fourth, fifth, sixth = tree.bodies
    # z3 and z4 along z2, one or minus one
    across, across4 = (float(np.round(R[2, 2])) for R in (third.rotation, third.rotation @ fourth.rotation))
    origin = fourth.position + fourth.rotation[:, 2] * fourth.along  # of body 4, in body 3
    plane: FirstThree = first_three((tree.bodies[0], second, third), origin)
    at_rest = third.rotation @ fourth.rotation
    ux, uy, uz = second.rotation[:, 2]
    along = float(second.rotation[:, 2] @ plane.p + plane.P[2] + (at_rest @ wrist_in_4)[2])
    A, B = ux * W[..., 0] + uy * W[..., 1], ux * W[..., 1] - uy * W[..., 0]
    sum_near = near[..., 1] + across * near[..., 2] + across4 * near[..., 3]
    found: list[Found] = []
    for s1 in (1.0, -1.0):
        q1, miss1, shoulder = solved(A, B, along - uz * W[..., 2], s1)
        q1 = select(less(A * A + B * B, FREE * plane.size**2), near[..., 0], q1)
        R1 = np.swapaxes(turn(q1), -1, -2) @ R
        # W in the axes of joint 2 at rest
        from_shoulder = unrotate(second.rotation, unturned(q1, W) - plane.p)
        wrists = three_turns(second.rotation, at_rest @ fifth.rotation, sixth.rotation, R1, sum_near)
        for s3 in (1.0, -1.0):
            for phi, q5, q6, miss5, wrist in wrists:
                v = from_shoulder - rotate(turn(phi), at_rest @ wrist_in_4)
                q2, q3, miss3, elbow = _reached(plane, v, near[..., 1], s3)
                q4 = across4 * (phi - q2 - across * q3)
                miss = miss1 + miss5 + miss3
                found.append(([q1, q2, q3, q4, q5, q6], miss, shoulder * plane.size**-2, elbow, wrist))
    return found


def _reached(plane: FirstThree, v: Reals, near: Any, sign: float) -> tuple[Any, Any, Any, Any]:
    """Joints 2 and 3 that put the origin of body 4 to v, in their plane; miss and margin of the elbow."""
    K1, K2, P = plane.K1[:2], plane.K2[:2], plane.P[:2]
    square = v[..., 0] * v[..., 0] + v[..., 1] * v[..., 1]
    most = 2.0 * float(np.linalg.norm(P) * np.linalg.norm(K1))
    q3, miss, elbow = solved(2.0 * float(P @ K1), 2.0 * float(P @ K2), square - float(P @ P + K1 @ K1), sign)
    c3, s3 = np.cos(q3), np.sin(q3)
    q2 = np.arctan2(v[..., 1], v[..., 0]) - np.arctan2(P[1] + K1[1] * c3 + K2[1] * s3, P[0] + K1[0] * c3 + K2[0] * s3)
    q2 = select(less(square, FREE * plane.size**2), near, q2)
    return q2, q3, miss * (0.5 / plane.size), elbow * most**-2
