"""Endless loops of projects: as `rounds` finds them, and loops that only wait for the world, which are left."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from torsor.programs import flow, syntax, values
from torsor.programs.diagnostics import At, ProgramError
from torsor.programs.forks import given_values, hanging_names, hangs
from torsor.programs.memory import CallFrame
from torsor.programs.rounds import MOST_LOOKS, Effects, Lap, Rounds, content
from torsor.programs.values import Absent, Value, Wrong

if TYPE_CHECKING:
    from torsor.programs.project_run import ProjectRun


MOST_WAITS = 300  # rounds of a loop that has not moved, and cannot end or asks the world every time; or only streams
MOST_ROUNDS = 100  # of a loop that is written as if it had no end, and of which that is not proved
MOST_ANSWERED = 3  # of a loop that moves until the world answers otherwise, and keeps the answer in a name
MOST_UNTOLD = 10  # of a loop that moves and whose end hangs on what no file tells
MOST_COUNTED = 1000  # of such a loop, where something that it tests changes: it mostly counts to an end of its own
MOST_LINES = 6  # that are named


def _settled(value: Value) -> Value:
    return False if isinstance(value, Absent) else value


class ProjectRounds(Rounds):
    run: ProjectRun

    def __init__(self, run: ProjectRun, cycles: int) -> None:
        super().__init__(run, cycles)
        self.released: int | None = None  # the step behind a loop that was left
        self.untold: dict[tuple[int, int], bool] = {}  # of loops: does their condition ask what no file tells?
        self.asking: dict[tuple[int, int], bool] = {}  # of loops: do they ask the world?
        self.answers: dict[tuple[int, int], set[str]] = {}  # names to which they give its answers
        self.over: dict[tuple[int, int], int] = {}  # tests of loops whose waits are over, and where they lead to

    def enter(self, frame: CallFrame, head: int) -> None:
        frame.laps[head] = Lap(self._moved(), given=self.moves)

    def again(self, frame: CallFrame, jump: flow.Jump | flow.Next, head: int) -> bool:
        lap = self._gone_round(frame, jump, head)
        if lap is None:
            return False
        moved = self._moved() != lap.moves
        if lap.endless and not moved and lap.count >= MOST_WAITS:  # proved, and only counting goes on
            self._waits(frame, jump, head)
            return False
        if (
            not moved
            and lap.count >= MOST_WAITS
            and (self._asks(frame, jump, head) or self._is_untold(frame, jump, head))
        ):
            self._waits(frame, jump, head)
            return False
        if not (lap.endless and moved) and self._as_before(frame, jump, head, lap):
            if not moved:
                self._waits(frame, jump, head)
                return False
            if (way := self._by_others(frame, jump, head)) is not None:
                self._say_it_is_left(self._begin(frame, jump, head), lap)
                self.released = way
                return False
            lap.endless = True
        if not lap.endless and moved and self._was_long_enough(frame, jump, head, lap):
            self._say_it_is_left(self._begin(frame, jump, head), lap)
            self.released = frame.code.steps.index(jump) + 1
            return False
        if not lap.endless and moved and lap.count >= MOST_ROUNDS and self._by_its_word(frame, jump, head):
            if self._is_led_out(frame, jump, head, lap):
                return False
            at = self._begin(frame, jump, head)
            self.run.assume(at, f"loop {at}", f"this loop has not ended after {lap.count} rounds: it is left")
            lap.endless = True
        streams = self.moves == lap.given and self.run.lowering.is_streaming
        if (
            not (lap.endless and moved)
            or lap.count < (MOST_WAITS if streams and not self.run.lowering.has_streamed else self.cycles)
            or not self.run.may_be_left()
        ):
            return False
        if streams and self._is_led_out(frame, jump, head, lap):
            return False
        self.left = self._begin(frame, jump, head), lap.count
        return True

    def _is_led_out(self, frame: CallFrame, jump: flow.Jump | flow.Next, head: int, lap: Lap) -> bool:
        """Whether a loop has a way out that hangs on the world, which is gone then."""
        closing = frame.code.steps.index(jump)
        if self._by_its_word(frame, jump, head):
            ways = self._ways_out(frame.code, head, closing)
        else:
            ways = [(True, closing + 1)] if self._is_untold(frame, jump, head) else []
        if not ways or not ways[0][0]:
            return False
        self._say_it_is_left(self._begin(frame, jump, head), lap)
        self.released = ways[0][1]
        return True

    def _say_it_is_left(self, at: At, lap: Lap) -> None:
        self.run.assume(at, f"loop {at}", f"no file tells when this loop ends: it is left after {lap.count} rounds")

    def _by_its_word(self, frame: CallFrame, jump: flow.Jump | flow.Next, head: int) -> bool:
        """Whether it is written as a loop without an end, which only something inside of it leaves."""
        step = frame.code.steps[head]
        condition = step.condition if isinstance(step, flow.Jump) and step.when is False else None
        names = (
            [each.name.lower() for each in syntax.walk(condition) if isinstance(each, syntax.Name)] if condition else []
        )
        return names == ["true"] or (isinstance(jump, flow.Jump) and jump.condition is None and condition is None)

    def _was_long_enough(self, frame: CallFrame, jump: flow.Jump | flow.Next, head: int, lap: Lap) -> bool:
        """Whether a loop that moves, and of which no file tells when it ends, is to be left."""
        if isinstance(jump, flow.Next) or lap.count not in (MOST_ANSWERED, MOST_UNTOLD, MOST_ROUNDS, MOST_COUNTED):
            return False
        counts = lap.saved is not None and lap.saved[0] != tuple(self._counted(frame, jump, head))
        if counts and lap.count < MOST_COUNTED:
            return False
        if lap.count == MOST_ANSWERED:
            answers = self._answers(frame, jump, head)
            return any(hangs(self.run, flow.asked(test), answers) for test in self._tests(frame, jump, head))
        if self._is_untold(frame, jump, head):
            return True
        inside = frame.code.steps[head : frame.code.steps.index(jump)]
        return lap.count >= MOST_ROUNDS and any(self._is_nowhere(each) for each in inside)

    def _tests(self, frame: CallFrame, jump: flow.Jump | flow.Next, head: int) -> list[flow.UnitStep]:
        """The steps that test whether a loop ends; a FOR counts, whatever its first statement tests."""
        if isinstance(jump, flow.Next):
            return []
        first, closing = frame.code.steps[head], frame.code.steps.index(jump)
        leaves = isinstance(first, flow.Jump) and not head <= first.to <= closing
        return [first, jump] if leaves and first is not jump else [jump]

    def _hangs(self, frame: CallFrame, jump: flow.Jump | flow.Next, head: int) -> bool:
        """Whether the end of a loop hangs on a name that no file defines: who knows when that changes."""
        return any(map(self._is_nowhere, self._tests(frame, jump, head)))

    def _is_nowhere(self, step: flow.UnitStep) -> bool:
        """Whether a step tests a name that no file defines."""
        condition, language = getattr(step, "condition", None), self.run.language
        return condition is not None and any(
            isinstance(each, syntax.Name)
            and self.run.known(each) is None
            and language.key(each.name) not in language.constants
            and not self.run.world.knows(each.name)
            for each in syntax.walk(condition)
        )

    def _is_untold(self, frame: CallFrame, jump: flow.Jump | flow.Next, head: int) -> bool:
        """Whether it hangs on what no file tells when a loop will end: on the world, a name or a function."""
        if isinstance(jump, flow.Next) or self._hangs(frame, jump, head):
            return self._hangs(frame, jump, head)
        conditions = [each for step in self._tests(frame, jump, head) if (each := getattr(step, "condition", None))]
        key, language = (id(frame.code), head), self.run.language
        if key not in self.untold:
            words = self._effects(conditions).words - language.forms.keys()
            told = [language.functions.get(word) for word in words if self.run.routine(word) is None]
            self.untold[key] = any(function is None or function.told for function in told)
        names = [each for one in conditions for each in syntax.walk(one) if isinstance(each, syntax.Name)]
        if any(language.key(each.name) in self.run.told_by_threads for each in names):
            return True
        cells = (self.run.known(each) for each in names)
        return self.untold[key] or any(cell is not None and isinstance(cell.value, Absent) for cell in cells)

    def _answers(self, frame: CallFrame, jump: flow.Jump | flow.Next, head: int) -> set[str]:
        """Names to which a loop gives what the world answers, and nothing else."""
        key = id(frame.code), head
        if key not in self.answers:
            closing = frame.code.steps.index(jump)
            done = [step.node for step in frame.code.steps[head : closing + 1] if isinstance(step, flow.Do)]
            told: dict[str, bool] = {}
            for name, value in given_values(self.run, done):
                function = self.run.language.functions.get(self._asked_function(value))
                told[name] = told.get(name, True) and function is not None and function.told
            self.answers[key] = {name for name, each in told.items() if each}
        return self.answers[key]

    def _asked_function(self, value: syntax.Expression) -> str:
        """The function that is all of a value, and that no file defines."""
        if not isinstance(value, syntax.FunctionCall) or self.run.routine(value.function) is not None:
            return ""
        return self.run.language.key(value.function)

    def _asks(self, frame: CallFrame, jump: flow.Jump | flow.Next, head: int) -> bool:
        """Whether something in a loop asks the world: with a limit of rounds that is a wait, too."""
        key = id(frame.code), head
        if key in self.asking:
            return self.asking[key]
        closing = frame.code.steps.index(jump)
        nodes = (node for step in frame.code.steps[head : closing + 1] if (node := flow.subject(step)))
        functions = self.run.language.functions
        words = self._effects(nodes).words
        self.asking[key] = any((function := functions.get(word)) is not None and function.told for word in words)
        return self.asking[key]

    def _waits(self, frame: CallFrame, jump: flow.Jump | flow.Next, head: int) -> None:
        """A loop without motion in which all is as before: it waits, and the wait is fulfilled if it can be."""
        at, closing = self._begin(frame, jump, head), frame.code.steps.index(jump)
        if not self._by_its_word(frame, jump, head):
            ways = [closing + 1] if flow.reached(frame.code, head) - set(range(head, closing + 1)) else []
        else:
            ways = [begin for _, begin in self._ways_out(frame.code, head, closing)]
        if ways:
            self.run.assume(at, f"loop {at}", "the wait of this loop is taken to be over")
            self.released = ways[0]
            test = head if isinstance(frame.code.steps[head], flow.Jump) else closing
            self.over[id(frame.code), test] = ways[0]
        elif self.run.may_be_left():
            what = "thread" if any(each.thread for each in self.run.frames) else "program"
            text = f"nothing moves in this loop, which never ends: the {what} is left here"
            if lines := self._lines_that_move(frame, head, closing):
                which = f"line{'s' * (len(lines) > 1)} {', '.join(map(str, lines[:MOST_LINES]))}"
                which += " and more" * (len(lines) > MOST_LINES)
                text += f"; what would move, in {which}, is not come to, or passed over"
            self.run.assume(at, f"loop {at}", text)
            self.run.stop()

    def _lines_that_move(self, frame: CallFrame, head: int, closing: int) -> list[int]:
        inside = (step.node for step in frame.code.steps[head : closing + 1] if isinstance(step, flow.Do))
        moving = (node.at for node in inside if self.run.language.moves_by(node, self.run.linked))
        return sorted({self.run.source.place(at).line for at in moving})

    def _ways_out(self, code: flow.UnitCode, head: int, closing: int) -> list[tuple[bool, int]]:
        """Where that begins which leaves a loop without an end; first (True) what stands behind a test of the world."""
        first = code.steps[head]
        tests_nothing = {head: head + 1} if isinstance(first, flow.Jump) and not first.when else {}
        found: list[tuple[bool, int]] = []
        for number in sorted(flow.reached(code, head, tests_nothing) & set(range(head, closing + 1))):
            step = code.steps[number]
            test, begin = flow.branch(code, number)
            if isinstance(step, flow.Jump) and number not in tests_nothing and not head <= step.to <= closing:
                if step.condition is not None:
                    test, begin = step, step.to
            elif not (isinstance(step, flow.Do) and isinstance(step.node, syntax.Return)):
                continue
            told = test is not None and hangs(self.run, flow.asked(test), hanging_names(self.run))
            found.append((told, begin if begin > head else number))
        return sorted(found, key=lambda one: not one[0])

    def _by_others(self, frame: CallFrame, jump: flow.Jump | flow.Next, head: int) -> int | None:
        """Where it goes on behind a loop that the world would end, or a thread that is not run; None if none would."""
        told, closing = self.run.told_by_threads, frame.code.steps.index(jump)
        others = told | self._answers(frame, jump, head)
        if any(hangs(self.run, flow.asked(test), others) for test in self._tests(frame, jump, head)):
            return closing + 1
        if not told or not self._by_its_word(frame, jump, head):
            return None
        ways = (begin for _, begin in self._ways_out(frame.code, head, closing))
        return next(
            (
                way
                for way in ways
                if (test := flow.branch(frame.code, way)[0]) and hangs(self.run, flow.asked(test), told)
            ),
            None,
        )

    def _moved(self) -> int:
        return self.moves + self.run.lowering.moves_held_back()

    def _only_way(self, jump: flow.Jump, number: int, effects: Effects, frame: CallFrame) -> int | None:
        """As for all loops; what only the world tells is as it is, unless it tells several values."""
        condition = jump.condition
        if (id(frame.code), number) in self.over:
            return self.over[id(frame.code), number]
        if id(condition) in self.run.ways:
            return jump.to if self.run.ways[id(condition)] is jump.when else number + 1
        if condition is None or effects.names & frame.references:
            return None
        language = self.run.language
        for node in syntax.walk(condition):
            if isinstance(node, syntax.Name):
                key = language.key(node.name)
                given = effects.names | frame.references | self.run.told_by_threads
                if not self.run.is_fixed(node) or key in given:
                    return None
            elif isinstance(node, syntax.FunctionCall):
                function = language.functions.get(language.key(node.function))
                if function is None or not (function.told or function.changed_by == ()):
                    return None
        assumed = dict(self.run.assumed)  # it is only looked ahead: what is taken for granted there is not said yet
        try:
            holds = values.truth(_settled(self.run.evaluate(condition)))
        except (ProgramError, Wrong):
            return None
        finally:
            self.run.assumed = assumed
        return jump.to if holds is jump.when else number + 1

    def _effects(self, nodes: Iterable[syntax.SyntaxNode]) -> Effects:
        found, waiting, called = Effects(), list(nodes), set[str]()
        key = self.run.language.key
        while waiting:
            node = waiting.pop()
            waiting += syntax.expressions(node)
            found.halts |= isinstance(node, syntax.Halt)
            late = getattr(node, "routine", None)
            if isinstance(late, syntax.Text):
                waiting.append(syntax.UnitCall(late.value, at=node.at))
            elif late is not None:
                found.halts = True  # whatever that may be
            given = {key(name.name) for target in self._given(node) if (name := syntax.base(target))}
            found.names |= given - (self.run.language.constants.keys() - self.run.language.variables)
            unit = getattr(node, "unit", getattr(node, "function", ""))
            if unit and key(unit) not in called:
                called.add(key(unit))
                found.words.add(key(unit))
                if home := self.run.routine(unit):
                    waiting += syntax.statements(home.unit.body)
        return found

    def _given(self, node: syntax.SyntaxNode) -> Iterator[syntax.Expression]:
        match node:
            case syntax.Assign(target) | syntax.For(target):
                yield target
            case syntax.Declare(_, name):
                yield syntax.Name(name)
            case syntax.UnitCall() | syntax.FunctionCall():
                for each in syntax.expressions(node):
                    inside = each.value if isinstance(each, syntax.Named) else each
                    if inside is not None:
                        yield inside

    def _as_before(self, frame: CallFrame, jump: flow.Jump | flow.Next, head: int, lap: Lap) -> bool:
        counted = tuple(self._counted(frame, jump, head))
        changed = lap.saved is None or lap.saved[0] != counted
        if (changed and lap.count != lap.look_again) or self.looks >= MOST_LOOKS:
            return False
        self.looks += 1
        try:
            now = counted, content(self._remembered(frame))
        except TypeError:
            return False
        same: bool = now == lap.saved
        if lap.count == lap.look_again:
            lap.saved, lap.look_again = now, 2 * lap.count
        return same

    def _remembered(self, frame: CallFrame) -> Any:
        run = self.run
        cells = [(id(cell), cell.value) for cell in run.written.values()]
        local = {} if frame.cells is run.cells else {name: cell.value for name, cell in frame.cells.items()}
        return [cells, local, frame.loops, run.lowering.remembered(), run.world.used]
