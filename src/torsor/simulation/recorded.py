"""Functions of time and state as graphs, recorded once: what was recorded stays when what the function uses changes."""

from __future__ import annotations

import marshal
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from torsor.algebra import substitute, symbol, symbols, tape_from
from torsor.algebra.counting import nodes_of
from torsor.algebra.walk import topological
from torsor.mechanics.tree import Reals
from torsor.model.transforms import Floats

if TYPE_CHECKING:
    from torsor.algebra import Node, Tape

# what a function raises that runs on numbers only
UNTRACEABLE = (TypeError, ValueError, AttributeError, IndexError, ZeroDivisionError)


@dataclass(frozen=True, eq=False)
class Recorded:
    """What a function of t, q (n,), qd (n,) and x (k,) gives, in symbols of its own."""

    t: Node
    q: Reals
    qd: Reals
    x: Reals
    outputs: Reals

    def __call__(self, t: Any, q: Any, qd: Any, x: Any = ()) -> Reals:
        """For other arguments, which are traced."""
        own = [self.t, *self.q, *self.qd, *self.x]
        return substitute(self.outputs, dict(zip(own, [t, *q, *qd, *x], strict=True)))

    def evaluate(self, t: Any, q: Floats, qd: Floats, x: Any = ()) -> Floats:
        """For numbers, with any leading dimensions."""
        return self.tape.evaluate(np.reshape(t, (*np.shape(t), 1)), q, qd, *([x] if len(self.x) else []))[0]

    @cached_property
    def tape(self) -> Tape:
        inputs = {"t": np.array([self.t]), "q": self.q, "qd": self.qd} | ({"x": self.x} if len(self.x) else {})
        return tape_from("recorded", inputs, {"outputs": self.outputs})

    @cached_property
    def facts(self) -> bytes:
        """All of it as bytes: the same for equal graphs."""
        roots = nodes_of(self.outputs)
        place = {node: k for k, node in enumerate(topological(roots))}
        rows = [(node.op, [place[arg] for arg in node.args], node.value, node.name) for node in place]
        return marshal.dumps((rows, [place[root] for root in roots], self.outputs.shape), 2)

    @property
    def parameters(self) -> tuple[Node, ...]:
        return parameters_in(self.outputs)


def recorded(function: Callable[..., Any], n: int, k: int = 0) -> Recorded:
    """``function(t, q, qd)``, with x last where there are states."""
    t, q, qd = symbol("t"), symbols("q", n), symbols("qd", n)
    x = symbols("x", k) if k else np.zeros(0, dtype=object)
    return Recorded(t, q, qd, x, np.asarray(function(t, q, qd, x) if k else function(t, q, qd), dtype=object))


def parameters_in(values: Iterable[Any]) -> tuple[Node, ...]:
    """What was written with `parameter`, by name."""
    roots = [value for value in values if hasattr(value, "op")]
    return tuple(sorted((node for node in topological(roots) if node.op == "parameter"), key=lambda node: node.name))
