"""Speeds where stretches meet: as fast as all that follows allows, seen over a bounded window.

Backward through the window: the highest speed from which the rest can still be done, should the arm have to stop at the
window's end. Forward: the highest speed that can be reached. A longer window can only make it faster.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator

from torsor.motion.planning.corners import Item, PlanEvent, Stretch
from torsor.motion.time_laws.polynomials import Polynomials, chained
from torsor.motion.time_laws.time_law import TimeLaw

TimedStretch = tuple[Stretch, Polynomials]


def timed(items: Iterable[Item], time_law: TimeLaw, *, window: int) -> Iterator[TimedStretch | PlanEvent | None]:
    """Each stretch with its law s(t) from 0 to its length; None is a stop."""
    waiting: list[Stretch | PlanEvent] = []
    speed = 0.0
    for item in items:
        if item is None:
            yield from _settled(waiting, speed, time_law, count=len(waiting))
            yield None
            waiting, speed = [], 0.0
        elif isinstance(item, PlanEvent) and not waiting:
            yield item
        else:
            waiting.append(item)
            if len(waiting) >= 4 * window:  # a leg and its zone are two
                speed = yield from _settled(waiting, speed, time_law, count=2 * window)
                waiting = waiting[2 * window :]
    yield from _settled(waiting, speed, time_law, count=len(waiting))


def _settled(
    waiting: list[Stretch | PlanEvent], speed: float, time_law: TimeLaw, *, count: int
) -> Generator[TimedStretch | PlanEvent, None, float]:
    """The first ``count`` of those waiting with their laws, starting at ``speed``; returns the speed after them."""
    allowed = [0.0]  # at the start of each, from the last backward
    for item in reversed(waiting):
        if isinstance(item, PlanEvent):
            allowed.append(allowed[-1])
        elif item.steady:
            allowed.append(min(item.speed, allowed[-1] * item.out / item.into))
        else:
            allowed.append(min(item.speed, time_law.reach(allowed[-1], item.length, item.acceleration)))
    for item, after in zip(waiting[:count], allowed[-2::-1], strict=False):
        if isinstance(item, PlanEvent):
            yield item
        elif item.steady:
            rate = speed / item.out
            yield item, chained(0.0, [(item.length / rate, (rate,))])
            speed = rate * item.into
        else:
            last = min(after, item.speed, time_law.reach(speed, item.length, item.acceleration))
            s = time_law.over(item.length, speed=item.speed, acceleration=item.acceleration, first=speed, last=last)
            yield item, s
            speed = last
    return speed
