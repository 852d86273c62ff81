"""L-IRL, the language of the Lola robots (DIN 66312 family): its tables and its lowering. Millimetres and degrees."""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from math import radians
from typing import Any, ClassVar

from torsor.model.transforms import Floats, rotation_rpy, rpy_of
from torsor.motion import commands
from torsor.motion.commands import Command, Move, Orientation, Pace, Target
from torsor.programs import irl_pace, syntax
from torsor.programs.arithmetic import COMMON, numeric
from torsor.programs.checks import Checker
from torsor.programs.diagnostics import ProgramText
from torsor.programs.language import ClauseText, Form, Function, Language, Lowering, Style
from torsor.programs.misspelt import slip_of
from torsor.programs.pace import Factor, ToolPace
from torsor.programs.printer import Printer, number_text
from torsor.programs.published import warn_of_slips
from torsor.programs.syntax import RobotInstruction
from torsor.programs.values import NOUNS, JointPoint, Location, Value, Wrong, kilograms, kind_of, seconds

MM = 1000.0  # millimetres in a metre; dividing by it is exact to the last digit, multiplying by 0.001 is not
# o_con keeps the orientation of the start, o_var turns evenly to the target's; o_pco and o_pvo are the same two,
# relative to the path's tangent.
ORIENTATIONS: dict[str, Orientation] = {
    "o_con": "constant", "o_var": "variable", "o_pco": "path", "o_pvo": "path-variable",
}  # fmt: skip
MOST_STRAYS = 20  # braces that are warned of, each
POSE_SHAPE = "a pose is ((x, y, z), (A, B, C)), in mm and degrees"


def rotation(a: float, b: float, c: float) -> Floats:
    """R = Rz(A) Ry(B) Rx(C), in degrees."""
    return rotation_rpy(radians(c), radians(b), radians(a))


def _triple(value: Value, what: str) -> tuple[float, float, float]:
    if isinstance(value, Location) and value.rotation is None:
        return value.position
    if isinstance(value, tuple) and len(value) == 3 and all(isinstance(item, float) for item in value):
        return value  # type: ignore[return-value]
    raise Wrong(f"{what} has three numbers", POSE_SHAPE)


def _pose(_: Lowering | None, position: Value, orientation: Value) -> Location:
    return Location(_triple(position, "a position"), rotation(*_triple(orientation, "an orientation")))


def _robtarg(_: Lowering, value: Value, status: float | None = None) -> Value:
    if isinstance(value, tuple) and len(value) == 2:
        value = _pose(None, value[0], value[1])
    if not isinstance(value, Location):
        raise Wrong(f"a robtarg is made of {NOUNS[kind_of(value)]}", POSE_SHAPE)
    return value if status is None else replace(value, status=round(status))


FUNCTIONS = COMMON | {
    **dict.fromkeys(("robtarg", "robtarget"), Function(("any", "number"), "location", _robtarg, required=1)),
    "position": Function(("number",) * 3, "location", lambda _, x, y, z: Location((x, y, z))),
    "orientation": Function(("number",) * 3, "group", lambda _, a, b, c: (a, b, c)),
    "pose": Function(("any", "any"), "location", _pose),
    "mainjoint": Function(("number",), "joints", lambda _, *q: JointPoint(q), repeat=True),
    "joint": Function(("joints",), "joints", lambda _, q: q),
    "trunc": numeric(math.trunc),
    "round": numeric(round),
}

_ALL = {"act_rob": ("text",), "c_ptp": (), "c_speed": (), "c_cp": ("number",)}
_JOINT = {**_ALL, "speed_ptp": ("number",), "acc_ptp": ("number",)}
_PATH = {**_ALL, "speed": ("number",), "acc": ("number",), "c_ori": ("word",), "speed_ori": ("number",)}
FORMS = {
    "move ptp": Form("move", ("target",), options=_JOINT, example="move ptp p speed_ptp=0.5;"),
    "move lin": Form("move", ("target",), options=_PATH, example="move lin p speed=250;"),
    "move circle": Form("move", ("target", "target"), options=_PATH, example="move circle via, p speed=250;"),
    "wait": Form("wait", ("number",), example="wait 0.5;"),
    "delay": Form("wait", ("number",), example="delay 0.5;"),
    "wait for": Form("wait_for", ("condition",), example="wait for ready;"),
    "gripper": Form("gripper", ("word",), example="gripper close;"),
    "payload": Form("payload", ("number",) * 4, required=1, gaps=True, example="payload(mass, x, y, z);"),
    "tool": Form("tool", ("location",), example="tool(t);"),
    "output": Form("output", ("number", "truth"), example="output(3, true);"),
    "message": Form("message", ("any",), repeat=True, example='message("text", x);'),
}


