"""A tape made ready for machines: dead values dropped, multiply-adds fused, angles gathered for shared trigonometry.

Fusing is done here and not by LLVM so that the scalar and the SIMD kernel make the same roundings: a row of a batch
equals the single call to the last bit.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

from torsor.algebra.tape import Tape
from torsor.emit.expressions import uses_of

# Rough result latencies in cycles, for choosing which of two products joins an addition.
LATENCY = {"add": 3, "sub": 3, "mul": 4, "div": 13, "sqrt": 18, "sin": 50, "cos": 50, "exp": 60, "atan2": 90}


@dataclass(frozen=True, slots=True)
class MachineStep:
    """One operation of a program: a tape operation, or a fused one.

    "fma" is a*b + c, "fms" a*b - c, "fnma" c - a*b.
    """

    op: str
    out: int
    args: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Angles:
    """Sines and cosines of several angles at once. A value number of -1 means: nobody asks for it."""

    args: tuple[int, ...]
    sines: tuple[int, ...]
    cosines: tuple[int, ...]
    generation: int  # 0 when no angle depends on another sine or cosine


@dataclass(frozen=True)
class MachineTape:
    inputs: dict[int, int]  # value number -> flat input index, live ones only
    consts: dict[int, float]
    steps: tuple[MachineStep | Angles, ...]
    results: tuple[int, ...]


def machine_tape(tape: Tape, *, fuse: bool) -> MachineTape:
    """Lower a tape. ``fuse`` only where the machine has a fused multiply-add instruction."""
    code = tape.code
    uses = uses_of(tape)
    ready = _ready_times(tape)
    inputs: dict[int, int] = {}
    consts: dict[int, float] = {}
    steps: dict[int, MachineStep] = {}
    angles: dict[int, list[int]] = {}  # angle value -> [sin value, cos value]
    generation = [0] * len(code)
    fused: set[int] = set()
    same: dict[int, int] = {}  # a sine asked for twice (by a tape that was not simplified) -> the first
    for k in range(len(code)):
        if not uses[k]:
            continue
        op, args = code[k].op, tuple(same.get(a, a) for a in code[k].args)
        generation[k] = max((generation[a] for a in args), default=0)
        if op == "input":
            inputs[k] = int(code[k].value)
        elif op == "const":
            consts[k] = float(code[k].value)
        elif op in ("sin", "cos"):
            pair, at = angles.setdefault(args[0], [-1, -1]), op == "cos"
            if pair[at] >= 0:
                same[k] = pair[at]
            else:
                pair[at] = k
            generation[k] += 1
        elif fuse and op in ("add", "sub"):
            steps[k] = _fused(tape, k, uses, ready, fused)
        else:
            steps[k] = MachineStep(op, k, args)
    for k in fused:
        del steps[k]
    if same:
        steps = {k: MachineStep(s.op, s.out, tuple(same.get(a, a) for a in s.args)) for k, s in steps.items()}
    results = tuple(same.get(r, r) for r in tape.results)
    return MachineTape(inputs, consts, _ordered(steps, angles, generation), results)


def _ready_times(tape: Tape) -> list[int]:
    """The cycle at which a value could be ready on a machine without limits."""
    ready: list[int] = []
    for op, args, _ in tape.code:
        ready.append(LATENCY.get(op, 1) + max(ready[a] for a in args) if args else 0)
    return ready


def _fused(tape: Tape, k: int, uses: list[int], ready: list[int], fused: set[int]) -> MachineStep:
    """a*b + c for an addition with a product nobody else uses; of two products the one that is ready last joins."""
    op, (x, y) = tape.code[k].op, tape.code[k].args
    candidates = [v for v in (x, y) if tape.code[v].op == "mul" and uses[v] == 1 and x != y]
    if not candidates:
        return MachineStep(op, k, (x, y))
    product = max(candidates, key=lambda v: ready[v])
    other = y if product == x else x
    fused.add(product)
    a, b = tape.code[product].args
    if op == "add":
        return MachineStep("fma", k, (a, b, other))
    return MachineStep("fms" if product == x else "fnma", k, (a, b, other))


def _ordered(
    steps: dict[int, MachineStep], angles: dict[int, list[int]], generation: list[int]
) -> tuple[MachineStep | Angles, ...]:
    """Angles as early as they can be, what leads to them before, everything else in tape order."""
    ordered: list[MachineStep | Angles] = []
    done: set[int] = set()

    for g, group in groupby(sorted(angles, key=lambda x: (generation[x], x)), key=lambda x: generation[x]):
        args = tuple(group)
        for x in args:  # what leads to it
            pending = [x]
            while pending:
                k = pending[-1]
                missing = [a for a in steps[k].args if a in steps and a not in done] if k in steps else []
                pending += missing
                if not missing:
                    if k in steps and k not in done:
                        ordered.append(steps[k])
                        done.add(k)
                    pending.pop()
        sines, cosines = (tuple(angles[x][way] for x in args) for way in (0, 1))
        ordered.append(Angles(args, sines, cosines, g))
    ordered += [steps[k] for k in sorted(steps) if k not in done]
    return tuple(ordered)
