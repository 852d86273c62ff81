"""Figures of a motion: when it settles, how far it shoots over, how much it errs. Arrays are (..., times, n)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from torsor.errors import ShapeError
from torsor.model.transforms import Floats


def settling_time(time: Floats, q: Floats, reference: ArrayLike, tolerance: ArrayLike) -> Floats:
    """(..., n): the first sample from which on |q - reference| <= tolerance; NaN where the last one is outside.

    >>> settling_time(np.arange(4.0), np.array([[0.0], [0.9], [1.1], [1.0]]), [1.0], 0.05)
    array([3.])
    """
    outside = np.abs(q - _reference(reference, q)) > np.asarray(tolerance, dtype=np.float64)
    count = outside.shape[-2]
    last = count - 1 - np.argmax(outside[..., ::-1, :], axis=-2)  # the last sample outside
    last = np.where(outside.any(axis=-2), last, -1)
    return np.where(last == count - 1, np.nan, time[np.minimum(last + 1, count - 1)])


def overshoot(q: Floats, reference: ArrayLike) -> Floats:
    """(..., n): how far beyond the last reference, along the step; both ways where a joint need not move."""
    target = _reference(reference, q)[..., -1, :]
    step = target - q[..., 0, :]
    beyond = q - target[..., None, :]
    along = (np.sign(step)[..., None, :] * beyond).max(axis=-2)
    return np.asarray(np.where(step == 0.0, np.abs(beyond).max(axis=-2), np.maximum(along, 0.0)))


def rms_error(time: Floats, q: Floats, reference: ArrayLike) -> Floats:
    """(..., n)."""
    squares = (q - _reference(reference, q)) ** 2
    found: Floats = np.sqrt(np.trapezoid(squares, time, axis=-2) / (time[-1] - time[0]))
    return found


def peak(tau: Floats) -> Floats:
    """(..., m): the entry of largest size, with its sign."""
    where = np.argmax(np.abs(tau), axis=-2)[..., None, :]
    return np.asarray(np.take_along_axis(tau, where, axis=-2)[..., 0, :])


def work(time: Floats, tau: Floats, rates: Floats) -> Floats:
    """(..., m) J: the integral of |tau rate|."""
    return np.asarray(np.trapezoid(np.abs(tau * rates), time, axis=-2))


def _reference(reference: ArrayLike, q: Floats) -> Any:
    """A point (n,) or a motion (times, n), as (..., times, n)."""
    given = np.asarray(reference, dtype=np.float64)
    try:
        return np.broadcast_to(given, q.shape)
    except ValueError:
        hint = f"a point ({q.shape[-1]},), or a motion {q.shape[-2:]}"
        raise ShapeError(f"reference has shape {given.shape}", hint=hint) from None
