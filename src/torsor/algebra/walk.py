"""Walking a graph, without recursion: graphs are deep."""

from __future__ import annotations

import gc
from collections.abc import Container, Iterable, Iterator
from contextlib import contextmanager

from torsor.algebra.node import Node


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


def topological(roots: Iterable[Node], known: Container[Node] = ()) -> list[Node]:
    """All nodes the roots depend on, each after its arguments; those ``known`` are left out with what is below them.

    >>> from torsor.algebra import symbol
    >>> x = symbol("x")
    >>> topological([x * x + 1])
    [1, x, x * x, 1 + x * x]
    """
    done: set[Node] = set()
    order: list[Node] = []
    for root in roots:
        stack = [root]
        while stack:
            node = stack[-1]
            if node in done or node in known:
                stack.pop()
                continue
            top = len(stack)
            stack += [arg for arg in reversed(node.args) if arg not in done and arg not in known]
            if len(stack) == top:
                done.add(node)
                order.append(node)
                stack.pop()
    return order


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
