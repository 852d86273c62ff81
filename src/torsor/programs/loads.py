"""What an arm holds, in axes of its flange: a tool and a part together are one load."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from torsor.model.transforms import Floats
from torsor.motion.commands import Payload, Place

if TYPE_CHECKING:
    from torsor.programs.project_run import ProjectRun
    from torsor.programs.syntax import RobotInstruction


ROUNDING = 1e-9  # of moments of inertia: less is no fault of who wrote them


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

    def possible(self) -> HeldLoad:
        """With inertia that a body can have: controllers take any numbers, and many are guesses.

        Principal moments are raised until none is negative and the largest is no more than the sum of the others.

        >>> HeldLoad.of(3.0, np.zeros(3), np.diag([0.0, 0.0, 0.5])).possible().inertia[::4]
        (0.25, 0.25, 0.5)
        """
        moments, axes = np.linalg.eigh(np.array(self.inertia).reshape(3, 3))
        raised = np.maximum(moments, 0.0)
        raised[:2] += max(raised[2] - raised[0] - raised[1], 0.0) / 2.0
        if self.mass > 0.0 and np.allclose(raised, moments, rtol=0.0, atol=ROUNDING * abs(moments).max()):
            return self
        about = axes @ np.diag(raised if self.mass > 0.0 else np.zeros(3)) @ axes.T
        return replace(self, inertia=tuple(float(each) for each in about.ravel()))

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


def taken_up(run: ProjectRun, node: RobotInstruction, load: HeldLoad) -> Payload:
    """The command that has the arm hold a load; inertia that no body has is mended, which is said."""
    able = load.possible()
    if able != load:
        told = [", ".join(f"{each:g}" for each in np.linalg.eigvalsh(np.array(one.inertia).reshape(3, 3)))
                for one in (load, able)]  # fmt: skip
        text = f"no body has the moments of inertia of this load, ({told[0]}) kg m^2: taken to be ({told[1]})"
        run.assume(node.at, f"inertia {told[0]}", text)
    return able.command(run.place(node))
