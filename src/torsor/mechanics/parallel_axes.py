"""Axes that parallel joints share: one turn by the sum of their angles in place of one turn each.

The axes in which vectors of a body are written need not turn with it, as long as z stays along its joint. Of a run of
parallel joints all bodies take the axes of the last one. Then nothing has to be turned from one of them to the next;
instead what is constant in a body, its inertia and the place of the next joint, is turned by the angles beyond it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from torsor.mechanics.composite import tensor_of, turned_tensor
from torsor.mechanics.kinematics import JointStep, matrix, vector
from torsor.mechanics.tree import Body, Reals, Tree


@dataclass(frozen=True, eq=False)
class Turn:
    """A turn about z by an angle, None where there is none, and by quarters, given exactly as cosine and sine."""

    angle: Any = None
    quarters: tuple[float, float] = (1.0, 0.0)

    def then(self, other: Turn) -> Turn:
        (c, s), (c2, s2) = self.quarters, other.quarters
        angles = [each.angle for each in (self, other) if each.angle is not None]
        return Turn(sum(angles[1:], angles[0]) if angles else None, (c * c2 - s * s2, s * c2 + c * s2))

    def seen_from(self, side: float) -> Turn:
        """About z of the same direction (1), or of the opposite one (-1)."""
        if side > 0.0:
            return self
        return Turn(None if self.angle is None else -self.angle, (self.quarters[0], -self.quarters[1]))

    @property
    def unit(self) -> tuple[Any, Any]:
        """Cosine and sine."""
        c, s = self.quarters
        if self.angle is None:
            return c, s
        x, y = np.cos(self.angle), np.sin(self.angle)
        return c * x - s * y, s * x + c * y


def in_shared_axes(tree: Tree, q: Reals) -> list[JointStep]:
    """The joints of a tree at a state, like `kinematics.steps`; their bodies have inertia and place in shared axes."""
    coordinates = np.moveaxis(tree.expand(q), -1, 0)
    joints = [Turn(x) if body.turn else Turn() for body, x in zip(tree.bodies, coordinates, strict=True)]
    beyond: dict[int, Turn] = {}  # by how much the axes of a body are turned against it
    shared: dict[int, float] = {}  # bodies in the axes of their parents, and whether z is the same
    for i in reversed(range(len(tree.bodies))):
        children = [k for k, body in enumerate(tree.bodies) if body.parent == i]
        if len(children) != 1 or not tree.bodies[i].turn:
            continue
        (k,) = children
        R = tree.bodies[k].rotation
        if abs(R[2, 2]) == 1.0 and abs(R[0, 0]) in (0.0, 1.0):  # half a turn about x or none, after quarters about z
            shared[k] = R[2, 2]
            quarters = Turn(None, (R[0, 0], shared[k] * R[1, 0]))
            beyond[i] = quarters.then(joints[k]).then(beyond.get(k, Turn())).seen_from(shared[k])
    found = []
    for i, (body, x) in enumerate(zip(tree.bodies, coordinates, strict=True)):
        moved = _placed(body, beyond.get(body.parent), beyond.get(i))
        reach = body.along + body.slide * x if body.slide else body.along
        if i in shared:
            moved = replace(moved, rotation=np.diag([1.0, shared[i], shared[i]]))
            found.append(JointStep(moved, None, None, reach))
        else:
            turn = joints[i].then(beyond.get(i, Turn()))
            c, s = (None, None) if turn.angle is None else turn.unit
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
