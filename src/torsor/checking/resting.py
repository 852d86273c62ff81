"""A plan cut where the arm rests: what stands between two rests is timed, and slowed, as one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Generic, TypeVar

import numpy as np

from torsor.checking.checked_arm import CheckedArm, Equipped
from torsor.checking.sampling import Planned
from torsor.motion.commands import Tool
from torsor.motion.tolerances import STILL

AnyPiece = TypeVar("AnyPiece", bound=Planned)


@dataclass(eq=False)
class BetweenRests(Generic[AnyPiece]):
    """Pieces from one rest to the next, the arm as it is equipped there, and the command that mounted its tool."""

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
