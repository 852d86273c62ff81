"""Checks before anything moves: names, kinds, counts, labels, and code that nothing leads to. No arm is needed."""

from __future__ import annotations

from collections.abc import Iterable

from torsor.programs import flow, syntax
from torsor.programs.diagnostics import At
from torsor.programs.grammar import nearest
from torsor.programs.kinds import Kinds, allowed_count
from torsor.programs.memory import fits, paired
from torsor.programs.values import NOUNS

DEEPEST_RECORDS = 50  # records within records


class Checker(Kinds):
    """Looks at every statement once. What it finds goes into ``source.found``."""

    def run(self) -> None:
        for node in syntax.statements(self.program.body):
            if isinstance(node, syntax.Unit):
                self._unit_name(node)
        # Names may be used above the line that sets them (in another unit): twice, because kinds follow from kinds
        for _ in range(0 if self.language.declares else 2):
            self._collect(self.program.body)
        self._body(self.program.body, {})
        for unit in self.units.values():
            self._unit(unit)
        self.language.check(self)
        for body in (self.program.body, *(unit.body for unit in self.units.values())):
            self._flow(body)
        self._unused()

    def _unit_name(self, node: syntax.Unit) -> None:
        key = node.name.lower()
        if key in self.units:
            self.source.error(node.at, f"there are two units called {node.name}", f"line {self.units[key].at[0]} too")
        self.units.setdefault(key, node)
        seen: set[str] = set()
        for parameter in node.parameters:
            if parameter.name.lower() in seen:
                self.source.error(parameter.at, f"two parameters are called {parameter.name}")
            seen.add(parameter.name.lower())

    # Names
    def _collect(self, body: syntax.Statements) -> None:
        for node in syntax.statements(body):
            for target, kind in self._targets(node):
                name = syntax.base(target)
                if name is not None:
                    key = name.name.lower()
                    self.spelled.setdefault(key, name.name)
                    known = self.names.get(key, kind)
                    self.names[key] = kind if known == "any" else known if known == kind or kind == "any" else "any"

    def _targets(self, node: syntax.Statement) -> Iterable[tuple[syntax.Expression, str]]:
        """What a statement gives a value, and of which kind."""
        match node:
            case syntax.Assign():
                yield node.target, self.kind(node.value, quiet=True)
            case syntax.For():
                yield node.variable, "number"
            case syntax.UnitCall():
                unit = self.units.get(node.unit.lower())
                for parameter, argument in zip(unit.parameters if unit else (), node.arguments, strict=False):
                    if parameter.by_reference and isinstance(argument, syntax.Name | syntax.Index):
                        yield argument, "any"
            case syntax.RobotInstruction():
                form = self.language.forms.get(node.word)
                for operand, kind in paired(node.operands, form.operands if form else ()):
                    if operand is not None and kind.startswith("new "):
                        yield operand, _named_kind(operand, kind.removeprefix("new "))

    def _unit(self, unit: syntax.Unit) -> None:
        if unit.kind == "program" and self.language.declares:
            self._body(unit.body, self.names)  # what the program declares is everybody's
            return
        own = {
            parameter.name.lower(): self.type_kind(parameter.type, parameter.at) if parameter.type else "any"
            for parameter in unit.parameters
        }
        if unit.result:
            self.type_kind(unit.result, unit.at)
        self._body(unit.body, own)

    def _body(self, body: syntax.Statements, own: dict[str, str]) -> None:
        self.inside = own
        for node in syntax.statements(body, into_units=False):
            self._statement(node)

    def _statement(self, node: syntax.Statement) -> None:
        match node:
            case syntax.Declare():
                self._declare(node)
            case syntax.RecordType():
                self._record(node)
            case syntax.RobotInstruction():
                self._instruction(node)
            case syntax.UnitCall():
                self._call(node)
            case syntax.Assign():
                self._assigned(node.target, self.kind(node.value), node.value.at)
            case syntax.If() | syntax.While() | syntax.Repeat() | syntax.Goto():
                for condition in syntax.expressions(node):
                    self.need(condition, "truth")
            case syntax.For():
                variable, *numbers = syntax.expressions(node)
                self._assigned(variable, "number", node.at)
                for part in numbers:
                    self.need(part, "number")
                if isinstance(node.step, syntax.Number) and node.step.value == 0.0:
                    self.source.error(node.step.at, "a loop with step 0 never ends", "count by another step")
            case syntax.Case() | syntax.Return():
                for expression in syntax.expressions(node):
                    self.kind(expression)

    def _declare(self, node: syntax.Declare) -> None:
        names = self.inside
        kind = self.type_kind(node.type, node.at)
        key = node.name.lower()
        if key in names:
            self.source.error(node.at, f"{node.name} is declared twice", "each name is declared once")
        if node.value is not None:
            self.need(node.value, kind.split()[0])
        names[key] = kind
        self.spelled.setdefault(key, node.name)
        if kind in ("location", "joints"):
            self.points[key] = node.name, node.at

    def _record(self, node: syntax.RecordType) -> None:
        seen: set[str] = set()
        for field in node.fields:
            if not isinstance(field, syntax.Declare):
                self.source.error(field.at, "a record holds declarations only")
                continue
            if field.name.lower() in seen:
                self.source.error(field.at, f"{field.name} is declared twice", "each name is declared once")
            seen.add(field.name.lower())
            self.type_kind(field.type, field.at)
            if field.value is not None:
                self.need(field.value, self.language.types.get(field.type, "any"))
        level = {node.name.lower()}
        for _ in range(DEEPEST_RECORDS):
            level = {field.type for name in level for field in self.records[name].values()} & self.records.keys()
            if node.name.lower() in level:
                self.source.error(node.at, f"the record {node.name} contains itself")
            if not level or node.name.lower() in level:
                return
        self.source.error(node.at, f"records nested deeper than {DEEPEST_RECORDS}", "make them flatter")

    def _assigned(self, target: syntax.Expression, kind: str, at: At) -> None:
        name = syntax.base(target)
        if name is None:
            self.source.error(target.at, "no value can be given to this", "a name, or an element of an array")
            return
        if isinstance(target, syntax.Index):
            for index in target.indices:
                self.need(index, "number")
        if not self.language.declares:
            return
        known = self.known(name)
        if known is None:
            self.unknown(name)
            return
        wanted = known.split()[0]
        if wanted != "any" and isinstance(target, syntax.Name | syntax.Index) and not fits(kind, wanted, self.language):
            self.source.error(at, f"{name.name} is {NOUNS[wanted]}, not {NOUNS[kind]}")

    # Instructions and calls
    def _instruction(self, node: syntax.RobotInstruction) -> None:
        form = self.language.forms[node.word]
        self.count(node.word, node.at, node.operands, form)
        for operand, kind in paired(node.operands, form.operands):
            self._operand(node, operand, kind)
        if node.word in self.language.words and node.operands:
            self._word(node.word, node.operands[0], self.language.words[node.word])
        seen: set[str] = set()
        for name, operands in node.options:
            key = name.lower()
            if key in seen:
                self.source.error(node.at, f"{node.word} has the option {name} twice")
            seen.add(key)
            if key not in form.options:
                known = [self.language.spelled(option) for option in form.options]
                hint = nearest(name, known) or ("options are " + ", ".join(known) if known else "it has none")
                self.source.error(node.at, f"{node.word} has no option {name}", hint)
                continue
            kinds = form.options[key]
            if bool(operands) is not bool(kinds):
                self.source.error(node.at, f"{name} takes {'a value' if kinds else 'no value'}", form.example or None)
            if None in operands:
                shown = f"write {form.example}" if form.example else None
                self.source.error(node.at, f"a value of {name} is missing between the commas", shown)
            for operand, kind in paired(operands, kinds):
                self._operand(node, operand, kind)
            if key in self.language.words and operands:
                self._word(name, operands[0], self.language.words[key])

    def _operand(self, node: syntax.RobotInstruction, operand: syntax.Expression | None, kind: str) -> None:
        if operand is None or kind in ("word", "phrase"):
            return
        if kind.startswith("new "):
            self._assigned(operand, kind.removeprefix("new "), operand.at)
            name = syntax.base(operand)
            if node.word == "POINT" and name is not None:
                if name.name.lower() in self.points and isinstance(operand, syntax.Name):
                    problem = f"{name.name} is defined in line {self.points[name.name.lower()][1][0]} already"
                    self.source.warn(operand.at, problem, "the later one holds")
                self.points[name.name.lower()] = name.name, operand.at
            if node.word in ("LOCAL", "AUTO") and name is not None:
                self.inside[name.name.lower()] = "any"
        else:
            self.need(operand, "truth" if kind == "condition" else kind)

    def _word(self, what: str, operand: syntax.Expression | None, allowed: tuple[str, ...]) -> None:
        if operand is None or (isinstance(operand, syntax.Name) and operand.name.lower() in allowed):
            return
        shown = ", ".join(map(self.language.spelled, allowed))
        self.source.error(operand.at, f"{what} does not know this word", f"known: {shown}")

    def _call(self, node: syntax.UnitCall) -> None:
        unit = self.units.get(node.unit.lower())
        if unit is None:
            hint = nearest(node.unit, [*(other.name for other in self.units.values()), *self.language.closes])
            word = "procedure" if self.language.declares else "program"
            self.source.error(node.at, f"there is no {word} {node.unit!r}", hint or "it is not in this file")
        elif not self.language.declares * len(unit.parameters) <= len(node.arguments) <= len(unit.parameters):
            allowed = allowed_count(len(unit.parameters), len(unit.parameters))
            self.source.error(node.at, f"{unit.name} takes {allowed}, not {len(node.arguments)}")
        for argument in syntax.expressions(node):
            self.kind(argument)

    # Flow
    def _flow(self, body: syntax.Statements) -> None:
        code = flow.flatten(body)
        for label in code.twice:
            self.source.error(label.at, f"there are two labels {label.name}", "each label stands once in a program")
        for goto in code.lost:
            hint = nearest(goto.label, list(code.labels)) or "labels are numbers before a statement of this program"
            self.source.error(goto.at, f"there is no label {goto.label}", hint)
        for leaving in code.outside:
            self.source.error(
                leaving.at, f"{leaving.word} outside a loop", "it stands between a loop's first line and END"
            )
        for at in flow.unreachable(code):
            self.source.warn(at, "this is never reached", "what stands before it ends the program or jumps away")

    def _unused(self) -> None:
        for key, (name, at) in self.points.items():
            if key not in self.read:
                self.source.note(at, f"{name} is never used")


def _named_kind(target: syntax.Expression, kind: str) -> str:
    """``#p`` is a joint point and ``$t`` a text, whoever sets it."""
    name = syntax.base(target)
    if name is not None and name.name.startswith("#"):
        return "joints"
    return "location" if kind == "target" else kind
