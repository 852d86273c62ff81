"""Composite bodies: each body with all that it carries, by mass, first moment and inertia or second moments about its
origin; and the mass matrix that they give."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np

from torsor.mechanics.absolute_angles import Entries
from torsor.mechanics.inertia_tensors import (
    Tensor,
    added,
    before_turning,
    carried,
    carried_second,
    inertia_of,
    shifted,
    shifted_second,
    tensor_of,
)  # fmt: skip
from torsor.mechanics.kinematics import JointStep, dot, parts, scaled, vector
from torsor.mechanics.newton_euler import to_parent
from torsor.mechanics.tree import Body, Reals
from torsor.model.parts import BASE

Screw = tuple[Reals, Reals]  # velocity of the origin, angular velocity
BodyScrews = Mapping[int, Mapping[int, Screw]]  # body -> joint before it -> what that moves it by
NOWHERE: BodyScrews = {}


class Inertias(NamedTuple):
    """Of a set of particles: mass, sum of m r, inertia about the origin. M of few joints needs little more of it."""

    mass: Any
    moment: Reals
    inertia: Tensor

    @classmethod
    def of(cls, body: Body) -> Inertias:
        return cls(body.mass, body.moment, inertia_of(body.second))

    def before_turning(self, joint: JointStep) -> Inertias:
        """Seen from the place of the joint, in the axes that it turns the body from."""
        return Inertias(self.mass, *before_turning(joint, *self, shifted))

    def carried(self, joint: JointStep) -> Inertias:
        """Seen from the parent."""
        return Inertias(self.mass, *carried(joint, joint.body.position, *self))

    def plus(self, other: Inertias) -> Inertias:
        return Inertias(self.mass + other.mass, self.moment + other.moment, added(self.inertia, other.inertia))

    def swept(self, body: Body) -> tuple[Reals, Reals]:
        """Momentum, and its moment, when all moves with the body's joint at a unit of its rate."""
        _, _, zz, _, xz, yz = self.inertia
        return _swept(body, self.mass, self.moment, vector(xz, yz, zz))


class SecondMoments(NamedTuple):
    """Mass, sum of m r, sum of m r r^T: what accelerations need."""

    mass: Any
    moment: Reals
    second: Tensor

    @classmethod
    def of(cls, body: Body) -> SecondMoments:
        return cls(body.mass, body.moment, tensor_of(body.second))

    def carried(self, joint: JointStep) -> SecondMoments:
        return SecondMoments(self.mass, *carried_second(joint, *self))

    def plus(self, other: SecondMoments) -> SecondMoments:
        return SecondMoments(self.mass + other.mass, self.moment + other.moment, added(self.second, other.second))

    def swept(self, body: Body) -> tuple[Reals, Reals]:
        xx, yy, _, _, xz, yz = self.second
        return _swept(body, self.mass, self.moment, vector(-xz, -yz, xx + yy))

    def thrown(self, body: Body, v: Reals) -> tuple[Reals, Reals]:
        """Force and moment when particles accelerate by v x s(r), s the field that the body's joint moves them by:
        v x (turn z x s + slide m z) and turn (K v) x z + slide s x (v x z)."""
        (x, y, z), (xx, yy, _, xy, xz, yz), (push, _) = parts(v), self.second, self.swept(body)
        about = vector(xy * x + yy * y + yz * z, -(xx * x + xy * y + xz * z), 0.0)
        return np.cross(v, push), body.turn * about + body.slide * np.cross(self.moment, vector(y, -x, 0.0))

    def before_turning(self, joint: JointStep) -> SecondMoments:
        """Seen from the place of the joint, in the axes that it turns the body from."""
        return SecondMoments(self.mass, *before_turning(joint, *self, shifted_second))


def _swept(body: Body, mass: Any, moment: Reals, about: Reals) -> tuple[Reals, Reals]:
    x, y, _ = parts(moment)
    force = body.turn * vector(-y, x, 0.0) + body.slide * vector(0.0, 0.0, mass)
    return force, body.turn * about + body.slide * vector(y, -x, 0.0)


BodyMoments = TypeVar("BodyMoments", Inertias, SecondMoments)


@dataclass(frozen=True, eq=False)
class CompositeBodies(Generic[BodyMoments]):
    """Of joints at a state. Bodies that are ``held`` do not turn with their parents, they only ride on them
    (`absolute_angles.py`): they count in the ``whole`` of what a body carries, not in what is ``turning`` with it."""

    joints: list[JointStep]
    held: Collection[int]
    whole: list[BodyMoments]
    turning: list[BodyMoments]

    @classmethod
    def of(
        cls, kind: type[BodyMoments], joints: list[JointStep], held: Collection[int] = ()
    ) -> CompositeBodies[BodyMoments]:
        whole = [kind.of(joint.body) for joint in joints]
        turning = list(whole)
        for i in reversed(range(len(joints))):
            if (p := joints[i].body.parent) != BASE:
                more = whole[i].carried(joints[i])
                whole[p] = whole[p].plus(more)
                if i not in held:
                    turning[p] = turning[p].plus(more)
        return cls(joints, held, whole, turning)

    def riders(self, i: int) -> list[int]:
        """Bodies that ride on this one."""
        return [k for k in self.held if self.joints[k].body.parent == i]

    def mass_entries(self, meeting: BodyScrews = NOWHERE) -> Entries:
        """M over bodies: entry (i, j) with j on the way from the base to i, j <= i.

        A unit of a coordinate moves all beyond its joint. At bodies in ``meeting`` wrenches meet motions that come from
        the base.
        """
        M: Entries = {}
        for i in reversed(range(len(self.joints))):
            body = self.joints[i].body
            force, torque = self.turning[i].swept(body)
            own = body.along_axis(force, torque)
            for k in self.riders(i):
                x, y, _ = parts(self.joints[k].p)
                a, (mass, about, _) = vector(-y, x, 0.0), self.whole[k].carried(self.joints[k])
                force, torque, own = force + scaled(mass, a), torque + np.cross(about, a), own + mass * dot(a, a)
            M |= row_towards_base(self.joints, i, force, torque, self.held, meeting) | {(i, i): own}
        return M


def row_towards_base(
    joints: list[JointStep],
    i: int,
    force: Reals,
    torque: Reals,
    held: Collection[int] = (),
    meeting: BodyScrews = NOWHERE,
) -> Entries:
    """What a wrench on body i asks of its joint and of those before it: entries (i, j)."""
    row = {(i, i): joints[i].body.along_axis(force, torque)}
    j = i
    while j not in meeting and (p := joints[j].body.parent) != BASE:
        force, torque = to_parent(joints[j], force, torque)
        rides = j in held
        row[i, p] = np.cross(joints[j].p, force)[..., 2] if rides else joints[p].body.along_axis(force, torque)
        j = p
    return row | {(i, k): dot(v, force) + dot(w, torque) for k, (v, w) in meeting.get(j, {}).items()}
