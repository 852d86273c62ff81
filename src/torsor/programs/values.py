"""What a program computes with, in the units the program speaks; a language's lowering turns them into SI."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from torsor.model.transforms import Floats, pose

LONGEST_TEXT = 10_000  # of a text value: a program that doubles one in a loop must not eat the memory


def unmeasured() -> np.errstate:
    """Places beyond all measure are refused by whoever goes there, without a warning on the way."""
    return np.errstate(all="ignore")


@dataclass(frozen=True, slots=True, eq=False)
class Location:
    """A pose, or only a position where ``rotation`` is None; ``status`` is kept for languages that have one."""

    position: tuple[float, float, float]
    rotation: Floats | None = None  # (3, 3)
    status: int | None = None

    def matrix(self) -> Floats:
        return pose(self.rotation, self.position)


@dataclass(frozen=True, slots=True, eq=False)
class JointPoint:
    """Joint values, degrees or lengths as the program writes them."""

    values: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Absent:
    """What is not known: a name that no file of the program defines, a place that only an arm can tell."""

    name: str


@dataclass(frozen=True, slots=True)
class Unanswered(Absent):
    """What a function tells that is in no file: neither it nor its opposite is taken to hold."""


Value = float | bool | str | Location | JointPoint | tuple["Value", ...] | dict[str, "Value"] | Absent


class Wrong(Exception):
    """A computation that has no result. Who runs it adds the place."""

    def __init__(self, problem: str, hint: str | None = None) -> None:
        super().__init__(problem)
        self.problem = problem
        self.hint = hint


KINDS = {
    bool: "truth", float: "number", int: "number", str: "text", Location: "location", JointPoint: "joints",
    tuple: "group", dict: "record", Absent: "absent",
}  # fmt: skip


def kind_of(value: Value) -> str:
    """The name of a value's type, as messages and tables write it."""
    return next(kind for sort, kind in KINDS.items() if isinstance(value, sort))


NOUNS = {
    "number": "a number", "truth": "a condition", "text": "a text", "location": "a location", "joints": "a joint point",
    "target": "a location or a joint point", "group": "a group of values", "record": "a record", "any": "a value",
    "word": "a name", "absent": "something unknown",
}  # fmt: skip


def location_of(T: Floats) -> Location:
    x, y, z = T[:3, 3].tolist()
    return Location((x, y, z), T[:3, :3].copy())


def compound(a: Location, b: Location) -> Location:
    """``a:b``, the location b given relative to a: T_a T_b."""
    if a.rotation is None:
        raise Wrong("a position without an orientation is no frame", "compound transformations begin with a full pose")
    with unmeasured():
        return location_of(a.matrix() @ b.matrix())


def finite(value: float) -> float:
    if not math.isfinite(value):
        raise Wrong("the result is not a finite number")
    return value


def seconds(what: str, value: float) -> float:
    if value < 0.0:
        raise Wrong(f"{what} of {value:g} s", "times are 0 or larger")
    return value


def kilograms(value: float) -> float:
    if value < 0.0:
        raise Wrong(f"a payload of {value:g} kg", "masses are 0 or larger")
    return value


def same(a: Value, b: Value) -> bool:
    if isinstance(a, Absent) or isinstance(b, Absent):
        known = [each for each in (a, b) if not isinstance(each, Absent)]
        return not known or known[0] in (0.0, False, "")
    if kind_of(a) != kind_of(b) or kind_of(a) not in ("number", "truth", "text"):
        raise Wrong(f"{NOUNS[kind_of(a)]} cannot be compared with {NOUNS[kind_of(b)]}")
    return a == b


def _sum(sign: float, verb: str) -> Callable[[Value, Value], Value]:
    def apply(a: Value, b: Value) -> Value:
        match a, b:
            case float(), float():
                return a + sign * b
            case str(), str() if sign > 0.0:
                if len(a) + len(b) > LONGEST_TEXT:
                    raise Wrong(f"a text grows beyond {LONGEST_TEXT:,} characters")
                return a + b
            case Location(position=(x, y, z)), Location(position=(dx, dy, dz), rotation=None):
                return replace(a, position=(x + sign * dx, y + sign * dy, z + sign * dz))
            case JointPoint(), JointPoint() if len(a.values) == len(b.values):
                return JointPoint(tuple(x + sign * y for x, y in zip(a.values, b.values, strict=True)))
        raise _unfit(verb, a, b)

    return apply


