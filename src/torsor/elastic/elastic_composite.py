"""The mass matrix of an arm with elastic links, by composite bodies, and its forward dynamics.

As for rigid arms (``mechanics/composite.py``): a unit acceleration of one coordinate, all others held, moves everything
beyond it as one rigid body; the wrench that takes, handed down the chain, is a column of M. An elastic link moves what
rides on its tips, too.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from torsor.elastic.elastic_newton_euler import (
    Deformed,
    TipStep,
    elastic_steps,
    gathered,
    hand_down,
    residual,
    tip_turning,
    widened,
)  # fmt: skip
from torsor.elastic.elastic_tree import ElasticTree
from torsor.mechanics.composite import solve_dense
from torsor.mechanics.inertia_tensors import Tensor, carried, inertia_of, shifted, tensor_of, turned_tensor
from torsor.mechanics.kinematics import JointStep, dot, matrix, rotate, scaled, vector
from torsor.mechanics.tree import Reals
from torsor.model.parts import BASE

Rigid = tuple[Any, Reals, Tensor]  # mass, first moment, inertia about a point


def mass_matrix(arm: ElasticTree, x: Reals) -> Reals:
    """M (..., x, x)."""
    joints, rides = elastic_steps(arm, x)
    bodies = arm.tree.bodies
    shapes = {i: Deformed.of(link, arm.own(i, x)) for i, link in arm.flexible.items()}
    whole: list[Rigid] = []  # of each body with all that it carries
    hung: dict[int, list[tuple[TipStep, Rigid]]] = {i: [] for i in arm.flexible}  # what rides on tips, about them
    for i, body in enumerate(bodies):
        own: Rigid = body.mass, body.moment, tensor_of(body.inertia)
        if i in shapes:
            own = added(own, (arm.flexible[i].mass, shapes[i].moment, inertia_of(shapes[i].second)))
        whole.append(own)
    columns: list[tuple[dict[int, Any], dict[int, list[Any]]]] = []
    named: list[tuple[int, int | None]] = []  # of each column: body, and shape
    for i in reversed(range(len(bodies))):
        body, (mass, s, inertia) = bodies[i], whole[i]
        _, _, zz, _, xz, yz = inertia
        force = body.turn * vector(-s[..., 1], s[..., 0], 0.0) + body.slide * vector(0.0, 0.0, mass)
        torque = body.turn * vector(xz, yz, zz) + body.slide * vector(s[..., 1], -s[..., 0], 0.0)
        columns.append(_down(arm, joints, rides, i, force, torque))
        named.append((i, None))
        if i in shapes:
            for k, (force, torque, rows) in enumerate(_shape_columns(arm, i, shapes[i], hung[i])):
                torques, asked = _down(arm, joints, rides, i, force, torque)
                columns.append((torques, asked | {i: rows}))
                named.append((i, k))
        if (p := body.parent) == BASE:
            continue
        ride = rides[i]
        if ride is None:
            s, inertia = carried(joints[i], body.position, mass, s, inertia)
            whole[p] = added(whole[p], (mass, s, inertia))
        else:
            s, inertia = carried(joints[i], body.position - ride.tip.position, mass, s, inertia)
            on_tip: Rigid = mass, ride.out_of(s), _out_of_tip(ride, inertia)
            hung[p].append((ride, on_tip))
            s, inertia = shifted(ride.r, *on_tip)
            whole[p] = added(whole[p], (mass, s, inertia))
    M = _assembled(arm, named, columns, x.shape[:-1])
    return M + _rotor_mass(arm, joints, rides, x) if arm.tree.rotors else M


def _rotor_mass(arm: ElasticTree, joints: list[JointStep], rides: list[TipStep | None], x: Reals) -> Reals:
    """sum I (n n^T + n b^T + b n^T) as in ``mechanics/transmissions.py``: b is what a unit moment about a rotor's axis

    on the body that carries it asks of all coordinates, of those that bend what carries that body, too.
    """
    total: Reals = np.zeros((arm.size, arm.size))
    for rotor in arm.tree.rotors:
        q = x[..., : arm.n]
        n = widened(np.broadcast_to(rotor.transmission.slope(q), q.shape), arm.size)
        m = n[..., :, None] * n[..., None, :]
        if rotor.body != BASE:
            torques, rows = _down(arm, joints, rides, rotor.body, np.zeros(3), rotor.axis)
            of_bodies = [torques.get(i, 0.0) for i in range(len(arm.tree.bodies))]
            b = gathered(arm, of_bodies, {i: rows.get(i, [0.0] * each.m) for i, each in arm.flexible.items()})
            nb = n[..., :, None] * b[..., None, :]
            m = m + nb + np.swapaxes(nb, -1, -2)
        total = total + rotor.inertia * m
    return total


def _shape_columns(
    arm: ElasticTree, i: int, now: Deformed, hung: list[tuple[TipStep, Rigid]]
) -> list[tuple[Reals, Reals, list[Any]]]:
    """For a unit acceleration of each shape of a body: the wrench about its origin, and the rows of its shapes."""
    link = arm.flexible[i]
    moved = [(step, rigid, step.columns, tip_turning(step)) for step, rigid in hung]
    found = []
    for k in range(link.m):
        force, torque = now.columns[..., k, :], now.swept[..., k, :]
        rows: list[Any] = [link.M[j, k] for j in range(link.m)]
        for step, (mass, s, inertia), linear, angular in moved:
            a, wd = linear[..., k, :], angular[..., k, :]
            f = scaled(mass, a) + np.cross(wd, s)
            n = np.cross(s, a) + rotate(_full(inertia), wd)
            for j in range(k + 1):
                rows[j] = rows[j] + dot(f, linear[..., j, :]) + dot(n, angular[..., j, :])
            force, torque = force + f, torque + n + np.cross(step.r, f)
        found.append((force, torque, rows))
    return found


def _down(
    arm: ElasticTree, joints: list[JointStep], rides: list[TipStep | None], i: int, force: Reals, torque: Reals
) -> tuple[dict[int, Any], dict[int, list[Any]]]:
    """What a wrench on a body asks of its joint and of all before it, and of the shapes of those before it."""
    torques: dict[int, Any] = {}
    rows: dict[int, list[Any]] = {}
    while True:
        torques[i] = arm.tree.bodies[i].along_axis(force, torque)
        if (p := arm.tree.bodies[i].parent) == BASE:
            return torques, rows
        force, torque, asked = hand_down(joints[i], rides[i], force, torque)
        if asked:
            rows[p] = asked
        i = p


def _assembled(
    arm: ElasticTree,
    named: list[tuple[int, int | None]],
    columns: list[tuple[dict[int, Any], dict[int, list[Any]]]],
    batch: tuple[int, ...],
) -> Reals:
    """M over x of columns over joints of bodies and shapes, of which each pair stands in one column or in both."""
    entries: dict[tuple[int, int], Any] = {}

    def add(i: int, j: int, value: Any) -> None:
        entries[i, j] = entries.get((i, j), 0.0) + value

    for (body, shape), (torques, rows) in zip(named, columns, strict=True):
        mine = [arm.slices[body].start + shape] if shape is not None else moved_by(arm, body)
        for a in mine:
            by = 1.0 if shape is not None else arm.turns[body, a]
            for other, torque in torques.items():
                for b in moved_by(arm, other):
                    value = (by * arm.turns[other, b]) * torque
                    add(a, b, value)
                    if shape is not None or other != body:  # seen from the other one, too
                        add(b, a, value)
            for other, asked in rows.items():
                at = arm.slices[other].start
                for j, value in enumerate(asked):
                    if other == body and shape is not None and j > shape:
                        continue
                    add(a, at + j, by * value)
                    if at + j != a:
                        add(at + j, a, by * value)
    n = range(arm.size)
    return matrix(*(tuple(np.broadcast_to(entries.get((i, j), 0.0), batch) for j in n) for i in n))


def moved_by(arm: ElasticTree, body: int) -> list[int]:
    """The coordinates that move the joint of a body."""
    found: list[int] = np.flatnonzero(arm.turns[body]).tolist()
    return found


def added(a: Rigid, b: Rigid) -> Rigid:
    return a[0] + b[0], a[1] + b[1], tuple(u + v for u, v in zip(a[2], b[2], strict=True))


def _full(inertia: Tensor) -> Reals:
    xx, yy, zz, xy, xz, yz = inertia
    return matrix((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))


def _out_of_tip(ride: TipStep, inertia: Tensor) -> Tensor:
    """In the axes of the body, of one in those of its tip."""
    for axis, c, s in reversed(ride.turns):
        xx, yy, zz, xy, xz, yz = inertia
        if axis == 0:  # y, z, x stand for x, y, z
            yy, zz, xx, yz, xy, xz = turned_tensor(c, s, (yy, zz, xx, yz, xy, xz))
        elif axis == 1:
            zz, xx, yy, xz, yz, xy = turned_tensor(c, s, (zz, xx, yy, xz, yz, xy))
        else:
            xx, yy, zz, xy, xz, yz = turned_tensor(c, s, inertia)
        inertia = xx, yy, zz, xy, xz, yz
    return inertia


def forward_dynamics(
    arm: ElasticTree, x: Reals, xd: Reals, tau: Reals, gravity: Reals, wrench: Reals | None = None
) -> Reals:
    """xdd (..., x) for torques of the joints (..., n); springs and bent links pull by stiffness and damping."""
    still = np.zeros(arm.size)
    pulled = x @ arm.K + xd @ arm.D
    bias = residual(arm, x, xd, still, gravity, wrench)
    return solve_dense(mass_matrix(arm, x), widened(tau, arm.size) - pulled - bias)


def driven(
    arm: ElasticTree, x: Reals, xd: Reals, qdd: Reals, gravity: Reals, wrench: Reals | None = None
) -> tuple[Reals, Reals]:
    """Joints that move as they are told: what springs and shapes do, and the torques that it takes (..., n)."""
    n, rest = arm.n, np.zeros((*qdd.shape[:-1], arm.size - arm.n))
    asked = residual(arm, x, xd, np.concatenate([qdd, rest], axis=-1), gravity, wrench) + x @ arm.K + xd @ arm.D
    M = mass_matrix(arm, x)
    given = solve_dense(M[..., n:, n:], -asked[..., n:])
    return given, asked[..., :n] + rotate(M[..., :n, n:], given)
