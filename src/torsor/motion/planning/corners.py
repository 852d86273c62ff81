"""Legs joined where the program blends them: what is run through between two stops.

A zone is run through at constant speed, so that nothing but the bend of the corner loads the joints there; legs speed
up and slow down between zones. Legs that meet without a bend are joined as they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import sqrt
from typing import Literal

import numpy as np

from torsor.errors import TorsorError
from torsor.model.transforms import Floats, inverse
from torsor.motion.commands import Command, Move, Signal
from torsor.motion.curves import Path
from torsor.motion.paths.blends import BEND, DEVIATION, JointCorner, PathCorner, ToolCorner
from torsor.motion.paths.following import Followed
from torsor.motion.paths.tool_paths import Carried
from torsor.motion.paths.trajectories import JointLine
from torsor.motion.planning.legs import Leg, Legs
from torsor.motion.planning.notes import Note

_SHARE = 0.45  # of a leg's length that a zone may take at each end
_LEAST = 0.01  # of the room there is, the smallest zone
_SMOOTH = 1e-9  # relative change of q' that is no corner
_LOOKS = 9
_MEETS = 1e-6  # rad or m


@dataclass(frozen=True, eq=False)
class Stretch:
    """Part of a path between two stops."""

    path: Path
    first: float
    last: float
    speed: float
    acceleration: float
    leg: Leg
    after: Leg | None = None  # of a zone: the leg that its second half belongs to
    out: float = 1.0  # speed of the leg before, for a unit rate of a zone's parameter
    into: float = 1.0  # speed of the leg after

    @property
    def length(self) -> float:
        return self.last - self.first

    @property
    def steady(self) -> bool:
        """Whether it is run through at constant speed: a zone is."""
        return self.after is not None


class Stop:
    """The arm stands still."""


@dataclass(frozen=True, eq=False)
class Event:
    """A command that does not move the arm, the joints of the chain where it stands, and how long it takes."""

    command: Command
    number: int
    q: Floats
    seconds: float = 0.0

    @property
    def passing(self) -> bool:
        """Whether a run goes on through it."""
        return isinstance(self.command, Signal | Move)


STOPPED = Stop()
Item = Stretch | Stop | Event


class Corners:
    def __init__(self, legs: Legs, *, corner: float) -> None:
        self.legs, self.corner = legs, corner

    def joined(self, stream: Iterable[Leg | Event]) -> Iterator[Item]:
        """Stretches with stops between them; legs are looked at two at a time."""
        pending: Leg | None = None
        entered = 0.0  # how much of the pending leg the zone before it has taken
        signals: list[Event] = []
        for item in stream:
            if isinstance(item, Leg):
                if pending is not None:
                    zone = self._corner(pending, item)
                    left = taken = 0.0
                    if isinstance(zone, Stretch):
                        left, taken = 0.5 * zone.length * zone.out, 0.5 * zone.length * zone.into
                    yield _body(pending, entered, pending.length - left)
                    if zone is None:
                        yield STOPPED
                    elif isinstance(zone, Stretch):
                        yield zone
                    yield from signals
                    signals, entered = [], taken
                pending = item
            elif item.passing and pending is not None:
                signals.append(item)
            else:
                if pending is not None:
                    yield _body(pending, entered, pending.length)
                    yield STOPPED
                yield from signals
                yield item
                pending, entered, signals = None, 0.0, []
        if pending is not None:
            yield _body(pending, entered, pending.length)
            yield STOPPED
        yield from signals

    def _corner(self, a: Leg, b: Leg) -> Stretch | Literal["smooth"] | None:
        kind = a.blend.kind
        if kind == "stop":
            return None
        durations = a.move.pace.duration, b.move.pace.duration
        if durations != (None, None) and a.number != b.number:
            self._note(a, "stops here: a move of given duration goes from stop to stop")
            return None
        joint = a.tool is None and b.tool is None
        if not joint and not (a.metric and b.metric):
            return self._mixed_zone(a, b)
        bend = b.path.slopes[0] - a.path.slopes[1]
        if np.abs(bend).max() < _SMOOTH * np.abs(a.path.slopes[1]).max():
            return "smooth"
        speed = min(a.speed, b.speed)
        load = float((np.abs(bend) / (min(a.push, b.push) * self.legs.rates.accelerations)).max())
        if a.tool is not None and b.tool is not None:
            edge = b.tool.at(np.zeros(1)).dp[0] - a.tool.at(np.array([a.length])).dp[0]
            load = max(load, float(np.linalg.norm(edge)) / min(a.tool_acceleration, b.tool_acceleration))
        needed = BEND * speed**2 * load  # the radius at which the corner allows the full speed
        room = _SHARE * min(a.length, b.length)
        if kind == "zone" and a.blend.radius is not None and not joint:
            radius = a.blend.radius
        elif joint:  # no earlier than it would begin to brake
            radius = min(needed, 0.5 * speed**2 / min(a.acceleration, b.acceleration))
        else:
            radius = min(needed, self.corner / DEVIATION)
        radius = min(max(radius, _LEAST * room), room)
        if joint:
            return self._joint_zone(a, b, radius, needed, speed)
        return self._tool_zone(a, b, radius, speed)

    def _joint_zone(self, a: Leg, b: Leg, radius: float, needed: float, speed: float) -> Stretch:
        """The bend is strongest in the middle; at ``needed`` it would allow the full speed."""
        assert isinstance(a.path, JointLine)
        assert isinstance(b.path, JointLine)
        path = JointCorner(a.path.end, a.path.tangent, b.path.tangent, radius)
        return Stretch(path, 0.0, path.length, speed * min(1.0, sqrt(radius / needed)), 0.0, a, b)

    def _tool_zone(self, a: Leg, b: Leg, radius: float, speed: float) -> Stretch | None:
        assert isinstance(a.path, Followed)
        assert isinstance(b.path, Followed)
        assert a.tool is not None
        assert b.tool is not None
        legs = self.legs
        tool = ToolCorner(a.tool, b.tool, radius)
        own = tool if np.array_equal(legs.offset, np.eye(4)) else Carried(tool, inverse(legs.offset))
        start = a.path.joints(np.array([a.length - radius]))[0]
        try:
            path = Followed(legs.chain, own, start, arm=legs.arm)
        except TorsorError:
            self._note(a, "stops here: the rounded corner cannot be followed")
            return None
        if np.abs(path.end - b.path.joints(np.array([radius]))[0]).max() > _MEETS:
            self._note(a, "stops here: the rounded corner leads to another branch")
            return None
        if legs.slows:
            s = np.linspace(0.0, path.length, _LOOKS)
            share, push = max(a.share, b.share), min(a.push, b.push)
            speed, _ = legs.rates.slowed(path, speed, 0.0, share=share, push=push, s=s, seen=path.at(s))
        bent = tool.bend
        limit = min(a.tool_acceleration, b.tool_acceleration)
        if bent * speed**2 > limit:
            speed = sqrt(limit / bent)
        return Stretch(path, 0.0, path.length, speed, 0.0, a, b)

    def _mixed_zone(self, a: Leg, b: Leg) -> Stretch:
        """Between a joint move and a tool path: both are run through as they are, added up in the joints.

        The zone lasts 2 h: as long as the change of speed takes, no longer than braking and starting would.
        """
        push = min(a.push, b.push)
        change = b.speed * b.path.slopes[0] - a.speed * a.path.slopes[1]
        h = BEND * float((np.abs(change) / (push * self.legs.rates.accelerations)).max())
        h = min(h, 0.5 * a.speed / a.acceleration, 0.5 * b.speed / b.acceleration)
        radius = a.blend.radius if a.blend.kind == "zone" else None
        J = self.legs.chain.where(a.path.end[None])[1][0, :3]
        for leg, slope in ((a, a.path.slopes[1]), (b, b.path.slopes[0])):
            h = min(h, _SHARE * leg.length / leg.speed)
            travel = leg.speed * float(np.linalg.norm(J @ slope))  # of the arm's own tool, m/s
            if travel > 0.0 and (leg.metric or a.blend.kind != "joint"):
                h = min(h, (self.corner / DEVIATION if radius is None else radius) / travel)
        h = max(h, _LEAST * _SHARE * min(a.length / a.speed, b.length / b.speed))
        path = PathCorner(a.path, b.path, a.speed * h, b.speed * h)
        s = np.linspace(0.0, path.length, _LOOKS)
        share = max(a.share, b.share)
        rate, _ = self.legs.rates.slowed(path, 1.0 / h, 0.0, share=share, push=push, s=s, seen=path.at(s))
        return Stretch(path, 0.0, path.length, rate * path.out, 0.0, a, b, path.out, path.into)

    def _note(self, leg: Leg, text: str) -> None:
        if leg.move.blend is leg.blend:  # not at its via points
            self.legs.notes.append(Note(leg.move.place, "blend", f"the {leg.move.kind} {text}"))


def _body(leg: Leg, first: float, last: float) -> Stretch:
    return Stretch(leg.path, first, last, leg.speed, leg.acceleration, leg)
