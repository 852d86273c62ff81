"""Tape to LLVM IR: the scalar kernel and the batch kernel, from one printer of steps.

    void torsor_scalar(double *in0, ..., double *out0, ...)
    void torsor_rows(int64 n, double *in0, int64 stride0, ..., double *out0, int64 stride, ...)      strides in bytes

Both read every input of a row before they write any output of it, so that an output may be an input. The code holds
no addresses: what it needs from outside (the C library's sine, Python's functions) it finds in `torsor_table`, which
is filled after loading. That makes the object file good for a cache.
"""

from __future__ import annotations

from functools import partial

from torsor.algebra.circle import LIMIT
from torsor.algebra.tape import Array, Tape
from torsor.emit import code_blocks
from torsor.emit.host import Host
from torsor.emit.ir_printer import IrPrinter
from torsor.emit.machine_tape import MachineTape, machine_tape
from torsor.emit.simd_rows import column_pairs, load_columns, row_pointers, store_columns
from torsor.emit.table import COS, SIN, TABLE_SIZE, table_slot
from torsor.emit.writer import Writer, double, mangled, vector

MOST_SCRATCH = 128 * 1024  # bytes of stack for a long program; wider batches give way


def kernel_ir(tape: Tape, host: Host, *, longest: int = code_blocks.LONGEST, block: int = code_blocks.BLOCK) -> str:
    """The IR of both kernels; `gufunc_loop.py` and `fastcall.py` add what NumPy and Python call."""
    program = machine_tape(tape, fuse=host.fma)
    plan = code_blocks.plan(program, block) if code_blocks.is_long(program, longest) else None
    width = host.width
    while plan is not None and width > 1 and plan.slots * width * 8 > MOST_SCRATCH:
        width //= 2
    parts = [PREAMBLE, library_sincos()]
    if plan is not None:
        parts += [block_function(b, k, program, 1, host) for k, b in enumerate(plan.blocks)]
    parts.append(scalar_function(tape, program, plan, host))
    if plan is not None and width > 1:
        parts += [block_function(b, k, program, width, host) for k, b in enumerate(plan.blocks)]
    if width > 1:
        parts.append(group_function(tape, program, plan, host, width))
    parts.append(rows_function(tape, width))
    parts.append(ENDING.format(bits=width * 64, width_bits=max(width * 64, 256)))
    return "\n".join(parts)


def scalar_function(tape: Tape, program: MachineTape, plan: code_blocks.BlockPlan | None, host: Host) -> str:
    w = Writer(1)
    ins = [f"%in{i}" for i in range(len(tape.inputs))]
    outs = [f"%out{i}" for i in range(len(tape.outputs))]
    where = flat_places(tape.inputs)
    w.label("entry")
    w.do("%spare = alloca [24 x double], align 64")
    printer = IrPrinter(w, program, host)
    for value, flat in program.inputs.items():
        array, offset = where[flat]
        place = w.let(f"getelementptr double, ptr {ins[array]}, i64 {offset}")
        printer.values[value] = w.let(f"load double, ptr {place}, align 8")
    run(printer, program, plan)
    for flat, (array, offset) in enumerate(flat_places(tape.outputs)):
        place = w.let(f"getelementptr double, ptr {outs[array]}, i64 {offset}")
        w.do(f"store double {printer.values[program.results[flat]]}, ptr {place}, align 8")
    w.do("ret void")
    parameters = ", ".join(f"ptr {p}" for p in ins + outs)
    return "\n".join([f"define hidden void @torsor_scalar({parameters}) #0 {{", *w.lines, "}", ""])


def run(printer: IrPrinter, program: MachineTape, plan: code_blocks.BlockPlan | None) -> None:
    """The steps in line, or as calls of block functions over a scratch buffer."""
    if plan is None:
        printer.steps(program.steps)
        return
    w = printer.w
    lanes = w.lanes
    w.lines.insert(1, f"  %scratch = alloca [{plan.slots} x {w.type}], align 64")
    for value, slot in plan.inputs.items():
        place = w.let(f"getelementptr {w.type}, ptr %scratch, i64 {slot}")
        w.do(f"store {w.type} {printer.values[value]}, ptr {place}, align 8")
    for k in range(len(plan.blocks)):
        w.do(f"call void @torsor_block_{lanes}_{k}(ptr %scratch)")
    for value, slot in plan.results.items():
        place = w.let(f"getelementptr {w.type}, ptr %scratch, i64 {slot}")
        printer.values[value] = w.let(f"load {w.type}, ptr {place}, align 8")


