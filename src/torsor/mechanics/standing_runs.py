"""Runs of parallel joints of which every body stands on the body before the run, each in its own axes.

In absolute angles (`absolute_angles.py`) a body of a run turns alone; what comes later in the run is held in its
direction and only moves along. So each of them may be seen from the root of the run, the body before it, at a place
that the angles move: nothing constant has to be turned into the axes of another body (`parallel_axes.py`), and what the
root sees of a place and a body, by sines and cosines of their own sums of angles, is short. What is paid for it are
those sines and cosines, of q2 beside q3 and q2 + q3.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from torsor.mechanics.absolute_angles import Entries
from torsor.mechanics.composite_bodies import CompositeBodies, Inertias, Screw, SecondMoments
from torsor.mechanics.kinematics import JointStep, dot, parts, rotate, scaled, steps, vector
from torsor.mechanics.newton_euler import to_parent
from torsor.mechanics.tree import Reals, Tree
from torsor.mechanics.turns import Turn, quarters_between
from torsor.model.parts import BASE


class RunArm(NamedTuple):
    """What moves a body along when an earlier joint of its run turns: the way from there to the next joint, in the
    plane across the axis."""

    joint: int
    side: float  # of that joint's axis against the body's
    own: Reals  # in axes of the body
    still: Reals  # in those that the body turns from

    def moves(self) -> Reals:
        """The velocity of the body, in the axes that it turns from."""
        x, y, _ = parts(self.still)
        return vector(-self.side * y, self.side * x, 0.0)

    def feels(self, force: Reals) -> Any:
        """The torque about that joint of a force in axes of the body."""
        return _torque(self.side, self.own, force)

    def feels_still(self, force: Reals) -> Any:
        """Of a force in the axes that the body turns from."""
        return _torque(self.side, self.still, force)


def _torque(side: float, arm: Reals, force: Reals) -> Any:
    (x, y, _), (fx, fy, _) = parts(arm), parts(force)
    return side * (x * fy - y * fx)


@dataclass(frozen=True, eq=False)
class StandingRuns:
    """Joints by which bodies of runs stand on their roots; and the arms that each of them rides on."""

    joints: list[JointStep]
    arms: list[list[RunArm]]

    @classmethod
    def of(cls, tree: Tree, q: Reals, sides: Collection[int]) -> StandingRuns:
        """``sides`` has the bodies that go on the run of their parent, as `AbsoluteAngles` has them."""
        coordinates = np.moveaxis(tree.expand(q), -1, 0)
        joints, places = steps(tree, q), _Places()
        arms: list[list[RunArm]] = []
        for i, body in enumerate(tree.bodies):
            own = Turn.by(coordinates[i]) if body.turn else Turn()
            if i not in sides:
                places.start(i, own, body.along)
                arms.append([])
                continue
            between = quarters_between(body)
            assert between is not None, "only parallel joints share axes"
            quarters, side = between
            place = places.go_on(i, body.parent, body.position, quarters.then(own.seen_from(side)), side, body.along)
            first, turn, up = tree.bodies[places.first[i]], places.turns[i], places.ups[i]
            c, s = turn.unit
            stands = replace(
                body,
                parent=first.parent,
                rotation=first.rotation * np.array([1.0, up, up]),
                position=first.position + rotate(first.rotation, place),
            )
            joints[i] = JointStep(stands, c, up * s, body.along)
            arms.append(places.arms(i))
        return cls(joints, arms)

    def mass_entries(self, bodies: CompositeBodies[Inertias] | CompositeBodies[SecondMoments]) -> Entries:
        """M of absolute angles over bodies; ``bodies`` are the composites of these joints."""
        M: Entries = {}
        moved: dict[int, Screw] = {}  # on the root of its run, what asks a joint to move those that ride on its body
        for i in reversed(range(len(self.joints))):
            joint = self.joints[i]
            force, torque = bodies.turning[i].swept(joint.body)
            row = self._row(i, force, torque, moved.get(i))
            for k, entry in row.items():
                M[i, k] = M[i, k] + entry if (i, k) in M else entry
            if not self.arms[i]:
                continue
            before = bodies.whole[i].before_turning(joint)
            for n, arm in enumerate(self.arms[i]):
                a = arm.moves()
                push = scaled(before.mass, a)
                more = rotate(joint.body.rotation, push), rotate(joint.body.rotation, np.cross(before.moment, a))
                more = more[0], more[1] + np.cross(joint.body.position, more[0])
                known = moved.get(arm.joint)
                moved[arm.joint] = more if known is None else (known[0] + more[0], known[1] + more[1])
                for other in self.arms[i][: n + 1]:  # both move it
                    place = max(arm.joint, other.joint), min(arm.joint, other.joint)
                    M[place] = M.get(place, 0.0) + dot(push, other.moves())
        return M

    def _row(self, i: int, force: Reals, torque: Reals, more: Screw | None) -> dict[int, Any]:
        """What a wrench on body i, and ``more`` on the root of its run, ask of its joint and of those before it."""
        row: dict[int, Any] = {}
        at = i
        while True:
            joint = self.joints[at]
            row[at] = joint.body.along_axis(force, torque)
            row |= {arm.joint: arm.feels(force) for arm in self.arms[at]}
            root = joint.body.parent
            if root == BASE:
                return row
            force, torque = to_parent(joint, force, torque)
            if at == i and more is not None:
                force, torque = force + more[0], torque + more[1]
            at = root


class _Places:
    """Where bodies of runs stand, in the axes that the first of their run turns from."""

    def __init__(self) -> None:
        self.first: list[int] = []
        self.turns: list[Turn] = []  # against those axes
        self.ups: list[float] = []  # whether z is that of the first
        self.origins: list[Reals] = []
        self.since: list[list[tuple[int, float, Turn, Reals, Reals]]] = []

    def start(self, i: int, own: Turn, along: Any) -> None:
        self.first.append(i)
        self.turns.append(own)
        self.ups.append(1.0)
        self.origins.append(vector(0.0, 0.0, along))
        self.since.append([])

    def go_on(self, i: int, parent: int, position: Reals, own: Turn, side: float, along: Any) -> Reals:
        """The place of a further joint, which stands at a position in axes of its parent and turns ``own`` there."""
        before, up = self.turns[parent], self.ups[parent]
        self.first.append(self.first[parent])
        self.turns.append(before.then(own.seen_from(up)))
        self.ups.append(up * side)
        way = _turned(before, _flipped(up, position))
        place = self.origins[parent] + way
        self.origins.append(place + vector(0.0, 0.0, up * side * along))
        earlier = [(j, s * side, t.then(own.seen_from(s)), arm, still) for j, s, t, arm, still in self.since[parent]]
        self.since.append([*earlier, (parent, side, own, position, way)])
        return place

    def arms(self, i: int) -> list[RunArm]:
        return [
            RunArm(j, side, _in_plane(_flipped(side, _unturned(turn, arm))), _in_plane(_flipped(self.ups[i], still)))
            for j, side, turn, arm, still in self.since[i]
        ]


def _flipped(side: float, v: Reals) -> Reals:
    return np.asarray(v * np.array([1.0, side, side]))


def _turned(turn: Turn, v: Reals) -> Reals:
    (c, s), (x, y, z) = turn.unit, parts(v)
    return vector(c * x - s * y, s * x + c * y, z)


def _unturned(turn: Turn, v: Reals) -> Reals:
    (c, s), (x, y, z) = turn.unit, parts(v)
    return vector(c * x + s * y, c * y - s * x, z)


def _in_plane(v: Reals) -> Reals:
    return vector(v[..., 0], v[..., 1], 0.0)
