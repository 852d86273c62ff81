"""What the end of a project's loop hangs on: the world, an operator, a name that no file defines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from torsor.programs import flow, syntax
from torsor.programs.diagnostics import At
from torsor.programs.forks import given_values, hangs
from torsor.programs.memory import CallFrame
from torsor.programs.rounds import Effects, Rounds
from torsor.programs.values import Absent

if TYPE_CHECKING:
    from torsor.programs.project_run import ProjectRun


class LoopEnds(Rounds):
    run: ProjectRun

    def __init__(self, run: ProjectRun, cycles: int) -> None:
        super().__init__(run, cycles)
        self.untold: dict[tuple[int, int], bool] = {}  # of loops: does their condition ask what no file tells?
        self.asking: dict[tuple[int, int], bool] = {}  # of loops: do they ask the world?
        self.answers: dict[tuple[int, int], set[str]] = {}  # names to which they give its answers
        self.menus: dict[tuple[int, int], bool] = {}  # of loops: does an operator say when they end?

    def _asks_whether_to_go_on(self, frame: CallFrame, jump: flow.Jump | flow.Next, head: int) -> bool:
        """Whether an operator, who is asked in every round, is all that decides whether a loop goes on."""
        key = id(frame.code), head
        if key not in self.menus:
            loop = self._loop_at(self._begin(frame, jump, head))
            asked = set() if loop is None else set(self._answered(syntax.statements((loop,))))
            self.menus[key] = bool(asked) and self._is_decided_by(frame, jump, head, asked)
        return self.menus[key]

    def _is_decided_by(self, frame: CallFrame, jump: flow.Jump | flow.Next, head: int, told: set[str]) -> bool:
        """Whether what a loop tests is given a value by such names only, or behind conditions that hang on them."""
        loop, key = self._loop_at(self._begin(frame, jump, head)), self.run.language.key
        if not isinstance(loop, syntax.While):
            return False
        behind: set[int] = set()
        for node in syntax.statements(loop.body):
            if isinstance(node, syntax.If | syntax.Case):
                condition = node.condition if isinstance(node, syntax.If) else node.subject
                if hangs(self.run, condition, told):
                    behind |= {id(each) for each in syntax.statements((node,))}
        tested = {key(each.name) for each in syntax.walk(loop.condition) if isinstance(each, syntax.Name)}
        given = [
            node
            for node in syntax.statements(loop.body)
            if isinstance(node, syntax.Assign) and (name := syntax.base(node.target)) and key(name.name) in tested
        ]
        return all(id(node) in behind for node in given) and bool(given or told & tested)

    def _loop_at(self, at: At) -> syntax.Statement | None:
        loops = syntax.While | syntax.Repeat
        return next((x for x in syntax.statements(self.run.tree.body) if x.at == at and isinstance(x, loops)), None)

    def _answered(self, body: Iterable[syntax.Statement]) -> Iterator[str]:
        """Names that an operator gives a value to; not those for which the world tells it."""
        for node in body:
            form = self.run.language.forms.get(self.run.language.key(getattr(node, "unit", "")))
            if isinstance(node, syntax.UnitCall) and form is not None and form.method == "answer" and node.arguments:
                place = node.arguments[0]
                name = None if place is None else syntax.base(place)
                if name is not None and not self.run.world.knows(name.name):
                    yield self.run.language.key(name.name)

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
