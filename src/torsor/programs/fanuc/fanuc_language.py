"""TP, the language of Fanuc's controllers, in print (.ls): its tables. What it does stands in `fanuc_lowering`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, ClassVar

from torsor.motion.commands import Move
from torsor.programs import syntax
from torsor.programs.diagnostics import ProgramText
from torsor.programs.fanuc import fanuc_pace
from torsor.programs.fanuc.fanuc_clauses import clauses
from torsor.programs.fanuc.fanuc_lowering import FanucAssumptions, FanucLowering
from torsor.programs.grammar import nearest
from torsor.programs.language import ClauseText, Form, Lowering, Style
from torsor.programs.linking import Linked, RoutineHome
from torsor.programs.pace import Factor, ToolPace
from torsor.programs.project_language import ProjectLanguage
from torsor.programs.records import TypeTable
from torsor.programs.whereabouts import Whereabouts

if TYPE_CHECKING:
    from torsor.programs.builder import Builder

_OPTIONS = {"term": "any", "rest": "any", "unit": "any", "speed": "any", "by": "any"}
FORMS = {
    **{word: Form("move", ("any",), options=_OPTIONS, example="L P[1] 500mm/sec FINE ;")
       for word in ("go j", "go l", "go s")},
    **{word: Form("move_circle", ("any", "any"), options=_OPTIONS, example="C P[1] P[2] 500mm/sec FINE ;")
       for word in ("go c", "go a")},
    "wait time": Form("wait_time", ("any",), example="WAIT 0.50(sec) ;"),
    "wait for": Form("wait_for", ("unread",), example="WAIT DI[1]=ON ;"),
}  # fmt: skip
SAID = {
    "jmp": "a jump whose label a register tells is not run",
    "skip": "a search ends at its target",
    "offset": "OFFSET CONDITION is read, not run",
    "run": "other tasks are not run",
    "arc": "welding is read, not run",
    "weld": "welding is read, not run",
    "weave": "weaving is read, not run",
    "track": "tracking is read, not run",
    "monitor": "monitors are read, not run",
    "torq_limit": "soft joints are not planned",
}
KEYWORDS = ("CALL", "JMP", "WAIT", "ENDIF", "ENDFOR", "ELSE", "SELECT", "PAYLOAD", "MESSAGE", "ABORT", "PAUSE")


class FanucTP(ProjectLanguage):
    name = "Fanuc TP"
    routine_word = "program"
    suffixes = (".ls",)
    grammar = "fanuc.lark"
    by_line = True
    parameters_may_lack = True
    types_table = TypeTable({}, {}, strict=False)
    operators: ClassVar = {
        "=": "=", "<>": "<>", "<=": "<=", ">=": ">=", "<": "<", ">": ">", "+": "+", "-": "-", "*": "*", "/": "/",
        "mod": "mod", "div": "div", "and": "and", "or": "or", "und": "and", "oder": "or",
    }  # fmt: skip
    precedence: ClassVar[Mapping[str, float]] = {
        "or": 1, "and": 2, "=": 3, "<>": 3, "<": 3, "<=": 3, ">": 3, ">=": 3, "+": 4, "-": 4, "*": 5, "/": 5, "mod": 5,
        "div": 5, "sign not": 6, "sign +": 6, "sign -": 6,
    }  # fmt: skip
    forms = FORMS
    constants: ClassVar = {"true": True, "false": False}
    read_only = SAID
    calls_functions = False
    keywords: ClassVar = KEYWORDS
    known_prefixes: ClassVar = ("$", "uframe", "utool", "benutzer", "wkz", "override")
    closes: ClassVar = {"/END": ("def",), "ENDIF": ("if",), "ENDFOR": ("for",)}
    style = Style(opening={"if": "IF", "for": "FOR", "def": "/PROG"})
    arrays: ClassVar = frozenset(
        "p pr r sr ar di do ri ro f m gi go ai ao ui uo si so e a wi wo timer uframe utool lbl mnu tc vr".split()  # noqa: SIM905
    )

    def builder(self) -> Builder:
        from torsor.programs.fanuc.fanuc_builder import FanucBuilder

        return FanucBuilder(self)

    def cut(self, source: ProgramText) -> Iterator[ClauseText]:
        return clauses(source.text)

    def recognises(self, text: str) -> bool:
        return re.search(r"^/PROG\b", text, re.IGNORECASE | re.MULTILINE) is not None

    def module_of(self, file: str, body: syntax.Statements) -> syntax.Statements:
        return (syntax.Module(PurePath(file).stem, body),) if body else ()

    def unknown_word(self, word: str, rest: str) -> str | None:
        if word.upper() in KEYWORDS or rest.lstrip()[:1] in ("=", "[", "("):
            return None
        return nearest(word.upper(), KEYWORDS)

    def is_of_controller(self, key: str) -> bool:
        return key in self.arrays or key in ("lpos", "jpos") or super().is_of_controller(key)

    def entry(self, linked: Linked, source: ProgramText, tree: syntax.SyntaxTree) -> RoutineHome | None:
        if len(source.parts) == 1:
            return next((homes[0] for homes in linked.routines.values()), None)
        return self.only_routine(linked) or next((homes[0] for homes in linked.routines.values()), None)

    def lowering(self, program: syntax.SyntaxTree, options: Mapping[str, Any]) -> Lowering:
        given = dict(options)
        where = Whereabouts(given.pop("arm", None), given.pop("start", None))
        return FanucLowering(self.chosen(FanucAssumptions(), given), where)

    def repace(self, lines: list[str], move: Move, factor: Factor, tool: ToolPace | None) -> None:
        fanuc_pace.repace(lines, move, factor)
