"""What is watched for during a run: limits of joints, events of the user's, states that are no motion any more."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from torsor.algebra.functions import absolute, less, maximum
from torsor.errors import ShapeError, Unsupported, did_you_mean
from torsor.model.transforms import Floats

if TYPE_CHECKING:
    from torsor.simulation.plant import Plant

FASTEST, FARTHEST = 1e6, 1e9  # beyond which rates and positions are no motion: rad/s and rad
Limits = Literal["stop", "report", "ignore"]


@dataclass(frozen=True, eq=False)
class Event:
    """Something to look for: ``when(t, q, qd)``, traceable, passes through zero.

    ``direction`` 1 takes it rising, -1 falling, 0 both ways; ``stop`` ends the run there.
    """

    name: str
    when: Callable[[Any, Any, Any], Any]
    direction: int = 0
    stop: bool = False

    def __post_init__(self) -> None:
        if self.direction not in (-1, 0, 1):
            raise ShapeError(
                f"direction of event {self.name!r} is {self.direction}", hint="1 rising, -1 falling, 0 both"
            )


@dataclass(frozen=True, eq=False)
class Happening:
    """An event that was located."""

    time: float
    name: str
    q: Floats
    qd: Floats
    joint: str | None = None

    def __repr__(self) -> str:
        return f"<{self.name} at {self.time:.6g} s>"


@dataclass(frozen=True, eq=False)
class Guard:
    """One function that is watched."""

    name: str
    value: Callable[[Any, Any, Any], Any]
    direction: int
    stop: bool
    joint: str | None = None


def guards_of(plant: Plant, limits: Limits | Any, events: Sequence[Event]) -> tuple[Guard, ...]:
    found = []
    if isinstance(limits, str):
        if limits not in ("stop", "report", "ignore"):
            hint = did_you_mean(limits, ["stop", "report", "ignore"]) + ", or Buffers(stiffness, damping)"
            raise Unsupported(f"limits is {limits!r}", hint=hint)
        lower, upper = plant.position_limits
        for j, name in enumerate(plant.arm.joint_names if limits != "ignore" else ()):
            for bound, way, word in ((lower[j], -1.0, "lower"), (upper[j], 1.0, "upper")):
                if np.isfinite(bound):
                    text = f"{name} reaches its {word} limit {bound:.4g}"
                    found.append(Guard(text, _beyond(j, float(bound), way), 1, limits == "stop", name))
    for event in events:
        if not isinstance(event, Event):
            raise ShapeError(f"{event!r} is no event", hint="give Event(name, when) with when(t, q, qd)")
        found.append(Guard(event.name, event.when, event.direction, event.stop))
    return tuple(found)


def _beyond(j: int, bound: float, way: float) -> Callable[[Any, Any, Any], Any]:
    return lambda t, q, qd: way * (q[..., j] - bound)


def watched(plant: Plant, guards: tuple[Guard, ...], t: Any, y: Any, before: Any) -> tuple[list[Any], Any]:
    """The guards' values, and 1 where one has passed through zero, 2 where the state is no motion. Traced."""
    q, qd, _ = plant.joints(y)
    values = [guard.value(t, q, qd) for guard in guards]
    halt: Any = 0.0
    for k, guard in enumerate(guards):
        if guard.direction >= 0:
            halt = maximum(halt, less(before[k], 0.0) * (1.0 - less(values[k], 0.0)))
        if guard.direction <= 0:
            halt = maximum(halt, less(0.0, before[k]) * (1.0 - less(0.0, values[k])))
    sane: Any = 1.0
    for i in range(plant.n):
        sane = sane * less(absolute(y[i]), FARTHEST) * less(absolute(y[plant.n + i]), FASTEST)
    return values, maximum(halt, 2.0 - 2.0 * sane)


def passed(guards: tuple[Guard, ...], before: Floats, after: Floats) -> list[int]:
    """Which guards have passed through zero."""
    found = []
    for k, guard in enumerate(guards):
        rising, falling = before[k] < 0.0 <= after[k], before[k] > 0.0 >= after[k]
        if (rising and guard.direction >= 0) or (falling and guard.direction <= 0):
            found.append(k)
    return found
