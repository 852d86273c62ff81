"""Is a loop too stiff for its step? The poles of its linearisation say so."""

from __future__ import annotations

import numpy as np

from torsor.model.transforms import Floats
from torsor.simulation.plant import Plant

EXPLICIT = 2.5  # |pole| dt up to which RK4 is stable (2.78 on the real axis, 2.83 on the imaginary one), with a margin


def poles(plant: Plant, t: Floats, y: Floats, mode: Floats, u: Floats, p: Floats) -> Floats:
    """Eigenvalues (..., size) of d ydot / dy at states y (..., size); at one state (size,) for a law that is called.

    By central differences of the kernel that a run needs anyway for its torques: they are right to six digits or more,
    and exact derivatives would cost a kernel several times as large just to be asked whether a loop is stiff.
    """
    extra = plant.more(p, plant.guess(y))
    if plant.limits_torques:
        # a motor at its limit hides how stiff its loop is once it leaves it
        _, asked, given = plant.moments.general(t, y, mode if plant.many else np.zeros(1), u, *extra)[:3]
        plant = plant if (asked == given).all() else plant.without_limits
    steps = 1e-6 * np.maximum(1.0, np.abs(y))[..., None, :] * np.eye(plant.size)  # (..., size, size)
    cell = mode[..., None, :] if plant.many else np.zeros(1)

    def rates(side: float) -> Floats:
        states, asked = y[..., None, :] + side * steps, u[..., None, :]
        if plant.torque.kind == "called":
            asked = np.array([plant.torque.called(float(t[0]), *plant.joints(each)) for each in states])
        extra = plant.more(p[..., None, :], plant.guess(states))
        found: Floats = plant.moments.general(t[..., None, :], states, cell, asked, *extra)[0]
        return found

    widths = 2.0 * np.diagonal(steps, axis1=-2, axis2=-1)[..., :, None]
    J = np.swapaxes((rates(1.0) - rates(-1.0)) / widths, -1, -2)
    return np.asarray(np.linalg.eigvals(np.where(np.isfinite(J), J, 0.0)))


def fastest(plant: Plant, y: Floats, p: Floats, held: Floats | None) -> complex:
    """The fastest pole at states (starts, size) and at the same poses at rest."""
    u = np.zeros(plant.inputs)
    if held is not None:
        u[: plant.m] = held
    found = [0.0j]
    for start, values in zip(y, p, strict=True):
        rest = start.copy()
        rest[plant.n : 2 * plant.n] = 0.0
        for state in (start, rest):
            mode = np.sign(state[plant.n : plant.n + plant.many])
            mode[mode == 0.0] = 1.0
            found += poles(plant, np.zeros(1), state, mode, u, values).tolist()
    return complex(max(found, key=abs))


def grown(plant: Plant, time: Floats, y: Floats, mode: Floats, u: Floats, p: Floats, dt: float) -> complex | None:
    """The fastest pole at some states of a finished run, where it is too fast for the step it was made with."""
    if not plant.has_slopes or plant.torque.kind == "sampled" or len(time) < 2:
        return None
    some = np.unique(np.linspace(1, len(time) - 1, 9).astype(int))
    found = poles(plant, time[some, None], y[some], mode[some], np.ascontiguousarray(u[some]), p[some]).ravel()
    worst = complex(max(found, key=abs))
    return worst if abs(worst) * dt > EXPLICIT else None


def pole_text(value: complex) -> str:
    return f"{value.real:.4g}" if abs(value.imag) <= 1e-6 * abs(value) else f"{value.real:.4g} + {abs(value.imag):.4g}i"
