"""What a program does not tell: where it leads, and how fast, hangs on somebody else."""

from __future__ import annotations

from torsor.programs import syntax
from torsor.programs.forks import hanging_names, hangs
from torsor.programs.project_language import ProjectLowering
from torsor.programs.syntax import RobotInstruction
from torsor.programs.urscript.urscript_values import PoseValue, known, unknown_in
from torsor.programs.urscript.urscript_words import OPERANDS
from torsor.programs.values import Absent, Value, Wrong


class UntoldLowering(ProjectLowering):
    def _above_zero(self, node: RobotInstruction, name: str, value: Value) -> float | None:
        """A speed or acceleration; None where it is not known, or 0 because nobody tells it."""
        if isinstance(value, Absent):
            return None
        if isinstance(value, float) and value > 0.0:
            return value
        places = [each for each in node.operands if not isinstance(each, syntax.Named)]
        written: dict[str, syntax.Expression | None] = dict(zip(OPERANDS[node.word], places, strict=False))
        written |= {each.name: each.value for each in node.operands if isinstance(each, syntax.Named)}
        given = written.get(name)
        if given is None or not hangs(self.interpreter, given, hanging_names(self.interpreter)):
            raise Wrong(f"{name} is {value!r:.20}", "it is larger than 0")
        text = f"nobody tells {name} of {node.word}: it is as much as the arm can do"
        self.interpreter.assume(node.at, f"{name} {node.at}", text)
        return None

    def _is_untold(self, node: RobotInstruction, goal: Value) -> bool:
        """Whether a target is nothing but zeros, which somebody else would tell: that is no place, but no answer."""
        first = next((each for each in node.operands if each is not None), None)
        if first is None or not isinstance(goal, tuple) or any(goal):
            return False
        return hangs(self.interpreter, first, hanging_names(self.interpreter))

    def _unknown(self, node: RobotInstruction, goal: Value) -> None:
        name = unknown_in(goal) or self._name(node) or "it"
        if known(goal) and not isinstance(goal, PoseValue):
            text = f"where {name} lies is told from outside, and nobody tells it: the move is passed over"
            self.interpreter.assume(node.at, f"untold {name}", text)
            return
        text = f"where {name} lies is not known: the move is passed over"
        whole = name.partition("[")[0]  # of a list of points
        example = "p[x, y, z, rx, ry, rz]" if whole == name else "[p[x, y, z, rx, ry, rz], ...]"
        if isinstance(goal, tuple | Absent) and unknown_in(goal) and name != self._name(node) and whole == name:
            text, example = f"where this leads hangs on {name}, which is not known: the move is passed over", "..."
        self.interpreter.assume(node.at, f"point {whole}", text, f"--define '{whole} = {example}'")

    def _name(self, node: RobotInstruction) -> str:
        first = next(iter(node.operands), None)
        inside = first.value if isinstance(first, syntax.Named) else first
        if isinstance(inside, syntax.FunctionCall) and inside.function != "p[]":
            return f"{inside.function}(...)"
        return inside.name if isinstance(inside, syntax.Name) else ""
