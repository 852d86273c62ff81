"""The Coriolis matrix of Christoffel symbols, by composite bodies in base axes (Echeandia & Wensing 2021).

C_ij = sum over bodies k beyond i and j of s_i^T (I_k ds_j + B_k s_j), with s the joint screws, ds_j = v_j x s_j and
B = 1/2 [(v x*) I + (I v) xbar* - I (v x)]. This choice of B, and no other, makes Md - 2C skew for every q and qd.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from torsor.mechanics.formulation import Formulation, named
from torsor.mechanics.kinematics import body_poses, dot, joined, rotate, skew
from torsor.mechanics.transmissions import rotor_coriolis
from torsor.mechanics.tree import Reals, Tree
from torsor.model.parts import BASE


def coriolis_matrix(tree: Tree, q: Reals, qd: Reals) -> Reals:
    """C (..., n, n) with C qd the velocity torques and dM/dt - 2 C skew."""
    poses = body_poses(tree, q)
    rates = tree.expand(qd, rate=True)
    m = len(tree.bodies)
    s: list[Reals] = []  # joint screws about the base origin, angular over linear
    v: list[Reals] = []
    inertia: list[Reals] = []
    drift: list[Reals] = []
    for i, body in enumerate(tree.bodies):
        R, p = poses[i]
        z = R[..., :, 2]
        s.append(joined(body.turn * z, body.turn * np.cross(p, z) + body.slide * z))
        own = s[i] * rates[..., i, None]
        v.append(own if body.parent == BASE else v[body.parent] + own)
        inertia.append(_inertia_about_base(body.mass, body.moment, body.inertia, R, p))
        drift.append(_drift(inertia[i], v[i]))
    ds = [rotate(_cross_motion(v[i]), s[i]) for i in range(m)]
    # (I, B) of all that body i carries, without and with itself
    beyond: list[tuple[Any, Any]] = [(np.zeros((6, 6)), np.zeros((6, 6)))] * m
    for i in reversed(range(m)):
        inertia[i], drift[i] = beyond[i][0] + inertia[i], beyond[i][1] + drift[i]
        parent = tree.bodies[i].parent
        if parent != BASE:
            beyond[parent] = beyond[parent][0] + inertia[i], beyond[parent][1] + drift[i]
    paths = [set(tree.path(i)) for i in range(m)]
    batch = np.broadcast_shapes(q.shape[:-1], qd.shape[:-1])

    def entry(i: int, j: int) -> Any:
        outer = i if j in paths[i] else j if i in paths[j] else None
        if outer is None:  # on different branches
            return 0.0
        # a body's own share, s^T I_k ((v_i - v_k) x s), is zero for k = i
        carried, drifting = beyond[i] if i == j else (inertia[outer], drift[outer])
        return dot(s[i], rotate(carried, ds[j]) + rotate(drifting, s[j]))

    C = tree.projected(entry, batch)
    return C + rotor_coriolis(tree, q, qd, poses) if tree.rotors else C


def _blocks(upper_left: Reals, upper_right: Reals, lower_left: Reals, lower_right: Reals) -> Reals:
    blocks = np.broadcast_arrays(upper_left, upper_right, lower_left, lower_right)
    return np.concatenate([np.concatenate(blocks[:2], axis=-1), np.concatenate(blocks[2:], axis=-1)], axis=-2)


def _inertia_about_base(mass: float, moment: Reals, inertia: Reals, R: Reals, p: Reals) -> Reals:
    """Spatial inertia (..., 6, 6) about the base origin, in base axes: I - p^ s^ - s^ p^ - m p^ p^ with s about p."""
    s, o = skew(rotate(R, moment)), skew(p)
    so = s @ o
    about_base = R @ inertia @ np.swapaxes(R, -1, -2) - so - np.swapaxes(so, -1, -2) - mass * o @ o
    moved = s + mass * o
    return _blocks(about_base, moved, -moved, mass * np.eye(3))


def _cross_motion(v: Reals) -> Reals:
    """v x on motions: [w^ 0; v^ w^]."""
    w = skew(v[..., :3])
    return _blocks(w, np.zeros((3, 3)), skew(v[..., 3:]), w)


def _drift(inertia: Reals, v: Reals) -> Reals:
    """B of the file's head."""
    cross = _cross_motion(v)
    momentum = rotate(inertia, v)
    n, f = skew(momentum[..., :3]), skew(momentum[..., 3:])
    bar = -_blocks(n, f, f, np.zeros((3, 3)))
    B: Reals = 0.5 * (bar - np.swapaxes(cross, -1, -2) @ inertia - inertia @ cross)
    return B


FORMULATION = Formulation("christoffel", "Echeandia & Wensing 2021", named(coriolis_matrix), frames="lean")
