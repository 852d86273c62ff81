"""Derivatives of inverse dynamics by composite bodies in link frames.

After the closed forms of Singh, Russo & Wensing (2022); the task is that of Carpentier & Mansard (2018). A joint moves
the particles beyond it by a field, s_j(r) = turn z x (r - o) + slide z. From tau_i = sum dm s_i . r'' follows, for i
before j or j itself, that d tau_i is the part along joint i of a wrench on all that joint j carries:

    F_j  of a unit of qdd_j:  sum dm s_j
    K_j  of a unit of qd_j:   2 sum dm ds_j/dt
    H_j  of a unit of q_j

They are found in the axes of body j and handed towards the base. At joint i, F_j meets the field of that joint:

    d tau_j / d qd_i = sum dm s_j . 2 ds_i/dt      d tau_j / d q_i = sum dm s_j . (d2s_i/dt2 - turn z_i x r'')

where what velocities beyond j add is one vector, G_j = 2 sum dm r' x s_j. Velocities of particles are taken against the
origin at which G_j has arrived: its own then is zero, and so is ds_i/dt there.

Unlike the source, a composite is seen by its *parent*, in the frame that turns with it: mass, first moments s, second
moments K = sum dm r r^T, their rates p and Kd, the angular momentum h, the wrench E of relative accelerations. A motion
of joint j turns or shifts these as they are, while the parent moves as before, which gives H_j without the wrench of
inverse dynamics itself. And K_j and G_j need 2 K w in place of rates against the base.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from torsor.mechanics.body_motion import BodyWrench, Turning
from torsor.mechanics.canonical import at_feet, in_lengths, unit_length
from torsor.mechanics.inertia_tensors import Tensor, added, symmetric_product, tensor_of, turned_constant
from torsor.mechanics.kinematics import JointStep, parts, rotate, scaled, steps, unrotate, vector
from torsor.mechanics.newton_euler import to_parent
from torsor.mechanics.parallel_axes import in_shared_axes
from torsor.mechanics.tree import Reals, Tree
from torsor.model.parts import BASE

ByBodies = dict[tuple[int, int], Any]  # a matrix over bodies; missing entries are zero
NAME = "composite differentiated"
_still = np.zeros(3)


class Slopes(NamedTuple):
    """d tau/dq, d tau/dqd and M = d tau/dqdd (..., n, n); and tau at rest (..., n), which is gravity's."""

    dq: Reals
    dqd: Reals
    M: Reals
    rest: Reals


@dataclass(frozen=True, eq=False)
class AxisMotion:
    """Motion of a body and of its parent, all in the body's axes."""

    w: Reals
    w2: Reals  # 2 w
    a: Reals  # of the origin, gravity taken off ...
    U: Reals  # wd^ + w^ w^
    w_parent: Reals
    parent: Turning
    a_riding: Reals  # ... and as if it rode on the parent
    down: Reals  # gravity

    @property
    def z_bends(self) -> Reals:
        """d2z/dt2 = U z, which is the same of body and parent."""
        return self.parent.U[..., :, 2]


