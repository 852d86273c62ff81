"""An elastic arm with loops in coupled motion: `EquationsOfMotion` over c, with forces that keep its loops closed.

c are the free joints, so that whoever drives an arm finds them first, then the other joints of the tree, springs and
modes. All are coordinates of their own: M cdd + h = tau + G^T f, and the loops' equations g(c) = 0 with G = dg/dc obey
(d/dt + a)^2 g = 0. What a step leaves of them is forgotten within 1/a, so that it stays the error of the last few
steps instead of adding up.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import scipy.linalg

from torsor.elastic.constrained_motion import forward_dynamics
from torsor.elastic.elastic_arm import Elastic
from torsor.elastic.elastic_equations import ElasticEquations, moving_tree
from torsor.elastic.elastic_loops import SwayingArm, closed_motions
from torsor.elastic.elastic_tree import ElasticTree
from torsor.elastic.small_bending import MuchBent
from torsor.errors import TorsorError
from torsor.mechanics.looped_tree import AnyTree
from torsor.mechanics.newton import CLOSED, settled
from torsor.mechanics.transmissions import Rotor
from torsor.mechanics.tree import Real, Reals, Tree
from torsor.model.model import Model
from torsor.model.transforms import Floats
from torsor.motion.loop_closure import LoopClosure

FORGOTTEN = 0.1  # a over what swings fastest: no step that follows the swing is too long for a
LEAST = 10.0  # 1/s: a where next to nothing swings, as when all springs are left out


@dataclass(frozen=True, eq=False)
class LoopedElasticEquations:
    loops: SwayingArm  # x in the order of its tree, all joints unknown
    closure: LoopClosure  # of the rigid arm
    stabilise: float  # a, 1/s
    left_out: tuple[str, ...] = ()  # springs that have no motion of their own
    simplified: tuple[str, ...] = ()  # what else is not as the arm file has it

    @classmethod
    def of(cls, elastic: Elastic, model: Model) -> LoopedElasticEquations:
        """``model`` as for `ElasticEquations.of`.

        a is a tenth of what swings fastest in the reference posture. Steps are short enough for that swing, so that a
        never asks for shorter ones, and some ten of them forget what one leaves. A larger a would only raise what
        rounding of the loops' equations, times a^2, adds to accelerations. Two digits of it are the same everywhere.
        """
        assert elastic.closure is not None
        sway = elastic.swaying()
        tree, left_out = moving_tree(sway.tree, model)
        ElasticEquations(tree).require_invertible()
        shapes = [sum(each.m for each in of.flexible.values()) for of in (tree, elastic.tree)]
        simplified = [f"{shapes[0]} shapes of the links are taken of the file's {shapes[1]}"] * (shapes[0] < shapes[1])
        if elastic.sections_turn:
            simplified.append("sections that turn with the posture stand as in the reference posture")
        arm = replace(sway, tree=tree, passive=tuple(range(tree.n)))
        found = cls(arm, elastic.closure, 0.0, left_out, tuple(simplified))
        reference, _ = found.straight(elastic.closure.free_of(elastic.closure.reference), np.zeros(found.joints))
        return replace(found, stabilise=float(f"{max(LEAST, FORGOTTEN * found.fastest(reference)[0]):.2g}"))

    @property
    def tree(self) -> ElasticTree:
        return self.loops.tree

    @cached_property
    def opened(self) -> ElasticEquations:
        """Of the tree, in its order of coordinates, as if nothing closed its loops."""
        return ElasticEquations(self.tree, self.left_out)

    @cached_property
    def order(self) -> list[int]:
        """Which x each of c is."""
        tree, names = self.tree, self.closure.names
        free = [names.index(name) for name in self.closure.free]
        return [*free, *(k for k in range(tree.size) if k not in free)]

    @cached_property
    def _back(self) -> list[int]:
        return [self.order.index(k) for k in range(self.n)]

    def x(self, c: Reals) -> Reals:
        """In the order of the tree."""
        return c[..., self._back]

    def c(self, x: Reals) -> Reals:
        return x[..., self.order]

    @property
    def n(self) -> int:
        return self.tree.size

    @property
    def joints(self) -> int:
        return len(self.closure.free)

    @property
    def bends_from(self) -> int:
        """Which of c is the first spring or mode."""
        return self.tree.n

    @property
    def multipliers(self) -> int:
        return len(self.loops.kept)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Of c."""
        return tuple(self.tree.names[k] for k in self.order)

    @property
    def gravity(self) -> Floats:
        return self.tree.tree.gravity

    @property
    def rotors(self) -> tuple[Rotor, ...]:
        return self.tree.tree.rotors

    def changed(self, change: Callable[[Tree], Tree]) -> LoopedElasticEquations:
        """With other masses of what is rigid."""
        tree = replace(self.tree, tree=change(self.tree.tree))
        return replace(self, loops=replace(self.loops, tree=tree))

    # laws and events ask for the rigid arm at the free joints, whose loops are closed as in its own simulation

    @cached_property
    def _rigid(self) -> AnyTree:
        return AnyTree(self.closure.trees.plain, self.closure.loops)

    def taken(self) -> dict[str, Reals]:
        return self._rigid.taken()

    def closing(self, q: Reals, guess: Reals) -> tuple[Reals, Real]:
        return self._rigid.closing(q, guess)

    # of the tree with its loops opened

    def mass_matrix(self, q: Reals) -> Reals:
        return self.opened.mass_matrix(self.x(q))[..., self.order, :][..., self.order]

    def inverse_dynamics(self, q: Reals, qd: Reals, qdd: Reals, gravity: Reals, wrench: Reals | None = None) -> Reals:
        return self.c(self.opened.inverse_dynamics(self.x(q), self.x(qd), self.x(qdd), gravity, wrench))

    def link_torques(self, q: Reals, qd: Reals, qdd: Reals, gravity: Reals, wrench: Reals | None) -> Reals:
        return self.c(self.opened.link_torques(self.x(q), self.x(qd), self.x(qdd), gravity, wrench))

    def rotor_torques(self, q: Reals, qd: Reals, qdd: Reals, gravity: Reals) -> Reals:
        return self.c(self.opened.rotor_torques(self.x(q), self.x(qd), self.x(qdd), gravity))

    def passed_on(self, q: Reals, qd: Reals) -> dict[int, Real]:
        found = self.opened.passed_on(self.x(q), self.x(qd))
        return {self.order.index(k): load for k, load in found.items() if k in self.order[: self.joints]}

    # with its loops

    def forward_dynamics(self, q: Reals, qd: Reals, tau: Reals, gravity: Reals, wrench: Reals | None = None) -> Reals:
        torques = self.x(tau)[..., : self.tree.n]
        xdd, _ = forward_dynamics(self.loops, self.x(q), self.x(qd), torques, self.stabilise, gravity, wrench)
        return self.c(xdd)

    def rows(self, q: Reals) -> Reals:
        """G (..., multipliers, n)."""
        return self.loops.rows(self.x(q))[..., self.order]

    def left(self, q: Reals) -> Reals:
        """g (..., multipliers): m, or sines of angles."""
        return self.loops.left(self.x(q))

    def straight(self, q: Floats, qd: Floats) -> tuple[Floats, Floats]:
        """All coordinates and rates (..., n) of joints (..., joints), nothing bent: where the rigid arm has them."""
        joints, rates = self.closure.along(q, qd)
        if not np.isfinite(joints).all():  # of one posture the closure says why
            self.closure.positions(q[np.argmax(~np.isfinite(joints).all(axis=-1))])
        found = np.zeros((2, *q.shape[:-1], self.n))
        found[..., : self.bends_from] = joints, rates
        return self.c(found[0]), self.c(found[1])

    def closed(self, c: Floats) -> Floats:
        """(k, n): the other joints, and what bends as little as it must, moved to where the loops close."""
        fixed = c[:, : self.joints]

        def step(u: Floats) -> tuple[Floats, Floats]:
            now = np.hstack([fixed, u])
            open_ = self.left(now)
            return self._closing(now, -open_), (open_ * open_).sum(axis=-1)

        u, left = settled(step, c[:, self.joints :])
        if not (left < CLOSED).all():
            name = self.tree.tree.name
            raise TorsorError(f"the loops of {name!r} do not close near eta0", hint="leave eta0 out, or bend it less")
        return np.hstack([fixed, u])

    def closed_rates(self, c: Floats, cd: Floats) -> Floats:
        """(k, n): rates of the same changed likewise, so that the loops stay closed."""
        opening = (self.rows(c) @ cd[..., None])[..., 0]
        return np.hstack([cd[:, : self.joints], cd[:, self.joints :] + self._closing(c, -opening)])

    def _closing(self, c: Floats, by: Floats) -> Floats:
        """(k, n - joints): v with G v = by that has least kinetic energy in what bends, free joints held.

        Other joints cost nothing, so that what bends stays as it is where they can close the loops alone.
        """
        own, m = slice(self.joints, None), self.multipliers
        G, W = self.rows(c)[..., own], self.mass_matrix(c)[..., own, own].copy()
        passive = self.bends_from - self.joints
        W[..., :passive, :] = W[..., :, :passive] = 0.0
        upper = np.concatenate([W, np.swapaxes(G, -1, -2)], axis=-1)
        lower = np.concatenate([G, np.zeros((*G.shape[:-2], m, m))], axis=-1)
        right = np.concatenate([np.zeros((*by.shape[:-1], W.shape[-1])), by], axis=-1)
        return np.linalg.solve(np.concatenate([upper, lower], axis=-2), right[..., None])[..., : W.shape[-1], 0]

    # what it is asked for as other elastic arms are

    def energy(self, q: Reals, qd: Reals, gravity: Reals) -> tuple[Real, Real]:
        return self.opened.energy(self.x(q), self.x(qd), gravity)

    def strain_energy(self, q: Reals) -> Real:
        return self.opened.strain_energy(self.x(q))

    def damping(self, q: Reals, qd: Reals) -> Reals:
        return self.c(self.opened.damping(self.x(q), self.x(qd)))

    def tool(self, q: Reals, qd: Reals) -> tuple[Reals, Reals]:
        return self.opened.tool(self.x(q), self.x(qd))

    def pose(self, q: Reals) -> Reals:
        return self.opened.pose(self.x(q))

    def much_bent(self, q: Floats) -> list[MuchBent]:
        return self.opened.much_bent(self.x(q))

    def fastest(self, q: Floats) -> tuple[float, str]:
        """As of an arm without loops, of what keeps the loops closed."""
        x = self.x(q)
        Z = closed_motions(self.loops.rows(x))
        K, M = self.tree.K, self.opened.mass_matrix(x)
        squares, shapes = scipy.linalg.eigh(Z.T @ K @ Z, Z.T @ M @ Z)
        moved = Z @ shapes[:, -1]
        return float(np.sqrt(max(squares[-1], 0.0))), self.tree.names[int(np.argmax(np.abs(moved * (K @ moved))))]

    @property
    def notes(self) -> list[str]:
        return [*self.opened.notes, *self.simplified]
