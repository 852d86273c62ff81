"""The reference of an arm with loops: quantities in driven joints, by the pages themselves on floats."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from torsor.mechanics import projection
from torsor.mechanics.loops import Driven, Loops
from torsor.mechanics.tree import Array, Tree
from torsor.model.transforms import Floats


@dataclass(frozen=True, eq=False)
class _Asked:
    """Options of one call."""

    gravity: Array
    wrench: Array | None = None
    frame: str = "tool"


@dataclass(frozen=True, eq=False)
class DrivenReference:
    """As ``Reference``, for the driven joints of one arm. Arguments are taken as they are, unchecked."""

    tree: Tree
    loops: Loops

    def at(self, q: Array) -> Driven:
        closure = self.loops.closure(self.tree)
        return Driven(closure, q, closure.entries(closure.guess(q)))

    def pose(self, q: Array, frame: str = "tool") -> Array:
        return self._ask("pose", q, frame=frame)

    def jacobian(self, q: Array, frame: str = "tool") -> Array:
        return self._ask("jacobian", q, frame=frame)

    def jacobian_dot_qd(self, q: Array, qd: Array, frame: str = "tool") -> Array:
        return self._ask("jacobian_dot_qd", q, qd, frame=frame)

    def inverse_dynamics(
        self, q: Array, qd: Array, qdd: Array, gravity: Floats | None = None, wrench: Array | None = None
    ) -> Array:
        return self._ask("inverse_dynamics", q, qd, qdd, gravity=gravity, wrench=wrench)

    def bearing_loads(
        self, q: Array, qd: Array, qdd: Array, gravity: Floats | None = None, wrench: Array | None = None
    ) -> Array:
        return self._ask("bearing_loads", q, qd, qdd, gravity=gravity, wrench=wrench)

    def mass_matrix(self, q: Array) -> Array:
        return self._ask("mass_matrix", q)

    def gravity(self, q: Array, gravity: Floats | None = None) -> Array:
        return self._ask("gravity", q, gravity=gravity)

    def coriolis_matrix(self, q: Array, qd: Array) -> Array:
        return self._ask("coriolis_matrix", q, qd)

    def forward_dynamics(
        self, q: Array, qd: Array, tau: Array, gravity: Floats | None = None, wrench: Array | None = None
    ) -> Array:
        """M qdd = tau - bias, solved with the mass matrix."""
        bias = self.inverse_dynamics(q, qd, np.zeros(self.loops.n), gravity, wrench)
        return np.linalg.solve(self.mass_matrix(q), (tau - bias)[..., None])[..., 0]

    def energy(self, q: Array, qd: Array, gravity: Floats | None = None) -> tuple[Array, Array]:
        found = projection.PAGES["energy"](self.at(q), self._options(gravity), qd)
        return found["kinetic"], found["potential"]

    def regressor(self, q: Array, qd: Array, qdd: Array, gravity: Floats | None = None) -> Array:
        return self._ask("regressor", q, qd, qdd, gravity=gravity)

    def _ask(self, quantity: str, q: Array, *states: Array, **options: Any) -> Array:
        (value,) = projection.PAGES[quantity](self.at(q), self._options(**options), *states).values()
        return value

    def _options(self, gravity: Floats | None = None, wrench: Array | None = None, frame: str = "tool") -> Any:
        return _Asked(self.tree.gravity if gravity is None else gravity, wrench, frame)
