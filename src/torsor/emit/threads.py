"""Large batches on several cores: rows cut into chunks, each chunk one gufunc call, which holds no Python lock."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from torsor.algebra.tape import Array

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

WORTHWHILE = 8_000_000  # rows times steps, some 0.3 ms: below it waking threads (0.1 ms) costs more than it saves


def cores() -> int:
    """Cores that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on this system
        return os.cpu_count() or 1


def rows_of(arrays: Sequence[Any], specs: Sequence[Array]) -> int:
    """Rows of the batch, judged by the largest argument; cheap, and right enough to decide on threads."""
    most = 1
    for a, spec in zip(arrays, specs, strict=False):
        if isinstance(a, np.ndarray) and spec.size:
            most = max(most, a.size // spec.size)
    return most


def run(
    function: Callable[..., Any],
    arrays: list[np.ndarray[Any, Any]],
    outs: list[np.ndarray[Any, Any]],
    inputs: Sequence[Array],
    outputs: Sequence[Array],
    batch: tuple[int, ...],
    threads: int,
) -> None:
    """Call ``function(*arrays, out=outs)`` in chunks along the longest batch dimension."""
    axis = max(range(len(batch)), key=lambda d: batch[d])
    from_end = len(batch) - axis
    length = batch[axis]
    count = min(threads, length)
    edges = [length * k // count for k in range(count + 1)]

    def part(a: np.ndarray[Any, Any], core: int, begin: int, end: int) -> np.ndarray[Any, Any]:
        d = a.ndim - core - from_end
        if d < 0 or a.shape[d] == 1:
            return a
        return a[(slice(None),) * d + (slice(begin, end),)]

    def chunk(begin: int, end: int) -> None:
        given = [part(a, len(s.shape), begin, end) for a, s in zip(arrays, inputs, strict=True)]
        results = tuple(part(o, len(s.shape), begin, end) for o, s in zip(outs, outputs, strict=True))
        function(*given, out=results)

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
