"""A graph seen as sums of products with any number of terms and factors, the form in which factoring is done.

Every row is a sum of signed products of literals. A literal is a number, a symbol, a value of another operation, or
another row. What is used once is opened into the row that uses it; what is used more often stays a literal of its own,
since breaking it up is not free.

Numbers that differ by the order alone in which they were rounded are one: of two that are ``NEAR`` the one that was met
first stands for both. What is met first follows from the graph.
"""

from __future__ import annotations

import math
from bisect import bisect_left, insort
from collections.abc import Iterable

from torsor.algebra.node import Node, binary, build, const, unary
from torsor.algebra.walk import postorder, topological

Literals = tuple[int, ...]  # sorted; a square holds its literal twice
Term = tuple[int, Literals]  # sign and factors; no factors stand for 1

_linear = frozenset(("add", "sub", "neg", "mul"))
_one = const(1.0)
NEAR = 1e-14  # of a number: fifty roundings; nobody knows a length or an inertia so well


def rounded(weight: float, largest: float) -> float:
    """What is left of numbers up to ``largest`` that were added: 0 if that is rounding, 1 if it is 1 but for that."""
    if abs(weight) <= NEAR * largest:
        return 0.0
    return math.copysign(1.0, weight) if abs(abs(weight) - 1.0) <= NEAR else weight


