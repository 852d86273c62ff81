"""Where the first three joints put a point W of the third body, solved for the joints (Pieper 1968).

Three ways, chosen by the structure of the arm:

    parallel   axes 2 and 3 are parallel: joint 1 from the distance of W along z2, joint 3 from its distance from axis
               2, joint 2 from its direction (Featherstone 1983, Behi 3.3);
    coplanar   axes 1 and 2 meet or are parallel: one combination of |W|^2 and W_z does not know joint 2. It gives joint
               3, turning or sliding; then come joint 2 and joint 1;
    quartic    axes 1 and 2 pass each other: cos^2 + sin^2 = 1 of joint 2 leaves an equation of degree four for joint 3.

In all of them W = Rz(q1) g, g = p + R2 Rz(q2) r(q3), in the axes of joint 1 at rest, and with u = R2^T p, n = R2^T z1

    h  = (|W|^2 - |p|^2 - |r|^2) / 2 - u_z r_z = cos q2 (u . r) + sin q2 (r x u)     (x and y alone)
    k  =         W_z - p_z - n_z r_z           = cos q2 (n . r) + sin q2 (r x n)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from torsor.algebra import less, maximum, minimum, select, sqrt
from torsor.mechanics.kinematics import dot, rotate, scaled, unrotate, vector
from torsor.mechanics.tree import Body, Reals
from torsor.mechanics.trigonometry import FREE, solved, unturned
from torsor.model.transforms import Floats


class FirstThree:
    """The constants of three joints and a point W of the third body.

    r(q3) = P + K1 cos q3 + K2 sin q3, or P + K1 q3 for a sliding third joint; p is a point of axis 2, u and n are it
    and z1 seen along the axes there.
    """

    def __init__(self, bodies: Sequence[Body], wrist_in_3: Floats) -> None:
        _, second, third = self.bodies = bodies
        R, (x, y, z), beyond = third.rotation, wrist_in_3, np.array([0.0, 0.0, second.along])
        self.slides = bool(third.slide)
        if self.slides:
            self.P = third.position + R @ wrist_in_3 + R[:, 2] * third.along + beyond
            self.K1, self.K2 = R[:, 2], np.zeros(3)
        else:
            self.P = third.position + R[:, 2] * (z + third.along) + beyond
            self.K1, self.K2 = R[:, 0] * x + R[:, 1] * y, R[:, 1] * x - R[:, 0] * y
        self.p = second.position
        self.u, self.n = second.rotation.T @ self.p, second.rotation[2, :]

    @property
    def size(self) -> float:
        """How far W can be from the origin of joint 1, roughly: what lengths are compared with."""
        reach = 0.0 if self.slides else float(np.linalg.norm(self.K1))
        return float(np.linalg.norm(self.p) + np.linalg.norm(self.P)) + reach

    @property
    def apart(self) -> float:
        """u x n: zero where axes 1 and 2 are in one plane."""
        return float(self.u[0] * self.n[1] - self.u[1] * self.n[0])

    def from_joint_1(self, wrist: Reals, root: Floats) -> Reals:
        """W, given in base axes, in the axes of joint 1 at rest."""
        first = self.bodies[0]
        return np.asarray(unrotate(first.rotation, unrotate(root, wrist) - first.position) - [0.0, 0.0, first.along])

    def reached(self, q3: Any) -> tuple[Any, Any, Any]:
        """r(q3)."""
        if self.slides:
            return tuple(self.P[i] + self.K1[i] * q3 for i in range(3))
        c, s = np.cos(q3), np.sin(q3)
        return tuple(self.P[i] + self.K1[i] * c + self.K2[i] * s for i in range(3))

    def sides(self, W: Reals, r: tuple[Any, Any, Any]) -> tuple[Any, Any]:
        """h and k for a W and an r."""
        square = W[..., 0] * W[..., 0] + W[..., 1] * W[..., 1] + W[..., 2] * W[..., 2]
        r_square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2]
        h = 0.5 * (square - float(self.p @ self.p) - r_square) - self.u[2] * r[2]
        return h, W[..., 2] - self.p[2] - self.n[2] * r[2]

    def last(self, W: Reals, q2: Any, r: tuple[Any, Any, Any], near: Any) -> Any:
        """Joint 1, which turns g to W; near where W is on its axis."""
        c, s = np.cos(q2), np.sin(q2)
        turned = vector(c * r[0] - s * r[1], s * r[0] + c * r[1], r[2])
        g = self.p + (self.bodies[1].rotation @ turned[..., None])[..., 0]
        q1 = np.arctan2(W[..., 1], W[..., 0]) - np.arctan2(g[..., 1], g[..., 0])
        return select(less(_square(W[..., 0], W[..., 1]), FREE * self.size**2), near, q1)


Solution = tuple[Any, Any, Any, Any, Any, Any]  # q1, q2, q3, miss, and how far shoulder and elbow are from singular


def parallel(arm: FirstThree, W: Reals, near: Reals, signs: tuple[float, float]) -> Solution:
    """One of four solutions where axes 2 and 3 are parallel; signs are those of joints 1 and 3."""
    q1, v, miss1, shoulder = shoulder_turned(arm, W, 0.0, near, signs[0])
    q2, q3, miss3, elbow = in_plane(arm, v, near, signs[1])
    return q1, q2, q3, miss1 + miss3, shoulder, elbow


def shoulder_turned(arm: FirstThree, W: Reals, beyond: float, near: Reals, sign: float) -> tuple[Any, Reals, Any, Any]:
    """Joint 1, where W then is from the origin of joint 2 and in its axes at rest, miss and margin of the shoulder.

    The distance of W along z2, from body 1's origin, is what joints 2 and 3, and any ``beyond`` them, leave it.
    """
    second = arm.bodies[1]
    ux, uy, uz = second.rotation[:, 2]
    along = float(second.rotation[:, 2] @ arm.p + arm.P[2] + beyond)
    A, B = ux * W[..., 0] + uy * W[..., 1], ux * W[..., 1] - uy * W[..., 0]
    q1, miss, shoulder = solved(A, B, along - uz * W[..., 2], sign)
    q1 = select(less(_square(A, B), FREE * arm.size**2), near[..., 0], q1)
    return q1, unrotate(second.rotation, unturned(q1, W) - arm.p), miss, shoulder * arm.size**-2


def in_plane(arm: FirstThree, v: Reals, near: Reals, sign: float) -> tuple[Any, Any, Any, Any]:
    """Joints 2 and 3 that put the point of body 3 to v, in their plane; miss and margin of the elbow."""
    K1, K2, P = arm.K1[:2], arm.K2[:2], arm.P[:2]
    square = _square(v[..., 0], v[..., 1])
    most = 2.0 * float(np.linalg.norm(P) * np.linalg.norm(K1))
    q3, miss, elbow = solved(2.0 * float(P @ K1), 2.0 * float(P @ K2), square - float(P @ P + K1 @ K1), sign)
    x, y, _ = arm.reached(q3)
    q2 = np.arctan2(v[..., 1], v[..., 0]) - np.arctan2(y, x)
    q2 = select(less(square, FREE * arm.size**2), near[..., 1], q2)
    return q2, q3, miss * (0.5 / arm.size), elbow * (1.0 / most**2)


def _across(arm: FirstThree) -> tuple[Floats, float, float]:
    """The direction that u and n share where axes 1 and 2 are in one plane, and their lengths along it."""
    longer = max((arm.n[:2], arm.u[:2] / arm.size), key=lambda v: float(np.linalg.norm(v)))
    e = longer / np.linalg.norm(longer)
    return e, float(arm.u[:2] @ e), float(arm.n[:2] @ e)


def coplanar(arm: FirstThree, W: Reals, near: Reals, signs: tuple[float, float]) -> Solution:
    """One of four solutions where axes 1 and 2 are in one plane; signs are those of joints 2 and 3.

    n_e h - u_e k = 0 holds whatever q2 is, and knows r(q3) alone.
    """
    e, ue, ne = _across(arm)
    P, uz, nz = arm.P, float(arm.u[2]), float(arm.n[2])
    square = _square(W[..., 0], W[..., 1]) + W[..., 2] * W[..., 2]
    k0 = W[..., 2] - float(arm.p[2] + nz * P[2])
    h0 = 0.5 * (square - float(arm.p @ arm.p + P @ P + (0.0 if arm.slides else arm.K1 @ arm.K1))) - float(uz * P[2])
    slope1, slope2 = _slopes(arm, ue, ne)
    C = ne * h0 - ue * k0
    if not arm.slides:
        q3, miss3, elbow = solved(slope1, slope2, C, signs[1])
        elbow = elbow * (1.0 / (slope1 * slope1 + slope2 * slope2))
    elif abs(ne) < 1e-9:
        q3, miss3, elbow = C * (1.0 / slope1), 0.0 * C, 1.0 + 0.0 * C
    else:  # ne x^2 / 2 + slope1 x - C = 0
        b = slope1 / ne
        elbow = b * b + (2.0 / ne) * C
        q3 = signs[1] * sqrt(maximum(elbow, 0.0)) - b
        miss3, elbow = maximum(-elbow, 0.0), elbow * arm.size**-2
    r = arm.reached(q3)
    h, k = arm.sides(W, r)
    lever = k * (1.0 / ne) if abs(ne) >= abs(ue) / arm.size else h * (1.0 / ue)
    A, B = e[0] * r[0] + e[1] * r[1], e[1] * r[0] - e[0] * r[1]
    q2, miss2, shoulder = solved(A, B, lever, signs[0])
    q2 = select(less(_square(r[0], r[1]), FREE * arm.size**2), near[..., 1], q2)
    q1 = arm.last(W, q2, r, near[..., 0])
    miss = miss2 + miss3 * (1.0 / (2.0 * arm.size * abs(ne) + abs(ue)))
    return q1, q2, q3, miss, minimum(shoulder, _square(W[..., 0], W[..., 1])) * arm.size**-2, elbow


def _slopes(arm: FirstThree, ue: float, ne: float) -> list[float]:
    """What multiplies cos q3 and sin q3, or q3 alone where it slides, in the equation of ``coplanar``."""
    return [ne * float(arm.P @ K + arm.u[2] * K[2]) - ue * float(arm.n[2]) * float(K[2]) for K in (arm.K1, arm.K2)]


def degenerate(arm: FirstThree) -> bool:
    """Whether ``coplanar`` knows nothing of joint 3: the equation that should give it has no slope."""
    _, ue, ne = _across(arm)
    small = 1e-6 * arm.size * (abs(ne) * arm.size + abs(ue))
    return float(np.linalg.norm(_slopes(arm, ue, ne))) < small and not (arm.slides and abs(ne) > 1e-6)


def quartic(arm: FirstThree, W: Floats) -> Floats:
    """The equation of degree four for joint 3, (..., 5), on floats.

    h^2 |n|^2 + k^2 |u|^2 - 2 h k (u . n) = (u x n)^2 |r|^2, x and y alone; as coefficients of 1, cos, sin, cos of
    twice, sin of twice q3 where it turns, of 1, q3, ..., q3^4 where it slides.
    """
    u, n = arm.u, arm.n
    uu, nn, un, cross = float(u[:2] @ u[:2]), float(n[:2] @ n[:2]), float(u[:2] @ n[:2]), arm.apart
    if arm.slides:
        zero = np.zeros(W.shape[:-1])
        at_rest = arm.sides(W, arm.reached(zero))
        K = arm.K1
        h = np.stack([at_rest[0], zero - float(arm.P @ K + u[2] * K[2]), zero - 0.5], axis=-1)
        k = np.stack([at_rest[1], zero - float(n[2] * K[2]), zero], axis=-1)
        lateral = np.array([arm.P[:2] @ arm.P[:2], 2.0 * (arm.P[:2] @ K[:2]), K[:2] @ K[:2]])

        def product(a: Floats, b: Floats) -> Floats:
            terms = [sum(a[..., i] * b[..., m - i] for i in range(3) if 0 <= m - i < 3) for m in range(5)]
            return np.stack(terms, axis=-1)

        result: Floats = nn * product(h, h) + uu * product(k, k) - 2.0 * un * product(h, k)
        return result - cross**2 * np.concatenate([lateral, [0.0, 0.0]])
    # a function of this kind is known by five of its values
    angles = 2.0 * np.pi * np.arange(5) / 5.0
    r = arm.reached(angles)
    h, k = arm.sides(W[..., None, :], r)
    values = nn * h * h + uu * k * k - 2.0 * un * h * k - cross**2 * (r[0] ** 2 + r[1] ** 2)
    basis = np.stack([0.5 + 0.0 * angles, *(f(m * angles) for m in (1, 2) for f in (np.cos, np.sin))], axis=-1)
    return np.asarray(values @ basis * 0.4)


def from_third(arm: FirstThree, W: Reals, q3: Any, near: Reals) -> Solution:
    """The solution with this root q3 of the quartic."""
    r = arm.reached(q3)
    h, k = arm.sides(W, r)
    u, n = arm.u, arm.n
    side = 1.0 if arm.apart > 0.0 else -1.0
    sine = (u[0] * r[0] + u[1] * r[1]) * k - (n[0] * r[0] + n[1] * r[1]) * h
    cosine = (n[1] * r[0] - n[0] * r[1]) * h - (u[1] * r[0] - u[0] * r[1]) * k
    lateral = _square(r[0], r[1])
    q2 = np.arctan2(side * sine, side * cosine)
    q2 = select(less(lateral, FREE * arm.size**2), near[..., 1], q2)
    q1 = arm.last(W, q2, r, near[..., 0])
    shoulder = minimum(lateral, _square(W[..., 0], W[..., 1])) * arm.size**-2
    return q1, q2, q3, 0.0 * h, shoulder, _volume(arm, q2, q3, r) ** 2 * arm.size**-6


def _volume(arm: FirstThree, q2: Any, q3: Any, r: tuple[Any, Any, Any]) -> Any:
    """Of what joints 1 to 3 move W by for a unit of each: none where roots of the quartic meet."""

    def turned(x: Any, y: Any, z: Any) -> Reals:
        c, s = np.cos(q2), np.sin(q2)
        return rotate(arm.bodies[1].rotation, vector(c * x - s * y, s * x + c * y, z))

    g = arm.p + turned(*r)
    by_3 = arm.K1 + 0.0 * scaled(q3, arm.K1) if arm.slides else scaled(np.cos(q3), arm.K2) - scaled(np.sin(q3), arm.K1)
    by_1, by_2 = vector(-g[..., 1], g[..., 0], 0.0), turned(-r[1], r[0], 0.0 * r[2])
    return dot(by_1, np.cross(by_2, turned(*(by_3[..., i] for i in range(3)))))


def roots(arm: FirstThree, coefficients: Floats) -> Floats:
    """The real roots (..., 4) of quartics (..., 5), NaN for those that are not: eigenvalues, then Newton's method.

    Where joint 3 turns, the unknown is tan of half the angle from where the function is largest, which no root is near:
    the leading coefficient is then never small. Roots that have all but met are kept: what is made of them is checked
    against the pose, and those that are none fall out there.
    """
    flat_t = flat = coefficients.reshape(-1, 5)
    if not arm.slides:
        angles = np.linspace(0.0, 2.0 * np.pi, 8, endpoint=False)
        start = angles[np.argmax(np.abs(_trig(flat[:, None, :], angles)), axis=-1)] - np.pi
        flat_t = _half_angle(flat, start)
    scale = np.abs(flat_t).max(axis=-1, keepdims=True)
    monic = flat_t / np.where(np.abs(flat_t[:, 4:]) > 1e-14 * scale, flat_t[:, 4:], 1e-14 * np.maximum(scale, 1e-300))
    companion = np.zeros((len(flat), 4, 4))
    companion[:, [1, 2, 3], [0, 1, 2]] = 1.0
    companion[:, :, 3] = -monic[:, :4]
    found = np.linalg.eigvals(companion)
    x = np.where(np.abs(found.imag) < 1e-4 * (1.0 + np.abs(found.real)), found.real, np.nan)
    if not arm.slides:
        x = 2.0 * np.arctan(x) + start[:, None]
    each = flat[:, None, :]
    slope = _derivative(arm, each)
    bend = _derivative(arm, slope)
    # two that have met, and by rounding are no longer real, are where the slope vanishes, or on either side of it
    met = found.imag != 0.0
    x = _improved(arm, np.where(met[..., None], slope, each), np.where(met[..., None], bend, slope), x)
    square = -2.0 * _value(arm, each, x) / _value(arm, bend, x)
    x = np.where(met & (square > 0.0), x + np.sign(found.imag) * np.sqrt(np.maximum(square, 0.0)), x)
    return _improved(arm, each, slope, x).reshape(*coefficients.shape[:-1], 4)


def _improved(arm: FirstThree, f: Floats, slope: Floats, x: Floats) -> Floats:
    """Zeros of f, by steps of Newton's method that bring them nearer.

    Where two all but meet, rounding over a slope of all but nothing would lead anywhere.
    """
    for _ in range(3):
        off, by = _value(arm, f, x), _value(arm, slope, x)
        better = x - np.clip(off / np.where(np.abs(by) > 1e-300, by, np.inf), -1e-3, 1e-3)
        x = np.where(np.abs(_value(arm, f, better)) < np.abs(off), better, x)
    return x


def _square(x: Any, y: Any) -> Any:
    return x * x + y * y


def _trig(f: Floats, x: Floats) -> Floats:
    once = f[..., 0] + f[..., 1] * np.cos(x) + f[..., 2] * np.sin(x)
    return np.asarray(once + f[..., 3] * np.cos(2 * x) + f[..., 4] * np.sin(2 * x))


def _half_angle(f: Floats, start: Floats) -> Floats:
    """The polynomial in t = tan((x - start) / 2), lowest power first, times (1 + t^2)^2."""
    c1, s1, c2, s2 = np.cos(start), np.sin(start), np.cos(2 * start), np.sin(2 * start)
    a0, a1, b1 = f[:, 0], f[:, 1] * c1 + f[:, 2] * s1, f[:, 2] * c1 - f[:, 1] * s1
    a2, b2 = f[:, 3] * c2 + f[:, 4] * s2, f[:, 4] * c2 - f[:, 3] * s2
    powers = [a0 + a1 + a2, 2 * b1 + 4 * b2, 2 * a0 - 6 * a2, 2 * b1 - 4 * b2, a0 - a1 + a2]
    return np.stack(powers, axis=-1)


def _value(arm: FirstThree, f: Floats, x: Floats) -> Floats:
    if not arm.slides:
        return _trig(f, x)
    return np.asarray(f[..., 0] + x * (f[..., 1] + x * (f[..., 2] + x * (f[..., 3] + x * f[..., 4]))))


def _derivative(arm: FirstThree, f: Floats) -> Floats:
    """Coefficients of the same kind."""
    none = 0.0 * f[..., 0]
    if arm.slides:
        return np.stack([f[..., 1], 2.0 * f[..., 2], 3.0 * f[..., 3], 4.0 * f[..., 4], none], axis=-1)
    return np.stack([none, f[..., 2], -f[..., 1], 2.0 * f[..., 4], -2.0 * f[..., 3]], axis=-1)
