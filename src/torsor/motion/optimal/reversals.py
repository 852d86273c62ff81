"""Where on a path a motor or joint with friction turns round: there its friction jumps, so there are grid points."""

from __future__ import annotations

import numpy as np

from torsor.model.transforms import Floats
from torsor.motion.curves import JointPath
from torsor.motion.optimal.path_limits import PathLimits

HALVINGS = 34  # to 1e-10 of an interval


def reversals(limits: PathLimits, path: JointPath, grid: Floats) -> list[float]:
    """Parameters at which a rate changes its sign, by bisection of the intervals where it does."""
    rates = limits.contact_rates(path.at(grid))
    turns, which = np.nonzero(rates[:-1] * rates[1:] < 0.0)
    if len(turns) == 0:
        return []
    low, high, sign = grid[turns], grid[turns + 1], np.sign(rates[turns, which])
    each = np.arange(len(turns))
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        same = limits.contact_rates(path.at(middle))[each, which] * sign > 0.0
        low, high = np.where(same, middle, low), np.where(same, high, middle)
    return sorted({*(0.5 * (low + high)).tolist()})
