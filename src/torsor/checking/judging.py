"""From a plan to a verdict: block by block, what the motion takes, what is reached, and what becomes of each move."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from torsor.checking.between_samples import JudgedBlock
from torsor.checking.checked_arm import CheckedArm
from torsor.checking.closest import Closest
from torsor.checking.known_limits import Known
from torsor.checking.lagging import Lagging
from torsor.checking.moves import MoveTaken
from torsor.checking.problems import Remark, problems_of, thermal_problems
from torsor.checking.sampling import Planned, blocks
from torsor.checking.signals import Signals, SignalTimes
from torsor.checking.verdict import Verdict
from torsor.checking.warming import Warming

Sink = Callable[[Signals], None]


def judge(
    machine: CheckedArm,
    pieces: Iterable[Planned],
    about: Mapping[str, Any],
    *,
    dt: float = 0.01,
    keep: bool = True,
    sinks: Iterable[Sink] = (),
    each: Callable[[MoveTaken], None] | None = None,
) -> Verdict:
    """Goes through the pieces once. ``each`` hears of every move as it begins, ``sinks`` get the signals in blocks.

    ``about`` names the program: program, file, language, source. Nothing but signals depends on ``dt``.
    """
    moves: list[MoveTaken] = []
    kept: list[Signals] = []
    sinks = [*sinks, kept.append] if keep else list(sinks)
    lagging, cycles, warming = Lagging(), SignalTimes(dt), Warming(machine)
    lag, saturates = np.zeros(len(machine.joints)), False
    closest = Closest(machine)
    for block in blocks(machine, pieces):
        judged = JudgedBlock.of(block)
        saturates |= bool(len(judged.troubled))
        owners = []
        for k, section in enumerate(block.sections):
            if section.begins:
                moves.append(MoveTaken(len(moves), section.piece.command, section.span[0], block.machine))
                if each is not None:
                    each(moves[-1])
            moves[-1].add(judged, k)
            owners.append(moves[-1].index)
        closest.add(judged, owners)
        reached = lagging.through(block, judged.troubled)
        for part in reached:
            of_section = block.sections_at(part.time)
            for k in np.unique(of_section):
                late = of_section == k
                moves[owners[k]].deviate(float(part.off[late].max()), float(part.turned[late].max()))
            if block.final and part.time[-1] >= block.span[1]:
                lag = part.planned[-1] - part.q[-1]
        warming.add(judged)
        if sinks:
            for time in cycles.of(block):
                signals = Signals.at(block, time, np.array(owners), reached)
                for sink in sinks:
                    sink(signals)
    verdict = Verdict(
        **about,
        robot=machine.arm.name,
        dt=dt,
        time=max((move.start + move.duration for move in moves), default=0.0),
        moves=moves,
        problems=problems_of(machine, moves),
        known=Known.of(machine),
        machine=machine,
        lag=lag,
        warming=warming.peak,
        kept=Signals.joined(kept) if kept else None,
    )
    verdict.problems += thermal_problems(machine, moves, verdict.rms, warming.peak, verdict.time)
    verdict.notes += [Remark(note) for note in verdict.known.notes]
    if (told := closest.told(moves)) is not None and not any(each.kind == "collision" for each in verdict.problems):
        verdict.notes.append(told)
    if saturates and (why := machine.not_stepped or lagging.lost):
        what = f"what {machine.arm.name} reaches where it is asked too much is not computed: {why}"
        verdict.notes.append(Remark(what))
    return verdict
