"""Loops that never end, as production programs have them: recognised, and left after the cycles that are asked for.

A loop never ends where no way leads out of it, or where everything that decides what comes next is as it was at the
same place before. Both are proved, never guessed: a loop that ends is run to its end, however long that takes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from copy import copy
from dataclasses import dataclass, field, fields, is_dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from torsor.motion.commands import Move
from torsor.programs import flow, syntax, values
from torsor.programs.diagnostics import At, ProgramError
from torsor.programs.memory import CallFrame, paired
from torsor.programs.values import Wrong

if TYPE_CHECKING:
    from torsor.programs.interpreter import Interpreter

MOST_LOOKS = 10_000  # at all that a program remembers: it costs more than a step
LONG = 200  # of a list that a loop tests: what is longer is not looked through every time
LATE = 64  # the lap from which on a FOR is looked at: it ends by itself, unless its counter is set back


@dataclass(slots=True)
class Lap:
    """A loop while it is gone round: how often so far, and the moves that were made before it."""

    moves: int
    given: int = 0  # of these, those that are not held back
    count: int = 0
    endless: bool | None = None  # None: not yet known
    saved: Any = None  # what was remembered at a lap before this one
    look_again: int = 1  # the lap at which that is kept anew


@dataclass(slots=True)
class Effects:
    """What statements may do: names they give values, words of instructions, and whether the program may halt there."""

    names: set[str] = field(default_factory=set)
    words: set[str] = field(default_factory=set)
    halts: bool = False


class Rounds:
    """Goes along with one run, and says when a loop was gone round often enough."""

    def __init__(self, run: Interpreter, cycles: int) -> None:
        self.run, self.cycles = run, cycles
        self.moves = 0  # that the run has given
        self.looks = 0
        self.open: set[tuple[int, int]] = set()  # loops that something may end: their code and where they begin
        self.left: tuple[At, int] | None = None  # the loop that was left, and how often it was gone round

    def enter(self, frame: CallFrame, head: int) -> None:
        frame.laps[head] = Lap(self._moved())

    def again(self, frame: CallFrame, jump: flow.Jump | flow.Next, head: int) -> bool:
        """Whether the program ends here, because the loop that begins again does not."""
        lap = self._gone_round(frame, jump, head)
        if lap is None:
            return False
        if not lap.endless:
            lap.endless = self._as_before(frame, jump, head, lap)
        # one that never moves is no production loop: it goes on until the steps are used up, which is an error
        if not lap.endless or lap.count < self.cycles or self._moved() == lap.moves:
            return False
        self.left = self._begin(frame, jump, head), lap.count
        return True

    def _gone_round(self, frame: CallFrame, jump: flow.Jump | flow.Next, head: int) -> Lap | None:
        """The lap that is counted once more; None where a jump leads back into a loop that has not begun yet."""
        if head not in frame.laps:
            self.enter(frame, head)
            return None
        lap = frame.laps[head]
        lap.count += 1
        if lap.endless is None:
            lap.endless = self._without_end(frame, head)
            lap.look_again = LATE if isinstance(jump, flow.Next) else 1
        return lap

    def _begin(self, frame: CallFrame, jump: flow.Jump | flow.Next, head: int) -> At:
        return min(jump.loop or jump.at, frame.code.steps[head].at)

    def _moved(self) -> int:
        """Moves so far, those that the lowering still holds back included: what a copy of it would give in the end."""
        twin = copy(self.run.lowering)
        vars(twin).update(
            {name: copy(held) for name, held in vars(twin).items() if isinstance(held, list | dict | set)}
        )
        return self.moves + sum(isinstance(command, Move) for command in twin.finish())

    # No way out
    def _without_end(self, frame: CallFrame, head: int) -> bool:
        """Whether no way leads from the beginning of a loop out of its unit, or away from it for good.

        Of loops in each other that is so of the outermost. Ways that a condition closes are none, where the condition
        stays as it is: nothing on the ways that are left gives a value to what it reads.
        """
        code = frame.code
        if (id(code), head) in self.open:
            return False
        only: dict[int, int] = {}
        while True:
            reached = flow.reached(code, head, only)
            steps = {number: code.steps[number] for number in reached if number < len(code.steps)}
            effects = self._effects(node for step in steps.values() if (node := flow.subject(step)))
            leaves = any(isinstance(step, flow.Do) and isinstance(step.node, syntax.Return) for step in steps.values())
            stays = len(code.steps) not in reached and not leaves and not effects.halts
            if stays and head == min(code.heads & reached) and flow.always_returns(code, head, only):
                return True
            settled = {
                number: way
                for number, step in steps.items()
                if isinstance(step, flow.Jump) and number not in only
                if (way := self._only_way(step, number, effects, frame)) is not None
            }
            if not settled:
                if not only:
                    self.open.add((id(code), head))
                return False
            only |= settled

    def only_counts(self, frame: CallFrame, begin: int) -> bool:
        """Whether nothing but its counter ends a FOR: no way leads out of it, and nothing sets the counter."""
        code = frame.code
        counts = begin + 1
        while not (isinstance(step := code.steps[counts], flow.Next) and step.begin == begin):
            counts += 1
        reached = flow.reached(code, begin + 1, {counts: begin + 1})
        steps = [code.steps[number] for number in reached - {counts} if number < counts]
        effects = self._effects(node for each in steps if (node := flow.subject(each)))
        counter = syntax.base(step.node.variable)
        return not (
            not reached <= set(range(begin + 1, counts + 1))
            or effects.halts
            or any(isinstance(each, flow.Do) and isinstance(each.node, syntax.Return) for each in steps)
            or counter is None
            or effects.names & {counter.name.lower(), *frame.references}
        )

    def _only_way(self, jump: flow.Jump, number: int, effects: Effects, frame: CallFrame) -> int | None:
        if jump.condition is None or effects.names & frame.references:  # which are other names for something
            return None
        functions = self.run.language.functions
        for node in syntax.walk(jump.condition):
            name = getattr(node, "name" if isinstance(node, syntax.Name) else "function", "").lower()
            function = functions.get(name)
            if name in effects.names or name in frame.references or name in self.run.units:
                return None
            if function and (function.changed_by is None or effects.words & set(function.changed_by)):
                return None
        try:
            holds = values.truth(self.run.evaluate(jump.condition))
        except (ProgramError, Wrong):
            return None
        return jump.to if holds is jump.when else number + 1

    def _effects(self, nodes: Iterable[syntax.SyntaxNode]) -> Effects:
        """Of statements without the bodies inside of them, and of all units that are called there."""
        found, called = Effects(), set[str]()
        waiting = list(nodes)
        while waiting:
            node = waiting.pop()
            waiting += syntax.expressions(node)
            found.halts |= isinstance(node, syntax.Halt)
            if isinstance(node, syntax.RobotInstruction):
                found.words.add(node.word)
            found.names.update(name.name.lower() for target in self._given(node) if (name := syntax.base(target)))
            unit = getattr(node, "unit", getattr(node, "function", "")).lower()
            if unit in self.run.units and unit not in called:
                called.add(unit)
                waiting += syntax.statements(self.run.units[unit].body)
        return found

    def _given(self, node: syntax.SyntaxNode) -> Iterator[syntax.Expression]:
        """What a statement, or a call inside of one, may give a value."""
        match node:
            case syntax.Assign(target) | syntax.For(target):
                yield target
            case syntax.Declare(_, name):
                yield syntax.Name(name)
            case syntax.UnitCall() | syntax.FunctionCall():
                yield from syntax.expressions(node)
            case syntax.RobotInstruction(word, operands):
                for operand, kind in paired(operands, self.run.language.forms[word].operands):
                    if operand is not None and kind.startswith("new "):
                        yield operand

    # All as before
    def _as_before(self, frame: CallFrame, jump: flow.Jump | flow.Next, head: int, lap: Lap) -> bool:
        """Whether all that a program remembers is as it was when the loop began again at an earlier lap.

        What is kept is taken anew at laps 1, 2, 4, 8 ... (Brent): a period of any length is found, with one to keep.
        """
        counted = tuple(self._counted(frame, jump, head))
        changed = lap.saved is None or lap.saved[0] != counted  # what the loop tests: that is soon seen
        if (changed and lap.count != lap.look_again) or self.looks >= MOST_LOOKS:
            return False
        self.looks += 1
        cells = [self.run.cells, {} if frame.cells is self.run.cells else frame.cells]
        lowering = {
            name: each
            for name, each in vars(self.run.lowering).items()
            if name not in ("interpreter", "printer", "arm")
        }
        try:
            now = counted, content([cells, frame.loops, lowering])
        except TypeError:
            return False
        same: bool = now == lap.saved
        if lap.count == lap.look_again:
            lap.saved, lap.look_again = now, 2 * lap.count
        return same

    def _counted(self, frame: CallFrame, jump: flow.Jump | flow.Next, head: int) -> Iterator[Any]:
        """What stands in the names that the loop tests."""
        step = frame.code.steps[head]
        test = jump.node.variable if isinstance(jump, flow.Next) else jump.condition or getattr(step, "condition", None)
        for node in () if test is None else syntax.walk(test):
            if isinstance(node, syntax.Name) and (cell := self.run.known(node)):
                value = cell.value
                many = isinstance(value, tuple) and len(value) > LONG  # one that grows is another every time
                yield (len(value), id(value)) if many else content(value)  # type: ignore[arg-type]


def content(value: Any) -> Any:
    """A value so that two are equal only where nothing tells them apart. Raises TypeError for what it does not know."""
    if value is None or isinstance(value, bool | int | float | str | bytes):
        return type(value).__name__, repr(value)
    if isinstance(value, np.ndarray):
        return value.shape, value.tobytes()
    if isinstance(value, list | tuple):
        return tuple(map(content, value))
    if isinstance(value, dict):
        return tuple((key, content(each)) for key, each in value.items())
    if is_dataclass(value):
        return type(value).__name__, *(content(getattr(value, each.name)) for each in fields(value))
    raise TypeError(f"what a {type(value).__name__} remembers is not known")
