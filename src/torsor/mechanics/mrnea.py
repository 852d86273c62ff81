"""Modified recursive Newton-Euler (Kvrgic & Vidakovic 2020, (4)-(36)): H and u' explicit in one pass.

Accelerations are kept as linear forms in qdd: v_i' = sum_k b_ik qdd_k + rest, and likewise forces and moments. One
inward sum over the coefficients gives the mass matrix H, the same sum over the rests the bias u', u = H qdd + u'.

Corrections to the paper: p*_i = p_i - p_(i-1) (printed with i+1); gravity enters as m (a - g) with z up, the other sign
in (6), (8), (13), (14); the tool force enters once (printed in (14) and again in (22)), and as the force of the
surroundings on the tool, minus their f_e; indices in (11), (28), (30), (31), (33). Everything is about link origins, so
that e_ik = m b_ik + z_k x s_i needs no centre of mass and massless links are no exception. H is symmetric: only the
coefficients of the joints between the base and each link are formed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import numpy as np

from torsor.mechanics.composite import Entries, solve_dense
from torsor.mechanics.formulation import Formulation, links_only
from torsor.mechanics.kinematics import JointStep, body_poses, rotate, steps, unrotate
from torsor.mechanics.tree import Reals, Tree
from torsor.model.parts import BASE

Axes = Literal["base", "link"]


@dataclass(frozen=True, eq=False)
class _Place:
    """One body in the axes the recursion is written in: those of the base as published, or its own."""

    z: Reals  # the joint's axis
    p: Reals  # from the parent's origin to its own (in the parent's axes, for link axes)
    moment: Reals
    inertia: Reals
    joint: JointStep | None  # None in base axes, where nothing turns

    def into(self, v: Reals) -> Reals:
        return v if self.joint is None else self.joint.into(v)

    def out_of(self, v: Reals) -> Reals:
        return v if self.joint is None else self.joint.out_of(v)


def _places(tree: Tree, q: Reals, axes: Axes) -> list[_Place]:
    joints = steps(tree, q)
    if axes == "link":
        z = np.array([0.0, 0.0, 1.0])
        return [_Place(z, j.p, j.body.moment, j.body.inertia, j) for j in joints]
    places = []
    poses = body_poses(tree, q)
    for body, (R, p) in zip(tree.bodies, poses, strict=True):
        start = np.zeros(3) if body.parent == BASE else poses[body.parent][1]
        inertia = R @ body.inertia @ np.swapaxes(R, -1, -2)  # (B.14)
        places.append(_Place(R[..., :, 2], p - start, rotate(R, body.moment), inertia, None))
    return places


def explicit(
    tree: Tree, q: Reals, qd: Reals, gravity: Reals, wrench: Reals | None = None, axes: Axes = "base"
) -> tuple[Entries, list[Any]]:
    """H over bodies, entries (i, k) with k on the way to i, and u' of every body."""
    rates = tree.expand(qd, rate=True)
    places = _places(tree, q, axes)
    still = np.zeros(3)
    w: list[Reals] = []
    wd: list[Reals] = []  # without qdd
    a: list[Reals] = []
    spin: list[dict[int, Reals]] = []  # what multiplies qdd_k in the angular acceleration ...
    push: list[dict[int, Reals]] = []  # ... and in the acceleration of the origin: b_ik of (5)
    for i, (body, at) in enumerate(zip(tree.bodies, places, strict=True)):
        first = body.parent == BASE
        w_p, wd_p = (still, still) if first else (w[body.parent], wd[body.parent])
        a_p = -unrotate(tree.root, gravity) if first else a[body.parent]
        a_i = at.into(a_p + np.cross(wd_p, at.p) + np.cross(w_p, np.cross(w_p, at.p)))
        w_i, wd_i = at.into(w_p), at.into(wd_p)
        rate = at.z * rates[..., i, None]
        a_i = a_i + 2.0 * body.slide * np.cross(w_i, rate)
        wd_i = wd_i + body.turn * np.cross(w_i, rate)
        w.append(w_i + body.turn * rate)
        wd.append(wd_i)
        a.append(a_i)
        own_spin, own_push = {}, {}
        for k in [] if first else spin[body.parent]:
            turned = spin[body.parent][k]
            own_spin[k] = at.into(turned)
            own_push[k] = at.into(push[body.parent][k] + np.cross(turned, at.p))
        own_spin[i], own_push[i] = body.turn * at.z, body.slide * at.z
        spin.append(own_spin)
        push.append(own_push)

    f: list[Reals] = []  # e_i of (13)
    n: list[Reals] = []  # d_i of (17), about the origin
    f_k: list[dict[int, Reals]] = []  # e_ik of (15)
    n_k: list[dict[int, Reals]] = []  # d_ik of (16)
    for i, (body, at) in enumerate(zip(tree.bodies, places, strict=True)):
        s, inertia = at.moment, at.inertia
        f.append(body.mass * a[i] + np.cross(wd[i], s) + np.cross(w[i], np.cross(w[i], s)))
        n.append(rotate(inertia, wd[i]) + np.cross(w[i], rotate(inertia, w[i])) + np.cross(s, a[i]))
        f_k.append({k: body.mass * push[i][k] + np.cross(spin[i][k], s) for k in push[i]})
        n_k.append({k: rotate(inertia, spin[i][k]) + np.cross(s, push[i][k]) for k in push[i]})
    _take_tool(tree, q, axes, wrench, f, n)

    H: Entries = {}
    bias: list[Any] = [None] * len(tree.bodies)
    for i in reversed(range(len(tree.bodies))):
        body, at = tree.bodies[i], places[i]

        def torque(force: Reals, moment: Reals, body: Any = body, at: _Place = at) -> Any:
            """(33), for sliding joints the force."""
            return (body.turn * at.z * moment + body.slide * at.z * force).sum(axis=-1)

        bias[i] = torque(f[i], n[i])  # (36)
        for k in f_k[i]:
            H[i, k] = torque(f_k[i][k], n_k[i][k])  # (35)
        p = body.parent
        if p != BASE:  # (18)-(31): forces and moments, and their coefficients, handed down
            force = at.out_of(f[i])
            f[p], n[p] = f[p] + force, n[p] + at.out_of(n[i]) + np.cross(at.p, force)
            for k in f_k[p]:
                force = at.out_of(f_k[i][k])
                f_k[p][k] = f_k[p][k] + force
                n_k[p][k] = n_k[p][k] + at.out_of(n_k[i][k]) + np.cross(at.p, force)
    return H, bias


