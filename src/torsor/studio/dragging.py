"""Joints for a tool that is dragged: the nearest solution, every branch by name, or how far the arm comes."""

from __future__ import annotations

from typing import Any

import numpy as np

from torsor.studio import recipes
from torsor.studio.asked import AboutReach
from torsor.studio.shelf import Shelf, Telling


def reach(shelf: Shelf, progress: Telling, asked: AboutReach) -> dict[str, Any]:
    """Joints that put the tool at a pose: the nearest, or on a branch; out of reach the nearest that can be reached."""
    from torsor.motion import Unreachable

    arm, near, branch, branches = asked.arm, asked.near, asked.branch, asked.branches
    the = shelf.arm(arm)
    T = np.reshape(np.asarray(asked.pose, dtype=np.float64), (4, 4))
    how = f"nearest={recipes.written(near)}" + (f", branch={branch!r}" if branch else "")
    python = recipes.script(
        recipes.loading(arm),
        "from torsor.motion import Unreachable",
        "",
        f"T = {recipes.written(T)}",
        "try:",
        f"    q = arm.inverse_kinematics(T, {how})",
        "except Unreachable as far:",
        "    q = far.nearest",
        *(["branches = arm.inverse_kinematics(T)"] if branches else []),
    )
    found: dict[str, Any] = {"python": python, "command": None, "reached": True, "text": "", "branches": []}
    try:
        q = the.inverse_kinematics(T, nearest=near, branch=branch)
        every = the.inverse_kinematics(T) if branches else None
    except Unreachable as far:
        q, every = far.nearest, None
        found |= {"reached": False, "text": str(far)}
    if every is not None:
        rows = zip(every.names, every.q, every.within_limits, every.singular, strict=True)
        found["branches"] = [
            {"name": name, "q": row, "inside": inside, "singular": singular, "now": _same(row, q)}
            for name, row, inside, singular in rows
        ]
    tree = the.closure.positions(q) if the.model.loops else q
    return found | {"q": q, "pose": the.pose(q), "tree": tree}


def _same(one: Any, other: Any) -> bool:
    """Whether two solutions are the same posture: whole turns apart or not at all (no arm slides by 6 m)."""
    return bool(np.abs(np.exp(1j * np.asarray(one)) - np.exp(1j * np.asarray(other))).max() < 1e-6)
