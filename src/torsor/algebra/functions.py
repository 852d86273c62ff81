"""Functions that mean the same on floats, on nodes and on arrays of either.

``np.sin`` serves float arrays and arrays of nodes, but not an object array in which some entries are numbers; these do.
Where NumPy would ask a traced value for its truth (``np.where``, ``np.sign``, ``np.minimum``), these build a node.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from torsor.algebra.node import Node, build, coerce
from torsor.algebra.operations import OPERATIONS
from torsor.errors import CompileError


def _node(value: Any) -> Node:
    node = coerce(value)
    if node is None:
        raise CompileError(f"{type(value).__name__} {value!r} cannot stand in an expression")
    return node


def _is_object(value: Any) -> bool:
    return isinstance(value, np.ndarray) and value.dtype.hasobject


def _floats(array: Any) -> Any:
    """A list of plain numbers was made an object array only to look into it."""
    if _is_object(array) and array.size and not any(v.__class__ is Node for v in array.flat):
        return array.astype(np.float64)
    return array


def _lift(name: str, op: str, doc: str) -> Callable[..., Any]:
    on_floats, arity = OPERATIONS[op].evaluate, OPERATIONS[op].arity
    assert on_floats is not None
    each = np.frompyfunc(lambda *args: build(op, *[_node(arg) for arg in args]), arity, 1)

    def function(*args: Any) -> Any:
        if len(args) != arity:
            raise TypeError(f"{name} takes {arity} arguments, not {len(args)}")
        arrays = [_floats(np.asarray(arg, dtype=object) if isinstance(arg, list | tuple) else arg) for arg in args]
        traced = any(array.__class__ is Node or _is_object(array) for array in arrays)
        return each(*arrays) if traced else on_floats(*arrays)

    function.__name__, function.__doc__ = name, doc
    return function


sin = _lift("sin", "sin", "Sine, elementwise.")
cos = _lift("cos", "cos", "Cosine, elementwise.")
sqrt = _lift("sqrt", "sqrt", "Square root, elementwise.")
exp = _lift("exp", "exp", "Exponential, elementwise.")
floor = _lift("floor", "floor", "Largest whole number not above, elementwise.")
absolute = _lift("absolute", "abs", "Absolute value, elementwise.")
sign = _lift("sign", "sign", "-1, 0 or 1, elementwise.")
minimum = _lift("minimum", "min", "The smaller of two, elementwise; NaN if one is NaN.")
maximum = _lift("maximum", "max", "The larger of two, elementwise; NaN if one is NaN.")
arctan2 = _lift("arctan2", "atan2", "Angle of the point (x, y) from arctan2(y, x), elementwise.")
less = _lift("less", "lt", "1.0 where a < b, else 0.0.")
less_equal = _lift("less_equal", "le", "1.0 where a <= b, else 0.0.")
equal = _lift("equal", "eq", "1.0 where a and b are equal, else 0.0 (``==`` on nodes: whether they are the same node).")
select = _lift(
    "select",
    "select",
    """``then`` where the condition is not 0, else ``otherwise``: what ``np.where`` is for floats.

    >>> from torsor.algebra import symbol
    >>> x = symbol("x")
    >>> select(x < 0, -x, x)
    select(x < 0, -x, x)
    >>> select(np.array([1.0, 0.0]), 5.0, 7.0)
    array([5., 7.])
    """,
)
