"""Small vibration about a motion that is given, as SIMASEA has it: the page, linearised at nothing bent.

M(q) edd + C(q, qd) ed + K(q, qd, qdd) e = -load(q, qd, qdd), with gyroscopic and geometric terms as the graph's own
slopes: there is no second model. Stepped by the generalised-alpha method (Chung & Hulbert 1993), which damps what the
step cannot resolve and is of second order for what it can.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from torsor.drives.gearing import gauss
from torsor.elastic.elastic_composite import mass_matrix
from torsor.elastic.elastic_newton_euler import residual
from torsor.elastic.elastic_tree import ElasticTree, straight
from torsor.mechanics.tree import Reals

RADIUS = 0.9  # what a step leaves of a vibration that is far too fast for it


# Weights of the method: of accelerations, and how far before the end of a step forces are balanced, in steps.
ALPHA_MASS, ALPHA_FORCE = (2.0 * RADIUS - 1.0) / (RADIUS + 1.0), RADIUS / (RADIUS + 1.0)
GAMMA, BETA = 0.5 - ALPHA_MASS + ALPHA_FORCE, 0.25 * (1.0 - ALPHA_MASS + ALPHA_FORCE) ** 2


def linear_page(tree: ElasticTree, q: Reals, qd: Reals, qdd: Reals) -> dict[str, Any]:
    """On graph scalars: what stands before edd, ed and e, and what is left."""
    from torsor.algebra import const, jacobian, substitute, symbols

    n, size = tree.n, tree.size
    e, ed = symbols("e", size - n), symbols("ed", size - n)
    still = np.repeat(0.0 * qdd[:1], size - n)
    x, xd, xdd = np.concatenate([q, e]), np.concatenate([qd, ed]), np.concatenate([qdd, still])
    rows = (residual(tree, x, xd, xdd, tree.tree.gravity) + x @ tree.K + xd @ tree.D)[n:]
    none = {node: const(0.0) for node in (*e, *ed)}
    return {
        "M": mass_matrix(tree, straight(tree, q))[n:, n:],
        "C": substitute(jacobian(rows, ed), none),
        "K": substitute(jacobian(rows, e), none),
        "load": substitute(rows, none),
    }


def step_page(
    tree: ElasticTree, dt: Reals, q: Reals, qd: Reals, qdd: Reals, e: Reals, ed: Reals, edd: Reals
) -> dict[str, Any]:
    """One step: e, ed and edd at its end; the motion is that of the moment at which forces are balanced."""
    found = linear_page(tree, q, qd, qdd)
    M, C, K, load = (found[name] for name in ("M", "C", "K", "load"))
    h, kept = dt[()], 1.0 - ALPHA_FORCE
    square = h * h
    # without the part of the new edd
    ahead, rate = e + h * ed + (square * (0.5 - BETA)) * edd, ed + (h * (1.0 - GAMMA)) * edd
    A = (1.0 - ALPHA_MASS) * M + (kept * GAMMA * h) * C + (kept * BETA * square) * K
    there = ALPHA_MASS * (M @ edd) + C @ (kept * rate + ALPHA_FORCE * ed) + K @ (kept * ahead + ALPHA_FORCE * e)
    # gyroscopic and geometric terms make A lopsided, if only a little
    new = np.array(gauss(A.tolist(), (-load - there).tolist()), dtype=object)
    return {"e": ahead + (BETA * square) * new, "ed": rate + (GAMMA * h) * new, "edd": new}


def rest_page(tree: ElasticTree, q: Reals) -> dict[str, Any]:
    """Stiffness and load of the arm that stands still, weight counted in."""
    still = np.repeat(0.0 * q[:1], tree.n)
    found = linear_page(tree, q, still, still)
    return {"K": found["K"], "load": found["load"]}
