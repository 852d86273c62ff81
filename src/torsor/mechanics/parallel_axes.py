"""Axes that parallel joints share: one turn by the sum of their angles in place of one turn each.

The axes in which vectors of a body are written need not turn with it, as long as z stays along its joint. Of a run of
parallel joints all bodies take the axes of the last one. Then nothing has to be turned from one of them to the next;
instead what is constant in a body, its inertia and the place of the next joint, is turned by the angles beyond it.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from torsor.mechanics.inertia_tensors import tensor_of, turned_tensor
from torsor.mechanics.kinematics import JointStep, matrix, vector
from torsor.mechanics.tree import Body, Reals, Tree
from torsor.mechanics.turns import Turn, quarters_between


def in_shared_axes(tree: Tree, q: Reals) -> list[JointStep]:
    """The joints of a tree at a state, like `kinematics.steps`; their bodies have inertia and place in shared axes."""
    coordinates = np.moveaxis(tree.expand(q), -1, 0)
    joints = [Turn.by(x) if body.turn else Turn() for body, x in zip(tree.bodies, coordinates, strict=True)]
    beyond: dict[int, Turn] = {}  # by how much the axes of a body are turned against it
    shared: dict[int, float] = {}  # bodies in the axes of their parents, and whether z is the same
    for i in reversed(range(len(tree.bodies))):
        children = [k for k, body in enumerate(tree.bodies) if body.parent == i]
        if len(children) != 1 or not tree.bodies[i].turn:
            continue
        (k,) = children
        if (between := quarters_between(tree.bodies[k])) is not None:
            quarters, shared[k] = between
            beyond[i] = quarters.seen_from(shared[k]).then(joints[k]).then(beyond.get(k, Turn())).seen_from(shared[k])
    found = []
    for i, (body, x) in enumerate(zip(tree.bodies, coordinates, strict=True)):
        moved = _placed(body, beyond.get(body.parent), beyond.get(i))
        reach = body.along + body.slide * x if body.slide else body.along
        if i in shared:
            moved = replace(moved, rotation=np.diag([1.0, shared[i], shared[i]]))
            found.append(JointStep(moved, None, None, reach))
        else:
            turn = joints[i].then(beyond.get(i, Turn()))
            c, s = turn.unit if body.turn or i in beyond else (None, None)
            found.append(JointStep(moved, c, s, reach))
    return found


def _placed(body: Body, parent: Turn | None, own: Turn | None) -> Body:
    """A body whose parent's axes, and whose own, are turned by so much against them."""
    if parent is not None:
        body = replace(body, position=_unturned(parent, body.position))
    if own is None:
        return body
    c, s = own.unit
    xx, yy, zz, xy, xz, yz = turned_tensor(c, -s, tensor_of(body.second))
    second = matrix((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))
    return replace(body, moment=_unturned(own, body.moment), second=second)


def _unturned(turn: Turn, v: Reals) -> Reals:
    (c, s), (x, y, z) = turn.unit, v
    return vector(c * x + s * y, c * y - s * x, z)
