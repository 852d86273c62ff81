"""A tree with its loops, where it has some, for pages that ask for torques and masses only, such as those of drives.

q is then that of the free joints.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, partial

from torsor.mechanics import body_motion, composite, coriolis, newton_euler
from torsor.mechanics import energy as energies
from torsor.mechanics.canonical import Trees
from torsor.mechanics.closed_stance import ClosedStance
from torsor.mechanics.closure import Closure, without_loops
from torsor.mechanics.kinematics import steps
from torsor.mechanics.loops import GUESS, Loops
from torsor.mechanics.quantities import cheapest_forward
from torsor.mechanics.quantity import Options
from torsor.mechanics.stance import Stance
from torsor.mechanics.transmissions import Rotor, rotor_wrenches
from torsor.mechanics.tree import Real, Reals, Tree
from torsor.model.transforms import Floats


@dataclass(frozen=True, eq=False)
class AnyTree:
    """Has equations of motion (``equations_of_motion.py``), in free joints where it has loops."""

    tree: Tree
    loops: Loops | None

    @property
    def n(self) -> int:
        return self.tree.n if self.loops is None else self.loops.n

    @property
    def joints(self) -> int:
        return self.n

    @property
    def multipliers(self) -> int:
        """None: loops are closed in free joints."""
        return 0

    @property
    def gravity(self) -> Floats:
        return self.tree.gravity

    @property
    def rotors(self) -> tuple[Rotor, ...]:
        return self.tree.rotors

    def facts(self, frame: str) -> bytes:
        return self.tree.facts(frame) + (b"" if self.loops is None else self.loops.facts())

    def at(self, q: Reals) -> Stance:
        return Stance(self.tree, q) if self.loops is None else ClosedStance(self.closure, q)

    @cached_property
    def closure(self) -> Closure:
        return without_loops(self.tree) if self.loops is None else self.loops.closure(self.tree)

    def taken(self) -> dict[str, Reals]:
        """What pages take beside their states: where Newton's method, which closes some loops, starts."""
        from torsor.algebra import symbols

        unknown = len(self.closure.guessed)
        return {GUESS: symbols(GUESS, unknown)} if unknown else {}

    def closing(self, q: Reals, guess: Reals) -> tuple[Reals, Real]:
        """A guess brought nearer to where loops close at q, by a step of Newton's method; squares of what it left."""
        step, left = self.closure.newton_step(q, guess)
        return guess + step, left

    def guesses(self, q: Floats) -> list[Floats]:
        """The same at numbers q: the joints that it starts from, solved already."""
        return [] if self.closure.is_explicit else [self.closure.guess(q)]

    def changed(self, change: Callable[[Tree], Tree]) -> AnyTree:
        """With other masses or rotors; frames stay where they are."""
        return replace(self, tree=change(self.tree))

    def mass_matrix(self, q: Reals) -> Reals:
        """M (..., n, n)."""
        at = self.at(q)
        return _finished(at, at.mass_matrix(composite.mass_matrix(at.tree, at.q)))

    def coriolis_matrix(self, q: Reals, qd: Reals) -> Reals:
        """C (..., n, n) of Christoffel symbols."""
        at = self.at(q)
        rates = at.rates(qd)
        return _finished(at, at.coriolis_matrix(coriolis.coriolis_matrix(at.tree, at.q, rates), rates))

    def inverse_dynamics(self, q: Reals, qd: Reals, qdd: Reals, gravity: Reals, wrench: Reals | None = None) -> Reals:
        """tau (..., n)."""
        return self._torques(q, qd, qdd, partial(newton_euler.inverse_dynamics, gravity=gravity, wrench=wrench))

    def link_torques(self, q: Reals, qd: Reals, qdd: Reals, gravity: Reals, wrench: Reals | None) -> Reals:
        """Torques of q that move the links, which load the gears."""
        split = partial(newton_euler.split_torques, gravity=gravity, wrench=wrench)
        return self._torques(q, qd, qdd, lambda *moving: split(*moving)[0])

    def rotor_torques(self, q: Reals, qd: Reals, qdd: Reals, gravity: Reals) -> Reals:
        """Torques of q that turn the rotors themselves."""

        def page(t: Tree, q: Reals, qd: Reals, qdd: Reals) -> Reals:
            return rotor_wrenches(t, body_motion.motion(t, steps(t, q), qd, qdd, gravity), q, qd, qdd)[1]

        return self._torques(q, qd, qdd, page)

    def passed_on(self, q: Reals, qd: Reals) -> dict[int, Real]:
        """None: what rigid links take depends on how they accelerate."""
        return {}

    def forward_dynamics(self, q: Reals, qd: Reals, tau: Reals, gravity: Reals, wrench: Reals | None = None) -> Reals:
        """qdd (..., n), by the formulation that costs least. Traced."""
        at = self.at(q)
        return _finished(at, cheapest_forward(at, Options(gravity, wrench), qd, tau).value)

    def energy(self, q: Reals, qd: Reals, gravity: Reals) -> tuple[Reals, Reals]:
        """Kinetic (rotors included) and potential energy, each (...)."""
        at = self.at(q)
        kinetic, potential = energies.energy(at.tree, at.q, at.rates(qd), gravity)
        return _finished(at, kinetic), _finished(at, potential)

    def _torques(self, q: Reals, qd: Reals, qdd: Reals, page: Callable[..., Reals]) -> Reals:
        at = self.at(q)
        rates = at.rates(qd)
        return _finished(at, at.torques(page(at.tree, at.q, rates, at.accelerations(rates, qdd))))


@dataclass(frozen=True, eq=False)
class AnyTrees:
    """As ``Trees``: the arm as described, and in the frames that cost least."""

    both: Trees

    @cached_property
    def plain(self) -> AnyTree:
        return AnyTree(self.both.plain, self.both.loops)

    @cached_property
    def lean(self) -> AnyTree:
        return AnyTree(self.both.lean, self.both.loops)


def _finished(at: Stance, value: Reals) -> Reals:
    found: Reals = at.finish({"value": value})["value"]
    return found
