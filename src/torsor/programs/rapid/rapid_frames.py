"""Poses of RAPID, position in mm and quaternion, as matrices and back; loads and configurations."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from torsor.model.transforms import Floats, pose, quaternion_of, rotation_quaternion, rotation_rpy, rpy_of
from torsor.programs.loads import HeldLoad
from torsor.programs.values import Absent, Value, Wrong

MM = 1000.0
CONFIGURED = (("cf1", 0), ("cf4", 3), ("cf6", 5))  # of confdata: parts that are quadrants, and their joints
LEAST = 0.1  # length of a quaternion that means a rotation; printed ones are of length 1 to a few digits


def known(value: Value) -> bool:
    """Whether nothing in a value is unknown."""
    if isinstance(value, float):  # as most parts are
        return True
    if isinstance(value, Absent):
        return False
    if isinstance(value, dict):
        return all(map(known, value.values()))
    return all(map(known, value)) if isinstance(value, tuple) else True


def position(pos: Any) -> Floats:
    return np.array([pos["x"], pos["y"], pos["z"]], dtype=np.float64)


def rotation(orient: Any) -> Floats:
    q = [orient[name] for name in ("q1", "q2", "q3", "q4")]
    length = math.sqrt(sum(x * x for x in q))
    if not length > LEAST:
        raise Wrong("a quaternion of length 0 is no orientation", "[1,0,0,0] is the one that turns nothing")
    return rotation_quaternion(*(x / length for x in q))


def matrix(frame: Any) -> Floats:
    """T (4, 4) in mm, of a pose or of a robtarget."""
    return pose(rotation(frame["rot"]), position(frame["trans"]))


def pos_of(p: Floats) -> dict[str, Value]:
    x, y, z = (float(each) for each in p)
    return {"x": x, "y": y, "z": z}


def orient_of(R: Floats) -> dict[str, Value]:
    return dict(zip(("q1", "q2", "q3", "q4"), (float(x) for x in quaternion_of(R)), strict=True))


def pose_of(T: Floats) -> dict[str, Value]:
    return {"trans": pos_of(T[:3, 3]), "rot": orient_of(T[:3, :3])}


def orient_zyx(z: float, y: float, x: float) -> dict[str, Value]:
    """OrientZYX: Rz Ry Rx, degrees."""
    return orient_of(rotation_rpy(math.radians(x), math.radians(y), math.radians(z)))


def euler_zyx(orient: Any) -> dict[str, float]:
    roll, pitch, yaw = rpy_of(rotation(orient))
    return {"x": math.degrees(roll), "y": math.degrees(pitch), "z": math.degrees(yaw)}


class ConfOfAnother(dict[str, Value]):
    """The confdata of the point that a point was moved from.

    The controller takes the configuration nearest to it, which may be in the next quarter: `MoveJ Offs(p,0,-2000,100)`
    goes from -1, 0, -2 to -2, -1, -1 with ConfJ on.
    """


NEXT_QUARTER = math.radians(90.0)


def moved(point: Any) -> Any:
    conf = point.get("robconf")
    return {**point, "robconf": ConfOfAnother(conf)} if isinstance(conf, dict) else point


def quadrants(conf: Any) -> tuple[tuple[int, float, float], ...]:
    """Of confdata: each number is the quarter turn in which a joint lies, 0 from 0 to 90 degrees, -1 from -90 to 0."""
    return tuple(
        (joint, math.radians(90.0 * conf[name]), math.radians(90.0 * (conf[name] + 1.0))) for name, joint in CONFIGURED
    )


def held_load(load: Any, T: Floats) -> HeldLoad:
    """Loaddata in axes of the flange: mass, place (mm there, m here), moments of inertia about it in axes ``aom``."""
    if not isinstance(load, dict) or not known(load) or load["mass"] <= 0.001:
        return HeldLoad()
    R = T[:3, :3]
    place = R @ (position(load["cog"]) / MM) + T[:3, 3]
    turned = R @ rotation(load["aom"])
    inertia = turned @ np.diag([load["ix"], load["iy"], load["iz"]]) @ turned.T
    return HeldLoad.of(float(load["mass"]), place, inertia)


def completed(value: Any, nothing: Any) -> Any:
    """A record with its unknown parts as another has them."""
    if isinstance(value, Absent):
        return nothing
    if isinstance(value, dict) and isinstance(nothing, dict):
        return {name: completed(value.get(name, part), part) for name, part in nothing.items()}
    return value


def holds_work(tool: Any, wobj: Any) -> bool:
    """Whether the tool stands somewhere, and the arm holds the work."""
    return tool["robhold"] is False and wobj["robhold"] is True


def without_rest(point: Value) -> Value:
    """A robtarget without what decides nothing of where it lies."""
    return {name: point.get(name, Absent("")) for name in ("trans", "rot")} if isinstance(point, dict) else point
