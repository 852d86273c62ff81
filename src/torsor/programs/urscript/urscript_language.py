"""URScript, the language of Universal Robots: its tables. What it does stands in `urscript_lowering`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from torsor.motion.commands import Move
from torsor.programs import syntax
from torsor.programs.diagnostics import ProgramText
from torsor.programs.grammar import nearest
from torsor.programs.language import ClauseText, Lowering, Style
from torsor.programs.linking import Linked, RoutineHome
from torsor.programs.pace import Factor, ToolPace
from torsor.programs.project_language import ProjectLanguage
from torsor.programs.records import TypeTable
from torsor.programs.urscript import urscript_pace
from torsor.programs.urscript.urscript_clauses import clauses
from torsor.programs.urscript.urscript_functions import FUNCTIONS, NAMES
from torsor.programs.urscript.urscript_lowering import UrscriptAssumptions, UrscriptLowering
from torsor.programs.urscript.urscript_words import FORMS, OPERANDS, SAID
from torsor.programs.whereabouts import Whereabouts

if TYPE_CHECKING:
    from torsor.programs.builder import Builder

KEYWORDS = ("def", "end", "if", "elif", "else", "while", "thread", "return", "break", "continue", "global", "local",
            "halt", "switch", "case", "default", "sec")  # fmt: skip


class Urscript(ProjectLanguage):
    name = "URScript"
    suffixes = (".script", ".urscript")
    grammar = "urscript.lark"
    types_table = TypeTable({}, {}, strict=False)
    lower_case = True
    cased = True
    nests = True
    first = 0
    by_line = True
    routine_word = "function"
    assigns = "local"
    operators: ClassVar = {
        "==": "=", "!=": "<>", "<=": "<=", ">=": ">=", "<": "<", ">": ">", "+": "+", "-": "-", "*": "*", "/": "/",
        "%": "mod", "^": "^", "and": "and", "or": "or", "xor": "xor", "<<": "<<", ">>": ">>",
    }  # fmt: skip
    precedence: ClassVar[Mapping[str, float]] = {
        "or": 1, "xor": 1, "and": 2, "sign not": 2.5, "=": 3, "<>": 3, "<": 3, "<=": 3, ">": 3, ">=": 3, "<<": 3.5,
        ">>": 3.5, "+": 4, "-": 4, "*": 5, "/": 5, "mod": 5, "sign +": 6, "sign -": 6, "^": 7,
    }  # fmt: skip
    functions = FUNCTIONS
    forms = FORMS
    constants: ClassVar = {"True": True, "False": False, "true": True, "false": False, "TRUE": True, "FALSE": False,
                           "None": 0.0}  # fmt: skip
    read_only = SAID
    keywords = KEYWORDS
    closes: ClassVar = {"end": ("if", "while", "def", "thread", "case")}
    style = Style(opening={"if": "if", "while": "while", "def": "def", "thread": "thread", "case": "switch"})

    def builder(self) -> Builder:
        from torsor.programs.urscript.urscript_builder import UrscriptBuilder

        return UrscriptBuilder(self)

    def cut(self, source: ProgramText) -> Iterator[ClauseText]:
        return clauses(source.text)

    def recognises(self, text: str) -> bool:
        return re.search(r"^\s*def\s+\w+\s*\(.*\)\s*:", text, re.MULTILINE) is not None and "end" in text

    def unknown_word(self, word: str, rest: str) -> str | None:
        if word in KEYWORDS or rest.lstrip()[:1] in ("(", "=", "[", "."):
            return None
        return nearest(word, KEYWORDS)

    def operand_names(self, word: str) -> tuple[str, ...]:
        return OPERANDS.get(word) or NAMES.get(word, ())

    def is_of_controller(self, key: str) -> bool:
        return "." in key

    def entry(self, linked: Linked, source: ProgramText, tree: syntax.SyntaxTree) -> RoutineHome | None:
        acting = syntax.UnitCall | syntax.While | syntax.If
        if any(isinstance(node, acting) for node in tree.body):
            return None  # what stands outside of functions is the program
        return self.only_routine(linked, [node for node in tree.body if isinstance(node, syntax.Unit)])

    def lowering(self, program: syntax.SyntaxTree, options: Mapping[str, Any]) -> Lowering:
        given = dict(options)
        where = Whereabouts(given.pop("arm", None), given.pop("start", None))
        return UrscriptLowering(self.chosen(UrscriptAssumptions(), given), where)

    def repace(self, lines: list[str], move: Move, factor: Factor, tool: ToolPace | None) -> None:
        urscript_pace.repace(lines, move, factor)

    def definition(self, name: str, type: str) -> str:
        return f"{name} = ..."
