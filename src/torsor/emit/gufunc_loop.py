"""The loop that NumPy's gufunc machinery calls, in IR: any strides, outer and within a row.

    void torsor_loop(char **args, npy_intp *dimensions, npy_intp *steps, void *data)

Rows that lie in memory as the kernels want them go straight to `torsor_rows`; others are gathered one by one into a
buffer, and their results scattered. NumPy sees to alignment, byte order and outputs that overlap inputs.
"""

from __future__ import annotations

from math import prod

from torsor.algebra.tape import Tape
from torsor.emit.host import Host
from torsor.emit.precision import DOUBLE, Precision
from torsor.emit.writer import UNHURRIED, Writer
from torsor.errors import Unsupported

DEEPEST = 3  # dimensions of one argument


def loop_ir(tape: Tape, host: Host, real: Precision = DOUBLE) -> str:
    arrays = tape.inputs + tape.outputs
    for array in arrays:
        if len(array.shape) > DEEPEST:
            raise Unsupported(f"{array.name} has {len(array.shape)} dimensions", hint=f"at most {DEEPEST}")
    w = Writer(1, real)
    # NumPy reads the processor's floating-point flags after a loop and warns, also of a branch that a select has thrown
    # away. NaN in gives NaN out and no noise: put the flags back as they were.
    quiet = host.triple.startswith("x86_64")
    if quiet:
        w.do("%flags = alloca i32, align 4")
        w.do("call void @llvm.x86.sse.stmxcsr(ptr %flags)")
    n = w.load("%dimensions", "i64")
    pointers = [w.load(w.at("%args", i, "ptr"), "ptr") for i in range(len(arrays))]
    steps = (w.load(w.at("%steps", i, "i64"), "i64") for i in range(len(arrays) + sum(len(a.shape) for a in arrays)))
    outer = [next(steps) for _ in arrays]
    strides = [[next(steps) for _ in array.shape] for array in arrays]
    straight = "true"
    for array, own in zip(arrays, strides, strict=True):
        for d, stride in enumerate(own):
            if array.shape[d] > 1:  # the stride of a dimension of one has no meaning
                same = w.let(f"icmp eq i64 {stride}, {real.bytes * prod(array.shape[d + 1 :])}")
                straight = w.let(f"and i1 {straight}, {same}")
    buffers = [w.let(f"alloca [{a.size} x {real.name}], align 64") for a in arrays]
    w.do(f"br i1 {straight}, label %rows, label %gather")
    w.label("rows")
    listed = ", ".join(f"ptr {p}, i64 {s}" for p, s in zip(pointers, outer, strict=True))
    w.do(f"call void @torsor_rows(i64 {n}, {listed})")
    w.do("br label %end")
    w.label("gather")
    with w.loop("row", n) as i:
        places = [w.at(p, w.let(f"mul i64 {s}, {i}"), "i8") for p, s in zip(pointers, outer, strict=True)]
        copies = list(zip(arrays, places, strides, buffers, strict=True))
        for array, place, own, buffer in copies[: len(tape.inputs)]:
            _copy(w, array.shape, (buffer, None), (place, own))
        w.do(f"call void @torsor_scalar({', '.join(f'ptr {b}' for b in buffers)})")
        for array, place, own, buffer in copies[len(tape.inputs) :]:
            _copy(w, array.shape, (place, own), (buffer, None))
    w.do("br label %end")
    w.label("end")
    if quiet:
        w.do("call void @llvm.x86.sse.ldmxcsr(ptr %flags)")
    w.do("ret void")
    declared = [f"declare void @llvm.x86.sse.{way}mxcsr(ptr)" for way in ("st", "ld") if quiet]
    head = f"hidden void @torsor_loop(ptr %args, ptr %dimensions, ptr %steps, ptr %unused) {UNHURRIED}"
    return "\n".join([*declared, w.function(head), _copy_function(real)])


Block = tuple[str, list[str] | None]  # where it begins, and its strides; None are those of a row-major block


def _copy(w: Writer, shape: tuple[int, ...], to: Block, source: Block) -> None:
    """Copy one argument."""
    padding = DEEPEST - len(shape)
    sizes = [1] * padding + list(shape)
    packed = [str(w.real.bytes * prod(sizes[d + 1 :])) for d in range(DEEPEST)]
    both = [packed if strides is None else ["0"] * padding + strides for _, strides in (to, source)]
    numbers = ", ".join(f"i64 {v}" for v in [*map(str, sizes), *both[0], *both[1]])
    w.do(f"call void @torsor_copy(ptr {to[0]}, ptr {source[0]}, {numbers})")


def _copy_function(real: Precision) -> str:
    w = Writer(1, real)

    def level(d: int, to: str, source: str) -> None:
        if d == DEEPEST:
            w.store(w.load(source), to)
            return
        with w.loop(f"level{d}", f"%n{d}") as i:
            steps = [w.let(f"mul i64 {i}, %{side}{d}") for side in ("to", "from")]
            level(d + 1, w.at(to, steps[0], "i8"), w.at(source, steps[1], "i8"))

    level(0, "%to", "%from")
    w.do("ret void")
    numbers = ", ".join(f"i64 %{side}{d}" for side in ("n", "to", "from") for d in range(DEEPEST))
    return w.function(f"internal void @torsor_copy(ptr %to, ptr %from, {numbers}) noinline #0")
