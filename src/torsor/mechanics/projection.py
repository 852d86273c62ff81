"""An arm with loops in its free joints, by projection of its tree.

With qd = G xd virtual work gives tau = G^T tau_tree(q, qd, qdd), so M = G^T M_tree G, g = G^T g_tree and, because
C_tree qd + M_tree dG/dt xd are the velocity torques, C = G^T (C_tree G + M_tree dG/dt), for which dM/dt - 2 C is skew
again. What the loops carry is whatever the joints they move would need a motor for: Phi^T lambda there (multipliers).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from torsor.mechanics import composite
from torsor.mechanics.loop_forces import Push, loop_forces, pushes
from torsor.mechanics.loops import GUESS, Driven, Loops, newton_step, reference_guess
from torsor.mechanics.newton_euler import inverse_dynamics
from torsor.mechanics.stance import Stance
from torsor.mechanics.tree import Array, Tree

STRIDES = 60  # in which numbers follow loops that are not triangles, from the assembled posture


class Projected(Stance):
    """A tree whose loops are closed."""

    letter = "x"

    def __init__(self, driven: Driven) -> None:
        super().__init__(driven.tree, driven.q)
        self.driven = driven

    @property
    def n(self) -> int:
        return self.driven.closure.n

    def rates(self, xd: Array) -> Array:
        return self.driven.rates(xd)

    def accelerations(self, qd: Array, xdd: Array) -> Array:
        return self.driven.accelerations(qd, xdd)

    def drift(self, qd: Array) -> Array:
        return self.driven.drift(qd)

    def torques(self, tau: Array) -> Array:
        return self.driven.at.project(tau)

    def columns(self, A: Array) -> Array:
        """Zeros of G are left out."""
        columns: list[Any] = [np.zeros(A.shape[-2])] * self.n
        for source in self.driven.at.rows:
            for j, weight in self.shares(source).items():
                one = isinstance(weight, float) and weight == 1.0
                share = A[..., :, source] if one else A[..., :, source] * np.asarray(weight)[..., None]
                columns[j] = columns[j] + share
        return np.stack(np.broadcast_arrays(*columns), axis=-1)

    def rows(self, A: Array) -> Array:
        return np.swapaxes(self.columns(np.swapaxes(A, -1, -2)), -1, -2)

    def shares(self, joint: int) -> Mapping[int, Any]:
        return self.driven.at.rows[joint]

    def mass_matrix(self, M: Array) -> Array:
        """Symmetric by construction."""
        half, n = self.columns(M), self.n
        columns = [self.torques(half[..., :, j]) for j in range(n)]
        rows = [[columns[max(i, j)][..., min(i, j)] for j in range(n)] for i in range(n)]
        return np.stack([np.stack(np.broadcast_arrays(*row), axis=-1) for row in rows], axis=-2)

    def coriolis_matrix(self, C: Array, qd: Array) -> Array:
        M = composite.mass_matrix(self.tree, self.q)
        return self.rows(self.columns(C) + M @ self.driven.G_rate(qd))

    def pushes(self, torques: Callable[[], Array]) -> Sequence[Push]:
        return pushes(self.driven, self.driven.at.multipliers(torques()))

    def slopes(self, values: Array, xd: Array) -> Array:
        from torsor.algebra import jacobian

        return np.concatenate([self.driven.slopes(values), jacobian(values, xd)], axis=-1)

    @property
    def guesses(self) -> dict[str, Array]:
        return {} if self.driven.guess is None else {GUESS: self.driven.guess}

    def finish(self, outputs: dict[str, Any]) -> dict[str, Any]:
        found: dict[str, Any] = self.driven.finish(outputs)
        return found


def projected(loops: Loops, tree: Tree, x: Array) -> Projected:
    """The arm at its free joints. Numbers follow loops that are not closed forms from the assembled posture."""
    closure = loops.closure(tree)
    if closure.is_explicit or x.dtype == object:
        return Projected(Driven(closure, x))
    x0, guess = reference_guess(closure, loops)
    guess = np.broadcast_to(guess, (*x.shape[:-1], guess.size))
    for share in (*np.linspace(0.0, 1.0, STRIDES), 1.0, 1.0, 1.0):
        guess = guess + newton_step(closure, x0 + share * (x - x0), guess)[0]
    return Projected(Driven(closure, x, {source: guess[..., k] for k, source in enumerate(closure.guessed)}))


def forces(at: Driven, xd: Array, xdd: Array, gravity: Array, wrench: Array | None) -> Array:
    """What the cut joints of the loops carry."""
    qd = at.rates(xd)
    torques = inverse_dynamics(at.tree, at.q, qd, at.accelerations(qd, xdd), gravity, wrench)
    return loop_forces(at, at.at.multipliers(torques))
