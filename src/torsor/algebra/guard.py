"""The guard: an optimised graph is accepted only if it agrees with what it replaces at random points.

Every value is computed together with an error scale, so that the comparison is as strict as rounding allows and not
stricter: terms that cancel leave a small value with a large scale. Nodes shared by both graphs are computed once.

Whoever takes a decision by these numbers takes it with a margin: values that are equal agree to a few roundings of
their scale, others do not agree to a hundred. The points are computed in one defined way besides (``circle.py``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from torsor.algebra.circle import cos_sin
from torsor.algebra.node import Node
from torsor.algebra.operations import OPERATIONS
from torsor.algebra.walk import topological

Floats = NDArray[np.float64]
POINTS = 8
BRANCHED = frozenset(("select", "min", "max", "abs", "sign", "floor", "lt", "le", "eq", "sqrt", "atan2"))
TOLERANCE = 1e-12  # of the error scale; rounding alone stays below 1e-13 on graphs of 1e5 nodes


def _of_circle(part: int) -> Callable[[Floats], Floats]:
    return lambda x: np.array([cos_sin(each)[part] for each in x])


# how samples are computed; tests put these off by an ulp
SAMPLED: dict[str, Callable[..., Any]] = {
    name: row.evaluate for name, row in OPERATIONS.items() if row.evaluate is not None
} | {"cos": _of_circle(0), "sin": _of_circle(1)}


class Guard:
    """Values of nodes at random points, remembered.

    An ``opaque`` guard gives every piecewise value (and every root and angle, which have branches) random numbers of
    its own. Then two values that agree at all points agree everywhere: with the true numbers, min(x, 9) would pass for
    x if no point has an x above 9.
    """

    def __init__(self, seed: int = 0, points: int = POINTS, *, opaque: bool = False) -> None:
        self.seed = seed
        self.points = points
        self.opaque = opaque
        self.values: dict[Node, Floats] = {}
        self.scales: dict[Node, Floats] = {}

    def learn(self, roots: Iterable[Node]) -> None:
        """Compute what the roots depend on and is not known yet."""
        values, scales = self.values, self.scales
        with np.errstate(all="ignore"):
            for node in topological(roots, values):
                if self.opaque and node.op in BRANCHED:
                    values[node] = self.draw(node)
                    scales[node] = np.abs(values[node])
                elif node.args:
                    value = SAMPLED[node.op](*[values[arg] for arg in node.args])
                    values[node] = value
                    scales[node] = _scale(node, value, values, scales)
                else:
                    value = np.full(self.points, node.value) if node.op == "const" else self.draw(node)
                    values[node], scales[node] = value, np.abs(value)

    def draw(self, node: Node) -> Floats:
        """Values of a symbol: of both signs at half of the points, positive at the others for the sake of roots."""
        name = node.name or f"{node.op} {node.order}"
        rng = np.random.default_rng([self.seed, crc32(name.encode())])
        size = rng.uniform(0.3, 1.7, self.points)
        signs = np.where(np.arange(self.points) % 2 == 0, rng.choice([-1.0, 1.0], self.points), 1.0)
        return np.asarray(size * signs)

    def differs(self, before: list[Node], after: list[Node]) -> str | None:
        """What is wrong with ``after`` in place of ``before``, or None."""
        self.learn(before)
        self.learn(after)
        # an error scale that has lost all measure must not excuse anything: never more than this of the largest output
        largest = max(
            (float(np.abs(self.values[old][np.isfinite(self.values[old])]).max(initial=0.0)) for old in before),
            default=0.0,
        )
        for k, (old, new) in enumerate(zip(before, after, strict=True)):
            if old is new:
                continue
            a, b = self.values[old], self.values[new]
            finite = np.isfinite(a)
            if not finite.any():
                return f"output {k} is finite at none of {self.points} points, so that it cannot be checked"
            if (np.isnan(a) != np.isnan(b)).any() or not (finite == np.isfinite(b)).all():
                return f"output {k} is finite at other points than before"
            error = np.abs(a - b)[finite]
            allowed = TOLERANCE * np.minimum(self.scales[old] + self.scales[new], 1e2 * largest)[finite]
            bad = ~(error <= allowed)
            if bad.any():
                worst = int(np.argmax(error * bad))
                return f"output {k} is {b[finite][worst]:.17g}, where it was {a[finite][worst]:.17g}"
        return None


def _hypot(a: Any, b: Any) -> Any:
    return np.sqrt(a * a + b * b)


def _scale(node: Node, value: Any, values: dict[Node, Floats], scales: dict[Node, Floats]) -> Any:
    """First-order growth of independent errors of relative size 1 made everywhere: they add as sides of a right angle.

    Added plainly they would grow with every rotation of a recursion, to a scale at which everything equals everything.
    """
    op, args = node.op, node.args
    own, first = np.abs(value), scales[args[0]]
    if op in ("add", "sub"):
        return _hypot(own, _hypot(first, scales[args[1]]))
    if op == "mul":
        return _hypot(own, _hypot(values[args[0]] * scales[args[1]], values[args[1]] * first))
    if op == "div":
        return _hypot(own, _hypot(first, value * scales[args[1]]) / np.abs(values[args[1]]))
    if op == "sqrt":
        return _hypot(own, 0.5 * first / own)
    if op in ("sin", "cos"):
        return _hypot(own, first)
    if op == "exp":
        return own * _hypot(1.0, first)
    if op == "atan2":
        y, x = values[args[0]], values[args[1]]
        return _hypot(own, _hypot(x * first, y * scales[args[1]]) / (x * x + y * y))
    if op == "select":
        return np.where(values[args[0]] != 0.0, scales[args[1]], scales[args[2]])
    if op in ("min", "max"):
        return np.maximum(first, scales[args[1]])
    return own if op in ("lt", "le", "eq", "sign", "floor") else first
