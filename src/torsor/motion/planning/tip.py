"""The tool in use along a path of joints: how fast it goes and turns, and where it leaves the neighbourhood of a point.

With the twist V = J q' of the arm's own tool and V' = J q'' + b1(q, q'), a tool at r on it has v = V + w x r.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from math import inf
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from torsor.model.transforms import Floats
from torsor.motion.commands import Pace
from torsor.motion.curves import Along, JointPath
from torsor.motion.narrowing import first_beyond, highest, peak
from torsor.motion.paths.chain import Chain
from torsor.motion.paths.rotations import cross

_TRAVEL = 0.1  # rad or m of all joints together between samples: a peak between them is higher by 0.2 % at most
_FEWEST, _MOST = 16, 4096  # intervals between samples
_EXACT = 1e-12  # of a peak: what it may still be short of
_ZOOMS, _POINTS = 6, 17  # by then samples are 8^-6 as far apart, and a peak is met to the last digits
_CROSSINGS = 9  # a distance is met to 16^-9 of the leg
MARGIN = 1e-9  # share by which limits of the tool are held more tightly, for what is lost in the last digits


class Peaks(NamedTuple):
    """The greatest of a tool along a path, by the path's parameter: speed, turning, and bend |v'|."""

    speed: float
    turn: float
    bend: float

    @staticmethod
    def allowed(pace: Pace, rate: float) -> Peaks:
        """Up to which a path may be run through at a rate of its parameter."""
        limits = (pace.speed, rate), (pace.turn, rate), (pace.acceleration, rate * rate)
        return Peaks(*(inf if most is None else (1.0 - MARGIN) * most / by for most, by in limits))

    def rate(self, pace: Pace) -> float:
        """The greatest rate of the parameter at which the tool keeps the speeds of a pace."""
        pairs = ((pace.speed, self.speed), (pace.turn, self.turn))
        rates = [(1.0 - MARGIN) * asked / most for asked, most in pairs if asked is not None and most > 0.0]
        return min(rates, default=inf)


@dataclass(frozen=True, eq=False)
class Tip:
    chain: Chain
    offset: Floats  # T_own_tool

    def positions(self, q: Floats) -> Floats:
        """(k, 3) for q (k, n)."""
        return np.asarray((self.chain.where(q)[0] @ self.offset)[:, :3, 3])

    def rates(self, along: Along) -> tuple[Floats, Floats, Floats]:
        """v, w and v' (k, 3) by the path's parameter."""
        T, J = self.chain.where(along.q)
        first = (J @ along.dq[..., None])[..., 0]
        second = (J @ along.ddq[..., None])[..., 0] + self.chain.drift(along.q, along.dq)
        (v, w), (dv, dw) = ((each[:, :3], each[:, 3:]) for each in (first, second))
        r = T[:, :3, :3] @ self.offset[:3, 3]
        swung = cross(w, r)
        return v + swung, w, dv + cross(dw, r) + cross(w, swung)

    def peaks(self, path: JointPath, first: float, last: float, above: Peaks | None = None) -> Peaks:
        """Over a part of a path: enclosed by samples, then found on the exact model to the last digits.

        What is not ``above`` some values may be less than the peak, and is then told as less than these, too.
        """
        s = _close_by(path, first, last)

        def sizes(at: Floats) -> Floats:
            return np.stack([np.linalg.norm(each, axis=-1) for each in self.rates(path.at(at))], axis=-1)

        def of_columns(at: Floats, column: NDArray[np.intp]) -> Floats:
            return np.asarray(sizes(at)[np.arange(len(at)), column])

        best = np.zeros(3) if above is None else np.array(above)
        found, _ = highest(of_columns, s, sizes(s), best=best, least=_EXACT, zooms=_ZOOMS, points=_POINTS)
        return Peaks(*found.tolist())

    def leaves(self, path: JointPath, start: float, end: float, radius: float) -> float | None:
        """Where on the way from one parameter to another the tool is ``radius`` away from where it began, if it is."""
        centre = self.positions(path.at(np.array([start])).q)[0]

        def beyond(s: Floats) -> Floats:
            return self._distance(path, centre, s) - radius

        return first_beyond(beyond, _close_by(path, start, end), zooms=_CROSSINGS, points=_POINTS)

    def furthest(self, path: JointPath, centre: Floats) -> float:
        """The greatest distance of the tool from a point (3,) along a path."""
        distance = partial(self._distance, path, centre)
        return peak(distance, _close_by(path, 0.0, path.length), zooms=2, points=_POINTS)[0]

    def _distance(self, path: JointPath, centre: Floats, s: Floats) -> Floats:
        return np.asarray(np.linalg.norm(self.positions(path.at(s).q) - centre, axis=-1))


def _close_by(path: JointPath, first: float, last: float) -> Floats:
    """Samples from one parameter to another between which no peak of the tool's motion is lost."""
    travel = np.abs(path.at(np.linspace(first, last, _FEWEST + 1)).dq).sum(axis=1).max() * abs(last - first)
    return np.linspace(first, last, 1 + int(np.clip(np.ceil(travel / _TRAVEL), _FEWEST, _MOST)))
