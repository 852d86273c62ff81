"""Batches on x86-64 with AVX2 and 16 registers: groups of rows by instructions of our own, `torsor_groups`.

Dynamics of UR5 and Panda take 0.87 to 0.95 of the time that LLVM's order and registers give them, their derivatives
0.83 to 0.98, inverse dynamics of 16 to 64 joints 0.72 to 0.91. Left to LLVM are single precision, operations and arrays
that `avx_graph.py` does not know, other systems than Linux, what is very large, and what mostly writes, as some
regressors do.
"""

from __future__ import annotations

from torsor.algebra.tape import Tape
from torsor.emit.avx_code import ENTRY, assembly_of
from torsor.emit.avx_graph import graph_of
from torsor.emit.avx_order import in_order
from torsor.emit.host import Host
from torsor.emit.kernel_rows import row_of, scalar_call
from torsor.emit.machine_tape import MachineTape
from torsor.emit.precision import DOUBLE, Precision
from torsor.emit.writer import Writer

# Nodes, beyond which nothing is gained: forward dynamics of 32 joints take 0.92 of LLVM's time, of 64 joints 1.13.
LARGEST = 20_000
# Nodes for each number that is written, below which as little is: the regressor of Panda, with 5, takes 1.17 of LLVM's
# time; Jacobians and derivatives have 10 to 23.
FEWEST_A_RESULT = 6


def assembly(tape: Tape, program: MachineTape, host: Host, real: Precision) -> str | None:
    """`torsor_groups` as part of a module, and its declaration; None of what is left to LLVM."""
    arrays = len(tape.inputs) + len(tape.outputs)
    if real is not DOUBLE or not host.has_avx2_alone:
        return None
    graph = graph_of(tape, program)
    if graph is None or not FEWEST_A_RESULT * len(program.results) <= len(graph.nodes) <= LARGEST:
        return None
    lines = [line.replace('"', "\\22") for line in assembly_of(graph, in_order(graph), arrays)]
    return "\n".join([*(f'module asm "{line}"' for line in lines), f"declare hidden i64 @{ENTRY}(i64, ptr)"])


def by_groups(w: Writer, operands: list[str], width: int) -> None:
    """All groups, of which those that have an angle for the scalar kernel are computed by it."""
    groups = w.let(f"udiv i64 %n, {width}")
    listed = w.let(f"alloca [{2 * len(operands)} x i64], align 16")
    for k, name in enumerate(operands):
        w.store(f"%stride.{name}", w.at(listed, 2 * k + 1, "i64"), "i64")
    w.do("br label %wide")
    w.label("wide")
    head = len(w.lines)
    for k, start in enumerate(row_of(w, operands, w.let(f"mul i64 %wide.i, {width}"))):
        w.store(start, w.at(listed, 2 * k, "i64"), "ptr")
    left = w.let(f"call i64 @{ENTRY}(i64 {w.let(f'sub i64 {groups}, %wide.i')}, ptr {listed})")
    w.do(f"br i1 {w.let(f'icmp eq i64 {left}, 0')}, label %wide.end, label %wide.large")
    w.label("wide.large")
    large = w.let(f"sub i64 {groups}, {left}")
    first = w.let(f"mul i64 {large}, {width}")
    for lane in range(width):
        scalar_call(w, operands, w.let(f"add i64 {first}, {lane}"))
    w.do(f"%wide.next = add i64 {large}, 1")
    w.do("br label %wide")
    w.lines.insert(head, "  %wide.i = phi i64 [ 0, %entry ], [ %wide.next, %wide.large ]")
    w.label("wide.end")
