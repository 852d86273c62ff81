"""What rules of grammars become that only languages of projects have."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any

from torsor.programs import syntax
from torsor.programs.builder import Builder, Clause, Unreadable
from torsor.programs.diagnostics import At
from torsor.programs.syntax import Expression

if TYPE_CHECKING:
    from lark import Token

    from torsor.programs.project_language import ProjectLanguage


_LITERAL_WORDS = re.compile(r"[\[\]]|[^\[\],\s]+")


class ProjectBuilder(Builder):
    language: ProjectLanguage

    # Terminals
    def NUMBER(self, token: Token) -> syntax.Number:
        text = str(token).lower()
        if text[:2] in ("0x", "0b", "0o"):
            return syntax.Number(float(int(text, 0)), at=self.at(token))
        return super().NUMBER(token)

    def LITERAL(self, token: Token) -> Expression:
        """Numbers in brackets, within brackets or not. All have the place of the whole."""
        return self._read_numbers(str(token), self.at(token))

    def _read_numbers(self, text: str, at: At) -> syntax.Group:
        open_ones: list[list[Expression]] = [[]]
        for word in _LITERAL_WORDS.findall(text):
            if word == "[":
                open_ones.append([])
            elif word == "]":
                items = tuple(open_ones.pop())
                open_ones[-1].append(syntax.Group(items, at=at))
            else:
                open_ones[-1].append(self._number(float(word), at))
        ((group,),) = open_ones
        assert isinstance(group, syntax.Group)
        return group

    def _number(self, value: float, at: At) -> syntax.Number:
        if not math.isfinite(value):
            raise Unreadable(at, "a number that is too large")
        return syntax.Number(value, at=at)

    def STRING(self, token: Token) -> syntax.Text:
        return syntax.Text(str(token)[1:-1].replace('""', '"'), at=self.at(token))

    # Expressions
    def operation(self, items: list[Any]) -> Expression:
        """Operands, operators between them and signs before them, put together by precedence."""
        precedence, language = self.language.precedence, self.language
        operands: list[Expression] = []
        waiting: list[tuple[str, Any]] = []  # operators; signs with the token they stand at

        def reduce(rank: float) -> None:
            while (
                waiting
                and (precedence["sign " + waiting[-1][0]] if waiting[-1][1] else precedence[waiting[-1][0]]) >= rank
            ):
                word, token = waiting.pop()
                if token is not None:
                    operands.append(syntax.Unary(word, operands.pop(), at=self.at(token)))
                else:
                    right, left = operands.pop(), operands.pop()
                    operands.append(syntax.Binary(word, left, right, at=left.at))

        before_operand = True
        for item in items:
            if not isinstance(item, str):
                operands.append(item)
                before_operand = False
            elif before_operand:
                word = item.lower()
                waiting.append(({"!": "not"}.get(word, word), item))
            else:
                word = language.operators[item.lower()]
                reduce(precedence[word])
                waiting.append((word, None))
                before_operand = True
        reduce(float("-inf"))
        return operands[0]

    def aggregate(self, items: list[Any]) -> syntax.Group:
        return syntax.Group(tuple(item for item in items[1:] if item is not None), at=self.at(items[0]))

    def placeholder(self, items: list[Any]) -> Expression:
        raise Unreadable(self.at(items[0]), f"{items[0]} is a place that was left open", "write what belongs there")

    def by_name(self, items: list[Any]) -> syntax.Named:
        return syntax.Named(str(items[0]), items[1], optional=False, at=self.at(items[0]))

    def option(self, items: list[Any]) -> syntax.Named:  # type: ignore[override]
        return syntax.Named(str(items[1]), items[2], at=self.at(items[1]))

    def option_passed(self, items: list[Any]) -> syntax.Named:
        return syntax.Named(str(items[1]), items[2], passed=True, at=self.at(items[1]))

    # Statements
    def late_call(self, items: list[Any]) -> syntax.LateCall:
        return syntax.LateCall(items[0], items[1] or (), at=self.begin)

    def halt(self, items: list[Any]) -> syntax.Statement:  # type: ignore[override]
        word = items[0].upper()
        if word in ("RETRY", "TRYNEXT"):
            return syntax.NotRun(word, at=self.at(items[0]))
        return super().halt(items)

    def connect(self, items: list[Any]) -> syntax.NotRun:
        base = syntax.base(items[1])
        names = (*(() if base is None else (base.name,)), str(items[2]))
        return syntax.NotRun("CONNECT", names, at=self.at(items[0]))

    def data(self, items: list[Any]) -> syntax.Declare:
        scope, storage, type_name, name, sizes, value = items
        words = " ".join(word.lower() for word in (scope, storage) if word is not None)
        kind = self.language.key(type_name)
        return syntax.Declare(kind, str(name), value, None, sizes or (), words, at=self.at(name))

    def sizes(self, items: list[Any]) -> tuple[Expression, ...]:
        return tuple(items)

    def alias(self, items: list[Any]) -> syntax.Declare:
        return syntax.Declare(self.language.key(items[1]), str(items[2]), storage="alias", at=self.at(items[2]))

    def compact_if(self, items: list[Any]) -> syntax.If:
        return syntax.If(items[0], (items[1],), at=self.begin)

    def labelled(self, items: list[Any]) -> syntax.Label:
        return syntax.Label(self.language.key(items[0]), at=self.at(items[0]))

    def goto(self, items: list[Any]) -> syntax.Goto:
        return syntax.Goto(self.language.key(items[0]), at=self.at(items[0]))

    # Words around blocks
    def open_elif(self, items: list[Any]) -> Clause:
        return Clause("elif", self.spelled(items[0]), (items[1],), at=self.at(items[0]))

    def module(self, items: list[Any]) -> Clause:
        return Clause("module", parts=(str(items[1]),), at=self.at(items[0]))

    def handler(self, items: list[Any]) -> Clause:
        return Clause("handler", self.spelled(items[0]), at=self.at(items[0]))

    def _unit(self, kind: str, scope: Any, name: Token, parameters: Any, result: str = "") -> Clause:
        local = scope is not None and scope.lower() == "local"
        return Clause("unit", kind, (str(name), parameters or (), result, local), at=self.at(name))

    def procedure(self, items: list[Any]) -> Clause:
        return self._unit("proc", items[0], items[1], items[2])

    def function(self, items: list[Any]) -> Clause:
        return self._unit("func", items[0], items[2], items[3], self.language.key(items[1]))

    def trap(self, items: list[Any]) -> Clause:
        return self._unit("trap", items[0], items[1], ())

    def record(self, items: list[Any]) -> Clause:
        return Clause("record", parts=(str(items[-1]),), at=self.at(items[-1]))

    def parameters(self, items: list[Any]) -> tuple[syntax.Parameter, ...]:
        return tuple(item for item in items if isinstance(item, syntax.Parameter))

    def _parameter(self, items: list[Any], *, optional: bool) -> syntax.Parameter:
        mode, type_name, name, stars = items
        kind, dimensions = self.language.key(type_name), 0 if stars is None else str(stars).count("*")
        return syntax.Parameter(str(name), kind, mode is not None, optional, dimensions=dimensions, at=self.at(name))

    def required(self, items: list[Any]) -> syntax.Parameter:
        return self._parameter(items, optional=False)

    def alternative(self, items: list[Any]) -> syntax.Parameter:
        return self._parameter(items, optional=True)

    def given_optional(self, items: list[Any]) -> syntax.Parameter:
        parameter: syntax.Parameter = items[1]
        return parameter
