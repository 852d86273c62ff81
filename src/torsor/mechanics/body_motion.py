"""How bodies move and what moves them, in their own axes: the two halves of a step of recursions in link frames.

Everything that turns with a body appears through one matrix, U = wd^ + w^ w^, so that a point r of the body accelerates
by a + U r (Balafoutis & Patel 1991), and the moment of inertia forces about the body's origin is the dual vector of
U K with K = 1/2 tr(I) 1 - I the second moments of mass.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from torsor.algebra.telling import told
from torsor.mechanics.kinematics import JointStep, matrix, rotate, unrotate, vector
from torsor.mechanics.tree import Body, Reals, Tree
from torsor.model.parts import BASE

BodyWrench = tuple[Reals, Reals]  # force and moment, about the origin of a body, in its axes


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


class Way(NamedTuple):
    """How turning comes to a body: from a body before it, by one joint or by several that are parallel."""

    root: int  # the body, or BASE
    step: JointStep
    rate: Any  # about z of the body
    acceleration: Any

    @property
    def axis(self) -> Reals:
        """z of the body in the axes of the root."""
        return self.step.body.rotation[:, 2]

    @property
    def bends_with_root(self) -> bool:
        """Whether z is one of the root's axes: then d2z/dt2 is a column of U of the root, and there already."""
        return self.root != BASE and np.count_nonzero(self.axis) == 1


def joint_by_joint(tree: Tree, joints: list[JointStep], qd: Reals, qdd: Reals) -> list[Way]:
    qd, qdd = tree.expand(qd, rate=True), tree.expand(qdd, rate=True)
    return [Way(joint.body.parent, joint, qd[..., i], qdd[..., i]) for i, joint in enumerate(joints)]


def motion(
    tree: Tree,
    joints: list[JointStep],
    qd: Reals,
    qdd: Reals,
    gravity: Reals,
    ways: list[Way] | None = None,
    *,
    bending: bool | None = None,
) -> list[BodyMotion]:
    """The outward recursion; turning comes by ``ways``, else joint by joint.

    ``bending``: how a body starts to turn follows from how its axis bends. Traced with accelerations this costs less
    than the other way round; without any it depends on the arm.
    """
    bending = qdd.dtype == object if bending is None else bending
    ways = joint_by_joint(tree, joints, qd, qdd) if ways is None else ways
    qd, qdd = tree.expand(qd, rate=True), tree.expand(qdd, rate=True)
    base = BodyMotion.starting(np.zeros(3), -unrotate(tree.root, gravity))
    bodies: list[BodyMotion] = []
    for i, (body, joint, way) in enumerate(zip(tree.bodies, joints, ways, strict=True)):
        parent, root = (base if k == BASE else bodies[k] for k in (body.parent, way.root))
        w, wd = way.step.into(root.w), way.step.into(root.wd)
        if bending and body.turn and way.bends_with_root:
            w = w + vector(0.0, 0.0, way.rate)
            wd = turned_as_bends(way.step.into(root.turning.U @ way.axis), w, wd[..., 2] + way.acceleration)
        elif body.turn:
            # w_root x z rate has no z part
            wd = wd + vector(w[..., 1] * way.rate, -w[..., 0] * way.rate, way.acceleration)
            w = w + vector(0.0, 0.0, way.rate)
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


def turned_as_bends(bends: Reals, w: Reals, along: Any) -> Reals:
    """wd from U z = (w_x w_z + wd_y, w_y w_z - wd_x, ...), which is the same of all bodies that z is fixed in."""
    x, y, z = (w[..., k] for k in range(3))
    return vector(y * z - bends[..., 1], bends[..., 0] - x * z, along)


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
