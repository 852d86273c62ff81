"""Functions of time made of polynomial pieces: what every time law and every published transition is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import factorial

import numpy as np
from numpy.typing import ArrayLike, NDArray

from torsor.model.transforms import Floats


@dataclass(frozen=True, eq=False)
class Polynomials:
    """x(t) = sum_k c[i, k] (t - breaks[i])^k on piece i, with its exact derivatives.

    ``coefficients`` is (pieces, degree + 1) for a number, (pieces, degree + 1, m) for a vector. Before the first break
    and after the last the function rests at its end values.

    >>> law = Polynomials(np.array([0.0, 2.0]), np.array([[1.0, 0.0, 3.0]]))      # 1 + 3 t^2
    >>> [float(x) for x in law.at(1.0)]
    [4.0, 6.0, 6.0, 0.0]
    """

    breaks: Floats  # (pieces + 1,), rising
    coefficients: Floats

    @property
    def duration(self) -> float:
        return float(self.breaks[-1])

    def at(self, t: ArrayLike) -> tuple[Floats, Floats, Floats, Floats]:
        """x and its first three derivatives, each (..., m) for t (...)."""
        t = np.asarray(t, dtype=np.float64)
        piece = np.clip(np.searchsorted(self.breaks, t, side="right") - 1, 0, len(self.breaks) - 2)
        each = (..., *[None] * (self.coefficients.ndim - 2))  # t beside the entries of a vector
        h = (np.clip(t, self.breaks[0], self.breaks[-1]) - self.breaks[piece])[each]
        c = self.coefficients.swapaxes(0, 1)[:, piece]  # (degree + 1, ...[, m])
        x, v, a, j = _horner(c, h)
        rests = (t < self.breaks[0]) | (t > self.breaks[-1])
        if rests.any():
            v, a, j = (np.where(rests[each], 0.0, rate) for rate in (v, a, j))
        return x, v, a, j

    def stretched(self, factor: float) -> Polynomials:
        """The same in ``factor`` times the duration."""
        powers = factor ** -np.arange(self.coefficients.shape[1], dtype=np.float64)
        shape = (-1,) + (1,) * (self.coefficients.ndim - 2)
        return Polynomials(self.breaks * factor, self.coefficients * powers.reshape(shape))

    def then(self, other: Polynomials) -> Polynomials:
        """This function, and after its end the other one, whose time starts at 0."""
        each = self.coefficients, other.coefficients
        width = max(c.shape[1] for c in each)
        padded = [np.pad(c, [(0, 0), (0, width - c.shape[1])] + [(0, 0)] * (c.ndim - 2)) for c in each]
        breaks = np.concatenate([self.breaks, self.breaks[-1] + other.breaks[1:] - other.breaks[0]])
        return Polynomials(breaks, np.concatenate(padded))


class Stacked:
    """Functions of a number, asked together."""

    def __init__(self, laws: Sequence[Polynomials]) -> None:
        pieces, width = (max((law.coefficients.shape[k] for law in laws), default=1) for k in (0, 1))
        self.breaks = np.full((len(laws), pieces), np.inf)  # where pieces begin
        self.coefficients = np.zeros((len(laws), pieces, width))
        for k, law in enumerate(laws):
            rows, columns = law.coefficients.shape
            self.breaks[k, :rows], self.coefficients[k, :rows, :columns] = law.breaks[:-1], law.coefficients

    def at(self, which: NDArray[np.intp], t: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        """x and its first three derivatives, each (k,), of functions at t (k,), ``which`` of them in each row.

        Times are not before the first break and not after the last.
        """
        piece = np.maximum(np.count_nonzero(self.breaks[which] <= t[:, None], axis=1) - 1, 0)
        return _horner(self.coefficients[which, piece].T, t - self.breaks[which, piece])


def _horner(c: Floats, h: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """The polynomial sum_k c[k] h^k and its first three derivatives, at once."""
    x = v = a = j = np.zeros(c.shape[1:])
    for term in c[::-1]:
        j = j * h + 3.0 * a
        a = a * h + 2.0 * v
        v = v * h + x
        x = x * h + term
    return x, v, a, j


def chained(start: float, pieces: Sequence[tuple[float, Sequence[float]]]) -> Polynomials:
    """Pieces (duration, derivatives at the start of the piece: speed, acceleration, jerk, ...) one after the other.

    Pieces without duration are left out. Each starts at the position where the last one ends.

    >>> law = chained(0.0, [(1.0, (0.0, 2.0)), (1.0, (2.0, -2.0))])
    >>> float(law.at(2.0)[0])
    2.0
    """
    kept = [(duration, rates) for duration, rates in pieces if duration > 0.0]
    if not kept:
        return Polynomials(np.zeros(2), np.array([[start]]))
    coefficients, x = np.zeros((len(kept), 1 + max(len(rates) for _, rates in kept))), start
    for row, (duration, rates) in zip(coefficients, kept, strict=True):
        row[: len(rates) + 1] = x, *(rate / factorial(k) for k, rate in enumerate(rates, start=1))
        x = 0.0
        for c in row[::-1]:
            x = x * duration + c
    return Polynomials(np.cumsum([0.0, *(duration for duration, _ in kept)]), coefficients)
