"""What moves on the page of a verdict: the arm as planned and as it really goes, the tool's path, motors and lines.

All of it is drawn from moments in which everything belongs together (`traces.py`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from torsor.cell.cell_file import Obstacle
from torsor.checking.verdict import Verdict
from torsor.errors import Unsupported
from torsor.model.transforms import Floats
from torsor.report.packing import FINE, packed
from torsor.scene.composing import scene_of
from torsor.scene.display import loads_of
from torsor.scene.link_shapes import DrawnShape, box, cylinder

APART = 1e-4  # rad or m between planned and reached postures, or places of the tool, that a picture shows
MOST_MARKS = 60
HIGH = 0.9  # share of a limit from which a line is told to be near it
GRID = 41  # speeds at which a motor's bounds are drawn


def motion_of(verdict: Verdict) -> dict[str, Any]:
    """The parts of the page's document that say what happens when."""
    found = verdict.pictures.moments()
    time = packed(found["time"][:, 0], steps=FINE)
    return {
        "scene": _scene(verdict, found),
        "motions": _motions(verdict, found, time),
        "paths": _paths(verdict, found, time),
        "marks": _marks(verdict, found),
        "planes": _planes(verdict, found),
        "lines": _lines(verdict),
        "loads": _loads(verdict, found),
    }


def _scene(verdict: Verdict, found: dict[str, Floats]) -> dict[str, Any] | None:
    """The arm as it stands at first, with the tool that is mounted; None of an arm that cannot be drawn."""
    machine = verdict.machine
    closure = machine.arm.closure if machine.model.loops else None
    home = machine.whole(found["q"][0]) if len(found["q"]) else None
    solids = () if machine.surroundings is None else machine.surroundings.cell.obstacles
    planes = [(solid.placement[:3, 3], solid.placement[:3, 2]) for solid in solids if solid.kind == "plane"]
    try:
        scene = scene_of(machine.model, closure, home=home, planes=planes)
    except Unsupported:
        return None
    scene["base_shapes"] = [*scene["base_shapes"], *(_drawn(solid) for solid in solids if solid.kind != "plane")]
    if machine.tool is not None:
        mounted = machine.model.tool.placement @ machine.tool
        scene["tool"] = scene["tool"] | {"placement": mounted.ravel().tolist()}
    return scene


def _drawn(solid: Obstacle) -> DrawnShape:
    """What stands around the arm, in base axes."""
    if solid.kind == "box":
        x, y, z = (2.0 * solid.sizes).tolist()
        return box(solid.placement, (x, y, z), "cell")
    return cylinder(solid.placement, float(solid.sizes[0]), 2.0 * float(solid.sizes[1]), "cell")


def _motions(verdict: Verdict, found: dict[str, Floats], time: dict[str, Any]) -> list[dict[str, Any]]:
    kept = [("planned", found["q"])]
    if np.abs(found["reached"] - found["q"]).max(initial=0.0) > APART:
        kept.append(("reached", found["reached"]))
    shown = []
    for label, q in kept:
        whole = verdict.machine.whole(q) if len(q) else np.zeros((0, len(verdict.machine.ranged)))
        shown.append({"label": label, "time": time, "joints": [packed(column, steps=FINE) for column in whole.T]})
    return shown if len(found["q"]) else []


def _paths(verdict: Verdict, found: dict[str, Floats], time: dict[str, Any]) -> list[dict[str, Any]]:
    """In world axes, as the scene is drawn."""

    def path(kind: str, places: Floats, load: Floats | None) -> dict[str, Any]:
        base = verdict.machine.model.base
        points = [packed(column, steps=FINE) for column in (places @ base[:3, :3].T + base[:3, 3]).T]
        return {
            "label": kind,
            "kind": kind,
            "time": time,
            "points": points,
            "load": load if load is None else packed(load),
        }

    if not len(found["tool"]):
        return []
    known = verdict.pictures.load if verdict.known.torque else None
    paths = [path("planned", found["tool"], known)]
    if np.abs(found["tool_reached"] - found["tool"]).max() > APART:
        paths.append(path("reached", found["tool_reached"], None))
    return paths


def _marks(verdict: Verdict, found: dict[str, Floats]) -> list[dict[str, Any]]:
    """Where a limit is passed, the worst first, at the moment nearest to it."""
    time, base = found["time"][:, 0], verdict.machine.model.base
    if not len(time):
        return []
    worst = sorted(verdict.problems, key=lambda problem: -problem.share)[:MOST_MARKS]
    marks = []
    for problem in worst:
        place = found["tool"][np.abs(time - problem.time).argmin()]
        marks.append(
            {
                "time": problem.time,
                "point": (base[:3, :3] @ place + base[:3, 3]).tolist(),
                "line": problem.place.line,
                "motor": problem.who,
                "text": problem.text,
            }
        )
    return marks


def _planes(verdict: Verdict, found: dict[str, Floats]) -> list[dict[str, Any]]:
    machine = verdict.machine
    if not machine.at_motors or not machine.weighed or not len(found["rate"]):
        return []
    fastest = np.maximum(np.abs(found["rate"]).max(axis=0), np.nan_to_num(machine.motor_speeds, posinf=0.0))
    rates = np.linspace(-1.0, 1.0, GRID)[:, None] * np.where(fastest > 0.0, fastest, 1.0)
    lower, upper = machine.driven.drives.available(rates)
    planes = []
    for k, name in enumerate(verdict.motors):
        if not machine.bounded[k]:
            continue
        around = [*zip(rates[:, k], upper[:, k], strict=True), *zip(rates[::-1, k], lower[::-1, k], strict=True)]
        curve = [[round(float(x), 6) for x in point] for point in around if np.isfinite(point).all()]
        speed, torque = packed(found["rate"][:, k]), packed(found["torque"][:, k])
        planes.append({"motor": name, "curve": curve, "speed": speed, "torque": torque})
    return planes


def _loads(verdict: Verdict, found: dict[str, Floats]) -> dict[str, Any] | None:
    """What joints exert on their links at the times of the motion, and what acts on the tool."""
    machine = verdict.machine
    if not len(found["q"]) or not machine.weighed:
        return None
    links = [k for k, link in enumerate(machine.model.links) if link.joint.moves]
    loads, loops = (found[name].reshape(len(found["q"]), -1, 6) for name in ("bearing", "loop"))
    return loads_of(links, loads, loops, machine.wrench)


def _lines(verdict: Verdict) -> list[dict[str, Any]]:
    """When each line of the program runs, and what became of it."""
    spans: dict[int, list[list[float]]] = {}
    near: dict[int, float] = {}
    for move in verdict.moves:
        line = move.place.line
        if move.duration > 0.0:
            spans.setdefault(line, []).append([round(move.start, 4), round(move.start + move.duration, 4)])
        judged = ("torque", "speed", "motor_speed")
        shares = [getattr(move, name).worst for name in judged if name in move.machine.judged]
        near[line] = max(near.get(line, 0.0), *shares)
    over = set(verdict.lines)
    return [
        {"line": line, "spans": taken, "verdict": "over" if line in over else "high" if near[line] > HIGH else "fine"}
        for line, taken in spans.items()
    ]
