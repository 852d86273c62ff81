"""Closing loops by Newton's method for many postures at once: continuation from the assembled one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from torsor.model.transforms import Floats

STRIDE = 0.25  # rad or m by which driven joints go on between two corrections
FINER = 8  # where that fails, so many times smaller
LEAP = 0.5  # a correction larger than this may have changed the assembly mode
ROUNDS = 12
DONE = 1e-13  # correction that is rounding


def followed(step: Callable[[Floats, Floats], Any], x: Floats, start: tuple[Floats, Floats]) -> Floats:
    """Guessed entries (..., d) for driven joints x (..., n): along a straight line from ``start``; NaN where it ends.

    ``step(x, guess)`` gives a Newton step and the squared size of what the equations leave.
    """
    flat = x.reshape(-1, x.shape[-1])
    found = _along(step, flat, start, STRIDE)
    lost = np.isnan(found).any(axis=-1) & np.isfinite(flat).all(axis=-1)
    if lost.any():
        found[lost] = _along(step, flat[lost], start, STRIDE / FINER)
    return found.reshape(*x.shape[:-1], start[1].size)


def _along(step: Callable[[Floats, Floats], Any], x: Floats, start: tuple[Floats, Floats], stride: float) -> Floats:
    x0, g0 = start
    guess = np.broadcast_to(g0, (len(x), g0.size)).copy()
    far = np.abs(x - x0).max(initial=0.0, where=np.isfinite(x - x0))
    count = max(1, int(np.ceil(far / stride)))
    leapt = np.zeros(len(x), dtype=bool)
    with np.errstate(all="ignore"):
        for k in range(1, count + 1):
            at = x0 + (x - x0) * (k / count)
            for _ in range(2):
                move, _ = step(at, guess)
                leapt |= ~(np.abs(move).max(axis=-1) < LEAP)
                guess = guess + move
        for _ in range(ROUNDS):
            move, _ = step(x, guess)
            guess = guess + move
            done = np.abs(move).max(axis=-1) <= DONE * (1.0 + np.abs(guess).max(axis=-1))
            if done.all():
                break
        _, left = step(x, guess)
    guess[leapt | ~(np.sqrt(left) < 1e-9)] = np.nan
    return guess
