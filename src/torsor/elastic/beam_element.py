"""A straight beam element between two nodes: six displacements and turns at each, x along the beam.

Euler-Bernoulli or Timoshenko; the latter with shapes that are exact for loads at the nodes (Friedman & Kosmatka 1993),
so that one element is exact in statics, and shear is constant along it. Mass is consistent: everything that moves is
integrated over the same shapes, and so kinetic energy is one function of the nodes' motion.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from torsor.model.beams import Beam, Section
from torsor.model.transforms import Floats

# Products of two shapes have degree six, of three (with the shortening) nine: five points would be enough for them.
_X, _W = np.polynomial.legendre.leggauss(6)
POINTS, WEIGHTS = 0.5 * (_X + 1.0), 0.5 * _W
BEND_Y, BEND_Z = [1, 5, 7, 11], [2, 4, 8, 10]  # displacement and turn at both ends, bending along y and along z
_AS_IS, _MIRROR = np.ones(4), np.array([1.0, -1.0, 1.0, -1.0])  # a turn about y goes down where one about z goes up


@dataclass(frozen=True, eq=False)
class BeamElement:
    """One element, in its own axes, of nodes ``first`` and ``last`` of its beam."""

    first: int
    last: int
    axes: Floats  # its x, y and z in the axes of the link, as columns
    length: float
    section: Section
    beam: Beam

    @property
    def shear(self) -> tuple[float, float]:
        """How much softer shear makes it, 12 E I / (k G A L^2), along y and along z: zero under Euler-Bernoulli."""
        if self.beam.theory == "euler-bernoulli":
            return 0.0, 0.0
        E, G, s = self.beam.material.E, self.beam.material.G, self.section
        (ky, kz), square = s.shear, self.length**2
        return 12.0 * E * s.Iz / (ky * G * s.area * square), 12.0 * E * s.Iy / (kz * G * s.area * square)

    @property
    def inertia_per_length(self) -> Floats:
        """Of a slice against turning about x, y and z, kg m: none across the beam where the file leaves it out."""
        s = self.section
        across = np.array([s.Iy, s.Iz]) * self.beam.rotary
        return self.beam.material.rho * np.array([s.Iy + s.Iz, *across])

    def shapes(self, x: float) -> tuple[Floats, Floats, Floats]:
        """At a place x: displacement (3, 12), turn (3, 12), and slope of the displacement along y and z (2, 12)."""
        s = x / self.length
        moved, turned, slope = np.zeros((3, 12)), np.zeros((3, 12)), np.zeros((2, 12))
        moved[0, [0, 6]] = turned[0, [3, 9]] = 1.0 - s, s
        for k, (columns, sign, p) in enumerate(zip((BEND_Y, BEND_Z), (_AS_IS, _MIRROR), self.shear, strict=True)):
            v, theta, dv = _bending(s, self.length, p)
            moved[1 + k, columns] = sign * v
            turned[2 - k, columns] = (1.0 - 2.0 * k) * sign * theta
            slope[k, columns] = sign * dv
        return moved, turned, slope

    def stiffness(self) -> Floats:
        E, G, s, L = self.beam.material.E, self.beam.material.G, self.section, self.length
        K = np.zeros((12, 12))
        pair = np.array([[1.0, -1.0], [-1.0, 1.0]])
        K[np.ix_([0, 6], [0, 6])] = E * s.area / L * pair
        K[np.ix_([3, 9], [3, 9])] = G * s.J / L * pair
        signs, EIs = (_AS_IS, _MIRROR), (E * s.Iz, E * s.Iy)
        for columns, sign, EI, p in zip((BEND_Y, BEND_Z), signs, EIs, self.shear, strict=True):
            k = np.array(
                [
                    [12.0, 6.0 * L, -12.0, 6.0 * L],
                    [6.0 * L, (4.0 + p) * L * L, -6.0 * L, (2.0 - p) * L * L],
                    [-12.0, -6.0 * L, 12.0, -6.0 * L],
                    [6.0 * L, (2.0 - p) * L * L, -6.0 * L, (4.0 + p) * L * L],
                ]
            )
            K[np.ix_(columns, columns)] = EI / (L**3 * (1.0 + p)) * np.outer(sign, sign) * k
        return K

    def mass(self) -> Floats:
        M = np.zeros((12, 12))
        per_length, turning = self.beam.material.rho * self.section.area, self.inertia_per_length
        for s, weight in zip(POINTS, WEIGHTS, strict=True):
            moved, turned, _ = self.shapes(s * self.length)
            M += weight * self.length * (per_length * moved.T @ moved + turned.T @ (turning[:, None] * turned))
        return M


def _bending(s: float, L: float, p: float) -> tuple[Floats, Floats, Floats]:
    """Displacement, turn and slope at s = x / L for unit displacement and turn at the first end and at the last."""
    v = [
        1.0 - 3.0 * s**2 + 2.0 * s**3 + p * (1.0 - s),
        L * (s - 2.0 * s**2 + s**3 + 0.5 * p * (s - s**2)),
        3.0 * s**2 - 2.0 * s**3 + p * s,
        L * (s**3 - s**2 - 0.5 * p * (s - s**2)),
    ]
    theta = [
        6.0 * (s**2 - s) / L,
        1.0 - 4.0 * s + 3.0 * s**2 + p * (1.0 - s),
        6.0 * (s - s**2) / L,
        3.0 * s**2 - 2.0 * s + p * s,
    ]
    slope = [
        (6.0 * (s**2 - s) - p) / L,
        1.0 - 4.0 * s + 3.0 * s**2 + 0.5 * p * (1.0 - 2.0 * s),
        (6.0 * (s - s**2) + p) / L,
        3.0 * s**2 - 2.0 * s - 0.5 * p * (1.0 - 2.0 * s),
    ]
    return np.array(v) / (1.0 + p), np.array(theta) / (1.0 + p), np.array(slope) / (1.0 + p)
