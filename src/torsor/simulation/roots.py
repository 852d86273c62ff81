"""Where a function of time passes through zero."""

from __future__ import annotations

from collections.abc import Callable

CLOSE = 4e-16  # of the interval


def crossing(value: Callable[[float], float], before: float, after: float, whole: float) -> float:
    """The first h in (0, whole] found at which ``value`` has the sign of ``after``.

    Regula falsi after Illinois, with halving whenever that is slow; the end given has passed through zero.

    >>> round(crossing(lambda h: h * h - 2.0, -2.0, 2.0, 2.0), 12)
    1.414213562373
    """
    low, high, at_low, at_high = 0.0, whole, before, after
    if at_low == 0.0:  # it starts from zero: what counts is that it comes back
        at_low = -after * 1e-3
    for turn in range(200):
        if high - low <= CLOSE * whole:
            break
        middle = (low * at_high - high * at_low) / (at_high - at_low)
        if turn % 4 == 3 or not low < middle < high:
            middle = 0.5 * (low + high)
        found = value(middle)
        if found == 0.0:
            return middle
        if (found > 0.0) == (after > 0.0):
            high, at_high = middle, found
            at_low *= 0.5
        else:
            low, at_low = middle, found
            at_high *= 0.5
    return high
