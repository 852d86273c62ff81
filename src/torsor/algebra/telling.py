"""What values are called: pages tell the vectors of their papers while they are traced, whoever prints them listens.

Here pages speak; ``recognising.py`` finds what of it is left on a tape.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from torsor.algebra.node import Node


class Told(NamedTuple):
    """A scalar with a name: ``letter`` as in ``b`` or ``n'``, whose it is (links, from 1), which component of it."""

    node: Node
    letter: str
    whose: tuple[int, ...]
    component: str  # "x", "12", "" of scalars


class GivenVector(NamedTuple):
    """A vector of numbers and parameters that a paper tabulates."""

    letter: str
    whose: tuple[int, ...]
    vector: Any


class ToldNames(list[Told]):
    """What was told, and what was ``given`` to begin with."""

    def __init__(self) -> None:
        super().__init__()
        self.given: list[GivenVector] = []


_listener: ContextVar[ToldNames | None] = ContextVar("listener", default=None)


@contextmanager
def listening() -> Iterator[ToldNames]:
    """What is told meanwhile.

    >>> from torsor.algebra import symbols
    >>> with listening() as heard:
    ...     told("w", (2,), 2 * symbols("x", 3))
    >>> [(each.node, each.letter, each.whose, each.component) for each in heard][:2]
    [(2 * x[0], 'w', (2,), 'x'), (2 * x[1], 'w', (2,), 'y')]
    """
    heard = ToldNames()
    token = _listener.set(heard)
    try:
        yield heard
    finally:
        _listener.reset(token)


def is_heard() -> bool:
    """Whether somebody listens: what is only told need not be made otherwise."""
    return _listener.get() is not None


def told(letter: str, index: tuple[int, ...], value: Any) -> None:
    """A scalar, a vector or a matrix of a page has this name. Costs nothing where nobody listens."""
    heard = _listener.get()
    if heard is None:
        return
    from torsor.algebra.node import Node  # whoever only computes needs no graphs

    block = np.asarray(value, dtype=object)
    for place in np.ndindex(*block.shape):
        node = block[place]
        if isinstance(node, Node) and node.args:
            component = "xyz"[place[0]] if block.shape == (3,) else "".join(str(k + 1) for k in place)
            heard.append(Told(node, letter, index, component))


def retold(change: Callable[[Any], Any]) -> None:
    """What was told is changed as the values are: an array of nodes goes in, one of the same shape comes out."""
    heard = _listener.get()
    if heard:
        nodes = change(np.array([each.node for each in heard], dtype=object))
        heard[:] = [each._replace(node=node) for each, node in zip(heard, nodes, strict=True)]


def given(letter: str, index: tuple[int, ...], vector: Any) -> None:
    """A vector that stands in a table before the equations."""
    heard = _listener.get()
    if heard is not None:
        heard.given.append(GivenVector(letter, index, vector))
