"""A language whose programs are projects: several files, scopes, words that are resolved after reading."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from torsor.motion.commands import Move
from torsor.programs import syntax, values
from torsor.programs.diagnostics import At, ProgramText
from torsor.programs.language import Language, Lowering
from torsor.programs.linking import Linked, RoutineHome
from torsor.programs.records import TypeTable
from torsor.programs.values import Absent, Value

if TYPE_CHECKING:
    from torsor.motion.commands import Command
    from torsor.programs.builder import Builder
    from torsor.programs.project_memory import ProjectMemory
    from torsor.programs.project_run import ProjectRun
    from torsor.programs.syntax import RobotInstruction
    from torsor.programs.whereabouts import Whereabouts

# mainWeld, Path_main, MAINPROG, runMain; but no Maintenance, maint_pos or remains
_MAIN = re.compile(r"(?i:(?<![a-z])main(?!tai|ten|t(?![a-z])))|(?<=[a-z])Main(?![a-z])")
# of methods of lowerings that move the arm
MOVING = ("move", "optimove", "process", "spot", "search", "servo", "speedj", "speedl")


class ProjectLowering(Lowering):
    """The state of an arm while a program of a project runs."""

    interpreter: ProjectRun
    where: Whereabouts

    def special(self, key: str, node: syntax.Name) -> Value | None:
        """The value of a name that the controller gives; None where it gives none."""
        return None

    def indexed(self, key: str, indices: Sequence[int], node: syntax.Index) -> Value | None:
        """An element of an array of the controller; None where it is none."""
        return None

    def set_special(self, key: str, keys: Sequence[int | str], value: Value, node: syntax.Expression) -> bool:
        """Gives a value to a name of the controller; whether it is one."""
        return False

    def held_back(self) -> Iterable[Command]:
        """Commands that were not given yet."""
        return ()

    is_streaming = False  # whether what is held back are samples of one motion, of which a loop gives one a round
    has_streamed = False  # whether that motion goes on as it is, and has for long enough

    def moves_held_back(self) -> int:
        """How much motion there is in them: whether there is more of it tells a loop that moves from one that waits."""
        return sum(isinstance(command, Move) for command in self.held_back())

    def remembered(self) -> Any:
        """All that decides what instructions will do: where it is as it was, they do the same again."""
        return {name: each for name, each in vars(self).items() if name not in ("interpreter", "arm")}

    def finish(self) -> Iterable[Command]:
        return ()

    def passed_over(self, node: RobotInstruction, *given: Any, **options: Any) -> Sequence[Command]:
        """An instruction that does nothing to the motion."""
        return ()


class ProjectLanguage(Language):
    """``types``: the tables of its types. ``first``: the index of the first element. ``cased``: names with case."""

    types_table: ClassVar[TypeTable]
    first: ClassVar[int] = 1
    longest_statement = 2_000_000  # of an array of taught points
    cased: ClassVar[bool] = False
    encodings: ClassVar[tuple[str, ...]] = ("utf-8-sig", "cp1252", "latin-1")  # the last has a letter for every byte
    begins_again: ClassVar[bool] = False  # does a controller begin a program again that has come to its end?
    calls_functions: ClassVar[bool] = True  # may a function stand alone? Else what is called has only its name
    types_of_names: ClassVar[Mapping[str, str]] = {}  # of data that no file declares
    read_only: ClassVar[Mapping[str, str]] = {}  # words that are read and not run, and why
    # whose a name is that is declared nowhere: everybody's, the routine's, or ("dotted") the routine's if it has a dot
    assigns: ClassVar[str] = "global"
    least_slip: ClassVar[int] = 0  # letters of a name that may be a slip: where points stand in no file, few are
    routine_word: ClassVar[str] = "routine"
    by_line: ClassVar[bool] = False  # a statement ends with its line
    keywords: ClassVar[tuple[str, ...]] = ()
    never_bare: ClassVar[frozenset[str]] = frozenset()  # keywords that are nothing without something behind them
    seldom: ClassVar[frozenset[str]] = frozenset()  # words of it that nobody misspells: names near them are one's own
    label_like: ClassVar[tuple[str, ...]] = ()  # those that look like a label where they are misspelt
    known_prefixes: ClassVar[tuple[str, ...]] = ()  # of names that the controller knows
    parameters_may_lack: ClassVar[bool] = False  # routines may be called with fewer arguments
    whole_indices: ClassVar[bool] = False  # an element is named with all of its indices
    arrays_grow: ClassVar[bool] = True  # where no file declares them: they have the elements that are asked for
    records_have_places: ClassVar[bool] = False  # a part of a record may be named by its number
    as_meant: ClassVar[str] = ""  # what is said of an expression that is read as it is meant, not as it is written
    declares_counters: ClassVar[bool] = True  # a loop declares what it counts with
    own_counters: ClassVar[bool] = False  # and it is the loop's own, whatever else has that name
    shared_storage: ClassVar[frozenset[str]] = frozenset()  # of data that several modules declare, and is the same
    variables: ClassVar[frozenset[str]] = frozenset()  # of `constants`: those that are only there from the beginning
    own_names: ClassVar[tuple[str, ...]] = ()  # of the controller, that a misspelt name may have been meant for
    # of the controller: a name like one of them that is none is misspelt, where it stands once and nothing defines it
    controller_names: ClassVar[tuple[str, ...]] = ()
    values_of: ClassVar[Mapping[str, tuple[str, ...]]] = {}  # by names that have one of a few values, and no other
    modules_are_alone: ClassVar[bool] = False  # two modules of one name are a mistake, not parts of one
    own_words: ClassVar[frozenset[str]] = frozenset()  # instructions that are the controller's, whatever defines them

    @property
    def vocabulary(self) -> list[str]:
        """Words of the language that a statement may begin with."""
        return [word for word in (*self.keywords, *self.forms, *self.functions) if word not in self.seldom]

    def home_of(self, routine: str, texts: Iterable[tuple[str, str]]) -> str:
        """The file or folder that has a routine, of files each its name and text; "" if none has it."""
        return ""

    def as_written(self, word: str) -> str:
        """A word of the language as its manual writes it."""
        return word

    def run_together(self, name: str) -> tuple[str, ...]:
        """Names of the controller that are written as one, as a comma is missing between them; else none."""
        return ()

    def is_of_controller(self, key: str) -> bool:
        return key.startswith(self.known_prefixes) if self.known_prefixes else False

    def divides_whole(self, run: ProjectMemory, node: syntax.Binary) -> bool:
        """Whether a quotient is of whole numbers, and is one."""
        return False

    def is_everybodys(self, key: str) -> bool:
        """Whose a name is that no routine has: everybody's?"""
        return self.assigns == "global" or (self.assigns == "dotted" and not key.startswith("."))

    def is_program(self, unit: syntax.Unit, tree: syntax.SyntaxTree) -> bool:
        """Whether a routine that is called outside of all routines is the program, whose names are everybody's."""
        return False

    def call_problem(self, key: str, given: Sequence[syntax.Expression | None]) -> str | None:
        """What is wrong with how an instruction is called, beside the number of its operands."""
        return None

    def routine_problems(self, unit: syntax.Unit) -> Iterable[tuple[At, str, str]]:
        """What only this language finds wrong with a routine: where, what, and what would be right."""
        return ()

    def text_problems(self, source: ProgramText) -> Iterable[tuple[At, str, str, bool]]:
        """What the files tell beside what their statements do: where, what, its hint, and whether it is an error."""
        return ()

    def names_beside(self, source: ProgramText, at: At) -> Sequence[str]:
        """Names that a comment says the statement at this place has."""
        return ()

    def begun_by(self, call: syntax.FunctionCall) -> syntax.Text | None:
        """The name of the routine that a call starts beside the program; None if it starts none."""
        return None

    def list_slip(self, group: syntax.Group) -> tuple[At, str] | None:
        """Where two numbers of a list are taken for one, as nothing stands between them; None where none are."""
        return None

    def group_problem(self, kind: str, count: int) -> str | None:
        """What is wrong with so many values in brackets, where an operand of this kind is needed."""
        return None

    def named_now(self, name: str) -> str:
        """What the manual calls an argument today, where it had another name."""
        return name

    def operand_names(self, word: str) -> tuple[str, ...]:
        """Of an instruction whose operands may be given by name."""
        return ()

    def key(self, name: str) -> str:
        return name if self.cased else name.lower()

    def builder(self) -> Builder:
        from torsor.programs.project_builder import ProjectBuilder

        return ProjectBuilder(self)

    def blamed(self, text: str, at: At) -> At:
        """What begins a line and does not belong there was mostly not ended in the line before."""
        lines = text.split("\n")
        line, column = at
        if self.by_line or line < 2 or line > len(lines) or lines[line - 1][: column - 1].strip():
            return at
        before = next((number for number in range(line - 1, 0, -1) if lines[number - 1].strip()), line)
        return (before, len(lines[before - 1].rstrip()) + 1) if before < line else at

    @abstractmethod
    def entry(self, linked: Linked, source: ProgramText, tree: syntax.SyntaxTree) -> RoutineHome | None:
        """The routine that a program begins with; None where that is what stands outside of routines."""

    def keep_private(self, linked: Linked) -> None:
        """Takes from everybody what is a module's own, where its words do not say so."""

    def only_routine(
        self, linked: Linked, among: Sequence[syntax.Unit] | None = None, *, taking: bool = False
    ) -> RoutineHome | None:
        """Of a program without a main routine: one that moves and is called by no other.

        It takes nothing; if ``taking``, one that does take something will do where no other moves.
        """
        homes = [home for each in linked.routines.values() for home in each]
        called = {
            linked.key(node.unit)
            for home in homes
            for node in syntax.statements(home.unit.body)
            if isinstance(node, syntax.UnitCall) and linked.key(node.unit) != linked.key(home.unit.name)
        }
        all_of_them = [
            home
            for home in homes
            if home.unit.kind in ("proc", "def") and (among is None or any(home.unit is unit for unit in among))
        ]
        free = [home for home in all_of_them if all(each.optional or each.default for each in home.unit.parameters)]
        moving = [home for home in free if self.moves(home.unit, linked)]
        if taking and not moving:
            moving = [home for home in all_of_them if self.moves(home.unit, linked)]
        tops = [home for home in moving if linked.key(home.unit.name) not in called] or moving or free
        mains = [home for home in tops if _MAIN.search(home.unit.name)]
        return next(iter(mains or tops), None)

    def moves(self, unit: syntax.Unit, linked: Linked, depth: int = 6) -> bool:
        """Whether a routine moves the arm, itself or by those that it calls, so deep."""
        return any(self.moves_by(node, linked, depth, unit) for node in syntax.statements(unit.body))

    def moves_by(
        self, node: syntax.Statement, linked: Linked, depth: int = 6, inside: syntax.Unit | None = None
    ) -> bool:
        """Whether a statement moves the arm, itself or by the routine that it calls; ``inside`` of one it is known."""
        if not isinstance(node, syntax.UnitCall):
            return False
        home, form = linked.routine(node.unit), self.forms.get(linked.key(node.unit))
        if home is None:
            return form is not None and form.method.startswith(MOVING)
        return depth > 0 and home.unit is not inside and self.moves(home.unit, linked, depth - 1)

    def binary(self, sign: str, a: Value, b: Value) -> Value:
        return values.binary(sign, *settled(sign, a, b))

    def definition(self, name: str, type: str) -> str:
        """The line that would define a name."""
        return f"{name} = ..."

    def unary(self, sign: str, a: Value) -> Value:
        return values.unary(sign, a)


def settled(sign: str, a: Value, b: Value) -> tuple[Value, Value]:
    """Operands where one may be unknown: it is then nothing of the kind of the other."""
    if isinstance(a, Absent) and isinstance(b, Absent):
        nothing: Value = False if sign in ("and", "or", "xor") else 0.0
        return nothing, nothing
    if isinstance(a, Absent):
        return _nothing(b), b
    if isinstance(b, Absent):
        return a, _nothing(a)
    if isinstance(a, bool) and isinstance(b, float) and sign in ("=", "<>") and b in (0.0, 1.0):
        return float(a), b
    if isinstance(b, bool) and isinstance(a, float) and sign in ("=", "<>") and a in (0.0, 1.0):
        return a, float(b)
    return a, b


def _nothing(like: Value) -> Value:
    match like:
        case bool():
            return False
        case str():
            return ""
        case tuple():
            return tuple(_nothing(each) for each in like)
    return 0.0
