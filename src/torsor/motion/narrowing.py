"""Where a function of one number changes or is greatest: enclosed first, then narrowed down."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from torsor.model.transforms import Floats

# Of one side of a bracket: how short the other is beside an end; of the fall over the longer one, what may rise there.
LOPSIDED, RISING = 0.02, 0.3
NEAREST, HIDDEN = 0.1, 0.005  # of the way to the next point; of the drop to it, what a cubic part may hide
ZOOMS, CLIMBS = 2, 20  # of the highest: how often it is looked at with many points, and then with one, at most
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


def peak(f: AtPlaces, x: Floats, *, zooms: int, points: int) -> tuple[float, float]:
    """The greatest value of f and its place, from samples x (k,) on, looked at ever closer around the greatest.

    >>> value, place = peak(lambda x: np.sin(3.0 * x), np.linspace(0.0, 1.0, 6), zooms=6, points=16)
    >>> round(value, 9), round(place, 6)
    (1.0, 0.523599)
    """
    values = f(x)
    at = int(np.argmax(values))
    best = float(values[at]), float(x[at])
    for _ in range(zooms):
        x = np.linspace(x[max(at - 1, 0)], x[min(at + 1, len(x) - 1)], points)
        values = f(x)
        at = int(np.argmax(values))
        if values[at] > best[0]:
            best = float(values[at]), float(x[at])
    return best


def highest(
    f: OfColumns, x: Floats, values: Floats, *, best: Floats, least: float, points: int
) -> tuple[Floats, Floats]:
    """The greatest of each column of f and its place, from ``values`` (k, columns) of f at samples x (k,) on.

    ``f(places, column)`` are values (m,) of columns, one at each place. Where a column may be higher between samples
    than at any, and than ``best`` (columns,), by ``least`` of it, it is looked at closer and `climbed`; all such places
    at once. Looked at with ``points`` first: beside a steep slope three samples are far from a parabola.

    >>> x = np.linspace(0.0, 1.0, 9)
    >>> waves = lambda x, column: np.where(column == 0, np.sin(3.0 * x), np.cos(x))
    >>> at_first = np.stack([waves(x, column) for column in (0, 1)], axis=-1)
    >>> value, place = highest(waves, x, at_first, best=np.zeros(2), least=1e-12, points=9)
    >>> value.round(9), place.round(4)
    (array([1., 1.]), array([0.5236, 0.    ]))
    """
    row = values.argmax(axis=0)
    top, place = values[row, np.arange(values.shape[1])], x[row]
    middle, column = brackets(values, np.zeros(len(x), dtype=np.intp))
    around, enough = middle[:, None] + [-1, 0, 1], np.maximum(top, best)[column]
    t, heights = x[around], values[around, column[:, None]]
    for _ in range(ZOOMS):
        near = worth_climbing(t, heights, enough, least)
        t, heights, column, enough = t[near], heights[near], column[near], enough[near]
        if not len(column):
            return top, place
        places = t[:, :1] + (t[:, 2:] - t[:, :1]) * np.linspace(0.0, 1.0, points)
        found = f(places.ravel(), np.repeat(column, points)).reshape(places.shape)
        around = np.clip(found.argmax(axis=1), 1, points - 2)[:, None] + [-1, 0, 1]
        t, heights = np.take_along_axis(places, around, 1), np.take_along_axis(found, around, 1)
    at, peaks = climbed(
        t, heights, enough, lambda which, at: f(at, column[which]),
        least=np.full(len(column), least), rounds=np.full(len(column), CLIMBS),
    )  # fmt: skip
    rising = np.lexsort([-np.arange(len(peaks)), peaks])  # of a column, the greatest is written last
    better = rising[peaks[rising] > top[column[rising]]]
    top[column[better]], place[column[better]] = peaks[better], at[better]
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
    gain = np.where(inside, top - _highest(f), 0.0)
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
    return np.asarray((gain > least * best) & (_highest(f) + 2.0 * gain >= best))


def _highest(f: Floats) -> Floats:
    """Of three values each (k, 3); in whole columns, as rows are short."""
    return np.asarray(np.maximum(np.maximum(f[:, 0], f[:, 1]), f[:, 2]))