@dataclass(frozen=True, slots=True)
class Assumptions:
    """What a program leaves open: how long ``wait for`` is taken to wait, and what the gripper takes; seconds."""

    wait_seconds: float = 0.0
    gripper_seconds: float = 0.0


class IrlLowering(Lowering):
    def __init__(self, assumed: Assumptions, printer: Printer) -> None:
        self.assumed = assumed
        self.printer = printer

    def target(self, value: Location | JointPoint, node: syntax.Expression) -> Target:
        name = self.printer.expression(node)
        if isinstance(value, JointPoint):
            return commands.Joints(tuple(radians(angle) for angle in value.values), name)
        x, y, z = value.position
        return commands.Pose((x / MM, y / MM, z / MM), value.rotation, name, status=value.status)

    def move(self, node: RobotInstruction, *goals: Location | JointPoint, **options: list[Any]) -> list[Command]:
        *via, end = map(self.target, goals, syntax.expressions(node))
        given = {name: values[0] for name, values in options.items() if values}
        for name in (*irl_pace.SPEEDS, *irl_pace.ACCELERATIONS, "c_cp"):
            if name in given and given[name] <= 0.0:
                raise Wrong(f"{name} is {given[name]:g}", "it is larger than 0")
        for name in ("speed_ptp", "acc_ptp"):
            if name in given and given[name] > 1.0:
                raise Wrong(f"{name} is {given[name]:g}", "it is a share of the joints' limits, at most 1")
        units = {"speed": MM, "acc": MM, "speed_ori": math.degrees(1.0), "c_cp": MM}
        given |= {name: given[name] / unit for name, unit in units.items() if name in given}
        fields = ("speed_ptp", "acc_ptp", "speed", "acc", "speed_ori")  # in the order of `Pace`
        blends = {"c_cp": "zone", "c_speed": "speed", "c_ptp": "joint"}
        blend = next((word for option, word in blends.items() if option in options), "stop")
        kind = {"ptp": "joint", "lin": "line", "circle": "circle"}[node.word.split()[1]]
        pace, rounding = Pace(*map(given.get, fields)), commands.Blend(blend, given.get("c_cp"))  # type: ignore[arg-type]
        turned = ORIENTATIONS[given.get("c_ori", "o_var")]
        return [Move(kind, end, self.interpreter.place(node), tuple(via), pace, rounding, turned)]  # type: ignore[arg-type]

    def wait(self, node: RobotInstruction, time: float) -> list[Command]:
        return [commands.Dwell(seconds(node.word, time), self.interpreter.place(node))]

    def wait_for(self, node: RobotInstruction, condition: syntax.Expression) -> list[Command]:
        place, time = self.interpreter.place(node), self.assumed.wait_seconds
        rest = [commands.Dwell(time, place)] if time else []
        return [commands.Signal(self.printer.instruction(node), place), *rest]

    def gripper(self, node: RobotInstruction, word: str) -> list[Command]:
        return [commands.Gripper(word == "close", self.interpreter.place(node), self.assumed.gripper_seconds)]

    def payload(self, node: RobotInstruction, mass: float, *com: float | None) -> list[Command]:
        x, y, z = (*(value or 0.0 for value in com), 0.0, 0.0, 0.0)[:3]
        return [commands.Payload(kilograms(mass), self.interpreter.place(node), (x / MM, y / MM, z / MM))]

    def tool(self, node: RobotInstruction, tool: Location) -> list[Command]:
        T = tool.matrix()
        T[:3, 3] /= MM
        return [commands.Tool(T, self.interpreter.place(node))]

    def output(self, node: RobotInstruction, number: float, value: Value) -> list[Command]:
        text = f"output {number_text(number)} = {'true' if value else 'false'}"
        return [commands.Signal(text, self.interpreter.place(node))]

    def message(self, node: RobotInstruction, *given: Value) -> list[Command]:
        shown = [number_text(value) if isinstance(value, float) else str(value) for value in given]
        return [commands.Signal("message " + " ".join(shown), self.interpreter.place(node))]

    def finish(self) -> list[Command]:
        return []


