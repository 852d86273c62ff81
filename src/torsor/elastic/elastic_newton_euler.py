"""Newton-Euler recursion for links that bend: one page, derived from one Lagrangian and truncated nowhere else.

A link with shapes is a body with more coordinates eta (``flexible.py``). Its mass asks for the force
m a + U s + 2 w x sd + sdd and a moment with the changing second moments, and each shape adds a row; what rides on a
tip is displaced with it and turned by three small turns, which are joint steps like any other. Written for floats with
leading dimensions and for graph scalars, as the pages of ``mechanics/``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from torsor.elastic.elastic_tree import ElasticTree
from torsor.elastic.flexible import BeamTip, Flexible, twice, weighed
from torsor.mechanics.body_motion import BodyMotion, Turning, inertial_wrench
from torsor.mechanics.kinematics import JointStep, dot, rotate, scaled, unrotate, vector
from torsor.mechanics.transmissions import rotor_wrenches
from torsor.mechanics.tree import Mount, Reals
from torsor.model.parts import BASE

AHEAD = ((1, 2), (2, 0), (0, 1))  # the two axes that a turn about the first, second, third axis mixes


@dataclass(frozen=True, eq=False)
class TipStep:
    """From the axes of an elastic body, about its origin, to those of a tip of it, about the tip."""

    tip: BeamTip
    r: Reals  # (..., 3) where the tip is
    columns: Reals  # (..., m, 3) by how much it moves for a unit of each coordinate
    turns: tuple[tuple[int, Any, Any], ...]  # axis, cosine, sine, one after the other

    @classmethod
    def at(cls, tip: BeamTip, e: Reals) -> TipStep:
        angles = e @ tip.Psi.T
        turns = [(k, np.cos(angles[..., k]), np.sin(angles[..., k])) for k in range(3) if tip.Psi[k].any()]
        return cls(tip, tip.displaced(e), tip.columns(e), tuple(turns))

    def into(self, v: Reals) -> Reals:
        for turn in self.turns:
            v = _turned(v, *turn)
        return v

    def out_of(self, v: Reals) -> Reals:
        for axis, c, s in reversed(self.turns):
            v = _turned(v, axis, c, -s)
        return v


def _turned(v: Reals, axis: int, c: Any, s: Any) -> Reals:
    """Coordinates in axes that are turned about one of them."""
    i, j = AHEAD[axis]
    entries: list[Any] = [None] * 3
    entries[axis], entries[i], entries[j] = v[..., axis], c * v[..., i] + s * v[..., j], c * v[..., j] - s * v[..., i]
    return vector(*entries)


def elastic_steps(arm: ElasticTree, x: Reals) -> tuple[list[JointStep], list[TipStep | None]]:
    """The joints, and for each body the step onto the tip that it rides on."""
    joints, rides = [], []
    for i, (body, angle) in enumerate(zip(arm.tree.bodies, arm.angles(x), strict=True)):
        c, s = (np.cos(angle), np.sin(angle)) if body.turn else (None, None)
        joints.append(JointStep(body, c, s, body.along + body.slide * angle if body.slide else body.along))
        tip = arm.rides[i]
        rides.append(None if tip is None else TipStep.at(arm.flexible[body.parent].tips[tip], arm.own(body.parent, x)))
    return joints, rides


def onto_tip(step: TipStep, parent: BodyMotion, ed: Reals, edd: Reals) -> BodyMotion:
    """The motion of a tip, in its own axes."""
    tip = step.tip
    rd = vector(*(dot(step.columns[..., a], ed) for a in range(3)))
    rdd = vector(*(dot(step.columns[..., a], edd) for a in range(3))) + twice(ed, tip.H)
    w, wd = parent.w, parent.wd
    a = parent.a + rotate(parent.turning.U, step.r) + 2.0 * np.cross(w, rd) + rdd
    rates, accelerations = ed @ tip.Psi.T, edd @ tip.Psi.T
    for axis, c, s in step.turns:
        w, wd, a = _turned(w, axis, c, s), _turned(wd, axis, c, s), _turned(a, axis, c, s)
        unit = np.eye(3)[axis]
        wd = wd + scaled(rates[..., axis], np.cross(w, unit)) + scaled(accelerations[..., axis], unit)
        w = w + scaled(rates[..., axis], unit)
    return BodyMotion(w, wd, a, Turning.of(w, wd))


def elastic_motion(
    arm: ElasticTree, joints: list[JointStep], rides: list[TipStep | None], xd: Reals, xdd: Reals, gravity: Reals
) -> list[BodyMotion]:
    """The outward recursion."""
    rates, accelerations = arm.angles(xd, rate=True), arm.angles(xdd, rate=True)
    base = BodyMotion.starting(np.zeros(3), -unrotate(arm.tree.root, gravity))
    bodies: list[BodyMotion] = []
    for i, (body, joint, ride) in enumerate(zip(arm.tree.bodies, joints, rides, strict=True)):
        parent, position = base if body.parent == BASE else bodies[body.parent], body.position
        if ride is not None:
            parent = onto_tip(ride, parent, arm.own(body.parent, xd), arm.own(body.parent, xdd))
            position = position - ride.tip.position
        w, wd = joint.into(parent.w), joint.into(parent.wd)
        qd, qdd = rates[i], accelerations[i]
        if body.turn:
            wd = wd + vector(w[..., 1] * qd, -w[..., 0] * qd, qdd)
            w = w + vector(0.0, 0.0, qd)
        turning = Turning.of(w, wd)
        a = joint.into(parent.a + rotate(parent.turning.U, position))
        if body.slide or body.along:
            a = a + turning.U[..., :, 2] * np.asarray(joint.reach)[..., None]
        if body.slide:
            rate = body.slide * qd
            a = a + vector(2.0 * (w[..., 1] * rate), -2.0 * (w[..., 0] * rate), body.slide * qdd)
        bodies.append(BodyMotion(w, wd, a, turning))
    return bodies


def dual(X: Reals) -> Reals:
    """int r x s of X = int r s^T."""
    return vector(X[..., 1, 2] - X[..., 2, 1], X[..., 2, 0] - X[..., 0, 2], X[..., 0, 1] - X[..., 1, 0])


@dataclass(frozen=True, eq=False)
class Deformed:
    """An elastic link as it is bent: what its inertia is, and by how much for a unit of each coordinate."""

    moment: Reals  # (..., 3) int r
    second: Reals  # (..., 3, 3) int r r^T
    columns: Reals  # (..., m, 3) int dr/deta
    crossed: Reals  # (..., m, 3, 3) int r (dr/deta)^T
    swept: Reals  # (..., m, 3) int r x dr/deta, slices counted in

    @classmethod
    def of(cls, link: Flexible, e: Reals) -> Deformed:
        crossed = link.A + weighed(e, link.B + link.G)
        lopsided = weighed(e, link.A)
        square = twice(e, link.B + 0.5 * (link.G + np.swapaxes(link.G, -1, -2)))
        return cls(
            link.moment + e @ link.S.T + 0.5 * twice(e, link.H),
            link.second + lopsided + np.swapaxes(lopsided, -1, -2) + square,
            link.S.T + weighed(e, link.H),
            crossed,
            dual(crossed) + link.spin.T,
        )


def flexible_wrench(link: Flexible, e: Reals, ed: Reals, edd: Reals, m: BodyMotion) -> tuple[Reals, Reals, list[Any]]:
    """Force and moment about the origin that move an elastic link so, and what each of its coordinates asks for."""
    now, w = Deformed.of(link, e), m.w
    force, moment = beam_wrench(link, now, ed, edd, m)
    rows = []
    for j in range(link.m):
        bulk = now.crossed[..., j, :, :]
        # w x (w x r) . dr/deta, summed over the mass
        whirled = dot(rotate(bulk, w), w) - dot(w, w) * (bulk[..., 0, 0] + bulk[..., 1, 1] + bulk[..., 2, 2])
        row = dot(m.a, now.columns[..., j, :]) + dot(m.wd, now.swept[..., j, :]) + whirled
        row = row + edd @ link.M[j]
        rows.append(row + dot(w, ed @ _gyroscopic(link)[j]))
    return force, moment, rows


def beam_wrench(link: Flexible, now: Deformed, ed: Reals, edd: Reals, m: BodyMotion) -> tuple[Reals, Reals]:
    """Force and moment about the origin that move the mass of an elastic link, or of a part of it, so."""
    w, U = m.w, m.turning.U
    sd = vector(*(dot(now.columns[..., a], ed) for a in range(3)))
    sdd = vector(*(dot(now.columns[..., a], edd) for a in range(3))) + twice(ed, link.H)
    force = link.mass * m.a + rotate(U, now.moment) + 2.0 * np.cross(w, sd) + sdd
    growing = (ed[..., :, None, None] * now.crossed).sum(axis=-3)
    growing = growing + np.swapaxes(growing, -1, -2)  # d/dt of the second moments
    trace = growing[..., 0, 0] + growing[..., 1, 1] + growing[..., 2, 2]
    swept = (ed[..., None] * now.swept).sum(axis=-2)
    changing = (edd[..., None] * now.swept).sum(axis=-2) + twice(ed, _swept_twice(link))
    X = np.matmul(U, now.second)
    moment = (
        -dual(X) + np.cross(now.moment, m.a) + scaled(trace, w) - rotate(growing, w) + changing + np.cross(w, swept)
    )
    return force, moment


def _swept_twice(link: Flexible) -> Any:
    """(m, m, 3): by how much the area that a coordinate sweeps changes with another."""
    return dual(link.B + link.G)


def _gyroscopic(link: Flexible) -> Any:
    """(m, m, 3): 2 w x (velocity of another coordinate) along one."""
    P = _swept_twice(link)
    return np.swapaxes(P, 0, 1) - P


def residual(arm: ElasticTree, x: Reals, xd: Reals, xdd: Reals, gravity: Reals, wrench: Reals | None = None) -> Reals:
    """What drives, springs and shapes must give for a motion, (..., x): inertia, gravity and a wrench at the tool.

    What springs and bent links pull by themselves is not counted in: with it the rows of springs and shapes are zero.
    """
    links, rotors = split_residual(arm, x, xd, xdd, gravity, wrench)
    return links + rotors if arm.tree.rotors else links


def split_residual(
    arm: ElasticTree, x: Reals, xd: Reals, xdd: Reals, gravity: Reals, wrench: Reals | None = None
) -> tuple[Reals, Reals]:
    """What moves the links, and rotors as parts of them, and what turns rotors themselves, (..., x) each."""
    joints, rides = elastic_steps(arm, x)
    moving = elastic_motion(arm, joints, rides, xd, xdd, gravity)
    wrenches, rows = [], {}
    for i, (body, m) in enumerate(zip(arm.tree.bodies, moving, strict=True)):
        force, moment = inertial_wrench(body, m)
        if (link := arm.flexible.get(i)) is not None:
            more = flexible_wrench(link, arm.own(i, x), arm.own(i, xd), arm.own(i, xdd), m)
            force, moment, rows[i] = force + more[0], moment + more[1], more[2]
        wrenches.append((force, moment))
    joint_motion = (part[..., : arm.n] for part in (x, xd, xdd))  # motors turn joints, and nothing behind them
    spins, rotors = rotor_wrenches(arm.tree, moving, *joint_motion)
    for i, spin in spins:
        wrenches[i] = wrenches[i][0], wrenches[i][1] + spin
    if wrench is not None:
        _push_tool(arm, x, joints, rides, wrench, wrenches, rows)
    torques: list[Any] = [None] * len(joints)
    for i in reversed(range(len(joints))):
        torques[i] = arm.tree.bodies[i].along_axis(*wrenches[i])
        if (p := arm.tree.bodies[i].parent) != BASE:
            force, moment, asked = hand_down(joints[i], rides[i], *wrenches[i])
            wrenches[p] = wrenches[p][0] + force, wrenches[p][1] + moment
            if asked:
                rows[p] = [own + more for own, more in zip(rows[p], asked, strict=True)]
    return gathered(arm, torques, rows), widened(rotors, arm.size)


def widened(of_joints: Reals, size: int) -> Reals:
    """(..., size): torques of joints with nothing behind them."""
    behind = np.zeros((*of_joints.shape[:-1], size - of_joints.shape[-1]))
    return np.concatenate([of_joints, behind], axis=-1)


def hand_down(joint: JointStep, ride: TipStep | None, force: Reals, moment: Reals) -> tuple[Reals, Reals, list[Any]]:
    """A wrench about a body's origin, seen from the parent, and what it asks of the parent's shapes."""
    body = joint.body
    if body.slide or body.along:
        moment = moment + scaled(joint.reach, vector(-force[..., 1], force[..., 0], 0.0))
    force, moment = joint.out_of(force), joint.out_of(moment)
    if ride is None:
        return force, moment + np.cross(body.position, force), []
    return onto_body(ride, force, moment + np.cross(body.position - ride.tip.position, force))


def onto_body(ride: TipStep, force: Reals, moment: Reals) -> tuple[Reals, Reals, list[Any]]:
    """A wrench about a tip, in its axes, seen from the body's origin, and what it asks of the body's shapes."""
    asked: list[Any] = [0.0] * ride.tip.Phi.shape[1]
    for axis, c, s in reversed(ride.turns):
        asked = [own + moment[..., axis] * by for own, by in zip(asked, ride.tip.Psi[axis], strict=True)]
        force, moment = _turned(force, axis, c, -s), _turned(moment, axis, c, -s)
    asked = [own + dot(force, ride.columns[..., j, :]) for j, own in enumerate(asked)]
    return force, moment + np.cross(ride.r, force), asked


def gathered(arm: ElasticTree, torques: list[Any], rows: dict[int, list[Any]]) -> Reals:
    """Torques of the bodies' joints and the rows of shapes, as those of x, by virtual work."""
    total: list[Any] = [0.0] * arm.size
    for row, torque in zip(arm.turns, torques, strict=True):
        for k in np.flatnonzero(row):
            total[k] = total[k] + row[k] * torque
    for body, own in arm.slices.items():
        total[own] = rows[body]
    return vector(*total)


