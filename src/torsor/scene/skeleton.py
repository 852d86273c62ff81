"""Where the links of an arm run: from the axis on which a link turns to the axes and points that it carries.

A link is drawn along these ways. Between two axes a way goes along the first, over their common normal and along the
second, as Denavit-Hartenberg rows do, whatever the arm was written in.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from torsor.mechanics.kinematics import body_poses, frame_pose
from torsor.mechanics.tree import lower
from torsor.model.model import Model
from torsor.model.parts import BASE, Joint
from torsor.model.transforms import Floats, inverse, pose, rotation_to_z

PARALLEL = 1e-4  # sine of the angle below which axes count as parallel: files say 3.1416 for pi
DETOUR = 1.5  # a way over the feet of the common normal is at most so many times as long as the straight one
NOTHING = 1e-5  # m: less is not to be seen


@dataclass(frozen=True, eq=False)
class BonePoint:
    """A point of a link, in its axes, and the axis through it where something turns or slides there."""

    point: Floats  # (3,)
    axis: Floats | None = None


@dataclass(frozen=True, eq=False)
class Bone:
    """All of a link that is drawn: where it begins, where it leads, and which joints or loops are at the ends."""

    start: BonePoint
    ends: dict[str, BonePoint]  # what is there, by name

    def way(self, end: BonePoint) -> list[Floats]:
        """Corners of the way from the start to an end."""
        return way(self.start, end)

    @cached_property
    def length(self) -> float:
        """Of the longest way, straight."""
        return max((float(np.linalg.norm(end.point - self.start.point)) for end in self.ends.values()), default=0.0)


class Skeleton:
    """The ways of all links of a model, of its base too, and how far each is from the base along them.

    ``slid`` says how far along its axis the point of a joint is moved, by link.
    """

    def __init__(self, model: Model, slid: Mapping[int, float] | None = None) -> None:
        self.model = model
        self.slid = (_slid(model) if model.convention == "screws" else {}) if slid is None else slid
        self.bones = {index: self._bone(index) for index in range(BASE, len(model.links))}

    def _bone(self, index: int) -> Bone:
        model = self.model
        ends = {f"joint {model.links[i].joint.name}": self.carried(i) for i in model.children(index)}
        for loop in model.loops:
            for word, frame in (("first", loop.first), ("second", loop.second)):
                if frame.link == index:
                    turns = loop.kind in ("hinge", "slider")
                    axis = frame.placement[:3, 2] if turns else None
                    ends[f"{word} end of {loop.name}"] = BonePoint(frame.placement[:3, 3], axis)
        if model.tool.link == index:
            ends["tool"] = BonePoint(model.tool.placement[:3, 3])
        return Bone(BonePoint(np.zeros(3)) if index == BASE else self.own(index), ends)

    def own(self, index: int) -> BonePoint:
        """The joint of a link, in the link's own axes."""
        joint = self.model.links[index].joint
        T = inverse(joint.after)
        axis = T[:3, :3] @ joint.axis
        shift = self.slid.get(index, 0.0)
        return BonePoint(T[:3, 3] + shift * axis, axis if joint.moves else None)

    def carried(self, index: int) -> BonePoint:
        """The joint of a link, in the axes of its parent."""
        joint = self.model.links[index].joint
        axis = joint.before[:3, :3] @ joint.axis
        shift = self.slid.get(index, 0.0)
        T = joint.before if joint.moves else joint.before @ joint.after
        return BonePoint(T[:3, 3] + shift * axis, axis if joint.moves else None)

    @cached_property
    def distance(self) -> dict[int, float]:
        """From the base to where each link begins, along the links."""
        found = {BASE: 0.0}
        for index in self.from_base:
            parent = self.model.links[index].parent
            step = self.carried(index).point - self.bones[parent].start.point
            found[index] = found[parent] + float(np.linalg.norm(step)) + _travel(self.model.links[index].joint)
        return found

    @cached_property
    def from_base(self) -> list[int]:
        """Links, parents first."""
        order, waiting = [], [*self.model.children(BASE)]
        while waiting:
            order.append(index := waiting.pop(0))
            waiting += self.model.children(index)
        return order

    @cached_property
    def size(self) -> float:
        """How far it gets from the base at most, stretched out: about the reach."""
        rods = max((loop.length or 0.0 for loop in self.model.loops), default=0.0)
        far = max(self.distance[index] + bone.length for index, bone in self.bones.items()) + rods
        return far if far > 0.0 else 1.0  # of a wrist alone

    @cached_property
    def main(self) -> set[int]:
        """The links between base and tool."""
        found, index = set(), self.model.tool.link
        while index != BASE:
            found.add(index)
            index = self.model.links[index].parent
        return found


