"""What the cut joints of loops carry, from the multipliers of their equations.

A loop in a plane is held by its axes anyway: which share of forces along the normal and of tilting moments its cut
joint takes cannot be said of rigid bodies. It is given none of them; what its two equations hold is all it carries.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from torsor.mechanics.dyad import Dyad
from torsor.mechanics.kinematics import JointStep, rotate, steps, unrotate, vector
from torsor.mechanics.spatial_loop import SpatialLoop, end_motion
from torsor.mechanics.tree import Reals, Tree

if TYPE_CHECKING:
    from torsor.mechanics.closed_stance import ClosedStance

BodyPush = tuple[int, Reals, Reals]  # body, force and moment about its origin, in its axes


def _cut_wrenches(at: ClosedStance, multipliers: list[tuple[Any, ...]]) -> dict[int, tuple[Reals, Reals, Reals]]:
    """By loop: force and moment on its first end, about that end's origin, and the way there from the second end.

    All in the axes of the second end.
    """
    joints = steps(at.tree, at.q)
    found: dict[int, tuple[Reals, Reals, Reals]] = {}
    for stage, lam in zip(at.closure.stages, multipliers, strict=True):
        if isinstance(stage, Dyad):
            sign = -1.0 if stage.swapped else 1.0
            e1, e2 = stage.loop.plane[:, 0], stage.loop.plane[:, 1]
            force = sign * (e1 * np.asarray(lam[0])[..., None] + e2 * np.asarray(lam[1])[..., None])
            second = at.tree.ends[stage.number][1]
            for i in _path(at.tree, stage.loop.shared, second.body):
                force = joints[i].into(force)
            found[stage.number] = unrotate(second.rotation, force), np.zeros(3), np.zeros(3)
            continue
        start = 0
        for loop in stage.loops:
            size = loop.ways + loop.turns
            found[loop.number] = _spatial(loop, joints, lam[start : start + size])
            start += size
    return found


def _spatial(loop: SpatialLoop, joints: list[JointStep], lam: tuple[Any, ...]) -> tuple[Reals, Reals, Reals]:
    poses = loop.poses(joints)
    f, s = end_motion(loop, 0, poses), end_motion(loop, 1, poses)
    way = unrotate(s.R, f.p - s.p)
    none = np.zeros(3)
    if loop.kind == "distance":
        return way * (np.asarray(lam[0])[..., None] * (1.0 / loop.length)), none, way
    if loop.kind == "slider":
        return vector(lam[0], lam[1], 0.0), vector(*lam[2:]), way
    force = vector(*lam[:3])
    if loop.kind == "hinge":  # w.(z x x) = w.y and w.(z x y) = -w.x
        return force, vector(-lam[4], lam[3], 0.0), none
    return force, (vector(*lam[3:]) if loop.kind == "rigid" else none), none


def loop_forces(at: ClosedStance, multipliers: list[tuple[Any, ...]]) -> Reals:
    """(..., loops, 6): force over moment that each cut joint exerts on the link of its first end, there.

    In the axes of the second end.
    """
    found = _cut_wrenches(at, multipliers)
    rows = []
    for number in range(len(at.tree.ends)):
        force, moment, _ = found[number]
        rows.append(np.concatenate(np.broadcast_arrays(force, moment), axis=-1))
    return np.stack(np.broadcast_arrays(*rows), axis=-2)


def pushes(at: ClosedStance, multipliers: list[tuple[Any, ...]]) -> list[BodyPush]:
    """The same as pushes on the bodies of both ends."""
    joints = steps(at.tree, at.q)
    given: list[BodyPush] = []
    for number, (force, moment, way) in _cut_wrenches(at, multipliers).items():
        first, second = at.tree.ends[number]
        force, moment, way = (rotate(second.rotation, each) for each in (force, moment, way))
        lever = second.position + way
        if second.body >= 0:
            given.append((second.body, -force, -(moment + np.cross(lever, force))))
        shared = _shared(at.tree, first.body, second.body)
        for i in reversed(_path(at.tree, shared, second.body)):
            force, moment = joints[i].out_of(force), joints[i].out_of(moment)
        for i in _path(at.tree, shared, first.body):
            force, moment = joints[i].into(force), joints[i].into(moment)
        if first.body >= 0:
            given.append((first.body, force, moment + np.cross(first.position, force)))
    return given


def _path(tree: Tree, shared: int, body: int) -> list[int]:
    path = tree.path(body)
    return path[path.index(shared) + 1 :] if shared in path else path


def _shared(tree: Tree, first: int, second: int) -> int:
    both = [i for i in tree.path(first) if i in tree.path(second)]
    return both[-1] if both else -1
