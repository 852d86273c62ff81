"""Functions that mean the same on floats, on nodes and on arrays of either.

``np.sin`` serves float arrays and arrays of nodes, but not an object array in which some entries are numbers; these do.
Where NumPy would ask a traced value for its truth (``np.where``, ``np.sign``, ``np.minimum``), these build a node.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from torsor.algebra.node import Node, binary, choose, coerce, unary
from torsor.algebra.operations import OPERATIONS
from torsor.errors import CompileError


def _node(value: Any) -> Node:
    node = coerce(value)
    if node is None:
        raise CompileError(f"{type(value).__name__} {value!r} cannot stand in an expression")
    return node


def _is_object(value: Any) -> bool:
    return isinstance(value, np.ndarray) and value.dtype.hasobject


def _traced(value: Any) -> bool:
    return value.__class__ is Node or _is_object(value)


def _lift(op: str, on_nodes: Callable[..., Node], arity: int, doc: str) -> Callable[..., Any]:
    on_floats = OPERATIONS[op].evaluate
    assert on_floats is not None
    each = np.frompyfunc(lambda *args: on_nodes(*[_node(arg) for arg in args]), arity, 1)

    def function(*args: Any) -> Any:
        if len(args) != arity:
            raise TypeError(f"{function.__name__} takes {arity} arguments, not {len(args)}")
        arrays = [np.asarray(arg, dtype=object) if isinstance(arg, list | tuple) else arg for arg in args]
        arrays = [_floats(array) for array in arrays]
        return each(*arrays) if any(map(_traced, arrays)) else on_floats(*arrays)

    function.__doc__ = doc
    return function


def _floats(array: Any) -> Any:
    """A list of plain numbers was made an object array only to look into it."""
    if _is_object(array) and array.size and not any(v.__class__ is Node for v in array.flat):
        return array.astype(np.float64)
    return array


def _one(op: str, doc: str) -> Callable[..., Any]:
    return _lift(op, lambda a: unary(op, a), 1, doc)


def _two(op: str, doc: str) -> Callable[..., Any]:
    return _lift(op, lambda a, b: binary(op, a, b), 2, doc)


sin = _one("sin", "Sine, elementwise.")
cos = _one("cos", "Cosine, elementwise.")
sqrt = _one("sqrt", "Square root, elementwise.")
exp = _one("exp", "Exponential, elementwise.")
floor = _one("floor", "Largest whole number not above, elementwise.")
absolute = _one("abs", "Absolute value, elementwise.")
sign = _one("sign", "-1, 0 or 1, elementwise.")
minimum = _two("min", "The smaller of two, elementwise; NaN if one is NaN.")
maximum = _two("max", "The larger of two, elementwise; NaN if one is NaN.")
arctan2 = _two("atan2", "Angle of the point (x, y) from arctan2(y, x), elementwise.")
less = _two("lt", "1.0 where a < b, else 0.0.")
less_equal = _two("le", "1.0 where a <= b, else 0.0.")
equal = _two("eq", "1.0 where a and b are equal, else 0.0 (``==`` on nodes asks whether they are the same node).")
select = _lift(
    "select",
    choose,
    3,
    """``then`` where the condition is not 0, else ``otherwise``: what ``np.where`` is for floats.

    >>> from torsor.algebra import symbol
    >>> x = symbol("x")
    >>> select(x < 0, -x, x)
    select(x < 0, -x, x)
    >>> select(np.array([1.0, 0.0]), 5.0, 7.0)
    array([5., 7.])
    """,
)
for _name in [
    "sin",
    "cos",
    "sqrt",
    "exp",
    "floor",
    "absolute",
    "sign",
    "minimum",
    "maximum",
    "arctan2",
    "less",
    "less_equal",
    "equal",
    "select",
]:
    globals()[_name].__name__ = _name
