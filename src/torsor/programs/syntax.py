"""A robot program as a tree, whatever its language. Positions take no part in comparisons.

Control flow and expressions are shared; what only one language has (its motions, its signals) is a `RobotInstruction`:
a word with operands and options, whose meaning is a row in that language's table.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from torsor.programs.diagnostics import At


@dataclass(frozen=True, slots=True)
class Number:
    value: float
    at: At = field(default=(1, 1), compare=False)


@dataclass(frozen=True, slots=True)
class Text:
    value: str
    at: At = field(default=(1, 1), compare=False)


@dataclass(frozen=True, slots=True)
class Name:
    name: str
    at: At = field(default=(1, 1), compare=False)


@dataclass(frozen=True, slots=True)
class Index:
    """An element of an array."""

    base: Expression
    indices: tuple[Expression, ...]
    at: At = field(default=(1, 1), compare=False)


@dataclass(frozen=True, slots=True)
class Member:
    """A field of a record or of a location."""

    base: Expression
    name: str
    at: At = field(default=(1, 1), compare=False)


@dataclass(frozen=True, slots=True)
class FunctionCall:
    """A function of its arguments; None is an argument left out."""

    function: str
    arguments: tuple[Expression | None, ...]
    at: At = field(default=(1, 1), compare=False)


@dataclass(frozen=True, slots=True)
class Unary:
    operator: str
    operand: Expression
    at: At = field(default=(1, 1), compare=False)


@dataclass(frozen=True, slots=True)
class Binary:
    operator: str
    left: Expression
    right: Expression
    at: At = field(default=(1, 1), compare=False)


@dataclass(frozen=True, slots=True)
class Group:
    """Several values in parentheses, such as the coordinates of a pose."""

    items: tuple[Expression, ...]
    at: At = field(default=(1, 1), compare=False)


Expression = Number | Text | Name | Index | Member | FunctionCall | Unary | Binary | Group


@dataclass(frozen=True, slots=True)
class Assign:
    target: Expression
    value: Expression
    at: At = field(default=(1, 1), compare=False)


@dataclass(frozen=True, slots=True)
class RobotInstruction:
    """``WORD operands OPTION operands ...``; None is an operand left out."""

    word: str
    operands: tuple[Expression | None, ...] = ()
    options: tuple[tuple[str, tuple[Expression | None, ...]], ...] = ()
    at: At = field(default=(1, 1), compare=False)


@dataclass(frozen=True, slots=True)
class Label:
    name: str
    at: At = field(default=(1, 1), compare=False)


@dataclass(frozen=True, slots=True)
class Goto:
    """To a label, where the condition holds or there is none."""

    label: str
    condition: Expression | None = None
    at: At = field(default=(1, 1), compare=False)


@dataclass(frozen=True, slots=True)
class If:
    condition: Expression
    then: Statements
    otherwise: Statements = ()
    at: At = field(default=(1, 1), compare=False)


@dataclass(frozen=True, slots=True)
class For:
    variable: Expression
    start: Expression
    stop: Expression
    step: Expression | None
    body: Statements
    at: At = field(default=(1, 1), compare=False)


@dataclass(frozen=True, slots=True)
class While:
    condition: Expression
    body: Statements
    at: At = field(default=(1, 1), compare=False)


@dataclass(frozen=True, slots=True)
class Repeat:
    body: Statements
    until: Expression
    at: At = field(default=(1, 1), compare=False)


@dataclass(frozen=True, slots=True)
class Case:
    subject: Expression
    choices: tuple[tuple[tuple[Expression, ...], Statements], ...]
    otherwise: Statements = ()
    at: At = field(default=(1, 1), compare=False)


@dataclass(frozen=True, slots=True)
class UnitCall:
    unit: str
    arguments: tuple[Expression | None, ...] = ()
    at: At = field(default=(1, 1), compare=False)


@dataclass(frozen=True, slots=True)
class Return:
    value: Expression | None = None
    at: At = field(default=(1, 1), compare=False)


@dataclass(frozen=True, slots=True)
class Halt:
    """The program ends here."""

    word: str
    at: At = field(default=(1, 1), compare=False)


@dataclass(frozen=True, slots=True)
class Declare:
    """A name with its type; ``bounds`` (lowest, highest index) where it is an array."""

    type: str
    name: str
    value: Expression | None = None
    bounds: tuple[int, int] | None = None
    at: At = field(default=(1, 1), compare=False)


@dataclass(frozen=True, slots=True)
class Parameter:
    name: str
    type: str = ""
    by_reference: bool = True
    at: At = field(default=(1, 1), compare=False)


@dataclass(frozen=True, slots=True)
class Section:
    """A part that holds statements and has no meaning of its own: var, seq, a list of locations."""

    kind: str
    body: Statements
    at: At = field(default=(1, 1), compare=False)


@dataclass(frozen=True, slots=True)
class RecordType:
    name: str
    fields: Statements  # of Declare
    at: At = field(default=(1, 1), compare=False)


@dataclass(frozen=True, slots=True)
class Unit:
    """A program, procedure or function."""

    kind: str
    name: str
    parameters: tuple[Parameter, ...]
    result: str  # its type; empty where there is none
    body: Statements
    at: At = field(default=(1, 1), compare=False)


Statement = (
    Assign
    | RobotInstruction
    | Label
    | Goto
    | If
    | For
    | While
    | Repeat
    | Case
    | UnitCall
    | Return
    | Halt
    | Declare
    | Section
    | RecordType
    | Unit
)
Statements = tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class SyntaxTree:
    """A whole file: statements outside of any unit, and units."""

    body: Statements


def bodies(statement: Statement) -> tuple[Statements, ...]:
    """The bodies inside a statement."""
    match statement:
        case If(_, then, otherwise):
            return then, otherwise
        case For() | While() | Repeat() | Section() | Unit():
            return (statement.body,)
        case Case(_, choices, otherwise):
            return (*(body for _, body in choices), otherwise)
        case _:
            return ()


def parts(expression: Expression) -> tuple[Expression, ...]:
    """What an expression is made of."""
    match expression:
        case Index(base, indices):
            return base, *indices
        case Member(base, _):
            return (base,)
        case FunctionCall(_, arguments):
            return tuple(argument for argument in arguments if argument is not None)
        case Unary(_, operand):
            return (operand,)
        case Binary(_, left, right):
            return left, right
        case Group(items):
            return items
        case _:
            return ()


def depth_within(expression: Expression, limit: int) -> bool:
    """Is the expression nested at most this deep? Without recursion, because what is asked about may be too deep."""
    level: list[Expression] = [expression]
    for _ in range(limit):
        level = [part for node in level for part in parts(node)]
        if not level:
            return True
    return False


def statements(body: Statements, *, into_units: bool = True) -> Iterator[Statement]:
    """Every statement of a body and of the bodies inside, in the order of the text."""
    for statement in body:
        yield statement
        if into_units or not isinstance(statement, Unit):
            for inner in bodies(statement):
                yield from statements(inner, into_units=into_units)


def expressions(statement: Statement) -> tuple[Expression, ...]:
    """The expressions that stand in a statement itself, not in the bodies inside."""
    match statement:
        case Assign(target, value):
            found: tuple[Expression | None, ...] = (target, value)
        case RobotInstruction(_, operands, options):
            found = (*operands, *(operand for _, given in options for operand in given))
        case Goto(_, condition) | If(condition) | While(condition):
            found = (condition,)
        case For(variable, start, stop, step):
            found = (variable, start, stop, step)
        case Repeat(_, until):
            found = (until,)
        case Case(subject, choices):
            found = (subject, *(value for values, _ in choices for value in values))
        case UnitCall(_, arguments):
            found = arguments
        case Return(value) | Declare(_, _, value):
            found = (value,)
        case _:
            found = ()
    return tuple(expression for expression in found if expression is not None)


def walk(expression: Expression) -> Iterator[Expression]:
    """An expression and everything inside of it."""
    waiting = [expression]
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(reversed(parts(node)))
