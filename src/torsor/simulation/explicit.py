"""Explicit steps in machine code for arms without dry friction: Euler's two, and Runge-Kutta of fourth order."""

from __future__ import annotations

from typing import Any

import numpy as np

from torsor.emit.native_loop import Call, NativeLoop
from torsor.mechanics.tree import Reals
from torsor.simulation.stepper import Staged, Stepper


class RungeKutta(Staged):
    """RK4: the torques are evaluated at all four stages."""

    def make(self) -> NativeLoop:
        calls: list[Call] = []
        for k in range(4):
            calls += [*self.known_at(t="ts", y="ys"), self.page(self._stage, coefficients=f"stage{k}")]
        return self.looped(*calls, self.page(self._finish, general=True), after=self.watch())

    def _stage(
        self, t: Reals, y: Reals, mode: Reals, u: Reals, dt: Reals, ts: Reals, ys: Reals, ysum: Reals,
        coefficients: Reals,
    ) -> dict[str, Any]:  # fmt: skip
        return self.ahead(t, y, ysum, self.plant.rates(ts[0], ys, mode, u).ydot, dt[0], coefficients)

    def _finish(self, t: Reals, y: Reals, dt: Reals, ysum: Reals) -> dict[str, Any]:
        found = {"new_t": t + dt, "new_ts": t + dt, "new_t0": t, "new_y0": y}
        return found | dict.fromkeys(("new_y", "new_ys", "new_ysum"), ysum)


class Euler(Stepper):
    """y1 = y + h f(t, y): to learn from, not to use."""

    @property
    def cells(self) -> dict[str, int]:
        return {}

    def make(self) -> NativeLoop:
        return self.looped(*self.known_at(), self.page(self._step), after=self.watch())

    def _step(self, t: Reals, y: Reals, mode: Reals, u: Reals, dt: Reals) -> dict[str, Any]:
        y1 = self.moved(y, y + dt[0] * self.plant.rates(t[0], y, mode, u).ydot, dt[0])
        return {"new_t": t + dt, "new_t0": t, "new_y": y1, "new_y0": y}

    def moved(self, y: Reals, y1: Reals, h: Any) -> Reals:
        return y1


class SemiImplicitEuler(Euler):
    """qd1 = qd + h qdd(q, qd), then q1 = q + h qd1: first order, and better behaved than Euler's."""

    def moved(self, y: Reals, y1: Reals, h: Any) -> Reals:
        n = self.plant.n
        return np.concatenate([y[:n] + h * y1[n : 2 * n], y1[n:]])
