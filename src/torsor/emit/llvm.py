"""Tape to LLVM IR: the scalar kernel and the batch kernel, from one printer of steps.

    void torsor_scalar(double *in0, ..., double *out0, ...)
    void torsor_rows(int64 n, double *in0, int64 stride0, ..., double *out0, int64 stride, ...)      strides in bytes

Both read every input of a row before they write any output of it, so that an output may be an input. The code holds
no addresses: what it needs from outside (the C library's sine, Python's functions) it finds in `torsor_table`, which
is filled after loading. That makes the object file good for a cache.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from torsor.algebra.tape import Array, Tape
from torsor.emit import blocks
from torsor.emit.host import Host
from torsor.emit.program import Angles, Program, Step, program_from
from torsor.emit.rows import column_pairs, load_columns, row_pointers, store_columns
from torsor.emit.sincos import LIMIT, sincos, too_large
from torsor.emit.writer import Writer, double, mangled, vector

# Slots of torsor_table: the C library's functions first; fastcall.py uses the others.
SIN, COS, EXP, ATAN2, FLOOR = range(5)
LIBRARY = ("sin", "cos", "exp", "atan2", "floor")
TABLE_SIZE = 24
MOST_SCRATCH = 128 * 1024  # bytes of stack for a long program; wider batches give way

FUSED = {"fma": (False, False), "fms": (False, True), "fnma": (True, False)}
COMPARE = {"lt": "olt", "le": "ole", "eq": "oeq"}
BINARY = {"add": "fadd", "sub": "fsub", "mul": "fmul", "div": "fdiv"}
INTRINSIC = {"sqrt": "sqrt", "abs": "fabs", "min": "minimum", "max": "maximum"}


def kernel_ir(tape: Tape, host: Host, *, longest: int = blocks.LONGEST, block: int = blocks.BLOCK) -> str:
    """The IR of both kernels; `loops.py` and `fastcall.py` add what NumPy and Python call."""
    program = program_from(tape, fuse=host.fma)
    plan = blocks.plan(program, block) if blocks.is_long(program, longest) else None
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


class Values(dict[int, str]):
    """IR names of values. One that is pending is printed where it is first asked for, close to its use: an early load
    or sine would only be put aside on the stack."""

    def __init__(self, known: dict[int, str]) -> None:
        super().__init__(known)
        self.pending: dict[int, Callable[[], None]] = {}

    def __missing__(self, value: int) -> str:
        self.pending[value]()
        return dict.__getitem__(self, value)


class Printer:
    """Prints steps of a program into a writer; ``values`` maps value numbers to IR names."""

    def __init__(self, w: Writer, program: Program, host: Host, *, tag: str = "") -> None:
        self.w = w
        self.host = host
        self.tag = tag
        self.values = Values({k: w.const(c) for k, c in program.consts.items()})
        self.flags: dict[int, str] = {}  # comparisons, as i1
        self.bail: str | None = None  # label to leave for when an angle is too large for the polynomials
        self.joins = 0

    def steps(self, steps: tuple[Step | Angles, ...]) -> None:
        for step in steps:
            if isinstance(step, Angles):
                self.angles(step)
            else:
                self.values[step.out] = self.step(step)

    def step(self, step: Step) -> str:
        w, op = self.w, step.op
        args = [self.values[a] for a in step.args]
        if op in BINARY:
            return w.let(f"{BINARY[op]} {w.type} {args[0]}, {args[1]}")
        if op in FUSED:
            minus_product, minus_sum = FUSED[op]
            a, b, c = args
            return w.fma(w.neg(a) if minus_product else a, b, w.neg(c) if minus_sum else c)
        if op == "neg":
            return w.neg(args[0])
        if op in INTRINSIC:
            return w.intrinsic(INTRINSIC[op], *args)
        if op in COMPARE:
            self.flags[step.out] = w.let(f"fcmp {COMPARE[op]} {w.type} {args[0]}, {args[1]}")
            return self.choose(self.flags[step.out], w.const(1.0), w.const(0.0))
        if op == "select":
            flag = self.flags.get(step.args[0]) or w.let(f"fcmp une {w.type} {args[0]}, {w.const(0.0)}")
            return self.choose(flag, args[1], args[2])
        if op == "sign":  # zero and NaN are their own sign
            negative = w.let(f"fcmp olt {w.type} {args[0]}, {w.const(0.0)}")
            positive = w.let(f"fcmp ogt {w.type} {args[0]}, {w.const(0.0)}")
            return self.choose(positive, w.const(1.0), self.choose(negative, w.const(-1.0), args[0]))
        if op == "floor" and self.host.fma:  # such a machine has a rounding instruction
            return w.intrinsic("floor", *args)
        return self.library_call({"exp": EXP, "atan2": ATAN2, "floor": FLOOR}[op], args)

    def choose(self, flag: str, yes: str, no: str) -> str:
        w = self.w
        return w.let(f"select {vector(w.lanes, 'i1')} {flag}, {w.type} {yes}, {w.type} {no}")

    def library_call(self, slot: int, args: list[str]) -> str:
        """A function of the C library, lane by lane."""
        w = self.w
        function = w.let(f"load ptr, ptr {table_slot(slot)}, align 8")
        if w.lanes == 1:
            return w.let(f"call double {function}({', '.join(f'double {a}' for a in args)})")
        value = "poison"
        for lane in range(w.lanes):
            each = [w.let(f"extractelement {w.type} {a}, i32 {lane}") for a in args]
            one = w.let(f"call double {function}({', '.join(f'double {a}' for a in each)})")
            value = w.let(f"insertelement {w.type} {value}, double {one}, i32 {lane}")
        return value

    def angles(self, step: Angles) -> None:
        if self.w.lanes > 1 and self.bail is not None:
            self.leave_if_large([(self.w, self.values[x]) for x in step.args])
            for x, s, c in zip(step.args, step.sines, step.cosines, strict=True):
                self.values.pending[s] = self.values.pending[c] = partial(self.one_angle, x, s, c)
            return
        packs = self.packs(step)
        found = [sincos(v, x, fma=self.host.fma) for v, x, _ in packs]
        repaired = self.repair(packs, found)
        for (v, _, members), (sine, cosine) in zip(packs, repaired, strict=True):
            for lane, i in enumerate(members):
                self.values[step.sines[i]] = self.lane(v, sine, lane)
                self.values[step.cosines[i]] = self.lane(v, cosine, lane)

    def one_angle(self, x: int, s: int, c: int) -> None:
        self.values[s], self.values[c] = sincos(self.w, self.values[x], fma=self.host.fma)

    def packs(self, step: Angles) -> list[tuple[Writer, str, list[int]]]:
        """The angles packed several to a register (scalar kernel), or one by one (batch kernel)."""
        w = self.w
        if w.lanes > 1:
            return [(w, self.values[x], [i]) for i, x in enumerate(step.args)]
        packs: list[tuple[Writer, str, list[int]]] = []
        for start in range(0, len(step.args), self.host.pack):
            members = list(range(start, min(start + self.host.pack, len(step.args))))
            lanes = next(size for size in (2, 4, 8) if size >= len(members)) if self.host.pack > 1 else 1
            v = Lanes(w, lanes)
            x = self.values[step.args[start]]
            if lanes > 1:
                x = "poison"
                for lane in range(lanes):  # spare lanes repeat the last angle
                    member = members[min(lane, len(members) - 1)]
                    angle = self.values[step.args[member]]
                    x = w.let(f"insertelement {v.type} {x}, double {angle}, i32 {lane}")
            packs.append((v, x, members))
        return packs

    def lane(self, v: Writer, value: str, lane: int) -> str:
        if v.lanes == self.w.lanes:
            return value
        return self.w.let(f"extractelement {v.type} {value}, i32 {lane}")

    def any_large(self, angles: list[tuple[Writer, str]]) -> str:
        """An i1: some angle is beyond the polynomials."""
        w = self.w
        masks: dict[int, str] = {}
        for v, x in angles:
            large = too_large(v, x)
            if v.lanes in masks:
                large = w.let(f"or {vector(v.lanes, 'i1')} {masks[v.lanes]}, {large}")
            masks[v.lanes] = large
        found = ""
        for lanes, mask in masks.items():
            if lanes > 1:
                packed = w.let(f"bitcast {vector(lanes, 'i1')} {mask} to i{lanes}")
                mask = w.let(f"icmp ne i{lanes} {packed}, 0")
            found = w.let(f"or i1 {found}, {mask}") if found else mask
        return found

    def leave_if_large(self, angles: list[tuple[Writer, str]]) -> None:
        flag = self.any_large(angles)
        self.joins += 1
        small = f"small{self.tag}{self.joins}"
        self.w.do(f"br i1 {flag}, label %{self.bail}, label %{small}, !prof !0")
        self.w.label(small)

    def repair(self, packs: list[tuple[Writer, str, list[int]]], found: list[tuple[str, str]]) -> list[tuple[str, str]]:
        """Replace the sines and cosines of large angles by the library's, in a block that is hardly ever entered."""
        w = self.w
        flag = self.any_large([(v, x) for v, x, _ in packs])
        self.joins += 1
        here, cold, join = (f"{word}{self.tag}{self.joins}" for word in ("here", "cold", "join"))
        w.do(f"br label %{here}")
        w.label(here)
        w.do(f"br i1 {flag}, label %{cold}, label %{join}, !prof !0")
        w.label(cold)
        mended = []
        for (v, x, _), (s, c) in zip(packs, found, strict=True):
            pointers: list[str] = []
            for value in (x, s, c):
                pointers.append(w.let(f"getelementptr i8, ptr %spare, i64 {64 * len(pointers)}"))
                w.do(f"store {v.type} {value}, ptr {pointers[-1]}, align 8")
            listed = ", ".join(f"ptr {p}" for p in pointers)
            w.do(f"call void @torsor_library_sincos({listed}, i64 {v.lanes})")
            mended.append(tuple(w.let(f"load {v.type}, ptr {p}, align 8") for p in pointers[1:]))
        w.do(f"br label %{join}")
        w.label(join)
        repaired = []
        for (v, _, _), old, new in zip(packs, found, mended, strict=True):
            s, c = (w.let(f"phi {v.type} [ {a}, %{here} ], [ {b}, %{cold} ]") for a, b in zip(old, new, strict=True))
            repaired.append((s, c))
        return repaired


