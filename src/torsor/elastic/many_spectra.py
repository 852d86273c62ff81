"""Eigenvalues of many symmetric matrices at once; one that is not finite gives NaN and spoils no other."""

from __future__ import annotations

from typing import Any

import numpy as np

from torsor.model.transforms import Floats


def factor(A: Floats) -> Any:
    """L of A = L L^T; NaN where a matrix is not finite."""
    fine = np.isfinite(A).all(axis=(-1, -2))
    L = np.full(A.shape, np.nan)
    L[fine] = np.linalg.cholesky(A[fine])
    return L


def congruent(L: Any, A: Floats) -> Floats:
    """L^-1 A L^-T."""
    half = np.linalg.solve(L, A)
    return np.asarray(np.linalg.solve(L, np.swapaxes(half, -1, -2)))


def eigenvalues(A: Floats) -> Floats:
    """Of symmetric matrices, rising; NaN where one is not finite."""
    fine = np.isfinite(A).all(axis=(-1, -2))
    found = np.full(A.shape[:-1], np.nan)
    found[fine] = np.linalg.eigvalsh(A[fine])
    return found
