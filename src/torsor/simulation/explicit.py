"""Explicit steps in machine code for arms without dry friction: Euler's two, and Runge-Kutta of fourth order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from torsor.model.transforms import Floats
from torsor.simulation.plant import STATE
from torsor.simulation.stepper import Stepper

if TYPE_CHECKING:
    from torsor.emit.native_loop import Call, NativeLoop

STAGES = ((0.5, 1 / 6, 0.0), (0.5, 1 / 3, 0.5), (1.0, 1 / 3, 0.5), (0.0, 1 / 6, 1.0))  # next point, weight, time


class RungeKutta(Stepper):
    """RK4: the torques are evaluated at all four stages."""

    @property
    def cells(self) -> dict[str, int]:
        return self.plant.sizes("ys", "ysum", "ts") | {f"stage{k}": 3 for k in range(4)}

    def make(self) -> NativeLoop:
        calls: list[Call] = []
        for k in range(4):
            calls += [*self.law_at(t="ts", y="ys"), self.call(self._stage(), coefficients=f"stage{k}")]
        return self.looped(*calls, self._finish(), after=self.watch())

    def put(self, row: Floats, y: Floats, mode: Floats) -> None:
        super().put(row, y, mode)
        for k, stage in enumerate(STAGES):
            self.space.at(row, f"stage{k}")[...] = stage
        self.space.at(row, "ys")[...] = y
        self.space.at(row, "ysum")[...] = y
        self.space.at(row, "ts")[...] = self.space.at(row, "t")

    def _stage(self) -> Any:
        plant = self.plant

        def page(t: Any, y: Any, mode: Any, u: Any, dt: Any, ys: Any, ysum: Any, coefficients: Any) -> dict[str, Any]:
            ahead, weight, time = coefficients
            h = dt[0]
            ydot = plant.rates(t[0] + time * h, ys, mode, u).ydot
            return {
                "new_ys": y + (ahead * h) * ydot,
                "new_ysum": ysum + (weight * h) * ydot,
                "new_ts": t + ahead * h,
            }

        sizes = plant.sizes(*STATE, "dt", "ys", "ysum") | {"coefficients": 3}
        return plant.kernel("stage", sizes, page)

    def _finish(self) -> Call:
        def page(t: Any, y: Any, dt: Any, ysum: Any) -> dict[str, Any]:
            t1 = t + dt
            return {
                "new_t": t1, "new_ts": t1, "new_t0": t, "new_y": ysum, "new_ys": ysum, "new_ysum": ysum, "new_y0": y,
            }  # fmt: skip

        return self.arithmetic(f"finish_{self.plant.size}", self.plant.sizes("t", "y", "dt", "ysum"), page)


class Euler(Stepper):
    """y1 = y + h f(t, y): to learn from, not to use."""

    implicit_positions = False

    @property
    def cells(self) -> dict[str, int]:
        return {}

    def make(self) -> NativeLoop:
        return self.looped(*self.law_at(), self.call(self._step()), after=self.watch())

    def _step(self) -> Any:
        plant, n = self.plant, self.plant.n

        def page(t: Any, y: Any, mode: Any, u: Any, dt: Any) -> dict[str, Any]:
            y1 = y + dt[0] * plant.rates(t[0], y, mode, u).ydot
            if self.implicit_positions:
                y1 = [y[i] + dt[0] * y1[n + i] if i < n else y1[i] for i in range(plant.size)]
            return {"new_t": t + dt, "new_t0": t, "new_y": y1, "new_y0": y}

        name = "semi_implicit" if self.implicit_positions else "euler"
        return plant.kernel(name, plant.sizes(*STATE, "dt"), page)


class SemiImplicitEuler(Euler):
    """qd1 = qd + h qdd(q, qd), then q1 = q + h qd1: first order, and better behaved than Euler's."""

    implicit_positions = True
