"""The names of a project while it runs: scopes, values by type, what no file defines, and what the world tells."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any
from weakref import WeakValueDictionary

from torsor.motion.commands import Assumed, Command, Lacking
from torsor.programs import flow, syntax, values
from torsor.programs.diagnostics import At, ProgramError, ProgramText
from torsor.programs.interpreter import _EVALUATE, Interpreter
from torsor.programs.linking import INSIDE, DataHome, Linked, RoutineHome, is_inside, module_of
from torsor.programs.memory import CallFrame, Cell
from torsor.programs.missing import without_value
from torsor.programs.project_language import ProjectLanguage, ProjectLowering
from torsor.programs.records import element
from torsor.programs.values import Absent, Unanswered, Value
from torsor.programs.world import World, WorldSoFar, as_told

MOST_ASSUMED = 1000
COMPARISONS = frozenset({"=", "<>", "<", "<=", ">", ">="})


class ProjectMemory(Interpreter):
    language: ProjectLanguage
    lowering: ProjectLowering

    def __init__(
        self,
        language: ProjectLanguage,
        program: syntax.SyntaxTree,
        source: ProgramText,
        lowering: ProjectLowering,
        linked: Linked,
        world: World,
        entry: RoutineHome | None,
        *,
        step_limit: int,
        cycles: int,
    ) -> None:
        super().__init__(language, program, source, lowering, step_limit=step_limit, cycles=cycles)
        self.linked, self.types, self.entry = linked, linked.types, entry
        self.world = WorldSoFar(world)
        self.assumed: dict[str, Assumed] = {}
        self.overruled: set[str] = set()  # assumptions in whose place others are said
        # cells that have got a value since the program began; those of routines that have ended are gone
        self.written: WeakValueDictionary[int, Cell] = WeakValueDictionary()
        self.unit_codes: dict[int, flow.UnitCode] = {}
        shared: dict[int, Cell] = {}
        self.modules = {
            module: {key: shared.setdefault(id(home), _declared(home)) for key, home in homes.items()}
            for module, homes in linked.own_data.items()
        }
        self.cells.update({key: shared[id(home)] for key, home in linked.data.items()})
        self.main = None
        self.tree = program

    asked = ""  # of the world, the last time

    def said(self) -> Iterable[Command]:
        told = (each for key, each in self.assumed.items() if key not in self.overruled)
        return sorted(told, key=lambda each: self.source.whole_line(each.place))

    def assume(self, at: At, key: str, text: str, cure: str = "") -> None:
        """Something that is not told is taken for granted; said once for a thing."""
        if len(self.assumed) < MOST_ASSUMED:
            self.assumed.setdefault(key, Assumed(text, self.source.place(at), cure))

    def lack_axis(self, at: At, which: str) -> None:
        """An axis beside the arm moves here; said once for each."""
        text = f"the external axis {which} moves here, and the arm has no such axis"
        cure = "what comes before and after can be checked as programs of their own"
        self.assumed.setdefault(f"axis {which}", Lacking(text, self.source.place(at), cure))

    def ask(self, at: At, name: str, nothing: Value, what: str = "") -> Value:
        """What the world tells of a name; nothing where it tells nothing, which is said."""
        self.asked = name
        if self.world.knows(name):
            return as_told(self.world.take(name, nothing), nothing)
        sort = "granted" if nothing is True else "input"
        self.assume(at, f"{sort} {name}", f"{what or name} is taken to be {shown(nothing)}", f"--set {name}=...")
        return nothing

    def wait(self, at: At, name: str, wanted: Value, what: str = "") -> None:
        """A wait for a value: fulfilled, if the world has nothing against it."""
        told = f"{what or name} is taken to become {shown(wanted)}"
        if not self.world.knows(name):
            self.assume(at, f"wait {name} {wanted}", told, f"--set {name}={shown(wanted)}")
        elif not self.world.waited_for(name, wanted):
            self.assume(at, f"wait {name} {wanted}", f"{told}, which the world never tells", f"--set {name}=...")

    def holds_now(self, condition: syntax.Expression) -> bool:
        """Whether a condition holds with what is known; nothing that is assumed on the way is said."""
        assumed = dict(self.assumed)
        try:
            return self.evaluate(condition) is True
        except ProgramError:
            return False
        finally:
            self.assumed = assumed

    def is_told_to_hold(self, condition: syntax.Expression) -> bool:
        """Whether a condition holds with nothing to be assumed; what the world tells is used up only then."""
        assumed, used = self.assumed, dict(self.world.used)
        self.assumed = {}
        try:
            holds = self.evaluate(condition) is True and not self.assumed
        except ProgramError:
            holds = False
        finally:
            self.assumed = assumed
        if not holds:
            self.world.used = used
        return holds

    # Names
    def known(self, node: syntax.Name) -> Cell | None:
        key = self.language.key(node.name)
        cell = None
        if self.frames:
            frame = self.frames[-1]
            cell = frame.cells.get(key)
            if cell is None and frame.module:
                cell = self.modules.get(module_of(frame.module), {}).get(key)
        if cell is None:
            cell = self.cells.get(key) or self._around(key)
        if cell is not None and cell.waiting is not None:
            self._ready(cell)
        return cell

    def _around(self, key: str) -> Cell | None:
        """The place of a name in a routine that the one that runs stands inside of."""
        if not self.frames or INSIDE not in self.frames[-1].module:
            return None
        own = self.frames[-1]
        for frame in reversed(self.frames[:-1]):
            is_around = frame.holds_routines and frame.code is not own.code and is_inside(own.module, frame.module)
            if is_around and frame.cells is not self.cells and key in frame.cells:
                return frame.cells[key]
        return None

    def is_fixed(self, node: syntax.Name) -> bool:
        """Whether the program alone changes this name's value: the world tells nothing, or always the same."""
        return not isinstance(self.world.world.given.get(node.name.lower()), tuple)

    def _ready(self, cell: Cell) -> None:
        """A name of a module gets its first value when it is first asked for, whatever stands where."""
        node, cell.waiting = cell.waiting, None
        assert node is not None
        self.frames.append(CallFrame(flow.UnitCode(), module=cell.module))
        try:
            self._fill(cell, node)
            if cell.stands_for is None and self.world.knows(node.name):  # what the world tells comes before the file
                told = as_told(self.world.begins(node.name, whole=cell.dimensions > 0), self.types.empty(node.type))
                cell.value = self.guarded(node.at, lambda: self.types.fitted(told, node.type, cell.dimensions))
        finally:
            self.frames.pop()

    def _fill(self, cell: Cell, node: syntax.Declare) -> None:
        if node.storage == "signal":
            cell.stands_for = node.value
            return
        sizes = tuple(0 if size is None else self.whole(size) for size in node.sizes)
        cell.type, cell.dimensions, cell.grows = node.type, len(sizes), not sizes or None in node.sizes
        if node.value is not None:
            value = self.evaluate(node.value)
            cell.value = self.guarded(node.at, lambda: self.types.fitted(value, node.type, len(sizes)))
        elif node.storage in self.language.shared_storage and not sizes:
            cell.value = None  # another module gives it its value
        else:
            cell.value = self.types.empty(node.type, sizes)

    def set_by_modules(self) -> None:
        """Values that stand in a module beside its declarations: an element of an array, a part of a record."""
        for module in (each for each in self.tree.body if isinstance(each, syntax.Module)):
            self.frames.append(CallFrame(flow.UnitCode(), module=self.language.key(module.name)))
            inside = [
                each
                for node in module.body
                for each in getattr(node, "body", (node,))
                if not isinstance(node, syntax.Unit)
            ]
            for node in inside:
                if isinstance(node, syntax.Assign):
                    self._do(node, self.frames[-1])
            self.frames.pop()

    def declare(self, node: syntax.Declare, frame: CallFrame) -> None:
        cell, key = Cell(module=frame.module), self.language.key(node.name)
        if key in frame.given and node.value is None:  # tells the type of a parameter
            frame.cells[key].type = node.type
            return
        if "global" in node.storage.split():
            cell = self.cells.setdefault(key, cell)
            self.written[id(cell)] = cell
            if cell.waiting is node:
                self._ready(cell)
                return
            cell.waiting = None  # a declaration that was never come to gives no value behind this one
            if node.value is None:
                return
        self._fill(cell, node)
        if cell is not self.cells.get(key):
            frame.cells[key] = cell

    def assign(self, target: syntax.Expression, value: Value) -> None:
        keys: list[int | str] = []
        node = target
        while not isinstance(node, syntax.Name):
            match node:
                case syntax.Index(base, indices):
                    keys[:0] = [self.whole(index) for index in indices]
                case syntax.Member(base, name):
                    keys.insert(0, self.language.key(name))
                case _:
                    raise self.source.failure(target.at, "no value can be given to this")
            node = base
        alias = self.known(node)
        if alias is not None and alias.stands_for is not None and not keys:
            self.assign(alias.stands_for, value)
            return
        key = self.language.key(node.name)
        if self.guarded(target.at, lambda: self.lowering.set_special(key, keys, value, target)):
            return
        cell = self.place_for(node, key)
        if cell.value is None and keys and (outer := self.known(node)) is not None:
            cell.value = outer.value
        self.written[id(cell)] = cell
        was = cell.value
        if isinstance(was, dict) and keys and self.language.records_have_places:
            keys[0] = next(iter(list(was)[keys[0] :]), keys[0]) if isinstance(keys[0], int) else keys[0]

        def changed() -> Value:
            if not keys:
                return self._fit(value, cell.type, cell.dimensions)
            counted = 0 if cell.grows else cell.dimensions
            known = counted if self.language.arrays_grow else None
            return self.types.with_part(was, keys, value, cell.type, self.language.first, known)

        cell.value = self.guarded(target.at, changed)

    def place_for(self, node: syntax.Name, key: str) -> Cell:
        """The place that a value goes to: where a name is known, else a new one, as the language has it."""
        known = self.known(node)
        if self.language.is_everybodys(key) or not self.frames:
            return self.cells.setdefault(key, Cell()) if known is None else known
        own = self.frames[-1].cells
        if key in own:
            return own[key]
        # names of the first level are everybody's, whether that is said or not; those of a routine around are only read
        if known is not None and known is not self._around(key):
            return known
        return own.setdefault(key, Cell())

    def is_counted(self, node: syntax.Expression) -> bool:
        """Whether a declaration says how many elements this has."""
        cell = self.known(node) if isinstance(node, syntax.Name) else None
        return cell is not None and not cell.grows

    def routine(self, name: str) -> RoutineHome | None:
        module = self.frames[-1].module if self.frames else ""
        return self.linked.routine(name, module)

    def _fit(self, value: Value, type: str, dimensions: int = 0) -> Value:
        if dimensions:
            return self.types.fitted(value, type, dimensions)
        if isinstance(value, tuple) and self.types.kinds.get(self.types.named(type)) is not None:
            return value  # an array of these
        if isinstance(value, tuple) and value and isinstance(value[0], dict):
            parts = {name for name, _ in self.types.records.get(self.types.named(type), ())}
            if parts.issuperset(value[0]):  # else `[p1.trans, p1.rot]`, whose first part is of another record
                return value
        return self.types.fitted(value, type)

    # Expressions
    def is_chosen(self, subject: Value, choice: syntax.Expression) -> bool:
        value = self.evaluate(choice)
        return self.guarded(choice.at, lambda: self.language.binary("=", subject, value)) is True

    def evaluate(self, node: syntax.Expression) -> Value:
        return _PROJECT[type(node)](self, node)

    def _name(self, node: syntax.Name) -> Value:
        key = self.language.key(node.name)
        told = self.lowering.special(key, node)
        if told is not None:
            return told
        cell = self.known(node)
        if cell is not None and cell.stands_for is not None:
            own = self.world.knows(node.name)
            return self.world.take(node.name) if own else self.evaluate(cell.stands_for)
        if cell is not None:
            return Absent(node.name) if cell.value is None else cell.value
        if key in self.language.constants:
            constant: Value = self.language.constants[key]
            return constant
        if self.world.knows(node.name):
            return self.world.take(node.name)
        if f"name {key}" not in self.assumed:
            text = f"{without_value(self.tree, node.name, self.language)}: it is taken to be 0, FALSE or nothing"
            self.assume(node.at, f"name {key}", text, f"--set {node.name}=...")
        return Absent(node.name)

    def whole(self, node: syntax.Expression) -> int:
        value = self.evaluate(node)
        if isinstance(value, Absent):
            return self.language.first
        if isinstance(value, float | int) and value == round(value):
            return round(value)
        if isinstance(value, float):
            raise self.source.failure(node.at, f"the index {value:g} is no whole number")
        raise self.source.failure(node.at, f"{values.NOUNS[values.kind_of(value)]} where a number is needed")

    def number(self, node: syntax.Expression) -> float:
        value = self.evaluate(node)
        if isinstance(value, Absent):
            return 0.0
        if isinstance(value, float | int) and not isinstance(value, bool):
            return float(value)
        raise self.source.failure(node.at, f"{values.NOUNS[values.kind_of(value)]} where a number is needed")


