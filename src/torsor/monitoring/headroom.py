"""Algorithm 1 step by step on a stream: whether motors can go on as they are asked to, and how much more they could.

From the state of now a cycle is asked for the acceleration of now, and one for none. The torques asked for are straight
in the acceleration between them (but for friction of the load), so that they tell at which multiple of it the first
motor saturates; where one does already, the cycle tells what is reached.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from torsor.checking.checked_arm import CheckedArm
from torsor.model.transforms import Floats
from torsor.programs.planner import CYCLE

OUTPUTS = ("q", "qd", "qdd", "asked", "reached", "limited", "slowed")  # of a cycle


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
    """For an arm whose motors have limits; for others ``at`` gives nothing."""

    def __init__(self, machine: CheckedArm) -> None:
        self._machine, self._drives = machine, machine.driven.drives
        known = any(machine.bounded) and not machine.not_stepped
        how: dict[str, Any] = {
            "variant": "corrected",
            "kind": "exact",
            "speeds": "both",
            "catch_up": False,
        }
        self._cycle = self._drives.kernel("cycle", dt=CYCLE, **how) if known else None

    def at(self, q: Floats, qd: Floats, qdd: Floats) -> list[Headroom]:
        """At states, each (samples, n)."""
        if self._cycle is None:
            return []
        still, going = (
            dict(zip(OUTPUTS, self._drives.called(self._cycle, q, qd, aim, q + aim * CYCLE), strict=True))
            for aim in (qd, qd + qdd * CYCLE)
        )
        lower, upper = self._drives.available(self._drives.rates(q, qd))
        more = going["asked"] - still["asked"]
        room = np.where(more >= 0.0, upper - still["asked"], still["asked"] - lower)
        with np.errstate(divide="ignore", invalid="ignore"):
            used = np.where(more == 0.0, 0.0, np.abs(more) / np.maximum(room, 0.0))
            reached = np.clip((going["qdd"] * qdd).sum(axis=-1) / (qdd * qdd).sum(axis=-1), 0.0, 1.0)
        first = np.argmax(used, axis=-1)
        reached = np.where(going["limited"].any(axis=-1), reached, 1.0)
        most = np.take_along_axis(used, first[:, None], axis=-1)[:, 0]
        return [
            Headroom(u, r, self._machine.motors[k])
            for u, r, k in zip(most.tolist(), reached.tolist(), first.tolist(), strict=True)
        ]
