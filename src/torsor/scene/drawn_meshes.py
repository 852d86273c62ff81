"""Triangles to draw: thinned where there are too many, and packed for the page."""

from __future__ import annotations

from typing import Any

import numpy as np

from torsor.model.triangles import Triangles, joined
from torsor.report.packing import deflated

FINEST = 65535  # steps across a mesh: 16 bits
COARSEST = 8  # cells across a mesh, below which thinning stops


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
        found = joined(means, cell[mesh.triples], mesh.color)
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
