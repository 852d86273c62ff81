"""Convex solids, and how far they are apart.

A solid is a core with a ball swept along it. Cores are points (with all between them), so that a capsule is a segment
with a radius, a mesh the corners of its convex hull, a box its eight; a cylinder is a segment along which a disc is
swept. Around each there is a capsule, for a first look; of round solids it is the solid itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np
from numpy.typing import NDArray

from torsor.cell.closest_points import depths, distances, unit
from torsor.model.transforms import Floats

STRAIGHT = 1e-12  # across over along: then all of a disc is as far as any point of it
FEW = 8  # corners of a box: cores of no more are looked through together


@dataclass(frozen=True, eq=False)
class Solid:
    """In the axes of what carries it."""

    points: Floats  # (corners, 3)
    radius: float = 0.0  # of the ball that is swept along
    disc: float = 0.0  # radius of the disc across ``axis`` that is swept along
    axis: Floats | None = None

    @property
    def is_round(self) -> bool:
        return self.disc == 0.0 and len(self.points) <= 2

    @cached_property
    def around(self) -> tuple[Floats, Floats, float]:
        """The capsule that holds it: both ends and the radius."""
        if self.axis is not None or self.is_round:
            return self.points[0], self.points[-1], self.radius + self.disc
        first, last, radius = _holding(self.points)
        return first, last, radius + self.radius

    def moved(self, T: Floats) -> Solid:
        """In the axes that T brings it to."""
        axis = None if self.axis is None else T[:3, :3] @ self.axis
        return Solid(self.points @ T[:3, :3].T + T[:3, 3], self.radius, self.disc, axis)


@dataclass(frozen=True, eq=False)
class SolidPoses:
    """Which solids (k,) are where: R (k, 3, 3), p (k, 3)."""

    solid: NDArray[np.intp]
    R: Floats
    p: Floats

    def of(self, which: NDArray[np.intp]) -> SolidPoses:
        return SolidPoses(self.solid[which], self.R[which], self.p[which])


class Solids:
    """Many of them, and where each is furthest."""

    def __init__(self, solids: Sequence[Solid]) -> None:
        self.all = tuple(solids)
        self.radius = np.array([each.radius for each in self.all])
        self._disc = np.array([each.disc for each in self.all])
        self._axis = np.array([np.zeros(3) if each.axis is None else each.axis for each in self.all]).reshape(-1, 3)
        self._few = np.array([len(each.points) <= FEW for each in self.all], dtype=bool)
        padded = [each.points[np.arange(FEW) % len(each.points)] if few else np.zeros((FEW, 3))
                  for each, few in zip(self.all, self._few.tolist(), strict=True)]  # fmt: skip
        self._corners = np.array(padded).reshape(-1, FEW, 3)

    def furthest(self, at: SolidPoses, d: Floats) -> Floats:
        """(k, 3) points of cores in directions d (k, 3)."""
        which, R = at.solid, at.R
        along = (d[:, None] @ R)[:, 0]  # in the axes of the solid
        corners = self._corners[which]
        best = (corners @ along[..., None])[..., 0].argmax(axis=1)
        found = corners[np.arange(len(which)), best]
        many = ~self._few[which]
        if many.any():
            for index in np.unique(which[many]).tolist():
                own, points = np.flatnonzero(which == index), self.all[index].points
                found[own] = points[(along[own] @ points.T).argmax(axis=1)]
        disc = self._disc[which]
        if disc.any():
            axis = self._axis[which]
            across = along - (along * axis).sum(-1)[:, None] * axis
            across -= (across * axis).sum(-1)[
                :, None
            ] * axis  # what rounding leaves along the axis, where d is along it
            size = np.sqrt((across * across).sum(-1))
            straight = size <= STRAIGHT * np.sqrt((along * along).sum(-1))
            found = found + across * np.where(straight, 0.0, disc / np.where(straight, 1.0, size))[:, None]
        return np.asarray((R @ found[..., None])[..., 0] + at.p)

    def apart(
        self,
        first: SolidPoses,
        second: SolidPoses,
        group: NDArray[np.intp] | None = None,
        bound: Floats | None = None,
    ) -> Floats:
        """(k,) m between two solids, below zero where they are in each other. For the rest see `distances`."""

        def difference(pair: NDArray[np.intp], d: Floats) -> Floats:
            return self.furthest(first.of(pair), d) - self.furthest(second.of(pair), -d)

        own = np.arange(len(first.solid))
        group, bound = (own, np.full(len(own), np.inf)) if group is None or bound is None else (group, bound)
        middles = self._middles(first) - self._middles(second)
        beyond = self.radius[first.solid] + self.radius[second.solid]
        found, _ = distances(difference, middles, group, beyond, bound)
        inside = np.flatnonzero(found == -beyond)  # the cores are in each other: so much deeper
        if len(inside):
            axes = [np.swapaxes(each.R[inside], -1, -2) for each in (first, second)]
            tries = np.concatenate([*axes, *(-each for each in axes), unit(middles[inside])[:, None]], axis=1)
            found[inside] -= depths(lambda pair, d: difference(inside[pair], d), middles[inside], tries)
        return found

    def _middles(self, at: SolidPoses) -> Floats:
        return np.asarray((at.R @ self._middle[at.solid][..., None])[..., 0] + at.p)

    @cached_property
    def _middle(self) -> Floats:
        return np.array([each.points.mean(axis=0) for each in self.all]).reshape(-1, 3)


def box_solid(T: Floats, half: Floats) -> Solid:
    """A box of half sizes."""
    return Solid(np.array(list(product(*((-x, x) for x in half.tolist()))))).moved(T)


def cylinder_solid(T: Floats, radius: float, half: float) -> Solid:
    """A cylinder along z, of half its length."""
    z = np.array([0.0, 0.0, 1.0])
    return Solid(np.array([-half * z, half * z]), 0.0, radius, z).moved(T)


def _holding(points: Floats) -> tuple[Floats, Floats, float]:
    """A capsule along the longest direction of points that holds them all."""
    middle = points.mean(axis=0)
    along = np.linalg.svd(points - middle, full_matrices=False)[2][0]
    far = (points - middle) @ along
    aside = np.linalg.norm(points - middle - far[:, None] * along, axis=1)
    radius = float(aside.max())
    # the half ball at an end holds what is nearer to the axis: the ends may be that much further inside
    inside = np.sqrt(np.maximum(radius**2 - aside**2, 0.0))
    low, high = float((far + inside).min()), float((far - inside).max())
    if low > high:
        low = high = 0.5 * (low + high)
    ends = middle + low * along, middle + high * along
    beyond = np.linalg.norm(points - (middle + np.clip(far, low, high)[:, None] * along), axis=1)
    return ends[0], ends[1], float(max(radius, beyond.max()))