class Irl(Language):
    name = "L-IRL"
    suffixes = (".irl",)
    grammar = "irl.lark"
    lower_case = True
    declares = True
    operators: ClassVar = {
        "=": "=", "<>": "<>", "<=": "<=", ">=": ">=", "<": "<", ">": ">", "+": "+", "-": "-", "*": "*", "/": "/",
        "@": ":", "mod": "mod", "div": "div", "and": "and", "or": "or", "xor": "xor",
    }  # fmt: skip
    precedence: ClassVar = {
        "=": 1, "<>": 1, "<": 1, "<=": 1, ">": 1, ">=": 1, "or": 2, "xor": 2, "+": 2, "-": 2,
        "and": 3, "*": 3, "/": 3, "mod": 3, "div": 3, ":": 4,
    }  # fmt: skip
    functions = FUNCTIONS
    forms = FORMS
    constants: ClassVar = {"true": True, "false": False, "pi": math.pi}
    words: ClassVar = {"c_ori": tuple(ORIENTATIONS), "gripper": ("open", "close")}
    types: ClassVar = {
        "real": "number", "int": "number", "bool": "truth", "string": "text", "robtarg": "location",
        "robtarget": "location", "pose": "location", "position": "location", "orientation": "group",
        "joint": "joints", "mainjoint": "joints",
    }  # fmt: skip
    closes: ClassVar = {
        "endif": ("if",), "endfor": ("for",), "endwhile": ("while",), "endcase": ("case",), "endvar": ("var",),
        "endseq": ("seq",), "endprogram": ("program",), "endprocedure": ("procedure",), "endproc": ("procedure",),
        "endfunction": ("function",), "endfct": ("function",), "endrecord": ("record",), "endtype": ("type",),
    }  # fmt: skip
    forgiven: ClassVar = dict.fromkeys(("seq", "program"), "add it, or is the file cut off?")
    style = Style(
        assign="{0} := {1};",
        call="{0}{1};",
        back="return{0};",
        halt="{0};",
        opening={
            "if": "if {0} then", "for": "for {0} := {1} to {2}{3} do", "while": "while {0} do", "repeat": "repeat",
            "case": "case {0} of", "program": "program {0};", "procedure": "procedure {0}{1};",
            "function": "function {0}{1}{2};", "var": "var", "seq": "seq", "type": "type", "record": "record {0};",
        },
        closing={
            "if": "endif;", "for": "endfor;", "while": "endwhile;", "repeat": "until {0};", "case": "endcase;",
            "program": "endprogram", "procedure": "endprocedure;", "function": "endfunction;", "var": "endvar",
            "seq": "endseq", "type": "endtype", "record": "endrecord;",
        },
        otherwise="else",
        step=" step {0}",
        choice="when {0}:",
        fallback="otherwise",
        parameter=lambda given: f"{'var ' * given.by_reference}{given.type}: {given.name}",
        instruction="{0};",
    )  # fmt: skip

    def cut(self, source: ProgramText) -> Iterator[ClauseText]:
        return _clauses(_without_comments(source))

    def unknown_word(self, word: str, rest: str) -> str | None:
        known = {each.split()[0] for each in FORMS} | {"move", "else", "until", "when", "otherwise", "return", "halt"}
        known |= {*self.style.opening, *self.closes}
        if word.lower() in known or rest.lstrip()[:1] in ("=", "[", ":", "(", "."):
            return None
        meant = slip_of(word.lower(), known, family=False)
        return None if meant is None else f"did you mean {meant!r}?"

    def recognises(self, text: str) -> bool:
        return re.search(r"^\s*program\s+\w+\s*;", text, re.IGNORECASE | re.MULTILINE) is not None

    def lowering(self, program: syntax.SyntaxTree, options: Mapping[str, Any]) -> Lowering:
        return IrlLowering(self.chosen(Assumptions(), options), Printer(self))

    def member(self, value: Value, name: str) -> Value:
        if isinstance(value, Location):
            if name in ("x", "y", "z"):
                return value.position["xyz".index(name)]
            if name in ("a", "b", "c") and value.rotation is not None:
                return math.degrees(rpy_of(value.rotation)["cba".index(name)])
            if name == "status" and value.status is not None:
                return float(value.status)
        raise Wrong(f"{NOUNS[kind_of(value)]} has no part {name!r} here", "parts of a pose: x, y, z, a, b, c, status")

    def with_member(self, value: Value, name: str, part: Value) -> Value:
        self.member(value, name)
        if not isinstance(value, Location) or not isinstance(part, float):
            raise Wrong(f"the part {name!r} is a number")
        if name == "status":
            return replace(value, status=round(part))
        if name in ("x", "y", "z"):
            x, y, z = (part if axis == name else old for axis, old in zip("xyz", value.position, strict=True))
            return replace(value, position=(x, y, z))
        a, b, c = (part if angle == name else self.member(value, angle) for angle in "abc")
        return replace(value, rotation=rotation(a, b, c))  # type: ignore[arg-type]

    def repace(self, lines: list[str], move: Move, factor: Factor, tool: ToolPace | None) -> None:
        irl_pace.repace(lines, move, factor, tool)

    def check(self, checker: Checker) -> None:
        for node in syntax.statements(checker.program.body):
            if isinstance(node, syntax.Unit) and node.kind == "program":
                warn_of_slips(node.name, checker.source)
            for expression in syntax.expressions(node):
                for inside in syntax.walk(expression):
                    if isinstance(inside, syntax.FunctionCall) and inside.function.lower() in ("robtarg", "robtarget"):
                        _check_pose(checker, inside)


