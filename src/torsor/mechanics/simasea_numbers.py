"""The quantities Z of SIMASEA (Behi 1989, appendix C) by their numbers, corrected, for listings of its arm.

Only told, never computed with: where nobody listens, or the arm is another one, nothing happens. ``docs/errata.md``
lists the corrections: Z12 and Z13 as in (3.70), Z89 = Z61 Z24, Z90 with m4 Z44.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from torsor.algebra.telling import is_heard, told
from torsor.mechanics.tree import Reals, Tree

# appendix A.3, m
L2, L3, D4, L7, L8 = 0.60, 0.24, 0.54, 0.25, 0.60
R = {2: 0.30, 3: 0.20, 4: 0.30, 5: 0.10, 6: 0.20, 7: 0.12, 8: 0.30}
MASSES = (0.40, 0.90, 1.20, 0.30, 0.10, 0.20, 0.40, 0.80)


def is_simasea(tree: Tree) -> bool:
    """By the masses of its eight links."""
    return len(tree.bodies) == len(MASSES) and all(
        isinstance(body.mass, float) and body.mass == mass for body, mass in zip(tree.bodies, MASSES, strict=True)
    )


def tell_simasea(tree: Tree, q: Reals) -> None:
    """All joints q (8,) of the opened chain, theta 1 to theta 8."""
    if is_heard() and is_simasea(tree):
        for number, value in simasea_quantities(q).items():
            told("Z", (number,), value)


def simasea_quantities(q: Reals, g: float = 9.81) -> dict[int, Any]:
    """Z1 to Z90 at joints theta 1 to theta 8 (..., 8)."""
    s, c = ({k: f(q[..., k - 1]) for k in range(1, 9)} for f in (np.sin, np.cos))
    s23, c23 = s[2] * c[3] + c[2] * s[3], c[2] * c[3] - s[2] * s[3]
    s78, c78 = s[7] * c[8] + c[7] * s[8], c[7] * c[8] - s[7] * s[8]
    m = dict(enumerate(MASSES, start=1))
    Z: dict[int, Any] = {1: L8 * c78, 2: L8 * s78, 5: -L3 * s23, 6: L3 * c23}
    Z |= {3: L7 * c[7] + Z[1], 4: L7 * s[7] + Z[2], 7: L2 * c[2] - Z[5], 8: L2 * s[2] - Z[6]}
    Z[9] = Z[1] * Z[6] - Z[2] * Z[5]
    Z[10] = (Z[1] * Z[8] - Z[2] * Z[7]) / Z[9]
    Z[11] = (Z[2] * Z[3] - Z[1] * Z[4]) / Z[9]
    Z[12] = (Z[6] * Z[7] - Z[5] * Z[8]) / Z[9]  # (3.70)
    Z[13] = (Z[4] * Z[5] - Z[3] * Z[6]) / Z[9]
    Z[14] = -1.0 - Z[10]
    Z |= {15: c[4] * s23, 16: s[4] * Z[14], 17: -s[4] * Z[11], 18: s[4] * s23, 19: -c[4] * Z[14], 20: c[4] * Z[11]}
    Z |= {21: c[5] * Z[15] + s[5] * c23, 22: c[5] * Z[16], 23: c[5] * Z[17]}
    Z |= {24: s[5] * Z[15] - c[5] * c23, 25: s[5] * Z[16], 26: s[5] * Z[17]}
    Z |= {27: c[6] * Z[21] + s[6] * Z[18], 28: c[6] * Z[22] + s[6] * Z[19], 29: c[6] * s[5]}
    Z |= {30: c[6] * Z[23] + s[6] * Z[20], 31: -s[6] * Z[21] + c[6] * Z[18], 32: -s[6] * Z[22] + c[6] * Z[19]}
    Z |= {33: -s[6] * s[5], 34: -s[6] * Z[23] + c[6] * Z[20], 35: 1.0 + Z[13]}
    Z |= {36: -R[2] * c[2], 37: -L2 * c[2], 38: s[3] * L2, 39: c[3] * L2}
    for first, r in ((40, R[3]), (43, R[4]), (46, D4)):
        Z |= {first: Z[38] + r * Z[14], first + 1: -r * Z[11], first + 2: -Z[37] - r * s23}
    Z |= {49: c[5] * c[4], 50: c[5] * s[4], 51: s[5] * c[4], 52: s[5] * s[4]}
    Z |= {53: Z[50] * Z[48], 54: Z[49] * Z[46] + s[5] * Z[39], 55: Z[49] * Z[47]}
    Z |= {56: -c[4] * Z[48], 57: s[4] * Z[46], 58: s[4] * Z[47]}
    Z |= {59: Z[52] * Z[48], 60: Z[51] * Z[46] - c[5] * Z[39], 61: Z[51] * Z[47]}
    for first, r in ((62, R[5]), (69, R[6])):
        Z |= {first + k: Z[53 + k] + r * Z[18 + k] for k in range(3)}
        Z |= {first + 3: Z[56] - r * Z[21], first + 4: Z[57] - r * Z[22], first + 5: -r * s[5]}
        Z[first + 6] = Z[58] - r * Z[23]
    Z |= {76: -R[7] * c[7], 77: -L7 * c[7], 78: s[8] * L7, 79: R[8] * Z[12], 80: c[8] * L7 + R[8] * Z[35]}
    Z |= {81: Z[77] - R[8] * c78, 82: Z[59] * Z[24], 84: c23 * Z[39], 85: Z[60] * Z[24], 89: Z[61] * Z[24]}

    def weight(first: int, last: int) -> Any:
        """Of links 5 and 6, along their velocities."""
        five = Z[first] * Z[21] + Z[first + 3] * Z[18] + Z[last]
        return m[5] * five + m[6] * (Z[first + 7] * Z[21] + Z[first + 10] * Z[18] + Z[last])

    Z[83] = -g * weight(62, 82)
    Z[86] = -g * (
        m[2] * R[2] * c[2] + m[3] * (s23 * Z[40] + Z[84]) + m[4] * (s23 * Z[43] + Z[84])
        + (m[5] * (Z[63] * Z[21] + Z[66] * Z[18] + Z[85]) + m[6] * (Z[70] * Z[21] + Z[73] * Z[18] + Z[85]))
        + m[8] * c78 * Z[79]
    )  # fmt: skip
    Z[87] = -g * Z[18] * (m[5] * Z[67] + m[6] * Z[74])
    Z[88] = -g * Z[21] * (m[5] * R[5] + m[6] * R[6])
    Z[90] = -g * (
        s23 * (m[3] * Z[41] + m[4] * Z[44])
        + (m[5] * (Z[64] * Z[21] + Z[68] * Z[18] + Z[89]) + m[6] * (Z[71] * Z[21] + Z[75] * Z[18] + Z[89]))
        + m[7] * R[7] * c[7] + m[8] * (Z[78] * s78 + Z[80] * c78)
    )  # fmt: skip
    return Z
