"""Runs a program: steps through its code, keeps its names, and hands instructions to the language's lowering.

Every run is bounded: by a number of steps, by the depth of calls, and by what values may grow to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import Any

from torsor.motion.commands import Command, Endless, Follow, Move, Place
from torsor.programs import flow, sizes, syntax, values
from torsor.programs.diagnostics import At, Diagnostic, ProgramError, ProgramText
from torsor.programs.language import Language, Lowering
from torsor.programs.memory import CallFrame, Cell, Memory, Operands, fits, paired
from torsor.programs.rounds import Rounds
from torsor.programs.values import NOUNS, Value, Wrong, kind_of

DEEPEST_CALLS = 100
DEEPEST_FUNCTIONS = 8  # functions run inside expressions, on Python's stack


class Interpreter(Memory):
    def __init__(
        self,
        language: Language,
        program: syntax.SyntaxTree,
        source: ProgramText,
        lowering: Lowering,
        *,
        step_limit: int,
        cycles: int,
    ) -> None:
        super().__init__(language, program, source)
        self.lowering = lowering
        lowering.interpreter = self
        self.step_limit = step_limit
        self.steps = 0
        self.stopped = False
        self.jumped_back: At | None = None  # the last loop that went round
        self.functions_deep = 0
        self.waiting: list[Command] = []  # commands of functions that ran inside an expression
        units = [node for node in syntax.statements(program.body) if isinstance(node, syntax.Unit)]
        self.units = {unit.name.lower(): unit for unit in units}
        self.codes: dict[str, flow.UnitCode] = {}  # of units that have run
        self.prelude = flow.flatten(program.body)
        self.main = next((unit.name.lower() for unit in units if unit.kind == "program"), None)
        self.now: At = (1, 1)
        self.rounds = Rounds(self, cycles)

    # Running
    def run(self) -> Iterator[Command]:
        """The commands, one after the other. Raises `ProgramError` where the program goes wrong."""
        try:
            yield from self._run_frame(CallFrame(self.prelude, self.cells))
            if self.main is not None and not self.stopped:
                # A program's own names are everybody's, as both languages have it
                yield from self._run_frame(CallFrame(self._code(self.main), self.cells))
            yield from self._after_prelude()
            yield from map(self._sensible, self.lowering.finish())
            yield from self.said()
            if self.rounds.left is not None:
                at, count = self.rounds.left
                yield Endless(f"{count} cycle{'s' * (count != 1)} of the endless loop", self.source.place(at), count)
        except Wrong as wrong:
            raise self.source.failure(self.now, wrong.problem, wrong.hint) from None
        except RecursionError:  # the limits above keep away from it; should they fail, it is still said decently
            raise self.source.failure(self.now, "this is nested too deeply to be computed") from None

    def _run_frame(self, frame: CallFrame) -> Iterator[Command]:
        depth = len(self.frames)
        self.frames.append(frame)
        while len(self.frames) > depth and not self.stopped:
            frame = self.frames[-1]
            if frame.step >= len(frame.code.steps):
                self.leave()
                continue
            step = frame.code.steps[frame.step]
            if frame.step in frame.code.heads:
                if not frame.came_back:
                    self.rounds.enter(frame, frame.step)
                frame.came_back = False
            frame.step += 1
            self.steps += 1
            if self.steps > self.step_limit:
                raise self._endless(step)
            self.now = step.at
            commands = self._do(step.node, frame) if isinstance(step, flow.Do) else self._jump(step, frame)
            if self.waiting:
                commands, self.waiting = [*self.waiting, *commands], []
            self.rounds.moves += sum(isinstance(command, Move | Follow) for command in commands)
            yield from map(self._sensible, commands)
        del self.frames[depth:]

    def _after_prelude(self) -> Iterable[Command]:
        return ()

    def said(self) -> Iterable[Command]:
        """What is to be said of the run, behind all that it does."""
        return ()

    def leave(self) -> None:
        """The unit that runs has come to its end."""
        self.frames.pop()

    def _sensible(self, command: Command) -> Command:
        try:
            sizes.refuse(command)
        except Wrong as wrong:
            raise ProgramError([Diagnostic("error", command.place, wrong.problem, wrong.hint)]) from None
        return command

    def _endless(self, step: flow.UnitStep) -> ProgramError:
        hint = "a loop that must end, or a larger step_limit"
        loop = step.loop or self.jumped_back
        if loop is None:
            return self.source.failure(step.at, f"the program takes more than {self.step_limit:,} steps", hint)
        problem = f"the loop of line {loop[0]} has not ended after {self.step_limit:,} steps"
        return self.source.failure(loop, problem, hint)

    def _do(self, node: syntax.Statement, frame: CallFrame) -> Sequence[Command]:
        match node:
            case syntax.RobotInstruction():
                return self._instruct(node)
            case syntax.Assign():
                self.assign(node.target, self.evaluate(node.value))
            case syntax.Declare():
                self.declare(node, frame)
            case syntax.UnitCall():
                if len(self.frames) >= DEEPEST_CALLS:
                    problem = f"calls nested deeper than {DEEPEST_CALLS}"
                    raise self.source.failure(node.at, problem, "does it call itself?")
                self.frames.append(self._frame(node.unit, node))
            case syntax.Return():
                frame.result = None if node.value is None else self.evaluate(node.value)
                self.leave()
            case syntax.Halt():
                self.stopped = True
        return ()

    def _jump(self, step: flow.UnitStep, frame: CallFrame) -> Sequence[Command]:
        match step:
            case flow.Jump():
                if step.condition is None or values.truth(self.evaluate(step.condition)) is step.when:
                    if step.to < frame.step:
                        self._back(frame, step, step.to)
                    frame.step = step.to
            case flow.Begin(node=node):
                start, stop = self.number(node.start), self.number(node.stop)
                by = self.language.step_between(start, stop) if node.step is None else self.number(node.step)
                if by == 0.0:
                    raise self.source.failure(node.at, "a loop with step 0 never ends", "count by another step")
                self.assign(node.variable, start)
                frame.loops[frame.step - 1] = stop, by
                if (stop - start) / by > self.step_limit and self.rounds.only_counts(frame, frame.step - 1):
                    raise self.source.failure(
                        node.at,
                        f"a loop of {(stop - start) / by + 1:.7g} rounds is longer than {self.step_limit:,} steps",
                        "fewer rounds, or a larger step_limit",
                    )
                if _past(start, stop, by):
                    frame.step = step.past
            case flow.Next(node=node):
                if step.begin not in frame.loops:
                    raise self.source.failure(node.at, "a jump leads into this loop past its beginning")
                stop, by = frame.loops[step.begin]
                count = self.number(node.variable) + by
                self.assign(node.variable, count)
                if not _past(count, stop, by):
                    self._back(frame, step, step.begin + 1)
                    frame.step = step.begin + 1
            case flow.Select(node=node):
                subject = self.evaluate(node.subject)
                same = (
                    to
                    for (choice, _), to in zip(node.choices, step.to, strict=True)
                    if any(self.is_chosen(subject, value) for value in choice)
                )
                frame.step = next(same, step.otherwise)
        return ()

    def is_chosen(self, subject: Value, choice: syntax.Expression) -> bool:
        return values.same(subject, self.evaluate(choice))

    def _back(self, frame: CallFrame, step: flow.Jump | flow.Next, head: int) -> None:
        self.jumped_back = step.loop
        frame.came_back = True
        if self.rounds.again(frame, step, head) and self.may_be_left():
            self.stop()

    def may_be_left(self) -> bool:
        """Whether the program may end here: not inside of a function, whose value is still waited for."""
        return not self.functions_deep

    def stop(self) -> None:
        """Leaves the program, in a loop that never ends."""
        self.stopped = True

    # Units
    def _code(self, name: str) -> flow.UnitCode:
        if name not in self.codes:
            self.codes[name] = flow.flatten(self.units[name].body)
        return self.codes[name]

    def _frame(self, name: str, call: syntax.UnitCall | syntax.FunctionCall) -> CallFrame:
        frame = CallFrame(self._code(name.lower()))
        shared: set[str] = set()
        for parameter, argument in zip_longest(self.units[name.lower()].parameters, call.arguments):
            cell = Cell(kind=self.language.types.get(parameter.type, ""))
            if isinstance(argument, syntax.Name | syntax.Index | syntax.Member) and parameter.by_reference:
                cell = self.cell(argument, create=True)
                shared.add(parameter.name.lower())
            elif argument is not None:
                cell.value = self.evaluate(argument)
            frame.cells[parameter.name.lower()] = cell
        frame.references = frozenset(shared)
        return frame

    def call_function(self, node: syntax.FunctionCall) -> Value:
        """Runs a function of the program; commands that it gives come out before the statement that asked for it."""
        if self.functions_deep >= DEEPEST_FUNCTIONS:
            problem = f"functions nested deeper than {DEEPEST_FUNCTIONS} inside of each other"
            raise self.source.failure(node.at, problem, "does it call itself?")
        self.functions_deep += 1
        frame = self._frame(node.function, node)
        now = self.now
        given = list(self._run_frame(frame))  # it may release what is waiting: only then add to it
        self.waiting.extend(given)
        self.now = now
        self.functions_deep -= 1
        if frame.result is None:
            name = self.units[node.function.lower()].name
            raise self.source.failure(node.at, f"{name} gives no value", "it ends without return and a value")
        return frame.result

    # Expressions
    def evaluate(self, node: syntax.Expression) -> Value:
        value = _EVALUATE[type(node)](self, node)
        if isinstance(value, bool) and self.language.truth_is_number:
            return -1.0 if value else 0.0
        return value

    def _name(self, node: syntax.Name) -> Value:
        key = node.name.lower()
        if self.known(node) is None and key in self.language.constants:
            constant: Value = self.language.constants[key]
            return constant
        if self.known(node) is None and key in self.language.functions:
            return self._apply(syntax.FunctionCall(node.name, (), at=node.at))
        return self.value(self.cell(node, create=False), node)

    def _apply(self, node: syntax.FunctionCall) -> Value:
        key = node.function.lower()
        if key in self.units:
            return self.call_function(node)
        function = self.language.functions.get(key)
        if function is None:
            raise self.source.failure(node.at, f"there is no function {node.function!r}")
        arguments = [
            None if argument is None or wanted == "phrase" else self._fitting(argument, wanted, node.function)
            for argument, wanted in paired(node.arguments, function.arguments)
        ]
        return self.guarded(node.at, lambda: function.compute(self.lowering, *arguments))

    # Instructions
    def _instruct(self, node: syntax.RobotInstruction) -> Sequence[Command]:
        form = self.language.forms[node.word]
        operands = self._operands(node, node.operands, form.operands)
        options = {
            name.lower(): self._operands(node, given, form.options[name.lower()]) for name, given in node.options
        }
        carry_out: Callable[..., Sequence[Command]] = getattr(self.lowering, form.method)
        return self.guarded(node.at, lambda: carry_out(node, *operands, **options))

    def _operands(self, node: syntax.RobotInstruction, given: Operands, kinds: tuple[str, ...]) -> list[Any]:
        found: list[Any] = []
        for operand, wanted in paired(given, kinds):
            if operand is None or wanted.startswith("new ") or wanted in ("condition", "phrase"):
                found.append(operand)
            elif wanted == "word":
                found.append(operand.name.lower() if isinstance(operand, syntax.Name) else "")
            else:
                found.append(self._fitting(operand, wanted, node.word))
        return found

    def _fitting(self, node: syntax.Expression, wanted: str, whose: str) -> Value:
        value = self.evaluate(node)
        if not fits(kind_of(value), wanted, self.language):
            raise self.source.failure(node.at, f"{whose} needs {NOUNS[wanted]} here, not {NOUNS[kind_of(value)]}")
        return value

    def place(self, node: syntax.RobotInstruction) -> Place:
        return self.source.place(node.at)


def _past(count: float, stop: float, by: float) -> bool:
    # A step such as 0.1 does not add up to the limit exactly: a billionth of a step is forgiven
    return (count - stop) * (1.0 if by > 0.0 else -1.0) > 1e-9 * abs(by)


def _member(run: Interpreter, node: syntax.Member) -> Value:
    base = run.evaluate(node.base)
    if isinstance(base, dict):
        if node.name.lower() in base:
            return base[node.name.lower()]
        raise run.source.failure(node.at, f"the part {node.name!r} has no value here")
    return run.guarded(node.at, lambda: run.language.member(base, node.name.lower()))


_EVALUATE: dict[type, Callable[[Interpreter, Any], Value]] = {
    syntax.Number: lambda run, node: node.value,
    syntax.Text: lambda run, node: node.value,
    syntax.Name: lambda run, node: run._name(node),
    syntax.Index: lambda run, node: run.value(run.cell(node, create=False), node),
    syntax.Member: _member,
    syntax.FunctionCall: lambda run, node: run._apply(node),
    syntax.Group: lambda run, node: tuple(run.evaluate(item) for item in node.items),
    syntax.Unary: lambda run, node: run.guarded(
        node.at, lambda: values.unary(node.operator, run.evaluate(node.operand))
    ),
    syntax.Binary: lambda run, node: run.guarded(
        node.at, lambda: values.binary(node.operator, run.evaluate(node.left), run.evaluate(node.right))
    ),
}
