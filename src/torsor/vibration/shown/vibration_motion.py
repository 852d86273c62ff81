"""What moves on the page of a vibration: the arm along the program, how it bends, the way of its tool, its stops."""

from __future__ import annotations

from typing import Any

import numpy as np

from torsor.elastic.hanging import hung
from torsor.elastic.moving_stress import stress_at
from torsor.scene.composing import scene_of
from torsor.scene.display import motion_of as joints_of
from torsor.scene.display import path_of
from torsor.scene.drawn_bends import modes_of, moving_bends
from torsor.vibration.shown.vibration_plots import shown_samples
from torsor.vibration.shown.vibration_tables import late
from torsor.vibration.stops import held_at
from torsor.vibration.vibration import Vibration

MOST_STOPS = 40  # whose modes are shown, and that are marked


def motion_of(found: Vibration) -> dict[str, Any]:
    """The parts of the page's document that say what happens when."""
    arm, swing, at = found.arm, found.swing, shown_samples(found)
    q, time = swing.told[0][at], found.time[at]
    scene = scene_of(arm.model, arm.closure if arm.model.loops else None, home=q[0])
    places = arm.pose(swing.q[at])[..., :3, 3] @ arm.model.base[:3, :3].T + arm.model.base[:3, 3]
    return {
        "scene": scene,
        "motions": [joints_of(found.program, time, q)],
        "paths": [path_of("planned", "planned", time, places)],
        "marks": _marks(found, places),
        "lines": _lines(found),
        "loads": None,
        "bends": _bends(found, at, scene["size"]),
    }


def _bends(found: Vibration, at: Any, size: float) -> dict[str, Any]:
    """What swings and what hangs, over all coordinates of the tree: joints that drives hold are where they are told."""
    swing, arm = found.swing, found.swing.arm
    q = swing.told[0][at]
    weight = hung(swing.elastic, arm, q)[0]
    x, hangs = (arm.x(np.zeros(q.shape), u) for u in (swing.u[at] - weight, weight))
    return moving_bends(
        found.arm.model,
        arm.tree,
        found.time[at],
        q,
        x,
        hangs,
        size=size,
        modes=_modes(found),
        colours=_stress(found, at),
    )


def _stress(found: Vibration, at: Any) -> list[dict[str, Any]]:
    """What sections carry at each moment, in the nodes at which they are cut; of two cuts at a node the larger."""
    if found.stress is None or found.stress.worst is None:
        return []
    tree = found.swing.tree
    count = {tree.tree.bodies[i].name: len(mesh.nodes) for i, mesh in tree.meshes.items()}
    links = {}
    for name, link in stress_at(found.swing, at).links.items():
        nodes = np.full((len(at), count[name]), np.nan)
        for cut, values in zip(link.nodes, link.von_mises.T, strict=True):
            nodes[:, cut] = np.fmax(nodes[:, cut], 1e-6 * values)
        links[name] = nodes
    most = max(float(np.nanmax(link.von_mises)) for link in found.stress.links.values() if link.is_known)
    return [{"name": "stress", "unit": "MPa", "most": 1e-6 * most, "links": links}]


def _modes(found: Vibration) -> list[dict[str, Any]]:
    """At the stops."""
    dt = float(found.time[1])
    shown = []
    for stop in found.stops[:MOST_STOPS]:
        joints = found.swing.told[0][min(round(stop.end / dt), len(found.time) - 1)]
        title = f"after line {stop.place.line}, {stop.end:.2f} s"
        shown.append(modes_of(held_at(found.swing.arm, joints), title, stop.end))
    return shown


def _marks(found: Vibration, places: Any) -> list[dict[str, Any]]:
    """Stops that do not settle."""
    step = float(found.time[shown_samples(found)[1]])
    missed = [stop for stop in found.stops if not stop.is_settled][:MOST_STOPS]
    return [
        {
            "time": stop.end,
            "point": places[min(round(stop.end / step), len(places) - 1)].tolist(),
            "line": stop.place.line,
            "motor": "the tool",
            "text": late(stop),
        }
        for stop in missed
    ]


def _lines(found: Vibration) -> list[dict[str, Any]]:
    """When each line of the program runs, and whether the tool settles after it."""
    spans: dict[int, list[list[float]]] = {}
    for move, _ in found.moves:
        spans.setdefault(move.place.line, []).append([round(move.start, 4), round(move.end, 4)])
    missed = {stop.place.line for stop in found.stops if not stop.is_settled}
    return [
        {"line": line, "spans": taken, "verdict": "over" if line in missed else "fine"} for line, taken in spans.items()
    ]