class Sums:
    """Rows of terms over numbered literals; see the module. ``rows`` may be changed freely between the two ends."""

    def __init__(self, roots: list[Node]) -> None:
        self.leaves: dict[int, Node] = {}  # numbers, symbols and what depends on parameters only
        self.calls: dict[int, tuple[str, list[Term]]] = {}  # other operations on signed literals
        self.rows: dict[int, list[Term]] = {}
        self.numbers: dict[float, int] = {}
        self._rising: list[float] = []  # the same numbers, sorted
        self.size = 0
        self._of: dict[Node, int] = {}  # literal of a node that has one
        self._views: dict[Node, list[Term]] = {}
        nodes = topological(roots)
        self._shared = _shared(nodes, roots)
        for node in nodes:
            self._views[node] = self._view(node)
        self.roots = [self._signed(root) for root in roots]
        del self._views, self._of, self._shared

    # From the graph ---------------------------------------------------------------------------------------------------

    def literal(self) -> int:
        """A new literal."""
        self.size += 1
        return self.size - 1

    def number(self, value: float) -> int:
        """The literal of a number other than 1 and -1."""
        found = self.numbers.get(value)
        if found is None:
            at = bisect_left(self._rising, value * (1.0 - NEAR))
            if at < len(self._rising) and self._rising[at] <= value * (1.0 + NEAR) < math.inf:
                return self.numbers[self._rising[at]]
            insort(self._rising, value)
            found = self.numbers[value] = self.literal()
            self.leaves[found] = const(value)
        return found

    def value(self, literal: int) -> float | None:
        """The number a literal stands for, if it is one."""
        node = self.leaves.get(literal)
        return node.value if node is not None and node.op == "const" else None

    def _view(self, node: Node) -> list[Term]:
        """A node as terms, as seen by a node that uses it."""
        if node.op == "const":
            return self._constant(node.value)
        if node.fixed or not node.args:
            literal = self.literal()
            self.leaves[literal] = node
            return [(1, (literal,))]
        if node.op == "neg":
            return [(-sign, factors) for sign, factors in self._views[node.args[0]]]
        if node.op not in _linear:
            literal = self.literal()
            self.calls[literal] = (node.op, [self._signed(arg) for arg in node.args])
            return [(1, (literal,))]
        if node.op == "mul":
            sign, factors = self._product(node)
            terms = [(sign, factors)]
        else:
            left, right = (self._views[arg] for arg in node.args)
            turn = -1 if node.op == "sub" else 1
            terms = [*left, *((turn * sign, factors) for sign, factors in right)]
        if node not in self._shared or (len(terms) == 1 and len(terms[0][1]) == 1):
            return terms
        literal = self._of[node] = self.literal()
        self.rows[literal] = terms
        return [(1, (literal,))]

    def _constant(self, value: float) -> list[Term]:
        if value == 0.0:
            return []
        sign = -1 if value < 0.0 else 1
        return [(sign, () if abs(value) == 1.0 else (self.number(abs(value)),))]

    def _product(self, node: Node) -> Term:
        sign = 1
        factors: list[int] = []
        for arg in node.args:
            turn, more = self._signed(arg, open_products=True)
            sign *= turn
            factors += more
        return self.product(sign, factors)

    def weighed(self, term: Term) -> tuple[float, Literals]:
        """The number in front of a term, with its sign, and its other factors."""
        sign, factors = term
        for literal in factors:
            value = self.value(literal)
            if value is not None:
                return sign * value, tuple(f for f in factors if f != literal)
        return float(sign), factors

    def term(self, weight: float, factors: Literals) -> Term:
        """A term of factors that are no numbers, and of the number in front."""
        number = () if abs(weight) == 1.0 else (self.number(abs(weight)),)
        return (-1 if weight < 0.0 else 1), tuple(sorted((*number, *factors)))

    def product(self, sign: int, factors: Iterable[int]) -> Term:
        """A term of these factors, its numbers multiplied into one."""
        numbers: list[int] = []
        rest: list[int] = []
        for literal in factors:
            (rest if self.value(literal) is None else numbers).append(literal)
        if len(numbers) > 1:
            value = 1.0
            for literal in numbers:
                value *= self.leaves[literal].value
            numbers = [] if rounded(value, value) == 1.0 else [self.number(value)]
        return sign, tuple(sorted(numbers + rest))

    def _signed(self, node: Node, *, open_products: bool = False) -> Term:
        """A node as one signed literal (or as the product it is); a sum gets a row of its own."""
        terms = self._views[node]
        if len(terms) == 1 and (open_products or len(terms[0][1]) <= 1):
            return terms[0]
        if node in self._of:
            return 1, (self._of[node],)
        if not terms:
            return 1, (self.number(0.0),)
        literal = self._of[node] = self.literal()
        self.rows[literal] = terms
        return 1, (literal,)

    # Back to a graph --------------------------------------------------------------------------------------------------

    def nodes(self) -> list[Node]:
        """The roots as nodes again, built by the local rules."""
        built: dict[int, Node] = dict(self.leaves)

        def terms_of(literal: int) -> list[Term]:
            return self.calls[literal][1] if literal in self.calls else self.rows[literal]

        def below(literal: int) -> list[int]:
            return [f for _, factors in terms_of(literal) for f in factors][::-1]

        for literal in postorder([f for _, factors in self.roots for f in factors][::-1], below, self.leaves):
            terms = terms_of(literal)
            if literal in self.calls:
                args = [self._multiplied(term, built, signed=True) for term in terms]
                built[literal] = build(self.calls[literal][0], *args)
            else:
                built[literal] = self._added(terms, built)
        return [self._multiplied(term, built, signed=True) for term in self.roots]

    def _multiplied(self, term: Term, built: dict[int, Node], *, signed: bool = False) -> Node:
        sign, factors = term
        steady = varying = None
        for literal in factors:
            node = built[literal]
            if node.fixed:
                steady = node if steady is None else binary("mul", steady, node)
            else:
                varying = node if varying is None else binary("mul", varying, node)
        product = varying if varying is not None else _one
        if steady is not None:
            product = binary("mul", steady, product)
        return unary("neg", product) if signed and sign < 0 else product

    def _added(self, terms: list[Term], built: dict[int, Node]) -> Node:
        """Terms on parameters only come first, so that they are one; a positive term leads, so that no sign is left."""
        parts = [(sign, self._multiplied((sign, factors), built)) for sign, factors in terms]
        parts.sort(key=lambda part: (not part[1].fixed, part[0] < 0))
        total = None
        for sign, node in parts:
            if total is None:
                total = node if sign > 0 else unary("neg", node)
            else:
                total = binary("add" if sign > 0 else "sub", total, node)
        return const(0.0) if total is None else total


def _shared(nodes: list[Node], roots: list[Node]) -> set[Node]:
    """Nodes used more than once; a negation counts as a use of what it negates."""
    uses: dict[Node, int] = dict.fromkeys(nodes, 0)
    for node in nodes:
        for arg in node.args:
            uses[arg] += 1
    for root in roots:
        uses[root] += 1
    for node in reversed(nodes):
        if node.op == "neg" and uses[node] > 1:
            uses[node.args[0]] += 1
    return {node for node, number in uses.items() if number > 1}