def block_function(block: code_blocks.CodeBlock, number: int, program: MachineTape, lanes: int, host: Host) -> str:
    w = Writer(lanes)
    w.label("entry")
    w.do("%spare = alloca [24 x double], align 64")
    printer = IrPrinter(w, program, host)
    for value, slot in block.reads.items():
        place = w.let(f"getelementptr {w.type}, ptr %scratch, i64 {slot}")
        printer.values[value] = w.let(f"load {w.type}, ptr {place}, align 8")
    printer.steps(block.steps)
    for value, slot in block.writes.items():
        place = w.let(f"getelementptr {w.type}, ptr %scratch, i64 {slot}")
        w.do(f"store {w.type} {printer.values[value]}, ptr {place}, align 8")
    w.do("ret void")
    attributes = "#0" if lanes == 1 else "#1"
    head = f"define internal void @torsor_block_{lanes}_{number}(ptr %scratch) noinline {attributes} {{"
    return "\n".join([head, *w.lines, "}", ""])


def group_function(tape: Tape, program: MachineTape, plan: code_blocks.BlockPlan | None, host: Host, width: int) -> str:
    """``width`` rows at once. A function of its own, because from a loop LLVM moves the coefficients of the sines out
    and then has no registers left for the rest."""
    w = Writer(width)
    w.label("entry")
    w.do("%spare = alloca [24 x double], align 64")
    printer = IrPrinter(w, program, host)
    printer.bail = "cold" if plan is None else None
    places = flat_places(tape.inputs)
    for array in range(len(tape.inputs)):
        wanted = {places[flat][1]: value for value, flat in program.inputs.items() if places[flat][0] == array}
        rows = row_pointers(w, f"%in{array}", f"%stride.in{array}")
        for pair in column_pairs(sorted(wanted)):
            load = partial(_load, printer, rows, {c: wanted[c] for c in pair})
            printer.values.pending.update({wanted[c]: load for c in pair})
    run(printer, program, plan)
    results = [printer.values[r] for r in program.results]  # every input is loaded before anything is stored
    for array, output in enumerate(tape.outputs):
        rows = row_pointers(w, f"%out{array}", f"%stride.out{array}")
        store_columns(w, rows, results[: output.size])
        results = results[output.size :]
    w.do("ret void")
    operands = operand_names(tape)
    w.label("cold")
    for lane in range(width):
        pointers = []
        for p in operands:
            offset = w.let(f"mul i64 %stride.{p}, {lane}")
            pointers.append(w.let(f"getelementptr i8, ptr %{p}, i64 {offset}"))
        w.do(f"call void @torsor_scalar({', '.join(f'ptr {p}' for p in pointers)})")
    w.do("ret void")
    head = f"define internal void @torsor_group({_strided(operands)}) noinline #1 {{"
    return "\n".join([head, *w.lines, "}", ""])


def rows_function(tape: Tape, width: int) -> str:
    """The loop over rows: ``width`` at a time, the rest one by one."""
    operands = operand_names(tape)
    w = Writer(1)
    w.label("entry")
    starts, done, before = [f"%{p}" for p in operands], "0", "entry"
    if width > 1:
        for p in operands:
            w.do(f"%jump.{p} = mul i64 %stride.{p}, {width}")
        w.do(f"%wide.end = and i64 %n, {-width}")
        arguments = _strided(operands, "wide.")
        jumps = [f"%jump.{p}" for p in operands]
        starts, done, before = _loop(w, "wide", operands, starts, jumps, f"@torsor_group({arguments})", width, before)
    strides = [f"%stride.{p}" for p in operands]
    w.do("%one.end = add i64 %n, 0")
    arguments = ", ".join(f"ptr %one.{p}" for p in operands)
    _loop(w, "one", operands, starts, strides, f"@torsor_scalar({arguments})", 1, before, done)
    w.do("ret void")
    return "\n".join([f"define hidden void @torsor_rows(i64 %n, {_strided(operands)}) #0 {{", *w.lines, "}", ""])


