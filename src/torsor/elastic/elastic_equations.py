"""An elastic arm in coupled motion, as drives and simulations ask for it: `EquationsOfMotion` over x.

x are the joints q as their gears hold them, then springs between gears and links, then the modes of the links. Rotors
turn with q, links with q and their springs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np
import scipy.linalg

from torsor.elastic import elastic_composite, elastic_energy, elastic_kinematics
from torsor.elastic.bearings import tilting
from torsor.elastic.elastic_arm import Elastic
from torsor.elastic.elastic_newton_euler import residual, split_residual
from torsor.elastic.elastic_tree import ElasticTree, straight
from torsor.elastic.play import pulled, strain_energy, with_play
from torsor.elastic.small_bending import MuchBent, much_bent
from torsor.emit import Page
from torsor.errors import ModelError
from torsor.mechanics.asking import LIGHTER, NEGATIVE, not_positive
from torsor.mechanics.composite import solve_dense
from torsor.mechanics.transmissions import Rotor
from torsor.mechanics.tree import Real, Reals, Tree, lower
from torsor.model.model import Model
from torsor.model.transforms import Floats


@dataclass(frozen=True, eq=False)
class ElasticEquations:
    arm: ElasticTree
    left_out: tuple[str, ...] = ()  # springs that have no motion of their own

    @classmethod
    def of(cls, elastic: Elastic, model: Model) -> ElasticEquations:
        """``model`` is the arm, or the same without its drives or what it holds; modes are those of the arm itself."""
        found = cls(*moving_tree(elastic.tree, model))
        found.require_invertible()
        return found

    @property
    def tree(self) -> ElasticTree:
        return self.arm

    def x(self, q: Reals) -> Reals:
        """In the order of the tree, which is that of the coordinates."""
        return q

    def c(self, x: Reals) -> Reals:
        return x

    @property
    def n(self) -> int:
        return self.arm.size

    @property
    def joints(self) -> int:
        return self.arm.n

    @property
    def bends_from(self) -> int:
        """Which of x is the first spring or mode."""
        return self.arm.n

    @property
    def multipliers(self) -> int:
        return 0

    @property
    def names(self) -> tuple[str, ...]:
        """Of x."""
        return self.arm.names

    @property
    def gravity(self) -> Floats:
        return self.arm.tree.gravity

    @property
    def rotors(self) -> tuple[Rotor, ...]:
        return self.arm.tree.rotors

    def changed(self, change: Callable[[Tree], Tree]) -> ElasticEquations:
        """With other masses of what is rigid."""
        return replace(self, arm=replace(self.arm, tree=change(self.arm.tree)))

    def taken(self) -> dict[str, Reals]:
        return {}

    def closing(self, q: Reals, guess: Reals) -> tuple[Reals, Real]:
        raise AssertionError("there are no loops to close")

    def rows(self, q: Reals) -> Reals:
        """None: no loop restricts x."""
        return np.zeros((0, self.n))

    def left(self, q: Reals) -> Reals:
        return np.zeros(0)

    def straight(self, q: Floats, qd: Floats) -> tuple[Floats, Floats]:
        """All coordinates and rates (..., n) of joints (..., joints), nothing bent."""
        return straight(self.arm, q), straight(self.arm, qd)

    def closed(self, x: Floats) -> Floats:
        return x

    def closed_rates(self, x: Floats, xd: Floats) -> Floats:
        return xd

    def mass_matrix(self, q: Reals) -> Reals:
        return elastic_composite.mass_matrix(self.arm, q)

    def inverse_dynamics(self, q: Reals, qd: Reals, qdd: Reals, gravity: Reals, wrench: Reals | None = None) -> Reals:
        return residual(self.arm, q, qd, qdd, gravity, wrench) + pulled(self.arm, q, qd)

    def forward_dynamics(self, q: Reals, qd: Reals, tau: Reals, gravity: Reals, wrench: Reals | None = None) -> Reals:
        bias = self.inverse_dynamics(q, qd, np.zeros(self.n), gravity, wrench)
        return solve_dense(self.mass_matrix(q), tau - bias)

    def link_torques(self, q: Reals, qd: Reals, qdd: Reals, gravity: Reals, wrench: Reals | None) -> Reals:
        return split_residual(self.arm, q, qd, qdd, gravity, wrench)[0] + pulled(self.arm, q, qd)

    def rotor_torques(self, q: Reals, qd: Reals, qdd: Reals, gravity: Reals) -> Reals:
        return split_residual(self.arm, q, qd, qdd, gravity)[1]

    def passed_on(self, q: Reals, qd: Reals) -> dict[int, Real]:
        """Behind a spring a joint feels what the spring pulls, whatever accelerates."""
        pull, found = pulled(self.arm, q, qd), {}
        for k in range(self.joints, self.joints + len(self.arm.springs)):
            own = self.arm.turns[:, k]
            for j in range(self.joints):  # that moves the same links, and no others
                if (self.arm.turns[:, j] == own).all():
                    found[j] = -pull[..., k]
        return found

    def energy(self, q: Reals, qd: Reals, gravity: Reals) -> tuple[Real, Real]:
        """Kinetic and potential; what is strained counts as potential."""
        potential = elastic_energy.of_weight(self.arm, q, gravity) + self.strain_energy(q)
        return elastic_energy.kinetic(self.arm, q, qd), potential

    def strain_energy(self, q: Reals) -> Real:
        """In springs and bent links."""
        return strain_energy(self.arm, q)

    def much_bent(self, q: Floats) -> list[MuchBent]:
        """Links that coordinates (..., n) bend further than small bending goes."""
        return much_bent(self.arm, q)

    def damping(self, q: Reals, qd: Reals) -> Reals:
        """What of their pull goes with the rates, (..., n)."""
        return pulled(self.arm, q, qd) - pulled(self.arm, q, 0.0 * qd)

    def tool(self, q: Reals, qd: Reals) -> tuple[Reals, Reals]:
        """Where the tool of the bent arm is (..., 3), and its velocity, in base axes."""
        J = elastic_kinematics.jacobian(self.arm, q)[..., :3, :]
        return elastic_kinematics.pose(self.arm, q)[..., :3, 3], (J * qd[..., None, :]).sum(axis=-1)

    def pose(self, q: Reals) -> Reals:
        """T_base_tool (..., 4, 4) of the bent arm."""
        return elastic_kinematics.pose(self.arm, q)

    @property
    def notes(self) -> list[str]:
        """What is not as the arm file has it."""
        left_out = ", ".join(self.left_out)
        why = "no rotor stands behind, so that torques only pass through"
        return [f"left out in motion: {left_out}; {why}"] if left_out else []

    def fastest(self, x: Floats) -> tuple[float, str]:
        """rad/s of what swings fastest at x (n,), nothing held, and the coordinate that moves most in it."""
        squares, shapes = scipy.linalg.eigh(self.arm.K, self._mass(x))
        energy = np.abs(shapes[:, -1] * (self.arm.K @ shapes[:, -1]))
        return float(np.sqrt(squares[-1])), self.names[int(np.argmax(energy))]

    @cached_property
    def _mass(self) -> Page:
        """The mass matrix, compiled: it is asked for with every run."""
        name = f"{self.arm.tree.name}_moving_mass"
        return Page(name, {"x": self.n}, partial(_mass_page, self.arm), self.arm.facts)

    def require_invertible(self) -> None:
        """Refuses motion in coordinates that move no mass."""
        x = np.zeros((4, self.n))
        x[:, : self.joints] = np.random.default_rng(0).uniform(-3.0, 3.0, size=(4, self.joints))
        found, what = not_positive(self.mass_matrix(x)), f"motion of {self.arm.tree.name!r}"
        if found is None:
            return
        worst, negative = found
        if negative:
            raise ModelError(f"{what}: {NEGATIVE}", hint=LIGHTER)
        text = f"{what}: {self.names[worst]!r} moves no mass"
        raise ModelError(text, hint="give the link, or what it carries, mass or inertia")


def _mass_page(arm: ElasticTree, x: Reals) -> dict[str, Reals]:
    return {"M": elastic_composite.mass_matrix(arm, x)}


def moving_tree(whole: ElasticTree, model: Model) -> tuple[ElasticTree, tuple[str, ...]]:
    """With rotors, rigid masses and play of the model, and the springs that move; the names of those that do not."""
    bending = {k: link.beam.own for k, link in enumerate(model.links) if link.beam is not None}
    tree, _ = tilting(model, lower(model, drives=True, bending=bending))
    return with_springs_that_move(with_play(replace(whole, tree=tree), model))


def with_springs_that_move(arm: ElasticTree) -> tuple[ElasticTree, tuple[str, ...]]:
    """The arm with those springs that a rotor stands behind, and the names of the others.

    A spring moves the same links as its joint. Only a rotor, which turns with the joint alone, tells both apart:
    without one their mass matrix is singular, the spring passes its torque on, and has no motion of its own.
    """
    n, springs = arm.n, len(arm.springs)
    some = np.random.default_rng(0).uniform(-0.5, 0.5, size=n)  # the slope of a linkage may vanish at q = 0
    spins = np.zeros((len(arm.tree.rotors), arm.size))
    for row, rotor in zip(spins, arm.tree.rotors, strict=True):
        row[:n] = rotor.transmission.slope(some)
    rates = np.vstack([arm.turns, spins / np.maximum(np.abs(spins).max(axis=1, initial=0.0), 1e-300)[:, None]])
    kept = list(range(n))
    for k in range(n, n + springs):
        if np.linalg.matrix_rank(rates[:, [*kept, k]]) == len(kept) + 1:
            kept.append(k)
    gone = tuple(arm.names[k] for k in range(n, n + springs) if k not in kept)
    columns = [*kept, *range(n + springs, arm.size)]
    moving = replace(
        arm,
        springs=tuple(arm.springs[k - n] for k in kept[n:]),
        turns=arm.turns[:, columns],
        names=tuple(arm.names[k] for k in columns),
    )
    return moving, gone
