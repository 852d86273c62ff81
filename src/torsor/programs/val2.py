"""VAL II: its tables. The subset that SIMASEA ran (Behi 1989) and what programs for PUMA arms use around it."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, ClassVar

from torsor.errors import TorsorError, did_you_mean
from torsor.motion import Paul, Timing
from torsor.motion.commands import Move
from torsor.programs import syntax, val2_pace
from torsor.programs.checks import Checker
from torsor.programs.diagnostics import ProgramText
from torsor.programs.grammar import nearest
from torsor.programs.language import ClauseText, Language, Lowering, Style
from torsor.programs.pace import Factor, ToolPace
from torsor.programs.printer import Printer
from torsor.programs.syntax import RobotInstruction
from torsor.programs.val2_builder import Val2Builder
from torsor.programs.val2_dialect import SIMASEA, VAL_II
from torsor.programs.val2_forms import FORMS, MOVING, NOTED, PLAIN
from torsor.programs.val2_functions import FUNCTIONS
from torsor.programs.val2_lowering import Val2Lowering
from torsor.programs.val2_told import SIMASEA_TIMES, simasea_timing, told_value
from torsor.programs.world import World

SECTIONS = (".LOCATIONS", ".REALS", ".STRINGS")  # of a stored program
FAR = 20.0  # metres: a point beyond is more likely written in millimetres


class Val2(Language):
    name = "VAL II"
    suffixes = (".v2", ".val", ".val2")
    grammar = "val2.lark"
    truth_is_number = True
    knows_arm = True
    operators: ClassVar = {
        "==": "=", "<>": "<>", "<=": "<=", "=<": "<=", ">=": ">=", "=>": ">=", "<": "<", ">": ">", "+": "+", "-": "-",
        "*": "*", "/": "/", "^": "^", ":": ":", "mod": "mod", "and": "and", "or": "or", "xor": "xor",
        "band": "band", "bor": "bor", "bxor": "bxor",
    }  # fmt: skip
    precedence: ClassVar = {
        "or": 1, "xor": 1, "and": 2, "=": 3, "<>": 3, "<": 3, "<=": 3, ">": 3, ">=": 3, "+": 4, "-": 4,
        "*": 5, "/": 5, "mod": 5, "^": 6, ":": 7, "bor": 3.3, "bxor": 3.3, "band": 3.6,
    }  # fmt: skip
    functions = FUNCTIONS
    forms = FORMS
    marked: ClassVar = {"<NOTED>": PLAIN}
    constants: ClassVar = {"true": -1.0, "false": 0.0, "on": -1.0, "off": 0.0, "pi": math.pi}
    words: ClassVar = {"UNITS": ("m", "mm"), "ANGLES": ("zyz", "oat")}
    closes: ClassVar = {"END": ("if", "for", "while", "case"), ".END": ("program", *SECTIONS)}
    forgiven: ClassVar = {"program": "add .END, or is the file cut off?"} | dict.fromkeys(SECTIONS, "add .END")
    style = Style(
        opening={
            "if": "IF {0} THEN", "for": "FOR {0} = {1} TO {2}{3}", "while": "WHILE {0} DO", "repeat": "DO",
            "case": "CASE {0} OF", "program": ".PROGRAM {0}{1}", **{section: section for section in SECTIONS},
        },
        closing={
            "if": "END", "for": "END", "while": "END", "repeat": "UNTIL {0}", "case": "END", "program": ".END",
            **dict.fromkeys(SECTIONS, ".END"),
        },
    )  # fmt: skip

    def builder(self) -> Val2Builder:
        return Val2Builder(self)

    def cut(self, source: ProgramText) -> Iterator[ClauseText]:
        for number, line in enumerate(source.lines, start=1):
            if ";" in line:
                line = _COMMENT.sub(r"\1", line)
            if line and not line.isspace():
                blank = len(line) - len(line.lstrip())
                yield ClauseText(line[blank:].rstrip(), (number, blank + 1))

    def recognises(self, text: str) -> bool:
        words = [re.match(r"\s*(?:[0-9]+\.?\s+)?(\.?[A-Za-z]+)", line) for line in text.split("\n")[:200]]
        return any(word and word[1].upper() in (".PROGRAM", "POINT", "MOVES", "APPRO", "START") for word in words)

    def unknown_word(self, word: str, rest: str) -> str | None:
        known = [*FORMS, "CALL", "GOTO", "IF", "FOR", "WHILE", "DO", "CASE", "VALUE", "STOP", "HALT", "RETURN", "END"]
        known += ["ELSE", "UNTIL", "ANY"]
        if word.upper() in known or rest.lstrip()[:1] in ("=", "["):
            return None
        return nearest(word.upper(), known) or "instructions are such as MOVE, MOVES, SPEED, SET, IF; see the docs"

    def instruction_text(self, node: RobotInstruction, expression: Callable[[syntax.Expression], str]) -> str | None:
        *first, last = map(expression, syntax.expressions(node)) if node.operands else ("",)
        match node.word:
            case "DEFBELT":
                return f"DEFBELT {first[0]} = {', '.join([*first[1:], last])}"
            case "SET" | "PARAMETER" | "DECOMPOSE" | "TIMER" | "BITS":
                return f"{node.word} {', '.join(first)} = {last}"
            case "POINT":
                return f"POINT {' '.join([*first, last])}"
        return None

    def dialect(self, program: syntax.SyntaxTree) -> str:
        return self.name if any(isinstance(node, syntax.Unit) for node in program.body) else "SIMASEA"

    def lowering(self, program: syntax.SyntaxTree, options: Mapping[str, Any]) -> Lowering:
        own = {name: each for name, each in options.items() if name != "arm" and name not in SIMASEA_TIMES}
        dialect = self.chosen(SIMASEA if self.dialect(program) == "SIMASEA" else VAL_II, own)
        for word, allowed in self.words.items():
            value = getattr(dialect, word.lower())
            if value not in allowed:
                raise TorsorError(f"{word.lower()} {value!r}", hint=did_you_mean(str(value), allowed))
        inputs = tuple(map(round, dialect.inputs))
        return Val2Lowering(replace(dialect, inputs=inputs), Printer(self), options.get("arm"), tuple(own))

    def told(self, world: World) -> Mapping[str, Any]:
        """Fields of `Val2Dialect`, and the times and rates of appendix A.3 for programs of SIMASEA."""
        return {name: told_value(name, value) for name, value in world.given.items()}

    def timing(self, program: syntax.SyntaxTree) -> Timing | Paul:
        """SIMASEA's programs are timed as it did."""
        return Paul() if self.dialect(program) == "SIMASEA" else super().timing(program)

    def timed(self, program: syntax.SyntaxTree, told: Mapping[str, Any]) -> Timing | Paul:
        asked = {name: each for name, each in told.items() if name in SIMASEA_TIMES}
        timing = self.timing(program)
        if isinstance(timing, Paul):
            return simasea_timing(asked)
        if asked:
            problem = f"{next(iter(asked))} is of SIMASEA's timing, and this is a program of VAL II"
            raise TorsorError(problem, hint="a program without .PROGRAM is SIMASEA's")
        return timing

    def repace(self, lines: list[str], move: Move, factor: Factor, tool: ToolPace | None) -> None:
        val2_pace.repace(lines, move, factor)

    def check(self, checker: Checker) -> None:
        moved = started = False
        metres = not any(isinstance(node, syntax.Unit) for node in checker.program.body)
        for node in syntax.statements(checker.program.body):
            if not isinstance(node, RobotInstruction):
                continue
            if node.word == "START":
                if started or moved:
                    problem = "a second START" if started else "START after a motion"
                    checker.source.error(node.at, problem, "START stands once, before the first motion")
                started = True
            elif node.word in MOVING:
                moved = True
            elif node.word == "UNITS":
                metres = False
            elif node.word == "POINT":
                _check_point(checker, node, metres)
            elif node.word in NOTED:
                checker.source.note(node.at, f"{node.word} has no effect here", NOTED[node.word])
            elif node.word in ("ENABLE", "DISABLE", "PARAMETER") and (name := _set_without_effect(node)):
                checker.source.note(node.at, f"{node.word} {name} has no effect here", "it is none of a plan's")


def _set_without_effect(node: RobotInstruction) -> str | None:
    """The switch or parameter that nothing here asks for."""
    name = node.operands[0] if node.operands else None
    known = "hand.time" if node.word == "PARAMETER" else "cp"
    return name.name.upper() if isinstance(name, syntax.Name) and name.name.lower() != known else None


def _check_point(checker: Checker, node: RobotInstruction, metres: bool) -> None:
    target, *numbers = [operand for operand in node.operands if operand is not None]
    name = Printer(checker.language).expression(target)
    if name.startswith("#"):
        return
    if len(numbers) != 6:
        problem = f"the location {name} has {len(numbers)} value{'s' * (len(numbers) != 1)}"
        checker.source.error(node.at, problem, "six are needed: x y z and three angles")
        return
    far = max(abs(number.value) for number in numbers[:3] if isinstance(number, syntax.Number))
    if metres and far > FAR:
        checker.source.warn(node.at, f"{name} lies {far:g} m away", "write UNITS MM first, if this is in millimetres")


_COMMENT = re.compile(r"(\"[^\"]*\"|'[^']*')|;.*")  # texts stay
