"""Triangles to draw: joined where they touch, thinned where there are too many, and packed for the page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torsor.model.transforms import Floats
from torsor.report.packing import deflated

FINEST = 65535  # steps across a mesh: 16 bits
SAME = 1e-7  # of the size of a mesh: corners that near are one, as numbers of 32 bits have them
COARSEST = 8  # cells across a mesh, below which thinning stops
LARGEST = 1e6  # m: what is further away is no part of an arm


class MeshRefused(Exception):
    """Why a mesh cannot be drawn; it never ends more than the drawing of that mesh."""


@dataclass(frozen=True, eq=False)
class Triangles:
    """Corners (n, 3) in m, three of them for each triangle (m, 3), all of one colour, None where the file has none."""

    corners: Floats
    triples: NDArray[np.int64]
    color: tuple[float, float, float, float] | None = None


def checked(corners: Floats, triples: NDArray[np.int64], color: Any = None) -> Triangles:
    """Triangles of numbers that came from a file: finite, near, of corners that are there, each corner once."""
    if not len(triples):
        return Triangles(np.zeros((0, 3)), triples, color)
    if triples.min() < 0 or triples.max() >= len(corners):
        raise MeshRefused("has triangles of corners that it does not have")
    if not np.isfinite(corners).all() or np.abs(corners).max() > LARGEST:
        raise MeshRefused("has corners that are not finite, or further away than any arm")
    used, triples = np.unique(triples, return_inverse=True)
    return _joined(corners[used], triples.reshape(-1, 3), color)


def _joined(corners: Floats, triples: NDArray[np.int64], color: Any) -> Triangles:
    """The same with corners made one that are nowhere apart, and without the triangles that this leaves flat."""
    apart = SAME * max(float(np.ptp(corners, axis=0).max()), 1e-300)
    _, first, of = np.unique(np.rint(corners / apart), axis=0, return_index=True, return_inverse=True)
    triples = of.reshape(-1)[triples]
    a, b, c = triples.T
    return Triangles(corners[first], triples[(a != b) & (b != c) & (c != a)], color)


def thinned(mesh: Triangles, most: int) -> Triangles:
    """The same with at most so many triangles, where that can be: corners of one cell of a grid become one.

    The grid is the finest that does it, halved each time. A cell keeps the mean of its corners.
    """
    low, size = mesh.corners.min(axis=0), max(float(np.ptp(mesh.corners, axis=0).max()), 1e-300)
    found, cells = mesh, 1024
    while len(found.triples) > most and cells >= COARSEST:
        index = np.floor((mesh.corners - low) * (cells / size)).astype(np.int64)
        _, cell = np.unique(index, axis=0, return_inverse=True)
        cell = cell.reshape(-1)
        count = np.bincount(cell)
        means = np.stack([np.bincount(cell, mesh.corners[:, k]) / count for k in range(3)], axis=-1)
        found = _joined(means, cell[mesh.triples], mesh.color)
        cells //= 2
    return found


def packed_mesh(mesh: Triangles) -> dict[str, Any]:
    """As the page takes it: corners in 16 bits between the ends of their box, off by less than 1e-5 of its size."""
    low, high = mesh.corners.min(axis=0), mesh.corners.max(axis=0)
    share = (mesh.corners - low) / np.where(high > low, high - low, 1.0)
    return {
        "low": low.tolist(),
        "high": high.tolist(),
        "vertices": deflated(np.rint(FINEST * share).astype("<u2").tobytes()),
        "triangles": deflated(mesh.triples.astype("<u4").tobytes()),
        "colors": None,
    }
