"""OBJ (Wavefront): corners and polygons as text. Materials stand in other files, which are not read."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from torsor.model.triangles import MeshRefused, Triangles, checked


def read_obj(raw: bytes) -> list[Triangles]:
    """Polygons are cut into triangles about their first corner."""
    corners: list[list[float]] = []
    triples: list[tuple[int, int, int]] = []
    try:
        for line in raw.replace(b"\\\n", b" ").splitlines():
            word, *rest = line.split() or (b"",)
            if word == b"v":
                x, y, z = rest[:3]
                corners.append([float(x), float(y), float(z)])
            elif word == b"f":
                first, *others = (_index(each, len(corners)) for each in rest)
                triples += [(first, b, c) for b, c in pairwise(others)]
    except (ValueError, IndexError):
        raise MeshRefused(f"has a line that is no OBJ: {line[:60]!r}") from None
    return [checked(np.array(corners).reshape(-1, 3), np.array(triples, dtype=np.int64).reshape(-1, 3))]


def _index(word: bytes, count: int) -> int:
    """Of a corner, counted from 1, or from the last one backwards."""
    k = int(word.split(b"/")[0])
    if not -count <= k <= 2**31 or k == 0:
        raise ValueError
    return k - 1 if k > 0 else count + k