@dataclass(frozen=True, eq=False)
class Composite:
    """A body with all that it carries, in its axes about its origin; see the file's head."""

    mass: Any
    s: Reals
    K: Tensor
    p: Reals
    Kd: Tensor
    h: Reals
    E: BodyWrench

    @classmethod
    def alone(cls, joint: JointStep) -> Composite:
        body, none = joint.body, (0.0,) * 6
        return cls(body.mass, body.moment, tensor_of(body.second), _still, none, _still, (_still, _still))

    def __add__(self, other: Composite) -> Composite:
        return Composite(
            self.mass + other.mass,
            self.s + other.s,
            added(self.K, other.K),
            self.p + other.p,
            added(self.Kd, other.Kd),
            self.h + other.h,
            (self.E[0] + other.E[0], self.E[1] + other.E[1]),
        )

    def shifted(self, t: Reals) -> Composite:
        """About another origin, from which this one lies at t; E is handed down as a wrench."""
        moved = scaled(self.mass, t)
        K, Kd = added(self.K, symmetric_product(t, self.s + 0.5 * moved)), added(self.Kd, symmetric_product(t, self.p))
        return Composite(self.mass, self.s + moved, K, self.p, Kd, self.h + np.cross(t, self.p), self.E)

    def on_parent(self, joint: JointStep) -> Composite:
        """In the parent's axes, about its origin."""
        body, along = joint.body, self
        if body.slide or body.along:
            along = self.shifted(vector(0.0, 0.0, joint.reach))

        def out(tensor: Tensor) -> Tensor:
            turned = tensor if joint.c is None else _turned_tensor(joint.c, joint.s, tensor)
            return turned_constant(body.rotation, turned)

        s, p, h = (joint.out_of(each) for each in (along.s, along.p, along.h))
        turned = Composite(self.mass, s, out(along.K), p, out(along.Kd), h, to_parent(joint, *self.E))
        return turned.shifted(body.position)

    def by_acceleration(self, joint: JointStep) -> BodyWrench:
        """F: the wrench of a unit of qdd."""
        turn, slide = joint.body.turn, joint.body.slide
        xx, yy, _, _, xz, yz = self.K
        x, y, _ = parts(self.s)
        force = turn * vector(-y, x, 0.0) + slide * vector(0.0, 0.0, self.mass)
        return force, turn * vector(-xz, -yz, xx + yy) + slide * vector(y, -x, 0.0)

    def spun(self, joint: JointStep, F: BodyWrench, qd: Any, qdd: Any) -> Composite:
        """As the parent sees it, where ``self`` is as the body itself sees it."""
        turn, slide = joint.body.turn, joint.body.slide
        xx, yy, _, xy, xz, yz = self.K
        rate = turn * qd
        spin = (-(rate * (2.0 * xy)), rate * (2.0 * xy), 0.0, rate * (xx - yy), -(rate * yz), rate * xz)
        half = added(self.Kd, spin)
        hx, hy, _ = parts(self.h)
        p = self.p + scaled(rate, vector(-self.s[..., 1], self.s[..., 0], 0.0))
        mean = self.p + p  # twice that of velocities without and with the turn: z x (2 r' + z x r qd) qd
        force = scaled(qdd, F[0]) + scaled(rate, vector(-mean[..., 1], mean[..., 0], 0.0))
        moment = scaled(qdd, F[1]) + scaled(rate, vector(-half[4] - hy, hx - half[5], self.Kd[0] + self.Kd[1]))
        Kd = added(half, symmetric_product(vector(0.0, 0.0, slide * qd), self.s))
        p = p + vector(0.0, 0.0, slide * (qd * self.mass))
        E = self.E[0] + force, self.E[1] + moment
        return Composite(self.mass, self.s, self.K, p, Kd, self.h + scaled(qd, F[1]), E)

    def by_velocity(self, joint: JointStep, m: AxisMotion) -> BodyWrench:
        """K: the wrench of a unit of qd, 2 sum dm d/dt s_j."""
        turn, slide = joint.body.turn, joint.body.slide
        xx, yy, _, xy, xz, yz = self.K
        wx, wy, wz = parts(m.w2)
        (sx, sy, sz), (px, py, _), (hx, hy, _) = parts(self.s), parts(2.0 * self.p), parts(self.h)
        about = vector(
            xy * wx + yy * wy + yz * wz - hy - self.Kd[4],
            hx - self.Kd[5] - (xx * wx + xy * wy + xz * wz),
            self.Kd[0] + self.Kd[1],
        )
        force = turn * vector(-py - sx * wz, px - sy * wz, sx * wx + sy * wy)
        force = force + slide * scaled(self.mass, vector(wy, -wx, 0.0))
        return force, turn * about + slide * vector(sz * wx, sz * wy, -sx * wx - sy * wy)

    def velocities_beyond(self, joint: JointStep, m: AxisMotion) -> Reals:
        """G: 2 sum dm r' x s_j with velocities r' against the origin."""
        turn, slide = joint.body.turn, joint.body.slide
        xx, yy, _, xy, xz, yz = self.K
        wx, wy, wz = parts(m.w2)
        (sx, sy, sz), (hx, hy, _), (px, py, _) = parts(self.s), parts(self.h), parts(2.0 * self.p)
        about = vector(
            hy - self.Kd[4] + (xx * wy - xy * wx),
            (xy * wy - yy * wx) - hx - self.Kd[5],
            self.Kd[0] + self.Kd[1] + (xz * wy - yz * wx),
        )
        linear = vector(py + wz * sx - wx * sz, wz * sy - px - wy * sz, 0.0)
        return turn * about + slide * linear

    def by_position(self, joint: JointStep, m: AxisMotion) -> BodyWrench:
        """H: the wrench of a unit of q, of a composite as the parent sees it."""
        turn, slide = joint.body.turn, joint.body.slide
        U, bends = m.parent.U, m.z_bends
        turned = self._turned(m) if turn else (_still, _still)
        if not slide:
            return turned
        force = rotate(U, self.s) + scaled(self.mass, m.a_riding) + 2.0 * np.cross(m.w_parent, self.p) + self.E[0]
        moment = np.cross(self.s, bends) + vector(-force[..., 1], force[..., 0], 0.0)
        return turn * turned[0] + slide * scaled(self.mass, bends), turn * turned[1] + slide * moment

    def _turned(self, m: AxisMotion) -> BodyWrench:
        """d/dq of dual(U K) + s x a + sum dm r x (2 w x r') + E, and of U s + 2 w x p + E; all but U, a, w turn."""
        (_, U12, U13), (U21, _, U23), (U31, U32, _) = (parts(m.parent.U[..., k, :]) for k in range(3))
        d1, d2, d3 = m.parent.differences
        xx, yy, _, xy, xz, yz = self.K
        dxx, dyy, _, dxy, dxz, dyz = self.Kd
        (sx, sy, _), (px, py, _), (hx, hy, _) = parts(self.s), parts(self.p), parts(self.h)
        (fx, fy, _), (nx, ny, _) = map(parts, self.E)
        (wx, wy, wz), (ax, ay, az) = parts(m.w_parent), parts(m.a_riding)
        across, twice, rate_across, rate_twice = xx - yy, 2.0 * xy, dxx - dyy, 2.0 * dxy
        moment = vector(
            d1 * xz + U32 * twice + U31 * across + U21 * yz
            + sx * az + (rate_twice * wx - rate_across * wy + wz * (dyz - hx)) - ny,
            U31 * twice - d2 * yz + U12 * xz - U32 * across
            + sy * az - (rate_across * wx + rate_twice * wy + wz * (dxz + hy)) + nx,
            d3 * across - twice * (U12 + U21) - U23 * yz - U13 * xz
            - (sx * ax + sy * ay) + (wx * (dyz + hx) + wy * (hy - dxz)),
        )  # fmt: skip
        w2x, w2y, w2z = parts(2.0 * m.w_parent)
        force = rotate(m.parent.U, vector(-sy, sx, 0.0)) + vector(-(w2z * px) - fy, fx - w2z * py, w2x * px + w2y * py)
        return force, moment


