"""Corners of a path: parameters at which its tangent jumps, so that only a motion at rest can pass."""

from __future__ import annotations

import numpy as np

from torsor.model.transforms import Floats
from torsor.motion.curves import JointPath

HALVINGS = 34  # until an interval is closed in on a jump to 1e-10 of it
JUMP = 1e-6  # of the greatest tangent: a smaller jump is none
SUSPECT = 1e-3  # of the greatest tangent: what q'' does not explain of a change of q' over an interval


def tangent_jumps(path: JointPath, grid: Floats) -> list[float]:
    """Where q' jumps, in rising order.

    Over an interval h of a smooth path q' changes by h (q''_0 + q''_1) / 2 but for h^3. What is left over vanishes as
    intervals are halved; at a corner it stays.

    >>> import numpy as np
    >>> from torsor.motion.curves import Along
    >>> class Bent:
    ...     length = 2.0
    ...     def at(self, s):
    ...         up = (s > 1.25).astype(float)[:, None]
    ...         return Along((s[:, None] - 1.25) * up, up, 0 * up, 0 * up)
    >>> [round(s, 9) for s in tangent_jumps(Bent(), np.linspace(0.0, 2.0, 11))]
    [1.25]
    """
    found = path.at(grid)
    scale = float(np.abs(found.dq).max())
    if not scale > 0.0:
        return []
    left_over = _unexplained(np.diff(grid), found.dq[:-1], found.dq[1:], found.ddq[:-1], found.ddq[1:])
    suspects = np.flatnonzero(left_over > SUSPECT * scale)
    low, high = grid[suspects], grid[suspects + 1]
    dq0, dq1, ddq0, ddq1 = (part[suspects + k] for part in (found.dq, found.ddq) for k in (0, 1))
    for _ in range(HALVINGS if len(suspects) else 0):
        middle = 0.5 * (low + high)
        at = path.at(middle)
        first = _unexplained(middle - low, dq0, at.dq, ddq0, at.ddq)
        second = _unexplained(high - middle, at.dq, dq1, at.ddq, ddq1)
        here = first >= second
        low, high = np.where(here, low, middle), np.where(here, middle, high)
        choose = here[:, None]
        dq0, ddq0, dq1, ddq1 = (
            np.where(choose, dq0, at.dq),
            np.where(choose, ddq0, at.ddq),
            np.where(choose, at.dq, dq1),
            np.where(choose, at.ddq, ddq1),
        )
    left = np.abs(dq1 - dq0).max(axis=-1, initial=0.0)
    return sorted((0.5 * (low + high))[left > JUMP * scale].tolist())


def _unexplained(width: Floats, dq0: Floats, dq1: Floats, ddq0: Floats, ddq1: Floats) -> Floats:
    left: Floats = np.abs(dq1 - dq0 - 0.5 * width[:, None] * (ddq0 + ddq1)).max(axis=-1)
    return left
