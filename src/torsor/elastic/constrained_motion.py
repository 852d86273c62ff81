"""Motion of an elastic arm with its loops, as it is: accelerations and forces of loops at once (KKT).

M udd + asked = G^T f and G udd + dG/dt xd + G_told qdd = 0. The same page serves joints that are told, where passive
joints, springs and shapes are unknown, and coupled motion, where all joints are (``forward_dynamics``).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from torsor.elastic.elastic_composite import mass_matrix
from torsor.elastic.elastic_loops import SwayingArm
from torsor.elastic.elastic_newton_euler import residual
from torsor.elastic.play import pulled
from torsor.mechanics.composite import solve_dense
from torsor.mechanics.kinematics import dot, matrix, scaled, vector
from torsor.mechanics.tree import Reals


def told_page(arm: SwayingArm, q: Reals, qd: Reals, qdd: Reals, u: Reals, ud: Reals) -> dict[str, Any]:
    """On graph scalars: udd and forces of loops of joints that are told, and what brings u back to closed loops."""
    tree, at = arm.tree, arm.unknown
    x, xd, xdd = arm.x(q, u), arm.x(qd, ud), arm.x(qdd, np.repeat(0.0 * qdd[:1], arm.size))
    asked = (residual(tree, x, xd, xdd, tree.tree.gravity) + x @ tree.K + xd @ tree.D)[at]
    M = mass_matrix(tree, x)[np.ix_(at, at)]
    if not arm.loops:
        return {"udd": solve_dense(M, -asked)}
    rows = arm.rows(x)
    rate = rows @ xd
    udd, force, back = constrained(M, rows[:, at], -asked, -(rows @ xdd) - changing(rate, x, xd))
    return {"udd": udd, "force": force, "off": back @ arm.left(x), "off_rate": back @ rate}


def changing(rate: Reals, x: Reals, xd: Reals) -> Reals:
    """dC/dt xd of the rates C xd of the loops' equations."""
    from torsor.algebra import directional

    return np.asarray(directional(rate, x, xd))


def constrained(M: Reals, G: Reals, right: Reals, asked: Reals) -> tuple[Reals, Reals, Reals]:
    """v and f of M v - G^T f = right and G v = asked; and M^-1 G^T (G M^-1 G^T)^-1, which takes G's v for v."""
    rows = range(G.shape[-2])
    easy = [solve_dense(M, G[..., j, :]) for j in rows]  # M^-1 G^T
    S = matrix(*(tuple(dot(G[..., i, :], each) for each in easy) for i in rows))
    free = solve_dense(M, right)
    f = solve_dense(S, asked - dot(G, free[..., None, :]))
    v = sum((scaled(f[..., j], easy[j]) for j in rows), start=free)
    units = [solve_dense(S, unit) for unit in np.eye(len(rows))]
    back = [sum((scaled(each[..., j], easy[j]) for j in rows), start=np.zeros(1)) for each in units]
    return v, f, np.stack(np.broadcast_arrays(*back), axis=-1)


def forward_dynamics(
    arm: SwayingArm, x: Reals, xd: Reals, tau: Reals, stabilise: Any, gravity: Reals, wrench: Reals | None = None
) -> tuple[Reals, Reals]:
    """On graph scalars: xdd and forces of loops for torques of all joints of the tree (n,).

    Loops' equations c obey (d/dt + a)^2 c = 0 with a = ``stabilise``, so that what integration leaves of them decays.
    """
    tree = arm.tree
    given = np.concatenate([tau, np.zeros(tree.size - tree.n)])
    right = given - residual(tree, x, xd, np.zeros(tree.size), gravity, wrench) - pulled(tree, x, xd)
    M = mass_matrix(tree, x)
    if not arm.loops:
        return solve_dense(M, right), vector()
    rows = arm.rows(x)
    rate = rows @ xd
    asked = -changing(rate, x, xd) - (2.0 * stabilise) * rate - (stabilise * stabilise) * arm.left(x)
    xdd, force, _ = constrained(M, rows, right, asked)
    return xdd, force


def coupled_page(arm: SwayingArm, driven: list[int]) -> tuple[dict[str, Any], Callable[..., Reals]]:
    """`forward_dynamics` as inputs and a page, for torques of the joints that are driven."""

    def page(x: Reals, xd: Reals, tau: Reals, wrench: Reals, rate: Reals) -> Reals:
        torques = np.array([tau[driven.index(k)] if k in driven else 0.0 for k in range(arm.tree.n)], dtype=object)
        return forward_dynamics(arm, x, xd, torques, rate[()], arm.tree.tree.gravity, wrench)[0]

    size = arm.tree.size
    return {"x": size, "xd": size, "tau": len(driven), "wrench": 6, "stabilise": ()}, page
