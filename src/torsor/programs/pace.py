"""Slower and faster: the pace that lines of a program ask for, times a factor."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from math import floor

from torsor.motion.commands import Command, Move, Pace


@dataclass(frozen=True)
class Factor:
    """On what a line of the program asks for."""

    speed: float = 1.0
    acceleration: float = 1.0

    def __mul__(self, other: Factor) -> Factor:
        return Factor(self.speed * other.speed, self.acceleration * other.acceleration)

    def times(self, share: float) -> Factor:
        """What is changed, changed more; what is not stays."""
        return Factor(*(x * share if x != 1.0 else x for x in (self.speed, self.acceleration)))

    def rounded(self) -> Factor:
        """Down to a thousandth, as a person would write it."""
        return Factor(*(floor(1e3 * x + 1e-9) / 1e3 for x in (self.speed, self.acceleration)))


@dataclass(frozen=True)
class ToolPace:
    """Of one line: the greatest speed of the tool (m/s) and acceleration along its path (m/s^2)."""

    speed: float
    acceleration: float

    def times(self, share: float) -> ToolPace:
        return ToolPace(self.speed * share, self.acceleration * share)

    def __truediv__(self, factor: Factor) -> ToolPace:
        return ToolPace(self.speed / factor.speed, self.acceleration / factor.acceleration)


def paced(command: Command, factor: Factor | None, *, shares: bool = True) -> Command:
    """A move at another pace. What it leaves to the arm's limits becomes a share of them.

    ``shares=False`` leaves shares of the arm's limits as they are: for a planner whose limits are changed instead.
    """
    if factor is None or factor == Factor() or not isinstance(command, Move):
        return command
    pace, v, a = command.pace, factor.speed, factor.acceleration
    changed = Pace(
        share=_share(pace.share, v, instead=pace.speed or pace.axis_speed) if shares else pace.share,
        acceleration_share=(
            _share(pace.acceleration_share, a, instead=pace.acceleration or pace.axis_acceleration)
            if shares
            else pace.acceleration_share
        ),
        speed=None if pace.speed is None else pace.speed * v,
        acceleration=None if pace.acceleration is None else pace.acceleration * a,
        turn=None if pace.turn is None else pace.turn * v,
        duration=None if pace.duration is None else pace.duration / v,
        axis_speed=None if pace.axis_speed is None else pace.axis_speed * v,
        axis_acceleration=None if pace.axis_acceleration is None else pace.axis_acceleration * a,
    )
    return replace(command, pace=changed)


def _share(share: float | None, factor: float, *, instead: float | None) -> float | None:
    """A share of limits; none where the tool's own number says how fast."""
    if share is None:
        return None if instead is not None or factor == 1.0 else factor
    return share * factor


class Paced:
    """The commands of a program with lines at another pace; can be gone through again and again.

    ``every`` is for a planner who sees the arm `with_limits_times` the same.
    """

    def __init__(self, commands: Callable[[], Iterable[Command]], factors: Mapping[int, Factor], every: Factor) -> None:
        self.commands, self.factors, self.every = commands, factors, every

    def __iter__(self) -> Iterator[Command]:
        for command in self.commands():
            own = paced(command, self.factors.get(command.place.line))
            yield paced(own, self.every, shares=False)
