"""The table of local rules, applied whenever a node is built. Each has a name, a law, and can be switched off.

What they take for granted, on purpose: an argument is a real number. So 0*x, 0/x and x - x are 0 even where x might be
infinite or NaN at run time, and sums and products may be rounded in another order. Nothing else that makes a NaN is
folded away: x/x, 1/0, sqrt(x)*sqrt(x) and x == x stay. Division by a number becomes multiplication by its reciprocal,
which may change the last bit.

The arguments of commutative operations arrive sorted: numbers first, then what depends on parameters only.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Context, Decimal
from typing import Any

import numpy as np

from torsor.algebra import circle
from torsor.algebra.engine import rule
from torsor.algebra.node import Node, binary, choose, const, unary
from torsor.algebra.operations import OPERATIONS

_one = const(1.0)
_zero = const(0.0)
_smallest = float(np.finfo(np.float64).tiny)


# Numbers -------------------------------------------------------------------------------------------------------------


def _folding(op: str, compute: Callable[..., float]) -> Callable[..., Node | None]:
    def fold(*args: Node) -> Node | None:
        values = [arg.value for arg in args]
        if (op == "div" and values[1] == 0.0) or (op == "sqrt" and values[0] < 0.0):
            return None  # left to run time, where it gives an infinity or a NaN
        with np.errstate(all="ignore"):
            value = float(compute(*values))
        return const(value) if math.isfinite(value) else None

    return fold


# numbers stand in equations: those that libraries compute are computed in one defined way
_defined: dict[str, Callable[..., float]] = {
    "sin": lambda x: circle.cos_sin(x)[1],
    "cos": lambda x: circle.cos_sin(x)[0],
    "atan2": circle.atan2,
    "exp": lambda x: float(Decimal(x).exp(Context(40))),
}
for _row in OPERATIONS.values():
    if _row.evaluate is not None:
        _shape = " ".join([_row.name] + ["const"] * _row.arity)
        _compute = _defined.get(_row.name, _row.evaluate)
        rule("constants", "an operation on numbers is a number", _shape, _folding(_row.name, _compute))

rule("zero", "0 + x = x", "add const _", lambda a, b: b if a.value == 0.0 else None)
rule("zero", "0 - x = -x", "sub const _", lambda a, b: -b if a.value == 0.0 else None)
rule("zero", "x - 0 = x", "sub _ const", lambda a, b: a if b.value == 0.0 else None)
rule("zero", "0*x = 0 and 0/x = 0", "mul const _, div const _", lambda a, b: a if a.value == 0.0 else None)
rule("same", "x - x = 0", "sub same", lambda a, b: _zero)
rule("same", "x + x = 2*x", "add same", lambda a, b: 2.0 * a)
rule("same", "min(x, x) = max(x, x) = x", "min same, max same", lambda a, b: a)
rule("same", "x < x is false", "lt same", lambda a, b: _zero)
rule("one", "1*x = x", "mul const _", lambda a, b: b if a.value == 1.0 else None)


# Signs move outwards -------------------------------------------------------------------------------------------------


def _add_neg(a: Node, b: Node) -> Any:
    if a.op == "neg":
        return -(a.args[0] + b.args[0]) if b.op == "neg" else b - a.args[0]
    return a - b.args[0]


def _sub_neg(a: Node, b: Node) -> Any:
    if a.op == "neg":
        return b.args[0] - a.args[0] if b.op == "neg" else -(a.args[0] + b)
    return a + b.args[0]


def _outwards(op: str) -> Callable[[Node, Node], Node]:
    def outwards(a: Node, b: Node) -> Node:
        if a.op == "neg":
            return binary(op, a.args[0], b.args[0]) if b.op == "neg" else -binary(op, a.args[0], b)
        return -binary(op, a, b.args[0])

    return outwards


def _is_positive(product: Node) -> bool:
    """Whether it is a number above zero times the rest; numbers come first, and have their sign outside."""
    return product.args[0].op == "const" and product.args[0].value > 0.0


rule("sign", "-(-x) = x", "neg neg", lambda a: a.args[0])
rule("sign", "a + (-b) = a - b", "add _ neg, add neg _", _add_neg)
rule("sign", "a - (-b) = a + b", "sub _ neg, sub neg _", _sub_neg)
rule("sign", "(-a)*b = -(a*b)", "mul _ neg, mul neg _", _outwards("mul"))
rule("sign", "(-a)/b = -(a/b)", "div _ neg, div neg _", _outwards("div"))
rule("sign", "(-3)*a = -(3*a)", "mul const _", lambda a, b: -(-a.value * b) if a.value < 0.0 else None)
rule("sign", "(-3)/a = -(3/a)", "div const _", lambda a, b: -(-a.value / b) if a.value < 0.0 else None)
rule("sign", "a + (-3) = a - 3", "add const _", lambda a, b: b - -a.value if a.value < 0.0 else None)
rule("sign", "(-3) - a = -(3 + a)", "sub const _", lambda a, b: -(-a.value + b) if a.value < 0.0 else None)
rule("sign", "a - (-3) = a + 3", "sub _ const", lambda a, b: a + -b.value if b.value < 0.0 else None)
rule("sign", "sin(-x) = -sin(x), sign(-x) = -sign(x)", "sin neg", lambda a: -unary("sin", a.args[0]))
rule("sign", "sign(-x) = -sign(x)", "sign neg", lambda a: -unary("sign", a.args[0]))
rule("sign", "cos(-x) = cos(x)", "cos neg", lambda a: unary("cos", a.args[0]))
rule("sign", "abs(-x) = abs(x)", "abs neg", lambda a: unary("abs", a.args[0]))
rule("scale", "sign(3*x) = sign(x)", "sign mul", lambda a: unary("sign", a.args[1]) if _is_positive(a) else None)
rule(
    "scale",
    "abs(3*x) = 3*abs(x)",
    "abs mul",
    lambda a: a.args[0] * unary("abs", a.args[1]) if _is_positive(a) else None,
)
rule("sign", "min(-a, -b) = -max(a, b)", "min neg neg", lambda a, b: -binary("max", a.args[0], b.args[0]))
rule("sign", "max(-a, -b) = -min(a, b)", "max neg neg", lambda a, b: -binary("min", a.args[0], b.args[0]))
rule("sign", "(-a < -b) = (b < a)", "lt neg neg", lambda a, b: b.args[0] < a.args[0])
rule("sign", "(-a <= -b) = (b <= a)", "le neg neg", lambda a, b: b.args[0] <= a.args[0])
# -a of a negation is what it negates
rule("sign", "select(c, -a, -b) = -select(c, a, b)", "select _ neg neg", lambda c, a, b: -choose(c, -a, -b))


# Sums ----------------------------------------------------------------------------------------------------------------


def _add_cancels(a: Node, b: Node) -> Node | None:
    if b.op == "sub" and b.args[1] is a:
        return b.args[0]
    return a.args[0] if a.op == "sub" and a.args[1] is b else None


def _sub_cancels(a: Node, b: Node) -> Node | None:
    first, second = a.args
    if a.op == "add":
        return second if first is b else first if second is b else None
    return -second if first is b else None


def _cancels_sub(a: Node, b: Node) -> Node | None:
    first, second = b.args
    if b.op == "add":
        return -second if first is a else -first if second is a else None
    return second if first is a else None


def _gather(a: Node, b: Node) -> bool:
    """Whether a and the first operand of b are numbers, or of parameters only in front of what is not."""
    first = b.args[0]
    return (a.op == first.op == "const") or (a.fixed and first.fixed and not b.fixed)


def _add_gathers(a: Node, b: Node) -> Node | None:
    return binary(b.op, a + b.args[0], b.args[1]) if _gather(a, b) else None


def _sub_gathers(a: Node, b: Node) -> Node | None:
    return binary("sub" if b.op == "add" else "add", a - b.args[0], b.args[1]) if _gather(a, b) else None


def _mul_gathers(a: Node, b: Node) -> Node | None:
    return (a * b.args[0]) * b.args[1] if _gather(a, b) else None


def _weighted(node: Node) -> tuple[Node, ...]:
    """A term as weight and base, the weight a number or of parameters only."""
    return node.args if node.op == "mul" and node.args[0].fixed else (_one, node)


def _likeness(op: str) -> Callable[[Node, Node], Node | None]:
    def merge(a: Node, b: Node) -> Node | None:
        (weight_a, base_a), (weight_b, base_b) = _weighted(a), _weighted(b)
        return binary(op, weight_a, weight_b) * base_a if base_a is base_b and not base_a.fixed else None

    return merge


def _squared(product: Node) -> tuple[Node, Node] | None:
    """The sine or cosine t and the cofactor k of a product k*t*t."""
    p, q = product.args
    if p is q:
        return (p, _one) if p.op in ("sin", "cos") else None
    for single, pair in ((p, q), (q, p)):
        if pair.op == "mul":
            u, v = pair.args
            if u is v and u.op in ("sin", "cos"):
                return u, single
            if single.op in ("sin", "cos") and (u is single or v is single):
                return single, v if u is single else u
    return None


def _pythagoras(a: Node, b: Node) -> Node | None:
    first = _squared(a)
    second = _squared(b) if first is not None else None
    if first is None or second is None or first[1] is not second[1] or first[0].op == second[0].op:
        return None
    return first[1] if first[0].args[0] is second[0].args[0] else None


rule("cancel", "a + (b - a) = b", "add _ sub, add sub _", _add_cancels)
rule("cancel", "(a + b) - a = b and (a - b) - a = -b", "sub add _, sub sub _", _sub_cancels)
rule("cancel", "a - (a + b) = -b and a - (a - b) = b", "sub _ add, sub _ sub", _cancels_sub)
rule("gather", "2 + (3 + x) = 5 + x, for numbers and for parameters", "add _ add, add _ sub", _add_gathers)
rule("gather", "2 - (3 + x) = -1 - x", "sub _ add, sub _ sub", _sub_gathers)
rule("gather", "2*(3*x) = 6*x, for numbers and for parameters", "mul _ mul", _mul_gathers)
rule("like-terms", "2*x + 3*x = 5*x", "add _ mul, add mul _", _likeness("add"))
rule("like-terms", "2*x - 3*x = -x", "sub _ mul, sub mul _", _likeness("sub"))
rule("pythagoras", "k*s*s + k*c*c = k", "add mul mul", _pythagoras)


def _orient(a: Node, b: Node) -> Node | None:
    return -(b - a) if a.order > b.order else None


rule("orient", "b - a = -(a - b): of the two differences only one exists", "sub _ _", _orient)


# Quotients, roots, and choices ---------------------------------------------------------------------------------------


def _divide_by_number(a: Node, b: Node) -> Node | None:
    inverse = 1.0 / b.value if b.value else math.inf
    return inverse * a if _smallest <= abs(inverse) < math.inf else None


def _divide_by_parameter(a: Node, b: Node) -> Node | None:
    return (_one / b) * a if b.fixed and not a.fixed and b.op != "const" else None


def _root_of_square(a: Node) -> Node | None:
    return abs(a.args[0]) if a.args[0] is a.args[1] else None


def _abs_of_square(a: Node) -> Node | None:
    return a if a.op == "abs" or a.args[0] is a.args[1] else None


rule("reciprocal", "x/3 = (1/3)*x, where the reciprocal is a normal number", "div _ const", _divide_by_number)
rule("reciprocal", "x/p = (1/p)*x for a parameter p: the division is done once", "div _ _", _divide_by_parameter)
rule("square", "sqrt(x*x) = abs(x)", "sqrt mul", _root_of_square)
rule("square", "abs(x*x) = x*x, abs(abs(x)) = abs(x)", "abs mul, abs abs", _abs_of_square)
rule("square", "abs(x)*abs(x) = x*x", "mul abs abs", lambda a, b: a.args[0] * a.args[0] if a is b else None)
rule("choice", "select(1, a, b) = a", "select const _ _", lambda c, a, b: a if c.value != 0.0 else b)
rule("choice", "select(c, a, a) = a", "select _ _ _", lambda c, a, b: a if a is b else None)
