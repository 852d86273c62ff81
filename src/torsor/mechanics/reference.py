"""The reference: every quantity computed plainly on floats, the oracle that compiled kernels are held against."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from torsor.mechanics import coriolis, kinematics, newton_euler, regressor
from torsor.mechanics import energy as energies
from torsor.mechanics.tree import Array, Tree
from torsor.model.transforms import Floats


@dataclass(frozen=True, eq=False)
class Reference:
    """Quantities of one tree on float arrays with leading dimensions. Arguments are taken as they are, unchecked."""

    tree: Tree

    def pose(self, q: Array, frame: str = "tool") -> Array:
        return kinematics.pose(self.tree, q, frame)

    def jacobian(self, q: Array, frame: str = "tool") -> Array:
        return kinematics.jacobian(self.tree, q, frame)

    def jacobian_dot_qd(self, q: Array, qd: Array, frame: str = "tool") -> Array:
        return kinematics.jacobian_dot_qd(self.tree, q, qd, frame)

    def inverse_dynamics(
        self, q: Array, qd: Array, qdd: Array, gravity: Floats | None = None, wrench: Array | None = None
    ) -> Array:
        return newton_euler.inverse_dynamics(self.tree, q, qd, qdd, self._gravity(gravity), wrench)

    def bearing_loads(
        self, q: Array, qd: Array, qdd: Array, gravity: Floats | None = None, wrench: Array | None = None
    ) -> Array:
        return newton_euler.bearing_loads(self.tree, q, qd, qdd, self._gravity(gravity), wrench)

    def mass_matrix(self, q: Array) -> Array:
        """Column j is the torque of a unit acceleration of joint j (Walker & Orin's first method)."""
        still = np.zeros(self.tree.n)
        columns = [
            newton_euler.inverse_dynamics(self.tree, q, still, unit, np.zeros(3)) for unit in np.eye(self.tree.n)
        ]
        M = np.stack(columns, axis=-1)
        return np.broadcast_to(M, (*q.shape, self.tree.n))  # of an arm that only slides it is the same everywhere

    def gravity(self, q: Array, gravity: Floats | None = None) -> Array:
        still = np.zeros(self.tree.n)
        return np.broadcast_to(self.inverse_dynamics(q, still, still, gravity), q.shape)

    def coriolis_matrix(self, q: Array, qd: Array) -> Array:
        return coriolis.coriolis_matrix(self.tree, q, qd)

    def forward_dynamics(
        self, q: Array, qd: Array, tau: Array, gravity: Floats | None = None, wrench: Array | None = None
    ) -> Array:
        """M qdd = tau - bias, solved with the mass matrix."""
        bias = self.inverse_dynamics(q, qd, np.zeros(self.tree.n), gravity, wrench)
        return np.linalg.solve(self.mass_matrix(q), (tau - bias)[..., None])[..., 0]

    def energy(self, q: Array, qd: Array, gravity: Floats | None = None) -> tuple[Array, Array]:
        return energies.energy(self.tree, q, qd, self._gravity(gravity))

    def regressor(self, q: Array, qd: Array, qdd: Array, gravity: Floats | None = None) -> Array:
        return regressor.regressor(self.tree, q, qd, qdd, self._gravity(gravity))

    def _gravity(self, gravity: Floats | None) -> Floats:
        return self.tree.gravity if gravity is None else gravity
