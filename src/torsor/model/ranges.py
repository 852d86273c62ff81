"""Which sizes make sense, for numbers that people give on the command line, in calls and in files.

The one owner of these bounds. They lie far outside of what robots do and far inside of what floats hold, so that
products of several of them stay finite.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite

import numpy as np
from numpy.typing import ArrayLike

from torsor.errors import ShapeError

LARGEST = 1e12  # of any number of an arm, in SI units


@dataclass(frozen=True)
class SensibleRange:
    """From the least to the most; ``refuse`` says by name what lies outside.

    >>> CYCLE.refuse("dt", 1e-300)
    Traceback (most recent call last):
    torsor.errors.ShapeError: dt is 1e-300; give 1e-06 to 100 s
    """

    least: float
    most: float
    unit: str = ""

    def holds(self, value: float) -> bool:
        return isfinite(value) and self.least <= value <= self.most

    def __str__(self) -> str:
        return f"{self.least:g} to {self.most:g} {self.unit}".rstrip()

    def refuse(self, name: str, values: ArrayLike) -> None:
        """Raises ShapeError for the first of some numbers that is not finite or makes no sense."""
        for value in np.ravel(values):
            if not self.holds(value):
                raise ShapeError(f"{name} is {value:g}", hint=f"give {self}")


CYCLE = SensibleRange(1e-6, 100.0, "s")  # between samples of a plan
SIGNALS = SensibleRange(1e-6, 0.25, "s")  # of a check: what is drawn less often may hide a problem; SIMASEA's is 0.25
FACTOR = SensibleRange(1e-6, 1e6)  # on speeds and accelerations
FACTOR_OR_NONE = SensibleRange(0.0, 1e6)  # on what may be left out: friction, mass
PAYLOAD = SensibleRange(0.0, 1e6, "kg")
FORCE = SensibleRange(-1e9, 1e9, "N")
MOMENT = SensibleRange(-1e9, 1e9, "N m")
PLACE = SensibleRange(-1e6, 1e6, "m or rad")  # a coordinate
NEAR = SensibleRange(-1e3, 1e3, "m or rad")  # a joint of an assembled posture, from which others are walked to
WAITING = SensibleRange(0.0, 1e9, "s")  # of one rest of a program
DURATION = SensibleRange(1e-6, 1e9, "s")  # of one motion
FREQUENCY = SensibleRange(-1e6, 1e6, "Hz")
