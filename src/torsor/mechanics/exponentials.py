"""Product of exponentials (Murray, Li & Sastry 1994, 4.3; Fedorov 2015, 2.9.4 and 4.2).

Every joint is a twist xi = (v, w) in base axes at the zero pose, every link an inertia M' = Ad^T M Ad seen from the
base at the zero pose; the matrices A_ij are all that depends on theta:

    M_ij = sum_l xi_i^T A_li^T M'_l A_lj xi_j
    dM_ij/dtheta_k = sum_l [A_ki xi_i, xi_k]^T A_lk^T M'_l A_lj xi_j + xi_i^T A_li^T M'_l A_lk [A_kj xi_j, xi_k]

so that C needs no differentiation. Corrections to the thesis: M' before (4.74) is [m 1, -m p^; m p^, I - m p^ p^];
(4.59)-(4.73) double the exponent in A(j+1, j) and leave out the middle factors of the others; (2.58) means M'_l.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from torsor.algebra.telling import given, told
from torsor.mechanics import kinematics
from torsor.mechanics.formulation import Formulation, links_only, named
from torsor.mechanics.kinematics import dot, joined, rotate, skew, unrotate
from torsor.mechanics.tree import Reals, Tree
from torsor.model.parts import BASE
from torsor.model.transforms import Floats, times


@dataclass(frozen=True, eq=False)
class Screws:
    """An arm as screws: what the thesis tabulates in 3.3 and 3.5, at the zero pose and in base axes."""

    tree: Tree

    @property
    def home(self) -> list[Floats]:
        """g_sl(0) of every body."""
        return self.tree.at_rest

    @cached_property
    def twist(self) -> list[Floats]:
        """xi = (v, w): v = -w x q + pitch w for a turning joint, the direction for a sliding one."""
        found = []
        for body, g in zip(self.tree.bodies, self.home, strict=True):
            w, q = body.turn * g[:3, 2], g[:3, 3]
            found.append(np.concatenate([np.cross(q, w) + body.slide * g[:3, 2], w]))
        return found

    @cached_property
    def moment(self) -> list[Floats]:
        """First moments of mass about the base."""
        return [
            b.mass * g[:3, 3] + times(g[:3, :3], b.moment) for b, g in zip(self.tree.bodies, self.home, strict=True)
        ]

    @cached_property
    def inertia(self) -> list[Floats]:
        """M' of every body: [m 1, -s^; s^, I] with s and I about the base (corrected, see the head)."""
        blocks = []
        for body, g, s in zip(self.tree.bodies, self.home, self.moment, strict=True):
            R, p = g[:3, :3], skew(g[:3, 3])
            cross = times(skew(times(R, body.moment)), p)
            about_base = times(R, body.inertia, R.T) - cross - cross.T - body.mass * times(p, p)
            blocks.append(np.block([[body.mass * np.eye(3), -skew(s)], [skew(s), about_base]]))
        return blocks

    def tell(self) -> None:
        """The tables of the thesis: xi = (v, w), and of M' the mass, first moments s and inertia I about the base."""
        upper = np.triu_indices(3)
        for l, (twist, M) in enumerate(zip(self.twist, self.inertia, strict=True)):
            given("xi", self.tree.numbered(l), twist)
            given(
                "M'",
                self.tree.numbered(l),
                np.array([M[0, 0], M[5, 1], M[3, 2], M[4, 0], *M[3:, 3:][upper]], dtype=object),
            )
            told("M'", self.tree.numbered(l), M)


def exponential(xi: Floats, theta: Any) -> tuple[Reals, Reals]:
    """e^(xi^ theta) as rotation and position: R = e^(w^ theta), p = (1 - R)(w x v) + w w^T v theta (2.11, amended)."""
    v, w = xi[:3], xi[3:]
    if not w.any():
        return np.eye(3), v * np.asarray(theta)[..., None]
    c, s = np.asarray(np.cos(theta))[..., None, None], np.asarray(np.sin(theta))[..., None, None]
    along = np.outer(w, w)
    R = c * (np.eye(3) - along) + s * skew(w) + along
    return R, rotate(np.eye(3) - R, np.cross(w, v)) + along @ v * np.asarray(theta)[..., None]


