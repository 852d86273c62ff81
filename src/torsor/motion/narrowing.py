"""Where a function of one number changes or is greatest: enclosed first, then narrowed down."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from torsor.model.transforms import Floats

AtPlaces = Callable[[Floats], Floats]  # values (k,) at places (k,)


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


def first_beyond(f: AtPlaces, x: Floats, *, zooms: int, points: int) -> float | None:
    """The first place along x (k,), rising or falling, beyond which f > 0: the last one before. None if it never is.

    >>> round(first_beyond(lambda x: x * x - 2.0, np.linspace(0.0, 3.0, 6), zooms=9, points=17), 9)
    1.414213562
    """
    over = np.flatnonzero(f(x) > 0.0)
    if not len(over):
        return None
    for _ in range(zooms):
        x = np.linspace(x[max(over[0] - 1, 0)], x[over[0]], points)
        over = np.append(np.flatnonzero(f(x) > 0.0), points - 1)
    return float(x[max(over[0] - 1, 0)])


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
