"""From the tree of a unit to a flat list of steps with jumps: GOTO is a jump as any other, and nothing recurses."""

from __future__ import annotations

from dataclasses import dataclass, field

from torsor.programs import syntax
from torsor.programs.diagnostics import At

Slot = int  # where a loop keeps its limit and step


@dataclass(slots=True)
class UnitStep:
    """One step. ``loop`` is where the innermost loop around it begins."""

    at: At
    loop: At | None


@dataclass(slots=True)
class Do(UnitStep):
    node: syntax.Assign | syntax.RobotInstruction | syntax.Declare | syntax.UnitCall | syntax.Return | syntax.Halt


@dataclass(slots=True)
class Jump(UnitStep):
    """To ``to``; where there is a condition, only if it is ``when``."""

    to: int
    condition: syntax.Expression | None = None
    when: bool = False


@dataclass(slots=True)
class Begin(UnitStep):
    """Sets out a FOR loop, or goes past it."""

    node: syntax.For
    slot: Slot
    past: int


@dataclass(slots=True)
class Next(UnitStep):
    """Counts on, and goes back into the loop where it is not yet done."""

    node: syntax.For
    slot: Slot
    back: int


@dataclass(slots=True)
class Select(UnitStep):
    node: syntax.Case
    to: list[int]
    otherwise: int


@dataclass(slots=True)
class UnitCode:
    """The steps of a unit. It is left where they end."""

    steps: list[UnitStep] = field(default_factory=list)
    labels: dict[str, int] = field(default_factory=dict)
    twice: list[syntax.Label] = field(default_factory=list)
    lost: list[syntax.Goto] = field(default_factory=list)  # to labels that do not exist


def flatten(body: syntax.Statements) -> UnitCode:
    """The steps of a body; units inside of it are left out."""
    code = UnitCode()
    _Writer(code).write(body)
    for step, goto in code_gotos(code):
        if goto.label in code.labels:
            step.to = code.labels[goto.label]
        else:
            code.lost.append(goto)
    return code


@dataclass(slots=True)
class _Pending(Jump):
    goto: syntax.Goto = field(default_factory=lambda: syntax.Goto(""))


def code_gotos(code: UnitCode) -> list[tuple[_Pending, syntax.Goto]]:
    return [(step, step.goto) for step in code.steps if isinstance(step, _Pending)]


class _Writer:
    def __init__(self, code: UnitCode) -> None:
        self.code = code
        self.loops: list[At] = []
        self.slots = 0

    @property
    def here(self) -> int:
        return len(self.code.steps)

    @property
    def loop(self) -> At | None:
        return self.loops[-1] if self.loops else None

    def add(self, step: UnitStep) -> None:
        self.code.steps.append(step)

    def write(self, body: syntax.Statements) -> None:
        for statement in body:
            self.statement(statement)

    def statement(self, node: syntax.Statement) -> None:
        match node:
            case syntax.Label():
                if node.name in self.code.labels:
                    self.code.twice.append(node)
                self.code.labels.setdefault(node.name, self.here)
            case syntax.Goto():
                self.add(_Pending(node.at, node.at, -1, node.condition, True, node))
            case syntax.If():
                self.if_(node)
            case syntax.For():
                self.for_(node)
            case syntax.While():
                self.while_(node)
            case syntax.Repeat():
                self.repeat(node)
            case syntax.Case():
                self.case(node)
            case syntax.Section():
                self.write(node.body)
            case syntax.Unit() | syntax.RecordType():
                pass
            case _:
                self.add(Do(node.at, self.loop, node))

    def if_(self, node: syntax.If) -> None:
        test = Jump(node.at, self.loop, -1, node.condition, False)
        self.add(test)
        self.write(node.then)
        if node.otherwise:
            leave = Jump(node.at, self.loop, -1)
            self.add(leave)
            test.to = self.here
            self.write(node.otherwise)
            leave.to = self.here
        else:
            test.to = self.here

    def for_(self, node: syntax.For) -> None:
        slot, self.slots = self.slots, self.slots + 1
        begin = Begin(node.at, self.loop, node, slot, -1)
        self.add(begin)
        top = self.here
        self.loops.append(node.at)
        self.write(node.body)
        self.add(Next(node.at, node.at, node, slot, top))
        self.loops.pop()
        begin.past = self.here

    def while_(self, node: syntax.While) -> None:
        top = self.here
        self.loops.append(node.at)
        test = Jump(node.at, node.at, -1, node.condition, False)
        self.add(test)
        self.write(node.body)
        self.add(Jump(node.at, node.at, top))
        self.loops.pop()
        test.to = self.here

    def repeat(self, node: syntax.Repeat) -> None:
        top = self.here
        self.loops.append(node.at)
        self.write(node.body)
        self.add(Jump(node.at, node.at, top, node.until, False))
        self.loops.pop()

    def case(self, node: syntax.Case) -> None:
        select = Select(node.at, self.loop, node, [], -1)
        self.add(select)
        leaving: list[Jump] = []
        for _, body in node.choices:
            select.to.append(self.here)
            self.write(body)
            leaving.append(Jump(node.at, self.loop, -1))
            self.add(leaving[-1])
        select.otherwise = self.here
        self.write(node.otherwise)
        for jump in leaving:
            jump.to = self.here


def unreachable(code: UnitCode) -> list[At]:
    """Where the steps begin that no way leads to: the first of each run of them."""
    reached = [False] * (len(code.steps) + 1)
    waiting = [0]
    while waiting:
        at = waiting.pop()
        if at < 0 or at > len(code.steps) or reached[at]:
            continue
        reached[at] = True
        if at < len(code.steps):
            waiting.extend(_followers(code.steps[at], at))
    found: list[At] = []
    for number, step in enumerate(code.steps):
        begins = number == 0 or reached[number - 1] or not isinstance(code.steps[number - 1], Do)
        if not reached[number] and isinstance(step, Do) and begins:
            found.append(step.at)
    return found


def _followers(step: UnitStep, at: int) -> list[int]:
    match step:
        case Jump(condition=None):
            return [step.to]
        case Jump():
            return [step.to, at + 1]
        case Begin():
            return [step.past, at + 1]
        case Next():
            return [step.back, at + 1]
        case Select():
            return [*step.to, step.otherwise]
        case Do(node=syntax.Return() | syntax.Halt()):
            return []
        case _:
            return [at + 1]
