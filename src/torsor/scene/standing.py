"""What an arm stands on: a pedestal on the ground, a post where its base is turned aside, a plate where it hangs."""

from __future__ import annotations

import numpy as np

from torsor.model.parts import BASE
from torsor.model.transforms import Floats, pose
from torsor.scene.link_shapes import DrawnShape, PlainShapes, box, capsule, cylinder
from torsor.scene.skeleton import Skeleton, link_poses, placed_along

UPRIGHT = 0.7  # cosine of the tilt below which a base does not stand
LOW = 0.05  # a shoulder lower than this share of the arm's size is put on a pedestal ...
PEDESTAL = 0.45  # ... so high
CLEAR = 1.15  # height of a post, so that the arm can swing below it
NECK = 0.16  # what it hangs by
BELOW = 0.3  # room under an arm that hangs


class Standing:
    """Where the ground is, and what the base is drawn as, in base axes."""

    def __init__(self, skeleton: Skeleton, home: Floats) -> None:
        self.skeleton, self.model, self.size = skeleton, skeleton.model, skeleton.size
        self.upright = float(self.model.base[2, 2])
        self.up = self.model.base[:3, :3].T[:, 2]  # the world's z in base axes
        self.poses = link_poses(self.model, home)
        ends = [
            (T @ np.append(end.point, 1.0))[:3]
            for index, T in enumerate(self.poses)
            for end in (self.skeleton.bones[index].start, *self.skeleton.bones[index].ends.values())
        ]
        self.heights = np.array(ends) @ self.up  # above the base
        self.hangs = self.upright > UPRIGHT and bool(np.mean(self.heights) < -0.15 * self.size)
        self.plain = PlainShapes(skeleton, home)
        if self._height == 0.0:
            # what turns at the ground begins above it
            lifted = {index: self._lift(index) for index in skeleton.from_base if self._turns_on_ground(index)}
            self.skeleton = Skeleton(self.model, {**skeleton.slid, **lifted})
            self.plain = PlainShapes(self.skeleton, home)
            self.plain.height = self._above_ground

    @property
    def ground(self) -> float:
        """z of the floor in the world."""
        return float(self.model.base[2, 3] - self._height)

    def _turns_on_ground(self, index: int) -> bool:
        """Whether the joint of a link is on the ground, upright, and what it carries goes up from there."""
        link, start = self.model.links[index], self.skeleton.bones[index].start
        if start.axis is None or link.joint.kind == "prismatic" or self.model.moving(link.parent):
            return False
        T, r = self.poses[index], self.plain.radius(index)
        height = float((T[:3, :3] @ start.point + T[:3, 3]) @ self.up)
        ways = [self.skeleton.bones[index].way(end) for end in self.skeleton.bones[index].ends.values()]
        rises = [float((T[:3, :3] @ (corners[1] - corners[0])) @ self.up) for corners in ways if len(corners) > 1]
        upright = abs(float((T[:3, :3] @ start.axis) @ self.up)) > 1.0 - 1e-6
        return upright and abs(height) < 0.1 * r and min(rises, default=0.0) > 2.0 * r

    def _lift(self, index: int) -> float:
        axis = self.skeleton.bones[index].start.axis
        assert axis is not None
        along = float((self.poses[index][:3, :3] @ axis) @ self.up)
        return self.skeleton.slid.get(index, 0.0) + float(np.copysign(1.5, along)) * self.plain.radius(index)

    def _above_ground(self, index: int, point: Floats) -> float:
        """How high a point of a link is above the ground; of what moves, no matter."""
        if self.model.moving(index):
            return np.inf
        T = np.eye(4) if index == BASE else self.poses[index]
        height = float((T[:3, :3] @ point + T[:3, 3]) @ self.up)
        return height if height > 0.0 else np.inf

    @property
    def _height(self) -> float:
        """Of the base above the floor."""
        lowest = float(min(self.heights.min(), 0.0))
        if self.hangs or self.upright < -UPRIGHT:
            return BELOW * self.size + max(-lowest, self.size if not self.hangs else 0.0)
        if self.upright < UPRIGHT:
            return CLEAR * self.size
        return 0.0 if self._shoulder > LOW * self.size else max(PEDESTAL * self.size, -lowest)

    @property
    def _shoulder(self) -> float:
        """How high above the base the first joints are, and what they carry where that begins along a vertical axis."""
        heights = [0.0]
        for index, T in enumerate(self.poses):
            link, bone = self.model.links[index], self.skeleton.bones[index]
            if not link.joint.moves or self.model.moving(link.parent):
                continue
            up = T[:3, :3].T @ self.up  # in the axes of the link
            begins = float((T @ np.append(bone.start.point, 1.0))[:3] @ self.up)
            first = [corners[1] - corners[0] for end in bone.ends.values() if len(corners := bone.way(end)) > 1]
            heights += [begins + float(step @ up) for step in first if step @ up > UPRIGHT * np.linalg.norm(step)]
            heights.append(begins)
        return max(heights)

    def shapes(self) -> list[DrawnShape]:
        r, z = self.plain.radius(BASE), np.array([0.0, 0.0, 1.0])
        shapes = self.plain.of(BASE)
        roots = [self.skeleton.carried(root).point for root in self.model.children(BASE)]
        wide = max(float(np.linalg.norm(point - (point @ z) * z)) for point in roots)
        plate = max(2.4 * r, wide + r if len(roots) > 2 else 0.0)
        if self.hangs or abs(self.upright) < UPRIGHT or self.upright < 0.0:
            behind = -1.9 * r * z
            shapes += [capsule(np.zeros(3), behind, r)] if not self.hangs else []
            if abs(self.upright) > UPRIGHT:
                at = np.zeros(3) if self.hangs else behind
                return [*shapes, *self._ceiling(at, 2.4 * r)]
            middle = behind + (0.6 * r - 0.5 * self._height) * self.up
            side = np.cross(self.up, z)
            T = pose(np.column_stack([side, np.cross(self.up, side), self.up]), middle)
            return [*shapes, box(T, (2.0 * r, 0.9 * r, self._height + 1.2 * r), "link"), self._foot(behind, plate)]
        if self._height > 0.0:
            middle = -0.5 * self._height * self.up
            shapes.append(cylinder(placed_along(self.up, middle), 1.35 * r, self._height, "link"))
        return [*shapes, self._foot(np.zeros(3), plate)]

    def _ceiling(self, below: Floats, wide: float) -> list[DrawnShape]:
        """A neck and the plate by which it hangs."""
        long = NECK * self.size
        neck = cylinder(placed_along(self.up, below + 0.5 * long * self.up), 0.5 * wide, long)
        return [neck, cylinder(placed_along(self.up, below + long * self.up), wide, 0.2 * wide, "joint")]

    def _foot(self, above: Floats, wide: float) -> DrawnShape:
        thick = 0.5 * self.plain.radius(BASE)
        at = above - (above @ self.up) * self.up + (0.5 * thick - self._height) * self.up
        return cylinder(placed_along(self.up, at), wide, thick, "joint")
