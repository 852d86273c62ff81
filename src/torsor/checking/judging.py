"""From a plan to a verdict."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from torsor.checking.machine import Machine
from torsor.checking.moves import MoveTaken
from torsor.checking.problems import Remark, problems_of, thermal_problems
from torsor.checking.running import Pass
from torsor.checking.sampling import Stage
from torsor.checking.signals import Signals
from torsor.checking.verdict import Known, Verdict
from torsor.motion.commands import Command, Dwell, Gripper, Joints, Move, Payload, Pose, Tool
from torsor.motion.curves import Trajectory

Sink = Callable[[Signals], None]


class Planned(Protocol):
    """A piece of a plan: a trajectory that begins at ``start``, and the command it carries out."""

    @property
    def start(self) -> float: ...

    @property
    def trajectory(self) -> Trajectory: ...

    @property
    def command(self) -> Command: ...


@dataclass(frozen=True)
class About:
    """What is judged."""

    program: str
    file: str
    language: str
    source: str


def judge(
    machine: Machine,
    pieces: Iterable[Planned],
    about: About,
    *,
    dt: float = 0.01,
    keep: bool = True,
    sinks: Iterable[Sink] = (),
    each: Callable[[MoveTaken], None] | None = None,
) -> Verdict:
    """Goes through the pieces once. ``each`` hears of every move as it begins."""
    moves: list[MoveTaken] = []
    gathered = Pass(dt, machine, moves)
    kept: list[Signals] = []
    all_sinks = [*sinks, kept.append] if keep else list(sinks)
    gathered.run(_stages(machine, pieces, moves, each), all_sinks)
    time = max((move.start + move.duration for move in moves), default=0.0)
    verdict = Verdict(
        program=about.program,
        file=about.file,
        language=about.language,
        source=about.source,
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
    return verdict


def _stages(
    machine: Machine, pieces: Iterable[Planned], moves: list[MoveTaken], each: Callable[[MoveTaken], None] | None
) -> Iterator[Stage]:
    """Pieces with their moves: neighbouring pieces of one command are one move."""
    machines = Machines(machine)
    last: object = None
    for piece in pieces:
        command = piece.command
        machine = machines.after(command)
        if not piece.trajectory.duration > 0.0:
            continue  # an event without motion takes nothing
        if command is not last:
            last = command
            kind, target = describe(command)
            moves.append(MoveTaken.begun(len(moves), kind, target, command.place, piece.start, machine))
            if each is not None:
                each(moves[-1])
        yield Stage(piece, len(moves) - 1, machine)


class Machines:
    """The arm as the program changes it: what it holds, which tool it has. The same again is the same machine."""

    def __init__(self, machine: Machine) -> None:
        self.bare = self.now = machine
        self._tool, self._held = machine.tool, (0.0, (0.0, 0.0, 0.0))
        self._known: dict[object, Machine] = {}

    def after(self, command: Command) -> Machine:
        match command:
            case Payload():
                self._held = command.mass, command.com
            case Tool():
                self._tool = np.asarray(command.T, dtype=np.float64)
            case _:
                return self.now
        key = self._held, None if self._tool is None else self._tool.tobytes()
        if key not in self._known:
            mounted = self.bare if self._tool is None else self.bare.with_tool(self._tool)
            self._known[key] = mounted.holding(*self._held) if self._held[0] > 0.0 else mounted
        self.now = self._known[key]
        return self.now


def describe(command: Command) -> tuple[str, str]:
    """Kind and target, as tables show them."""
    match command:
        case Move():
            return command.kind, _name(command)
        case Dwell():
            return "dwell", f"{command.seconds:g} s"
        case Gripper():
            return "gripper", "close" if command.closed else "open"
    return type(command).__name__.lower(), ""


def _name(move: Move) -> str:
    def of(target: Joints | Pose) -> str:
        if target.name:
            return target.name
        if isinstance(target, Joints):
            return "(" + ", ".join(f"{np.degrees(x):.4g}" for x in target.q) + ") deg"
        return "(" + ", ".join(f"{1e3 * x:.5g}" for x in target.position) + ") mm"

    via = "".join(f"{of(point)}, " for point in move.via)
    return via + of(move.target)
