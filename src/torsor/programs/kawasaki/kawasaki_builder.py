"""What rules of AS's grammar become that no other language has."""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING, Any

from torsor.programs import syntax
from torsor.programs.builder import Clause, Unreadable
from torsor.programs.misspelt import slip_of
from torsor.programs.project_builder import ProjectBuilder

if TYPE_CHECKING:
    from lark import Token

NUMBERS = {"H": 16, "B": 2}
MOST_NUMBERS = 6  # of a place that DECOMPOSE takes apart


class KawasakiBuilder(ProjectBuilder):
    def NUMBER(self, token: Token) -> syntax.Number:
        text = str(token)
        if text.startswith("^"):
            try:
                return syntax.Number(float(int(text[2:], NUMBERS[text[1].upper()])), at=self.at(token))
            except ValueError:
                raise Unreadable(self.at(token), f"{text} is no number", "^HFF, ^B1010") from None
        return super().NUMBER(token)

    def form(self, items: list[Any]) -> syntax.Text:
        return syntax.Text(str(items[0]), at=self.at(items[0]))

    def joints(self, items: list[Any]) -> syntax.FunctionCall:
        return syntax.FunctionCall("#ppoint", self.operands(items[1:]), at=self.at(items[0]))

    def operands(self, items: list[Any]) -> tuple[syntax.Expression | None, ...]:
        """Expressions with commas between them, all of them: without one, two would be read as two."""
        for before, item in itertools.pairwise(items):
            if not isinstance(before, str) and not isinstance(item, str):
                raise Unreadable(item.at, "a comma is missing before this")
        return super().operands(items)

    arguments = operands

    # Sections
    def program(self, items: list[Any]) -> Clause:
        return Clause("unit", "def", (str(items[1]), items[2] or (), "", False), at=self.at(items[1]))

    def parameter(self, items: list[Any]) -> syntax.Parameter:
        return syntax.Parameter(str(items[0]), "", by_reference=True, at=self.at(items[0]))

    def unclosed(self, items: list[Any]) -> Clause:
        told = str(items[0])[1:]
        if told.startswith("?"):
            raise Unreadable(self.begin, f"there is no section {told[1:]}", "a word such as .PROGRAM, .TRANS, .JOINTS")
        raise Unreadable(self.begin, f"{told} is never closed", "add .END")

    def close(self, items: list[Any]) -> Clause:
        return Clause("close", str(items[0]).upper(), at=self.begin)

    def entry(self, items: list[Any]) -> syntax.Name:  # type: ignore[override]
        name, *indices = items
        numbers = [f"{each.value:g}" for each in indices if each is not None]
        return syntax.Name(f"{name}[{','.join(numbers)}]" if numbers else str(name), at=self.at(name))

    def places(self, items: list[Any]) -> syntax.Declare:
        """A line of .TRANS or .JOINTS."""
        _, name, *numbers = items
        joints = name.name.lstrip(".").startswith("#")
        if not joints and len(numbers) < 6:
            raise Unreadable(name.at, f"{name.name} has {len(numbers)} numbers", "six: X Y Z O A T")
        given = numbers if joints else numbers[:6]
        value = syntax.FunctionCall("#ppoint" if joints else "trans", tuple(given), at=name.at)
        return syntax.Declare("", name.name, value, at=name.at)

    def values(self, items: list[Any]) -> syntax.Declare:
        return syntax.Declare("", items[1].name, items[3], at=items[1].at)

    # Statements
    def labelled(self, items: list[Any]) -> syntax.Label:
        return syntax.Label(str(items[0]).rstrip(":").lower(), at=self.begin)

    def goto(self, items: list[Any]) -> syntax.Goto:
        return syntax.Goto(str(items[0]).lower(), items[1], at=self.at(items[0]))

    def go_if(self, items: list[Any]) -> syntax.Goto:
        return syntax.Goto(str(items[1]).lower(), items[0], at=items[0].at)

    def instruction(self, items: list[Any]) -> syntax.UnitCall:  # type: ignore[override]
        word, operands, *options = items
        told = tuple(
            syntax.Named(re.sub(r"\W", "_", str(each).lower()), value, at=self.at(each)) for each, value in options
        )
        return syntax.UnitCall(str(word).upper(), (*(operands or ()), *told), at=self.at(word))

    def option(self, items: list[Any]) -> tuple[Any, Any]:  # type: ignore[override]
        return items[0], items[1] if len(items) > 1 else None

    def step(self, items: list[Any]) -> syntax.UnitCall:
        """A step of block teaching: ``JOINT SPEED9 ACCU1 TIMER0 TOOL1 ... #[...]``."""
        words = str(items[0]).split()
        return syntax.UnitCall(words[0].upper(), (items[1], syntax.Text(str(items[0]), at=self.begin)), at=self.begin)

    def assign(self, items: list[Any]) -> syntax.Assign:
        return syntax.Assign(items[0], items[2], at=items[0].at)

    def point(self, items: list[Any]) -> syntax.Assign:  # type: ignore[override]
        return self.assign(items[:3])

    def loop(self, items: list[Any]) -> Clause:
        variable, _, start, stop, step = items
        return Clause("for", parts=(variable, start, stop, step), at=self.begin)

    def here(self, items: list[Any]) -> syntax.Assign:
        target = items[1]
        base = syntax.base(target)
        joints = base is not None and base.name.lstrip(".").startswith("#")
        return syntax.Assign(target, syntax.Name("#HERE" if joints else "HERE", at=self.begin), at=target.at)

    def decompose(self, items: list[Any]) -> Clause:
        """Its numbers one after the other, from an index on."""
        target, _, value = items
        base, indices = (target.base, target.indices) if isinstance(target, syntax.Index) else (target, ())
        first = indices[-1] if indices else syntax.Number(0.0, at=target.at)
        parts = []
        for k in range(MOST_NUMBERS):
            here = first if k == 0 else syntax.Binary("+", first, syntax.Number(float(k), at=target.at), at=target.at)
            place = syntax.Index(base, (*indices[:-1], here), at=target.at)
            number = syntax.FunctionCall("number of", (value, syntax.Number(float(k), at=value.at)), at=value.at)
            parts.append(syntax.Assign(place, number, at=target.at))
        return Clause("statements", parts=tuple(parts))

    def prompt(self, items: list[Any]) -> Clause:
        parts = (syntax.Assign(name, syntax.FunctionCall("prompt", (), at=name.at), at=name.at) for name in items[1:])
        return Clause("statements", parts=tuple(parts))

    def timer(self, items: list[Any]) -> syntax.UnitCall:
        return syntax.UnitCall("SET TIMER", (items[0], items[2]), at=self.begin)

    def bits(self, items: list[Any]) -> syntax.UnitCall:
        first, count, _, value = items
        return syntax.UnitCall("SET BITS", (first, count or syntax.Number(1.0, at=first.at), value), at=self.begin)

    def halt(self, items: list[Any]) -> syntax.Halt:
        return syntax.Halt(str(items[0]).upper(), at=self.begin)

    def back(self, items: list[Any]) -> syntax.Return:
        return syntax.Return(at=self.begin)

    def not_run(self, items: list[Any]) -> syntax.NotRun:
        return syntax.NotRun(re.split(r"[\s(]", str(items[0]), maxsplit=1)[0].upper(), at=self.begin)

    def unknown(self, items: list[Any]) -> syntax.NotRun:
        """An instruction that is none of the table: one of the many of an option, or a slip of the pen."""
        word = str(items[0])
        meant = slip_of(word, self.language.vocabulary, family=False)
        alone = len(items) == 1 or items[1] is None or not word[0].isalpha()
        if alone or meant:
            hint = f"did you mean {meant!r}?" if meant else None
            raise Unreadable(self.at(items[0]), f"there is no instruction {word!r}", hint)
        return syntax.NotRun(word.upper(), at=self.begin)
