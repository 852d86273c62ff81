"""Bounds of M, C and g over a workspace and a box of parameters: with certainty by intervals, or sampled with a margin.

Parameters enter linearly: the largest |M_ij| over theta is |M_ij| of the middle + sum reach_k |M_ij of direction k|, a
function of q alone, and its largest value over the workspace is found by branch and bound.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from torsor.algebra import Tape, absolute, jacobian, symbols, tape_from
from torsor.arm import Arm
from torsor.control.gains import SAME
from torsor.control.uncertainty import Directions
from torsor.mechanics.canonical import framed, regrouped
from torsor.mechanics.composite import mass_matrix
from torsor.mechanics.energy import energy
from torsor.mechanics.regressor import with_parameters
from torsor.mechanics.tree import Reals, Tree, lower
from torsor.model.transforms import Floats

MARGIN = 0.8  # what was sampled as smallest is taken times this
SAMPLES = 4000


def tree_with(arm: Arm, pi: Any) -> Tree:
    """The tree of an arm with other inertial parameters (10 bodies,), numbers or graph scalars, no arm's need be."""
    return regrouped(with_parameters(framed(lower(arm.model)), pi))


class Family:
    """Arms centre + B theta. Parameters enter linearly, so bounds over theta are sums over its directions."""

    def __init__(self, centre: Arm, directions: Directions) -> None:
        self.centre, self.directions = centre, directions
        self.q = symbols("q", centre.n)

    def parameters(self, theta: Reals | None) -> Reals:
        """pi (10 bodies,) of the arm at theta (k,), or of that in the middle."""
        pi = np.asarray(self.centre.parameters, dtype=object)
        return pi if theta is None else pi + self.directions.B @ theta

    @cached_property
    def parts(self) -> list[tuple[float, Reals, Reals]]:
        """Of the middle and of each direction: reach, M and g; each is a page of numbers."""
        found, known = [], self.directions
        for reach, pi in [(1.0, self.centre.parameters), *zip(known.reach, known.B.T, strict=True)]:
            tree = tree_with(self.centre, pi)
            # the slope of the potential keeps the zeros that Newton and Euler find by cancelling
            _, potential = energy(tree, self.q, np.zeros(self.centre.n), tree.gravity)
            found.append((float(reach), mass_matrix(tree, self.q), jacobian(potential, self.q)))
        return found

    @cached_property
    def _mass(self) -> Tape:
        theta = {"theta": symbols("theta", self.directions.k)} if self.directions.k else {}
        tree = tree_with(self.centre, self.parameters(theta.get("theta")))
        return tape_from("mass", {"q": self.q, **theta}, {"M": mass_matrix(tree, self.q)})

    def mass_matrix(self, q: Floats, theta: Floats) -> Floats:
        """M (..., n, n)"""
        return self._mass.evaluate(*((q, theta) if self.directions.k else (q,)))[0]


@dataclass(frozen=True, eq=False)
class Bounds:
    """Of every arm of a family with q in a box. M, slopes of M and g are certain; least and easiest are sampled."""

    M: Floats  # (n, n) |M_ij| <= this
    M_seen: Floats  # what was met at sampled states
    slopes: Floats  # (n, n, n) |dM_ij/dq_k| <= this
    g: Floats  # (n,)
    g_seen: Floats
    least: float  # lambda_min(M) >= this, sampled, with the margin
    easiest: Floats  # (n,) (M^-1)_ii <= this, sampled, with the margin
    boxes: int  # evaluated in all searches

    @cached_property
    def heaviest(self) -> Floats:
        """(n,) diagonal D with M <= D everywhere, by diagonal dominance.

        For any w > 0, D_i = sum_j M_ij w_j / w_i makes D - M diagonally dominant, so semidefinite. The Perron vector of
        M_ij / M_ii makes D the same multiple of every M_ii, the least that this can.
        """
        # |M_ij|^2 <= M_ii M_jj, since M is semidefinite itself
        A = np.minimum(self.M, np.sqrt(np.outer(np.diag(self.M), np.diag(self.M))))
        values, vectors = np.linalg.eig(A / np.diag(A)[:, None])
        w = np.abs(np.real(vectors[:, np.argmax(np.real(values))])) + 1e-9
        return np.asarray((A * w).sum(axis=1) / w * (1.0 + SAME))

    @property
    def largest(self) -> float:
        """lambda_max(M) <= this."""
        return float(self.M.sum(axis=1).max())

    @cached_property
    def christoffel(self) -> Floats:
        """(n, n, n) |Gamma_ijk| <= this: (C(q, qd) v)_i = sum_jk Gamma_ijk qd_k v_j."""
        s = self.slopes  # dM_ij/dq_k
        return np.asarray(0.5 * (s + np.swapaxes(s, 1, 2) + np.transpose(s, (2, 0, 1))))

    @property
    def coriolis(self) -> float:
        """k_C with |C(q, qd)| <= k_C |qd|, norms of two."""
        return float(np.sqrt((self.christoffel**2).sum()))


def bounds_of(family: Family, box: Floats, *, boxes: int = 4000, seed: int = 0) -> Bounds:
    """Bounds over the joint box (n, 2). ``boxes`` are spent on each entry of M, an eighth on each slope, at most."""
    from torsor.algebra.extremes import extremes

    n, q = family.centre.n, family.q
    used = 0

    def search(parts: list[tuple[float, Any]], budget: int) -> tuple[float, float]:
        """Certain and seen bounds of sum reach |part|."""
        nonlocal used
        total = sum(reach * absolute(part) for reach, part in parts)
        if not hasattr(total, "op"):
            return float(total), float(total)
        found = extremes(total, q, box[:, 0], box[:, 1], boxes=budget, seed=seed)
        used += found.boxes
        return float(found.hi), float(found.seen_hi)

    g = np.array([search([(reach, part[i]) for reach, _, part in family.parts], boxes) for i in range(n)])
    M, seen, slopes = np.zeros((n, n)), np.zeros((n, n)), np.zeros((n, n, n))
    for i in range(n):
        for j in range(i, n):
            entries = [(reach, M_part[i, j]) for reach, M_part, _ in family.parts]
            (M[i, j], seen[i, j]) = (M[j, i], seen[j, i]) = search(entries, boxes)
            steep = [(reach, jacobian(entry, q)) for reach, entry in entries]
            for k in range(n):
                slopes[i, j, k] = slopes[j, i, k] = search([(reach, s[k]) for reach, s in steep], boxes // 8)[0]
    least, easiest = _smallest(family, box, seed)
    return Bounds(M, seen, slopes, g[:, 0], g[:, 1], least, easiest, used)


def sampled_states(directions: Directions, box: Floats, rng: np.random.Generator, count: int) -> tuple[Floats, Floats]:
    """q in the box, and theta of arms that can be."""
    return rng.uniform(box[:, 0], box[:, 1], size=(count, len(box))), directions.draw(rng, count)


def _smallest(family: Family, box: Floats, seed: int) -> tuple[float, Floats]:
    M = family.mass_matrix(*sampled_states(family.directions, box, np.random.default_rng(seed), SAMPLES))
    easiest = np.diagonal(np.linalg.inv(M), axis1=-2, axis2=-1).max(axis=0)
    return MARGIN * float(np.linalg.eigvalsh(M).min()), easiest / MARGIN
