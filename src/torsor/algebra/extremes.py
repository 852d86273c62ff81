"""The largest and smallest values of expressions over a box, with certainty: branch and bound on intervals.

On a box of centre c and half widths h, f lies within its interval, and within f(c) + sum |df/dx_k| h_k, whose error
falls with the square of the width; both are computed and the tighter ends hold. Boxes that may still hold more than was
seen at points are cut in two across the input that moves the outputs most.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from torsor.algebra.differentiate import jacobian
from torsor.algebra.intervals import Floats, evaluate
from torsor.algebra.layout import tape_from
from torsor.algebra.passes import simplify
from torsor.algebra.tape import Tape
from torsor.errors import ShapeError

TOGETHER = 1024  # boxes evaluated at once
POINTS = 4000  # looked at before


@dataclass(frozen=True, eq=False)
class Extremes:
    """What expressions cannot leave over a box, and what they were seen to reach at points of it."""

    lo: Floats  # certain
    hi: Floats
    seen_lo: Floats
    seen_hi: Floats
    boxes: int  # that were evaluated

    @property
    def magnitude(self) -> Floats:
        """Certain bounds of the absolute values."""
        return np.maximum(np.abs(self.lo), np.abs(self.hi))


def extremes(
    outputs: Any, inputs: Any, lo: ArrayLike, hi: ArrayLike, *, gap: float = 0.05, boxes: int = 20_000, seed: int = 0
) -> Extremes:
    """Bounds of ``outputs``, graph scalars, over the box from ``lo`` to ``hi`` of the symbols ``inputs`` (k,).

    Boxes whose magnitude may exceed what was seen by more than the share ``gap`` are cut, the most promising first,
    until there are none or so many ``boxes`` were evaluated. The bounds are certain at any moment, rounding included;
    more boxes make them tighter.

    >>> from torsor.algebra import symbols
    >>> x = symbols("x", 1)
    >>> found = extremes(x - x * x, x, [0.0], [1.0], gap=1e-3)
    >>> bool(0.25 <= found.hi[0] <= 0.2503)
    True
    """
    values = np.asarray(outputs, dtype=object)
    flat = values.ravel()
    lo, hi = np.asarray(lo, dtype=np.float64), np.asarray(hi, dtype=np.float64)
    if lo.shape != np.shape(inputs) or hi.shape != lo.shape or lo.ndim != 1:
        raise ShapeError(f"the box has shapes {lo.shape} and {hi.shape}", hint=f"inputs are {np.shape(inputs)}")
    if not (lo <= hi).all():
        raise ShapeError("the box ends below where it begins", hint="give lo <= hi")
    both = simplify({"f": flat, "slopes": jacobian(flat, inputs)})
    values_alone = tape_from("values", {"x": inputs}, {"f": both["f"]})
    search = _Search(values_alone, tape_from("both", {"x": inputs}, both), lo, hi)
    search.look(np.random.default_rng(seed))
    search.cut(gap, boxes)
    ends = (search.lo, search.hi, search.seen_lo, search.seen_hi)
    lowest, highest, seen_lo, seen_hi = (end.reshape(values.shape) for end in ends)
    return Extremes(lowest, highest, seen_lo, seen_hi, search.used)


class _Search:
    def __init__(self, values: Tape, both: Tape, lo: Floats, hi: Floats) -> None:
        self.values, self.both, self.box = values, both, (lo, hi)
        self.used = 0
        many = values.outputs[0].size
        self.lo, self.hi = np.full(many, np.inf), np.full(many, -np.inf)

    def look(self, rng: np.random.Generator) -> None:
        """Values at random points and corners: what a bound must at least be."""
        lo, hi = self.box
        inside = rng.uniform(lo, hi, size=(POINTS, lo.size))
        corners = np.where(rng.uniform(size=(POINTS // 10, lo.size)) < 0.5, lo, hi)
        (seen,) = self.values.evaluate(np.vstack([inside, corners]))
        self.seen_lo, self.seen_hi = seen.min(axis=0), seen.max(axis=0)

    def cut(self, gap: float, boxes: int) -> None:
        seen = np.maximum(np.abs(self.seen_lo), np.abs(self.seen_hi))
        # what is zero everywhere, but for rounding, is not worth a cut
        wanted = np.maximum(seen * (1.0 + gap), 1e-9 * seen.max() + 1e-300)
        waiting = np.array([self.box])  # (boxes, 2, inputs)
        bounds, pull = self._bounds(waiting, wanted)
        while True:
            most = np.maximum(np.abs(bounds[:, 0]), np.abs(bounds[:, 1]))
            urgent = (most / wanted).max(axis=-1)
            settled = urgent <= 1.0
            self._settle(bounds[settled])
            waiting, bounds, pull, urgent = (each[~settled] for each in (waiting, bounds, pull, urgent))
            if not len(waiting) or self.used >= boxes:
                self._settle(bounds)
                return
            first = np.argsort(-urgent, kind="stable")[:TOGETHER]
            rest = np.delete(np.arange(len(waiting)), first)
            halves = _halves(waiting[first], pull[first])
            found, pulled = self._bounds(halves, wanted)
            # what holds on a box holds on its halves
            before = np.concatenate([bounds[first]] * 2)
            found[:, 0] = np.maximum(found[:, 0], before[:, 0])
            found[:, 1] = np.minimum(found[:, 1], before[:, 1])
            waiting = np.concatenate([waiting[rest], halves])
            bounds = np.concatenate([bounds[rest], found])
            pull = np.concatenate([pull[rest], pulled])

    def _settle(self, bounds: Floats) -> None:
        if len(bounds):
            self.lo = np.minimum(self.lo, bounds[:, 0].min(axis=0))
            self.hi = np.maximum(self.hi, bounds[:, 1].max(axis=0))

    def _bounds(self, boxes: Floats, wanted: Floats) -> tuple[Floats, Floats]:
        """Ends (boxes, 2, outputs), and how much each input moves what matters (boxes, inputs)."""
        self.used += len(boxes)
        lo, hi = boxes[:, 0], boxes[:, 1]
        f, slopes = evaluate(self.both, (lo, hi))
        middle = 0.5 * (lo + hi)
        half = np.nextafter(np.maximum(hi - middle, middle - lo), np.inf)
        (at,) = evaluate(self.values, middle)
        steep = np.maximum(np.abs(slopes.lo), np.abs(slopes.hi))  # (boxes, outputs, inputs)
        moved = steep * half[:, None, :]
        with np.errstate(invalid="ignore"):
            moved = np.where(half[:, None, :] == 0.0, 0.0, moved)
            # the sum is rounded by less than this share
            away = moved.sum(axis=-1) * (1.0 + 4.0 * (lo.shape[1] + 2) * 2.0**-53)
            low, high = np.nextafter(at.lo - away, -np.inf), np.nextafter(at.hi + away, np.inf)
        low, high = np.where(np.isnan(low), -np.inf, low), np.where(np.isnan(high), np.inf, high)
        ends = np.stack([np.maximum(f.lo, low), np.minimum(f.hi, high)], axis=1)
        beyond = np.maximum(np.abs(ends[:, 0]), np.abs(ends[:, 1])) > wanted
        with np.errstate(invalid="ignore", over="ignore"):
            pull = np.nan_to_num((moved / wanted[:, None]) * beyond[:, :, None], posinf=1e300).max(axis=1)
        return ends, np.where(pull.max(axis=-1, keepdims=True) > 0.0, pull, hi - lo)


def _halves(boxes: Floats, pull: Floats) -> Floats:
    row, across = np.arange(len(boxes)), np.argmax(pull, axis=-1)
    middle = 0.5 * (boxes[row, 0, across] + boxes[row, 1, across])
    below, above = boxes.copy(), boxes.copy()
    below[row, 1, across] = middle
    above[row, 0, across] = middle
    return np.concatenate([below, above])
