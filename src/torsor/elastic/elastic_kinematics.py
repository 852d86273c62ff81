"""Where the bodies of an arm with elastic links are, and how its coordinates move what rides on them. In base axes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from torsor.elastic.elastic_newton_euler import TipStep, elastic_steps, tip_rotation, tip_turning
from torsor.elastic.elastic_tree import ElasticTree
from torsor.mechanics.kinematics import bordered, joined, rotate
from torsor.mechanics.tree import Mount, Reals
from torsor.model.parts import BASE
from torsor.model.transforms import times

FramePlace = tuple[Reals, Reals]  # R_base_frame and its origin


@dataclass(frozen=True, eq=False)
class BentArm:
    """The arm at x: its bodies, and the tips that others ride on."""

    arm: ElasticTree
    x: Reals
    bodies: list[FramePlace]
    tips: list[tuple[TipStep, FramePlace] | None]  # of each body: the tip that it rides on

    @classmethod
    def at(cls, arm: ElasticTree, x: Reals) -> BentArm:
        joints, rides = elastic_steps(arm, x)
        bodies: list[FramePlace] = []
        tips: list[tuple[TipStep, FramePlace] | None] = []
        for joint, ride in zip(joints, rides, strict=True):
            body = joint.body
            R, p = (arm.tree.root, np.zeros(3)) if body.parent == BASE else bodies[body.parent]
            position = joint.p
            if ride is not None:
                R, p = times(R, tip_rotation(ride)), p + rotate(R, ride.r)
                tips.append((ride, (R, p)))
                position = position - ride.tip.position
            else:
                tips.append(None)
            bodies.append((times(R, joint.R), p + rotate(R, position)))
        return cls(arm, x, bodies, tips)

    def frame(self, mount: Mount, tip: int | None) -> tuple[FramePlace, tuple[TipStep, FramePlace] | None]:
        """A frame on a body, and the tip of that body that it rides on."""
        if mount.body == BASE:
            return (mount.rotation, mount.position), None
        R, p = self.bodies[mount.body]
        if tip is None:
            return (times(R, mount.rotation), p + rotate(R, mount.position)), None
        step = TipStep.at(self.arm.flexible[mount.body].tips[tip], self.arm.own(mount.body, self.x))
        R, p = times(R, tip_rotation(step)), p + rotate(R, step.r)
        place = times(R, mount.rotation), p + rotate(R, mount.position - step.tip.position)
        return place, (step, (R, p))

    def jacobian(self, mount: Mount, tip: int | None) -> Reals:
        """(..., 6, x): velocity of a frame's origin over its angular velocity for unit rates of the coordinates."""
        (_, p_frame), last = self.frame(mount, tip)
        columns: list[Any] = [np.zeros(6)] * self.arm.size
        if last is not None:
            self._add_tip(columns, mount.body, last, p_frame)
        for i in self.arm.tree.path(mount.body) if mount.body != BASE else ():
            body, (R, p) = self.arm.tree.bodies[i], self.bodies[i]
            z = R[..., :, 2]
            column = joined(body.turn * np.cross(z, p_frame - p) + body.slide * z, body.turn * z)
            for k in np.flatnonzero(self.arm.turns[i]):
                columns[k] = columns[k] + self.arm.turns[i, k] * column
            if (tip_of := self.tips[i]) is not None:
                self._add_tip(columns, body.parent, tip_of, p_frame)
        shape = (*self.x.shape[:-1], 6)
        return np.stack([np.broadcast_to(column, shape) for column in columns], axis=-1)

    def _add_tip(self, columns: list[Any], body: int, tip: tuple[TipStep, FramePlace], p_frame: Reals) -> None:
        step, (_, p_tip) = tip
        R = self.bodies[body][0]
        for k, (column, turning) in enumerate(_both(step)):
            w = rotate(R, turning)
            at = self.arm.slices[body].start + k
            columns[at] = columns[at] + joined(rotate(R, column) + np.cross(w, p_frame - p_tip), w)


def _both(step: TipStep) -> Iterator[tuple[Reals, Reals]]:
    turning = tip_turning(step)
    for k in range(step.tip.Phi.shape[1]):
        yield step.columns[..., k, :], turning[..., k, :]


def pose(arm: ElasticTree, x: Reals, frame: str = "tool") -> Reals:
    """T_base_frame (..., 4, 4)."""
    (R, p), _ = BentArm.at(arm, x).frame(*arm.mount(frame))
    T = bordered(R, p, np.array([0.0, 0.0, 0.0, 1.0]))
    return np.broadcast_to(T, (*x.shape[:-1], 4, 4))


def jacobian(arm: ElasticTree, x: Reals, frame: str = "tool") -> Reals:
    """(..., 6, x), in base axes, v = J xd."""
    return BentArm.at(arm, x).jacobian(*arm.mount(frame))


def node_displacements(arm: ElasticTree, q: Reals, x: Reals) -> dict[str, Reals]:
    """By link: (..., nodes, 3), how far small coordinates x displace the nodes of its beam, base axes."""
    joints = np.concatenate([q, np.zeros((*q.shape[:-1], arm.size - arm.n))], axis=-1)
    stance, found = BentArm.at(arm, joints), {}
    for i, mesh in arm.meshes.items():
        R, _ = stance.bodies[i]
        own = arm.flexible[i].shapes.reshape(len(mesh.nodes), 6, -1)[:, :3]
        clamped = stance.jacobian(Mount.at(i, np.eye(4)), None)
        moved = (clamped @ x[..., None])[..., 0]
        bent = np.einsum("...ab,kbm,...m->...ka", R, own, arm.own(i, x))
        away = np.einsum("...ab,kb->...ka", R, mesh.nodes)
        found[arm.tree.bodies[i].name] = moved[..., None, :3] + np.cross(moved[..., None, 3:], away) + bent
    return found
