"""Absolute angles of parallel joints: how fast each body of a run turns, where joints say it against the one before.

    u_k = qd_k + side u_p   for a joint k parallel to that of its parent p; else u_k = qd_k

with side -1 where its axis points the other way. While u_p alone changes, body k is held in its direction: it only
rides on p, with all that it carries. So the mass matrix in u needs no turning of what lies beyond, and of three
parallel joints in a plane it has three sines or cosines where that of the joints has sums of them. By virtual work
the force of u_p is tau_p - side tau_k.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from torsor.mechanics.kinematics import JointStep
from torsor.mechanics.tree import Body, Reals
from torsor.model.parts import BASE

Entries = dict[tuple[int, int], Any]  # lower triangle of a symmetric matrix over bodies; missing entries are zero


@dataclass(frozen=True)
class AbsoluteAngles:
    """Which joints go on a run of parallel ones, and which way."""

    sides: Mapping[int, float]  # of bodies that are held in their direction while their parents turn
    parents: list[int]

    @classmethod
    def of(cls, joints: Sequence[JointStep]) -> AbsoluteAngles:
        """Of joints in shared axes: those that need no turn of their own."""
        bodies = [joint.body for joint in joints]
        sides = {
            i: float(joint.body.rotation[2, 2])
            for i, joint in enumerate(joints)
            if joint.c is None and _only_turns(joint.body) and _only_turns(bodies[joint.body.parent])
        }
        return cls(sides, [body.parent for body in bodies])

    def felt(self, tau: Reals) -> list[Any]:
        """Forces of u from those of the joints (..., n)."""
        found = [tau[..., i] for i in range(len(self.parents))]
        for i, side in self.sides.items():
            found[self.parents[i]] = found[self.parents[i]] - side * tau[..., i]
        return found

    def forces_of_joints(self, felt: Sequence[Any]) -> list[Any]:
        """The other way."""
        found = list(felt)
        for i in sorted(self.sides, reverse=True):
            found[self.parents[i]] = found[self.parents[i]] + self.sides[i] * found[i]
        return found

    def relative(self, u: Sequence[Any]) -> list[Any]:
        """Rates of the joints."""
        return [each - self.sides[i] * u[self.parents[i]] if i in self.sides else each for i, each in enumerate(u)]

    def in_joints(self, M: Entries) -> Entries:
        """M of u as that of the joints: a row and a column of p take over those of k, run by run from the tip."""
        M = dict(M)
        for k in sorted(self.sides, reverse=True):
            side, p = self.sides[k], self.parents[k]
            for i, j in [each for each in M if k in each and p not in each and each != (k, k)]:
                other = j if i == k else i
                place = max(p, other), min(p, other)
                M[place] = M[place] + side * M[i, j] if place in M else side * M[i, j]
            own = M[k, p]
            M[k, p] = own + side * M[k, k]
            M[p, p] = M[p, p] + side * (own + M[k, p])
        return M

    def along(self, joints: Sequence[JointStep], i: int, u: Sequence[Any]) -> Any:
        """How fast the joints before body i turn it about its z."""
        total, z = 0.0, np.array([0.0, 0.0, 1.0])
        while (p := joints[i].body.parent) != BASE:
            z = joints[i].out_of(z)
            if i not in self.sides:  # else it is in u_i
                total = total + joints[p].body.turn * (z[..., 2] * u[p])
            i = p
        return total


def _only_turns(body: Body) -> bool:
    return bool(body.turn) and not body.slide
