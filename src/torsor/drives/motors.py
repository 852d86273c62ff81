"""What motors can give: torque bounds at a speed (traceable), continuous duty, the warming of windings."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from torsor.algebra.functions import absolute, less, maximum, minimum, select
from torsor.drives.friction import stacked
from torsor.errors import Unsupported
from torsor.mechanics.tree import Reals
from torsor.model.limits import largest
from torsor.model.model import Model
from torsor.model.parts import Motor
from torsor.model.transforms import Floats


def bounds(motor: Motor, rate: Any) -> tuple[Any, Any]:
    """Least and greatest torque at a shaft speed.

    Peak torque and peak current bound it both ways. The torque-speed curve bounds what drives; braking keeps the peak.
    With a voltage limit the current can be (V - k_e rate) / R at most, and no less than (-V - k_e rate) / R.
    """
    peak = float("inf") if motor.torque is None else motor.torque
    if motor.current is not None and motor.torque_constant is not None:
        peak = min(peak, motor.current * motor.torque_constant)
    lower, upper = -peak + 0.0 * rate, peak + 0.0 * rate
    if motor.curve:
        driving = _curve(motor.curve, absolute(rate))
        upper = select(less(0.0, rate), minimum(upper, driving), upper)
        lower = select(less(rate, 0.0), maximum(lower, -driving), lower)
    if motor.voltage is not None and motor.resistance and motor.torque_constant is not None:
        back_emf = motor.torque_constant if motor.back_emf is None else motor.back_emf
        gain = motor.torque_constant / motor.resistance
        upper = minimum(upper, gain * (motor.voltage - back_emf * rate))
        lower = maximum(lower, gain * (-motor.voltage - back_emf * rate))
    return lower, upper


def all_bounds(model: Model, rates: Reals) -> tuple[Reals, Reals]:
    """The same of all motors, (..., m) each."""
    pairs = [bounds(drive.motor, rates[..., k]) for k, drive in enumerate(model.drives)]
    lower, upper = (stacked(list(side)) for side in zip(*pairs, strict=True))
    return lower, upper


def _curve(points: tuple[tuple[float, float], ...], speed: Any) -> Any:
    """Straight lines between the points; before the first the first, beyond the last nothing is left."""
    value: Any = points[0][1] + 0.0 * speed
    for (v0, t0), (v1, t1) in pairwise(points):
        value = select(less(speed, v0), value, t0 + (t1 - t0) / (v1 - v0) * (speed - v0))
    return select(less(points[-1][0], speed), 0.0, value)


def is_bounded(motor: Motor) -> bool:
    has_current = motor.current is not None and motor.torque_constant is not None
    return bool(motor.torque is not None or has_current or motor.curve or motor.voltage is not None)


def require_bounded(model: Model) -> None:
    """Refuses to ask what motors can do where no motor has a limit."""
    if not any(is_bounded(drive.motor) for drive in model.drives):
        hint = "give motor.torque, current, curve or voltage"
        raise Unsupported(f"no motor of {model.name!r} has a limit", hint=hint)


def speed_limits(model: Model) -> Floats:
    """Per joint, from the joints' own limits; infinite where there is none."""
    return largest(model.independent, "speed")


def motor_speeds(model: Model) -> Floats:
    return np.array([np.inf if d.motor.speed is None else d.motor.speed for d in model.drives])


def continuous(model: Model) -> Floats:
    """Torque each motor gives for ever; NaN where unknown."""
    return np.array([np.nan if d.motor.continuous is None else d.motor.continuous for d in model.drives])


def warming(model: Model, torques: Floats, dt: float | Floats, start: Floats) -> Floats:
    """Winding temperatures (samples, ..., m) above the surroundings after each sample; NaN where there is no model.

    T' = (rise (u / continuous)^2 - T) / time_constant, solved exactly for torques constant over a sample of ``dt``, the
    same for all or (samples, 1).
    """
    thermal = [d.motor.thermal for d in model.drives]
    known = [t is not None for t in thermal]
    rise = np.array([np.nan if t is None else t.rise for t in thermal])
    keep = np.exp(-dt / np.array([np.nan if t is None else t.time_constant for t in thermal]))
    settled = rise * (torques / np.where(known, continuous(model), np.nan)) ** 2
    temperatures = np.empty(settled.shape)
    now = np.broadcast_to(start, settled.shape[1:])
    for k, (target, left) in enumerate(zip(settled, np.broadcast_to(keep, settled.shape), strict=True)):
        now = temperatures[k] = target + (now - target) * left
    return temperatures
