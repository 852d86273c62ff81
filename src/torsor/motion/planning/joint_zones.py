"""Zones with a joint move on a side: both legs are run through as they are, added up in the joints.

All of a zone with a radius is within it. Programs have thousands of them, so those of many legs are found together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from torsor.motion.paths.blends import BEND, DEVIATION, PathCorner
from torsor.motion.paths.many_paths import ManyPaths
from torsor.motion.planning.legs import Leg, Legs
from torsor.motion.planning.lines_ahead import LOOKS
from torsor.motion.planning.slowing import PacesAsked, Seen, slowed_together
from torsor.motion.planning.tip import MARGIN, Peaks, Tip

SHARE = 0.45  # of a leg's length that a zone may take at each end
LEAST = 0.01  # of the room there is, the smallest zone where no radius is given
_CLOSE = 1e-6  # share of a radius that is rounding
_SMALLER = 0.9  # a zone through which the tool would swing out of its radius becomes smaller by this
LegPairs = Sequence[tuple[Leg, Leg]]


@dataclass(frozen=True, eq=False)
class JointZone:
    """The corner of two legs, the even rate of its parameter, and the radii that legs have room for, if less."""

    path: PathCorner
    rate: float
    cut: tuple[float, ...]


def joint_zones(legs: Legs, pairs: LegPairs, *, corner: float) -> list[JointZone]:
    """Of legs that meet, in pairs, whatever tools they are run through with; both of a pair have the same."""
    found: dict[int, JointZone] = {}
    for tip in {id(a.tip): a.tip for a, _ in pairs}.values():
        own = [k for k, (a, _) in enumerate(pairs) if a.tip is tip]
        found.update(zip(own, _of_one_tool(legs, tip, [pairs[k] for k in own], corner), strict=True))
    return [found[k] for k in range(len(pairs))]


def _of_one_tool(legs: Legs, tip: Tip, pairs: LegPairs, corner: float) -> list[JointZone]:
    taken, cuts = _taken(legs, tip, pairs, corner)
    paths = _inside(tip, pairs, [PathCorner(a.path, b.path, *each) for (a, b), each in zip(pairs, taken, strict=True)])
    rates = _slowed(legs, pairs, paths)
    for side in (0, 1):
        rates = _held_by_tool(tip, [pair[side] for pair in pairs], paths, float(side), rates)
    return [JointZone(*each) for each in zip(paths, rates, cuts, strict=True)]


def _taken(
    legs: Legs, tip: Tip, pairs: LegPairs, corner: float
) -> tuple[list[tuple[float, float]], list[tuple[float, ...]]]:
    """How much of both legs zones take, and the radii that legs have room for where more is asked."""
    taken = [(0.0, 0.0) if a.blend.radius is not None else _flowing(legs, tip, a, b, corner) for a, b in pairs]
    cuts: list[tuple[float, ...]] = [()] * len(pairs)
    given = [k for k, (a, _) in enumerate(pairs) if a.blend.radius is not None]
    if given:
        for k, each, cut in zip(given, *_within(tip, [pairs[k] for k in given]), strict=True):
            taken[k], cuts[k] = each, cut
    return taken, cuts


def _within(tip: Tip, pairs: LegPairs) -> tuple[list[tuple[float, float]], list[tuple[float, ...]]]:
    """How much of both legs is within a radius of the corner: up to where the tool leaves it."""
    sides = [(leg, a.blend.radius or 0.0) for a, b in pairs for leg in (a, b)]
    ways = [way for a, b in pairs for way in ((a.length, (1.0 - SHARE) * a.length), (0.0, SHARE * b.length))]
    many, (start, end) = ManyPaths([leg.path for leg, _ in sides]), np.array(ways).T
    left = tip.leaves(many.at, start, end, np.array([radius for _, radius in sides]))
    stays = np.isnan(left)  # not before all that it may take
    lengths = np.abs(np.where(stays, end, left) - start).tolist()
    room: list[tuple[float, ...]] = [()] * len(sides)
    for k in np.flatnonzero(stays).tolist():
        ends = tip.positions(sides[k][0].path.at(np.array([start[k], end[k]])).q)
        room[k] = (float(np.linalg.norm(ends[1] - ends[0])),)
    pair = range(0, len(sides), 2)
    return [(lengths[k], lengths[k + 1]) for k in pair], [room[k] + room[k + 1] for k in pair]


def _inside(tip: Tip, pairs: LegPairs, paths: list[PathCorner]) -> list[PathCorner]:
    """Zones with a radius become smaller until the tool does not swing out of it."""
    paths, open_ = list(paths), [k for k, (a, _) in enumerate(pairs) if a.blend.radius is not None]
    if open_:
        corners = ManyPaths([b.path for _, b in pairs]).at(np.arange(len(pairs)), np.zeros(len(pairs))).q
        centre = tip.positions(corners)
    while open_:
        first = np.zeros(len(open_))
        radius = np.array([pairs[k][0].blend.radius for k in open_])
        far = tip.furthest(ManyPaths([paths[k] for k in open_]).at, first, first + 2.0, centre[open_])
        open_ = [open_[k] for k in np.flatnonzero(far > radius * (1.0 + _CLOSE)).tolist()]
        for k in open_:
            a, b = pairs[k]
            paths[k] = PathCorner(a.path, b.path, _SMALLER * paths[k].out, _SMALLER * paths[k].into)
    return paths


def _flowing(legs: Legs, tip: Tip, a: Leg, b: Leg, corner: float) -> tuple[float, float]:
    """How much of both legs a zone without a radius takes.

    It lasts 2 h: as long as the change of speed takes, no longer than braking or starting would.
    """
    push = min(a.push, b.push) * legs.rates.accelerations
    change = b.speed * b.path.slopes[0] - a.speed * a.path.slopes[1]
    h = BEND * float((np.abs(change) / push).max())
    h = min(h, 0.5 * a.speed / a.acceleration, 0.5 * b.speed / b.acceleration)
    for leg, s in ((a, a.length), (b, 0.0)):
        h = min(h, SHARE * leg.length / leg.speed)
        if leg.metric or a.blend.kind != "joint":
            travel = leg.speed * float(np.linalg.norm(tip.rates(leg.path.at(np.array([s])))[0]))
            h = min(h, corner / DEVIATION / travel) if travel > 0.0 else h
    h = max(h, LEAST * SHARE * min(a.length / a.speed, b.length / b.speed))
    return a.speed * h, b.speed * h


def _slowed(legs: Legs, pairs: LegPairs, paths: Sequence[PathCorner]) -> list[float]:
    """The greatest even rates of zones at which the joints keep their limits."""
    rates = [min(a.speed / path.out, b.speed / path.into) for (a, b), path in zip(pairs, paths, strict=True)]
    bent = []
    for k, ((a, b), path) in enumerate(zip(pairs, paths, strict=True)):
        if a.tool is not None or b.tool is not None or legs.rates.bends:
            bent.append(k)
            continue
        # q' is between those of the lines, and q'' greatest in the middle
        bend = BEND * np.abs(path.into * b.path.slopes[0] - path.out * a.path.slopes[1])
        load = float((bend / (min(a.push, b.push) * legs.rates.accelerations)).max())
        rates[k] = min(rates[k], sqrt(1.0 / load)) if load > 0.0 else rates[k]
    if bent:
        share, push = (
            np.array([pick(getattr(leg, name) for leg in pairs[k]) for k in bent])
            for pick, name in ((max, "share"), (min, "push"))
        )
        asked = PacesAsked(np.array([rates[k] for k in bent]), np.zeros(len(bent)), share, push)
        slower, _, _ = slowed_together(legs.rates, Seen.together([paths[k] for k in bent], LOOKS), asked)
        for k, rate in zip(bent, slower.tolist(), strict=True):
            rates[k] = rate
    return rates


def _held_by_tool(
    tip: Tip, sides: Sequence[Leg], paths: Sequence[PathCorner], first: float, rates: list[float]
) -> list[float]:
    """The rates of zones at which the half of each that belongs to a leg keeps what that says of the tool."""
    paces = [leg.move.pace for leg in sides]
    held = [k for k, pace in enumerate(paces) if (pace.speed, pace.turn, pace.acceleration) != (None, None, None)]
    if not held:
        return rates
    many, start = ManyPaths([paths[k] for k in held]), np.full(len(held), first)
    above = np.array([Peaks.allowed(paces[k], rates[k]) for k in held])
    rates = list(rates)
    for k, peaks in zip(held, tip.peaks(many.at, start, start + 1.0, above), strict=True):
        most = paces[k].acceleration
        rates[k] = min(rates[k], peaks.rate(paces[k]))
        if most is not None and peaks.bend * rates[k] ** 2 > most:
            rates[k] = sqrt((1.0 - MARGIN) * most / peaks.bend)
    return rates
