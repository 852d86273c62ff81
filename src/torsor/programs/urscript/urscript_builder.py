"""What rules of URScript's grammar become that no other language has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from torsor.programs import syntax
from torsor.programs.builder import Clause, Unreadable
from torsor.programs.diagnostics import At
from torsor.programs.misspelt import slip_of
from torsor.programs.project_builder import ProjectBuilder

if TYPE_CHECKING:
    from lark import Token


POSE_NUMBERS = 6
# words that stand alone or before a value, and may be taken for a name where they are misspelt
WORDS = ("return", "halt", "break", "continue", "global", "local", "enter_critical", "exit_critical", "join", "kill")


class UrscriptBuilder(ProjectBuilder):
    def POSE_LITERAL(self, token: Token) -> syntax.FunctionCall:
        at = self.at(token)
        return self._pose(self._read_numbers(str(token)[1:], at).items, at)

    def pose(self, items: list[Any]) -> syntax.FunctionCall:
        return self._pose(tuple(items[1:]), self.at(items[0]))

    def _pose(self, numbers: tuple[Any, ...], at: At) -> syntax.FunctionCall:
        if len(numbers) != POSE_NUMBERS:
            hint = "p[x, y, z, rx, ry, rz], metres and radians"
            raise Unreadable(at, f"a pose has {POSE_NUMBERS} numbers, not {len(numbers)}", hint)
        return syntax.FunctionCall("p[]", numbers, at=at)

    def started(self, items: list[Any]) -> syntax.FunctionCall:
        return syntax.FunctionCall("run", (syntax.Text(str(items[1]), at=self.at(items[1])),), at=self.at(items[0]))

    def method(self, items: list[Any]) -> syntax.FunctionCall:
        if f".{items[1]}" in self.language.functions:
            return syntax.FunctionCall(f".{items[1]}", (items[0], *(items[2] or ())), at=items[0].at)
        base = syntax.base(items[0])
        name = f"{base.name if base else ''}.{items[1]}"
        return syntax.FunctionCall(name, items[2] or (), at=items[0].at)

    def expression(self, items: list[Any]) -> Any:
        """A call for what it does; any other value is computed for nothing."""
        node = items[0]
        if isinstance(node, syntax.FunctionCall):
            return syntax.UnitCall(node.function, node.arguments, at=node.at)
        base = syntax.base(node)
        if base is not None and (meant := slip_of(base.name, WORDS, family=False)):
            raise Unreadable(base.at, f"there is no instruction {base.name!r}", f"did you mean {meant!r}?")
        if isinstance(node, syntax.Name):
            if slip_of(node.name, ("end",), family=False, shortest=3):
                raise Unreadable(node.at, f"there is no instruction {node.name!r}", "did you mean 'end'?")
            return syntax.NotRun(node.name, at=node.at)
        return Clause("statements")

    def scoped(self, items: list[Any]) -> syntax.Declare | syntax.Assign:
        scope, target, value = items
        if isinstance(target, syntax.Name):
            return syntax.Declare("", target.name, value, storage=str(scope), at=target.at)
        if value is None:
            raise Unreadable(target.at, f"{scope} stands before a name, not before a part of one")
        return syntax.Assign(target, value, at=target.at)  # `local pose[2] = 0`: of the pose that there is

    def leave(self, items: list[Any]) -> syntax.LeaveLoop:
        return syntax.LeaveLoop(str(items[0]), items[0] == "continue", at=self.at(items[0]))

    def not_run(self, items: list[Any]) -> syntax.NotRun | syntax.UnitCall:
        if items[0] == "join":  # a step of its own: what it waits for has moved then
            return syntax.UnitCall("join", tuple(items[1:]), at=self.at(items[0]))
        names = tuple(each.name for each in items[1:] if isinstance(each, syntax.Name))
        return syntax.NotRun(str(items[0]), names, at=self.at(items[0]))

    def define(self, items: list[Any]) -> Clause:
        return Clause("unit", "def", (str(items[0]), items[1] or (), "", False), at=self.begin)

    def thread(self, items: list[Any]) -> Clause:
        return Clause("unit", "thread", (str(items[1]), (), "", False), at=self.begin)

    def defaulted(self, items: list[Any]) -> syntax.Parameter:
        return syntax.Parameter(str(items[0]), "", False, default=items[1], at=self.at(items[0]))
