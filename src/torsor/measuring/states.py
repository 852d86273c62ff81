"""States to measure at: joints anywhere within +-3 rad, so that no side meets small angles only."""

from __future__ import annotations

import numpy as np

from torsor.model.transforms import Floats


def states(count: int, n: int, arrays: int = 3) -> list[Floats]:
    """So many (count, n) arrays: q, qd and qdd or tau."""
    drawn = np.random.default_rng(count + n).uniform(-3.0, 3.0, (arrays, count, n))
    return [np.ascontiguousarray(a) for a in drawn]


def one_state(n: int, arrays: int = 3) -> list[Floats]:
    return [a[0].copy() for a in states(1, n, arrays)]
