"""Times of a trajectory in seconds, also where they are stamps of a clock that counts smaller parts."""

from __future__ import annotations

import numpy as np

from torsor.model.transforms import Floats

# Stamps count since 1970: from 1973 until 2286 these are more than so many parts of a second.
CLOCKS = ((1e17, 1e-9, "nanoseconds"), (1e14, 1e-6, "microseconds"), (1e11, 1e-3, "milliseconds"))
LONGEST = 1e7  # s, four months: whole numbers that span more count nanoseconds


def in_seconds(time: Floats) -> tuple[Floats, str]:
    """Times that come without a unit, and what they are taken for if that is not seconds.

    >>> in_seconds(np.array([1.7e12, 1.7e12 + 500.0]))
    (array([0. , 0.5]), 'times are read as milliseconds of a clock')
    >>> in_seconds(np.array([0.0, 1500000000.0]))
    (array([0. , 1.5]), 'times are read as nanoseconds')
    """
    if not len(time) or not np.isfinite(time).all():
        return time, ""
    for least, part, word in CLOCKS:
        if float(time.min()) > least:
            return part * (time - time[0]), f"times are read as {word} of a clock"
    if float(np.ptp(time)) > LONGEST and not np.any(time % 1.0):
        return 1e-9 * time, "times are read as nanoseconds"
    return time, ""
