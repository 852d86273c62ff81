"""Expressions as text, for eyes: what ``repr`` of a node shows."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from torsor.algebra.operations import OPERATIONS

if TYPE_CHECKING:
    from torsor.algebra.node import Node

_strength = {"add": 1, "sub": 1, "mul": 2, "div": 2, "neg": 1, "lt": 0, "le": 0, "eq": 0}


def number(value: float) -> str:
    """A number as short as it reads back exactly."""
    if math.isfinite(value) and value == int(value) and abs(value) < 1e15:
        return str(int(value))
    return repr(float(value))


def render(node: Node, limit: int = 12) -> str:
    """An expression as text, for eyes; parts deeper than ``limit`` are cut."""
    if node.op == "const":
        return number(node.value)
    if not node.args:
        return node.name
    if limit == 0:
        return "..."
    parts = [render(arg, limit - 1) for arg in node.args]
    strength = _strength.get(node.op)
    if strength is None:
        return f"{node.op}({', '.join(parts)})"
    tight = strength + 1 if node.op in ("sub", "div", "neg") else strength
    wanted = [tight] if node.op == "neg" else [strength, tight]
    for k, (arg, need) in enumerate(zip(node.args, wanted, strict=True)):
        if _strength.get(arg.op, 3) < need:
            parts[k] = f"({parts[k]})"
    return f"-{parts[0]}" if node.op == "neg" else f"{parts[0]} {OPERATIONS[node.op].infix} {parts[1]}"
