"""Distances between convex solids, many pairs at once: GJK.

Gilbert, Johnson and Keerthi 1988: the distance of two convex sets is that of their difference A - B to the origin. The
point of A - B that is furthest in a direction is known from those of A and B; a simplex of at most four such points
moves to where A - B is nearest. Every pass gives two bounds, so that a pair which can no longer matter is let go.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from torsor.model.transforms import Floats

CLOSE = 1e-10  # m between the bounds: then a distance is known
INSIDE = 1e-10  # m: sets nearer than that are in each other
MOST_PASSES = 60  # round solids come nearer by a tenth or so each; 60 have never been needed
REFINING = 24  # steps of a direction, each 0.8 of the one before
SMALLER = (0.98, 0.8)  # shares of its size
FLAT = 1e-14  # of what a triangle or tetrahedron could be at most: flatter ones are left to their edges and faces

Furthest = Callable[[NDArray[np.intp], Floats], Floats]  # of A - B of pairs (k,) in directions (k, 3)


@dataclass(eq=False)
class _Simplex:
    """Of every pair up to four points of A - B: the last that was found (k, 3), and which of others (k, 3, 3)."""

    last: Floats
    others: Floats
    used: NDArray[np.bool_]  # (k, 3)

    def of(self, which: NDArray[np.bool_]) -> _Simplex:
        return _Simplex(self.last[which], self.others[which], self.used[which])


def distances(
    furthest: Furthest,
    start: Floats,
    group: NDArray[np.intp],
    beyond: Floats,
    bound: Floats,
    loose: float = 0.0,
) -> tuple[Floats, Floats]:
    """(k,) between sets of k pairs, 0 where they are in each other, and (k, 3) the way between their nearest points.

    ``beyond`` (k,) is subtracted from each: radii of balls that are swept along both. Of the pairs of one ``group``
    (k,) only the least matters, and that only below ``bound`` (groups,), which is brought down: all others keep a
    number that is no less than the bound. By ``loose`` m all may be too small.
    ``start`` (k, 3) is a direction from B to A: the better it is guessed, the sooner it ends.
    """
    found, way = np.full(len(group), np.inf), np.zeros((len(group), 3))
    pair, close = np.arange(len(group)), max(loose, CLOSE)
    d = unit(start)
    w = furthest(pair, -d)
    least = (w * d).sum(-1)  # A - B is beyond a plane this far
    simplex = _Simplex(w, np.zeros((len(pair), 3, 3)), np.zeros((len(pair), 3), dtype=bool))
    v, size = w, np.sqrt((w * w).sum(-1))
    before = np.full(len(pair), np.inf)
    for _ in range(MOST_PASSES):
        np.minimum.at(bound, group[pair], size - beyond[pair])
        touching = size < INSIDE
        known = touching | (size - least < close) | (size >= before)  # the last: rounding leaves no way nearer
        idle = ~known & (least - beyond[pair] > bound[group[pair]] - loose)
        far = np.where(touching, 0.0, np.where(size - least < close, least, size))
        found[pair[known]] = far[known] - beyond[pair[known]]
        found[pair[idle]] = least[idle] - beyond[pair[idle]]
        way[pair] = v
        going = ~(known | idle)
        if not going.any():
            return found, way
        pair, v, before, simplex = pair[going], v[going], size[going], simplex.of(going)
        w = furthest(pair, -v)
        least = (v * w).sum(-1) / before
        done = before - least < close
        v = np.where(done[:, None], v, _nearest(simplex, w))
        size = np.sqrt((v * v).sum(-1))
    found[pair], way[pair] = size - beyond[pair], v
    return found, way


def depths(furthest: Furthest, start: Floats, tries: Floats) -> Floats:
    """(k,) how far sets that are in each other must be moved apart: along the best of tries (k, m, 3), made better.

    So it is no less than the least way out, and as a rule a few percent more. Among the tries are those ways in which
    the sets are apart when A - B is made smaller about its middle, ``start``: where sets are hardly in each other, that
    is the way out.
    """
    count = len(tries)
    pair = np.arange(count)
    for share in SMALLER:

        def smaller(pair: NDArray[np.intp], d: Floats, share: float = share) -> Floats:
            return share * furthest(pair, d) + (1.0 - share) * start[pair]

        way = distances(smaller, start, pair, np.zeros(count), np.full(count, np.inf))[1]
        tries = np.concatenate([tries, -unit(way)[:, None]], axis=1)
    best, along = np.full(count, np.inf), np.zeros((count, 3))
    for d in np.swapaxes(tries, 0, 1):
        reach = (furthest(pair, d) * d).sum(-1)
        better = reach < best
        best, along = np.where(better, reach, best), np.where(better[:, None], d, along)
    step = 0.5
    for _ in range(REFINING):
        w = furthest(pair, along)
        aside = w - (w * along).sum(-1)[:, None] * along  # the way in which the reach grows
        d = unit(along - step * unit(aside))
        reach = (furthest(pair, d) * d).sum(-1)
        better = reach < best
        best, along = np.where(better, reach, best), np.where(better[:, None], d, along)
        step *= 0.8
    return np.asarray(np.maximum(best, 0.0))


def unit(v: Floats) -> Floats:
    """Vectors (..., 3) of length 1; x where there is none."""
    size = np.sqrt((v * v).sum(-1))[..., None]
    return np.asarray(np.where(size > 0.0, v / np.where(size > 0.0, size, 1.0), np.array([1.0, 0.0, 0.0])))


_FIRST, _SECOND = np.array([0, 0, 1]), np.array([1, 2, 2])  # edges that span a triangle with w


def _nearest(simplex: _Simplex, w: Floats) -> Floats:
    """The point nearest to the origin of each simplex with a new point w; only the points that span it are kept.

    It lies on a part that has w: w itself, an edge, a triangle or the whole. On each part the least of |w + E l|^2 is
    found, E being the edges from w: G l = b with G = E^T E, b = -E^T w. Parts with l >= 0 and sum(l) <= 1 hold theirs.
    """
    rows = np.arange(len(w))
    free = (~simplex.used).argmax(axis=1)
    simplex.others[rows, free], simplex.used[rows, free] = simplex.last, True
    simplex.last = w
    E = np.where(simplex.used[..., None], simplex.others - w[:, None], np.nan)  # (k, 3, 3); what is missing holds none
    G, b = E @ np.swapaxes(E, -1, -2), -(E @ w[..., None])[..., 0]
    weights = np.zeros((len(w), 8, 3))
    own = G[:, [0, 1, 2], [0, 1, 2]]
    with np.errstate(divide="ignore", invalid="ignore"):
        weights[:, [1, 2, 3], [0, 1, 2]] = b / own
        first, second, both = own[:, _FIRST], own[:, _SECOND], G[:, _FIRST, _SECOND]
        area = first * second - both**2
        area = np.where(area > FLAT * first * second, area, np.nan)
        b_first, b_second = b[:, _FIRST], b[:, _SECOND]
        weights[:, [4, 5, 6], _FIRST] = (b_first * second - b_second * both) / area
        weights[:, [4, 5, 6], _SECOND] = (b_second * first - b_first * both) / area
        whole = simplex.used.all(axis=1)
        weights[~whole, 7] = np.nan
        if whole.any():
            e, at = E[whole], w[whole]
            crossed = np.cross(e[:, [1, 2, 0]], e[:, [2, 0, 1]])
            volume = (e[:, 0] * crossed[:, 0]).sum(-1)
            volume = np.where(np.abs(volume) > FLAT * np.sqrt(own[whole].prod(-1)), volume, np.nan)
            weights[whole, 7] = -(crossed * at[:, None]).sum(-1) / volume[:, None]
        valid = (weights >= 0.0).all(-1) & (weights.sum(-1) <= 1.0)
    weights[~valid] = 0.0
    points = w[:, None] + weights @ np.where(simplex.used[..., None], E, 0.0)  # (k, 8, 3)
    part = np.where(valid, (points * points).sum(-1), np.inf).argmin(axis=1)
    simplex.used = weights[rows, part] > 0.0
    return np.asarray(points[rows, part])
