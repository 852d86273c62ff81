"""Equations of rates that a loop imposes, and how the unknown rates are solved from them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

Columns = dict[int, tuple[Any, ...]]  # entry of q -> what each equation gains by a unit of its rate
RatesByEntry = dict[int, Any]  # by entry of q; entries that are left out are zero


@dataclass(frozen=True, eq=False)
class LinearConstraint:
    """Solutions of A x = r and A^T l = t, for the columns of A that belong to unknown entries."""

    solve: Callable[[Sequence[Any]], tuple[Any, ...]]
    transposed: Callable[[Sequence[Any]], tuple[Any, ...]]


def least_squares(columns: list[tuple[Any, ...]]) -> LinearConstraint:
    """By orthogonal columns (modified Gram-Schmidt), A = Q R: equations that repeat others do no harm.

    A^T l = t has the smallest of its solutions. Traceable: no pivots are chosen, which columns need as little as QR.
    """
    Q: list[tuple[Any, ...]] = []
    R: dict[tuple[int, int], Any] = {}
    for j, given in enumerate(columns):
        v = given
        for i, q in enumerate(Q):
            R[i, j] = _dot(q, v)
            v = tuple(x - R[i, j] * y for x, y in zip(v, q, strict=True))
        R[j, j] = np.sqrt(_dot(v, v))
        over = 1.0 / R[j, j]
        Q.append(tuple(x * over for x in v))
    d = len(Q)

    def solve(r: Sequence[Any]) -> tuple[Any, ...]:
        x: list[Any] = []
        rest = tuple(r)
        for q in Q:  # the right side is made orthogonal as a further column, which is stable
            x.append(_dot(q, rest))
            rest = tuple(each - x[-1] * y for each, y in zip(rest, q, strict=True))
        for i in reversed(range(d)):
            for j in range(i + 1, d):
                x[i] = x[i] - R[i, j] * x[j]
            x[i] = x[i] / R[i, i]
        return tuple(x)

    def transposed(t: Sequence[Any]) -> tuple[Any, ...]:
        y = list(t)
        for i in range(d):
            for j in range(i):
                y[i] = y[i] - R[j, i] * y[j]
            y[i] = y[i] / R[i, i]
        return tuple(_dot(y, row) for row in zip(*Q, strict=True))

    return LinearConstraint(solve, transposed)


def _dot(a: Sequence[Any], b: Sequence[Any]) -> Any:
    return sum(x * y for x, y in zip(a, b, strict=True))
