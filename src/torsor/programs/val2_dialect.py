"""What VAL II leaves open, and its angles."""

from __future__ import annotations

from dataclasses import dataclass
from math import asin, atan2, degrees, radians

import numpy as np

from torsor.model.transforms import Floats, rotation_y, rotation_z
from torsor.motion.paths.rotations import euler_zyz

# Tool axes at O = A = T = 0, in world axes: x is down, y is world x, the tool points along -y.
OAT_ZERO = np.array([[0.0, 1.0, 0.0], [0.0, 0.0, -1.0], [-1.0, 0.0, 0.0]])


@dataclass(frozen=True, slots=True)
class Val2Dialect:
    """Where SIMASEA and VAL II differ, and what a program leaves open.

    ``units`` of lengths; ``angles`` of orientations: "zyz" is Rz Ry Rz, "oat" is VAL II's O, A, T on PUMA arms;
    ``continuous``: motions flow into each other unless the program breaks them; ``speed_lasts``: SPEED holds until the
    next SPEED, without ALWAYS; ``t_open``, ``t_close``: seconds of OPENI and CLOSEI; ``wait_seconds``: how long WAIT is
    taken to wait; ``inputs``: signals that are on, for SIG; ``ready``: joints in degrees that READY goes to.
    """

    units: str = "m"
    angles: str = "zyz"
    continuous: bool = False
    speed_lasts: bool = True
    t_open: float = 1.0
    t_close: float = 1.0
    wait_seconds: float = 0.0
    inputs: tuple[int, ...] = ()
    ready: tuple[float, ...] = ()


# Behi 1989: metres, Z-Y'-Z'', a stop after every command (ERRATA), 1 s for the gripper (appendix A.3).
SIMASEA = Val2Dialect()
VAL_II = Val2Dialect(units="mm", continuous=True, speed_lasts=False)


def rotation(angles: str, a: float, b: float, c: float) -> Floats:
    """The rotation of three angles in degrees."""
    first = rotation_z(radians(a)) @ OAT_ZERO if angles == "oat" else rotation_z(radians(a))
    R: Floats = first @ rotation_y(radians(b)) @ rotation_z(radians(c))
    return R


def angles_of(angles: str, R: Floats) -> tuple[float, float, float]:
    """The three angles in degrees of a rotation; where first and third turn about one axis, one of them is 0."""
    if angles == "zyz":
        a, b, c = map(degrees, euler_zyz(R))
        return a, b, c
    dips = float(np.clip(-R[2, 2], -1.0, 1.0))
    level = np.hypot(R[0, 2], R[1, 2]) > 1e-9  # the tool is not upright
    o, a = degrees(atan2(R[0, 2], -R[1, 2])) if level else 0.0, degrees(asin(dips))
    rest = rotation(angles, o, a, 0.0).T @ R
    return o, a, degrees(atan2(rest[1, 0], rest[0, 0]))


def aligned(R: Floats) -> Floats:
    """Turned the shortest way so that z lies along the nearest axis of the world; of two as near the first holds."""
    z = R[:, 2]
    nearest = int(np.argmax(np.round(np.abs(z), 9)))
    to = np.zeros(3)
    to[nearest] = 1.0 if z[nearest] > 0.0 else -1.0
    axis, cosine = np.cross(z, to), float(z @ to)
    K = np.array([[0.0, -axis[2], axis[1]], [axis[2], 0.0, -axis[0]], [-axis[1], axis[0], 0.0]])
    turned: Floats = (np.eye(3) + K + K @ K / (1.0 + cosine)) @ R
    return turned
