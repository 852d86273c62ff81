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
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol

import numpy as np

from torsor.algebra.tape import Tape
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
        count = self.given[1]
        if given is None:
            given = np.zeros((rows, 0))
        given = np.asarray(given, dtype=np.float64)
        if lanes is not None and given.ndim == 2:
            given = np.repeat(given[:, None, :], lanes, axis=1)
        tail = (count,) if lanes is None else (lanes, count)
        if given.shape not in ((rows, *tail), (rows * inner, *tail)):
            raise ShapeError(f"given has shape {given.shape}", hint=f"it must be {(rows, *tail)}, or a row for a step")
        return np.ascontiguousarray(given)

    def _native(self, workspace: Floats, rows: int, given: Floats, kept: Floats, inner: int) -> int:
        wide = workspace.ndim == 2
        groups = tuple(tuple(call.places for call in group) for group in (self.before, self.calls, self.after))
        loop = _compiled(groups, self.given[0], self.kept[0], self.again, self.halt, wide)
        addresses = [c.kernel.rows_address if wide else c.kernel.scalar_address for c in self._all]
        lanes, width = workspace.shape if wide else (1, workspace.size)
        each_step = len(given) == rows * inner and inner > 1
        stride = given[:1].size
        strides = (stride * inner, stride) if each_step else (stride, 0)
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
        for call in self.before:
            _call(call, lane)
        if self.again is None:
            for call in self.calls:
                _call(call, lane)
        else:
            place, start = self.again
            if start >= 0:
                lane[place] = lane[start]
            for _ in range(self.most):
                if not lane[place] > 0.0:
                    break
                for call in self.calls:
                    _call(call, lane)
        for call in self.after:
            _call(call, lane)


def _call(call: Call, workspace: Floats) -> None:
    tape = call.kernel.tape
    arrays = [*tape.inputs, *tape.outputs]
    places = [workspace[p : p + a.size] for p, a in zip(call.places, arrays, strict=True)]
    inputs = [p.copy().reshape(a.shape) for p, a in zip(places, tape.inputs, strict=False)]
    results = call.kernel.general(*inputs)
    for place, result in zip(places[len(inputs) :], results if isinstance(results, tuple) else (results,), strict=True):
        place[:] = np.ravel(result)


Places = tuple[tuple[int, ...], ...]


@cache
def _compiled(
    groups: tuple[Places, Places, Places],
    given_at: int,
    kept_at: int,
    again: tuple[int, int] | None,
    halt: int | None,
    wide: bool,
) -> Callable[..., int]:
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_default_triple().create_target_machine(opt=2)
    text = _ir(groups, given_at, kept_at, again, halt, wide)
    library = llvm.JITLibraryBuilder().add_ir(text).export_symbol("torsor_run")
    jit = llvm.create_lljit_compiler(machine)
    tracker = library.link(jit, f"torsor_run_{len(_alive)}")
    _alive.extend((jit, tracker))
    p, whole = ctypes.c_void_p, ctypes.c_int64
    kinds = [p, whole, whole, whole, whole, p, whole, whole, whole, p, whole, whole]
    return ctypes.CFUNCTYPE(whole, *kinds, *([p] * sum(map(len, groups))))(tracker["torsor_run"])


