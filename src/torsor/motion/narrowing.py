"""Where a function of one number changes or is greatest: enclosed first, then narrowed down."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from torsor.model.transforms import Floats

# Of one side of a bracket: how short the other is beside an end; of the fall over the longer one, what may rise there.
LOPSIDED, RISING = 0.02, 0.3
NEAREST, HIDDEN = 0.1, 0.005  # of the way to the next point; of the drop to it, what a cubic part may hide
AtPlaces = Callable[[Floats], Floats]  # values at places (k,)
OfColumns = Callable[[Floats, NDArray[np.intp]], Floats]  # values (k,) at places (k,), each of one of several columns


def edge(
    good: float, bad: float, is_good: Callable[[float], bool], *, halvings: int = 200, within: float = 0.0
) -> float:
    """The last good number between a good and a bad one: to the last digit, or to ``within``, by bisection.

    >>> edge(1.0, 2.0, lambda x: x * x <= 2.0)
    1.414213562373095
    """
    for _ in range(halvings):
        middle = 0.5 * (good + bad)
        if middle in (good, bad) or abs(bad - good) <= within:
            break
        good, bad = (middle, bad) if is_good(middle) else (good, middle)
    return good


def first_beyond(f: AtPlaces, x: Floats, *, zooms: int, points: int) -> Floats:
    """(m,): of each column of f the first place along x (k, m), rising or falling, beyond which it is above zero.

    That is the last place before; NaN if there is none. ``f(places)`` are values (p, m) at places (p, m).

    >>> x = np.linspace([0.0, 3.0], [3.0, 0.0], 6)
    >>> first_beyond(lambda x: x * x - 2.0, x, zooms=9, points=17).round(9)
    array([1.41421356, 3.        ])
    """
    each = np.arange(x.shape[1])
    over = f(x) > 0.0
    never, first = ~over.any(axis=0), over.argmax(axis=0)
    for _ in range(zooms):
        x = np.linspace(x[np.maximum(first - 1, 0), each], x[first, each], points)
        over = f(x) > 0.0
        over[-1] = True
        first = over.argmax(axis=0)
    return np.where(never, np.nan, x[np.maximum(first - 1, 0), each])


def tops(f: AtPlaces, x: Floats, *, zooms: int, points: int) -> Floats:
    """(m,): the greatest of each column of f, from samples x (k, m) on, looked at ever closer around the greatest.

    >>> x = np.linspace([0.0, 0.0], [1.0, 2.0], 6)
    >>> tops(lambda x: np.sin(3.0 * x), x, zooms=4, points=16).round(9)
    array([1., 1.])
    """
    each, best = np.arange(x.shape[1]), np.full(x.shape[1], -np.inf)
    for zoom in range(zooms + 1):
        found = f(x)
        at = found.argmax(axis=0)
        best = np.maximum(best, found[at, each])
        if zoom < zooms:
            low, high = x[np.maximum(at - 1, 0), each], x[np.minimum(at + 1, len(x) - 1), each]
            x = low + (high - low) * np.linspace(0.0, 1.0, points)[:, None]
    return best


def peak(
    f: AtPlaces, x: Floats, *, zooms: int, points: int, rivals: float = 0.0, values: Floats | None = None
) -> tuple[float, float]:
    """The greatest value of f and its place, from samples x (k,) on, looked at ever closer around the greatest.

    ``rivals``: samples lower by this share are looked at closer too, where they are higher than their neighbours.
    ``values`` of f at x, where they are known, or nearly.

    >>> value, place = peak(lambda x: np.sin(3.0 * x), np.linspace(0.0, 1.0, 6), zooms=6, points=16)
    >>> round(value, 9), round(place, 6)
    (1.0, 0.523599)
    """
    values = f(x) if values is None else values
    highest = int(np.argmax(values))
    best = float(values[highest]), float(x[highest])
    padded = np.concatenate([[-np.inf], values, [-np.inf]])
    local = (values >= padded[:-2]) & (values >= padded[2:])
    tops = np.flatnonzero(local & (values >= (1.0 - rivals) * best[0])) if rivals else np.array([highest])
    low, high, each = x[np.maximum(tops - 1, 0)], x[np.minimum(tops + 1, len(x) - 1)], np.arange(len(tops))
    for _ in range(zooms):
        places = low[:, None] + (high - low)[:, None] * np.linspace(0.0, 1.0, points)
        found = f(places.ravel()).reshape(places.shape)
        at = np.argmax(found, axis=1)
        k = int(np.argmax(found[each, at]))
        if found[k, at[k]] > best[0]:
            best = float(found[k, at[k]]), float(places[k, at[k]])
        low, high = places[each, np.maximum(at - 1, 0)], places[each, np.minimum(at + 1, points - 1)]
    return best


def highest(
    f: OfColumns, x: Floats, values: Floats, *, best: Floats, least: float, zooms: int, points: int
) -> tuple[Floats, Floats]:
    """The greatest of each column of f and its place, from ``values`` (k, columns) of f at samples x (k,) on.

    ``f(places, column)`` are values (m,) of columns, one at each place. Where a column may be higher between samples
    than at any, and than ``best`` (columns,), by ``least`` of it, it is looked at ever closer; all such places at once.

    >>> x = np.linspace(0.0, 1.0, 9)
    >>> waves = lambda x, column: np.where(column == 0, np.sin(3.0 * x), np.cos(x))
    >>> at_first = np.stack([waves(x, column) for column in (0, 1)], axis=-1)
    >>> value, place = highest(waves, x, at_first, best=np.zeros(2), least=1e-9, zooms=6, points=17)
    >>> value.round(9), place.round(4)
    (array([1., 1.]), array([0.5236, 0.    ]))
    """
    row = values.argmax(axis=0)
    top, place = values[row, np.arange(values.shape[1])], x[row]
    middle, column = brackets(values, np.zeros(len(x), dtype=np.intp))
    around, enough = middle[:, None] + [-1, 0, 1], np.maximum(top, best)[column]
    near = worth_climbing(x[around], values[around, column[:, None]], enough, least)
    column, enough = column[near], enough[near]
    low, high = x[around[near, 0]], x[around[near, 2]]
    for _ in range(zooms):
        if not len(column):
            break
        each = np.arange(len(column))
        places = low[:, None] + (high - low)[:, None] * np.linspace(0.0, 1.0, points)
        found = f(places.ravel(), np.repeat(column, points)).reshape(places.shape)
        at = found.argmax(axis=1)
        rising = np.lexsort([-each, found[each, at]])  # of a column, the greatest is written last
        better = rising[found[rising, at[rising]] > top[column[rising]]]
        top[column[better]], place[column[better]] = found[better, at[better]], places[better, at[better]]
        beside = np.clip(at[:, None] + [-1, 1], 0, points - 1)
        low, high = places[each, beside[:, 0]], places[each, beside[:, 1]]
        drop = found[each, at] - found[each[:, None], beside].min(axis=1)
        on = drop > least * enough  # a peak beside the highest point is higher by less than that is than its neighbours
        column, enough, low, high = (kept[on] for kept in (column, enough, low, high))
    return top, place


def brackets(values: Floats, smooth: NDArray[np.intp]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Samples and columns of values (k, columns) around which a peak may be, within what is ``smooth`` (k,) labels.

    There no neighbour is higher, or the one at the end of the smooth stretch.
    """
    if len(values) < 3:
        return np.zeros(0, dtype=np.intp), np.zeros(0, dtype=np.intp)
    low, mid, high = values[:-2], values[1:-1], values[2:]
    inside = (smooth[:-2] == smooth[2:])[:, None]
    begins = np.concatenate([[True], smooth[1:-2] != smooth[:-3]])[:, None]
    ends = np.concatenate([smooth[2:-1] != smooth[3:], [True]])[:, None]
    top = (mid >= low) & (mid >= high) & ((mid > low) | (mid > high))
    row, column = np.nonzero(inside & (top | (begins & (low > mid)) | (ends & (high > mid))))
    return row + 1, column


