"""The largest share of a limit along a plan, for many runs: of sums of parts, where peaks may lie between samples.

At each sample a load is u = f_0 + sum a_j f_j + sum r_c (d_c + s_c |l_c0 + sum a_j l_cj|), with amounts a of what
varies and factors r of friction for each run; all else is of the sample: a torque, and of what rubs friction without
load and what it takes of the load. Its share is u / upper or u / lower, whichever is above zero.

Machine code does it (`peak_code.py`), and NumPy where there is none: the same to the last bit.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from torsor.model.transforms import Floats

FINER = 8  # parts of an interval between two samples in which a peak may be
BENDS = 0.25  # of the differences around an interval: what a peak inside may rise above its ends, twice over
WORKING = 16_384  # numbers in the arrays of a round of NumPy: they stay in the caches


@dataclass(frozen=True)
class ShareForm:
    """How a share is made up: how many parts vary, and of each contact that rubs whether it follows the load."""

    parts: int
    contacts: tuple[bool, ...] = ()

    @property
    def width(self) -> int:
        """Numbers of a sample: f; d and, under load, s and l of each contact; 1 / upper, 1 / lower."""
        return 1 + self.parts + sum(1 + loaded * (2 + self.parts) for loaded in self.contacts) + 2


@dataclass(frozen=True, eq=False)
class PeakTable:
    """Samples (rows, width) of a plan, FINER - 1 more in each interval, and which intervals are smooth."""

    form: ShareForm
    samples: Floats
    between: Floats  # ((rows - 1) (FINER - 1), width)
    open: NDArray[np.bool_]  # (rows - 1,)

    def peaks(self, amounts: Floats, rubbing: Floats) -> tuple[Floats, NDArray[np.intp]]:
        """Of each run the peak (runs,), and the sample next to it; ``amounts`` (parts, runs), ``rubbing`` (contacts,
        runs)."""
        from torsor.study.peak_code import peak_code

        code = peak_code(self.form)
        if code is None:
            return self.by_numpy(amounts, rubbing)
        return code(self.samples, self.between, self.open, amounts, rubbing)

    def by_numpy(self, amounts: Floats, rubbing: Floats) -> tuple[Floats, NDArray[np.intp]]:
        runs = amounts.shape[1]
        peak, row = np.zeros(runs), np.zeros(runs, dtype=np.intp)
        step = max(1, WORKING // max(len(self.samples), 1))
        with np.errstate(all="ignore"):  # a motor that gives nothing
            for start in range(0, runs, step):
                some = slice(start, start + step)
                peak[some], row[some] = self._some(amounts[:, some], rubbing[:, some])
        return peak, row

    def _some(self, amounts: Floats, rubbing: Floats) -> tuple[Floats, NDArray[np.intp]]:
        whole = shares(self.form, self.samples, amounts[..., None], rubbing[..., None])
        at = np.broadcast_to(whole, (amounts.shape[1], len(self.samples)))
        peak, row = at.max(axis=1), at.argmax(axis=1)
        apart = np.abs(np.diff(at, axis=1)) * self.open
        around = np.zeros_like(apart)  # of the intervals before and after the larger
        around[:, 1:] = apart[:, :-1]
        around[:, :-1] = np.maximum(around[:, :-1], apart[:, 1:])
        bound = np.maximum(at[:, :-1], at[:, 1:]) + BENDS * (apart + around)
        run, interval = np.nonzero((bound > peak[:, None]) & self.open)
        if len(run):
            inside = (interval[:, None] * (FINER - 1) + np.arange(FINER - 1)).ravel()
            who = np.repeat(run, FINER - 1)
            found = shares(self.form, self.between[inside], amounts[:, who], rubbing[:, who]).reshape(-1, FINER - 1)
            tops = vertex(np.column_stack([at[run, interval], found, at[run, interval + 1]]))
            for one in np.flatnonzero(tops > peak[run]):  # few: one or two for each run
                if tops[one] > peak[run[one]]:
                    peak[run[one]], row[run[one]] = tops[one], interval[one]
        return peak, row


def shares(form: ShareForm, table: Floats, amounts: Floats, rubbing: Floats) -> Floats:
    """Of samples (rows, width), in which terms stand in the order in which machine code adds them.

    ``amounts`` (parts, ...) and ``rubbing`` (contacts, ...) broadcast against rows.
    """
    column = iter(table.T)

    def summed() -> Floats:
        total = next(column)
        for amount in amounts:
            total = total + amount * next(column)
        return np.asarray(total)

    u = summed()
    for loaded, factor in zip(form.contacts, rubbing, strict=True):
        force = next(column)
        if loaded:
            follows = next(column)
            force = force + follows * np.abs(summed())
        u = u + factor * force
    return np.where(u == 0.0, 0.0, np.fmax(u * next(column), u * next(column)))


def vertex(curve: Floats) -> Floats:
    """(k,) tops of curves (k, points) in equal steps: of the parabola through the highest point and its neighbours."""
    top = np.clip(curve.argmax(axis=1), 1, curve.shape[1] - 2)
    at = np.arange(len(curve))
    left, middle, right = curve[at, top - 1], curve[at, top], curve[at, top + 1]
    bend, slope = left - 2.0 * middle + right, 0.5 * (right - left)
    inside = (bend < 0.0) & (np.abs(slope) <= -bend)
    rise = np.where(inside, -0.5 * slope * slope / np.where(bend < 0.0, bend, -1.0), 0.0)
    return np.asarray(np.maximum(middle + rise, curve.max(axis=1)))
