"""The operations a graph and a tape are made of: one table, so that no pass and no backend invents its own list.

Meaning where it is not plain: comparisons give 1.0 or 0.0; ``select(c, a, b)`` is a where c != 0 (a NaN condition
selects a), else b; ``min``, ``max``, ``sign`` and ``abs`` hand a NaN on, as NumPy's do; ``sign(0)`` is 0.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np


def _truth(compare: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    return lambda a, b: np.where(compare(a, b), 1.0, 0.0)[()]


def _select(condition: Any, then: Any, otherwise: Any) -> Any:
    return np.where(np.not_equal(condition, 0.0), then, otherwise)[()]


class Operation(NamedTuple):
    """One row of the table: how many arguments, under what it is counted, what it means, how it prints."""

    name: str
    arity: int
    counted: str  # a field of Count, or "" for what costs nothing
    evaluate: Callable[..., Any] | None = None
    infix: str = ""
    commutative: bool = False


_rows = (
    Operation("input", 0, ""),
    Operation("const", 0, ""),
    Operation("add", 2, "add", np.add, "+", True),
    Operation("sub", 2, "add", np.subtract, "-"),
    Operation("mul", 2, "mul", np.multiply, "*", True),
    Operation("div", 2, "div", np.divide, "/"),
    Operation("neg", 1, "neg", np.negative),
    Operation("sqrt", 1, "sqrt", np.sqrt),
    Operation("sin", 1, "trig", np.sin),
    Operation("cos", 1, "trig", np.cos),
    Operation("exp", 1, "other", np.exp),
    Operation("atan2", 2, "other", np.arctan2),
    Operation("floor", 1, "other", np.floor),
    Operation("abs", 1, "select", np.abs),
    Operation("sign", 1, "select", np.sign),
    Operation("min", 2, "select", np.minimum, "", True),
    Operation("max", 2, "select", np.maximum, "", True),
    Operation("lt", 2, "select", _truth(np.less), "<"),
    Operation("le", 2, "select", _truth(np.less_equal), "<="),
    Operation("eq", 2, "select", _truth(np.equal), "==", True),
    Operation("select", 3, "select", _select),
)

OPERATIONS: dict[str, Operation] = {row.name: row for row in _rows}
COMMUTATIVE = frozenset(name for name, row in OPERATIONS.items() if row.commutative)
CODES = {name: code for code, name in enumerate(OPERATIONS)}
