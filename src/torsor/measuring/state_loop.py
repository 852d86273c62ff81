"""A native loop over states, the same for our kernels and for peers: it calls any function of a kernel's signature."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

from torsor.emit import Kernel
from torsor.measuring.stopwatch import TimedWork, repeated
from torsor.model.transforms import Floats


def over_states(address: int, arrays: Sequence[Floats]) -> Callable[[int], None]:
    """``run(times)`` calls the function at ``address`` for every row of the C-contiguous arrays, ``times`` over.

    The function takes one pointer to doubles for each array: its inputs, then its outputs.
    """
    states = len(arrays[0])
    if any(not a.flags.c_contiguous or a.dtype != np.float64 or len(a) != states for a in arrays):
        raise ValueError("the loop runs over rows of C-contiguous float64 arrays of one length")
    loop, *_ = _loop(len(arrays))
    given = [address, states, *(x for a in arrays for x in (a.ctypes.data, a.strides[0]))]

    def run(times: int, kept: Sequence[Floats] = arrays) -> None:  # kept alive: the loop holds bare pointers
        for _ in range(times):
            loop(*given)

    return run


def kernel_work(kernel: Kernel, inputs: Sequence[Floats]) -> tuple[Floats, TimedWork | None, TimedWork]:
    """An array for results, and the work that fills it: state after state in the native loop (None if there is no
    machine code on this system), and all states in one call on one thread."""
    out = np.empty((len(inputs[0]), *kernel.tape.outputs[0].shape))
    batch = repeated(lambda: kernel.general(*inputs, out=out, threads=1), len(out))
    if kernel.scalar_address is None:
        return out, None, batch
    return out, TimedWork(over_states(kernel.scalar_address, [*inputs, out]), len(out)), batch


@cache
def _loop(count: int) -> tuple[Any, ...]:
    """void drive(f, n, p0, s0, p1, s1, ...): f(p0 + i s0, p1 + i s1, ...) for i below n."""
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_default_triple().create_target_machine(opt=2)
    library = llvm.JITLibraryBuilder().add_ir(_loop_ir(count)).export_symbol("drive")
    jit = llvm.create_lljit_compiler(machine)
    tracker = library.link(jit, f"drive{count}")
    kinds = [ctypes.c_void_p, ctypes.c_int64] * (count + 1)
    return ctypes.CFUNCTYPE(None, *kinds)(tracker["drive"]), jit, tracker  # the first lives while the others do


def _loop_ir(count: int) -> str:
    k = range(count)
    return "\n".join(
        [
            f"define void @drive(ptr %f, i64 %n, {', '.join(f'ptr %p{i}, i64 %s{i}' for i in k)}) {{",
            "entry:",
            "  %any = icmp sgt i64 %n, 0",
            "  br i1 %any, label %row, label %end",
            "row:",
            "  %i = phi i64 [ 0, %entry ], [ %i.next, %row ]",
            *(f"  %a{i} = phi ptr [ %p{i}, %entry ], [ %a{i}.next, %row ]" for i in k),
            f"  call void %f({', '.join(f'ptr %a{i}' for i in k)})",
            *(f"  %a{i}.next = getelementptr i8, ptr %a{i}, i64 %s{i}" for i in k),
            "  %i.next = add i64 %i, 1",
            "  %more = icmp slt i64 %i.next, %n",
            "  br i1 %more, label %row, label %end",
            "end:",
            "  ret void",
            "}",
        ]
    )
