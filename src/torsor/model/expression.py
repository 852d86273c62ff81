"""Small formulas in arm files, such as the angle of a motor behind a four-bar linkage.

Only numbers, joint names, + - * / **, parentheses, pi and a few functions are understood; nothing is executed that is
not on this list. A formula runs on floats and on graph scalars, which is where its derivatives come from.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from math import pi
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
        raise ModelError(
            f"cannot read the formula {text!r}", hint="write e.g. 100 * joint2 + 5 * sin(joint1)"
        ) from None
    _check(tree, names, text)
    return tree


def _check(node: ast.expr, names: tuple[str, ...], text: str) -> None:
    match node:
        case ast.Constant(value=int() | float()) if not isinstance(node.value, bool):
            return
        case ast.Name(id=name):
            if name not in (*names, "pi"):
                raise ModelError(f"the formula {text!r} has no meaning for {name!r}", hint=did_you_mean(name, names))
        case ast.BinOp(left, ast.Add() | ast.Sub() | ast.Mult() | ast.Div(), right):
            _check(left, names, text)
            _check(right, names, text)
        case ast.BinOp(left, ast.Pow(), ast.Constant(value=int() as power)) if abs(power) <= 8:
            _check(left, names, text)
        case ast.UnaryOp(ast.USub() | ast.UAdd(), operand):
            _check(operand, names, text)
        case ast.Call(func=ast.Name(id=function), args=arguments, keywords=[]) if function in FUNCTIONS:
            if len(arguments) != (2 if function == "atan2" else 1):
                raise ModelError(f"{function} in the formula {text!r} has {len(arguments)} arguments")
            for argument in arguments:
                _check(argument, names, text)
        case _:
            known = ", ".join(FUNCTIONS)
            hint = f"a formula has numbers, joints, + - * / **, pi and {known}"
            raise ModelError(f"the formula {text!r} has something else: {ast.unparse(node)!r:.40}", hint=hint)


def _value(node: ast.expr, values: Mapping[str, Any]) -> Any:
    match node:
        case ast.Constant(value=value):
            return float(value)  # type: ignore[arg-type]  # _check let only numbers through
        case ast.Name(id=name):
            return pi if name == "pi" else values[name]
        case ast.BinOp(left, operation, right):
            a = _value(left, values)
            if isinstance(operation, ast.Pow) and isinstance(right, ast.Constant):
                return a**right.value
            b = _value(right, values)
            if isinstance(operation, ast.Add):
                return a + b
            if isinstance(operation, ast.Sub):
                return a - b
            return a * b if isinstance(operation, ast.Mult) else a / b
        case ast.UnaryOp(ast.USub(), operand):
            return -_value(operand, values)
        case ast.UnaryOp(_, operand):
            return _value(operand, values)
        case ast.Call(func=ast.Name(id=function), args=arguments):
            return FUNCTIONS[function](*(_value(argument, values) for argument in arguments))
    raise ModelError("a formula that was not checked")
