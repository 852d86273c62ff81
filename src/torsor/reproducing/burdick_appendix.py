"""Appendix II of EMDEG (Burdick 1986): its lines, corrected, and as they were printed where that is another thing.

``docs/puma560-appendix.md`` explains them; m1 is zero, and masses that the paper writes out one by one are added up.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np

CORRECTED = """\
m456, m3456 = m4 + m5 + m6, m3 + m4 + m5 + m6
K111 = -Ixx2 + Iyy2 + m2 * rx2**2 + m3456 * a2**2
K112 = m5 * ry5**2 + Ixx6 - Izz6 + m6 * rz6**2
K113 = Ixx3 - Iyy3 + m3 * ry3**2 + Ixx4 - Izz4 + m456 * (d4**2 - a3**2) + K112
K115 = Ixy3 + m456 * a3 * d4
K117 = -m3 * a2 * ry3 + m456 * a2 * d4
K119 = Ixx4 - Iyy4 + Ixx5 - Izz5
K1110 = m5 * a3 * ry5 - m6 * a3 * rz6
K1111 = m456 * a2 * a3
K1113 = (m5 * ry5 - m6 * rz6) * (d2 + d3)
K1115 = m5 * a2 * ry5 - m6 * a2 * rz6
K1116 = m5 * d4 * ry5 - m6 * d4 * rz6
K121 = -Ixz2 + m2 * d2 * rx2 + m3456 * a2 * (d2 + d3)
K123 = -Ixz3 + m456 * a3 * (d2 + d3)
K125 = Iyz3 - m3 * (d2 + d3) * ry3 + m456 * (d2 + d3) * d4
K1122, K11102, K11162, K11152, K11132 = 2 * K112, 2 * K1110, 2 * K1116, 2 * K1115, 2 * K1113
K11 = Izz1 + Iyy2 + m2 * (rx2**2 + d2**2) + Iyy3 + Izz4 + Ixx5 + Izz6 + m3456 * (a2**2 + (d2 + d3) ** 2) + m456 * a3**2
K22 = Izz2 + m2 * rx2**2 + m3456 * a2**2
K23 = Izz5 + m456 * (a3**2 + d4**2) + m5 * ry5**2 + m6 * rz6**2 + Ixx6 + Iyy4 + m3 * ry3**2 + Izz3
K33, K44, K66 = K23, Izz6 + Ixx5 + Izz4, Izz6
K55 = Ixx6 + m6 * rz6**2 + m5 * ry5**2 + Izz5
g211, g311, g312 = m2 * rx2 + m3456 * a2, -m3 * ry3 + m456 * d4, m456 * a3
g313 = g315 = g511 = m6 * rz6 - m5 * ry5
s2, c2, s3, c3, s4, c4, s5, c5 = (f(q[k]) for k in (1, 2, 3, 4) for f in (np.sin, np.cos))
s23, c23 = np.sin(q[1] + q[2]), np.cos(q[1] + q[2])

