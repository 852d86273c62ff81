"""What has equations of motion: drives and simulations ask for no more of an arm, whether its links bend or not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from torsor.mechanics.transmissions import Rotor
from torsor.mechanics.tree import Real, Reals
from torsor.model.transforms import Floats


class EquationsOfMotion(Protocol):
    """M(q) qdd + h(q, qd) = tau in n coordinates q, joints first. All of it traces.

    Where loops restrict the coordinates themselves (``multipliers``), tau + G^T f is on the right, and M and h are of
    the opened tree.
    """

    @property
    def n(self) -> int: ...

    @property
    def joints(self) -> int:
        """How many of them are joints as drives turn them: the first ones."""
        ...

    @property
    def multipliers(self) -> int:
        """How many forces f keep loops closed that only forward dynamics find; 0 where coordinates are independent."""
        ...

    @property
    def gravity(self) -> Floats:
        """(3,), the arm's own, in base axes."""
        ...

    @property
    def rotors(self) -> tuple[Rotor, ...]: ...

    def taken(self) -> dict[str, Reals]:
        """What pages take beside their states: where Newton's method, which closes some loops, starts."""
        ...

    def closing(self, q: Reals, guess: Reals) -> tuple[Reals, Real]:
        """That start brought nearer to where loops close at q, and squares of what it left open."""
        ...

    def mass_matrix(self, q: Reals) -> Reals:
        """M (..., n, n)."""
        ...

    def inverse_dynamics(self, q: Reals, qd: Reals, qdd: Reals, gravity: Reals, wrench: Reals | None = None) -> Reals:
        """tau (..., n), with what springs and bent links pull by themselves."""
        ...

    def forward_dynamics(self, q: Reals, qd: Reals, tau: Reals, gravity: Reals, wrench: Reals | None = None) -> Reals:
        """qdd (..., n)."""
        ...

    def link_torques(self, q: Reals, qd: Reals, qdd: Reals, gravity: Reals, wrench: Reals | None) -> Reals:
        """tau without what turns the rotors themselves: what loads the gears."""
        ...

    def rotor_torques(self, q: Reals, qd: Reals, qdd: Reals, gravity: Reals) -> Reals:
        """Torques of q that turn the rotors themselves."""
        ...

    def passed_on(self, q: Reals, qd: Reals) -> Mapping[int, Real]:
        """Joints whose link torque the state tells alone, because a spring passes it on."""
        ...

    def energy(self, q: Reals, qd: Reals, gravity: Reals) -> tuple[Real, Real]:
        """Kinetic (rotors included) and potential energy, each (...)."""
        ...
