"""An arm with loops in place of a tree, for pages that ask for torques and masses only, such as those of drives.

q is then that of the free joints. The functions below take either.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from torsor.mechanics import composite, newton_euler
from torsor.mechanics import energy as energies
from torsor.mechanics.canonical import Trees
from torsor.mechanics.closed_stance import ClosedStance
from torsor.mechanics.closure import Closure
from torsor.mechanics.kinematics import steps
from torsor.mechanics.loops import GUESS, Loops
from torsor.mechanics.newton_euler import joint_wrenches, motion
from torsor.mechanics.quantities import cheapest_forward
from torsor.mechanics.quantity import Options
from torsor.mechanics.stance import Stance
from torsor.mechanics.transmissions import Rotor, rotor_wrenches
from torsor.mechanics.tree import Real, Reals, Tree
from torsor.model.transforms import Floats


@dataclass(frozen=True, eq=False)
class LoopedTree:
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

    def at(self, q: Reals) -> Stance:
        return ClosedStance(self.closure, q)

    @cached_property
    def closure(self) -> Closure:
        return self.loops.closure(self.tree)


AnyTree = Tree | LoopedTree


@dataclass(frozen=True, eq=False)
class AnyTrees:
    """As ``Trees``: the arm as described, and in the frames that cost least."""

    both: Trees

    @cached_property
    def plain(self) -> AnyTree:
        return self._closed(self.both.plain)

    @cached_property
    def lean(self) -> AnyTree:
        return self._closed(self.both.lean)

    def _closed(self, tree: Tree) -> AnyTree:
        return tree if self.both.loops is None else LoopedTree(tree, self.both.loops)


def taken(tree: AnyTree) -> dict[str, Reals]:
    """What pages take beside their states: where Newton's method, which closes some loops, starts."""
    from torsor.algebra import symbols

    unknown = 0 if isinstance(tree, Tree) else len(tree.closure.guessed)
    return {GUESS: symbols(GUESS, unknown)} if unknown else {}


def closing(tree: AnyTree, q: Reals, guess: Reals) -> tuple[Reals, Real]:
    """A guess brought nearer to where loops close at q, by a step of Newton's method; squares of what it left open."""
    assert isinstance(tree, LoopedTree)
    step, left = tree.closure.newton_step(q, guess)
    return guess + step, left


def guesses(tree: AnyTree, q: Floats) -> list[Floats]:
    """The same at numbers q: the joints that it starts from, solved already."""
    return [] if isinstance(tree, Tree) or tree.closure.is_explicit else [tree.closure.guess(q)]


def changed(tree: AnyTree, change: Callable[[Tree], Tree]) -> AnyTree:
    """With other masses or rotors; frames stay where they are."""
    return change(tree) if isinstance(tree, Tree) else LoopedTree(change(tree.tree), tree.loops)


def standing(tree: AnyTree, q: Reals) -> Stance:
    return Stance(tree, q) if isinstance(tree, Tree) else tree.at(q)


def mass_matrix(tree: AnyTree, q: Reals) -> Reals:
    """M (..., n, n)."""
    at = standing(tree, q)
    return _finished(at, at.mass_matrix(composite.mass_matrix(at.tree, at.q)))


def inverse_dynamics(
    tree: AnyTree, q: Reals, qd: Reals, qdd: Reals, gravity: Reals, wrench: Reals | None = None
) -> Reals:
    """tau (..., n)."""

    def page(t: Tree, q: Reals, qd: Reals, qdd: Reals) -> Reals:
        return newton_euler.inverse_dynamics(t, q, qd, qdd, gravity, wrench)

    return _torques(tree, q, qd, qdd, page)


def link_torques(tree: AnyTree, q: Reals, qd: Reals, qdd: Reals, gravity: Reals, wrench: Reals | None) -> Reals:
    """Torques of q that move the links, which load the gears."""

    def page(t: Tree, q: Reals, qd: Reals, qdd: Reals) -> Reals:
        wrenches = joint_wrenches(t, q, qd, qdd, gravity, wrench)
        return t.gather(
            [body.turn * n[..., 2] + body.slide * f[..., 2] for body, (f, n) in zip(t.bodies, wrenches, strict=True)]
        )

    return _torques(tree, q, qd, qdd, page)


def rotor_torques(tree: AnyTree, q: Reals, qd: Reals, qdd: Reals, gravity: Reals) -> Reals:
    """Torques of q that turn the rotors themselves."""

    def page(t: Tree, q: Reals, qd: Reals, qdd: Reals) -> Reals:
        return rotor_wrenches(t, motion(t, steps(t, q), qd, qdd, gravity), q, qd, qdd)[1]

    return _torques(tree, q, qd, qdd, page)


def forward_dynamics(
    tree: AnyTree, q: Reals, qd: Reals, tau: Reals, gravity: Reals, wrench: Reals | None = None
) -> Reals:
    """qdd (..., n), by the formulation that costs least. Traced."""
    at = standing(tree, q)
    return _finished(at, cheapest_forward(at, Options(gravity, wrench), qd, tau).value)


def energy(tree: AnyTree, q: Reals, qd: Reals, gravity: Reals) -> tuple[Reals, Reals]:
    """Kinetic (rotors included) and potential energy, each (...)."""
    at = standing(tree, q)
    kinetic, potential = energies.energy(at.tree, at.q, at.rates(qd), gravity)
    return _finished(at, kinetic), _finished(at, potential)


def _torques(tree: AnyTree, q: Reals, qd: Reals, qdd: Reals, page: Callable[..., Reals]) -> Reals:
    at = standing(tree, q)
    rates = at.rates(qd)
    return _finished(at, at.torques(page(at.tree, at.q, rates, at.accelerations(rates, qdd))))


def _finished(at: Stance, value: Reals) -> Reals:
    found: Reals = at.finish({"value": value})["value"]
    return found
