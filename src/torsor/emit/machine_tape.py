"""A tape made ready for machines: dead values dropped, multiply-adds fused, angles gathered for shared trigonometry.

Fusing is done here and not by LLVM so that the scalar and the SIMD kernel make the same roundings: a row of a batch
equals the single call to the last bit.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

from torsor.algebra.tape import Tape
from torsor.emit.machine_sums import SUMS, MachineStep, Sums

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
    code, sums = tape.code, Sums(tape, fuse=fuse)
    inputs: dict[int, int] = {}
    consts: dict[int, float] = {}
    steps: dict[int, MachineStep] = {}
    angles: dict[int, list[int]] = {}  # angle value -> [sin value, cos value]
    generation: dict[int, int] = {}
    same: dict[int, int] = {}  # a sine asked for twice (by a tape that was not simplified) -> the first

    def add(step: MachineStep) -> None:
        steps[step.out] = step
        generation[step.out] = max((generation[a] for a in step.args), default=0)

    for k, (op, args, value) in enumerate(code):
        if not sums.uses[k] or k in sums.gone:
            continue
        generation[k] = 0
        if op == "input":
            inputs[k] = int(value)
        elif op == "const":
            consts[k] = float(value)
        elif op in ("sin", "cos"):
            x, at = same.get(args[0], args[0]), op == "cos"
            pair = angles.setdefault(x, [-1, -1])
            if pair[at] >= 0:
                same[k] = pair[at]
            else:
                pair[at] = k
            generation[k] = generation[x] + 1
            sums.step(op, k, args)
        elif op in SUMS:
            for step in sums.joined(k):
                add(step)
        else:
            add(sums.step(op, k, args))
    if same:
        steps = {k: MachineStep(s.op, s.out, tuple(same.get(a, a) for a in s.args)) for k, s in steps.items()}
    results = tuple(same.get(r, r) for r in tape.results)
    return MachineTape(inputs, consts, _ordered(steps, angles, generation), results)


def _ordered(
    steps: dict[int, MachineStep], angles: dict[int, list[int]], generation: dict[int, int]
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
    ordered += [step for k, step in steps.items() if k not in done]
    return tuple(ordered)
