"""Rotations and poses as plain arrays: R is (3, 3); T is (4, 4), maps coordinates of its second name to its first.

What is computed here and in the rooms above from the numbers of an arm stands in its equations, to the last digit. So
sines come from ``algebra/circle.py`` and products from ``times``: the same bits on every machine.
"""

from __future__ import annotations

from math import pi, sqrt
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from torsor.algebra import circle
from torsor.algebra.circle import atan2, hypot

Floats = NDArray[np.float64]

# Files print pi/2 with as few as 12 digits (1.57079632679). An angle this close to a quarter turn is taken to be one:
# the structural zeros it brings are worth more than the 11th digit of a typed number.
QUARTER_TURN_TOLERANCE = 1e-11
_QUARTERS = ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))


def cos_sin(angle: float) -> tuple[float, float]:
    """Cosine and sine, exact at quarter turns.

    >>> cos_sin(pi / 2)
    (0.0, 1.0)
    """
    quarters = round(angle / (pi / 2)) if np.isfinite(angle) else 0
    if abs(angle - quarters * (pi / 2)) <= QUARTER_TURN_TOLERANCE:
        return _QUARTERS[quarters % 4]
    return circle.cos_sin(angle)


def times(first: NDArray[Any], *others: NDArray[Any]) -> NDArray[Any]:
    """The product of matrices (..., m, k), the last of which may be a vector (k,); floats or graph scalars.

    NumPy's ``@`` leaves floats to BLAS, which adds in another order, or fused, from one processor to the next. Here
    terms are added one after the other.
    """
    for each in others:
        if each.ndim == 1:
            terms = (first[..., :, k] * each[k] for k in range(len(each)))
        else:
            terms = (first[..., :, k, None] * each[..., None, k, :] for k in range(each.shape[-2]))
        total = next(terms)
        for term in terms:
            total = total + term
        first = total
    return first


def size_of(v: Floats) -> float:
    """The length of a vector (3,)."""
    x, y, z = (float(each) for each in v)
    return sqrt(x * x + y * y + z * z)


def dots_of(a: Floats, b: Floats) -> Floats:
    """(...): products of vectors (..., 3), in whole columns: of rows as short as these NumPy adds one by one."""
    return np.asarray(a[..., 0] * b[..., 0] + a[..., 1] * b[..., 1] + a[..., 2] * b[..., 2])


def sizes_of(v: Floats) -> Floats:
    """(...): the lengths of vectors (..., 3)."""
    return np.sqrt(dots_of(v, v))


def rotation_x(angle: float) -> Floats:
    c, s = cos_sin(angle)
    return np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])


def rotation_y(angle: float) -> Floats:
    c, s = cos_sin(angle)
    return np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]])


def rotation_z(angle: float) -> Floats:
    c, s = cos_sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def rotation_rpy(roll: float, pitch: float, yaw: float) -> Floats:
    """Rz(yaw) Ry(pitch) Rx(roll): turns about the fixed x, y and z axes in that order, as URDF has it."""
    return times(rotation_z(yaw), rotation_y(pitch), rotation_x(roll))


def rpy_of(R: Floats) -> tuple[float, float, float]:
    """Roll, pitch and yaw of a rotation, to the last digit also near pitch = +-90 deg; exactly there yaw is 0.

    Near +-90 deg yaw alone is ill-conditioned, so roll and pitch are those of what is left after turning yaw back.
    """
    yaw = atan2(R[1, 0], R[0, 0]) if hypot(R[0, 0], R[1, 0]) > 1e-15 else 0.0
    c, s = cos_sin(yaw)
    pitch = atan2(-R[2, 0], c * R[0, 0] + s * R[1, 0])
    roll = atan2(s * R[0, 2] - c * R[1, 2], c * R[1, 1] - s * R[0, 1])
    return roll, pitch, yaw


def rotation_quaternion(w: float, x: float, y: float, z: float) -> Floats:
    """The rotation of a quaternion of any length but zero."""
    n = 2.0 / (w * w + x * x + y * y + z * z)
    return np.array(
        [
            [1.0 - n * (y * y + z * z), n * (x * y - w * z), n * (x * z + w * y)],
            [n * (x * y + w * z), 1.0 - n * (x * x + z * z), n * (y * z - w * x)],
            [n * (x * z - w * y), n * (y * z + w * x), 1.0 - n * (x * x + y * y)],
        ]
    )


def quaternion_of(R: Floats) -> Floats:
    """The unit quaternion (w, x, y, z) of a rotation, w >= 0; the largest component is taken from the diagonal."""
    squares = np.array(
        [
            [1.0 + R[0, 0] + R[1, 1] + R[2, 2], R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]],
            [R[2, 1] - R[1, 2], 1.0 + R[0, 0] - R[1, 1] - R[2, 2], R[1, 0] + R[0, 1], R[0, 2] + R[2, 0]],
            [R[0, 2] - R[2, 0], R[1, 0] + R[0, 1], 1.0 - R[0, 0] + R[1, 1] - R[2, 2], R[2, 1] + R[1, 2]],
            [R[1, 0] - R[0, 1], R[0, 2] + R[2, 0], R[2, 1] + R[1, 2], 1.0 - R[0, 0] - R[1, 1] + R[2, 2]],
        ]
    )
    row: Floats = squares[np.argmax(np.diag(squares))]
    unit: Floats = row / np.linalg.norm(row)
    return -unit if unit[0] < 0.0 else unit


def rotation_to_z(axis: Floats) -> Floats:
    """A rotation A with A @ (0, 0, 1) = axis; a permutation with signs where the axis is along x, y or z."""
    for k in range(3):
        if abs(axis[k]) == 1.0:
            A = np.zeros((3, 3))
            A[(k + 1) % 3, 0], A[(k + 2) % 3, 1], A[k, 2] = 1.0, axis[k], axis[k]
            return A
    x = np.cross(axis, np.eye(3)[np.argmin(np.abs(axis))])
    x = x / size_of(x)
    return np.column_stack([x, np.cross(axis, x), axis])


def pose(rotation: ArrayLike | None = None, position: ArrayLike | None = None) -> Floats:
    """The (4, 4) pose of a rotation and a position.

    >>> pose(position=[1, 2, 3])[:3, 3]
    array([1., 2., 3.])
    """
    T = np.eye(4)
    if rotation is not None:
        T[:3, :3] = rotation
    if position is not None:
        T[:3, 3] = position
    return T


def inverse(T: Floats) -> Floats:
    R = T[:3, :3]
    return pose(R.T, times(-R.T, T[:3, 3]))


def dh_tail(a: float, alpha: float, d: float) -> Floats:
    """What follows the turn about z in a standard Denavit-Hartenberg step: Tz(d) Tx(a) Rx(alpha)."""
    return pose(rotation_x(alpha), [a, 0.0, d])


def craig_head(a: float, alpha: float, d: float) -> Floats:
    """What comes before the turn about z in a modified (Craig) step, d moved in front of it: Tx(a) Rx(alpha) Tz(d)."""
    R = rotation_x(alpha)
    return pose(R, np.array([a, 0.0, 0.0]) + R[:, 2] * d)


def skew(v: Floats) -> Floats:
    """The matrix of the cross product: skew(v) @ u = v x u."""
    x, y, z = v
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])


def is_rotation(R: Floats) -> bool:
    return bool(np.allclose(R @ R.T, np.eye(3), atol=1e-9) and np.linalg.det(R) > 0)
