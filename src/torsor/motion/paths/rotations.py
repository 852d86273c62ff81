"""Rotations along a path with their exact derivatives: angular velocity and its first two derivatives, base axes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from torsor.errors import TorsorError
from torsor.model.transforms import Floats, quaternion_of, skew

_YZX, _ZXY = np.array([1, 2, 0]), np.array([2, 0, 1])
_SKEW = np.stack([skew(axis) for axis in np.eye(3)]).reshape(3, 9)
_NO_TURN = 1e-12  # rad: what products of rotations leave is no turn
_HALF_TURN = 1e-6  # rad: this close to half a turn the shorter way is a matter of rounding


class RotationRates(NamedTuple):
    """R(s) (k, 3, 3) and w with R' = w x R, w', w'' (k, 3)."""

    R: Floats
    w: Floats
    dw: Floats
    ddw: Floats

    @property
    def turns(self) -> bool:
        return bool(self.w.any() or self.dw.any() or self.ddw.any())


class Scalar(NamedTuple):
    """A number along a path with its first three derivatives, each (k,)."""

    x: Floats
    dx: Floats
    ddx: Floats
    dddx: Floats


def cross(a: Floats, b: Floats) -> Floats:
    """a x b (k, 3); for few rows several times as fast as NumPy's own."""
    return np.asarray(a[:, _YZX] * b[:, _ZXY] - a[:, _ZXY] * b[:, _YZX])


def turned(R: Floats, v: Floats) -> Floats:
    """R v, of which either may be the same in all rows."""
    return np.asarray((R @ v[..., None])[..., 0])


def about(axis: Floats, angle: Scalar) -> RotationRates:
    """Rodrigues: R = 1 + sin(angle) [a] + (1 - cos(angle)) [a]^2 about a constant unit axis; w = angle' a.

    The axis is (3,), or (k, 3) where each row has its own.

    >>> turn = about(np.array([0.0, 0.0, 1.0]), Scalar(*np.array([[np.pi / 2], [2.0], [0.0], [0.0]])))
    >>> turn.R[0].round(3) + 0.0, turn.w[0]
    (array([[ 0., -1.,  0.],
           [ 1.,  0.,  0.],
           [ 0.,  0.,  1.]]), array([0., 0., 2.]))
    """
    K = (axis @ _SKEW).reshape(*axis.shape, 3)
    s, c = np.sin(angle.x)[:, None, None], 2.0 * np.sin(0.5 * angle.x)[:, None, None] ** 2
    R = np.eye(3) + s * K + c * (K @ K)
    return RotationRates(R, *(rate[:, None] * axis for rate in angle[1:]))


def composed(A: RotationRates, B: RotationRates) -> RotationRates:
    """R_A R_B with its derivatives: w = w_A + R_A w_B, differentiated twice more."""
    if not (A.turns or B.turns):
        return RotationRates(A.R @ B.R, *A[1:])
    v, dv, ddv = (turned(A.R, each) for each in (B.w, B.dw, B.ddw))
    carried = cross(A.w, v)  # how R_A turns R_A w_B
    dw = A.dw + dv + carried
    ddw = A.ddw + ddv + cross(A.w, 2.0 * dv + carried) + cross(A.dw, v)
    return RotationRates(A.R @ B.R, A.w + v, dw, ddw)


def turn_between(start: Floats, end: Floats) -> tuple[Floats, float]:
    """Axis in the axes of ``start``, x for none, and angle of the shortest turn; half a turn has no shortest way."""
    w, *v = quaternion_of(start.T @ end)
    sine = float(np.linalg.norm(v))
    if sine < 0.5 * _NO_TURN:
        return np.array([1.0, 0.0, 0.0]), 0.0
    angle = 2.0 * float(np.arctan2(sine, w))
    if abs(angle - np.pi) < _HALF_TURN:
        hint = "put a via point in between"
        raise TorsorError("the orientation turns by half a turn, which has no shortest way", hint=hint)
    return np.asarray(v) / sine, angle


def euler_zyz(R: Floats) -> tuple[float, float, float]:
    """phi, theta, psi of R = Rz(phi) Ry(theta) Rz(psi), theta from 0 to pi; where theta is 0 or pi, psi is 0."""
    sine = float(np.hypot(R[0, 2], R[1, 2]))
    theta = float(np.arctan2(sine, R[2, 2]))
    if sine < 1e-12:
        return float(np.arctan2(R[1, 0] * np.sign(R[2, 2]), R[1, 1])), theta, 0.0
    return float(np.arctan2(R[1, 2], R[0, 2])), theta, float(np.arctan2(R[2, 1], -R[2, 0]))
