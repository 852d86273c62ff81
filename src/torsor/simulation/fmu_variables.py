"""The variables of an FMU: what it shows and what can be set, with names, units and start values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from torsor.emit.expressions import identifier
from torsor.simulation.plant import Plant

Causality = Literal["independent", "output", "input", "parameter", "local"]
UNITS = {  # of FMI, in powers of base units
    "s": {"s": 1},
    "rad": {"rad": 1},
    "rad/s": {"rad": 1, "s": -1},
    "rad/s2": {"rad": 1, "s": -2},
    "m": {"m": 1},
    "m/s": {"m": 1, "s": -1},
    "m/s2": {"m": 1, "s": -2},
    "N.m": {"kg": 1, "m": 2, "s": -2},
    "N": {"kg": 1, "m": 1, "s": -2},
    "kg": {"kg": 1},
}


@dataclass(frozen=True)
class FmuVariable:
    """``shown`` is the cell of the workspace that it shows, "" where it is set; ``state`` its number among states."""

    name: str
    causality: Causality
    description: str
    unit: str = ""
    shown: str = ""
    at: int = 0  # in the cell
    start: float | None = None
    derivative_of: str = ""

    @property
    def is_start(self) -> bool:
        """Whether it is shown, and can be set before the start."""
        return bool(self.shown) and self.start is not None


def joint_units(plant: Plant) -> list[tuple[str, str, str, str]]:
    """Of each joint: its unit, of its rate, of its acceleration, of its torque."""
    letters = dict(zip(plant.arm.model.joint_names, plant.arm.model.kinds, strict=True))
    turning, sliding = ("rad", "rad/s", "rad/s2", "N.m"), ("m", "m/s", "m/s2", "N")
    return [sliding if letters[name] == "P" else turning for name in plant.arm.joint_names]


class FmuNames:
    """Structured names, each once: joint1.q."""

    def __init__(self) -> None:
        self.taken: set[str] = set()

    def __call__(self, owner: str, what: str) -> str:
        whole = f"{identifier(owner)}.{what}" if owner else what
        while whole in self.taken:
            whole += "_"
        self.taken.add(whole)
        return whole
