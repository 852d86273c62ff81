"""Runs a project: calls by name and option, statements that go wrong where so much is assumed, its instructions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from torsor.motion.commands import Command, Follow, Move
from torsor.programs import flow, syntax
from torsor.programs.diagnostics import ProgramError
from torsor.programs.forks import AS_IT_IS, Ways, take
from torsor.programs.interpreter import DEEPEST_CALLS
from torsor.programs.language import Form
from torsor.programs.linking import RoutineHome
from torsor.programs.memory import CallFrame, Cell, Operands
from torsor.programs.needed import chosen, say_what_moves
from torsor.programs.program_states import say_it_goes_on, states_of
from torsor.programs.program_threads import begun, may_run
from torsor.programs.project_arguments import ProjectArguments
from torsor.programs.project_rounds import ProjectRounds
from torsor.programs.records import EMPTY
from torsor.programs.syntax import RobotInstruction
from torsor.programs.values import Absent, Unanswered, Value

MOST_MET = 1000  # conditions that are kept
DEEPEST_INSIDE = 24  # functions run inside expressions, on Python's stack


class ProjectRun(ProjectArguments):
    """``afterwards``: a routine that is run behind a program that moves nothing, with all that it has set.

    ``ways``: conditions that hang on the world, and are taken to hold or not, as nothing moves otherwise.
    """

    rounds: ProjectRounds

    def __init__(
        self, *given: Any, cycles: int, afterwards: RoutineHome | None = None, ways: Ways = AS_IT_IS, **more: Any
    ) -> None:
        super().__init__(*given, cycles=cycles, **more)
        self.rounds = ProjectRounds(self, cycles)
        self.afterwards, self.ways = afterwards, ways
        # what was tested before anything moved, conditions and subjects of a CASE: what it was at first
        self.met: dict[int, tuple[syntax.Expression, bool]] = {}
        self.hanging: tuple[int, set[str]] = (-1, set())  # names that hang on so many assumptions
        self.started: set[str] = set()  # threads
        self.told_by_threads: set[str] = set()  # what threads that are not run would give a value to
        self.starting: RoutineHome | None = None  # the thread that the statement being run starts

    # Running
    def run(self) -> Iterator[Command]:
        self.set_by_modules()
        if self.entry is not None:
            self.first_frame = self._first_of(self.entry)
        for command in super().run() if self.entry is None else self._to_the_limit():
            self.has_moved |= self._leads_elsewhere(command)
            self.has_gone |= self.has_moved and (self.lowering.where.gone or isinstance(command, Follow))
            yield command

    has_moved = False  # `PTP $POS_ACT` does not count: there it is already
    has_gone = False  # nor does a move to where the arm happens to be taken to start

    def _leads_elsewhere(self, command: Command) -> bool:
        return isinstance(command, Follow) or (isinstance(command, Move) and self.lowering.where.left)

    def _first_of(self, home: RoutineHome) -> CallFrame:
        """The frame of a routine that nobody calls."""
        frame = CallFrame(self.code_of(home.unit), module=home.scope)
        if self.language.assigns == "local":
            frame.cells = self.cells  # what the program itself sets can be read everywhere
        for parameter in home.unit.parameters:
            key = self.language.key(parameter.name)
            frame.cells[key] = self._not_given(parameter, home.unit.declared(key, self.language.key))
            frame.given |= {key} if not parameter.optional else frozenset()
        return frame

    def _not_given(self, parameter: syntax.Parameter, declared: str) -> Cell:
        """A parameter of the routine that the program begins with: nobody gives it, but perhaps the world."""
        value: Value = Absent(parameter.name)
        type = parameter.type or declared  # inside, where the language has no types between the brackets
        nothing = EMPTY.get(self.types.kinds.get(self.types.named(type), ""))
        if type in self.types.rounds:  # a job, a place: they are counted as elements are
            nothing = float(self.language.first)
        if parameter.default is not None:
            value = self.evaluate(parameter.default)
        elif nothing is not None and not parameter.optional:
            value = self.ask(parameter.at, parameter.name, nothing, f"the parameter {parameter.name}")
        return Cell(value, type=type)

    def said(self) -> Iterable[Command]:
        held_back = list(self.lowering.held_back())
        if not self.has_gone and not any(map(self._leads_elsewhere, held_back)):
            say_what_moves(self)
        return super().said()

    behind: syntax.Expression | None = None  # the condition that its moves stand behind, where nothing moves

    def _to_the_limit(self) -> Iterator[Command]:
        """A program that has moved and takes too many steps is left: what it has done so far can be judged."""
        try:
            yield from super().run()
        except ProgramError:
            if not self.too_long or not self.rounds.moves:
                raise
            yield from self.lowering.finish()
            yield from self.said()

    too_long = False

    def _endless(self, step: flow.UnitStep) -> ProgramError:
        self.too_long = True
        at = step.loop or self.jumped_back or step.at
        text = f"the program takes more than {self.step_limit:,} steps, most of them here: it is left"
        self.assume(at, "steps", text, "a larger step_limit")
        return super()._endless(step)

    first_frame: CallFrame | None = None

    def _after_prelude(self) -> Iterable[Command]:
        if self.first_frame is not None and not self.stopped:
            yield from self._again_and_again(self.first_frame)
        if self.afterwards is not None and not self.has_moved and may_run(self, self.afterwards.unit):
            self.stopped = False
            yield from self._run_frame(self._first_of(self.afterwards))

    def _again_and_again(self, frame: CallFrame) -> Iterator[Command]:
        """The routine that a program begins with; once a cycle, where it goes through states from end to end."""
        home = self.entry if self.language.begins_again else None
        if home is None:
            yield from self._run_frame(frame)
            return
        for _ in range(self.rounds.cycles):
            before = states_of(self, frame, home.unit)
            yield from self._run_frame(frame)
            after = {} if self.stopped else states_of(self, frame, home.unit)
            if not after or after == before:
                return
            frame = self._first_of(home)
        say_it_goes_on(self, home.unit, before, after)

    def start(self, name: str) -> None:
        """Starts a thread."""
        self.started.add(self.language.key(name))
        self.starting = self.routine(name)

    def may_be_left(self) -> bool:
        """A program that never comes out of a function ends there; of a thread, others would go on with its value."""
        return not self.functions_deep or not any(each.thread for each in self.frames)

    def stop(self) -> None:
        """Leaves the program in a loop that never ends, or the thread that the loop is of."""
        begin = next((k for k in reversed(range(len(self.frames))) if self.frames[k].thread), None)
        if begin is None:
            self.stopped = True
        else:
            del self.frames[begin:]

    def code_of(self, unit: syntax.Unit) -> flow.UnitCode:
        if id(unit) not in self.unit_codes:
            self.unit_codes[id(unit)] = flow.flatten(unit.body)
        return self.unit_codes[id(unit)]

    def _do(self, node: syntax.Statement, frame: CallFrame) -> Sequence[Command]:
        """Where something was assumed, a statement that goes wrong is passed over: it may well come of that."""
        deep = len(self.frames)
        try:
            commands = self._done(node, frame)
            if self.starting is not None:
                home, self.starting = self.starting, None
                if (thread := begun(self, home, frame)) is not None:
                    self.frames.append(thread)
            return commands
        except ProgramError as error:
            if not self.assumed or self.functions_deep > 1:
                raise
            del self.frames[deep:]
            told = error.diagnostics[0]
            self.assume(node.at, f"failed {node.at}", f"{told.problem}: this is passed over, as so much is assumed")
            return ()

    def _done(self, node: syntax.Statement, frame: CallFrame) -> Sequence[Command]:
        match node:
            case syntax.UnitCall():
                return self._call(node, node.unit, node.arguments, frame)
            case syntax.LateCall():
                name = self.evaluate(node.routine)
                if isinstance(name, str) and name:
                    name = name.rpartition(":")[2]
                    return self._call(syntax.UnitCall(name, node.arguments, at=node.at), name, node.arguments, frame)
                self.assume(node.at, "late", "which routine is called here is not known: it is passed over")
                return ()
            case syntax.RobotInstruction():
                return self._instruct(node)
        return super()._do(node, frame)

    def _jump(self, step: flow.UnitStep, frame: CallFrame) -> Sequence[Command]:
        loop = frame.step - 1 if isinstance(step, flow.Begin) else getattr(step, "begin", -1)
        if isinstance(step, flow.Begin) and self.language.own_counters:
            self._hide(frame, loop, step.node.variable)
        try:
            if not self._led(step, frame):
                super()._jump(step, frame)
            if isinstance(step, flow.Jump) and step.condition is not None:
                self._met(step.condition, step.when is (frame.step == step.to))
            elif isinstance(step, flow.Select):
                self._met(step.node.subject, frame.step != step.otherwise)
            if loop in frame.hidden and frame.step != loop + 1:  # it is over
                self._show(frame, loop)
        except ProgramError as error:
            if not self.assumed or isinstance(step, flow.Next):
                raise
            told = error.diagnostics[0]
            self.assume(step.at, f"failed {step.at}", f"{told.problem}: this condition is taken not to hold")
            if isinstance(step, flow.Jump) and not step.when:
                frame.step = step.to
            elif isinstance(step, flow.Begin):
                frame.step = step.past
            elif isinstance(step, flow.Select):
                frame.step = step.otherwise
        if self.rounds.released is not None:
            frame.step, self.rounds.released = self.rounds.released, None
            frame.came_back = False
        return ()

    def _led(self, step: flow.UnitStep, frame: CallFrame) -> bool:
        """Whether the way is settled from here, and is taken."""
        if isinstance(step, flow.Select):
            return self._led_to_choice(step, frame)
        condition = step.condition if isinstance(step, flow.Jump) else None
        if condition is None or not isinstance(step, flow.Jump) or id(condition) not in self.ways:
            return False
        holds = self.ways[id(condition)]
        take(self, condition, holds, self.asked)
        if holds is step.when:
            frame.step = step.to
        return True

    def _led_to_choice(self, step: flow.Select, frame: CallFrame) -> bool:
        for (choice, _), to in zip(step.node.choices, step.to, strict=True):
            if id(choice[0]) in self.ways:
                take(self, chosen(step.node.subject, choice[0]), True, self.asked)
                frame.step = to
                return True
        return False

    def _met(self, condition: syntax.Expression, held: bool) -> None:
        if not self.has_gone and id(condition) not in self.met and len(self.met) < MOST_MET:
            self.met[id(condition)] = condition, held

    def _hide(self, frame: CallFrame, loop: int, variable: syntax.Expression) -> None:
        """A loop that declares what it counts with hides what else has that name, as long as it runs."""
        if loop in frame.hidden:  # it was left by a jump
            self._show(frame, loop)
        if isinstance(variable, syntax.Name):
            key = self.language.key(variable.name)
            frame.hidden[loop] = key, frame.cells.get(key)
            frame.cells[key] = Cell(0.0)

    def _show(self, frame: CallFrame, loop: int) -> None:
        key, outer = frame.hidden.pop(loop)
        if outer is None:
            frame.cells.pop(key, None)
        else:
            frame.cells[key] = outer

    def leave(self) -> None:
        frame = self.frames.pop()
        for target, cell in frame.back:
            if cell.value is not None:
                self.assign(target, cell.value)

    # Calls
    def _call(self, node: syntax.UnitCall, name: str, arguments: Operands, frame: CallFrame) -> Sequence[Command]:
        key = self.language.key(name)
        home = None if key in self.language.own_words else self.routine(name)
        if home is not None:
            if len(self.frames) >= DEEPEST_CALLS:
                problem = f"calls nested deeper than {DEEPEST_CALLS}"
                raise self.source.failure(node.at, problem, "does it call itself?")
            if home.unit.kind in ("trap", "thread"):
                return ()
            self.frames.append(self._bound(home, node))
            return ()
        if key in self.language.forms:
            return self._carry_out(node, key, arguments)
        if key in self.language.functions and self.language.calls_functions:  # for what it does, not for its value
            self.evaluate(syntax.FunctionCall(name, arguments, at=node.at))
            return ()
        word = self.language.routine_word
        self.assume(node.at, f"routine {key}", f"the {word} {name} is in no file: it is passed over", "add its file")
        return ()

    def _bound(self, home: RoutineHome, call: syntax.UnitCall | syntax.FunctionCall) -> CallFrame:
        """The frame of a routine, with what it is given."""
        frame = CallFrame(self.code_of(home.unit), module=home.scope, holds_routines=home.unit.holds_routines)
        if len(self.frames) == 1 and self.language.is_program(home.unit, self.tree):
            frame.cells = self.cells
        key = self.language.key
        places = [each for each in call.arguments if not isinstance(each, syntax.Named)]
        named = {key(each.name): each for each in call.arguments if isinstance(each, syntax.Named)}
        given: set[str] = set()
        shared: set[str] = set()
        back: list[tuple[syntax.Expression, Cell]] = []
        for parameter in home.unit.parameters:
            name = key(parameter.name)
            argument: syntax.Expression | None = None
            if name in named:
                switch = named[name]
                if not self._is_passed(switch):
                    argument = None
                elif switch.value is None:
                    frame.cells[name] = Cell(True, type=parameter.type)
                    given.add(name)
                    continue
                else:
                    argument = switch.value
            elif places and not parameter.optional:
                argument = places.pop(0)
            cell = Cell(Absent(parameter.name), type=parameter.type)
            if argument is not None:
                given.add(name)
                cell = self._passed(parameter, argument, shared, back)
            elif parameter.default is not None:
                cell.value = self.evaluate(parameter.default)
            frame.cells[name] = cell
        frame.given, frame.references, frame.back = frozenset(given), frozenset(shared), tuple(back)
        return frame

    def _passed(
        self, parameter: syntax.Parameter, argument: syntax.Expression, shared: set[str], back: list[Any]
    ) -> Cell:
        if parameter.by_reference and isinstance(argument, syntax.Name):
            known = self.known(argument)
            if known is None and self.language.assigns == "dotted":
                known = self.place_for(argument, self.language.key(argument.name))
            if known is not None:
                shared.add(self.language.key(parameter.name))
                return known
        value = self.evaluate(argument)
        cell = Cell(type=parameter.type, dimensions=parameter.dimensions)
        cell.value = self.guarded(argument.at, lambda: self._fit(value, parameter.type, parameter.dimensions))
        if parameter.by_reference and isinstance(argument, syntax.Index | syntax.Member):
            back.append((self._settled_place(argument), cell))
        return cell

    def _settled_place(self, node: syntax.Expression) -> syntax.Expression:
        """The same place with its indices as they are now."""
        match node:
            case syntax.Index(base, indices):
                numbers = tuple(syntax.Number(float(self.whole(index)), at=index.at) for index in indices)
                return syntax.Index(self._settled_place(base), numbers, at=node.at)
            case syntax.Member(base, name):
                return syntax.Member(self._settled_place(base), name, at=node.at)
        return node

    def call_function(self, node: syntax.FunctionCall) -> Value:
        home = self.routine(node.function)
        if home is None:
            return Absent(node.function)
        if self.functions_deep >= DEEPEST_INSIDE:
            problem = f"functions nested deeper than {DEEPEST_INSIDE} inside of each other"
            raise self.source.failure(node.at, problem, "does it call itself?")
        self.functions_deep += 1
        try:
            frame = self._bound(home, node)
            now = self.now
            given = list(self._run_frame(frame))  # it may release what is waiting: only then add to it
            self.waiting.extend(given)
            self.now = now
        finally:
            self.functions_deep -= 1
        return Absent(node.function) if frame.result is None else frame.result

    # Functions and instructions
    def _apply(self, node: syntax.FunctionCall) -> Value:
        key = self.language.key(node.function)
        if key not in self.language.own_words and self.routine(node.function) is not None:
            return self.call_function(node)
        function = self.language.functions.get(key)
        if function is None:
            name = node.function
            self.assume(node.at, f"routine {name}", f"the function {name} is in no file: its value is not known")
            return Unanswered(name)
        places, options = self._arguments(node.arguments, function.arguments, function.options)
        if self.language.operand_names(key):
            places, options = self.guarded(node.at, lambda: self._by_name(key, places, options)), {}
        try:
            return self.guarded(node.at, lambda: function.compute(self.lowering, *places, **options))
        except (TypeError, KeyError, IndexError, AttributeError):
            raise self.source.failure(node.at, f"{node.function} cannot be computed of these values") from None

    def _carry_out(self, node: syntax.UnitCall, key: str, arguments: Operands) -> Sequence[Command]:
        form: Form = self.language.forms[key]
        places, options = self._arguments(arguments, form.operands, form.options)
        if form.named:
            places, options = self.guarded(node.at, lambda: self._by_name(key, places, options)), {}
        written = RobotInstruction(node.unit, arguments, at=node.at)
        carry_out: Callable[..., Sequence[Command]] = getattr(self.lowering, form.method)
        return self.guarded(node.at, lambda: carry_out(written, *places, **options))
