"""Checks of a project: types, how many parts a value is written with, and what is a slip of the pen."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import cached_property

from torsor.programs import syntax
from torsor.programs.diagnostics import At, ProgramText
from torsor.programs.kinds import allowed_count
from torsor.programs.linking import Linked
from torsor.programs.missing import Missing
from torsor.programs.misspelt import SHORTEST, slip_of, slips_of
from torsor.programs.project_language import ProjectLanguage
from torsor.programs.values import Value


class TypeChecks:
    def __init__(self, language: ProjectLanguage, source: ProgramText, linked: Linked) -> None:
        self.language, self.source, self.linked = language, source, linked
        self.module = ""
        self.missing = Missing()
        # arrays, by where they are declared, and with how many numbers each of their elements is named
        self.indexed: dict[At, tuple[syntax.Declare, list[int]]] = {}
        self.types_inside: dict[str, syntax.Declare | None] = {}  # names of a routine: what declares them
        self.parameters: dict[str, syntax.Parameter] = {}  # those of it that its caller gives

    @cached_property
    def written(self) -> Counter[str]:
        """How often each word stands in the files, but for headers such as ``&REL 2``."""
        text = re.sub(r"(?m)^&.*$", "", self.source.text)
        return Counter(self.language.key(word) for word in re.findall(r"[^\W\d]\w*", text))

    def slip_of(self, name: str, known: Iterable[str], *, family: bool = True, shortest: int = SHORTEST) -> str | None:
        """What was meant by a name that stands there once: one that is written twice is a name of another file."""
        if self.written[self.language.key(name)] > 1:
            return None
        return slip_of(name, known, family=family, shortest=shortest)

    def _type(self, name: str, at: At) -> None:
        types = self.linked.types
        if not name or types.knows(name):
            return
        known = [*types.kinds, *types.records, *types.other_names]
        alone = self.written[self.language.key(name)] == 1
        if meant := " or ".join(map(repr, slips_of(name, known, family=False, shortest=3))) if alone else "":
            self.source.error(at, f"there is no type {name!r}", f"did you mean {meant}?")
        else:
            self.missing.quiet.setdefault(self.language.key(name), (name, at))

    def _shape(self, node: syntax.Expression, type: str, dimensions: int) -> None:
        """A value that is written out has the parts of its type."""
        types = self.linked.types
        if isinstance(node, syntax.Parts) and not dimensions:
            self._parts(node, type)
        if not isinstance(node, syntax.Group):
            return
        if dimensions:
            for item in node.items:
                self._shape(item, type, dimensions - 1)
            return
        shape = types.records.get(types.named(type))
        if shape is None or not types.strict:
            if types.kinds.get(types.named(type)) is not None and types.strict:
                self.source.error(node.at, f"several values where one {type} is needed")
            return
        if len(node.items) != len(shape):
            parts = ", ".join(name for name, _ in shape)
            self.source.error(
                node.at, f"{a_type(type)} has {len(shape)} parts, not {len(node.items)}", f"its parts are {parts}"
            )
            return
        for item, (_, kind) in zip(node.items, shape, strict=True):
            self._shape(item, kind, 0)
            if isinstance(item, syntax.Number) and types.named(kind) in types.records:
                self.source.error(item.at, f"a number where a {kind} is needed", "it is written in brackets")

    def _parts(self, node: syntax.Parts, type: str) -> None:
        """Parts by name that a type has not, but for a letter; others may be of a newer controller."""
        types = self.linked.types
        shape = dict(types.records.get(types.named(node.type or type), ()))
        for name, item in zip(node.names, node.items, strict=True):
            if name in shape:
                self._shape(item, shape[name], 0)
                self._value_of(name.upper(), item)
            elif meant := slip_of(name, shape.keys() - set(node.names), shortest=3):
                problem = f"a {(node.type or type).upper()} has no part {name.upper()!r}"
                self.source.error(node.at, problem, f"did you mean {meant.upper()!r}?")

    def _value_of(self, name: str, node: syntax.Expression) -> None:
        """A value of a name or a part that has one of a few, where it is one of them but for a letter."""
        few = self.language.values_of.get(self.language.key(name), ())
        if not isinstance(node, syntax.Text) or node.value in few:
            return
        if meant := slip_of(node.value, few, family=False, shortest=3):
            self.source.error(node.at, f"{name} is never {node.value.upper()}", f"did you mean {meant.upper()}?")

    def _elements(self, name: str, node: syntax.Expression, sizes: tuple[syntax.Expression | None, ...]) -> None:
        """An array that is written out has as many elements as it is declared with."""
        if not self.linked.types.strict or not sizes or not isinstance(node, syntax.Group):
            return
        if isinstance(sizes[0], syntax.Number) and len(node.items) != sizes[0].value:
            told = f"{name} is declared with {sizes[0].value:g} elements, and {len(node.items)} are written"
            self.source.warn(node.at, told, "is there a comma between all of them?")
            return
        for item in node.items:
            self._elements(name, item, sizes[1:])

    def _written_type(self, node: syntax.Expression) -> tuple[str, int]:
        """The declared type of a place that a value is given to, and how many dimensions it has; "" if not known."""
        match node:
            case syntax.Name(name):
                home, given = self._declaration(name), self.parameters.get(self.language.key(name))
                if home is not None:
                    return home.type, len(home.sizes)
                if given is not None:
                    return given.type, given.dimensions
                key = self.language.key(name)
                own = self.language.types_of_names.get(key)
                return own or self._constant_type(self.language.constants.get(key)), 0
            case syntax.Index(base, indices):
                kind, dimensions = self._written_type(base)
                return (kind, max(dimensions - len(indices), 0)) if dimensions else ("", 0)
            case syntax.Member(base, part):
                kind, dimensions = self._written_type(base)
                return ("", 0) if dimensions else (self.linked.types.part_type(kind, self.language.key(part)), 0)
        return "", 0

    def _constant_type(self, value: Value | None) -> str:
        """The record that a value of the language is, by its parts; "" if it is none."""
        records = self.linked.types.records.items() if isinstance(value, dict) else ()
        return next(
            (kind for kind, shape in records if isinstance(value, dict) and [*value] == [n for n, _ in shape]), ""
        )

    def _indexed(self, node: syntax.Index) -> None:
        """An element is named with as many numbers as its array has dimensions."""
        if not self.language.whole_indices or not isinstance(node.base, syntax.Name):
            return
        dimensions = self._written_type(node.base)[1]
        if dimensions and len(node.indices) != dimensions:
            count = allowed_count(dimensions, dimensions).replace("argument", "number").replace("value", "number")
            declared = self._declaration(node.base.name)
            where = f"it is declared with {dimensions}, in line {self.source.line(declared.at)}" if declared else None
            self.source.error(node.at, f"{node.base.name} takes {count} in braces, not {len(node.indices)}", where)
        if dimensions and (declared := self._declaration(node.base.name)) is not None:
            self.indexed.setdefault(declared.at, (declared, []))[1].append(len(node.indices))

    def _misdeclared(self) -> None:
        """An array whose elements are named in one manner everywhere, and that is declared in another."""
        for declared, counts in self.indexed.values():
            sizes = len(declared.sizes)
            if len(counts) > 1 and {*counts} != {sizes} and len({*counts}) == 1:
                problem = (
                    f"{declared.name} is declared with {sizes} dimensions, and has {counts[0]} wherever it is used"
                )
                self.source.error(declared.at, problem, "is a comma missing, or one too many?")

    def _declaration(self, name: str) -> syntax.Declare | None:
        datum = self.linked.datum(name, self.module)
        return self.types_inside.get(self.language.key(name), None if datum is None else datum.node)


def a_type(type: str) -> str:
    """
    >>> a_type("extjoint"), a_type("pose")
    ('an extjoint', 'a pose')
    """
    return f"{'an' if type[:1].lower() in tuple('aeio') else 'a'} {type}"
