"""From what a stepper kept to the run that users hold."""

from __future__ import annotations

import numpy as np

from torsor.model.transforms import Floats
from torsor.simulation.choosing import Choice
from torsor.simulation.driving import Course, Stopped
from torsor.simulation.events import Happening
from torsor.simulation.outcome import Run
from torsor.simulation.stepper import Stepper
from torsor.simulation.torques import Torque


def run_of(
    stepper: Stepper, torque: Torque, course: Course, choice: Choice, time: Floats, kept: Floats,
    events: tuple[Happening, ...], stopped: Stopped | None,
) -> Run:  # fmt: skip
    """A run, or several, from what was kept: (times, ...), or (N, times, ...)."""
    plant = stepper.plant
    y, mode, u = (stepper.space.at(kept, name) for name in ("y", "mode", "u"))
    if len(time) > 1:
        u[..., 0, :] = u[..., 1, :]
    q, qd, x = plant.joints(y)
    guess = stepper.space.at(kept, "closed") if plant.guessed else np.zeros((*y.shape[:-1], 0))
    if torque.kind == "called":
        rows = [torque.called(float(time[i[-1]]), q[i], qd[i], x[i]) for i in np.ndindex(y.shape[:-1])]
        u = np.reshape(rows, (*y.shape[:-1], plant.inputs))
    p = course.values.along(time, course.changes, course.dt)
    p = np.broadcast_to(p, (*y.shape[:-1], p.shape[-1]))
    stuck = mode == 0.0 if plant.many else np.zeros((*y.shape[:-1], 0), dtype=bool)
    time, q, qd, x, stuck = (np.ascontiguousarray(array) for array in (time, q, qd, x, stuck))
    for array in (time, q, qd, x, stuck):
        array.flags.writeable = False
    return Run(
        plant.arm, time, q, qd, x, stuck, plant.coordinates.names if plant.many else (), events, (), stopped,
        choice.integrator, course.values.named, torque.law, plant, y, mode, u, p, guess,
    )  # fmt: skip
