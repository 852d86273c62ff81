"""Composite bodies in link frames (Walker & Orin's third method, Featherstone's CRBA), and the solve M qdd = b.

The composite of a body is itself with all that it carries, given by mass, first moment and inertia about its origin.
M_jj is the torque that a unit acceleration of joint j needs; handed down the chain the same wrench gives M_ij.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import combinations
from typing import Any

import numpy as np

from torsor.mechanics.absolute_angles import AbsoluteAngles, Entries
from torsor.mechanics.body_motion import inertial_wrench, motion
from torsor.mechanics.composite_bias import CompositeBias
from torsor.mechanics.composite_bodies import BodyScrews, CompositeBodies, Inertias, Screw, SecondMoments
from torsor.mechanics.formulation import Formulation, named
from torsor.mechanics.kinematics import JointStep, body_poses, matrix, steps, unrotate, vector
from torsor.mechanics.newton_euler import inverse_dynamics, link_torques, tool_pushes
from torsor.mechanics.parallel_axes import in_shared_axes
from torsor.mechanics.parallel_runs import ParallelRuns
from torsor.mechanics.spinning_tip import SpinningTip
from torsor.mechanics.standing_bias import StandingBias
from torsor.mechanics.standing_runs import StandingRuns
from torsor.mechanics.structural_zeros import nonzeros
from torsor.mechanics.transmissions import rotor_mass
from torsor.mechanics.tree import Reals, Tree
from torsor.mechanics.ways import are_all_tried, cheapest
from torsor.model.parts import BASE

# Of a chain in general position, up to where motions and from where wrenches are handed at the least cost: a step of
# either takes 20 M, the first of a motion 6, a product of the two 6; so it is body 2 of 6, 3 of 7, 6 of 16.
MIDDLE = 0.4
# What is saved so must be more than this share: of arms with right angles simplification takes as much off the rest.
WORTH_MEETING = 0.05
OWN_PRODUCTS = 14
# The same, of what composite bodies save against every body's own forces, and runs that stand on their roots.
WORTH_WHOLE = 0.02
AnyComposites = CompositeBodies[Inertias] | CompositeBodies[SecondMoments]
_z = np.array([0.0, 0.0, 1.0])


def screws_up_to(body: int, joints: list[JointStep], held: Collection[int] = ()) -> BodyScrews:
    """For this body and those before it: the motions that joints before each give it, in its axes.

    Wrenches of all bodies beyond are handed on as far as here only, and there are more of them than of these motions.
    """
    path = [body]
    while (p := joints[path[-1]].body.parent) != BASE:
        path.append(p)
    found: dict[int, dict[int, Screw]] = {}
    before: dict[int, Screw] = {}
    for i in reversed(path):
        joint, still = joints[i], np.zeros(3)
        found[i] = {k: joint.carried(*screw) for k, screw in before.items()}
        if i in held:  # the joint of its parent, the last of these, does not turn it
            p = joint.body.parent
            found[i][p] = found[i][p][0], still
        before = found[i] | {i: (joint.body.slide * _z, joint.body.turn * _z)}
    return found


def cheapest_entries(bodies: AnyComposites) -> Entries:
    """M over bodies; of a traced arm by the way that costs less, with wrenches handed to the base or met underway."""
    M = bodies.mass_entries()
    if len(bodies.joints) < 3 or not any(np.asarray(entry).dtype == object for entry in M.values()):
        return M
    met = bodies.mass_entries(screws_up_to(round(MIDDLE * len(bodies.joints)), bodies.joints, bodies.held))
    return cheapest((M, met), _values, margin=WORTH_MEETING)


def joint_mass_entries(tree: Tree, q: Reals) -> Entries:
    """M over bodies in the rates of joints; traced by absolute angles of parallel joints where that costs less, in axes
    that they share or, where all ways are tried, in their own."""
    M = cheapest_entries(CompositeBodies.of(Inertias, steps(tree, q)))
    joints = in_shared_axes(tree, q) if q.dtype == object else []
    angles = AbsoluteAngles.of(joints)
    if not angles.sides:
        return M
    shared = CompositeBodies.of(Inertias, joints, angles.sides)
    M = cheapest((M, angles.in_joints(cheapest_entries(shared))), _values)
    if not are_all_tried():
        return M
    runs = StandingRuns.of(tree, q, angles.sides)
    standing = runs.mass_entries(CompositeBodies.of(Inertias, runs.joints))
    return cheapest((M, angles.in_joints(standing)), _values, margin=WORTH_WHOLE)


def _values(M: Entries) -> list[Any]:
    return list(M.values())


def mass_matrix(tree: Tree, q: Reals) -> Reals:
    """M (..., n, n)."""
    M = tree.symmetric(joint_mass_entries(tree, q), q.shape[:-1])
    return M + rotor_mass(tree, q, body_poses(tree, q)) if tree.rotors else M


def forward_dynamics(tree: Tree, q: Reals, qd: Reals, tau: Reals, gravity: Reals, wrench: Reals | None = None) -> Reals:
    """qdd = M^-1 (tau - bias), M factored from the tip as L^T D L, which keeps zeros of branches (Featherstone 6.5)."""
    if not tree.is_direct or tree.rotors:  # rotors couple branches: their M has no zeros to keep
        right = tau - inverse_dynamics(tree, q, qd, np.zeros(tree.n), gravity, wrench)
        return solve_dense(mass_matrix(tree, q), right)
    if (tip := SpinningTip.of(tree)) is not None:
        # what pushes a round body turns with it
        tree, q = tip.rest, tip.turned_back(q) if tip.round and wrench is None else q
    joints = in_shared_axes(tree, q)
    solved = joints if tip is None else joints[:-1]
    angles = AbsoluteAngles.of(solved)

    def solution(M: Entries, felt: list[Any], spin: Any) -> Reals:
        u = solve(M, angles.parents, felt)
        qdd = angles.relative(u)
        return vector(*qdd) if tip is None else vector(*qdd, spin - angles.along(joints, tree.n - 1, u))

    torques, spin = _right_side(tree, tip, q, qd, tau, gravity, wrench)
    forces = angles.felt(torques[..., : len(solved)])
    bodies = CompositeBodies.of(Inertias, joints, angles.sides)
    found = solution(cheapest_entries(bodies), forces, spin)
    if q.dtype != object or wrench is not None:
        return found

    def by_composites(M: Entries, moving: CompositeBias) -> Reals:
        given, spin = None, None
        if tip is not None:
            left = tau[..., -1] - tip.gyroscopic(moving.w[-1])
            given, spin = tip.spin(moving.w[-1], left), left / tip.inertia - moving.wd[-1][..., 2]
        bias = moving.forces(given)[: len(solved)]
        felt = [each - part for each, part in zip(angles.felt(tau[..., : len(solved)]), bias, strict=True)]
        return solution(M, felt, spin)

    down, ways = unrotate(tree.root, gravity), [found]
    if _are_dense(tree):
        whole = CompositeBodies.of(SecondMoments, joints, angles.sides)
        M = cheapest_entries(whole)
        moved = (CompositeBias(whole, angles.sides, qd, down, bending=bending) for bending in (False, True))
        ways.append(cheapest(by_composites(M, moving) for moving in moved))
    if angles.sides and are_all_tried():
        runs = StandingRuns.of(tree, q, angles.sides)
        ways.append(solution(runs.mass_entries(CompositeBodies.of(Inertias, runs.joints)), forces, spin))
        M = runs.mass_entries(CompositeBodies.of(SecondMoments, runs.joints))
        ways.append(solution(M, forces, spin))
        ways += [by_composites(M, StandingBias(runs, qd, down, bending=bending)) for bending in (False, True)]
    return cheapest(ways, margin=WORTH_WHOLE)


def _are_dense(tree: Tree) -> bool:
    """Whether bodies have so many parameters that composite bodies may be worth a try, by the products that their own
    forces and moments take: 5 for a first moment, 2 and 3 for a second moment and a product of inertia."""
    products = []
    for body in tree.bodies:
        own = (
            5 * nonzeros(body.moment)
            + 2 * nonzeros(np.diag(body.second))
            + 3 * nonzeros(body.second[np.triu_indices(3, 1)])
        )
        if body.parent != BASE and own:
            products.append(own)
    return sum(products) > OWN_PRODUCTS * len(products)


def _right_side(
    tree: Tree, tip: SpinningTip | None, q: Reals, qd: Reals, tau: Reals, gravity: Reals, wrench: Reals | None
) -> tuple[Reals, Any]:
    """tau - bias; and how fast a tip would spin faster if the joints before it did not; traced in the cheaper way."""
    last, still = tree.n - 1, np.zeros(tree.n)
    runs = ParallelRuns(tree, q, qd, still)
    pushes = tool_pushes(tree, runs.joints, wrench)
    push = sum(moment[..., 2] for i, _, moment in pushes if i == last)

    def with_bending(bending: bool) -> tuple[Reals, Any]:
        moving = motion(tree, runs.joints, qd, still, gravity, runs.ways, bending=bending)
        if tip is None:
            return tau - link_torques(runs, moving, (), pushes), 0.0
        _, asked = inertial_wrench(tree.bodies[last], moving[last])  # the gyroscopic torque, as the arm feels it too
        left = tau[..., last] + push - asked[..., 2]
        right = tau - link_torques(runs, moving, [(last, tip.spin(moving[last].w, left))], pushes)
        return right, left / tip.inertia - moving[last].wd[..., 2]

    if q.dtype != object:
        return with_bending(False)
    return cheapest(map(with_bending, (False, True)))


def factor(M: Entries, parents: list[int]) -> tuple[Entries, list[Any]]:
    """L and D^-1 of M = L^T D L, L unit lower triangular with the sparsity of the tree."""
    L = dict(M)
    inverse_D: list[Any] = [None] * len(parents)
    for k in reversed(range(len(parents))):
        inverse_D[k] = 1.0 / L[k, k]
        for i in _before(k, parents):
            ratio = L[k, i] * inverse_D[k]
            for j in (i, *_before(i, parents)):
                L[i, j] = L[i, j] - ratio * L[k, j]
            L[k, i] = ratio
    return L, inverse_D


def _before(k: int, parents: list[int]) -> Iterator[int]:
    """From body k, which is left out, to the base."""
    while (k := parents[k]) != BASE:
        yield k


def solve(M: Entries, parents: list[int], b: list[Any]) -> list[Any]:
    """x with M x = b."""
    L, inverse_D = factor(M, parents)
    x = list(b)
    for k in reversed(range(len(parents))):  # L^T y = b
        for i in _before(k, parents):
            x[i] = x[i] - L[k, i] * x[k]
    x = [value * inverse for value, inverse in zip(x, inverse_D, strict=True)]
    for k in range(len(parents)):  # L x = D^-1 y
        for i in _before(k, parents):
            x[k] = x[k] - L[k, i] * x[i]
    return x


def _chain(M: Reals) -> tuple[Entries, list[int]]:
    """A symmetric matrix (..., n, n) without zeros to keep, as that of a chain."""
    n = M.shape[-1]
    return {(i, j): M[..., i, j] for i in range(n) for j in range(i + 1)}, list(range(-1, n - 1))


def solve_dense(M: Reals, b: Reals) -> Reals:
    """x (..., n) with M x = b, for a symmetric matrix (..., n, n)."""
    return vector(*solve(*_chain(M), [b[..., i] for i in range(M.shape[-1])]))


def inverse(M: Reals) -> Reals:
    """M^-1 = L^-1 D^-1 L^-T of a symmetric matrix (..., n, n)."""
    n = M.shape[-1]
    L, inverse_D = factor(*_chain(M))
    K: Entries = {}  # L^-1, unit lower triangular
    for j, i in combinations(range(n), 2):
        K[i, j] = -(L[i, j] + sum(L[i, k] * K[k, j] for k in range(j + 1, i)))
    over_D = {(i, k): K[i, k] * inverse_D[k] for i, k in K} | {(k, k): inverse_D[k] for k in range(n)}
    W = {(i, j): over_D[i, j] + sum(over_D[i, k] * K[j, k] for k in range(j)) for i in range(n) for j in range(i + 1)}
    return matrix(*(tuple(W[max(i, j), min(i, j)] for j in range(n)) for i in range(n)))


SOURCE = "Walker & Orin 1982, method 3; Featherstone 2008, 6.2 and 6.5"
FORMULATION = Formulation("composite", SOURCE, named(forward_dynamics, mass_matrix), frames="lean")
