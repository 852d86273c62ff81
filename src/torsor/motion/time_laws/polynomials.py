"""Functions of time made of polynomial pieces: what every time law and every published transition is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from torsor.errors import ShapeError
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
        last = len(self.breaks) - 2
        piece = np.clip(np.searchsorted(self.breaks, t, side="right") - 1, 0, last)
        inside = np.clip(t, self.breaks[0], self.breaks[-1])
        h = inside - self.breaks[piece]
        c = self.coefficients[piece]  # (..., degree + 1[, m])
        vector = self.coefficients.ndim == 3
        if vector:
            h = h[..., None]
        terms = c.shape[-2] if vector else c.shape[-1]
        x, v, a, j = (np.zeros(c.shape[:-2] + c.shape[-1:] if vector else c.shape[:-1]) for _ in range(4))
        for k in range(terms - 1, -1, -1):  # Horner, of the function and of its derivatives at once
            j = j * h + 3.0 * a
            a = a * h + 2.0 * v
            v = v * h + x
            x = x * h + (c[..., k, :] if vector else c[..., k])
        rests = (t < self.breaks[0]) | (t > self.breaks[-1])
        if rests.any():
            still = rests[..., None] if vector else rests
            v, a, j = (np.where(still, 0.0, each) for each in (v, a, j))
        return x, v, a, j

    def stretched(self, factor: float) -> Polynomials:
        """The same in ``factor`` times the duration."""
        powers = factor ** -np.arange(self.coefficients.shape[1], dtype=np.float64)
        shape = (-1,) + (1,) * (self.coefficients.ndim - 2)
        return Polynomials(self.breaks * factor, self.coefficients * powers.reshape(shape))

    def then(self, other: Polynomials) -> Polynomials:
        """This function, and after its end the other one, whose time starts at 0."""
        width = max(self.coefficients.shape[1], other.coefficients.shape[1])
        breaks = np.concatenate([self.breaks, self.breaks[-1] + other.breaks[1:] - other.breaks[0]])
        return Polynomials(
            breaks, np.concatenate([_widened(self.coefficients, width), _widened(other.coefficients, width)])
        )


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
    width = 1 + max(len(rates) for _, rates in kept)
    coefficients, x, times = np.zeros((len(kept), width)), start, [0.0]
    for row, (duration, rates) in zip(coefficients, kept, strict=True):
        row[0], factorial = x, 1.0
        for k, rate in enumerate(rates, start=1):
            factorial *= k
            row[k] = rate / factorial
        x = 0.0
        for c in row[::-1]:
            x = x * duration + c
        times.append(times[-1] + duration)
    return Polynomials(np.array(times), coefficients)


def _widened(c: Floats, width: int) -> Floats:
    missing = width - c.shape[1]
    if missing < 0:
        raise ShapeError(f"a polynomial of {c.shape[1]} terms does not fit into {width}")
    pad = [(0, 0), (0, missing)] + [(0, 0)] * (c.ndim - 2)
    return np.pad(c, pad)
