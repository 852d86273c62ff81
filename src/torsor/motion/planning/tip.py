"""The tool in use along paths of joints: how fast it goes and turns, and where it leaves the neighbourhood of a point.

With the twist V = J q' of the arm's own tool and V' = J q'' + b1(q, q'), a tool at r on it has v = V + w x r.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from math import inf
from typing import NamedTuple

import numpy as np

from torsor.model.transforms import Floats, inverse, sizes_of
from torsor.motion.commands import Pace
from torsor.motion.curves import Along, JointPath
from torsor.motion.narrowing import first_beyond, highest, tops
from torsor.motion.paths.blends import carried
from torsor.motion.paths.chain import Chain
from torsor.motion.paths.many_paths import Which
from torsor.motion.paths.rotations import cross
from torsor.motion.paths.tool_paths import ToolPath

_TRAVEL = 0.1  # rad or m of all joints together between samples: a peak between them is higher by 0.2 % at most
_FEWEST, _MOST = 16, 4096  # intervals between samples
_EXACT = 1e-12  # of a peak: what it may still be short of
_POINTS = 17  # with which peaks and crossings are looked at closer
_CROSSINGS = 9  # a distance is met to 16^-9 of the leg
MARGIN = 1e-9  # share by which limits of the tool are held more tightly, for what is lost in the last digits
_NO_OFFSET = np.eye(4)
AskedAt = Callable[[Which, Floats], Along]  # which of some paths, at parameters of their own


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

    def own(self, tool: ToolPath) -> ToolPath:
        """A path of the tool in use as one of the arm's own tool."""
        return tool if np.array_equal(self.offset, _NO_OFFSET) else carried(tool, inverse(self.offset))

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

    def peaks(self, paths: AskedAt, first: Floats, last: Floats, above: Floats | None = None) -> list[Peaks]:
        """Over parts of paths, from parameters (m,) to others, enclosed by samples, then met to the last digits.

        What is not ``above`` some values (m, 3) may be less than the peak, and is then told as less than these, too.
        """
        peaks = np.zeros((len(first), 3))
        best = peaks if above is None else above
        for rows, x in _close_by(paths, first, last):
            peaks[rows] = self._peaks(paths, rows, x, best[rows])
        return [Peaks(*each) for each in peaks.tolist()]

    def peaks_of(self, path: JointPath) -> Peaks:
        """Over all of a path."""
        return self.peaks(lambda _, s: path.at(s), np.zeros(1), np.array([path.length]))[0]

    def _peaks(self, paths: AskedAt, rows: Which, x: Floats, best: Floats) -> Floats:
        """(m, 3): of paths ``rows`` (m,) from samples x (k, m) on."""
        start, step = x[0], x[-1] - x[0]

        def sizes(which: Which, s: Floats) -> Floats:
            return np.stack([sizes_of(each) for each in self.rates(paths(rows[which], s))], axis=-1)

        def of_columns(u: Floats, column: Which) -> Floats:
            which = column // 3
            return np.asarray(sizes(which, start[which] + step[which] * u)[np.arange(len(u)), column % 3])

        u = np.linspace(0.0, 1.0, len(x))
        values = sizes(np.tile(np.arange(len(rows)), len(x)), x.ravel()).reshape(len(x), -1)
        found, _ = highest(of_columns, u, values, best=best.ravel(), least=_EXACT, points=_POINTS)
        return found.reshape(-1, 3)

    def leaves(self, paths: AskedAt, start: Floats, end: Floats, radius: Floats) -> Floats:
        """(m,): where on parts of paths the tool is ``radius`` away from where it began; NaN where it never is."""
        left = np.full(len(start), np.nan)
        centre = self.positions(paths(np.arange(len(start)), start).q)
        for rows, x in _close_by(paths, start, end):

            def beyond(s: Floats, rows: Which = rows) -> Floats:
                return self._distance(paths, rows, centre, s) - radius[rows]

            left[rows] = first_beyond(beyond, x, zooms=_CROSSINGS, points=_POINTS)
        return left

    def furthest(self, paths: AskedAt, first: Floats, last: Floats, centre: Floats) -> Floats:
        """(m,): the greatest distances of the tool from points (m, 3) along parts of paths."""
        found = np.zeros(len(first))
        for rows, x in _close_by(paths, first, last):
            found[rows] = tops(partial(self._distance, paths, rows, centre), x, zooms=2, points=_POINTS)
        return found

    def _distance(self, paths: AskedAt, rows: Which, centre: Floats, s: Floats) -> Floats:
        """(k, m): from points ``centre[rows]`` at parameters s (k, m) of paths ``rows`` (m,)."""
        which = np.tile(rows, len(s))
        return sizes_of(self.positions(paths(which, s.ravel()).q) - centre[which]).reshape(s.shape)


def _close_by(paths: AskedAt, first: Floats, last: Floats) -> Iterator[tuple[Which, Floats]]:
    """Samples (k, m) from parameters to others between which no peak of the tool's motion is lost.

    Each time of those paths (m,) that are sampled alike.
    """
    s = np.linspace(first, last, _FEWEST + 1)
    dq = paths(np.tile(np.arange(len(first)), len(s)), s.ravel()).dq
    travel = np.abs(dq).sum(axis=1).reshape(s.shape).max(axis=0) * np.abs(last - first)
    counts = 1 + np.clip(np.ceil(travel / _TRAVEL), _FEWEST, _MOST).astype(np.intp)
    for count in np.unique(counts).tolist():
        rows = np.flatnonzero(counts == count)
        yield rows, np.linspace(first[rows], last[rows], count)