def adjoint_inverse(R: Reals, p: Reals) -> Reals:
    """Ad^-1 = [R^T, -R^T p^; 0, R^T] (2.55)."""
    Rt = np.swapaxes(R, -1, -2)
    rows = joined(Rt, -(Rt @ skew(p))), joined(np.zeros_like(Rt), Rt)
    return np.concatenate(np.broadcast_arrays(*rows), axis=-2)


def bracket(a: Reals, b: Reals) -> Reals:
    """The Lie bracket [a, b] = (w_a x v_b - w_b x v_a, w_a x w_b)."""
    va, wa, vb, wb = a[..., :3], a[..., 3:], b[..., :3], b[..., 3:]
    return joined(np.cross(wa, vb) - np.cross(wb, va), np.cross(wa, wb))


@dataclass(frozen=True, eq=False)
class ExponentialState:
    """What depends on theta: A_li xi_i of every pair, and the rotations of the links."""

    screws: Screws
    A: dict[tuple[int, int], Reals]  # (l, i) -> (..., 6, 6) for i on the way to l
    moved: dict[tuple[int, int], Reals]  # (l, i) -> A_li xi_i
    rotation: list[Reals]

    @classmethod
    def at(cls, tree: Tree, q: Reals) -> ExponentialState:
        screws = Screws(tree)
        theta = tree.expand(q)
        A: dict[tuple[int, int], Reals] = {}
        rotation: list[Reals] = []
        for l, body in enumerate(tree.bodies):
            R, p = exponential(screws.twist[l], theta[..., l])
            rotation.append(R if body.parent == BASE else rotation[body.parent] @ R)
            A[l, l] = np.eye(6)
            if body.parent != BASE:
                own = adjoint_inverse(R, p)  # A_li = Ad^-1(e_l) A_(l-1)i: all factors, in order
                for i in tree.path(body.parent):
                    A[l, i] = own @ A[body.parent, i]
        moved = {(l, i): rotate(A[l, i], screws.twist[i]) for l, i in A}
        screws.tell()
        for l in range(len(tree.bodies)):
            told("R", tree.numbered(l), rotation[l])
        for (l, i), block in A.items():
            told("A", tree.numbered(l, i), block)
        for (l, i), twist in moved.items():
            told("xi", tree.numbered(l, i), twist)
        return cls(screws, A, moved, rotation)

    def mass(self, i: int, j: int) -> Any:
        """M_ij over bodies (2.58, with the transformed inertia)."""
        M = self.screws.inertia
        beyond = [l for l in range(len(M)) if (l, i) in self.moved and (l, j) in self.moved]
        return sum(dot(self.moved[l, i], rotate(M[l], self.moved[l, j])) for l in beyond)

    def mass_slope(self, i: int, j: int, k: int) -> Any:
        """dM_ij/dtheta_k in closed form."""
        total: Any = 0.0
        for l in range(len(self.rotation)):
            if not all((l, m) in self.moved for m in (i, j, k)):
                continue
            for a, b in ((i, j), (j, i)):
                if (k, a) in self.moved and k != a:
                    turned = rotate(self.A[l, k], bracket(self.moved[k, a], self.screws.twist[k]))
                    total = total + dot(turned, rotate(self.screws.inertia[l], self.moved[l, b]))
        return total


def mass_matrix(tree: Tree, q: Reals) -> Reals:
    """M (..., n, n)."""
    return tree.projected(ExponentialState.at(tree, q).mass, q.shape[:-1])


def coriolis_matrix(tree: Tree, q: Reals, qd: Reals) -> Reals:
    """C_ij = 1/2 sum_k (dM_ij/dk + dM_ik/dj - dM_kj/di) qd_k (2.59)."""
    state, rates = ExponentialState.at(tree, q), tree.expand(qd, rate=True)
    m = range(len(tree.bodies))
    slope = {(i, j, k): state.mass_slope(i, j, k) for i in m for j in m for k in m if i <= j}

    def d(i: int, j: int, k: int) -> Any:
        return slope[min(i, j), max(i, j), k]

    C = [[sum(0.5 * (d(i, j, k) + d(i, k, j) - d(k, j, i)) * rates[..., k] for k in m) for j in m] for i in m]
    return tree.projected(lambda i, j: C[i][j], np.broadcast_shapes(q.shape[:-1], qd.shape[:-1]))


