"""Derivatives on the graph, forward and reverse, with shared parts kept shared.

Piecewise operations are differentiated branch by branch: d select(c, a, b) = select(c, da, db), also in reverse, where
the choice is carried along, so that an infinite slope in the branch not taken does no harm. At a kink the slope of one
side is given: abs has 0 at 0, min and max take their first argument where both are equal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Literal

import numpy as np

from torsor.algebra.counting import count, nodes_of
from torsor.algebra.node import Node, Objects, binary, choose, const, stacked, unary
from torsor.algebra.walk import collector_paused, topological
from torsor.errors import CompileError, ShapeError

_zero, _half, _one = const(0.0), const(0.5), const(1.0)

Mode = Literal["auto", "forward", "reverse"]


def _times(factor: Node, slope: Node) -> Node:
    """factor * slope; the choices in a factor stay outside, since 0 * inf of the branch not taken would be NaN."""
    if slope is _zero or factor is _zero:
        return _zero
    if factor.op == "select":
        condition, then, otherwise = factor.args
        if otherwise is _zero or then is _zero:
            return choose(condition, _times(then, slope), _times(otherwise, slope))
    elif factor.op == "neg" and factor.args[0].op == "select":
        return unary("neg", _times(factor.args[0], slope))
    return binary("mul", factor, slope)


def _slopes_div(node: Node, a: Node, b: Node) -> tuple[Any, ...]:
    inverse = _one / b
    return inverse, -(node * inverse)


def _slopes_atan2(node: Node, y: Node, x: Node) -> tuple[Any, ...]:
    inverse = _one / (x * x + y * y)
    return x * inverse, -(y * inverse)


# the partial derivatives of smooth operations with respect to their arguments; sign, floor and comparisons are flat
_slopes: dict[str, Callable[..., tuple[Any, ...]]] = {
    "add": lambda node, a, b: (_one, _one),
    "sub": lambda node, a, b: (_one, const(-1.0)),
    "mul": lambda node, a, b: (b, a),
    "div": _slopes_div,
    "neg": lambda node, a: (const(-1.0),),
    "sqrt": lambda node, a: (_half / node,),
    "sin": lambda node, a: (a.cos(),),
    "cos": lambda node, a: (-a.sin(),),
    "exp": lambda node, a: (node,),
    "abs": lambda node, a: (a.sign(),),
    "atan2": _slopes_atan2,
}


def _sloped(node: Node) -> Iterable[tuple[Node, Node]]:
    """The arguments of a smooth operation, each with the slope along it."""
    return zip(node.args, _slopes[node.op](node, *node.args), strict=True) if node.op in _slopes else ()


def _branches(node: Node) -> tuple[Node, int, int] | None:
    """Of a piecewise operation: the condition, and which arguments are taken where it holds and where it does not."""
    if node.op == "select":
        return node.args[0], 1, 2
    if node.op == "min":
        return binary("le", node.args[0], node.args[1]), 0, 1
    if node.op == "max":
        return binary("le", node.args[1], node.args[0]), 0, 1
    return None


def _active(roots: list[Node], variables: dict[Node, int]) -> list[Node]:
    """The nodes between variables and roots, each after its arguments."""
    depends = set(variables)
    nodes = []
    for node in topological(roots):
        if node in variables:
            continue
        if any(arg in depends for arg in node.args):
            depends.add(node)
            nodes.append(node)
    return nodes


def _forward(roots: list[Node], seeds: dict[Node, dict[int, Node]]) -> list[dict[int, Node]]:
    """Tangents of the roots, each a sparse row, from the tangents of the variables."""
    tangents: dict[Node, dict[int, Node]] = dict(seeds)
    none: dict[int, Node] = {}
    for node in _active(roots, dict.fromkeys(seeds, 0)):
        row: dict[int, Node] = {}
        pieces = _branches(node)
        if pieces is not None:
            condition, then, otherwise = pieces
            left, right = tangents.get(node.args[then], none), tangents.get(node.args[otherwise], none)
            for k in {**left, **right}:
                row[k] = choose(condition, left.get(k, _zero), right.get(k, _zero))
        else:
            for arg, slope in _sloped(node):
                if slope is _zero:
                    continue
                for k, tangent in tangents.get(arg, none).items():
                    term = _times(tangent, slope)
                    before = row.get(k)
                    row[k] = term if before is None else binary("add", before, term)
        tangents[node] = {k: tangent for k, tangent in row.items() if tangent is not _zero}
    return [tangents.get(root, none) for root in roots]


def _reverse(
    roots: list[Node], weights: list[Node], variables: dict[Node, int], nodes: list[Node], live: set[Node]
) -> dict[int, Node]:
    """Adjoints of the variables from the weights of the roots; ``live`` are the nodes between, and the variables."""
    adjoints: dict[Node, Node] = {}

    def give(node: Node, share: Node) -> None:
        if node in live and share is not _zero:
            before = adjoints.get(node)
            adjoints[node] = share if before is None else binary("add", before, share)

    for root, weight in zip(roots, weights, strict=True):
        give(root, weight)
    for node in reversed(nodes):
        adjoint = adjoints.get(node)
        if adjoint is None:
            continue
        pieces = _branches(node)
        if pieces is not None:
            condition, then, otherwise = pieces
            give(node.args[then], choose(condition, adjoint, _zero))
            give(node.args[otherwise], choose(condition, _zero, adjoint))
        else:
            for arg, slope in _sloped(node):
                if arg in live:
                    give(arg, _times(adjoint, slope))
    return {k: adjoints[variable] for variable, k in variables.items() if variable in adjoints}


def _variables(inputs: Any) -> dict[Node, int]:
    variables = {node: k for k, node in enumerate(nodes_of(inputs))}
    if len(variables) != len(nodes_of(inputs)):
        raise CompileError("a variable is given twice", hint="differentiate with respect to each symbol once")
    return variables


def jacobian(outputs: Any, inputs: Any, mode: Mode = "auto") -> Objects:
    """All derivatives d outputs / d inputs, of the shape of the outputs followed by that of the inputs.

    "auto" derives forward and in reverse and keeps what costs less together with the outputs. The inputs are usually
    symbols; another node is taken as a variable of its own.

    >>> from torsor.algebra import symbols
    >>> x = symbols("x", 2)
    >>> jacobian(np.array([x[0] * x[1], np.sin(x[0])]), x)
    array([[x[1], x[0]],
           [cos(x[0]), 0]], dtype=object)
    """
    modes: dict[str, Callable[[list[Node], dict[Node, int]], Objects]] = {"forward": _by_columns, "reverse": _by_rows}
    roots, variables = nodes_of(outputs), _variables(inputs)
    if mode != "auto" and mode not in modes:
        raise CompileError(f"no mode {mode!r}", hint="known: auto, forward, reverse")
    with collector_paused():
        tried = [derive(roots, variables) for name, derive in modes.items() if mode in (name, "auto")]
        best = min(tried, key=lambda each: count([roots, each]).work) if len(tried) > 1 else tried[0]
    return best.reshape(np.shape(outputs) + np.shape(inputs))


def _by_columns(roots: list[Node], variables: dict[Node, int]) -> Objects:
    return _filled(_forward(roots, {variable: {k: _one} for variable, k in variables.items()}), variables)


def _by_rows(roots: list[Node], variables: dict[Node, int]) -> Objects:
    nodes = _active(roots, variables)
    live = {*nodes, *variables}
    return _filled([_reverse([root], [_one], variables, nodes, live) for root in roots], variables)


def _filled(rows: list[dict[int, Node]], variables: dict[Node, int]) -> Objects:
    return stacked([row.get(k, _zero) for row in rows for k in range(len(variables))], (len(rows), len(variables)))


def directional(outputs: Any, inputs: Any, direction: Any) -> Any:
    """The derivative of the outputs along a direction of the inputs, J @ direction, without forming J.

    >>> from torsor.algebra import symbol
    >>> x, v = symbol("x"), symbol("v")
    >>> directional(x * x, x, v)
    2 * v * x
    """
    roots, variables, along = nodes_of(outputs), _variables(inputs), nodes_of(direction)
    if len(along) != len(variables):
        raise ShapeError(f"{len(along)} directions for {len(variables)} inputs")
    rows = _forward(roots, {variable: {0: along[k]} for variable, k in variables.items()})
    return _shaped([row.get(0, _zero) for row in rows], outputs)


def adjoint(outputs: Any, inputs: Any, weights: Any) -> Any:
    """The gradient of the weighted sum of the outputs, weights @ J, without forming J.

    >>> from torsor.algebra import symbols
    >>> x = symbols("x", 2)
    >>> adjoint(x[0] * x[1], x, 1)
    array([x[1], x[0]], dtype=object)
    """
    roots, variables, weighted = nodes_of(outputs), _variables(inputs), nodes_of(weights)
    if len(weighted) != len(roots):
        raise ShapeError(f"{len(weighted)} weights for {len(roots)} outputs")
    nodes = _active(roots, variables)
    row = _reverse(roots, weighted, variables, nodes, {*nodes, *variables})
    return _shaped([row.get(k, _zero) for k in range(len(variables))], inputs)


def _shaped(nodes: list[Node], like: Any) -> Any:
    return stacked(nodes, np.shape(like)) if np.shape(like) else nodes[0]
