"""The variational midpoint rule: symplectic, second order, for runs whose energy must stay for a long time.

With q_m = q0 + h v / 2 the discrete Lagrangian h L(q_m, v) gives (Marsden and West 2001, 2.3 and, forced, 3.2)

    p0 = M(q_m) v - h/2 (dL/dq + F),    p1 = M(q_m) v + h/2 (dL/dq + F),    q1 = q0 + h v

which is the implicit midpoint rule of Hamilton's equations. v is found by Newton's method with the exact slope; what
the law and viscous friction give, F, is taken at the midpoint.
"""

from __future__ import annotations

from functools import reduce
from typing import Any

import numpy as np

from torsor.algebra import adjoint, jacobian, substitute, symbols
from torsor.algebra.functions import absolute, less, maximum, select
from torsor.drives.gearing import gauss
from torsor.emit.native_loop import NativeLoop
from torsor.mechanics.composite import solve_dense
from torsor.mechanics.tree import Reals
from torsor.simulation.stepper import Stepper

CLOSE = 1e-9  # a correction below this share leaves an error of its square, which is less than rounding
MOST = 30  # corrections; lanes make as many as a step of any of them needs
LANES = 4


class Symplectic(Stepper):
    @property
    def cells(self) -> dict[str, int]:
        n, k = self.plant.n, self.plant.k
        return {"again": 1, "momentum": n, "w": n + k, "ym": 2 * n + k}

    def make(self) -> NativeLoop:
        enter = (*self.known_at(), self.page(self._enter))
        middle = (self.page(self._middle, general=True), *self.known_at(y="ym")) if self.plant.guessed else ()
        correct = (*middle, self.page(self._correct))
        leave = (*middle, self.page(self._leave), *self.known_at(y="ym"), self.page(self._arrive))
        if not self.plant.guessed:
            leave = (self.page(self._at_once),)
        if self.lanes:  # lanes step together: a fixed number of corrections for all
            return self.looped(*(correct * LANES), *leave, before=enter)
        again = self.space.place["again"], -1
        return self.looped(*correct, before=enter, after=(*leave, *self.watch()), again=again, most=MOST)

    def _enter(self, t: Reals, y: Reals) -> dict[str, Any]:
        c, cd, _ = self.plant.moving(y)
        guess = np.concatenate([cd, np.zeros(self.plant.k)])
        return {"new_t0": t, "new_y0": y, "momentum": self.plant.mass(c) @ cd, "w": guess, "again": 1.0}

    def _middle(self, y: Reals, dt: Reals, w: Reals) -> dict[str, Any]:
        n, half = self.plant.n, 0.5 * dt[0]
        return {"ym": np.concatenate([y[:n] + half * w[:n], w[:n], y[2 * n :] + half * w[n:]])}

    def _forces(self, t: Reals, y: Reals, u: Reals, dt: Reals, w: Reals) -> tuple[Reals, Reals, Reals]:
        """M(q_m) v, h/2 (dL/dq + F) and the rates of the law's states, at the midpoint of a step with rates w."""
        plant, n = self.plant, self.plant.n
        half, v, middle = 0.5 * dt[0], w[:n], self._middle(y, dt, w)["ym"]
        tau, wrench, xdot, _, _ = plant.pushed(t[0] + half, middle, u)
        q = middle[:n]
        place = symbols("place", n)
        kinetic = 0.5 * (v @ (plant.mass(place) @ v))
        bent = substitute(adjoint(kinetic, place, 1.0), dict(zip(place, q, strict=True)))
        weight = plant.resisting(q, np.zeros(n), np.zeros(n), wrench)
        if plant.elastic is not None:
            tau = tau - plant.elastic.damping(q, v)
        return plant.mass(q) @ v, half * (bent - weight + tau), xdot

    def _correct(self, t: Reals, y: Reals, u: Reals, dt: Reals, momentum: Reals, w: Reals) -> dict[str, Any]:
        momenta, push, xdot = self._forces(t, y, u, dt, w)
        residual = np.concatenate([momenta - push - momentum, w[self.plant.n :] - xdot])
        slope = jacobian(residual, w, "forward")
        change = np.array(gauss([list(row) for row in slope], list(residual)), dtype=object)
        size, most = reduce(maximum, absolute(w), 1e-6), reduce(maximum, absolute(change), 0.0)
        return {"new_w": w - change, "again": select(less(CLOSE * size, most), 1.0, 0.0)}

    def _leave(self, t: Reals, y: Reals, u: Reals, dt: Reals, w: Reals) -> dict[str, Any]:
        n = self.plant.n
        momenta, push, _ = self._forces(t, y, u, dt, w)
        ym = np.concatenate([y[:n] + dt[0] * w[:n], w[:n], y[2 * n :] + dt[0] * w[n:]])
        return {"new_t": t + dt, "ym": ym, "new_momentum": momenta + push}

    def _at_once(self, t: Reals, y: Reals, u: Reals, dt: Reals, w: Reals) -> dict[str, Any]:
        left = self._leave(t, y, u, dt, w)
        return {"new_t": left["new_t"], **self._arrive(left["ym"], left["new_momentum"])}

    def _arrive(self, ym: Reals, momentum: Reals) -> dict[str, Any]:
        n = self.plant.n
        return {"new_y": np.concatenate([ym[:n], solve_dense(self.plant.mass(ym[:n]), momentum), ym[2 * n :]])}
