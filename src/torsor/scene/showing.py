"""``arm.show``: an arm with sliders, at a posture, or going through many."""

from __future__ import annotations

import os
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike

from torsor.elastic.elastic_arm import Elastic
from torsor.errors import ShapeError
from torsor.mechanics.arguments import floats
from torsor.model.model import Model
from torsor.model.transforms import Floats
from torsor.motion.loop_closure import LoopClosure
from torsor.scene.composing import scene_of
from torsor.scene.display import Display, display, motion_of
from torsor.scene.drawn_bends import still_bends

SHORTEST = 2.0  # s that a motion without times takes at least ...
EACH = 0.02  # ... and each of its postures


class Shown(Protocol):
    """An arm, as far as it is needed to be shown."""

    model: Model

    @property
    def n(self) -> int: ...

    @property
    def closure(self) -> LoopClosure: ...

    @property
    def elastic(self) -> Elastic: ...


def shown(
    arm: Shown,
    q: ArrayLike | None,
    time: ArrayLike | None,
    file: str | os.PathLike[str] | None,
    *,
    bent: bool = False,
    mode: int | None = None,
) -> Display:
    closure = arm.closure if arm.model.loops else None
    if bent or mode is not None:
        found = _bent(arm, closure, q, mode)
    elif q is None:
        found = display("arm", arm.model.name, scene_of(arm.model, closure))
    else:
        joints = _closed(arm, floats("q", q, arm.n, f"{arm.model.name!r} has {arm.n} joints"))
        if joints.ndim == 1:
            found = display("arm", arm.model.name, scene_of(arm.model, closure, home=joints))
        else:
            times = _times(time, len(joints))
            motion = motion_of(arm.model.name, times, joints)
            scene = scene_of(arm.model, closure, home=joints[0])
            found = display("arm", arm.model.name, scene, [motion], time=times)
    if file is not None:
        found.save(file)
    return found


def _bent(arm: Shown, closure: LoopClosure | None, q: ArrayLike | None, mode: int | None) -> Display:
    """At one posture, as its weight bends it, with its modes."""
    given = np.zeros(arm.n) if q is None else floats("q", q, arm.n, f"{arm.model.name!r} has {arm.n} joints")
    if given.ndim != 1:
        raise ShapeError(f"q has shape {given.shape}", hint=f"give ({arm.n},): what bends is shown at one posture")
    scene = scene_of(arm.model, closure, home=_closed(arm, given))
    found = display("arm", arm.model.name, scene)
    return Display({**found.data, "bends": still_bends(arm.elastic, given, scene["size"], mode)})


def _closed(arm: Shown, q: Floats) -> Floats:
    """Joints of the tree (joints,) or (N, joints), all of which can be drawn."""
    if q.ndim > 2 or not len(q) or not np.isfinite(q).all():
        raise ShapeError(f"q has shape {q.shape}", hint="(n,), or (N, n) to go through, all finite")
    joints = tree_joints(arm, q)
    for k in np.flatnonzero(np.isnan(joints).any(axis=-1))[:1]:
        tree_joints(arm, q[k])  # asked alone it says which loop is open
    return joints


def tree_joints(arm: Shown, q: Floats) -> Floats:
    """(..., joints of the tree): with loops those that q, the free ones, move too."""
    return arm.closure.positions(q) if arm.model.loops else q


def _times(time: ArrayLike | None, count: int) -> Floats:
    if time is None:
        return np.linspace(0.0, max(SHORTEST, EACH * (count - 1)), count)
    given = np.asarray(time, dtype=np.float64)
    if given.shape != (count,) or not np.isfinite(given).all() or (np.diff(given) < 0.0).any():
        raise ShapeError(f"time has shape {given.shape}", hint=f"({count},) in s, one for each posture, rising")
    return given
