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
    flatness: Callable[[], Any] | None = None  # 0 where a column depends on others, 1 or -1 where all are alike


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

    def backward(b: Sequence[Any]) -> tuple[Any, ...]:
        x = list(b)
        for i in reversed(range(d)):
            for j in range(i + 1, d):
                x[i] = x[i] - R[i, j] * x[j]
            x[i] = x[i] / R[i, i]
        return tuple(x)

    def flatness() -> Any:
        """d / (|A| |A^+|) in Frobenius norms: as the smallest singular value over the largest, but traceable.

        With as many equations as columns it has the sign of their determinant: it passes through zero.
        """
        inverse = [backward(unit) for unit in np.eye(d).tolist()]
        size = d / np.sqrt(sum(_dot(a, a) for a in columns) * sum(_dot(a, a) for a in inverse))
        return size * _determinant(Q) if len(columns[0]) == d else size

    def solve(r: Sequence[Any]) -> tuple[Any, ...]:
        b: list[Any] = []
        rest = tuple(r)
        for q in Q:  # the right side is made orthogonal as a further column, which is stable
            b.append(_dot(q, rest))
            rest = tuple(x - b[-1] * y for x, y in zip(rest, q, strict=True))
        return backward(b)

    def transposed(t: Sequence[Any]) -> tuple[Any, ...]:
        y = list(t)
        for i in range(d):
            for j in range(i):
                y[i] = y[i] - R[j, i] * y[j]
            y[i] = y[i] / R[i, i]
        return tuple(_dot(y, row) for row in zip(*Q, strict=True))

    return LinearConstraint(solve, transposed, flatness)


def _determinant(rows: Sequence[Sequence[Any]]) -> Any:
    """By the traces of powers (Faddeev and LeVerrier): of an orthogonal matrix, exact enough to tell 1 from -1."""
    d, A = len(rows), np.array([list(row) for row in rows])
    M, c = np.eye(d), 1.0
    for k in range(1, d + 1):
        AM = A @ M
        c = -sum(AM[i, i] for i in range(d)) * (1.0 / k)
        M = AM + c * np.eye(d)
    return c * (-1.0) ** d


def _dot(a: Sequence[Any], b: Sequence[Any]) -> Any:
    return sum(x * y for x, y in zip(a, b, strict=True))
