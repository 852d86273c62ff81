"""Figures of a motion: when it settles, how far it shoots over, how much it errs. Arrays are (..., times, n)."""

from __future__ import annotations

from collections.abc import Callable
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
    within = np.broadcast_to(np.asarray(tolerance, dtype=np.float64), q.shape)
    count = q.shape[-2]

    def of_one(own: Floats, target: Floats, band: Floats) -> Floats:
        outside = np.abs(own - target) > band
        last = count - 1 - np.argmax(outside[..., ::-1], axis=-1)  # the last sample outside
        last = np.where(outside.any(axis=-1), last, -1)
        return np.where(last == count - 1, np.nan, time[np.minimum(last + 1, count - 1)])

    return _each(of_one, q, _reference(reference, q), within)


def overshoot(q: Floats, reference: ArrayLike) -> Floats:
    """(..., n): how far beyond the last reference, along the step; both ways where a joint need not move."""

    def of_one(own: Floats, target: Floats) -> Floats:
        end = target[..., -1]
        step, beyond = end - own[..., 0], own - end[..., None]
        along = (np.sign(step)[..., None] * beyond).max(axis=-1)
        return np.asarray(np.where(step == 0.0, np.abs(beyond).max(axis=-1), np.maximum(along, 0.0)))

    return _each(of_one, q, _reference(reference, q))


def rms_error(time: Floats, q: Floats, reference: ArrayLike) -> Floats:
    """(..., n)."""

    def of_one(own: Floats, target: Floats) -> Floats:
        return np.asarray(np.sqrt(np.trapezoid((own - target) ** 2, time) / (time[-1] - time[0])))

    return _each(of_one, q, _reference(reference, q))


def peak(tau: Floats) -> Floats:
    """(..., m): the entry of largest size, with its sign."""

    def of_one(own: Floats) -> Floats:
        return np.asarray(np.take_along_axis(own, np.argmax(np.abs(own), axis=-1)[..., None], axis=-1)[..., 0])

    return _each(of_one, tau)


def work(time: Floats, tau: Floats, rates: Floats) -> Floats:
    """(..., m) J: the integral of |tau rate|."""
    return _each(lambda own, rate: np.asarray(np.trapezoid(np.abs(own * rate), time)), tau, rates)


def _each(of_one: Callable[..., Floats], *arrays: Any) -> Floats:
    """(..., n) from columns (..., times) one by one: along times NumPy is quick only where they are what lies last."""
    many = arrays[0].shape[-1]
    found = np.empty((*arrays[0].shape[:-2], many))
    for k in range(many):
        found[..., k] = of_one(*(each[..., k] for each in arrays))
    return found


def _reference(reference: ArrayLike, q: Floats) -> Any:
    """A point (n,) or a motion (times, n), as (..., times, n)."""
    given = np.asarray(reference, dtype=np.float64)
    try:
        return np.broadcast_to(given, q.shape)
    except ValueError:
        hint = f"a point ({q.shape[-1]},), or a motion {q.shape[-2:]}"
        raise ShapeError(f"reference has shape {given.shape}", hint=hint) from None
