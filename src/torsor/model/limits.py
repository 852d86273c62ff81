"""The limits of joints as arrays, infinite where an arm has none."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import numpy as np

from torsor.model.parts import Link
from torsor.model.transforms import Floats


def position_limits(links: Iterable[Link]) -> tuple[Floats, Floats]:
    """Lowest and highest positions (k,) of the joints that links are on.

    >>> from torsor.loading import load_model
    >>> position_limits(load_model("scara").independent)[1].round(3)
    array([2.618, 2.566, 0.195, 4.712])
    """
    pairs = [link.joint.limits.position or (-np.inf, np.inf) for link in links]
    low, high = np.array(pairs, dtype=np.float64).reshape(-1, 2).T
    return low, high


def largest(links: Iterable[Link], word: Literal["speed", "acceleration", "torque"]) -> Floats:
    """The limits (k,) of speed, acceleration or torque of the joints that links are on."""
    found = (getattr(link.joint.limits, word) for link in links)
    return np.array([np.inf if limit is None else limit for limit in found], dtype=np.float64)
