"""s*s + c*c = 1 found among the terms of a whole sum, also where they do not stand side by side."""

from __future__ import annotations

from torsor.algebra.engine import PASSES
from torsor.algebra.node import Node, binary, const, unary
from torsor.algebra.sums import Literals, Sums, Term, rounded

PASSES["pythagoras-sum"] = "a*k*s*s + b*k*c*c = b*k + (a - b)*k*s*s, and k - k*s*s = k*c*c, anywhere in a sum"


def pythagoras(roots: list[Node]) -> list[Node]:
    """Use s*s + c*c = 1 within every sum, also between terms with different numbers in front."""
    sums = Sums(roots)
    trig: dict[tuple[str, Literals], int] = {}  # (op, argument) -> literal
    angle: dict[int, tuple[str, Literals]] = {}
    for literal, (op, args) in sums.calls.items():
        if op in ("sin", "cos"):
            trig[op, args[0][1]] = literal
            angle[literal] = (op, args[0][1])
    partner = {
        literal: trig[other, of]
        for literal, (op, of) in angle.items()
        if (other := "cos" if op == "sin" else "sin", of) in trig
    }
    if partner:
        for row in list(sums.rows):
            if len(sums.rows[row]) > 1:
                sums.rows[row] = _steady_circle(sums, _circle(sums, sums.rows[row], partner), partner)
    return sums.nodes()


def _opened(sums: Sums, factors: Literals, partner: dict[int, int]) -> Literals:
    """Factors with shared squares s*s of sines and cosines written out."""
    result: list[int] = []
    for literal in factors:
        match sums.rows.get(literal):
            case [(1, (a, b))] if a == b and a in partner:
                result += (a, b)
            case _:
                result.append(literal)
    return tuple(sorted(result))


def _circle(sums: Sums, terms: list[Term], partner: dict[int, int]) -> list[Term]:
    weights: dict[Literals, float] = {}
    source: dict[Literals, Literals] = {}  # how it was written before
    for sign, factors in terms:
        opened = _opened(sums, factors, partner)
        weight, rest = sums.weighed((sign, opened))
        weights[rest] = weights.get(rest, 0.0) + weight
        source[rest] = factors if rest not in source else opened
    changed = False
    for rest in list(weights):
        for literal in dict.fromkeys(rest):
            if literal not in partner or rest.count(literal) < 2 or weights.get(rest, 0.0) == 0.0:
                continue
            at = rest.index(literal)  # sorted: the next is the same
            bare = rest[:at] + rest[at + 2 :]
            other = tuple(sorted((*bare, partner[literal], partner[literal])))
            a, b, c = weights[rest], weights.get(other, 0.0), weights.get(bare, 0.0)
            if b != 0.0:  # a*k*s*s + b*k*c*c = b*k + (a - b)*k*s*s
                weights[bare], weights[rest] = rounded(c + b, abs(b)), rounded(a - b, abs(a))
                weights[other] = 0.0
            elif c != 0.0 and rounded(a + c, abs(a)) == 0.0:  # c*k - c*k*s*s = c*k*c*c
                weights[bare], weights[rest], weights[other] = 0.0, 0.0, c
            else:
                continue
            for each in (bare, other, rest):
                source.pop(each, None)
            changed = True
    if not changed:
        return terms
    result = []
    for rest, weight in weights.items():
        if weight == 0.0:
            continue
        kept = tuple(f for f in source[rest] if sums.value(f) is None) if rest in source else rest
        result.append(sums.term(weight, kept))
    return result


def _steady_circle(sums: Sums, terms: list[Term], partner: dict[int, int]) -> list[Term]:
    """The same where parameters are in front, whose difference is computed once."""
    steady, varying = [], []
    for _, factors in terms:
        opened = _opened(sums, factors, partner)
        is_fixed = [f in sums.leaves and sums.leaves[f].fixed for f in opened]
        steady.append(tuple(f for f, fixed in zip(opened, is_fixed, strict=True) if fixed))
        varying.append(tuple(f for f, fixed in zip(opened, is_fixed, strict=True) if not fixed))
    made: dict[int, Term] = {}
    for i, rest in enumerate(varying):
        for literal in dict.fromkeys(rest):
            if i in made or literal not in partner or rest.count(literal) < 2:
                continue
            at = rest.index(literal)
            bare = rest[:at] + rest[at + 2 :]
            other = tuple(sorted((*bare, partner[literal], partner[literal])))
            j = next((j for j, each in enumerate(varying) if each == other and j not in made), None)
            if j is None:
                continue
            difference = binary("sub", *(_product(sums, terms[k][0], steady[k]) for k in (i, j)))
            made[j] = sums.product(terms[j][0], (*steady[j], *bare))
            front = sums.literal()
            sums.leaves[front] = difference
            made[i] = sums.product(1, (front, *rest))
    return [made.get(k, term) for k, term in enumerate(terms)]


def _product(sums: Sums, sign: int, factors: Literals) -> Node:
    product = const(1.0)
    for literal in factors:
        product = binary("mul", product, sums.leaves[literal])
    return unary("neg", product) if sign < 0 else product
