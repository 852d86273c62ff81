"""The last hand on a graph that is to be read: numbers as they were meant, constants collected, like terms added.

Nothing of this costs an operation of the states; what depends on parameters only is computed once, and may be longer
where it says more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np

from torsor.algebra.collecting import CollectedTerms, CollectedWriter
from torsor.algebra.counting import count, nodes_of
from torsor.algebra.exact import tidied
from torsor.algebra.node import Node, build, const, stacked
from torsor.algebra.walk import topological

SUMS = ("add", "sub")
_one = const(1.0)


def tidy(outputs: Mapping[str, Any], parameters: Mapping[str, Node], *, constants_only: bool = False) -> dict[str, Any]:
    """Outputs (arrays by name) that compute the same, up to the rounding of their numbers.

    ``parameters`` are all of them, in the order in which they are told. With ``constants_only`` sums of states stay as
    they are.

    >>> from torsor.algebra import parameter, symbol
    >>> m, x = parameter("m"), symbol("x")
    >>> tidy({"y": 0.0203 * 0.0203 * x + (0.5 * m - x + 0.5 * m)}, {"m": m})["y"]
    array(m - 0.99958791 * x, dtype=object)
    """
    blocks = {name: np.asarray(each, dtype=object) for name, each in outputs.items()}
    roots = nodes_of(blocks)
    steps = _numbers, lambda each: _constants(each, parameters), _like_terms, _numbers, _quotients
    for step in steps[:2] if constants_only else steps:
        made = step(roots)
        if count(made).total <= count(roots).total:
            roots = made
    found, at = {}, 0
    for name, block in blocks.items():
        found[name] = stacked(roots[at : at + block.size], block.shape)
        at += block.size
    return found


def _rebuilt(roots: list[Node], done: dict[Node, Node]) -> list[Node]:
    """Roots with some nodes replaced; numbers are left to stand as they are."""
    for node in topological(roots, done):
        done[node] = build(node.op, *[done[arg] for arg in node.args]) if node.args else node
    return [done[root] for root in roots]


def _numbers(roots: list[Node]) -> list[Node]:
    numbers = {node: const(tidied(node.value)) for node in topological(roots) if node.op == "const"}
    return _rebuilt(roots, numbers)


def _constants(roots: list[Node], parameters: Mapping[str, Node]) -> list[Node]:
    """What depends on parameters only and enters the rest, as polynomials that are written anew."""
    nodes = topological(roots)
    entering = [root for root in roots if root.fixed]
    entering += [arg for node in nodes if not node.fixed for arg in node.args if arg.fixed]
    polynomial = CollectedTerms()
    written = CollectedWriter(parameters, polynomial.inverses)
    done: dict[Node, Node] = {}
    for node in dict.fromkeys(each for each in entering if each.args):
        made = polynomial(node)
        if made is not None and polynomial.is_plain(made):  # others have too many digits written out
            done[node] = written(made)
    return _rebuilt(roots, done)


def _like_terms(roots: list[Node]) -> list[Node]:
    """x - y - y is x - 2 y, and of y = 0.2 z that nothing else needs, x - 0.4 z."""
    nodes = topological(roots)
    uses = Counter(arg for node in nodes for arg in node.args)
    uses.update(roots)
    inner = {arg for node in nodes if node.op in SUMS for arg in node.args if arg.op in SUMS and uses[arg] == 1}
    whole = {node: _terms(node, uses) for node in nodes if node.op in SUMS and node not in inner and not node.fixed}
    done: dict[Node, Node] = {}
    for node in nodes:
        terms = whole.get(node, [])
        if len({base for _, base in terms}) < len(terms):
            done[node] = _collected(terms, done)
        else:
            done[node] = build(node.op, *[done[arg] for arg in node.args]) if node.args else node
    return [done[root] for root in roots]


def _quotients(roots: list[Node]) -> list[Node]:
    """a*(1/b) is a/b, where nothing else needs 1/b."""
    nodes = topological(roots)
    uses = Counter(arg for node in nodes for arg in node.args)
    uses.update(roots)
    done: dict[Node, Node] = {}
    for node in nodes:
        over = [arg for arg in node.args if arg.op == "div" and uses[arg] == 1 and arg.args[0] is _one]
        if node.op == "mul" and len(over) == 1 and not node.fixed:
            (other,) = (arg for arg in node.args if arg is not over[0])
            done[node] = build("div", done[other], done[over[0].args[1]])
        else:
            done[node] = build(node.op, *[done[arg] for arg in node.args]) if node.args else node
    return [done[root] for root in roots]


def _terms(root: Node, uses: Counter[Node]) -> list[tuple[float, Node]]:
    """The terms of a sum, those of the sums that only it uses among them, each a number times a node."""
    found: list[tuple[float, Node]] = []
    stack = [(1.0, root)]
    while stack:
        sign, node = stack.pop()
        if node.op in SUMS and (node is root or uses[node] == 1):
            stack.append((-sign if node.op == "sub" else sign, node.args[1]))
            stack.append((sign, node.args[0]))
        elif node.op == "neg":
            stack.append((-sign, node.args[0]))
        else:
            found.append((sign, node))
    own = Counter(node for _, node in found)
    scaled = {n for n in own if n.op == "mul" and n.args[0].op == "const" and uses[n] == own[n]}
    return [(sign * n.args[0].value, n.args[1]) if n in scaled else (sign, n) for sign, n in found]


def _collected(terms: list[tuple[float, Node]], again: Mapping[Node, Node]) -> Node:
    factors: dict[Node, float] = {}
    for factor, node in terms:
        factors[node] = factors.get(node, 0.0) + factor
    total = const(0.0)
    for node, factor in factors.items():
        total = total + const(tidied(factor)) * again[node]
    return total
