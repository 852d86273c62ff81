"""What is watched for during a run: limits of joints, events of the user's, states that are no motion any more."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from torsor.algebra.functions import absolute, less, maximum
from torsor.errors import CompileError, ShapeError, Unsupported
from torsor.model.transforms import Floats

if TYPE_CHECKING:
    from torsor.arm import Arm
    from torsor.simulation.plant import Plant

FASTEST, FARTHEST = 1e6, 1e9  # beyond which rates and positions are no motion: rad/s and rad
FLAT = 1e-3  # sine at which a loop is as good as at its dead centre: closer by, steps shrink without end
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
        if not callable(self.when):
            raise ShapeError(f"event {self.name!r} looks at {self.when!r:.60}", hint="a function when(t, q, qd)")
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
    singular: bool = False  # it watches a loop


def guards_of(plant: Plant, limits: Limits | Any, events: Sequence[Event]) -> tuple[Guard, ...]:
    found = []
    if isinstance(limits, str):
        lower, upper = plant.position_limits
        for j, name in enumerate(plant.arm.joint_names if limits != "ignore" else ()):
            for bound, way, word in ((lower[j], -1.0, "lower"), (upper[j], 1.0, "upper")):
                if np.isfinite(bound):
                    text = f"{name} reaches its {word} limit {bound:.4g}"
                    found.append(Guard(text, _beyond(j, float(bound), way), 1, limits == "stop", name))
    if plant.arm.model.loops:
        found += [_dead_centre(plant.arm, k) for k in range(len(plant.arm.model.loops))]
    for event in events:
        found.append(Guard(event.name, _one_number(event), event.direction, event.stop))
    return tuple(found)


def _one_number(event: Event) -> Callable[[Any, Any, Any], Any]:
    """What the event looks at, refused where it is not a single number."""

    def value(t: Any, q: Any, qd: Any) -> Any:
        try:
            found = np.asarray(event.when(t, q, qd))
        except CompileError as error:
            raise Unsupported(f"event {event.name!r} cannot be traced: {error.problem}", hint=error.hint) from error
        if found.size != 1:
            raise ShapeError(
                f"event {event.name!r} gives values of shape {found.shape}", hint="one number that passes through zero"
            )
        return found.reshape(-1)[0]

    return value


def _beyond(j: int, bound: float, way: float) -> Callable[[Any, Any, Any], Any]:
    return lambda t, q, qd: way * (q[..., j] - bound)


def _dead_centre(arm: Arm, k: int) -> Guard:
    """Where a loop is as good as flat: driven joints do not say how it goes on."""
    return Guard("dead centre", lambda t, q, qd: arm.closure.margins(q)[k] - FLAT**2, -1, True, singular=True)


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
