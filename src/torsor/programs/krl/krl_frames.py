"""Frames, axes and loads of KRL as matrices and back; data that controllers are delivered with."""

from __future__ import annotations

import math
from math import degrees, radians
from typing import Any

import numpy as np

from torsor.model.transforms import Floats, pose, rotation_rpy, rpy_of
from torsor.programs.loads import HeldLoad
from torsor.programs.values import Absent, Value

MM = 1000.0
PLACE, TURN = ("x", "y", "z"), ("a", "b", "c")
AXES = ("a1", "a2", "a3", "a4", "a5", "a6")
NOTHING: dict[str, Value] = dict.fromkeys((*PLACE, *TURN), 0.0)
HOME: dict[str, Value] = {"a1": 0.0, "a2": -90.0, "a3": 90.0, "a4": 0.0, "a5": 0.0, "a6": 0.0}
# data of $config.dat as it is delivered
CONFIGURED: dict[str, Value] = {
    "xhome": HOME,
    "fhome": {"tool_no": 0.0, "base_no": 0.0, "ipo_frame": "#base"},
    "pdefault": {"vel": 100.0, "acc": 100.0, "apo_dist": 100.0},
    "ldefault": {"vel": 2.0, "acc": 100.0, "apo_dist": 100.0, "ori_typ": "#var"},
}
CONFIGURED |= {f"{name}{k}": CONFIGURED[name] for name in ("xhome", "fhome") for k in range(1, 6)}
DELIVERED = {"def_vel_cp": 2.0, "def_acc_cp": 2.3, "def_vel_ori1": 200.0, "def_apo_cdis": 3.0, "def_apo_cptp": 50.0}
STORES = ("tool_data", "base_data", "load_data")  # frames and loads by number, of $config.dat
ACTIVE = ("pdat_act", "fdat_act", "ldat_act")  # what inline forms hand over to BAS


def known(value: Any) -> bool:
    if isinstance(value, Absent):
        return False
    return all(map(known, value.values())) if isinstance(value, dict) else True


def matrix(frame: Any) -> Floats:
    """T (4, 4) in mm of a frame; parts that it does not have are 0."""
    x, y, z = (float(frame.get(name, 0.0)) for name in PLACE)
    a, b, c = (radians(frame.get(name, 0.0)) for name in TURN)
    return pose(rotation_rpy(c, b, a), [x, y, z])


def frame_of(T: Floats) -> dict[str, Value]:
    roll, pitch, yaw = rpy_of(T[:3, :3])
    turned = (degrees(yaw), degrees(pitch), degrees(roll))
    return dict(zip((*PLACE, *TURN), (*(float(x) for x in T[:3, 3]), *turned), strict=True))


def load_of(value: Any) -> HeldLoad:
    """$LOAD: mass, centre in mm and principal moments of inertia in kg m^2, in axes of the flange."""
    if not isinstance(value, dict) or not known(value) or not float(value.get("m", 0.0)) > 0.0:
        return HeldLoad()
    centre = value.get("cm", {})
    T = matrix(centre)
    J = value.get("j", {})
    about = T[:3, :3] @ np.diag([float(J.get(name, 0.0)) for name in PLACE]) @ T[:3, :3].T
    return HeldLoad.of(float(value["m"]), T[:3, 3] / MM, about)


def signs_of(point: Any) -> tuple[tuple[int, float, float], ...]:
    """T, the turn: bit k tells whether axis k + 1 is below zero."""
    turn = point.get("t")
    if not isinstance(turn, float) or not isinstance(point.get("s"), float) or not 0 <= turn < 64:
        return ()
    return tuple((k, -math.inf, 0.0) if int(turn) >> k & 1 else (k, 0.0, math.inf) for k in range(6))
