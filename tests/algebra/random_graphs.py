"""Random expression graphs for hypothesis, built with or without the local rules."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

from torsor.algebra import (
    Node,
    absolute,
    arctan2,
    cos,
    exp,
    maximum,
    minimum,
    rules_in_force,
    select,
    sign,
    sin,
    sqrt,
    symbols,
    tape_from,
)

smooth = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / (2.0 + b * b),
    "neg": lambda a, b: -a,
    "sin": lambda a, b: sin(a),
    "cos": lambda a, b: cos(a),
    "sqrt": lambda a, b: sqrt(1.0 + a * a),
    "exp": lambda a, b: exp(0.1 * sin(a)),
    "atan2": lambda a, b: arctan2(a, 2.0 + sin(b)),
    "square": lambda a, b: a**2,
    "circle": lambda a, b: b * sin(a) ** 2 + b * cos(a) ** 2,
    "twice": lambda a, b: 2 * a - 0.5 * b,
}
kinked = {  # but without jumps: where one of two values that are equal but for rounding is taken must not matter
    "abs": lambda a, b: absolute(a),
    "sign": lambda a, b: b * a * sign(a),
    "min": lambda a, b: minimum(a, b),
    "max": lambda a, b: maximum(a, b),
    "select": lambda a, b: select(a < b, a * b - b * b, 2.0 * a - 2.0 * b),
}

Recipe = tuple[list[tuple[str, int, int]], int]


def recipes(*, kinks: bool = True, longest: int = 25) -> Any:
    """A list of operations on earlier values, and how many of the last values are outputs."""
    names = sorted({**smooth, **kinked} if kinks else smooth)
    step = st.tuples(st.sampled_from(names), st.integers(0, 1000), st.integers(0, 1000))
    return st.tuples(st.lists(step, min_size=3, max_size=longest), st.integers(1, 4))


def follow(recipe: Recipe, x: Any) -> Any:
    """Run a recipe on floats or on nodes."""
    steps, outputs = recipe
    values = [*x, 0.0, 1.0, -2.0, 0.3]
    for name, a, b in steps:
        operation = smooth.get(name) or kinked[name]
        values.append(operation(values[a % len(values)], values[b % len(values)]))
    return values[-outputs:]


def traced(recipe: Recipe, *, raw: bool = False) -> tuple[Any, list[Node]]:
    """A recipe on three symbols; ``raw`` leaves all rules out."""
    x = symbols("x", 3)
    with rules_in_force(without={"all"} if raw else ()):
        return x, follow(recipe, x)


def evaluate(x: Any, outputs: Any, points: Any) -> Any:
    """Outputs at points (..., 3)."""
    block = np.empty(len(outputs), dtype=object)
    block[:] = outputs
    return tape_from("f", {"x": x}, {"y": block}).evaluate(points)[0]
