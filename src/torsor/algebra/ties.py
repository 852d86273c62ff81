"""Which values of a graph are tied to others at all: by a sum, a difference, a product, or by a number.

Resubstitution asks every value for all its ties, one lookup for each of the others. Most values have none beside the
operation that they are computed by, and that is found for all of them together in a fraction of the time. What is found
here is more than what holds, never less: margins are wider, and only one point is looked at.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from torsor.algebra.guard import Floats
from torsor.algebra.netlist import Netlist, NetTerm
from torsor.algebra.node import Node

Flags = NDArray[np.bool_]
Indices = NDArray[np.intp]
BLOCK = 1 << 16  # pairs looked at together: they stay in the cache
ROOM = 1.1  # of a margin, for the rounding of what is compared


def tied(net: Netlist, usable: Flags, depends: Flags, *, looked: float, close: float, sound: float) -> Flags:
    """Whether a value may be computed from usable others that do not depend on it, other than it is by one operation.

    ``looked`` and ``close`` are of the error scale, as sums and products of two, and values at two points, are held
    against each other; ``sound`` is the least share of their scale that usable values have.
    """
    alive = np.nonzero(usable & (np.array(net.uses) > 0))[0]
    alive = alive[np.argsort(net.values[alive, 0], kind="stable")]
    found = np.zeros(len(net.defs), dtype=bool)
    if not len(alive):
        return found
    own = [_read_by_one(net.defs[k]) for k in alive]
    free = ~depends[np.ix_(alive, alive)]  # free[a, k]: a does not depend on k
    tie = np.zeros(len(alive), dtype=bool)
    place = {int(k): i for i, k in enumerate(alive)}
    reads = [tuple(sorted(place.get(leaf, -1) for leaf in leaves)) if leaves else () for leaves in own]

    def note(k: int, i: int, j: int) -> None:
        if not tie[k] and free[i, k] and free[j, k] and reads[k] != ((i, j) if i <= j else (j, i)):
            tie[k] = True

    values, scales = net.values[alive, 0], net.scales[alive, 0]
    for i, j, k in _sums(values, scales, looked * ROOM, sound):
        for one, first, second in ((k, i, j), (i, k, j), (j, k, i)):
            note(one, first, second)
    for i, j, k in _products(values, looked * ROOM * 3.0 / sound):
        note(k, i, j)
    tie |= _multiples(net.values[alive, :2], net.scales[alive, :2], free, reads, close * ROOM)
    found[alive] = tie
    return found


def _read_by_one(definition: NetTerm) -> tuple[int, ...]:
    """What a value reads that is computed by one cheap operation on values, or on one value and a number."""
    if not isinstance(definition, tuple) or definition[0] not in ("add", "sub", "mul"):
        return ()
    read = [part for part in definition[1:] if isinstance(part, int)]
    numbers = [part.value for part in definition[1:] if isinstance(part, Node) and part.op == "const"]
    return tuple(read) if len(read) + len(numbers) == 2 and not {1.0, -1.0, 0.0}.intersection(numbers) else ()


def _sums(values: Floats, scales: Floats, margin: float, sound: float) -> Iterator[tuple[int, int, int]]:
    """i, j and k with x_i + x_j = +-x_k, near enough for all three; values come sorted."""
    signed = _signed(values)
    for i, j in _pairs(len(values)):
        total = values[i] + values[j]
        yield from _hits(signed, total, margin * (scales[i] + scales[j] + np.abs(total) / sound), i, j)


def _products(values: Floats, margin: float) -> Iterator[tuple[int, int, int]]:
    """i, j and k with x_i x_j = +-x_k."""
    signed = _signed(values)
    for i, j in _pairs(len(values)):
        product = values[i] * values[j]
        yield from _hits(signed, product, margin * np.abs(product), i, j)


def _pairs(size: int) -> Iterator[tuple[Indices, Indices]]:
    """i <= j, in blocks; neighbours have j one after the other, which is what lookups are fastest for."""
    rows = max(1, BLOCK // size)
    for start in range(0, size, rows):
        i, j = np.triu_indices(min(rows, size - start), m=size - start)
        yield i + start, j + start


def _signed(values: Floats) -> tuple[Floats, Indices]:
    """Values of both signs, sorted, with an end; and the places that they come from."""
    both = np.concatenate([values, -values])
    order = np.argsort(both, kind="stable")
    return np.append(both[order], np.inf), order % len(values)


def _hits(
    signed: tuple[Floats, Indices], wanted: Floats, margin: Floats, i: Indices, j: Indices
) -> Iterator[tuple[int, int, int]]:
    """Pairs with the values that what is wanted of them is, up to sign."""
    table, number = signed
    entry, pair, top = np.searchsorted(table, wanted - margin), np.arange(len(wanted)), wanted + margin
    while len(pair := pair[inside := table[entry] <= top[pair]]):
        entry = entry[inside]
        yield from zip(i[pair].tolist(), j[pair].tolist(), number[entry].tolist(), strict=True)
        entry = entry + 1


def _multiples(values: Floats, scales: Floats, free: Flags, reads: list[tuple[int, ...]], close: float) -> Flags:
    """Whether a value is a number times another, or beside it: by two points."""
    (v0, v1), size = values.T, len(values)
    relative = close * (scales / np.abs(values)).sum(axis=1)
    change, error = v1 - v0, close * scales.sum(axis=1)
    found = np.zeros(size, dtype=bool)
    rows = max(1, BLOCK // size)
    for start in range(0, size, rows):
        k = np.arange(start, min(start + rows, size))
        at = k[:, None]
        times = np.abs(v1 * (v0[at] / v0) - v1[at]) <= (relative + relative[at]) * np.abs(v1[at])
        beside = np.minimum(np.abs(change[at] - change), np.abs(change[at] + change)) <= error + error[at]
        alike = (times | beside) & free.T[k]
        for row in np.nonzero(alike.any(axis=1))[0]:
            found[start + row] = any((int(a),) != reads[start + row] for a in np.nonzero(alike[row])[0])
    return found
