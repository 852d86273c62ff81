"""Small vibration about a motion that is given, as SIMASEA has it: the page, linearised at nothing bent.

M(q) udd + C(q, qd) ud + K(q, qd, qdd, f) u = -load(q, qd, qdd) + G^T f and G(q) u = 0, with gyroscopic and geometric
terms as the graph's own slopes: there is no second model. f are the forces of loops; what they add to K they do with
their value of the step before. Stepped by the generalised-alpha method (Chung & Hulbert 1993) in the form of Arnold &
Bruels (2007), which damps what the step cannot resolve, is of second order for what it can, balances forces at the end
of every step, and closes loops there exactly.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from torsor.drives.gearing import gauss
from torsor.elastic.elastic_composite import mass_matrix
from torsor.elastic.elastic_loops import SwayingArm
from torsor.elastic.elastic_newton_euler import residual
from torsor.elastic.elastic_tree import straight
from torsor.mechanics.tree import Reals

RADIUS = 0.9  # what a step leaves of a vibration that is far too fast for it


# Weights of the method: of accelerations, and of what is averaged of them.
ALPHA_MASS, ALPHA_FORCE = (2.0 * RADIUS - 1.0) / (RADIUS + 1.0), RADIUS / (RADIUS + 1.0)
GAMMA, BETA = 0.5 - ALPHA_MASS + ALPHA_FORCE, 0.25 * (1.0 - ALPHA_MASS + ALPHA_FORCE) ** 2
NEW = (1.0 - ALPHA_FORCE) / (1.0 - ALPHA_MASS)  # how much of the new acceleration counts in the step


def linear_page(arm: SwayingArm, q: Reals, qd: Reals, qdd: Reals, force: Reals | None) -> dict[str, Any]:
    """On graph scalars: what stands before udd, ud and u, what is left, and the equations of loops."""
    from torsor.algebra import const, jacobian, substitute, symbols

    tree, at = arm.tree, arm.unknown
    u, ud = symbols("u", arm.size), symbols("ud", arm.size)
    still = np.repeat(0.0 * qdd[:1], arm.size)
    x, xd, xdd = arm.x(q, u), arm.x(qd, ud), arm.x(qdd, still)
    rows = (residual(tree, x, xd, xdd, tree.tree.gravity) + x @ tree.K + xd @ tree.D)[at]
    none = {node: const(0.0) for node in (*u, *ud)}
    found = {"load": substitute(rows, none), "C": substitute(jacobian(rows, ud), none)}
    if force is not None:
        G = arm.rows(x)[:, at]
        rows = rows - force @ G
        found["G"] = substitute(G, none)
    flat = straight(tree, q)
    return found | {"M": mass_matrix(tree, flat)[np.ix_(at, at)], "K": substitute(jacobian(rows, u), none)}


def step_page(
    arm: SwayingArm, dt: Reals, q: Reals, qd: Reals, qdd: Reals,
    u: Reals, ud: Reals, udd: Reals, averaged: Reals, force: Reals | None = None,
) -> dict[str, Any]:  # fmt: skip
    """One step: u, ud, udd and the method's own acceleration at its end, where the motion is given; and forces."""
    found = linear_page(arm, q, qd, qdd, force)
    M, C, K = (found[name] for name in "MCK")
    h = dt[()]
    square = h * h
    known = (ALPHA_FORCE * udd - ALPHA_MASS * averaged) / (1.0 - ALPHA_MASS)
    # without the part of the new udd
    ahead = u + h * ud + square * ((0.5 - BETA) * averaged + BETA * known)
    rate = ud + h * ((1.0 - GAMMA) * averaged + GAMMA * known)
    A = M + (GAMMA * NEW * h) * C + (BETA * NEW * square) * K
    right = -found["load"] - C @ rate - K @ ahead
    # gyroscopic and geometric terms make A lopsided, if only a little
    if force is None:
        new = np.array(gauss(A.tolist(), right.tolist()), dtype=object)
        forces = {}
    else:
        G = found["G"]
        asked = -(G @ ahead) / (BETA * NEW * square)
        new, balance = bordered(A, G, right, asked)
        forces = {"force": balance}
    more = known + NEW * new
    return {
        "u": ahead + (BETA * NEW * square) * new,
        "ud": rate + (GAMMA * NEW * h) * new,
        "udd": new,
        "averaged": more,
    } | forces


def bordered(A: Reals, G: Reals, right: Reals, asked: Reals) -> tuple[Reals, Reals]:
    """v and f of A v - G^T f = right and G v = asked: A first, which is positive definite, so nothing is exchanged."""
    m, rows = len(A), len(G)
    whole = [[*row, *column] for row, column in zip(A.tolist(), (-G.T).tolist(), strict=True)]
    whole += [[*row, *[0.0] * rows] for row in G.tolist()]
    found = np.array(gauss(whole, [*right.tolist(), *asked.tolist()]), dtype=object)
    return found[:m], found[m:]


def rest_page(arm: SwayingArm, q: Reals, force: Reals | None = None) -> dict[str, Any]:
    """u of the arm that stands still, weight counted in, and forces of loops, with those that are known."""
    still = np.repeat(0.0 * q[:1], arm.tree.n)
    found = linear_page(arm, q, still, still, force)
    if force is None:
        return {"u": np.array(gauss(found["K"].tolist(), (-found["load"]).tolist()), dtype=object)}
    # nothing holds passive joints but the loops: stiffness against opening these changes nothing, and is there
    G = found["G"]
    stiff = float(np.median(np.diag(arm.tree.K)[arm.tree.n :]))
    u, forces = bordered(found["K"] + stiff * (G.T @ G), G, -found["load"], np.zeros(len(G)))
    return {"u": u, "force": forces}
