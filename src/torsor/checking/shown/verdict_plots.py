"""What the plots of a verdict show: every axis against its limits."""

from __future__ import annotations

from collections.abc import Iterator
from math import pi
from typing import Any

import numpy as np

from torsor.checking.shown.verdict_tables import unit_of_power
from torsor.checking.verdict import Verdict
from torsor.model.transforms import Floats
from torsor.report.packing import FINE, packed
from torsor.report.panels import group, panel, where_different

DEGREES = 180.0 / pi
CARRIED = "what the bearing of each joint carries, without the part that is the motor's"


def plots_of(verdict: Verdict) -> dict[str, Any]:
    """Times, groups of panels, and where moves begin."""
    time, values = verdict.pictures.traces.points()
    where = verdict.pictures.column_spans()

    def columns(name: str) -> Floats:
        return values[:, where[name]] if len(time) else np.zeros((0, where[name].stop - where[name].start))

    moves = [[round(move.start, 4), move.place.line] for move in verdict.moves if move.kind not in ("payload",)]
    return {
        "time": packed(time, steps=FINE),
        "end": verdict.time,
        "moves": moves if len(moves) <= 400 else [],
        "groups": [
            each
            for each in (
                group("torque", *_torque(verdict), list(_torque_panels(verdict, columns))),
                group("speed", "Joint speed", "", list(_speed_panels(verdict, columns))),
                group("acceleration", "Joint acceleration", "", list(_acceleration_panels(verdict, columns))),
                group("position", "Joint position", "", list(_position_panels(verdict, columns))),
                group("tool", "Tool", "", list(_tool_panels(verdict, columns))),
                group("clearance", "Clearance", "between what comes nearest", list(_clearance(verdict, columns))),
                group("power", "Power", "mechanical, at the shaft", list(_power_panels(verdict, columns))),
                group("energy", "Energy", "since the program began", list(_energy_panels(verdict, time, columns))),
                group("warm", "Winding temperature", "above the surroundings", list(_warm_panels(verdict, columns))),
                group("force", "Bearing force", CARRIED, list(_bearing_panels(verdict, columns("force"), "N"))),
                group("moment", "Tilting moment", CARRIED, list(_bearing_panels(verdict, columns("moment"), "N m"))),
            )
            if each["panels"]
        ],
    }


def _torque(verdict: Verdict) -> tuple[str, str]:
    who = "Motor torque" if verdict.machine.at_motors else "Joint torque"
    if verdict.known.torque:
        return who, "as a share of what the motor gives at its speed; marked where it is asked for more"
    return who, "no torque limits are known"


def _torque_panels(verdict: Verdict, columns: Any) -> Iterator[dict[str, Any]]:
    if not verdict.known.masses:
        return
    asked, given, torque = columns("asked"), columns("given"), columns("torque")
    spans: dict[int, list[tuple[float, float]]] = {}
    for move in verdict.moves:
        for span in move.saturated:
            spans.setdefault(span.motor, []).append((span.start, span.end))
    for k, name in enumerate(verdict.motors):
        if not verdict.machine.bounded[k]:
            yield panel(name, verdict.machine.units[k], [("asked", torque[:, k])])
            continue
        # far beyond the limit a curve would flatten everything else
        series = [("asked", 100.0 * np.clip(asked[:, k], -10.0, 10.0))]
        if (other := where_different(given[:, k], asked[:, k], 1e-3)) is not None:
            series.append(("given", 100.0 * other))
        yield panel(name, "%", series, limits=(-100.0, 100.0), spans=spans.get(k))


def _speed_panels(verdict: Verdict, columns: Any) -> Iterator[dict[str, Any]]:
    machine, qd = verdict.machine, columns("qd")
    limits = machine.speeds
    if machine.at_motors:
        limits = np.minimum(limits, machine.driven.drives.joint_speed_limits())
    for k, (name, unit, factor) in enumerate(_units(verdict, "/s")):
        limit = factor * limits[k]
        yield panel(name, unit, [("planned", factor * qd[:, k])], limits=(-limit, limit))


