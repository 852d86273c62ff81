"""Distances between segments, for many at once: a capsule is a segment with a radius."""

from __future__ import annotations

import numpy as np

from torsor.model.transforms import Floats

TINY = 1e-30


def between_segments(a0: Floats, a1: Floats, b0: Floats, b1: Floats) -> Floats:
    """(...) smallest distance of points of two segments (..., 3).

    The least of |a(s) - b(t)|^2 over the unit square: the closest points of the lines where these are inside it, else
    the closest points with s or t held at an end (Ericson, Real-Time Collision Detection, 5.1.9).

    >>> x, y, z = np.eye(3)
    >>> float(between_segments(-x, x, y - z, y + z)), float(between_segments(x, 2 * x, 3 * x, 4 * x))
    (1.0, 1.0)
    """
    u, v, w = a1 - a0, b1 - b0, a0 - b0
    a, e, b = (u * u).sum(-1), (v * v).sum(-1), (u * v).sum(-1)
    c, f = (u * w).sum(-1), (v * w).sum(-1)
    area = a * e - b * b
    parallel = area <= 1e-12 * a * e
    s = np.where(parallel, 0.0, np.clip((b * f - c * e) / np.maximum(area, TINY), 0.0, 1.0))
    t = (b * s + f) / np.maximum(e, TINY)
    clipped = np.clip(np.where(e > TINY, t, 0.0), 0.0, 1.0)
    s = np.clip(np.where(a > TINY, (b * clipped - c) / np.maximum(a, TINY), 0.0), 0.0, 1.0)
    # the other order of clipping, for segments that are nearly parallel
    other = np.clip(np.where(e > TINY, (b * s + f) / np.maximum(e, TINY), 0.0), 0.0, 1.0)
    apart = w + s[..., None] * u - other[..., None] * v
    return np.asarray(np.sqrt((apart * apart).sum(-1)))
