"""Gains as users give them, a number, one for each joint or a matrix, made matrices and checked by name."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from torsor.errors import ShapeError
from torsor.mechanics.tree import Real, Reals
from torsor.model.transforms import Floats

SAME = 1e-12  # share by which numbers that are the same may differ after some operations


def numbers(name: str, value: ArrayLike) -> Floats:
    """Finite numbers, or an error that names them."""
    try:
        array = np.asarray(value)
    except ValueError:
        array = np.array(None)
    if array.dtype.kind not in "fiu":
        raise ShapeError(f"{name} is not made of numbers: {value!r:.60}")
    array = array.astype(np.float64)
    if not np.isfinite(array).all():
        raise ShapeError(f"{name} is not finite: {value!r:.60}")
    return array


def vector(name: str, value: ArrayLike, n: int, *, positive: bool = False, zero: bool = False) -> Floats:
    """(n,) from a number for all or one for each; ``positive`` asks for more than zero, ``zero`` for zero or more."""
    array = numbers(name, value)
    if array.shape not in ((), (n,)):
        raise ShapeError(f"{name} has shape {array.shape}", hint=f"give a number or {n} of them")
    array = np.broadcast_to(array, (n,)).copy()
    if (positive and not (array > 0.0).all()) or (zero and not (array >= 0.0).all()):
        raise ShapeError(f"{name} is {_shown(value)}", hint="above zero" if positive else "zero or more")
    return array


def matrix(name: str, value: ArrayLike, n: int, *, definite: bool = True) -> Floats:
    """(n, n), symmetric and positive definite (semidefinite where ``definite`` is False), as the proofs need it.

    >>> matrix("Kp", [1.0, 2.0], 2)
    array([[1., 0.],
           [0., 2.]])
    >>> matrix("Kp", -1.0, 2)
    Traceback (most recent call last):
    torsor.errors.ShapeError: Kp is not positive definite: its eigenvalues begin at -1; the proof of stability needs it
    """
    array = numbers(name, value)
    if array.shape in ((), (n,)):
        array = np.diag(np.broadcast_to(array, (n,)))
    elif array.shape != (n, n):
        raise ShapeError(f"{name} has shape {array.shape}", hint=f"give a number, {n} of them, or {(n, n)}")
    if not _symmetric(array):
        raise ShapeError(f"{name} is not symmetric", hint="the proof of stability needs it")
    least = float(np.linalg.eigvalsh(array)[0])
    if least < 0.0 or (definite and least == 0.0):
        kind = "definite" if definite else "semidefinite"
        raise ShapeError(
            f"{name} is not positive {kind}: its eigenvalues begin at {least:g}", hint="the proof of stability needs it"
        )
    return np.array(array)


def commuting(name: str, A: Floats, other: str, B: Floats) -> None:
    """Refuses two matrices whose product is not symmetric."""
    if not _symmetric(A @ B):
        raise ShapeError(f"{name} @ {other} is not symmetric", hint="make both diagonal, or one a number")


def _symmetric(A: Floats) -> bool:
    return bool(np.abs(A - A.T).max() <= SAME * np.abs(A).max())


def times(K: Reals, e: Reals) -> Reals:
    """K e over the last dimension (..., n), on floats and on graph scalars."""
    return np.asarray((K * e[..., None, :]).sum(axis=-1))


def form(K: Reals, e: Reals) -> Real:
    """e^T K e, (...)."""
    return (e * times(K, e)).sum(axis=-1)


def _shown(value: ArrayLike) -> str:
    return f"{np.asarray(value).tolist()!r:.60}"
