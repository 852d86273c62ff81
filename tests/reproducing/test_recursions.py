"""Burdick's recursions of the inertia matrix, along the diagonal, across and down: which one changes nothing."""

import numpy as np
import pytest

from torsor import load
from torsor.mechanics.kinematics import body_poses
from torsor.mechanics.tree import lower


def extended(tree, q):
    """I_ij of (17), (18) in base axes for turning joints, by their sums: about joint i, seen from joint j >= i."""
    poses, n = body_poses(tree, q), tree.n
    mass, centre, inertia = [], [], []
    for body, (R, p) in zip(tree.bodies, poses, strict=True):
        c = body.moment / body.mass if body.mass else np.zeros(3)
        mass.append(body.mass)
        centre.append(p + R @ c)
        inertia.append(R @ (body.inertia - body.mass * (c @ c * np.eye(3) - np.outer(c, c))) @ R.T)
    z, at = [R[:, 2] for R, _ in poses], [p for _, p in poses]

    def entry(i, j):
        return inertia_about(range(j, n), i, j)

    def inertia_about(links, i, j):
        total = np.zeros((3, 3))
        for k in links:
            a, b = centre[k] - at[i], centre[k] - at[j]
            total += inertia[k] + mass[k] * (a @ b * np.eye(3) - np.outer(b, a))
        return total

    def first_moment(j):
        return sum(mass[k] * (centre[k] - at[j]) for k in range(j, n))

    return entry, inertia_about, first_moment, z, at, n


def crossed(d, s):
    """What I_ij changes by when one of its two points moves by d, and the first moment about the other is s."""
    return d @ s * np.eye(3) - np.outer(s, d)


@pytest.mark.parametrize("name", ["puma560-burdick", "ur5"])
def test_the_three_recursions_are_one_matrix(name):
    """(19): I_ii from I_(i+1)(i+1), I_ij from I_(i+1)j, I_ij from I_i(j+1): each gives M, and the same M."""
    arm = load(name)
    tree = lower(arm.model)
    for q in np.random.default_rng(5).uniform(-2.0, 2.0, (5, arm.n)):
        entry, about, first, z, at, n = extended(tree, q)
        M = arm.reference.mass_matrix(q)
        for i in range(n):
            for j in range(i, n):
                direct = z[i] @ entry(i, j) @ z[j]
                assert direct == pytest.approx(M[i, j], abs=1e-10)
                if i + 1 <= j:  # down the column: the first point moves from joint i + 1 to joint i
                    down = entry(i + 1, j) + crossed(at[i + 1] - at[i], first(j))
                    assert z[i] @ down @ z[j] == pytest.approx(M[i, j], abs=1e-10)
                if j + 1 < n:  # across the row: link j is added, the second point moves from joint j + 1 to joint j
                    beyond = entry(i, j + 1)
                    total = sum(m for m in (body.mass for body in tree.bodies[j + 1 :]))
                    s = first(j + 1) + total * (at[j + 1] - at[i])  # about joint i
                    d = at[j + 1] - at[j]
                    across = about([j], i, j) + beyond + (s @ d * np.eye(3) - np.outer(d, s))
                    assert z[i] @ across @ z[j] == pytest.approx(M[i, j], abs=1e-10)
            if i + 1 < n:  # along the diagonal: both points move
                d, s = at[i + 1] - at[i], first(i + 1)
                total = sum(body.mass for body in tree.bodies[i + 1 :])
                moved = entry(i + 1, i + 1) + 2 * d @ s * np.eye(3) - np.outer(s, d) - np.outer(d, s)
                moved = moved + total * (d @ d * np.eye(3) - np.outer(d, d)) + about([i], i, i)
                assert z[i] @ moved @ z[i] == pytest.approx(M[i, i], abs=1e-10)
