"""A loop whose joints all move in one plane, whichever way that plane lies in space.

Counted as rigid bodies in space such a loop has three equations too many: what its parallel axes hold anyway. In its
plane there are two, the place where the cut joint closes. Angles and lengths are those of the lowered tree.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from torsor.mechanics.plane import ONE, ZERO, Vector
from torsor.model.parts import BASE
from torsor.model.transforms import Floats

if TYPE_CHECKING:
    from torsor.mechanics.posture import Posture
    from torsor.mechanics.tree import Mount, Tree

PARALLEL = 1e-9  # sine by which axes may be off
ROUNDING = 1e-14


@dataclass(frozen=True, eq=False)
class Segment:
    """One body of a chain: where its joint is on the body before it, and how it turns or slides there."""

    body: int
    offset: Vector  # from the origin before, in the axes of the plane as they stand with the body before at angle 0
    sense: float  # +1 or -1: which way the joint turns the plane; 0 where it slides
    slide: Vector  # direction it slides in, times the slide of a unit; ZERO where it turns


@dataclass(frozen=True, eq=False)
class LoopSide:
    segments: tuple[Segment, ...]
    end: Vector  # the loop's end on the last body


@dataclass(frozen=True, eq=False)
class Walked:
    """A chain at a posture."""

    headings: list[Vector]  # of each body, unit
    points: list[Vector]  # origin of each body
    end: Vector


@dataclass(frozen=True, eq=False)
class PlanarLoop:
    """The two chains that meet, from the body they share; ``plane`` (3, 3) has its axes e1, e2, normal as columns."""

    name: str
    shared: int  # the body they start from, BASE for the base
    plane: Floats  # in the axes of the shared body
    first: LoopSide
    second: LoopSide


def planar_loop(tree: Tree, name: str, kind: str, ends: tuple[Mount, Mount]) -> PlanarLoop | None:
    """The loop in its plane, None where it has none."""
    if kind not in ("hinge", "ball"):
        return None
    paths = [tree.path(end.body) for end in ends]
    both = [i for i in paths[0] if i in paths[1]]
    shared = both[-1] if both else BASE
    placed: dict[int, tuple[Floats, Floats]] = {shared: (np.eye(3), np.zeros(3))}
    turning: list[Floats] = []
    sliding: list[Floats] = []
    for i in (i for path in paths for i in path[len(both) :]):
        body = tree.bodies[i]
        R, p = placed[body.parent]
        placed[i] = R @ body.rotation, p + R @ (body.position + body.rotation[:, 2] * body.along)
        if body.turn and body.slide:
            return None
        (turning if body.turn else sliding).append(placed[i][0][:, 2])
    tips = [placed[end.body][0] @ end.position + placed[end.body][1] for end in ends]
    axes = [placed[end.body][0] @ end.rotation[:, 2] for end in ends] if kind == "hinge" else []
    if not turning or (axes and axes[0] @ axes[1] < 0.0):
        return None
    normal = turning[0]
    if any(np.linalg.norm(np.cross(normal, z)) > PARALLEL for z in turning + axes):
        return None
    if any(abs(z @ normal) > PARALLEL for z in sliding):
        return None
    size = max(float(np.abs(p).max()) for _, p in placed.values()) + float(np.abs(tips).max()) + 1e-9
    if abs((tips[0] - tips[1]) @ normal) > PARALLEL * size:
        return None  # it cannot close, which is found and said when it is assembled
    plane = _axes(normal)

    def chain(path: list[int], tip: Floats) -> LoopSide:
        segments, before = [], np.zeros(3)
        for i in path[len(both) :]:
            (R, p), body = placed[i], tree.bodies[i]
            sense = float(np.sign(R[:, 2] @ normal)) if body.turn else 0.0
            slide = ZERO if body.turn else _in(plane, body.slide * R[:, 2], 1.0)
            segments.append(Segment(i, _in(plane, p - before, size), sense, slide))
            before = p
        return LoopSide(tuple(segments), _in(plane, tip - before, size))

    return PlanarLoop(name, shared, plane, *(chain(path, tip) for path, tip in zip(paths, tips, strict=True)))


def walk(chain: LoopSide, posture: Posture) -> Walked:
    """Headings and points of a chain, in the plane's axes on the shared body."""
    heading, at = ONE, ZERO
    headings, points = [], []
    for segment in chain.segments:
        at = at + heading * segment.offset
        if segment.sense:
            unit = posture.unit(segment.body)
            heading = heading * (unit if segment.sense > 0.0 else unit.mirrored())
        else:
            at = at + heading * segment.slide.times(posture.coordinate(segment.body))
        headings.append(heading)
        points.append(at)
    return Walked(headings, points, at + heading * chain.end)


def columns(chain: LoopSide, walked: Walked) -> list[Vector]:
    """What the end moves by for a unit rate of each body's coordinate."""
    found = []
    for segment, before, point in zip(chain.segments, [ONE, *walked.headings], walked.points, strict=False):
        across = (walked.end - point).across()
        turned = across if segment.sense > 0.0 else -across
        found.append(turned if segment.sense else before * segment.slide)
    return found


@dataclass(frozen=True, eq=False)
class SideRates:
    """How a chain at a posture moves: turning rates, velocities of points and of the end, and what the end accelerates
    by at constant rates."""

    turning: list[Any]
    velocities: list[Vector]
    end: Vector
    drift: Vector


def moved(chain: LoopSide, walked: Walked, rates: list[Any]) -> SideRates:
    """``rates`` are those of the bodies' coordinates, in the order of the chain."""
    spin: Any = 0.0
    at, velocity, drift, heading = ZERO, ZERO, ZERO, ONE
    turning, velocities = [], []
    for segment, point, rate, after in zip(chain.segments, walked.points, rates, walked.headings, strict=True):
        arm = point - at
        velocity, drift = velocity + arm.across().times(spin), drift - arm.times(spin * spin)
        if segment.sense:
            spin = spin + segment.sense * rate
        else:
            sliding = (heading * segment.slide).times(rate)
            velocity, drift = velocity + sliding, drift + sliding.across().times(2.0 * spin)
        turning.append(spin)
        velocities.append(velocity)
        at, heading = point, after
    arm = walked.end - at
    return SideRates(turning, velocities, velocity + arm.across().times(spin), drift - arm.times(spin * spin))


def column_rates(chain: LoopSide, walked: Walked, rates: SideRates) -> list[Vector]:
    """How the columns change with time."""
    found = []
    headings, spins = [ONE, *walked.headings], [0.0, *rates.turning]
    for segment, heading, spin, v in zip(chain.segments, headings, spins, rates.velocities, strict=False):
        across = (rates.end - v).across()
        turned = across if segment.sense > 0.0 else -across
        found.append(turned if segment.sense else (heading * segment.slide).across().times(spin))
    return found


def _axes(normal: Floats) -> Floats:
    """Two axes of the plane and its normal, along those of the body where the normal is."""
    helper = np.eye(3)[int(np.argmin(np.abs(normal)))]
    e1 = helper - (helper @ normal) * normal
    e1 = e1 / np.linalg.norm(e1)
    return np.stack([e1, np.cross(normal, e1), normal], axis=-1)


def _in(plane: Floats, v: Floats, size: float) -> Vector:
    x, y = (float(v @ plane[:, k]) for k in range(2))
    return Vector(x if abs(x) > ROUNDING * size else 0.0, y if abs(y) > ROUNDING * size else 0.0)
