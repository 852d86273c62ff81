"""Poses of URScript, ``p[x, y, z, rx, ry, rz]``: metres and a rotation vector."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from torsor.model.transforms import Floats, pose, quaternion_of, skew
from torsor.programs.values import Absent, Value, Wrong

TINY = 1e-12  # rad: below this a rotation turns nothing


class PoseValue(tuple[float, ...]):
    """Six numbers that are a pose, not joints."""

    __slots__ = ()


def rotation_of(vector: Any) -> Floats:
    """The rotation of a rotation vector: Rodrigues' formula."""
    v = np.array([float(x) for x in vector])
    angle = float(np.linalg.norm(v))
    if angle < TINY:
        return np.eye(3)
    K = skew(v / angle)
    R: Floats = np.eye(3) + math.sin(angle) * K + (1.0 - math.cos(angle)) * (K @ K)
    return R


def vector_of(R: Floats) -> Floats:
    """The rotation vector of a rotation, of length at most pi."""
    w, *axis = quaternion_of(R)  # exact to rounding at every angle, which sine and cosine are not near half a turn
    n = np.array(axis)
    sine = float(np.linalg.norm(n))
    return 2.0 * n if sine < TINY else n * (2.0 * math.atan2(sine, w) / sine)


def matrix(value: Value) -> Floats:
    """T (4, 4) of a pose, or of six numbers that are taken for one."""
    if not isinstance(value, tuple) or len(value) != 6 or not all(_is_number(x) for x in value):
        raise Wrong("a pose has six numbers", "p[x, y, z, rx, ry, rz], metres and radians")
    return pose(rotation_of(value[3:]), [float(x) for x in value[:3]])  # type: ignore[arg-type]


def value_of(T: Floats) -> PoseValue:
    return PoseValue((*(float(x) for x in T[:3, 3]), *(float(x) for x in vector_of(T[:3, :3]))))


def _is_number(value: Any) -> bool:
    return isinstance(value, float | int) and not isinstance(value, bool)


def known(value: Any) -> bool:
    if isinstance(value, Absent):
        return False
    return all(map(known, value)) if isinstance(value, tuple) else True


def unknown_in(value: Any) -> str:
    """The name of the first thing in a value that is not known; "" where all is, or it has none."""
    if isinstance(value, tuple):
        return next((name for each in value if (name := unknown_in(each))), "")
    return value.name if isinstance(value, Absent) else ""


def joints_of(value: Value) -> tuple[float, ...]:
    if not isinstance(value, tuple) or not value or not all(_is_number(x) for x in value):
        raise Wrong("joints are a list of numbers", "[0, -1.57, 1.57, 0, 1.57, 0], radians")
    return tuple(float(x) for x in value)  # type: ignore[arg-type]
