"""`Stance`: a tree at one state of its free joints. It is all of an arm that the page of a quantity sees.

An open tree, here, is at its free joints as it stands. With loops (`closed_stance.py`) rates and accelerations go out
to all joints of the tree, q, and torques come back to the free ones, x: qd = G xd, and by virtual work
tau = G^T tau_tree.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from torsor.mechanics.tree import Reals, Tree

if TYPE_CHECKING:
    from torsor.mechanics.canonical import Trees
    from torsor.mechanics.newton_euler import BodyPush

Frames = Literal["plain", "lean"]  # as the arm was described, or as it costs least


class Stance:
    """A tree whose free joints are all there are."""

    letter = "q"  # of the free joints

    def __init__(self, tree: Tree, q: Reals) -> None:
        self.tree = tree
        self.q = q  # all joints of the tree

    @property
    def n(self) -> int:
        """How many free joints there are."""
        return self.tree.n

    @property
    def free(self) -> Sequence[int]:
        """Which joints of the tree they are."""
        return range(self.tree.n)

    def rates(self, xd: Reals) -> Reals:
        """qd = G xd."""
        return xd

    def accelerations(self, qd: Reals, xdd: Reals) -> Reals:
        """qdd = G xdd + gamma(qd)."""
        return xdd

    def drift(self, qd: Reals) -> Reals | None:
        """gamma; None where it vanishes."""
        return None

    def torques(self, tau: Reals) -> Reals:
        """G^T tau."""
        return tau

    def columns(self, A: Reals) -> Reals:
        """A G."""
        return A

    def rows(self, A: Reals) -> Reals:
        """G^T A."""
        return A

    def shares(self, joint: int) -> Mapping[int, Any]:
        """The row of G of a joint of the tree, zeros left out."""
        return {joint: 1.0}

    def mass_matrix(self, M: Reals) -> Reals:
        """G^T M G."""
        return M

    def coriolis_matrix(self, C: Reals, qd: Reals) -> Reals:
        """G^T (C G + M dG/dt), for which dM/dt - 2 C is skew again."""
        return C

    def pushes(self, torques: Callable[[], Reals]) -> Sequence[BodyPush]:
        """What loops do to bodies, whose joints would need these torques of the tree without them."""
        return ()

    def slopes(self, values: Reals, xd: Reals) -> Reals:
        """d values / d(x, xd) (..., 2n) of a traced array, before ``finish``."""
        from torsor.algebra import jacobian

        return jacobian(values, np.concatenate([self.q, xd]))

    @property
    def guesses(self) -> dict[str, Reals]:
        """What the page takes beside its states: where Newton's method, which closes some loops, starts."""
        return {}

    def finish(self, outputs: dict[str, Any]) -> dict[str, Any]:
        """Outputs of a traced page with what the loops move put in."""
        return outputs


def stance_of(trees: Trees, frames: Frames, x: Reals) -> Stance:
    """An arm at its free joints, traced or, where its loops are closed forms, as numbers."""
    tree = trees.lean if frames == "lean" else trees.plain
    if trees.loops is None:
        return Stance(tree, x)
    from torsor.mechanics.closed_stance import ClosedStance

    return ClosedStance(trees.loops.closure(tree), x)
