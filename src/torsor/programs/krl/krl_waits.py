"""Waits of KRL: for a time, for inputs, flags and other conditions, for somebody; and what is told to others."""

from __future__ import annotations

from typing import Any

from torsor.motion import commands
from torsor.programs import syntax, waits
from torsor.programs.krl.krl_splines import Commands, KrlSplines
from torsor.programs.syntax import RobotInstruction
from torsor.programs.values import Value


class KrlWaits(KrlSplines):
    """``outputs``: outputs, flags and timers that the program has set, by their names."""

    outputs: dict[str, Value]

    def wait(self, node: RobotInstruction, time: Value) -> Commands:
        if not isinstance(time, float) or time <= 0.0:
            return ()
        return [commands.Dwell(time, self.interpreter.place(node))]

    def _meant(self, node: syntax.Expression) -> syntax.Expression:
        """What a name of SIGNAL stands for."""
        cell = self.interpreter.known(node) if isinstance(node, syntax.Name) else None
        return node if cell is None or cell.stands_for is None else cell.stands_for

    def wait_for(self, node: RobotInstruction, condition: syntax.Expression) -> Commands:
        asked = [each for each in map(self._meant, syntax.walk(condition)) if isinstance(each, syntax.Index)]
        first = asked[0] if len(asked) == 1 and len(asked[0].indices) == 1 else None
        key = first.base.name.lower() if first is not None and isinstance(first.base, syntax.Name) else ""
        if self.interpreter.is_told_to_hold(condition):
            pass
        elif first is not None and key in ("$in", "$flag"):
            denied = any(isinstance(each, syntax.Unary) and each.operator == "not" for each in syntax.walk(condition))
            denied ^= any(isinstance(e, syntax.Name) and e.name.lower() == "false" for e in syntax.walk(condition))
            number = self.interpreter.whole(first.indices[0])
            told = (each.name for each in syntax.walk(condition) if isinstance(each, syntax.Name))
            plain = f"{key.upper()}[{number}]"
            self.interpreter.wait(
                node.at, next((each for each in told if self.interpreter.world.knows(each)), plain), not denied
            )
            if key == "$flag":  # it stays as it was waited for
                self.outputs[plain.lower()] = not denied
        else:
            waits.wait_for(self.interpreter, node.at, condition)
        return [commands.Signal("WAIT FOR", self.interpreter.place(node))]

    def stops(self, node: RobotInstruction) -> Commands:
        self.interpreter.assume(node.at, f"halt {node.at}", "HALT: somebody is taken to start the program again")
        return [commands.Signal("HALT", self.interpreter.place(node))]

    def event(self, node: RobotInstruction, /, *given: Any, **options: Any) -> Commands:
        return [commands.Signal(node.word, self.interpreter.place(node))]
