"""What a motion takes at its worst, between samples too: peaks are bracketed by samples and refined on the exact model.

A verdict rests on extremes, not on samples. Within a smooth stretch every column that is judged is bracketed where its
samples are highest; the vertex of the parabola through three of them is where the exact model is asked next, for all
brackets of a block at once, until nothing is to be gained.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from torsor.checking.checked_arm import Measure
from torsor.checking.integrals import over_time
from torsor.checking.sampling import SampleBlock
from torsor.model.transforms import Floats
from torsor.motion.narrowing import brackets, climbed, worth_climbing

TINY = 1e-6  # of a limit, W, N, N m, m/s: smaller peaks are no matter
CONTACT_GAIN, CONTACT_ROUNDS = 1e-3, 3  # the same of what two that touch are apart, 1e-3 being 0.1 mm
GAIN, ROUNDS = 2e-7, 12  # of a peak: what it may still be short of; how often the exact model is asked
ALIKE = 1.0 - 1e-9  # of a peak: the first sample that comes so near says when it is, so that no rounding does
ROUNDING = 1e-6  # relative: a limit that is met is kept; time-optimal timing meets limits to 1e-7


@dataclass(frozen=True, eq=False)
class JudgedBlock:
    """A block with all that is judged of it. Columns are those of the arm (`CheckedArm.columns`)."""

    block: SampleBlock
    values: Floats  # (samples, columns)
    refined: tuple[NDArray[np.intp], NDArray[np.intp], Floats, Floats]  # section, column, s of the piece, value
    friction: Floats  # (samples,) W

    @classmethod
    def of(cls, block: SampleBlock) -> JudgedBlock:
        with np.errstate(all="ignore"):  # what is no number is found in the peaks
            motion = block.q, block.qd, block.qdd
            values = np.hstack([_measured(block, where, measure) for where, measure in block.machine.measures])
            return cls(block, values, refined(block, values, block.machine.measures), block.machine.friction(*motion))

    @cached_property
    def _extremes(self) -> tuple[Floats, Floats]:
        sections, time = self.block.sections, self.block.time
        first = [section.rows.start for section in sections]
        peaks = np.maximum.reduceat(self.values, first)  # what is no number counts as the largest
        alike = np.where(self.values >= ALIKE * peaks[self.block.owner], time[:, None], np.inf)
        times = np.minimum.reduceat(alike, first)
        times = np.where(np.isinf(times), time[first, None], times)
        owner, column, local, value = self.refined
        higher = np.flatnonzero(ALIKE * value > peaks[owner, column])
        for order in higher[np.argsort(value[higher], kind="stable")].tolist():
            k, c = owner[order], column[order]
            if ALIKE * value[order] > peaks[k, c]:
                peaks[k, c], times[k, c] = value[order], sections[k].piece.start + local[order]
        return peaks, times

    @property
    def peaks(self) -> Floats:
        """(sections, columns) the most."""
        return self._extremes[0]

    @property
    def times(self) -> Floats:
        """(sections, columns) s, of the program: when."""
        return self._extremes[1]

    @cached_property
    def sums(self) -> Floats:
        """(sections, m + 3): integrals of torque squared, power, power without what is taken back, and friction."""
        machine = self.block.machine
        torque, power = (self.values[:, machine.columns[name]] for name in ("largest", "peak_power"))

        def used(q: Floats, qd: Floats, qdd: Floats) -> Floats:
            loads = machine.loads(q, qd, qdd)
            return _used(loads.torque, loads.power, machine.friction(q, qd, qdd))

        with np.errstate(all="ignore"):  # as for peaks
            return over_time(self.block, _used(torque, power, self.friction), used)

    @cached_property
    def troubled(self) -> Floats:
        """Times of the program at which a motor or a speed is beyond its limit: Algorithm 1 tells more about them."""
        columns = self.block.machine.columns
        judged = np.r_[columns["torque"], columns["motor_speed"], columns["speed"]]
        owner, column, local, value = self.refined
        hidden = (value > 1.0 + ROUNDING) & np.isin(column, judged)
        starts = np.array([section.piece.start for section in self.block.sections])
        seen = self.block.time[(self.values[:, judged] > 1.0 + ROUNDING).any(axis=1)]
        return np.sort(np.concatenate([seen, starts[owner[hidden]] + local[hidden]]))

    def saturated(self, k: int) -> Iterator[tuple[int, list[tuple[float, float]]]]:
        """Motors of section k that are asked for too much, and from when to when."""
        section, where = self.block.sections[k], self.block.machine.columns["torque"]
        owner, column, local, value = self.refined
        for motor in np.flatnonzero(self.peaks[k, where] > 1.0 + ROUNDING).tolist():
            extra = (owner == k) & (column == where.start + motor)
            t = np.concatenate([self.block.local[section.rows], local[extra]])
            share = np.concatenate([self.values[section.rows, where.start + motor], value[extra]])
            order = np.argsort(t, kind="stable")
            yield motor, [(section.piece.start + a, section.piece.start + b) for a, b in _above(t[order], share[order])]


def _measured(block: SampleBlock, where: slice, measure: Measure) -> Floats:
    """Columns of all samples; of contacts only the worst of each section, as more is not asked."""
    if where == block.machine.columns["contact"]:
        return block.machine.contact(block.q, block.owner)
    return measure(block.q, block.qd, block.qdd)


def _used(torque: Floats, power: Floats, friction: Floats) -> Floats:
    return np.column_stack([torque**2, power, np.maximum(power, 0.0), friction])


def _above(t: Floats, share: Floats) -> list[tuple[float, float]]:
    """From when to when a curve through points is above 1."""
    over = share > 1.0 + ROUNDING
    edges = np.flatnonzero(np.diff(np.concatenate([[False], over, [False]]).astype(np.int8))).reshape(-1, 2)

    def crossed(inside: int, outside: int) -> float:
        if not 0 <= outside < len(t):
            return float(t[inside])
        rise = share[inside] - share[outside]
        left = (share[inside] - 1.0) / rise if np.isfinite(rise) else 0.5
        return float(t[inside] + np.clip(left, 0.0, 1.0) * (t[outside] - t[inside]))

    return [(crossed(first, first - 1), crossed(last - 1, last)) for first, last in edges.tolist()]


def refined(
    block: SampleBlock, values: Floats, measures: list[tuple[slice, Measure]]
) -> tuple[NDArray[np.intp], NDArray[np.intp], Floats, Floats]:
    """Section, column, time and value of peaks between samples; ``measures`` say what the columns of values are."""
    middle, column = brackets(values, block.smooth)
    owner = block.owner[middle]
    around = middle[:, None] + [-1, 0, 1]
    t, f = block.local[around], values[around, column[:, None]]
    best = np.maximum.reduceat(values, [section.rows.start for section in block.sections])[owner, column]
    best = np.maximum(best, TINY)
    least, rounds = np.full(values.shape[1], GAIN), np.full(values.shape[1], ROUNDS)
    contact = block.machine.columns["contact"]
    if any(where == contact for where, _ in measures):
        least[contact], rounds[contact] = CONTACT_GAIN, CONTACT_ROUNDS
    open_ = worth_climbing(t, f, best, least[column])
    owner, column = owner[open_], column[open_]

    def look(which: NDArray[np.intp], at: Floats) -> Floats:
        return _exact(block, measures, owner[which], column[which], at)

    known = t[open_], f[open_], best[open_]
    return owner, column, *climbed(*known, look, least=least[column], rounds=rounds[column])


def _exact(
    block: SampleBlock,
    measures: list[tuple[slice, Measure]],
    owner: NDArray[np.intp],
    column: NDArray[np.intp],
    local: Floats,
) -> Floats:
    """Columns (k,) of sections at times of their pieces."""
    motion = block.motion(owner, local)
    found = np.empty(len(local))
    for span, measure in measures:
        rows = (column >= span.start) & (column < span.stop)
        if rows.any():
            values = measure(*(each[rows] for each in motion))
            found[rows] = values[np.arange(len(values)), column[rows] - span.start]
    return found