def _take_tool(tree: Tree, q: Reals, axes: Axes, wrench: Reals | None, f: list[Reals], n: list[Reals]) -> None:
    """(10), (11), once: what the surroundings exert on the tool lessens what its joint must."""
    tool = tree.mount("tool")
    if wrench is None or tool.body == BASE:
        return
    R, _ = body_poses(tree, q)[tool.body]
    force, moment = unrotate(tree.root, wrench[..., :3]), unrotate(tree.root, wrench[..., 3:])
    lever = rotate(R, tool.position)
    if axes == "link":
        force, moment, lever = unrotate(R, force), unrotate(R, moment), tool.position
    f[tool.body] = f[tool.body] - force
    n[tool.body] = n[tool.body] - moment - np.cross(lever, force)


def mass_matrix(tree: Tree, q: Reals, axes: Axes = "base") -> Reals:
    H, _ = explicit(tree, q, np.zeros(tree.n), np.zeros(3), axes=axes)
    return _dense(tree, H, q.shape[:-1])


def inverse_dynamics(
    tree: Tree, q: Reals, qd: Reals, qdd: Reals, gravity: Reals, wrench: Reals | None = None, axes: Axes = "base"
) -> Reals:
    """u = H qdd + u' (34)."""
    H, bias = explicit(tree, q, qd, gravity, wrench, axes)
    batch = np.broadcast_shapes(q.shape[:-1], qd.shape[:-1])
    return rotate(_dense(tree, H, batch), qdd) + tree.gather(bias)


def forward_dynamics(
    tree: Tree, q: Reals, qd: Reals, tau: Reals, gravity: Reals, wrench: Reals | None = None, axes: Axes = "base"
) -> Reals:
    """H qdd = u - u', by elimination."""
    H, bias = explicit(tree, q, qd, gravity, wrench, axes)
    M = _dense(tree, H, np.broadcast_shapes(q.shape[:-1], qd.shape[:-1]))
    return solve_dense(M, tau - tree.gather(bias))


def _dense(tree: Tree, H: Entries, batch: tuple[int, ...]) -> Reals:
    return tree.projected(lambda i, j: H.get((max(i, j), min(i, j)), 0.0), batch)


PUBLISHED = Formulation(
    "mrnea",
    source="Kvrgic & Vidakovic 2020, (4)-(36), in base axes as published",
    pages={
        "inverse_dynamics": inverse_dynamics,
        "forward_dynamics": forward_dynamics,
        "mass_matrix": mass_matrix,
    },
    refuses=links_only,
)
IN_LINK_AXES = Formulation(
    "mrnea-link",
    source="Kvrgic & Vidakovic 2020, (4)-(36), in link axes",
    pages={
        "inverse_dynamics": partial(inverse_dynamics, axes="link"),
        "forward_dynamics": partial(forward_dynamics, axes="link"),
        "mass_matrix": partial(mass_matrix, axes="link"),
    },
    refuses=links_only,
)
