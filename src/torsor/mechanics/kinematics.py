"""Where the bodies are and how they move: poses, Jacobians. All in base axes.

Pages of this room take floats with any leading dimensions, or object arrays of graph scalars; so no writing into arrays
and no branching on values.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from torsor.algebra.telling import told
from torsor.mechanics.formulation import Formulation
from torsor.mechanics.tree import Body, Reals, Tree
from torsor.model.parts import BASE
from torsor.model.transforms import times


def rotate(R: Reals, v: Reals) -> Reals:
    """R v over leading dimensions: (..., 3, 3), (..., 3) -> (..., 3)."""
    return times(R, v[..., None])[..., 0]


def unrotate(R: Reals, v: Reals) -> Reals:
    """R^T v over leading dimensions."""
    return rotate(np.swapaxes(R, -1, -2), v)


def vector(*entries: Any) -> Reals:
    """A vector of entries with leading dimensions: (...) each -> (..., entries)."""
    return np.stack(np.broadcast_arrays(*entries), axis=-1)


def parts(v: Reals) -> tuple[Any, Any, Any]:
    """x, y and z of vectors with leading dimensions."""
    return v[..., 0], v[..., 1], v[..., 2]


def matrix(*rows: tuple[Any, ...]) -> Reals:
    """A matrix of entries with leading dimensions: rows of (...) -> (..., rows, columns)."""
    return stacked(vector(*row) for row in rows)


def joined(*parts: Reals) -> Reals:
    """Vectors with leading dimensions one after the other, such as the linear over the angular part of a motion."""
    return np.concatenate(np.broadcast_arrays(*parts), axis=-1)


def stacked(rows: Iterable[Reals]) -> Reals:
    """Rows (..., columns) with leading dimensions -> (..., rows, columns)."""
    return np.stack(np.broadcast_arrays(*rows), axis=-2)


def dot(a: Reals, b: Reals) -> Any:
    """a . b over leading dimensions."""
    return (a * b).sum(axis=-1)


def scaled(by: Any, v: Reals) -> Reals:
    """Vectors (..., k), each times its own number (...)."""
    return np.asarray(by)[..., None] * v


def skew(v: Reals) -> Reals:
    """The matrix of the cross product, skew(v) u = v x u: (..., 3) -> (..., 3, 3)."""
    x, y, z = v[..., 0], v[..., 1], v[..., 2]
    zero = np.zeros_like(x)
    return matrix((zero, -z, y), (z, zero, -x), (-y, x, zero))


def turned(c: Any, s: Any) -> Reals:
    """The rotation about z of which these are cosine and sine."""
    zero, one = np.zeros_like(c), np.ones_like(c)
    return matrix((c, -s, zero), (s, c, zero), (zero, zero, one))


@dataclass(frozen=True, eq=False)
class JointStep:
    """The motion of one joint at one state: from the parent's frame to the body's.

    The constant rotation and the turn about z are applied one after the other: together they cost fewer operations than
    their product, most of all where the constant one is by quarter turns.
    """

    body: Body
    c: Any  # cos and sin of the turn; None where the joint does not turn
    s: Any
    reach: Any  # how far the body's origin is along z from the joint's point

    def into(self, v: Reals) -> Reals:
        """R^T v: coordinates in the parent to coordinates in the body."""
        return self.unturned(unrotate(self.body.rotation, v))

    def out_of(self, v: Reals) -> Reals:
        """R v: coordinates in the body to coordinates in the parent."""
        return rotate(self.body.rotation, self.turned(v))

    def unturned(self, v: Reals) -> Reals:
        """Coordinates in the axes that the joint turns the body from, to coordinates in the body."""
        if self.c is None:
            return v
        x, y, z = v[..., 0], v[..., 1], v[..., 2]
        return vector(self.c * x + self.s * y, self.c * y - self.s * x, z)

    def turned(self, v: Reals) -> Reals:
        """The other way."""
        if self.c is None:
            return v
        x, y, z = v[..., 0], v[..., 1], v[..., 2]
        return vector(self.c * x - self.s * y, self.s * x + self.c * y, z)

    def carried(self, v: Reals, w: Reals) -> tuple[Reals, Reals]:
        """What the parent's motion, of its origin and angular, gives the body's, in the body's axes."""
        v, w = self.into(v + np.cross(w, self.body.position)), self.into(w)
        if self.body.slide or self.body.along:
            v = v + scaled(self.reach, vector(w[..., 1], -w[..., 0], 0.0))
        return v, w

    @property
    def R(self) -> Reals:
        """R_parent_body (..., 3, 3)."""
        return self.body.rotation if self.c is None else times(self.body.rotation, turned(self.c, self.s))

    @property
    def p(self) -> Reals:
        """The body's origin in the parent (..., 3)."""
        return np.asarray(self.body.position + self.body.rotation[:, 2] * np.asarray(self.reach)[..., None])


