"""Long programs cut into blocks, so that compile time grows with length and not with its square.

Each block becomes a function of its own. A value that is needed in a later block passes through a slot of a scratch
buffer on the stack; a slot is used again once the last reader of its value is done.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count

from torsor.emit.machine_sums import MachineStep
from torsor.emit.machine_tape import Angles, MachineTape

# Steps in one function. Below LONGEST all is one piece, which runs a tenth to a third faster than blocks and compiles
# as quickly (1.6 s at 9,000 steps); at 19,000 it takes 4.9 s where blocks take 3.0. Blocks of 400 compile in the least
# time (2,500: 5.2 s, 1,000: 3.9, 400: 3.0, 150: 2.9 and slower code) and keep what they work on in the first cache.
LONGEST = 12_000
BLOCK = 400
ANGLE_WEIGHT = 12  # steps that one sine and cosine count for


@dataclass(frozen=True)
class CodeBlock:
    steps: tuple[MachineStep | Angles, ...]
    reads: dict[int, int]  # value -> slot
    writes: dict[int, int]


@dataclass(frozen=True)
class BlockPlan:
    slots: int
    inputs: dict[int, int]  # input value -> slot, filled before the first block
    blocks: tuple[CodeBlock, ...]
    results: dict[int, int]  # value -> slot, after the last block (constants have none)


def weight(step: MachineStep | Angles) -> int:
    return ANGLE_WEIGHT * len(step.args) if isinstance(step, Angles) else 1


def is_long(program: MachineTape, longest: int = LONGEST) -> bool:
    return sum(map(weight, program.steps)) > longest


def plan(program: MachineTape, size: int = BLOCK) -> BlockPlan:
    pieces = _cut(program.steps, size)
    last = len(pieces)
    last_reader: dict[int, int] = {}
    reads: list[list[int]] = []
    for i, piece in enumerate(pieces):
        made = {v for s in piece for v in defined(s)}
        needed = sorted({a for s in piece for a in s.args if a not in made and a not in program.consts})
        reads.append(needed)
        for a in needed:
            last_reader[a] = i
    results = sorted({r for r in program.results if r not in program.consts})
    for r in results:
        last_reader[r] = last

    slot_of: dict[int, int] = {}
    free: list[int] = []
    fresh = count()

    def take(value: int) -> int:
        slot_of[value] = free.pop() if free else next(fresh)
        return slot_of[value]

    expiring: dict[int, list[int]] = {}
    for value, reader in last_reader.items():
        expiring.setdefault(reader, []).append(value)
    inputs = {v: take(v) for v in program.inputs if v in last_reader}
    blocks = []
    for i, piece in enumerate(pieces):
        block_reads = {v: slot_of[v] for v in reads[i]}
        # Slots of values that die here are free only after the block: it may write before it reads.
        writes = {v: take(v) for s in piece for v in defined(s) if v in last_reader}
        free += [slot_of[v] for v in expiring.get(i, ())]
        blocks.append(CodeBlock(tuple(piece), block_reads, writes))
    return BlockPlan(next(fresh), inputs, tuple(blocks), {r: slot_of[r] for r in results})


def defined(step: MachineStep | Angles) -> tuple[int, ...]:
    if isinstance(step, MachineStep):
        return (step.out,)
    return tuple(v for v in step.sines + step.cosines if v >= 0)


def _cut(steps: tuple[MachineStep | Angles, ...], size: int) -> list[list[MachineStep | Angles]]:
    pieces: list[list[MachineStep | Angles]] = [[]]
    room = size
    for step in _small(steps):
        if room < weight(step) and pieces[-1]:
            pieces.append([])
            room = size
        pieces[-1].append(step)
        room -= weight(step)
    return pieces


def _small(steps: tuple[MachineStep | Angles, ...]) -> Iterator[MachineStep | Angles]:
    """Angles in groups of at most 16: they are cut like everything else."""
    for step in steps:
        if isinstance(step, MachineStep):
            yield step
        else:
            for s in (slice(i, i + 16) for i in range(0, len(step.args), 16)):
                yield Angles(step.args[s], step.sines[s], step.cosines[s], step.generation)
