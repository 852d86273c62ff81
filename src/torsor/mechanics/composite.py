"""Composite bodies in link frames (Walker & Orin's third method, Featherstone's CRBA), and the solve M qdd = b.

The composite of a body is itself with all that it carries, given by mass, first moment and inertia about its origin.
M_jj is the torque that a unit acceleration of joint j needs; handed down the chain the same wrench gives M_ij.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np

from torsor.mechanics.formulation import Formulation, named
from torsor.mechanics.kinematics import JointStep, body_poses, matrix, scaled, steps, vector
from torsor.mechanics.newton_euler import inverse_dynamics, to_parent
from torsor.mechanics.transmissions import rotor_mass
from torsor.mechanics.tree import Reals, Tree
from torsor.model.parts import BASE

Entries = dict[tuple[int, int], Any]  # lower triangle of a symmetric matrix over bodies; missing entries are zero
Tensor = tuple[Any, Any, Any, Any, Any, Any]  # xx, yy, zz, xy, xz, yz


def mass_entries(tree: Tree, joints: list[JointStep]) -> Entries:
    """M over bodies: entry (i, j) with j on the way from the base to i, j <= i."""
    mass: list[Any] = [body.mass for body in tree.bodies]
    moment: list[Any] = [body.moment for body in tree.bodies]
    inertia: list[Tensor] = [tensor_of(body.inertia) for body in tree.bodies]
    M: Entries = {}
    for i in reversed(range(len(tree.bodies))):
        body = tree.bodies[i]
        (_, _, zz, _, xz, yz), s = inertia[i], moment[i]
        force = body.turn * vector(-s[..., 1], s[..., 0], 0.0) + body.slide * vector(0.0, 0.0, mass[i])
        torque = body.turn * vector(xz, yz, zz) + body.slide * vector(s[..., 1], -s[..., 0], 0.0)
        M |= row_towards_base(tree, joints, i, force, torque)
        if (p := body.parent) != BASE:
            s, tensor = carried(joints[i], body.position, mass[i], moment[i], inertia[i])
            mass[p], moment[p] = mass[p] + mass[i], moment[p] + s
            inertia[p] = tuple(own + more for own, more in zip(inertia[p], tensor, strict=True))
    return M


def row_towards_base(tree: Tree, joints: list[JointStep], i: int, force: Reals, torque: Reals) -> Entries:
    """What a wrench on body i asks of its joint and of those before it: entries (i, j)."""
    row, j = {}, i
    while True:
        row[i, j] = tree.bodies[j].along_axis(force, torque)
        if tree.bodies[j].parent == BASE:
            return row
        force, torque = to_parent(joints[j], force, torque)
        j = tree.bodies[j].parent


def mass_matrix(tree: Tree, q: Reals) -> Reals:
    """M (..., n, n)."""
    M = tree.symmetric(mass_entries(tree, steps(tree, q)), q.shape[:-1])
    return M + rotor_mass(tree, q, body_poses(tree, q)) if tree.rotors else M


def forward_dynamics(tree: Tree, q: Reals, qd: Reals, tau: Reals, gravity: Reals, wrench: Reals | None = None) -> Reals:
    """qdd = M^-1 (tau - bias), M factored from the tip as L^T D L, which keeps zeros of branches (Featherstone 6.5)."""
    right = tau - inverse_dynamics(tree, q, qd, np.zeros(tree.n), gravity, wrench)
    if tree.is_direct and not tree.rotors:  # rotors couple branches: their M has no zeros to keep
        parents = [body.parent for body in tree.bodies]
        return vector(*solve(mass_entries(tree, steps(tree, q)), parents, [right[..., i] for i in range(tree.n)]))
    return solve_dense(mass_matrix(tree, q), right)


def factor(M: Entries, parents: list[int]) -> tuple[Entries, list[Any]]:
    """L and D^-1 of M = L^T D L, L unit lower triangular with the sparsity of the tree."""
    L = dict(M)
    inverse_D: list[Any] = [None] * len(parents)
    for k in reversed(range(len(parents))):
        inverse_D[k] = 1.0 / L[k, k]
        for i in _before(k, parents):
            ratio = L[k, i] * inverse_D[k]
            for j in (i, *_before(i, parents)):
                L[i, j] = L[i, j] - ratio * L[k, j]
            L[k, i] = ratio
    return L, inverse_D


def _before(k: int, parents: list[int]) -> Iterator[int]:
    """From body k, which is left out, to the base."""
    while (k := parents[k]) != BASE:
        yield k


def solve(M: Entries, parents: list[int], b: list[Any]) -> list[Any]:
    """x with M x = b."""
    L, inverse_D = factor(M, parents)
    x = list(b)
    for k in reversed(range(len(parents))):  # L^T y = b
        for i in _before(k, parents):
            x[i] = x[i] - L[k, i] * x[k]
    x = [value * inverse for value, inverse in zip(x, inverse_D, strict=True)]
    for k in range(len(parents)):  # L x = D^-1 y
        for i in _before(k, parents):
            x[k] = x[k] - L[k, i] * x[i]
    return x


def _chain(M: Reals) -> tuple[Entries, list[int]]:
    """A symmetric matrix (..., n, n) without zeros to keep, as that of a chain."""
    n = M.shape[-1]
    return {(i, j): M[..., i, j] for i in range(n) for j in range(i + 1)}, list(range(-1, n - 1))


def solve_dense(M: Reals, b: Reals) -> Reals:
    """x (..., n) with M x = b, for a symmetric matrix (..., n, n)."""
    return vector(*solve(*_chain(M), [b[..., i] for i in range(M.shape[-1])]))


def inverse(M: Reals) -> Reals:
    """M^-1 = L^-1 D^-1 L^-T of a symmetric matrix (..., n, n)."""
    n = M.shape[-1]
    L, inverse_D = factor(*_chain(M))
    K: Entries = {}  # L^-1, unit lower triangular
    for j, i in combinations(range(n), 2):
        K[i, j] = -(L[i, j] + sum(L[i, k] * K[k, j] for k in range(j + 1, i)))
    over_D = {(i, k): K[i, k] * inverse_D[k] for i, k in K} | {(k, k): inverse_D[k] for k in range(n)}
    W = {(i, j): over_D[i, j] + sum(over_D[i, k] * K[j, k] for k in range(j)) for i in range(n) for j in range(i + 1)}
    return matrix(*(tuple(W[max(i, j), min(i, j)] for j in range(n)) for i in range(n)))


def carried(joint: JointStep, position: Reals, mass: Any, s: Reals, inertia: Tensor) -> tuple[Reals, Tensor]:
    """First moment and inertia seen from the parent: shifted along z, turned, shifted by the joint's position."""
    body = joint.body
    if body.slide or body.along:
        s, inertia = shifted(vector(0.0, 0.0, joint.reach), mass, s, inertia)
    if joint.c is not None:
        inertia = turned_tensor(joint.c, joint.s, inertia)
    return shifted(position, mass, joint.out_of(s), turned_constant(body.rotation, inertia))


