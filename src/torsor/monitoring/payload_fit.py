"""Which mass at the tool explains a residual: weighted least squares over the last seconds of a stream.

r = m z + noise, with r of the observer and z, the same of 1 kg (`observer.unit_payload`): gravity and inertia together,
without accelerations. With weights 1/v of each joint, v the noise of r and what friction may hide,

    m = int z r / v  /  int z z / v.

Noise of r is alike over 1/K s, so that T seconds hold no more than K T / 2 independent ones: that gives the standard
deviation of m, with the noise as large as what the fit leaves. Told is twice that, and what friction that sticks may
hide at its worst.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, inf, sqrt

import numpy as np

from torsor.model.transforms import Floats

WINDOW = 10.0  # s after which a sample weighs 1/e


@dataclass(frozen=True)
class PayloadEstimate:
    """What the arm holds more than its model says, in kg; the truth lies within ``uncertainty`` 19 times of 20."""

    mass: float
    uncertainty: float

    def __str__(self) -> str:
        return f"{self.mass:+.3g} +- {self.uncertainty:.2g} kg"


class PayloadFit:
    """Takes residuals at even times."""

    def __init__(self, gain: float) -> None:
        self._gain, self._joints = gain, 0
        self._zz = self._zr = self._rr = self._zz_twice = self._hidden = self._weight = 0.0
        self._squares: Floats | float = 0.0  # (n,) of z

    def take(self, r: Floats, z: Floats, noise: Floats, band: Floats, dt: float) -> None:
        """r, z, noise and what friction may hide, each (n,)."""
        if not (np.isfinite(r).all() and np.isfinite(z).all()):
            return
        v, fade = noise**2 + band**2, exp(-dt / WINDOW)
        self._zz = fade * self._zz + dt * float((z * z / v).sum())
        self._zr = fade * self._zr + dt * float((z * r / v).sum())
        self._rr = fade * self._rr + dt * float((r * r / v).sum())
        self._zz_twice = fade**2 * self._zz_twice + dt * float((z * z / v).sum())
        self._hidden = fade * self._hidden + dt * float((np.abs(z) * band / v).sum())
        self._weight, self._joints = fade * self._weight + dt * len(r), len(r)
        self._squares = fade * self._squares + dt * z * z

    @property
    def mass(self) -> float:
        return self._zr / self._zz if self._zz > 0.0 else 0.0

    @property
    def torques(self) -> Floats:
        """(n,) what the mass takes of each joint, root mean square over the last seconds."""
        return np.asarray(abs(self.mass) * np.sqrt(self._squares * self._joints / max(self._weight, 1e-300)))

    @property
    def estimate(self) -> PayloadEstimate | None:
        """None before anything is known."""
        if not self._zz > 0.0:
            return None
        left = max(self._rr - self._zr**2 / self._zz, 0.0) / self._weight
        variance = 2.0 / self._gain * self._zz_twice / self._zz**2 * left
        found = 2.0 * sqrt(variance) + self._hidden / self._zz
        return PayloadEstimate(self.mass, found if np.isfinite(found) else inf)
