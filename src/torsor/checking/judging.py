"""From a plan to a verdict: block by block, what the motion takes, what is reached, and what becomes of each move."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from torsor.checking.checked_arm import CheckedArm
from torsor.checking.gathering import Gathered
from torsor.checking.lagging import Lagging
from torsor.checking.moves import MoveTaken, Shares
from torsor.checking.problems import Remark, problems_of, thermal_problems
from torsor.checking.sampling import Planned, blocks
from torsor.checking.signals import Signals
from torsor.checking.verdict import Known, Verdict

Sink = Callable[[Signals], None]


@dataclass(frozen=True)
class About:
    """What is judged."""

    program: str
    file: str
    language: str
    source: str


def judge(
    machine: CheckedArm,
    pieces: Iterable[Planned],
    about: About,
    *,
    dt: float = 0.01,
    keep: bool = True,
    sinks: Iterable[Sink] = (),
    each: Callable[[MoveTaken], None] | None = None,
) -> Verdict:
    """Goes through the pieces once. ``each`` hears of every move as it begins, ``sinks`` get the signals in blocks."""
    moves: list[MoveTaken] = []
    kept: list[Signals] = []
    sinks = [*sinks, kept.append] if keep else list(sinks)
    gathered, lagging = Gathered(machine, dt), Lagging(dt)
    saturates = False
    for block in blocks(machine, pieces, dt):
        effort = block.machine.effort(block.q, block.qd, block.qdd)
        shares = Shares.of(block, effort)
        reached = lagging.through(block, effort.given, shares.too_much)
        saturates |= bool(shares.too_much.any())
        tool_speed = block.machine.tool_speed(block.q, block.qd)
        owners = []
        for section in block.sections:
            if section.begins:
                moves.append(MoveTaken.begun(len(moves), section.command, section.start, block.machine))
                if each is not None:
                    each(moves[-1])
            moves[-1].add(section, block, effort, shares, reached, tool_speed)
            owners.append(moves[-1].index)
        signals = Signals.of(block, owners, effort, reached, tool_speed)
        gathered.add(block, signals, shares)
        for sink in sinks:
            sink(signals)
    time = max((move.start + move.duration for move in moves), default=0.0)
    verdict = Verdict(
        **vars(about),
        robot=machine.arm.name,
        dt=dt,
        time=time,
        moves=moves,
        problems=problems_of(machine, moves),
        known=Known.of(machine),
        machine=machine,
        gathered=gathered,
        kept=Signals.joined(kept) if kept else None,
    )
    verdict.problems += thermal_problems(machine, moves, verdict.rms, gathered.warming, time)
    if note := verdict.known.note:
        verdict.notes.append(Remark(note))
    if saturates and (why := machine.not_stepped or lagging.lost):
        verdict.notes.append(
            Remark(f"what {machine.arm.name} reaches where it is asked too much is not computed: {why}")
        )
    return verdict
