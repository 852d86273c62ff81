"""What bends in a run, as the page draws it: the arm bent over its rigid shadow, and where its tool really is."""

from __future__ import annotations

from typing import Any

import numpy as np

from torsor.errors import Unsupported
from torsor.model.transforms import Floats
from torsor.scene.drawn_bends import moving_bends
from torsor.simulation.bending import hanging
from torsor.simulation.outcome import Run

MOST = 4_000  # moments at which it is drawn bent


def bends_along(run: Run, size: float) -> dict[str, Any]:
    """Of an elastic run: what it hangs by at its joints, which are held for that, and what it swings by besides."""
    plant, kept = run._plant, slice(None, None, -(-len(run.time) // MOST))
    assert plant.elastic is not None
    c = plant.moving(run._y[kept])[0]
    straight, _ = plant.elastic.straight(run.q[kept], 0.0 * run.q[kept])
    try:
        hung = hanging(plant, straight, np.ascontiguousarray(run._p[kept]))
    except Unsupported:  # somewhere it could not stand still: all of it is swing then
        hung = straight
    joints, swing, weight = (plant.elastic.x(each) for each in (straight, c - hung, hung - straight))
    tree = plant.elastic.tree
    return moving_bends(run.arm.model, tree, run.time[kept], joints[:, : tree.n], swing, weight, size=size, modes=[])


def tool_along(run: Run, kept: slice) -> tuple[Floats, Floats]:
    """Where the tool is (times, 3), and its velocity, in base axes: that of the bent arm where it bends."""
    q, qd, plant = run.q[kept], run.qd[kept], run._plant
    if plant.elastic is not None:
        return plant.elastic.tool(*plant.moving(run._y[kept])[:2])
    return run.arm.pose(q)[:, :3, 3], (run.arm.jacobian(q)[:, :3] @ qd[..., None])[..., 0]
