"""RAPID, the language of ABB's controllers: its tables. What it does stands in `rapid_lowering`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar

from torsor.motion.commands import Move
from torsor.programs import syntax
from torsor.programs.diagnostics import At, ProgramText
from torsor.programs.fused import led_by_zero
from torsor.programs.grammar import nearest
from torsor.programs.language import ClauseText, Lowering, Style
from torsor.programs.linking import Linked, RoutineHome
from torsor.programs.pace import Factor, ToolPace
from torsor.programs.project_language import ProjectLanguage
from torsor.programs.rapid import rapid_pace
from torsor.programs.rapid.rapid_backup import home_of, of_one_task
from torsor.programs.rapid.rapid_clauses import UP_TO, clauses, without_texts
from torsor.programs.rapid.rapid_data import CONSTANTS, KNOWN_PREFIXES, TYPES, VARIABLES
from torsor.programs.rapid.rapid_functions import FUNCTIONS
from torsor.programs.rapid.rapid_lowering import RapidAssumptions, RapidLowering
from torsor.programs.rapid.rapid_spelling import OF_CONTROLLER, SPELLED
from torsor.programs.rapid.rapid_vectors import computed
from torsor.programs.rapid.rapid_words import FORMS, SAID
from torsor.programs.recovering import recovered
from torsor.programs.values import Value
from torsor.programs.whereabouts import Whereabouts

if TYPE_CHECKING:
    from torsor.programs.builder import Builder, Clause

WORDS = ("MODULE", "ENDMODULE", "PROC", "ENDPROC", "FUNC", "ENDFUNC", "TRAP", "ENDTRAP", "RECORD", "ENDRECORD", "IF",
         "THEN", "ELSEIF", "ELSE", "ENDIF", "WHILE", "ENDWHILE", "FOR", "ENDFOR", "TEST", "CASE", "DEFAULT", "ENDTEST",
         "VAR", "PERS", "CONST", "LOCAL", "TASK", "RETURN", "GOTO", "ERROR", "CONNECT", "EXIT", "RETRY", "TRYNEXT",
         "RAISE", "UNDO", "BACKWARD", "ALIAS")  # fmt: skip
OPENING = {"IF": "if", "WHILE": "while", "FOR": "for", "TEST": "case", "PROC": "proc", "FUNC": "func", "TRAP": "trap"}
EXAMPLES = {
    "tooldata": "[TRUE,[[0,0,0],[1,0,0,0]],[1,[0,0,1],[1,0,0,0],0,0,0]]",
    "wobjdata": '[FALSE,TRUE,"",[[0,0,0],[1,0,0,0]],[[0,0,0],[1,0,0,0]]]',
    "robtarget": "[[x,y,z],[1,0,0,0],[0,0,0,0],[9E9,9E9,9E9,9E9,9E9,9E9]]",
    "jointtarget": "[[0,0,0,0,0,0],[9E9,9E9,9E9,9E9,9E9,9E9]]",
    "speeddata": "[100,500,5000,1000]",
    "zonedata": "[FALSE,10,15,15,1.5,15,1.5]",
    "loaddata": "[1,[0,0,1],[1,0,0,0],0,0,0]",
}  # fmt: skip


_OPERATOR = r"(\b(AND|OR|XOR|NOT|MOD|DIV)\b|[-+*/=<>(,\[])"


def _goes_on(line: str, following: str) -> bool:
    """Whether a condition goes on in the next line."""
    ends = re.search(rf"{_OPERATOR}\s*$", line, re.IGNORECASE)
    return bool(ends or not line.strip() or re.match(rf"\s*{_OPERATOR}", following, re.IGNORECASE))


class Rapid(ProjectLanguage):
    name = "RAPID"
    routine_word = "procedure"
    suffixes = (".mod", ".modx", ".sys", ".sysx")
    shared_suffixes = (".prg",)
    grammar = "rapid.lark"
    least_acceleration = rapid_pace.LEAST / 100.0
    types_table = TYPES
    operators: ClassVar = {
        "=": "=", "<>": "<>", "<=": "<=", ">=": ">=", "<": "<", ">": ">", "+": "+", "-": "-", "*": "*", "/": "/",
        "mod": "mod", "div": "div", "and": "and", "or": "or", "xor": "xor",
    }  # fmt: skip
    precedence: ClassVar[Mapping[str, float]] = {
        "or": 1, "xor": 1, "sign not": 1.5, "and": 2, "=": 3, "<>": 3, "<": 3, "<=": 3, ">": 3, ">=": 3,
        "+": 4, "-": 4, "*": 5, "/": 5, "mod": 5, "div": 5, "sign +": 6, "sign -": 6,
    }  # fmt: skip
    whole_indices = True
    own_counters = True
    modules_are_alone = True
    begins_again = True
    shared_storage = frozenset({"pers"})
    seldom = frozenset({"movepnp", "mirpos"})  # MovePnP is of one robot's package; MovePTP and MidPos are not
    functions = FUNCTIONS
    forms = FORMS
    constants = CONSTANTS
    variables = VARIABLES
    read_only = SAID
    known_prefixes: ClassVar = KNOWN_PREFIXES
    controller_names = own_names = OF_CONTROLLER
    keywords: ClassVar = WORDS
    never_bare: ClassVar = frozenset({
        "MODULE", "PROC", "FUNC", "TRAP", "RECORD", "IF", "ELSEIF", "WHILE", "FOR", "TEST", "CASE", "VAR", "PERS",
        "CONST", "LOCAL", "TASK", "GOTO", "CONNECT", "ALIAS",
    })  # fmt: skip
    label_like = ("DEFAULT",)
    closes: ClassVar = {
        "ENDIF": ("if",), "ENDWHILE": ("while",), "ENDFOR": ("for",), "ENDTEST": ("case",), "ENDPROC": ("proc",),
        "ENDFUNC": ("func",), "ENDTRAP": ("trap",), "ENDRECORD": ("record",), "ENDMODULE": ("module",),
    }  # fmt: skip
    style = Style(index="{0}{{{1}}}", group="[{0}]", opening={
        "if": "IF", "while": "WHILE", "for": "FOR", "case": "TEST", "proc": "PROC", "func": "FUNC", "trap": "TRAP",
        "record": "RECORD", "module": "MODULE",
    })  # fmt: skip

    def kept(self, texts: Sequence[tuple[str, str]]) -> tuple[list[tuple[str, str]], str]:
        return of_one_task(texts)

    def home_of(self, routine: str, texts: Iterable[tuple[str, str]]) -> str:
        return home_of(routine, texts)

    def builder(self) -> Builder:
        from torsor.programs.rapid.rapid_builder import RapidBuilder

        return RapidBuilder(self)

    def cut(self, source: ProgramText) -> Iterator[ClauseText]:
        return clauses(source.text)

    def recognises(self, text: str) -> bool:
        return (
            re.search(r"^\s*(MODULE\s+\w+|(LOCAL\s+)?PROC\s+\w+\s*\()", text, re.IGNORECASE | re.MULTILINE) is not None
        )

    def text_problems(self, source: ProgramText) -> Iterator[tuple[At, str, str, bool]]:
        yield from led_by_zero(without_texts(source.text))

    def unknown_word(self, word: str, rest: str) -> str | None:
        if word.upper() in WORDS or rest.lstrip()[:2] in (":=",) or word.lower() in FORMS:
            return None
        return nearest(word.upper(), WORDS)

    def as_written(self, word: str) -> str:
        return SPELLED.get(word.lower(), word)

    def run_together(self, name: str) -> tuple[str, ...]:
        """``ERR_WAIT_MAXTIMEERR_SIG_NOT_VALID``: two numbers of errors."""
        parts = re.split(r"(?<=[^\W_])(?=ERR_)", name) if name.upper().startswith("ERR_") else []
        return tuple(parts) if len(parts) > 1 else ()

    def blamed(self, text: str, at: At) -> At:
        """A head of a block without its last word: the rest of the clause is what should stand inside of the block."""
        lines = text.split("\n")
        word = lines[0].split()[0].upper() if lines[0].split() else ""
        if word == "TEST":  # nothing stands behind it that could be forgotten
            return at
        count = next((k for k, pair in enumerate(pairwise(lines), start=1) if not _goes_on(*pair)), len(lines))
        head = "\n".join(lines[:count])
        if word in UP_TO and count < len(lines) and not re.search(rf"\b{UP_TO[word]}\b", head, re.IGNORECASE):
            return count, len(lines[count - 1].rstrip()) + 1
        return super().blamed(text, at)

    def step_between(self, start: float, stop: float) -> float:
        return -1.0 if start > stop else 1.0

    def recovered(self, text: str, at: At) -> Clause | None:
        return recovered(text, at, OPENING, self.closes)

    def entry(self, linked: Linked, source: ProgramText, tree: syntax.SyntaxTree) -> RoutineHome | None:
        offering = syntax.Module | syntax.Unit | syntax.RecordType | syntax.Declare
        main = linked.routine("main")
        if main is not None or any(not isinstance(node, offering) for node in tree.body):
            return main  # None: what stands outside of routines is the program
        return self.only_routine(linked)

    def binary(self, sign: str, a: Value, b: Value) -> Value:
        made = computed(sign, a, b)
        return super().binary(sign, a, b) if made is None else made

    def lowering(self, program: syntax.SyntaxTree, options: Mapping[str, Any]) -> Lowering:
        given = dict(options)
        where = Whereabouts(given.pop("arm", None), given.pop("start", None))
        return RapidLowering(self.chosen(RapidAssumptions(), given), where)

    def repace(self, lines: list[str], move: Move, factor: Factor, tool: ToolPace | None) -> None:
        rapid_pace.repace(lines, move, factor)

    def definition(self, name: str, type: str) -> str:
        return f"PERS {type or 'num'} {name} := {EXAMPLES.get(type, '0')};"
