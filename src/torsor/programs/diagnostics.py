"""What is said about a program: errors, warnings and notes, each with its place."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from torsor.errors import TorsorError
from torsor.motion.commands import FileLine, Place

Severity = Literal["error", "warning", "note"]
At = tuple[int, int]  # line and column, from 1; of a program of several files lines are counted through all of them
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


@dataclass(frozen=True, slots=True)
class FilePart:
    """One file of a program: its name, and the line of the whole with which it begins."""

    file: str
    first: int
    text: str
    newline: str = "\n"  # that ends its lines on the disk
    encoding: str = "utf-8"

    def encoded(self, text: str) -> bytes:
        """Another text of this file as it goes to the disk."""
        return text.replace("\n", self.newline).encode(self.encoding, "backslashreplace")


@dataclass(slots=True)
class ProgramText:
    """The text of a program, and what was found in it so far. A program may be of several files, one after the other:
    a line of the whole then knows its file, and its number there.

    >>> text = ProgramText.of("cell", [("a.mod", "x;\\ny;"), ("b.mod", "z;")])
    >>> str(text.place((3, 1))), text.line((3, 1))
    ('b.mod:1:1', 1)
    """

    file: str
    text: str
    found: list[Diagnostic] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    parts: list[FilePart] = field(default_factory=list)

    def __post_init__(self) -> None:
        # Only \n ends a line, as editors count them; str.splitlines also breaks at form feeds and the like.
        newline = _newline(self.text)
        self.text = self.text.replace("\r\n", "\n").replace("\r", "\n")
        self.lines = self.text.split("\n")
        if not self.parts:
            self.parts = [FilePart(self.file, 1, self.text, newline)]

    @classmethod
    def of(cls, name: str, files: Iterable[tuple[str, str]]) -> ProgramText:
        """Of several files; ``name`` is that of the whole."""
        parts: list[FilePart] = []
        first = 1
        for file, text in files:
            newline = _newline(text)
            text = text.replace("\r\n", "\n").replace("\r", "\n")
            parts.append(FilePart(file, first, text, newline))
            first += text.count("\n") + 1
        return cls(name, "\n".join(part.text for part in parts), parts=parts)

    def part(self, at: At) -> FilePart:
        """The file in which a place lies."""
        if len(self.parts) == 1:
            return self.parts[0]
        return self.parts[bisect_right(self.parts, at[0], key=lambda part: part.first) - 1]

    def line(self, at: At) -> int:
        """The number of a line in its own file."""
        return at[0] - self.part(at).first + 1

    def place(self, at: At) -> Place:
        line, column = at
        text = self.lines[line - 1].strip() if line <= len(self.lines) else ""
        part = self.part(at)
        number = line - part.first + 1
        if part.file != self.file:  # the one that was asked for; of a folder none was
            number = FileLine.of(number, part.file)
        return Place(part.file, number, column, text[:LONGEST_TEXT])

    def whole_line(self, place: Place) -> int:
        """The line of the whole at which a place lies."""
        first = next((part.first for part in self.parts if part.file == place.file), 1)
        return first + int(place.line) - 1

    def error(self, at: At, problem: str, hint: str | None = None) -> None:
        self.found.append(Diagnostic("error", self.place(at), problem, hint))

    def warn(self, at: At, problem: str, hint: str | None = None) -> None:
        self.found.append(Diagnostic("warning", self.place(at), problem, hint))

    def note(self, at: At, problem: str, hint: str | None = None) -> None:
        self.found.append(Diagnostic("note", self.place(at), problem, hint))

    def failure(self, at: At, problem: str, hint: str | None = None) -> ProgramError:
        """What is raised when a program goes wrong while it runs."""
        return ProgramError([Diagnostic("error", self.place(at), problem, hint)])


def _newline(text: str) -> str:
    """What ends most of the lines of a text: editors of controllers write ``\\r\\n``."""
    return "\r\n" if 2 * text.count("\r\n") > text.count("\n") else "\n"
