"""Slower and faster: the pace of moves, and the limits of an arm, times a factor."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from math import floor

from torsor.arm import Arm
from torsor.model.parts import Limits
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


def paced(command: Command, factor: Factor | None, *, shares: bool = True) -> Command:
    """A move at another pace. What it leaves to the arm's limits becomes a share of them.

    ``shares=False`` leaves shares of the arm's limits as they are: for a planner whose limits are changed instead.
    """
    if factor is None or factor == Factor() or not isinstance(command, Move):
        return command
    pace, v, a = command.pace, factor.speed, factor.acceleration
    changed = Pace(
        share=_share(pace.share, v, instead=pace.speed) if shares else pace.share,
        acceleration_share=(
            _share(pace.acceleration_share, a, instead=pace.acceleration) if shares else pace.acceleration_share
        ),
        speed=None if pace.speed is None else pace.speed * v,
        acceleration=None if pace.acceleration is None else pace.acceleration * a,
        turn=None if pace.turn is None else pace.turn * v,
        duration=None if pace.duration is None else pace.duration / v,
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


SPEED, SLIDE, START = 1.0, 0.25, 0.5  # rad/s, m/s; s to full speed: where an arm file says nothing


def with_limits_times(arm: Arm, factor: Factor, *, assume: bool = False) -> Arm:
    """The arm as a planner sees it who believes that it were so much faster: limits of speed and acceleration.

    ``assume`` gives joints without such limits 1 rad/s (0.25 m/s), and half a second to get there.
    """

    def times(kind: str, limits: Limits) -> Limits:
        speed, acceleration = limits.speed, limits.acceleration
        if assume and speed is None:
            speed = SLIDE if kind == "prismatic" else SPEED
        if assume and acceleration is None and speed is not None:
            acceleration = speed / START
        return replace(
            limits,
            speed=None if speed is None else speed * factor.speed,
            acceleration=None if acceleration is None else acceleration * factor.acceleration,
        )

    links = tuple(
        replace(link, joint=replace(link.joint, limits=times(link.joint.kind, link.joint.limits)))
        for link in arm.model.links
    )
    if all(new.joint.limits == old.joint.limits for new, old in zip(links, arm.model.links, strict=True)):
        return arm
    return Arm(replace(arm.model, links=links))


def assumed(arm: Arm) -> list[str]:
    """What `with_limits_times` assumes of an arm, in words."""
    limits = [link.joint.limits for link in arm.model.links_on(arm.joint_names)]
    said = []
    if any(limit.speed is None for limit in limits):
        said.append(f"assumed in planning: {SPEED:g} rad/s ({SLIDE:g} m/s) for joints without a limit of speed")
    if any(limit.acceleration is None for limit in limits):
        said.append(f"assumed in planning: {START:g} s to full speed for joints without a limit of acceleration")
    return said
