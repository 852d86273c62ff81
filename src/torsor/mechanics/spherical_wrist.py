"""Inverse kinematics in closed form of arms with a spherical wrist on two parallel axes (Featherstone 1983, Behi 3.3).

The class: six turning joints in a row, the last three axes through one point W, the second and third parallel. PUMA,
IRB 140, RL15, the ASEA arm and most industrial arms are in it. Three equations of the form A cos x + B sin x = C, each
with two solutions, give all eight branches:

    axis 1 from the distance of W along z2, which joints 2 and 3 cannot change;
    axis 3 from the distance of W from axis 2, then axis 2 from its direction;
    axis 5 from the angle between z4 and z6, then axes 4 and 6 from directions.

Nothing is assumed of the other angles and offsets, so that every DH variant of these arms is the same case.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from torsor.algebra import less, maximum, select, sqrt
from torsor.mechanics.kinematics import matrix, rotate, unrotate, vector
from torsor.mechanics.tree import Array, Tree
from torsor.model.transforms import Floats, pose

TOLERANCE = 1e-9  # m and rad: how far axes may miss each other
SIGNS = tuple((a, b, c) for a in (1.0, -1.0) for b in (1.0, -1.0) for c in (1.0, -1.0))


@dataclass(frozen=True, eq=False)
class Geometry:
    """The constants of an arm of the class."""

    tree: Tree
    wrist_in_3: Floats  # W in body 3 (index 2)
    wrist_in_6: Floats  # W in body 6
    along: float  # what the distance of W along z2, from body 1's origin, always is


def recognised(tree: Tree) -> Geometry | None:
    """The geometry of an arm of the class, None for others."""
    bodies = tree.bodies
    serial = all(body.parent == i - 1 for i, body in enumerate(bodies)) and tree.is_direct
    if len(bodies) != 6 or not serial or any(b.turn != 1.0 or b.slide for b in bodies) or tree.mount("tool").body != 5:
        return None
    T = [np.eye(4)]
    for body in bodies:
        T.append(T[-1] @ pose(body.rotation, body.position + body.rotation[:, 2] * body.along))
    z, p = [t[:3, 2] for t in T[1:]], [t[:3, 3] for t in T[1:]]
    if np.linalg.norm(np.cross(z[1], z[2])) > TOLERANCE or np.linalg.norm(np.cross(z[0], z[1])) < 0.05:
        return None
    wrist = _crossing(p[3], z[3], p[4], z[4])
    if wrist is None or np.linalg.norm(np.cross(wrist - p[5], z[5])) > TOLERANCE:
        return None
    if np.linalg.norm(np.cross(z[4], z[5])) < 0.05:
        return None
    in_3, in_6 = (T[k][:3, :3].T @ (wrist - T[k][:3, 3]) for k in (3, 6))
    u = bodies[1].rotation[:, 2]
    in_1 = T[1][:3, :3].T @ (wrist - T[1][:3, 3])
    return Geometry(tree, in_3, in_6, float(u @ in_1))


def _crossing(p: Floats, z: Floats, r: Floats, y: Floats) -> Floats | None:
    """Where two lines meet, None where they pass each other."""
    across = np.cross(z, y)
    sine2 = float(across @ across)
    if sine2 < 1e-4 or abs(float((r - p) @ across)) > TOLERANCE:
        return None
    return p + z * float(np.cross(r - p, y) @ across) / sine2


def branches(geometry: Geometry, T: Array) -> tuple[Array, Array]:
    """All solutions (..., 8, 6) for T_base_tool (..., 4, 4), and by how much each misses (..., 8).

    The miss is zero for a solution; otherwise the target is out of reach and the joints are those that come nearest in
    the equation that has no solution. Where a direction is undefined (wrist or shoulder straight) the free joint is 0.
    """
    tree = geometry.tree
    tool = tree.mount("tool")
    R_last = T[..., :3, :3] @ tool.rotation.T  # R_base_body6
    wrist = T[..., :3, 3] + rotate(R_last, geometry.wrist_in_6 - tool.position)
    first, second, third, fourth, fifth, sixth = tree.bodies
    # in the axes of joint 1 at rest
    W = unrotate(first.rotation, unrotate(tree.root, wrist) - first.position) - np.array([0.0, 0.0, first.along])
    u = second.rotation[:, 2]
    ux, uy, uz = u
    A, B = ux * W[..., 0] + uy * W[..., 1], ux * W[..., 1] - uy * W[..., 0]
    rows, misses = [], []
    for s1, s3, s5 in SIGNS:
        q1, miss1 = _solved(A, B, geometry.along - uz * W[..., 2], s1)
        c1, s_1 = np.cos(q1), np.sin(q1)
        W1 = vector(c1 * W[..., 0] + s_1 * W[..., 1], c1 * W[..., 1] - s_1 * W[..., 0], W[..., 2])
        v = unrotate(second.rotation, W1 - second.position)
        K1, K2, P = _circle(third, geometry.wrist_in_3)
        square = v[..., 0] * v[..., 0] + v[..., 1] * v[..., 1]
        q3, miss3 = _solved(2.0 * (P @ K1), 2.0 * (P @ K2), square - P @ P - K1 @ K1, s3)
        c3, s_3 = np.cos(q3), np.sin(q3)
        ex, ey = P[0] + K1[0] * c3 + K2[0] * s_3, P[1] + K1[1] * c3 + K2[1] * s_3
        q2 = _angle(v[..., 1], v[..., 0]) - _angle(ey, ex)
        R03 = tree.root @ first.rotation @ _turn(q1) @ second.rotation @ _turn(q2) @ third.rotation @ _turn(q3)
        q4, q5, q6 = _wrist(fourth.rotation, fifth.rotation, sixth.rotation, np.swapaxes(R03, -1, -2) @ R_last, s5)
        joints = vector(q1, q2, q3, q4, q5, q6)
        shifts = np.array([b.shift for b in tree.bodies])
        rows.append(_wrapped(joints - shifts))
        misses.append(miss1 + miss3)
    return np.stack(np.broadcast_arrays(*rows), axis=-2), vector(*misses)


def _circle(third: Any, wrist: Floats) -> tuple[Floats, Floats, Floats]:
    """W in body 2, in the plane across z2: P + K1 cos q3 + K2 sin q3."""
    R = third.rotation
    x, y, z = wrist
    K1 = R[:, 0] * x + R[:, 1] * y
    K2 = R[:, 1] * x - R[:, 0] * y
    P = third.position + R[:, 2] * (z + third.along)
    return K1[:2], K2[:2], P[:2]


def _wrist(R3: Floats, R4: Floats, R5: Floats, R36: Array, sign: float) -> tuple[Any, Any, Any]:
    """q4, q5, q6 from R36 = R3 Rz(q4) R4 Rz(q5) R5 Rz(q6)."""
    D = R3.T @ R36
    a, b = R4[2, :], R5[:, 2]
    q5, _ = _solved(a[0] * b[0] + a[1] * b[1], a[1] * b[0] - a[0] * b[1], D[..., 2, 2] - a[2] * b[2], sign)
    c5, s5 = np.cos(q5), np.sin(q5)
    turned = vector(c5 * b[0] - s5 * b[1], s5 * b[0] + c5 * b[1], b[2] + 0.0 * c5)
    h = rotate(R4, turned)
    # with the wrist straight only q4 + q6 (or their difference) matters: q4 is 0 there
    straight = h[..., 0] * h[..., 0] + h[..., 1] * h[..., 1]
    q4 = _angle(D[..., 1, 2], D[..., 0, 2]) - _angle(h[..., 1], h[..., 0])
    q4 = select(less(straight, 1e-20), 0.0 * q4, q4)
    # what is left of the rotation about z6, whatever q4 and q5 were
    rest = np.swapaxes(_turn(q4) @ R4 @ _turn(q5) @ R5, -1, -2) @ D
    return q4, q5, _angle(rest[..., 1, 0], rest[..., 0, 0])


def _solved(A: Any, B: Any, C: Any, sign: float) -> tuple[Any, Any]:
    """x of A cos x + B sin x = C, one of two, and by how much C is out of reach."""
    rest = A * A + B * B - C * C
    inside = maximum(rest, 0.0)
    x = _angle(B, A) + sign * _angle(sqrt(inside), C)
    return x, maximum(-rest, 0.0)


def _angle(y: Any, x: Any) -> Any:
    return np.arctan2(y, x)


def _turn(q: Any) -> Array:
    c, s = np.cos(q), np.sin(q)
    zero, one = np.zeros_like(c), np.ones_like(c)
    return matrix((c, -s, zero), (s, c, zero), (zero, zero, one))


def _wrapped(q: Array) -> Array:
    """Angles in [-pi, pi)."""
    wrapped: Array = q - 2.0 * np.pi * np.floor(q * (0.5 / np.pi) + 0.5)
    return wrapped
