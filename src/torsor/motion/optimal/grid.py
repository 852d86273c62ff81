"""The grid of time-optimal timing, and what has to be on it: corners of the path, and places where friction jumps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from torsor.model.transforms import Floats
from torsor.motion.curves import Along, JointPath, without_rounding
from torsor.motion.optimal.path_limits import PathLimits

SHARES = np.array([0.0, 0.25, 0.5, 0.75, 1.0])  # where in an interval the exact model is asked
CLOSER = 14  # grid points added towards a point of rest, each at half the distance
BESIDE = 1e-10  # of the path: how far beside a break its two sides are looked at
HALVINGS = 34  # until an interval is closed in on a place to 1e-10 of it
JUMP = 1e-6  # of the greatest tangent: a smaller jump is none
SUSPECT = 1e-3  # of the greatest tangent: what q'' does not explain of a change of q' over an interval


def grid_of(even: Floats, inside: Sequence[float], at_rest: Sequence[float]) -> Floats:
    """Even, with what has to be on it, and denser towards points of rest, where speed changes most over the path."""
    length, width = even[-1], even[1]
    near = np.array([s + side * width * 0.5**k for s in at_rest for k in range(1, CLOSER) for side in (-1.0, 1.0)])
    grid = np.unique(np.concatenate([even, inside, near[(near > 0.0) & (near < length)]]))
    fixed = np.unique(np.concatenate([inside, [0.0, length]]))
    distance = np.abs(grid[:, None] - fixed).min(axis=1)
    keep = (distance == 0.0) | (distance > 1e-6 * width)
    return np.asarray(grid[keep])


@dataclass(frozen=True, eq=False)
class Grid:
    """A grid and the path at its points (both sides of breaks) and between them."""

    s: Floats  # (intervals + 1,)
    along: Along  # of all points looked at: grid, sides of breaks, between
    places: Floats  # their parameters
    ends: NDArray[np.intp]  # (intervals, 2) which of them are the ends of intervals
    samples: NDArray[np.intp]  # (intervals, samples) those at which the exact model is asked
    corner: NDArray[np.bool_]  # (intervals + 1,)

    @classmethod
    def of(cls, path: JointPath, s: Floats, inside: Sequence[float], corner: Sequence[float]) -> Grid:
        count = len(s) - 1
        ends = np.stack([np.arange(count), np.arange(1, count + 1)], axis=-1)
        breaks = np.searchsorted(s, inside)
        sides = s[breaks] - BESIDE * path.length, s[breaks] + BESIDE * path.length
        ends[breaks - 1, 1] = count + 1 + np.arange(len(breaks))
        ends[breaks, 0] = count + 1 + len(breaks) + np.arange(len(breaks))
        between = s[:-1, None] + np.diff(s)[:, None] * SHARES[1:-1]
        places = np.concatenate([s, *sides, between.ravel()])
        inner = count + 1 + 2 * len(breaks) + np.arange(between.size).reshape(between.shape)
        samples = np.column_stack([ends[:, 0], inner, ends[:, 1]])
        along = path.at(places)
        along = along._replace(dq=without_rounding(along.dq))
        return cls(s, along, places, ends, samples, np.isin(s, list(corner)))

    def pick(self, index: NDArray[np.intp]) -> Along:
        return Along(*(part[index.ravel()] for part in self.along))


def reversals(limits: PathLimits, path: JointPath, grid: Floats) -> list[float]:
    """Where a motor or joint with friction turns round, so that its friction jumps, by bisection."""
    rates = limits.contact_rates(path.at(grid))
    turns, which = np.nonzero(rates[:-1] * rates[1:] < 0.0)
    low, high, sign = grid[turns], grid[turns + 1], np.sign(rates[turns, which])
    for _ in range(HALVINGS if len(turns) else 0):
        middle = 0.5 * (low + high)
        same = limits.contact_rates(path.at(middle))[np.arange(len(turns)), which] * sign > 0.0
        low, high = np.where(same, middle, low), np.where(same, high, middle)
    return sorted({*(0.5 * (low + high)).tolist()})


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
    rates = np.stack([found.dq, found.ddq])  # (2, points, n)
    suspects = np.flatnonzero(_unexplained(np.diff(grid), rates[:, :-1], rates[:, 1:]) > SUSPECT * scale)
    low, high, before, after = grid[suspects], grid[suspects + 1], rates[:, suspects], rates[:, suspects + 1]
    for _ in range(HALVINGS if len(suspects) else 0):
        middle = 0.5 * (low + high)
        at = np.stack(path.at(middle)[1:3])
        here = _unexplained(middle - low, before, at) >= _unexplained(high - middle, at, after)
        low, high = np.where(here, low, middle), np.where(here, middle, high)
        before, after = np.where(here[:, None], before, at), np.where(here[:, None], at, after)
    left = np.abs(after[0] - before[0]).max(axis=-1, initial=0.0)
    return sorted((0.5 * (low + high))[left > JUMP * scale].tolist())


def _unexplained(width: Floats, before: Floats, after: Floats) -> Floats:
    """By q'' of a change of q', both (2, k, n) on the two sides of intervals."""
    change = after[0] - before[0] - 0.5 * width[:, None] * (before[1] + after[1])
    return np.asarray(np.abs(change).max(axis=-1))
