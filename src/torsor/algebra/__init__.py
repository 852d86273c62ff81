"""Scalars as a graph: trace, simplify, differentiate, and lay out as a tape."""

from torsor.algebra import rules  # the table must be filled before the first node is built
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
from torsor.algebra.substitute import substitute
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
    "rules",
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
