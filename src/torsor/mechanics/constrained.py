"""Forward dynamics of a tree whose loops hold it together: accelerations and multipliers at once (KKT).

M qdd + h = tau + Phi^T lambda and Phi qdd + dPhi/dt qd + 2 a Phi qd + a^2 phi = 0: the loops' equations phi decay at
the rate a as (d/dt + a)^2 phi = 0 (Baumgarte), so that what rounding and integration leave of them fades away. Unlike
the free joints this form passes dead centres. Equations that repeat others are left out by constant combinations.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from torsor.errors import Unsupported
from torsor.mechanics import composite, newton_euler
from torsor.mechanics.assembly import AllLoops
from torsor.mechanics.closure import Closure
from torsor.mechanics.dyad import Dyad
from torsor.mechanics.kinematics import vector
from torsor.mechanics.loops import Loops
from torsor.mechanics.posture import open_posture
from torsor.mechanics.tree import Reals
from torsor.model.transforms import Floats

RANK = 1e-8
POSTURES = 12


class LoopEquations:
    """phi, Phi = dphi/dq and dPhi/dt qd of all loops at a posture of the tree, closed or not."""

    def __init__(self, closure: Closure, kept: Floats, q: Reals) -> None:
        tree = closure.tree
        posture = open_posture(tree, q)
        self._stages = [stage.at(posture) for stage in closure.stages]
        self._n, self._kept = tree.n, kept
        columns = [each.columns() for each in self._stages]
        self.left = self._combined([x for each in self._stages for x in each.residual()])
        rows = []
        for each in columns:
            size = len(next(iter(each.values())))
            rows += [vector(*(each[k][i] if k in each else 0.0 for k in range(tree.n))) for i in range(size)]
        self.Phi = np.stack(np.broadcast_arrays(*self._rows(rows)), axis=-2)  # (..., equations, n)

    def drift(self, qd: Reals) -> Reals:
        rates = {k: qd[..., k] for k in range(self._n)}
        return self._combined([x for each in self._stages for x in each.drift(rates)])

    def _combined(self, values: list[Any]) -> Reals:
        return vector(*(_sum(self._kept[:, j], values) for j in range(self._kept.shape[1])))

    def _rows(self, rows: list[Reals]) -> list[Reals]:
        return [_sum(self._kept[:, j], rows) for j in range(self._kept.shape[1])]


def _sum(weights: Floats, values: list[Any]) -> Any:
    total: Any = 0.0
    for weight, value in zip(weights, values, strict=True):
        if weight == 1.0:
            total = total + value
        elif weight:
            total = total + float(weight) * value
    return total


def independent(loops: Loops, closure: Closure) -> Floats:
    """W (equations, kept): combinations of the equations that say everything once, the same at every posture."""
    size = sum(
        2 if isinstance(stage, Dyad) else sum(loop.ways + loop.turns for loop in stage.loops)
        for stage in closure.stages
    )
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
    closure: Closure,
    kept: Floats,
    q: Reals,
    qd: Reals,
    tau: Reals,
    rate: Any,
    gravity: Reals,
    wrench: Reals | None,
) -> tuple[Reals, Reals]:
    """qdd (..., tree joints) and multipliers; ``tau`` (..., free) of the free joints, ``rate`` is a."""
    tree = closure.tree
    eq = LoopEquations(closure, kept, q)
    motors = vector(*(tau[..., closure.free.index(k)] if k in closure.free else 0.0 for k in range(tree.n)))
    right = motors - newton_euler.inverse_dynamics(tree, q, qd, np.zeros(tree.n), gravity, wrench)
    M = composite.mass_matrix(tree, q)
    free = composite.solve_dense(M, right)
    m = kept.shape[1]
    rows = [composite.solve_dense(M, eq.Phi[..., j, :]) for j in range(m)]  # M^-1 Phi^T
    A = np.stack(
        [
            np.stack(np.broadcast_arrays(*((eq.Phi[..., i, :] * rows[j]).sum(axis=-1) for j in range(m))), axis=-1)
            for i in range(m)
        ],
        axis=-2,
    )
    velocity = (eq.Phi * qd[..., None, :]).sum(axis=-1)
    asked = eq.drift(qd) + (2.0 * rate) * velocity + (rate * rate) * eq.left
    lam = -composite.solve_dense(A, (eq.Phi * free[..., None, :]).sum(axis=-1) + asked)
    qdd = free
    for j in range(m):
        qdd = qdd + rows[j] * np.asarray(lam[..., j])[..., None]
    return qdd, lam
