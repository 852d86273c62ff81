"""Legs joined where the program blends them: what is run through between two stops.

A zone is run through at constant speed, so that nothing but the bend of the corner loads the joints there; legs speed
up and slow down between zones. Legs that meet without a bend are joined as they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from math import sqrt
from typing import Literal

import numpy as np

from torsor.errors import TorsorError
from torsor.model.transforms import Floats
from torsor.motion.commands import Command, Move, Signal
from torsor.motion.curves import JointPath, Switching
from torsor.motion.paths.blends import BEND, DEVIATION, PathCorner, ToolCorner
from torsor.motion.paths.following import Followed
from torsor.motion.paths.following_many import followed_between
from torsor.motion.paths.many_paths import ManyPaths
from torsor.motion.planning.legs import Leg, Legs
from torsor.motion.planning.lines_ahead import LOOKS, TOGETHER, windows
from torsor.motion.planning.slowing import PacesAsked, Seen, slowed, slowed_together
from torsor.motion.planning.tip import MARGIN, Peaks
from torsor.motion.tolerances import ROUNDING

_SHARE = 0.45  # of a leg's length that a zone may take at each end
_LEAST = 0.01  # of the room there is, the smallest zone where no radius is given
_FINE = 1e-6  # m: a zone that is smaller is a stop
_CLOSE = 1e-6  # share of a radius that is rounding
_SMALLER = 0.9  # a zone through which the tool would swing out of its radius becomes smaller by this
_MEETS = 1e-6  # rad or m


@dataclass(frozen=True, eq=False)
class Stretch:
    """Part of a path between two stops."""

    path: JointPath
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


@dataclass(frozen=True, eq=False)
class PlanEvent:
    """A command that is not planned: the joints of the chain where it ends, how long it takes, and its own motion."""

    command: Command
    number: int
    q: Floats
    seconds: float = 0.0
    motion: Switching | None = None  # None: the arm stands still


Item = Stretch | PlanEvent | None  # None: the arm stands still


class Corners:
    def __init__(self, legs: Legs, *, corner: float) -> None:
        self.legs, self.corner = legs, corner
        self.ahead: dict[Leg, tuple[Followed, float]] = {}  # zones behind legs, and their speeds

    def joined(self, stream: Iterable[Leg | PlanEvent]) -> Iterator[Item]:
        """Stretches with stops between them; legs are looked at two at a time."""
        pending: Leg | None = None
        entered = 0.0  # how much of the pending leg the zone before it has taken
        signals: list[PlanEvent] = []
        for item in self._looking_ahead(chain(stream, (None,))):  # None: the end
            if isinstance(item, Leg):
                if pending is not None:
                    zone = self._corner(pending, item)
                    left = taken = 0.0
                    if isinstance(zone, Stretch):
                        left, taken = 0.5 * zone.length * zone.out, 0.5 * zone.length * zone.into
                    yield _body(pending, entered, pending.length - left)
                    if zone != "smooth":
                        yield zone
                    yield from signals
                    signals, entered = [], taken
                pending = item
            elif item is not None and pending is not None and _goes_on(item):
                signals.append(item)
            else:
                if pending is not None:
                    if item is not None and pending.blend.kind != "stop":
                        self._stops(pending, "what follows does not move the arm")
                    yield from (_body(pending, entered, pending.length), None)
                yield from signals if item is None else (*signals, item)
                pending, entered, signals = None, 0.0, []

    def _looking_ahead(self, items: Iterable[Leg | PlanEvent | None]) -> Iterator[Leg | PlanEvent | None]:
        """The same; zones between tool paths are looked at together before."""
        pending: Leg | None = None
        for window in windows(items, TOGETHER):
            pairs = []
            for item in window:
                if isinstance(item, Leg):
                    if pending is not None and pending.blend.kind != "stop" and pending.metric and item.metric:
                        pairs.append((pending, item))
                    pending = item
                elif item is None or not _goes_on(item):
                    pending = None
            try:
                self._look(pairs)
            except TorsorError:  # of one of them, which stops where it is planned, and says why
                self.ahead = {}
            yield from window

    def _look(self, pairs: list[tuple[Leg, Leg]]) -> None:
        """Zones of legs that meet, followed and held to the limits of the joints together."""
        legs, self.ahead = self.legs, {}
        if len(pairs) < 2:
            return
        zones = [(a, b, self._radius(a, b)[0]) for a, b in pairs]
        a_side, b_side = (ManyPaths([pair[side].path for pair in pairs]) for side in (0, 1))
        which, radius = np.arange(len(zones)), np.array([r for _, _, r in zones])
        first, last = a_side.at(which, a_side.lengths - radius).q, b_side.at(which, radius).q
        tools = [legs.own(ToolCorner(a.tool, b.tool, r)) for a, b, r in zones if a.tool and b.tool]  # as all have
        found = followed_between(legs.chain, tools, first, last, arm=legs.arm)
        good = [k for k, path in enumerate(found) if path is not None]
        paths = [path for path in found if path is not None]
        speed = np.array([min(a.speed, b.speed) for a, b, _ in zones])[good]
        if legs.slows and paths:
            share = np.array([max(a.share, b.share) for a, b, _ in zones])[good]
            push = np.array([min(a.push, b.push) for a, b, _ in zones])[good]
            asked = PacesAsked(speed, np.zeros(len(paths)), share, push)
            speed, _, _ = slowed_together(legs.rates, Seen.together(paths, LOOKS), asked)
        self.ahead = {zones[k][0]: (path, float(v)) for k, path, v in zip(good, paths, speed, strict=True)}

    def _corner(self, a: Leg, b: Leg) -> Stretch | Literal["smooth"] | None:
        """None where the arm stops, smooth where there is nothing to round."""
        if a.blend.kind == "stop":
            return None
        if a.blend.radius is not None and a.blend.radius < _FINE:
            return self._stops(a, f"a zone of {1e3 * a.blend.radius:.3g} mm is none")
        if (a.move.pace.duration, b.move.pace.duration) != (None, None) and a.number != b.number:
            return self._stops(a, "a move of given duration goes from stop to stop")
        if (a.tool is None and b.tool is None) or (a.metric and b.metric):
            bend = b.path.slopes[0] - a.path.slopes[1]
            if np.abs(bend).max() < ROUNDING * np.abs(a.path.slopes[1]).max():
                return "smooth"
        return self._tool_zone(a, b) if a.metric and b.metric else self._joint_zone(a, b)

    def _tool_zone(self, a: Leg, b: Leg) -> Stretch | None:
        """Between two tool paths: of the same radius on both sides."""
        assert isinstance(a.path, Followed)
        assert isinstance(b.path, Followed)
        assert a.tool is not None
        assert b.tool is not None
        legs = self.legs
        limit = min(a.tool_acceleration, b.tool_acceleration)
        radius, room = self._radius(a, b)
        if a.blend.radius is not None and a.blend.radius > room:
            self._cut(a, a.blend.radius, room)
        tool = ToolCorner(a.tool, b.tool, radius)
        if a in self.ahead:
            path, speed = self.ahead.pop(a)
        else:
            try:
                path = legs.followed(tool, a.path.joints(np.array([a.length - radius]))[0])
            except TorsorError:
                return self._stops(a, "the rounded corner cannot be followed")
            if np.abs(path.end - b.path.joints(np.array([radius]))[0]).max() > _MEETS:
                return self._stops(a, "the rounded corner leads to another branch")
            speed = min(a.speed, b.speed)
            if legs.slows:
                speed = self._slowed(a, b, path, speed)
        if tool.bend * speed**2 > limit:
            speed = sqrt(limit / tool.bend)
        return Stretch(path, 0.0, path.length, speed, 0.0, a, b)

    def _radius(self, a: Leg, b: Leg) -> tuple[float, float]:
        """Of the zone between two tool paths, and the room that there is for it."""
        assert isinstance(a.path, Followed)
        assert isinstance(b.path, Followed)
        assert a.tool is not None
        assert b.tool is not None
        room, radius = _SHARE * min(a.length, b.length), a.blend.radius
        if radius is None:
            bend = np.abs(b.path.slopes[0] - a.path.slopes[1])
            load = float((bend / (min(a.push, b.push) * self.legs.rates.accelerations)).max())
            edge = np.linalg.norm(b.tool.tangent(0.0) - a.tool.tangent(a.length))
            load = max(load, float(edge) / min(a.tool_acceleration, b.tool_acceleration))
            # at the radius BEND v^2 load the corner allows the full speed
            radius = max(min(BEND * min(a.speed, b.speed) ** 2 * load, self.corner / DEVIATION), _LEAST * room)
        return min(radius, room), room

    def _joint_zone(self, a: Leg, b: Leg) -> Stretch:
        """With a joint move on a side: both are run through as they are, added up in the joints.

        All of a zone with a radius is within it.
        """
        given, tip = a.blend.radius, self.legs.tip
        out, into = self._flowing(a, b) if given is None else self._within(a, b, given)
        path = PathCorner(a.path, b.path, out, into)
        if given is not None:
            corner = tip.positions(b.path.at(np.zeros(1)).q)[0]
            while tip.furthest(path, corner) > given * (1.0 + _CLOSE):
                path = PathCorner(a.path, b.path, _SMALLER * path.out, _SMALLER * path.into)
        rate = self._slowed(a, b, path, min(a.speed / path.out, b.speed / path.into))
        for leg, first in ((a, 0.0), (b, 1.0)):
            rate = self._held_by_tool(leg, path, first, rate)
        return Stretch(path, 0.0, path.length, rate * path.out, 0.0, a, b, path.out, path.into)

    def _flowing(self, a: Leg, b: Leg) -> tuple[float, float]:
        """How much of both legs a zone without a radius takes.

        It lasts 2 h: as long as the change of speed takes, no longer than braking or starting would.
        """
        push = min(a.push, b.push) * self.legs.rates.accelerations
        change = b.speed * b.path.slopes[0] - a.speed * a.path.slopes[1]
        h = BEND * float((np.abs(change) / push).max())
        h = min(h, 0.5 * a.speed / a.acceleration, 0.5 * b.speed / b.acceleration)
        for leg, s in ((a, a.length), (b, 0.0)):
            h = min(h, _SHARE * leg.length / leg.speed)
            if leg.metric or a.blend.kind != "joint":
                travel = leg.speed * float(np.linalg.norm(self.legs.tip.rates(leg.path.at(np.array([s])))[0]))
                h = min(h, self.corner / DEVIATION / travel) if travel > 0.0 else h
        h = max(h, _LEAST * _SHARE * min(a.length / a.speed, b.length / b.speed))
        return a.speed * h, b.speed * h

    def _within(self, a: Leg, b: Leg, radius: float) -> tuple[float, float]:
        """How much of both legs is within a radius of the corner: up to where the tool leaves it."""
        taken, tip = [], self.legs.tip
        for leg, start, end in ((a, a.length, (1.0 - _SHARE) * a.length), (b, 0.0, _SHARE * b.length)):
            left = tip.leaves(leg.path, start, end, radius)
            if left is None:  # not before all that it may take
                ends = tip.positions(leg.path.at(np.array([start, end])).q)
                self._cut(a, radius, float(np.linalg.norm(ends[1] - ends[0])))
            taken.append(abs((end if left is None else left) - start))
        return taken[0], taken[1]

    def _slowed(self, a: Leg, b: Leg, path: Followed | PathCorner, speed: float) -> float:
        """The greatest even speed of a zone at which the joints keep their limits."""
        if isinstance(path, PathCorner) and a.tool is None and b.tool is None and not self.legs.rates.bends:
            # q' is between those of the lines, and q'' greatest in the middle
            bend = BEND * np.abs(path.into * b.path.slopes[0] - path.out * a.path.slopes[1])
            load = float((bend / (min(a.push, b.push) * self.legs.rates.accelerations)).max())
            return min(speed, sqrt(1.0 / load)) if load > 0.0 else speed
        s = np.linspace(0.0, path.length, LOOKS)
        share, push = max(a.share, b.share), min(a.push, b.push)
        return slowed(self.legs.rates, path, speed, 0.0, share=share, push=push, s=s, seen=path.at(s))[0]

    def _held_by_tool(self, leg: Leg, path: PathCorner, first: float, rate: float) -> float:
        """The rate of a zone at which the half of it that belongs to a leg keeps what that says of the tool."""
        pace = leg.move.pace
        if (pace.speed, pace.turn, pace.acceleration) == (None, None, None):
            return rate
        peaks = self.legs.tip.peaks(path, first, first + 1.0, above=Peaks.allowed(pace, rate))
        rate = min(rate, peaks.rate(pace))
        if pace.acceleration is not None and peaks.bend * rate**2 > pace.acceleration:
            rate = sqrt((1.0 - MARGIN) * pace.acceleration / peaks.bend)
        return rate

    def _stops(self, leg: Leg, why: str) -> Stretch | None:
        self._note(leg, f"stops here: {why}")
        return None

    def _cut(self, leg: Leg, asked: float, done: float) -> None:
        zones = f"{round(1e3 * done, 6):.4g} mm, not {1e3 * asked:.4g} mm"
        self._note(leg, f"has a zone of {zones}: it takes no more than 45 % of a move")

    def _note(self, leg: Leg, text: str) -> None:
        if leg.move.blend is leg.blend:  # not at its via points
            self.legs.note(leg.move, "blend", text)


def _body(leg: Leg, first: float, last: float) -> Stretch:
    return Stretch(leg.path, first, last, leg.speed, leg.acceleration, leg)


def _goes_on(item: PlanEvent) -> bool:
    """Whether an event leaves the arm in motion; a move that is there already does."""
    return isinstance(item.command, Signal | Move)
