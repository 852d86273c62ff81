"""A robot program as a tree, whatever its language. Positions take no part in comparisons.

Control flow and expressions are shared; what only one language has (its motions, its signals) is a `RobotInstruction`:
a word with operands and options, whose meaning is a row in that language's table.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, fields
from functools import cache
from typing import Any

from torsor.programs.diagnostics import At


@dataclass(frozen=True, slots=True)
class SyntaxNode:
    """Anything that stands in a text; ``at`` is where."""

    at: At = field(default=(1, 1), compare=False, kw_only=True)


class Statement(SyntaxNode):
    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Number(SyntaxNode):
    value: float


@dataclass(frozen=True, slots=True)
class WholeNumber(Number):
    """One that is written without a point, in languages where that makes a difference."""


@dataclass(frozen=True, slots=True)
class Text(SyntaxNode):
    value: str
    spelled: str | None = None  # as it stands, where that is not between quotes


@dataclass(frozen=True, slots=True)
class Name(SyntaxNode):
    name: str


@dataclass(frozen=True, slots=True)
class Index(SyntaxNode):
    """An element of an array."""

    base: Expression
    indices: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Member(SyntaxNode):
    """A field of a record or of a location."""

    base: Expression
    name: str


@dataclass(frozen=True, slots=True)
class FunctionCall(SyntaxNode):
    """A function of its arguments; None is an argument left out."""

    function: str
    arguments: tuple[Expression | None, ...]


@dataclass(frozen=True, slots=True)
class Unary(SyntaxNode):
    operator: str
    operand: Expression


@dataclass(frozen=True, slots=True)
class Binary(SyntaxNode):
    operator: str
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class AsMeant(Binary):
    """One that the language would put together otherwise, to something that means nothing."""


@dataclass(frozen=True, slots=True)
class Group(SyntaxNode):
    """Several values in parentheses, such as the coordinates of a pose."""

    items: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Parts(SyntaxNode):
    """A record with its parts by name, some of them left out: ``{X 100, A 90}``; ``type`` where it is written."""

    names: tuple[str, ...]
    items: tuple[Expression, ...]
    type: str = ""


@dataclass(frozen=True, slots=True)
class Named(SyntaxNode):
    """An argument by name: ``\\WObj:=table``, ``a=1.2``; without a value a switch.

    ``optional``: written as an option. ``passed``: given only where the caller was given the parameter ``value`` names.
    """

    name: str
    value: Expression | None = None
    optional: bool = True
    passed: bool = False


Expression = Number | Text | Name | Index | Member | FunctionCall | Unary | Binary | Group | Parts | Named


@dataclass(frozen=True, slots=True)
class Assign(Statement):
    target: Expression
    value: Expression


@dataclass(frozen=True, slots=True)
class RobotInstruction(Statement):
    """``WORD operands OPTION operands ...``; None is an operand left out."""

    word: str
    operands: tuple[Expression | None, ...] = ()
    options: tuple[tuple[str, tuple[Expression | None, ...]], ...] = ()


@dataclass(frozen=True, slots=True)
class Label(Statement):
    name: str


@dataclass(frozen=True, slots=True)
class Goto(Statement):
    """To a label, where the condition holds or there is none."""

    label: str
    condition: Expression | None = None


@dataclass(frozen=True, slots=True)
class If(Statement):
    condition: Expression
    then: Statements
    otherwise: Statements = ()


@dataclass(frozen=True, slots=True)
class For(Statement):
    variable: Expression
    start: Expression
    stop: Expression
    step: Expression | None
    body: Statements


@dataclass(frozen=True, slots=True)
class While(Statement):
    condition: Expression
    body: Statements


@dataclass(frozen=True, slots=True)
class Repeat(Statement):
    body: Statements
    until: Expression


@dataclass(frozen=True, slots=True)
class Case(Statement):
    subject: Expression
    choices: tuple[tuple[tuple[Expression, ...], Statements], ...]
    otherwise: Statements = ()


@dataclass(frozen=True, slots=True)
class UnitCall(Statement):
    unit: str
    arguments: tuple[Expression | None, ...] = ()
    bracketed: bool = False  # its values stand in brackets, where the language has none


@dataclass(frozen=True, slots=True)
class LateCall(Statement):
    """A call of the routine whose name a text says."""

    routine: Expression
    arguments: tuple[Expression | None, ...] = ()


@dataclass(frozen=True, slots=True)
class LeaveLoop(Statement):
    """Out of the loop around it, or (``again``) on to its next round."""

    word: str
    again: bool = False


@dataclass(frozen=True, slots=True)
class NotRun(Statement):
    """Something that is read and not run: an interrupt, a jump of an error handler.

    ``names`` are those in it; ``called``: routines that it would call, with as many values as they are given.
    """

    word: str
    names: tuple[str, ...] = ()
    called: tuple[UnitCall, ...] = ()


@dataclass(frozen=True, slots=True)
class Return(Statement):
    value: Expression | None = None


@dataclass(frozen=True, slots=True)
class Halt(Statement):
    """The program ends here."""

    word: str


@dataclass(frozen=True, slots=True)
class Declare(Statement):
    """A name with its type; ``bounds`` (lowest, highest index) where it is an array."""

    type: str
    name: str
    value: Expression | None = None
    bounds: tuple[int, int] | None = None
    sizes: tuple[Expression | None, ...] = ()  # of an array of several dimensions, where languages compute them
    storage: str = ""  # a word such as const, pers, local, global


@dataclass(frozen=True, slots=True)
class Parameter(SyntaxNode):
    name: str
    type: str = ""
    by_reference: bool = True
    optional: bool = False
    default: Expression | None = None
    dimensions: int = 0  # of an array: ``num n{*,*}`` has two


@dataclass(frozen=True, slots=True)
class StatementGroup(Statement):
    """A part that holds statements and has no meaning of its own: var, seq, a list of locations."""

    kind: str
    body: Statements


@dataclass(frozen=True, slots=True)
class RecordType(Statement):
    name: str
    fields: Statements  # of Declare


@dataclass(frozen=True, slots=True)
class Unit(Statement):
    """A program, procedure or function."""

    kind: str
    name: str
    parameters: tuple[Parameter, ...]
    result: str  # its type; empty where there is none
    body: Statements
    handlers: Statements = ()  # of errors: read, not run
    local: bool = False  # known in its own module only

    @property
    def holds_routines(self) -> bool:
        return any(isinstance(node, Unit) for node in self.body)

    def declared(self, key: str, key_of: Callable[[str], str]) -> str:
        """The type that the body declares a name with; "" where it does not."""
        return next((node.type for node in self.body if isinstance(node, Declare) and key_of(node.name) == key), "")


@dataclass(frozen=True, slots=True)
class Module(Statement):
    """Data and units that stand together, mostly those of one file."""

    name: str
    body: Statements
    kind: str = "module"


Statements = tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class SyntaxTree:
    """A whole file: statements outside of any unit, and units."""

    body: Statements


def expressions(node: SyntaxNode) -> list[Expression]:
    """What stands in an expression, or in a statement without the bodies inside, in the order of the text."""
    return _held(node, Expression)


def _held(node: SyntaxNode, kind: Any) -> list[Any]:
    """The nodes of a kind that a node holds itself, in tuples or not."""
    found: list[Any] = []
    kind_of_node: Any = type(node)
    for name in _holding(kind_of_node):
        waiting = [getattr(node, name)]
        while waiting:
            item = waiting.pop()
            if isinstance(item, tuple):
                waiting.extend(reversed(item))
            elif isinstance(item, kind):
                found.append(item)
    return found


@cache
def _holding(kind: Any) -> tuple[str, ...]:
    """The fields of nodes of a type that may hold others: those that are not of texts and numbers alone."""
    types = {each.name: set(re.findall(r"\w+", str(each.type))) for each in fields(kind)}
    names: tuple[str, ...] = kind.__match_args__
    return tuple(name for name in names if types[name] - {"str", "float", "int", "bool", "tuple", "None"})


def base(target: Expression) -> Name | None:
    """The name that a value is given to, in an element or a part of it or as a whole."""
    while isinstance(target, Index | Member):
        target = target.base
    return target if isinstance(target, Name) else None


def depth_within(expression: Expression, limit: int) -> bool:
    """Is the expression nested at most this deep? Without recursion, because what is asked about may be too deep."""
    level: list[Expression] = [expression]
    for _ in range(limit):
        level = [part for node in level for part in expressions(node)]
        if not level:
            return True
    return False


def statements(body: Iterable[Statement], *, into_units: bool = True) -> Iterator[Statement]:
    """Every statement of a body and of the bodies inside, in the order of the text."""
    for statement in body:
        yield statement
        if not isinstance(statement, RecordType) and (into_units or not isinstance(statement, Unit)):
            yield from statements(_held(statement, Statement), into_units=into_units)


def walk(expression: Expression) -> Iterator[Expression]:
    """An expression and everything inside of it."""
    waiting = [expression]
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(reversed(expressions(node)))
