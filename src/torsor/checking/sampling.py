"""From planned pieces to samples, in blocks of bounded size: memory does not grow with the program; or cut at rests.

Signals are sampled at whole cycles, t = k dt. Every piece is sampled at its two ends besides, where accelerations jump:
peaks and integrals of a move see both sides of a jump. Where a move begins or ends at rest, friction is already, or
still, that of its motion: there its speed is all but zero, in the direction of the move.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from torsor.checking.checked_arm import CheckedArm, Equipped
from torsor.model.transforms import Floats
from torsor.motion.commands import Command, Tool
from torsor.motion.curves import Trajectory
from torsor.motion.tolerances import ROUNDING, STILL, first_cycle

SMALL, LARGE = 2048, 16384  # samples: a block ends at the first rest after SMALL, and at LARGE whatever happens
BESIDE, CREEP = 1e-4, 1e-12  # of a piece: where its direction at an end is looked at; of its speed: what tells it there


class Planned(Protocol):
    """A piece of a plan: a trajectory that begins at ``start``, and the command it carries out."""

    @property
    def start(self) -> float: ...

    @property
    def trajectory(self) -> Trajectory: ...

    @property
    def command(self) -> Command: ...


AnyPiece = TypeVar("AnyPiece", bound=Planned)


@dataclass(frozen=True, eq=False)
class CommandSamples:
    """The samples first:last of a block, which belong to one piece."""

    command: Command
    begins: bool  # whether this is the first section of its command: neighbouring pieces of one command are one move
    start: float  # s, of the piece
    first: int
    last: int


@dataclass(frozen=True, eq=False)
class SampleBlock:
    """Samples in a row, all with the same arm."""

    machine: CheckedArm
    time: Floats  # (samples,)
    q: Floats  # (samples, n)
    qd: Floats
    qdd: Floats
    regular: NDArray[np.bool_]  # (samples,) at a whole cycle; the others are ends of pieces
    sections: tuple[CommandSamples, ...]
    rests: tuple[int, ...]  # samples at which the arm stands still, so that a lag is over
    final: bool  # whether the program ends here


def blocks(machine: CheckedArm, pieces: Iterable[Planned], dt: float) -> Iterator[SampleBlock]:
    """Blocks of samples of the pieces, in order, with the arm as the commands before them have equipped it."""
    equipped = Equipped(machine)
    last: Command | None = None  # to be sampled
    filling = _Filling(machine)
    cycle = 0  # the next whole cycle to sample
    for piece in pieces:
        command, duration = piece.command, piece.trajectory.duration
        machine = equipped.after(command)
        if not duration > 0.0:
            continue  # an event without motion takes nothing
        if filling.machine is not machine:
            if filling.count:
                yield filling.block()
            filling = _Filling(machine)
        upto = max(first_cycle(piece.start + duration, dt), cycle)
        inside = np.clip(np.arange(cycle, upto) * dt - piece.start, 0.0, duration)
        cycle = upto
        local = np.concatenate([[0.0], inside, [duration]])
        regular = np.concatenate([[False], np.ones(len(inside), dtype=bool), [False]])
        for k in range(1, len(local), LARGE):
            if filling.count >= LARGE or (filling.count >= SMALL and filling.at_rest):
                yield filling.block()
                filling = _Filling(machine)
            # a long piece comes in sections: each begins with the last sample of the one before, so that nothing is
            # between them
            whole = regular[k - 1 : k + LARGE].copy()
            whole[0] = False
            filling.add(piece, local[k - 1 : k + LARGE], whole, begins=command is not last)
            last = command
    if filling.count:
        filling.columns[-1][4][-1] = True  # the end of the program is its last regular sample
        yield filling.block(final=True)


@dataclass(eq=False)
class _Filling:
    """A block in the making."""

    machine: CheckedArm
    columns: list[tuple[Floats, Floats, Floats, Floats, NDArray[np.bool_]]] = field(default_factory=list)
    sections: list[CommandSamples] = field(default_factory=list)
    rests: list[int] = field(default_factory=list)
    count: int = 0
    fastest: float = 0.0

    def add(self, piece: Planned, local: Floats, regular: NDArray[np.bool_], *, begins: bool) -> None:
        at = piece.trajectory.at(local)
        first, self.count = self.count, self.count + len(local)
        self.fastest = max(self.fastest, float(np.abs(at.qd).max()))
        if np.abs(at.qd[0]).max() <= ROUNDING * self.fastest:
            self.rests.append(first)
        self.sections.append(CommandSamples(piece.command, begins, piece.start, first, self.count))
        qd = _creeping(piece.trajectory, local, at.qd)
        self.columns.append((piece.start + local, at.q, qd, at.qdd, regular))

    @property
    def at_rest(self) -> bool:
        return bool(np.abs(self.columns[-1][2][-1]).max() <= ROUNDING * self.fastest)

    def block(self, *, final: bool = False) -> SampleBlock:
        time, q, qd, qdd, regular = (np.concatenate(each) for each in zip(*self.columns, strict=True))
        return SampleBlock(self.machine, time, q, qd, qdd, regular, tuple(self.sections), tuple(self.rests), final)


def _creeping(trajectory: Trajectory, local: Floats, qd: Floats) -> Floats:
    """Speeds (samples, n) that at the ends of a piece are not zero, or what rounding makes of it, but have a direction.

    Of friction only the direction counts there: a motor that brakes to a stop is helped by it until the very end.
    """
    duration = trajectory.duration
    most = float(np.abs(qd).max(initial=0.0))
    ends = (local <= 0.0) | (local >= duration)
    if most == 0.0 or not ends.any():
        return qd
    begins, stops = trajectory.at(duration * np.array([BESIDE, 1.0 - BESIDE])).qd
    way = np.where((local <= 0.0)[:, None], begins, stops)
    way = np.where(np.abs(way) > ROUNDING * most, np.sign(way), 0.0)
    still = ends[:, None] & (np.abs(qd) <= ROUNDING * most)
    return np.where(still, CREEP * most * way, qd)


@dataclass(eq=False)
class BetweenRests(Generic[AnyPiece]):
    """Pieces from one rest to the next, which are timed, and slowed, as one.

    Besides the arm as it is equipped there, and the command that mounted its tool.
    """

    machine: CheckedArm
    tool: Tool | None
    pieces: list[AnyPiece] = field(default_factory=list)

    @property
    def moving(self) -> list[AnyPiece]:
        """Those that take time."""
        return [piece for piece in self.pieces if piece.trajectory.duration > 0.0]

    @property
    def duration(self) -> float:
        return sum(piece.trajectory.duration for piece in self.pieces)


def between_rests(machine: CheckedArm, pieces: Iterable[AnyPiece]) -> Iterator[BetweenRests[AnyPiece]]:
    """What takes no time is with what comes before it, unless it changes the arm."""
    equipped = Equipped(machine)
    now: BetweenRests[AnyPiece] = BetweenRests(machine, None)
    resting = True
    for piece in pieces:
        command, duration = piece.command, piece.trajectory.duration
        after = equipped.after(command)
        if now.pieces and resting and (duration > 0.0 or after is not now.machine):
            yield now
            now = BetweenRests(after, now.tool)
        now.machine = after
        now.tool = command if isinstance(command, Tool) else now.tool
        now.pieces.append(piece)
        if duration > 0.0:
            resting = bool(np.abs(piece.trajectory.at(np.array([duration])).qd).max() <= STILL)
    if now.pieces:
        yield now