def _ir(
    groups: Sequence[Places],
    given_at: int,
    kept_at: int,
    again: tuple[int, int] | None,
    halt: int | None,
    wide: bool,
) -> str:
    count = sum(map(len, groups))
    functions = "".join(f", ptr %f{k}" for k in range(count))
    parameters = (
        "ptr %ws, i64 %lanes, i64 %width, i64 %rows, i64 %inner, ptr %given, i64 %given.row, i64 %given.step, i64 %ng, "
        "ptr %kept, i64 %nk, i64 %most"
    )
    numbered = iter(range(count))
    before, calls, after = (
        [line for places in group for line in _call_ir(next(numbered), places, wide)] for group in groups
    )
    lines = [
        f"define i64 @torsor_run({parameters}{functions}) {{",
        "entry:",
        f"  %given.at = getelementptr double, ptr %ws, i64 {given_at}",
        f"  %kept.at = getelementptr double, ptr %ws, i64 {kept_at}",
        "  %stride = shl i64 %width, 3",
        "  br label %row",
        "row:",
        "  %r = phi i64 [ 0, %entry ], [ %r.next, %kept.done ]",
        "  %more.rows = icmp slt i64 %r, %rows",
        "  br i1 %more.rows, label %step, label %end",
        "step:",
        "  %i = phi i64 [ 0, %row ], [ %i.next, %stepped ]",
        "  %more.steps = icmp slt i64 %i, %inner",
        "  br i1 %more.steps, label %start, label %keep",
        "start:",
        "  %g0 = mul i64 %r, %given.row",
        "  %g1 = mul i64 %i, %given.step",
        "  %g2 = add i64 %g0, %g1",
        "  %given.from.row = getelementptr double, ptr %given, i64 %g2",
        *_copy("given", "%given.from.row", "%ng", "%given.at", "%width", "%ng", "start"),
        *before,
    ]
    if again is None:
        lines += ["  br label %calls", "calls:", *calls, "  br label %finish"]
    else:
        lines.append(f"  %again.at = getelementptr double, ptr %ws, i64 {again[0]}")
        if again[1] >= 0:
            lines += [
                f"  %start.at = getelementptr double, ptr %ws, i64 {again[1]}",
                "  %start.value = load double, ptr %start.at",
                "  store double %start.value, ptr %again.at",
            ]
        lines += [
            "  br label %test",
            "test:",
            "  %a = phi i64 [ 0, %given.done ], [ %a.next, %calls ]",
            "  %left = load double, ptr %again.at",
            "  %unfinished = fcmp ogt double %left, 0.0",
            "  %allowed = icmp slt i64 %a, %most",
            "  %repeat = and i1 %unfinished, %allowed",
            "  br i1 %repeat, label %calls, label %finish",
            "calls:",
            *calls,
            "  %a.next = add i64 %a, 1",
            "  br label %test",
        ]
    lines += ["finish:", *after]
    if halt is None:
        lines.append("  br label %stepped")
    else:
        lines += [
            f"  %halt.at = getelementptr double, ptr %ws, i64 {halt}",
            "  %halt.value = load double, ptr %halt.at",
            "  %halted = fcmp une double %halt.value, 0.0",
            "  br i1 %halted, label %end, label %stepped",
        ]
    lines += [
        "stepped:",
        "  %i.next = add i64 %i, 1",
        "  br label %step",
        "keep:",
        "  %lane.kept = mul i64 %nk, %lanes",
        "  %k0 = mul i64 %r, %lane.kept",
        "  %kept.row = getelementptr double, ptr %kept, i64 %k0",
        *_copy("kept", "%kept.at", "%width", "%kept.row", "%nk", "%nk", "keep"),
        "  %r.next = add i64 %r, 1",
        "  br label %row",
        "end:",
        "  ret i64 %r",
        "}",
    ]
    return "\n".join(lines)


def _call_ir(k: int, places: tuple[int, ...], wide: bool) -> list[str]:
    lines = [f"  %p{k}.{j} = getelementptr double, ptr %ws, i64 {place}" for j, place in enumerate(places)]
    if wide:
        listed = ", ".join(f"ptr %p{k}.{j}, i64 %stride" for j in range(len(places)))
        return [*lines, f"  call void %f{k}(i64 %lanes, {listed})"]
    return [*lines, f"  call void %f{k}({', '.join(f'ptr %p{k}.{j}' for j in range(len(places)))})"]


def _copy(name: str, source: str, source_stride: str, target: str, stride: str, count: str, before: str) -> list[str]:
    """A loop that copies ``count`` doubles for each lane; strides between lanes in doubles."""
    n = name
    return [
        f"  br label %{n}.lane",
        f"{n}.lane:",
        f"  %{n}.l = phi i64 [ 0, %{before} ], [ %{n}.l.next, %{n}.lane.done ]",
        f"  %{n}.more.lanes = icmp slt i64 %{n}.l, %lanes",
        f"  br i1 %{n}.more.lanes, label %{n}.lane.begin, label %{n}.done",
        f"{n}.lane.begin:",
        f"  %{n}.s0 = mul i64 %{n}.l, {source_stride}",
        f"  %{n}.t0 = mul i64 %{n}.l, {stride}",
        f"  %{n}.s = getelementptr double, ptr {source}, i64 %{n}.s0",
        f"  %{n}.t = getelementptr double, ptr {target}, i64 %{n}.t0",
        f"  br label %{n}.loop",
        f"{n}.loop:",
        f"  %{n}.j = phi i64 [ 0, %{n}.lane.begin ], [ %{n}.j.next, %{n}.body ]",
        f"  %{n}.more = icmp slt i64 %{n}.j, {count}",
        f"  br i1 %{n}.more, label %{n}.body, label %{n}.lane.done",
        f"{n}.body:",
        f"  %{n}.from = getelementptr double, ptr %{n}.s, i64 %{n}.j",
        f"  %{n}.to = getelementptr double, ptr %{n}.t, i64 %{n}.j",
        f"  %{n}.value = load double, ptr %{n}.from",
        f"  store double %{n}.value, ptr %{n}.to",
        f"  %{n}.j.next = add i64 %{n}.j, 1",
        f"  br label %{n}.loop",
        f"{n}.lane.done:",
        f"  %{n}.l.next = add i64 %{n}.l, 1",
        f"  br label %{n}.lane",
        f"{n}.done:",
    ]


_alive: list[Any] = []
