"""The ranges of an arm's joints: whether joints lie in them, and whole turns that bring them there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from torsor.model.limits import position_limits
from torsor.model.model import Model
from torsor.model.transforms import Floats

ROUNDING = 1e-9  # rad or m beyond a limit that is still on it
WHOLE = 2.0 * np.pi
ANYWHERE = 10.0  # m: how far a sliding joint without limits is looked for


@dataclass(frozen=True, eq=False)
class Ranges:
    """``low`` and ``high`` (n,), infinite where there is no limit; ``turning`` (n,): whether whole turns are free."""

    names: tuple[str, ...]
    low: Floats
    high: Floats
    turning: Any

    def inside(self, q: Floats) -> Any:
        """Whether all joints are in their ranges, (...)."""
        return ((q >= self.low - ROUNDING) & (q <= self.high + ROUNDING)).all(axis=-1)

    def passed(self, q: Floats) -> Floats:
        """By how much each joint is beyond its limits, 0 within them."""
        return np.maximum(np.maximum(q - self.high, self.low - q), 0.0)

    def turned(self, q: Floats, near: Floats) -> Floats:
        """Whole turns added: closest to ``near`` of those within the limits; of all, where none is within them."""
        closest: Floats = q + WHOLE * np.round((near - q) / WHOLE) * self.turning
        if not np.isfinite(self.low).any():
            return closest
        with np.errstate(invalid="ignore"):
            above = np.ceil(np.maximum(closest - self.high - ROUNDING, 0.0) / WHOLE)
            below = np.ceil(np.maximum(self.low - ROUNDING - closest, 0.0) / WHOLE)
            moved = closest + WHOLE * (below - above) * self.turning
            fits = (moved >= self.low - ROUNDING) & (moved <= self.high + ROUNDING)
        return np.asarray(np.where(fits, moved, closest))

    def bounds(self) -> tuple[Floats, Floats]:
        """Finite bounds for a search: a turn, or metres, where there is no limit."""
        free = np.where(self.turning, np.pi, ANYWHERE)
        return np.where(np.isfinite(self.low), self.low, -free), np.where(np.isfinite(self.high), self.high, free)

    def beyond(self, q: Floats) -> tuple[int, float, float]:
        """The joint of q (n,) that is furthest out of its range: which, where it is, the limit it passes."""
        over = np.maximum(q - self.high, self.low - q)
        k = int(np.argmax(over))
        return k, float(q[k]), float(self.high[k] if q[k] > self.high[k] else self.low[k])

    def unlimited(self) -> Ranges:
        """The same joints without limits."""
        return replace(self, low=np.full_like(self.low, -np.inf), high=np.full_like(self.high, np.inf))

    def only(self, joints: Sequence[int]) -> Ranges:
        """The ranges of these joints."""
        chosen = list(joints)
        return Ranges(tuple(self.names[k] for k in chosen), self.low[chosen], self.high[chosen], self.turning[chosen])


def ranges(model: Model) -> Ranges:
    """The ranges of the joints of a model's tree."""
    turning = np.array([link.joint.kind in ("revolute", "continuous") for link in model.independent])
    return Ranges(model.joint_names, *position_limits(model.independent), turning)
