"""The arms of a box of parameters, pi = centre + B theta: their dynamics as graphs with theta as an input."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from torsor.algebra import Tape, jacobian, symbols, tape_from
from torsor.arm import Arm
from torsor.control.uncertainty import Directions
from torsor.mechanics.canonical import framed, regrouped
from torsor.mechanics.composite import mass_matrix
from torsor.mechanics.energy import energy
from torsor.mechanics.newton_euler import inverse_dynamics
from torsor.mechanics.regressor import with_parameters
from torsor.mechanics.tree import Reals, Tree, lower
from torsor.model.transforms import Floats


def tree_with(arm: Arm, pi: Any) -> Tree:
    """The tree of an arm with other inertial parameters (10 bodies,), numbers or graph scalars, no arm's need be."""
    return regrouped(with_parameters(framed(lower(arm.model)), pi))


class Family:
    """Arms centre + B theta. Parameters enter linearly, so bounds over theta are sums over its directions."""

    def __init__(self, centre: Arm, directions: Directions) -> None:
        self.centre, self.directions = centre, directions
        self.q = symbols("q", centre.n)
        self.qd = symbols("qd", centre.n)
        self.theta = symbols("theta", max(directions.k, 1))[: directions.k]

    def parameters(self, theta: Reals | None) -> Reals:
        """pi (10 bodies,) of the arm at theta (k,), or of that in the middle."""
        pi = np.asarray(self.centre.parameters, dtype=object)
        return pi if theta is None else pi + self.directions.B @ theta

    @cached_property
    def tree(self) -> Tree:
        """With theta symbolic."""
        return tree_with(self.centre, self.parameters(self.theta if self.directions.k else None))

    @cached_property
    def M(self) -> Reals:
        return mass_matrix(self.tree, self.q)

    @cached_property
    def h(self) -> Reals:
        """C qd + g."""
        return inverse_dynamics(self.tree, self.q, self.qd, np.zeros(self.centre.n), self.tree.gravity)

    @cached_property
    def parts(self) -> list[tuple[float, Reals, Reals]]:
        """Of the middle and of each direction: reach, M and g; each is a page of numbers."""
        still = np.zeros(self.centre.n)
        found = []
        known = self.directions
        for reach, pi in [(1.0, self.centre.parameters), *zip(known.reach, known.B.T, strict=True)]:
            tree = tree_with(self.centre, pi)
            # the slope of the potential keeps the zeros that Newton and Euler find by cancelling
            _, potential = energy(tree, self.q, still, tree.gravity)
            found.append((float(reach), mass_matrix(tree, self.q), jacobian(potential, self.q)))
        return found

    @cached_property
    def _mass(self) -> Tape:
        inputs = {"q": self.q} | ({"theta": self.theta} if self.directions.k else {})
        return tape_from("mass", inputs, {"M": self.M})

    def mass_matrix(self, q: Floats, theta: Floats) -> Floats:
        """M (..., n, n)"""
        if self.directions.k:
            return self._mass.evaluate(q, theta)[0]
        batch = np.broadcast_shapes(q.shape[:-1], theta.shape[:-1])
        return self._mass.evaluate(np.broadcast_to(q, (*batch, self.centre.n)))[0]