def _push_tool(
    arm: ElasticTree,
    x: Reals,
    joints: list[JointStep],
    rides: list[TipStep | None],
    wrench: Reals,
    wrenches: list[tuple[Reals, Reals]],
    rows: dict[int, list[Any]],
) -> None:
    """A wrench at the tool, in base axes, taken off what its body must give."""
    mount, tip = arm.mount("tool")
    if mount.body == BASE:
        return
    force, moment, asked = onto_frame(arm, x, joints, rides, mount, tip, wrench)
    i = mount.body
    if asked:
        rows[i] = [own - more for own, more in zip(rows[i], asked, strict=True)]
    wrenches[i] = wrenches[i][0] - force, wrenches[i][1] - moment


def onto_frame(
    arm: ElasticTree,
    x: Reals,
    joints: list[JointStep],
    rides: list[TipStep | None],
    mount: Mount,
    tip: int | None,
    wrench: Reals,
) -> tuple[Reals, Reals, list[Any]]:
    """A wrench on a frame of a body, in base axes, seen from the body's origin, and what it asks of its shapes."""
    force, moment = unrotate(arm.tree.root, wrench[..., :3]), unrotate(arm.tree.root, wrench[..., 3:])
    for i in arm.tree.path(mount.body):
        ride = rides[i]
        if ride is not None:
            force, moment = ride.into(force), ride.into(moment)
        force, moment = joints[i].into(force), joints[i].into(moment)
    if tip is None:
        return force, moment + np.cross(mount.position, force), []
    step = TipStep.at(arm.flexible[mount.body].tips[tip], arm.own(mount.body, x))
    force, moment = step.into(force), step.into(moment)
    return onto_body(step, force, moment + np.cross(mount.position - step.tip.position, force))


def tip_turning(step: TipStep) -> Reals:
    """(..., m, 3): angular velocity of a tip for a unit rate of each coordinate, in the axes of its body."""
    columns: Any = 0.0
    for k, (axis, _, _) in enumerate(step.turns):
        unit: Reals = np.eye(3)[axis]
        for before, c, s in reversed(step.turns[:k]):
            unit = _turned(unit, before, c, -s)
        columns = columns + step.tip.Psi[axis][:, None] * unit[..., None, :]
    return np.asarray(columns) if step.turns else np.zeros((step.tip.Phi.shape[1], 3))


def tip_rotation(step: TipStep) -> Reals:
    """R_body_tip."""
    return np.stack([step.out_of(unit) for unit in np.eye(3)], axis=-1)
