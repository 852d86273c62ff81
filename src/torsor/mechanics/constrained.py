"""Forward dynamics of a tree whose loops hold it together: accelerations and multipliers at once (KKT).

M qdd + h = tau + Phi^T lambda and Phi qdd + dPhi/dt qd + 2 a Phi qd + a^2 phi = 0: the loops' equations phi decay at
the rate a as (d/dt + a)^2 phi = 0 (Baumgarte), so that what rounding and integration leave of them fades away. Unlike
the free joints this form passes dead centres. Equations that repeat others are left out by constant combinations.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from torsor.errors import Unsupported
from torsor.mechanics import composite, newton_euler
from torsor.mechanics.assembly import AllLoops
from torsor.mechanics.closure import Closure
from torsor.mechanics.kinematics import dot, matrix, scaled, stacked, vector
from torsor.mechanics.loops import Loops
from torsor.mechanics.posture import open_posture
from torsor.mechanics.tree import Reals
from torsor.model.transforms import Floats

RANK = 1e-8
POSTURES = 12


class LoopEquations:
    """phi, Phi = dphi/dq and dPhi/dt qd of all loops at a posture of the tree, closed or not."""

    def __init__(self, closure: Closure, kept: Floats, q: Reals) -> None:
        n, posture = closure.tree.n, open_posture(closure.tree, q)
        self._stages, self._kept = [stage.at(posture) for stage in closure.stages], kept
        self.left = vector(*self._combined(x for each in self._stages for x in each.residual()))
        rows: list[Reals] = []
        for columns in (each.columns() for each in self._stages):
            none = (0.0,) * len(next(iter(columns.values())))
            rows += [vector(*row) for row in zip(*(columns.get(k, none) for k in range(n)), strict=True)]
        self.Phi = stacked(self._combined(rows))  # (..., equations, n)

    def drift(self, qd: Reals) -> Reals:
        rates = dict(enumerate(np.moveaxis(qd, -1, 0)))
        return vector(*self._combined(x for each in self._stages for x in each.drift(rates)))

    def _combined(self, values: Iterable[Any]) -> list[Any]:
        """The combinations that are kept; a weight of 1 costs nothing."""
        each = list(values)
        return [
            sum(v if w == 1.0 else float(w) * v for w, v in zip(weights, each, strict=True) if w)
            for weights in self._kept.T
        ]


def independent(loops: Loops, closure: Closure) -> Floats:
    """W (equations, kept): combinations of the equations that say everything once, the same at every posture."""
    at_rest = open_posture(closure.tree, closure.reference)
    size = sum(len(stage.at(at_rest).residual()) for stage in closure.stages)
    if closure.is_explicit:
        return np.eye(size)
    postures = AllLoops(loops.plain, loops.model.loops).near(loops.assembly.reference, POSTURES)
    blocks = [LoopEquations(closure, np.eye(size), q).Phi for q in postures]
    ranks = [np.linalg.matrix_rank(Phi, tol=RANK * np.linalg.norm(Phi, 2)) for Phi in blocks]
    U, values, _ = np.linalg.svd(np.concatenate(blocks, axis=1))
    kept = int((values > RANK * values[0]).sum())
    if kept > max(ranks):
        raise Unsupported(
            f"which equations of the loops of {loops.model.name!r} repeat others changes with its posture",
            hint="ask in free joints, where that does no harm",
        )
    W = np.where(np.abs(U[:, :kept]) < 1e-12, 0.0, U[:, :kept])
    return np.eye(size) if kept == size else W


def forward_dynamics(
    closure: Closure, kept: Floats, q: Reals, qd: Reals, tau: Reals, rate: Any, gravity: Reals, wrench: Reals | None
) -> tuple[Reals, Reals]:
    """qdd (..., tree joints) and multipliers; ``tau`` (..., free) of the free joints, ``rate`` is a."""
    tree = closure.tree
    eq = LoopEquations(closure, kept, q)
    motors = vector(*(tau[..., closure.free.index(k)] if k in closure.free else 0.0 for k in range(tree.n)))
    right = motors - newton_euler.inverse_dynamics(tree, q, qd, np.zeros(tree.n), gravity, wrench)
    M = composite.mass_matrix(tree, q)
    free = composite.solve_dense(M, right)
    m = range(kept.shape[1])
    rows = [composite.solve_dense(M, eq.Phi[..., j, :]) for j in m]  # M^-1 Phi^T
    A = matrix(*(tuple(dot(eq.Phi[..., i, :], row) for row in rows) for i in m))
    asked = eq.drift(qd) + (2.0 * rate) * dot(eq.Phi, qd[..., None, :]) + (rate * rate) * eq.left
    lam = -composite.solve_dense(A, dot(eq.Phi, free[..., None, :]) + asked)
    return sum((scaled(lam[..., j], rows[j]) for j in m), start=free), lam
