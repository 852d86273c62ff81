"""What a path and a trajectory are to each other, to timing and to whoever samples them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from torsor.model.transforms import Floats

STILL = 1e-10  # of the fastest: slower than this is rounding, which leaves 1e-16 times the condition of a Jacobian


def without_rounding(rates: Floats) -> Floats:
    """Rates (..., n) without those that are nothing but rounding: what stands still does so exactly.

    Friction has the sign of a rate. So it matters whether a rate is 0 or 1e-17, and a last bit must not decide it.

    >>> without_rounding(np.array([1.0, -3e-17]))
    array([1., 0.])
    """
    size = np.abs(rates)
    return np.where(size <= STILL * size.max(axis=-1, keepdims=True, initial=0.0), 0.0, rates)


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


class JointPath(Protocol):
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


def between(times: Floats, duration: float) -> Floats:
    """Times from 0 to a duration, both included, each once and in rising order: those of the given ones that are."""
    return np.unique(np.concatenate([[0.0, duration], times[(times > 0.0) & (times < duration)]]))


class Trajectory(Protocol):
    """Joints as a function of time, from 0 to ``duration``."""

    @property
    def duration(self) -> float: ...

    def at(self, t: Floats) -> Motion: ...


class Switching(Trajectory, Protocol):
    """A trajectory that says at which times, in rising order, 0 and ``duration`` included, it goes over into another
    formula: between two of them all derivatives of q are continuous, at one of them some may jump."""

    @property
    def switches(self) -> Floats: ...