def steps(tree: Tree, q: Reals) -> list[JointStep]:
    """The joints of a tree at a state."""
    found = []
    for body, x in zip(tree.bodies, np.moveaxis(tree.expand(q), -1, 0), strict=True):
        c, s = (np.cos(x), np.sin(x)) if body.turn else (None, None)
        found.append(JointStep(body, c, s, body.along + body.slide * x if body.slide else body.along))
    return found


def body_poses(tree: Tree, q: Reals) -> list[tuple[Reals, Reals]]:
    """R_base_body and origin of every body."""
    poses: list[tuple[Reals, Reals]] = []
    for step in steps(tree, q):
        body, R, p = step.body, step.R, step.p
        if body.parent != BASE:
            R_parent, p_parent = poses[body.parent]
            R, p = times(R_parent, R), p_parent + rotate(R_parent, p)
        poses.append((R, p))
    for i, (R, p) in enumerate(poses):
        told("R", tree.numbered(i), R)
        told("p", tree.numbered(i), p)
    return poses


def frame_pose(tree: Tree, poses: list[tuple[Reals, Reals]], frame: str) -> tuple[Reals, Reals]:
    """R_base_frame and origin of a frame, given the poses of the bodies."""
    mount = tree.mount(frame)
    if mount.body == BASE:
        return mount.rotation, mount.position
    R, p = poses[mount.body]
    return times(R, mount.rotation), p + rotate(R, mount.position)


def pose(tree: Tree, q: Reals, frame: str = "tool") -> Reals:
    """T_base_frame (..., 4, 4)."""
    T = bordered(*frame_pose(tree, body_poses(tree, q), frame), np.array([0.0, 0.0, 0.0, 1.0]))
    return np.broadcast_to(T, (*q.shape[:-1], 4, 4))


def bordered(block: Reals, column: Reals, row: Reals) -> Reals:
    """[block, column; row], (..., 4, 4)."""
    batch = np.broadcast_shapes(block.shape[:-2], column.shape[:-1])  # a slider's rotation may be the same for all
    top = np.broadcast_to(block, (*batch, 3, 3)), np.broadcast_to(column[..., None], (*batch, 3, 1))
    return np.concatenate([np.concatenate(top, axis=-1), np.broadcast_to(row, (*batch, 1, 4))], axis=-2)


def jacobian(tree: Tree, q: Reals, frame: str = "tool") -> Reals:
    """(..., 6, n): velocity of the frame's origin over its angular velocity, in base axes, v = J qd."""
    mount, moved = tree.mount(frame), steps(tree, q)
    R: Reals = np.eye(3)
    chain: list[tuple[int, Reals, Reals]] = []  # body, its axes, the way to it from the one before
    for i in tree.path(mount.body):
        way, R = rotate(R, moved[i].p), times(R, moved[i].R)
        told("R", tree.numbered(i), R)
        chain.append((i, R, way))
    reach = rotate(R, mount.position)  # from the body's origin to the frame's, summed from the tip
    columns: list[Any] = [np.zeros(6)] * tree.n
    for i, R, way in reversed(chain):
        body, z = tree.bodies[i], R[..., :, 2]
        told("r", tree.numbered(i), reach)
        linear = body.turn * np.cross(z, reach) + body.slide * z
        columns[body.source] = columns[body.source] + body.factor * joined(linear, body.turn * z)
        reach = reach + way
    shape = (*q.shape[:-1], 6)
    return np.stack([np.broadcast_to(column, shape) for column in columns], axis=-1)


def jacobian_dot_qd(tree: Tree, q: Reals, qd: Reals, frame: str = "tool") -> Reals:
    """(..., 6): Jd qd, the acceleration of the frame at qdd = 0 (linear over angular, base axes)."""
    poses = body_poses(tree, q)
    _, p_frame = frame_pose(tree, poses, frame)
    rates = tree.expand(qd, rate=True)
    p, w, acceleration, wd = np.zeros(3), np.zeros(3), np.zeros(3), np.zeros(3)
    for i in tree.path(tree.mount(frame).body):
        body, (R, p_body) = tree.bodies[i], poses[i]
        z, rate = R[..., :, 2], rates[..., i, None]
        spin, slide = body.turn * z * rate, body.slide * z * rate
        arm = p_body - p
        acceleration = acceleration + np.cross(wd, arm) + np.cross(w, np.cross(w, arm)) + 2.0 * np.cross(w, slide)
        wd = wd + np.cross(w, spin)
        w, p = w + spin, p_body
    arm = p_frame - p
    acceleration = acceleration + np.cross(wd, arm) + np.cross(w, np.cross(w, arm))
    shape = (*np.broadcast_shapes(q.shape[:-1], qd.shape[:-1]), 6)
    return np.broadcast_to(joined(acceleration, wd), shape)


FORMULATION = Formulation(
    "link-frames", "Denavit & Hartenberg 1955: from frame to frame", {"pose": pose, "jacobian": jacobian}
)
