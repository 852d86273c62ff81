"""Functions of VAL II. Angles are in degrees, lengths in the program's units."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from itertools import zip_longest
from typing import Any

import numpy as np

from torsor.model.transforms import Floats, rotation_x, rotation_y, rotation_z
from torsor.programs.arithmetic import COMMON, numeric
from torsor.programs.language import Function
from torsor.programs.values import LONGEST_TEXT, JointPoint, Location, Value, Wrong, inverse, unmeasured


def _shift(_: Any, a: Location, *by: float | None) -> Value:
    x, y, z = (x + (dx or 0.0) for x, dx in zip_longest(a.position, by))
    return replace(a, position=(x, y, z))


def _scale(_: Any, a: Location, factor: float) -> Value:
    x, y, z = (factor * each for each in a.position)
    return replace(a, position=(x, y, z))


def _trans(lowering: Any, *given: float | None) -> Value:
    x, y, z, a, b, c = (*(value or 0.0 for value in given), *(0.0,) * 6)[:6]
    return lowering.transform(x, y, z, a, b, c)  # type: ignore[no-any-return]


def _turn(rotation: Callable[[float], Floats]) -> Function:
    return Function(("number",), "location", lambda _, angle: Location((0.0, 0.0, 0.0), rotation(math.radians(angle))))


def _frame(_: Any, a: Location, b: Location, c: Location, origin: Location) -> Value:
    """x runs from a to b, y to the side where c lies."""
    with unmeasured():
        x = np.subtract(b.position, a.position)
        z = np.cross(x, np.subtract(c.position, a.position))
        sides = bool(np.linalg.norm(z) > 1e-12 * max(float(x @ x), 1e-300))  # not where they are too far apart either
    if not sides:
        raise Wrong("FRAME from points on one line", "the third point lies beside the line through the first two")
    x, z = x / np.linalg.norm(x), z / np.linalg.norm(z)
    return Location(origin.position, np.column_stack([x, np.cross(z, x), z]))


def _outside(what: str) -> Function:
    """What only the controller or its surroundings know: taken to be 0, which is said."""
    return Function(("any",), "number", lambda lowering, *_: lowering.untold(what), required=0, repeat=True, told=True)


# Texts
def _whole(what: str, value: float, low: int, high: int) -> int:
    if value != round(value) or not low <= value <= high:
        raise Wrong(f"{what} of {value:g}", f"a whole number from {low} to {high}")
    return round(value)


def _encode(_: Any, *given: Value) -> Value:
    text = "".join(each if isinstance(each, str) else f"{each:g}" for each in given if isinstance(each, float | str))
    if len(text) > LONGEST_TEXT:
        raise Wrong(f"a text grows beyond {LONGEST_TEXT:,} characters")
    return text


def _value_of(_: Any, text: str) -> Value:
    try:
        return float(text)
    except ValueError:
        raise Wrong(f"{text[:40]!r} is no number") from None


def _middle(_: Any, text: str, first: float, count: float) -> Value:
    start = _whole("a first character", first, 1, LONGEST_TEXT)
    return text[start - 1 : start - 1 + _whole("so many characters", count, 0, LONGEST_TEXT)]


def _code(_: Any, text: str, at: float = 1.0) -> Value:
    index = _whole("a character", at, 1, LONGEST_TEXT)
    return float(ord(text[index - 1])) if index <= len(text) else -1.0


def _from_bcd(x: float) -> float:
    whole = _whole("a BCD number", x, 0, 0x9999)
    digits = f"{whole:x}"
    if not digits.isdecimal():
        raise Wrong(f"{whole} is no BCD number", "every four bits are a digit")
    return float(digits)


def _identical(_: Any, a: Any, b: Any) -> bool:
    """To the last digit, as positions and axes stand."""
    if isinstance(a, JointPoint) or isinstance(b, JointPoint):
        return isinstance(a, JointPoint) and isinstance(b, JointPoint) and a.values == b.values
    return bool(np.array_equal(a.matrix(), b.matrix()))


def _decoded(_: Any, text: str, marks: str, mode: float = 0.0) -> Value:
    """What stands before the first of some characters, or (mode 1) those themselves; the text itself stays."""
    end = next((k for k, each in enumerate(text) if (each in marks) is (mode == 0.0)), len(text))
    return text[:end]


UNTOLD = ("ADC", "BELT", "CONFIG", "ERROR", "HAND", "PENDANT", "PRIORITY", "RANDOM", "STATE", "TASK", "TIME")
UNTOLD_WORDS = ("PARAMETER", "STATUS", "SWITCH")  # of the controller's own
FUNCTIONS = COMMON | {
    "asin": numeric(lambda x: math.degrees(math.asin(x))),
    "acos": numeric(lambda x: math.degrees(math.acos(x))),
    "sqr": numeric(lambda x: x * x),
    "int": numeric(math.trunc),
    "fract": numeric(lambda x: x - math.trunc(x)),
    "sign": numeric(lambda x: -1.0 if x < 0.0 else 1.0),
    "bcd": numeric(lambda x: float(int(str(_whole("a number for BCD", x, 0, 9999)), 16))),
    "dcb": numeric(_from_bcd),
    "sig": Function(
        ("number",), "truth", lambda lowering, *numbers: lowering.is_on(*numbers), repeat=True,
        changed_by=("SIGNAL", "RESET", "BITS"),
    ),
    "bits": Function(
        ("number", "number"), "number", lambda lowering, *given: lowering.bits_of(*given), required=1,
        changed_by=("SIGNAL", "RESET", "BITS"),
    ),
    "dx": Function(("location",), "number", lambda _, a: a.position[0]),
    "dy": Function(("location",), "number", lambda _, a: a.position[1]),
    "dz": Function(("location",), "number", lambda _, a: a.position[2]),
    "trans": Function(("number",) * 6, "location", _trans, required=0, gaps=True, changed_by=("ANGLES",)),
    "shift": Function(("location", "number", "number", "number"), "location", _shift, required=1, gaps=True),
    "scale": Function(("location", "number"), "location", _scale),
    "normal": Function(("location",), "location", lambda _, a: a),  # rotations are kept normal here
    "inverse": Function(("location",), "location", lambda _, a: inverse(a)),
    "frame": Function(("location",) * 4, "location", _frame),
    "rx": _turn(rotation_x),
    "ry": _turn(rotation_y),
    "rz": _turn(rotation_z),
    "null": Function((), "location", lambda _: Location((0.0, 0.0, 0.0), np.eye(3))),
    "here": Function((), "location", lambda lowering: lowering.where(), changed_by=None),
    "dest": Function((), "location", lambda lowering: lowering.where(), changed_by=None),
    "#here": Function((), "joints", lambda lowering: lowering.joints_here(), changed_by=None),
    "#dest": Function((), "joints", lambda lowering: lowering.joints_here(), changed_by=None),
    "tool": Function((), "location", lambda lowering: lowering.tool, changed_by=None),
    "base": Function((), "location", lambda lowering: lowering.base, changed_by=None),
    "#ppoint": Function(("number",), "joints", lambda _, *q: JointPoint(q), repeat=True),
    "inrange": Function(("target",), "number", lambda lowering, _: lowering.untold("INRANGE"), told=True),
    "timer": Function(
        ("number",), "number", lambda lowering, number: lowering.timer(number), changed_by=None
    ),
    "len": Function(("text",), "number", lambda _, text: float(len(text))),
    "asc": Function(("text", "number"), "number", _code, required=1),
    "val": Function(("text",), "number", _value_of),
    "$chr": Function(("number",), "text", lambda _, code: chr(_whole("a character", code, 0, 127))),
    "$mid": Function(("text", "number", "number"), "text", _middle),
    "identical": Function(("target", "target"), "truth", _identical),
    "outside": Function(("number",) * 3, "truth", lambda _, low, x, high: not low <= x <= high),
    "speed": Function(("number",), "number", lambda lowering, _: lowering.untold("SPEED"), told=True),
    "$decode": Function(("text", "text", "number"), "text", _decoded, required=2),
    "$error": Function(("number",), "text", lambda _, code: ""),
    "$encode": Function(("any",), "text", _encode, repeat=True),
    **{word.lower(): _outside(word) for word in UNTOLD},
    **{word.lower(): replace(_outside(word), arguments=("phrase",)) for word in UNTOLD_WORDS},
}  # fmt: skip
