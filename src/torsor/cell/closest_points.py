"""Distances between convex solids, many pairs at once: GJK.

Gilbert, Johnson and Keerthi 1988: the distance of two convex sets is that of their difference A - B to the origin. The
point of A - B that is furthest in a direction is known from those of A and B; a simplex of at most four such points
moves to where A - B is nearest. Every pass gives two bounds, so that a pair which can no longer matter is let go.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torsor.algebra.functions import absolute, less, less_equal, maximum, select, sqrt
from torsor.model.transforms import Floats

CLOSE = 1e-10  # m between the bounds: then a distance is known
INSIDE = 1e-10  # m: sets nearer than that are in each other
MOST_PASSES = 60  # round solids come nearer by a tenth or so each; 60 have never been needed
REFINING = 24  # steps of a direction, each 0.8 of the one before
SMALLER = (0.98, 0.8)  # shares of its size
FLAT = 1e-14  # of what a triangle or tetrahedron could be at most: flatter ones are left to their edges and faces

Furthest = Callable[[NDArray[np.intp], Floats], Floats]  # of A - B of pairs (k,) in directions (k, 3)


def distances(
    furthest: Furthest,
    start: Floats,
    group: NDArray[np.intp],
    beyond: Floats,
    bound: Floats,
) -> tuple[Floats, Floats]:
    """(k,) between sets of k pairs, 0 where they are in each other, and (k, 3) the way between their nearest points.

    ``beyond`` (k,) is subtracted from each: radii of balls that are swept along both. Of the pairs of one ``group``
    (k,) only the least matters, and that only below ``bound`` (groups,), which is brought down: all others keep a
    number that is no less than the bound.
    ``start`` (k, 3) is a direction from B to A: the better it is guessed, the sooner it ends.
    """
    found, way = np.full(len(group), np.inf), np.zeros((len(group), 3))
    pair = np.arange(len(group))
    d = unit(start)
    w = furthest(pair, -d)
    least = (w * d).sum(-1)  # A - B is beyond a plane this far
    last, others, used = w, np.zeros((len(pair), 3, 3)), np.zeros((len(pair), 3))
    v, size = w, np.sqrt((w * w).sum(-1))
    before = np.full(len(pair), np.inf)
    for _ in range(MOST_PASSES):
        np.minimum.at(bound, group[pair], size - beyond[pair])
        touching = size < INSIDE
        known = touching | (size - least < CLOSE) | (size >= before)  # the last: rounding leaves no way nearer
        idle = ~known & (least - beyond[pair] > bound[group[pair]])
        far = np.where(touching, 0.0, np.where(size - least < CLOSE, least, size))
        found[pair[known]] = far[known] - beyond[pair[known]]
        found[pair[idle]] = least[idle] - beyond[pair[idle]]
        way[pair] = v
        going = ~(known | idle)
        if not going.any():
            return found, way
        pair, v, before = pair[going], v[going], size[going]
        w = furthest(pair, -v)
        least = (v * w).sum(-1) / before
        done = before - least < CLOSE
        with np.errstate(divide="ignore", invalid="ignore"):  # of points that are not there
            nearer, others, used = nearest_on_simplex(last[going], others[going], used[going], w)
        v, last = np.where(done[:, None], v, nearer), w
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


def nearest_on_simplex(last: Any, others: Any, used: Any, w: Any) -> tuple[Any, Any, Any]:
    """The point (..., 3) nearest to the origin of a simplex with a new point w. Traceable.

    ``last`` (..., 3) is the point that came before w, ``others`` (..., 3, 3) are those before it, of which ``used``
    (..., 3) are not 0; both are returned as they become: only the points that span the nearest one are used.

    It lies on a part that has w: w itself, an edge, a triangle or the whole. On each part the least of |w + E l|^2 is
    found, E being the edges from w: G l = b with G = E^T E, b = -E^T w. Parts with l >= 0 and sum(l) <= 1 hold theirs.
    """
    flags = [used[..., k] for k in range(3)]
    full = flags[0] * flags[1] * flags[2]
    taken = [maximum(1.0 - flags[0], full), flags[0] * (1.0 - flags[1]), flags[0] * flags[1] * (1.0 - flags[2])]
    points = [[select(taken[k], last[..., i], others[..., k, i]) for i in range(3)] for k in range(3)]
    held = [maximum(flags[k], taken[k]) for k in range(3)]
    at = [w[..., i] for i in range(3)]
    E = [[points[k][i] - at[i] for i in range(3)] for k in range(3)]
    own, b = [_dot(e, e) for e in E], [-_dot(e, at) for e in E]
    best, size, weights = at, _dot(at, at), [0.0 * at[0]] * 3
    for part, l, flat in _parts(E, own, b, at):
        valid = flat * less_equal(sum(l), 1.0)
        for k, share in zip(part, l, strict=True):
            valid = valid * held[k] * less_equal(0.0, share)
        point = [at[i] + sum(share * E[k][i] for k, share in zip(part, l, strict=True)) for i in range(3)]
        square = _dot(point, point)
        nearer = valid * less(square, size)
        best, size = (
            [select(nearer, new, old) for new, old in zip(point, best, strict=True)],
            select(nearer, square, size),
        )
        shares = dict(zip(part, l, strict=True))
        weights = [select(nearer, shares.get(k, 0.0), weights[k]) for k in range(3)]
    kept = np.stack([np.stack(point, axis=-1) for point in points], axis=-2)
    return np.stack(best, axis=-1), kept, np.stack([less(0.0, weight) for weight in weights], axis=-1)


def _parts(E: list[list[Any]], own: list[Any], b: list[Any], at: list[Any]) -> Iterator[tuple[Any, list[Any], Any]]:
    """Of edges, triangles and the tetrahedron: their points beside w, weights of these, whether they have an extent."""
    for k in range(3):
        yield (k,), [b[k] / own[k]], 1.0
    for i, j in combinations(range(3), 2):
        both = _dot(E[i], E[j])
        area = own[i] * own[j] - both * both
        l = [(b[i] * own[j] - b[j] * both) / area, (b[j] * own[i] - b[i] * both) / area]
        yield (i, j), l, less(FLAT * own[i] * own[j], area)
    crossed = [_cross(E[1], E[2]), _cross(E[2], E[0]), _cross(E[0], E[1])]
    volume = _dot(E[0], crossed[0])
    extent = less(FLAT * sqrt(own[0] * own[1] * own[2]), absolute(volume))
    yield (0, 1, 2), [-_dot(each, at) / volume for each in crossed], extent


def _dot(a: list[Any], b: list[Any]) -> Any:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def _cross(a: list[Any], b: list[Any]) -> list[Any]:
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