def _loop(
    w: Writer,
    tag: str,
    operands: list[str],
    starts: list[str],
    jumps: list[str],
    call: str,
    step: int,
    before: str,
    done: str = "0",
) -> tuple[list[str], str, str]:
    """Call a function for rows from ``done`` up to %<tag>.end; the pointers and the count behind the last one."""
    w.do(f"br label %{tag}.test")
    w.label(f"{tag}.test")
    w.do(f"%{tag}.i = phi i64 [ {done}, %{before} ], [ %{tag}.next, %{tag} ]")
    for p, start in zip(operands, starts, strict=True):
        w.do(f"%{tag}.{p} = phi ptr [ {start}, %{before} ], [ %{tag}.{p}.next, %{tag} ]")
    w.do(f"%{tag}.more = icmp ult i64 %{tag}.i, %{tag}.end")
    w.do(f"br i1 %{tag}.more, label %{tag}, label %{tag}.out")
    w.label(tag)
    w.do(f"call void {call}")
    for p, jump in zip(operands, jumps, strict=True):
        w.do(f"%{tag}.{p}.next = getelementptr i8, ptr %{tag}.{p}, i64 {jump}")
    w.do(f"%{tag}.next = add i64 %{tag}.i, {step}")
    w.do(f"br label %{tag}.test")
    w.label(f"{tag}.out")
    return [f"%{tag}.{p}" for p in operands], f"%{tag}.i", f"{tag}.out"


def operand_names(tape: Tape) -> list[str]:
    return [f"in{i}" for i in range(len(tape.inputs))] + [f"out{i}" for i in range(len(tape.outputs))]


def _strided(operands: list[str], prefix: str = "") -> str:
    return ", ".join(f"ptr %{prefix}{p}, i64 %stride.{p}" for p in operands)


def _load(printer: IrPrinter, rows: list[str], wanted: dict[int, int]) -> None:
    columns = load_columns(printer.w, rows, list(wanted))
    printer.values.update({value: columns[c] for c, value in wanted.items()})


def flat_places(arrays: tuple[Array, ...]) -> list[tuple[int, int]]:
    """For every scalar: which array it is in, and where."""
    return [(i, k) for i, a in enumerate(arrays) for k in range(a.size)]


def library_sincos() -> str:
    """For every angle of a list beyond LIMIT, the C library's sine and cosine."""
    return f"""
define internal void @torsor_library_sincos(ptr %x, ptr %s, ptr %c, i64 %n) noinline cold #0 {{
entry:
  %sin = load ptr, ptr {table_slot(SIN)}, align 8
  %cos = load ptr, ptr {table_slot(COS)}, align 8
  br label %each
each:
  %i = phi i64 [ 0, %entry ], [ %i.next, %next ]
  %px = getelementptr double, ptr %x, i64 %i
  %angle = load double, ptr %px, align 8
  %size = call double @llvm.fabs.f64(double %angle)
  %large = fcmp ogt double %size, {double(LIMIT)}
  br i1 %large, label %mend, label %next
mend:
  %ps = getelementptr double, ptr %s, i64 %i
  %vs = call double %sin(double %angle)
  store double %vs, ptr %ps, align 8
  %pc = getelementptr double, ptr %c, i64 %i
  %vc = call double %cos(double %angle)
  store double %vc, ptr %pc, align 8
  br label %next
next:
  %i.next = add i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %each, label %end
end:
  ret void
}}
"""


PREAMBLE = f"@torsor_table = hidden global [{TABLE_SIZE} x ptr] zeroinitializer, align 8\n" + "\n".join(
    f"declare {vector(lanes)} @llvm.{name}.{mangled(lanes)}({', '.join([vector(lanes)] * arity)})"
    for lanes in (1, 2, 4, 8)
    for name, arity in {"fma": 3, "sqrt": 1, "fabs": 1, "floor": 1, "minimum": 2, "maximum": 2}.items()
)

ENDING = """
attributes #0 = {{ nounwind "min-legal-vector-width"="256" "prefer-vector-width"="256" }}
attributes #1 = {{ nounwind "min-legal-vector-width"="{width_bits}" "prefer-vector-width"="{width_bits}" }}
!0 = !{{!"branch_weights", i32 1, i32 100000}}
"""
