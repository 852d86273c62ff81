"""A graph as a list that can be changed in place: what resubstitution works on.

It keeps the number of uses of every value, so that the saving of a change is exact: what becomes unused when a value
is computed in another way, less what the other way costs.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torsor.algebra.guard import Floats, Guard
from torsor.algebra.node import Node, build
from torsor.algebra.operations import OPERATIONS
from torsor.algebra.walk import postorder, topological

# An expression: the number of a value, a node that depends on parameters only, or an operation on expressions.
NetTerm = Any
Weights = Mapping[str, int]  # of operations, by what they are counted as
WEIGHTS: Weights = {"add": 1, "mul": 1, "div": 4, "trig": 10, "sqrt": 5, "select": 1, "other": 15, "neg": 0, "": 0}
SIXTEENTHS = 16  # whole numbers, so that no gain is rounded


ROUNDING = 1e-13  # of the error scale: what terms that cancel may leave
LOST = 1e-10  # of a term beside another: less than this is not seen where 11 digits are compared


def weights_with(sums: float) -> Weights:
    """The same, with sums weighing so much; a little more than 1 takes, of as many operations, those with fewer sums.

    >>> weights_with(2.0)["add"] == 2 * weights_with(2.0)["mul"], weights_with(1.0) is WEIGHTS
    (True, True)
    """
    if sums == WEIGHTS["add"]:
        return WEIGHTS
    return {what: SIXTEENTHS * weight for what, weight in WEIGHTS.items()} | {"add": round(SIXTEENTHS * sums)}


def leaves(expression: NetTerm) -> list[int]:
    """The values an expression reads, each as often as it reads it."""
    if isinstance(expression, int):
        return [expression]
    return [k for part in expression[1:] for k in leaves(part)] if isinstance(expression, tuple) else []


class Netlist:
    """Values numbered from 0, each a leaf (``defs`` holds None) or an expression on others."""

    def __init__(self, roots: list[Node], guard: Guard, weights: Weights = WEIGHTS) -> None:
        self.weights = weights
        guard.learn(roots)
        nodes = [node for node in topological(roots) if not node.fixed]
        number = {node: k for k, node in enumerate(nodes)}
        self.nodes = nodes
        self.roots: list[NetTerm] = [number.get(root, root) for root in roots]
        self.defs: list[NetTerm] = [
            (node.op, *[number.get(arg, arg) for arg in node.args]) if node.args else None for node in nodes
        ]
        self.uses = [0] * len(nodes)
        for definition in self.defs:
            for leaf in leaves(definition):
                self.uses[leaf] += 1
        for root in self.roots:
            for leaf in leaves(root):
                self.uses[leaf] += 1
        empty = np.zeros((0, guard.points))
        self.values: Floats = np.array([guard.values[node] for node in nodes]) if nodes else empty
        self.scales: Floats = np.array([guard.scales[node] for node in nodes]) if nodes else empty
        self.blind = _blind(nodes, guard)

    def cost(self, expression: NetTerm) -> int:
        """What an expression costs beside the values it reads."""
        if not isinstance(expression, tuple):
            return 0
        return self.weights[OPERATIONS[expression[0]].counted] + sum(self.cost(part) for part in expression[1:])

    def depends(self) -> NDArray[np.bool_]:
        """depends[k, j]: whether value k is computed from value j, or is it."""
        table = np.eye(len(self.nodes), dtype=bool)
        for k in self.order():
            for leaf in set(leaves(self.defs[k])):
                table[k] |= table[leaf]
        return table

    def order(self) -> list[int]:
        """All values, each after those it reads."""
        return postorder(range(len(self.defs)), lambda k: leaves(self.defs[k]))

    def freed(self, k: int) -> int:
        """What becomes unused, in cost, if value k were not computed from its definition; uses are lowered."""
        definition = self.defs[k]
        total = self.cost(definition)
        for leaf in leaves(definition):
            self.uses[leaf] -= 1
            if self.uses[leaf] == 0 and self.defs[leaf] is not None:
                total += self.freed(leaf)
        return total

    def _needed(self, k: int) -> None:
        """Undo ``freed``."""
        for leaf in leaves(self.defs[k]):
            if self.uses[leaf] == 0 and self.defs[leaf] is not None:
                self._needed(leaf)
            self.uses[leaf] += 1

    def cone(self, k: int) -> int:
        """The cost of what serves value k alone."""
        total = self.freed(k)
        self._needed(k)
        return total

    def gain(self, k: int, expression: NetTerm) -> int:
        """What is saved if value k is computed by this expression on living values."""
        read = leaves(expression)
        for leaf in read:
            self.uses[leaf] += 1
        total = self.freed(k) - self.cost(expression)
        self._needed(k)
        for leaf in read:
            self.uses[leaf] -= 1
        return total

    def replace(self, k: int, expression: NetTerm) -> None:
        """Compute value k by another expression."""
        for leaf in leaves(expression):
            self.uses[leaf] += 1
        self.freed(k)
        self.defs[k] = expression

    def reaches(self, expression: NetTerm, k: int) -> bool:
        """Whether an expression depends on value k, as things are now."""
        stack, seen = leaves(expression), set()
        while stack:
            leaf = stack.pop()
            if leaf == k:
                return True
            if leaf not in seen:
                seen.add(leaf)
                stack.extend(leaves(self.defs[leaf]))
        return False

    def back(self) -> list[Node]:
        """The roots as nodes again, built by the local rules."""
        built: dict[int, Node] = {}

        def node(expression: NetTerm) -> Node:
            if isinstance(expression, Node):
                return expression
            if isinstance(expression, int):
                return built[expression]
            return build(expression[0], *[node(part) for part in expression[1:]])

        for k in self.order():
            alive = self.uses[k] > 0
            if self.defs[k] is None:
                built[k] = self.nodes[k]
            elif alive:
                built[k] = node(self.defs[k])
        return [node(root) for root in self.roots]


def _blind(nodes: list[Node], guard: Guard) -> NDArray[np.bool_]:
    """Whether the numbers of a value say nothing of a term of it: one that is lost beside another at every point.

    So it is where points are far from what a graph is for: a stiff spring beside a mass, or a step in time that is far
    too long. Such a value, and all that is computed from it, may equal another by its numbers alone.
    """
    sums = [node for node in nodes if node.op in ("add", "sub")]
    shape = len(sums), 2, guard.points
    sizes = np.abs([[guard.values[arg] for arg in node.args] for node in sums]).reshape(shape)
    scales = np.array([[guard.scales[arg] for arg in node.args] for node in sums]).reshape(shape)
    sizes[sizes <= ROUNDING * scales] = 0.0  # whether what cancels leaves nothing or its rounding must not matter
    small, large = sizes.min(axis=1), sizes.max(axis=1)
    lost = ((small > 0.0) & (small <= LOST * large)).all(axis=1)
    blind = {node for node, is_lost in zip(sums, lost, strict=True) if is_lost}
    if blind:
        for node in nodes:
            if not blind.isdisjoint(node.args):
                blind.add(node)
    return np.array([node in blind for node in nodes], dtype=bool)
