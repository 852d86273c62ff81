"""KRL, the language of KUKA's controllers: its tables. What it does stands in `krl_lowering`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, ClassVar

from torsor.motion.commands import Move
from torsor.programs import syntax, values
from torsor.programs.diagnostics import At, ProgramText
from torsor.programs.grammar import nearest
from torsor.programs.krl import krl_pace
from torsor.programs.krl.krl_data import COMPARED, TYPES
from torsor.programs.krl.krl_folds import names_of_form
from torsor.programs.krl.krl_frames import ACTIVE, CONFIGURED, DELIVERED, STORES, frame_of, known, matrix
from torsor.programs.krl.krl_functions import FORMS, FUNCTIONS, PACKAGED, SAID
from torsor.programs.krl.krl_lowering import KrlAssumptions, KrlLowering
from torsor.programs.krl.krl_parameters import misnamed
from torsor.programs.krl.krl_system import BASIC, VALUES, VARIABLES
from torsor.programs.krl.krl_texts import COMMENT, ToldByText, told_by_texts
from torsor.programs.krl.krl_whole import is_whole
from torsor.programs.language import ClauseText, Lowering, Style
from torsor.programs.linking import Linked, RoutineHome
from torsor.programs.misspelt import slip_of, slips_of
from torsor.programs.pace import Factor, ToolPace
from torsor.programs.project_language import ProjectLanguage
from torsor.programs.recovering import recovered
from torsor.programs.values import Absent, Value
from torsor.programs.whereabouts import Whereabouts

if TYPE_CHECKING:
    from torsor.programs.builder import Builder, Clause
    from torsor.programs.project_memory import ProjectMemory

KEYWORDS = (
    "DEF",
    "END",
    "DEFFCT",
    "ENDFCT",
    "DEFDAT",
    "ENDDAT",
    "DECL",
    "IF",
    "THEN",
    "ELSE",
    "ENDIF",
    "FOR",
    "ENDFOR",
    "WHILE",
    "ENDWHILE",
    "REPEAT",
    "UNTIL",
    "LOOP",
    "ENDLOOP",
    "SWITCH",
    "CASE",
    "DEFAULT",
    "ENDSWITCH",
    "GOTO",
    "RETURN",
    "EXIT",
    "HALT",
    "CONTINUE",
    "WAIT",
    "GLOBAL",
    "SIGNAL",
    "STRUC",
    "ENUM",
    "INTERRUPT",
    "TRIGGER",
    "PTP",
    "LIN",
    "CIRC",
    "SPTP",
    "SLIN",
    "SCIRC",
    "PTP_REL",
    "LIN_REL",
    "SPLINE",
    "ENDSPLINE",
    "PULSE",
    "EXT",
    "EXTFCT",
    "CWRITE",
    "CREAD",
    "SWRITE",
    "SREAD",
    "BRAKE",
    "RESUME",
    "INT",
    "REAL",
    "BOOL",
    "CHAR",
)
OPENING = {
    "IF": "if", "FOR": "for", "WHILE": "while", "LOOP": "loop", "REPEAT": "repeat", "SWITCH": "case", "DEF": "def",
    "DEFFCT": "deffct",
}  # fmt: skip


WITH_A_NUMBER = frozenset({"acc_cp", "acc_ptp", "vel_cp", "vel_ptp", "tool", "base", "ptp_params", "cp_params"})


class Krl(ProjectLanguage):
    name = "KRL"
    suffixes = (".src", ".sub")
    shared_suffixes = (".dat",)
    grammar = "krl.lark"
    types_table = TYPES
    by_line = True
    parameters_may_lack = True
    declares_counters = False
    # of KUKA's System folder, which backups have: what BAS does stands in `krl_inline`
    own_words = frozenset({"bas", *FUNCTIONS})
    own_names = tuple(
        name.upper()
        for name in (*PACKAGED, *ACTIVE, *STORES, *DELIVERED, "xhome", "fhome", "fdefault", "pdefault", "ldefault")
    )
    controller_names = VARIABLES
    values_of = VALUES
    types_of_names: ClassVar = {
        "fdat_act": "fdat", "pdat_act": "pdat", "ldat_act": "ldat", "$base": "frame", "$tool": "frame", "$load": "load",
    }  # fmt: skip
    routine_word = "subprogram"
    operators: ClassVar = {
        "==": "=", "<>": "<>", "<=": "<=", ">=": ">=", "<": "<", ">": ">", "+": "+", "-": "-", "*": "*", "/": "/",
        ":": ":", "and": "and", "or": "or", "exor": "xor", "b_and": "b_and", "b_or": "b_or", "b_exor": "b_exor",
    }  # fmt: skip
    # comparisons bind loosest, as KUKA's manual has it
    precedence: ClassVar[Mapping[str, float]] = {
        "=": 1, "<>": 1, "<": 1, "<=": 1, ">": 1, ">=": 1, "or": 2, "b_or": 2, "xor": 3, "b_exor": 3, "and": 4,
        "b_and": 4, "+": 5, "-": 5, "*": 6, "/": 6, ":": 7, "sign not": 8, "sign b_not": 8, "sign +": 8, "sign -": 8,
    }  # fmt: skip
    as_meant = (
        "KRL puts AND and OR together before ==, <> and their like, which joins a number or an #ENUM here: it is read "
        "as if the comparisons stood in parentheses, without which a controller refuses it"
    )
    functions = FUNCTIONS
    forms = FORMS
    constants: ClassVar = {"true": True, "false": False}
    read_only = SAID
    keywords = KEYWORDS
    closes: ClassVar = {
        "END": ("def",), "ENDFCT": ("deffct",), "ENDDAT": ("defdat",), "ENDIF": ("if",), "ENDFOR": ("for",),
        "ENDWHILE": ("while",), "ENDLOOP": ("loop",), "ENDSWITCH": ("case",),
    }  # fmt: skip
    style = Style(opening={
        "if": "IF", "for": "FOR", "while": "WHILE", "loop": "LOOP", "repeat": "REPEAT", "case": "SWITCH", "def": "DEF",
        "deffct": "DEFFCT", "defdat": "DEFDAT",
    })  # fmt: skip

    def builder(self) -> Builder:
        from torsor.programs.krl.krl_builder import KrlBuilder

        return KrlBuilder(self)

    def cut(self, source: ProgramText) -> Iterator[ClauseText]:
        for number, line in enumerate(source.lines, start=1):
            if ";" in line:
                line = COMMENT.sub(lambda found: found[1] or "", line)
            bare = line.strip(" \t\r\f\xa0\x1a")
            if bare and not bare.startswith("&"):
                yield ClauseText(bare, (number, line.index(bare[0]) + 1))

    def recognises(self, text: str) -> bool:
        return (
            re.search(r"^\s*(GLOBAL\s+)?(DEF|DEFFCT|DEFDAT)\s+[\w$]+", text, re.IGNORECASE | re.MULTILINE) is not None
        )

    def belonging(self, path: PurePath) -> tuple[Path, ...]:
        """The .dat of a .src beside it."""
        if path.suffix.lower() not in (".src", ".sub"):
            return ()
        beside = [each for each in Path(path).parent.glob("*") if each.suffix.lower() == ".dat"]
        return tuple(each for each in beside if each.stem.lower() == path.stem.lower())

    def module_of(self, file: str, body: syntax.Statements) -> syntax.Statements:
        return (syntax.Module(PurePath(file).stem, body),) if body else ()

    def unknown_word(self, word: str, rest: str) -> str | None:
        if word.upper() in KEYWORDS or rest.lstrip()[:1] in ("=", "[", "(", ".", ":") or word.startswith("$"):
            return None
        if word.upper() in ("ELSEIF", "ELSIF"):
            return "KRL has none: write ELSE, and in it an IF with its own ENDIF"
        return (
            nearest(word.upper(), KEYWORDS) or "lines begin with words such as PTP, LIN, IF, WAIT, or with a name and ="
        )

    def recovered(self, text: str, at: At) -> Clause | None:
        return recovered(text, at, OPENING, self.closes)

    def as_written(self, word: str) -> str:
        return word.upper() if word in self.forms or word in self.functions or word in self.constants else word

    def is_of_controller(self, key: str) -> bool:
        return key.startswith(("$", "#")) or key in CONFIGURED or key in (*ACTIVE, *STORES, *DELIVERED)

    def entry(self, linked: Linked, source: ProgramText, tree: syntax.SyntaxTree) -> RoutineHome | None:
        """Of the file that is named first; of a folder a program that moves."""
        first = source.parts[0].file
        stem = PurePath(first).stem
        found = linked.routine(stem, stem.lower()) if source.file == first else None
        if found is not None:
            return found
        return self.only_routine(linked) or next((homes[0] for homes in linked.routines.values()), None)

    def keep_private(self, linked: Linked) -> None:
        """Data of a .dat that belongs to a program is its own, but for what is GLOBAL; others are everybody's."""
        programs = {home.module for homes in linked.routines.values() for home in homes}
        linked.hide(lambda home: home.module in programs and "global" not in home.node.storage.split())

    def lowering(self, program: syntax.SyntaxTree, options: Mapping[str, Any]) -> Lowering:
        given = dict(options)
        where = Whereabouts(given.pop("arm", None), given.pop("start", None))
        return KrlLowering(self.chosen(KrlAssumptions(), given), where)

    def binary(self, sign: str, a: Value, b: Value) -> Value:
        if sign == ":":
            if not (isinstance(a, dict) and isinstance(b, dict) and known(a) and known(b)):
                return a if isinstance(a, Absent) else Absent("")
            return frame_of(matrix(a) @ matrix(b))
        if sign in COMPARED and {type(a), type(b)} == {float, str}:  # a character and its code
            a, b = (float(ord(each)) if isinstance(each, str) and len(each) == 1 else each for each in (a, b))
        if sign in ("b_and", "b_or", "b_exor"):
            x, y = (int(each) if isinstance(each, float) else 0 for each in (a, b))
            return float({"b_and": x & y, "b_or": x | y, "b_exor": x ^ y}[sign])
        return super().binary(sign, a, b)

    def call_problem(self, key: str, given: Sequence[syntax.Expression | None]) -> str | None:
        """BAS with a command that looks like a slip of the pen: others may come from technology packages."""
        first = given[0] if given else None
        if key == "bas" and given and first is None:
            return "BAS is given no command"
        if key != "bas" or not isinstance(first, syntax.Text):
            return None
        if None in given:
            return "BAS is given nothing behind a comma"
        word = first.value.lstrip("#")
        if word in WITH_A_NUMBER and len(given) < 2:
            return f"BAS(#{word.upper()}) is given no number; write BAS(#{word.upper()}, 100)"
        if word in BASIC or not (slips_of(word, BASIC, family=False) or word.rstrip("0123456789") in BASIC):
            return None
        return f"BAS has no command #{word.upper()}"

    def routine_problems(self, unit: syntax.Unit) -> Iterator[tuple[At, str, str]]:
        """SPLINE without ENDSPLINE, and the other way round; parameters that are declared under another name."""
        yield from misnamed(unit)
        for node in syntax.statements(unit.body, into_units=False):
            if isinstance(node, syntax.UnitCall) and _is_hardly_bas(node.unit):
                first = node.arguments[0] if node.arguments else None
                if isinstance(first, syntax.Text) and first.value.lstrip("#") in BASIC:
                    yield node.at, f"there is no instruction or subprogram {node.unit!r}", "did you mean 'BAS'?"
        opened: At | None = None
        for node in syntax.statements(unit.body, into_units=False):
            if isinstance(node, syntax.UnitCall) and node.unit == "spline":
                if opened is not None:
                    yield opened, "SPLINE is never closed", "add ENDSPLINE"
                opened = node.at
            elif isinstance(node, syntax.UnitCall) and node.unit == "endspline":
                if opened is None:
                    yield node.at, "ENDSPLINE closes nothing", "add SPLINE"
                opened = None
        if opened is not None:
            yield opened, "SPLINE is never closed", "add ENDSPLINE"

    def text_problems(self, source: ProgramText) -> Iterator[ToldByText]:
        return told_by_texts(source)

    def names_beside(self, source: ProgramText, at: At) -> Sequence[str]:
        return names_of_form(source.lines, at[0])

    def divides_whole(self, run: ProjectMemory, node: syntax.Binary) -> bool:
        return is_whole(run, node.left) and is_whole(run, node.right)

    def unary(self, sign: str, a: Value) -> Value:
        if sign == "b_not":
            return float(~int(a)) if isinstance(a, float) else 0.0
        return values.unary(sign, a)

    def repace(self, lines: list[str], move: Move, factor: Factor, tool: ToolPace | None) -> None:
        krl_pace.repace(lines, move, factor, tool)

    def definition(self, name: str, type: str) -> str:
        return f"{type.upper() or 'REAL'} {name}=..."


def _is_hardly_bas(word: str) -> bool:
    """BS, BA, BASS: by themselves no evidence, but before a command of BAS. Of others all routines are looked at."""
    return bool(slip_of(word, ("BAS",), family=False, shortest=3)) and not slip_of(word, ("BAS",), family=False)
