"""Coefficients M, c, b and g by composite bodies: what Burdick's closed form has, by a recursion, in fewer operations.

A joint moves the particles beyond it by a field, s_k(r) = turn z_k x (r - o_k) + slide z_k. Rates of joints j before
k, or j = k, turn that field by w_j = turn z_j, so that particles accelerate by w_j x s_k for qd_j qd_k. Of all that
joint k carries, with mass m, first moment s and second moments K about its origin, that asks for a wrench

    force w_j x (turn z x s + slide m z)      moment turn (K w_j) x z + slide s x (w_j x z)

which, handed towards the base, gives what joints i before k feel; k itself feels nothing of it. And a joint i beyond k
feels s_i . (w_j x s_k) = -s_k . (w_j x s_i), what k feels of the pair (j, i) the other way.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from torsor.mechanics.absolute_angles import AbsoluteAngles
from torsor.mechanics.closed_form import Coefficients
from torsor.mechanics.composite_bodies import CompositeBodies, SecondMoments, row_towards_base
from torsor.mechanics.kinematics import JointStep, parts, scaled, unrotate
from torsor.mechanics.parallel_axes import in_shared_axes
from torsor.mechanics.parallel_runs import ParallelRuns
from torsor.mechanics.tree import Reals, Tree
from torsor.model.parts import BASE

_z = np.array([0.0, 0.0, 1.0])


def coefficients(tree: Tree, q: Reals, gravity: Reals) -> Coefficients:
    """M, c, b and g over bodies."""
    joints = in_shared_axes(tree, q)
    whole, axes = CompositeBodies.of(SecondMoments, joints).whole, _axes_before(joints)
    found = Coefficients({}, {}, {}, [])
    for k in reversed(range(len(joints))):
        row = row_towards_base(joints, k, *whole[k].swept(joints[k].body))
        found.M.update({(i, k): value for (_, i), value in row.items()})
        for j, w in axes[k].items():
            for (_, i), value in row_towards_base(joints, k, *whole[k].thrown(joints[k].body, w)).items():
                _take(found, i, j, k, value)
    mass, moment = [each.mass for each in whole], [each.moment for each in whole]
    found.g.extend(_weights(tree, q, gravity, joints, mass, moment))
    return found


def _axes_before(joints: list[JointStep]) -> list[dict[int, Reals]]:
    """In the axes of every body, the axes of joints that turn it, its own among them."""
    found: list[dict[int, Reals]] = []
    for k, joint in enumerate(joints):
        before = {} if joint.body.parent == BASE else found[joint.body.parent]
        found.append({j: joint.into(w) for j, w in before.items()} | ({k: _z} if joint.body.turn else {}))
    return found


def _weights(
    tree: Tree, q: Reals, gravity: Reals, joints: list[JointStep], mass: list[Any], moment: list[Reals]
) -> list[Any]:
    """g of all that joints carry, in absolute angles: a body that another rides on turns alone, in its own axes."""
    angles, still, base = AbsoluteAngles.of(joints), np.zeros(tree.n), unrotate(tree.root, gravity)
    runs, rides_on = ParallelRuns(tree, q, still, still), {angles.parents[i]: i for i in angles.sides}
    own: list[Reals] = []  # gravity in the axes of each body, and in those that it shares
    shared: list[Reals] = []
    felt: list[Any] = []
    for k, (body, joint, way) in enumerate(zip(tree.bodies, joints, runs.ways, strict=True)):
        own.append(way.step.into(base if way.root == BASE else own[way.root]))
        shared.append(joint.into(base if body.parent == BASE else shared[body.parent]))
        down, s = shared[k], moment[k]
        if k in rides_on:
            down, s = own[k], body.moment + scaled(mass[rides_on[k]], runs.joints[rides_on[k]].p)
        (x, y, z), (sx, sy, _) = parts(down), parts(s)
        felt.append(body.turn * (sy * x - sx * y) - body.slide * mass[k] * z)
    return angles.forces_of_joints(felt)


def _take(found: Coefficients, i: int, j: int, k: int, value: Any) -> None:
    """What joint i feels of qd_j qd_k, once, and what k feels of qd_j qd_i in return; j and i are before k."""
    if i == k:
        return
    if j == k:
        found.c[i, k] = value
        return
    found.b[i, j, k] = 2.0 * value
    if j < i:
        found.b[k, j, i] = -2.0 * value
    elif j == i:
        found.c[k, i] = -value
