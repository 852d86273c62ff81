"""Several ways to the same values, and which of them costs less.

What pages count is operations as they are traced. Simplification takes more off one way than off another, so that a way
that looks dearer must be left alone by a margin, or tried: whoever waits for the fewest operations lets all ways be
simplified before they are counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

Alternative = TypeVar("Alternative")
_simplifying: ContextVar[bool] = ContextVar("simplifying", default=False)


@contextmanager
def simplified_before_counting() -> Iterator[None]:
    """Ways are simplified before they are counted, for as long as this lasts."""
    before = _simplifying.set(True)
    try:
        yield
    finally:
        _simplifying.reset(before)


def cheapest(
    ways: Iterable[Alternative], values: Callable[[Alternative], Any] = lambda way: way, *, margin: float = 0.0
) -> Alternative:
    """The first of those that cost least. Where all are counted as traced, another than the first must save more than
    a share ``margin`` of it."""
    from torsor.algebra import count, simplify

    simplifying = _simplifying.get()

    def cost(way: Alternative) -> int:
        found = values(way)
        return count(simplify(found) if simplifying else found).total

    best, *others = ways
    least: float | None = None
    for way in others:
        if least is None:
            least = cost(best) if simplifying else (1.0 - margin) * cost(best)
        if (found := cost(way)) < least:
            best, least = way, found
    return best
