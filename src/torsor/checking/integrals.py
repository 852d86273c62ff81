"""What is used over time, integrated by Simpson's rule in steps that become as small as it takes.

Motion is smooth between two switches, what it takes is not: friction that follows load bends where a gear passes on
nothing, power that is not taken back where it changes sign, and dry friction jumps where a motor turns round. Steps
that hold such a place are halved. Between samples the motion is the quintic through both with their rates.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from torsor.checking.sampling import SampleBlock
from torsor.model.transforms import Floats
from torsor.motion.curves import without_rounding

ERROR, LEAST = 1e-8, 1e-6  # of the integral over the block, what a step may be off by; of the largest, what counts
HALVINGS, MOST = 24, 4096  # steps that are halved at once: more are no kinks but noise


def over_time(block: SampleBlock, values: Floats, measure: Callable[[Floats, Floats, Floats], Floats]) -> Floats:
    """(sections, columns) integrals of what ``measure`` says of a motion; at the samples these are ``values``."""
    found = np.zeros((len(block.sections), values.shape[1]))
    nodes = np.flatnonzero(block.stretch >= 0)
    label = block.stretch[nodes]
    begin = np.concatenate([[True], label[1:] != label[:-1]])
    place = np.arange(len(nodes)) - np.maximum.accumulate(np.where(begin, np.arange(len(nodes)), 0))
    first = np.flatnonzero((place[:-2] % 2 == 0) & (label[:-2] == label[2:]))
    rows = nodes[first[:, None] + np.arange(3)]  # of two steps each
    span = block.local[rows[:, 2]] - block.local[rows[:, 0]]
    sums = _simpson(span, *(values[rows[:, k]] for k in range(3)))
    whole = np.abs(sums).sum(axis=0)
    enough = ERROR * np.maximum(whole, LEAST * whole.max(initial=0.0))
    coarse = np.flatnonzero((_doubts(rows, span, values, sums) > enough).any(axis=1))
    sums[coarse] = _halved(block, rows[coarse], span[coarse], values, sums[coarse], measure, enough)
    np.add.at(found, block.owner[rows[:, 0]], sums)
    for k, section in enumerate(block.sections):
        if section.is_rest:
            found[k] = (section.last - section.first) * values[section.rows.start]
    return found


def _simpson(span: Floats, left: Floats, middle: Floats, right: Floats) -> Floats:
    return np.asarray(span[:, None] / 6.0 * (left + 4.0 * middle + right))


def _doubts(rows: NDArray[np.intp], span: Floats, values: Floats, sums: Floats) -> Floats:
    """How far the integral over two steps may be off: as far as Boole's rule is from it, with a neighbour's steps."""
    doubts = np.full_like(sums, np.inf)
    if len(rows) < 2:
        return doubts
    left, right = slice(None, -1), slice(1, None)
    points = [values[rows[left, k]] for k in range(3)] + [values[rows[right, k]] for k in (1, 2)]
    boole = sum(weight * point for weight, point in zip((7, 32, 12, 32, 7), points, strict=True))
    apart = np.abs((span[left, None] + span[right, None]) / 90.0 * boole - sums[left] - sums[right])
    near = (rows[left, 2] == rows[right, 0])[:, None]
    known = np.where(near, apart, 0.0)
    alone = ~np.concatenate([near, [[False]]]) & ~np.concatenate([[[False]], near])
    doubts = np.zeros_like(sums)
    doubts[left] = known
    doubts[right] = np.maximum(doubts[right], known)
    return np.where(alone, np.inf, doubts)


def _halved(
    block: SampleBlock,
    rows: NDArray[np.intp],
    span: Floats,
    values: Floats,
    sums: Floats,
    measure: Callable[[Floats, Floats, Floats], Floats],
    enough: Floats,
) -> Floats:
    """Integrals over two steps each, these halved until what is gained by it is little enough."""
    found = np.zeros_like(sums)
    whose = np.arange(len(rows))
    start, width = np.zeros(len(rows)), np.ones(len(rows))  # of the two steps
    ends = np.stack([values[rows[:, k]] for k in range(3)])
    for halving in range(HALVINGS):
        if not len(whose):
            break
        at = np.concatenate([start + 0.25 * width, start + 0.75 * width])
        new = measure(*_between(block, rows[np.tile(whose, 2)], at))
        low, high = new[: len(whose)], new[len(whose) :]
        half = 0.5 * width * span[whose]
        parts = _simpson(half, ends[0], low, ends[1]), _simpson(half, ends[1], high, ends[2])
        better = parts[0] + parts[1]
        goes_on = (np.abs(better - sums) > enough).any(axis=1) & (halving < HALVINGS - 1)
        goes_on &= np.count_nonzero(goes_on) <= MOST
        np.add.at(found, whose[~goes_on], better[~goes_on])
        on = np.flatnonzero(goes_on)
        ends = np.concatenate(
            [np.stack([ends[0], low, ends[1]])[:, on], np.stack([ends[1], high, ends[2]])[:, on]], axis=1
        )
        sums = np.concatenate([parts[0][on], parts[1][on]])
        whose, width = np.tile(whose[on], 2), np.tile(0.5 * width[on], 2)
        start = np.concatenate([start[on], start[on] + width[: len(on)]])
    return found


def _between(block: SampleBlock, rows: NDArray[np.intp], share: Floats) -> tuple[Floats, Floats, Floats]:
    """q, qd and qdd (k, n) within two steps of the samples ``rows`` (k, 3), ``share`` of their span after the first."""
    late = (share >= 0.5).astype(np.intp)
    a, b = (np.take_along_axis(rows, (late + k)[:, None], 1)[:, 0] for k in (0, 1))
    h, x = (block.local[b] - block.local[a])[:, None], (2.0 * share - late)[:, None]
    v, c = h * block.qd[a], h * h * block.qdd[a]
    d = block.q[b] - block.q[a] - v - 0.5 * c
    e, g = h * block.qd[b] - v - c, h * h * block.qdd[b] - c
    k3, k4, k5 = 10.0 * d - 4.0 * e + 0.5 * g, -15.0 * d + 7.0 * e - g, 6.0 * d - 3.0 * e + 0.5 * g
    q = block.q[a] + x * (v + x * (0.5 * c + x * (k3 + x * (k4 + x * k5))))
    qd = (v + x * (c + x * (3.0 * k3 + x * (4.0 * k4 + x * 5.0 * k5)))) / h
    qdd = (c + x * (6.0 * k3 + x * (12.0 * k4 + x * 20.0 * k5))) / (h * h)
    return q, without_rounding(qd), qdd  # of a joint that stands still the quintic makes 1e-17, and friction a torque
