"""Triangles of a mesh file: joined where they touch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torsor.model.transforms import Floats

SAME = 1e-7  # of the size of a mesh: corners that near are one, as numbers of 32 bits have them
LARGEST = 1e6  # m: what is further away is no part of an arm


class MeshRefused(Exception):
    """Why a mesh cannot be used; where it is only drawn, it never ends more than the drawing of that mesh."""


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
    return joined(corners[used], triples.reshape(-1, 3), color)


def joined(corners: Floats, triples: NDArray[np.int64], color: Any) -> Triangles:
    """The same with corners made one that are nowhere apart, and without the triangles that this leaves flat."""
    apart = SAME * max(float(np.ptp(corners, axis=0).max()), 1e-300)
    _, first, of = np.unique(np.rint(corners / apart), axis=0, return_index=True, return_inverse=True)
    triples = of.reshape(-1)[triples]
    a, b, c = triples.T
    return Triangles(corners[first], triples[(a != b) & (b != c) & (c != a)], color)
