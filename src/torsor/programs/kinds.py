"""Of which kind the value of an expression is, as far as that is known before a program runs."""

from __future__ import annotations

from torsor.programs import syntax
from torsor.programs.diagnostics import At, ProgramText
from torsor.programs.grammar import nearest, nearest_word
from torsor.programs.language import Form, Language
from torsor.programs.memory import fits, paired
from torsor.programs.values import NOUNS

# the kind that both sides of an operator must have, and that of the result; where nothing is said it is numbers
OPERATIONS = {
    ":": ("location", "location"),
    **dict.fromkeys(("and", "or", "xor"), ("truth", "truth")),
    **dict.fromkeys(("=", "<>"), ("any", "truth")),
    **dict.fromkeys(("<", "<=", ">", ">="), ("number", "truth")),
}


class Kinds:
    """The names of a program with their kinds, and what is wrong with the expressions in it."""

    def __init__(self, language: Language, program: syntax.SyntaxTree, source: ProgramText) -> None:
        self.language = language
        self.program = program
        self.source = source
        self.units: dict[str, syntax.Unit] = {}
        self.names: dict[str, str] = {}  # of everybody: name -> kind
        self.spelled: dict[str, str] = {}  # as they were first written
        self.points: dict[str, tuple[str, At]] = {}  # where points are defined
        self.inside: dict[str, str] = {}  # of the unit being looked at
        self.read: set[str] = set()
        self.records = {
            node.name.lower(): {field.name.lower(): field for field in node.fields if isinstance(field, syntax.Declare)}
            for node in syntax.statements(program.body)
            if isinstance(node, syntax.RecordType)
        }

    def known(self, name: syntax.Name) -> str | None:
        key = name.name.lower()
        return self.inside.get(key) or self.names.get(key)

    def type_kind(self, name: str, at: At) -> str:
        """The kind that a type stands for."""
        if name in self.records:
            return f"record {name}"
        if name not in self.language.types:
            known = [*self.language.types, *self.records]
            hint = nearest(name, known) or "types are " + ", ".join(known)
            self.source.error(at, f"there is no type {name!r}", hint)
        return self.language.types.get(name, "any")

    def unknown(self, name: syntax.Name, noun: str = "name") -> None:
        close = nearest_word(name.name.lower(), sorted({*self.names, *self.inside}))
        hint = "declare it first" if self.language.declares else "nothing in this program gives it a value"
        if close is not None:
            hint = f"did you mean {self.spelled.get(close, close)!r}?"
        self.source.error(name.at, f"there is no {noun} {name.name!r}", hint)

    def count(self, word: str, at: At, given: tuple[syntax.Expression | None, ...], form: Form) -> None:
        least = len(form.operands) if form.required is None else form.required
        most = None if form.repeat else len(form.operands)
        hint = f"write {form.example}" if form.example else None
        if len(given) < least or (most is not None and len(given) > most):
            allowed = allowed_count(least, most)
            self.source.error(at, f"{word} takes {allowed}, not {len(given)}", hint)
        elif None in (given[:least] if form.gaps else given):
            self.source.error(at, f"a value of {word} is missing between the commas", hint)

    def need(self, node: syntax.Expression, wanted: str) -> None:
        if isinstance(node, syntax.Name) and wanted in ("target", "location", "joints") and not self.is_known(node):
            self.unknown(node, "point")
            return
        kind = self.kind(node)
        if not fits(kind.split()[0], wanted, self.language):
            self.source.error(node.at, f"{NOUNS[kind.split()[0]]} where {NOUNS[wanted]} is needed")

    def kind(self, node: syntax.Expression, *, quiet: bool = False) -> str:
        """The kind of an expression's value; "any" where it is not known before the program runs."""
        found = len(self.source.found)
        kind = self._kind(node)
        if quiet:
            del self.source.found[found:]
        return kind

    def _kind(self, node: syntax.Expression) -> str:
        match node:
            case syntax.Number():
                return "number"
            case syntax.Text():
                return "text"
            case syntax.Group():
                for item in node.items:
                    self._kind(item)
                return "group"
            case syntax.Name():
                return self._name_kind(node)
            case syntax.Index():
                for index in node.indices:
                    self.need(index, "number")
                return self._kind(node.base)
            case syntax.Member():
                return self._member_kind(node)
            case syntax.FunctionCall():
                return self._apply_kind(node)
            case syntax.Unary("not", operand):
                self.need(operand, "truth")
                return "truth"
            case syntax.Unary(_, operand):
                return self._kind(operand)
            case syntax.Binary():
                return self._binary_kind(node)
        return "any"

    def is_known(self, node: syntax.Name) -> bool:
        key = node.name.lower()
        return bool(self.known(node)) or key in self.language.constants or key in self.language.functions

    def _name_kind(self, node: syntax.Name) -> str:
        key = node.name.lower()
        known = self.known(node)
        if known is not None:
            self.read.add(key)
            return known
        if key in self.language.constants:
            return "truth" if isinstance(self.language.constants[key], bool) else "number"
        function = self.language.functions.get(key)
        if function is not None and (function.required == 0 or not function.arguments):
            return function.result
        self.unknown(node)
        return "any"

    def _member_kind(self, node: syntax.Member) -> str:
        base = self._kind(node.base)
        fields = self.records.get(base.removeprefix("record "))
        if fields is None or not base.startswith("record "):
            return "any"
        field = fields.get(node.name.lower())
        if field is None:
            hint = nearest(node.name, list(fields)) or "parts are " + ", ".join(fields)
            self.source.error(node.at, f"there is no part {node.name!r}", hint)
            return "any"
        return self.type_kind(field.type, field.at)

    def _apply_kind(self, node: syntax.FunctionCall) -> str:
        key = node.function.lower()
        if key in self.units:
            unit = self.units[key]
            self.count(unit.name, node.at, node.arguments, Form("", ("any",) * len(unit.parameters)))
            for given in syntax.expressions(node):
                self._kind(given)
            return self.language.types.get(unit.result, "any")
        function = self.language.functions.get(key)
        if function is None:
            known = [*self.language.functions, *(unit.name for unit in self.units.values())]
            known = known if self.language.lower_case else [name.upper() for name in known]
            hint = nearest(node.function, known) or "functions are " + ", ".join(known)
            self.source.error(node.at, f"there is no function {node.function!r}", hint)
            return "any"
        form = Form("", function.arguments, function.required, function.repeat, function.gaps)
        self.count(node.function, node.at, node.arguments, form)
        for argument, kind in paired(node.arguments, function.arguments):
            if argument is not None and kind != "phrase":
                self.need(argument, kind)
        return function.result

    def _binary_kind(self, node: syntax.Binary) -> str:
        left, right = self._kind(node.left).split()[0], self._kind(node.right).split()[0]
        if node.operator in ("/", "mod", "div") and isinstance(node.right, syntax.Number) and node.right.value == 0.0:
            self.source.error(node.right.at, "division by zero")
        if node.operator in ("+", "-") and {left, right} & {"location", "joints", "text", "any"}:
            return left if left == right else "any"
        wanted, result = OPERATIONS.get(node.operator, ("number", "number"))
        for part, kind in ((node.left, left), (node.right, right)):
            if not fits(kind, wanted, self.language):
                self.source.error(part.at, f"{NOUNS[kind]} where {NOUNS[wanted]} is needed")
        return result


def allowed_count(least: int, most: int | None) -> str:
    if most is None:
        return f"{least} or more values"
    if least == most:
        return f"{most or 'no'} value{'s' * (most != 1)}"
    return f"{least} to {most} values"
