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
        rule("constants", "an operation on numbers is a number", _shape)(_folding(_row.name, _compute))


@rule("zero", "0 + x = x", "add const _")
def _add_zero(a: Node, b: Node) -> Node | None:
    return b if a.value == 0.0 else None


@rule("zero", "0 - x = -x", "sub const _")
def _zero_sub(a: Node, b: Node) -> Node | None:
    return unary("neg", b) if a.value == 0.0 else None


@rule("zero", "x - 0 = x", "sub _ const")
def _sub_zero(a: Node, b: Node) -> Node | None:
    return a if b.value == 0.0 else None


@rule("zero", "0*x = 0 and 0/x = 0", "mul const _", "div const _")
def _mul_zero(a: Node, b: Node) -> Node | None:
    return a if a.value == 0.0 else None


@rule("same", "x - x = 0", "sub same")
def _sub_same(a: Node, b: Node) -> Node | None:
    return _zero


@rule("same", "x + x = 2*x", "add same")
def _add_same(a: Node, b: Node) -> Node | None:
    return binary("mul", const(2.0), a)


@rule("same", "min(x, x) = max(x, x) = x", "min same", "max same")
def _extreme_same(a: Node, b: Node) -> Node | None:
    return a


@rule("same", "x < x is false", "lt same")
def _less_same(a: Node, b: Node) -> Node | None:
    return _zero


@rule("one", "1*x = x", "mul const _")
def _mul_one(a: Node, b: Node) -> Node | None:
    return b if a.value == 1.0 else None


# Signs move outwards -------------------------------------------------------------------------------------------------


@rule("sign", "-(-x) = x", "neg neg")
def _neg_neg(a: Node) -> Node | None:
    return a.args[0]


@rule("sign", "a + (-b) = a - b", "add _ neg", "add neg _")
def _add_neg(a: Node, b: Node) -> Node | None:
    if a.op == "neg":
        if b.op == "neg":
            return unary("neg", binary("add", a.args[0], b.args[0]))
        return binary("sub", b, a.args[0])
    return binary("sub", a, b.args[0])


@rule("sign", "a - (-b) = a + b", "sub _ neg", "sub neg _")
def _sub_neg(a: Node, b: Node) -> Node | None:
    if a.op == "neg":
        if b.op == "neg":
            return binary("sub", b.args[0], a.args[0])
        return unary("neg", binary("add", a.args[0], b))
    return binary("add", a, b.args[0])


def _outwards(op: str) -> Callable[[Node, Node], Node | None]:
    def outwards(a: Node, b: Node) -> Node | None:
        if a.op == "neg":
            return binary(op, a.args[0], b.args[0]) if b.op == "neg" else unary("neg", binary(op, a.args[0], b))
        return unary("neg", binary(op, a, b.args[0]))

    return outwards


rule("sign", "(-a)*b = -(a*b)", "mul _ neg", "mul neg _")(_outwards("mul"))
rule("sign", "(-a)/b = -(a/b)", "div _ neg", "div neg _")(_outwards("div"))


@rule("sign", "(-3)*a = -(3*a)", "mul const _")
def _negative_mul(a: Node, b: Node) -> Node | None:
    return unary("neg", binary("mul", const(-a.value), b)) if a.value < 0.0 else None


@rule("sign", "(-3)/a = -(3/a)", "div const _")
def _negative_div(a: Node, b: Node) -> Node | None:
    return unary("neg", binary("div", const(-a.value), b)) if a.value < 0.0 else None


@rule("sign", "a + (-3) = a - 3", "add const _")
def _add_negative(a: Node, b: Node) -> Node | None:
    return binary("sub", b, const(-a.value)) if a.value < 0.0 else None


@rule("sign", "(-3) - a = -(3 + a)", "sub const _")
def _negative_sub(a: Node, b: Node) -> Node | None:
    return unary("neg", binary("add", const(-a.value), b)) if a.value < 0.0 else None


@rule("sign", "a - (-3) = a + 3", "sub _ const")
def _sub_negative(a: Node, b: Node) -> Node | None:
    return binary("add", a, const(-b.value)) if b.value < 0.0 else None


@rule("sign", "sin(-x) = -sin(x), sign(-x) = -sign(x)", "sin neg")
def _sin_neg(a: Node) -> Node | None:
    return unary("neg", unary("sin", a.args[0]))


@rule("sign", "sign(-x) = -sign(x)", "sign neg")
def _sign_neg(a: Node) -> Node | None:
    return unary("neg", unary("sign", a.args[0]))


@rule("sign", "cos(-x) = cos(x)", "cos neg")
def _cos_neg(a: Node) -> Node | None:
    return unary("cos", a.args[0])


@rule("sign", "abs(-x) = abs(x)", "abs neg")
def _abs_neg(a: Node) -> Node | None:
    return unary("abs", a.args[0])


@rule("sign", "min(-a, -b) = -max(a, b)", "min neg neg")
def _min_neg(a: Node, b: Node) -> Node | None:
    return unary("neg", binary("max", a.args[0], b.args[0]))


@rule("sign", "max(-a, -b) = -min(a, b)", "max neg neg")
def _max_neg(a: Node, b: Node) -> Node | None:
    return unary("neg", binary("min", a.args[0], b.args[0]))


@rule("sign", "(-a < -b) = (b < a)", "lt neg neg")
def _less_neg(a: Node, b: Node) -> Node | None:
    return binary("lt", b.args[0], a.args[0])


@rule("sign", "(-a <= -b) = (b <= a)", "le neg neg")
def _at_most_neg(a: Node, b: Node) -> Node | None:
    return binary("le", b.args[0], a.args[0])