def gravity(tree: Tree, q: Reals, gravity: Reals, wrench: Reals | None = None) -> Reals:
    """Torques against gravity, and against a wrench at the tool: minus the power of both per unit of each rate."""
    state = ExponentialState.at(tree, q)
    torques: list[Any] = [0.0] * len(tree.bodies)
    for l, R in enumerate(state.rotation):
        g = unrotate(R, unrotate(tree.root, gravity))
        force, moment = tree.bodies[l].mass * g, np.cross(state.screws.moment[l], g)
        for i in tree.path(l):
            torques[i] = torques[i] - dot(state.moved[l, i], joined(force, moment))
    if wrench is not None and (tool := tree.mount("tool")).body != BASE:
        R, home = state.rotation[tool.body], state.screws.home[tool.body]
        force, moment = (unrotate(R, unrotate(tree.root, part)) for part in (wrench[..., :3], wrench[..., 3:]))
        at = home[:3, 3] + times(home[:3, :3], tool.position)
        for i in tree.path(tool.body):
            torques[i] = torques[i] - dot(state.moved[tool.body, i], joined(force, moment + np.cross(at, force)))
    shape = np.broadcast_shapes(q.shape[:-1], *(np.shape(torque) for torque in torques))
    return tree.gather([np.broadcast_to(torque, shape) for torque in torques])


def inverse_dynamics(tree: Tree, q: Reals, qd: Reals, qdd: Reals, g: Reals, wrench: Reals | None = None) -> Reals:
    """tau = M qdd + C qd + N, (2.19)."""
    return rotate(mass_matrix(tree, q), qdd) + rotate(coriolis_matrix(tree, q, qd), qd) + gravity(tree, q, g, wrench)


def pose(tree: Tree, q: Reals, frame: str = "tool") -> Reals:
    """T_base_frame = e^(xi_1 theta_1) ... e^(xi_l theta_l) g(0), (..., 4, 4)."""
    mount = tree.mount(frame)
    if mount.body == BASE:
        return kinematics.pose(tree, q, frame)
    R, p = _exponentials(tree, q, tree.path(mount.body))[-1]
    home = Screws(tree).home[mount.body]
    R_home, p_home = times(home[:3, :3], mount.rotation), home[:3, 3] + times(home[:3, :3], mount.position)
    T = kinematics.bordered(times(R, R_home), p + rotate(R, p_home), np.array([0.0, 0.0, 0.0, 1.0]))
    return np.broadcast_to(T, (*q.shape[:-1], 4, 4))


def jacobian(tree: Tree, q: Reals, frame: str = "tool") -> Reals:
    """(..., 6, n): the twists of the joints where they have come to, v = v_i + w_i x p at the frame's origin."""
    path = tree.path(tree.mount(frame).body)
    moved = [(np.eye(3), np.zeros(3)), *_exponentials(tree, q, path)]
    at, screws = pose(tree, q, frame)[..., :3, 3], Screws(tree)
    columns: list[Any] = [np.zeros(6)] * tree.n
    for (R, p), i in zip(moved, path, strict=False):
        body, (v, w) = tree.bodies[i], np.split(screws.twist[i], 2)
        w = rotate(R, w)
        twist = joined(rotate(R, v) + np.cross(p - at, w), w)
        columns[body.source] = columns[body.source] + body.factor * twist
    shape = (*q.shape[:-1], 6)
    return np.stack([np.broadcast_to(column, shape) for column in columns], axis=-1)


def _exponentials(tree: Tree, q: Reals, path: list[int]) -> list[tuple[Reals, Reals]]:
    """The products of exponentials from the base to each body of a path, as rotation and position."""
    screws, theta = Screws(tree), tree.expand(q)
    R, p = np.eye(3), np.zeros(3)
    for i in path:
        given("xi", tree.numbered(i), screws.twist[i])
    found: list[tuple[Reals, Reals]] = []
    for i in path:
        turn, shift = exponential(screws.twist[i], theta[..., i])
        R, p = times(R, turn), p + rotate(R, shift)
        told("R", tree.numbered(i), R)
        told("p", tree.numbered(i), p)
        found.append((R, p))
    return found


SOURCE = "Murray, Li & Sastry 1994, 4.3; Fedorov 2015, 2.9.4 and 4.2"
PAGES = named(inverse_dynamics, mass_matrix, coriolis_matrix, gravity, pose, jacobian)
FORMULATION = Formulation("exponentials", SOURCE, PAGES, refuses=links_only)