def _turned_tensor(c: Any, s: Any, tensor: Tensor) -> Tensor:
    """As in `composite`, but with 2 xy, which others need too, in place of 2 c."""
    xx, yy, zz, xy, xz, yz = tensor
    u = s * (xx - yy) + c * (2.0 * xy)
    return xx - s * u, yy + s * u, zz, c * u - xy, c * xz - s * yz, s * xz + c * yz


def _motion(tree: Tree, joints: list[JointStep], qd: Reals, qdd: Reals, gravity: Reals) -> list[AxisMotion]:
    """Outward, as in Newton-Euler."""
    down = unrotate(tree.root, gravity)
    still = Turning.of(_still, _still)
    base = AxisMotion(_still, _still, -down, still.U, _still, still, -down, down)
    found: list[AxisMotion] = []
    wds: list[Reals] = []
    for i, joint in enumerate(joints):
        body = joint.body
        before, wd = (base, _still) if body.parent == BASE else (found[body.parent], wds[body.parent])
        w, wd = joint.into(before.w), joint.into(wd)
        a = joint.into(before.a + rotate(before.U, body.position))
        parent, w_parent, rate = Turning.of(w, wd), w, body.slide * qd[..., i]
        wx, wy, _ = parts(w)
        if body.turn:
            wd = wd + vector(wy * qd[..., i], -(wx * qd[..., i]), qdd[..., i])
            w = w + vector(0.0, 0.0, qd[..., i])
        w2 = 2.0 * w
        if body.slide or body.along:
            a = a + scaled(joint.reach, parent.U[..., :, 2])
        riding = a
        if body.slide:
            a = a + vector(w2[..., 1] * rate, -(w2[..., 0] * rate), body.slide * qdd[..., i])
        # z bends with the parent as with the body
        U = np.concatenate([Turning.of(w, wd).U[..., :2], parent.U[..., 2:]], axis=-1)
        found.append(AxisMotion(w, w2, a, U, w_parent, parent, riding, joint.into(before.down)))
        wds.append(wd)
    return found


