"""Small formulas in arm files, such as the angle of a motor behind a four-bar linkage.

Only numbers, joint names, + - * / **, parentheses, pi and a few functions are understood; nothing is executed that is
not on this list. A formula runs on floats and on graph scalars, which is where its derivatives come from.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from math import pi
from operator import add, mul, sub, truediv
from typing import Any

import numpy as np

from torsor.errors import ModelError, did_you_mean

FUNCTIONS: dict[str, Any] = {
    "sin": np.sin,
    "cos": np.cos,
    "sqrt": np.sqrt,
    "exp": np.exp,
    "atan2": np.arctan2,
    "acos": np.arccos,
    "asin": np.arcsin,
}
OPERATIONS: dict[type[ast.operator], Any] = {ast.Add: add, ast.Sub: sub, ast.Mult: mul, ast.Div: truediv}
LONGEST = 2000  # characters; a formula is a line, not a program


@dataclass(frozen=True)
class ArmFormula:
    """A checked formula of named values.

    >>> ArmFormula("100 * joint2 + sin(joint1)", ("joint1", "joint2"))({"joint1": 0.0, "joint2": 0.5})
    np.float64(50.0)
    """

    text: str
    names: tuple[str, ...]

    def __post_init__(self) -> None:
        _checked(self.text, self.names)

    def __call__(self, values: Mapping[str, Any]) -> Any:
        return _value(_checked(self.text, self.names), values)


def _checked(text: str, names: tuple[str, ...]) -> ast.expr:
    if len(text) > LONGEST:
        raise ModelError(f"the formula has {len(text)} characters", hint=f"at most {LONGEST}; use a table")
    try:
        tree = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        hint = "write e.g. 100 * joint2 + 5 * sin(joint1)"
        raise ModelError(f"cannot read the formula {text!r}", hint=hint) from None
    _check(tree, names, text)
    return tree


def _check(node: ast.expr, names: tuple[str, ...], text: str) -> None:
    inner: list[ast.expr] = []
    match node:
        case ast.Constant(value=int() | float()) if not isinstance(node.value, bool):
            pass
        case ast.Name(id=name):
            if name not in (*names, "pi"):
                raise ModelError(f"the formula {text!r} has no meaning for {name!r}", hint=did_you_mean(name, names))
        case ast.BinOp(left, ast.Pow(), ast.Constant(value=int() as power)) if abs(power) <= 8:
            inner = [left]
        case ast.BinOp(left, operation, right) if type(operation) in OPERATIONS:
            inner = [left, right]
        case ast.UnaryOp(ast.USub() | ast.UAdd(), operand):
            inner = [operand]
        case ast.Call(func=ast.Name(id=function), args=inner, keywords=[]) if function in FUNCTIONS:
            if len(inner) != (2 if function == "atan2" else 1):
                raise ModelError(f"{function} in the formula {text!r} has {len(inner)} arguments")
        case _:
            hint = f"a formula has numbers, joints, + - * / **, pi and {', '.join(FUNCTIONS)}"
            raise ModelError(f"the formula {text!r} has something else: {ast.unparse(node)!r:.40}", hint=hint)
    for each in inner:
        _check(each, names, text)


def _value(node: ast.expr, values: Mapping[str, Any]) -> Any:
    match node:
        case ast.Constant(value=value):
            return float(value)  # type: ignore[arg-type]  # _check let only numbers through
        case ast.Name(id=name):
            return pi if name == "pi" else values[name]
        case ast.BinOp(left, ast.Pow(), ast.Constant(value=int() as power)):
            return _value(left, values) ** power
        case ast.BinOp(left, operation, right):
            return OPERATIONS[type(operation)](_value(left, values), _value(right, values))
        case ast.UnaryOp(sign, operand):
            return -_value(operand, values) if isinstance(sign, ast.USub) else _value(operand, values)
        case ast.Call(func=ast.Name(id=function), args=arguments):
            return FUNCTIONS[function](*(_value(argument, values) for argument in arguments))
    raise ModelError("a formula that was not checked")
