"""The tables of a sizing, for terminal and page alike; titles that begin with > are of numbers."""

from __future__ import annotations

from math import pi

from torsor.checking.verdict import percent
from torsor.sizing.sizing import Sizing

TitledRows = tuple[list[str], list[list[str]]]
RPM = 30.0 / pi


def motor_rows(sizing: Sizing) -> TitledRows:
    titles = ["motor" if sizing.verdict.machine.at_motors else "joint", ">peak", ">%", ">at rpm", ">RMS", ">%"]
    titles += [">top rpm", ">%", ">inertia ratio", ">K"]
    rows = []
    for motor in sizing.motors:
        turns = motor.unit == "N m"
        ratio = motor.inertia_ratio
        rows.append(
            [
                motor.name,
                f"{motor.peak:.3g} {motor.unit}",
                _share(motor.torque_share),
                _speed(motor.peak_speed, turns=turns),
                f"{motor.rms:.3g}",
                _share(motor.rms_share),
                _speed(motor.top_speed, turns=turns),
                _share(motor.speed_share),
                "-" if ratio is None else f"{ratio[0]:.2g} to {ratio[2]:.2g}",
                "-" if motor.warm is None else f"{motor.warm:.0f}",
            ]
        )
    return titles, rows


def chosen_rows(sizing: Sizing) -> TitledRows:
    assert sizing.chosen is not None
    titles = ["axis", "motor", "gear", ">peak N m", ">%", ">RMS N m", ">%", ">top rpm", ">%"]
    rows = []
    for axis, pairing in sizing.chosen.pairings.items():
        if pairing is None:
            rows.append([axis, "none does", *"-------"])
            continue
        motor = pairing.motor
        rows.append(
            [
                axis,
                motor.name,
                "as it is" if pairing.gear is None else pairing.gear.name,
                f"{pairing.torque:.3g}",
                percent(pairing.torque / motor.torque),
                f"{pairing.rms:.3g}",
                "-" if motor.continuous is None else percent(pairing.rms / motor.continuous),
                f"{RPM * pairing.speed:.0f}",
                percent(pairing.speed / motor.speed),
            ]
        )
    return titles, rows


def spectrum_rows(sizing: Sizing, *, classes: bool = True) -> TitledRows:
    """Shares of travel by tenths of the peak, in percent."""
    titles = ["of", "what", ">peak", ">equivalent"]
    titles += [f">{10 * k}" for k in range(1, 11)] if classes else []
    rows = []
    for one in sizing.spectra:
        shares = [f"{100.0 * share:.0f}" if share >= 5e-3 else "" for share in one.travel] if classes else []
        rows.append([one.name, one.what, f"{one.peak:.4g} {one.unit}", f"{one.equivalent:.4g}", *shares])
    return titles, rows


def _share(share: float | None) -> str:
    return "-" if share is None else percent(share)


def _speed(value: float, *, turns: bool) -> str:
    return f"{RPM * value:.0f}" if turns else f"{value:.3g} m/s"
