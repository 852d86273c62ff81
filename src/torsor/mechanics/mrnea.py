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

from torsor.algebra.telling import told
from torsor.mechanics.absolute_angles import Entries
from torsor.mechanics.composite import solve_dense
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
    places, poses = [], body_poses(tree, q)
    for body, (R, p) in zip(tree.bodies, poses, strict=True):
        start = np.zeros(3) if body.parent == BASE else poses[body.parent][1]
        inertia = R @ body.inertia @ np.swapaxes(R, -1, -2)  # (B.14)
        places.append(_Place(R[..., :, 2], p - start, rotate(R, body.moment), inertia, None))
    return places


def explicit(
    axes: Axes, tree: Tree, q: Reals, qd: Reals, gravity: Reals, wrench: Reals | None = None
) -> tuple[Entries, list[Any]]:
    """H over bodies, entries (i, k) with k on the way to i, and u' of every body."""
    rates = tree.expand(qd, rate=True)
    places = _places(tree, q, axes)
    still = np.zeros(3)
    moving: list[tuple[Reals, Reals, Reals]] = []  # w, and without qdd wd and a
    # what multiplies qdd_k in the acceleration of the origin, b_ik of (5), and in the angular acceleration
    pushes: list[dict[int, tuple[Reals, Reals]]] = []
    # e_i of (13) and d_i of (17), about the origin; under k their coefficients of qdd_k, e_ik of (15) and d_ik of (16)
    wrenches: list[dict[int | None, tuple[Reals, Reals]]] = []
    for i, (body, at) in enumerate(zip(tree.bodies, places, strict=True)):
        before = {} if body.parent == BASE else pushes[body.parent]
        w, wd, a = (still, still, -unrotate(tree.root, gravity)) if body.parent == BASE else moving[body.parent]
        a = at.into(a + np.cross(wd, at.p) + np.cross(w, np.cross(w, at.p)))
        w, wd, rate = at.into(w), at.into(wd), at.z * rates[..., i, None]
        a = a + 2.0 * body.slide * np.cross(w, rate)
        wd = wd + body.turn * np.cross(w, rate)
        w = w + body.turn * rate
        moving.append((w, wd, a))
        pushes.append({k: (at.into(push + np.cross(spin, at.p)), at.into(spin)) for k, (push, spin) in before.items()})
        pushes[i][i] = body.slide * at.z, body.turn * at.z
        s, I = at.moment, at.inertia
        force = body.mass * a + np.cross(wd, s) + np.cross(w, np.cross(w, s))
        wrenches.append({None: (force, rotate(I, wd) + np.cross(w, rotate(I, w)) + np.cross(s, a))})
        for k, (push, spin) in pushes[i].items():
            wrenches[i][k] = body.mass * push + np.cross(spin, s), rotate(I, spin) + np.cross(s, push)
    _take_tool(axes, tree, q, wrench, wrenches)
    _tell(tree, places, moving, pushes)
    _tell_wrenches(tree, wrenches, "e", "d")

    torques: dict[int, dict[int | None, Any]] = {}
    for i in reversed(range(len(tree.bodies))):
        body, at = tree.bodies[i], places[i]
        torques[i] = {  # (33), for sliding joints the force
            k: (body.turn * at.z * n + body.slide * at.z * f).sum(axis=-1) for k, (f, n) in wrenches[i].items()
        }
        if (p := body.parent) != BASE:  # (18)-(31): forces and moments, and their coefficients, handed down
            for which, (f, n) in wrenches[p].items():
                force = at.out_of(wrenches[i][which][0])
                wrenches[p][which] = f + force, n + at.out_of(wrenches[i][which][1]) + np.cross(at.p, force)
    _tell_wrenches(tree, wrenches, "f", "n")
    H = {(i, k): torque for i, row in torques.items() for k, torque in row.items() if k is not None}  # (35)
    return H, [torques[i][None] for i in range(len(tree.bodies))]  # (36)


def _tell(
    tree: Tree,
    places: list[_Place],
    moving: list[tuple[Reals, Reals, Reals]],
    pushes: list[dict[int, tuple[Reals, Reals]]],
) -> None:
    """The paper's names: axes z_i, w_i, what of wd_i and a_i needs no qdd, and b_ik."""
    for i, (at, (w, wd, a)) in enumerate(zip(places, moving, strict=True)):
        for letter, each in (("z", at.z), ("w", w), ("wd'", wd), ("a'", a), ("mr", at.moment), ("I", at.inertia)):
            told(letter, tree.numbered(i), each)
        for k, (push, _) in pushes[i].items():
            told("b", tree.numbered(i, k), push)


def _tell_wrenches(tree: Tree, wrenches: list[dict[int | None, tuple[Reals, Reals]]], force: str, moment: str) -> None:
    """Coefficients of qdd_k are e_ik, d_ik of one link, f_ik, n_ik of all it carries; what needs none has a prime."""
    for i, own in enumerate(wrenches):
        for k, pair in own.items():
            for letter, each in zip((force, moment), pair, strict=True):
                told(letter if k is not None else f"{letter}'", tree.numbered(i, *([] if k is None else [k])), each)


def _take_tool(
    axes: Axes, tree: Tree, q: Reals, wrench: Reals | None, wrenches: list[dict[int | None, tuple[Reals, Reals]]]
) -> None:
    """(10), (11), once: what the surroundings exert on the tool lessens what its joint must."""
    tool = tree.mount("tool")
    if wrench is None or tool.body == BASE:
        return
    R, _ = body_poses(tree, q)[tool.body]
    force, moment = unrotate(tree.root, wrench[..., :3]), unrotate(tree.root, wrench[..., 3:])
    lever = rotate(R, tool.position)
    if axes == "link":
        force, moment, lever = unrotate(R, force), unrotate(R, moment), tool.position
    f, n = wrenches[tool.body][None]
    wrenches[tool.body][None] = f - force, n - moment - np.cross(lever, force)


def mass_matrix(axes: Axes, tree: Tree, q: Reals) -> Reals:
    return tree.symmetric(explicit(axes, tree, q, np.zeros(tree.n), np.zeros(3))[0], q.shape[:-1])


def inverse_dynamics(
    axes: Axes, tree: Tree, q: Reals, qd: Reals, qdd: Reals, gravity: Reals, wrench: Reals | None = None
) -> Reals:
    """u = H qdd + u' (34)."""
    H, bias = explicit(axes, tree, q, qd, gravity, wrench)
    batch = np.broadcast_shapes(q.shape[:-1], qd.shape[:-1])
    return rotate(tree.symmetric(H, batch), qdd) + tree.gather(bias)


def forward_dynamics(
    axes: Axes, tree: Tree, q: Reals, qd: Reals, tau: Reals, gravity: Reals, wrench: Reals | None = None
) -> Reals:
    """H qdd = u - u', by elimination."""
    H, bias = explicit(axes, tree, q, qd, gravity, wrench)
    batch = np.broadcast_shapes(q.shape[:-1], qd.shape[:-1])
    return solve_dense(tree.symmetric(H, batch), tau - tree.gather(bias))


def _in(axes: Axes, name: str, described: str) -> Formulation:
    pages = {page.__name__: partial(page, axes) for page in (inverse_dynamics, forward_dynamics, mass_matrix)}
    return Formulation(name, f"Kvrgic & Vidakovic 2020, (4)-(36), in {described}", pages, refuses=links_only)


IN_BASE_AXES = _in("base", "mrnea", "base axes as published")
IN_LINK_AXES = _in("link", "mrnea-link", "link axes")
