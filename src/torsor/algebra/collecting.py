"""What depends on parameters only, as polynomials with exact coefficients: like terms collected, equal ones the same.

A polynomial is written as a person would: a parameter that enters once, as masses do, is taken out, m2*(a1 + rx1)^2,
and parameters with the same factor are added first, 0.0934*(m4 + m5). One over a polynomial is a variable like others,
but for that it cancels: what is divided by I2 + m2*r^2, and is a multiple of it, is not divided.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import gcd

from torsor.algebra.exact import exact
from torsor.algebra.node import Node, build, const
from torsor.algebra.walk import topological

Monomial = tuple[tuple[str, int], ...]  # names and powers, by name
Polynomial = dict[Monomial, Fraction]
ONE: Monomial = ()
MOST = 120  # terms: longer ones stay as they were computed
LONGEST_DIVISOR = 24  # terms
INVERSE = "1/"  # no parameter is called so


class CollectedTerms:
    """The polynomials of nodes, remembered; None where a node is none, or has no exact numbers."""

    def __init__(self) -> None:
        self.known: dict[Node, Polynomial | None] = {}
        self.inverses: dict[str, Polynomial] = {}  # "1/0" stands for one over the first polynomial that divides

    def __call__(self, root: Node) -> Polynomial | None:
        for node in topological([root], self.known):
            self.known[node] = self._of(node)
        return self.known[root]

    def _of(self, node: Node) -> Polynomial | None:
        if node.op == "const":
            number = exact(node.value)
            return None if number is None else {ONE: number} if number else {}
        if node.op == "parameter":
            return {((node.name, 1),): Fraction(1)}
        args = [self.known[arg] for arg in node.args]
        a, b = args[0] if args else None, args[-1] if args else None
        if a is None or b is None or node.op not in ("add", "sub", "neg", "mul", "div"):
            return None
        if node.op in ("add", "sub"):
            made = combined(a, b, -1 if node.op == "sub" else 1)
        elif node.op == "neg":
            made = {term: -factor for term, factor in a.items()}
        elif node.op == "mul":
            made = multiplied(a, b)
        elif set(b) == {ONE}:
            made = {term: factor / b[ONE] for term, factor in a.items()}
        elif b and len(b) <= LONGEST_DIVISOR:
            made = multiplied(a, self._inverse(b))
        else:
            return None
        made = self._cancelled(made)
        return made if len(made) <= MOST else None

    def is_plain(self, of: Polynomial) -> bool:
        """Whether all its numbers can be told, those that divide among them."""
        divisors = [self.inverses[name] for name in {name for term in of for name, _ in term} if name in self.inverses]
        return all(map(plain, of.values())) and all(map(self.is_plain, divisors))

    def _inverse(self, of: Polynomial) -> Polynomial:
        """One over a polynomial; over a multiple of it, a share of the same."""
        number = _common(of.values()) * (1 if of[min(of)] > 0 else -1)
        bare = {term: factor / number for term, factor in of.items()}
        name = next((name for name, known in self.inverses.items() if known == bare), None)
        if name is None:
            name = f"{INVERSE}{len(self.inverses)}"
            self.inverses[name] = bare
        return {((name, 1),): 1 / number}

    def _cancelled(self, of: Polynomial) -> Polynomial:
        """Without divisions that leave nothing over."""
        for name in sorted({name for term in of for name, _ in term if name in self.inverses}):
            over = {_joined(term, ((name, 1),), -1): f for term, f in of.items() if name in dict(term)}
            whole = divided(over, self.inverses[name])
            if whole is not None:
                rest = {term: f for term, f in of.items() if name not in dict(term)}
                return self._cancelled(combined(rest, whole))
        return of


def divided(of: Polynomial, by: Polynomial) -> Polynomial | None:
    """The quotient, where nothing is left over; by the terms that are last in the order of their names and powers.

    >>> x, y = (("x", 1),), (("y", 1),)
    >>> divided({(("x", 2),): Fraction(1), (("y", 2),): Fraction(-1)}, {x: Fraction(1), y: Fraction(1)})
    {(('x', 1),): Fraction(1, 1), (('y', 1),): Fraction(-1, 1)}
    """
    names = sorted({name for term in (*of, *by) for name, _ in term})

    def place(term: Monomial) -> tuple[int, ...]:
        powers = dict(term)
        return tuple(powers.get(name, 0) for name in names)

    last, rest = max(by, key=place), of
    found: Polynomial = {}
    while rest and len(found) <= MOST:
        lead = max(rest, key=place)
        term, factor = _joined(lead, last, -1), rest[lead] / by[last]
        if any(power < 0 for _, power in term):
            return None
        found[term] = factor
        rest = combined(rest, multiplied({term: factor}, by), -1)
    return found if not rest else None


def combined(a: Polynomial, b: Polynomial, sign: int = 1) -> Polynomial:
    found = dict(a)
    for term, factor in b.items():
        found[term] = found.get(term, Fraction(0)) + sign * factor
    return {term: factor for term, factor in found.items() if factor}


def multiplied(a: Polynomial, b: Polynomial) -> Polynomial:
    found: Polynomial = {}
    for one, x in a.items():
        for other, y in b.items():
            term = _joined(one, other)
            found[term] = found.get(term, Fraction(0)) + x * y
    return {term: factor for term, factor in found.items() if factor}


def _joined(a: Monomial, b: Monomial, sign: int = 1) -> Monomial:
    powers = dict(a)
    for name, power in b:
        powers[name] = powers.get(name, 0) + sign * power
    return tuple(sorted((name, power) for name, power in powers.items() if power))


class CollectedWriter:
    """CollectedTerms as nodes again; ``order`` lists the parameters as they are told, ``inverses`` what divides."""

    def __init__(self, order: Mapping[str, Node], inverses: Mapping[str, Polynomial] | None = None) -> None:
        self.order = {name: k for k, name in enumerate(order)}
        self.nodes = dict(order)
        self.inverses = {} if inverses is None else inverses
        self.done: dict[frozenset[tuple[Monomial, Fraction]], tuple[Fraction, Node]] = {}

    def __call__(self, of: Polynomial) -> Node:
        """A multiple of a polynomial that was written before is that multiple of it."""
        if not of:
            return const(0.0)
        for name in sorted({name for term in of for name, _ in term if name not in self.order}):
            below = self(self.inverses[name])  # which may know others
            self.order[name] = len(self.order)
            self.nodes[name] = build("div", const(1.0), below)
        over = tuple((name, power) for name, power in _shared(of) if name in self.inverses)
        if over:
            return self._monomial(over, self({_joined(term, over, -1): factor for term, factor in of.items()}))
        lead = of[min(of, key=self._place)]
        key = frozenset((term, factor / lead) for term, factor in of.items())
        before, node = self.done.get(key, (lead, None))
        if node is None or not plain(lead / before):
            before, node = lead, self._written(of)
            self.done.setdefault(key, (before, node))
        return _scaled(lead / before, node)

    def _place(self, term: Monomial) -> tuple[tuple[int, int], ...]:
        return tuple(sorted((self.order[name], power) for name, power in term))

    def _written(self, of: Polynomial) -> Node:
        shared = _shared(of)
        number = _common(of.values())
        rest = {_joined(term, shared, -1): factor / number for term, factor in of.items()}
        if set(rest) == {ONE}:
            return _scaled(number * rest[ONE], self._monomial(shared))
        return _scaled(number, self._monomial(shared, self._sum(rest)))

    def _monomial(self, term: Monomial, made: Node | None = None) -> Node:
        """A product with parameters, the last link's first, so that a1*(m2*r) and g*(m2*r) share what they can."""
        made = const(1.0) if made is None else made
        for name, power in sorted(term, key=lambda each: -self.order[each[0]]):
            for _ in range(power):
                made = made * self.nodes[name]
        return made

    def _sum(self, of: Polynomial) -> Node:
        """Parameters taken out, those with the same factor together; what is left has squares."""
        groups: dict[frozenset[tuple[Monomial, Fraction]], list[tuple[Fraction, str]]] = {}
        rest = of
        while (name := self._taken_out(rest)) is not None:
            own = {term: factor for term, factor in rest.items() if (name, 1) in term}
            rest = {term: factor for term, factor in rest.items() if term not in own}
            sign = 1 if own[min(own, key=self._place)] > 0 else -1
            inside = frozenset((_joined(term, ((name, 1),), -1), sign * factor) for term, factor in own.items())
            groups.setdefault(inside, []).append((Fraction(sign), name))
        parts = [self._members(each) * self._squares(dict(inside)) for inside, each in groups.items()]
        return self._added((Fraction(1), node) for node in ([*parts, self._squares(rest)] if rest else parts))

    def _members(self, each: list[tuple[Fraction, str]]) -> Node:
        """The last link first: the mass of all that a joint carries then holds that of the next one's."""
        return self._added((sign, self.nodes[name]) for sign, name in sorted(each, key=lambda e: -self.order[e[1]]))

    def _taken_out(self, of: Polynomial) -> str | None:
        """The parameter to take out next: of those that enter once wherever they do, the one in most terms."""
        counts: dict[str, int] = {}
        squared: set[str] = set()
        for term in of:
            for name, power in term:
                counts[name] = counts.get(name, 0) + 1
                if power > 1:
                    squared.add(name)
        once = [name for name in counts if name not in squared]
        if not once:
            return None
        return max(once, key=lambda name: (counts[name], -self.order[name]))

    def _squares(self, of: Polynomial) -> Node:
        """A sum in which u^2 + 2 u v + v^2 is (u + v)^2; common factors first."""
        shared, number = _shared(of), _common(of.values())
        if len(of) > 1 and (shared != ONE or abs(number) != 1):
            rest = {_joined(term, shared, -1): factor / number for term, factor in of.items()}
            return _scaled(number, self._monomial(shared, self._squares(rest)))
        rest, parts = dict(of), []
        while (found := self._square_in(rest)) is not None:
            factor, root, rest = found
            base = self._added((f, self._monomial(term)) for term, f in root)
            parts.append((factor, base * base))
        if not parts and self._taken_out(rest) is not None and len(rest) > 1 and any(len(term) > 1 for term in rest):
            return self._sum(rest)
        from_tip = sorted(rest.items(), key=lambda each: self._place(each[0]), reverse=True)
        return self._added([*parts, *((factor, self._monomial(term)) for term, factor in from_tip)])

    def _square_in(self, of: Polynomial) -> tuple[Fraction, list[tuple[Monomial, Fraction]], Polynomial] | None:
        """factor * (u + k v + ...)^2 among the terms, with what is left of them; of three or more if there are."""
        roots = [root for term in sorted(of, key=self._place) if (root := _root(term)) is not None]
        for at, u in enumerate(roots):
            for v in roots[at + 1 :]:
                lead = of[_joined(u, u)] if u != ONE else of[_joined(v, v)]
                first, second = (u, v) if u != ONE else (v, u)
                members = {first: Fraction(1)}
                if not _belongs(of, lead, members, second):
                    continue
                members[second] = of[_joined(u, v)] / (2 * lead)
                for w in roots:
                    if w not in members and _belongs(of, lead, members, w):
                        members[w] = of[_joined(first, w)] / (2 * lead)
                gone = {_joined(x, y) for x in members for y in members}
                left = {term: f for term, f in of.items() if term not in gone}
                return lead, [*reversed(members.items())], left
        return None

    def _added(self, parts: Iterable[tuple[Fraction, Node]]) -> Node:
        plus: Node | None = None
        minus: Node | None = None
        for factor, node in parts:
            made = _scaled(abs(factor), node)
            if factor > 0:
                plus = made if plus is None else plus + made
            else:
                minus = made if minus is None else minus + made
        if plus is None:
            return const(0.0) if minus is None else -minus
        return plus if minus is None else plus - minus


