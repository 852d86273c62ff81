"""Lagrange's equations with pseudo-inertia matrices (Paul 1981; Szkodny 1995, (7)-(10)).

T_l = A_1 ... A_l are the poses of the links and J_l their pseudo-inertias, J = [K, s; s^T, m]. A joint moves what it
carries by dT_l/dq_i = Delta_i T_l, with Delta_i the generator of its screw in base axes, so that

    D_ij  = sum_l tr(dT_l/dq_j J_l (dT_l/dq_i)^T)
    D_ijk = sum_l tr(d2T_l/dq_j dq_k J_l (dT_l/dq_i)^T)
    D_i   = - sum_l g^T dT_l/dq_i J_l e_4

and tau_i = sum_j D_ij qdd_j + sum_jk D_ijk qd_j qd_k + D_i.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from torsor.mechanics.formulation import Formulation, named
from torsor.mechanics.kinematics import body_poses, bordered, dot, rotate, skew, unrotate, vector
from torsor.mechanics.transmissions import rotor_coriolis, rotor_mass
from torsor.mechanics.tree import Reals, Tree
from torsor.model.parts import BASE


class Derivatives:
    """First and second derivatives of the links' poses with respect to the joints, each computed once."""

    def __init__(self, tree: Tree, q: Reals) -> None:
        self.tree = tree
        self.paths = [tree.path(i) for i in range(len(tree.bodies))]
        self.poses = [bordered(R, p, np.array([0.0, 0.0, 0.0, 1.0])) for R, p in body_poses(tree, q)]
        # J = [K, s; s^T, m]
        self.pseudo = [bordered(body.second, body.moment, np.append(body.moment, body.mass)) for body in tree.bodies]
        self.generators = []  # Delta = [w^, v; 0, 0]: dT/dq = Delta T
        for body, T in zip(tree.bodies, self.poses, strict=True):
            z, p = T[..., :3, 2], T[..., :3, 3]
            v = body.turn * np.cross(p, z) + body.slide * z
            self.generators.append(bordered(skew(body.turn * z), v, np.zeros(4)))
        self.first = {(l, i): self.generators[i] @ T for l, T in enumerate(self.poses) for i in self.paths[l]}
        self._second: dict[tuple[int, int, int], Reals] = {}

    def second(self, l: int, j: int, k: int) -> Reals:
        """d2T_l/dq_j dq_k = Delta_inner Delta_outer T_l, the inner joint being the one nearer the base."""
        inner, outer = (j, k) if j in self.paths[k] else (k, j)
        key = l, inner, outer
        if key not in self._second:
            self._second[key] = self.generators[inner] @ self.first[l, outer]
        return self._second[key]

    def carried(self, *joints: int) -> list[int]:
        """The links that all of these joints move."""
        return [l for l, path in enumerate(self.paths) if all(i in path for i in joints)]

    def inertia(self, i: int, j: int) -> Any:
        """D_ij (8)."""
        return sum(_trace(self.first[l, j] @ self.pseudo[l], self.first[l, i]) for l in self.carried(i, j))

    def velocity(self, i: int, j: int, k: int) -> Any:
        """D_ijk (9)."""
        return sum(_trace(self.second(l, j, k) @ self.pseudo[l], self.first[l, i]) for l in self.carried(i, j, k))

    def weight(self, i: int, gravity: Reals) -> Any:
        """D_i (10)."""
        return -sum(dot(gravity, rotate(self.first[l, i], self.pseudo[l][:, 3])[..., :3]) for l in self.carried(i))


def mass_matrix(tree: Tree, q: Reals) -> Reals:
    """M_ij = D_ij."""
    d = Derivatives(tree, q)
    M = tree.projected(lambda i, j: d.inertia(max(i, j), min(i, j)), q.shape[:-1])
    return M + rotor_mass(tree, q, body_poses(tree, q)) if tree.rotors else M


def gravity(tree: Tree, q: Reals, gravity: Reals) -> Reals:
    d = Derivatives(tree, q)
    g = unrotate(tree.root, gravity)
    return tree.gather([np.broadcast_to(d.weight(i, g), q.shape[:-1]) for i in range(len(tree.bodies))])


def inverse_dynamics(tree: Tree, q: Reals, qd: Reals, qdd: Reals, gravity: Reals, wrench: Reals | None = None) -> Reals:
    """tau_i = sum_j D_ij qdd_j + sum_jk D_ijk qd_j qd_k + D_i - tool wrench (7)."""
    d = Derivatives(tree, q)
    rate, acceleration = tree.expand(qd, rate=True), tree.expand(qdd, rate=True)
    g = unrotate(tree.root, gravity)
    m = len(tree.bodies)
    torques = []
    for i in range(m):
        total = d.weight(i, g)
        for j in range(m):
            total = total + d.inertia(max(i, j), min(i, j)) * acceleration[..., j]
            # D_ijk = D_ikj: each pair of rates once
            total = total + d.velocity(i, j, j) * (rate[..., j] * rate[..., j])
            for k in range(j + 1, m):
                total = total + 2.0 * d.velocity(i, j, k) * (rate[..., j] * rate[..., k])
        torques.append(total)
    if wrench is not None and (tool := tree.mount("tool")).body != BASE:
        T = d.poses[tool.body]
        at = T[..., :3, 3] + rotate(T[..., :3, :3], tool.position)
        force, moment = unrotate(tree.root, wrench[..., :3]), unrotate(tree.root, wrench[..., 3:])
        for i in d.paths[tool.body]:  # virtual work of the wrench in a unit motion of each joint
            G = d.generators[i]
            velocity = rotate(G[..., :3, :3], at) + G[..., :3, 3]
            spin = vector(G[..., 2, 1], G[..., 0, 2], G[..., 1, 0])
            torques[i] = torques[i] - (velocity * force + spin * moment).sum(axis=-1)
    links = tree.gather(torques)
    if not tree.rotors:
        return links
    # the drives' part of D_ij and D_ijk, complete: (8) without its reduction, (9) with I q_a' q_a'' of linkages
    poses = body_poses(tree, q)
    return links + rotate(rotor_mass(tree, q, poses), qdd) + rotate(rotor_coriolis(tree, q, qd, poses), qd)


def _trace(A: Reals, B: Reals) -> Any:
    """tr(A B^T), without the entries of the product nobody asks for."""
    return (A * B).sum(axis=(-1, -2))


PAGES = named(inverse_dynamics, mass_matrix, gravity)
FORMULATION = Formulation("lagrange", "Paul 1981; Szkodny 1995, (7)-(10)", PAGES)