def _acceleration_panels(verdict: Verdict, columns: Any) -> Iterator[dict[str, Any]]:
    qdd, limits = columns("qdd"), verdict.machine.accelerations
    for k, (name, unit, factor) in enumerate(_units(verdict, "/s\u00b2")):
        limit = factor * limits[k]
        yield panel(name, unit, [("planned", factor * qdd[:, k])], limits=(-limit, limit))


def _position_panels(verdict: Verdict, columns: Any) -> Iterator[dict[str, Any]]:
    q, reached = columns("q"), columns("reached")
    place = [verdict.machine.ranged.index(name) for name in verdict.joints]
    low, high = (side[place] for side in verdict.machine.positions)
    for k, (name, unit, factor) in enumerate(_units(verdict, "")):
        series = [("planned", factor * q[:, k])]
        if (other := where_different(reached[:, k], q[:, k], 1e-5)) is not None:
            series.append(("reached", factor * other))
        yield panel(name, unit, series, limits=(factor * low[k], factor * high[k]))


def _tool_panels(verdict: Verdict, columns: Any) -> Iterator[dict[str, Any]]:
    yield panel("tool speed", "m/s", [("planned", columns("tool_speed")[:, 0])], from_zero=True)
    off, turned = columns("off")[:, 0], columns("turned")[:, 0]
    if off.max(initial=0.0) > 0.0:
        yield panel("tool off its path", "mm", [("reached", 1e3 * off)], from_zero=True)
        yield panel("tool turned away", "deg", [("reached", DEGREES * turned)], from_zero=True)


def _clearance(verdict: Verdict, columns: Any) -> Iterator[dict[str, Any]]:
    if verdict.machine.surroundings is not None:
        free = 1e3 * columns("clearance")[:, 0]
        yield panel("clearance", "mm", [("planned", free)], limits=(0.0, np.inf), from_zero=True)


def _power_panels(verdict: Verdict, columns: Any) -> Iterator[dict[str, Any]]:
    if not verdict.known.masses:
        return
    unit, factor = unit_of_power(verdict)
    yield panel("all together", unit, [("asked", factor * columns("power")[:, 0])])
    for name, power in zip(verdict.motors, columns("motor_power").T, strict=True):
        yield panel(name, unit, [("asked", factor * power)])


def _energy_panels(verdict: Verdict, time: Floats, columns: Any) -> Iterator[dict[str, Any]]:
    if not verdict.known.masses:
        return
    power, factor = unit_of_power(verdict)
    unit = power.replace("W", "J")
    ends = np.cumsum([0.0, *(move.duration for move in verdict.moves)])

    def summed(name: str, of_moves: list[float]) -> Floats:
        """What signals sum up to, brought to what the moves take, which is known better than between signals."""
        sums: Floats = columns(name)[:, 0]
        missing = np.cumsum([0.0, *of_moves]) - np.interp(ends, time, sums)
        return np.asarray(factor * (sums + np.interp(time, ends, missing)))

    if len(time):
        energy = summed("energy", [move.energy for move in verdict.moves])
        yield panel("given by motors", unit, [("what they take back subtracted", energy)])
        heat = summed("heat", [move.friction for move in verdict.moves])
        if heat.any():
            yield panel("turned into heat", unit, [("by friction", heat)], from_zero=True)


def _warm_panels(verdict: Verdict, columns: Any) -> Iterator[dict[str, Any]]:
    if not verdict.machine.at_motors:
        return
    for drive, warm in zip(verdict.machine.model.drives, columns("warm").T, strict=True):
        if (thermal := drive.motor.thermal) is not None:
            yield panel(drive.name, "K", [("winding", warm)], limits=(-np.inf, thermal.limit), from_zero=True)


def _bearing_panels(verdict: Verdict, sizes: Floats, unit: str) -> Iterator[dict[str, Any]]:
    if not verdict.known.masses:
        return
    for name, size in zip(verdict.machine.bearing_names, sizes.T, strict=True):
        yield panel(name, unit, [("carried", size)], from_zero=True)


def _units(verdict: Verdict, per: str) -> Iterator[tuple[str, str, float]]:
    kinds = {link.joint.name: link.joint.kind for link in verdict.machine.model.links}
    for name in verdict.joints:
        slides = kinds[name] == "prismatic"
        yield name, ("mm" if slides else "deg") + per, 1e3 if slides else DEGREES
