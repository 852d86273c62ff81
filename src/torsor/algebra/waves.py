"""Polynomials in sines and cosines, exact, to be factored: det J = -a2 (d4 c3 - a3 s3) s5 (a2 c2 + a3 c23 + d4 s23).

With z = e^(iq) of every angle q these are polynomials in z, 1/z and what else they depend on, with complex rational
coefficients: a ring in which division is division of polynomials, and in which sin(q1 + q2) is no longer than sin(q1).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from torsor.algebra.exact import exact
from torsor.algebra.node import Node, binary, const
from torsor.algebra.walk import topological

Exponents = tuple[int, ...]
Complex = tuple[Fraction, Fraction]
Wave = dict[Exponents, Complex]  # exponents of all variables, the angles' z first, to coefficients
MOST = 4000  # terms: longer ones are not expanded
ZERO, ONE = Fraction(0), Fraction(1)


class Waves:
    """Waves of nodes in the angles and in everything else they depend on; ``of`` is None where a node is none."""

    def __init__(self, angles: list[Node], others: list[Node]) -> None:
        self.variables = [*angles, *others]
        self.place = {node: k for k, node in enumerate(self.variables)}
        self.angles = len(angles)
        self.unit: Exponents = (0,) * len(self.variables)
        self.known: dict[Node, Wave | None] = {}

    def of(self, root: Node) -> Wave | None:
        for node in topological([root], self.known):
            self.known[node] = self._of(node)
        return self.known[root]

    def _of(self, node: Node) -> Wave | None:
        if node.op == "const":
            number = exact(node.value)
            return None if number is None else {self.unit: (number, ZERO)} if number else {}
        if node in self.place:
            return None if self.place[node] < self.angles else {self._raised({self.place[node]: 1}): (ONE, ZERO)}
        if node.op in ("sin", "cos"):
            turned = self.place.get(node.args[0], self.angles)
            return None if turned == self.angles else self.trig(node.op, {turned: 1})
        args = [self.known[arg] for arg in node.args]
        a, b = (args[0], args[-1]) if args else (None, None)
        if a is None or b is None:
            return None
        if node.op in ("add", "sub"):
            return added(a, b, -1 if node.op == "sub" else 1)
        if node.op == "neg":
            return added({}, a, -1)
        return multiplied(a, b) if node.op == "mul" and len(a) * len(b) <= MOST**2 else None

    def _raised(self, powers: Mapping[int, int]) -> Exponents:
        return tuple(powers.get(k, 0) for k in range(len(self.variables)))

    def trig(self, function: str, angle: Mapping[int, int]) -> Wave:
        """sin or cos of a sum of angles, given by their places."""
        up, down = self._raised(angle), self._raised({k: -v for k, v in angle.items()})
        half = Fraction(1, 2)
        return {up: (half, ZERO), down: (half, ZERO)} if function == "cos" else {up: (ZERO, -half), down: (ZERO, half)}

    def node(self, wave: Wave) -> Node:
        """A real wave as a sum of cosines and sines of sums of angles."""
        total = const(0.0)
        for (function, powers), number in self._parts(wave):
            made = const(1.0)
            for variable, power in zip(self.variables[self.angles :], powers[self.angles :], strict=True):
                for _ in range(power):
                    made = made * variable
            if function:
                turns = zip(powers[: self.angles], self.variables[: self.angles], strict=True)
                angle: Any = sum(k * q for k, q in turns if k)
                made = made * (np.cos(angle) if function == "cos" else np.sin(angle))
            total = total + const(float(number)) * made
        return total

    def factors(self, wave: Wave, lengths: Iterable[float] = ()) -> list[Wave]:
        """Real waves whose product it is: numbers and single variables, then sines, cosines, factors that depend on one
        angle, and what is left. Numbers in factors are among the ``lengths``, if a number can be taken out so."""
        found: list[Wave] = []
        shared = tuple(min(powers[k] for powers in wave) for k in range(len(self.variables)))
        outside = (*self.unit[: self.angles], *shared[self.angles :])
        rest = {_shifted(powers, outside, -1): value for powers, value in wave.items()}
        for candidate in self._candidates(rest):
            while len(rest) > 1 and (quotient := divided(rest, candidate)) is not None:
                found.append(candidate)
                rest = quotient
        for angle in self._angles():
            while (split := self._of_one_angle(rest, angle)) is not None:
                factor, rest = split
                found.append(factor)
        number, known, made = ONE, {abs(x) for x in map(exact, lengths) if x}, []
        for each in (*found, rest):
            size = self._number(each, known)
            number *= size
            made.append({powers: (re / size, im / size) for powers, (re, im) in each.items()})
        return [{outside: (number, ZERO)}, *(each for each in made if each != {self.unit: (ONE, ZERO)})]

    def product(self, factors: list[Wave]) -> Node:
        """Factors multiplied; those that are no wave come last, one by one, so that each stands for itself."""
        (powers, (number, _)), *_ = factors[0].items()
        made: Node = const(1.0)
        for factor in factors[1:]:
            made = binary("mul", made, self.node(factor))
        for variable, power in zip(self.variables[self.angles :], powers[self.angles :], strict=True):
            for _ in range(power):
                made = binary("mul", variable, made)
        return binary("mul", const(float(number)), made)

    def _number(self, wave: Wave, known: set[Fraction]) -> Fraction:
        """What to take out of a factor, so that its first term is positive and its numbers are told best."""
        parts = [part for _, part in self._parts(wave)]
        sign = 1 if parts[0] > 0 else -1
        sizes = [abs(part) for part in parts]
        if len(set(sizes)) == 1:
            return sign * sizes[0]
        for length in sorted(known, reverse=True):
            scale = sizes[0] / length
            if all(size / scale in known for size in sizes):
                return sign * scale
        return Fraction(sign)

    def _parts(self, wave: Wave) -> list[tuple[tuple[str, Exponents], Fraction]]:
        """The terms of a real wave: of every sum of angles once, cosine before sine, short sums first."""
        found: list[tuple[tuple[str, Exponents], Fraction]] = []
        for powers in sorted(wave, key=lambda k: (sum(map(abs, k[: self.angles])), k)):
            re, im = wave[powers]
            first = next((k for k in powers[: self.angles] if k), 0)
            if first > 0:
                both = ((("cos", powers), 2 * re), (("sin", powers), -2 * im))
                found += [part for part in both if part[1]]
            elif not first:
                found.append((("", powers), re))
        return found

    def _angles(self) -> Iterator[dict[int, int]]:
        """One angle, and sums of neighbours."""
        for length in range(1, self.angles + 1):
            for start in range(self.angles - length + 1):
                yield dict.fromkeys(range(start, start + length), 1)

    def _candidates(self, wave: Wave) -> Iterator[Wave]:
        for angle, function in product(self._angles(), ("sin", "cos")):
            if all(any(powers[k] for powers in wave) for k in angle):
                yield self.trig(function, angle)

    def _of_one_angle(self, wave: Wave, angle: Mapping[int, int]) -> tuple[Wave, Wave] | None:
        """A factor that depends on one angle, as d4 c3 - a3 s3, and the quotient; None where there is none.

        It divides whatever stands with a product of the other angles, so it is the greatest common divisor of these.
        """
        pivot, step = min(angle), self._raised(angle)
        lines: dict[Exponents, Wave] = {}
        for powers, value in wave.items():
            base = _shifted(powers, step, -powers[pivot])[: self.angles]
            turns = tuple(powers[pivot] if k == pivot else 0 for k in range(self.angles))
            lines.setdefault(base, {})[(*turns, *powers[self.angles :])] = value
        if len(lines) < 2:
            return None
        variables = [pivot, *range(self.angles, len(self.variables))]
        common: Wave = {}
        for line in sorted(lines.values(), key=len):
            common = divisor(common, _lowered(line), variables)
            if all(powers[pivot] == 0 for powers in common):
                return None
        factor = self._real(common, step, pivot)
        quotient = None if factor is None else divided(wave, factor)
        return None if factor is None or quotient is None else (factor, quotient)

    def _real(self, line: Wave, step: Exponents, pivot: int) -> Wave | None:
        """A polynomial in the z of one angle, turned so that it is real."""
        degree = max(powers[pivot] for powers in line)
        if degree % 2:
            return None
        made: Wave = {}
        for powers, value in line.items():
            turns = tuple((powers[pivot] - degree // 2) * k for k in step[: self.angles])
            made[(*turns, *powers[self.angles :])] = value
        top = max(made, key=lambda powers: powers[pivot])
        (a, b), (c, d) = made[top], made.get(_mirrored(top, self.angles), (ZERO, ZERO))
        turn = (a + c, -b - d) if (a + c, b + d) != (ZERO, ZERO) else (d - b, c - a)
        made = {powers: _times(value, turn) for powers, value in made.items()}
        size = max(abs(part) for value in made.values() for part in value)
        made = {powers: (re / size, im / size) for powers, (re, im) in made.items()}
        real = all(made.get(_mirrored(powers, self.angles)) == (re, -im) for powers, (re, im) in made.items())
        return made if real else None


def added(a: Wave, b: Wave, sign: int = 1) -> Wave:
    found = dict(a)
    for powers, (re, im) in b.items():
        x, y = found.get(powers, (ZERO, ZERO))
        found[powers] = x + sign * re, y + sign * im
    return _nonzero(found)


def multiplied(a: Wave, b: Wave) -> Wave:
    found: dict[Exponents, Complex] = {}
    for one, x in a.items():
        for other, y in b.items():
            powers = tuple(map(int.__add__, one, other))
            re, im = _times(x, y)
            before = found.get(powers, (ZERO, ZERO))
            found[powers] = before[0] + re, before[1] + im
    return _nonzero(found)


def divided(a: Wave, b: Wave) -> Wave | None:
    """a / b where b divides a, else None: leading terms are taken off, in the order of their exponents.

    >>> one, other = {(1,): (ONE, ZERO), (-1,): (ONE, ZERO)}, {(1,): (ONE, ZERO), (-1,): (-ONE, ZERO)}
    >>> divided(multiplied(one, other), other) == one, divided(one, other) is None
    (True, True)
    """
    lead = max(b)
    by = _inverse(b[lead])
    rest, found = dict(a), {}
    room = [_room(a, b, k) for k in range(len(lead))]  # the powers that a quotient may have
    while rest:
        top = max(rest)
        powers = _shifted(top, lead, -1)
        if any(not low <= k <= high for k, (low, high) in zip(powers, room, strict=True)):
            return None
        factor = _times(rest[top], by)
        found[powers] = factor
        for each, value in b.items():
            place = _shifted(powers, each, 1)
            re, im = _times(factor, value)
            x, y = rest.get(place, (ZERO, ZERO))
            if (x - re, y - im) == (ZERO, ZERO):
                del rest[place]
            else:
                rest[place] = x - re, y - im
    return found


def divisor(a: Wave, b: Wave, variables: list[int]) -> Wave:
    """The greatest common divisor of two polynomials in these variables, up to a number: remainders that are primitive
    in the first variable, contents in the others."""
    if not a or not b:
        return a or b
    if not variables:
        return {(0,) * len(next(iter(a))): (ONE, ZERO)}
    first, *others = variables
    if all(powers[first] == 0 for powers in (*a, *b)):
        return divisor(a, b, others)
    common = divisor(_content(a, first, others), _content(b, first, others), others)
    a, b = _primitive(a, first, others), _primitive(b, first, others)
    while b:
        a, b = b, _primitive(_remainder(a, b, first), first, others)
    return multiplied(common, a) if any(powers[first] for powers in a) else common


def _content(a: Wave, first: int, others: list[int]) -> Wave:
    """The common divisor of the coefficients of the powers of one variable."""
    common: Wave = {}
    for power in {powers[first] for powers in a}:
        common = divisor(common, _coefficient(a, first, power), others)
    return common


def _primitive(a: Wave, first: int, others: list[int]) -> Wave:
    if not a:
        return a
    made = divided(a, _content(a, first, others))
    assert made is not None
    by = _inverse(made[max(made)])
    return {powers: _times(value, by) for powers, value in made.items()}


def _coefficient(a: Wave, first: int, power: int) -> Wave:
    taken = {powers: value for powers, value in a.items() if powers[first] == power}
    return {(*powers[:first], 0, *powers[first + 1 :]): value for powers, value in taken.items()}


def _remainder(a: Wave, b: Wave, first: int) -> Wave:
    """Of a division in one variable, after a was multiplied as often as it takes by the leading coefficient of b."""
    degree = max(powers[first] for powers in b)
    lead = _coefficient(b, first, degree)
    while a and (high := max(powers[first] for powers in a)) >= degree:
        top = _coefficient(a, first, high)
        up = tuple(high - degree if k == first else 0 for k in range(len(next(iter(b)))))
        a = added(multiplied(a, lead), multiplied(multiplied(b, {up: (ONE, ZERO)}), top), -1)
    return a


def _lowered(a: Wave) -> Wave:
    """Divided by the product of all variables that makes it a polynomial of which none can be taken out."""
    low = tuple(min(powers[k] for powers in a) for k in range(len(next(iter(a)))))
    return {_shifted(powers, low, -1): value for powers, value in a.items()}


def _room(a: Wave, b: Wave, k: int) -> tuple[int, int]:
    low, high = (pick(powers[k] for powers in a) - pick(powers[k] for powers in b) for pick in (min, max))
    return low, high


def _shifted(a: Exponents, b: Exponents, times: int) -> Exponents:
    return tuple(x + times * y for x, y in zip(a, b, strict=True))


def _mirrored(powers: Exponents, angles: int) -> Exponents:
    return (*(-k for k in powers[:angles]), *powers[angles:])


def _times(a: Complex, b: Complex) -> Complex:
    return a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]


def _inverse(a: Complex) -> Complex:
    size = a[0] ** 2 + a[1] ** 2
    return a[0] / size, -a[1] / size


def _nonzero(wave: Wave) -> Wave:
    return {powers: value for powers, value in wave.items() if value != (ZERO, ZERO)}
