"""Sines, cosines and angles in one defined way: by + - * / alone, which IEEE 754 rounds alike on every machine.

Those of NumPy and of the C library may differ in the last bit from one processor to the next, because they have other
code for those with fused multiply-add or AVX-512. Numbers that end up in equations, and the samples by which equal
values are known, must not. x = n pi/2 + r + low with |r| <= pi/4 by Cody and Waite; the polynomials are fdlibm's (Sun
Microsystems, 1993), good to an ulp.
"""

from __future__ import annotations

from math import copysign, isfinite, nan, pi, sqrt

LIMIT = 1e5  # the reduction holds to here; beyond, whole turns are taken off first
TWO_OVER_PI = float.fromhex("0x1.45f306dc9c883p-1")
# pi/2 in parts so short that their products with n are exact
SHORT_PARTS = tuple(
    float.fromhex(p)
    for p in ("0x1.921fb54400000p+0", "0x1.0b4611a600000p-34", "0x1.3198a2e000000p-69", "0x1.b839a252049c1p-104")
)
# sin(r) = r + r**3 (S[0] + r**2 S[1] + ...), cos(r) = 1 - r**2/2 + r**4 (C[0] + r**2 C[1] + ...)
S = (
    -1.66666666666666324348e-01,
    8.33333333332248946124e-03,
    -1.98412698298579493134e-04,
    2.75573137070700676789e-06,
    -2.50507602534068634195e-08,
    1.58969099521155010221e-10,
)
C = (
    4.16666666666666019037e-02,
    -1.38888888888741095749e-03,
    2.48015872894767294178e-05,
    -2.75573143513906633035e-07,
    2.08757232129817482790e-09,
    -1.13596475577881948265e-11,
)
# arctan(r) = r - r**3 (T[0] + r**2 T[1] + ...) for |r| <= 7/16; beyond, from the arctan of 1/2, 1, 3/2 and infinity
T = (
    3.33333333333329318027e-01,
    -1.99999999998764832476e-01,
    1.42857142725034663711e-01,
    -1.11111104054623557880e-01,
    9.09088713343650656196e-02,
    -7.69187620504482999495e-02,
    6.66107313738753120669e-02,
    -5.83357013379057348645e-02,
    4.97687799461593236017e-02,
    -3.65315727442169155270e-02,
    1.62858201153657823623e-02,
)
KNOWN = (
    (4.63647609000806093515e-01, 2.26987774529616870924e-17),
    (7.85398163397448278999e-01, 3.06161699786838301793e-17),
    (9.82793723247329054082e-01, 1.39033110312309984516e-17),
    (1.57079632679489655800e00, 6.12323399573676603587e-17),
)
PI_LOW = 1.2246467991473531772e-16


def cos_sin(x: float) -> tuple[float, float]:
    """Cosine and sine of an angle.

    >>> c, s = cos_sin(0.5)
    >>> round(c, 15), round(s, 15)
    (0.877582561890373, 0.479425538604203)
    """
    x = float(x)
    if not isfinite(x):
        return nan, nan
    if abs(x) > LIMIT:
        x = x - 2.0 * pi * float(round(x / (2.0 * pi)))
    n = float(round(x * TWO_OVER_PI))
    r, low = _reduced(x, n)
    z = r * r
    v = z * r
    sine = r - ((z * (0.5 * low - v * _horner(z, S[1:])) - low) - v * S[0])
    half = 0.5 * z
    head = 1.0 - half
    cosine = head + (((1.0 - head) - half) + (z * (z * _horner(z, C)) - r * low))
    quadrant = int(n) & 3
    return ((cosine, sine), (-sine, cosine), (-cosine, -sine), (sine, -cosine))[quadrant]


def _reduced(x: float, n: float) -> tuple[float, float]:
    """x - n pi/2 in two parts."""
    first = x - n * SHORT_PARTS[0]  # exact
    lost = 0.0
    for part in SHORT_PARTS[1:3]:
        product = n * part
        second = first - product
        lost += (first - second) - product
        first = second
    lost -= n * SHORT_PARTS[3]
    r = first + lost
    return r, (first - r) + lost


def _horner(z: float, coefficients: tuple[float, ...]) -> float:
    value = coefficients[-1]
    for coefficient in reversed(coefficients[:-1]):
        value = coefficient + z * value
    return value


def atan2(y: float, x: float) -> float:
    """The angle of the point (x, y), from -pi to pi; signs of zeros as everywhere.

    >>> atan2(1.0, -1.0) == 3 * pi / 4, atan2(-0.0, -1.0) == -pi
    (True, True)
    """
    y, x = float(y), float(x)
    if y == 0.0:
        return copysign(pi, y) if copysign(1.0, x) < 0.0 else y
    if x == 0.0:
        return copysign(pi / 2, y)
    angle = _arctan(abs(y / x)) if abs(y / x) < 2.0**60 else pi / 2
    return copysign(angle if x > 0.0 else pi - (angle - PI_LOW), y)


def _arctan(t: float) -> float:
    """Of t >= 0."""
    if t < 0.4375:
        return t - t * (t * t * _horner(t * t, T))
    if t < 0.6875:
        (high, low), r = KNOWN[0], (2.0 * t - 1.0) / (2.0 + t)
    elif t < 1.1875:
        (high, low), r = KNOWN[1], (t - 1.0) / (t + 1.0)
    elif t < 2.4375:
        (high, low), r = KNOWN[2], (t - 1.5) / (1.0 + 1.5 * t)
    else:
        (high, low), r = KNOWN[3], -1.0 / t
    z = r * r
    return high - ((r * (z * _horner(z, T)) - low) - r)


def hypot(x: float, y: float) -> float:
    """The length of (x, y), for lengths whose squares are numbers."""
    return sqrt(float(x) * float(x) + float(y) * float(y))
