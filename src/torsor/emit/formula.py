"""Expressions as people write them: sums and products of many terms, signs in front, squares as powers.

``Formula`` is one immutable node type. The makers below keep it tidy: no negative inside a negative, a product or a
power; no sum inside a sum, no product inside a product; numbers come first. They change the order of additions and of
multiplications, never their number.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from torsor.algebra.counting import Count, tally
from torsor.algebra.exact import RATIO, THIRDS, decimal_digits, exact, is_long_ratio
from torsor.algebra.operations import OPERATIONS

# How symbols follow each other in a product: m2 t3 s1 qd1 (a + b), as the papers have it.
RANK = {"parameter": 1, "constant": 1, "value": 2, "result": 2, "trig": 3, "product": 4, "angle": 5, "input": 5}
SHORT = 99  # numerators and denominators up to it are told as such: 2/3, where 1/0.4318 is no 5000/2159


class Symbol(NamedTuple):
    """A name on a sheet of equations."""

    text: str  # an ASCII identifier of its own: q1, rx2, K12, s23, M11
    stem: str  # what carries the indices; the given name for scalars
    indices: tuple[int, ...] = ()  # from 1, as in print; a negative one is subtracted (s_{1-2})
    kind: str = "value"
    place: str = ""  # of inputs, as programs write them, indexed from 0: q[0]
    primes: int = 0
    component: str = ""  # x, y, z of a vector, 12 of a matrix


class Formula(NamedTuple):
    """``op`` is "number", "symbol", "negative", "sum", "product", "power", "div" or a function of ``operations.py``.

    While a sheet is being written "ref" stands for a value that will get a name, ``value`` being its number.
    """

    op: str
    args: tuple[Formula, ...] = ()
    value: float = 0.0  # of a number; the exponent of a power
    symbol: Symbol | None = None

    @property
    def atom(self) -> bool:
        return not self.args

    @property
    def minus(self) -> bool:
        return self.op == "negative"

    @property
    def bare(self) -> Formula:
        """Without the minus in front."""
        return self.args[0] if self.minus else self

    def __str__(self) -> str:
        from torsor.emit.infix import TEXT

        return TEXT.line(self)


def number(value: float) -> Formula:
    positive = Formula("number", (), abs(value))
    return negative(positive) if value < 0 else positive


def symbol(named: Symbol) -> Formula:
    return Formula("symbol", (), 0.0, named)


def reference(value: int) -> Formula:
    return Formula("ref", (), float(value))


def negative(x: Formula) -> Formula:
    """-x; the sign of a sum goes to its terms if that leaves a positive one.

    >>> a, b = symbol(Symbol("a", "a")), symbol(Symbol("b", "b"))
    >>> print(negative(total([a, negative(b)])))
    b - a
    """
    if x.minus:
        return x.bare
    if x.op == "sum" and any(term.minus for term in x.args):
        return total(negative(term) for term in x.args)
    return Formula("negative", (x,))


def total(terms: Iterable[Formula]) -> Formula:
    """The sum of terms: numbers first, but a positive term in front if there is one."""
    flat: list[Formula] = []
    for term in terms:
        parts = term.bare.args if term.bare.op == "sum" else (term.bare,)
        flat.extend(_turned(part) if term.minus else part for part in parts)
    if len(flat) == 1:
        return flat[0]
    flat.sort(key=lambda term: term.bare.op != "number")
    first = next((k for k, term in enumerate(flat) if not term.minus), None)
    if first is None:
        return Formula("negative", (Formula("sum", tuple(term.bare for term in flat)),))
    return Formula("sum", (flat[first], *flat[:first], *flat[first + 1 :]))


def product(factors: Iterable[Formula]) -> Formula:
    """The product of factors: numbers first, equal names gathered into powers."""
    sign = False
    powers: dict[Formula, int] = {}
    numbers: list[Formula] = []
    for factor in factors:
        sign ^= factor.minus
        for part in factor.bare.args if factor.bare.op == "product" else (factor.bare,):
            base, exponent = (part.args[0], int(part.value)) if part.op == "power" else (part, 1)
            if base.op == "number":
                numbers.append(part)
            else:
                powers[base] = powers.get(base, 0) + exponent
    parts = numbers + [base if e == 1 else Formula("power", (base,), float(e)) for base, e in powers.items()]
    made = parts[0] if len(parts) == 1 else Formula("product", tuple(parts))
    return Formula("negative", (made,)) if sign else made


def square(x: Formula) -> Formula:
    """x times x, x computed once."""
    return Formula("power", (x.bare,), 2.0)


def quotient(x: Formula, y: Formula) -> Formula:
    made = Formula("div", (x.bare, y.bare))
    return Formula("negative", (made,)) if x.minus != y.minus else made


def rebuilt(x: Formula, replacement: Callable[[Formula], Formula | None]) -> Formula:
    """An expression with parts replaced, tidy again."""
    new = replacement(x)
    if new is not None or not x.args:
        return new or x
    args = [rebuilt(arg, replacement) for arg in x.args]
    if x.op in ("sum", "product"):
        return total(args) if x.op == "sum" else product(args)
    if x.op == "power":
        made = Formula("power", (args[0].bare,), x.value)
        return negative(made) if args[0].minus and x.value % 2 else made
    if x.op == "negative":
        return negative(args[0])
    return quotient(*args) if x.op == "div" else Formula(x.op, tuple(args))


def without_sign(x: Formula) -> Formula:
    """An expression to stand alone: a minus in front of it goes into a difference, or to the terms of a sum."""
    if x.minus and x.bare.op == "sum":
        return Formula("sum", tuple(_turned(term) for term in x.bare.args))
    factors = x.bare.args if x.minus and x.bare.op == "product" else ()
    for k, factor in enumerate(factors):
        turned = negative(factor)
        if turned.op == "sum":
            return Formula("product", (*factors[:k], turned, *factors[k + 1 :]))
    return x


def _turned(x: Formula) -> Formula:
    return x.bare if x.minus else Formula("negative", (x,))


def leaves(x: Formula) -> int:
    """Names and numbers in an expression, how long it is to read."""
    return 1 if x.atom else sum(leaves(arg) for arg in x.args)


def height(x: Formula) -> int:
    """Parentheses inside each other."""
    inner = max((height(arg) for arg in x.args), default=0)
    nested = any(arg.op in ("sum", "negative") for arg in x.args) and x.op not in ("sum", "negative")
    return inner + nested


def walk(x: Formula) -> Iterator[Formula]:
    """All nodes, outermost first."""
    yield x
    for arg in x.args:
        yield from walk(arg)


def operations(x: Formula) -> Iterator[str]:
    """The operations of an expression as the tape counts them; signs cost nothing and are not counted."""
    many = {"sum": "add", "product": "mul", "power": "mul"}
    for node in walk(x):
        if node.op in many:
            yield from [many[node.op]] * (int(node.value or len(node.args)) - 1)
        elif node.op in OPERATIONS and node.args:
            yield node.op


def recount(parts: Iterable[tuple[Formula, bool]]) -> Count:
    """Operations of what is printed, given as (expression, computed once)."""
    return tally((op, fixed) for x, fixed in parts for op in operations(x))


def ordered(x: Formula) -> Formula:
    """Factors as the papers order them (see RANK), sums in parentheses last; in sums what is constant goes first."""
    args = tuple(ordered(arg) for arg in x.args)
    if x.op == "product":
        args = tuple(sorted(args, key=_factor_rank))
    elif x.op == "sum":
        first = {term.bare: k for k, term in reversed(list(enumerate(args)))}  # equal terms side by side
        args = _by_index(sorted(args, key=lambda term: (_term_rank(term.bare), first[term.bare])))
        front = next((k for k, term in enumerate(args) if not term.minus), 0)
        args = (args[front], *args[:front], *args[front + 1 :])
    return x._replace(args=args)


def _by_index(terms: list[Formula]) -> tuple[Formula, ...]:
    """Terms of inputs alone, or of sines and cosines alone, by their index, whichever was computed first:
    qd1^2 + qd2^2, s1 c2 + c1 s2."""
    found = list(terms)
    names = [[leaf.symbol for leaf in walk(term) if leaf.atom] for term in terms]
    for kind in ("input", "trig"):
        alike = [k for k, each in enumerate(names) if all(s is not None and s.kind == kind for s in each)]
        by_index = sorted(alike, key=lambda k: [_angle_rank(s) for s in names[k] if s is not None])
        for place, k in zip(alike, by_index, strict=True):
            found[place] = terms[k]
    return tuple(found)


def _angle_rank(named: Symbol) -> tuple[tuple[int, ...], bool]:
    """By index, and sines before cosines."""
    return tuple(map(abs, named.indices)), named.kind == "trig" and named.stem.lower().startswith("c")


def _factor_rank(x: Formula) -> tuple[float, tuple[tuple[int, ...], bool]]:
    unranked: tuple[tuple[int, ...], bool] = ((), False)
    if x.op == "number":
        return 0.0, unranked
    base = x.args[0] if x.op == "power" else x
    if base.symbol is None:
        return (8.0 if base.op == "sum" else 7.0), unranked
    return RANK[base.symbol.kind], _angle_rank(base.symbol) if base.symbol.kind == "trig" else unranked


def _term_rank(x: Formula) -> int:
    constant = x.symbol is not None and x.symbol.kind in ("parameter", "constant")
    return 0 if x.op == "number" else 1 if constant else 2


def as_constant(x: Formula) -> Formula:
    """What is computed once, as it is told: halves as quotients, plain parameters before products, link by link.

    >>> a, b = symbol(Symbol("m2", "m2", (), "parameter")), symbol(Symbol("Izz1", "Izz1", (), "parameter"))
    >>> print(as_constant(total([product([number(0.5), a]), b])))
    Izz1 + m2/2
    """
    args = tuple(as_constant(arg) for arg in x.args)
    if x.minus and args[0].op == "div" and any(term.minus for term in args[0].args[0].args):
        over, under = args[0].args
        return Formula("div", (_sorted_sum(tuple(_turned(term) for term in over.args)), under))
    if x.op == "sum":
        return _sorted_sum(args)
    if x.op == "product":
        args = tuple(sorted(args, key=lambda factor: (_factor_rank(factor)[0], _told(factor))))
        if args[0] == number(0.5):
            return Formula("div", (args[1] if len(args) == 2 else Formula("product", args[1:]), number(2.0)))
    return x._replace(args=args)


def _sorted_sum(terms: tuple[Formula, ...]) -> Formula:
    terms = tuple(sorted(terms, key=lambda term: _told(term.bare)))
    front = next((k for k, term in enumerate(terms) if not term.minus), 0)
    return Formula("sum", (terms[front], *terms[:front], *terms[front + 1 :]))


def _told(x: Formula) -> tuple[int, int, tuple[tuple[int, str], ...]]:
    """Numbers, then single names, then the rest, by the links that names end in."""
    names = [(int("0" + re.findall(r"\d*$", n.symbol.text)[0]), n.symbol.text) for n in walk(x) if n.symbol is not None]
    plain = x.op == "symbol" and x.symbol is not None and x.symbol.kind == "parameter"
    return (0 if x.op == "number" else 1 if plain else 2), len(names) > 1, tuple(names)


def ratio(value: float) -> tuple[str, str] | None:
    """Numerator and denominator, where a number is better told by two: no decimal fraction, but a ratio of short ones.

    >>> ratio(4 / 3), ratio(1 / 0.4318), ratio(0.25), ratio(17 / 936)
    (('4', '3'), ('1', '0.4318'), None, ('17', '936'))
    """
    found = exact(value)
    if found is None or decimal_digits(found) is not None:
        return None
    larger = max(abs(found.numerator), found.denominator)
    if larger > SHORT and decimal_digits(1 / found) is not None:
        return "1", plain_number(float(1 / found))
    if larger <= RATIO:
        return str(found.numerator), str(found.denominator)
    small = next((k for k in THIRDS if decimal_digits(found * k) is not None), None)
    if small is not None:
        return plain_number(float(found * small)), str(small)
    return (str(found.numerator), str(found.denominator)) if is_long_ratio(found) else None


def plain_number(value: float) -> str:
    """As short as it reads back, for text: 2, 0.5, 1.5e-05.

    >>> plain_number(3.0), plain_number(1.5e-5)
    ('3', '1.5e-05')
    """
    if math.isfinite(value) and value == int(value) and abs(value) < 1e15:
        return str(int(value))
    return repr(float(value))
