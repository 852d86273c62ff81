"""When a piece of a plan is sampled: between two of its switches in equal steps, and beside each of them.

At a switch accelerations jump: so both of its limits are taken, and the samples of a stretch end at one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from torsor.model.transforms import Floats
from torsor.motion.curves import Trajectory
from torsor.motion.paths.trajectories import Rest

LARGE = 16384  # samples at once, at most
STEP, FEWEST = 0.02, 16  # s between samples at most; steps of a piece at least
MOST = 8192  # steps of a smooth stretch: one that lasts for minutes is slow, not long
BESIDE = 1e-3  # of a step: where the way a motion goes at an end is looked at
ASIDE = 1e-11  # of a piece: how far beside a switch its one-sided limits are taken


def switches(trajectory: Trajectory) -> Floats:
    """Times at which a motion is not smooth, its two ends among them; those of a plan know them."""
    return np.asarray(getattr(trajectory, "switches", (0.0, trajectory.duration)))


def sample_times(trajectory: Trajectory) -> Iterator[SampleTimes]:
    """Times of samples of a piece, stretch by stretch; a long piece comes in parts, none of it sampled whole."""
    duration = trajectory.duration
    if isinstance(trajectory, Rest):
        yield SampleTimes(np.array([0.0, duration]), np.array([2]))
        return
    aside, step = ASIDE * duration, min(STEP, duration / FEWEST)
    edges = switches(trajectory)
    lengths = np.diff(edges)
    kept = lengths > 4.0 * aside
    start, end, lengths = edges[:-1][kept], edges[1:][kept], lengths[kept]
    steps = 2 * np.ceil(np.minimum(lengths / step, MOST) / 2.0).astype(np.intp)
    ends = np.cumsum(steps + 3)
    first = 0
    while first < len(ends):
        before = ends[first - 1] if first else 0
        last = max(int(np.searchsorted(ends, before + LARGE, side="right")), first + 1)
        own = slice(first, last)
        found = SampleTimes.of(start[own], lengths[own], steps[own])
        found.local[found.first] += aside * (start[own] > 0.0)
        found.local[found.last] = end[own] - aside * (end[own] < duration)
        yield found
        first = last


@dataclass(frozen=True, eq=False)
class SampleTimes:
    """Times of samples of smooth stretches, one after the other; so many of each are its ``sizes``."""

    local: Floats  # s, of the piece
    sizes: NDArray[np.intp]  # (stretches,)

    @classmethod
    def of(cls, start: Floats, length: Floats, steps: NDArray[np.intp]) -> SampleTimes:
        """Equal steps of stretches, and a sample beside each end, which tells where the motion goes from there: a peak
        may be very near."""
        sizes = steps + 3
        found = cls(np.empty(sizes.sum()), sizes)
        share = (np.arange(len(found.local)) - np.repeat(found.first + 1, sizes)) / np.repeat(steps, sizes)
        share[found.first], share[found.last] = 0.0, 1.0
        share[found.first + 1], share[found.last - 1] = BESIDE / steps, 1.0 - BESIDE / steps
        found.local[:] = np.repeat(start, sizes) + np.repeat(length, sizes) * share
        return found

    @cached_property
    def first(self) -> NDArray[np.intp]:
        """The first sample of each stretch."""
        return self.last + 1 - self.sizes

    @cached_property
    def last(self) -> NDArray[np.intp]:
        return np.cumsum(self.sizes) - 1