class Lanes(Writer):
    """A writer of another width over the lines of an existing one."""

    def __init__(self, base: Writer, lanes: int) -> None:
        self.base = base
        self.lanes = lanes
        self.lines = base.lines

    def name(self) -> str:
        return self.base.name()


def scalar_function(tape: Tape, program: Program, plan: blocks.Plan | None, host: Host) -> str:
    w = Writer(1)
    ins = [f"%in{i}" for i in range(len(tape.inputs))]
    outs = [f"%out{i}" for i in range(len(tape.outputs))]
    where = flat_places(tape.inputs)
    w.label("entry")
    w.do("%spare = alloca [24 x double], align 64")
    printer = Printer(w, program, host)
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


def run(printer: Printer, program: Program, plan: blocks.Plan | None) -> None:
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


def block_function(block: blocks.Block, number: int, program: Program, lanes: int, host: Host) -> str:
    w = Writer(lanes)
    w.label("entry")
    w.do("%spare = alloca [24 x double], align 64")
    printer = Printer(w, program, host)
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


def group_function(tape: Tape, program: Program, plan: blocks.Plan | None, host: Host, width: int) -> str:
    """``width`` rows at once. A function of its own, because from a loop LLVM moves the coefficients of the sines out
    and then has no registers left for the rest."""
    w = Writer(width)
    w.label("entry")
    w.do("%spare = alloca [24 x double], align 64")
    printer = Printer(w, program, host)
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


def _load(printer: Printer, rows: list[str], wanted: dict[int, int]) -> None:
    columns = load_columns(printer.w, rows, list(wanted))
    printer.values.update({value: columns[c] for c, value in wanted.items()})


def flat_places(arrays: tuple[Array, ...]) -> list[tuple[int, int]]:
    """For every scalar: which array it is in, and where."""
    return [(i, k) for i, a in enumerate(arrays) for k in range(a.size)]


def table_slot(slot: int) -> str:
    return f"getelementptr inbounds ([{TABLE_SIZE} x ptr], ptr @torsor_table, i64 0, i64 {slot})"


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
