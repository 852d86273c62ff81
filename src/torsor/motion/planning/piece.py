"""What a plan is handed out in, what a planner remarks, and how errors get the place in the program they are about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from torsor.errors import TorsorError
from torsor.model.transforms import Floats
from torsor.motion.commands import Command, Move, Place
from torsor.motion.curves import Switching

NoteKind = Literal[
    "slowed",
    "singular",
    "limits",
    "blend",
    "duration",
    "skipped",
    "ignored",
    "endless",
    "assumed",
    "lacking",
    "configuration",
]


@dataclass(frozen=True, eq=False)
class Piece:
    """What one command makes the arm do, from ``start`` on; events without motion have no duration."""

    command: Command
    index: int  # of the command in the program
    start: float  # s
    trajectory: Switching  # in the arm's joints

    @property
    def place(self) -> Place:
        return self.command.place

    @property
    def kind(self) -> str:
        """joint, line or circle for moves; else dwell, gripper, payload, tool, signal, start."""
        return str(getattr(self.command, "kind", type(self.command).__name__.lower()))

    @property
    def duration(self) -> float:
        return self.trajectory.duration

    @property
    def end(self) -> float:
        return self.start + self.duration

    @property
    def switches(self) -> Floats:
        """Times since ``start``, 0 and ``duration`` included, at which the motion goes over into another formula.

        Between two of them all derivatives of q are continuous; at one of them some may jump.
        """
        return self.trajectory.switches

    def __repr__(self) -> str:
        return f"<Piece {self.index} {self.kind} at {self.place}: {self.start:.6g} s to {self.end:.6g} s>"


class BeyondRange(TorsorError):
    """A move that takes a joint out of its position limits."""


@dataclass(frozen=True)
class Note:
    """A remark on a line of the program. ``severity`` error: the arm cannot do this as it is written."""

    place: Place
    kind: NoteKind
    text: str
    severity: Literal["warning", "error"] = "warning"
    cure: str = ""  # of what is assumed: how to give it

    def __str__(self) -> str:
        return f"{self.place}: {self.severity}: {self.text}"


def note_on(move: Move, kind: NoteKind, text: str) -> Note:
    """A remark whose subject is a move."""
    return Note(move.place, kind, f"the {'joint move' if move.kind == 'joint' else move.kind} {text}")


def placed(error: TorsorError, place: Place) -> TorsorError:
    """The error with the place it is about, unless it has one."""
    if error.file is None:
        error.file, error.line, error.column = place.file, place.line, place.column
    return error
