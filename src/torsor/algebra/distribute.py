"""Distribution: a*(b + c) written out as a*b + a*c, at random places, so that factoring can group the terms anew.

By itself it costs operations; it is a step of the search, which keeps what comes out cheaper in the end.
"""

from __future__ import annotations

import random

from torsor.algebra.factor import merged
from torsor.algebra.node import Node
from torsor.algebra.sums import Sums, Term

WIDEST = 4  # terms of a sum that is written out


def distribute(roots: list[Node], rng: random.Random, chance: float = 0.3) -> list[Node]:
    """Write out products with sums that are used once, each with a given chance.

    >>> from torsor.algebra import symbols
    >>> a, b, c, d = symbols("x", 4)
    >>> distribute([a * (b + c) + d], random.Random(0), 1.0)
    [x[3] + x[0] * x[2] + x[1] * x[0]]
    """
    sums = opened(Sums(roots), rng, chance)
    return sums.nodes()


def opened(sums: Sums, rng: random.Random, chance: float) -> Sums:
    """The same rows with some products of sums written out."""
    uses: dict[int, int] = {}
    others = [term for _, args in sums.calls.values() for term in args] + sums.roots
    for term in [*(term for terms in sums.rows.values() for term in terms), *others, *others]:  # a call keeps its row
        for literal in term[1]:
            uses[literal] = uses.get(literal, 0) + 1
    for row in list(sums.rows):
        changed: list[Term] = []
        for sign, factors in sums.rows[row]:
            inner = next((f for f in factors if uses[f] == 1 and 1 < len(sums.rows.get(f, ())) <= WIDEST), None)
            if inner is None or len(factors) < 2 or rng.random() >= chance:
                changed.append((sign, factors))
                continue
            rest = [f for f in factors if f != inner]
            changed += [sums.product(sign * turn, (*rest, *more)) for turn, more in sums.rows[inner]]
        sums.rows[row] = merged(sums, changed)
    return sums
