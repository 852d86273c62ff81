"""Inverse kinematics in closed form of arms whose axes 2, 3 and 4 are parallel and axes 5 and 6 meet (UR3, UR5, UR10).

The point W where axes 5 and 6 meet keeps its distance along z2 whatever joints 2, 3, 4 do: that gives joint 1. The
orientation in body 1 is then three turns, about z2 by phi = q2 +- q3 +- q4, about z5 and about z6. With phi known the
origin of body 4 is known, and joints 2 and 3 reach it in their plane as two links do.
"""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import Any

import numpy as np

from torsor.algebra import absolute, less, maximum, minimum, select, sqrt
from torsor.mechanics.kinematics import rotate
from torsor.mechanics.pieper import FirstThree, in_plane, shoulder_turned
from torsor.mechanics.tree import Reals, Tree
from torsor.mechanics.trigonometry import three_turns, turn, wrapped
from torsor.model.transforms import Floats

Found = tuple[list[Any], Any, Any, Any, Any]  # joints, miss, margins


def three_parallel(
    tree: Tree, wrist_in_4: Floats, W: Reals, R: Reals, near: Reals, closing: bool = False
) -> list[Found]:
    """All eight: joints, miss, and how far shoulder, elbow and wrist are from singular; by joints 1, 3 and 5.

    W in the axes of joint 1 at rest, R that of body 6 against those axes. Where the wrist is straight phi is free; with
    ``closing`` it is taken next to that of ``near`` so that the links between can close.
    """
    _, second, third, fourth, fifth, sixth = tree.bodies
    at_rest = third.rotation @ fourth.rotation
    across, across4 = float(np.round(third.rotation[2, 2])), float(np.round(at_rest[2, 2]))  # z3, z4 along z2: 1 or -1
    # the origin of body 4 is the point of body 3 that joints 2 and 3 place
    plane = FirstThree(tree.bodies[:3], fourth.position + fourth.rotation[:, 2] * fourth.along)
    to_wrist = at_rest @ wrist_in_4
    sum_near = near[..., 1] + across * near[..., 2] + across4 * near[..., 3]
    found: list[Found] = []
    for s1 in (1.0, -1.0):
        q1, from_shoulder, miss1, shoulder = shoulder_turned(plane, W, float(to_wrist[2]), near, s1)
        R1 = np.swapaxes(turn(q1), -1, -2) @ R
        allowed = partial(_closing, plane, from_shoulder, to_wrist) if closing else None
        wrists = three_turns(second.rotation, at_rest @ fifth.rotation, sixth.rotation, R1, sum_near, allowed)
        for s3, (phi, q5, q6, miss5, wrist) in product((1.0, -1.0), wrists):
            q2, q3, miss3, elbow = in_plane(plane, from_shoulder - rotate(turn(phi), to_wrist), near, s3)
            q4 = across4 * (phi - q2 - across * q3)
            found.append(([q1, q2, q3, q4, q5, q6], miss1 + miss5 + miss3, shoulder, elbow, wrist))
    return found


def _closing(plane: FirstThree, W: Reals, to_wrist: Floats, phi: Any) -> Any:
    """The turn next to phi at which the origin of body 4 is where joints 2 and 3 can put it.

    Its distance from the shoulder is |W|^2 + |w|^2 - 2 |W| |w| cos x, x = phi - delta, and must be between the
    difference and the sum of the two links: x is between two angles on either side.
    """
    links = np.linalg.norm(plane.P[:2]), np.linalg.norm(plane.K1[:2])
    square = W[..., 0] * W[..., 0] + W[..., 1] * W[..., 1] + float(to_wrist[:2] @ to_wrist[:2])
    across = maximum(2.0 * sqrt(W[..., 0] * W[..., 0] + W[..., 1] * W[..., 1]) * np.linalg.norm(to_wrist[:2]), 1e-300)
    delta = np.arctan2(W[..., 1], W[..., 0]) - np.arctan2(to_wrist[1], to_wrist[0])
    x = wrapped(phi - delta)
    ends = []
    for length in (links[0] - links[1], links[0] + links[1]):
        cosine = minimum(maximum((square - float(length**2)) / across, -1.0), 1.0)
        ends.append(np.arctan2(sqrt(maximum(1.0 - cosine * cosine, 0.0)), cosine))
    within = minimum(maximum(absolute(x), ends[0]), ends[1])
    return phi + select(less(x, 0.0), absolute(x) - within, within - absolute(x))
