"""The loop that NumPy's gufunc machinery calls, in IR: any strides, outer and within a row.

    void torsor_loop(char **args, npy_intp *dimensions, npy_intp *steps, void *data)

Rows that lie in memory as the kernels want them go straight to `torsor_rows`; others are gathered one by one into a
buffer, and their results scattered. NumPy sees to alignment, byte order and outputs that overlap inputs.
"""

from __future__ import annotations

from math import prod

from torsor.algebra.tape import Tape
from torsor.emit.host import Host
from torsor.emit.writer import Writer
from torsor.errors import Unsupported

DEEPEST = 3  # dimensions of one argument


def loop_ir(tape: Tape, host: Host) -> str:
    arrays = tape.inputs + tape.outputs
    for array in arrays:
        if len(array.shape) > DEEPEST:
            raise Unsupported(f"{array.name} has {len(array.shape)} dimensions", hint=f"at most {DEEPEST}")
    w = Writer(1)
    w.label("entry")
    w.do("%n = load i64, ptr %dimensions, align 8")
    pointers = [_item(w, "%args", i, "ptr") for i in range(len(arrays))]
    outer = [_item(w, "%steps", i) for i in range(len(arrays))]
    strides: list[list[str]] = []
    at = len(arrays)
    straight = "true"
    for array in arrays:
        strides.append([_item(w, "%steps", at + d) for d in range(len(array.shape))])
        at += len(array.shape)
        for d, stride in enumerate(strides[-1]):
            if array.shape[d] > 1:  # the stride of a dimension of one has no meaning
                same = w.let(f"icmp eq i64 {stride}, {8 * prod(array.shape[d + 1 :])}")
                straight = w.let(f"and i1 {straight}, {same}")
    w.do(f"br i1 {straight}, label %rows, label %gather")
    w.label("rows")
    listed = ", ".join(f"ptr {p}, i64 {s}" for p, s in zip(pointers, outer, strict=True))
    w.do(f"call void @torsor_rows(i64 %n, {listed})")
    w.do("ret void")
    w.label("gather")
    buffers = [w.let(f"alloca [{a.size} x double], align 64") for a in arrays]
    w.do("br label %test")
    w.label("test")
    w.do("%i = phi i64 [ 0, %gather ], [ %i.next, %row ]")
    w.do("%more = icmp slt i64 %i, %n")
    w.do("br i1 %more, label %row, label %end")
    w.label("row")
    places = []
    for p, s in zip(pointers, outer, strict=True):
        places.append(w.let(f"getelementptr i8, ptr {p}, i64 {w.let(f'mul i64 {s}, %i')}"))
    inputs = range(len(tape.inputs))
    for k in inputs:
        _copy(w, arrays[k].shape, buffers[k], None, places[k], strides[k])
    w.do(f"call void @torsor_scalar({', '.join(f'ptr {b}' for b in buffers)})")
    for k in range(len(tape.inputs), len(arrays)):
        _copy(w, arrays[k].shape, places[k], strides[k], buffers[k], None)
    w.do("%i.next = add i64 %i, 1")
    w.do("br label %test")
    w.label("end")
    w.do("ret void")
    head = "define internal void @torsor_strided(ptr %args, ptr %dimensions, ptr %steps) #0 {"
    return "\n".join([head, *w.lines, "}", COPY, QUIET_X86 if host.triple.startswith("x86_64") else PLAIN])


def _item(w: Writer, array: str, index: int, kind: str = "i64") -> str:
    place = w.let(f"getelementptr {kind}, ptr {array}, i64 {index}")
    return w.let(f"load {kind}, ptr {place}, align 8")


def _copy(
    w: Writer,
    shape: tuple[int, ...],
    to: str,
    to_strides: list[str] | None,
    source: str,
    from_strides: list[str] | None,
) -> None:
    """Copy one argument; strides of None are those of a row-major block."""
    padding = DEEPEST - len(shape)
    sizes = [1] * padding + list(shape)
    packed = [str(8 * prod(sizes[d + 1 :])) for d in range(DEEPEST)]
    to_all = packed if to_strides is None else ["0"] * padding + to_strides
    from_all = packed if from_strides is None else ["0"] * padding + from_strides
    numbers = ", ".join(f"i64 {v}" for v in [*map(str, sizes), *to_all, *from_all])
    w.do(f"call void @torsor_copy(ptr {to}, ptr {source}, {numbers})")


COPY = """
define internal void @torsor_copy(ptr %to, ptr %from, i64 %n0, i64 %n1, i64 %n2,
    i64 %t0, i64 %t1, i64 %t2, i64 %f0, i64 %f1, i64 %f2) noinline #0 {
entry:
  br label %level0
level0:
  %i = phi i64 [ 0, %entry ], [ %i.next, %end1 ]
  %ti = mul i64 %i, %t0
  %fi = mul i64 %i, %f0
  br label %level1
level1:
  %j = phi i64 [ 0, %level0 ], [ %j.next, %end2 ]
  %tj.part = mul i64 %j, %t1
  %fj.part = mul i64 %j, %f1
  %tj = add i64 %ti, %tj.part
  %fj = add i64 %fi, %fj.part
  br label %level2
level2:
  %k = phi i64 [ 0, %level1 ], [ %k.next, %level2 ]
  %tk.part = mul i64 %k, %t2
  %fk.part = mul i64 %k, %f2
  %tk = add i64 %tj, %tk.part
  %fk = add i64 %fj, %fk.part
  %target = getelementptr i8, ptr %to, i64 %tk
  %source = getelementptr i8, ptr %from, i64 %fk
  %value = load double, ptr %source, align 8
  store double %value, ptr %target, align 8
  %k.next = add i64 %k, 1
  %k.more = icmp slt i64 %k.next, %n2
  br i1 %k.more, label %level2, label %end2
end2:
  %j.next = add i64 %j, 1
  %j.more = icmp slt i64 %j.next, %n1
  br i1 %j.more, label %level1, label %end1
end1:
  %i.next = add i64 %i, 1
  %i.more = icmp slt i64 %i.next, %n0
  br i1 %i.more, label %level0, label %end
end:
  ret void
}
"""

# NumPy reads the processor's floating-point flags after a loop and warns, also of a branch that a select has thrown
# away. NaN in gives NaN out and no noise: put the flags back as they were.
QUIET_X86 = """
declare void @llvm.x86.sse.stmxcsr(ptr)
declare void @llvm.x86.sse.ldmxcsr(ptr)
define hidden void @torsor_loop(ptr %args, ptr %dimensions, ptr %steps, ptr %unused) #0 {
  %state = alloca i32, align 4
  call void @llvm.x86.sse.stmxcsr(ptr %state)
  call void @torsor_strided(ptr %args, ptr %dimensions, ptr %steps)
  call void @llvm.x86.sse.ldmxcsr(ptr %state)
  ret void
}
"""

PLAIN = """
define hidden void @torsor_loop(ptr %args, ptr %dimensions, ptr %steps, ptr %unused) #0 {
  call void @torsor_strided(ptr %args, ptr %dimensions, ptr %steps)
  ret void
}
"""
