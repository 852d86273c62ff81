"""What torques there are at most: of motors at their speed, or of joints where an arm has no motors."""

from __future__ import annotations

from typing import Any

import numpy as np

from torsor.arm import Arm
from torsor.drives.drives import Drives
from torsor.drives.motors import bounds, is_bounded
from torsor.mechanics.tree import Reals
from torsor.model.limits import largest


def least_and_most(arm: Arm, drives: Drives | None, q: Reals, qd: Reals) -> list[tuple[Any, Any] | None]:
    """By motor, or by joint without ``drives``; None where nothing bounds it."""
    if drives is None:
        joints = largest(arm.model.links_on(arm.joint_names), "torque").tolist()
        return [None if np.isinf(bound) else (-bound, bound) for bound in joints]
    turning, motors = drives.gearing.rates(q, qd), [drive.motor for drive in drives.model.drives]
    return [bounds(motor, turning[k]) if is_bounded(motor) else None for k, motor in enumerate(motors)]
