"""AS, the language of Kawasaki's controllers: its tables. What it does stands in `kawasaki_lowering`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from torsor.motion.commands import Move
from torsor.programs import syntax
from torsor.programs.diagnostics import ProgramText
from torsor.programs.grammar import nearest
from torsor.programs.kawasaki import kawasaki_pace
from torsor.programs.kawasaki.kawasaki_clauses import clauses
from torsor.programs.kawasaki.kawasaki_functions import FUNCTIONS
from torsor.programs.kawasaki.kawasaki_lowering import KawasakiAssumptions, KawasakiLowering
from torsor.programs.kawasaki.kawasaki_words import FORMS, SAID
from torsor.programs.language import ClauseText, Lowering, Style
from torsor.programs.linking import Linked, RoutineHome
from torsor.programs.pace import Factor, ToolPace
from torsor.programs.project_language import ProjectLanguage
from torsor.programs.records import TypeTable
from torsor.programs.values import Absent, Location, Value, compound, inverse
from torsor.programs.whereabouts import Whereabouts

if TYPE_CHECKING:
    from torsor.programs.builder import Builder

KEYWORDS = ("IF", "ELSE", "ELSEIF", "THEN", "END", "FOR", "WHILE", "UNTIL", "CASE", "SCASE", "VALUE", "SVALUE", "CALL",
            "SCALL", "GOTO", "RETURN", "STOP", "HALT", "POINT", "HERE", "DECOMPOSE", "PROMPT", "TIMER",
            "BITS")  # fmt: skip
NAMES = ("here", "#here", "dest", "#dest", "mspeed", "tool", "base", "null")  # of the controller
_OWN = re.compile(
    r"^\s*(?:[0-9]+\s+)?(?:[JLHX]MOVE|C[12]MOVE|[JL]APPRO|[JL]DEPART|ACCURACY|TWAIT|SWAIT|HOME2?)\b"
    r"|^\s*\.(?:TRANS|JOINTS|REALS|STRINGS)\s*$|^\.PROGRAM.*#[0-9]+\s*$",
    re.IGNORECASE | re.MULTILINE,
)


_DOTTED = re.compile(r"^\s*\.[A-Z]+", re.IGNORECASE | re.MULTILINE)


class KawasakiAS(ProjectLanguage):
    name = "Kawasaki AS"
    routine_word = "program"
    suffixes = (".as",)
    shared_suffixes = (".pg",)
    grammar = "kawasaki.lark"
    by_line = True
    first = 0
    assigns = "dotted"
    least_slip = 8
    parameters_may_lack = True
    types_table = TypeTable({}, {}, strict=False)
    operators: ClassVar = {
        "==": "=", "<>": "<>", "!=": "<>", "<=": "<=", "=<": "<=", ">=": ">=", "=>": ">=", "<": "<", ">": ">",
        "+": "+", "-": "-", "*": "*", "/": "/", "^": "^", "mod": "mod", "and": "and", "or": "or", "xor": "xor",
        "band": "band", "bor": "bor", "bxor": "bxor",
    }  # fmt: skip
    precedence: ClassVar[Mapping[str, float]] = {
        "or": 1, "xor": 1, "and": 2, "sign not": 2.5, "=": 3, "<>": 3, "<": 3, "<=": 3, ">": 3, ">=": 3, "bor": 3.3,
        "bxor": 3.3, "band": 3.6, "+": 4, "-": 4, "*": 5, "/": 5, "mod": 5, "sign +": 6, "sign -": 6, "sign com": 6,
        "^": 7,
    }  # fmt: skip
    functions = FUNCTIONS
    forms = FORMS
    constants: ClassVar = {
        "true": True,
        "false": False,
        "on": True,
        "off": False,
        "pi": 3.141592653589793,
    }
    read_only = SAID
    calls_functions = False
    keywords: ClassVar = KEYWORDS
    closes: ClassVar = {"END": ("if", "for", "while", "case"), ".END": ("def",)}
    style = Style(
        opening={"if": "IF", "for": "FOR", "while": "WHILE", "repeat": "DO", "case": "CASE", "def": ".PROGRAM"}
    )

    def builder(self) -> Builder:
        from torsor.programs.kawasaki.kawasaki_builder import KawasakiBuilder

        return KawasakiBuilder(self)

    def cut(self, source: ProgramText) -> Iterator[ClauseText]:
        return clauses(source.text)

    def recognises(self, text: str) -> bool:
        return _OWN.search(text) is not None and _DOTTED.search(text) is not None

    def unknown_word(self, word: str, rest: str) -> str | None:
        if word.lower() in FORMS or word.upper() in KEYWORDS or rest.lstrip()[:1] in ("=", "[", "("):
            return None
        return nearest(word.upper(), [*KEYWORDS, *(each.upper() for each in FORMS)])

    def is_of_controller(self, key: str) -> bool:
        return key.lstrip(".").startswith("$") or key in NAMES

    def entry(self, linked: Linked, source: ProgramText, tree: syntax.SyntaxTree) -> RoutineHome | None:
        """``main`` and its like; else a program that moves. What ends in ``.pc`` runs beside the arm."""
        for name in ("main", "a.main", "pg0"):
            home = linked.routine(name)
            if home is not None and self.moves(home.unit, linked):
                return home
        units = [home.unit for homes in linked.routines.values() for home in homes]
        moving = [unit for unit in units if not unit.name.lower().endswith(".pc")]
        return self.only_routine(linked, moving) or self.only_routine(linked)

    def lowering(self, program: syntax.SyntaxTree, options: Mapping[str, Any]) -> Lowering:
        given = dict(options)
        where = Whereabouts(given.pop("arm", None), given.pop("start", None))
        return KawasakiLowering(self.chosen(KawasakiAssumptions(), given), where)

    def repace(self, lines: list[str], move: Move, factor: Factor, tool: ToolPace | None) -> None:
        kawasaki_pace.repace(lines, move, factor)

    def binary(self, sign: str, a: Value, b: Value) -> Value:
        """Places are put one behind the other by +, and back again by -."""
        if sign in ("+", "-") and (isinstance(a, Location) or isinstance(b, Location)):
            unknown = next((each for each in (a, b) if isinstance(each, Absent)), None)
            if unknown is not None:
                return unknown
            if isinstance(a, Location) and isinstance(b, Location):
                return compound(a, inverse(b) if sign == "-" else b)
        return super().binary(sign, a, b)

    def unary(self, sign: str, a: Value) -> Value:
        return inverse(a) if sign == "-" and isinstance(a, Location) else super().unary(sign, a)

    def definition(self, name: str, type: str) -> str:
        return f"POINT {name} = TRANS(x, y, z, o, a, t)"
