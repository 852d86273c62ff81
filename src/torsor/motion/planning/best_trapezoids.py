"""The fastest trapezoid, from rest to rest, along a path on which joints and motors keep their limits.

Over a length L with ramps of length r it has sd^2 = v^2 min(1, s / r, (L - s) / r) and takes (L + 2 r) / v, with the
acceleration v^2 / 2r. So for a given r every limit bounds v^2 alone:

- |q'' sd^2 + q' sdd| <= A on the ramps: v^2 |2 s q'' + q'| / 2r <= A, and |2 (L - s) q'' - q'| on the way down;
- |q''| v^2 <= A, |q'| v <= V between them;
- q'^2 v^2 s / r <= V^2 on the ramps.

The greatest of each, over ramps of growing length and over what is left between them, are running maxima: one pass over
a fine grid finds the best r. To go c times slower leaves r as it is and takes 1 / c^2 of all accelerations: so the true
peaks, enclosed on a grid of each ramp and of what is between them and looked at ever closer on the exact path, are met
exactly.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from torsor.model.transforms import Floats
from torsor.motion.curves import Along
from torsor.motion.narrowing import CLIMBS, brackets, climbed
from torsor.motion.paths.following import between_nodes
from torsor.motion.paths.many_paths import Which
from torsor.motion.planning.joint_rates import DECIDES, MARGIN, Decides, JointRates
from torsor.motion.planning.slowing import PacesAsked, Seen
from torsor.motion.tolerances import ROUNDING

_FINE = 16  # intervals of the grid for each between points where the path is seen
_SAME = 1e-9  # of the time: ramps that take no longer are as good, and the shortest of them is taken
_TINY = 1e-300  # a square of use that is none
_LOOKS = 49  # points of each ramp, and of what is between them, at which the use of limits is looked at


class _Trapezoids(NamedTuple):
    """Trapezoids along paths, a number for each: what they are for, the lengths of their ramps, and v^2."""

    rates: JointRates
    seen: Seen
    asked: PacesAsked
    ramp: Floats
    square: Floats

    def uses(self, which: Which, s: Floats, at: Along, sdd: Floats) -> Floats:
        """Squares of the shares of speeds, and shares of accelerations, of paths ``which`` (k,) at s: (k, limits).

        ``sdd`` is 1 where it speeds up, -1 where it slows down, 0 between.
        """
        r, v2, share, push = self.ramp[which], self.square[which], self.asked.share[which], self.asked.push[which]
        x = (v2 * np.minimum(1.0, np.minimum(s, self.seen.lengths[which] - s) / r))[:, None]
        hard = np.abs(at.ddq * x + at.dq * (sdd * 0.5 * v2 / r)[:, None]) / self.rates.accelerations
        return np.concatenate([self.rates.speed_uses(at, share[:, None]) ** 2 * x, hard / push[:, None]], axis=-1)


def best_trapezoids(rates: JointRates, seen: Seen, asked: PacesAsked) -> tuple[Floats, Floats, list[Decides]]:
    """Speeds and accelerations, no more than are asked, of the shortest trapezoids, and what holds each path back."""
    if rates.whole is not None:
        return best_trapezoids(rates.whole, seen.lifted(rates.chain), asked)
    v, a = asked.speed.copy(), asked.acceleration.copy()
    decides = [Decides("", "speed", 0.0)] * len(v)
    held = np.flatnonzero(_held(rates, seen, asked))
    if len(held):
        own = seen.chosen(held), PacesAsked(*(each[held] for each in asked))
        v[held], a[held], found = _met(_shortest(rates, *own))
        for k, each in zip(held.tolist(), found, strict=True):
            decides[k] = each
    return v, a, decides


def _held(rates: JointRates, seen: Seen, asked: PacesAsked) -> NDArray[np.bool_]:
    """Which paths have limits that what is asked does not keep far from, where it is finite; else which have any."""
    count = len(seen.lengths)
    owner = np.repeat(np.arange(count), len(seen.u))

    def most(values: Floats) -> Floats:
        return np.asarray(values.reshape(count, -1).max(axis=1))

    limits = asked.push[owner, None] * rates.accelerations
    fast = most(rates.speed_uses(seen.along, asked.share[owner, None]))
    straight = most(np.abs(seen.along.dq) / limits)
    finite = np.isfinite(asked.speed + asked.acceleration)
    v, a = (np.where(finite, each, 0.0) for each in (asked.speed, asked.acceleration))
    hard = most(np.abs(seen.along.ddq) / limits * v[owner, None] ** 2 + np.abs(seen.along.dq) / limits * a[owner, None])
    near = ~(np.maximum(hard, fast * v) < DECIDES)
    limited = (np.isfinite(asked.speed) | (fast > 0.0)) & (np.isfinite(asked.acceleration) | (straight > 0.0))
    return np.where(finite, near, limited)


def _shortest(rates: JointRates, seen: Seen, asked: PacesAsked) -> _Trapezoids:
    """The best ramps, by what is seen of the paths."""
    count = len(seen.lengths)
    fine, along = _closer(seen)
    half = fine.shape[1] // 2 + 1
    first, length, push = fine[:, :half], seen.lengths[:, None], asked.push[:, None]
    s, left = (each.reshape(-1, 1) for each in (fine, length - fine))

    def most(values: Floats) -> Floats:
        return np.asarray(values.max(axis=-1).reshape(count, -1))

    def outward(at_start: Floats, at_end: Floats) -> Floats:
        """The greatest up to each length of ramp, at the start and, mirrored, at the end."""
        return np.maximum.accumulate(np.maximum(at_start[:, :half], at_end[:, ::-1][:, :half]), axis=1)

    def inward(values: Floats) -> Floats:
        """The greatest between ramps of each length."""
        inner = np.maximum(values[:, :half], values[:, ::-1][:, :half])
        return np.maximum.accumulate(inner[:, ::-1], axis=1)[:, ::-1]

    shares = np.repeat(asked.share, fine.shape[1])[:, None]
    fast = most(rates.speed_uses(along, shares)) ** 2
    bend = most(np.abs(along.ddq) / rates.accelerations) / push
    up = most(np.abs(2.0 * s * along.ddq + along.dq) / rates.accelerations) / push
    down = most(np.abs(2.0 * left * along.ddq - along.dq) / rates.accelerations) / push
    ramps = np.maximum(0.5 * outward(up, down), outward(fast * fine, fast * (length - fine)))
    # v^2 <= by_length r, and v^2 <= between: of ramps that end within the next interval of the grid
    by_length = np.minimum(2.0 * asked.acceleration[:, None], 1.0 / np.maximum(ramps[:, 1:], _TINY))
    slowest = np.maximum(inward(fast), inward(bend))[:, :-1]
    between = np.minimum(asked.speed[:, None] ** 2, 1.0 / np.maximum(slowest, _TINY))
    ramp = np.clip(between / by_length, first[:, :-1], first[:, 1:])
    square = np.minimum(by_length * ramp, between)
    time = (length + 2.0 * ramp) / np.sqrt(square)
    best = np.argmax(time <= time.min(axis=1, keepdims=True) * (1.0 + _SAME), axis=1)
    each = np.arange(count)
    return _Trapezoids(rates, seen, asked, ramp[each, best], square[each, best])


def _met(trapezoids: _Trapezoids) -> tuple[Floats, Floats, list[Decides]]:
    """Paces that meet the limits, with ramps as they are: as much slower, or faster, as the true peaks ask for."""
    rates, seen, asked, r, v2 = trapezoids
    length, count = seen.lengths, len(seen.lengths)
    top, place, ramping = _peaks(trapezoids)
    # where a ramp ends, it counts, and so does what is between them
    seams = np.stack([r, length - r, r, length - r, place], axis=1)
    sdd = np.stack([np.full(count, each) for each in (1.0, -1.0, 0.0, 0.0)] + [ramping], axis=1).ravel()
    which = np.repeat(np.arange(count), seams.shape[1])
    ends = trapezoids.uses(which, seams.ravel(), seen.at(which, seams.ravel()), sdd).reshape(count, -1)
    greatest = ends.argmax(axis=1)
    row, limit = np.divmod(greatest, ends.shape[1] // seams.shape[1])
    places = seams[np.arange(count), row]
    decides = [rates.decides(k, s) for k, s in zip(limit.tolist(), places.tolist(), strict=True)]
    top = np.maximum(top, ends.max(axis=1))
    slower = np.maximum(top * (1.0 + MARGIN), np.maximum(v2 / asked.speed**2, 0.5 * v2 / r / asked.acceleration))
    v, a = (v2 / slower) ** 0.5, 0.5 * v2 / r / slower
    # it is as fast as asked, or the ramps meet before
    full = (v > asked.speed * (1.0 - ROUNDING)) | (r > 0.5 * length * (1.0 - ROUNDING))
    v = np.where(np.isfinite(asked.speed) & full, asked.speed, v)
    return v, np.where(a > asked.acceleration * (1.0 - ROUNDING), asked.acceleration, a), decides


def _peaks(trapezoids: _Trapezoids) -> tuple[Floats, Floats, Floats]:
    """The greatest use of a limit of each path within its ramps and between them, where, and whether it ramps there."""
    seen, r = trapezoids.seen, trapezoids.ramp
    length, count = seen.lengths, len(seen.lengths)
    ends = np.stack([0.0 * r, r, length - r, length])  # (4, paths)
    part, whose = np.nonzero(ends[1:] > ends[:-1])  # ramps that meet have nothing between them
    s = np.linspace(ends[part, whose], ends[part + 1, whose], _LOOKS, axis=1).ravel()
    smooth = np.repeat(np.arange(len(part)), _LOOKS)  # the part that a row is of
    ramping = np.array([1.0, 0.0, -1.0])[part]
    q, dq, ddq, dddq = (each.reshape(count, len(seen.u), -1) for each in seen.along)
    which = whose[smooth]

    def nearly(values: Floats, slopes: Floats) -> Floats:
        return between_nodes(s, length[which], values, slopes, which)

    along = Along(nearly(q, dq), nearly(dq, ddq), nearly(ddq, dddq), np.zeros((len(s), q.shape[2])))
    values = trapezoids.uses(which, s, along, ramping[smooth])
    by_row, top = values.max(axis=1), np.zeros(count)
    np.maximum.at(top, which, by_row)
    middle, column = brackets(values, smooth)
    part_of = smooth[middle]

    def look(bracket: NDArray[np.intp], at: Floats) -> Floats:
        each = whose[part_of[bracket]]
        uses = trapezoids.uses(each, at, seen.at(each, at), ramping[part_of[bracket]])
        return np.asarray(uses[np.arange(len(at)), column[bracket]])

    around = middle[:, None] + [-1, 0, 1]
    known = s[around], values[around, column[:, None]], top[whose[part_of]]
    at, found = climbed(*known, look, least=np.full(len(middle), 0.1 * MARGIN), rounds=np.full(len(middle), CLIMBS))
    path = np.concatenate([which, whose[part_of]])
    columns = (by_row, found), (s, at), (ramping[smooth], ramping[part_of])
    value, place, ramps = (np.concatenate(each) for each in columns)
    order = np.lexsort([value, path])
    last = order[np.searchsorted(path[order], np.arange(count), side="right") - 1]
    return value[last], place[last], ramps[last]


def _closer(seen: Seen) -> tuple[Floats, Along]:
    """Finer parameters (paths, k), and paths there (paths * k, n): by cubics through q, q' and q'' with their slopes.

    Joint by joint in memory: what is greatest among joints is then found in whole columns.
    """
    count, h = len(seen.lengths), seen.lengths / (len(seen.u) - 1)
    u = np.arange(_FINE) / _FINE
    basis = np.stack([(1.0 + 2.0 * u) * (1.0 - u) ** 2, u * (1.0 - u) ** 2, u**2 * (3.0 - 2.0 * u), u**2 * (u - 1.0)])
    q, dq, ddq, dddq = (each.reshape(count, len(seen.u), -1).transpose(2, 0, 1) for each in seen.along)

    def through(values: Floats, slopes: Floats) -> Floats:
        steps = slopes * h[:, None]
        ends = np.stack([values[..., :-1], steps[..., :-1], values[..., 1:], steps[..., 1:]], axis=-1)
        inner = (ends @ basis).reshape(*values.shape[:2], -1)  # (n, paths, k - 1)
        return np.concatenate([inner, values[..., -1:]], axis=-1).reshape(len(values), -1).T

    fine = np.linspace(0.0, seen.lengths, _FINE * (len(seen.u) - 1) + 1, axis=1)
    along = through(q, dq), through(dq, ddq), through(ddq, dddq)
    return fine, Along(*along, np.zeros_like(along[0]))
