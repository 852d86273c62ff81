"""From a tree back to text. What is printed reads back as the same tree; comments and layout are not kept."""

from __future__ import annotations

from collections.abc import Iterator

from torsor.programs import syntax
from torsor.programs.language import Language

LONGEST = 80  # letters of a condition in a sentence


INDENT = "  "


def number_text(value: float) -> str:
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(value)


class Printer:
    def __init__(self, language: Language) -> None:
        self.language = language
        self.spelling = {name: spelled for spelled, name in reversed(list(language.operators.items()))}

    def expression(self, node: syntax.Expression, above: float = 0) -> str:
        """Parentheses stand only where the operator above binds tighter."""
        match node:
            case syntax.Number(value):
                return number_text(value)
            case syntax.Text(value, spelled):
                if spelled is not None:
                    return spelled
                return f"'{value}'" if '"' in value else f'"{value}"'
            case syntax.Name(name):
                return name
            case syntax.Index(base, indices):
                within = ", ".join(map(self.expression, indices))
                return self.language.style.index.format(self.expression(base), within)
            case syntax.Member(base, name):
                return f"{self.expression(base)}.{name}"
            case syntax.FunctionCall(function, arguments):
                return f"{function}({self.listed(arguments)})"
            case syntax.Unary(operator, operand):
                space = " " if operator.isalpha() else ""
                word = self.language.spelled(operator)
                return f"{word}{space}{self.expression(operand, 99)}"
            case syntax.Binary(operator, left, right):
                rank = self.language.precedence[operator]
                word = self.language.spelled(self.spelling[operator])
                around = "" if operator == ":" and word == ":" else " "
                text = f"{self.expression(left, rank - 1)}{around}{word}{around}{self.expression(right, rank)}"
                return f"({text})" if rank <= above else text
            case syntax.Group(items):
                return self.language.style.group.format(", ".join(map(self.expression, items)))
        raise TypeError(f"{type(node).__name__} is not printed")  # programs of projects are printed as they are

    def listed(self, items: tuple[syntax.Expression | None, ...]) -> str:
        return ", ".join("" if item is None else self.expression(item) for item in items)

    def lines(self, body: syntax.Statements, depth: int = 0) -> Iterator[str]:
        label = ""
        for node in body:
            if isinstance(node, syntax.Label):
                if label:
                    yield label
                label = f"{node.name} "
                continue
            for number, line in enumerate(self.statement(node, depth)):
                yield (label if number == 0 else "") + line
            label = ""
        if label:
            yield label.rstrip()

    def statement(self, node: syntax.Statement, depth: int) -> Iterator[str]:
        style, text, margin = self.language.style, self.expression, INDENT * depth
        match node:
            case syntax.Assign():
                yield margin + style.assign.format(text(node.target), text(node.value))
            case syntax.RobotInstruction():
                yield margin + style.instruction.format(self.instruction(node))
            case syntax.UnitCall():
                yield margin + style.call.format(node.unit, self.arguments(node.arguments))
            case syntax.Goto():
                condition = f"IF {text(node.condition)} " if node.condition is not None else ""
                yield f"{margin}{condition}GOTO {node.label}"
            case syntax.Return():
                yield margin + style.back.format("" if node.value is None else " " + text(node.value))
            case syntax.Halt() | syntax.LeaveLoop():
                yield margin + style.halt.format(node.word)
            case syntax.Declare():
                kind = node.type if node.bounds is None else f"array[{node.bounds[0]}..{node.bounds[1]}] of {node.type}"
                value = "" if node.value is None else f" = {text(node.value)}"
                yield f"{margin}{kind}: {node.name}{value};"
            case _:
                yield from self.block(node, depth)

    def instruction(self, node: syntax.RobotInstruction) -> str:
        special = self.language.instruction_text(node, self.expression)
        if special is not None:
            return special
        text = f"{node.word} {self.listed(node.operands)}".rstrip(" ")
        for name, operands in node.options:
            if self.language.lower_case:
                text += f" {name}" + (f"={self.listed(operands)}" if operands else "")
            else:
                text += f" {name} {self.listed(operands)}".rstrip(" ")
        return text

    def arguments(self, items: tuple[syntax.Expression | None, ...]) -> str:
        return self.language.style.arguments.format(self.listed(items)) if items else ""

    def block(self, node: syntax.Statement, depth: int) -> Iterator[str]:
        style, margin = self.language.style, INDENT * depth
        kind = getattr(node, "kind", type(node).__name__.lower())
        body: syntax.Statements = getattr(node, "body", ())
        parts = [self.expression(part) for part in syntax.expressions(node)]
        middle: list[tuple[str, syntax.Statements]] = []
        match node:
            case syntax.If():
                body, middle = node.then, [(style.otherwise, node.otherwise)] if node.otherwise else []
            case syntax.For():
                parts[3:] = [style.step.format(*parts[3:]) if node.step else ""]
            case syntax.Case():
                middle = [(style.choice.format(self.listed(values)), inside) for values, inside in node.choices]
                middle += [(style.fallback, node.otherwise)] if node.otherwise else []
            case syntax.RecordType():
                kind, body, parts = "record", node.fields, [node.name]
            case syntax.Unit():
                listed = ", ".join(map(style.parameter, node.parameters))
                parts = [node.name, f"({listed})" if listed else "", f": {node.result}" if node.result else ""]
        yield margin + style.opening[kind].format(*parts)
        yield from self.lines(body, depth + 1)
        for word, inside in middle:
            yield margin + word
            yield from self.lines(inside, depth + 1)
        yield margin + style.closing[kind].format(*parts)


def text_of(language: Language, condition: syntax.Expression) -> str:
    """A condition as it is said in a sentence."""
    try:
        return Printer(language).expression(condition)[:LONGEST]
    except (TypeError, KeyError):
        return "this condition"
