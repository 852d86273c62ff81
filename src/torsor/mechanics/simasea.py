"""Kane's equations of SIMASEA, in the symbols of the thesis (Behi 1989, 3.6, appendices C to E), corrected.

For arms that are built like his (`SimaseaArm`). Rates of the joints that the loop moves are Z10 to Z13 of the two
that drive it; every partial velocity is a Z, so that a listing has his numbers. Corrections: K* holds T* - m V.a,
(3.143) to (3.147) have +tau, (3.105) is for i = 1 to 5 and 7, E.60 has -c5 T5z, E.59 and E.62 use a4 in frame 3.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from torsor.algebra.telling import told
from torsor.mechanics.kinematics import vector
from torsor.mechanics.simasea_numbers import SimaseaArm, simasea_quantities, sums_of_angles
from torsor.mechanics.tree import Reals

FREE = (1, 2, 4, 5, 6, 7)  # the joints that have motors


def torques(arm: SimaseaArm, q: Reals, qd: Reals, qdd: Reals, g: float) -> Reals:
    """tau (..., 6) of the motors, for all joints q, qd, qdd (..., 8)."""
    Z = simasea_quantities(arm, q, g)
    for number, value in Z.items():
        told("Z", (number,), value)
    s, c = ({k: f(q[..., k - 1]) for k in range(1, 9)} for f in (np.sin, np.cos))
    s23, c23, s78, c78 = sums_of_angles(s, c)
    m, r = arm.m, arm.r
    w, wd = _rotations(s, c, qd, qdd)
    a = _accelerations(arm, Z, s, c, w, wd)
    T = {k: _inertia_torque(arm.J[k], w[k], wd[k]) for k in range(1, 9)}

    # E.58 to E.62, link by link; x, y, z of T and a are 0, 1, 2
    K1 = T[1][1] + s[2] * T[2][0] + c[2] * T[2][1] - m[2] * (Z[36] * a[2][2])
    K1 = K1 + s23 * T[3][0] + c23 * T[3][2] - m[3] * (Z[42] * a[3][1])
    K1 = K1 + Z[15] * T[4][0] + c23 * T[4][1] + Z[18] * T[4][2] - m[4] * (Z[45] * a[4][1])
    K1 = K1 + Z[21] * T[5][0] + Z[18] * T[5][1] + Z[24] * T[5][2]
    K1 = K1 - m[5] * (Z[62] * a[5][0] + Z[65] * a[5][1] + Z[59] * a[5][2])
    K1 = K1 + Z[27] * T[6][0] + Z[31] * T[6][1] + Z[24] * T[6][2]
    K1 = K1 - m[6] * (Z[69] * a[6][0] + Z[72] * a[6][1] + Z[59] * a[6][2])
    K1 = K1 + s[7] * T[7][0] + c[7] * T[7][1] - m[7] * (Z[76] * a[7][2])
    K1 = K1 + s78 * T[8][0] + c78 * T[8][1] - m[8] * (Z[81] * a[8][2])

    K2 = T[2][2] - m[2] * (r[2] * a[2][1]) + Z[14] * T[3][1] - m[3] * (Z[40] * a[3][0] + Z[39] * a[3][2])
    K2 = K2 + Z[16] * T[4][0] + Z[19] * T[4][2] - m[4] * (Z[43] * a[4][0] + Z[39] * a[4][2])
    K2 = K2 + Z[22] * T[5][0] + Z[19] * T[5][1] + Z[25] * T[5][2]
    K2 = K2 - m[5] * (Z[63] * a[5][0] + Z[66] * a[5][1] + Z[60] * a[5][2])
    K2 = K2 + Z[28] * T[6][0] + Z[32] * T[6][1] + Z[25] * T[6][2]
    K2 = K2 - m[6] * (Z[70] * a[6][0] + Z[73] * a[6][1] + Z[60] * a[6][2])
    K2 = K2 + Z[12] * T[8][2] - m[8] * (Z[79] * a[8][1])

    K4 = T[4][1] + s[5] * T[5][0] - c[5] * T[5][2] - m[5] * (Z[67] * a[5][1])
    K4 = K4 + Z[29] * T[6][0] + Z[33] * T[6][1] - c[5] * T[6][2] - m[6] * (Z[74] * a[6][1])

    K5 = T[5][1] - m[5] * (r[5] * a[5][0]) + s[6] * T[6][0] + c[6] * T[6][1] - m[6] * (r[6] * a[6][0])

    K7 = T[7][2] - m[7] * (r[7] * a[7][1]) - Z[11] * T[3][1] - m[3] * (Z[41] * a[3][0])
    K7 = K7 + Z[17] * T[4][0] + Z[20] * T[4][2] - m[4] * (Z[44] * a[4][0])
    K7 = K7 + Z[23] * T[5][0] + Z[20] * T[5][1] + Z[26] * T[5][2]
    K7 = K7 - m[5] * (Z[64] * a[5][0] + Z[68] * a[5][1] + Z[61] * a[5][2])
    K7 = K7 + Z[30] * T[6][0] + Z[34] * T[6][1] + Z[26] * T[6][2]
    K7 = K7 - m[6] * (Z[71] * a[6][0] + Z[75] * a[6][1] + Z[61] * a[6][2])
    K7 = K7 + Z[35] * T[8][2] - m[8] * (Z[78] * a[8][0] + Z[80] * a[8][1])
    # K + K* = 0, with K of (3.142) to (3.147)
    return vector(-Z[83] - K1, -Z[86] - K2, -Z[87] - K4, -Z[88] - K5, -T[6][2], -Z[90] - K7)


def _rotations(s: Any, c: Any, qd: Reals, qdd: Reals) -> tuple[dict[int, Any], dict[int, Any]]:
    """w and its derivative of every link in its own frame, (3.84) to (3.91) and (3.104) to (3.106)."""
    th, thd = ({k: each[..., k - 1] for k in range(1, 9)} for each in (qd, qdd))
    w: dict[int, Any] = {1: (0.0, th[1], 0.0)}
    wd: dict[int, Any] = {1: (0.0, thd[1], 0.0)}
    for link, before, twist in ((2, 1, 0), (3, 2, -90), (4, 3, 90), (5, 4, 90), (6, 5, 0), (7, 1, 0), (8, 7, 0)):
        wx, wy, wz = w[before]
        x, y, z = wd[before]
        w[link] = _turned(twist, s[link], c[link], (wx, wy, wz + th[link]))
        wd[link] = _turned(twist, s[link], c[link], (x + wy * th[link], y - wx * th[link], z + thd[link]))
    return w, wd


def _turned(twist: int, s: Any, c: Any, v: Any) -> tuple[Any, Any, Any]:
    """R v into the frame behind a joint."""
    x, y, z = v
    along, across = c * x + s * y, c * y - s * x
    return {0: (along, across, z), 90: (along, z, -across), -90: (along, -z, across)}[twist]


def _accelerations(arm: SimaseaArm, Z: Any, s: Any, c: Any, w: Any, wd: Any) -> dict[int, Any]:
    """Of the centres of mass, (3.107) to (3.120): 2, 7 and 8 in their own frames, 4 in frame 3, 6 in frame 5."""
    r, a = arm.r, {2: _out(w[2], wd[2], arm.r[2])}
    elbow = _turned(-90, s[3], c[3], _out(w[2], wd[2], arm.l2))
    a |= {link: _sum(elbow, _up(w[3], wd[3], r[link])) for link in (3, 4)}
    x, y, z = _sum(elbow, _up(w[3], wd[3], arm.d4))
    wrist = (Z[49] * x + Z[50] * y + s[5] * z, s[4] * x - c[4] * y, Z[51] * x + Z[52] * y - c[5] * z)
    a |= {link: _sum(wrist, _up(w[5], wd[5], r[link])) for link in (5, 6)}
    a[7] = _out(w[7], wd[7], r[7])
    a[8] = _sum(_turned(0, s[8], c[8], _out(w[7], wd[7], arm.l7)), _out(w[8], wd[8], r[8]))
    return a


def _out(w: Any, wd: Any, length: float) -> tuple[Any, Any, Any]:
    """wd x p + w x (w x p) of p along x."""
    wx, wy, wz = w
    return -length * (wy * wy + wz * wz), length * (wd[2] + wx * wy), -length * (wd[1] - wx * wz)


def _up(w: Any, wd: Any, length: float) -> tuple[Any, Any, Any]:
    """The same of p along z."""
    wx, wy, wz = w
    return length * (wd[1] + wx * wz), -length * (wd[0] - wy * wz), -length * (wx * wx + wy * wy)


def _sum(a: Any, b: Any) -> tuple[Any, ...]:
    return tuple(x + y for x, y in zip(a, b, strict=True))


def _inertia_torque(J: tuple[float, float, float], w: Any, wd: Any) -> tuple[Any, Any, Any]:
    """T* of (3.122), for principal axes."""
    (x, y, z), (wx, wy, wz) = J, w
    return (
        wy * wz * (y - z) - wd[0] * x,
        wz * wx * (z - x) - wd[1] * y,
        wx * wy * (x - y) - wd[2] * z,
    )
