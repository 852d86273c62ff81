"""Capsules around the links of an arm: from the shapes it is described with, else along its frames, as it is drawn."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from torsor.mechanics.kinematics import body_poses, frame_pose
from torsor.mechanics.tree import Tree, lower
from torsor.model.model import Model
from torsor.model.parts import BASE, BallShape, BoxShape, CylinderShape, MeshShape, Visual
from torsor.model.transforms import Floats
from torsor.scene.link_shapes import PlainShapes
from torsor.scene.mesh_files import read_meshes
from torsor.scene.skeleton import Skeleton

LinkSegment = tuple[Floats, Floats, float]  # in link axes: both ends, and the radius


@dataclass(frozen=True, eq=False)
class Capsules:
    """Of all links, in their axes; ``guessed`` are links whose thickness is that of the drawing."""

    model: Model
    link: np.ndarray  # (k,) index of the link, BASE for the base
    first: Floats  # (k, 3)
    last: Floats  # (k, 3)
    radius: Floats  # (k,)
    guessed: tuple[str, ...]

    @cached_property
    def _tree(self) -> Tree:
        return lower(self.model)

    def placed(self, q: Floats) -> tuple[Floats, Floats]:
        """Both ends (samples, k, 3) in base axes, for joints (samples, n) of the tree."""
        bodies = body_poses(self._tree, q)
        ends = np.empty((2, len(q), len(self.link), 3))
        for index in np.unique(self.link).tolist():
            own = np.flatnonzero(self.link == index)
            if index == BASE:
                ends[:, :, own] = np.stack([self.first[own], self.last[own]])[:, None]
                continue
            R, p = frame_pose(self._tree, bodies, self.model.links[index].name)
            points = np.stack([self.first[own], self.last[own]])  # (2, own, 3)
            R, p = np.broadcast_to(R, (len(q), 3, 3)), np.broadcast_to(p, (len(q), 3))
            ends[:, :, own] = points[:, None] @ np.swapaxes(R, -1, -2) + p[:, None]
        return ends[0], ends[1]


def capsules_of(model: Model) -> Capsules:
    """Every link that has an extent, the base included."""
    skeleton = Skeleton(model)
    thick = PlainShapes(skeleton, np.zeros(model.n))
    found: list[tuple[int, LinkSegment]] = []
    guessed = []
    for index in range(BASE, len(model.links)):
        visuals = model.base_visuals if index == BASE else model.links[index].visuals
        around = [each for visual in visuals for each in _around(visual)]
        if not around:
            around = _along(skeleton, index, thick.radius(index))
            if around:
                guessed.append(model.link_name(index))
        found += [(index, each) for each in around]
    return Capsules(
        model,
        np.array([index for index, _ in found], dtype=np.intp),
        np.array([each[0] for _, each in found]).reshape(-1, 3),
        np.array([each[1] for _, each in found]).reshape(-1, 3),
        np.array([each[2] for _, each in found]),
        tuple(guessed),
    )


def _along(skeleton: Skeleton, index: int, radius: float) -> list[LinkSegment]:
    """Along the ways of a link from its joint to those that it carries, and to the tool."""
    bone = skeleton.bones[index]
    ways = [bone.way(end) for end in bone.ends.values()]
    return [(a, b, radius) for way in ways for a, b in pairwise(way)]


def _around(visual: Visual) -> list[LinkSegment]:
    """The capsule that holds a shape."""
    T = visual.placement
    match visual.shape:
        case BallShape(radius):
            return [(T[:3, 3], T[:3, 3], radius)]
        case CylinderShape(radius, length):
            reach = 0.5 * length * T[:3, 2]
            return [(T[:3, 3] - reach, T[:3, 3] + reach, radius)]
        case BoxShape(size):
            half = 0.5 * np.array(size)
            long = int(half.argmax())
            across = float(np.linalg.norm(np.delete(half, long)))
            reach = half[long] * T[:3, long]
            return [(T[:3, 3] - reach, T[:3, 3] + reach, across)]
        case MeshShape(_, path, scale) if path is not None:
            read = read_meshes([path])[0].get(path, [])
            points = [np.asarray(part.corners, dtype=np.float64).reshape(-1, 3) for part in read]
            if not points:
                return []
            scaled = np.vstack(points) * np.array(scale)
            return [_holding(scaled @ T[:3, :3].T + T[:3, 3])]
    return []


def _holding(points: Floats) -> LinkSegment:
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
