"""What a path and a trajectory are to each other, to timing and to whoever samples them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from torsor.model.transforms import Floats


class Along(NamedTuple):
    """A joint path at parameters s: q and its exact derivatives by s, each (len(s), n)."""

    q: Floats
    dq: Floats
    ddq: Floats
    dddq: Floats


def chain_rule(by_s: Sequence[Floats], rates: Sequence[Floats]) -> tuple[Floats, Floats, Floats]:
    """The first three derivatives of f(s(u)) by u, from those of f by s, each (k, m), and of s by u, each (k,)."""
    first, second, third = by_s
    v, a, j = (rate[:, None] for rate in rates)
    return first * v, second * v**2 + first * a, third * v**3 + 3.0 * second * v * a + first * j


def piecewise(which: NDArray[np.intp], x: Floats, piece: Callable[[int, Floats], Sequence[Floats]]) -> Sequence[Floats]:
    """Columns (k, n) of a function of pieces at x (k,), ``which`` of them at each."""
    if len(x) and (which == which[0]).all():
        return piece(int(which[0]), x)
    columns: list[Floats] = []
    for k in np.unique(which):
        chosen = which == k
        found = piece(int(k), x[chosen])
        columns = columns or [np.empty((len(x), each.shape[1])) for each in found]
        for column, each in zip(columns, found, strict=True):
            column[chosen] = each
    return columns


class Path(Protocol):
    """A smooth path in joints. ``length`` is the range of its parameter, from 0; its unit is the path's own."""

    @property
    def length(self) -> float: ...

    def at(self, s: Floats) -> Along: ...


class Motion(NamedTuple):
    """A trajectory at times t: positions and their exact derivatives by time, each (len(t), n)."""

    q: Floats
    qd: Floats
    qdd: Floats
    qddd: Floats


class Trajectory(Protocol):
    """Joints as a function of time, from 0 to ``duration``."""

    @property
    def duration(self) -> float: ...

    def at(self, t: Floats) -> Motion: ...
