"""What makes a language: a grammar, tables, and a lowering from instructions to motion commands."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from torsor.errors import TorsorError, Unsupported, did_you_mean
from torsor.motion.commands import Command, Move
from torsor.programs import syntax
from torsor.programs.diagnostics import At, ProgramText
from torsor.programs.syntax import RobotInstruction
from torsor.programs.values import NOUNS, Value, Wrong, kind_of

if TYPE_CHECKING:
    from torsor.motion import Paul, Timing
    from torsor.programs.builder import Builder, Clause
    from torsor.programs.checks import Checker
    from torsor.programs.interpreter import Interpreter
    from torsor.programs.pace import Factor, ToolPace
    from torsor.programs.world import World

Settings = TypeVar("Settings", bound=Any)  # a frozen dataclass


@dataclass(frozen=True, slots=True)
class Function:
    """A function: the kinds of its arguments, how many must be given, the kind of its result, and how it is computed.

    ``repeat``: the last kind may be repeated. ``compute`` takes the lowering (which knows where the arm is) and the
    arguments; those left out are None.
    """

    arguments: tuple[str, ...]
    result: str
    compute: Callable[..., Value]
    required: int | None = None  # None: all
    repeat: bool = False
    gaps: bool = False  # arguments between commas may be left out
    changed_by: tuple[str, ...] | None = ()  # instructions that change its result; None: any may
    options: Mapping[str, Any] = field(default_factory=dict)  # arguments by name, and their kinds
    told: bool = False  # by the world alone, whatever the program does

    def as_form(self, *, named: bool = False) -> Form:
        """How a call of it is written."""
        return Form("", self.arguments, self.required, self.repeat, self.gaps, self.options, named=named)


@dataclass(frozen=True, slots=True)
class Form:
    """How an instruction is written: the kinds of its operands, how many must be given, and its options.

    Kinds that begin with "new " are names that the instruction gives a value; "word" is a bare word; "condition" is
    handed over unevaluated. ``method`` of the lowering carries it out: it takes the statement, then the operands, and
    the options by keyword, each with a list of its operands.
    """

    method: str
    operands: tuple[str, ...] = ()
    required: int | None = None  # None: all
    repeat: bool = False
    gaps: bool = False  # operands between commas may be left out
    options: Mapping[str, Any] = field(default_factory=dict)  # and the kinds of what they are given
    example: str = ""
    named: bool = False  # operands may be given by name

    def written(self, word: str) -> str:
        """The example with the word that stands there: several words share a form.

        >>> Form("move", example="MoveL p10, v100;").written("MoveJ")
        'MoveJ p10, v100;'
        """
        first, _, rest = self.example.partition(" ")
        return f"{word} {rest}" if rest and first.isalpha() else self.example


@dataclass(frozen=True, slots=True)
class Style:
    """How statements are printed; {0}, {1} ... are their parts."""

    assign: str = "{0} = {1}"
    call: str = "CALL {0}{1}"
    back: str = "RETURN{0}"
    halt: str = "{0}"
    opening: Mapping[str, str] = field(default_factory=dict)  # of blocks, by kind
    closing: Mapping[str, str] = field(default_factory=dict)
    otherwise: str = "ELSE"
    step: str = " STEP {0}"
    choice: str = "VALUE {0}:"
    fallback: str = "ANY"
    parameter: Callable[[syntax.Parameter], str] = lambda parameter: parameter.name
    instruction: str = "{0}"  # around an instruction
    arguments: str = "({0})"  # of a unit without any: nothing
    index: str = "{0}[{1}]"
    group: str = "({0})"  # several values as one


@dataclass(frozen=True, slots=True)
class ClauseText:
    """A clause of the text and where it begins."""

    text: str
    begin: At


class Lowering(ABC):
    """The state of an arm while a program runs: turns one instruction after the other into motion commands."""

    interpreter: Interpreter

    @abstractmethod
    def finish(self) -> Iterable[Command]:
        """Commands that were held back, at the end of the program."""


class Language(ABC):
    """One robot language. Its tables are data; `torsor.programs.val2` and `torsor.programs.irl` are the examples.

    What it says of pace, its timing and how a line gets another pace, is asked of it alone.
    """

    name: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]]
    shared_suffixes: ClassVar[tuple[str, ...]] = ()  # that other files have too: the text decides
    encodings: ClassVar[tuple[str, ...]] = ("utf-8-sig",)  # that its files may have, in this order
    grammar: ClassVar[str]  # of one clause: a .lark file of this room, or the text itself; rules as in `builder`
    forms: ClassVar[Mapping[str, Form]]
    marked: ClassVar[Mapping[str, Iterable[str]]] = {}  # more lists of words that the grammar names, as <WORDS>
    longest_statement: ClassVar[int] = 20_000  # characters
    nests: ClassVar[bool] = False  # routines may stand in routines
    lower_case: ClassVar[bool] = False  # how words are spelled in messages and in print
    truth_is_number: ClassVar[bool] = False  # conditions are numbers, -1 for true
    declares: ClassVar[bool] = False  # names must be declared
    knows_arm: ClassVar[bool] = False  # its lowering takes the option ``arm``, where one is known
    operators: ClassVar[Mapping[str, str]] = {}  # as spelled (lower case), and as `values` calls it
    precedence: ClassVar[Mapping[str, float]] = {}  # by the names of `values`
    functions: ClassVar[Mapping[str, Function]] = {}  # by lower-case name
    closes: ClassVar[Mapping[str, tuple[str, ...]]] = {}  # closing word -> blocks that it can close
    forgiven: ClassVar[Mapping[str, str]] = {}  # blocks that may be left open with a warning -> what closes them
    types: ClassVar[Mapping[str, str]] = {}  # names of types -> kinds
    constants: ClassVar[Mapping[str, Any]] = {}  # names with a fixed value
    words: ClassVar[Mapping[str, tuple[str, ...]]] = {}  # option -> words it may take
    style: ClassVar[Style] = Style()
    least_acceleration: ClassVar[float] = 0.0  # the smallest share of accelerations that it can write

    def spelled(self, word: str) -> str:
        """A word as messages and print have it."""
        return word.lower() if self.lower_case else word.upper()

    @abstractmethod
    def cut(self, source: ProgramText) -> Iterator[ClauseText]:
        """The clauses of a text, comments blanked out."""

    @abstractmethod
    def recognises(self, text: str) -> bool:
        """Does this look like a program of this language?"""

    @abstractmethod
    def lowering(self, program: syntax.SyntaxTree, options: Mapping[str, Any]) -> Lowering:
        """A fresh state for one run."""

    def belonging(self, path: PurePath) -> tuple[Path, ...]:
        """Files that a file is never without, should they be there."""
        return ()

    def kept(self, texts: Sequence[tuple[str, str]]) -> tuple[list[tuple[str, str]], str]:
        """Of the files of a folder, each its name and text, those that make the program; what is said of others."""
        return list(texts), ""

    def module_of(self, file: str, body: syntax.Statements) -> syntax.Statements:
        """The statements of one file; as a module where the language has one for each file."""
        return body

    def builder(self) -> Builder:
        """What makes trees of its clauses."""
        from torsor.programs.builder import Builder

        return Builder(self)

    def blamed(self, text: str, at: At) -> At:
        """Where a clause went wrong, if reading it stopped there."""
        return at

    def step_between(self, start: float, stop: float) -> float:
        """What a loop counts by where it does not say so."""
        return 1.0

    def recovered(self, text: str, at: At) -> Clause | None:
        """The word around a block that an unreadable clause was meant to be; None where it is none."""
        return None

    def timing(self, program: syntax.SyntaxTree) -> Timing | Paul:
        """How the motions of a program are timed where nothing else is asked for: by trapezoids of speed."""
        from torsor.motion import Timing

        return Timing()

    def told(self, world: World) -> Mapping[str, Any]:
        """What the world tells a run, as options of it. Programs of one file and one routine ask for nothing."""
        raise Unsupported(f"programs of {self.name} have no use for a world", hint="leave it out")

    def timed(self, program: syntax.SyntaxTree, told: Mapping[str, Any]) -> Timing | Paul:
        """The timing of a program that was told so much."""
        return self.timing(program)

    def repace(self, lines: list[str], move: Move, factor: Factor, tool: ToolPace | None) -> None:
        """Changes the lines of a program so that a move has another pace, in the words of this language.

        ``lines`` behind the move may be changed too, and may become more; those before it stay where they are. ``tool``
        is the pace of the tool that comes of it, where the move leaves that to the limits of the joints.
        """
        raise Unsupported(f"programs of {self.name} cannot be rewritten", hint="slow the lines down by hand")

    def chosen(self, settings: Settings, options: Mapping[str, Any]) -> Settings:
        """What a program leaves open, a frozen dataclass, with the options of one run put in."""
        known = [one.name for one in fields(settings)]
        for name in options:
            if name not in known:
                raise TorsorError(f"{self.name} has no option {name!r}", hint=did_you_mean(name, known))
        return replace(settings, **options)

    def dialect(self, program: syntax.SyntaxTree) -> str:
        """Which dialect of the language a program is written in."""
        return self.name

    def instruction_text(self, node: RobotInstruction, expression: Callable[[syntax.Expression], str]) -> str | None:
        """How an instruction is printed, where it is not ``WORD a, b OPTION c``."""
        return None

    def member(self, value: Value, name: str) -> Value:
        """A part of a value, such as the x of a location."""
        raise Wrong(f"{NOUNS[kind_of(value)]} has no part {name!r}")

    def with_member(self, value: Value, name: str, part: Value) -> Value:
        """The value with that part changed."""
        raise Wrong(f"{NOUNS[kind_of(value)]} has no part {name!r}")

    def unknown_word(self, word: str, rest: str) -> str | None:
        """A hint, where a statement begins with a word that this language does not know."""
        return None

    def check(self, checker: Checker) -> None:  # noqa: B027
        """Checks that only this language has."""
