"""An arm with loops in place of a tree, for pages that ask for torques and masses only, such as those of drives.

q is then that of the driven joints. The functions below take either.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from torsor.mechanics import composite, newton_euler, projection
from torsor.mechanics import energy as energies
from torsor.mechanics.canonical import Trees
from torsor.mechanics.closure import Closure
from torsor.mechanics.kinematics import steps
from torsor.mechanics.loops import Driven, Loops
from torsor.mechanics.newton_euler import joint_wrenches, motion
from torsor.mechanics.transmissions import Rotor, rotor_wrenches
from torsor.mechanics.tree import Array, Tree
from torsor.model.transforms import Floats


@dataclass(frozen=True, eq=False)
class DrivenTree:
    tree: Tree
    loops: Loops

    @property
    def name(self) -> str:
        return self.tree.name

    @property
    def n(self) -> int:
        return self.loops.n

    @property
    def gravity(self) -> Floats:
        return self.tree.gravity

    @property
    def rotors(self) -> tuple[Rotor, ...]:
        return self.tree.rotors

    def facts(self, frame: str) -> bytes:
        return self.tree.facts(frame) + self.loops.facts()

    def at(self, q: Array) -> Driven:
        return Driven(self.closure, q)

    @cached_property
    def closure(self) -> Closure:
        return self.loops.closure(self.tree)


AnyTree = Tree | DrivenTree


@dataclass(frozen=True, eq=False)
class DrivenTrees:
    """As ``Trees``: the arm as described, and in the frames that cost least."""

    both: Trees

    @cached_property
    def plain(self) -> AnyTree:
        return self._driven(self.both.plain)

    @cached_property
    def lean(self) -> AnyTree:
        return self._driven(self.both.lean)

    def _driven(self, tree: Tree) -> AnyTree:
        return tree if self.both.loops is None else DrivenTree(tree, self.both.loops)


def guessed(tree: AnyTree) -> int:
    """How many joints of a tree are found by Newton's method, for which kernels take a guess."""
    return 0 if isinstance(tree, Tree) else len(tree.closure.guessed)


def guesses(tree: AnyTree, q: Floats) -> list[Floats]:
    """What kernels take last at numbers q: the guess of such joints, or nothing."""
    return [] if isinstance(tree, Tree) or tree.closure.is_explicit else [tree.closure.guess(q)]


def changed(tree: AnyTree, change: Callable[[Tree], Tree]) -> AnyTree:
    """With other masses or rotors; frames stay where they are."""
    return change(tree) if isinstance(tree, Tree) else DrivenTree(change(tree.tree), tree.loops)


def mass_matrix(tree: AnyTree, q: Array) -> Array:
    """M (..., n, n)."""
    if isinstance(tree, Tree):
        return composite.mass_matrix(tree, q)
    at = tree.at(q)
    return _finished(at, projection.mass_matrix(at))


def inverse_dynamics(
    tree: AnyTree, q: Array, qd: Array, qdd: Array, gravity: Array, wrench: Array | None = None
) -> Array:
    """tau (..., n)."""

    def page(t: Tree, q: Array, qd: Array, qdd: Array) -> Array:
        return newton_euler.inverse_dynamics(t, q, qd, qdd, gravity, wrench)

    return _torques(tree, q, qd, qdd, page)


def link_torques(tree: AnyTree, q: Array, qd: Array, qdd: Array, gravity: Array, wrench: Array | None) -> Array:
    """Torques of q that move the links, which load the gears."""

    def page(t: Tree, q: Array, qd: Array, qdd: Array) -> Array:
        wrenches = joint_wrenches(t, q, qd, qdd, gravity, wrench)
        return t.gather(
            [body.turn * n[..., 2] + body.slide * f[..., 2] for body, (f, n) in zip(t.bodies, wrenches, strict=True)]
        )

    return _torques(tree, q, qd, qdd, page)


def rotor_torques(tree: AnyTree, q: Array, qd: Array, qdd: Array, gravity: Array) -> Array:
    """Torques of q that turn the rotors themselves."""

    def page(t: Tree, q: Array, qd: Array, qdd: Array) -> Array:
        return rotor_wrenches(t, motion(t, steps(t, q), qd, qdd, gravity), q, qd, qdd)[1]

    return _torques(tree, q, qd, qdd, page)


def forward_dynamics(
    tree: DrivenTree, q: Array, qd: Array, tau: Array, gravity: Array, wrench: Array | None = None
) -> Array:
    """qdd (..., n) of driven joints."""
    at = tree.at(q)
    return _finished(at, projection.forward_dynamics(at, qd, tau, gravity, wrench))


def energy(tree: AnyTree, q: Array, qd: Array, gravity: Array) -> tuple[Array, Array]:
    """Kinetic (rotors included) and potential energy, each (...)."""
    if isinstance(tree, Tree):
        return energies.energy(tree, q, qd, gravity)
    at = tree.at(q)
    kinetic, potential = energies.energy(at.tree, at.q, at.rates(qd), gravity)
    found = at.finish({"kinetic": kinetic, "potential": potential})
    return found["kinetic"], found["potential"]


def _torques(tree: AnyTree, q: Array, qd: Array, qdd: Array, page: Callable[..., Array]) -> Array:
    if isinstance(tree, Tree):
        return page(tree, q, qd, qdd)
    at = tree.at(q)
    rates = at.rates(qd)
    torques = page(at.tree, at.q, rates, at.accelerations(rates, qdd))
    return _finished(at, at.at.project(np.broadcast_to(torques, at.q.shape)))


def _finished(at: Driven, value: Array) -> Array:
    found: Array = at.finish({"value": value})["value"]
    return found
