"""Names that no file of a project defines: are they elsewhere, or slips of the pen?"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property

from torsor.programs import flow, syntax
from torsor.programs.diagnostics import At, ProgramText
from torsor.programs.linking import Linked
from torsor.programs.misspelt import Neighbours, one_letter_off, slip_of, slips_of
from torsor.programs.project_language import ProjectLanguage
from torsor.programs.project_odd_calls import UnknownCall, odd_calls
from torsor.programs.project_types import TypeChecks, a_type
from torsor.programs.world import World

LONG_PART = 5  # letters of a part that tell a slip where nothing is known of the record


class SlipChecks(TypeChecks):
    def __init__(
        self, language: ProjectLanguage, tree: syntax.SyntaxTree, source: ProgramText, linked: Linked, world: World
    ) -> None:
        super().__init__(language, source, linked)
        self.world = world
        self.misread = any(each.severity == "error" for each in source.found)  # some of the text is not in the tree
        self.anywhere: dict[str, str] = {}  # names that some routine gives a value, where nothing is declared
        self.keys_of: dict[tuple[str, ...], frozenset[str]] = {}  # names that the controller has
        records = (each for each in syntax.statements(tree.body) if isinstance(each, syntax.RecordType))
        fields = (each for record in records for each in record.fields if isinstance(each, syntax.Declare))
        self.parts = {language.key(each.name): each for each in fields}  # of records that the files have
        self.inside: dict[str, str] = {}  # names of the routine that is looked at, as they are written
        self.unknown: dict[str, list[UnknownCall]] = {}  # of routines that no file has

    def _missing_routine(self, name: str, at: At, *, bare: bool = False) -> None:
        """A routine that no file has, or a slip of the pen; ``bare``: it is given nothing."""
        units = [home.unit.name for homes in self.linked.routines.values() for home in homes]
        meant = self.slip_of(name, self.language.vocabulary, family=False)
        if bare and meant is not None and self._cannot_do_without(meant):
            meant = None  # nothing was meant for `OpenG;` by `Open`, which cannot do without values
        meant = meant or self.slip_of(name, units)
        if meant is None:
            meant = self._one_of(name, [word for word, form in self.language.forms.items() if form.named])
        if meant is not None:
            word = self.language.routine_word
            hint = f"did you mean '{self.language.as_written(meant)}'?"
            problem = f"there is no instruction or {word} {name!r}{self._unused(meant)}"
            self.source.error(at, problem, hint)
        else:
            self.missing.routines.setdefault(self.language.key(name), (name, at))

    def _odd_calls(self) -> None:
        for key, calls in self.unknown.items():
            for at, problem in odd_calls(calls, varies=key in self.language.forms):
                self.source.warn(at, problem, "is a value missing?")

    def _unknown_call(self, node: syntax.UnitCall | syntax.FunctionCall, name: str) -> None:
        self.unknown.setdefault(self.language.key(name), []).append((name, node.at, node.arguments))

    def _modules_twice(self, body: Iterable[syntax.Statement]) -> None:
        """Says where a module has the name of another one, whose data it would take for its own."""
        first: dict[str, syntax.Module] = {}
        for node in body:
            if isinstance(node, syntax.Module):
                before = first.setdefault(self.language.key(node.name), node)
                if before is not node:
                    problem = f"there are two modules called {node.name}: data of one name are those of the first here"
                    hint = f"give the folder of one robot; the other is {self.source.place(before.at)}"
                    self.source.warn(node.at, problem, hint)

    def _is_misspelt_trap(self, name: str, at: At) -> bool:
        """Says that a trap is misspelt, if it is: nothing but a trap may stand there."""
        if self.linked.routine(name) is not None:
            return False
        traps = [home.unit.name for homes in self.linked.routines.values() for home in homes
                 if home.unit.kind == "trap"]  # fmt: skip
        alone = (each for each in traps if one_letter_off(name, each) and self.written[self.language.key(each)] == 1)
        if meant := self.slip_of(name, traps) or next(alone, None):
            self.source.error(at, f"there is no trap {name!r}", f"did you mean '{meant}'?")
        return meant is not None

    def _cannot_do_without(self, word: str) -> bool:
        """Whether a word of the language is nothing without values behind it."""
        form = self.language.forms.get(self.language.key(word))
        if form is not None:
            return bool(len(form.operands) if form.required is None else form.required)
        return word in self.language.never_bare

    def _missing_function(self, name: str, at: At, *, quiet: bool = False) -> None:
        """A function that no file has, or a slip of the pen; words that begin statements are not meant by it."""
        units = [home.unit.name for homes in self.linked.routines.values() for home in homes]
        meant = self._function_meant(name) or self.slip_of(name, units)
        if meant is not None:
            hint = f"did you mean '{self.language.as_written(meant)}'?"
            problem = f"there is no function {name!r}{self._unused(meant)}"
            self.source.error(at, problem, hint)
        else:
            missing = self.missing.quiet if quiet else self.missing.routines
            missing.setdefault(self.language.key(name), (name, at))

    def _function_meant(self, name: str) -> str | None:
        """The function of the language that is misspelt; None where it is one, or one of the program."""
        if self.language.key(name) in self.language.functions or self.linked.routine(name, self.module) is not None:
            return None
        known = (word for word in self.language.functions if word not in self.language.seldom)
        return self.slip_of(name, known, family=False)

    def _slip(self, node: syntax.Name, more: Iterable[str] = (), kind: str = "") -> bool:
        """Says that a name is misspelt, if it is; ``more`` are others that may be meant, ``kind`` what is needed."""
        key = self.language.key(node.name)
        if self.is_told(node.name) or key in self.missing.names:
            return False
        if self.language.is_of_controller(key):
            if parts := self.language.run_together(node.name):
                self.source.error(node.at, f"there is no {node.name!r}", f"a comma is missing in {' and '.join(parts)}")
            if parts or self._unlike(node.at, node.name, self.language.controller_names) or self._odd(node):
                return True
            return not self._has(self.language.controller_names, node.name) and self._is_data_misspelt(node, more)
        said = map(self.language.key, self.language.names_beside(self.source, node.at))
        if key in said:  # it is as it should be: what defines it may be misspelt, or missing
            self.missing.certain.add(key)
            return False
        if self._other_than_beside(node):
            return True
        meant = self._constant_meant(node.name, kind) or self.slip_of(node.name, self.language.own_names)
        return self._is_data_misspelt(node, more, meant)

    def _is_data_misspelt(self, node: syntax.Name, more: Iterable[str], meant: str | None = None) -> bool:
        """Says that a name is misspelt, if it is that of data or of a routine; ``meant`` is what is known to be."""
        meant = meant or self._name_meant(node.name, more)
        if meant is not None:
            hint = f"did you mean '{self.language.as_written(meant)}'?"
            problem = f"there is no name {node.name!r}{self._unused(meant)}"
            self.source.error(node.at, problem, hint)
        return meant is not None

    def _texts(self) -> None:
        said = {(each.place.file, each.place.line) for each in self.source.found if each.severity == "error"}
        for at, problem, hint, certain in self.language.text_problems(self.source):
            place = self.source.place(at)
            if certain:
                self.source.error(at, problem, hint)
            elif (place.file, place.line) not in said:
                self.source.warn(at, problem, hint)

    def _lost(self, code: flow.UnitCode, body: syntax.Statements) -> None:
        """Jumps to labels that are not there, or one label that is misspelt where nothing jumps to it."""
        if not code.lost or self.misread:
            return
        nodes = [*syntax.statements(body, into_units=False)]
        labels = {node.name: node for node in nodes if isinstance(node, syntax.Label)}
        asked = {node.label for node in nodes if isinstance(node, syntax.Goto)}
        for label in dict.fromkeys(goto.label for goto in code.lost):
            jumps = [goto for goto in code.lost if goto.label == label]
            meant = slip_of(label, labels, family=False)
            spare = meant if meant is not None and meant not in asked else ""
            if spare and len(jumps) > 1:  # of several jumps hardly all are misspelt
                problem = f"nothing jumps to the label {spare}, and {label} is jumped to and not there"
                self.source.error(labels[spare].at, problem, f"did you mean {label!r}?")
                continue
            line = f", and nothing jumps to {spare} (line {self.source.line(labels[spare].at)})" if spare else ""
            hint = f"did you mean {meant!r}?" if meant else "a label stands in the same routine"
            for goto in jumps:
                self.source.error(goto.at, f"there is no label {label}{line}", hint)

    def _owner(self, method: str, at: At) -> None:
        """What a method is of, ``sensor.read()``, may be misspelt; what else it is no file needs to tell."""
        if owner := method.rpartition(".")[0]:
            self._slip(syntax.Name(owner, at=at))

    def _name(self, node: syntax.Name, kind: str = "") -> None:
        if self.is_told(node.name) or self._slip(node, kind=kind):
            return
        key = self.language.key(node.name)
        if self.linked.is_elsewhere(node.name):
            self.missing.private.setdefault(key, (node.name, node.at))
        elif not self.language.is_of_controller(key):
            self.missing.names.setdefault(key, (node.name, node.at))

    def _unlike(self, at: At, name: str, known: tuple[str, ...]) -> bool:
        """Says that a name of the controller is misspelt: one that it has not, but for a letter."""
        if self.written[self.language.key(name).lstrip("$#")] > 1 or self._has(known, name):
            return False
        meant = " or ".join(map(repr, slips_of(name, (each for each in known if each[0].lower() == name[0].lower()))))
        if meant:
            self.source.error(at, f"the controller has no {name!r}", f"did you mean {meant}?")
        return bool(meant)

    def _odd(self, node: syntax.Name) -> bool:
        """Says that a name that looks like one of the controller is another one of the files, but for a letter."""
        known = self.language.controller_names
        if not known or node.name[0] != known[0][0] or self._has(known, node.name):
            return False
        others = re.findall(rf"{re.escape(node.name[0])}[^\W\d]\w*", self.source.text)
        again = {each for each in others if self.written[self.language.key(each)[1:]] > 1}
        meant = None if self.written[self.language.key(node.name)[1:]] > 1 else slip_of(node.name, again)
        if meant is not None:
            problem = f"the controller has no {node.name!r}, and it stands here alone, other than {meant}"
            self.source.warn(node.at, problem, f"did you mean {meant!r}?")
        return meant is not None

    def _has(self, known: tuple[str, ...], name: str) -> bool:
        if known not in self.keys_of:
            self.keys_of[known] = frozenset(map(self.language.key, known))
        return self.language.key(name) in self.keys_of[known]

    def _other_than_beside(self, node: syntax.Name) -> bool:
        """Says that a name is not the one that a comment has for it, but for a letter.

        Where only numbers differ, the comment may be an old one: the name is missing, and that is a warning.
        """
        said = (
            self.language.names_beside(self.source, node.at) if self.written[self.language.key(node.name)] == 1 else ()
        )
        meant = [each for each in said if one_letter_off(node.name, each)]
        if not meant or node.name.lower() in map(str.lower, said):
            return False
        hint = f"did you mean {' or '.join(map(repr, meant))}, as the comment above has it?"
        numbers = all(_without_numbers(node.name) == _without_numbers(each) for each in meant)
        if numbers:
            self.source.warn(node.at, f"{node.name} is defined in no file, and is not what stands above it", hint)
        else:
            self.source.error(node.at, f"there is no name {node.name!r}", hint)
        return not numbers

    def _unused(self, meant: str) -> str:
        """Of a routine or data that was meant: its line, where nobody asks for it. That may be what is misspelt."""
        home, datum = self.linked.routine(meant, self.module), self.linked.datum(meant, self.module)
        inside = self.types_inside.get(self.language.key(meant)) or self.parameters.get(self.language.key(meant))
        return self._never_used(
            home.unit if home is not None else inside or (datum.node if datum is not None else None)
        )

    def _never_used(self, node: syntax.Unit | syntax.Declare | syntax.Parameter | None) -> str:
        if node is None or self.written[self.language.key(node.name)] > 1:
            return ""
        return f", and {node.name} (line {self.source.place(node.at).line}) is never used"

    def _member(self, node: syntax.Member) -> None:
        """A part that is named is one of its record."""
        kind, dimensions = self._written_type(node.base)
        types = self.linked.types
        parts = [name for name, _ in types.records.get(types.named(kind), ())]
        if not types.strict or dimensions or self.language.key(node.name) in parts:
            return
        if not parts:
            known = self.language.key(node.name) in self.all_parts or self.language.key(node.name) in self.missing.parts
            if meant := None if known else self.slip_of(node.name, self.all_parts, shortest=LONG_PART):
                problem = f"{node.name} stands here alone, and is a part of no record that is known"
                self.source.warn(node.at, problem, f"did you mean {meant!r}?")
            self.missing.parts.setdefault(self.language.key(node.name), (node.name, node.at))
            return
        meant = slip_of(node.name, parts, family=False, shortest=2)
        own = self.parts.get(self.language.key(meant or ""))
        hint = f"did you mean {meant!r}?" if meant else f"its parts are {', '.join(parts)}"
        self.source.error(node.at, f"{a_type(kind)} has no part {node.name!r}{self._never_used(own)}", hint)

    @cached_property
    def of_files(self) -> Neighbours:
        """Data and routines that the files have."""
        units = (home.unit.name for homes in self.linked.routines.values() for home in homes)
        return Neighbours([*(home.node.name for home in self.linked.all_data()), *units])

    @cached_property
    def all_parts(self) -> frozenset[str]:
        """Of all records that are known."""
        return frozenset(part for shape in self.linked.types.records.values() for part, _ in shape)

    def _constant_meant(self, name: str, kind: str) -> str | None:
        """What was meant among data that the language has; where a record is needed, among those that are one."""
        types, constants = self.linked.types, self.language.constants
        shape = types.records.get(types.named(kind)) if kind else None
        if shape is None:
            return self._one_of(name, constants)
        parts = {part for part, _ in shape}
        fitting = [word for word, value in constants.items() if isinstance(value, dict) and value.keys() <= parts]
        return self._one_of(name, fitting, alike=True)

    def _one_of(self, name: str, words: Iterable[str], *, alike: bool = False) -> str | None:
        """What was meant among words of the language, which are no family: it may be one of several."""
        if self.written[self.language.key(name)] > 1:
            return None
        found = {each.lower(): each for each in reversed([*words])}  # of words in several cases the first
        meant = map(self.language.as_written, slips_of(name, found.values(), family=False, alike=alike))
        return "' or '".join(meant) or None

    def _name_meant(self, name: str, more: Iterable[str]) -> str | None:
        if len(name) < self.language.least_slip:
            return None
        known = {*self.of_files.of(name), *self.inside.values(), *self.anywhere.values(), *more}
        return self.slip_of(name, known)

    def is_told(self, name: str) -> bool:
        """Whether a name is one of the program, of its world or a word of the language."""
        key = self.language.key(name)
        return (
            key in self.inside
            or key in self.anywhere
            or self.linked.datum(name, self.module) is not None
            or key in self.language.constants
            or key in self.language.functions
            or key in self.world.given
            or name.lower() in self.world.given
            or self.linked.routine(name, self.module) is not None
        )


def _without_numbers(name: str) -> str:
    return re.sub(r"\d+", "0", name.lower())
