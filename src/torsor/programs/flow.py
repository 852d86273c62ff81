"""From the tree of a unit to a flat list of steps with jumps: GOTO is a jump as any other, and nothing recurses."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from torsor.programs import syntax
from torsor.programs.diagnostics import At

Step = TypeVar("Step", bound="UnitStep")


@dataclass(slots=True)
class UnitStep:
    """One step. ``loop`` is where the innermost loop around it begins."""

    at: At
    loop: At | None


@dataclass(slots=True)
class Do(UnitStep):
    node: syntax.Statement


@dataclass(slots=True)
class Jump(UnitStep):
    """To ``to``; where there is a condition, only if it is ``when``."""

    condition: syntax.Expression | None = None
    when: bool = False
    to: int = -1  # while it is not known


@dataclass(slots=True)
class Begin(UnitStep):
    """Sets out a FOR loop, or goes past it."""

    node: syntax.For
    past: int = -1


@dataclass(slots=True)
class Next(UnitStep):
    """Counts on, and goes back into the loop where it is not yet done."""

    node: syntax.For
    begin: int


@dataclass(slots=True)
class Select(UnitStep):
    node: syntax.Case
    to: list[int] = field(default_factory=list)
    otherwise: int = -1


@dataclass(slots=True)
class UnitCode:
    """The steps of a unit. It is left where they end."""

    steps: list[UnitStep] = field(default_factory=list)
    labels: dict[str, int] = field(default_factory=dict)
    twice: list[syntax.Label] = field(default_factory=list)
    lost: list[syntax.Goto] = field(default_factory=list)  # to labels that do not exist
    outside: list[syntax.LeaveLoop] = field(default_factory=list)  # words that leave a loop, where there is none
    heads: set[int] = field(default_factory=set)  # where loops begin: steps that a jump leads back to


def flatten(body: syntax.Statements) -> UnitCode:
    """The steps of a body; units inside of it are left out."""
    writer = _Writer()
    writer.write(body)
    for jump, goto in writer.gotos:
        if goto.label in writer.code.labels:
            jump.to = writer.code.labels[goto.label]
        else:
            writer.code.lost.append(goto)
    for number, step in enumerate(writer.code.steps):
        if isinstance(step, Next) or (isinstance(step, Jump) and 0 <= step.to <= number):
            writer.code.heads.add(step.begin + 1 if isinstance(step, Next) else step.to)
    return writer.code


class _Writer:
    def __init__(self) -> None:
        self.code = UnitCode()
        self.loops: list[At | None] = [None]
        self.leaving: list[tuple[list[Jump], list[Jump]]] = []  # of each loop: jumps out of it, and to its next round
        self.gotos: list[tuple[Jump, syntax.Goto]] = []

    @property
    def here(self) -> int:
        return len(self.code.steps)

    def add(self, step: Step) -> Step:
        self.code.steps.append(step)
        return step

    def write(self, body: syntax.Statements) -> None:
        for statement in body:
            self.statement(statement)

    def inside(self, loop: syntax.For | syntax.While | syntax.Repeat) -> None:
        self.loops.append(loop.at)
        self.leaving.append(([], []))
        self.write(loop.body)
        self.loops.pop()
        for jump in self.leaving[-1][1]:
            jump.to = self.here  # where what ends a round stands

    def left(self) -> None:
        """The loop that was written last ends here."""
        for jump in self.leaving.pop()[0]:
            jump.to = self.here

    def statement(self, node: syntax.Statement) -> None:
        at, loop, top = node.at, self.loops[-1], self.here
        match node:
            case syntax.Label():
                if node.name in self.code.labels:
                    self.code.twice.append(node)
                self.code.labels.setdefault(node.name, top)
            case syntax.Goto():
                self.gotos.append((self.add(Jump(at, at, node.condition, True)), node))
            case syntax.If():
                leaving = self.add(Jump(at, loop, node.condition))
                self.write(node.then)
                if node.otherwise:
                    test, leaving = leaving, self.add(Jump(at, loop))
                    test.to = self.here
                    self.write(node.otherwise)
                leaving.to = self.here
            case syntax.For():
                begin = self.add(Begin(at, loop, node))
                self.inside(node)
                self.add(Next(at, at, node, top))
                begin.past = self.here
                self.left()
            case syntax.While():
                test = self.add(Jump(at, at, node.condition))
                self.inside(node)
                self.add(Jump(at, at, to=top))
                test.to = self.here
                self.left()
            case syntax.Repeat():
                self.inside(node)
                self.add(Jump(at, at, node.until, to=top))
                self.left()
            case syntax.LeaveLoop():
                jump = self.add(Jump(at, loop))
                if self.leaving:
                    self.leaving[-1][node.again].append(jump)
                else:
                    self.code.outside.append(node)
            case syntax.Case():
                select = self.add(Select(at, loop, node))
                ends = []
                for _, body in node.choices:
                    select.to.append(self.here)
                    self.write(body)
                    ends.append(self.add(Jump(at, loop)))
                select.otherwise = self.here
                self.write(node.otherwise)
                for end in ends:
                    end.to = self.here
            case syntax.StatementGroup():
                self.write(node.body)
            case syntax.Unit() | syntax.RecordType() | syntax.Module() | syntax.NotRun():
                pass
            case _:
                self.add(Do(at, loop, node))


def subject(step: UnitStep) -> syntax.SyntaxNode | None:
    """What stands in a step: a statement, or the condition of a jump."""
    return getattr(step, "condition", None) or getattr(step, "node", None)


def asked(test: UnitStep) -> syntax.Expression:
    """What decides which way a step leads; a constant where it leads only one."""
    condition = test.node.subject if isinstance(test, Select) else getattr(test, "condition", None)
    return syntax.Name("TRUE", at=test.at) if condition is None else condition


def branch(code: UnitCode, number: int) -> tuple[UnitStep | None, int]:
    """The innermost test that a step stands behind, and where the part begins that it stands in; itself without one."""
    found: tuple[UnitStep | None, int] = None, -1
    for at, step in enumerate(code.steps[:number]):
        match step:
            case Jump(when=False, to=other) if step.condition is not None and other > at:
                last = code.steps[other - 1]
                over = last.to if isinstance(last, Jump) and last.condition is None else other
                parts, end = [at + 1, other], max(over, other)
            case Select(to=[*choices], otherwise=other) if choices and isinstance(last := code.steps[other - 1], Jump):
                parts, end = [*choices, other], last.to  # each choice ends with a jump behind them all
            case _:
                continue
        inside = [begin for begin in parts if begin <= number]
        if inside and number < end and inside[-1] > found[1]:
            found = step, inside[-1]
    return found if found[0] is not None else (None, number)


def reached(code: UnitCode, start: int = 0, only: Mapping[int, int] = {}) -> set[int]:
    """The steps that ways lead to from one of them; also the one behind the last, where the unit is left.

    ``only`` are steps with a single way on.
    """
    return _connected(start, lambda at: _ways(code, at, only))


def always_returns(code: UnitCode, head: int, only: Mapping[int, int] = {}) -> bool:
    """Whether a way leads back to a step from wherever one gets to from it."""
    before: dict[int, list[int]] = defaultdict(list)
    from_here = reached(code, head, only)
    for at in from_here:
        for way in _ways(code, at, only):
            before[way].append(at)
    return _connected(head, before.__getitem__) >= from_here


def _connected(start: int, ways: Callable[[int], Iterable[int]]) -> set[int]:
    found: set[int] = set()
    waiting = [start]
    while waiting:
        at = waiting.pop()
        if at >= 0 and at not in found:  # -1: a label that does not exist
            found.add(at)
            waiting.extend(ways(at))
    return found


def _ways(code: UnitCode, at: int, only: Mapping[int, int]) -> list[int]:
    if at >= len(code.steps):
        return []
    return [only[at]] if at in only else _followers(code.steps[at], at)


def unreachable(code: UnitCode) -> list[At]:
    """Where the steps begin that no way leads to: the first of each run of them."""
    led_to = reached(code)
    found: list[At] = []
    for number, step in enumerate(code.steps):
        begins = number == 0 or number - 1 in led_to or not isinstance(code.steps[number - 1], Do)
        if number not in led_to and isinstance(step, Do) and begins:
            found.append(step.at)
    return found


def _followers(step: UnitStep, at: int) -> list[int]:
    match step:
        case Jump(condition=None):
            return [step.to]
        case Jump(to=other) | Begin(past=other) | Next(begin=other):
            return [other, at + 1]
        case Select():
            return [*step.to, step.otherwise]
        case Do(node=syntax.Return() | syntax.Halt()):
            return []
        case _:
            return [at + 1]
