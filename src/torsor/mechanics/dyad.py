"""Two unknown hinges and the cut one: a triangle with three known sides, solved in closed form.

Whatever planar loop has three unknown hinges, the cut one among them, is a triangle: what lies between two of them is
rigid once the other joints are known. With base u, sides r and s, N = u.u + r^2 - s^2 and K = sqrt(4 u.u r^2 - N^2),
four times its area, the apex lies at u (N + i sigma K) / (2 u.u): the intersection of two circles, sigma = +1 or -1 for
its two sides, the assembly modes. Cosines and sines of the joints follow without an arctangent. K = 0, the triangle
flat, is where the two modes meet and where driving the loop so is singular; beyond it K is NaN: the loop cannot close.

Behi's Fig. 6 is the special case of the ASEA arm: driven by theta3 the base is H with H^2 = l2^2 + l3^2 + 2 l2 l3
sin(theta3) (corrected sign), driven by theta7 it is the line from elbow to crank pin.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from math import prod
from typing import Any

import numpy as np

from torsor.mechanics import planar_loop as planar
from torsor.mechanics.constraint import Columns, LinearConstraint
from torsor.mechanics.planar_loop import LoopSide, PlanarLoop, Segment, Walked
from torsor.mechanics.plane import Vector
from torsor.mechanics.posture import Posture
from torsor.mechanics.tree import Tree


@dataclass(frozen=True, eq=False)
class Dyad:
    """A planar loop with two unknown bodies: one in each chain (``crossed``), or both in ``near``, inner one first.

    ``near`` is the loop's first chain, or its second where both unknowns are there; ``swapped`` says which.
    """

    loop: PlanarLoop
    number: int  # of the loop in the arm file
    tree: Tree
    near: LoopSide
    far: LoopSide
    swapped: bool
    inner: int  # place of the first unknown in near
    outer: int  # place of the other, in far where crossed, else in near
    crossed: bool
    mode: Any = 1.0

    @property
    def numbers(self) -> tuple[int, ...]:
        return (self.number,)

    @property
    def segments(self) -> tuple[Segment, Segment]:
        """The two unknown ones."""
        return self.near.segments[self.inner], (self.far if self.crossed else self.near).segments[self.outer]

    @property
    def unknown(self) -> tuple[int, ...]:
        """Entries of q."""
        return tuple(self.tree.bodies[segment.body].source for segment in self.segments)

    def with_mode(self, mode: Any) -> Dyad:
        return replace(self, mode=mode)

    def walked(self, posture: Posture) -> tuple[Walked, Walked, Walked, Walked]:
        """To the first unknown joint and from there; to the other one (the end, where both are in one chain), and on.

        The way on from a joint is in the axes of its body.
        """
        if self.crossed:
            a, far, b = beyond(self.near, self.inner), until(self.far, self.outer), beyond(self.far, self.outer)
        else:
            a, far, b = between(self.near, self.inner, self.outer), self.far, beyond(self.near, self.outer)
        walk = partial(planar.walk, posture=posture)
        return walk(until(self.near, self.inner)), walk(a), walk(far), walk(b)

    def triangle(self, posture: Posture) -> tuple[Any, Any, Any]:
        """Squares of its base and of the two other sides."""
        start, a, far, b = self.walked(posture)
        return (far.end - start.end).square(), a.end.square(), b.end.square()

    def solve(self, posture: Posture, *, flat: bool = False) -> Closed:
        """Finds the two joints, puts them into the posture, and gives the closed chains.

        ``flat`` takes a triangle that is open for one that is flat: what is said of its joints then holds at its edge.
        """
        start, a, far, b = self.walked(posture)
        u, rr, ss = far.end - start.end, a.end.square(), b.end.square()
        uu = u.square()
        N = uu + rr - ss
        K = np.sqrt(4.0 * rr * uu - N * N) if not flat else np.zeros(np.shape(N))
        leg = (u * Vector(N, self.mode * K)).times(0.5 / uu)  # from the first unknown joint to the apex
        other = leg - u if self.crossed else u - leg  # from the other unknown joint to the cut one
        headings = leg.over(a.end).times(1.0 / rr), other.over(b.end).times(1.0 / ss)
        near = _joined(start, headings[0], a, leg)
        turn(posture, self.segments[0], headings[0], start)
        turn(posture, self.segments[1], headings[1], far if self.crossed else near)
        if self.crossed:
            far = _joined(far, headings[1], b, other)
        else:
            near = _joined(near, headings[1], b, other)
        return Closed(self, near, far, self.mode * K)

    def at(self, posture: Posture) -> Closed:
        """The loop at a posture of which all joints are known, closed or not."""
        return Closed(self, planar.walk(self.near, posture), planar.walk(self.far, posture), None)

    def mode_at(self, posture: Posture) -> Any:
        """The mode of a posture of which all joints are known and the loop is closed: on which side the apex lies."""
        columns = self.at(posture).columns()
        a, b = (Vector(*columns[k]) for k in self.unknown)
        sense = prod(segment.sense * self.tree.bodies[segment.body].factor for segment in self.segments)
        return side(-a.cross(b) * sense)

    def flatness(self, posture: Posture) -> Any:
        """Sine of the angle at the apex, 0 where the triangle is flat; NaN where it cannot close."""
        return np.sqrt(self.squared_flatness(posture))

    def squared_flatness(self, posture: Posture) -> Any:
        """Below zero where it cannot close."""
        uu, rr, ss = self.triangle(posture)
        N = rr + ss - uu  # twice the product of the sides at the apex, times the cosine of its angle
        return 1.0 - N * N / (4.0 * rr * ss)

    def reach(self, posture: Posture) -> Any:
        """(length of the base, least and greatest one with which it can close)."""
        base, r, s = (np.sqrt(square) for square in self.triangle(posture))
        return base, abs(r - s), r + s


@dataclass(frozen=True, eq=False)
class Closed:
    """A dyad at a posture: the equations of its rates."""

    dyad: Dyad
    near: Walked
    far: Walked
    K: Any  # sigma K where it was solved

    def columns(self) -> Columns:
        """d(end of near - end of far)/dq, two numbers for each entry of q in the loop."""
        return self._gathered(planar.columns(self.dyad.near, self.near), planar.columns(self.dyad.far, self.far))

    def drift(self, rates: dict[int, Any]) -> tuple[Any, Any]:
        """What the difference of the ends accelerates by without qdd; ``rates`` of q by entry."""
        near, far = self._moved(rates)
        found = near.drift - far.drift
        return found.x, found.y

    def column_rates(self, rates: dict[int, Any]) -> Columns:
        near, far = self._moved(rates)
        return self._gathered(
            planar.column_rates(self.dyad.near, self.near, near), planar.column_rates(self.dyad.far, self.far, far)
        )

    def residual(self) -> tuple[Any, Any]:
        gap = self.near.end - self.far.end
        return gap.x, gap.y

    def linear(self, columns: Columns) -> LinearConstraint:
        """The two equations of the unknowns, solved by Cramer's rule; their determinant is the triangle's area."""
        a, b = (Vector(*columns[k]) for k in self.dyad.unknown)
        determinant = a.cross(b)
        if self.K is not None and self._plain:
            determinant = -0.5 * prod(segment.sense for segment in self.dyad.segments) * self.K
        over = 1.0 / determinant
        # small names of the two columns: x solves a x0 + b x1 = r; l solves a.l = t0, b.l = t1
        return LinearConstraint(
            lambda r: (Vector(*r).cross(b) * over, a.cross(Vector(*r)) * over),
            lambda t: ((b.y * t[0] - a.y * t[1]) * over, (a.x * t[1] - b.x * t[0]) * over),
        )

    @property
    def _plain(self) -> bool:
        """Whether the unknown entries of q turn the unknown bodies one to one, and no others."""
        bodies = self.dyad.tree.bodies
        return all(
            bodies[s.body].factor == 1.0
            for chain in (self.dyad.near, self.dyad.far)
            for s in chain.segments
            if bodies[s.body].source in self.dyad.unknown
        )

    def _moved(self, rates: dict[int, Any]) -> Iterator[planar.SideRates]:
        bodies = self.dyad.tree.bodies
        for chain, walked in ((self.dyad.near, self.near), (self.dyad.far, self.far)):
            own = [bodies[s.body].factor * rates[bodies[s.body].source] for s in chain.segments]
            yield planar.moved(chain, walked, own)

    def _gathered(self, near: list[Vector], far: list[Vector]) -> Columns:
        total: dict[int, Vector] = {}
        for chain, found, sign in ((self.dyad.near, near, 1.0), (self.dyad.far, far, -1.0)):
            for segment, each in zip(chain.segments, found, strict=True):
                body = self.dyad.tree.bodies[segment.body]
                weight = sign * body.factor
                share = each if weight == 1.0 else -each if weight == -1.0 else each.times(weight)
                total[body.source] = total[body.source] + share if body.source in total else share
        return {source: (v.x, v.y) for source, v in total.items()}


def turn(posture: Posture, segment: Segment, heading: Vector, before: Walked) -> None:
    """Puts into a posture how far a joint has turned whose body has this heading, from the chain before it."""
    unit = heading.over(before.headings[-1]) if before.headings else heading
    posture.turn_to(segment.body, unit if segment.sense > 0.0 else unit.mirrored())


def side(value: Any) -> Any:
    """-1 below zero and 1 from there on: a number of one posture, an array of many."""
    found = np.where(value < 0.0, -1.0, 1.0)
    return found if found.ndim else float(found)


def until(chain: LoopSide, place: int) -> LoopSide:
    """From the shared body to the joint at a place."""
    return LoopSide(chain.segments[:place], chain.segments[place].offset)


def beyond(chain: LoopSide, place: int) -> LoopSide:
    """From the joint at a place to the end, in the axes of its body."""
    return LoopSide(chain.segments[place + 1 :], chain.end)


def between(chain: LoopSide, inner: int, outer: int) -> LoopSide:
    """From one joint to another, in the axes of the first one's body."""
    return LoopSide(chain.segments[inner + 1 : outer], chain.segments[outer].offset)


def _joined(start: Walked, heading: Vector, rest: Walked, leg: Vector) -> Walked:
    """A chain up to a joint, and what lies beyond it in the axes of its body, which has this heading."""
    at = start.end
    points = [*start.points, at, *(at + heading * p for p in rest.points)]
    headings = [*start.headings, heading, *(heading * h for h in rest.headings)]
    return Walked(headings, points, at + leg)
