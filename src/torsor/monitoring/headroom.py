"""Algorithm 1 step by step on a stream: whether the motors can go on as they are asked to, and how much more they could.

From the state of now a cycle is asked for the acceleration of now, and one for none. The torques asked for are straight
in the acceleration between them (but for friction of the load), so that they tell at which multiple of it the first
motor saturates; where one does already, the cycle tells what is reached.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from torsor.checking.checked_arm import CheckedArm
from torsor.errors import LoopOpen
from torsor.model.transforms import Floats
from torsor.programs.planner import CYCLE


@dataclass(frozen=True)
class Headroom:
    """What is still achievable at a moment."""

    used: float  # the acceleration of now as a share of the one that could be reached in its direction
    reached: float  # which share of the acceleration asked for is reached; 1 unless a motor saturates
    first: str  # the motor that saturates first

    @property
    def achievable(self) -> float:
        """How many times as hard the arm could accelerate; infinite while it does not."""
        return 1.0 / self.used if self.used > 0.0 else np.inf


class Achieving:
    """For an arm whose motors have limits; ``at`` gives None for others."""

    def __init__(self, machine: CheckedArm) -> None:
        self._machine = machine
        self._stepper = machine.stepper(CYCLE)

    def at(self, q: Floats, qd: Floats, qdd: Floats) -> Headroom | None:
        """At one state, each (n,)."""
        if self._stepper is None or not np.isfinite((q, qd, qdd)).all():
            return None
        drives = self._machine.driven.drives
        asked = []
        for a in (np.zeros_like(qdd), qdd):
            self._stepper.start(q, qd)
            try:
                cycle = self._stepper.step(np.stack([q, q + (qd + a * CYCLE) * CYCLE]))
            except LoopOpen:
                return None
            asked.append(cycle.asked[0])
        still, going = asked
        lower, upper = drives.available(drives.rates(q, qd))
        more = going - still
        room = np.where(more >= 0.0, upper - still, still - lower)
        with np.errstate(divide="ignore", invalid="ignore"):
            used = np.where(more == 0.0, 0.0, np.abs(more) / np.maximum(room, 0.0))
        first = int(np.argmax(used))
        size = float(qdd @ qdd)
        reached = 1.0 if size == 0.0 or not cycle.limited.any() else float(np.clip(cycle.qdd[0] @ qdd / size, 0.0, 1.0))
        return Headroom(float(used[first]), reached, self._machine.motors[first])
