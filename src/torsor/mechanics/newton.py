"""Newton's method for loops, the one there is: for many postures at once, with step control, and on from a closed one.

Unknowns u are whatever joints are moved to close the loops. ``step(u)`` gives Newton's step for rows u (k, d) and the
sum of squares (k,) of what the equations leave there.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from torsor.model.transforms import Floats

NewtonStep = Callable[[Floats], tuple[Floats, Floats]]
StepAt = Callable[[Floats, Floats], tuple[Floats, Floats]]  # the same, of given joints x (k, n) and unknowns

CLOSED = 1e-9  # m, or sine of an angle: what a closed loop may leave open
LEAP = 0.5  # rad or m: no step is longer; what must be corrected by more may be another assembly
STRIDE = 0.25  # rad or m by which given joints go on between two corrections
FINER = 8  # where that fails, so many times smaller
ROUNDS = 14
DONE = 1e-13  # a step that is rounding
EXACT = 1e-28  # squares left that are rounding: they need not fall any more


def settled(step: NewtonStep, u: Floats, rounds: int = ROUNDS) -> tuple[Floats, Floats]:
    """u (k, d) led to where the equations hold, and what they leave there (k,).

    A step that would leave more than there was is halved until it does not.
    """
    share = np.ones(len(u))
    with np.errstate(all="ignore"):
        move, left = step(u)
        for _ in range(rounds):
            size = np.abs(move).max(axis=-1, initial=0.0)
            way = share * (LEAP / np.maximum(size, LEAP))
            tried = u + way[:, None] * move
            next_move, next_left = step(tried)
            better = (next_left <= left) | (next_left <= EXACT)
            u, move = np.where(better[:, None], tried, u), np.where(better[:, None], next_move, move)
            left, share = np.where(better, next_left, left), np.where(better, np.minimum(1.0, 2.0 * share), 0.5 * share)
            if not (size * share > DONE * (1.0 + np.abs(u).max(axis=-1, initial=0.0))).any():
                break
        return u, np.sqrt(left)


def followed(step: StepAt, x: Floats, start: tuple[Floats, Floats]) -> Floats:
    """Unknowns (..., d) for given joints x (..., n): on straight lines from ``start``; NaN where loops do not close.

    ``start`` are given joints and unknowns of a closed posture, one for all or one for each.
    """
    flat = x.reshape(-1, x.shape[-1])
    x0, u0 = (np.broadcast_to(each, (*x.shape[:-1], each.shape[-1])).reshape(len(flat), -1) for each in start)
    found = _along(step, flat, x0, u0, STRIDE)
    lost = np.isnan(found).any(axis=-1) & np.isfinite(flat).all(axis=-1)
    if lost.any():
        found[lost] = _along(step, flat[lost], x0[lost], u0[lost], STRIDE / FINER)
    return found.reshape(*x.shape[:-1], u0.shape[-1])


def _along(step: StepAt, x: Floats, x0: Floats, u: Floats, stride: float) -> Floats:
    far = np.abs(x - x0).max(initial=0.0, where=np.isfinite(x - x0))
    count = max(1, int(np.ceil(far / stride)))
    drift, lost = np.zeros_like(u), np.zeros(len(x), dtype=bool)
    for k in range(1, count + 1):
        at = x0 + (x - x0) * (k / count)
        before, ahead = u, u + drift
        u, left = settled(partial(step, at), ahead, 1 if k < count else ROUNDS)
        lost |= ~(np.abs(u - ahead).max(axis=-1, initial=0.0) < LEAP)
        drift = u - before
    u[lost | ~(left < CLOSED)] = np.nan
    return u
