"""Legs joined where the program blends them: what is run through between two stops.

A zone is run through at constant speed, so that nothing but the bend of the corner loads the joints there; legs speed
up and slow down between zones. Legs that meet without a bend are joined as they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from math import sqrt
from typing import Literal

import numpy as np

from torsor.errors import TorsorError
from torsor.model.transforms import Floats
from torsor.motion.commands import Command, Move, Signal
from torsor.motion.curves import JointPath, Switching
from torsor.motion.paths.blends import BEND, DEVIATION, ToolCorner
from torsor.motion.paths.following import Followed
from torsor.motion.paths.following_many import followed_between
from torsor.motion.paths.many_paths import ManyPaths
from torsor.motion.planning.joint_zones import LEAST, SHARE, JointZone, joint_zones
from torsor.motion.planning.legs import Leg, Legs
from torsor.motion.planning.lines_ahead import LOOKS, TOGETHER, windows
from torsor.motion.planning.slowing import PacesAsked, Seen, of_one, slowed_together
from torsor.motion.tolerances import ROUNDING

_FINE = 1e-6  # m: a zone that is smaller is a stop
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
        self.joint_ahead: dict[Leg, JointZone] = {}

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
        """The same; zones are looked at together before."""
        pending: Leg | None = None
        for window in windows(items, TOGETHER):
            pairs = []
            for item in window:
                if isinstance(item, Leg):
                    if pending is not None and pending.blend.kind != "stop":
                        pairs.append((pending, item))
                    pending = item
                elif item is None or not _goes_on(item):
                    pending = None
            self.ahead, self.joint_ahead = {}, {}
            with suppress(TorsorError):  # of one of them, which stops where it is planned, and says why
                self._look([(a, b) for a, b in pairs if a.metric and b.metric])
            with suppress(TorsorError):
                self._look_at_joints([(a, b) for a, b in pairs if not (a.metric and b.metric)])
            yield from window

    def _look_at_joints(self, pairs: list[tuple[Leg, Leg]]) -> None:
        """Zones with a joint move on a side, together."""
        pairs = [(a, b) for a, b in pairs if not _no_zone(a, b) and not _smooth(a, b)]
        found = joint_zones(self.legs, pairs, corner=self.corner) if len(pairs) > 1 else []
        self.joint_ahead = {a: zone for (a, _), zone in zip(pairs, found, strict=False)}

    def _look(self, pairs: list[tuple[Leg, Leg]]) -> None:
        """Zones of legs that meet, followed and held to the limits of the joints together."""
        legs = self.legs
        if len(pairs) < 2:
            return
        zones = [(a, b, self._radius(a, b)[0]) for a, b in pairs]
        a_side, b_side = (ManyPaths([pair[side].path for pair in pairs]) for side in (0, 1))
        which, radius = np.arange(len(zones)), np.array([r for _, _, r in zones])
        first, last = a_side.at(which, a_side.lengths - radius).q, b_side.at(which, radius).q
        tools = [a.tip.own(ToolCorner(a.tool, b.tool, r)) for a, b, r in zones if a.tool and b.tool]  # as all have
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
        if why := _no_zone(a, b):
            return self._stops(a, why)
        if _smooth(a, b):
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
                start = a.path.joints(np.array([a.length - radius]))[0]
                path = Followed(legs.chain, a.tip.own(tool), start, arm=legs.arm)
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
        room, radius = SHARE * min(a.length, b.length), a.blend.radius
        if radius is None:
            bend = np.abs(b.path.slopes[0] - a.path.slopes[1])
            load = float((bend / (min(a.push, b.push) * self.legs.rates.accelerations)).max())
            edge = np.linalg.norm(b.tool.tangent(0.0) - a.tool.tangent(a.length))
            load = max(load, float(edge) / min(a.tool_acceleration, b.tool_acceleration))
            # at the radius BEND v^2 load the corner allows the full speed
            radius = max(min(BEND * min(a.speed, b.speed) ** 2 * load, self.corner / DEVIATION), LEAST * room)
        return min(radius, room), room

    def _joint_zone(self, a: Leg, b: Leg) -> Stretch:
        """With a joint move on a side: both are run through as they are, added up in the joints."""
        zone = self.joint_ahead.pop(a, None)
        if zone is None:
            (zone,) = joint_zones(self.legs, [(a, b)], corner=self.corner)
        path = zone.path
        for room in zone.cut:
            assert a.blend.radius is not None
            self._cut(a, a.blend.radius, room)
        return Stretch(path, 0.0, path.length, zone.rate * path.out, 0.0, a, b, path.out, path.into)

    def _slowed(self, a: Leg, b: Leg, path: Followed, speed: float) -> float:
        """The greatest even speed of a zone at which the joints keep their limits."""
        s = np.linspace(0.0, path.length, LOOKS)
        share, push = max(a.share, b.share), min(a.push, b.push)
        limits = {"share": share, "push": push}
        return of_one(slowed_together, self.legs.rates, path, speed, 0.0, **limits, s=s, seen=path.at(s))[0]

    def _stops(self, leg: Leg, why: str) -> Stretch | None:
        self._note(leg, f"stops here: {why}")
        return None

    def _cut(self, leg: Leg, asked: float, done: float) -> None:
        zones = f"{round(1e3 * done, 6):.4g} mm, not {1e3 * asked:.4g} mm"
        self._note(leg, f"has a zone of {zones}: it takes no more than 45 % of a move")

    def _note(self, leg: Leg, text: str) -> None:
        if leg.move.blend is leg.blend:  # not at its via points
            self.legs.note(leg.move, "blend", text)


def _no_zone(a: Leg, b: Leg) -> str:
    """Why legs that are to be blended are not; "" where they are."""
    if a.blend.radius is not None and a.blend.radius < _FINE:
        return f"a zone of {1e3 * a.blend.radius:.3g} mm is none"
    if (a.move.pace.duration, b.move.pace.duration) != (None, None) and a.number != b.number:
        return "a move of given duration goes from stop to stop"
    return ""


def _smooth(a: Leg, b: Leg) -> bool:
    """Whether there is nothing to round between them."""
    if not ((a.tool is None and b.tool is None) or (a.metric and b.metric)):
        return False
    bend = b.path.slopes[0] - a.path.slopes[1]
    return bool(np.abs(bend).max() < ROUNDING * np.abs(a.path.slopes[1]).max())


def _body(leg: Leg, first: float, last: float) -> Stretch:
    return Stretch(leg.path, first, last, leg.speed, leg.acceleration, leg)


def _goes_on(item: PlanEvent) -> bool:
    """Whether an event leaves the arm in motion; a move that is there already does."""
    return isinstance(item.command, Signal | Move)
