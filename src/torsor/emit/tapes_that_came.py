"""Tapes that came with Torsor: what searches of minutes found for arms of the library, on another machine.

They are looked up by what the arm is (`kernel_files.py`), to 12 decimals, and taken only if they agree with the
equations as they are traced here. Those in `KERNELS` are what kernels are compiled from: inverse or forward dynamics of
an arm, where that was measured to run faster than what is traced and simplified at once
(`benchmarks/write_kernel_tapes.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from torsor.algebra import Tape, parse
from torsor.algebra.counting import nodes_of
from torsor.algebra.guard import Guard
from torsor.algebra.node import Node, build, const, stacked
from torsor.algebra.tape import Instruction
from torsor.emit import kernel_files
from torsor.emit.kernel_files import DECIMALS, path_that_came
from torsor.mechanics.tree import Reals

Graphs = dict[str, Reals]


def leaner(rounded: Callable[[int], bytes | None], inputs: Mapping[str, Any], outputs: Graphs) -> Graphs:
    """These outputs in fewer operations, if that came with Torsor: by facts rounded to so many decimals."""
    facts = rounded(DECIMALS)
    path = None if facts is None else path_that_came(kernel_files.KERNELS, facts)
    if path is None:
        return outputs
    tape = parse(path.read_text(encoding="utf-8"))
    return graphs_of(tape, inputs) if is_tape_of(tape, inputs, outputs) else outputs


def graphs_of(tape: Tape, inputs: Mapping[str, Any]) -> Graphs:
    """What a tape computes, on symbols and parameters of the names of its inputs."""
    given = [node for array in tape.inputs for node in nodes_of(inputs[array.name])]

    def made(step: Instruction, args: list[Node]) -> Node:
        if step.op == "input":
            return given[int(step.value)]
        return const(step.value) if step.op == "const" else build(step.op, *args)

    nodes, at = tape.run(made), 0
    found: Graphs = {}
    for array in tape.outputs:
        found[array.name] = stacked(nodes[at : at + array.size], array.shape)
        at += array.size
    return found


def is_tape_of(tape: Tape, inputs: Mapping[str, Any], outputs: Graphs) -> bool:
    """Whether a tape computes these outputs, at the points of a guard."""
    if not {array.name for array in tape.inputs} <= set(inputs):
        return False
    mine = graphs_of(tape, inputs)
    shapes = [(name, np.shape(each)) for name, each in outputs.items()]
    if [(name, np.shape(each)) for name, each in mine.items()] != shapes:
        return False
    return Guard().differs(nodes_of(outputs), nodes_of(mine)) is None