T1, T2, T3, T4, T5, T6 = s2 * s2, c2 * c2, s2 * c2, s23 * s23, c23 * c23, s23 * c23
T7, T8, T9, T10, T11, T12 = s4 * s4, c4 * c4, s4 * c4, s5 * s5, c5 * c5, s5 * c5
T13, T14, T15, T16, T17, T18 = s4 * s5, c4 * s5, s4 * c5, c4 * c5, s23 * c4, s23 * s4
T19, T20, T21, T22 = s23 * c5, c23 * s5, c2 * s23, c2 * c23
M44, M55, M66 = K44 + K112 * T10, K55, K66
V1 = K119 - K112 * T10
V2 = K112 * T12 - K1116 * s5
V3 = M55 - K1116 * c5
V4 = K1110 * c23 + K1115 * c2
V5 = V2 * c4 + K115 - K1110 * c5
V6 = K1122 * T10 + K11162 * c5 - K112 * T7 * T10 - K113 - K11102 * T14 + K119 * T7
V7 = K1111 - K1115 * T14
V8 = K117 - K1115 * c5
V9 = K1116 - K112 * c5
V10 = K1110 * s4 + K1113 * c4
V11 = K1110 * s4 - K1113 * c4
V12 = (K1116 * s23 + K1115 * c2) * T13
V13 = V1 * c4 + K1110 * s5
V14 = K112 * T7 * c5 - K1116
eta = V8 * s3 + V7 * c3
DV25 = K112 * (T11 - T10) - K1116 * c5
DV55 = DV25 * c4 + K1110 * s5
D134 = V9 * c23 * T14 - V1 * s23 * T8 + V1 * s23 * T7 - K1110 * s23 * T14 + K1113 * s23 * T13
D143 = V2 * c23 * c4 + K1110 * s23 * T14 + K1113 * s23 * T13 - M44 * s23
D135 = -DV25 * c23 * s4 + K1122 * T12 * s23 * T9 - V10 * T19 - K1113 * T20
D145 = DV25 * T17 - V4 * T16 - K1113 * c23 * T15 + K1122 * T12 * c23
D153 = K1110 * s23 * T15 - K1113 * s23 * T16 - K1113 * T20 + V3 * c23 * s4
D154 = -V4 * T16 - K1113 * c23 * T15 + V3 * T17
D345, D354 = -DV25 * s4, -V3 * s4
M11 = K11 - K111*T1 + 2*Ixy2*T3 + 2*V5*T6 - V6*T4 + 2*V8*T21 + 2*V7*T22 + K112*T10 - K11102*T14 - 2*K1113*T13
M13 = V9 * c23 * T13 - V1 * s23 * T9 - V10 * s23 * s5 + K1113 * c23 * c5 + K123 * s23 - K125 * c23
M12 = M13 - K1115 * s2 * T13 + K121 * s2 - Iyz2 * c2
M14 = V2 * T17 - V4 * T14 - K1113 * c23 * T13 + M44 * c23
M15 = -V4 * T15 + K1113 * c23 * T16 - K1113 * s23 * s5 + V3 * T18
M16 = Izz6 * c23 * c5 - Izz6 * s23 * T14
M33 = K33 + V1 * T7 - K11102 * T14 - K11162 * c5
M23 = M33 + eta
M22 = K22 + M23 + eta
M34, M35, M36 = -V2 * s4, -K1110 * s5 + V3 * c4, Izz6 * T13
M24, M25, M26 = M34 + K1115 * s3 * T13, M35 - K1115 * s3 * T16 - K1115 * c3 * s5, M36
M46 = Izz6 * c5
c133 = -V9 * s23 * T13 + K125 * s23 - V1 * c23 * T9 + K123 * c23 - V10 * T20 - K1113 * T19
c122 = c133 + Iyz2 * s2 + K121 * c2 - K1115 * c2 * T13
c144 = -K112 * T18 * T12 + V12 + V11 * T20
c155 = V11 * T20 + V12 - K1113 * T19
c311 = V5 * (T4 - T5) + V6 * T6 + V7 * T21 - V8 * T22
c211 = c311 + K111 * T3 + Ixy2 * (T1 - T2) - K1115 * s2 * c23 * T14 + V8 * s2 * s23 + K1111 * s2 * c23
c233 = V8 * c3 - V7 * s3
c344 = V9 * T14
c244 = -V2 * c4 + K1115 * s3 * T14
c355 = -K1110 * c5 + K1116 * T14
c255 = c355 + K1115 * s3 * T14 - K1115 * c3 * c5
c322 = -c233
c411 = V2 * T6 * s4 - K1115 * T22 * T13 - V11 * s5 + V13 * T4 * s4
c433 = -V13 * s4
c422 = c433 - K1115 * c3 * T13
c511 = (-K1116*s5 - K112*T7*T12 + K1122*T12 - K1110*T16)*T4 - DV55*T6 - K112*T12 + K1115*T22*T16 - K1115*T21*s5 \\
 + K1110*T16 + K1113*T15
