"""The number that was meant by a double: a decimal fraction of few digits, or a ratio of small whole numbers.

Arm files hold decimal fractions. Multiplied in doubles they leave 0.00041208999999999994 where 0.0203 * 0.0203 is
0.00041209. Within the rounding of a few operations hardly any double has such a number near it by chance: of a thousand
doubles with all their digits at most one is mistaken, and then by less than computing it may have cost: by some
roundings of what was added to it.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

EPS = 2.0**-53
# significant digits, and by how many roundings a double may miss a number of so many: of few digits by what is left
# where numbers a thousand times as large cancel, as moments of inertia about other points do
DECIMALS = ((5, 4096.0), (7, 512.0), (9, 64.0), (11, 16.0))
LONG_DECIMALS = ((12, 4.0), (13, 2.0))  # behind ratios: 1/9999 is 0.0001000100010001 to 13 digits, too
RATIO = 9999  # of ratios, the largest numerator and denominator
MISSED = 16.0  # roundings by which a ratio may be missed
LONG = 999_999  # the larger of the two where gears are multiplied
LONG_MISSED = 4.0
THIRDS = (3, 7, 9, 11)  # what decimal fractions are divided by: a cylinder's inertia is m (3 r^2 + h^2) / 12


@lru_cache(maxsize=65536)
def exact(x: float) -> Fraction | None:
    """The decimal fraction or the ratio that a double stands for; None where it stands for none.

    >>> import math
    >>> exact(0.0203 * 0.0203), exact(1 / 3), exact(1 / 0.1501), exact(math.pi)
    (Fraction(41209, 100000000), Fraction(1, 3), Fraction(10000, 1501), None)
    >>> exact(7 / 936 * (17 / 640))  # of gears
    Fraction(119, 599040)
    """
    if x == 0.0:
        return Fraction(0)
    if not 1e-30 < abs(x) < 1e15:  # no length, no mass; NaN among them
        return None
    if x == int(x):
        return Fraction(int(x))
    found = _decimal(x, DECIMALS) or _ratio(x) or _decimal(x, LONG_DECIMALS)
    if found is not None:
        return found
    near = Fraction(f"{1.0 / x:.8e}")  # one over a length
    if near and _near(x, 1 / near, MISSED):
        return 1 / near
    for small in THIRDS:
        for digits, within in (*DECIMALS[2:], LONG_DECIMALS[0]):
            near = Fraction(f"{x * small:.{digits - 1}e}") / small
            if _near(x, near, within):
                return near
    near = Fraction(x).limit_denominator(LONG if abs(x) < 1.0 else RATIO)
    return near if is_long_ratio(near) and _near(x, near, LONG_MISSED) else None


def _decimal(x: float, sorts: tuple[tuple[int, float], ...]) -> Fraction | None:
    for digits, within in sorts:
        near = Fraction(f"{x:.{digits - 1}e}")
        if _near(x, near, within):
            return near
    return None


def _ratio(x: float) -> Fraction | None:
    near = Fraction(x).limit_denominator(RATIO)
    return near if abs(near.numerator) <= RATIO and near and _near(x, near, MISSED) else None


def is_long_ratio(x: Fraction) -> bool:
    """Whether one of numerator and denominator is short, and the other not too long."""
    short, long = sorted((abs(x.numerator), x.denominator))
    return 0 < short <= RATIO and long <= LONG


def tidied(x: float) -> float:
    """The double next to the number that is meant."""
    found = exact(x)
    return x if found is None else float(found)


def decimal_digits(x: Fraction) -> int | None:
    """How many digits a number has behind the point; None if they do not end.

    >>> decimal_digits(Fraction(1, 8)), decimal_digits(Fraction(1, 3))
    (3, None)
    """
    rest, twos, fives = x.denominator, 0, 0
    while rest % 2 == 0:
        rest, twos = rest // 2, twos + 1
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    return max(twos, fives) if rest == 1 else None


def _near(x: float, number: Fraction, roundings: float) -> bool:
    return abs(Fraction(x) - number) <= Fraction(roundings * EPS) * abs(number)
