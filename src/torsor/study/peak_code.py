"""Machine code for `PeakTable.peaks`: a run in each SIMD lane, the samples of a plan one after the other.

Once along the samples for the largest share, which are kept; once more along these for intervals that may rise above
it, in which the shares between are looked at. It holds no lock of Python, so threads run beside each other.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from torsor.emit.writer import Writer, vector
from torsor.model.transforms import Floats
from torsor.study.peak_search import BENDS, FINER, ShareForm

PEAKS = "torsor_peaks"
PARAMETERS = (
    "ptr %samples", "ptr %between", "ptr %open", "i64 %rows", "i64 %groups", "i64 %runs", "ptr %amounts",
    "ptr %rubbing", "ptr %kept", "ptr %peaks", "ptr %places",
)  # fmt: skip
PeakFunction = Callable[..., tuple[Floats, NDArray[np.intp]]]


@lru_cache(64)
def peak_code(form: ShareForm, lanes: int | None = None) -> PeakFunction | None:
    """The function for shares of this form; None where machine code cannot be had. What it gives does not depend on
    how many ``lanes`` it works in, without a word those of the processor."""
    from torsor.emit import native

    try:
        lanes = lanes or native.this_machine().width
        ir = _ir(form, lanes)
        (address,) = native.recalled(ir.encode(), lambda host: ir, (PEAKS,))
    except native.NoCode:
        return None
    kinds = [ctypes.c_void_p if word.startswith("ptr") else ctypes.c_int64 for word in PARAMETERS]
    function = ctypes.CFUNCTYPE(None, *kinds)(address)

    def peaks(
        samples: Floats, between: Floats, smooth: NDArray[np.bool_], amounts: Floats, rubbing: Floats
    ) -> tuple[Floats, NDArray[np.intp]]:
        _ = address  # which keeps the code in memory
        rows, runs = len(samples), amounts.shape[1]
        groups = -(-runs // lanes)
        given = [_lanes(each, groups * lanes) for each in (amounts, rubbing)]
        tables = [np.ascontiguousarray(each, dtype=np.float64) for each in (samples, between)]
        is_open = np.zeros(rows + 1)
        is_open[: rows - 1] = smooth
        kept = np.zeros((rows + 1) * lanes)  # one more: the interval after the last is looked at too
        peak, place = np.zeros(groups * lanes), np.zeros(groups * lanes, dtype=np.int64)
        arrays = [each.ctypes.data for each in (*tables, is_open, *given, kept, peak, place)]
        function(*arrays[:3], rows, groups, groups * lanes, *arrays[3:])
        return peak[:runs], place[:runs].astype(np.intp, copy=False)

    return peaks


def _lanes(columns: Floats, runs: int) -> Floats:
    """(k, runs), with zeros for the lanes that nobody is in."""
    found = np.zeros((max(len(columns), 1), runs))
    found[: len(columns), : columns.shape[1]] = columns
    return found


def _ir(form: ShareForm, lanes: int) -> str:
    w = Writer(lanes)
    peaks = _PeakLines(w, form)
    with w.loop("group", "%groups") as group:
        first = w.let(f"mul i64 {group}, {lanes}")
        amounts = [peaks.of_runs("%amounts", k, first) for k in range(form.parts)]
        rubbing = [peaks.of_runs("%rubbing", k, first) for k in range(len(form.contacts))]
        start = [(w.type, w.const(-np.inf)), (w.bits, peaks.whole(0))]
        with w.fold("row", "%rows", start) as (row, best):
            share = peaks.share(peaks.sample("%samples", row), amounts, rubbing)
            w.store(share, peaks.kept(row), w.type)
            best[:] = peaks.better(share, row, *best)
        last = w.let("sub i64 %rows, 1")
        x = w.load(peaks.kept("0"), w.type)
        nothing = (w.type, w.const(0.0))
        ahead = peaks.apart(x, w.load(peaks.kept("1"), w.type), "0")
        going = [nothing, (w.type, ahead), (w.type, x), (w.type, best[0]), (w.bits, best[1])]
        with w.fold("interval", last, going) as (interval, at):
            before, own, left, top, place = at
            after = w.let(f"add i64 {interval}, 1")
            right = w.load(peaks.kept(after), w.type)
            next_ = peaks.apart(right, w.load(peaks.kept(w.let(f"add i64 {interval}, 2")), w.type), after)
            bent = w.mul(w.const(BENDS), w.add(own, peaks.larger(before, next_)))
            bound = w.add(peaks.larger(left, right), bent)
            above = w.let(f"fcmp ogt {w.type} {bound}, {best[0]}")
            worth = w.let(f"and i1 {peaks.any(above)}, {peaks.is_open(interval)}")
            came = w.block
            w.do(f"br i1 {worth}, label %look, label %on")
            w.label("look")
            found = peaks.inside(interval, left, right, amounts, rubbing)
            higher = w.let(f"and {vector(lanes, 'i1')} {above}, {w.let(f'fcmp ogt {w.type} {found}, {top}')}")
            top_ = w.let(f"select {vector(lanes, 'i1')} {higher}, {w.type} {found}, {w.type} {top}")
            here = peaks.everywhere(interval)
            place_ = w.let(f"select {vector(lanes, 'i1')} {higher}, {w.bits} {here}, {w.bits} {place}")
            looked = w.block
            w.do("br label %on")
            w.label("on")
            top = w.let(f"phi {w.type} [ {top}, %{came} ], [ {top_}, %{looked} ]")
            place = w.let(f"phi {w.bits} [ {place}, %{came} ], [ {place_}, %{looked} ]")
            at[:] = own, next_, right, top, place
        w.store(at[3], w.at("%peaks", first), w.type)
        w.store(at[4], w.at("%places", first, "i64"), w.bits)
    w.do("ret void")
    names = ("fabs",)
    declared = [f"declare {w.type} @llvm.{name}.{'f64' if lanes == 1 else f'v{lanes}f64'}({w.type})" for name in names]
    return "\n".join([w.function(f"void @{PEAKS}({', '.join(PARAMETERS)})"), *declared, ""])


class _PeakLines:
    """What the lines above are made of."""

    def __init__(self, w: Writer, form: ShareForm) -> None:
        self.w, self.form = w, form

    def whole(self, i: int) -> str:
        return self.w.iconst(i)

    def everywhere(self, scalar: str, kind: str = "i64") -> str:
        """A number in all lanes."""
        if self.w.lanes == 1:
            return scalar
        many = vector(self.w.lanes, kind)
        one = self.w.let(f"insertelement {many} poison, {kind} {scalar}, i32 0")
        return self.w.let(f"shufflevector {many} {one}, {many} poison, <{self.w.lanes} x i32> zeroinitializer")

    def of_runs(self, base: str, column: int, first: str) -> str:
        offset = self.w.let(f"mul i64 %runs, {column}")
        return self.w.load(self.w.at(base, self.w.let(f"add i64 {offset}, {first}")), self.w.type)

    def sample(self, base: str, row: str) -> str:
        return self.w.at(base, self.w.let(f"mul i64 {row}, {self.form.width}"))

    def kept(self, row: str) -> str:
        return self.w.at("%kept", self.w.let(f"mul i64 {row}, {self.w.lanes}"))

    def is_open(self, interval: str) -> str:
        return self.w.let(f"fcmp one double {self.w.load(self.w.at('%open', interval))}, 0.0")

    def any(self, mask: str) -> str:
        if self.w.lanes == 1:
            return mask
        bits = f"i{self.w.lanes}"
        return self.w.let(f"icmp ne {bits} {self.w.let(f'bitcast <{self.w.lanes} x i1> {mask} to {bits}')}, 0")

    def larger(self, a: str, b: str) -> str:
        more = self.w.let(f"fcmp ogt {self.w.type} {a}, {b}")
        return self.w.let(f"select {vector(self.w.lanes, 'i1')} {more}, {self.w.type} {a}, {self.w.type} {b}")

    def picked(self, mask: str, yes: str, no: str) -> str:
        return self.w.let(f"select {vector(self.w.lanes, 'i1')} {mask}, {self.w.type} {yes}, {self.w.type} {no}")

    def better(self, share: str, row: str, peak: str, place: str) -> tuple[str, str]:
        more = self.w.let(f"fcmp ogt {self.w.type} {share}, {peak}")
        here = self.everywhere(row)
        kind = vector(self.w.lanes, "i1")
        found = self.w.let(f"select {kind} {more}, {self.w.bits} {here}, {self.w.bits} {place}")
        return self.picked(more, share, peak), found

    def apart(self, left: str, right: str, interval: str) -> str:
        size = self.w.intrinsic("fabs", self.w.sub(right, left))
        return self.w.mul(size, self.everywhere(self.w.load(self.w.at("%open", interval)), "double"))

    def share(self, sample: str, amounts: list[str], rubbing: list[str]) -> str:
        """As `peak_search.shares` has it, term after term."""
        w, place = self.w, iter(range(self.form.width))

        def number() -> str:
            return self.everywhere(w.load(w.at(sample, next(place))), "double")

        def summed() -> str:
            total = number()
            for amount in amounts:
                total = w.add(total, w.mul(amount, number()))
            return total

        u = summed()
        for loaded, factor in zip(self.form.contacts, rubbing, strict=True):
            force = number()
            if loaded:
                follows = number()
                force = w.add(force, w.mul(follows, w.intrinsic("fabs", summed())))
            u = w.add(u, w.mul(factor, force))
        shares = self.larger(w.mul(u, number()), w.mul(u, number()))
        return self.picked(w.let(f"fcmp oeq {w.type} {u}, {w.const(0.0)}"), w.const(0.0), shares)

    def inside(self, interval: str, left: str, right: str, amounts: list[str], rubbing: list[str]) -> str:
        """The top of an interval, as `vertex` has it."""
        w = self.w
        first = w.let(f"mul i64 {interval}, {FINER - 1}")
        places = [w.let(f"add i64 {first}, {k}") for k in range(FINER - 1)]
        y = [left, *(self.share(self.sample("%between", place), amounts, rubbing) for place in places), right]
        best, a, b, c = y[0], y[0], y[1], y[2]
        for k in range(1, FINER + 1):
            more = w.let(f"fcmp ogt {w.type} {y[k]}, {best}")
            middle = min(k, FINER - 1)
            a, b, c = (self.picked(more, y[middle + j], old) for j, old in ((-1, a), (0, b), (1, c)))
            best = self.picked(more, y[k], best)
        bend = w.add(w.sub(a, w.mul(w.const(2.0), b)), c)
        slope = w.mul(w.const(0.5), w.sub(c, a))
        falls = w.let(f"fcmp olt {w.type} {bend}, {w.const(0.0)}")
        near = w.let(f"fcmp ole {w.type} {w.intrinsic('fabs', slope)}, {w.neg(bend)}")
        kind = vector(w.lanes, "i1")
        over = self.picked(falls, bend, w.const(-1.0))
        rise = w.let(f"fdiv {w.type} {w.mul(w.mul(w.const(-0.5), slope), slope)}, {over}")
        rise = self.picked(w.let(f"and {kind} {falls}, {near}"), rise, w.const(0.0))
        return self.larger(w.add(b, rise), best)
