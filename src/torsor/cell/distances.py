"""Distances between segments, for many at once: a capsule is a segment with a radius."""

from __future__ import annotations

from typing import Any

from torsor.algebra.functions import less, less_equal, maximum, minimum, select, sqrt

TINY = 1e-30


def between_segments(a0: Any, a1: Any, b0: Any, b1: Any) -> Any:
    """(...) smallest distance of points of two segments (..., 3). Traceable.

    The least of |a(s) - b(t)|^2 over the unit square: the closest points of the lines where these are inside it, else
    the closest points with s or t held at an end (Ericson, Real-Time Collision Detection, 5.1.9).

    >>> import numpy as np
    >>> x, y, z = np.eye(3)
    >>> float(between_segments(-x, x, y - z, y + z)), float(between_segments(x, 2 * x, 3 * x, 4 * x))
    (1.0, 1.0)
    """
    u, v, w = a1 - a0, b1 - b0, a0 - b0
    a, e, b = (u * u).sum(-1), (v * v).sum(-1), (u * v).sum(-1)
    c, f = (u * w).sum(-1), (v * w).sum(-1)
    area = a * e - b * b
    parallel = less_equal(area, 1e-12 * a * e)
    s = select(parallel, 0.0, _share((b * f - c * e) / maximum(area, TINY)))
    t = _share(select(less(TINY, e), (b * s + f) / maximum(e, TINY), 0.0))
    s = _share(select(less(TINY, a), (b * t - c) / maximum(a, TINY), 0.0))
    # the other order of clipping, for segments that are nearly parallel
    t = _share(select(less(TINY, e), (b * s + f) / maximum(e, TINY), 0.0))
    apart = [w[..., k] + s * u[..., k] - t * v[..., k] for k in range(3)]
    return sqrt(apart[0] * apart[0] + apart[1] * apart[1] + apart[2] * apart[2])


def _share(x: Any) -> Any:
    return minimum(maximum(x, 0.0), 1.0)
