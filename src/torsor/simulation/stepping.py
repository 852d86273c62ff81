"""What all ways of stepping share: a workspace, a loop over it, and how a state is put in and taken out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from torsor.model.transforms import Floats
from torsor.simulation.events import Guard, watched
from torsor.simulation.laws import Foreign
from torsor.simulation.plant import Plant
from torsor.simulation.sampled import Controller
from torsor.simulation.workspace import Workspace

if TYPE_CHECKING:
    from torsor.emit.native_loop import Call, NativeLoop


class Stepper(ABC):
    """Steps of ``dt``. What is kept of a row are the first cells of the workspace: t, y, mode, u."""

    order: int  # of the error over a run
    many_lanes = True  # whether several rollouts can be stepped together
    adaptive = False  # whether it chooses its own steps

    def __init__(self, plant: Plant, guards: tuple[Guard, ...], *, lanes: bool = False) -> None:
        self.plant, self.guards, self.lanes = plant, guards, lanes
        self.controller = None if plant.torque.sampled is None else Controller(plant, plant.torque.sampled)
        sizes = plant.sizes("t", "y", "mode", "u", "y0", "t0", "mode0", "dt", "halt", "steps") | {"g": len(guards)}
        sizes |= {"p": len(plant.parameters)} | self.cells()
        if self.controller is not None:
            sizes |= self.controller.cells()
        self.space = Workspace(sizes)
        self.law = self._foreign()
        self.loop: NativeLoop = self.make()

    @abstractmethod
    def cells(self) -> dict[str, int]:
        """What this way of stepping needs beside the rest."""

    @abstractmethod
    def make(self) -> NativeLoop:
        """The loop of one step."""

    def check(self, row: Floats) -> None:
        """Raises where a step did not come to its end."""

    # the parts of loops

    def call(self, kernel: Any, **renamed: str) -> Call:
        return self.space.call(kernel, **renamed)

    def before(self) -> tuple[Call, ...]:
        """A sampled controller ticks before the step."""
        return () if self.controller is None else (self.call(self.controller.kernel()),)

    def watch(self) -> tuple[Call, ...]:
        """After a step: whether something happened."""
        if self.lanes:
            return ()
        plant = self.plant

        def page(t: Any, y: Any, g: Any, steps: Any) -> dict[str, Any]:
            values, halt = watched(plant, self.guards, t[0], y, g)
            return {
                "new_g": np.array(values, dtype=object),
                "new_halt": np.array([halt], dtype=object),
                "new_steps": steps + 1.0,
            }

        sizes = plant.sizes("t", "y") | {"g": len(self.guards), "steps": 1}
        return (self.call(plant.kernel("watch", sizes, page, key=self)),)

    def law_at(self, **renamed: str) -> tuple[Call, ...]:
        """The call of a law that only runs in Python, for a time and a state of the workspace."""
        return () if self.law is None else (self.call(self.law, **renamed),)

    def _foreign(self) -> Foreign | None:
        plant, torque = self.plant, self.plant.torque
        if torque.kind != "called":
            return None
        n = plant.n

        def law(t: Floats, y: Floats) -> Floats:
            q, qd = y[:n], y[n : 2 * n]
            if plant.many:
                q, qd = plant.coordinates.B @ q, plant.coordinates.B @ qd
            u, xdot = torque(float(t[0]), q, qd, y[2 * n :])
            return np.concatenate([np.broadcast_to(np.asarray(u, dtype=np.float64), (plant.m,)), xdot])

        return Foreign("law", law, {"t": 1, "y": plant.size}, {"u": plant.inputs})

    def halting(self) -> dict[str, Any]:
        given = (self.space.place["u"], self.plant.m if self.plant.torque.kind == "table" else 0)
        if self.controller is not None:
            given = self.controller.given(self.space)
        kept = self.space.span("t", "u")
        return {"given": given, "kept": kept, "halt": None if self.lanes else self.space.place["halt"]}

    def advance(self, row: Floats, rows: int, given: Floats | None, inner: int) -> Floats:
        """Runs the loop; what was kept of complete rows."""
        return self.loop.run(row, rows, given=given, inner=inner)

    def bracket(self, row: Floats) -> tuple[float, Floats, float, Floats]:
        """Time and state before the last step, and after it."""
        at = self.space.at
        return float(at(row, "t0")[0]), at(row, "y0").copy(), float(at(row, "t")[0]), at(row, "y").copy()

    def jumped(self, row: Floats) -> None:
        """Parameters have changed between two steps."""

    def resume(self, row: Floats) -> None:
        """Goes on after a halt."""
        self.space.at(row, "halt")[:] = 0.0

    def retaken(self, row: Floats, h: float) -> tuple[float, Floats, Floats]:
        """t, y and mode after a step of ``h`` from where the last step began: how events inside it are located."""
        again = row.copy()
        for name, old in (("t", "t0"), ("mode", "mode0")):
            self.space.at(again, name)[:] = self.space.at(row, old)
        self.space.at(again, "dt")[:] = h
        self.put(again, self.space.at(row, "y0").copy(), self.space.at(again, "mode").copy())
        ticks = len(self.before())
        done = self.loop.after[: len(self.loop.after) - len(self.watch())]
        loop = replace(self.loop, before=self.loop.before[ticks:], after=done, given=(0, 0), halt=None)
        loop.run(again, 1)
        return tuple(self.space.at(again, name).copy() for name in ("t", "y", "mode"))  # type: ignore[return-value]

    # states in and out

    def start(self, t: float, y: Floats, mode: Floats, dt: float, p: Floats, u: Floats | None) -> Floats:
        """A workspace (width,), or (lanes, width) for states (lanes, size)."""
        row = np.zeros((*y.shape[:-1], self.space.width))
        for name, value in (("t", t), ("t0", t), ("dt", dt)):
            self.space.at(row, name)[...] = value
        if self.plant.parameters:
            self.space.at(row, "p")[...] = p
        if u is not None and self.plant.torque.kind == "held":
            self.space.at(row, "u")[...] = u
        if self.controller is not None:
            self.controller.start(self.space, row, y)
        self.put(row, y, mode)
        return row

    def put(self, row: Floats, y: Floats, mode: Floats) -> None:
        """A new state, and what it means to the guards."""
        self.space.at(row, "y")[...] = y
        self.space.at(row, "y0")[...] = y
        if self.plant.many:
            self.space.at(row, "mode")[...] = mode
            self.space.at(row, "mode0")[...] = mode
        self.space.at(row, "halt")[...] = 0.0
        if row.ndim == 1 and self.guards:
            self.space.at(row, "g")[:] = self.values(float(self.space.at(row, "t")[0]), y)

    def values(self, t: float, y: Floats) -> Floats:
        """Of the guards, on floats."""
        n = self.plant.n
        q, qd = y[:n], y[n : 2 * n]
        if self.plant.many:
            q, qd = self.plant.coordinates.B @ q, self.plant.coordinates.B @ qd
        return np.array([float(guard.value(t, q, qd)) for guard in self.guards])
