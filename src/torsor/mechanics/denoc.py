"""Forward dynamics by the decoupled natural orthogonal complement, DeNOC (Saha 1999, 2003).

Twists obey t_i = B_i t_(i-1) + p_i qd_i, so the mass matrix is N^T M N with the complement N of all B and p. Reverse
Gaussian elimination of it is done body by body: I = U D U^T, where the elements of U and D come from the inertia
M^_i = M_i + B^T M-_(i+1) B of a body with all that hangs on it, M- = M^ - psi^ psi^T / m^, psi^ = M^ p, m^ = p^T psi^.
Then U D U^T qdd = phi is solved by a recursion inward, a division, and one outward; phi = tau less the torques at
qdd = 0. Twists are the angular over the linear velocity of a body's origin, in its own axes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from torsor.mechanics.formulation import Formulation, named, no_followers
from torsor.mechanics.kinematics import JointStep, dot, skew, steps, vector
from torsor.mechanics.newton_euler import inverse_dynamics
from torsor.mechanics.tree import Body, Reals, Tree
from torsor.model.parts import BASE


def forward_dynamics(tree: Tree, q: Reals, qd: Reals, tau: Reals, gravity: Reals, wrench: Reals | None = None) -> Reals:
    """qdd (..., n)."""
    bodies, joints = tree.bodies, steps(tree, q)
    phi = tau - inverse_dynamics(tree, q, qd, np.zeros(tree.n), gravity, wrench)
    B = [_carries(joint) for joint in joints]
    M: list[Reals] = [_inertia(body) for body in bodies]
    eta: list[Reals] = [np.zeros(6) for _ in bodies]
    solved: list[tuple[Reals, Any]] = [None] * len(bodies)  # type: ignore[list-item]  # psi_i, and phi^_i / m^_i
    for i in reversed(range(len(bodies))):
        body = bodies[i]
        psi_hat = body.turn * M[i][..., :, 2] + body.slide * M[i][..., :, 5]
        over = 1.0 / _along(body, psi_hat)
        psi = psi_hat * np.asarray(over)[..., None]
        phi_hat = phi[..., body.source] - _along(body, eta[i])
        solved[i] = psi, phi_hat * over
        if (p := body.parent) != BASE:
            back = np.swapaxes(B[i], -1, -2)
            left = M[i] - psi_hat[..., :, None] * psi[..., None, :]
            M[p] = M[p] + back @ left @ B[i]
            pushed = eta[i] + psi * np.asarray(phi_hat)[..., None]
            eta[p] = eta[p] + (back @ pushed[..., None])[..., 0]
    qdd: list[Any] = [None] * tree.n
    mu: list[Reals] = []
    for i, (body, (psi, own)) in enumerate(zip(bodies, solved, strict=True)):
        before = np.zeros(6) if body.parent == BASE else (B[i] @ mu[body.parent][..., None])[..., 0]
        rate = qdd[body.source] = own - dot(psi, before)
        mu.append(before + vector(0.0, 0.0, body.turn * rate, 0.0, 0.0, body.slide * rate))
    return vector(*qdd)


def _along(body: Body, moving: Reals) -> Any:
    """p_i^T x."""
    return body.turn * moving[..., 2] + body.slide * moving[..., 5]


def _inertia(body: Body) -> Reals:
    """M_i (6, 6) about the origin of the body."""
    H = skew(body.moment)
    return np.concatenate(
        [np.concatenate([body.inertia, H], axis=-1), np.concatenate([H.T, body.mass * np.eye(3)], axis=-1)], axis=-2
    )


def _carries(joint: JointStep) -> Reals:
    """B_i (..., 6, 6): the twist of the body that goes along with its parent's, column by column."""
    columns = []
    for k in range(6):
        unit = np.eye(6)[k]
        v, w = joint.carried(unit[3:], unit[:3])
        columns.append(np.concatenate(np.broadcast_arrays(w, v), axis=-1))
    return np.stack(np.broadcast_arrays(*columns), axis=-1)


FORMULATION = Formulation("denoc", "Saha 2003", named(forward_dynamics), refuses=no_followers)
