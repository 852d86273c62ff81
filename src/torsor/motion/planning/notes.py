"""What a planner remarks about a program, and how errors get the place in the program that they are about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from torsor.errors import TorsorError
from torsor.motion.commands import Move, Place

NoteKind = Literal["slowed", "singular", "limits", "blend", "duration", "skipped", "ignored", "endless"]


class BeyondRange(TorsorError):
    """A move that takes a joint out of its position limits."""


@dataclass(frozen=True)
class Note:
    """A remark on a line of the program. ``severity`` error: the arm cannot do this as it is written."""

    place: Place
    kind: NoteKind
    text: str
    severity: Literal["warning", "error"] = "warning"

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
