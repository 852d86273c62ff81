"""A program with other speeds and accelerations: its text changed where they stand, and nowhere else."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import ROUND_DOWN, Decimal
from typing import TYPE_CHECKING

from torsor.motion.commands import Command, Move
from torsor.programs.pace import Factor, ToolPace

if TYPE_CHECKING:
    from torsor.programs.diagnostics import ProgramText
    from torsor.programs.language import Language


@dataclass(frozen=True)
class Rewritten:
    """The new text, and how it differs from the old one."""

    file: str
    before: str
    text: str

    @property
    def diff(self) -> str:
        """As ``diff -u`` shows it, without surroundings."""
        old, new = self.before.splitlines(), self.text.splitlines()
        lines = difflib.unified_diff(old, new, self.file, self.file, lineterm="", n=0)
        return "".join(f"{line}\n" for line in lines)


def rewrite(
    language: Language,
    source: ProgramText,
    commands: Iterable[Command],
    factors: Mapping[int, Factor],
    paces: Mapping[int, ToolPace],
) -> Rewritten:
    """The text with factors on the pace of its lines, as its language writes that; ``commands`` are as they were."""
    moves = {c.place.line: c for c in commands if isinstance(c, Move) and c.place.line in factors}
    lines = source.text.split("\n")
    for line in sorted(moves, reverse=True):  # from the end, so that lines keep their numbers
        language.repace(lines, moves[line], factors[line], paces.get(line))
    return Rewritten(source.file, source.text, "\n".join(lines))


def rounded_down(value: float) -> str:
    """Four digits, never more than the value.

    >>> rounded_down(471.27), rounded_down(0.33349)
    ('471.2', '0.3334')
    """
    exact = Decimal(value)
    kept = exact.quantize(Decimal(1).scaleb(exact.adjusted() - 3), rounding=ROUND_DOWN)
    return f"{kept:f}".rstrip("0").rstrip(".") if "." in f"{kept:f}" else f"{kept:f}"
