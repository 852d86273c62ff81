"""Numbers that tell rounding from motion, each once, for all that plans, times and judges motions."""

from __future__ import annotations

from math import ceil

ROUNDING = 1e-9  # relative: what differs by less is the same
SHORT = 1e-9  # m and rad: what is shorter is no motion
STILL = 1e-7  # rad/s or m/s: an arm that is slower rests


def first_cycle(time: float, dt: float) -> int:
    """The number of the first whole cycle, at k dt, that is not before a time.

    >>> first_cycle(0.3, 0.1), first_cycle(0.31, 0.1)
    (3, 4)
    """
    return ceil(time / dt - ROUNDING)
