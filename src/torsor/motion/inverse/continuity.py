"""Choosing among branches along a path: each solution is the one closest to the solution before it.

The choice is sequential, but along a path a branch mostly continues. So a block of poses is taken on the branch of the
pose before it, with all choices of the block checked at once; where the check fails one step is made by itself.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from torsor.model.transforms import Floats
from torsor.motion.inverse.joint_ranges import Ranges

OUTSIDE = 1e3  # what being out of limits costs beside radians and metres
SMALLEST, LARGEST = 16, 1024  # poses in a block


@dataclass(frozen=True, eq=False)
class Follower:
    """``counted`` are the joints whose distance counts; ``again`` gives the options of a pose for other joints near.

    ``otherwise(k, options)`` finds joints for a pose whose options (m, n), none or all out of limits, give no answer,
    or says why there are none.
    """

    ranges: Ranges
    counted: list[int]
    within: bool  # whether only what is within the limits is an answer
    again: Callable[[int, Floats], Floats]
    otherwise: Callable[[int, Floats], Floats]

    def cost(self, options: Floats, before: Floats) -> tuple[Floats, Floats]:
        """Options (..., m, n) turned close to ``before`` (..., n), and how far each is away (..., m)."""
        turned = self.ranges.turned(options, before[..., None, :])
        apart = turned - before[..., None, :]
        apart = apart if len(self.counted) == apart.shape[-1] else apart[..., self.counted]
        away = np.sqrt(np.einsum("...i,...i->...", apart, apart))
        away = away + np.where(self.ranges.inside(turned), 0.0, OUTSIDE)
        return turned, np.where(np.isnan(away), np.inf, away)

    def step(self, k: int, options: Floats, before: Floats) -> tuple[int, Floats]:
        """The option of pose k closest to what was before: which, and its joints."""
        turned, away = self.cost(options, before)
        best = int(np.argmin(away))
        if not np.isfinite(away[best]) or (self.within and not self.ranges.inside(turned[best])):
            return len(options), self.otherwise(k, turned)
        return best, turned[best]

    def along(self, options: Floats, start: Floats, alone: Any) -> Floats:
        """The solutions (N, n) along options (N, m, n), NaN where a branch is not; ``alone`` (N,): by steps only."""
        count = len(options)
        found = np.empty((count, options.shape[-1]))
        before, branch, k, size = start, -1, 0, SMALLEST
        while k < count:
            accepted = 0
            if branch >= 0:
                block = slice(k, min(k + size, count))
                path, accepted = self._continued(options[block], branch, before, alone[block])
                found[k : k + accepted] = path[:accepted]
                size = min(2 * size, LARGEST) if accepted == len(path) else SMALLEST
            if accepted == 0:
                each = self.again(k, before) if alone[k] else options[k]
                branch, found[k] = self.step(k, each, before)
                branch = branch if branch < options.shape[1] else -1  # what was added or found otherwise is no branch
                accepted = 1
            k += accepted
            before = found[k - 1]
        return found

    def _continued(self, options: Floats, branch: int, before: Floats, alone: Any) -> tuple[Floats, int]:
        """A block on one branch, and for how many poses the branch is the right choice."""
        path = np.concatenate([before[None], options[:, branch]])
        turning = self.ranges.turning
        path[:, turning] = np.unwrap(path[:, turning], axis=0)
        path, last = path[1:], path[:-1]
        turned, away = self.cost(options, last)
        mine = away[:, branch]
        right = (mine <= away.min(axis=-1) + 1e-12) & (mine < OUTSIDE) & ~alone
        right &= (np.abs(turned[:, branch] - path) < 1e-9).all(axis=-1)
        return path, len(path) if right.all() else int(np.argmin(right))
