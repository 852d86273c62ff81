"""VAL II: its tables. The subset that SIMASEA ran (Behi 1989) and what programs for PUMA arms use around it."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import zip_longest
from typing import Any, ClassVar

import numpy as np

from torsor.errors import TorsorError, did_you_mean
from torsor.model.transforms import Floats, rotation_x, rotation_y, rotation_z
from torsor.motion import Paul, Timing
from torsor.motion.commands import Move
from torsor.programs import syntax, val2_pace
from torsor.programs.arithmetic import COMMON, numeric
from torsor.programs.checks import Checker
from torsor.programs.diagnostics import ProgramText
from torsor.programs.grammar import nearest
from torsor.programs.language import ClauseText, Form, Function, Language, Lowering, Style
from torsor.programs.pace import Factor, ToolPace
from torsor.programs.printer import Printer
from torsor.programs.syntax import RobotInstruction
from torsor.programs.val2_lowering import CONFIGURATIONS, IDENTITY, SIMASEA, VAL_II, Val2Lowering
from torsor.programs.values import JointPoint, Location, Value, Wrong, inverse, unmeasured

FAR = 20.0  # metres: a point beyond is more likely written in millimetres


def _shift(_: Lowering, a: Location, *by: float | None) -> Value:
    x, y, z = (x + (dx or 0.0) for x, dx in zip_longest(a.position, by))
    return replace(a, position=(x, y, z))


def _trans(lowering: Val2Lowering, *given: float | None) -> Value:
    x, y, z, a, b, c = (*(value or 0.0 for value in given), *(0.0,) * 6)[:6]
    return lowering.transform(x, y, z, a, b, c)


def _is_on(lowering: Val2Lowering, *numbers: float) -> Value:
    return lowering.is_on(*numbers)


def _turn(rotation: Callable[[float], Floats]) -> Function:
    return Function(("number",), "location", lambda _, angle: Location((0.0, 0.0, 0.0), rotation(math.radians(angle))))


def _frame(_: Lowering, a: Location, b: Location, c: Location, origin: Location) -> Value:
    """x runs from a to b, y to the side where c lies."""
    with unmeasured():
        x = np.subtract(b.position, a.position)
        z = np.cross(x, np.subtract(c.position, a.position))
        sides = bool(np.linalg.norm(z) > 1e-12 * max(float(x @ x), 1e-300))  # not where they are too far apart either
    if not sides:
        raise Wrong("FRAME from points on one line", "the third point lies beside the line through the first two")
    x, z = x / np.linalg.norm(x), z / np.linalg.norm(z)
    return Location(origin.position, np.column_stack([x, np.cross(z, x), z]))


FUNCTIONS = COMMON | {
    "asin": numeric(lambda x: math.degrees(math.asin(x))),
    "acos": numeric(lambda x: math.degrees(math.acos(x))),
    "sqr": numeric(lambda x: x * x),
    "int": numeric(math.trunc),
    "fract": numeric(lambda x: x - math.trunc(x)),
    "sign": numeric(lambda x: -1.0 if x < 0.0 else 1.0),
    "sig": Function(("number",), "truth", _is_on, repeat=True, changed_by=("SIGNAL", "RESET")),
    "dx": Function(("location",), "number", lambda _, a: a.position[0]),
    "dy": Function(("location",), "number", lambda _, a: a.position[1]),
    "dz": Function(("location",), "number", lambda _, a: a.position[2]),
    "trans": Function(("number",) * 6, "location", _trans, required=0, gaps=True, changed_by=("ANGLES",)),
    "shift": Function(("location", "number", "number", "number"), "location", _shift, required=1, gaps=True),
    "inverse": Function(("location",), "location", lambda _, a: inverse(a)),
    "frame": Function(("location",) * 4, "location", _frame),
    "rx": _turn(rotation_x),
    "ry": _turn(rotation_y),
    "rz": _turn(rotation_z),
    "null": Function((), "location", lambda _: IDENTITY),
    "here": Function((), "location", lambda lowering: lowering.where(), changed_by=None),
    "dest": Function((), "location", lambda lowering: lowering.where(), changed_by=None),
    "tool": Function((), "location", lambda lowering: lowering.tool, changed_by=None),
    "base": Function((), "location", lambda lowering: lowering.base, changed_by=None),
    "#ppoint": Function(("number",), "joints", lambda _, *q: JointPoint(q), repeat=True),
}

_SPEED = dict.fromkeys(("always", "mmps", "ips", "monitor"), ())
_MOVE = Form("move", ("target",), options={"via": ("target",)}, example="MOVE p VIA a b")
_IGNORED = {
    **dict.fromkeys(("COARSE", "FINE", "NONULL", "NULL"), "moves end where they are planned to end"),
    **dict.fromkeys(("SINGLE", "MULTIPLE"), "joints take the turn that is nearest within their limits"),
}
FORMS = {
    "START": Form("start", ("target",), example="START p"),
    "MOVE": _MOVE,
    "MOVES": _MOVE,
    **{word: Form("approach", ("location", "number"), example=f"{word} p, distance") for word in ("APPRO", "APPROS")},
    **{word: Form("depart", ("number",), example=f"{word} distance") for word in ("DEPART", "DEPARTS")},
    "SPEED": Form("speed", ("number",), options=_SPEED, example="SPEED 50 ALWAYS"),
    "ACCEL": Form("accelerate", ("number", "number"), required=1, gaps=True, example="ACCEL 80, 60"),
    "DURATION": Form("duration", ("number",), options={"always": ()}, example="DURATION 2.5"),
    "BREAK": Form("stop_here"),
    "DELAY": Form("delay", ("number",), example="DELAY 0.5"),
    "PAUSE": Form("delay", ("number",), required=0, example="PAUSE 1.5"),
    **{word: Form("hand_now", ("number",), required=0, example=word) for word in ("OPENI", "CLOSEI", "RELAXI")},
    **{word: Form("hand_next", ("number",), required=0, example=word) for word in ("OPEN", "CLOSE", "RELAX")},
    "PAYLOAD": Form("payload", ("number",) * 4, required=1, gaps=True, example="PAYLOAD mass, x, y, z"),
    "TOOL": Form("mount", ("location",), required=0, example="TOOL t"),
    "BASE": Form("rebase", ("number",) * 4, required=0, gaps=True, example="BASE dx, dy, dz, angle"),
    "UNITS": Form("setting", ("word",), example="UNITS MM"),
    "ANGLES": Form("setting", ("word",), example="ANGLES OAT"),
    "ENABLE": Form("switch", ("word",), example="ENABLE CP"),
    "DISABLE": Form("switch", ("word",), example="DISABLE CP"),
    "PARAMETER": Form("parameter", ("phrase", "number"), example="PARAMETER HAND.TIME = 0.5"),
    "POINT": Form("point", ("new target", "number"), required=2, repeat=True, example="POINT p x y z phi theta psi"),
    "SET": Form("set", ("new target", "target"), example="SET p = a:b"),
    "HERE": Form("keep_here", ("new location",), example="HERE p"),
    "LOCAL": Form("local", ("new any",), repeat=True, example="LOCAL a, b"),
    "AUTO": Form("local", ("new any",), repeat=True, example="AUTO a, b"),
    "GLOBAL": Form("nothing", ("phrase",), repeat=True, example="GLOBAL a, b"),
    "SIGNAL": Form("signal", ("number",), repeat=True, example="SIGNAL 3, -4"),
    "RESET": Form("reset"),
    "WAIT": Form("wait", ("condition",), example="WAIT SIG(1001)"),
    "TYPE": Form("type", ("any",), required=0, repeat=True, example='TYPE "text", x'),
    "PROMPT": Form("prompt", ("text", "new any"), required=1, repeat=True, example='PROMPT "text", x'),
    **{word: Form("configure", ("word",), required=0, example=word) for word in CONFIGURATIONS},
    **{word: Form("nothing", ("word",), required=0) for word in _IGNORED},
}


class Val2(Language):
    name = "VAL II"
    suffixes = (".v2", ".val", ".val2")
    grammar = "val2.lark"
    truth_is_number = True
    operators: ClassVar = {
        "==": "=", "<>": "<>", "<=": "<=", "=<": "<=", ">=": ">=", "=>": ">=", "<": "<", ">": ">", "+": "+", "-": "-",
        "*": "*", "/": "/", "^": "^", ":": ":", "mod": "mod", "and": "and", "or": "or", "xor": "xor",
    }  # fmt: skip
    precedence: ClassVar = {
        "or": 1, "xor": 1, "and": 2, "=": 3, "<>": 3, "<": 3, "<=": 3, ">": 3, ">=": 3, "+": 4, "-": 4,
        "*": 5, "/": 5, "mod": 5, "^": 6, ":": 7,
    }  # fmt: skip
    functions = FUNCTIONS
    forms = FORMS
    constants: ClassVar = {"true": -1.0, "false": 0.0, "on": -1.0, "off": 0.0, "pi": math.pi}
    words: ClassVar = {"UNITS": ("m", "mm"), "ANGLES": ("zyz", "oat")}
    closes: ClassVar = {"END": ("if", "for", "while", "case"), ".END": ("program", ".LOCATIONS")}
    forgiven: ClassVar = {"program": "add .END, or is the file cut off?", ".LOCATIONS": "add .END"}
    style = Style(
        opening={
            "if": "IF {0} THEN", "for": "FOR {0} = {1} TO {2}{3}", "while": "WHILE {0} DO", "repeat": "DO",
            "case": "CASE {0} OF", "program": ".PROGRAM {0}{1}", ".LOCATIONS": ".LOCATIONS",
        },
        closing={
            "if": "END", "for": "END", "while": "END", "repeat": "UNTIL {0}", "case": "END", "program": ".END",
            ".LOCATIONS": ".END",
        },
    )  # fmt: skip

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
        between = {"SET": " = ", "PARAMETER": " = ", "POINT": " "}.get(node.word)
        if between is None:
            return None
        return f"{node.word} {between.join(map(expression, syntax.expressions(node)))}"

    def dialect(self, program: syntax.SyntaxTree) -> str:
        return self.name if any(isinstance(node, syntax.Unit) for node in program.body) else "SIMASEA"

    def lowering(self, program: syntax.SyntaxTree, options: Mapping[str, Any]) -> Lowering:
        dialect = self.chosen(SIMASEA if self.dialect(program) == "SIMASEA" else VAL_II, options)
        for word, allowed in self.words.items():
            value = getattr(dialect, word.lower())
            if value not in allowed:
                raise TorsorError(f"{word.lower()} {value!r}", hint=did_you_mean(str(value), allowed))
        return Val2Lowering(replace(dialect, inputs=tuple(dialect.inputs)), Printer(self))

    def timing(self, program: syntax.SyntaxTree) -> Timing | Paul:
        """SIMASEA's programs are timed as it did."""
        return Paul() if self.dialect(program) == "SIMASEA" else super().timing(program)

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
            elif node.word in ("MOVE", "MOVES", "APPRO", "APPROS", "DEPART", "DEPARTS"):
                moved = True
            elif node.word == "UNITS":
                metres = False
            elif node.word == "POINT":
                _check_point(checker, node, metres)
            elif node.word in _IGNORED:
                checker.source.note(node.at, f"{node.word} has no effect here", _IGNORED[node.word])


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
