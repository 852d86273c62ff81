"""Functions of time and state as graphs, recorded once: what was recorded stays when what the function uses changes."""

from __future__ import annotations

import marshal
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from torsor.algebra import Node, Tape, substitute, symbol, symbols, tape_from
from torsor.algebra.counting import nodes_of
from torsor.algebra.walk import topological
from torsor.arm import Arm
from torsor.errors import CompileError, ShapeError
from torsor.mechanics.recording import Recording, recording
from torsor.mechanics.tree import Reals
from torsor.model.transforms import Floats

WhatTraces = TypeVar("WhatTraces")
# what a function raises that runs on numbers only
UNTRACEABLE = (CompileError, TypeError, ValueError, AttributeError, IndexError, ZeroDivisionError)


@dataclass(frozen=True, eq=False)
class Recorded:
    """What a function of t, q (n,), qd (n,) and x (k,) gives, in symbols of its own."""

    inputs: dict[str, Reals]  # t (1,), q, qd, and x where there are states
    outputs: Reals
    open: Reals  # squares of what loops leave open that are closed by Newton's method at other joints than q

    def __call__(self, t: Any, q: Any, qd: Any, x: Any = ()) -> Reals:
        """For other arguments, which are traced."""
        return self._at(self.outputs, t, q, qd, x)

    def left_open(self, t: Any, q: Any, qd: Any, x: Any = ()) -> Reals:
        """The same of what loops leave open."""
        return self._at(self.open, t, q, qd, x)

    def _at(self, values: Reals, t: Any, q: Any, qd: Any, x: Any) -> Reals:
        own = np.concatenate(list(self.inputs.values()))
        return substitute(values, dict(zip(own, [t, *q, *qd, *x], strict=True)))

    def evaluate(self, t: Any, *state: Any) -> Floats:
        """For numbers, with any leading dimensions."""
        states = state[: len(self.inputs) - 1]
        return self._tape.evaluate(np.reshape(t, (*np.shape(t), 1)), *states)[0]

    @cached_property
    def _tape(self) -> Tape:
        return tape_from("recorded", self.inputs, {"outputs": self.outputs})

    @cached_property
    def facts(self) -> bytes:
        """All of it as bytes: the same for equal graphs."""
        roots = nodes_of(self.outputs)
        place = {node: k for k, node in enumerate(topological(roots))}
        rows = [(node.op, [place[arg] for arg in node.args], node.value, node.name) for node in place]
        return marshal.dumps((rows, [place[root] for root in roots], self.outputs.shape), 2)


def recorded(
    function: Callable[..., Any], arm: Arm, k: int = 0, what: str = "", *, coordinates: int | None = None
) -> Recorded:
    """``function(t, q, qd)`` of an arm, with x last where there are states; errors call it ``what``.

    q are the joints; of a function of all ``coordinates`` of an elastic arm these, joints first.
    """
    n = coordinates or arm.n
    inputs = {"t": np.array([symbol("t")]), "q": symbols("q", n), "qd": symbols("qd", n)}
    inputs |= {"x": symbols("x", k)} if k else {}
    t, *state = inputs.values()
    with recording_at(arm, inputs["q"][: arm.n]) as now:
        outputs = np.asarray(function(t[0], *state), dtype=object)
    for place, value in np.ndenumerate(outputs):
        number = getattr(value, "value", value) if getattr(value, "op", "const") == "const" else 0.0
        if not np.isfinite(number):
            where = f"[{', '.join(map(str, place))}]" if place else ""
            raise ShapeError(f"{what or 'what is traced'}{where} is {number}", hint="finite, whatever the state is")
    return Recorded(inputs, outputs, np.array(now.open, dtype=object))


def recording_at(arm: Arm, q: Reals) -> AbstractContextManager[Recording]:
    """Whoever asks for graphs meanwhile finds the loops of the arm closed at q."""
    return recording(q, arm.closure.facts if arm.model.loops else b"")


def attempted(trace: Callable[[], WhatTraces]) -> WhatTraces | Exception:
    """What tracing gives, or what is raised by a function that runs on numbers only."""
    try:
        return trace()
    except UNTRACEABLE as error:
        if isinstance(error, ShapeError):  # that is what it would say of numbers too
            raise
        return error


def parameters_in(values: Iterable[Any]) -> tuple[Node, ...]:
    """What was written with `parameter`, by name."""
    roots = [value for value in values if hasattr(value, "op")]
    return tuple(sorted((node for node in topological(roots) if node.op == "parameter"), key=lambda node: node.name))
