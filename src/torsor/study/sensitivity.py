"""What outputs depend on: Sobol's indices with error bars, or rank correlations where the design allows no more.

Of independent inputs X_i the first index S_i = Var(E[Y | X_i]) / Var(Y) is the share of the variance of Y that X_i
alone explains, the total T_i = 1 - Var(E[Y | all but X_i]) / Var(Y) that in which it takes part at all.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from torsor.errors import StudyError
from torsor.model.transforms import Floats

RESAMPLED = 200  # times, for error bars
SIZE = 1.96  # of a deviation: 95 % of a bell


@dataclass(frozen=True)
class SobolIndex:
    """Of one input; errors are half the width of an interval of 95 %, from resampling."""

    name: str
    first: float
    first_error: float
    total: float
    total_error: float


def sobol_indices(names: tuple[str, ...], values: Floats) -> tuple[SobolIndex, ...]:
    """From outputs (samples (d + 2),) of the design "saltelli".

    First indices by Saltelli's estimator of 2010, mean of f_B (f_AB - f_A), totals by Jansen's, half the mean of
    (f_A - f_AB)^2; both over the variance of all f_A and f_B. Samples with something that is no number are left out.
    """
    d = len(names)
    table = np.asarray(values, dtype=np.float64).reshape(-1, d + 2)
    table = table[np.isfinite(table).all(axis=1)]
    if len(table) < 2:
        raise StudyError("there are not enough samples that are numbers for Sobol's indices", hint="two at least")
    first, total = _estimated(table)
    if not np.isfinite(first).all():  # what does not vary depends on nothing
        nothing = float("nan")
        return tuple(SobolIndex(name, nothing, nothing, nothing, nothing) for name in names)
    generator = np.random.Generator(np.random.Philox(key=0))
    again = np.array([_estimated(table[generator.integers(0, len(table), len(table))]) for _ in range(RESAMPLED)])
    spread = SIZE * np.nanstd(again, axis=0)  # (2, d)
    return tuple(
        SobolIndex(name, float(first[k]), float(spread[0, k]), float(total[k]), float(spread[1, k]))
        for k, name in enumerate(names)
    )


def _estimated(table: Floats) -> tuple[Floats, Floats]:
    a, b, mixed = table[:, 0], table[:, 1], table[:, 2:]
    both = np.concatenate([a, b])
    middle, variance = both.mean(), both.var()
    if variance == 0.0:
        return np.full(mixed.shape[1], np.nan), np.full(mixed.shape[1], np.nan)
    # about the middle: the estimator is the same, its error smaller
    first = ((b - middle)[:, None] * (mixed - a[:, None])).mean(axis=0) / variance
    total = 0.5 * ((a[:, None] - mixed) ** 2).mean(axis=0) / variance
    return first, total


def rank_correlation(x: Floats, y: Floats) -> float:
    """Spearman's: 1 where y always rises with x, -1 where it always falls; NaN where one of them does not vary.

    >>> round(rank_correlation(np.array([1.0, 2.0, 3.0]), np.array([1.0, 8.0, 27.0])), 12)
    1.0
    """
    kept = np.isfinite(x) & np.isfinite(y)
    if kept.sum() < 3:
        return float("nan")
    a, b = (_ranks(each[kept]) for each in (x, y))
    a, b = a - a.mean(), b - b.mean()
    size = float(np.sqrt((a * a).sum() * (b * b).sum()))
    return float((a * b).sum() / size) if size > 0.0 else float("nan")


def _ranks(values: Floats) -> Floats:
    """Those that are equal share the mean of their ranks."""
    _, place, count = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(count)
    return np.asarray((last - 0.5 * (count - 1))[place], dtype=np.float64)