def _belongs(of: Polynomial, lead: Fraction, members: Mapping[Monomial, Fraction], w: Monomial) -> bool:
    """Whether lead (sum of members + k w)^2 is among the terms, with a number k that can be told, where that without w
    is."""
    first = next(iter(members))
    if (cross := of.get(_joined(first, w))) is None or not plain(k := cross / (2 * lead)):
        return False
    return of[_joined(w, w)] == lead * k**2 and all(
        of.get(_joined(each, w)) == 2 * lead * factor * k for each, factor in members.items()
    )


def _scaled(factor: Fraction, node: Node) -> Node:
    return node if factor == 1 else -node if factor == -1 else const(float(factor)) * node


def plain(number: Fraction) -> bool:
    """Whether a number can be told: it is found again in the double next to it."""
    return exact(float(number)) == number


def _shared(of: Polynomial) -> Monomial:
    """What every term has."""
    terms = [dict(term) for term in of]
    return tuple((name, power) for name in sorted(terms[0]) if (power := min(term.get(name, 0) for term in terms)))


def _common(factors: Iterable[Fraction]) -> Fraction:
    """The number that all terms have, up to their signs, or of whole numbers their greatest common divisor; else 1."""
    sizes = {abs(factor) for factor in factors}
    if len(sizes) == 1:
        return sizes.pop()
    return Fraction(gcd(*(int(x) for x in sizes)) if all(x.denominator == 1 for x in sizes) else 1)


def _root(term: Monomial) -> Monomial | None:
    return tuple((name, power // 2) for name, power in term) if all(power % 2 == 0 for _, power in term) else None
