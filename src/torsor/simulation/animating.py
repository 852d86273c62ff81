"""A run as a page: the arm as it moved, and its curves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from torsor.drives import motors
from torsor.model.transforms import Floats
from torsor.report.panels import group, panel
from torsor.report.two_documents import Difference, compared
from torsor.scene.composing import scene_of
from torsor.scene.display import Display, display, loads_of, motion_of, path_of
from torsor.scene.showing import tree_joints
from torsor.simulation.animated_bends import bends_along, tool_along
from torsor.simulation.outcome import Run

CARRIED = "that each joint exerts on its link, the motor's part included"
MOST_TIMES = 20_000  # that are drawn; longer runs are thinned evenly


def animated(
    run: Run, reference: ArrayLike | None, title: str | None, planes: Sequence[tuple[ArrayLike, ArrayLike]]
) -> Display:
    arm, kept = run.arm, slice(None, None, -(-len(run.time) // MOST_TIMES))
    target = None if reference is None else np.broadcast_to(np.asarray(reference, dtype=np.float64), run.q.shape)[kept]
    time, q = run.time[kept], run.q[kept]
    closure = arm.closure if arm.model.loops else None
    moved = tree_joints(arm, q)
    motions, paths = [motion_of("run", time, moved)], [_path(run, "reached", time, tool_along(run, kept)[0])]
    if target is not None:
        motions.append(motion_of("reference", time, tree_joints(arm, target)))
        paths.insert(0, _path(run, "planned", time, arm.pose(target)[:, :3, 3]))
    events = [{"time": event.time, "text": event.name} for event in run.events]
    scene = scene_of(arm.model, closure, home=moved[0], planes=planes)
    found = display(
        "run",
        title or arm.name,
        scene,
        motions,
        paths,
        time=time,
        groups=_groups(run, kept, target),
        loads=None if run.bearing is None else _loads(run, run.bearing[kept], kept),
        fields={"events": events, "notes": [*run.notes], "integrator": run.integrator},
    )
    return Display({**found.data, "bends": bends_along(run, scene["size"])}) if run.eta_names else found


def animated_both(
    first: Run, second: Run, reference: ArrayLike | None, title: str | None, planes: Sequence[Any]
) -> Display:
    """Two runs beside each other; a ``reference`` is of the first."""
    names = [str(getattr(run.law, "__name__", "") or type(run.law).__name__) for run in (first, second)]
    ways = [(first.arm.name, second.arm.name), (first.by or "", second.by or "")]
    ways += [(first.integrator, second.integrator), (names[0], names[1])]
    labels = next((pair for pair in ways if pair[0] != pair[1]), ("this", "the other"))
    both = compared(
        dict(animated(first, reference, title, planes).data), dict(animated(second, None, title, ()).data), labels
    )
    both["fields"] = both["fields"] | {"differences": {"labels": labels, "rows": _differences(first, second)}}
    return Display(both)


def _differences(first: Run, second: Run) -> list[Difference]:
    def pair(of: Callable[[Run], Any]) -> tuple[float, float]:
        return float(of(first)), float(of(second))

    rows: list[Difference] = [
        ("time", "s", *pair(lambda run: run.time[-1])),
        ("peak power", "W", *pair(lambda run: np.abs(run.tau * run.rates).sum(axis=-1).max())),
        ("work of all motors", "J", *pair(lambda run: run.work.sum())),
        ("energy at the end", "J", *pair(lambda run: run.energy[-1])),
    ]
    for name in (name for name in first.motors if name in second.motors):
        peaks = [float(np.abs(run.peak_torque[run.motors.index(name)])) for run in (first, second)]
        rows.append((f"{name}: peak torque", "N m", peaks[0], peaks[1]))
    if first.q.shape == second.q.shape and np.array_equal(first.time, second.time):
        rows.append(("largest difference of a joint", "rad", 0.0, float(np.abs(first.q - second.q).max())))
    return rows


def _path(run: Run, kind: str, time: Floats, places: Floats) -> dict[str, Any]:
    T_world_base = run.arm.model.base
    points = places @ T_world_base[:3, :3].T + T_world_base[:3, 3]
    label = "tool" if kind == "reached" else "tool as asked for"
    return path_of(label, kind, time, points)


def _groups(run: Run, kept: slice, target: Floats | None) -> list[dict[str, Any]]:
    joints = [link.joint for link in run.arm.model.links_on(run.arm.joint_names)]
    units = ["m" if joint.kind == "prismatic" else "rad" for joint in joints]
    q, qd, tau, asked = run.q[kept], run.qd[kept], run.tau[kept], run.asked[kept]
    qdd, time = run.qdd[kept], run.time[kept]
    positions, errors, speeds, accelerations = [], [], [], []
    for j, (joint, unit) in enumerate(zip(joints, units, strict=True)):
        wanted = [] if target is None else [("reference", target[:, j])]
        limits = joint.limits.position or (-np.inf, np.inf)
        positions.append(panel(joint.name, unit, [("position", q[:, j]), *wanted], limits=limits))
        fastest = np.inf if joint.limits.speed is None else joint.limits.speed
        speeds.append(panel(joint.name, f"{unit}/s", [("speed", qd[:, j])], limits=(-fastest, fastest)))
        hardest = np.inf if joint.limits.acceleration is None else joint.limits.acceleration
        of_joint = [("acceleration", qdd[:, j])]
        accelerations.append(panel(joint.name, f"{unit}/s\u00b2", of_joint, limits=(-hardest, hardest)))
        if target is not None:
            errors.append(panel(joint.name, unit, [("error", q[:, j] - target[:, j])]))
    torques = [
        panel(name, _torque_unit(run, k, units), [("given", tau[:, k]), *_asked(tau[:, k], asked[:, k])])
        for k, name in enumerate(run.motors)
    ]
    rates = run.rates[kept]
    power = [panel(name, "W", [("power", tau[:, k] * rates[:, k])]) for k, name in enumerate(run.motors)]
    energy = [("kinetic", run.kinetic[kept]), ("potential", run.potential[kept]), ("together", run.energy[kept])]
    of_whom = "joints" if run.motors == tuple(run.arm.joint_names) else "motors"
    found = [
        group("positions", "Positions", "", positions),
        group("errors", "Errors", "position less reference", errors),
        group("speeds", "Speeds", "", speeds),
        group("accelerations", "Accelerations", "", accelerations),
        group("torques", "Torques", f"of {of_whom}, after their limits", torques),
        group("power", "Power", f"that {of_whom} give", power),
        group("energy", "Energy", "of the arm", [panel("energy", "J", energy)]),
        group("tool", "Tool", "", _of_tool(run, kept, target)),
        group("warm", "Winding temperature", "above the surroundings", _warming(run, time, tau)),
        group("force", "Bearing force", CARRIED, _bearings(run, kept, slice(0, 3), "N")),
        group("moment", "Bearing moment", CARRIED, _bearings(run, kept, slice(3, 6), "N m")),
    ]
    return [each for each in found if each["panels"]]


def _of_tool(run: Run, kept: slice, target: Floats | None) -> list[dict[str, Any]]:
    places, velocities = tool_along(run, kept)
    speed = np.linalg.norm(velocities, axis=-1)
    found = [panel("tool speed", "m/s", [("speed", speed)], from_zero=True)]
    if target is not None:
        off = np.linalg.norm(places - run.arm.pose(target)[:, :3, 3], axis=-1)
        found.append(panel("tool off its reference", "mm", [("distance", 1e3 * off)], from_zero=True))
    return found


def _warming(run: Run, time: Floats, tau: Floats) -> list[dict[str, Any]]:
    """How warm windings get that are as warm as their surroundings at first."""
    drives = () if run.motors == tuple(run.arm.joint_names) else run.arm.model.drives
    if not any(drive.motor.thermal for drive in drives):
        return []
    squared = tau**2
    middle = np.sqrt(0.5 * (squared[1:] + squared[:-1]))
    warm = motors.warming(run.arm.model, middle, np.diff(time)[:, None], np.zeros(len(drives)))
    found = []
    for drive, column in zip(drives, np.vstack([np.zeros(len(drives)), warm]).T, strict=True):
        if (thermal := drive.motor.thermal) is not None:
            found.append(panel(drive.name, "K", [("winding", column)], limits=(-np.inf, thermal.limit), from_zero=True))
    return found


def _loads(run: Run, bearing: Floats, kept: slice) -> dict[str, Any]:
    q, qd, qdd = run.q[kept], run.qd[kept], run.qdd[kept]
    loops = np.zeros((len(q), 0, 6))
    if run.arm.model.loops:
        loops = run.arm.closure.forces(q, qd, qdd, gravity=run.gravity)
    return loads_of(_bearing_links(run), bearing, loops)


def _bearing_links(run: Run) -> list[int]:
    return [k for k, link in enumerate(run.arm.model.links) if link.joint.moves]


def _bearings(run: Run, kept: slice, part: slice, unit: str) -> list[dict[str, Any]]:
    if run.bearing is None:
        return []
    sizes = np.linalg.norm(run.bearing[kept][..., part], axis=-1)
    names = [run.arm.model.links[k].joint.name for k in _bearing_links(run)]
    return [panel(name, unit, [("carried", size)], from_zero=True) for name, size in zip(names, sizes.T, strict=True)]


def _asked(given: Floats, asked: Floats) -> list[tuple[str, Floats]]:
    """What the law asked for, where the motor did not give it."""
    return [] if np.array_equal(given, asked) else [("asked for", asked)]


def _torque_unit(run: Run, k: int, units: list[str]) -> str:
    is_joint = run.motors == tuple(run.arm.joint_names)
    return "N" if is_joint and units[k] == "m" else "N m"
