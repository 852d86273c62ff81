"""What velocities and gravity ask of joints, by composite bodies, which forward dynamics has for M anyway.

A joint lets all that it carries accelerate in another way than what it stands on: by v x s(r) at a particle r, with
s(r) = turn z x (r - o) + slide z the field that it moves particles by, and

    v = u (2 w + turn u z)      u its rate, w how fast what it stands on turns

So a joint feels two things along its axis: what the motion of what it stands on asks of all that it carries, as one
body; and of every joint beyond it the wrench of that joint's v on what that one carries,

    force v x (turn z x s + slide m z)      moment turn (K v) x z + slide s x (v x z)

handed on towards the base. Of its own v it feels nothing. For bodies in general position this takes two thirds of the
products that every body's own force and moment take; sparse bodies are better off with those (`newton_euler.py`).

In absolute angles (`absolute_angles.py`) a run of parallel joints stands on the body before it. What rides on a body of
the run without turning with it accelerates with the place where it stands, by v x (z x p), all of it alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from torsor.mechanics.body_motion import BodyWrench, Turning, turned_as_bends
from torsor.mechanics.composite_bodies import CompositeBodies, SecondMoments
from torsor.mechanics.kinematics import JointStep, dot, parts, rotate, scaled, unrotate, vector
from torsor.mechanics.structural_zeros import nonzeros
from torsor.mechanics.tree import Body, Reals
from torsor.mechanics.ways import cheapest
from torsor.model.parts import BASE

_z = np.array([0.0, 0.0, 1.0])
_none = np.zeros(3)


class Footing(NamedTuple):
    """How what a joint stands on moves: angular velocity and acceleration, and the acceleration of the joint's place
    with gravity taken off."""

    w: Reals
    wd: Reals
    a: Reals

    def seen(self, rotated: Any) -> Footing:
        return Footing(rotated(self.w), rotated(self.wd), rotated(self.a))


class CompositeBias:
    """Bodies in motion without accelerations of joints, and what that asks of the forces of absolute angles."""

    def __init__(
        self,
        bodies: CompositeBodies[SecondMoments],
        sides: Mapping[int, float],
        qd: Reals,
        gravity: Reals,
        *,
        bending: bool = False,
    ) -> None:
        """``gravity`` in the axes of the root, ``sides`` of bodies that are held; ``bending`` as in `motion`."""
        self.bodies, self.sides, self.qd, self.bending = bodies, sides, qd, bending
        self.rates: list[Any] = []  # u
        self.joint_axes: list[Footing] = []  # before the joint turns
        self.own_axes: list[Footing] = []
        self.w: list[Reals] = []  # of the body
        self.wd: list[Reals] = []
        self.a: list[Reals] = []  # of its origin
        self.turning: list[Turning] = []
        self.bends: list[Reals | None] = []  # U z, where it is a column of the U of what the body stands on
        ground = Footing(_none, _none, -gravity)
        for i, joint in enumerate(bodies.joints):
            under = self._under(joint, ground)
            rate, own = self._stands(i, joint, under)
            self.rates.append(rate)
            self.joint_axes.append(under)
            self.own_axes.append(own)
            self.bends.append(self._bends(joint, i))
            self._moves(i, own)

    def _under(self, joint: JointStep, ground: Footing) -> Footing:
        """What carries a joint, at its place, in the axes that it turns from."""
        body, p = joint.body, joint.body.parent
        if p != BASE:
            ground = Footing(self.w[p], self.wd[p], self.a[p] + rotate(self.turning[p].U, body.position))
        return ground.seen(lambda v: unrotate(body.rotation, v))

    def _stands(self, i: int, joint: JointStep, under: Footing) -> tuple[Any, Footing]:
        """Its rate, and what it stands on, in axes of the body."""
        if i not in self.sides:
            return self.qd[..., i], under.seen(joint.unturned)
        p = joint.body.parent  # the run stands on what its first joint does
        first = self.own_axes[p].seen(joint.into)
        return self.qd[..., i] + self.sides[i] * self.rates[p], Footing(first.w, first.wd, under.a)

    def _bends(self, joint: JointStep, i: int) -> Reals | None:
        p, axis = joint.body.parent, joint.body.rotation[:, 2]
        if i in self.sides:  # bodies of a run have one axis
            before = self.bends[p]
            return None if before is None else self.sides[i] * joint.into(before)
        if not self.bending or p == BASE or not joint.body.turn or np.count_nonzero(axis) > 1:
            return None
        return joint.into(self.turning[p].U @ axis)

    def _moves(self, i: int, own: Footing) -> None:
        body, joint, t = self.bodies.joints[i].body, self.bodies.joints[i], self._spin(i)
        x, y, _ = parts(own.w)
        self.w.append(own.w + vector(0.0, 0.0, t) if body.turn else own.w)
        if (bends := self.bends[i]) is not None:
            self.wd.append(turned_as_bends(bends, self.w[i], own.wd[..., 2]))
        else:
            self.wd.append(own.wd + vector(y * t, -(x * t), 0.0) if body.turn else own.wd)
        self.turning.append(Turning.of(self.w[i], self.wd[i]))
        a = own.a
        if body.slide or body.along:
            a = a + self.turning[i].U[..., :, 2] * np.asarray(joint.reach)[..., None]
        if body.slide:
            a = a + np.cross(self._v(i, own), body.slide * _z)
        self.a.append(a)

    def _spin(self, i: int) -> Any:
        return self.bodies.joints[i].body.turn * self.rates[i]

    def _v(self, i: int, under: Footing) -> Reals:
        (x, y, z), u = parts(under.w), self.rates[i]
        return vector(2.0 * (x * u), 2.0 * (y * u), (z + z + self._spin(i)) * u)

    def forces(self, spin: Reals | None = None) -> list[Any]:
        """Of the absolute angles; ``spin`` is a moment that the last body takes besides. Of symbols in the cheapest
        way."""
        ways = (self._forces(spin, before_turning) for before_turning in self._ways(spin is None))
        if not any(np.asarray(rate).dtype == object for rate in self.rates):
            return next(ways)
        return cheapest(ways)

    def _ways(self, at_tip: bool) -> Iterator[set[int]]:
        """Joints that are asked in the axes that they turn from."""
        yield from (self._asked_before_turning(at_tip, at_origins) for at_origins in (False, True))

    def _asked_before_turning(self, at_tip: bool, at_origins: bool) -> set[int]:
        """Joints for which the axes that they turn from may cost less than those of their bodies: where little moves in
        the former, or the latter are needed for nothing else, at the tip, and with all bodies beyond at the origin."""
        bodies = [joint.body for joint in self.bodies.joints]
        carry = {body.parent for body in bodies}
        found = set()
        for i, body in enumerate(bodies):
            if i in self.sides or self.bodies.riders(i) or body.parent == BASE:
                continue
            beyond = [k for k, each in enumerate(bodies) if each.parent == i]
            at_origin = at_origins and all(k in carry and not nonzeros(bodies[k].position) for k in beyond)
            if bodies[body.parent].parent == BASE or (at_origin if beyond else at_tip):
                found.add(i)
        return found

    def _forces(self, spin: Reals | None, before_turning: set[int]) -> list[Any]:
        joints, size = self.bodies.joints, len(self.bodies.joints)
        beyond: list[BodyWrench] = [(_none, _none)] * size  # of all joints beyond, on the body
        if spin is not None:
            beyond[-1] = _none, spin
        found: list[Any] = [None] * size
        for i in reversed(range(size)):
            joint, body, carries, wrench = joints[i], joints[i].body, self.bodies.turning[i], beyond[i]
            found[i] = body.along_axis(*wrench)
            if i in before_turning:
                under, carries = self.joint_axes[i], carries.before_turning(joint)
                found[i] = found[i] + asked(body, carries, under)
                wrench = summed(seen_before_turning(joint, wrench), carries.thrown(body, self._v(i, under)))
            else:
                v = self._v(i, self.own_axes[i])
                found[i] = found[i] + asked(body, carries, Footing(self.w[i], self.wd[i], self.a[i]))
                wrench = summed(wrench, carries.thrown(body, v))
                for k in self.bodies.riders(i):
                    found[i] = found[i] + body.turn * np.cross(joints[k].p, self._force_on(k, beyond[k][0]))[..., 2]
                    wrench = summed(wrench, self._ridden(k, beyond[k], np.cross(v, np.cross(_z, joints[k].p))))
                wrench = wrench if i in self.sides else seen_before_turning(joint, wrench)
            force, moment = (rotate(body.rotation, each) for each in wrench)
            if i in self.sides:
                beyond[i] = force, moment
            elif body.parent != BASE:
                beyond[body.parent] = summed(beyond[body.parent], (force, moment + np.cross(body.position, force)))
        return found

    def _force_on(self, k: int, thrown: Reals) -> Reals:
        """On a rider and all that it carries, in the axes of what it rides on."""
        mass, moment, _ = self.bodies.whole[k]
        under = self.own_axes[k]
        force = scaled(mass, self.a[k]) + rotate(Turning.of(under.w, under.wd).U, moment)
        return np.asarray(self.bodies.joints[k].out_of(force) + thrown)

    def _ridden(self, k: int, thrown: BodyWrench, a: Reals) -> BodyWrench:
        """What a rider hands on, with what accelerates it as a whole, about the origin of what it rides on."""
        joint, (mass, moment, _) = self.bodies.joints[k], self.bodies.whole[k]
        force = thrown[0] + scaled(mass, a)
        return force, thrown[1] + np.cross(joint.out_of(moment), a) + np.cross(joint.p, force)


def asked(body: Body, carries: SecondMoments, m: Footing) -> Any:
    """What a motion asks along the axis of a joint that carries so much: f = m a + U s, n = dual(U K) + s x a, the part
    of this in the plane written with xx + yy, which M has, and xx - yy, which turning K needs."""
    (x, y, _), (ax, ay, az), (xx, yy, _, xy, xz, yz) = parts(carries.moment), parts(m.a), carries.second
    turning = Turning.of(m.w, m.wd)
    U, (_, _, along) = turning.U, turning.differences
    plane = (m.w[..., 0] * m.w[..., 1]) * (xx - yy) + m.wd[..., 2] * (xx + yy)
    moment = along * xy + plane + U[..., 1, 2] * xz - U[..., 0, 2] * yz + x * ay - y * ax
    if not body.slide:
        return moment
    return body.turn * moment + body.slide * (carries.mass * az + dot(U[..., 2, :], carries.moment))


def seen_before_turning(joint: JointStep, wrench: BodyWrench) -> BodyWrench:
    """A wrench about the body's origin, seen from the place of its joint, in the axes that this turns from."""
    force, moment = wrench
    if joint.body.slide or joint.body.along:
        moment = moment + scaled(joint.reach, vector(-force[..., 1], force[..., 0], 0.0))
    return joint.turned(force), joint.turned(moment)


def summed(a: BodyWrench, b: BodyWrench) -> BodyWrench:
    return a[0] + b[0], a[1] + b[1]
