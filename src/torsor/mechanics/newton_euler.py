"""Newton-Euler recursion in link frames (Luh, Walker & Paul 1980; Fedorov 2015, 4.1), for trees and all joints.

Outward: velocities and accelerations of every body in its own axes. Inward: the force and moment each joint carries.
Gravity is an acceleration of the base the other way. Everything that turns with a body appears through one matrix,
U = wd^ + w^ w^, so that a point r of the body accelerates by a + U r (Balafoutis & Patel 1991), and the moment of
inertia forces about the body's origin is the dual vector of U K with K = 1/2 tr(I) 1 - I the second moments of mass.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from torsor.algebra.telling import told
from torsor.mechanics.formulation import Formulation, named
from torsor.mechanics.kinematics import JointStep, joined, matrix, rotate, scaled, stacked, steps, unrotate, vector
from torsor.mechanics.transmissions import rotor_wrenches
from torsor.mechanics.tree import Body, Reals, Tree
from torsor.model.parts import BASE

BodyWrench = tuple[Reals, Reals]  # force and moment, about the origin of a body, in its axes
BodyPush = tuple[int, Reals, Reals]  # body, force and moment about its origin, in its axes


@dataclass(frozen=True, eq=False)
class Turning:
    """U = wd^ + w^ w^, and the differences of its diagonal, which need one subtraction less from the squares of w."""

    U: Reals  # (..., 3, 3)
    differences: tuple[Reals, Reals, Reals]  # U33 - U22, U11 - U33, U22 - U11

    @classmethod
    def of(cls, w: Reals, wd: Reals) -> Turning:
        x, y, z = (w[..., k] for k in range(3))
        dx, dy, dz = (wd[..., k] for k in range(3))
        xx, yy, zz, xy, xz, yz = x * x, y * y, z * z, x * y, x * z, y * z
        U = matrix((-yy - zz, xy - dz, xz + dy), (xy + dz, -xx - zz, yz - dx), (xz - dy, yz + dx, -xx - yy))
        return cls(U, (zz - yy, xx - zz, yy - xx))


@dataclass(frozen=True, eq=False)
class BodyMotion:
    """Motion of one body in its own axes; ``a`` is that of its origin with gravity taken off."""

    w: Reals
    wd: Reals
    a: Reals
    turning: Turning

    @classmethod
    def starting(cls, wd: Reals, a: Reals) -> BodyMotion:
        """A body that starts to move: accelerations but no velocities."""
        still = np.zeros(3)
        return cls(still, wd, a, Turning.of(still, wd))


def motion(tree: Tree, joints: list[JointStep], qd: Reals, qdd: Reals, gravity: Reals) -> list[BodyMotion]:
    """The outward recursion."""
    qd, qdd = tree.expand(qd, rate=True), tree.expand(qdd, rate=True)
    base = BodyMotion.starting(np.zeros(3), -unrotate(tree.root, gravity))
    bodies: list[BodyMotion] = []
    for i, (body, joint) in enumerate(zip(tree.bodies, joints, strict=True)):
        parent = base if body.parent == BASE else bodies[body.parent]
        w, wd = joint.into(parent.w), joint.into(parent.wd)
        if body.turn:
            # w_parent x z qd has no z part
            wd = wd + vector(w[..., 1] * qd[..., i], -w[..., 0] * qd[..., i], qdd[..., i])
            w = w + vector(0.0, 0.0, qd[..., i])
        turning = Turning.of(w, wd)
        a = joint.into(parent.a + rotate(parent.turning.U, body.position))
        if body.slide or body.along:
            a = a + turning.U[..., :, 2] * np.asarray(joint.reach)[..., None]
        if body.slide:
            rate = body.slide * qd[..., i]
            # the sliding body drifts through a turning frame: 2 w x z rate
            a = a + vector(2.0 * (w[..., 1] * rate), -2.0 * (w[..., 0] * rate), body.slide * qdd[..., i])
        bodies.append(BodyMotion(w, wd, a, turning))
        for letter, each in (("w", w), ("wd", wd), ("a", a)):
            told(letter, tree.numbered(i), each)
    return bodies


def inertial_wrench(body: Body, m: BodyMotion) -> tuple[Reals, Reals]:
    """Force and moment about the origin that move a body so: f = m a + U s, n = dual(U K) + s x a."""
    U, (d1, d2, d3), K, s = m.turning.U, m.turning.differences, body.second, body.moment
    (_, U12, U13), (U21, _, U23), (U31, U32, _) = ([U[..., i, j] for j in range(3)] for i in range(3))
    dual = vector(
        d1 * K[1, 2] + U32 * K[1, 1] - U23 * K[2, 2] + U31 * K[0, 1] - U21 * K[0, 2],
        d2 * K[0, 2] + U13 * K[2, 2] - U31 * K[0, 0] + U12 * K[1, 2] - U32 * K[0, 1],
        d3 * K[0, 1] + U21 * K[0, 0] - U12 * K[1, 1] + U23 * K[0, 2] - U13 * K[1, 2],
    )
    return body.mass * m.a + rotate(U, s), dual + np.cross(s, m.a)


def joint_wrenches(
    tree: Tree, q: Reals, qd: Reals, qdd: Reals, gravity: Reals, wrench: Reals | None, pushes: Iterable[BodyPush] = ()
) -> tuple[list[tuple[Reals, Reals]], Reals]:
    """Force and moment that each joint exerts on its body, in the body's axes, the moment about the body's origin.

    ``wrench`` is the force over the moment that the surroundings exert on the tool, in base axes. After them the
    torques that turn the rotors of the drives.
    """
    joints = steps(tree, q)
    moving = motion(tree, joints, qd, qdd, gravity)
    wrenches = [inertial_wrench(body, m) for body, m in zip(tree.bodies, moving, strict=True)]
    spins, rotor_torques = rotor_wrenches(tree, moving, q, qd, qdd)
    for i, spin in spins:
        wrenches[i] = wrenches[i][0], wrenches[i][1] + spin
    for i, force, moment in (*tool_pushes(tree, joints, wrench), *pushes):
        wrenches[i] = wrenches[i][0] - force, wrenches[i][1] - moment
    for i, (force, moment) in enumerate(wrenches):
        told("F", tree.numbered(i), force)
        told("N", tree.numbered(i), moment)
    for i in reversed(range(len(joints))):
        told("f", tree.numbered(i), wrenches[i][0])
        told("n", tree.numbered(i), wrenches[i][1])
        parent = tree.bodies[i].parent
        if parent != BASE:
            force, moment = to_parent(joints[i], *wrenches[i])
            wrenches[parent] = wrenches[parent][0] + force, wrenches[parent][1] + moment
    return wrenches, rotor_torques


def tool_pushes(tree: Tree, joints: list[JointStep], wrench: Reals | None) -> list[BodyPush]:
    """A wrench at the tool, in base axes, as a push on the body it is on; none where the base carries the tool."""
    tool = tree.mount("tool")
    if wrench is None or tool.body == BASE:
        return []
    force, moment = unrotate(tree.root, wrench[..., :3]), unrotate(tree.root, wrench[..., 3:])
    for i in tree.path(tool.body):
        force, moment = joints[i].into(force), joints[i].into(moment)
    return [(tool.body, force, moment + np.cross(tool.position, force))]


def to_parent(joint: JointStep, force: Reals, moment: Reals) -> tuple[Reals, Reals]:
    """A wrench about the body's origin, seen from the parent: first along z in body axes, then in the parent's."""
    body = joint.body
    if body.slide or body.along:
        moment = moment + scaled(joint.reach, vector(-force[..., 1], force[..., 0], 0.0))
    force = joint.out_of(force)
    return force, joint.out_of(moment) + np.cross(body.position, force)


def inverse_dynamics(tree: Tree, q: Reals, qd: Reals, qdd: Reals, gravity: Reals, wrench: Reals | None = None) -> Reals:
    """tau = M(q) qdd + C(q, qd) qd + g(q) - J^T wrench, (..., n)."""
    links, rotors = split_torques(tree, q, qd, qdd, gravity, wrench)
    return links + rotors if tree.rotors else links


def split_torques(
    tree: Tree, q: Reals, qd: Reals, qdd: Reals, gravity: Reals, wrench: Reals | None = None
) -> tuple[Reals, Reals]:
    """Torques (..., n) that move the links, and those that turn the rotors of the drives."""
    wrenches, rotors = joint_wrenches(tree, q, qd, qdd, gravity, wrench)
    return tree.gather([body.along_axis(f, n) for body, (f, n) in zip(tree.bodies, wrenches, strict=True)]), rotors


def bearing_loads(
    tree: Tree, q: Reals, qd: Reals, qdd: Reals, g: Reals, wrench: Reals | None = None, pushes: Iterable[BodyPush] = ()
) -> Reals:
    """(..., joints, 6): force over moment each joint exerts on its link, about the joint's origin, in link axes.

    ``pushes`` are those of loops.
    """
    wrenches, _ = joint_wrenches(tree, q, qd, qdd, g, wrench, pushes)
    return stacked(joined(*(unrotate(tree.bodies[i].link[:3, :3], part) for part in wrenches[i])) for i in tree.listed)


FORMULATION = Formulation(
    "newton-euler", "Luh, Walker & Paul 1980; Fedorov 2015, 4.1", named(inverse_dynamics), frames="lean"
)
