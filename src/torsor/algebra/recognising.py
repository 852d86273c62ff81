"""Values of a tape that were told a name (``telling.py``).

Simplification rewrites a graph, and what was told may not be computed any more. So values are recognised by their
numbers: a value of the tape that equals a told one at random points, or minus it, is that.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from torsor.algebra.guard import Guard
from torsor.algebra.node import Node
from torsor.algebra.operations import OPERATIONS
from torsor.algebra.tape import Tape
from torsor.algebra.telling import Told

NEAR = 0.05  # rad or m
AGREE = 1e-10  # of the largest sample; values that are equal agree to 1e-14, others hardly to 1e-3


class Called(NamedTuple):
    """What a value of a tape is: something told, or minus that."""

    told: Told
    minus: bool


def called(
    tape: Tape, heard: list[Told], inputs: dict[str, Any], near: Mapping[Node, float] | None = None
) -> dict[int, Called]:
    """Which values of a tape are among what was told, the first that was told of equal ones.

    ``near``: symbols that are tried about a number, as where loops can be closed there and not anywhere.
    """
    guard = Guard(seed=1)
    for symbol, middle in (near or {}).items():
        guard.values[symbol] = middle + NEAR * guard.draw(symbol)
        guard.scales[symbol] = np.abs(guard.values[symbol])
    guard.learn(each.node for each in heard)
    symbols = [node for block in inputs.values() for node in np.asarray(block, dtype=object).flat]
    guard.learn(symbols)
    values: list[Any] = []
    with np.errstate(all="ignore"):
        for step in tape.code:
            evaluate = OPERATIONS[step.op].evaluate
            if step.op == "input":
                values.append(guard.values[symbols[int(step.value)]])
            elif evaluate is None:
                values.append(np.full(guard.points, step.value))
            else:
                values.append(np.asarray(evaluate(*[values[arg] for arg in step.args])))
    if not heard:
        return {}
    known = np.array([guard.values[each.node] for each in heard])  # (told, points)
    size = np.abs(known).max(axis=1)
    found: dict[int, Called] = {}
    for k, value in enumerate(values):
        if not tape.code[k].args:
            continue
        for minus, signed in ((False, value), (True, -value)):
            equal = np.abs(known - signed).max(axis=1) <= AGREE * size
            if equal.any() and size[equal.argmax()] > 0.0:
                found.setdefault(k, Called(heard[int(equal.argmax())], minus))
    return found
