"""The names of a project: which routine, which data a name means, seen from a module."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from torsor.programs import syntax
from torsor.programs.records import RecordShape, TypeTable

INSIDE = "/"  # stands in no name: a routine's own scope is its module's, behind this its name


def module_of(scope: str) -> str:
    return scope.partition(INSIDE)[0]


def is_inside(scope: str, outer: str) -> bool:
    """Whether one scope is another, or of a routine inside of it."""
    return f"{scope}{INSIDE}".startswith(f"{outer}{INSIDE}")


@dataclass(frozen=True, slots=True)
class RoutineHome:
    """A routine and the module that it stands in; of a routine inside of another that one's scope."""

    unit: syntax.Unit
    module: str

    @property
    def scope(self) -> str:
        """Where names of its body are looked for first."""
        return f"{self.module}{INSIDE}{self.unit.name}" if self.unit.holds_routines else self.module


@dataclass(frozen=True, slots=True)
class DataHome:
    """Data of a module."""

    node: syntax.Declare
    module: str


@dataclass
class Linked:
    """All that modules offer each other. A name is looked for in its own module, then among those for everybody."""

    key: Callable[[str], str]
    routines: dict[str, list[RoutineHome]] = field(default_factory=dict)
    own_data: dict[str, dict[str, DataHome]] = field(default_factory=dict)  # by module
    data: dict[str, DataHome] = field(default_factory=dict)  # of everybody
    twice: list[tuple[syntax.Unit, syntax.Unit]] = field(default_factory=list)  # of one name in one module
    types: TypeTable = field(default_factory=lambda: TypeTable({}, {}))

    def routine(self, name: str, module: str = "") -> RoutineHome | None:
        found = self.routines.get(self.key(name), ())
        while True:
            own = next((home for home in found if home.module == module), None)
            if own is not None or INSIDE not in module:
                return own or next((home for home in found if not home.unit.local), None)
            module = module.rpartition(INSIDE)[0]

    def datum(self, name: str, module: str = "") -> DataHome | None:
        key = self.key(name)
        return self.own_data.get(module_of(module), {}).get(key) or self.data.get(key)

    def hide(self, is_private: Callable[[DataHome], bool]) -> None:
        """Takes from everybody what is private; where another module has the name for everybody, that is meant."""
        for name, home in list(self.data.items()):
            if is_private(home):
                homes = (own[name] for own in self.own_data.values() if name in own)
                other = next((each for each in homes if not is_private(each)), None)
                if other is None:
                    del self.data[name]
                else:
                    self.data[name] = other

    def is_elsewhere(self, name: str) -> bool:
        """Whether some module has data of this name."""
        return any(self.key(name) in own for own in self.own_data.values())

    def is_constant(self, name: str) -> bool:
        return any(
            "const" in home.node.storage for home in self.all_data() if self.key(home.node.name) == self.key(name)
        )

    def all_data(self) -> Iterator[DataHome]:
        for homes in self.own_data.values():
            yield from homes.values()


def link(
    tree: syntax.SyntaxTree, key: Callable[[str], str], types: TypeTable, *, shared: frozenset[str] = frozenset()
) -> Linked:
    """The names of all modules. What stands outside of modules belongs to everybody.

    ``shared``: how data is stored that several modules may declare, and that is one and the same.
    """
    linked = Linked(key)
    records: dict[str, RecordShape] = {}
    other_names: dict[str, str] = {}
    waiting: list[tuple[syntax.Statements, str, bool]] = [(tree.body, "", False)]
    while waiting:
        body, module, inside = waiting.pop(0)
        for node in body:
            match node:
                case syntax.Module():
                    waiting.append((node.body, key(node.name), False))
                case syntax.StatementGroup():
                    waiting.append((node.body, module, inside))
                case syntax.RecordType():
                    parts = (part for part in node.fields if isinstance(part, syntax.Declare))
                    records[key(node.name)] = tuple((key(part.name), part.type) for part in parts)
                case syntax.Declare(storage="alias"):
                    other_names[key(node.name)] = node.type
                case syntax.Declare() if not inside:
                    home = DataHome(node, module)
                    linked.own_data.setdefault(module, {}).setdefault(key(node.name), home)
                    if "local" not in node.storage.split():
                        linked.data.setdefault(key(node.name), home)
                case syntax.Unit():
                    _add_routine(linked, node, module)
                    waiting.append((node.body, RoutineHome(node, module).scope, True))  # routines inside of it
                case _:
                    waiting.extend((inner, module, True) for inner in _bodies(node))
    _join(linked, shared)
    linked.types = replace(
        types, records={**types.records, **records}, other_names={**types.other_names, **other_names}
    )
    return linked


def _join(linked: Linked, shared: frozenset[str]) -> None:
    """Data that several modules declare and that is the same: where one of them gives it a value, that is its home."""
    homes = [(name, home) for own in linked.own_data.values() for name, home in own.items()]
    joined: dict[str, DataHome] = {}
    for name, home in homes:
        if home.node.storage in shared and (name not in joined or joined[name].node.value is None):
            joined[name] = home
    for own in linked.own_data.values():
        own.update({name: joined[name] for name, home in own.items() if home.node.storage in shared})
    for name, home in linked.data.items():
        if home.node.storage in shared:
            linked.data[name] = joined[name]


def _bodies(node: syntax.Statement) -> Iterator[syntax.Statements]:
    """Bodies that may hold routines: of a condition around a definition, say."""
    for name in ("then", "otherwise", "body"):
        inner = getattr(node, name, None)
        if isinstance(inner, tuple):
            yield inner


def _add_routine(linked: Linked, node: syntax.Unit, module: str) -> None:
    homes = linked.routines.setdefault(linked.key(node.name), [])
    before = next((home for home in homes if home.module == module), None)
    if before is not None:
        linked.twice.append((node, before.unit))
    else:
        homes.append(RoutineHome(node, module))