@rule("sign", "select(c, -a, -b) = -select(c, a, b)", "select _ neg neg")
def _select_neg(condition: Node, then: Node, otherwise: Node) -> Node | None:
    return unary("neg", choose(condition, then.args[0], otherwise.args[0]))


# Sums ----------------------------------------------------------------------------------------------------------------


@rule("cancel", "a + (b - a) = b", "add _ sub", "add sub _")
def _add_cancels(a: Node, b: Node) -> Node | None:
    if b.op == "sub" and b.args[1] is a:
        return b.args[0]
    if a.op == "sub" and a.args[1] is b:
        return a.args[0]
    return None


@rule("cancel", "(a + b) - a = b and (a - b) - a = -b", "sub add _", "sub sub _")
def _sub_cancels(a: Node, b: Node) -> Node | None:
    first, second = a.args
    if a.op == "add":
        return second if first is b else first if second is b else None
    return unary("neg", second) if first is b else None


@rule("cancel", "a - (a + b) = -b and a - (a - b) = b", "sub _ add", "sub _ sub")
def _cancels_sub(a: Node, b: Node) -> Node | None:
    first, second = b.args
    if b.op == "add":
        return unary("neg", second) if first is a else unary("neg", first) if second is a else None
    return second if first is a else None


def _gather(a: Node, b: Node) -> bool:
    """Whether a and the first operand of b are numbers, or of parameters only in front of what is not."""
    first = b.args[0]
    return (a.op == first.op == "const") or (a.fixed and first.fixed and not b.fixed)


@rule("gather", "2 + (3 + x) = 5 + x, for numbers and for parameters", "add _ add", "add _ sub")
def _add_gathers(a: Node, b: Node) -> Node | None:
    if _gather(a, b):
        return binary(b.op, binary("add", a, b.args[0]), b.args[1])
    return None


@rule("gather", "2 - (3 + x) = -1 - x", "sub _ add", "sub _ sub")
def _sub_gathers(a: Node, b: Node) -> Node | None:
    if _gather(a, b):
        return binary("sub" if b.op == "add" else "add", binary("sub", a, b.args[0]), b.args[1])
    return None


@rule("gather", "2*(3*x) = 6*x, for numbers and for parameters", "mul _ mul")
def _mul_gathers(a: Node, b: Node) -> Node | None:
    if _gather(a, b):
        return binary("mul", binary("mul", a, b.args[0]), b.args[1])
    return None


def _weighted(node: Node) -> tuple[Node, Node]:
    """A term as weight and base, the weight a number or of parameters only."""
    if node.op == "mul" and node.args[0].fixed:
        return node.args[0], node.args[1]
    return _one, node


def _likeness(op: str) -> Callable[[Node, Node], Node | None]:
    def merge(a: Node, b: Node) -> Node | None:
        (weight_a, base_a), (weight_b, base_b) = _weighted(a), _weighted(b)
        if base_a is base_b and not base_a.fixed:
            return binary("mul", binary(op, weight_a, weight_b), base_a)
        return None

    return merge


rule("like-terms", "2*x + 3*x = 5*x", "add _ mul", "add mul _")(_likeness("add"))
rule("like-terms", "2*x - 3*x = -x", "sub _ mul", "sub mul _")(_likeness("sub"))


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
            if single.op in ("sin", "cos"):
                if u is single:
                    return single, v
                if v is single:
                    return single, u
    return None


@rule("pythagoras", "k*s*s + k*c*c = k", "add mul mul")
def _pythagoras(a: Node, b: Node) -> Node | None:
    first = _squared(a)
    if first is None:
        return None
    second = _squared(b)
    if second is None or first[1] is not second[1] or first[0].op == second[0].op:
        return None
    return first[1] if first[0].args[0] is second[0].args[0] else None


@rule("orient", "b - a = -(a - b): of the two differences only one exists", "sub _ _")
def _orient(a: Node, b: Node) -> Node | None:
    return unary("neg", binary("sub", b, a)) if a.order > b.order else None


# Quotients, roots, and choices ---------------------------------------------------------------------------------------


@rule("reciprocal", "x/3 = (1/3)*x, where the reciprocal is a normal number", "div _ const")
def _divide_by_number(a: Node, b: Node) -> Node | None:
    if b.value == 0.0:
        return None
    inverse = 1.0 / b.value
    return binary("mul", const(inverse), a) if _smallest <= abs(inverse) < math.inf else None


@rule("reciprocal", "x/p = (1/p)*x for a parameter p: the division is done once", "div _ _")
def _divide_by_parameter(a: Node, b: Node) -> Node | None:
    if b.fixed and not a.fixed and b.op != "const":
        return binary("mul", binary("div", _one, b), a)
    return None


@rule("square", "sqrt(x*x) = abs(x)", "sqrt mul")
def _root_of_square(a: Node) -> Node | None:
    return unary("abs", a.args[0]) if a.args[0] is a.args[1] else None


@rule("square", "abs(x*x) = x*x, abs(abs(x)) = abs(x)", "abs mul", "abs abs")
def _abs_of_square(a: Node) -> Node | None:
    return a if a.op == "abs" or a.args[0] is a.args[1] else None


@rule("square", "abs(x)*abs(x) = x*x", "mul abs abs")
def _square_of_abs(a: Node, b: Node) -> Node | None:
    return binary("mul", a.args[0], a.args[0]) if a is b else None


@rule("choice", "select(1, a, b) = a", "select const _ _")
def _select_known(condition: Node, then: Node, otherwise: Node) -> Node | None:
    return then if condition.value != 0.0 else otherwise


@rule("choice", "select(c, a, a) = a", "select _ _ _")
def _select_same(condition: Node, then: Node, otherwise: Node) -> Node | None:
    return then if then is otherwise else None
