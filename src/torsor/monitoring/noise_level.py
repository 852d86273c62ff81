"""How much a residual varies while nothing happens: the noise that thresholds are derived from."""

from __future__ import annotations

import numpy as np

from torsor.model.transforms import Floats

LEARNING = 1.0  # s of a stream before anything is judged by its noise
MEAN, SPREAD = 1.0, 5.0  # s over which the mean is followed, and the spread about it
CLIPPED = 3.0  # a deviation counts up to so many times the spread: what is flagged must not raise the threshold


class NoiseLevel:
    """Mean and standard deviation (n,) of residuals taken at even times. While it learns all weigh alike."""

    def __init__(self, n: int) -> None:
        self._mean, self._variance, self._seen = np.zeros(n), np.zeros(n), 0.0

    @property
    def learned(self) -> bool:
        return self._seen >= LEARNING

    @property
    def deviation(self) -> Floats:
        """(n,) standard deviations."""
        return np.asarray(np.sqrt(self._variance))

    def take(self, residual: Floats, dt: float) -> None:
        if not np.isfinite(residual).all():
            return
        self._seen += dt
        share = dt / min(self._seen, MEAN)
        square = (residual - self._mean) ** 2
        self._mean = self._mean + share * (residual - self._mean)
        if self._seen <= dt:
            return
        if self.learned:
            square = np.minimum(square, CLIPPED**2 * self._variance)
        self._variance = self._variance + dt / min(self._seen, SPREAD) * (square - self._variance)
