"""Solids of even density: mass, centre and inertia in closed form, or of all that a closed mesh holds inside."""

from __future__ import annotations

from collections.abc import Iterable
from math import pi

import numpy as np

from torsor.model.mass import Mass
from torsor.model.transforms import Floats
from torsor.model.triangles import MeshRefused, Triangles

THIN = 1e-9  # of the cube of its size: a mesh with less inside holds nothing


def cylinder_of(radius: float, length: float) -> Mass:
    """Of density 1, along z about its middle: m r^2 / 2 along, m (3 r^2 + l^2) / 12 across (Fedorov (3.47), (3.48))."""
    m = pi * radius**2 * length
    across = m * (3.0 * radius**2 + length**2) / 12.0
    return Mass(m, np.zeros(3), np.diag([across, across, 0.5 * m * radius**2]))


def box_of(x: float, y: float, z: float) -> Mass:
    m = x * y * z
    return Mass(m, np.zeros(3), np.diag([y * y + z * z, z * z + x * x, x * x + y * y]) * (m / 12.0))


def ball_of(radius: float) -> Mass:
    m = 4.0 / 3.0 * pi * radius**3
    return Mass(m, np.zeros(3), 0.4 * m * radius**2 * np.eye(3))


def mesh_of(parts: Iterable[Triangles], scale: float = 1.0) -> Mass:
    """Of density 1, by tetrahedra from a point inside to every triangle. Parts that are not closed are refused."""
    total = Mass.none()
    for part in parts:
        _require_closed(part)
        total = total + _inside(scale * part.corners[part.triples])
    return total


def of_mass(solid: Mass, mass: float) -> Mass:
    """The same solid as heavy as that."""
    return Mass(mass, solid.com, solid.inertia * (mass / solid.mass))


def of_density(solid: Mass, density: float) -> Mass:
    return Mass(density * solid.mass, solid.com, density * solid.inertia)


def _require_closed(part: Triangles) -> None:
    """Every edge lies between two triangles that go round the same way."""
    t, n = part.triples, len(part.corners)
    begins, ends = np.concatenate([t[:, 0], t[:, 1], t[:, 2]]), np.concatenate([t[:, 1], t[:, 2], t[:, 0]])
    forth, back = (np.unique(a * n + b, return_counts=True) for a, b in ((begins, ends), (ends, begins)))
    lone = np.setxor1d(forth[0], back[0]).size // 2
    if lone or not np.array_equal(forth[1], back[1]):
        raise MeshRefused(f"is not closed: {max(lone, 1)} of its edges have no triangle on one side")


def _inside(triangles: Floats) -> Mass:
    """What triangles (m, 3, 3) enclose."""
    centre = triangles.mean(axis=(0, 1))
    t = triangles - centre
    volumes = np.einsum("ij,ij->i", t[:, 0], np.cross(t[:, 1], t[:, 2])) / 6.0
    size = float(np.abs(t).max())
    volume = float(volumes.sum())
    if not abs(volume) > THIN * size**3:
        raise MeshRefused("holds nothing inside")
    s = t.sum(axis=1)
    com = volumes @ s / (4.0 * volume)
    second = (np.einsum("m,mki,mkj->ij", volumes, t, t) + np.einsum("m,mi,mj->ij", volumes, s, s)) / 20.0
    second = second - volume * np.outer(com, com)  # about the centre of mass
    if volume < 0.0:  # inside out, as some programs write them
        volume, second = -volume, -second
    return Mass(volume, com + centre, np.trace(second) * np.eye(3) - second)
