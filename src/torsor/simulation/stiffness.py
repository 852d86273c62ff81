"""Is a loop too stiff for its step? The poles of its linearisation say so."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

import numpy as np

from torsor.model.transforms import Floats
from torsor.simulation.plant import Plant

EXPLICIT = 2.5  # |pole| dt up to which RK4 is stable (2.78 on the real axis, 2.83 on the imaginary one), with a margin
LARGEST_IMPLICIT = 24  # equations that are factored in straight code; with more, shorter explicit steps are cheaper
MOST = 400  # steps of rk4 for one dt, where nothing else can be used

Start = tuple[Floats, Floats, Floats, Floats]  # q, qd, states of the law, parameters


def poles(plant: Plant, t: Floats, y: Floats, mode: Floats, u: Floats, p: Floats) -> Floats:
    """Eigenvalues (..., size) of d ydot / dy at states y (..., size).

    By central differences of the kernel that a run needs anyway for its torques: they are right to six digits or more,
    and exact derivatives would cost a kernel several times as large just to be asked whether a loop is stiff.
    """
    steps = 1e-6 * np.maximum(1.0, np.abs(y))[..., None, :] * np.eye(plant.size)  # (..., size, size)
    extra = (p[..., None, :],) if plant.parameters else ()
    cell = mode[..., None, :] if plant.many else np.zeros(1)
    at = y[..., None, :]
    ahead, behind = (
        plant.moments().general(t[..., None, :], at + side * steps, cell, u[..., None, :], *extra)[0]
        for side in (1.0, -1.0)
    )
    widths = 2.0 * np.diagonal(steps, axis1=-2, axis2=-1)[..., :, None]
    J = np.swapaxes((ahead - behind) / widths, -1, -2)
    if plant.torque.kind == "called" and y.ndim == 1:
        J = J + _called_slopes(plant, float(t[0]), y, mode, u, p)
    return np.asarray(np.linalg.eigvals(np.where(np.isfinite(J), J, 0.0)))


def _called_slopes(plant: Plant, t: float, y: Floats, mode: Floats, u: Floats, p: Floats) -> Floats:
    """What the law adds to the Jacobian of ydot, by differences of the law."""
    extra = (p,) if plant.parameters else ()
    cell = mode if plant.many else np.zeros(1)
    sides = (
        plant.moments().general(np.array([t]), y, cell, u + side * np.eye(len(u)), *extra)[0] for side in (0.5, -0.5)
    )
    B = np.subtract(*sides).T  # ydot is linear in torques, but for the limits of motors
    n, back = plant.n, plant.coordinates.B if plant.many else np.eye(plant.n)

    def law(y: Floats) -> Floats:
        tau, xdot = plant.torque(t, back @ y[:n], back @ y[n : 2 * n], y[2 * n :])
        return np.concatenate([np.broadcast_to(np.asarray(tau, dtype=np.float64), (plant.m,)), xdot])

    columns = []
    for i in range(plant.size):
        step = np.zeros(plant.size)
        step[i] = 1e-6 * max(1.0, abs(y[i]))
        columns.append((law(y + step) - law(y - step)) / (2.0 * step[i]))
    return np.asarray(B @ np.array(columns).T)


def judged(
    plant: Plant,
    tolerance: float | None,
    dt: float,
    starts: Sequence[Start],
    held: Floats | None,
    notes: list[str],
) -> tuple[str, float | None, int]:
    """rk4, or what a stiff loop needs. Looks at each start and at the same pose at rest; says what it decided."""
    from torsor.simulation.choosing import STIFF

    T = plant.coordinates.T if plant.many else np.eye(plant.n)
    u = np.zeros(plant.inputs)
    if held is not None:
        u[: plant.m] = held
    fastest: complex = 0.0
    for q, qd, x, p in starts:
        for rate in (qd, 0.0 * qd):
            y = np.concatenate([T @ q, T @ rate, x])
            mode = np.sign(y[plant.n : plant.n + plant.many])
            mode[mode == 0.0] = 1.0
            found = poles(plant, np.zeros(1), y, mode, u, p)
            fastest = max(fastest, complex(found[int(np.argmax(np.abs(found)))]), key=abs)
    if tolerance is not None and abs(fastest) * dt <= EXPLICIT:
        return "dormand-prince", tolerance, 1
    if abs(fastest) * dt <= EXPLICIT:
        return "rk4", None, 1
    most = EXPLICIT / abs(fastest)
    text = f"the loop is stiff: a pole at {pole_text(fastest)} 1/s asks rk4 for steps below {most:.2g} s"
    if plant.many or plant.torque.kind in ("called", "sampled") or plant.n + plant.k > LARGEST_IMPLICIT:
        substeps = min(MOST, ceil(abs(fastest) * dt / EXPLICIT))
        if plant.torque.kind == "sampled":
            notes.append(f"{text}; choose dt accordingly")
            return "rk4", None, 1
        notes.append(f"{text}; {substeps} steps of rk4 are made for each dt of {dt:g} s")
        return "rk4", None, substeps
    notes.append(f"{text}; it is stepped by the implicit rosenbrock to a tolerance of {tolerance or STIFF:g}")
    return "rosenbrock", tolerance or STIFF, 1


def grown(plant: Plant, time: Floats, y: Floats, mode: Floats, u: Floats, p: Floats, dt: float) -> complex | None:
    """The fastest pole at some states of a finished run, where it is too fast for the step it was made with."""
    if plant.many or plant.torque.kind in ("called", "sampled") or len(time) < 2:
        return None
    some = np.unique(np.linspace(1, len(time) - 1, 9).astype(int))
    found = poles(plant, time[some, None], y[some], mode[some], np.ascontiguousarray(u[some]), p[some]).ravel()
    worst = complex(found[int(np.argmax(np.abs(found)))])
    return worst if abs(worst) * dt > EXPLICIT else None


def pole_text(value: complex) -> str:
    return f"{value.real:.4g}" if abs(value.imag) <= 1e-6 * abs(value) else f"{value.real:.4g} + {abs(value.imag):.4g}i"
