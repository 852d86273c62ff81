"""Places of AS: X Y Z in millimetres, O A T in degrees, which turn about z, the new y and the new z."""

from __future__ import annotations

from collections.abc import Sequence
from math import degrees, radians

import numpy as np

from torsor.model.transforms import Floats, pose, rotation_y, rotation_z
from torsor.motion.paths.rotations import euler_zyz
from torsor.programs.values import Location

MM = 1000.0
NULL = Location((0.0, 0.0, 0.0), np.eye(3))


def transform(numbers: Sequence[float]) -> Location:
    """TRANS(x, y, z, o, a, t); what is left out is 0."""
    x, y, z, o, a, t = (*numbers[:6], *(0.0,) * (6 - len(numbers[:6])))
    return Location((x, y, z), rotation_z(radians(o)) @ rotation_y(radians(a)) @ rotation_z(radians(t)))


def numbers_of(place: Location) -> tuple[float, ...]:
    R = np.eye(3) if place.rotation is None else place.rotation
    return (*place.position, *(degrees(angle) for angle in euler_zyz(R)))


def metres(place: Location) -> Floats:
    """T (4, 4)."""
    R = np.eye(3) if place.rotation is None else place.rotation
    return pose(R, [each / MM for each in place.position])


def millimetres(T: Floats) -> Location:
    x, y, z = (float(each) * MM for each in T[:3, 3])
    return Location((x, y, z), np.array(T[:3, :3]))
