"""Joint rates and accelerations that give the tool a twist and its derivative.

Arms with a spherical wrist are solved in closed form, compiled (``mechanics/wrist_rates.py``), with their loops where
there are some; all others by the singular values of their Jacobian, with the smallest rates where there is a choice.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from torsor.errors import ShapeError
from torsor.mechanics.arguments import floats
from torsor.mechanics.tree import Reals
from torsor.model.transforms import Floats
from torsor.motion.inverse.solver import Solver

DAMPING = 0.01


class InverseRates:
    """The rates of one arm."""

    def __init__(self, solver: Solver) -> None:
        self.solver = solver
        geometry = solver.geometry
        wrist = geometry is not None and geometry.family != "three parallel"
        self.is_closed_form = wrist and (solver.tree.n == 6 or solver.linkage is not None)

    @cached_property
    def _velocity(self) -> Any:
        return self._page("inverse_velocity", {"q": 6})

    @cached_property
    def _acceleration(self) -> Any:
        return self._page("inverse_acceleration", {"q": 6, "qd": 6})

    def _page(self, name: str, states: dict[str, int]) -> Any:
        from torsor.emit import Page

        solver = self.solver
        inputs: dict[str, Any] = states | {"twist": 6, "damping": ()}
        facts = solver.tree.facts("tool"), None if solver.linkage is None else solver.linkage.facts
        return Page(f"{solver.tree.name}_{name}", inputs, self._rates_of, facts)

    def _rates_of(self, q: Reals, *given: Reals) -> dict[str, Reals]:
        """Rates of the joints for a twist; or, where qd is given before it, their accelerations for its derivative."""
        from torsor.mechanics.wrist_rates import chain_accelerations, chain_rates

        (*rates, twist, damping), geometry, linkage = given, self.solver.geometry, self.solver.linkage
        assert geometry is not None
        solve: Any = chain_accelerations if rates else chain_rates
        if linkage is None:
            order = list(geometry.chain.sources)
            back = [order.index(k) for k in range(6)]
            return {"rates": solve(geometry, q[order], *(qd[order] for qd in rates), twist, damping[()])[back]}
        chain, chain_qd = linkage.chain_of(q, rates[0] if rates else None)
        found = solve(geometry, chain, *([chain_qd] if rates else []), twist, damping[()])
        if rates:
            return {"rates": linkage.free_accelerations(chain, chain_qd, found)}
        return {"rates": linkage.free_rates(chain, found)}

    def velocity(self, q: ArrayLike, twist: ArrayLike, damping: float) -> Floats:
        q, twist = self._joints("q", q), _six("twist", twist)
        if self.is_closed_form:
            return np.asarray(self._velocity(q, twist, _checked(damping)))
        return self._by_singular_values(q, twist, _checked(damping))

    def acceleration(self, q: ArrayLike, qd: ArrayLike, twist_dot: ArrayLike, damping: float) -> Floats:
        q, qd, twist_dot = self._joints("q", q), self._joints("qd", qd), _six("twist_dot", twist_dot)
        if self.is_closed_form:
            return np.asarray(self._acceleration(q, qd, twist_dot, _checked(damping)))
        arm: Any = self.solver.arm
        return self._by_singular_values(q, twist_dot - arm.jacobian_dot_qd(q, qd), _checked(damping))

    def _joints(self, name: str, value: ArrayLike) -> Floats:
        arm = self.solver.arm
        return floats(name, value, arm.n, f"{arm.model.name!r} has {arm.n} joints")

    @cached_property
    def _size(self) -> float:
        """The arm's size, which lengths are compared with: a radian of the first joint moves the tool about so far."""
        lengths = [float(np.linalg.norm(body.position)) + abs(body.along) for body in self.solver.tree.bodies]
        return max(sum(lengths), 1e-3)

    def _by_singular_values(self, q: Floats, twist: Floats, damping: float) -> Floats:
        """The least rates of those that come closest; singular values below ``damping`` fade out, sigma / damping^2."""
        weight = np.array([1.0 / self._size] * 3 + [1.0] * 3)
        J = self.solver.arm.jacobian(q) * weight[:, None]
        known = np.isfinite(J).all(axis=(-1, -2))
        U, sigma, V = np.linalg.svd(np.where(known[..., None, None], J, 0.0), full_matrices=False)
        floor = max(damping, 1e-12) ** 2
        along = np.swapaxes(U, -1, -2) @ (twist * weight)[..., None]
        rates = (np.swapaxes(V, -1, -2) @ (along * (sigma / np.maximum(sigma**2, floor))[..., None]))[..., 0]
        return np.where(known[..., None], rates, np.nan)


def _six(name: str, value: ArrayLike) -> Floats:
    return floats(name, value, 6, "linear over angular, in base axes")


def _checked(damping: float) -> float:
    if not 0.0 <= damping < 1.0:
        raise ShapeError(f"damping is {damping!r}", hint="give a number from 0, exact everywhere, to below 1")
    return float(damping)
