"""Cells of a section or of space, each with one of the values that fell into it."""

from __future__ import annotations

import numpy as np

from torsor.model.transforms import Floats

CELLS, BOXES = 120, 40  # along each side at most, of a section and of space
FILLING = 20  # postures for each cell: with fewer there would be holes where the tool reaches


def cells_a_side(values: int, dimensions: int) -> int:
    """
    >>> cells_a_side(20_000, 2), cells_a_side(10**9, 3)
    (31, 40)
    """
    sides = int((values / FILLING) ** (1.0 / dimensions))
    return max(1, min(CELLS if dimensions < 3 else BOXES, sides))


def binned(places: Floats, values: Floats, count: int, *, lowest: bool) -> tuple[list[Floats], Floats]:
    """Centres of cells along each axis, and in each cell the lowest or the largest value; NaN where none fell.

    ``places`` (axes, states).

    >>> centres, cells = binned(np.array([[0.0, 0.1, 1.0]]), np.array([3.0, 2.0, 5.0]), 2, lowest=True)
    >>> cells.tolist()
    [2.0, 5.0]
    """
    low, high = places.min(axis=1), places.max(axis=1)
    width = np.where(high > low, (high - low) / count, 1.0)
    index = [np.minimum((each - low[k]) / width[k], count - 1).astype(np.intp) for k, each in enumerate(places)]
    flat = np.ravel_multi_index(tuple(index), (count,) * len(places))
    cells = np.full(count ** len(places), np.inf if lowest else -np.inf)
    (np.minimum if lowest else np.maximum).at(cells, flat, values)
    filled = np.zeros(len(cells), dtype=bool)
    filled[flat] = True
    cells[~filled] = np.nan
    centres = [low[k] + width[k] * (np.arange(count) + 0.5) for k in range(len(places))]
    return centres, cells.reshape((count,) * len(places))
