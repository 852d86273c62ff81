"""Scalars as a graph: trace, simplify, differentiate, and lay out as a tape.

The names below are imported when one is first asked for: a kernel that comes out of the cache needs the tape alone, and
the rest would take most of its time.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from torsor.algebra.counting import Count, count
    from torsor.algebra.differentiate import adjoint, directional, jacobian
    from torsor.algebra.engine import rules_in_force
    from torsor.algebra.functions import (
        absolute,
        arctan2,
        cos,
        equal,
        exp,
        floor,
        less,
        less_equal,
        maximum,
        minimum,
        select,
        sign,
        sin,
        sqrt,
    )
    from torsor.algebra.layout import tape_from
    from torsor.algebra.node import Node, const, parameter, parameters, symbol, symbols
    from torsor.algebra.operations import OPERATIONS
    from torsor.algebra.passes import Explanation, explain, simplify
    from torsor.algebra.substitution import substitute
    from torsor.algebra.tape import Array, Instruction, Liveness, Tape
    from torsor.algebra.text import parse

__all__ = [
    "OPERATIONS",
    "Array",
    "Count",
    "Explanation",
    "Instruction",
    "Liveness",
    "Node",
    "Tape",
    "absolute",
    "adjoint",
    "arctan2",
    "const",
    "cos",
    "count",
    "directional",
    "equal",
    "exp",
    "explain",
    "floor",
    "jacobian",
    "less",
    "less_equal",
    "maximum",
    "minimum",
    "parameter",
    "parameters",
    "parse",
    "rules_in_force",
    "select",
    "sign",
    "simplify",
    "sin",
    "sqrt",
    "substitute",
    "symbol",
    "symbols",
    "tape_from",
]

_HOMES = (
    "tape",
    "node",
    "counting",
    "differentiate",
    "engine",
    "functions",
    "layout",
    "operations",
    "passes",
    "substitution",
    "text",
)


def __getattr__(name: str) -> Any:
    if name in __all__:
        for home in (import_module(f"torsor.algebra.{each}") for each in _HOMES):
            if hasattr(home, name):
                return getattr(home, name)
    raise AttributeError(f"module 'torsor.algebra' has no attribute {name!r}")
