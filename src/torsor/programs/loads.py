"""What an arm holds, in axes of its flange: a tool and a part together are one load."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from torsor.model.transforms import Floats
from torsor.motion.commands import Payload, Place


@dataclass(frozen=True, slots=True)
class HeldLoad:
    """Mass in kg, place of its centre in m, inertia about it in kg m^2; plain numbers, so that two compare."""

    mass: float = 0.0
    com: tuple[float, float, float] = (0.0, 0.0, 0.0)
    inertia: tuple[float, ...] = (0.0,) * 9

    @classmethod
    def of(cls, mass: float, com: Floats, inertia: Floats | None = None) -> HeldLoad:
        about = np.zeros((3, 3)) if inertia is None else np.asarray(inertia)
        x, y, z = (float(each) for each in com)
        return cls(float(mass), (x, y, z), tuple(float(each) for each in about.ravel()))

    def command(self, place: Place) -> Payload:
        about = np.array(self.inertia).reshape(3, 3)
        return Payload(self.mass, place, self.com, inertia=about if about.any() else None, frame="flange")


def together(*loads: HeldLoad) -> HeldLoad:
    """All of them as one: I = sum of I_k + m_k (|r|^2 E - r r^T), r from the common centre.

    >>> together(HeldLoad.of(1.0, np.zeros(3)), HeldLoad.of(1.0, np.array([0.0, 0.0, 2.0]))).inertia[0]
    2.0
    """
    carried = [load for load in loads if load.mass > 0.0]
    if len(carried) <= 1:
        return carried[0] if carried else HeldLoad()
    mass = sum(load.mass for load in carried)
    centre = sum((load.mass * np.array(load.com) for load in carried), np.zeros(3)) / mass
    about = np.zeros((3, 3))
    for load in carried:
        r = np.array(load.com) - centre
        about += np.array(load.inertia).reshape(3, 3) + load.mass * (float(r @ r) * np.eye(3) - np.outer(r, r))
    return HeldLoad.of(mass, centre, about)
