"""Large batches on several cores: rows cut into chunks, each chunk one gufunc call, which holds no Python lock."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from torsor.algebra.tape import Array, Tape

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

Arrays = Sequence[np.ndarray[Any, Any]]
WORTHWHILE = 8_000_000  # rows times steps, some 0.3 ms: below it waking threads (0.1 ms) costs more than it saves


def rows_for_one(steps: int) -> int:
    """The most rows of so many steps that one thread is best for."""
    return WORTHWHILE // max(1, steps)


def cores() -> int:
    """Cores that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on this system
        return os.cpu_count() or 1


def usable() -> int:
    """Cores that a call may use where nothing is said: one where somebody has spread his work over all of them."""
    return 1 if getattr(_here, "one", False) else cores()


@contextmanager
def one_core() -> Iterator[None]:
    """Within it calls of this thread keep to one core, where they are not told otherwise."""
    before = getattr(_here, "one", False)
    _here.one = True
    try:
        yield
    finally:
        _here.one = before


_here = threading.local()


def rows_of(arrays: Sequence[Any], specs: Sequence[Array]) -> int:
    """Rows of the batch, judged by the largest argument; cheap, and right enough to decide on threads."""
    pairs = zip(arrays, specs, strict=False)
    return max((a.size // s.size for a, s in pairs if isinstance(a, np.ndarray) and s.size), default=1)


def run(
    function: Callable[..., Any], arrays: Arrays, outs: Arrays, tape: Tape, batch: tuple[int, ...], most: int
) -> None:
    """Call ``function(*arrays, out=outs)`` in chunks along the longest batch dimension."""
    axis = max(range(len(batch)), key=lambda d: batch[d])
    length = batch[axis]
    count = min(most, length)
    edges = [length * k // count for k in range(count + 1)]

    def part(a: np.ndarray[Any, Any], spec: Array, rows: slice) -> np.ndarray[Any, Any]:
        d = a.ndim - len(spec.shape) - len(batch) + axis
        return a if d < 0 or a.shape[d] == 1 else a[(slice(None),) * d + (rows,)]

    def chunk(begin: int, end: int) -> None:
        rows = slice(begin, end)
        given = [part(a, s, rows) for a, s in zip(arrays, tape.inputs, strict=True)]
        function(*given, out=tuple(part(o, s, rows) for o, s in zip(outs, tape.outputs, strict=True)))

    waiting = [_pool().submit(chunk, a, b) for a, b in pairwise(edges[1:])]
    chunk(edges[0], edges[1])  # the calling thread works too
    for future in waiting:
        future.result()


def _pool() -> ThreadPoolExecutor:
    if _pools.get(os.getpid()) is None:  # a forked child has none of its parent's threads
        from concurrent.futures import ThreadPoolExecutor  # slow to import, and most processes never come here

        _pools.clear()
        _pools[os.getpid()] = ThreadPoolExecutor(max_workers=max(1, cores() - 1), thread_name_prefix="torsor")
    return _pools[os.getpid()]


_pools: dict[int, ThreadPoolExecutor] = {}
