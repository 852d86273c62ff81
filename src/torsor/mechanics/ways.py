"""Several ways to the same values, and which of them costs less.

What pages count is operations as they are traced. Simplification takes more off one way than off another, so that a way
that looks dearer must be left alone by a margin, or tried: whoever waits for the fewest operations lets all ways be
simplified before they are counted. For them there are more ways, too: such as pay with sines and cosines for sums and
products, which runs no faster on every processor.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Literal, TypeVar

Alternative = TypeVar("Alternative")
Trying = Literal["usual", "all", "simplified"]
_trying: ContextVar[Trying] = ContextVar("trying", default="usual")
A_SINE = 10  # operations that it is worth, as `Count.work` has it


@contextmanager
def all_ways_tried(*, simplified: bool = False) -> Iterator[None]:
    """More ways are tried than usual, for as long as this lasts; all of them ``simplified`` before they are counted."""
    before = _trying.set("simplified" if simplified else "all")
    try:
        yield
    finally:
        _trying.reset(before)


def are_all_tried() -> bool:
    return _trying.get() != "usual"


def cheapest(
    ways: Iterable[Alternative], values: Callable[[Alternative], Any] = lambda way: way, *, margin: float = 0.0
) -> Alternative:
    """The first of those that cost least. Where all are counted as traced, another than the first must save more than
    a share ``margin`` of it."""
    from torsor.algebra import count, simplify

    trying = _trying.get()

    def cost(way: Alternative) -> int:
        found = values(way)
        counted = count(simplify(found) if trying == "simplified" else found)
        return counted.total + (A_SINE * counted.trig if trying != "usual" else 0)

    best, *others = ways
    least: float | None = None
    for way in others:
        if least is None:
            least = cost(best) if trying == "simplified" else (1.0 - margin) * cost(best)
        if (found := cost(way)) < least:
            best, least = way, found
    return best
