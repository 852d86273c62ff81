"""What a grammar's rules become: one builder for all languages, its methods named after rules and terminals.

Expressions are read as flat lists of operands and operators, and put together by the language's table of precedences: a
number then costs two reductions instead of ten.
"""

from __future__ import annotations

import math
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from torsor.programs import syntax
from torsor.programs.diagnostics import At
from torsor.programs.syntax import Expression

if TYPE_CHECKING:
    from lark import Token

    from torsor.programs.language import Language


@dataclass(frozen=True, slots=True)
class Clause:
    """What a piece of text says: a whole statement, or one of the words around a block.

    ``kind`` is "statement" or what `blocks` knows; ``parts`` are its pieces.
    """

    kind: str
    at: At
    word: str = ""
    parts: tuple[Any, ...] = ()
    label: syntax.Label | None = None


class Unreadable(Exception):
    """A clause that is none."""

    def __init__(self, at: At, problem: str, hint: str | None = None) -> None:
        super().__init__(problem)
        self.at = at
        self.problem = problem
        self.hint = hint


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

    # Terminals
    def NUMBER(self, token: Token) -> syntax.Number:
        value = float("".join(token.split()))
        if not math.isfinite(value):
            raise Unreadable(self.at(token), f"{short(str(token))} is too large a number")
        return syntax.Number(value, self.at(token))

    SIGNED = NUMBER

    def STRING(self, token: Token) -> syntax.Text:
        return syntax.Text(str(token)[1:-1], self.at(token))

    # Expressions
    def name(self, items: list[Any]) -> syntax.Name:
        return syntax.Name(str(items[0]), self.at(items[0]))

    def index(self, items: list[Any]) -> syntax.Index:
        first: Any = items[0]
        base: Any = self.name(items) if isinstance(first, str) else first
        return syntax.Index(base, tuple(items[1:]), base.at)

    def member(self, items: list[Any]) -> syntax.Member:
        return syntax.Member(items[0], str(items[1]), items[0].at)

    def apply(self, items: list[Any]) -> syntax.FunctionCall:
        return syntax.FunctionCall(str(items[0]), items[1] or (), self.at(items[0]))

    def unary(self, items: list[Any]) -> syntax.Unary:
        return syntax.Unary(items[0].lower(), items[1], self.at(items[0]))

    def group(self, items: list[Any]) -> Expression:
        return items[0] if len(items) == 1 else syntax.Group(tuple(items), items[0].at)

    def operation(self, items: list[Any]) -> Expression:
        """Operands and operators in turn, all left-associative, put together by precedence."""
        spellings = self.language.operators
        operands: list[Expression] = [items[0]]
        waiting: list[str] = []

        def reduce() -> None:
            right, left = operands.pop(), operands.pop()
            operands.append(syntax.Binary(waiting.pop(), left, right, left.at))

        for spelled, operand in zip(items[1::2], items[2::2], strict=True):
            operator = spellings[spelled.lower()]
            while waiting and self.language.precedence[waiting[-1]] >= self.language.precedence[operator]:
                reduce()
            waiting.append(operator)
            operands.append(operand)
        while waiting:
            reduce()
        return operands[0]

    def operands(self, items: list[Any]) -> tuple[Expression | None, ...]:
        """Expressions with commas between them or not; an operand between two commas is left out."""
        found: list[Expression | None] = []
        after_comma = True
        for item in items:
            if isinstance(item, str):
                if after_comma:
                    found.append(None)
                after_comma = True
            else:
                found.append(item)
                after_comma = False
        return tuple(found)

    arguments = operands

    # Statements
    def label(self, items: list[Any]) -> syntax.Label:
        return syntax.Label(str(items[0]).rstrip("."), self.at(items[0]))

    def instruction(self, items: list[Any]) -> Clause:
        word, *rest = items
        operands: tuple[Any, ...] = rest.pop(0) if rest and not _is_option(rest[0]) else ()
        if len(operands) == 1 and isinstance(operands[0], syntax.Group):
            operands = operands[0].items
        spelled = " ".join(word.lower().split()) if self.language.lower_case else word.upper()
        return _statement(syntax.RobotInstruction(spelled, operands, tuple(rest), self.at(word)))

    def option(self, items: list[Any]) -> tuple[str, tuple[Expression | None, ...]]:
        return items[0].upper(), items[1] if len(items) > 1 else ()

    def move(self, items: list[Any]) -> Clause:
        word, *rest = items
        targets = tuple(item for item in rest if not _is_option(item))
        settings = tuple(item for item in rest if _is_option(item))
        return _statement(syntax.RobotInstruction(" ".join(word.lower().split()), targets, settings, self.at(word)))

    def setting(self, items: list[Any]) -> tuple[str, tuple[Expression | None, ...]]:
        return str(items[0]), () if items[1] is None else (items[1],)

    def defining(self, items: list[Any]) -> Clause:
        return _statement(syntax.RobotInstruction(items[0].upper(), (items[1], items[2]), (), self.at(items[0])))

    def point(self, items: list[Any]) -> Clause:
        return _statement(syntax.RobotInstruction("POINT", tuple(items[1:]), (), self.at(items[0])))

    def entry(self, items: list[Any]) -> Clause:
        node = syntax.RobotInstruction("POINT", tuple(items), (), items[0].at)
        return Clause("entry", node.at, getattr(items[0], "name", ""), (node,))

    def assign(self, items: list[Any]) -> Clause:
        return _statement(syntax.Assign(items[0], items[1], items[0].at))

    def call(self, items: list[Any]) -> Clause:
        return _statement(syntax.UnitCall(str(items[0]), items[1] or (), self.at(items[0])))

    def goto(self, items: list[Any]) -> Clause:
        return _statement(syntax.Goto(str(items[0]).rstrip("."), None, self.at(items[0])))

    def go_if(self, items: list[Any]) -> Clause:
        return _statement(syntax.Goto(str(items[1]).rstrip("."), items[0], items[0].at))

    def halt(self, items: list[Any]) -> Clause:
        return _statement(syntax.Halt(self._spelled(items[0]), self.at(items[0])))

    def back(self, items: list[Any]) -> Clause:
        return _statement(syntax.Return(items[1] if len(items) > 1 else None, self.at(items[0])))

    def declare(self, items: list[Any]) -> Clause:
        (type_name, bounds), *names = items
        return Clause(
            "declare",
            self.at(names[0][0]),
            parts=tuple(syntax.Declare(type_name, str(name), value, bounds, self.at(name)) for name, value in names),
        )

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
        return Clause("blank", self.begin)

    # Words around blocks
    def open_if(self, items: list[Any]) -> Clause:
        return Clause("if", self.begin, parts=tuple(items))

    def otherwise(self, items: list[Any]) -> Clause:
        return Clause("else", self.at(items[0]), self._spelled(items[0]))

    def loop(self, items: list[Any]) -> Clause:
        return Clause("for", self.begin, parts=tuple(items))

    def loop_while(self, items: list[Any]) -> Clause:
        return Clause("while", self.begin, parts=tuple(items))

    def open_repeat(self, items: list[Any]) -> Clause:
        return Clause("repeat", self.begin)

    def until(self, items: list[Any]) -> Clause:
        return Clause("until", self.at(items[0]), self._spelled(items[0]), (items[1],))

    def choose(self, items: list[Any]) -> Clause:
        return Clause("case", self.begin, parts=tuple(items))

    def choice(self, items: list[Any]) -> Clause:
        return Clause("choice", self.begin, parts=tuple(items))

    def fallback(self, items: list[Any]) -> Clause:
        return Clause("fallback", self.at(items[0]), self._spelled(items[0]))

    def close(self, items: list[Any]) -> Clause:
        return Clause("close", self.at(items[0]), self._spelled(items[0]))

    def section(self, items: list[Any]) -> Clause:
        word = items[0].lower()
        return Clause("blank" if word == "begin" else "section", self.at(items[0]), word)

    def locations(self, items: list[Any]) -> Clause:
        return Clause("section", self.at(items[0]), ".LOCATIONS")

    def record(self, items: list[Any]) -> Clause:
        return Clause("record", self.at(items[0]), parts=(str(items[0]),))

    def program(self, items: list[Any]) -> Clause:
        _, name, *rest = items
        parameters = rest[0] if rest and rest[0] is not None else ()
        return Clause("unit", self.at(name), "program", (str(name), parameters, ""))

    def procedure(self, items: list[Any]) -> Clause:
        word, name, parameters, result = items
        return Clause("unit", self.at(name), word.lower(), (str(name), parameters or (), (result or "").lower()))

    def parameters(self, items: list[Any]) -> tuple[syntax.Parameter, ...]:
        return tuple(items)

    def parameter(self, items: list[Any]) -> syntax.Parameter:
        return syntax.Parameter(str(items[0]), at=self.at(items[0]))

    def typed_parameter(self, items: list[Any]) -> syntax.Parameter:
        type_name, name = items[-2:]
        return syntax.Parameter(str(name), type_name.lower(), len(items) == 3, self.at(name))

    def start(self, items: list[Any]) -> Clause | None:
        match items:
            case []:
                return None
            case [syntax.Label() as label]:
                return Clause("blank", label.at, label=label)
            case [syntax.Label() as label, Clause() as clause]:
                return Clause(clause.kind, clause.at, clause.word, clause.parts, label)
        return items[0]  # type: ignore[no-any-return]

    def _spelled(self, token: Token) -> str:
        return token.lower() if self.language.lower_case else token.upper()


def _statement(node: syntax.Statement) -> Clause:
    return Clause("statement", node.at, parts=(node,))


def _is_option(item: object) -> bool:
    return isinstance(item, tuple) and len(item) == 2 and isinstance(item[0], str)


def short(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:37] + "...")
