"""The solids of an arm: what links may touch with, else what is drawn of them, else capsules along their frames."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np

from torsor.cell.convex_solids import Solid, box_solid, cylinder_solid
from torsor.model.mesh_reading import read_mesh
from torsor.model.model import Model
from torsor.model.parts import BASE, BallShape, BoxShape, CylinderShape, MeshShape, Visual
from torsor.model.transforms import Floats
from torsor.model.triangles import MeshRefused
from torsor.scene.link_shapes import PlainShapes
from torsor.scene.skeleton import Skeleton

ALIKE = 1e-6  # m: a ball that near to the end of a cylinder rounds it off


@dataclass(frozen=True, eq=False)
class LinkSolids:
    """Of all links that have an extent, in their axes, the base included."""

    link: tuple[int, ...]  # index of the link of each, BASE for the base
    solid: tuple[Solid, ...]
    guessed: tuple[str, ...]  # links of which no shape is known: capsules as thick as they are drawn
    drawn: tuple[str, ...]  # links of an arm that says what others may touch with: what is drawn stands for it
    unknown: tuple[str, ...]  # links whose shapes could not be read, and whose frames have no extent
    unread: tuple[str, ...]  # what is to be said of meshes that could not be read


def link_solids(model: Model) -> LinkSolids:
    """What is known best of each link. Where shapes of any are known, a link that has none is a frame, no more."""
    skeleton = Skeleton(model)
    thick = PlainShapes(skeleton, np.zeros(model.n))
    reading = _Reading()
    known: dict[int, list[Solid]] = {}
    named: dict[int, bool] = {}
    drawn = []
    for index in range(BASE, len(model.links)):
        visuals = model.base_visuals if index == BASE else model.links[index].visuals
        collisions = model.base_collisions if index == BASE else model.links[index].collisions
        named[index] = bool(visuals or collisions)
        known[index] = reading.solids(collisions)
        if not known[index]:
            known[index] = reading.solids(visuals)
            if known[index]:
                drawn.append(model.link_name(index))
    touching = model.base_collisions or any(link.collisions for link in model.links)
    any_known = any(known.values())
    guessed, unknown = [], []
    for index, solids in known.items():
        if not solids and (named[index] or not any_known):
            solids += _along(skeleton, index, thick.radius(index))
            if solids:
                guessed.append(model.link_name(index))
            elif named[index]:
                unknown.append(model.link_name(index))
    return LinkSolids(
        tuple(index for index, solids in known.items() for _ in solids),
        tuple(solid for solids in known.values() for solid in solids),
        tuple(guessed),
        tuple(drawn) if touching else (),
        tuple(unknown),
        tuple(reading.unread),
    )


def _along(skeleton: Skeleton, index: int, radius: float) -> list[Solid]:
    """Along the ways of a link from its joint to those that it carries, and to the tool."""
    bone = skeleton.bones[index]
    ways = [bone.way(end) for end in bone.ends.values()]
    return [Solid(np.array([a, b]), radius) for way in ways for a, b in pairwise(way)]


class _Reading:
    """Shapes to solids; each mesh is read once."""

    def __init__(self) -> None:
        self.hulls: dict[Path, Floats | None] = {}
        self.unread: list[str] = []

    def solids(self, shapes: tuple[Visual, ...]) -> list[Solid]:
        """What has the shape of a capsule, a cylinder with balls at its ends, is one solid."""
        left = list(shapes)
        found = []
        for shape in shapes:
            if isinstance(shape.shape, CylinderShape) and (balls := _rounding(shape, left)):
                left = [each for each in left if each is not shape and each not in balls]
                centres = np.array([each.placement[:3, 3] for each in balls])
                found.append(Solid(centres, shape.shape.radius))
        return found + [solid for shape in left if (solid := self._solid(shape)) is not None]

    def _solid(self, visual: Visual) -> Solid | None:
        T = visual.placement
        match visual.shape:
            case BallShape(radius):
                return Solid(T[:3, 3][None], radius)
            case CylinderShape(radius, length):
                return cylinder_solid(T, radius, 0.5 * length)
            case BoxShape(size):
                return box_solid(T, 0.5 * np.array(size))
            case MeshShape(_, path, scale) if path is not None:
                hull = self._hull(path)
                return None if hull is None else Solid(hull * np.array(scale)).moved(T)
        return None

    def _hull(self, path: Path) -> Floats | None:
        if path not in self.hulls:
            try:
                corners = np.vstack([np.asarray(part.corners, dtype=np.float64) for part in read_mesh(path)])
                self.hulls[path] = hull_corners(corners)
            except MeshRefused as refused:
                self.hulls[path] = None
                self.unread.append(f"mesh {path.name} {refused}")
        return self.hulls[path]


def hull_corners(points: Floats) -> Floats:
    """Corners of the convex hull of points (k, 3); of points in one plane, all of them.

    >>> cube = np.array([[x, y, z] for x in (0, 1, 2) for y in (0, 1) for z in (0, 1)], dtype=float)
    >>> len(hull_corners(cube))
    8
    """
    from scipy.spatial import ConvexHull, QhullError  # a quarter of a second, which most checks do without

    points = np.unique(points, axis=0)
    try:
        return np.asarray(points[ConvexHull(points).vertices])
    except (QhullError, ValueError):  # flat, or too few
        return points


def _rounding(cylinder: Visual, shapes: list[Visual]) -> list[Visual]:
    """The two balls that round off a cylinder, if they are there."""
    assert isinstance(cylinder.shape, CylinderShape)
    T, found = cylinder.placement, []
    for z in (-0.5 * cylinder.shape.length, 0.5 * cylinder.shape.length):
        end = T[:3, 3] + z * T[:3, 2]
        for each in shapes:
            same = isinstance(each.shape, BallShape) and abs(each.shape.radius - cylinder.shape.radius) <= ALIKE
            if same and np.linalg.norm(each.placement[:3, 3] - end) <= ALIKE:
                found.append(each)
                break
    return found if len(found) == 2 else []
