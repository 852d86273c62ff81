"""Burdick's closed form (EMDEG, 1986): coefficients M_ij, c_ijj, b_ijk and g_i that depend on q alone.

    tau_i = sum_j M_ij qdd_j + sum_j c_ijj qd_j^2 + sum_{j<k} b_ijk qd_j qd_k + g_i

Extended bodies (all that a joint carries) have mass M_j, first moment U_j and inertia I_jj about the joint's origin,
built inwards by (19)-(21). M follows from partial velocities (9), with the shortcuts (22)-(25) for parallel axes; c and
b are Christoffel symbols by (26)-(29), their derivatives in closed form (appendix I: what lies beyond a joint turns
about it), and by (34), (35) where axes are parallel; g by (16).

Corrections: (12) lacks qdd; (15) differentiates by q; (20) has P_(j+1); (25) line 2 uses M_(p,p+1); in (35)
b_(p+1,p,k) = b_(p+1,p+1,k), b_(i,p,p+1) = 2 c_(i,p+1,p+1), c_(p,p+1,p+1) = -c_(p+1,p,p). The paper's g_i are
-(1/g) dV/dq_i; here they are dV/dq_i.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import permutations
from typing import Any

import numpy as np

from torsor.mechanics.formulation import Formulation, links_only, named
from torsor.mechanics.kane import Partials, partial_velocities
from torsor.mechanics.kinematics import dot, rotate, steps, unrotate
from torsor.mechanics.newton_euler import tool_pushes
from torsor.mechanics.tree import Reals, Tree
from torsor.model.parts import BASE

Screw = tuple[Reals, Reals]  # partial velocity of the origin, partial angular velocity
ForceAndMoment = tuple[Reals, Reals]  # force, moment about the origin


@dataclass(frozen=True, eq=False)
class Coefficients:
    """Over bodies; missing entries are zero. M holds (i, j) with i <= j, b holds j < k."""

    M: dict[tuple[int, int], Any]
    c: dict[tuple[int, int], Any]  # (i, j) for c_ijj
    b: dict[tuple[int, int, int], Any]
    g: list[Any]

    @property
    def entries(self) -> list[Any]:
        return [*self.M.values(), *self.c.values(), *self.b.values(), *self.g]


class _Arm:
    """The extended bodies at one q."""

    def __init__(self, tree: Tree, q: Reals) -> None:
        self.tree, self.joints = tree, steps(tree, q)
        self.paths = [tree.path(i) for i in range(len(tree.bodies))]
        self.screws: Partials = partial_velocities(tree, self.joints)  # body j -> joint i before it, in the axes of j
        self.pushes: list[dict[int, ForceAndMoment]] = []  # body k -> I_k s_j, each joint j before it
        for own, mass, moment, inertia in zip(self.screws, *self._extended(), strict=True):
            self.pushes.append(
                {
                    i: (mass * v + np.cross(w, moment), rotate(inertia, w) + np.cross(moment, v))
                    for i, (v, w) in own.items()
                }
            )

    def _extended(self) -> tuple[list[Any], list[Reals], list[Reals]]:
        """M_j, U_j and I_jj of (17)-(20), in the axes of j."""
        bodies = self.tree.bodies
        mass: list[Any] = [b.mass for b in bodies]
        moment: list[Reals] = [b.moment for b in bodies]
        second: list[Reals] = [b.second for b in bodies]  # I = tr(K) 1 - K: sums of r r^T shift with fewer products
        for j in reversed(range(len(bodies))):
            if (p := bodies[j].parent) == BASE:
                continue
            R, P = self.joints[j].R, self.joints[j].p
            U = rotate(R, moment[j])
            cross = U[..., :, None] * P[..., None, :]
            spread = mass[j] * (P[..., :, None] * P[..., None, :])
            second[p] = second[p] + R @ second[j] @ np.swapaxes(R, -1, -2) + cross + np.swapaxes(cross, -1, -2) + spread
            mass[p], moment[p] = mass[p] + mass[j], moment[p] + U + mass[j] * P
        return mass, moment, [_inertia(K) for K in second]

    def mass(self, i: int, j: int) -> Any:
        """M_ij for i on the way to j: (9), summed over the extended body."""
        return _power(self.screws[j][i], self.pushes[j][j])

    def mass_slope(self, i: int, j: int, k: int) -> Any:
        """dM_ij/dq_k for i on the way to j (26), appendix I."""
        if k == i or i not in self.paths[k]:
            return 0.0  # k is nearer the base, or on another branch
        if k in self.paths[j]:
            return _power(_bracket(self.screws[j][i], self.screws[j][k]), self.pushes[j][j])
        if j not in self.paths[k]:
            return 0.0
        s = self.screws[k]
        outer = _power(_bracket(s[i], s[k]), self.pushes[k][j])
        return outer + _power(_bracket(s[j], s[k]), self.pushes[k][i])


def coefficients(tree: Tree, q: Reals, gravity: Reals) -> Coefficients:
    """M, c, b and g."""
    arm, m, parallel = _Arm(tree, q), len(tree.bodies), _parallel(tree)
    M: dict[tuple[int, int], Any] = {}
    for j in range(m):
        for i in reversed(arm.paths[j]):
            outer = parallel.get(i)  # the next joint, if its axis is parallel: M_ij = M_(i+1)j + eta (24), (25)
            if outer is not None and outer in arm.paths[j]:
                v, v_outer = arm.screws[j][i][0], arm.screws[j][outer][0]
                M[i, j] = M[outer, j] + dot(v - v_outer, arm.pushes[j][j][0])
            else:
                M[i, j] = arm.mass(i, j)
    slope = cache(arm.mass_slope)

    def d(i: int, j: int, k: int) -> Any:
        """dM_ij/dq_k whichever of i and j is nearer the base."""
        if i not in arm.paths[j]:
            i, j = j, i
        return slope(i, j, k) if i in arm.paths[j] else 0.0

    c: dict[tuple[int, int], Any] = {}
    for i, j in permutations(range(m), 2):
        if i in arm.paths[j]:
            c[i, j] = d(i, j, j)  # (27)
        elif j in arm.paths[i]:
            c[i, j] = -0.5 * d(j, j, i)
    for p, outer in parallel.items():
        c[p, outer] = -c[outer, p]  # (35), corrected
    b: dict[tuple[int, int, int], Any] = {}
    for j in reversed(range(m)):
        outer = parallel.get(j)
        for k in range(j + 1, m):
            for i in range(m):
                if outer is not None and i != j and k != outer and outer in arm.paths[k]:
                    value = b.get((i, outer, k))  # (34), and for i = p+1 (35)
                elif outer is not None and k == outer and i not in (j, outer):
                    value = 2.0 * c[i, outer] if (i, outer) in c else None  # (35), corrected
                else:
                    value = _coriolis(arm, c, d, i, j, k)
                if value is not None:
                    b[i, j, k] = value
    return Coefficients(M, c, b, _weights(tree, arm, gravity))


def _coriolis(arm: _Arm, c: dict[tuple[int, int], Any], d: Any, i: int, j: int, k: int) -> Any:
    """b_ijk, j < k, by (28) and (29); None where it vanishes."""
    paths = arm.paths
    felt = i in paths[j] and i in paths[k]  # on two branches: only joints before both feel their product
    if j in paths[k]:
        if i == j:
            return -2.0 * c[k, i] if (k, i) in c else None
        felt = i != k and (i in paths[k] or k in paths[i])
    return d(i, j, k) + d(i, k, j) - d(j, k, i) if felt else None


def _weights(tree: Tree, arm: _Arm, gravity: Reals) -> list[Any]:
    """g_i = dV/dq_i: minus the power of gravity in a unit motion of joint i (16)."""
    g: list[Any] = []
    down: list[Reals] = []  # gravity in the axes of each body
    for i, (body, joint) in enumerate(zip(tree.bodies, arm.joints, strict=True)):
        down.append(joint.into(unrotate(tree.root, gravity) if body.parent == BASE else down[body.parent]))
        force, _ = arm.pushes[i][i]  # M_i z for a slider, z x U_i for a turning joint
        g.append(-dot(force, down[i]))
    return g


def inverse_dynamics(tree: Tree, q: Reals, qd: Reals, qdd: Reals, gravity: Reals, wrench: Reals | None = None) -> Reals:
    """(12), complete."""
    rates, accelerations = tree.expand(qd, rate=True), tree.expand(qdd, rate=True)
    found = coefficients(tree, q, gravity)
    torques = list(found.g)
    for (i, j), value in found.M.items():
        torques[i] = torques[i] + value * accelerations[..., j]
        if i != j:
            torques[j] = torques[j] + value * accelerations[..., i]
    for (i, j), value in found.c.items():
        torques[i] = torques[i] + value * (rates[..., j] * rates[..., j])
    for (i, j, k), value in found.b.items():
        torques[i] = torques[i] + value * (rates[..., j] * rates[..., k])
    joints = steps(tree, q)
    for body, *pushed in tool_pushes(tree, joints, wrench):
        for i, screw in partial_velocities(tree, joints)[body].items():
            torques[i] = torques[i] - _power(screw, pushed)
    return tree.gather(torques)


def mass_matrix(tree: Tree, q: Reals) -> Reals:
    return tree.symmetric(coefficients(tree, q, np.zeros(3)).M, q.shape[:-1])


def gravity(tree: Tree, q: Reals, gravity: Reals) -> Reals:
    return tree.gather([np.broadcast_to(each, q.shape[:-1]) for each in _weights(tree, _Arm(tree, q), gravity)])


def _parallel(tree: Tree) -> dict[int, int]:
    """Turning joint p -> the turning joint it carries whose axis points the same way (22)."""
    found: dict[int, int] = {}
    for k, body in enumerate(tree.bodies):
        p = body.parent
        turning = p != BASE and body.slide == 0.0 and tree.bodies[p].slide == 0.0
        if turning and body.is_parallel and body.rotation[2, 2] > 0.0 and p not in found:
            found[p] = k
    return found


def _bracket(a: Screw, b: Screw) -> Screw:
    """a x b of two motions."""
    (va, wa), (vb, wb) = a, b
    return np.cross(wa, vb) + np.cross(va, wb), np.cross(wa, wb)


def _power(screw: Screw, wrench: Sequence[Reals]) -> Any:
    return dot(screw[0], wrench[0]) + dot(screw[1], wrench[1])


def _inertia(K: Reals) -> Reals:
    trace = K[..., 0, 0] + K[..., 1, 1] + K[..., 2, 2]
    return np.asarray(trace)[..., None, None] * np.eye(3) - K


PAGES = named(inverse_dynamics, mass_matrix, gravity)
FORMULATION = Formulation("closed-form", "Burdick 1986 (EMDEG), (9)-(35)", PAGES, frames="lean", refuses=links_only)
