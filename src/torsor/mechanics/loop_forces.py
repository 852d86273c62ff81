"""What the cut joints of loops carry, from the multipliers of their equations.

A loop in a plane is held by its axes anyway: which share of forces along the normal and of tilting moments its cut
joint takes cannot be said of rigid bodies. It is given none of them; what its two equations hold is all it carries.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from torsor.mechanics.dyad import Dyad
from torsor.mechanics.kinematics import JointStep, joined, rotate, scaled, stacked, steps, unrotate, vector
from torsor.mechanics.newton_euler import BodyPush
from torsor.mechanics.spatial_loop import SpatialLoop
from torsor.mechanics.tree import Reals, Tree
from torsor.model.parts import BASE

if TYPE_CHECKING:
    from torsor.mechanics.closed_stance import ClosedStance


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
            force = sign * (scaled(lam[0], e1) + scaled(lam[1], e2))
            second = at.tree.ends[stage.number][1]
            for i in _path(at.tree, stage.loop.shared, second.body):
                force = joints[i].into(force)
            found[stage.number] = unrotate(second.rotation, force), np.zeros(3), np.zeros(3)
            continue
        rest = iter(lam)
        found |= {
            loop.number: _spatial(loop, joints, tuple(islice(rest, loop.ways + loop.turns))) for loop in stage.loops
        }
    return found


def _spatial(loop: SpatialLoop, joints: list[JointStep], lam: tuple[Any, ...]) -> tuple[Reals, Reals, Reals]:
    poses = loop.poses(joints)
    (_, first), (R, second) = loop.end(0, poses), loop.end(1, poses)
    way, none = unrotate(R, first - second), np.zeros(3)
    if loop.kind == "distance":
        return way * (np.asarray(lam[0])[..., None] * (1.0 / loop.length)), none, way
    if loop.kind == "slider":
        return vector(lam[0], lam[1], 0.0), vector(*lam[2:]), way
    if loop.kind == "hinge":  # w.(z x x) = w.y and w.(z x y) = -w.x
        return vector(*lam[:3]), vector(-lam[4], lam[3], 0.0), none
    return vector(*lam[:3]), vector(*lam[3:]) if loop.kind == "rigid" else none, none


def loop_forces(at: ClosedStance, multipliers: list[tuple[Any, ...]]) -> Reals:
    """(..., loops, 6): force over moment that each cut joint exerts on the link of its first end, there.

    In the axes of the second end.
    """
    found = _cut_wrenches(at, multipliers)
    return stacked(joined(*found[number][:2]) for number in range(len(at.tree.ends)))


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
        both = [i for i in at.tree.path(first.body) if i in at.tree.path(second.body)]
        shared = both[-1] if both else BASE
        for i in reversed(_path(at.tree, shared, second.body)):
            force, moment = joints[i].out_of(force), joints[i].out_of(moment)
        for i in _path(at.tree, shared, first.body):
            force, moment = joints[i].into(force), joints[i].into(moment)
        if first.body >= 0:
            given.append((first.body, force, moment + np.cross(first.position, force)))
    return given


def _path(tree: Tree, shared: int, body: int) -> list[int]:
    """The bodies beyond the shared one out to this one."""
    path = tree.path(body)
    return path[path.index(shared) + 1 :] if shared in path else path
