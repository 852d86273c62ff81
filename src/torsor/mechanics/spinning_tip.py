"""The last joint taken out of forward dynamics, where its body spins about a principal axis through its centre of mass.

Such a body hands on the torque of its joint as it is, whatever its own acceleration:

    tau = Izz d(w_z)/dt + (Iyy - Ixx) w_x w_y

So for the joints before it the spin is no unknown. What they move is the body without Izz, which is felt through the
moments of h = Izz w_z alone; M has one row less, and qdd of the last joint follows from theirs. Where the body is
round, Ixx = Iyy, it does not matter how it stands: its axes need not turn with it, and the last angle drops out.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from torsor.mechanics.canonical import ROUNDING
from torsor.mechanics.kinematics import vector
from torsor.mechanics.structural_zeros import vanishes
from torsor.mechanics.tree import Body, Reals, Tree
from torsor.model.parts import BASE
from torsor.model.transforms import times


@dataclass(frozen=True, eq=False)
class SpinningTip:
    """The last body of a tree, and the tree in which it has no moment of inertia about its axis."""

    inertia: Any  # Izz
    rest: Tree
    round: bool

    @classmethod
    def of(cls, tree: Tree) -> SpinningTip | None:
        """Of a tree whose last body spins so; None of others."""
        if tree.n < 2 or not tree.is_direct or tree.rotors or not _spins(tree.bodies[-1]):
            return None
        *others, body = tree.bodies
        xx, yy, zz = np.diagonal(body.second)
        is_round = vanishes(xx - yy, xx, ROUNDING)
        half = 0.0 if is_round else 0.5 * (xx - yy)
        # Ixx and Iyy stay as they are; the part of K along the axis might as well be the parent's (`regrouped`)
        lean = replace(body, second=np.diag([half, -half, 0.0]))
        if (p := body.parent) != BASE:
            given = times(body.rotation, np.diag([0.0, 0.0, zz + 0.5 * (xx + yy)]), body.rotation.T)
            others[p] = replace(others[p], second=others[p].second + given)
        return cls(xx + yy, replace(tree, bodies=(*others, lean)), is_round)

    def turned_back(self, q: Reals) -> Reals:
        """q, where the last body stands at zero."""
        return vector(*(q[..., k] for k in range(self.rest.n - 1)), -self.rest.bodies[-1].shift)

    def gyroscopic(self, w: Reals) -> Any:
        """(Iyy - Ixx) w_x w_y."""
        return 0.0 if self.round else (2.0 * self.rest.bodies[-1].second[0, 0]) * (w[..., 0] * w[..., 1])

    def spin(self, w: Reals, left: Any) -> Reals:
        """d(h z)/dt: what the joint gives beside that for the body without Izz."""
        h = self.inertia * w[..., 2]
        return vector(h * w[..., 1], -(h * w[..., 0]), left)


def _spins(body: Body) -> bool:
    """Whether z is principal at the origin and carries the centre of mass, exactly: both are structure."""
    off = body.moment[0], body.moment[1], body.second[0, 1], body.second[0, 2], body.second[1, 2]
    return bool(body.turn) and not body.slide and all(map(vanishes, off))
