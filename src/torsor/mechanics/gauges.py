"""Gauges: one arm written in ways that all have its torques, and cost different operations.

Origins may stand anywhere on their axes. Of what is symmetric about an axis and does not spin with it as much may stay
with a body as is wanted; the rest goes to its parent. And one length may be 1. Which of this costs least nobody knows
before it is counted: `leanest` goes from one to the next as long as operations are saved.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from torsor.mechanics.canonical import ROUNDING, foot, in_lengths, moved_moment, moved_second, regrouped
from torsor.mechanics.tree import Body, Mount, Tree
from torsor.model.parts import BASE

Axis = Literal["x", "y", "z"]
Choices = tuple[tuple[int, Any], ...]  # bodies, and what was chosen of them
SHORT = (
    1e-3  # of the longest offset: what is divided by less, or made the unit, would cancel in the end with its digits
)


@dataclass(frozen=True)
class Gauge:
    """What is chosen: of bodies that nothing is said of their origins stay, and nothing stays with them."""

    slides: Choices = ()  # how far origins move along their axes
    seconds: Choices = ()  # the second moment along the axis becomes that along "x" or "y"
    masses: Choices = ()  # so much mass stays that the first moment of the parent has no part along "x", "y" or "z"
    unit: float = 1.0  # the length that is written as 1

    def with_choice(self, of: str, i: int, choice: Any) -> Gauge:
        others = tuple((k, value) for k, value in getattr(self, of) if k != i)
        chosen: dict[str, Any] = {of: tuple(sorted((*others, (i, choice)))) if choice else others}
        return replace(self, **chosen)

    def of(self, tree: Tree) -> Tree:
        """The tree, of which everything turns, in base parameters of this gauge."""
        for i, length in self.slides:
            tree = slid(tree, i, length)
        seconds, masses, short = dict(self.seconds), dict(self.masses), _short(tree)

        def kept(i: int, body: Body, parent: Body | None) -> tuple[Any, Any]:
            along = np.diagonal(body.second)["xy".index(seconds[i])] if i in seconds else 0.0
            k, p = "xyz".index(masses.get(i, "x")), foot(body)
            if i not in masses or parent is None or abs(p[k]) <= short:
                return 0.0, along
            on_axis = replace(body, moment=np.array([0.0, 0.0, body.moment[2]]))
            return (parent.moment + moved_moment(body.rotation, p, on_axis))[k] / p[k], along

        tree = regrouped(tree, kept)
        return tree if self.unit == 1.0 else in_lengths(tree, self.unit)


NEUTRAL = Gauge()


def slid(tree: Tree, i: int, length: float) -> Tree:
    """The same arm with the origin of a body further along its axis."""
    bodies, body, back = list(tree.bodies), tree.bodies[i], np.array([0.0, 0.0, -length])
    link = body.link.copy()
    link[:3, 3] = link[:3, 3] + back
    bodies[i] = replace(
        body,
        position=_clean(body.position + length * body.rotation[:, 2], length),
        moment=moved_moment(np.eye(3), back, body),
        second=moved_second(np.eye(3), back, body),
        link=link,
    )
    bodies = [replace(b, position=_clean(b.position + back, length)) if b.parent == i else b for b in bodies]
    mounts = {
        name: Mount(i, mount.rotation, mount.position + back) if mount.body == i else mount
        for name, mount in tree.frames.items()
    }
    return replace(tree, bodies=tuple(bodies), frames=mounts)


def _short(tree: Tree) -> float:
    return SHORT * max((float(np.abs(body.position).max()) for body in tree.bodies), default=0.0)


def _clean(position: Any, length: float) -> Any:
    return np.where(np.abs(position) <= ROUNDING * abs(length), 0.0, position)


def can_be_gauged(tree: Tree) -> bool:
    """Whether gauges are for this tree: all of it turns, its lengths are numbers and no rotors ride on it."""
    return not tree.rotors and all(b.turn and not b.slide and b.position.dtype != object for b in tree.bodies)


def neighbours(tree: Tree, gauge: Gauge) -> Iterator[Gauge]:
    """Gauges that differ in one choice."""
    short = _short(tree)
    for i, body in enumerate(tree.bodies):
        beyond = [float(b.position[2]) for b in tree.bodies if b.parent == i]
        onto_parent = -float(body.rotation[:, 2] @ body.position)
        for length in sorted({0.0, onto_parent if body.parent != BASE else 0.0, *beyond}):
            if length and abs(length) <= short:
                continue
            yield gauge.with_choice("slides", i, length)
        for of, axes in (("seconds", ("", "x", "y")), ("masses", ("", "x", "y", "z"))):
            for axis in axes:
                yield gauge.with_choice(of, i, axis)
    lengths = {abs(float(x)) * gauge.unit for body in gauge.of(tree).bodies for x in body.position}
    for unit in sorted({1.0, *(length for length in lengths if length > short)}):
        yield replace(gauge, unit=unit)


def leanest(
    tree: Tree,
    cost: Callable[[Tree], int],
    told: Callable[[int], None] = lambda cost: None,
    start: Gauge = NEUTRAL,
) -> Gauge:
    """A gauge of which no neighbour costs less, found from ``start``. ``told`` hears the cost of every better one.

    >>> import torsor
    >>> from torsor.mechanics.canonical import at_feet
    >>> tree = at_feet(torsor.load("puma560-burdick")._trees.lean)
    >>> gauge = leanest(tree, lambda other: sum(bool(x) for body in other.bodies for x in body.position))
    >>> gauge.slides  # offsets along the axes of joints 2 and 3, which are parallel, are one
    ((2, -0.2435),)
    """
    best, least = start, cost(start.of(tree))
    known = {best: least}
    better = True
    while better:
        better = False
        for gauge in neighbours(tree, best):
            if gauge not in known:
                known[gauge] = cost(gauge.of(tree))
            if known[gauge] < least:
                best, least, better = gauge, known[gauge], True
                told(least)
    return best
