"""Factoring: common factors and common sums are taken out of all rows at once, the most saving first.

This is the fast extraction of logic synthesis (Rajski and Vasudevamurthi 1992) with signs. Two kinds of candidates:
a pair of factors found in several products, and a pair of terms of a sum with their common factors removed,
g*(r1 +- r2), found in one sum (then g is saved) or in several (then the sum is). Candidates are ranked by the
operations they save in the whole graph; a shared value is a literal, so that breaking it up is never counted as free.
"""

from __future__ import annotations

import heapq
import random
from typing import Any

from torsor.algebra.engine import PASSES
from torsor.algebra.node import Node
from torsor.algebra.sums import Literals, Sums, Term, rounded

PASSES["factor"] = "a*b + a*c = a*(b + c), and pairs of terms or factors found twice are computed once"

# ("*", a, b): the product of two literals. ("+", r1, r2, s): the sum of products r1 + s*r2.
Key = tuple[Any, ...]
LONGEST = 48  # terms of a row looked at in pairs; longer rows are looked at in windows


def factor(roots: list[Node], rng: random.Random | None = None) -> list[Node]:
    """Factor a graph greedily; with ``rng``, candidates that save the same are taken in random order.

    >>> from torsor.algebra import symbols
    >>> a, b, c = symbols("x", 3)
    >>> factor([a * b + a * c])
    [(x[1] + x[2]) * x[0]]
    """
    sums = Sums(roots)
    Extraction(sums, rng).run()
    return sums.nodes()


class Extraction:
    """Candidates with the rows they are found in, kept up to date while rows change."""

    def __init__(self, sums: Sums, rng: random.Random | None = None) -> None:
        self.sums = sums
        self.rng = rng
        self.found: dict[Key, dict[int, int]] = {}  # key -> row -> what it saves there
        self.keys: dict[int, dict[Key, int]] = {}  # row -> its candidates
        self.heap: list[tuple[int, float, int, Key]] = []
        self.tick = 0
        for row in sums.rows:
            self._enter(row)
        for key in self.found:
            self._offer(key)

    def run(self) -> None:
        while self.heap:
            negative, _, _, key = heapq.heappop(self.heap)
            gain = self._gain(key)
            if gain <= 0:
                continue
            if gain != -negative:
                self._offer(key)
                continue
            self._extract(key)

    def _gain(self, key: Key) -> int:
        places = self.found.get(key)
        return sum(places.values()) - _price(key) if places else 0

    def _offer(self, key: Key) -> None:
        gain = self._gain(key)
        if gain > 0:
            self.tick += 1
            chance = self.rng.random() if self.rng is not None else 0.0
            heapq.heappush(self.heap, (-gain, chance, self.tick, key))

    # Which candidates a row holds -------------------------------------------------------------------------------------

    def _enter(self, row: int) -> None:
        keys = self.keys[row] = self._candidates(self.sums.rows[row])
        for key, saves in keys.items():
            self.found.setdefault(key, {})[row] = saves

    def _leave(self, row: int) -> None:
        for key in self.keys.pop(row):
            places = self.found[key]
            del places[row]
            if not places:
                del self.found[key]

    def _candidates(self, terms: list[Term]) -> dict[Key, int]:
        keys: dict[Key, int] = {}
        for _, factors in terms:
            last = len(factors) - 1
            pairs = [("*", factors[i], factors[j]) for i in range(last) for j in range(i + 1, last + 1)]
            for pair in dict.fromkeys(pairs):  # not a set: its order would differ from process to process
                keys[pair] = keys.get(pair, 0) + 1
        taken: dict[Key, set[int]] = {}
        ranked = []
        for i in range(len(terms)):
            for j in range(i + 1, min(len(terms), i + LONGEST)):
                common, first, second = _parted(terms[i][1], terms[j][1])
                sign = terms[i][0] * terms[j][0]
                key = ("+", first, second, sign) if first <= second else ("+", second, first, sign)
                ranked.append((len(common), i, j, key))
        ranked.sort(key=lambda each: -each[0])
        for common_size, i, j, key in ranked:
            used = taken.setdefault(key, set())
            if i not in used and j not in used:
                used.update((i, j))
                keys[key] = keys.get(key, 0) + common_size + len(key[1]) + len(key[2]) - 1
        return keys

    # Taking one out ---------------------------------------------------------------------------------------------------

    def _extract(self, key: Key) -> None:
        sums = self.sums
        literal = sums.literal()
        touched = list(self.found[key])
        changed: dict[Key, None] = {}
        for row in touched:
            changed.update(dict.fromkeys(self.keys[row]))
            self._leave(row)
            terms = sums.rows[row]
            replaced = _without_pair(terms, key, literal) if key[0] == "*" else _without_sum(terms, key, literal)
            sums.rows[row] = merged(sums, replaced)
        sums.rows[literal] = [(1, key[1:])] if key[0] == "*" else [(1, key[1]), (key[3], key[2])]
        for row in [*touched, literal]:
            self._enter(row)
            changed.update(dict.fromkeys(self.keys[row]))
        for each in changed:
            self._offer(each)


def _price(key: Key) -> int:
    """Operations to compute a candidate once."""
    if key[0] == "*":
        return 1
    return max(len(key[1]) - 1, 0) + max(len(key[2]) - 1, 0) + 1


def _parted(a: Literals, b: Literals) -> tuple[Literals, Literals, Literals]:
    """What two products have in common, and what is left of each."""
    if set(a).isdisjoint(b):
        return (), a, b
    common, rest = [], list(b)
    left = []
    for literal in a:
        if literal in rest:
            rest.remove(literal)
            common.append(literal)
        else:
            left.append(literal)
    return tuple(common), tuple(left), tuple(rest)


def _without_pair(terms: list[Term], key: Key, literal: int) -> list[Term]:
    replaced = []
    for sign, factors in terms:
        rest = list(factors)
        while key[1] in rest:
            rest.remove(key[1])
            if key[2] not in rest:
                rest.append(key[1])
                break
            rest.remove(key[2])
            rest.append(literal)
        replaced.append((sign, tuple(sorted(rest))))
    return replaced


def _without_sum(terms: list[Term], key: Key, literal: int) -> list[Term]:
    found = []
    for i in range(len(terms)):
        for j in range(i + 1, min(len(terms), i + LONGEST)):
            common, first, second = _parted(terms[i][1], terms[j][1])
            sign = terms[i][0] * terms[j][0]
            if sign != key[3]:
                continue
            if (first, second) == key[1:3]:
                found.append((len(common), i, j, terms[i][0], common))
            elif (second, first) == key[1:3]:
                found.append((len(common), i, j, terms[j][0], common))
    found.sort(key=lambda each: -each[0])
    gone: set[int] = set()
    made: list[Term] = []
    for _, i, j, sign, common in found:
        if i not in gone and j not in gone:
            gone.update((i, j))
            made.append((sign, tuple(sorted((*common, literal)))))
    return [term for k, term in enumerate(terms) if k not in gone] + made


def merged(sums: Sums, terms: list[Term]) -> list[Term]:
    """Terms that differ by a number only become one; those that cancel are gone."""
    weights: dict[Literals, float] = {}
    largest: dict[Literals, float] = {}
    many = False
    for term in terms:
        weight, rest = sums.weighed(term)
        many = many or rest in weights
        weights[rest] = weights.get(rest, 0.0) + weight
        largest[rest] = max(largest.get(rest, 0.0), abs(weight))
    if not many:
        return terms
    left = {rest: rounded(weight, largest[rest]) for rest, weight in weights.items()}
    return [sums.term(weight, rest) for rest, weight in left.items() if weight != 0.0]
