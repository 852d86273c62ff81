"""A program with other speeds and accelerations: its text changed where they stand, and nowhere else."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from decimal import ROUND_DOWN, Decimal
from itertools import pairwise
from typing import TYPE_CHECKING

from torsor.motion.commands import Command, Move
from torsor.programs.pace import Factor, ToolPace

if TYPE_CHECKING:
    from torsor.programs.diagnostics import ProgramText
    from torsor.programs.language import Language


@dataclass(frozen=True)
class Rewritten:
    """The new text, and how it differs from the old one."""

    before: str
    text: str
    parts: tuple[tuple[str, int, int], ...]  # of each file its name, and how many lines it had and has

    @property
    def files(self) -> tuple[tuple[str, str], ...]:
        """Name and new text of each file."""
        return tuple((name, "\n".join(new)) for name, _, new in self._lines())

    def _lines(self) -> Iterator[tuple[str, list[str], list[str]]]:
        """Of each file its name, and its lines as they were and are."""
        before, after = self.before.split("\n"), self.text.split("\n")
        old = new = 0
        for name, had, has in self.parts:
            yield name, before[old : old + had], after[new : new + has]
            old, new = old + had, new + has

    @property
    def diff(self) -> str:
        """As ``diff -u`` shows it, without surroundings, file by file."""
        found = (difflib.unified_diff(old, new, name, name, lineterm="", n=0) for name, old, new in self._lines())
        return "".join(f"{line}\n" for lines in found for line in lines)


def rewrite(
    language: Language,
    source: ProgramText,
    commands: Iterable[Command],
    factors: Mapping[int, Factor],
    paces: Mapping[int, ToolPace],
) -> Rewritten:
    """The text with factors on the pace of its lines, as its language writes that; ``commands`` are as they were."""
    moves = {source.whole_line(c.place): c for c in commands if isinstance(c, Move) and c.place.line in factors}
    lines = source.text.split("\n")
    ends = [part.first - 1 for part in source.parts[1:]] + [len(lines)]
    for line in sorted(moves, reverse=True):  # from the end, so that lines keep their numbers
        move, count = moves[line], len(lines)
        here = replace(move, place=replace(move.place, line=line))
        language.repace(lines, here, factors[move.place.line], paces.get(move.place.line))
        ends = [end + (len(lines) - count) * (end >= line) for end in ends]
    lengths = (end - begin for begin, end in pairwise([0, *ends]))
    had = ((part.file, part.text.count("\n") + 1) for part in source.parts)
    parts = tuple((name, old, new) for (name, old), new in zip(had, lengths, strict=True))
    return Rewritten(source.text, "\n".join(lines), parts)


def rounded_down(value: float) -> str:
    """Four digits, never more than the value.

    >>> rounded_down(471.27), rounded_down(0.33349)
    ('471.2', '0.3334')
    """
    exact = Decimal(repr(value))  # as it would be printed: 0.6 is no less than 0.6
    kept = exact.quantize(Decimal(1).scaleb(exact.adjusted() - 3), rounding=ROUND_DOWN)
    return f"{kept:f}".rstrip("0").rstrip(".") if "." in f"{kept:f}" else f"{kept:f}"
