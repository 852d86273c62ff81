"""The quantities Z of SIMASEA (Behi 1989, appendix C) by their numbers, corrected, of every arm built like his.

Corrections (``docs/errata.md``): Z12 and Z13 as in (3.70), Z89 = Z61 Z24, Z90 with m4 Z44.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from torsor.mechanics.tree import Reals, Tree
from torsor.model.parts import BASE
from torsor.model.transforms import Floats

PARENTS = (BASE, 0, 1, 2, 3, 4, 0, 6)
TWISTS = (90, 0, -90, 90, 90, 0, 0, 0)  # of the rows of Denavit and Hartenberg, deg
# where the joint of a link is in the axes of the joint before it, and where its own mass: along x, y or z there
ALONG = ((0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (0.0, -1.0, 0.0), (0.0, 0.0, 1.0),
         (1.0, 0.0, 0.0), (1.0, 0.0, 0.0))  # fmt: skip
STRAIGHT = 1e-12  # m, kg m or kg m^2: what rounding leaves of a zero


@dataclass(frozen=True)
class SimaseaArm:
    """Lengths, masses, centres of mass and central moments of inertia, as appendix A.3 has them; keys are links."""

    l2: float
    l3: float
    d4: float
    l7: float
    l8: float
    m: dict[int, float]
    r: dict[int, float]
    J: dict[int, tuple[float, float, float]]

    @classmethod
    def of(cls, tree: Tree) -> SimaseaArm | None:
        """Of a tree that is built like the thesis's: the shoulder's two links, the elbow, the wrist, one loop."""
        numbers = (each for body in tree.bodies for each in (body.mass, body.moment, body.inertia, body.position))
        if len(tree.bodies) != len(PARENTS) or any(np.asarray(each).dtype == object for each in numbers):
            return None
        if len(tree.ends) != 1 or tuple(mount.body for mount in tree.ends[0]) != (7, 2):
            return None
        if any(
            (body.parent, body.source, body.shift, body.factor, body.turn, body.slide)
            != (parent, k, 0.0, 1.0, 1.0, 0.0)
            for k, (body, parent) in enumerate(zip(tree.bodies, PARENTS, strict=True))
        ):
            return None
        places = [body.position for body in tree.bodies]
        far, near = (mount.position for mount in tree.ends[0])
        parts = (places[2][0], -near[1], places[4][2], places[7][0], far[0])
        l2, l3, d4, l7, l8 = (float(each) for each in parts)
        d1 = places[1][2]
        expected = [(0, 0, 0), (0, 0, d1), (l2, 0, 0), (0, 0, 0), (0, 0, d4), (0, 0, 0), (0, 0, d1), (l7, 0, 0)]
        turns = zip(tree.bodies, PARENTS, strict=True)
        fits = all(_same(body.rotation, np.eye(3) if p == BASE else _twist(TWISTS[p])) for body, p in turns)
        fits = fits and all(map(_same, places, expected)) and _same(far, (l8, 0, 0)) and _same(near, (0, -l3, 0))
        m, r, J = {}, {}, {}
        for k, (body, axis) in enumerate(zip(tree.bodies, ALONG, strict=True)):
            link, along = k + 1, np.array(axis)
            m[link], moment = float(body.mass), np.asarray(body.moment, dtype=np.float64)
            r[link] = float(moment @ along) / m[link] if m[link] else 0.0
            central = body.inertia - m[link] * r[link] ** 2 * (np.eye(3) - np.outer(along, along))
            fits = fits and _same(moment, m[link] * r[link] * along) and _same(central, np.diag(np.diag(central)))
            x, y, z = (float(each) for each in np.diag(central))
            J[link] = (x, y, z) if TWISTS[k] == 0 else (x, z, y)
        return cls(l2, l3, d4, l7, l8, m, r, J) if fits else None


def _same(a: Any, b: Any) -> bool:
    return bool(np.abs(np.asarray(a, dtype=np.float64) - np.asarray(b)).max() <= STRAIGHT)


def _twist(degrees: int) -> Floats:
    return np.array(
        {0: np.eye(3), 90: [[1, 0, 0], [0, 0, -1], [0, 1, 0]], -90: [[1, 0, 0], [0, 0, 1], [0, -1, 0]]}[degrees]
    )


def simasea_quantities(arm: SimaseaArm, q: Reals, g: float = 9.81) -> dict[int, Any]:
    """Z1 to Z90 at joints theta 1 to theta 8 (..., 8)."""
    m, r = arm.m, arm.r
    s, c = ({k: f(q[..., k - 1]) for k in range(1, 9)} for f in (np.sin, np.cos))
    s23, c23, s78, c78 = sums_of_angles(s, c)
    Z: dict[int, Any] = {1: arm.l8 * c78, 2: arm.l8 * s78, 5: -arm.l3 * s23, 6: arm.l3 * c23}
    Z |= {3: arm.l7 * c[7] + Z[1], 4: arm.l7 * s[7] + Z[2], 7: arm.l2 * c[2] - Z[5], 8: arm.l2 * s[2] - Z[6]}
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
    Z |= {36: -r[2] * c[2], 37: -arm.l2 * c[2], 38: s[3] * arm.l2, 39: c[3] * arm.l2}
    for first, length in ((40, r[3]), (43, r[4]), (46, arm.d4)):
        Z |= {first: Z[38] + length * Z[14], first + 1: -length * Z[11], first + 2: -Z[37] - length * s23}
    Z |= {49: c[5] * c[4], 50: c[5] * s[4], 51: s[5] * c[4], 52: s[5] * s[4]}
    Z |= {53: Z[50] * Z[48], 54: Z[49] * Z[46] + s[5] * Z[39], 55: Z[49] * Z[47]}
    Z |= {56: -c[4] * Z[48], 57: s[4] * Z[46], 58: s[4] * Z[47]}
    Z |= {59: Z[52] * Z[48], 60: Z[51] * Z[46] - c[5] * Z[39], 61: Z[51] * Z[47]}
    for first, length in ((62, r[5]), (69, r[6])):
        Z |= {first + k: Z[53 + k] + length * Z[18 + k] for k in range(3)}
        Z |= {first + 3: Z[56] - length * Z[21], first + 4: Z[57] - length * Z[22], first + 5: -length * s[5]}
        Z[first + 6] = Z[58] - length * Z[23]
    Z |= {76: -r[7] * c[7], 77: -arm.l7 * c[7], 78: s[8] * arm.l7, 79: r[8] * Z[12], 80: c[8] * arm.l7 + r[8] * Z[35]}
    Z |= {81: Z[77] - r[8] * c78, 82: Z[59] * Z[24], 84: c23 * Z[39], 85: Z[60] * Z[24], 89: Z[61] * Z[24]}

    def weight(first: int, last: int) -> Any:
        """Of links 5 and 6, along their velocities."""
        five = Z[first] * Z[21] + Z[first + 3] * Z[18] + Z[last]
        return m[5] * five + m[6] * (Z[first + 7] * Z[21] + Z[first + 10] * Z[18] + Z[last])

    Z[83] = -g * weight(62, 82)
    Z[86] = -g * (
        m[2] * r[2] * c[2] + m[3] * (s23 * Z[40] + Z[84]) + m[4] * (s23 * Z[43] + Z[84])
        + (m[5] * (Z[63] * Z[21] + Z[66] * Z[18] + Z[85]) + m[6] * (Z[70] * Z[21] + Z[73] * Z[18] + Z[85]))
        + m[8] * c78 * Z[79]
    )  # fmt: skip
    Z[87] = -g * Z[18] * (m[5] * Z[67] + m[6] * Z[74])
    Z[88] = -g * Z[21] * (m[5] * r[5] + m[6] * r[6])
    Z[90] = -g * (
        s23 * (m[3] * Z[41] + m[4] * Z[44])
        + (m[5] * (Z[64] * Z[21] + Z[68] * Z[18] + Z[89]) + m[6] * (Z[71] * Z[21] + Z[75] * Z[18] + Z[89]))
        + m[7] * r[7] * c[7] + m[8] * (Z[78] * s78 + Z[80] * c78)
    )  # fmt: skip
    return Z


def sums_of_angles(s: dict[int, Any], c: dict[int, Any]) -> tuple[Any, Any, Any, Any]:
    """s23, c23, s78 and c78."""
    return (
        s[2] * c[3] + c[2] * s[3], c[2] * c[3] - s[2] * s[3], s[7] * c[8] + c[7] * s[8], c[7] * c[8] - s[7] * s[8]
    )  # fmt: skip
