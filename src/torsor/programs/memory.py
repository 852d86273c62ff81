"""The names of a running program and what they hold."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NoReturn, TypeVar

from torsor.programs import flow, syntax, values
from torsor.programs.diagnostics import At, ProgramText
from torsor.programs.language import Language
from torsor.programs.values import NOUNS, Value, Wrong, kind_of

if TYPE_CHECKING:
    from torsor.programs.rounds import Lap

MOST_ELEMENTS = 100_000  # of an array
Result = TypeVar("Result")
Operands = tuple[syntax.Expression | None, ...]


@dataclass(slots=True, weakref_slot=True)
class Cell:
    """A place for a value; handed over as it is where an argument goes by reference."""

    value: Value | None = None
    kind: str = ""  # its declared kind, where the language declares
    elements: dict[tuple[int, ...], Cell] | None = None
    bounds: tuple[int, int] | None = None
    type: str = ""  # its declared type, in languages with tables of them
    dimensions: int = 0  # of an array of such
    grows: bool = True  # whether no file says how many elements it has
    waiting: syntax.Declare | None = None  # what declares it, until it is first asked for
    module: str = ""
    stands_for: syntax.Expression | None = None  # of another name for something


@dataclass(slots=True)
class CallFrame:
    """A unit while it runs."""

    code: flow.UnitCode
    cells: dict[str, Cell] = field(default_factory=dict)
    loops: dict[int, tuple[float, float]] = field(default_factory=dict)
    references: frozenset[str] = frozenset()  # names that stand for what the caller has given
    laps: dict[int, Lap] = field(default_factory=dict)  # of loops, by the step that they begin with
    came_back: bool = False  # the step that comes next is one that a loop begins again with
    step: int = 0
    result: Value | None = None
    module: str = ""  # whose names it sees
    holds_routines: bool = False  # routines stand inside of it, which see its names
    given: frozenset[str] = frozenset()  # parameters that were given
    hidden: dict[int, tuple[str, Cell | None]] = field(default_factory=dict)  # by loops: names, and what they were
    back: tuple[tuple[syntax.Expression, Cell], ...] = ()  # parts of values that are given back at its end
    thread: bool = False  # whoever has started it waits: where it never ends, only it is left
    until: bool = False  # a thread that goes on until what a loop waits for comes


class Memory(ABC):
    """Names are looked up in the unit that runs, then among those that all units share."""

    def __init__(self, language: Language, program: syntax.SyntaxTree, source: ProgramText) -> None:
        self.language = language
        self.source = source
        self.cells: dict[str, Cell] = {}
        self.frames: list[CallFrame] = []
        self.records = {
            node.name.lower(): node for node in syntax.statements(program.body) if isinstance(node, syntax.RecordType)
        }

    @abstractmethod
    def evaluate(self, node: syntax.Expression) -> Value: ...

    def declare(self, node: syntax.Declare, frame: CallFrame) -> None:
        cell = Cell(kind=self.language.types.get(node.type, ""))
        if node.bounds is not None:
            cell.elements, cell.bounds = {}, node.bounds
        elif node.type in self.records:
            cell.value = self._record(self.records[node.type])
        frame.cells[node.name.lower()] = cell
        if node.value is not None:
            self._store(cell, self.evaluate(node.value), node.at, node.name)

    def _record(self, record: syntax.RecordType) -> Value:
        fields: dict[str, Value] = {}
        for node in record.fields:
            if isinstance(node, syntax.Declare) and node.value is not None:
                fields[node.name.lower()] = self.evaluate(node.value)
            elif isinstance(node, syntax.Declare) and node.type in self.records and self.records[node.type] != record:
                fields[node.name.lower()] = self._record(self.records[node.type])
        return fields

    def cell(self, target: syntax.Expression, *, create: bool) -> Cell:
        match target:
            case syntax.Name(name):
                found = self.known(target)
                if found is None and create:
                    found = self.cells[name.lower()] = Cell()
                return found or self._unset(target)
            case syntax.Index(base, indices):
                array = self.cell(base, create=create)
                if array.elements is None:
                    array.elements = {}
                key_numbers = tuple(self.whole(index) for index in indices)
                if array.bounds and not all(array.bounds[0] <= i <= array.bounds[1] for i in key_numbers):
                    low, high = array.bounds
                    raise self.source.failure(target.at, f"index {key_numbers[0]} is outside of {low}..{high}")
                if create:
                    if len(array.elements) >= MOST_ELEMENTS and key_numbers not in array.elements:
                        raise self.source.failure(target.at, f"an array grows beyond {MOST_ELEMENTS:,} elements")
                    return array.elements.setdefault(key_numbers, Cell(kind=array.kind))
                if key_numbers in array.elements:
                    return array.elements[key_numbers]
                text = ", ".join(map(str, key_numbers))
                raise self.source.failure(target.at, f"element [{text}] has no value here")
        raise self.source.failure(target.at, "no value can be given to this")

    def assign(self, target: syntax.Expression, value: Value) -> None:
        if isinstance(target, syntax.Member):
            whole, name = self.evaluate(target.base), target.name.lower()
            if isinstance(whole, dict):
                self.assign(target.base, {**whole, name: value})
            else:
                changed = self.guarded(target.at, lambda: self.language.with_member(whole, name, value))
                self.assign(target.base, changed)
            return
        self._store(self.cell(target, create=True), value, target.at, getattr(target, "name", "it"))

    def _store(self, cell: Cell, value: Value, at: At, name: str) -> None:
        kind = kind_of(value)
        if cell.kind and cell.kind != kind and not (cell.kind == "record" and kind == "group"):
            raise self.source.failure(at, f"{name} is {NOUNS[cell.kind]}, not {NOUNS[kind]}")
        cell.value = value

    def known(self, node: syntax.Name) -> Cell | None:
        key = node.name.lower()
        if self.frames and key in self.frames[-1].cells:
            return self.frames[-1].cells[key]
        return self.cells.get(key)

    def value(self, cell: Cell, node: syntax.Name | syntax.Index) -> Value:
        return self._unset(node) if cell.value is None else cell.value

    def _unset(self, node: syntax.Expression) -> NoReturn:
        name = node.name if isinstance(node, syntax.Name) else "this element"
        raise self.source.failure(node.at, f"{name} has no value here", "it is set nowhere before this line")

    def number(self, node: syntax.Expression) -> float:
        value = self.evaluate(node)
        if isinstance(value, float):
            return value
        raise self.source.failure(node.at, f"{NOUNS[kind_of(value)]} where a number is needed")

    def whole(self, node: syntax.Expression) -> int:
        value = self.number(node)
        if value != round(value):
            raise self.source.failure(node.at, f"the index {value:g} is no whole number")
        return round(value)

    def guarded(self, at: At, compute: Callable[[], Result]) -> Result:
        """The place belongs to a computation that has no result."""
        try:
            value = compute()
            if isinstance(value, float):
                values.finite(value)
            return value
        except Wrong as wrong:
            raise self.source.failure(at, wrong.problem, wrong.hint) from None
        except (OverflowError, ValueError):
            raise self.source.failure(at, "there is no such number") from None


def paired(operands: Operands, kinds: tuple[str, ...]) -> list[tuple[syntax.Expression | None, str]]:
    """Operands with their kinds; the last kind goes on."""
    return [(operand, kinds[min(i, len(kinds) - 1)]) for i, operand in enumerate(operands)] if kinds else []


def fits(kind: str, wanted: str, language: Language) -> bool:
    if wanted in ("any", kind) or kind == "any":
        return True
    if wanted == "target":
        return kind in ("location", "joints")
    return language.truth_is_number and {kind, wanted} == {"number", "truth"}
