"""URScript, the language of Universal Robots: its tables. What it does stands in `urscript_lowering`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from torsor.motion.commands import Move
from torsor.programs import syntax
from torsor.programs.diagnostics import At, ProgramText
from torsor.programs.fused import led_by_zero
from torsor.programs.grammar import nearest, nearest_word
from torsor.programs.language import ClauseText, Lowering, Style
from torsor.programs.linking import Linked, RoutineHome
from torsor.programs.misspelt import slip_of
from torsor.programs.pace import Factor, ToolPace
from torsor.programs.project_language import ProjectLanguage
from torsor.programs.records import TypeTable
from torsor.programs.recovering import ANYTHING
from torsor.programs.urscript import urscript_pace
from torsor.programs.urscript.urscript_clauses import clauses, depth_of, of_others, placeholder
from torsor.programs.urscript.urscript_functions import FUNCTIONS, NAMES
from torsor.programs.urscript.urscript_lists import SIGNS, combined
from torsor.programs.urscript.urscript_lowering import UrscriptAssumptions, UrscriptLowering
from torsor.programs.urscript.urscript_slips import told_by_names, without_texts
from torsor.programs.urscript.urscript_values import known
from torsor.programs.urscript.urscript_words import FORMS, LISTS, OPERANDS, SAID
from torsor.programs.values import Value
from torsor.programs.whereabouts import Whereabouts

if TYPE_CHECKING:
    from torsor.programs.builder import Builder, Clause

KEYWORDS = ("def", "end", "if", "elif", "else", "while", "thread", "return", "break", "continue", "global", "local",
            "halt", "switch", "case", "default", "sec")  # fmt: skip
# words that open a block or a part of one, and what `blocks` calls it
OPENING = {"def": "unit", "thread": "unit", "sec": "unit", "if": "if", "elif": "elif", "else": "else", "while": "while",
           "switch": "case", "case": "choice", "default": "fallback"}  # fmt: skip


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
    arrays_grow = False
    records_have_places = True
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
    style = Style(
        group="[{0}]", opening={"if": "if", "while": "while", "def": "def", "thread": "thread", "case": "switch"}
    )

    def builder(self) -> Builder:
        from torsor.programs.urscript.urscript_builder import UrscriptBuilder

        return UrscriptBuilder(self)

    def cut(self, source: ProgramText) -> Iterator[ClauseText]:
        if (at := of_others(source.text)) is not None:
            source.error(
                at, "$ LINE: is of Elite Robots, whose poses are lists", "programs of Universal Robots are read"
            )
            return iter(())
        found = placeholder(source.text)
        if found is None:
            return clauses(source.text)
        line, column, text = found
        source.error((line, column), f"{text:.40} is to be filled in first", "this is a template, not yet a program")
        return iter(())

    def recognises(self, text: str) -> bool:
        return re.search(r"^\s*def\s+\w+\s*\(.*\)\s*:", text, re.MULTILINE) is not None and "end" in text

    def unknown_word(self, word: str, rest: str) -> str | None:
        if word == "for":
            return "URScript counts in a while: i = 0, while i < 3: ..., i = i + 1, end"
        if word == "else" and rest.split()[:1] and rest.split()[0].startswith("if"):
            return "did you mean 'elif'?"
        if word not in KEYWORDS and rest.rstrip().endswith(":"):  # what ends so opens a block
            return nearest(word, list(OPENING))
        if word in KEYWORDS or rest.lstrip()[:1] in ("(", "=", "[", "."):
            return None
        return nearest(word, KEYWORDS)

    def recovered(self, text: str, at: At) -> Clause | None:
        from torsor.programs.builder import Clause

        if text.strip() == "end" or slip_of(text.strip(), ("end",), family=False, shortest=3) is not None:
            return Clause("close", "end", at=at)
        words = re.findall(r"[^\W\d]\w*", text)
        word = words[0] if words else ""
        if word not in OPENING and text.endswith(":"):
            word = nearest_word(word, list(OPENING)) or word
        kind, nothing = OPENING.get("while" if word == "for" else word), syntax.Name("False", at=at)
        if kind == "unit":
            name = words[1] if len(words) > 1 else word
            block = "thread" if word == "sec" else word
            return Clause("unit", block, (name, (syntax.Parameter(ANYTHING, at=at),), "", False), at=at)
        parts: tuple[Any, ...] = {"choice": ((nothing,),), "else": (), "fallback": ()}.get(kind or "", (nothing,))
        return None if kind is None else Clause(kind, word, parts, at=at)

    def blamed(self, text: str, at: At) -> At:
        """A bracket that is not closed takes the next lines along: what begins a statement there tells so."""
        lines = text.split("\n")
        line, column = at
        if line > 1 and line <= len(lines) and depth_of(text) > 0:
            here = lines[line - 1]
            if not here[: column - 1].strip() or here[column - 1 : column] == "=":
                return 1, len(lines[0].rstrip()) + 1
        return at

    def begun_by(self, call: syntax.FunctionCall) -> syntax.Text | None:
        name = call.arguments[0] if call.function == "run" and call.arguments else None
        return name if isinstance(name, syntax.Text) else None

    def list_slip(self, group: syntax.Group) -> tuple[At, str] | None:
        """``[0, -1.57 -1.57, 0, 1.57, 0]``: five numbers, one of them a difference, were to be six joints."""
        sums = [each for each in group.items if isinstance(each, syntax.Binary)]
        numbers = [each for each in group.items if each is not None and _is_written_out(each)]
        if len(group.items) != 5 or len(numbers) != 4 or len(sums) != 1 or sums[0].operator != "-":
            return None
        if not (_is_written_out(sums[0].left) and isinstance(sums[0].right, syntax.Number)):
            return None
        return sums[0].at, "two numbers of this list are taken for their difference, and five are left of six joints"

    def text_problems(self, source: ProgramText) -> Iterator[tuple[At, str, str, bool]]:
        yield from told_by_names(source)
        yield from led_by_zero(without_texts(source))

    def group_problem(self, kind: str, count: int) -> str | None:
        if kind == "joints" and count in (5, 7):  # one too few, one too many
            return f"an arm of Universal Robots has 6 joints, not {count}"
        if (most := LISTS.get(kind)) is not None and count != most:
            return f"a list of {most} numbers belongs here, not of {count}"
        return None

    def named_now(self, name: str) -> str:
        return "t" if name == "t_min" else name  # of speedj and speedl, in manuals up to 3.0

    def operand_names(self, word: str) -> tuple[str, ...]:
        return OPERANDS.get(word) or NAMES.get(word, ())

    def is_of_controller(self, key: str) -> bool:
        return "." in key

    def entry(self, linked: Linked, source: ProgramText, tree: syntax.SyntaxTree) -> RoutineHome | None:
        acting = syntax.UnitCall | syntax.While | syntax.If
        if any(isinstance(node, acting) for node in tree.body):
            return None  # what stands outside of functions is the program
        return self.only_routine(linked, [node for node in tree.body if isinstance(node, syntax.Unit)], taking=True)

    def is_program(self, unit: syntax.Unit, tree: syntax.SyntaxTree) -> bool:
        """``def prog(): ... end`` and then only ``prog()``: as it is sent to a controller."""
        outside = [node for node in tree.body if not isinstance(node, syntax.Unit)]
        return len(outside) == 1 and not unit.parameters

    def lowering(self, program: syntax.SyntaxTree, options: Mapping[str, Any]) -> Lowering:
        given = dict(options)
        where = Whereabouts(given.pop("arm", None), given.pop("start", None))
        return UrscriptLowering(self.chosen(UrscriptAssumptions(), given), where)

    def repace(self, lines: list[str], move: Move, factor: Factor, tool: ToolPace | None) -> None:
        urscript_pace.repace(lines, move, factor, tool)

    def binary(self, sign: str, a: Value, b: Value) -> Value:
        if sign in SIGNS and (isinstance(a, tuple) or isinstance(b, tuple)):
            return combined(sign, a, b)
        if sign in ("=", "<>") and isinstance(a, tuple) and isinstance(b, tuple) and known(a) and known(b):
            return (a == b) is (sign == "=")
        return super().binary(sign, a, b)

    def unary(self, sign: str, a: Value) -> Value:
        if sign in ("-", "+") and isinstance(a, tuple):
            return combined("*", a, -1.0 if sign == "-" else 1.0)
        return super().unary(sign, a)

    def definition(self, name: str, type: str) -> str:
        return f"{name} = ..."


def _is_written_out(node: syntax.Expression) -> bool:
    return isinstance(node, syntax.Number) or (isinstance(node, syntax.Unary) and _is_written_out(node.operand))