def shifted(t: Reals, mass: Any, s: Reals, inertia: Tensor) -> tuple[Reals, Tensor]:
    """A body moved by t against the origin: I + 2 t.h 1 - t h^T - h t^T with h = s + m t / 2, and s + m t."""
    xx, yy, zz, xy, xz, yz = inertia
    mt = scaled(mass, t)
    h = s + 0.5 * mt
    tx, ty, tz = (t[..., k] for k in range(3))
    hx, hy, hz = (h[..., k] for k in range(3))
    px, py, pz = 2.0 * tx * hx, 2.0 * ty * hy, 2.0 * tz * hz
    moved = (
        xx + (py + pz),
        yy + (px + pz),
        zz + (px + py),
        xy - (tx * hy + ty * hx),
        xz - (tx * hz + tz * hx),
        yz - (ty * hz + tz * hy),
    )
    return s + mt, moved


def turned_tensor(c: Any, s: Any, inertia: Tensor) -> Tensor:
    """Rz I Rz^T with four products for the plane part."""
    xx, yy, zz, xy, xz, yz = inertia
    u = s * (xx - yy) + 2.0 * c * xy
    return xx - s * u, yy + s * u, zz, c * u - xy, c * xz - s * yz, s * xz + c * yz


def turned_constant(R: Reals, inertia: Tensor) -> Tensor:
    """R I R^T for a constant R; a turn about x after quarter turns about z, as in DH frames, needs no full product."""
    if R[0, 2] == 0.0 and abs(R[0, 0]) + abs(R[0, 1]) == 1.0:
        xx, yy, zz, xy, xz, yz = turned_tensor(R[0, 0], -R[0, 1], inertia)
        # R = Rx Q with Q the quarter turn: Rx = R Q^T has cos and sin in its last column
        c, s = R[2, 2], -R[1, 2]
        yy, zz, xx, yz, xy, xz = turned_tensor(c, s, (yy, zz, xx, yz, xy, xz))
        return xx, yy, zz, xy, xz, yz
    xx, yy, zz, xy, xz, yz = inertia
    return tensor_of(R @ matrix((xx, xy, xz), (xy, yy, yz), (xz, yz, zz)) @ R.T)


def tensor_of(I: Reals) -> Tensor:
    return I[..., 0, 0], I[..., 1, 1], I[..., 2, 2], I[..., 0, 1], I[..., 0, 2], I[..., 1, 2]


SOURCE = "Walker & Orin 1982, method 3; Featherstone 2008, 6.2 and 6.5"
FORMULATION = Formulation("composite", SOURCE, named(forward_dynamics, mass_matrix), frames="lean")
