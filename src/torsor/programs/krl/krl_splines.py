"""What stands behind WITH, which holds for one motion or for a block of them, and the blocks: splines."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from torsor.motion.commands import Command, Move
from torsor.programs import syntax
from torsor.programs.krl.krl_settings import KrlMotionSettings
from torsor.programs.syntax import RobotInstruction
from torsor.programs.values import Value

Commands = Sequence[Command]
STAYING = ("$base", "$tool", "$load", "$ipo_mode")  # inline forms set them with every motion: they stay


class KrlSplines(KrlMotionSettings):
    """``last``: the motion of a spline that may be its last; ``around``: settings as they were before the block."""

    last: Move | None = None
    around: dict[str, Value] | None = None

    def with_settings(self, node: RobotInstruction, act: Callable[[], Commands]) -> Commands:
        """What stands behind WITH holds for this motion alone."""
        before = self._set_with(node)
        found = self._in_block(act())
        self._set_back(before)
        return found

    def _set_with(self, node: RobotInstruction) -> dict[str, Value]:
        before = dict(self.system)
        for each in node.operands:
            if isinstance(each, syntax.Named) and each.name == "with" and isinstance(each.value, syntax.Group):
                place, value = each.value.items
                self.interpreter.assign(place, self.interpreter.evaluate(value))
        return before

    def _set_back(self, before: dict[str, Value]) -> None:
        kept, self.system = self.system, before
        self.system |= {name: kept[name] for name in STAYING if name in kept}

    def _in_block(self, found: Commands) -> Commands:
        """Of a spline the last motion waits until it is known to be the last: it alone may stop."""
        last = found[-1] if found else None
        if not self.in_spline or not isinstance(last, Move):
            return found
        waiting, self.last = self.finish(), last
        return [*waiting, *found[:-1]]

    def spline(self, node: RobotInstruction, /, **options: object) -> Commands:
        text = "a spline is planned as lines from point to point, rounded at their ends"
        self.interpreter.assume(node.at, f"spline {node.at}", text)
        waiting = self.finish()
        self.around, self.in_spline = self._set_with(node), True
        return waiting

    def spline_over(self, node: RobotInstruction, /, **options: object) -> Commands:
        self.in_spline = False
        if self.last is not None:
            self.last = replace(self.last, blend=self._blend(node, self.last.kind))
        if self.around is not None:
            self._set_back(self.around)
            self.around = None
        return self.finish()

    def held_back(self) -> Commands:
        return [] if self.last is None else [self.last]

    def finish(self) -> Commands:
        waiting, self.last = self.held_back(), None
        return waiting
