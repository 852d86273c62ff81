"""Clauses that only VAL II has."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from torsor.programs import syntax
from torsor.programs.builder import Builder, Clause
from torsor.programs.syntax import RobotInstruction

if TYPE_CHECKING:
    from lark import Token

BASES = {"H": 16, "B": 2}


class Val2Builder(Builder):
    def equated(self, items: list[Any]) -> RobotInstruction:
        """``POINT a = b`` is ``SET a = b``."""
        return RobotInstruction("SET", tuple(items[1:]), at=self.at(items[0]))

    def noted(self, items: list[Any]) -> RobotInstruction:
        """What follows is kept as it stands: nothing is computed of it."""
        line: Token = items[0]
        word, rest = re.split(r"(?![\w.])", line, maxsplit=1)
        at = self.at(line)
        return RobotInstruction(word.upper(), (syntax.Text("", rest.strip(), at=at),) if rest.strip() else (), at=at)

    def values(self, items: list[Any]) -> Clause:
        """Numbers and texts that a stored program comes with."""
        return Clause("section", self.spelled(items[0]), at=self.at(items[0]))

    def leave(self, items: list[Any]) -> syntax.LeaveLoop:
        word = self.spelled(items[0])
        return syntax.LeaveLoop(word, word == "NEXT", at=self.at(items[0]))

    def RADIX(self, token: Token) -> syntax.Number:
        """^HFF, ^B101, ^17: to the base of 16, 2 and 8."""
        base = BASES.get(token[1].upper())
        return syntax.Number(float(int(token[2:], base) if base else int(token[1:], 8)), at=self.at(token))

    def FORMAT(self, token: Token) -> syntax.Text:
        """How a number or a line is typed: it adds nothing to the text."""
        return syntax.Text("", str(token).upper(), at=self.at(token))