def slopes(tree: Tree, q: Reals, qd: Reals, qdd: Reals, gravity: Reals, *, shared: bool = True) -> Slopes:
    """Derivatives of the torques of the links; rotors of drives and a wrench at the tool are left out.

    ``shared``: parallel joints share axes, and sums of their angles are taken.
    """
    qd, qdd = tree.expand(qd, rate=True), tree.expand(qdd, rate=True)
    tree = at_feet(tree)
    unit = unit_length(tree)
    if unit != 1.0:
        tree, gravity = in_lengths(tree, unit), gravity / unit
    joints = in_shared_axes(tree, q) if shared else steps(tree, q)
    moving = _motion(tree, joints, qd, qdd, gravity)
    composites = [Composite.alone(joint) for joint in joints]
    rest: list[Any] = [0.0] * len(joints)
    dq: ByBodies = {}
    dqd: ByBodies = {}
    M: ByBodies = {}
    for j in reversed(range(len(joints))):
        joint, own, m = joints[j], composites[j], moving[j]
        F, K, G = own.by_acceleration(joint), own.by_velocity(joint, m), own.velocities_beyond(joint, m)
        seen = own.spun(joint, F, qd[..., j], qdd[..., j])
        H = seen.by_position(joint, m)
        rest[j] = -np.sum(F[0] * m.down, axis=-1)
        i = j
        while True:
            axis = joints[i].body
            dq[i, j], dqd[i, j], M[i, j] = (axis.along_axis(*each) for each in (H, K, F))
            if i != j:
                dq[j, i], dqd[j, i] = _beyond(joints[i], moving[i], F, G)
            if axis.parent == BASE:
                break
            G = _against_parent(joints[i], moving[i], moving[axis.parent], qd[..., i], F[0], G)
            H, K, F = (to_parent(joints[i], *each) for each in (H, K, F))
            i = axis.parent
        if (parent := joint.body.parent) != BASE:
            composites[parent] = composites[parent] + seen.on_parent(joint)
    batch = np.broadcast_shapes(q.shape[:-1], qd.shape[:-1], qdd.shape[:-1])

    def over_q(entries: ByBodies) -> Reals:
        return tree.projected(lambda i, j: entries.get((i, j), 0.0), batch)

    return Slopes(over_q(dq), over_q(dqd), tree.symmetric(M, batch), tree.gather(rest))


def _beyond(joint: JointStep, m: AxisMotion, F: BodyWrench, G: Reals) -> tuple[Any, Any]:
    """What q and qd of a joint ask of one beyond it, whose F and G have come to this body."""
    turn, slide = joint.body.turn, joint.body.slide
    (fx, fy, fz), (nx, ny, nz), (gx, gy, gz) = parts(F[0]), parts(F[1]), parts(G)
    (wx, wy, _), (w2x, w2y, _) = parts(m.w), parts(m.w2)
    bx, by, bz = parts(m.z_bends)
    ax, ay, _ = parts(m.a)
    # where the origin o is at rest, d/dt z x (r - o) is zero there, and the second derivative o'' x z
    by_q = turn * ((nx * bx + ny * by + nz * bz) + (fx * ay - fy * ax) + (gx * wy - gy * wx))
    by_qd = turn * (gz + (nx * w2y - ny * w2x))
    return by_q + slide * (fx * bx + fy * by + fz * bz), by_qd + slide * (fx * w2y - fy * w2x)


def _against_parent(joint: JointStep, m: AxisMotion, parent: AxisMotion, qd: Any, force: Reals, G: Reals) -> Reals:
    """G of velocities against the parent's origin: 2 u x sum dm s_j more, with u that of the body's against it."""
    body = joint.body
    if body.slide or body.along:
        w2x, w2y, _ = parts(m.w2)
        u = vector(w2y * joint.reach, -(w2x * joint.reach), 2.0 * (body.slide * qd))
        G = G + np.cross(u, force)
    return joint.out_of(G) + np.cross(np.cross(parent.w2, body.position), joint.out_of(force))
