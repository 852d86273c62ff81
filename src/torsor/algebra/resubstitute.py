"""Resubstitution: a value is computed anew from others that are there anyway, where that costs less.

Which others is found by their numbers: all values are known at random points (``guard.py``), so that "is this value
the sum, difference, product or multiple of two others" is a lookup in a sorted table, whatever the algebra behind it:
identities nobody wrote a rule for are found too. What is found at one point is checked at all of them, and the whole
pass once more by the guard.

Numbers only tell which values are equal, with a margin: of equal ones a few roundings, of others a hundred. In which
order finds are tried is decided by the numbering of the values, which follows from the graph alone, never by the order
of their numbers; and a constant that is found is computed in ``digits.py``, not read off a sample. So a last bit of a
sample decides nothing.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from math import isfinite

import numpy as np
from numpy.typing import NDArray

from torsor.algebra.digits import Digits
from torsor.algebra.engine import PASSES
from torsor.algebra.guard import SAMPLED, Floats, Guard
from torsor.algebra.netlist import WEIGHTS, Netlist, NetTerm, Weights
from torsor.algebra.node import Node, const
from torsor.algebra.ties import tied

PASSES["twins"] = "values that are equal, up to sign, are computed once"
PASSES["resubstitute"] = "a value is computed from two or three others that are there anyway"

CLOSE = 1e-13  # of the error scale: rounding leaves 1e-15 of it, and thrice as much with every sample off by an ulp
LOOKED = 1e-12  # of the error scale: how far around is looked at the first point, before all points are compared
KNOWN = 1e-6  # of a value that is looked for, at least: else it is the rest of terms that cancel
SHARE = 64.0  # of the scale of two values that a third may have to be looked for: all that is equal is then within that
SOUND = 1e-2  # of the error scale: with CLOSE, values count as equal if 11 digits agree at every point
DEEP = 400  # a deep lookup takes milliseconds, and its tables the square of the number of values
Indices = NDArray[np.intp]


def twins(roots: list[Node], guard: Guard) -> list[Node]:
    """Merge values that are equal at all points, up to sign, and replace those that are the same number everywhere."""
    net = Netlist(roots, guard)
    place = {k: i for i, k in enumerate(net.order())}
    for alike in _classes(net):
        early, *others = sorted(alike, key=place.__getitem__)
        for late in others:
            if not _computed(net.defs[late]) or net.uses[late] == 0 or net.uses[early] == 0:
                continue
            for expression in (early, ("neg", early)):
                if _holds(net, late, expression) and net.gain(late, expression) > 0:
                    net.replace(late, expression)
                    break
    digits = Digits(guard)
    for k in range(len(net.defs)):
        if net.blind[k]:
            continue
        if _computed(net.defs[k]) and net.uses[k] and _is_constant(net.values[k], net.scales[k]):
            value = digits.value(net.nodes[k])
            if isfinite(value):
                net.replace(k, const(_number(value, net.scales[k].max())))
    return net.back()


def _classes(net: Netlist) -> list[list[int]]:
    """Values that are equal at all points, up to sign, where there are several."""
    known = np.nonzero(_sound(net))[0]
    order = known[np.argsort(np.abs(net.values[known, 0]), kind="stable")]
    sizes, scales = np.abs(net.values[order]), net.scales[order]
    alike = (np.abs(np.diff(sizes, axis=0)) <= CLOSE * (scales[1:] + scales[:-1])).all(axis=1)
    found = np.split(order, np.nonzero(~alike)[0] + 1)
    return sorted(each.tolist() for each in found if len(each) > 1)


def _is_constant(values: Floats, scales: Floats) -> bool:
    """Whether a value is the same number everywhere. A zero is trusted where its terms were of ordinary size."""
    if not np.isfinite(values).all() or not (np.abs(values - values[0]) <= CLOSE * scales).all():
        return False
    if (np.abs(values) <= CLOSE * scales).all():
        return bool(scales.max() < 1e3)
    return bool((np.abs(values) > SOUND * scales).all())


def _number(value: float, scale: float) -> float:
    """A number as found, or the whole one it is but for the rounding of what it was made of."""
    return float(round(value)) if abs(value - round(value)) <= CLOSE * scale else value


def _sound(net: Netlist) -> NDArray[np.bool_]:
    """Whether a value is known by its numbers: finite, no term lost, and not the small rest of terms that cancel."""
    finite = np.isfinite(net.values).all(axis=1) & ~net.blind
    return np.asarray(finite & (np.abs(net.values) > SOUND * net.scales).all(axis=1))


def _computed(definition: NetTerm) -> bool:
    """Whether a value costs something: it is no symbol, no negation and no other value."""
    return isinstance(definition, tuple) and definition[0] != "neg"


def _value(net: Netlist, expression: NetTerm) -> tuple[Floats, Floats]:
    """An expression at all points, with its error scale (of sums and products, which is all that is proposed)."""
    if isinstance(expression, int):
        return net.values[expression], net.scales[expression]
    if isinstance(expression, Node):
        flat = np.full(net.values.shape[1], expression.value)
        return flat, np.abs(flat)
    parts = [_value(net, part) for part in expression[1:]]
    value = SAMPLED[expression[0]](*[part[0] for part in parts])
    if expression[0] == "mul":
        (a, scale_a), (b, scale_b) = parts
        return value, np.abs(a) * scale_b + np.abs(b) * scale_a
    return value, np.asarray(sum(part[1] for part in parts))


def _holds(net: Netlist, k: int, expression: NetTerm) -> bool:
    """Whether value k equals the expression at all points."""
    with np.errstate(all="ignore"):
        value, scale = _value(net, expression)
        return bool((np.abs(value - net.values[k]) <= CLOSE * (scale + net.scales[k])).all())


class _Table:
    """Values at the first point, sorted, each with its error scale and the numbers of the values it comes from."""

    def __init__(self, values: Floats, scales: Floats, numbers: tuple[Indices, ...]) -> None:
        order = np.argsort(values)
        self.values, self.scales = values[order], scales[order]
        self.numbers = [each[order] for each in numbers]

    def near(
        self, wanted: Floats, tolerance: Floats, allowed: NDArray[np.bool_], by_size: Indices
    ) -> Iterator[tuple[int, tuple[int, ...]]]:
        """Of each wanted value, by its place: the entries of allowed numbers within tolerance, in their order.

        ``by_size`` are the places in the order of the values: neighbours are looked up one after the other, which is
        three times as fast.
        """
        place = by_size[(tolerance <= KNOWN * np.abs(wanted))[by_size]]
        entry = np.searchsorted(self.values, (wanted - tolerance)[place])
        top, most = wanted + tolerance, tolerance * (SHARE / LOOKED)
        found: list[tuple[int, tuple[int, ...]]] = []
        while True:
            inside = entry < len(self.values)
            entry, place = entry[inside], place[inside]
            close = self.values[entry] <= top[place]
            entry, place = entry[close], place[close]
            if not len(entry):
                break
            good = self.scales[entry] <= most[place]
            for numbers in self.numbers[:2]:
                good &= allowed[numbers[entry]]
            which = np.nonzero(good)[0]
            found += [(int(place[k]), tuple(int(each[entry[k]]) for each in self.numbers)) for k in which]
            entry = entry + 1
        return iter(sorted(found))


class Resubstitution:
    """One round over all values of a graph; ``depth`` is the number of operations of what is proposed, 1 or 2.

    Two operations are looked for at ``DEEP`` values at most, those first that cost most by themselves.
    """

    def __init__(
        self,
        roots: list[Node],
        guard: Guard,
        depth: int,
        rng: random.Random | None = None,
        weights: Weights = WEIGHTS,
    ) -> None:
        self.net = net = Netlist(roots, guard, weights)
        self.unit = weights["mul"]
        self.depth, self.deep, self.rng = depth, DEEP, rng
        named = np.array([definition is None or definition[0] != "neg" for definition in net.defs], dtype=bool)
        self.usable = _sound(net) & named
        self.depends = net.depends()
        self.first, self.scale = net.values[:, 0], net.scales[:, 0]
        with np.errstate(all="ignore"):  # what is not sound is not asked
            self.relative = CLOSE * (net.scales[:, :2] / np.abs(net.values[:, :2])).sum(axis=1)
        self.chosen = chosen = np.nonzero(self.usable)[0]
        self.digits = Digits(guard)
        self.singles = _Table(self.first[chosen], self.scale[chosen], (chosen,))
        if depth >= 2:
            i, j = (chosen[part] for part in np.triu_indices(len(chosen)))
            x, y, of_x, of_y = self.first[i], self.first[j], self.scale[i], self.scale[j]
            self.products = _Table(x * y, np.abs(x) * of_y + np.abs(y) * of_x, (i, j))
            size_x, size_y = np.abs(x), np.abs(y)
            apart = (i != j) & (np.minimum(size_x, size_y) > KNOWN * np.maximum(size_x, size_y))  # none is lost
            i, j, x, y, of_both = i[apart], j[apart], x[apart], y[apart], (of_x + of_y)[apart]
            signs = np.repeat([1, -1], len(i))
            both = (np.tile(i, 2), np.tile(j, 2), signs)
            self.sums = _Table(np.concatenate([x + y, x - y]), np.tile(of_both, 2), both)

    def run(self) -> list[Node]:
        net = self.net
        targets = [k for k, definition in enumerate(net.defs) if _computed(definition) and self.usable[k]]
        if self.rng is None and self.depth == 1:  # else changes that save nothing, or other ones, are looked for
            ties = tied(net, self.usable, self.depends, looked=LOOKED, close=CLOSE, sound=SOUND)
            targets = [k for k in targets if ties[k]]
        cones = {k: net.cone(k) for k in targets}
        targets.sort(key=lambda k: (-cones[k], k))
        if self.rng is not None:
            self.rng.shuffle(targets)
        for k in targets:
            if net.uses[k] and (worth := net.cone(k)) >= 2 * self.unit and (best := self._best(k, worth)) is not None:
                net.replace(k, best)
        return net.back()

    def _best(self, k: int, worth: int) -> NetTerm:
        net = self.net
        best: NetTerm = None
        most = 0
        allowed = self.usable & (np.array(net.uses) > 0) & ~self.depends[:, k]
        for expression in self._proposals(k, allowed, worth):
            if net.cost(expression) >= worth:
                continue
            gain = net.gain(k, expression)
            idle = gain == most
            if gain < most or (idle and (best is not None or self.rng is None or expression == net.defs[k])):
                continue
            if not _holds(net, k, expression) or net.reaches(expression, k):
                continue
            if idle and self.rng is not None and self.rng.random() < 0.5:  # asked last: only of what is true
                continue
            best, most = expression, gain
        return best

    def _proposals(self, k: int, allowed: NDArray[np.bool_], worth: int) -> Iterator[NetTerm]:
        """Expressions that equal value k at the first point."""
        others = self.chosen[allowed[self.chosen]]
        x, v = self.first[others], self.first[k]
        by_size = np.argsort(x)
        slack = LOOKED * (self.scale[others] + self.scale[k])
        ratio_slack = LOOKED * (self.scale[k] + abs(v) / np.abs(x) * self.scale[others]) / np.abs(x)
        yield from self._multiples(k, others)
        tables: list[tuple[_Table, Callable[..., NetTerm]]] = [(self.singles, lambda b: b)]
        if self.depth >= 2 and worth >= 3 * self.unit and self.deep:
            self.deep -= 1
            tables += [(self.products, lambda i, j: ("mul", i, j))]
            tables += [(self.sums, lambda i, j, sign: ("add" if sign > 0 else "sub", i, j))]
        for table, pair in tables:
            sums: list[tuple[Floats, Callable[[int, NetTerm], NetTerm]]]
            sums = [(v - x, lambda a, p: ("add", a, p)), (x - v, lambda a, p: ("sub", a, p))]
            if table is not self.singles:  # where it is the one before
                sums.append((v + x, lambda a, p: ("sub", p, a)))
            sums.append((-v - x, lambda a, p: ("neg", ("add", a, p))))
            for wanted, make in sums:
                for place, numbers in table.near(wanted, slack, allowed, by_size):
                    yield make(int(others[place]), pair(*numbers))
            for wanted, turn in ((v / x, False), (-v / x, True)):
                for place, numbers in table.near(wanted, ratio_slack, allowed, by_size):
                    product = ("mul", int(others[place]), pair(*numbers))
                    yield ("neg", product) if turn else product

    def _multiples(self, k: int, others: Indices) -> Iterator[NetTerm]:
        """v = c*a and v = c +- a with a number c."""
        nodes, digits = self.net.nodes, self.digits
        (v0, v1), (x0, x1) = self.net.values[k, :2], self.net.values[others, :2].T
        scales = self.net.scales[others, :2] + self.net.scales[k, :2]
        with np.errstate(all="ignore"):
            error = (self.relative[others] + self.relative[k]) * abs(v1)  # of all four
            for place in np.nonzero(np.abs(x1 * (v0 / x0) - v1) <= error)[0]:
                a = int(others[place])
                found = digits.ratio(nodes[k], nodes[a])
                if not isfinite(found):
                    continue
                number = _number(found, 1.0)
                yield a if number == 1.0 else ("neg", a) if number == -1.0 else ("mul", const(number), a)
            error = CLOSE * scales.sum(axis=1)
            for sign, op in ((1, "add"), (-1, "sub")):
                for place in np.nonzero(np.abs((v1 - v0) - sign * (x1 - x0)) <= error)[0]:
                    rest = np.array([v0 - sign * x0[place], v1 - sign * x1[place]])
                    if not (np.abs(rest) > SOUND * scales[place]).all():
                        continue
                    a = int(others[place])
                    number = digits.difference(nodes[k], nodes[a], sign)
                    if isfinite(number):
                        yield (op, const(number), a)


def resubstitute(
    roots: list[Node], guard: Guard, depth: int = 1, rng: random.Random | None = None, weights: Weights = WEIGHTS
) -> list[Node]:
    """One round; with ``rng`` values are tried in random order, and changes that save nothing are made at times."""
    return Resubstitution(roots, guard, depth, rng, weights).run()