def worth_climbing(t: Floats, f: Floats, best: Floats, least: Floats | float) -> NDArray[np.bool_]:
    """Which brackets of places t and values f (k, 3) may hold more than the ``best`` known, by ``least`` of it."""
    return _worth(f, _vertex(t, f)[1], best, least)


def climbed(
    t: Floats,
    f: Floats,
    best: Floats,
    look: Callable[[NDArray[np.intp], Floats], Floats],
    *,
    least: Floats,
    rounds: NDArray[np.intp],
) -> tuple[Floats, Floats]:
    """Places and values (k,) of the peaks in brackets of places t and values f (k, 3).

    ``look(which, at)`` are the values of brackets at places of theirs; it is asked for all that are worth it at once,
    at the vertex of the parabola through three points each, ``rounds`` (k,) times at most.
    """
    t, f = t.copy(), f.copy()
    at, gain = _vertex(t, f)
    active = np.flatnonzero(_worth(f, gain, best, least))
    for done in range(int(rounds.max(initial=0))):
        active = active[rounds[active] > done]
        if not len(active):
            break
        found = look(active, at[active])
        times, heights = np.column_stack([t[active], at[active]]), np.column_stack([f[active], found])
        order = np.argsort(times, axis=1)
        times, heights = np.take_along_axis(times, order, 1), np.take_along_axis(heights, order, 1)
        first = np.clip(heights.argmax(axis=1) - 1, 0, 1)[:, None] + np.arange(3)
        t[active], f[active] = np.take_along_axis(times, first, 1), np.take_along_axis(heights, first, 1)
        at[active], gain[active] = _vertex(t[active], f[active])
        active = active[_worth(f[active], gain[active], best[active], least[active])]
    top = f.argmax(axis=1)[:, None]
    return np.take_along_axis(t, top, 1)[:, 0], np.take_along_axis(f, top, 1)[:, 0]


