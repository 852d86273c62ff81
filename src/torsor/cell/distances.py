"""Distances between segments, and from segments to boxes, cylinders and planes: exact, for many at once.

A capsule is a segment with a radius: its distance to something is that of the segment less the radius.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from torsor.model.transforms import Floats

TINY = 1e-30
LOOKS = 42  # of the golden section: the place is known to 2e-9 of the segment
GOLDEN = (5.0**0.5 - 1.0) / 2.0


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


def to_plane(p0: Floats, p1: Floats, normal: Floats, offset: float) -> Floats:
    """(...) how far segments are above a plane n . x = offset; negative below."""
    return np.asarray(np.minimum(p0 @ normal, p1 @ normal) - offset)


Away = Callable[[Floats], Floats]  # from points (..., 3) to a body that is convex, zero inside


def from_box(half: Floats) -> Away:
    """How far points are from a box about the origin."""
    return lambda x: np.asarray(np.sqrt((np.maximum(np.abs(x) - half, 0.0) ** 2).sum(-1)))


def from_cylinder(radius: float, half: float) -> Away:
    """How far points are from a cylinder along z about the origin."""

    def away(x: Floats) -> Floats:
        out = np.maximum(np.sqrt(x[..., 0] ** 2 + x[..., 1] ** 2) - radius, 0.0)
        return np.asarray(np.sqrt(out**2 + np.maximum(np.abs(x[..., 2]) - half, 0.0) ** 2))

    return away


def to_body(away: Away, p0: Floats, p1: Floats, radius: Floats, bound: Floats) -> Floats:
    """(samples, k) from capsules to a convex body, exact wherever it is less than ``bound`` (samples,) and least.

    What can be neither, as its middle and its length tell, keeps a number that is no less than the true one.
    """
    middle, long = 0.5 * (p0 + p1), 0.5 * np.sqrt(((p1 - p0) ** 2).sum(-1))
    at_middle = away(middle)
    most = np.minimum(np.minimum(away(p0), away(p1)), at_middle) - radius
    least = at_middle - long - radius
    open_ = least < np.minimum(most.min(axis=1, initial=np.inf), bound)[:, None]
    if open_.any():
        most[open_] = _least(away, p0[open_], p1[open_]) - np.broadcast_to(radius, most.shape)[open_]
    return np.asarray(most)


def _least(away: Callable[[Floats], Floats], p0: Floats, p1: Floats) -> Floats:
    """The least of a distance to a convex body along segments: it is convex along each, so the golden section ends."""
    way = p1 - p0
    low, high = np.zeros(way.shape[:-1]), np.ones(way.shape[:-1])
    s, t = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
    at_s, at_t = away(p0 + s[..., None] * way), away(p0 + t[..., None] * way)
    least = np.minimum(away(p0), away(p1))
    for _ in range(LOOKS):
        left = at_s <= at_t
        low, high = np.where(left, low, s), np.where(left, t, high)
        new = np.where(left, high - GOLDEN * (high - low), low + GOLDEN * (high - low))
        value = away(p0 + new[..., None] * way)
        least = np.minimum(least, value)
        s, t = np.where(left, new, t), np.where(left, s, new)
        at_s, at_t = np.where(left, value, at_t), np.where(left, at_s, value)
    return np.minimum(least, np.minimum(at_s, at_t))
