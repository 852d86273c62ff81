"""References too long to be code: pieces that are handed to a running simulation one after the other."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from torsor.control.reference import Piecewise, State
from torsor.model.transforms import Floats

ROUNDING = 1e-9  # of a step: times are multiples of steps to some ulps of their number
PIECE, BEGIN = "reference_piece", "reference_begin"


@dataclass(frozen=True, eq=False)
class Streamed(Piecewise):
    """q(t) by polynomials of degree five between samples at multiples of the simulation's steps.

    On floats it is the motion itself. Traced, it is one polynomial whose coefficients are parameters of the simulation:
    ``schedule`` says from when on they hold, so that the code does not grow with the length of the motion.
    """

    remarks: tuple[str, ...] = ()  # on where it comes from

    def at(self, t: Any) -> State:
        if not hasattr(t, "op"):
            return super().at(t)
        coefficients, begin = self._parameters
        s = t - begin
        q, qd, qdd = coefficients[-1], 0.0, 0.0
        for c in coefficients[-2::-1]:
            qdd = qdd * s + 2.0 * qd
            qd = qd * s + q
            q = q * s + c
        return q, qd, qdd

    @cached_property
    def _parameters(self) -> tuple[Any, Any]:
        from torsor.simulation import parameter

        return parameter(PIECE, (6, self.n)), parameter(BEGIN)

    @property
    def schedule(self) -> dict[str, tuple[Floats, Floats]]:
        """Times (k,) and values from then on, by the names of the parameters; after the last piece it rests."""
        rest = np.zeros((1, *self.coefficients.shape[1:]))
        rest[0, 0] = self.at(self.duration)[0]
        pieces = np.concatenate([self.coefficients, rest])
        return {PIECE: (self.breaks, pieces), BEGIN: (self.breaks, self.breaks)}


def whole_steps(time: float, step: float) -> int:
    """How many steps it takes to get to a time, which may be beyond a step by a rounding error."""
    return int(np.ceil(time / step - ROUNDING))


def streamed(time: Floats, q: Floats, qd: Floats, qdd: Floats, remarks: Iterable[str] = ()) -> Streamed:
    """Through samples (k, n) with their rates, met at both ends of every piece.

    >>> motion = streamed(np.array([0.0, 1.0]), np.array([[0.0], [1.0]]), np.zeros((2, 1)), np.zeros((2, 1)))
    >>> motion.at(0.5)[0]
    array([0.5])
    """
    h = np.diff(time)[:, None]
    p0, p1, v0, v1, a0, a1 = q[:-1], q[1:], qd[:-1] * h, qd[1:] * h, qdd[:-1] * h**2, qdd[1:] * h**2
    d = p1 - p0
    c = [
        p0,
        v0,
        0.5 * a0,
        10.0 * d - 6.0 * v0 - 4.0 * v1 - 1.5 * a0 + 0.5 * a1,
        -15.0 * d + 8.0 * v0 + 7.0 * v1 + 1.5 * a0 - a1,
        6.0 * d - 3.0 * (v0 + v1) - 0.5 * (a0 - a1),
    ]
    return Streamed(time, np.stack([each / h**k for k, each in enumerate(c)], axis=1), tuple(remarks))