def way(start: BonePoint, end: BonePoint) -> list[Floats]:
    """Corners from one place to another: along the axis of the first, across, along the axis of the second."""
    straight = [start.point, end.point]
    across = end.point - start.point
    if start.axis is None and end.axis is None:
        return _without_repeats(straight)
    if end.axis is None:
        assert start.axis is not None
        corners = [start.point, start.point + (across @ start.axis) * start.axis, end.point]
    elif start.axis is None or np.linalg.norm(np.cross(start.axis, end.axis)) < PARALLEL:
        # of parallel axes the second: a forearm goes aside at the elbow, clear of the shoulder
        corners = [start.point, end.point - (across @ end.axis) * end.axis, end.point]
    else:
        # the feet of the common normal: start + s u and end + t w with their difference along u x w
        u, w = start.axis, end.axis
        s, t, _ = np.linalg.solve(np.column_stack([u, -w, np.cross(u, w)]), across)
        corners = [start.point, start.point + s * u, end.point + t * w, end.point]
    size = float(np.linalg.norm(across))
    detour = sum(float(np.linalg.norm(b - a)) for a, b in pairwise(corners))
    return _without_repeats(corners if detour <= DETOUR * max(size, NOTHING) else straight)


def _without_repeats(corners: list[Floats]) -> list[Floats]:
    kept = [corners[0]]
    for corner in corners[1:]:
        if np.linalg.norm(corner - kept[-1]) > NOTHING:
            kept.append(corner)
    return kept


def _travel(joint: Joint) -> float:
    if joint.kind != "prismatic" or joint.limits.position is None:
        return 0.0
    return max(map(abs, joint.limits.position))


def _slid(model: Model) -> dict[int, float]:
    """How far along its axis the point of each joint is moved, so that links do not run back and forth.

    The point of a screw may be any on its axis. Between where the link before it comes in and the one after it leaves
    all are as good; outside, the nearer of those two is taken. Seen where all joints are at zero.
    """
    T = link_poses(model, np.zeros(model.n))
    lines: dict[int, tuple[Floats, Floats]] = {}
    for i, link in enumerate(model.links):
        parent = np.eye(4) if link.parent == BASE else T[link.parent]
        at = parent @ link.joint.before
        lines[i] = at[:3, 3], at[:3, :3] @ link.joint.axis
    found = {}
    for i, link in enumerate(model.links):
        if link.joint.kind not in ("revolute", "continuous"):
            continue
        point, axis = lines[i]
        after = [lines[k] for k in model.children(i)]
        if model.tool.link == i:
            after.append(((T[i] @ model.tool.placement)[:3, 3], axis))
        before = (np.zeros(3), axis) if link.parent == BASE else lines[link.parent]
        spans = [_foot(point, axis, *other) for other in (before, *after)]
        found[i] = float(np.clip(0.0, min(spans), max(spans)))
    return found


def _foot(point: Floats, axis: Floats, other: Floats, along: Floats) -> float:
    """Where on an axis, from its point on, another line comes nearest; where they are parallel, the other's point."""
    normal = np.cross(axis, along)
    if np.linalg.norm(normal) < PARALLEL:
        return float((other - point) @ axis)
    s, _, _ = np.linalg.solve(np.column_stack([axis, -along, normal]), other - point)
    return float(s)


def link_poses(model: Model, q: Floats) -> list[Floats]:
    """T_base_link of every link for joints q (n,) of the tree, in the order of the model's links."""
    tree = lower(model)
    bodies = body_poses(tree, q)
    return [pose(*frame_pose(tree, bodies, link.name)) for link in model.links]


def placed_along(axis: Floats, point: Floats) -> Floats:
    """A pose at a point with z along an axis."""
    size = float(np.linalg.norm(axis))
    return pose(rotation_to_z(axis / size), point)


def flat(T: Floats) -> list[float]:
    """16 numbers, row by row."""
    return [float(x) for x in T.ravel()]
