"""A loop of kernel calls in machine code: programs that step in time without coming back to Python.

All kernels work on one row of doubles, the workspace; a call says at which place of it each input and output is. A
kernel reads its inputs before it writes, so an output may take the place of an input.

    for each row:    the row's given numbers are put into the workspace
        repeat ``inner`` times:    ``again`` is set to ``start``; the calls are made, until ``again`` is not above zero
        what is to be kept is copied out
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torsor.emit.kernel import Kernel
from torsor.errors import ShapeError

Floats = NDArray[np.float64]
MOST = 1000  # calls that `again` may ask for in a step; an endless loop in machine code cannot be interrupted


@dataclass(frozen=True, eq=False)
class Call:
    """A kernel, and where in the workspace its inputs and then its outputs are."""

    kernel: Kernel
    places: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class NativeLoop:
    """``given`` and ``kept`` are (place, count) in the workspace; ``again`` is (place, place of its start)."""

    calls: tuple[Call, ...]
    given: tuple[int, int] = (0, 0)
    kept: tuple[int, int] = (0, 0)
    again: tuple[int, int] | None = None
    most: int = MOST

    def run(self, workspace: Floats, rows: int, *, given: Floats | None = None, inner: int = 1) -> Floats:
        """Runs, leaving its last state in the workspace; what was kept of every row, (rows, count)."""
        if workspace.dtype != np.float64 or not workspace.flags.c_contiguous or workspace.ndim != 1:
            raise ShapeError("the workspace must be a contiguous row of float64")
        given = np.zeros((rows, 0)) if given is None else np.ascontiguousarray(given, dtype=np.float64)
        if given.shape != (rows, self.given[1]):
            raise ShapeError(f"given has shape {given.shape}", hint=f"it must be {(rows, self.given[1])}")
        kept = np.empty((rows, self.kept[1]))
        if all(call.kernel.scalar_address is not None for call in self.calls):
            self._native(workspace, rows, given, kept, inner)
        else:
            self._python(workspace, given, kept, inner)
        return kept

    def _native(self, workspace: Floats, rows: int, given: Floats, kept: Floats, inner: int) -> None:
        loop = _compiled(tuple(call.places for call in self.calls), self.given[0], self.kept[0], self.again)
        addresses = [call.kernel.scalar_address for call in self.calls]
        sizes = given.ctypes.data, given.shape[1], kept.ctypes.data, kept.shape[1]
        loop(workspace.ctypes.data, rows, inner, *sizes, self.most, *addresses)

    def _python(self, workspace: Floats, given: Floats, kept: Floats, inner: int) -> None:
        for row, out in zip(given, kept, strict=True):
            workspace[self.given[0] : self.given[0] + row.size] = row
            for _ in range(inner):
                if self.again is not None:
                    workspace[self.again[0]] = workspace[self.again[1]]
                for _ in range(self.most):
                    for call in self.calls:
                        _call(call, workspace)
                    if self.again is None or not workspace[self.again[0]] > 0.0:
                        break
            out[:] = workspace[self.kept[0] : self.kept[0] + out.size]


def _call(call: Call, workspace: Floats) -> None:
    tape = call.kernel.tape
    arrays = [*tape.inputs, *tape.outputs]
    places = [workspace[p : p + a.size] for p, a in zip(call.places, arrays, strict=True)]
    inputs = [p.copy().reshape(a.shape) for p, a in zip(places, tape.inputs, strict=False)]
    results = call.kernel.general(*inputs)
    for place, result in zip(places[len(inputs) :], results if isinstance(results, tuple) else (results,), strict=True):
        place[:] = np.ravel(result)


@cache
def _compiled(
    places: tuple[tuple[int, ...], ...], given_at: int, kept_at: int, again: tuple[int, int] | None
) -> Callable[..., None]:
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_default_triple().create_target_machine(opt=2)
    library = llvm.JITLibraryBuilder().add_ir(_ir(places, given_at, kept_at, again)).export_symbol("torsor_run")
    jit = llvm.create_lljit_compiler(machine)
    tracker = library.link(jit, f"torsor_run_{len(_alive)}")
    _alive.extend((jit, tracker))
    pointer, whole = ctypes.c_void_p, ctypes.c_int64
    kinds = [pointer, whole, whole, pointer, whole, pointer, whole, whole, *([pointer] * len(places))]
    return ctypes.CFUNCTYPE(None, *kinds)(tracker["torsor_run"])


def _ir(places: Sequence[tuple[int, ...]], given_at: int, kept_at: int, again: tuple[int, int] | None) -> str:
    functions = ", ".join(f"ptr %f{k}" for k in range(len(places)))
    parameters = "ptr %ws, i64 %rows, i64 %inner, ptr %given, i64 %ng, ptr %kept, i64 %nk, i64 %most"
    lines = [
        f"define void @torsor_run({parameters}, {functions}) {{",
        "entry:",
        f"  %given.at = getelementptr double, ptr %ws, i64 {given_at}",
        f"  %kept.at = getelementptr double, ptr %ws, i64 {kept_at}",
        "  br label %row",
        "row:",
        "  %r = phi i64 [ 0, %entry ], [ %r.next, %next ]",
        "  %more.rows = icmp slt i64 %r, %rows",
        "  br i1 %more.rows, label %begin, label %end",
        "begin:",
        "  %g0 = mul i64 %r, %ng",
        "  %given.row = getelementptr double, ptr %given, i64 %g0",
        *_copy("given", "%given.row", "%given.at", "%ng", "begin", "step"),
        "step:",
        "  %i = phi i64 [ 0, %given.done ], [ %i.next, %stepped ]",
        "  %more.steps = icmp slt i64 %i, %inner",
        "  br i1 %more.steps, label %start, label %keep",
        "start:",
    ]
    if again is not None:
        lines += [
            f"  %again.at = getelementptr double, ptr %ws, i64 {again[0]}",
            f"  %start.at = getelementptr double, ptr %ws, i64 {again[1]}",
            "  %start.value = load double, ptr %start.at",
            "  store double %start.value, ptr %again.at",
        ]
    lines += ["  br label %calls", "calls:"]
    if again is not None:
        lines.append("  %a = phi i64 [ 1, %start ], [ %a.next, %calls ]")
    for k, arguments in enumerate(places):
        lines += [f"  %p{k}.{j} = getelementptr double, ptr %ws, i64 {place}" for j, place in enumerate(arguments)]
        lines.append(f"  call void %f{k}({', '.join(f'ptr %p{k}.{j}' for j in range(len(arguments)))})")
    if again is None:
        lines.append("  br label %stepped")
    else:
        lines += [
            "  %left = load double, ptr %again.at",
            "  %unfinished = fcmp ogt double %left, 0.0",
            "  %a.next = add i64 %a, 1",
            "  %allowed = icmp sle i64 %a.next, %most",
            "  %repeat = and i1 %unfinished, %allowed",
            "  br i1 %repeat, label %calls, label %stepped",
        ]
    lines += [
        "stepped:",
        "  %i.next = add i64 %i, 1",
        "  br label %step",
        "keep:",
        "  %k0 = mul i64 %r, %nk",
        "  %kept.row = getelementptr double, ptr %kept, i64 %k0",
        *_copy("kept", "%kept.at", "%kept.row", "%nk", "keep", "next"),
        "next:",
        "  %r.next = add i64 %r, 1",
        "  br label %row",
        "end:",
        "  ret void",
        "}",
    ]
    return "\n".join(lines)


def _copy(name: str, source: str, target: str, count: str, before: str, after: str) -> list[str]:
    """A loop that copies doubles."""
    return [
        f"  br label %{name}.loop",
        f"{name}.loop:",
        f"  %{name}.j = phi i64 [ 0, %{before} ], [ %{name}.j.next, %{name}.body ]",
        f"  %{name}.more = icmp slt i64 %{name}.j, {count}",
        f"  br i1 %{name}.more, label %{name}.body, label %{name}.done",
        f"{name}.body:",
        f"  %{name}.from = getelementptr double, ptr {source}, i64 %{name}.j",
        f"  %{name}.to = getelementptr double, ptr {target}, i64 %{name}.j",
        f"  %{name}.value = load double, ptr %{name}.from",
        f"  store double %{name}.value, ptr %{name}.to",
        f"  %{name}.j.next = add i64 %{name}.j, 1",
        f"  br label %{name}.loop",
        f"{name}.done:",
        f"  br label %{after}",
    ]


_alive: list[Any] = []
