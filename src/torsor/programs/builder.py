"""What a grammar's rules become: one builder for all languages, its methods named after rules and terminals.

Expressions are read as flat lists of operands and operators, and put together by the language's table of precedences: a
number then costs two reductions instead of ten.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from torsor.programs import syntax
from torsor.programs.diagnostics import At
from torsor.programs.syntax import Expression, RobotInstruction

if TYPE_CHECKING:
    from lark import Token

    from torsor.programs.language import Language


@dataclass(frozen=True, slots=True)
class Clause(syntax.SyntaxNode):
    """What a piece of text says: whole statements, or one of the words around a block.

    ``kind`` is "statements" or what `blocks` knows; ``parts`` are its pieces, ``labels`` stand before it.
    """

    kind: str
    word: str = ""
    parts: tuple[Any, ...] = ()
    labels: tuple[syntax.Statement, ...] = ()


class Unreadable(Exception):
    """A clause that is none."""

    def __init__(self, at: At, problem: str, hint: str | None = None) -> None:
        super().__init__(problem)
        self.at = at
        self.problem = problem
        self.hint = hint


def _opening(kind: str) -> Callable[[Builder, list[Any]], Clause]:
    """Of the words that open a block, with what stands between them."""
    return lambda self, items: Clause(kind, parts=tuple(items), at=self.begin)


def _word(kind: str) -> Callable[[Builder, list[Any]], Clause]:
    """Of a word inside a block or behind it, with what follows."""
    return lambda self, items: Clause(kind, self.spelled(items[0]), tuple(items[1:]), at=self.at(items[0]))


class Builder(threading.local):
    """Methods named after rules and terminals; Lark calls them while it parses.

    ``begin`` is where the clause stands in its file. Local to a thread, because all threads share the parser.
    """

    def __init__(self, language: Language) -> None:
        self.language = language
        self.begin: At = (1, 1)

    def at(self, token: Token) -> At:
        return self.moved(token.line or 1, token.column or 1)

    def moved(self, line: int, column: int) -> At:
        return self.begin[0] + line - 1, column + (self.begin[1] - 1 if line == 1 else 0)

    def spelled(self, word: str) -> str:
        return self.language.spelled(" ".join(word.split()))

    # Terminals
    def NUMBER(self, token: Token) -> syntax.Number:
        value = float("".join(token.split()))
        if not math.isfinite(value):
            raise Unreadable(self.at(token), f"{short(str(token))} is too large a number")
        return syntax.Number(value, at=self.at(token))

    SIGNED = NUMBER

    def STRING(self, token: Token) -> syntax.Text:
        return syntax.Text(str(token)[1:-1], at=self.at(token))

    # Expressions
    def name(self, items: list[Any]) -> syntax.Name:
        return syntax.Name(str(items[0]), at=self.at(items[0]))

    def index(self, items: list[Any]) -> syntax.Index:
        base: Any = self.name(items) if isinstance(items[0], str) else items[0]
        return syntax.Index(base, tuple(items[1:]), at=base.at)

    def member(self, items: list[Any]) -> syntax.Member:
        return syntax.Member(items[0], str(items[1]), at=items[0].at)

    def apply(self, items: list[Any]) -> syntax.FunctionCall:
        return syntax.FunctionCall(str(items[0]), items[1] or (), at=self.at(items[0]))

    def unary(self, items: list[Any]) -> syntax.Unary:
        return syntax.Unary(items[0].lower(), items[1], at=self.at(items[0]))

    def group(self, items: list[Any]) -> Expression:
        return items[0] if len(items) == 1 else syntax.Group(tuple(items), at=items[0].at)

    def operation(self, items: list[Any]) -> Expression:
        """Operands and operators in turn, all left-associative, put together by precedence."""
        precedence = self.language.precedence
        operands: list[Expression] = [items[0]]
        waiting: list[str] = []

        def reduce(rank: float) -> None:
            """All that binds as tight as the operator to come, or tighter."""
            while waiting and precedence[waiting[-1]] >= rank:
                right, left = operands.pop(), operands.pop()
                operands.append(syntax.Binary(waiting.pop(), left, right, at=left.at))

        for spelled, operand in zip(items[1::2], items[2::2], strict=True):
            operator = self.language.operators[spelled.lower()]
            reduce(precedence[operator])
            waiting.append(operator)
            operands.append(operand)
        reduce(0)
        return operands[0]

    def operands(self, items: list[Any]) -> tuple[Expression | None, ...]:
        """Expressions with commas between them or not; an operand between two commas is left out."""
        found: list[Expression | None] = []
        after_comma = True
        for item in items:
            comma = isinstance(item, str)
            if after_comma or not comma:
                found.append(None if comma else item)
            after_comma = comma
        return tuple(found)

    arguments = operands

    # Statements
    def label(self, items: list[Any]) -> syntax.Label:
        return syntax.Label(str(items[0]).rstrip("."), at=self.at(items[0]))

    def instruction(self, items: list[Any]) -> RobotInstruction:
        word, *rest = items
        operands: tuple[Any, ...] = rest.pop(0) if rest and not _is_option(rest[0]) else ()
        if len(operands) == 1 and isinstance(operands[0], syntax.Group):
            operands = operands[0].items
        return self._instruction(word, operands, rest)

    def _instruction(self, word: Token, operands: Iterable[Any], options: Iterable[Any] = ()) -> RobotInstruction:
        return RobotInstruction(self.spelled(word), tuple(operands), tuple(options), at=self.at(word))

    def option(self, items: list[Any]) -> tuple[str, tuple[Expression | None, ...]]:
        return items[0].upper(), items[1] if len(items) > 1 else ()

    def move(self, items: list[Any]) -> RobotInstruction:
        targets = [item for item in items[1:] if not _is_option(item)]
        return self._instruction(items[0], targets, filter(_is_option, items))

    def setting(self, items: list[Any]) -> tuple[str, tuple[Expression | None, ...]]:
        return str(items[0]), () if items[1] is None else (items[1],)

    def point(self, items: list[Any]) -> RobotInstruction:
        return self._instruction(items[0], items[1:])

    defining = point

    def entry(self, items: list[Any]) -> Clause:
        node = RobotInstruction("POINT", tuple(items), at=items[0].at)
        return Clause("entry", getattr(items[0], "name", ""), (node,), at=node.at)

    def assign(self, items: list[Any]) -> syntax.Assign:
        return syntax.Assign(items[0], items[1], at=items[0].at)

    def call(self, items: list[Any]) -> syntax.UnitCall:
        return syntax.UnitCall(str(items[0]), items[1] or (), at=self.at(items[0]))

    def goto(self, items: list[Any]) -> syntax.Goto:
        return syntax.Goto(str(items[0]).rstrip("."), at=self.at(items[0]))

    def go_if(self, items: list[Any]) -> syntax.Goto:
        return syntax.Goto(str(items[1]).rstrip("."), items[0], at=items[0].at)

    def halt(self, items: list[Any]) -> syntax.Halt:
        return syntax.Halt(self.spelled(items[0]), at=self.at(items[0]))

    def back(self, items: list[Any]) -> syntax.Return:
        return syntax.Return(items[1] if len(items) > 1 else None, at=self.at(items[0]))

    def declare(self, items: list[Any]) -> Clause:
        (kind, bounds), *names = items
        parts = (syntax.Declare(kind, str(name), value, bounds, at=self.at(name)) for name, value in names)
        return Clause("statements", parts=tuple(parts))

    def type(self, items: list[Any]) -> tuple[str, tuple[int, int] | None]:
        if len(items) == 1:
            return items[0].lower(), None
        low, high = items[0], items[1]
        if low.value % 1 or high.value % 1 or low.value > high.value or high.value - low.value > 1e6:
            raise Unreadable(low.at, "these are no bounds of an array", "write whole numbers, the smaller one first")
        return items[2].lower(), (int(low.value), int(high.value))

    def declared(self, items: list[Any]) -> tuple[Token, Expression | None]:
        return items[0], items[1]

    def empty(self, items: list[Any]) -> Clause:
        return Clause("statements")

    # Words around blocks
    open_if, loop, loop_while, open_repeat = (_opening(kind) for kind in ("if", "for", "while", "repeat"))
    choose, choice = _opening("case"), _opening("choice")
    otherwise, until, fallback, close = (_word(kind) for kind in ("else", "until", "fallback", "close"))

    def section(self, items: list[Any]) -> Clause:
        word = items[0].lower()
        return Clause("statements" if word == "begin" else "section", word, at=self.at(items[0]))

    def locations(self, items: list[Any]) -> Clause:
        return Clause("section", ".LOCATIONS", at=self.at(items[0]))

    def record(self, items: list[Any]) -> Clause:
        return Clause("record", parts=(str(items[0]),), at=self.at(items[0]))

    def program(self, items: list[Any]) -> Clause:
        _, name, *parameters = items
        return Clause("unit", "program", (str(name), next(filter(None, parameters), ()), ""), at=self.at(name))

    def procedure(self, items: list[Any]) -> Clause:
        word, name, parameters, result = items
        parts = str(name), parameters or (), (result or "").lower()
        return Clause("unit", word.lower(), parts, at=self.at(name))

    def parameters(self, items: list[Any]) -> tuple[syntax.Parameter, ...]:
        return tuple(items)

    def parameter(self, items: list[Any]) -> syntax.Parameter:
        return syntax.Parameter(str(items[0]), at=self.at(items[0]))

    def typed_parameter(self, items: list[Any]) -> syntax.Parameter:
        type_name, name = items[-2:]
        return syntax.Parameter(str(name), type_name.lower(), len(items) == 3, at=self.at(name))

    def start(self, items: list[Any]) -> Clause | None:
        match items:
            case []:
                return None
            case [*labels, Clause() as clause]:
                return replace(clause, labels=(*labels, *clause.labels))
        return Clause("statements", parts=tuple(items))


def _is_option(item: object) -> bool:
    return isinstance(item, tuple) and len(item) == 2 and isinstance(item[0], str)


def short(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:37] + "...")
