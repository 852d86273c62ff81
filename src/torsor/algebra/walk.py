"""Walking a graph, without recursion: graphs are deep."""

from __future__ import annotations

import gc
from collections.abc import Callable, Container, Hashable, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from torsor.algebra.node import Node

T = TypeVar("T", bound=Hashable)


@contextmanager
def collector_paused() -> Iterator[None]:
    """Graphs have no cycles; the collector of cycles would only walk through them again and again."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def postorder(roots: Iterable[T], below: Callable[[T], Iterable[T]], known: Container[T] = ()) -> list[T]:
    """All that the roots lead to, each after what is ``below`` it, the last of which comes first; without the known."""
    done: set[T] = set()
    order: list[T] = []
    for root in roots:
        stack = [root]
        while stack:
            top = stack[-1]
            if top in done or top in known:
                stack.pop()
                continue
            waiting = [each for each in below(top) if each not in done and each not in known]
            if waiting:
                stack += waiting
            else:
                done.add(top)
                order.append(top)
                stack.pop()
    return order


def topological(roots: Iterable[Node], known: Container[Node] = ()) -> list[Node]:
    """All nodes the roots depend on, each after its arguments; those ``known`` are left out with what is below them.

    >>> from torsor.algebra import symbol
    >>> x = symbol("x")
    >>> topological([x * x + 1])
    [1, x, x * x, 1 + x * x]
    """
    return postorder(roots, lambda node: node.args[::-1], known)


def reachable(roots: Iterable[Node]) -> set[Node]:
    """All nodes the roots depend on, in no order, where that is enough."""
    seen = set(roots)
    stack = list(seen)
    while stack:
        for arg in stack.pop().args:
            if arg not in seen:
                seen.add(arg)
                stack.append(arg)
    return seen
