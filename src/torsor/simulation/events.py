"""What is watched for during a run: limits of joints, dead centres of loops, events of the user's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from torsor.algebra.functions import less, maximum
from torsor.arm import Arm
from torsor.emit.page import described
from torsor.errors import CompileError, ShapeError, Unsupported
from torsor.mechanics.tree import Real, Reals
from torsor.model.limits import position_limits
from torsor.model.transforms import Floats
from torsor.simulation.recorded import Recorded, recorded
from torsor.simulation.setting import AtLimits
from torsor.simulation.surroundings import Buffers

if TYPE_CHECKING:
    from torsor.simulation.outcome import Run

FLAT = 1e-3  # sine at which a loop is as good as at its dead centre: closer by, steps shrink without end


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
            text = f"direction of event {self.name!r} is {self.direction}"
            raise ShapeError(text, hint="1 rising, -1 falling, 0 both")


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


@dataclass(frozen=True)
class Threshold:
    """A number that is watched for passing through zero."""

    name: str
    direction: int
    stop: bool
    joint: str | None = None
    singular: bool = False  # it is of a loop
    lowest: bool = False  # where it passes, the number before it is at its lowest

    def passed(self, before: float, after: float) -> bool:
        rising, falling = before < 0.0 <= after, before > 0.0 >= after
        return bool((rising and self.direction >= 0) or (falling and self.direction <= 0))


DEAD_CENTRE = Threshold("dead centre", -1, True, singular=True)
TOUCHED = Threshold("dead centre", 1, False, lowest=True)  # loops that are flat for a moment


@dataclass(frozen=True, eq=False)
class Watch:
    """All that is watched during a run, and the numbers (thresholds,) as they were recorded."""

    thresholds: tuple[Threshold, ...]
    numbers: Recorded

    @property
    def facts(self) -> bytes:
        return described(self.thresholds, self.numbers.facts)

    def passed(self, before: Floats, after: Floats) -> list[int]:
        """Which thresholds."""
        return [k for k, each in enumerate(self.thresholds) if each.passed(float(before[k]), float(after[k]))]

    def traced(self, t: Real, q: Reals, qd: Reals, before: Reals) -> tuple[Reals, Real]:
        """The numbers, and 1 where one of them has passed through zero."""
        numbers = self.numbers(t, q, qd)
        halt: Real = 0.0
        for k, each in enumerate(self.thresholds):
            if each.direction >= 0:
                halt = maximum(halt, less(before[k], 0.0) * (1.0 - less(numbers[k], 0.0)))
            if each.direction <= 0:
                halt = maximum(halt, less(0.0, before[k]) * (1.0 - less(0.0, numbers[k])))
        return numbers, halt


def watch_of(arm: Arm, limits: AtLimits | Buffers, events: Any) -> Watch:
    """Limits of joints, dead centres of loops, and the user's events."""
    found: list[tuple[Threshold, Callable[[Any, Any, Any], Any]]] = []
    if limits in ("stop", "report"):
        lower, upper = position_limits(arm.model.links_on(arm.joint_names))
        for j, name in enumerate(arm.joint_names):
            for bound, way, word in ((lower[j], -1.0, "lower"), (upper[j], 1.0, "upper")):
                if np.isfinite(bound):
                    limit = Threshold(f"{name} reaches its {word} limit {bound:.4g}", 1, limits == "stop", name)
                    found.append((limit, partial(_beyond, j, float(bound), way)))
    if arm.model.loops:  # where a loop is as good as flat free joints do not say how it goes on
        margins = recorded(lambda t, q, qd: arm.closure.margins(q), arm)
        found += [(DEAD_CENTRE, partial(_margin, margins, k)) for k in range(len(margins.outputs))]
        if not arm.closure.is_closed_form:
            found.append((TOUCHED, lambda t, q, qd: arm.closure.margin_rate(q, qd)))
    found += [(Threshold(each.name, each.direction, each.stop), _one_number(each)) for each in _listed(events)]
    numbers = recorded(lambda t, q, qd: [number(t, q, qd) for _, number in found], arm, 0, "what an event looks at")
    return Watch(tuple(each for each, _ in found), numbers)


def unseen(run: Run) -> list[str]:
    """What is said of events that are no number at some states of a run, where nothing can pass through zero."""
    plant, watch = run._plant, run._plant.watch
    if all(each.joint or each.singular or each.lowest for each in watch.thresholds):
        return []
    g, steps = (np.zeros((*run.q.shape[:-1], size)) for size in (len(watch.thresholds), 1))
    numbers = run._found(plant.watching, run._t, run._y, g, steps)[0]
    lost = {each.name: np.flatnonzero(np.isnan(numbers[:, k])) for k, each in enumerate(watch.thresholds)}
    return [
        f"event {name!r} looks at what is no number at {len(rows)} of {len(run.time)} states, first at "
        f"{run.time[rows[0]]:.6g} s: it is not met there"
        for name, rows in lost.items()
        if rows.size
    ]


def _listed(events: Any) -> tuple[Event, ...]:
    """One event, or several."""
    several = (events,) if isinstance(events, Event) else events
    if not isinstance(several, Sequence):
        raise ShapeError(f"events is {events!r:.60}", hint="a list of Event(name, when)")
    for event in several:
        if not isinstance(event, Event):
            raise ShapeError(f"{event!r:.60} is no event", hint="give Event(name, when) with when(t, q, qd)")
    return tuple(several)


def _one_number(event: Event) -> Callable[[Any, Any, Any], Any]:
    """What the event looks at, refused where it is not a single number."""

    def value(t: Any, q: Any, qd: Any) -> Any:
        try:
            found = np.asarray(event.when(t, q, qd))
        except CompileError as error:
            raise Unsupported(f"event {event.name!r} cannot be traced: {error.problem}", hint=error.hint) from error
        if found.size != 1:
            text = f"event {event.name!r} gives values of shape {found.shape}"
            raise ShapeError(text, hint="one number that passes through zero")
        return found.reshape(-1)[0]

    return value


def _beyond(j: int, bound: float, way: float, t: Any, q: Any, qd: Any) -> Any:
    return way * (q[j] - bound)


def _margin(margins: Recorded, k: int, t: Any, q: Any, qd: Any) -> Any:
    return margins(t, q, qd)[k] - FLAT**2
