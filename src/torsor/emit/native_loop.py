"""A loop of kernel calls in machine code: programs that step in time without coming back to Python.

All kernels work on one row of doubles, the workspace; a call says at which place of it each input and output is. A
kernel reads its inputs before it writes, so an output may take the place of an input. Several workspaces, one below
the other, are stepped together: each call then answers for all of them, in SIMD lanes.

    for each row:
        repeat ``inner`` times:    the given numbers are put into the workspace; the calls of ``before`` are made;
            ``again`` is set to its start; while it is above zero the ``calls`` are made; then those of ``after``;
            if ``halt`` is not zero the loop ends here
        what is to be kept is copied out
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Protocol

import numpy as np

from torsor.algebra.tape import Tape
from torsor.emit.writer import Writer
from torsor.errors import ShapeError
from torsor.model.transforms import Floats

MOST = 1000  # calls that `again` may ask for in a step; an endless loop in machine code cannot be interrupted


class Native(Protocol):
    """What is called: a kernel, or a function of Python behind a kernel's signature."""

    @property
    def tape(self) -> Tape: ...

    @property
    def scalar_address(self) -> int | None: ...

    @property
    def rows_address(self) -> int | None: ...

    @property
    def general(self) -> Callable[..., Any]: ...


@dataclass(frozen=True, eq=False)
class Call:
    """A kernel, and where in the workspace its inputs and then its outputs are."""

    kernel: Native
    places: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class NativeLoop:
    """``given`` and ``kept`` are (place, count) in the workspace; ``again`` is (place, place of its start or -1)."""

    calls: tuple[Call, ...]
    given: tuple[int, int] = (0, 0)
    kept: tuple[int, int] = (0, 0)
    again: tuple[int, int] | None = None
    most: int = MOST
    before: tuple[Call, ...] = ()
    after: tuple[Call, ...] = ()
    halt: int | None = None

    def run(self, workspace: Floats, rows: int, *, given: Floats | None = None, inner: int = 1) -> Floats:
        """Runs, leaving its last state in the workspace; what was kept of every row, (rows, count).

        ``given`` has a row for each row, or one for each step. A workspace (lanes, width) gives (rows, lanes, count),
        of numbers that are given to all lanes alike or, (..., lanes, given), to each its own. After a halt there are
        fewer rows: those that are complete.
        """
        if workspace.dtype != np.float64 or not workspace.flags.c_contiguous or workspace.ndim not in (1, 2):
            raise ShapeError("the workspace must be a contiguous row of float64, or several of them")
        lanes = None if workspace.ndim == 1 else len(workspace)
        if lanes is not None and (self.again is not None or self.halt is not None):
            raise ShapeError("lanes are stepped together", hint="a loop that repeats or halts takes one workspace")
        given = self._given(given, rows, inner, lanes)
        kept = np.empty((rows, self.kept[1]) if lanes is None else (rows, lanes, self.kept[1]))
        if all(call.kernel.scalar_address is not None for call in self._all):
            done = self._native(workspace, rows, given, kept, inner)
        else:
            done = self._python(workspace, given, kept, inner)
        return kept[:done]

    @property
    def _all(self) -> tuple[Call, ...]:
        return (*self.before, *self.calls, *self.after)

    def _given(self, given: Floats | None, rows: int, inner: int, lanes: int | None) -> Floats:
        given = np.zeros((rows, 0)) if given is None else np.asarray(given, dtype=np.float64)
        if lanes is not None and given.ndim == 2:
            given = np.repeat(given[:, None, :], lanes, axis=1)
        tail = (self.given[1],) if lanes is None else (lanes, self.given[1])
        if given.shape not in ((rows, *tail), (rows * inner, *tail)):
            raise ShapeError(f"given has shape {given.shape}", hint=f"it must be {(rows, *tail)}, or a row for a step")
        return np.ascontiguousarray(given)

    def _native(self, workspace: Floats, rows: int, given: Floats, kept: Floats, inner: int) -> int:
        wide = workspace.ndim == 2
        groups = tuple(tuple(call.places for call in group) for group in (self.before, self.calls, self.after))
        loop, _code = _compiled(groups, self.given[0], self.kept[0], self.again, self.halt, wide)
        addresses = [c.kernel.rows_address if wide else c.kernel.scalar_address for c in self._all]
        lanes, width = workspace.shape if wide else (1, workspace.size)
        stride = given[:1].size
        strides = (stride * inner, stride) if len(given) == rows * inner and inner > 1 else (stride, 0)
        done: int = loop(
            workspace.ctypes.data, lanes, width, rows, inner, given.ctypes.data, *strides, self.given[1],
            kept.ctypes.data, self.kept[1], self.most, *addresses,
        )  # fmt: skip
        return done

    def _python(self, workspace: Floats, given: Floats, kept: Floats, inner: int) -> int:
        lanes = workspace if workspace.ndim == 2 else workspace[None]
        each_step = len(given) == len(kept) * inner and inner > 1
        for r, out in enumerate(kept):
            for i in range(inner):
                row = given[r * inner + i if each_step else r]
                for lane, own in zip(lanes, row if workspace.ndim == 2 else row[None], strict=True):
                    lane[self.given[0] : self.given[0] + own.size] = own
                    self._step(lane)
                if self.halt is not None and workspace[self.halt] != 0.0:
                    return r
            out[...] = workspace[..., self.kept[0] : self.kept[0] + self.kept[1]]
        return len(kept)

    def _step(self, lane: Floats) -> None:
        _make(self.before, lane)
        if self.again is None:
            _make(self.calls, lane)
        else:
            place, start = self.again
            if start >= 0:
                lane[place] = lane[start]
            for _ in range(self.most):
                if not lane[place] > 0.0:
                    break
                _make(self.calls, lane)
        _make(self.after, lane)


