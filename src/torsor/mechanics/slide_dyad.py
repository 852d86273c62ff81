"""One unknown slide, one unknown hinge and the cut one: a line that meets a circle, solved in closed form.

The slide moves a point along d; the hinge lets it be anywhere at a distance r from a centre. With w the way from there
to the point before it slides, abs(w + s d) = r gives s = (-w.d + sigma K) / d.d with K = sqrt(d.d r^2 - (d x w)^2), and
sigma = +1 or -1 for the two places where the line meets the circle, the assembly modes. K = 0, where the slide is
across what the hinge turns, is where they meet: the dead centre. Three orders of the joints are the same triangle:

- hinge and slide in different chains, or slide first (slider-crank): the circle is that of the hinge's link;
- hinge first, the slide on its link (a cylinder that swings): seen from that link the circle is about its own hinge,
  with the distance to the cut joint as radius, and the slide is the same line always.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from torsor.mechanics import planar_loop as planar
from torsor.mechanics.dyad import Closed, Dyad, side, turn, until
from torsor.mechanics.planar_loop import PlanarLoop, Walked
from torsor.mechanics.plane import ONE, Vector
from torsor.mechanics.posture import Posture
from torsor.mechanics.tree import Tree


@dataclass(frozen=True, eq=False)
class Meeting:
    """The line w + s d and the circle of radius r about the origin."""

    w: Vector
    d: Vector
    rr: Any  # r^2

    def root(self, *, flat: bool) -> Any:
        """K."""
        across = self.d.cross(self.w)
        return np.sqrt(self.d.square() * self.rr - across * across) if not flat else np.zeros(np.shape(across))

    def slide(self, root: Any) -> Any:
        return (root - self.w.dot(self.d)) * (1.0 / self.d.square())


@dataclass(frozen=True, eq=False)
class SlideDyad(Dyad):
    """A dyad of which one unknown slides; its fields are those of ``Dyad``."""

    @property
    def _slides_first(self) -> bool:
        return not self.segments[0].sense

    @property
    def _swings(self) -> bool:
        """Whether the hinge comes first and carries the slide."""
        return not self.crossed and not self._slides_first

    def _walked(self, posture: Posture) -> tuple[Walked, Walked, Walked, Walked]:
        """As ``walked``, with the chain that slides first, unless the hinge carries it."""
        start, a, far, b = self.walked(posture)
        return (far, b, start, a) if self.crossed and not self._slides_first else (start, a, far, b)

    def meeting(self, posture: Posture) -> Meeting:
        start, a, far, b = self._walked(posture)
        slide = self.segments[0 if self._slides_first else 1].slide
        if self._swings:  # in the axes of the hinge's link
            heading = _last(a)
            return Meeting(a.end + heading * b.end, heading * slide, (far.end - start.end).square())
        # where the slide carries the hinge, its circle is drawn about the cut joint
        heading = _last(start)
        return Meeting(start.end + heading * a.end - far.end, heading * slide, b.end.square())

    def solve(self, posture: Posture, *, flat: bool = False) -> Closed:
        met = self.meeting(posture)
        s = met.slide(self.mode * met.root(flat=flat))
        leg = met.w + met.d.times(s)  # from the circle's centre
        start, _, before, b = self._walked(posture)
        slides, turns = self.segments if self._slides_first else self.segments[::-1]
        posture.slide_to(slides.body, s)
        if self._swings:
            heading, before = (before.end - start.end).over(leg), start
        elif self.crossed:
            heading = leg.over(b.end)
        else:
            heading, before = (-leg).over(b.end), planar.walk(until(self.near, self.outer), posture)
        turn(posture, turns, heading.times(1.0 / met.rr), before)
        return self.at(posture)

    def mode_at(self, posture: Posture) -> Any:
        met = self.meeting(posture)
        s = posture.coordinate(self.segments[0 if self._slides_first else 1].body)
        return -side(-(met.w.dot(met.d) + s * met.d.square()))

    def squared_flatness(self, posture: Posture) -> Any:
        """Of the cosine of the angle between the slide and what turns."""
        met = self.meeting(posture)
        across = met.d.cross(met.w)
        return 1.0 - across * across / (met.d.square() * met.rr)

    def reach(self, posture: Posture) -> Any:
        met = self.meeting(posture)
        off, r = abs(met.d.cross(met.w)) / np.sqrt(met.d.square()), np.sqrt(met.rr)
        return (r, off, np.inf) if self._swings else (off, 0.0, r)


def _last(walked: Walked) -> Vector:
    return walked.headings[-1] if walked.headings else ONE


def dyad_of(tree: Tree, loop: PlanarLoop, number: int, unknown: set[int]) -> Dyad | None:
    """The dyad of a loop of which these entries of q are unknown, None where it is no triangle."""
    chains = (loop.first, loop.second)
    places = [(c, k) for c in (0, 1) for k, s in enumerate(chains[c].segments) if tree.bodies[s.body].source in unknown]
    segments = [chains[c].segments[k] for c, k in places]
    bodies = [tree.bodies[s.body] for s in segments]
    if len(bodies) != 2 or not any(s.sense for s in segments) or bodies[0].source == bodies[1].source:
        return None
    if any(abs(body.factor) != 1.0 for body in bodies):
        return None
    kind = Dyad if all(s.sense for s in segments) else SlideDyad
    (near, inner), (other, outer) = places
    return kind(loop, number, tree, chains[near], chains[1 - near], near == 1, inner, outer, near != other)
