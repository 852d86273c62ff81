"""What is said about a program: errors, warnings and notes, each with its place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from torsor.errors import TorsorError
from torsor.motion.commands import Place

Severity = Literal["error", "warning", "note"]
At = tuple[int, int]  # line and column, from 1
MOST_SHOWN = 20  # in the text of one exception
LONGEST_TEXT = 200  # of a line that a place carries along


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding.

    >>> str(Diagnostic("error", Place("a.v2", 3, 6), "there is no point P11", "did you mean 'P1'?"))
    "a.v2:3:6: there is no point P11; did you mean 'P1'?"
    """

    severity: Severity
    place: Place
    problem: str
    hint: str | None = None

    def __str__(self) -> str:
        kind = "" if self.severity == "error" else f"{self.severity}: "
        return f"{self.place}: {kind}{self.problem}" + (f"; {self.hint}" if self.hint else "")


class ProgramError(TorsorError):
    """A robot program that cannot be run. ``diagnostics`` holds everything that is wrong with it, in order."""

    def __init__(self, diagnostics: Sequence[Diagnostic]) -> None:
        first = diagnostics[0]
        super().__init__(
            first.problem, hint=first.hint, file=first.place.file, line=first.place.line, column=first.place.column
        )
        self.diagnostics = tuple(diagnostics)

    def __str__(self) -> str:
        shown = [str(diagnostic) for diagnostic in self.diagnostics[:MOST_SHOWN]]
        left = len(self.diagnostics) - len(shown)
        return "\n".join([*shown, f"and {left:,} more"] if left else shown)


@dataclass(slots=True)
class ProgramText:
    """The text of a program, and what was found in it so far."""

    file: str
    text: str
    found: list[Diagnostic] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        # Only \n ends a line, as editors count them; str.splitlines also breaks at form feeds and the like.
        self.text = self.text.replace("\r\n", "\n").replace("\r", "\n")
        self.lines = self.text.split("\n")

    def place(self, at: At) -> Place:
        line, column = at
        text = self.lines[line - 1].strip() if line <= len(self.lines) else ""
        return Place(self.file, line, column, text[:LONGEST_TEXT])

    def error(self, at: At, problem: str, hint: str | None = None) -> None:
        self.found.append(Diagnostic("error", self.place(at), problem, hint))

    def warn(self, at: At, problem: str, hint: str | None = None) -> None:
        self.found.append(Diagnostic("warning", self.place(at), problem, hint))

    def note(self, at: At, problem: str, hint: str | None = None) -> None:
        self.found.append(Diagnostic("note", self.place(at), problem, hint))

    def failure(self, at: At, problem: str, hint: str | None = None) -> ProgramError:
        """What is raised when a program goes wrong while it runs."""
        return ProgramError([Diagnostic("error", self.place(at), problem, hint)])