def _check_pose(checker: Checker, node: syntax.FunctionCall) -> None:
    """The shape of a pose that is written out."""
    pose = node.arguments[0] if node.arguments else None
    if not isinstance(pose, syntax.Group):
        return
    shapes = [len(part.items) if isinstance(part, syntax.Group) else 1 for part in pose.items]
    written_out = all(isinstance(part, syntax.Group) for part in pose.items)
    if len(shapes) != 2 or (written_out and shapes != [3, 3]):
        found = "(" + ", ".join(map(str, shapes)) + ")"
        checker.source.error(pose.at, f"a pose with groups of {found} values", POSE_SHAPE)


_AROUND_COMMENTS = re.compile(r"\"[^\"\n]*\"|'[^'\n]*'|\{|\}|\(\*")
_CUTS = re.compile(
    r"(?P<text>\"[^\"\n]*\"|'[^'\n]*')|(?P<header>\b(?:procedure|function)\b[^();]{0,200}(?:\([^()]{0,2000}\)[^();]{0,200})?;)"
    r"|(?P<last>;|\b(?:then|do|of)\b)|(?P<alone>\b(?:var|seq|type|begin|else|repeat)\b|\b(?:otherwise|default)\b(?:\s*:)?|\bwhen\b[^:;]{0,500}:"
    r"|\bend(?:var|seq|program|if|for|while|case|procedure|proc|function|fct|record|type)\b(?:\s*;)?)"
    r"|(?P<first>\buntil\b|\bmove\s+(?:ptp|lin|circle)\b)",
    re.IGNORECASE,
)


def _without_comments(source: ProgramText) -> str:
    """The text with comments blanked. A brace that is never closed, or never opened, is taken for a slip."""
    text = source.text
    pieces: list[str] = []
    begin = position = strays = 0
    last = {"}": text.rfind("}"), "*)": text.rfind("*)")}
    while found := _AROUND_COMMENTS.search(text, position):
        position = found.end()
        if found[0][0] in "\"'":
            continue
        closing = "*)" if found[0] == "(*" else "}"
        end = found.end()
        if found[0] == "}" or last[closing] < end:
            strays += 1
            if strays <= MOST_STRAYS:
                at = text.count("\n", 0, found.start()) + 1, found.start() - text.rfind("\n", 0, found.start())
                problem = "a '}' that closes nothing" if found[0] == "}" else f"a {found[0]!r} that is never closed"
                source.warn(at, problem, "it is read as if it were not there")
        else:
            end = text.index(closing, end) + len(closing)
        pieces += [text[begin : found.start()], re.sub(r"[^\n]", " ", text[found.start() : end])]
        begin = position = end
    return "".join([*pieces, text[begin:]])


def _clauses(text: str) -> Iterator[ClauseText]:
    starts = [0, *(match.end() for match in re.finditer("\n", text))]

    def piece(begin: int, end: int) -> Iterator[ClauseText]:
        part = text[begin:end]
        if part and not part.isspace():
            first = begin + len(part) - len(part.lstrip())
            line = bisect_right(starts, first)
            yield ClauseText(part.strip(), (line, first - starts[line - 1] + 1))

    begin = 0
    for found in _CUTS.finditer(text):
        kind = found.lastgroup
        if kind == "text" or (found[0].lower() == "of" and not re.match(r"\s*case\b", text[begin : found.end()], re.I)):
            continue
        if kind in ("alone", "first", "header"):
            yield from piece(begin, found.start())
            begin = found.start()
        if kind != "first":
            yield from piece(begin, found.end())
            begin = found.end()
    yield from piece(begin, len(text))
