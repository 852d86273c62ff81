"""Energy of an arm with elastic links: of its motion and its weight (``play.py``: of what is bent)."""

from __future__ import annotations

from typing import Any

import numpy as np

from torsor.elastic.elastic_kinematics import BentArm
from torsor.elastic.elastic_newton_euler import Deformed, residual
from torsor.elastic.elastic_tree import ElasticTree
from torsor.mechanics.kinematics import dot, rotate, scaled
from torsor.mechanics.tree import Reals


def kinetic(arm: ElasticTree, x: Reals, xd: Reals) -> Any:
    """1/2 xd M xd (...): M xd is what starts the motion from rest at once."""
    return 0.5 * dot(xd, residual(arm, x, 0.0 * xd, xd, np.zeros(3)))


def of_weight(arm: ElasticTree, x: Reals, gravity: Reals) -> Any:
    """- g . sum m r (...)."""
    stance, moment = BentArm.at(arm, x), np.zeros(3)
    for i, (body, (R, p)) in enumerate(zip(arm.tree.bodies, stance.bodies, strict=True)):
        moment = moment + scaled(body.mass, p) + rotate(R, body.moment)
        if (link := arm.flexible.get(i)) is not None:
            moment = moment + link.mass * p + rotate(R, Deformed.of(link, arm.own(i, x)).moment)
    return -dot(gravity, moment)
