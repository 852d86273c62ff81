"""What disturbs the arm of a scenario: pushes at its tool as traceable functions of time, and walls."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import pi
from typing import Any

import numpy as np

from torsor.algebra.functions import less, maximum, select, sin
from torsor.scenarios.scenario_schema import WrenchTable
from torsor.simulation import ContactSpring


@dataclass(frozen=True, eq=False)
class Push:
    """A wrench (6,) on the tool from ``start`` on, until ``end``; times sin(2 pi f (t - start) + phase) for a wave."""

    table: WrenchTable

    def __call__(self, t: Any) -> Any:
        table = self.table
        size = 1.0 - less(t, table.start) if table.start > 0.0 else 1.0
        if table.duration is not None:
            size = size * less(t, table.start + table.duration)
        if table.frequency is not None:
            size = size * sin(2.0 * pi * table.frequency * (t - table.start) + table.phase)
        return np.array([*table.force, *table.moment]) * size


def touched(pushes: tuple[Push, ...], walls: tuple[ContactSpring, ...]) -> Callable[[Any, Any, Any], Any]:
    """The force that a sensor at the tool sees, of time, position and velocity, in base axes."""

    def force(t: Any, position: Any, velocity: Any) -> Any:
        total: Any = np.zeros(3)
        for push in pushes:
            total = total + push(t)[:3]
        for each in walls:
            n = np.array(each.normal)
            depth, rate = each.offset - (position * n).sum(axis=-1), (velocity * n).sum(axis=-1)
            pressed = maximum(each.stiffness * depth - each.damping * rate, 0.0)
            total = total + select(less(0.0, depth), pressed, 0.0) * n
        return total

    return force
