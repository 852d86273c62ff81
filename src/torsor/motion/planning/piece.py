"""The unit in which a plan is handed out."""

from __future__ import annotations

from dataclasses import dataclass

from torsor.motion.commands import Command, Place
from torsor.motion.curves import Trajectory


@dataclass(frozen=True, eq=False)
class Piece:
    """What one command makes the arm do, from ``start`` on; events without motion have no duration."""

    command: Command
    index: int  # of the command in the program
    start: float  # s
    trajectory: Trajectory  # in the arm's joints

    @property
    def place(self) -> Place:
        return self.command.place

    @property
    def kind(self) -> str:
        """joint, line or circle for moves; else dwell, gripper, payload, tool, signal, start."""
        kind = getattr(self.command, "kind", None)
        return kind if isinstance(kind, str) else type(self.command).__name__.lower()

    @property
    def duration(self) -> float:
        return self.trajectory.duration

    @property
    def end(self) -> float:
        return self.start + self.duration

    def __repr__(self) -> str:
        return f"<Piece {self.index} {self.kind} at {self.place}: {self.start:.6g} s to {self.end:.6g} s>"
