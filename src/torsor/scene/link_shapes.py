"""Links and joints drawn plainly: capsules along the ways of a link, cylinders along the axes of its joints.

Sizes follow from the arm's own: thick at the base and thinner towards the tool, rods beside the way to the tool thinner
still.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np

from torsor.model.parts import BASE
from torsor.model.transforms import Floats, pose
from torsor.scene.skeleton import NOTHING, Bone, BonePoint, Skeleton, flat, placed_along

DrawnShape = dict[str, Any]

AT_BASE, AT_TOOL = 0.05, 0.022  # radius of a link there, as shares of the arm's size
PLATE = 0.55  # half the thickness of a plate, against the radius of a link in its place
BESIDE = 0.5  # rods and cranks, against links of the way to the tool
RAIL = 0.35  # half the length of a rail of unknown length, as a share of the arm's size


class PlainShapes:
    """Shapes of each link, in its axes."""

    def __init__(self, skeleton: Skeleton, home: Floats) -> None:
        self.skeleton, self.model, self.size = skeleton, skeleton.model, skeleton.size
        self.height: Callable[[int, Floats], float] = lambda index, point: np.inf  # above the ground, of what stands
        self.home: dict[str, float] = dict(zip(self.model.joint_names, home.tolist(), strict=True))

    def radius(self, index: int) -> float:
        far = min(self.skeleton.distance[index] / self.size, 1.0)
        thick = self.size * (AT_BASE + (AT_TOOL - AT_BASE) * far)
        if index == BASE:
            return thick
        if self._is_virtual(index):  # a platform
            return min(thick, 0.4 * self.skeleton.bones[index].length)
        return thick if index in self.skeleton.main else BESIDE * thick

    def of(self, index: int) -> list[DrawnShape]:
        """All that is drawn of a link, the joints that it carries included."""
        r, bone = self.radius(index), self.skeleton.bones[index]
        shapes = [] if index == BASE or self._is_virtual(index) else self._begin(index, r)
        plate = self._plate(index, r)
        shapes += plate
        for name, end in bone.ends.items():
            if name == "tool":
                shapes += self._gripper(bone, end, r)
            elif not name.startswith("joint"):
                shapes += [*([] if plate else self._tube(bone, end, r)), self._pin(end, r)]
        for child in self.model.children(index):
            end = self.skeleton.carried(child)
            if not self._is_frame_only(child) and not self._is_virtual(child):
                thin = min(r, self.radius(child)) if child in self.skeleton.main else r
                tube = self._tube(bone, end, r, thin, stands=not self.model.moving(index))
                shapes += [*([] if plate else tube), *self._joint(child, end)]
        return shapes

    def _plate(self, index: int, r: float) -> list[DrawnShape]:
        """What carries three ends or more around its middle is a plate: the base of a Delta robot, its platform."""
        bone = self.skeleton.bones[index]
        around = np.array([end.point for name, end in bone.ends.items() if name != "tool"]).reshape(-1, 3)
        if len(around) < 3:
            return []
        across = around - bone.start.point
        normal = np.linalg.svd(across)[2][2]
        wide = float(np.linalg.norm(across, axis=1).max())
        aside = float(np.linalg.norm(across.mean(axis=0)))
        if wide <= NOTHING or aside > 0.2 * wide or np.abs(across @ normal).max() > PLATE * r:
            return []
        return [cylinder(placed_along(normal, bone.start.point), wide, 2.0 * PLATE * r)]

    def _begin(self, index: int, r: float) -> list[DrawnShape]:
        """Where a link begins: the boom or carriage of one that slides, the housing of one that is short."""
        joint, start = self.model.links[index].joint, self.skeleton.bones[index].start
        if joint.kind == "prismatic" and start.axis is not None:
            if joint.limits.position is None:
                return [box(placed_along(start.axis, start.point), (2.6 * r, 2.6 * r, 2.6 * r), "link")]
            low, high = joint.limits.position  # it ends within the box through which it slides
            back, front = max(high - 1.2 * r, 0.0), min(low + 1.2 * r, 0.0)
            return [capsule(start.point - back * start.axis, start.point - front * start.axis, 0.75 * r)]
        short = self.model.moving(index) and self.skeleton.bones[index].length < 2.0 * r
        return [ball(start.point, 1.1 * r)] if short and not self._is_frame_only(index) else []

    def _tube(
        self, bone: Bone, end: BonePoint, r: float, thin: float | None = None, *, stands: bool = False
    ) -> list[DrawnShape]:
        """Along the way to an end, where it may be thinner; what stands has a flat foot."""
        corners = bone.way(end)
        sides = [*pairwise(corners)]
        if stands and len(sides) == 1:
            ((a, b),) = sides
            return [cylinder(placed_along(b - a, 0.5 * (a + b)), r, float(np.linalg.norm(b - a)))]
        far = np.cumsum([0.0, *(float(np.linalg.norm(b - a)) for a, b in sides)])
        radii = np.interp(far, [0.0, max(far[-1], NOTHING)], [r, r if thin is None else thin])
        return [capsule(a, b, *ends) for (a, b), ends in zip(sides, pairwise(radii), strict=True)]

    def _joint(self, child: int, end: BonePoint) -> list[DrawnShape]:
        """A joint, drawn on the link that carries it."""
        joint, r = self.model.links[child].joint, self.radius(child)
        if end.axis is None:
            return []
        T = placed_along(end.axis, end.point)
        if joint.kind != "prismatic":
            half = min(1.5 * r, self.height(self.model.links[child].parent, end.point))
            return [cylinder(T, 1.3 * r, 2.0 * half, "joint")]
        if joint.limits.position is not None:  # what slides through it is drawn on the link
            return [box(T, (3.2 * r, 3.2 * r, 3.2 * r), "joint")]
        middle = end.point + self.home.get(joint.name, 0.0) * end.axis
        return [box(placed_along(end.axis, middle), (1.4 * r, 1.4 * r, 2.0 * RAIL * self.size), "joint")]

    def _pin(self, end: BonePoint, r: float) -> DrawnShape:
        """Where a loop is closed: a pin along its axis, a ball where it has none."""
        if end.axis is None:
            return ball(end.point, 1.25 * r, "joint")
        return cylinder(placed_along(end.axis, end.point), 1.2 * r, 3.0 * r, "joint")

    def _gripper(self, bone: Bone, tool: BonePoint, thick: float) -> list[DrawnShape]:
        """Two fingers that end at the tool's point and look along its z; a flange, or a tip, where they do not fit."""
        r, T = AT_TOOL * self.size, self.model.tool.placement
        z, far = T[:3, 2], tool.point - bone.start.point
        length, size = 4.0 * r, float(np.linalg.norm(far))
        if size <= NOTHING:
            return [cylinder(T @ pose(position=[0.0, 0.0, r]), 1.1 * r, 2.0 * r, "tool")]
        if far @ z < 0.8 * size:
            return [*self._tube(bone, tool, thick), ball(tool.point, 1.15 * thick, "tool")]
        if size < 1.5 * length:
            flange = cylinder(T @ pose(position=[0.0, 0.0, -0.3 * thick]), 1.1 * thick, 0.6 * thick, "tool")
            return [*self._tube(bone, BonePoint(tool.point - min(0.9 * thick, size) * z), 0.85 * thick), flange]
        palm = tool.point - length * z
        shapes = self._tube(bone, BonePoint(palm - 0.8 * thick * z), thick)  # its round end is within the palm
        shapes.append(box(T @ pose(position=[0.0, 0.0, -length]), (1.7 * r, 3.6 * r, 1.1 * r), "tool"))
        for side in (-1.0, 1.0):
            at = T @ pose(position=[0.0, side * 1.4 * r, -0.5 * length])
            shapes.append(box(at, (1.2 * r, 0.6 * r, length), "tool"))
        return shapes

    def _is_virtual(self, index: int) -> bool:
        """Slides without mass or limits are a way to write a platform that moves in space, not something to draw."""
        link = self.model.links[index]
        parent = None if link.parent == BASE else self.model.links[link.parent].mass
        empty = any(mass is not None and mass.mass == 0.0 for mass in (link.mass, parent))
        return empty and link.joint.kind == "prismatic" and link.joint.limits.position is None

    def _is_frame_only(self, index: int) -> bool:
        """A fixed link without mass that carries nothing only names a frame."""
        link, bone = self.model.links[index], self.skeleton.bones[index]
        return not link.joint.moves and link.mass is None and not bone.ends


def capsule(a: Floats, b: Floats, r: float, thin: float | None = None) -> DrawnShape:
    """Round at both ends; ``thin`` is the radius at b, where it is another."""
    ends = {"a": a.tolist(), "b": b.tolist(), "r": float(r), "thin": float(r if thin is None else thin)}
    return {"role": "link", "color": None, "kind": "capsule", **ends}


def cylinder(T: Floats, r: float, length: float, role: str = "link") -> DrawnShape:
    return {"role": role, "color": None, "kind": "cylinder", "T": flat(T), "r": float(r), "length": float(length)}


def box(T: Floats, size: tuple[float, float, float], role: str = "link") -> DrawnShape:
    return {"role": role, "color": None, "kind": "box", "T": flat(T), "size": [float(x) for x in size]}


def ball(point: Floats, r: float, role: str = "link") -> DrawnShape:
    return {"role": role, "color": None, "kind": "sphere", "T": flat(pose(position=point)), "r": float(r)}
