"""Clauses that only VAL II has."""

from __future__ import annotations

from typing import Any

from torsor.programs.builder import Builder
from torsor.programs.syntax import RobotInstruction


class Val2Builder(Builder):
    def equated(self, items: list[Any]) -> RobotInstruction:
        """``POINT a = b`` is ``SET a = b``."""
        return RobotInstruction("SET", tuple(items[1:]), at=self.at(items[0]))
