"""Frames, axes and loads of KRL as matrices and back; data that controllers are delivered with."""

from __future__ import annotations

import math
from math import degrees, radians
from typing import Any

import numpy as np

from torsor.errors import TorsorError
from torsor.model.transforms import Floats, pose, rotation_quaternion, rotation_rpy, rpy_of
from torsor.motion.paths.rotations import turn_between
from torsor.programs.loads import HeldLoad
from torsor.programs.values import Absent, Value, Wrong

MM = 1000.0
HALF_TURN = 180.0
ALL_TURNS = 1 << 12  # of T: a bit for each of six axes of the arm and six beside it
PLACE, TURN = ("x", "y", "z"), ("a", "b", "c")
AXES = ("a1", "a2", "a3", "a4", "a5", "a6")
EXTERNAL = ("e1", "e2", "e3", "e4", "e5", "e6")
NOTHING: dict[str, Value] = dict.fromkeys((*PLACE, *TURN), 0.0)
HOME: dict[str, Value] = {"a1": 0.0, "a2": -90.0, "a3": 90.0, "a4": 0.0, "a5": 0.0, "a6": 0.0}
# data of $config.dat as it is delivered
CONFIGURED: dict[str, Value] = {
    "xhome": HOME,
    "fhome": {"tool_no": 0.0, "base_no": 0.0, "ipo_frame": "#base"},
    "fdefault": {"tool_no": 0.0, "base_no": 0.0, "ipo_frame": "#base"},
    "pdefault": {"vel": 100.0, "acc": 100.0, "apo_dist": 100.0},  # KRC4 adds APO_MODE #CDIS
    "ldefault": {"vel": 2.0, "acc": 100.0, "apo_dist": 100.0, "ori_typ": "#var"},
}
CONFIGURED |= {f"{name}{k}": CONFIGURED[name] for name in ("xhome", "fhome") for k in range(1, 6)}
DELIVERED = {
    "def_vel_ptp": 100.0,
    "def_vel_cp": 2.0,
    "def_acc_cp": 2.3,
    "def_vel_ori1": 200.0,
    "def_apo_cdis": 3.0,
    "def_apo_cptp": 50.0,
}
STORES = ("tool_data", "base_data", "load_data")  # frames and loads by number, of $config.dat
ACTIVE = ("pdat_act", "fdat_act", "ldat_act")  # what inline forms hand over to BAS


def known(value: Any) -> bool:
    """Whether all of it is; of axes beside the arm it does not hang where the arm goes."""
    if isinstance(value, Absent):
        return False
    return all(known(part) for name, part in value.items() if name not in EXTERNAL) if isinstance(value, dict) else True


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
    if not isinstance(turn, float) or not isinstance(point.get("s"), float) or not 0 <= turn < ALL_TURNS:
        return ()
    return tuple((k, -math.inf, 0.0) if int(turn) >> k & 1 else (k, 0.0, math.inf) for k in range(6))


def _turn(axis: Floats, angle: float) -> Floats:
    return rotation_quaternion(math.cos(angle / 2.0), *(math.sin(angle / 2.0) * axis).tolist())


def by_angle(start: Floats, via: Floats, end: Floats, angle: float) -> list[tuple[Floats, Floats]]:
    """CA: so many degrees along the circle through three frames, in arcs of half a turn at most.

    Each is its middle and its end, T (4, 4); the orientation goes evenly from that of the start to that of the end. A
    negative angle goes the other way round.
    """
    p0, p1, p2 = start[:3, 3], via[:3, 3], end[:3, 3]
    a, b = p1 - p0, p2 - p0
    normal = np.cross(a, b)
    size = float(normal @ normal)
    if not size > 1e-12 * max(float(a @ a), float(b @ b), 1e-300) ** 2:
        raise Wrong("a circle through points on one line", "the three points of a circle form a triangle")
    centre = p0 + (float(a @ a) * np.cross(b, normal) + float(b @ b) * np.cross(normal, a)) / (2.0 * size)
    axis = normal / math.sqrt(size)
    try:
        about, by = turn_between(start[:3, :3], end[:3, :3])
    except TorsorError as error:
        raise Wrong(error.problem, error.hint) from None

    def at(share: float) -> Floats:
        around = _turn(axis, radians(angle) * share)
        return pose(start[:3, :3] @ _turn(about, by * share), centre + around @ (p0 - centre))

    count = max(1, math.ceil(abs(angle) / HALF_TURN - 1e-9))
    return [(at((k + 0.5) / count), at((k + 1.0) / count)) for k in range(count)]