def _vertex(t: Floats, f: Floats) -> tuple[Floats, Floats]:
    """Where to look next in brackets of three points (k, 3), and how much may be gained there over the highest.

    That is the vertex of the parabola through them. Far from it a cubic part hides a peak beside the middle: so no look
    is nearer to the middle than a tenth of the way to the next point, and what a cubic part may hide counts as gain.
    """
    rise = np.diff(f, axis=1) / np.diff(t, axis=1)
    bend = (rise[:, 1] - rise[:, 0]) / (t[:, 2] - t[:, 0])
    with np.errstate(all="ignore"):  # a straight line has no vertex
        at = 0.5 * (t[:, 0] + t[:, 1] - rise[:, 0] / bend)
        top = f[:, 0] + (at - t[:, 0]) * (rise[:, 0] + bend * (at - t[:, 1]))
    inside = (bend < 0.0) & (at > t[:, 0]) & (at < t[:, 2])
    gain = np.where(inside, top - f.max(axis=1), 0.0)
    drop = f[:, 1] - np.maximum(f[:, 0], f[:, 2])  # of a peak in the middle
    before, after = t[:, 1] - t[:, 0], t[:, 2] - t[:, 1]
    # Beside an end, two points that all but meet say which way it goes from there. Where it does not fall at once as it
    # does on the whole way to the third point, it may rise before it falls: that is looked at in the middle.
    lopsided = (before < LOPSIDED * after) | (after < LOPSIDED * before)
    from_start = after > before
    falls, on_the_whole = np.where(from_start[:, None], rise, -rise[:, ::-1]).T
    lopsided &= falls > 0.5 * on_the_whole
    hidden = np.where(lopsided, RISING * np.abs(f[:, 1] - np.where(from_start, f[:, 2], f[:, 0])), HIDDEN * drop)
    later = np.where(at == t[:, 1], f[:, 2] > f[:, 0], at > t[:, 1])
    nearest = t[:, 1] + NEAREST * np.where(later, t[:, 2] - t[:, 1], t[:, 0] - t[:, 1])
    at = np.where(drop > 0.0, np.where(later, np.maximum(at, nearest), np.minimum(at, nearest)), at)
    middle = t[:, 1] + 0.5 * np.where(from_start, after, -before)
    at = np.where(lopsided & (gain <= hidden), middle, at)
    return at, np.maximum(gain, hidden)


def _worth(f: Floats, gain: Floats, best: Floats, least: Floats | float) -> NDArray[np.bool_]:
    """Which brackets may hold more than is known, and enough of it."""
    return np.asarray((gain > least * best) & (f.max(axis=1) + 2.0 * gain >= best))
