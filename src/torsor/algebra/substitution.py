"""Replace nodes of a graph by others, everything above them rebuilt by the rules in force."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from torsor.algebra.counting import nodes_of
from torsor.algebra.node import Node, Objects, build, coerce, stacked
from torsor.algebra.walk import topological
from torsor.errors import CompileError


def substitute(outputs: Any, replacements: Mapping[Node, Any]) -> Objects:
    """The outputs with each node that is a key replaced by its value, a node or a number.

    >>> from torsor.algebra import symbols
    >>> x, y = symbols("x", 2)
    >>> substitute([x * x + y], {x: y, y: 3.0})
    array([3 + x[1] * x[1]], dtype=object)
    """
    built: dict[Node, Node] = {}
    for node, value in replacements.items():
        replacement = coerce(value)
        if replacement is None:
            raise CompileError(f"{node!r} cannot be replaced by {value!r}", hint="give a node or a number")
        built[node] = replacement
    roots = nodes_of(outputs)
    for node in topological(roots):
        if node not in built:
            built[node] = build(node.op, *[built[arg] for arg in node.args]) if node.args else node
    return stacked([built[root] for root in roots], np.shape(outputs))
