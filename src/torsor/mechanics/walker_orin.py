"""Walker & Orin's (1982) three ways to the mass matrix.

Method 1 asks inverse dynamics for the torques of a unit acceleration of each joint in turn. Method 2 does the same but
lets rest what rests: only the bodies beyond the joint move, and only the torques of the joints before it are wanted.
Method 3 takes those bodies as one: composite bodies, as they were published. ``composite.py`` has what else they allow.
"""

from __future__ import annotations

import numpy as np

from torsor.mechanics.absolute_angles import Entries
from torsor.mechanics.body_motion import BodyMotion, inertial_wrench
from torsor.mechanics.composite import solve_dense
from torsor.mechanics.composite_bodies import CompositeBodies, Inertias, row_towards_base
from torsor.mechanics.formulation import Formulation, FormulationPage, links_only
from torsor.mechanics.kinematics import steps
from torsor.mechanics.newton_euler import inverse_dynamics, to_parent
from torsor.mechanics.tree import Reals, Tree


def mass_matrix_1(tree: Tree, q: Reals) -> Reals:
    """Column j is the torque of a unit acceleration of joint j, all else at rest and without weight."""
    still = np.zeros(tree.n)
    return np.stack([inverse_dynamics(tree, q, still, unit, np.zeros(3)) for unit in np.eye(tree.n)], axis=-1)


def mass_matrix_2(tree: Tree, q: Reals) -> Reals:
    """One triangle of M, from the bodies that move."""
    joints = steps(tree, q)
    H: Entries = {}
    for j in range(len(tree.bodies)):
        moving: dict[int, tuple[Reals, Reals]] = {}  # body -> acceleration of its origin, angular acceleration
        for i in range(j, len(tree.bodies)):
            body = tree.bodies[i]
            if i == j:
                moving[i] = np.array([0.0, 0.0, body.slide]), np.array([0.0, 0.0, body.turn])
            elif body.parent in moving:
                moving[i] = joints[i].carried(*moving[body.parent])
        wrench: dict[int, tuple[Reals, Reals]] = {}
        for i in reversed(moving):
            f, n = inertial_wrench(tree.bodies[i], BodyMotion.starting(moving[i][1], moving[i][0]))
            if i in wrench:
                f, n = f + wrench[i][0], n + wrench[i][1]
            wrench[i] = f, n
            if i != j:
                p = tree.bodies[i].parent
                force, moment = to_parent(joints[i], f, n)
                wrench[p] = (wrench[p][0] + force, wrench[p][1] + moment) if p in wrench else (force, moment)
        H |= row_towards_base(joints, j, *wrench[j])
    return tree.symmetric(H, q.shape[:-1])


def mass_matrix_3(tree: Tree, q: Reals) -> Reals:
    """One triangle of M, joint by joint, by wrenches on composite bodies."""
    return tree.symmetric(CompositeBodies.of(Inertias, steps(tree, q)).mass_entries(), q.shape[:-1])


def _forward_by(mass_matrix: FormulationPage) -> FormulationPage:
    """M qdd = tau - bias by elimination, for one of the ways to M."""

    def forward_dynamics(
        tree: Tree, q: Reals, qd: Reals, tau: Reals, gravity: Reals, wrench: Reals | None = None
    ) -> Reals:
        right = tau - inverse_dynamics(tree, q, qd, np.zeros(tree.n), gravity, wrench)
        return solve_dense(mass_matrix(tree, q), right)

    return forward_dynamics


FIRST, SECOND, THIRD = (
    Formulation(
        f"walker-orin-{number}",
        f"Walker & Orin 1982, method {number}",
        {"mass_matrix": page, "forward_dynamics": _forward_by(page)},
        refuses=links_only,
    )
    for number, page in ((1, mass_matrix_1), (2, mass_matrix_2), (3, mass_matrix_3))
)
