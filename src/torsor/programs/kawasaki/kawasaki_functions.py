"""Functions of AS that give a value. Angles are in degrees, lengths in millimetres."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from torsor.model.transforms import Floats, rotation_x, rotation_y, rotation_z
from torsor.programs import syntax
from torsor.programs.kawasaki.kawasaki_lowering import KawasakiLowering
from torsor.programs.kawasaki.kawasaki_places import NULL, numbers_of, transform
from torsor.programs.language import Function
from torsor.programs.printer import number_text
from torsor.programs.values import LONGEST_TEXT, Absent, JointPoint, Location, Value, Wrong

FUNCTIONS: dict[str, Function] = {}


def _add(name: str, kinds: int, compute: Callable[..., Value], required: int | None = None, **more: Any) -> None:
    FUNCTIONS[name] = Function(("any",) * kinds, "any", compute, required, **more)


def _number(value: Any) -> float:
    if value is None or isinstance(value, Absent):
        return 0.0
    if isinstance(value, float | int):
        return float(value)
    raise Wrong("a number is needed here")


def _numeric(name: str, compute: Callable[..., float], kinds: int = 1) -> None:
    def apply(_: KawasakiLowering, *given: Any) -> Value:
        x = [_number(each) for each in given]
        try:
            return float(compute(*x))
        except (ValueError, OverflowError, ZeroDivisionError):
            raise Wrong(f"{name.upper()}({', '.join(f'{each:g}' for each in x)}) is no number") from None

    _add(name, kinds, apply)


_OF_ONE: dict[str, Callable[..., float]] = {
    "sin": lambda x: math.sin(math.radians(x)), "cos": lambda x: math.cos(math.radians(x)),
    "tan": lambda x: math.tan(math.radians(x)), "asin": lambda x: math.degrees(math.asin(x)),
    "acos": lambda x: math.degrees(math.acos(x)), "atan": lambda x: math.degrees(math.atan(x)),
    "sqrt": math.sqrt, "abs": abs, "int": math.trunc, "sign": lambda x: -1.0 if x < 0.0 else 1.0,
    "fract": lambda x: x - math.trunc(x), "round": round, "exp": math.exp, "log": math.log,
}  # fmt: skip
for _name, _compute in _OF_ONE.items():
    _numeric(_name, _compute)
_numeric("atan2", lambda y, x: math.degrees(math.atan2(y, x)), 2)
_add("minval", 1, lambda _, *x: min(map(_number, x)), repeat=True)
_add("maxval", 1, lambda _, *x: max(map(_number, x)), repeat=True)
_add("pi", 0, lambda _: math.pi)


# Places
def _place(lowering: KawasakiLowering, value: Any, what: str) -> Location | Absent:
    found = lowering.location(value)
    if isinstance(found, Absent) or found is None:
        return found or Absent(what)
    return found


def _shifted(lowering: KawasakiLowering, a: Any, *by: Any) -> Value:
    place = _place(lowering, a, "SHIFT")
    if isinstance(place, Absent):
        return place
    x, y, z = (p + _number(d) for p, d in zip(place.position, (*by, None, None, None), strict=False))
    return Location((x, y, z), place.rotation)


def _trans(_: KawasakiLowering, *given: Any) -> Value:
    return transform([_number(each) for each in given])


def _joints(_: KawasakiLowering, *given: Any) -> Value:
    unknown = next((each for each in given if isinstance(each, Absent)), None)
    return unknown or JointPoint(tuple(_number(each) for each in given))


def _turned(rotation: Callable[[float], Floats]) -> Callable[..., Value]:
    return lambda _, angle: Location((0.0, 0.0, 0.0), rotation(math.radians(_number(angle))))


def _part(k: int) -> Callable[..., Value]:
    def apply(lowering: KawasakiLowering, a: Any, number: Any = None) -> Value:
        at = k if number is None else int(_number(number))
        if isinstance(a, JointPoint) and k < 0:
            return a.values[at - 1] if 1 <= at <= len(a.values) else 0.0
        place = _place(lowering, a, "a part of a place")
        return place if isinstance(place, Absent) else numbers_of(place)[min(max(at, 0), 5)]

    return apply


def _number_of(lowering: KawasakiLowering, a: Any, k: Any) -> Value:
    """The k-th number of a place, as DECOMPOSE has them."""
    at = int(_number(k))
    if isinstance(a, JointPoint):
        return a.values[at] if at < len(a.values) else 0.0
    place = _place(lowering, a, "DECOMPOSE")
    return place if isinstance(place, Absent) else numbers_of(place)[at]


def _frame(lowering: KawasakiLowering, *given: Any) -> Value:
    """x runs from a to b, y to the side where c lies."""
    places = [_place(lowering, each, "FRAME") for each in given]
    unknown = next((each for each in places if isinstance(each, Absent)), None)
    if unknown is not None:
        return unknown
    a, b, c, origin = (np.array(each.position) for each in places if isinstance(each, Location))
    x, side = b - a, np.cross(b - a, c - a)
    if float(np.linalg.norm(side)) <= 1e-9 * max(float(x @ x), 1e-300):
        raise Wrong("FRAME from points on one line", "the third point lies beside the line through the first two")
    x, z = x / np.linalg.norm(x), side / np.linalg.norm(side)
    position: Any = tuple(float(each) for each in origin)
    return Location(position, np.column_stack([x, np.cross(z, x), z]))


def _distance(lowering: KawasakiLowering, a: Any, b: Any) -> Value:
    places = [_place(lowering, each, "DISTANCE") for each in (a, b)]
    unknown = next((each for each in places if isinstance(each, Absent)), None)
    if unknown is not None:
        return unknown
    p, q = (np.array(each.position) for each in places if isinstance(each, Location))
    return float(np.linalg.norm(p - q))


_add("trans", 6, _trans, 0, gaps=True)
_add("shift", 4, _shifted, 1, gaps=True)
_add("#ppoint", 1, _joints, 0, gaps=True, repeat=True)
_add("frame", 4, _frame, changed_by=None)
_add("distance", 2, _distance, changed_by=None)
for _name, _rotation in {"rx": rotation_x, "ry": rotation_y, "rz": rotation_z}.items():
    _add(_name, 1, _turned(_rotation))
for _k, _name in enumerate(("dx", "dy", "dz", "dextx", "dexty", "dextz")[:3]):
    _add(_name, 1, _part(_k), changed_by=None)
_add("dext", 2, _part(-1), changed_by=None)
_add("number of", 2, _number_of, changed_by=None)
_add("null", 0, lambda _: NULL)


# Texts
def _text(value: Any) -> str:
    match value:
        case str():
            return value
        case bool():
            return "-1" if value else "0"
        case float() | int():
            return number_text(float(value))
    return ""


def _encode(_: KawasakiLowering, *given: Any) -> Value:
    text = "".join(_text(each) for each in given if not (isinstance(each, str) and each.startswith("/")))
    if len(text) > LONGEST_TEXT:
        raise Wrong(f"a text grows beyond {LONGEST_TEXT:,} characters")
    return text


def _value_of(_: KawasakiLowering, text: Any, *more: Any) -> Value:
    try:
        return float(_text(text))
    except ValueError:
        return 0.0


def _middle(_: KawasakiLowering, text: Any, first: Any, count: Any) -> Value:
    start = max(int(_number(first)) - 1, 0)
    return _text(text)[start : start + max(int(_number(count)), 0)]


def _code(_: KawasakiLowering, text: Any, at: Any = 1.0) -> Value:
    index = int(_number(at)) - 1
    return float(ord(_text(text)[index])) if 0 <= index < len(_text(text)) else -1.0


_add("$encode", 1, _encode, 0, repeat=True)
_add("$chr", 1, lambda _, code: chr(max(int(_number(code)), 0) % 256))
_add("$left", 2, lambda _, text, n: _text(text)[: max(int(_number(n)), 0)])
_add("$right", 2, lambda _, text, n: _text(text)[-int(_number(n)) :] if _number(n) > 0 else "")
_add("$mid", 3, _middle)
_add("len", 1, lambda _, text: float(len(_text(text))))
_add("val", 2, _value_of, 1)
_add("asc", 2, _code, 1)
_add("instr", 1, lambda _, *given: float(_text(given[-2]).find(_text(given[-1])) + 1), 2, repeat=True)
_add("$space", 1, lambda _, n: " " * min(max(int(_number(n)), 0), 255))


# The world
def _asked(name: str, nothing: Value) -> None:
    def ask(lowering: KawasakiLowering, *given: Any) -> Value:
        told = ", ".join(_text(each) for each in given)
        return lowering.interpreter.ask(lowering.interpreter.now, f"{name.upper()}({told})", nothing)

    _add(name, 1, ask, 0, changed_by=None, told=True, repeat=True)


_add("sig", 1, lambda lowering, *numbers: lowering.is_on(numbers), repeat=True, changed_by=None, told=True)
_add("bits", 2, lambda lowering, *given: lowering.bits_of(*given), 1, changed_by=None, told=True)
for _name, _nothing in {
    "existtrans": False, "existreal": False, "existchar": False,
    "existjoint": False, "error": 0.0, "task": 0.0, "state": 0.0, "msgno": 0.0, "inrange": 0.0,
    "stpnext": False, "prompt": 0.0, "random": 0.5, "utimer": 0.0, "torque": 0.0, "ulimit": 0.0,
    "llimit": 0.0, "$error": "", "$decode": "", "$time": "", "$date": "", "$pginfo": "", "adc": 0.0,
}.items():  # fmt: skip
    _asked(_name, _nothing)  # type: ignore[arg-type]
_add("timer", 1, lambda lowering, number: lowering.timer(_number(number)), changed_by=None, told=True)
_add("existpgm", 1, lambda lowering, name: lowering.interpreter.routine(_text(name)) is not None)


def _of_controller(name: str, nothing: Value) -> None:
    """What is asked of the controller by a word of its own: ``SWITCH(REPEAT)``."""

    def ask(lowering: KawasakiLowering, *given: Any) -> Value:
        words = ", ".join(each.name for each in given if isinstance(each, syntax.Name))
        return lowering.interpreter.ask(lowering.interpreter.now, f"{name.upper()}({words})", nothing)

    FUNCTIONS[name] = Function(("unread",), "any", ask, 0, repeat=True, changed_by=None, told=True)


for _name, _answer in (("switch", False), ("sysdata", 0.0), ("$sysdata", "")):
    _of_controller(_name, _answer)
