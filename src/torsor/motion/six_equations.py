"""Six linear equations, which the joints of an arm on a tool path have to meet, for many rows at once.

LAPACK takes a third of a microsecond for a row, and three for a call; compiled, twenty times less. A kernel chooses no
pivots, so J x = b is solved without any, by modified Gram-Schmidt on [J b]: as b goes through the same steps as the
columns of J, that is as exact as Householder's reflections (Bjorck 1967), whatever the order of the columns.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from torsor.emit.page import Page
from torsor.model.transforms import Floats

SIX = 6


def six_solved(J: Floats, b: Floats) -> Floats:
    """x (k, 6) of J x = b, J (k, 6, 6) and b (k, 6): without bound, or NaN, where J is singular.

    >>> six_solved(2.0 * np.eye(6)[None], np.ones((1, 6)))
    array([[0.5, 0.5, 0.5, 0.5, 0.5, 0.5]])
    """
    return np.asarray(_PAGE(J, b))


def _by_gram_schmidt(J: Any, b: Any) -> dict[str, Any]:
    """J = Q R column by column; what is left of b after all of them is nothing, and R x = Q^T b."""
    columns, R = [*J.T, b], np.zeros((SIX, SIX + 1), dtype=object)
    for k in range(SIX):
        R[k, k] = np.sqrt(columns[k] @ columns[k])
        q = columns[k] * (1.0 / R[k, k])
        for j in range(k + 1, SIX + 1):
            R[k, j] = q @ columns[j]
            columns[j] = columns[j] - R[k, j] * q
    x: list[Any] = []  # from the last on
    for k in reversed(range(SIX)):
        known = R[k, SIX]
        for j, each in zip(reversed(range(SIX)), x, strict=False):
            known = known - R[k, j] * each
        x.append(known / R[k, k])
    return {"x": np.stack(x[::-1])}


_PAGE = Page("six_equations", {"J": (SIX, SIX), "b": SIX}, _by_gram_schmidt)