c533 = V14 * s5 + K1110 * T16
c522 = c533 + K1115 * c3 * T16 - K1115 * s3 * s5
c544 = -K112 * T12
b112, b113, b114, b115, b123 = -2 * c211, -2 * c311, -2 * c411, -2 * c511, 2 * c133
b134, b135, b145 = D134 + D143, D135 + D153, D145 + D154
b124, b125 = b134, b135
b316 = Izz6 * T19 + Izz6 * c23 * T14
b136 = b126 = -b316
b146, b516 = Izz6 * s23 * T13, Izz6 * T20 + Izz6 * s23 * T16
b156 = -b516
b314, b315 = D134 - D143, D135 - D153
b214, b215, b216 = b314 - K11152 * s2 * T14, b315 - K11152 * s2 * T15, b316
b223, b224, b225 = -2 * c322, -2 * c422, -2 * c522
b334, b335, b345 = -2 * c433, -2 * c533, D345 + D354
b234, b235 = b334 + K11152 * c3 * T13, b335 - K11152 * c3 * T16 + K11152 * s3 * s5
b436, b536, b546 = -Izz6 * T14, -Izz6 * T15, Izz6 * s5
b346, b356 = -b436, -b536
b245, b246, b256 = b345 + K11152 * s3 * T15, b346, b356
b324, b325, b412, b413 = b334, b335, -b214, -b314
b415, b416, b423 = D145 - D154, -Izz6 * s23 * T13, -b324
b435 = D345 - D354
b425, b426, b445, b456 = b435, b436, -2 * c544, -b546
b512, b513, b514, b523, b524, b526, b534 = -b215, -b315, -b415, -b325, -b425, b536, -b435
b612, b613, b614, b615, b624, b625 = -b216, -b316, -b416, -b516, -b426, -b526
b634, b635, b645 = -b436, -b536, -b546
g3 = g311 * s23 + g312 * c23 + g313 * c23 * T14 + g315 * T19
g2, g4 = g211 * c2 + g3, -g315 * s23 * T13
g5 = g511 * s23 * T16 + g511 * c23 * s5
"""
# "": missing in print
PRINTED = {
    "K115": "Iyy3 + m456 * a3 * d4",
    "K121": "-Ixx2 + m2 * d2 * rx2 + m3456 * a2 * (d2 + d3)",
    "K123": "-Izz3 + m456 * a3 * (d2 + d3)",
    "K11132": "",
    "K11": "Izz1 + Iyy2 + m2 * (rx2**2 + d2**2) + Iyy3 + Ixx4 + Ixx5 + Izz6 + m3456 * (a2**2 + (d2 + d3) ** 2)"
    " + m456 * a3**2",
    "K22": "K23 + Izz2 + m2 * rx2**2 + m3456 * a2**2",
    "K23": "Ixx5 + m456 * (a3**2 + d4**2) + m5 * ry5**2 + m6 * rz6**2 + Ixx6 + Iyy4 + m3 * ry3**2 + Izz3",
    "g311": "m3 * ry3 + m456 * d4",
    "g315": "",
    "g511": "m6 * rz6 + m5 * ry5",
    "V6": "K1122 * T10 + K11162 * c5 - K112 * T7 * T10 - K1113 - K11102 * T14 + K119 * T7",
    "V12": "(K1116 * s23 + K1115 * c2) * T15",
    "D134": "V9 * c23 * T14 - V1 * s23 * T8 + V1 * s23 * T7",
    "D143": "V2 * c23 * c4 + K1110 * s23 * T14 + K1113 * s23 * T15 - M44 * s23",
    "D135": "V8 * c23 * T15 - V10 * T19 - K1113 * T20",
    "D145": "DV25 * T17 - K1110 * c4 * T10 - K1113 * c23 * T15",
    "D153": "-K1113 * s23 * T16 - K1113 * T20 + V3 * c23 * s4",
    "D345": "-DV25 * s5",
    "M11": "K11 - K111*T1 + 2*Ixy2*T3 + 2*V5*T6 - V6*T4 + V6*T21 + 2*V7*T22 + K112*T10 - K11102*T14 - K11152*T13",
    "M14": "V2 * T17 - V4 * T14 - K1115 * c23 * T13 + M44 * c23",
    "c311": "V5 * (T4 - T3) + V6 * T6 + V7 * T21 - V8 * T22",
    "c211": "c311 + K111 * T3 + Ixy2 * (T1 - T2) - K1115 * s2 * c23 * T14 + V7 * T13 + K1111 * T21",
    "c511": "(-K1116*s5 - K112*T7*T12 + K1122*T12 - K1110*T16)*T4 - DV55*T6 - K1112*T12 + K1115*T22*T16"
    " - K1115*T21*s5 + V10*c5",
    "b234": "b334",
    "b256": "",
    "b512": "-b213",
    "b514": "-b413",
    "b523": "-b323",
    "g2": "g211 * c2 + g5",
}


@cache
def expressions() -> dict[str, str]:
    """The corrected lines, by name, in their order."""
    found = {}
    for line in ast.parse(CORRECTED).body:
        assert isinstance(line, ast.Assign)
        for target in line.targets:  # several names of one value, or one
            if not isinstance(target, ast.Tuple):
                found[ast.unparse(target)] = ast.unparse(line.value)
            elif isinstance(line.value, ast.Tuple):
                found |= {ast.unparse(a): ast.unparse(b) for a, b in zip(target.elts, line.value.elts, strict=True)}
    return found


def evaluated(parameters: Mapping[str, float], q: Any) -> dict[str, float]:
    """All names of the appendix, corrected, at joints q (6,)."""
    scope: dict[str, Any] = dict(parameters) | {"q": np.asarray(q), "np": np}
    exec(compile(CORRECTED, "Appendix II", "exec"), scope)
    return {name: float(value) for name, value in scope.items() if np.ndim(value) == 0 and isinstance(value, float)}


def as_printed(name: str, scope: Mapping[str, float]) -> float | None:
    """What a printed line gives with everything else corrected; None where it names what nothing defines."""
    text = PRINTED[name]
    names = {node.id for node in ast.walk(ast.parse(text or "missing", mode="eval")) if isinstance(node, ast.Name)}
    return float(eval(text, {}, dict(scope))) if names <= set(scope) else None
