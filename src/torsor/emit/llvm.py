"""Tape to LLVM IR: the scalar kernel and the batch kernel, from one printer of steps.

    void torsor_scalar(double *in0, ..., double *out0, ...)
    void torsor_rows(int64 n, double *in0, int64 stride0, ..., double *out0, int64 stride, ...)      strides in bytes

Of a kernel in single precision these are floats.

Both read every input of a row before they write any output of it, so that an output may be an input. The code holds
no addresses: what it needs from outside (the C library's sine, Python's functions) it finds in `torsor_table`, which
is filled after loading. That makes the object file good for a cache.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from torsor.algebra.tape import Array, Tape
from torsor.emit import avx_groups, code_blocks
from torsor.emit.angle_sums import with_angle_sums
from torsor.emit.host import Host
from torsor.emit.ir_printer import IrPrinter, library_call
from torsor.emit.kernel_rows import row_of, scalar_call
from torsor.emit.line_constants import with_constants_in_memory
from torsor.emit.line_order import in_order
from torsor.emit.machine_tape import MachineTape, machine_tape
from torsor.emit.precision import DOUBLE, Precision
from torsor.emit.simd_rows import column_runs, columns_together, load_columns, row_pointers, store_columns
from torsor.emit.sincos import too_large
from torsor.emit.table import COS, SIN, TABLE_SIZE, table_slot
from torsor.emit.writer import Writer, mangled, vector

MOST_SCRATCH = 128 * 1024  # bytes of stack for a long program; wider batches give way


def kernel_ir(
    tape: Tape,
    host: Host,
    real: Precision = DOUBLE,
    *,
    longest: int = code_blocks.LONGEST,
    block: int = code_blocks.BLOCK,
) -> str:
    """The IR of both kernels; `gufunc_loop.py` and `fastcall.py` add what NumPy and Python call."""
    program, plan = _planned(tape, host, longest, block)
    width = _lanes(plan, host, real)
    parts = [preamble(real), library_sincos(real)]
    groups = None if plan else avx_groups.assembly(tape, program, host, real)
    for lanes in sorted({1, width} if groups is None else {1}):
        parts += [block_function(b, k, program, (lanes, real), host) for k, b in enumerate(plan.blocks if plan else ())]
        kernel = scalar_function if lanes == 1 else group_function
        parts.append(kernel(tape, program, plan, _printer(program, (lanes, real), host)))
    parts += [groups or "", rows_function(tape, width, by_group if groups is None else avx_groups.by_groups)]
    parts.append(ENDING.format(bits=max(width * real.bits, 256)))
    return "\n".join(parts)


def lanes_of(tape: Tape, host: Host, real: Precision) -> int:
    """Rows that the batch kernel computes together."""
    return _lanes(_planned(tape, host, code_blocks.LONGEST, code_blocks.BLOCK)[1], host, real)


def _planned(tape: Tape, host: Host, longest: int, block: int) -> tuple[MachineTape, code_blocks.BlockPlan | None]:
    program = machine_tape(with_angle_sums(tape), fuse=host.fma)
    return program, code_blocks.plan(program, block) if code_blocks.is_long(program, longest) else None


def _lanes(plan: code_blocks.BlockPlan | None, host: Host, real: Precision) -> int:
    width = real.lanes(host.width)
    while plan is not None and width > 1 and plan.slots * width * real.bytes > MOST_SCRATCH:
        width //= 2
    return width


def _printer(program: MachineTape, vectors: tuple[int, Precision], host: Host) -> IrPrinter:
    w = Writer(*vectors)
    w.do("%spare = alloca [24 x double], align 64")
    return IrPrinter(w, program, host)


def scalar_function(tape: Tape, program: MachineTape, plan: code_blocks.BlockPlan | None, printer: IrPrinter) -> str:
    w = printer.w
    where = flat_places(tape.inputs)
    for value, flat in program.inputs.items():
        array, offset = where[flat]
        printer.values[value] = w.load(w.at(f"%in{array}", offset))
    run(printer, program, plan)
    for flat, (array, offset) in enumerate(flat_places(tape.outputs)):
        place = w.at(f"%out{array}", offset)
        w.store(printer.values[program.results[flat]], place)
    w.do("ret void")
    return w.function(f"hidden void @torsor_scalar({', '.join(f'ptr %{p}' for p in operand_names(tape))}) #0")


def run(printer: IrPrinter, program: MachineTape, plan: code_blocks.BlockPlan | None) -> None:
    """The steps in line, or as calls of block functions over a scratch buffer."""
    if plan is None:
        printer.steps(program.steps)
        return
    w = printer.w
    w.lines.insert(1, f"  %scratch = alloca [{plan.slots} x {w.type}], align 64")
    _keep(printer, plan.inputs)
    for k in range(len(plan.blocks)):
        w.do(f"call void @torsor_block_{w.lanes}_{k}(ptr %scratch)")
    _fetch(printer, plan.results)


def _keep(printer: IrPrinter, slots: dict[int, int]) -> None:
    for value, slot in slots.items():
        place = printer.w.at("%scratch", slot, printer.w.type)
        printer.w.store(printer.values[value], place, printer.w.type)


def _fetch(printer: IrPrinter, slots: dict[int, int]) -> None:
    w = printer.w
    printer.values.update({value: w.load(w.at("%scratch", slot, w.type), w.type) for value, slot in slots.items()})


def block_function(
    block: code_blocks.CodeBlock, number: int, program: MachineTape, vectors: tuple[int, Precision], host: Host
) -> str:
    printer, lanes = _printer(program, vectors, host), vectors[0]
    _fetch(printer, block.reads)
    printer.steps(block.steps)
    _keep(printer, block.writes)
    printer.w.do("ret void")
    attributes = "#0" if lanes == 1 else "#1"
    return printer.w.function(f"internal void @torsor_block_{lanes}_{number}(ptr %scratch) noinline {attributes}")


def group_function(tape: Tape, program: MachineTape, plan: code_blocks.BlockPlan | None, printer: IrPrinter) -> str:
    """Several rows at once. A function of its own, because from a loop LLVM moves the coefficients of the sines out
    and then has no registers left for the rest."""
    w = printer.w
    printer.bail = "cold" if plan is None else None
    places = flat_places(tape.inputs)
    for array in range(len(tape.inputs)):
        wanted = {places[flat][1]: value for value, flat in program.inputs.items() if places[flat][0] == array}
        rows = row_pointers(w, f"%in{array}", f"%stride.in{array}")
        for run_of in column_runs(sorted(wanted), columns_together(w)):
            load = partial(_load, printer, rows, {c: wanted[c] for c in run_of})
            printer.values.pending.update({wanted[c]: load for c in run_of})
    run(printer, program, plan)
    results = [printer.values[r] for r in program.results]  # every input is loaded before anything is stored
    for array, output in enumerate(tape.outputs):
        rows = row_pointers(w, f"%out{array}", f"%stride.out{array}")
        store_columns(w, rows, results[: output.size])
        results = results[output.size :]
    w.do("ret void")
    lines, table = in_order(w.lines), ""
    if printer.host.registers == 16 and w.lanes * w.real.bytes == 32:
        lines, table = with_constants_in_memory(lines, w.lanes, w.real.name)
    w.lines[:] = lines
    operands = operand_names(tape)
    w.label("cold")
    for lane in range(w.lanes):
        scalar_call(w, operands, lane)
    w.do("ret void")
    return table + w.function(f"internal void @torsor_group({_strided(operands)}) noinline #1")


def rows_function(tape: Tape, width: int, wide: Callable[[Writer, list[str], int], None]) -> str:
    """The loop over rows: ``width`` at a time, the rest one by one."""
    operands = operand_names(tape)
    w = Writer(1)
    done = "0"
    if width > 1:
        wide(w, operands, width)
        done = w.let(f"and i64 %n, {-width}")
    with w.loop("one", "%n", done) as i:
        scalar_call(w, operands, i)
    w.do("ret void")
    return w.function(f"hidden void @torsor_rows(i64 %n, {_strided(operands)}) #0")


def by_group(w: Writer, operands: list[str], width: int) -> None:
    with w.loop("wide", w.let(f"udiv i64 %n, {width}")) as i:
        first = row_of(w, operands, w.let(f"mul i64 {i}, {width}"))
        listed = ", ".join(f"ptr {p}, i64 %stride.{name}" for p, name in zip(first, operands, strict=True))
        w.do(f"call void @torsor_group({listed})")


def operand_names(tape: Tape) -> list[str]:
    return [f"in{i}" for i in range(len(tape.inputs))] + [f"out{i}" for i in range(len(tape.outputs))]


def _strided(operands: list[str]) -> str:
    return ", ".join(f"ptr %{p}, i64 %stride.{p}" for p in operands)


def _load(printer: IrPrinter, rows: list[str], wanted: dict[int, int]) -> None:
    columns = load_columns(printer.w, rows, list(wanted))
    printer.values.update({value: columns[c] for c, value in wanted.items()})


def flat_places(arrays: tuple[Array, ...]) -> list[tuple[int, int]]:
    """For every scalar: which array it is in, and where."""
    return [(i, k) for i, a in enumerate(arrays) for k in range(a.size)]


def library_sincos(real: Precision) -> str:
    """For every angle of a list beyond LIMIT, the C library's sine and cosine."""
    w = Writer(1, real)
    with w.loop("each", "%n") as i:
        angle = w.load(w.at("%x", i))
        large = too_large(w, angle)
        for slot, listed in ((SIN, "%s"), (COS, "%c")):
            exact = library_call(w, w.load(table_slot(slot), "ptr"), [angle])
            place = w.at(listed, i)
            w.store(w.let(f"select i1 {large}, {real.name} {exact}, {real.name} {w.load(place)}"), place)
    w.do("ret void")
    return w.function("internal void @torsor_library_sincos(ptr %x, ptr %s, ptr %c, i64 %n) noinline cold optnone #0")


def preamble(real: Precision) -> str:
    lines = [f"@torsor_table = hidden global [{TABLE_SIZE} x ptr] zeroinitializer, align 8"]
    for lanes in (1, 2, 4, 8, 16):
        kind = vector(lanes, real.name)
        for name, arity in {"fma": 3, "sqrt": 1, "fabs": 1, "floor": 1, "minimum": 2, "maximum": 2}.items():
            lines.append(f"declare {kind} @llvm.{name}.{mangled(lanes, real)}({', '.join([kind] * arity)})")
    return "\n".join(lines)


ENDING = """
attributes #0 = {{ nounwind "min-legal-vector-width"="256" "prefer-vector-width"="256" }}
attributes #1 = {{ nounwind "min-legal-vector-width"="{bits}" "prefer-vector-width"="{bits}" }}
!0 = !{{!"branch_weights", i32 1, i32 100000}}
"""
