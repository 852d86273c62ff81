"""A configuration of a tree while its loops are being closed: which turns are known, as sines and cosines."""

from __future__ import annotations

from math import cos, sin
from typing import Any

import numpy as np

from torsor.mechanics.kinematics import vector
from torsor.mechanics.plane import Vector, direction
from torsor.mechanics.tree import Reals, Tree


class Posture:
    """``entries`` are those of q, free ones given and dependent ones found by and by.

    A joint that a dyad closes is known by cosine and sine first: the angle itself is computed only where it is needed,
    and then lies within half a turn of ``centres``.
    """

    def __init__(self, tree: Tree, entries: dict[int, Any], centres: dict[int, float]) -> None:
        self.tree = tree
        self.entries = entries
        self.centres = centres
        self.units: dict[int, Vector] = {}  # of entries of q
        self._turns: dict[int, Vector] = {}  # of bodies

    def unit(self, body: int) -> Vector:
        """Cosine and sine of what a body's joint has turned."""
        if body not in self._turns:
            b = self.tree.bodies[body]
            if b.source in self.units and abs(b.factor) == 1.0:
                known = self.units[b.source]
                turn = known if b.factor > 0.0 else known.mirrored()
                self._turns[body] = turn * direction(b.shift) if b.shift else turn
            else:
                angle = self.coordinate(body)
                self._turns[body] = Vector(np.cos(angle), np.sin(angle))
        return self._turns[body]

    def coordinate(self, body: int) -> Any:
        b = self.tree.bodies[body]
        own = self.entry(b.source)
        own = own if b.factor == 1.0 else b.factor * own
        return own + b.shift if b.shift else own

    def turn_to(self, body: int, unit: Vector) -> None:
        """A dyad found how far a body's joint has turned."""
        b = self.tree.bodies[body]
        self._turns[body] = unit
        own = unit * direction(-b.shift) if b.shift else unit
        self.units[b.source] = own if b.factor > 0.0 else own.mirrored()

    def slide_to(self, body: int, slide: Any) -> None:
        """A dyad found how far a body's joint has slid."""
        b = self.tree.bodies[body]
        own = slide - b.shift if b.shift else slide
        self.entries[b.source] = own if b.factor == 1.0 else own * (1.0 / b.factor)

    def entry(self, source: int) -> Any:
        """An entry of q; an angle is made of its sine and cosine where it was found by them."""
        if source not in self.entries:
            from torsor.algebra.functions import arctan2

            unit, centre = self.units[source], self.centres.get(source, 0.0)
            turned = unit * Vector(cos(centre), -sin(centre)) if centre else unit
            self.entries[source] = arctan2(turned.y, turned.x) + centre
        return self.entries[source]

    def q(self) -> Reals:
        """(..., n) of the tree."""
        return vector(*(self.entry(k) for k in range(self.tree.n)))


def open_posture(tree: Tree, q: Reals) -> Posture:
    """A posture of which all joints (..., n) are given, whether its loops close or not."""
    return Posture(tree, {k: q[..., k] for k in range(tree.n)}, {})
