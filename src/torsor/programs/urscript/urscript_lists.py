"""Arithmetic with lists and matrices of URScript: element by element, with a number for all of them, or as matrices."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from torsor.model.transforms import inverse
from torsor.programs import values
from torsor.programs.urscript.urscript_values import PoseValue, known, value_of
from torsor.programs.urscript.urscript_values import matrix as matrix_of
from torsor.programs.values import Absent, Value, Wrong

SIGNS: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "mod": np.fmod,
}  # fmt: skip


def combined(sign: str, a: Value, b: Value) -> Value:
    """``a sign b`` where one of them is a list: ``[1, 2] * 3``, ``q - q0``, ``M * v``; a pose stays a pose."""
    if not known(a) or not known(b):
        return next(each for each in (a, b) if not known(each)) if isinstance(a, Absent) else Absent("")
    x, y = _array(a), _array(b)
    if sign == "*" and x.ndim == 2 and y.ndim > 0:
        if x.shape[1] != y.shape[0]:
            raise Wrong(f"a matrix of {_size(x)} and one of {_size(y)} cannot be multiplied")
        return _value(x @ y)
    if x.ndim and y.ndim and x.shape != y.shape:
        raise Wrong(f"lists of {_size(x)} and {_size(y)} numbers do not go together")
    if sign == "/" and not np.all(y):
        raise Wrong("division by zero")
    found = _value(SIGNS[sign](x, y))
    whole = a if isinstance(a, tuple) else b
    return PoseValue(found) if isinstance(whole, PoseValue) and isinstance(found, tuple) else found  # type: ignore[arg-type]


def inverted(_: Any, matrix: Any) -> Value:
    """inv: of a pose the pose back, of a matrix its inverse."""
    if isinstance(matrix, PoseValue):
        return value_of(inverse(matrix_of(matrix)))
    M = _array(matrix)
    if M.ndim != 2 or M.shape[0] != M.shape[1]:
        raise Wrong("inv takes a square matrix", "[[1, 2], [3, 4]]")
    try:
        return _value(np.linalg.inv(M))
    except np.linalg.LinAlgError:
        raise Wrong("the matrix has no inverse") from None


def is_matrix(value: Value) -> bool:
    return isinstance(value, tuple) and bool(value) and isinstance(value[0], tuple)


def transposed(value: Value) -> Value:
    """Rows become columns; a list becomes one column, and one column a list."""
    if not isinstance(value, tuple):
        return value
    if not is_matrix(value):
        return tuple((each,) for each in value)
    columns = tuple(zip(*value, strict=True))
    return columns[0] if len(columns) == 1 else columns


def _array(value: Value) -> Any:
    try:
        found = np.array(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise Wrong(f"{values.NOUNS[values.kind_of(value)]} cannot be computed with") from None
    if found.ndim > 2:
        raise Wrong("lists within lists within lists cannot be computed with")
    return found


def _size(array: Any) -> str:
    return " x ".join(map(str, array.shape))


def _value(array: Any) -> Value:
    if not np.all(np.isfinite(array)):
        raise Wrong("the result is not a finite number")
    if array.ndim == 0:
        return float(array)
    return tuple(_value(each) for each in array)