def _unfit(verb: str, a: Value, b: Value) -> Wrong:
    return Wrong(f"{NOUNS[kind_of(a)]} and {NOUNS[kind_of(b)]} cannot be {verb}")


def _frames(a: Value, b: Value) -> Value:
    if isinstance(a, Location) and isinstance(b, Location):
        return compound(a, b)
    raise _unfit("put together", a, b)


def _number(compute: Callable[[float, float], Value], verb: str = "computed with") -> Callable[[Value, Value], Value]:
    def apply(a: Value, b: Value) -> Value:
        if isinstance(a, float) and isinstance(b, float):
            return compute(a, b)
        raise _unfit(verb, a, b)

    return apply


def _division(compute: Callable[[float, float], float]) -> Callable[[Value, Value], Value]:
    def divide(a: float, b: float) -> float:
        if b == 0.0:
            raise Wrong("division by zero")
        return compute(a, b)

    return _number(divide)


def _power(a: float, b: float) -> float:
    try:
        return math.pow(a, b)
    except (ValueError, OverflowError, ZeroDivisionError):
        raise Wrong(f"{a:g} to the power of {b:g} is no number") from None


def _bitwise(compute: Callable[[int, int], int]) -> Callable[[Value, Value], Value]:
    return _number(lambda a, b: float(compute(_whole(a), _whole(b))))


def _whole(value: float) -> int:
    if value != round(value) or abs(value) > 2**31:
        raise Wrong(f"{value:g} has no bits", "whole numbers of at most 31 bits do")
    return round(value)


def truth(value: Value) -> bool:
    """A condition; a number is true where it is not zero, as VAL II has it."""
    if isinstance(value, bool | float):
        return bool(value)
    if isinstance(value, Absent):
        return False
    raise Wrong(f"{NOUNS[kind_of(value)]} is no condition")


OPERATIONS: dict[str, Callable[[Value, Value], Value]] = {
    "+": _sum(1.0, "added"),
    "-": _sum(-1.0, "subtracted"),
    "*": _number(operator.mul),
    "/": _division(operator.truediv),
    "div": _division(lambda a, b: float(math.trunc(a / b))),
    "mod": _division(math.fmod),
    "^": _number(_power),
    ":": _frames,
    "=": same,
    "<>": lambda a, b: not same(a, b),
    "<": _number(lambda a, b: a < b, "compared"),
    "<=": _number(lambda a, b: a <= b, "compared"),
    ">": _number(lambda a, b: a > b, "compared"),
    ">=": _number(lambda a, b: a >= b, "compared"),
    "and": lambda a, b: truth(a) & truth(b),
    "or": lambda a, b: truth(a) | truth(b),
    "xor": lambda a, b: truth(a) ^ truth(b),
    "band": _bitwise(operator.and_),
    "bor": _bitwise(operator.or_),
    "bxor": _bitwise(operator.xor),
}


def binary(sign: str, a: Value, b: Value) -> Value:
    result = OPERATIONS[sign](a, b)
    return finite(result) if isinstance(result, float) else result


def unary(sign: str, a: Value) -> Value:
    if sign == "not":
        return not truth(a)
    match a:
        case bool():
            pass
        case float() if sign == "com":
            return float(~_whole(a))
        case float():
            return -a if sign == "-" else a
        case Location(rotation=None):
            x, y, z = a.position
            return replace(a, position=(-x, -y, -z)) if sign == "-" else a
    raise Wrong(f"{NOUNS[kind_of(a)]} has no sign")


def inverse(a: Location) -> Location:
    R = np.eye(3) if a.rotation is None else a.rotation
    with unmeasured():
        return location_of(pose(R.T, -R.T @ np.array(a.position)))
