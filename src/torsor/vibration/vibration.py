"""``Vibration``: what was found of an elastic arm in a program, as words and as data."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from torsor.arm import Arm
from torsor.elastic.moving_stress import stress_along
from torsor.elastic.stress import ArmStress
from torsor.elastic.swinging import Fidelity, Swing
from torsor.model.transforms import Floats
from torsor.vibration.stops import LONGEST, Stop
from torsor.vibration.stress_told import told_stress


@dataclass(frozen=True, eq=False)
class Vibration:
    """What `vibrate` found."""

    arm: Arm
    program: str
    fidelity: Fidelity
    tolerance: float
    swing: Swing
    stops: list[Stop]
    notes: list[str]

    @property
    def time(self) -> Floats:
        return self.swing.time

    @property
    def tip(self) -> Floats:
        """(steps, 6): displacement over turn of the tool against the rigid arm, base axes."""
        return self.swing.tip

    @property
    def settled(self) -> bool:
        return all(stop.is_settled for stop in self.stops)

    @cached_property
    def frequencies(self) -> Floats:
        """(looks, k): Hz along the path, at 200 moments."""
        return self.swing.frequencies_at(self.swing.q[:: max(1, len(self.swing.q) // 200)])

    @cached_property
    def stress(self) -> ArmStress | None:
        """The most that every section sees over all samples, and when; None where no link bends."""
        return stress_along(self.swing) if self.swing.elastic.tree.meshes else None

    @property
    def headline(self) -> str:
        most = 1e3 * float(self.swing.deviation.max())
        said = f"{self.arm.name} in {self.program}"
        if self.settled:
            within = f"settles within {1e3 * self.tolerance:g} mm after every stop"
            return f"{said} {within}; the tool is off by {most:.3g} mm at most"
        late = [stop for stop in self.stops if not stop.is_settled]
        worst = max(late, key=lambda stop: np.inf if stop.settling is None else stop.settling - stop.rest)
        takes = f"more than {LONGEST:g} s" if worst.settling is None else f"{worst.settling:.3g} s"
        return (
            f"{said} does not settle within {1e3 * self.tolerance:g} mm after {len(late)} of {len(self.stops)} stops: "
            f"after line {worst.place.line} it takes {takes}, and there are {worst.rest:.3g} s"
        )

    def document(self) -> dict[str, Any]:
        """All of it as plain data, for JSON."""
        lowest = self.frequencies[:, 0]
        return {
            "robot": self.arm.name,
            "program": self.program,
            "settled": self.settled,
            "headline": self.headline,
            "fidelity": self.fidelity,
            "tolerance": self.tolerance,
            "time": float(self.time[-1]),
            "deviation": float(self.swing.deviation.max()),
            "frequency": {"lowest": float(lowest.min()), "highest": float(lowest.max())},
            "stops": [
                {
                    "line": stop.place.line, "start": stop.start, "end": stop.end, "deviation": stop.deviation,
                    "left": stop.left, "settling": stop.settling,
                    "rest": stop.rest if np.isfinite(stop.rest) else None, "mode": stop.mode,
                    "shapers": {kind: {"left": left, "costs": cost} for kind, (left, cost) in stop.shapers.items()},
                }
                for stop in self.stops
            ],
            "stress": None if self.stress is None else told_stress(self.stress),
            "notes": self.notes,
        }  # fmt: skip
