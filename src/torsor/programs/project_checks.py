"""Checks of a project before anything runs. What is defined in no file is no error: the file may be elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from torsor.programs import flow, syntax
from torsor.programs.diagnostics import At, ProgramText
from torsor.programs.kinds import allowed_count
from torsor.programs.language import Form
from torsor.programs.linking import Linked, RoutineHome, is_inside
from torsor.programs.missing import Defined
from torsor.programs.misspelt import slip_of
from torsor.programs.project_language import ProjectLanguage
from torsor.programs.project_slips import SlipChecks
from torsor.programs.recovering import ANYTHING
from torsor.programs.world import World


class ProjectChecker(SlipChecks):
    def __init__(
        self, language: ProjectLanguage, program: syntax.SyntaxTree, source: ProgramText, linked: Linked, world: World
    ) -> None:
        super().__init__(language, program, source, linked, world)
        self.program = program
        homes = (home for homes in linked.routines.values() for home in homes)
        self.holding = [home for home in homes if home.unit.holds_routines]
        self.told: set[str] = set()  # words that are not run and were said

    def run(self) -> None:
        for twice, before in self.linked.twice:
            where = self.source.place(before.at)
            if where.file == self.source.place(twice.at).file:
                self.source.error(twice.at, f"there are two routines called {twice.name}", f"line {where.line} too")
            else:
                self.source.warn(
                    twice.at, f"there are two routines called {twice.name}", f"{where} is the one that is run"
                )
        if self.language.modules_are_alone:
            self._modules_twice(self.program.body)
        for home in self.linked.all_data():
            self.module, self.inside, self.types_inside = home.module, {}, {}
            self._declare(home.node)
        if self.language.assigns != "global":
            self._assigned_anywhere()
        self.module, self.inside = "", self._own(self.program.body, {})
        self._body(self.program.body)
        for homes in self.linked.routines.values():
            for routine in homes:
                self._routine(routine)
        self._misdeclared()
        self._texts()
        self._odd_calls()
        nodes = [*syntax.statements(self.program.body)]
        given = (each for unit in nodes if isinstance(unit, syntax.Unit) for each in unit.parameters)
        defined = (each for each in (*nodes, *given) if isinstance(each, Defined))
        self.missing.say(self.source, defined, lambda name: self.written[self.language.key(name)])

    def _routine(self, home: RoutineHome) -> None:
        self.module = home.scope
        # of a routine inside of another those of that one, too
        around = [other.unit for other in self.holding if is_inside(home.module, other.scope)]
        given = [each for unit in (*around, home.unit) for each in unit.parameters]
        own = {self.language.key(each.name): each.name for each in given}
        self.parameters = {self.language.key(each.name): each for each in given}
        self._type(home.unit.result, home.unit.at)
        for parameter in home.unit.parameters:
            self._type(parameter.type, parameter.at)
        self.inside = self._own((*home.unit.body, *home.unit.handlers), own)
        for default in (each.default for each in home.unit.parameters if each.default is not None):
            self._expression(default)
        for at, problem, hint in self.language.routine_problems(home.unit):
            self.source.error(at, problem, hint)
        self._body(home.unit.body)
        if home.unit.handlers:
            self._body(home.unit.handlers)

    def _own(self, body: syntax.Statements, own: dict[str, str]) -> dict[str, str]:
        """Names that a routine gives values itself."""
        key = self.language.key
        self.types_inside = dict.fromkeys(own)  # parameters: what they are is the caller's
        for node in syntax.statements(body, into_units=False):
            if isinstance(node, syntax.Declare):
                own[key(node.name)] = node.name
                self.types_inside[key(node.name)] = node
            elif (
                self.language.declares_counters
                and isinstance(node, syntax.For)
                and isinstance(node.variable, syntax.Name)
            ):
                own[key(node.variable.name)] = node.variable.name
        return own

    def _assigned_anywhere(self) -> None:
        for node in syntax.statements(self.program.body):
            target = node.target if isinstance(node, syntax.Assign) else None
            if target is not None and self.language.assigns == "dotted":
                target = syntax.base(target)  # an element is given a value, wherever its array begins
            name = target if isinstance(target, syntax.Name) else node if isinstance(node, syntax.Declare) else None
            if name is not None:
                whole = name.name.partition("[")[0]  # of data whose elements are names of their own
                self.anywhere[self.language.key(whole)] = whole

    def _body(self, body: syntax.Statements) -> None:
        for node in syntax.statements(body, into_units=False):
            if not isinstance(node, syntax.Module | syntax.Unit):
                self._statement(node)
        code = flow.flatten(body)
        for label in code.twice:
            self.source.error(label.at, f"there are two labels {label.name}", "each label stands once in a routine")
        self._lost(code, body)
        for leaving in code.outside:
            self.source.error(leaving.at, f"{leaving.word} stands outside of a loop")

    def _statement(self, node: syntax.Statement) -> None:
        match node:
            case syntax.Declare():
                self._declare(node)
            case syntax.Label(name):
                if meant := self.slip_of(name, self.language.label_like, family=False):
                    self.source.error(node.at, f"there is no {name!r}", f"did you mean {meant!r}?")
            case syntax.UnitCall():
                self._call(node)
            case syntax.Assign():
                kind, dimensions = self._written_type(node.target)
                self._expression(node.target)
                self._expression(node.value, kind)
                self._shape(node.value, kind, dimensions)
                if isinstance(node.target, syntax.Name) and (declared := self._declaration(node.target.name)):
                    self._elements(declared.name, node.value, declared.sizes)
                if isinstance(node.target, syntax.Name | syntax.Member):
                    self._value_of(node.target.name, node.value)
            case syntax.NotRun(word, names, called):
                self._say(word, node.at)
                for call in called:
                    self._called_there(call)
                if word == "CONNECT" and self._is_misspelt_trap(names[-1], node.at):
                    names = names[:-1]
                for name in names:
                    if self.language.key(name) not in self.language.forms:
                        self._unread(syntax.Name(name, at=node.at), self.language.forms)
            case syntax.RecordType():
                for part in node.fields:
                    if isinstance(part, syntax.Declare):
                        self._type(part.type, part.at)
            case _:
                for expression in syntax.expressions(node):
                    self._expression(expression)

    def _declare(self, node: syntax.Declare) -> None:
        if node.storage == "alias":
            return
        self._type(node.type, node.at)
        if node.value is not None:
            self._expression(node.value, node.type)
            self._shape(node.value, node.type, len(node.sizes))
            self._elements(node.name, node.value, node.sizes)
        for size in node.sizes:
            if size is not None:
                self._expression(size)

    # Calls
    def _call(self, node: syntax.UnitCall) -> None:
        key = self.language.key(node.unit)
        home = self.linked.routine(node.unit, self.module)
        first = node.arguments[0] if node.arguments else None
        by_name = isinstance(first, syntax.Named) and not first.optional and home is None and not self._has_names(key)
        by_name = by_name and not self.language.by_line  # there its line ends a statement, or its brackets
        if isinstance(first, syntax.Named) and by_name and (first.at[0] > node.at[0] or self.is_told(first.name)):
            # `TPErase n := 0;`: what looks like a value by name is a statement of its own
            self.source.error(node.at, f"{node.unit} is not ended", "a semicolon is missing behind it")
        if node.bracketed:
            problem = f"{node.unit} is called with brackets around its values, which {self.language.name} does not read"
            self.source.warn(node.at, problem, "leave them out; of a function, do something with what it gives")
        if home is not None:
            self._given(node.unit, node.at, node.arguments, home.unit)
            self._arguments(node.arguments)
        elif key in self.language.forms:
            form = self.language.forms[key]
            self._count(node.unit, node.at, node.arguments, form)
            if form.gaps and form.operands == ("unread",):  # which is read no more than one that no file has
                self._unknown_call(node, node.unit)
            self._arguments(node.arguments, form.operands, form.options)
            if told := self.language.call_problem(key, node.arguments):
                self.source.error(node.at, told)
            self._say(node.unit, node.at)
        elif key in self.language.functions and self.language.calls_functions:
            self._function(syntax.FunctionCall(node.unit, node.arguments, at=node.at))
        else:
            if not self.language.is_of_controller(key):
                self._missing_routine(node.unit, node.at, bare=not node.arguments)
                self._unknown_call(node, node.unit)
            else:
                self._owner(node.unit, node.at)
            self._arguments(node.arguments)

    def _called_there(self, call: syntax.UnitCall) -> None:
        """A call in what is not run: which routine it is and how many values it is given is known, no more."""
        key = self.language.key(call.unit)
        home = self.linked.routine(call.unit, self.module)
        if home is not None:
            self._given(call.unit, call.at, call.arguments, home.unit)
        elif key in self.language.forms:
            self._count(call.unit, call.at, call.arguments, self.language.forms[key])
        elif key not in self.language.functions and not self.language.is_of_controller(key):
            self._missing_routine(call.unit, call.at, bare=not call.arguments)

    def _has_names(self, key: str) -> bool:
        """Whether an instruction of the language may be given its values by name."""
        form = self.language.forms.get(key)
        return form is not None and form.named

    def _say(self, word: str, at: At) -> None:
        key = word.lower()
        if key in self.language.read_only and key not in self.told:
            self.told.add(key)
            self.source.note(at, f"{word} is read, not run", self.language.read_only[key])

    def _given(self, name: str, at: At, given: tuple[syntax.Expression | None, ...], unit: syntax.Unit) -> None:
        """What a routine is given is what it takes."""
        if any(each.name == ANYTHING for each in unit.parameters):
            return
        key = self.language.key
        named = {key(each.name): each for each in given if isinstance(each, syntax.Named)}
        known = {key(each.name): each for each in unit.parameters}
        for each in named:
            if each not in known:
                names = ", ".join(parameter.name for parameter in unit.parameters)
                hint = f"it has {names}" if names else "it has none"
                self.source.error(named[each].at, f"{unit.name} has no parameter {named[each].name}", hint)
        places = sum(not isinstance(each, syntax.Named) for each in given)
        open_ones = [each for each in unit.parameters if not each.optional and key(each.name) not in named]
        least = sum(each.default is None for each in open_ones)
        least = 0 if self.language.parameters_may_lack else least
        if not least <= places <= len(open_ones):
            allowed = allowed_count(least, len(open_ones))
            self.source.error(at, f"{unit.name} takes {allowed}, not {places}")
        elif (
            self.language.parameters_may_lack
            and not self.written["varstate"]
            and (places < len(open_ones) or None in given)
        ):
            left_out = [each for each, value in zip(open_ones, given, strict=False) if value is None]
            lacking = ", ".join(each.name for each in (*left_out, *open_ones[places:]))
            self.source.warn(at, f"{unit.name} is not given {lacking}, and does not ask whether it is")

    def _count(self, word: str, at: At, given: tuple[syntax.Expression | None, ...], form: Form) -> None:
        key = self.language.key
        named = [each for each in given if isinstance(each, syntax.Named)]
        places = len(given) - len(named)
        if form.named:
            names = self.language.operand_names(key(word))
            given_names = {key(self.language.named_now(each.name)) for each in named}
            lacking = [name for name in names[places : form.required or 0] if name not in given_names]
            if lacking:
                hint = f"write {form.written(word)}" if form.example else None
                self.source.error(at, f"{word} is not given {', '.join(lacking)}", hint)
                return
            small = [name.lower() for name in names]
            unknown = next((e for e in named if key(self.language.named_now(e.name)).lower() not in small), None)
            if unknown is not None and (form.example or _is_meant(unknown.name, names)):
                hint = f"write {form.example}" if form.example else f"it has {', '.join(names)}"
                self.source.error(unknown.at, f"{word} has no argument {unknown.name}", hint)
                return
            places += len(given_names & set(names))
        elif form.options:
            for each in named:
                if each.optional and key(each.name) not in form.options:
                    meant = slip_of(each.name, form.options, family=False, shortest=3)
                    hint = f"did you mean {meant!r}?" if meant else None
                    (self.source.error if meant else self.source.note)(
                        each.at, f"{word} has no option {each.name} here", hint
                    )
        least = len(form.operands) if form.required is None else form.required
        most = None if form.repeat else len(form.operands)
        by_name = 0 if form.named else sum(not each.optional for each in named)  # of what is only read any name will do
        if places + by_name < least or (most is not None and places > most):
            hint = f"write {form.written(word)}" if form.example else None
            self.source.error(at, f"{word} takes {allowed_count(least, most)}, not {places}", hint)
        elif None in given and (not form.gaps or (least == most and None in (given[0], given[-1]))):
            self.source.error(at, f"a value of {word} is missing between the commas")

    def _arguments(
        self, given: Iterable[syntax.Expression | None], kinds: tuple[str, ...] = (), options: Mapping[str, str] = {}
    ) -> None:
        place = 0
        for each in given:
            if isinstance(each, syntax.Named):
                kind = options.get(self.language.key(each.name), "unread" if kinds[-1:] == ("unread",) else "any")
                if each.value is not None and kind not in ("signal", "unread"):
                    self._expression(each.value, kind)
                elif each.value is not None and kind == "unread":
                    self._slips(each.value)
                continue
            kind = kinds[min(place, len(kinds) - 1)] if kinds else "any"
            place += 1
            if kind == "signal" and isinstance(each, syntax.Name) and not self.is_told(each.name):
                self.missing.signals.setdefault(self.language.key(each.name), (each.name, each.at))
            if each is not None and kind not in ("signal", "unread"):
                self._expression(each, kind)
                if isinstance(each, syntax.Group) and kind in self.linked.types.records:
                    self._shape(each, kind, 0)
                elif isinstance(each, syntax.Group) and (told := self.language.group_problem(kind, len(each.items))):
                    self.source.error(each.at, told)
            elif each is not None and kind == "unread":
                self._slips(each)

    # Names
    def _slips(self, node: syntax.Expression) -> None:
        """Of something that is not read: only what looks like a slip of the pen is said."""
        for each in syntax.walk(node):
            if isinstance(each, syntax.Name):
                self._unread(each)
            elif isinstance(each, syntax.FunctionCall):
                self._slip_in_call(each)
            elif isinstance(each, syntax.Member):
                self._member(each)

    def _unread(self, node: syntax.Name, more: Iterable[str] = ()) -> None:
        key = self.language.key(node.name)
        if not self._slip(node, more) and not self.is_told(node.name) and not self.language.is_of_controller(key):
            self.missing.quiet.setdefault(key, (node.name, node.at))

    def _slip_in_call(self, node: syntax.FunctionCall) -> None:
        home = self.linked.routine(node.function, self.module)
        function = self.language.functions.get(self.language.key(node.function))
        if home is not None:
            self._given(node.function, node.at, node.arguments, home.unit)
        elif function is not None:
            self._count(node.function, node.at, node.arguments, function.as_form())
        elif not self.language.is_of_controller(self.language.key(node.function)):
            self._missing_function(node.function, node.at, quiet=True)

    def _expression(self, node: syntax.Expression, kind: str = "") -> None:
        match node:
            case syntax.Name():
                self._name(node, kind)
            case syntax.Binary(_, syntax.Name() as left, right):
                self._name(left)
                self._expression(right)
                self._value_of(left.name, right)
            case syntax.Index() | syntax.Member():
                self._indexed(node) if isinstance(node, syntax.Index) else self._member(node)
                for inside in syntax.expressions(node):
                    self._expression(inside)
            case syntax.FunctionCall():
                self._function(node)
            case syntax.Group():
                if told := self.language.list_slip(node):
                    self.source.error(told[0], told[1], "a comma between them")
                for inside in syntax.expressions(node):
                    self._expression(inside)
            case syntax.AsMeant():
                if self.language.as_meant not in self.told:
                    self.told.add(self.language.as_meant)
                    self.source.warn(node.at, self.language.as_meant)
                for inside in syntax.expressions(node):
                    self._expression(inside)
            case syntax.Named():
                if node.value is not None:
                    self._expression(node.value)
            case _:
                for inside in syntax.expressions(node):
                    self._expression(inside)

    def _function(self, node: syntax.FunctionCall) -> None:
        key = self.language.key(node.function)
        home = self.linked.routine(node.function, self.module)
        function = self.language.functions.get(key)
        if home is not None:
            self._given(node.function, node.at, node.arguments, home.unit)
            self._arguments(node.arguments)
        elif function is not None:
            named = bool(self.language.operand_names(key))
            form = function.as_form(named=named)
            self._count(node.function, node.at, node.arguments, form)
            self._arguments(node.arguments, function.arguments, function.options)
            begun = self.language.begun_by(node)
            if begun is not None and self.linked.routine(begun.value, self.module) is None:
                self._missing_function(begun.value, begun.at)
        else:
            if not self.language.is_of_controller(key):
                self._missing_function(node.function, node.at)
                self._unknown_call(node, node.function)
            else:
                self._owner(node.function, node.at)
            self._arguments(node.arguments)


def _is_meant(name: str, names: Iterable[str]) -> bool:
    """Whether a name of an argument is another one misspelt, or one behind a value without a comma: ``stimeout=2``."""
    return bool(slip_of(name, names, family=False)) or any(name.endswith(each) for each in names if len(each) > 3)
