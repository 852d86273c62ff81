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
from torsor.mechanics.dyad import Closed, Dyad, between, beyond, side, until
from torsor.mechanics.planar_loop import LoopSide, Segment, Walked
from torsor.mechanics.plane import ONE, Vector
from torsor.mechanics.posture import Posture


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
    def _outer_chain(self) -> LoopSide:
        return self.far if self.crossed else self.near

    @property
    def _slides_first(self) -> bool:
        return not self.near.segments[self.inner].sense

    @property
    def _swings(self) -> bool:
        """Whether the hinge comes first and carries the slide."""
        return not self.crossed and not self._slides_first

    @property
    def _segments(self) -> tuple[Segment, Segment]:
        """The one that slides, and the one that turns."""
        first, other = self.near.segments[self.inner], self._outer_chain.segments[self.outer]
        return (first, other) if self._slides_first else (other, first)

    def meeting(self, posture: Posture) -> Meeting:
        slides = self._segments[0]
        if self._swings:  # in the axes of the hinge's link
            start = planar.walk(until(self.near, self.inner), posture)
            inside = planar.walk(between(self.near, self.inner, self.outer), posture)
            rest = planar.walk(beyond(self.near, self.outer), posture)
            u = planar.walk(self.far, posture).end - start.end
            heading = _last(inside)
            return Meeting(inside.end + heading * rest.end, heading * slides.slide, u.square())
        if self.crossed:
            sliding, turning = (self.near, self.far) if self._slides_first else (self.far, self.near)
            places = (self.inner, self.outer) if self._slides_first else (self.outer, self.inner)
            start = planar.walk(until(sliding, places[0]), posture)
            rest = planar.walk(beyond(sliding, places[0]), posture)
            centre = planar.walk(until(turning, places[1]), posture).end
            side = planar.walk(beyond(turning, places[1]), posture).end
        else:  # the slide carries the hinge, whose circle is drawn about the cut joint
            start = planar.walk(until(self.near, self.inner), posture)
            rest = planar.walk(between(self.near, self.inner, self.outer), posture)
            centre = planar.walk(self.far, posture).end
            side = planar.walk(beyond(self.near, self.outer), posture).end
        heading = _last(start)
        return Meeting(start.end + heading * rest.end - centre, heading * slides.slide, side.square())

    def solve(self, posture: Posture, *, flat: bool = False) -> Closed:
        met = self.meeting(posture)
        s = met.slide(self.mode * met.root(flat=flat))
        leg = met.w + met.d.times(s)  # from the circle's centre
        slides, turns = self._segments
        if self._swings:
            before = planar.walk(until(self.near, self.inner), posture)
            u = planar.walk(self.far, posture).end - before.end
            heading = u.over(leg).times(1.0 / met.rr)
        elif self.crossed:
            chain, place = (self.far, self.outer) if self._slides_first else (self.near, self.inner)
            before = planar.walk(until(chain, place), posture)
            heading = leg.over(planar.walk(beyond(chain, place), posture).end).times(1.0 / met.rr)
        else:
            side = planar.walk(beyond(self.near, self.outer), posture).end
            heading = (-leg).over(side).times(1.0 / met.rr)
        posture.slide_to(slides.body, s)
        if not self._swings and not self.crossed:
            before = planar.walk(until(self.near, self.outer), posture)
        unit = heading.over(before.headings[-1]) if before.headings else heading
        posture.turn_to(turns.body, unit if turns.sense > 0.0 else unit.mirrored())
        return self.at(posture)

    def mode_at(self, posture: Posture) -> Any:
        met = self.meeting(posture)
        s = posture.coordinate(self._segments[0].body)
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
