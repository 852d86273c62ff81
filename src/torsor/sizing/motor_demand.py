"""What a program asks of each motor: points in its torque-speed plane, inertia, warmth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from torsor.checking import Verdict
from torsor.model.transforms import Floats
from torsor.sizing.spectra import weights

GRID = 41  # speeds at which a motor's bounds are told
POSTURES = 400  # of the motion, at which inertia is looked at


@dataclass(frozen=True, eq=False)
class MotorDemand:
    """Of one motor, or of a joint where the arm has no motors. What is not known is None."""

    name: str
    unit: str
    peak: float  # the largest torque
    peak_speed: float  # rad/s (m/s), where that is
    rms: float
    rms_speed: float  # root mean square of the speed
    top_speed: float
    top_torque: float  # where it is fastest
    limit: float | None  # peak torque at standstill
    continuous: float | None
    speed_limit: float | None
    torque_share: float | None  # the largest, of what it gives at its speed then
    rms_share: float | None  # of the continuous torque
    speed_share: float | None
    rotor_inertia: float | None
    inertia_ratio: tuple[float, float, float] | None  # least, mean, most: load, as the motor feels it, over rotor
    warm: float | None  # K at most, over the surroundings
    warm_limit: float | None
    rate: Floats  # (samples,) of the program
    torque: Floats  # (samples,)
    curve: tuple[Floats, Floats, Floats] | None  # speeds, least and greatest torque there

    def document(self) -> dict[str, Any]:
        skipped = ("rate", "torque", "curve")
        found = {name: value for name, value in vars(self).items() if name not in skipped}
        curve = None if self.curve is None else dict(zip(("speed", "lower", "upper"), self.curve, strict=True))
        return {**found, "curve": curve and {name: each.tolist() for name, each in curve.items()}}


def demands(verdict: Verdict) -> list[MotorDemand]:
    """Of all motors; the verdict has kept its signals."""
    machine, signals = verdict.machine, verdict.signals
    weight = weights(signals.time)
    rate, torque = signals.rate, signals.torque
    rms_speed = np.sqrt(weight @ rate**2 / max(float(weight.sum()), 1e-300))
    limits = machine.motor_speeds if machine.at_motors else machine.speeds
    shares, speeds = verdict.peak("torque"), verdict.peak("motor_speed" if machine.at_motors else "speed")
    ratios, curves = _inertia_ratios(verdict), _curves(verdict)
    warm_limits = machine.driven.drives.temperature_limits if machine.at_motors else np.full(rate.shape[1], np.inf)
    found = []
    for k, name in enumerate(verdict.motors):
        at, fast = int(np.abs(torque[:, k]).argmax()), int(np.abs(rate[:, k]).argmax())
        drive = machine.model.drives[k] if machine.at_motors else None
        warms = drive is not None and drive.motor.thermal is not None
        rms, largest, continuous = float(verdict.rms[k]), float(verdict.largest[k]), float(machine.continuous[k])
        found.append(
            MotorDemand(
                name,
                machine.units[k],
                peak=largest,
                peak_speed=float(abs(rate[at, k])),
                rms=rms,
                rms_speed=float(rms_speed[k]),
                top_speed=float(abs(rate[fast, k])),
                top_torque=float(abs(torque[fast, k])),
                limit=_known(machine.peaks[k]),
                continuous=_known(continuous),
                speed_limit=_known(limits[k]),
                torque_share=float(shares[k]) if machine.bounded[k] else None,
                rms_share=rms / continuous if np.isfinite(continuous) else None,
                speed_share=float(speeds[k]) if np.isfinite(limits[k]) else None,
                rotor_inertia=None if drive is None else drive.rotor_inertia,
                inertia_ratio=ratios[k],
                warm=float(verdict.warming.share[k]) if warms else None,
                warm_limit=_known(warm_limits[k]) if warms else None,
                rate=rate[:, k],
                torque=torque[:, k],
                curve=curves[k],
            )
        )
    return found


def _known(value: Any) -> float | None:
    return float(value) if np.isfinite(value) else None


def _inertia_ratios(verdict: Verdict) -> list[tuple[float, float, float] | None]:
    """Of what each motor accelerates besides its rotor, the other motors held, over its rotor's inertia."""
    machine, q = verdict.machine, verdict.signals.q
    if not machine.at_motors or not len(q):
        return [None] * len(verdict.motors)
    shown = q[np.unique(np.linspace(0, len(q) - 1, POSTURES).astype(int))]
    felt = machine.driven.drives.effective_inertia(shown)  # (postures, m), with the rotor
    found: list[tuple[float, float, float] | None] = []
    for k, drive in enumerate(machine.model.drives):
        if drive.rotor_inertia > 0.0:
            ratio = felt[:, k] / drive.rotor_inertia - 1.0
            found.append((float(ratio.min()), float(ratio.mean()), float(ratio.max())))
        else:
            found.append(None)
    return found


def _curves(verdict: Verdict) -> list[tuple[Floats, Floats, Floats] | None]:
    """What each motor gives over its speed; both ways."""
    machine, rate = verdict.machine, verdict.signals.rate
    top = np.maximum(np.abs(rate).max(axis=0, initial=0.0), np.nan_to_num(machine.motor_speeds, posinf=0.0))
    speeds = np.linspace(-1.0, 1.0, GRID)[:, None] * np.where(top > 0.0, top, 1.0)
    lower, upper = machine.driven.drives.available(speeds)
    return [(speeds[:, k], lower[:, k], upper[:, k]) if known else None for k, known in enumerate(machine.bounded)]