def _make(calls: tuple[Call, ...], workspace: Floats) -> None:
    for call in calls:
        tape = call.kernel.tape
        spans = zip(call.places, [*tape.inputs, *tape.outputs], strict=True)
        places = [workspace[p : p + a.size] for p, a in spans]
        inputs = [p.copy().reshape(a.shape) for p, a in zip(places, tape.inputs, strict=False)]
        results = call.kernel.general(*inputs)
        listed = results if isinstance(results, tuple) else (results,)
        for place, result in zip(places[len(inputs) :], listed, strict=True):
            place[:] = np.ravel(result)


Places = tuple[tuple[int, ...], ...]


@lru_cache(256)
def _compiled(
    groups: tuple[Places, ...], given_at: int, kept_at: int, again: tuple[int, int] | None, halt: int | None, wide: bool
) -> tuple[Callable[..., int], object]:
    """The loop, and what keeps it in memory."""
    from torsor.emit import native

    ir = _ir(groups, given_at, kept_at, again, halt, wide)
    (address,) = native.recalled(ir.encode(), lambda host: ir, ("torsor_run",))
    kinds = [ctypes.c_void_p if parameter.startswith("ptr") else ctypes.c_int64 for parameter in PARAMETERS]
    loop = ctypes.CFUNCTYPE(ctypes.c_int64, *kinds, *([ctypes.c_void_p] * sum(map(len, groups))))(address)
    return loop, address


PARAMETERS = (
    "ptr %ws", "i64 %lanes", "i64 %width", "i64 %rows", "i64 %inner", "ptr %given", "i64 %given.row", "i64 %given.step",
    "i64 %ng", "ptr %kept", "i64 %nk", "i64 %most",
)  # fmt: skip


def _ir(
    groups: tuple[Places, ...], given_at: int, kept_at: int, again: tuple[int, int] | None, halt: int | None, wide: bool
) -> str:
    w = Writer(1)
    before, calls, after = groups
    functions = [f"ptr %f{k}" for k in range(sum(map(len, groups)))]
    waiting = iter(functions)
    stride = w.let("shl i64 %width, 3")

    def make(group: Places) -> None:
        for places in group:
            pointers = [f"ptr {w.at('%ws', place)}{f', i64 {stride}' if wide else ''}" for place in places]
            lanes = ["i64 %lanes"] if wide else []
            w.do(f"call void {next(waiting).removeprefix('ptr ')}({', '.join(lanes + pointers)})")

    with w.loop("row", "%rows") as row:
        with w.loop("step", "%inner") as step:
            offset = w.let(f"add i64 {w.let(f'mul i64 {row}, %given.row')}, {w.let(f'mul i64 {step}, %given.step')}")
            _copy(w, "given", (w.at("%given", offset), "%ng"), (w.at("%ws", given_at), "%width"), "%ng")
            make(before)
            if again is None:
                make(calls)
            else:
                left = w.at("%ws", again[0])
                if again[1] >= 0:
                    w.store(w.load(w.at("%ws", again[1])), left)
                with w.loop("again", "%most"):
                    w.require(w.let(f"fcmp ogt double {w.load(left)}, 0.0"), "again.end")
                    make(calls)
            make(after)
            if halt is not None:
                w.require(w.let(f"fcmp oeq double {w.load(w.at('%ws', halt))}, 0.0"), "row.end")
        offset = w.let(f"mul i64 {row}, {w.let('mul i64 %nk, %lanes')}")
        _copy(w, "kept", (w.at("%ws", kept_at), "%width"), (w.at("%kept", offset), "%nk"), "%nk")
    w.do("ret i64 %row.i")
    return w.function(f"i64 @torsor_run({', '.join([*PARAMETERS, *functions])})")


def _copy(w: Writer, tag: str, source: tuple[str, str], target: tuple[str, str], count: str) -> None:
    """Copy ``count`` doubles for each lane; source and target with their strides between lanes, in doubles."""
    with w.loop(f"{tag}.lane", "%lanes") as lane:
        begin, to = (w.at(base, w.let(f"mul i64 {lane}, {stride}")) for base, stride in (source, target))
        with w.loop(f"{tag}.number", count) as k:
            w.store(w.load(w.at(begin, k)), w.at(to, k))