def _declared(home: DataHome) -> Cell:
    return Cell(waiting=home.node, module=home.module)


def shown(value: Value) -> str:
    match value:
        case bool():
            return "TRUE" if value else "FALSE"
        case float() | int():
            return f"{value:g}"
        case str():
            return repr(value)
    return "nothing"


def _binary(run: ProjectMemory, node: syntax.Binary) -> Value:
    left = run.evaluate(node.left)
    if node.operator in ("and", "or") and isinstance(left, bool | Absent):
        holds = left is True
        if holds is (node.operator == "or"):
            return holds
    right = run.evaluate(node.right)
    if node.operator in COMPARISONS:
        untold = next((each for each in (left, right) if isinstance(each, Unanswered)), None)
        if untold is not None:
            return untold
    sign = "div" if node.operator == "/" and run.language.divides_whole(run, node) else node.operator
    return run.guarded(node.at, lambda: run.language.binary(sign, left, right))


def _unary(run: ProjectMemory, node: syntax.Unary) -> Value:
    value = run.evaluate(node.operand)
    if isinstance(value, Absent):
        return (node.operator == "not" and not isinstance(value, Unanswered)) or value
    return run.guarded(node.at, lambda: run.language.unary(node.operator, value))


def _index(run: ProjectMemory, node: syntax.Index) -> Value:
    indices = [run.whole(index) for index in node.indices]
    if isinstance(node.base, syntax.Name):
        key = run.language.key(node.base.name)
        told = run.guarded(node.at, lambda: run.lowering.indexed(key, indices, node))
        if told is not None:
            return told
    base = run.evaluate(node.base)
    if isinstance(base, Absent) and base.name:
        return Absent(f"{base.name}[{','.join(map(str, indices))}]")
    if isinstance(base, dict) and run.language.records_have_places:
        base = tuple(base.values())
    grows = run.language.arrays_grow and not run.is_counted(node.base)
    return run.guarded(node.at, lambda: element(base, indices, run.language.first, grows=grows))


def _member(run: ProjectMemory, node: syntax.Member) -> Value:
    base = run.evaluate(node.base)
    return run.guarded(node.at, lambda: run.types.part(base, run.language.key(node.name)))


def _named(run: ProjectMemory, node: syntax.Named) -> Value:
    return True if node.value is None else run.evaluate(node.value)


def _parts(run: ProjectMemory, node: syntax.Parts) -> Value:
    return {run.language.key(name): run.evaluate(item) for name, item in zip(node.names, node.items, strict=True)}


_PROJECT: dict[type, Callable[[Any, Any], Value]] = {
    **_EVALUATE,
    syntax.WholeNumber: _EVALUATE[syntax.Number],
    syntax.Binary: _binary,
    syntax.AsMeant: _binary,
    syntax.Unary: _unary,
    syntax.Index: _index,
    syntax.Member: _member,
    syntax.Named: _named,
    syntax.Parts: _parts,
}
