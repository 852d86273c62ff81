"""Mass properties of a rigid body, and the checks that tell whether a body with them can exist."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torsor.model.immutable import Immutable
from torsor.model.transforms import Floats, skew, times

# Data sheets round; a violation below this share of the largest moment is rounding, not an error.
ROUNDING = 1e-6


@dataclass(frozen=True, eq=False)
class Mass(Immutable):
    """Mass (kg), centre of mass (m) and inertia about the centre of mass (kg m^2), both in the axes of the owner."""

    mass: float
    com: Floats  # (3,)
    inertia: Floats  # (3, 3)

    @classmethod
    def none(cls) -> Mass:
        return cls(0.0, np.zeros(3), np.zeros((3, 3)))

    @classmethod
    def about_origin(cls, mass: float, com: Floats, inertia: Floats) -> Mass:
        """From an inertia about the origin of the frame; Huygens-Steiner takes it to the centre of mass."""
        return cls(mass, com, inertia + mass * times(skew(com), skew(com)))

    @property
    def inertia_about_origin(self) -> Floats:
        return self.inertia - self.mass * times(skew(self.com), skew(self.com))

    @property
    def is_none(self) -> bool:
        return self.mass == 0.0 and not self.inertia.any()

    def moved(self, T: Floats) -> Mass:
        """The same body seen from another frame; T maps the coordinates of this frame to those of the other."""
        R = T[:3, :3]
        return Mass(self.mass, times(R, self.com) + T[:3, 3], times(R, self.inertia, R.T))

    def __add__(self, other: Mass) -> Mass:
        """Two bodies rigidly joined, both given in the same frame."""
        if other.is_none or self.is_none:
            return self if other.is_none else other
        mass = self.mass + other.mass
        first_moment = self.mass * self.com + other.mass * other.com
        com = first_moment / mass if mass > 0.0 else np.zeros(3)
        shifted = (b.inertia - b.mass * times(skew(b.com - com), skew(b.com - com)) for b in (self, other))
        return Mass(mass, com, sum(shifted, np.zeros((3, 3))))

    def impossibilities(self) -> Iterator[str]:
        """Says, with the numbers, in which ways no rigid body can have these mass properties."""
        if self.mass < 0.0:
            yield f"mass {self.mass:g} kg is negative"
        if self.mass == 0.0 and self.inertia.any():
            yield f"inertia {_moments(np.diag(self.inertia))} without mass"
        moments = np.linalg.eigvalsh(self.inertia)
        slack = ROUNDING * max(abs(moments[0]), abs(moments[2]))
        if moments[0] < -slack:
            yield f"inertia is not positive semidefinite: principal moments {_moments(moments)}"
        elif moments[2] > moments[0] + moments[1] + slack:
            a, b, c = moments
            yield f"principal moments {_moments(moments)} break the triangle inequality: {c:.6g} > {a:.6g} + {b:.6g}"


def _moments(values: NDArray[np.floating[Any]]) -> str:
    return "(" + ", ".join(f"{v:.6g}" for v in values) + ") kg m^2"


def symmetric(ixx: float, iyy: float, izz: float, ixy: float = 0.0, ixz: float = 0.0, iyz: float = 0.0) -> Floats:
    """The symmetric matrix of six moments, in the order arm files write them."""
    return np.array([[ixx, ixy, ixz], [ixy, iyy, iyz], [ixz, iyz, izz]])
