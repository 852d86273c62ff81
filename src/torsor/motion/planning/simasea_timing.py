"""Plans timed as SIMASEA does (Behi 1989, 3.7): segments of even speed and Paul's transitions.

In the transition at P from speed v0 to v1, |t| <= t_acc: x = P + v0 t + 2 t_acc (v1 - v0) (h^3 - h^4 / 2) with
h = (t + t_acc) / (2 t_acc). Position, speed and acceleration are continuous; a via point is passed, not touched.

A joint move interpolates the six joints of the tool's chain, also where loops move some; a straight move x, y, z and
the Euler angles z-y'-z''.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from torsor.errors import Unsupported
from torsor.model.transforms import Floats
from torsor.motion.commands import Command, Move, Signal
from torsor.motion.curves import Along, JointPath
from torsor.motion.paths.following import Followed
from torsor.motion.paths.rotations import euler_zyz
from torsor.motion.paths.tool_paths import ToolCoordinates
from torsor.motion.paths.trajectories import ByTime, Rest
from torsor.motion.planning.piece import Piece
from torsor.motion.time_laws.polynomials import Polynomials
from torsor.motion.time_laws.timing import Paul
from torsor.motion.tolerances import ROUNDING, SHORT

if TYPE_CHECKING:
    from torsor.motion.planning.passage import Passage


def segment_times(timing: Paul, points: Floats, rates: Floats, share: float) -> list[float]:
    """T of each segment between points (m, k) whose coordinates run at ``rates`` (k,) times ``share``."""
    needed = (np.abs(np.diff(points, axis=0)) / (rates * share)).max(axis=1)
    return [max(2.0 * timing.t_acc, timing.whole(each)) for each in needed.tolist()]


def transitions(points: Floats, times: Sequence[float], t_acc: float) -> Polynomials:
    """The motion through points (m, k), from rest to rest, in sum(times) + 2 t_acc.

    >>> x = transitions(np.array([[0.0], [3.0]]), [3.0], 1.0)
    >>> x.duration, [float(each[0]) for each in x.at(2.5)]      # halfway, at even speed
    (5.0, [1.5, 1.0, 0.0, 0.0])
    """
    zero = np.zeros(points.shape[1])
    speeds = [zero, *(np.diff(points, axis=0) / np.asarray(times)[:, None]), zero]
    breaks, rows = [0.0], []
    for k, point in enumerate(points):
        v0, v1 = speeds[k], speeds[k + 1]
        # x(t) from t = -t_acc on, in powers of t + t_acc
        width = 2.0 * t_acc
        rows.append([point - v0 * t_acc, v0, zero, (v1 - v0) / width**2, -0.5 * (v1 - v0) / width**3])
        breaks.append(breaks[-1] + width)
        even = times[k] - width if k < len(times) else 0.0
        if even > 0.0:
            rows.append([point + v1 * t_acc, v1, zero, zero, zero])
            breaks.append(breaks[-1] + even)
    return Polynomials(np.array(breaks), np.array(rows))


@dataclass(frozen=True, eq=False)
class JointCoordinates:
    """Joints as polynomials of time."""

    x: Polynomials

    @property
    def length(self) -> float:
        return self.x.duration

    def at(self, s: Floats) -> Along:
        return Along(*self.x.at(s))


@dataclass(frozen=True, eq=False)
class Overlapping:
    """A motion whose beginning is added to the end of the one before."""

    before: JointPath
    offset: float  # time of the motion before at which this one begins
    after: JointPath
    meeting: Floats  # where the one ends and the other begins

    @property
    def length(self) -> float:
        return self.after.length

    @property
    def breaks(self) -> Floats:
        ending = np.append(_breaks(self.before), self.before.length)
        return np.concatenate([ending - self.offset, _breaks(self.after)])

    def at(self, s: Floats) -> Along:
        tail = np.minimum(self.offset + s, self.before.length)
        ended = (self.offset + s > self.before.length)[:, None]
        q, *rates = self.before.at(tail)
        p, *others = self.after.at(s)
        return Along(q + p - self.meeting, *(np.where(ended, 0.0, a) + b for a, b in zip(rates, others, strict=True)))


def _breaks(path: JointPath) -> Floats:
    """Times at which the polynomials of a path change."""
    if isinstance(path, Overlapping):
        return path.breaks
    coordinates = path.tool if isinstance(path, Followed) else path
    assert isinstance(coordinates, JointCoordinates | ToolCoordinates)
    return coordinates.x.breaks


def pieces(passage: Passage, timing: Paul, commands: Iterable[Command]) -> Iterator[Piece]:
    """Commands with their number, start and motion; a move is held back until the next command is known."""
    held: tuple[Move, int, JointPath, float] | None = None  # a move that has begun, and when
    ends: Floats = passage.legs.q
    before: JointPath | None = None  # the path of the held move alone, for what overlaps its end
    between: list[tuple[Command, int]] = []
    time = 0.0

    def ended(upto: float) -> Iterator[Piece]:
        """The held move, and the signals behind it."""
        if held is not None:
            move, number, path, start = held
            duration = path.length if upto >= start + path.length else upto - start
            of_arm = passage.chain.of_arm(path, passage.arm_at)
            passage.arm_at = of_arm.at(np.array([duration])).q[0]
            yield Piece(move, number, start, ByTime(of_arm, duration, _breaks(path)))
        for command, number in between:
            yield Piece(command, number, upto, Rest(passage.chain.to_arm(passage.event(command, number).q), 0.0))
        between.clear()

    for number, command in enumerate(commands):
        if isinstance(command, Signal) and held is not None:
            between.append((command, number))
        elif isinstance(command, Move):
            path = passage.attempt(command, partial(_timed, passage, timing, command))
            if path is None:
                continue
            start, shown = time, path
            if before is not None and timing.overlap:
                start = time - timing.t_acc
                shown = Overlapping(before, before.length - timing.t_acc, path, ends)
            yield from ended(start)
            held, before, ends, time = (command, number, shown, start), path, passage.legs.q, start + path.length
        else:
            yield from ended(time)
            held = before = None
            event = passage.event(command, number)
            yield Piece(command, number, time, Rest(passage.chain.to_arm(event.q), event.seconds))
            time += event.seconds
    yield from ended(time)


def _timed(passage: Passage, timing: Paul, move: Move) -> JointPath | None:
    """As fast as the timing goes, slower where the tool's speeds or a duration ask for it."""
    legs, pace = passage.legs, move.pace
    share, push = legs.shares(move)
    start = legs.q
    points, rates, path_of = (_joints if move.kind == "joint" else _straight)(passage, timing, move)
    if np.abs(np.diff(points, axis=0)).max() < SHORT:
        return None
    times = segment_times(timing, points, rates, share)
    takes = sum(times) + 2.0 * timing.t_acc
    if pace.duration is not None and pace.duration < takes * (1.0 - ROUNDING):
        legs.note(move, "duration", f"takes {takes:.4g} s, not {pace.duration:.4g} s: its timing allows no less")
    elif pace.duration is not None:
        times = [T * (pace.duration - 2.0 * timing.t_acc) / sum(times) for T in times]
    path = path_of(transitions(points, times, timing.t_acc))
    while (pace.speed, pace.turn) != (None, None) and (rate := legs.tip.peaks_of(path).rate(pace)) < 1.0:
        times = [max(timing.whole(T / rate), T + timing.increment) for T in times]
        legs.q = start
        path = path_of(transitions(points, times, timing.t_acc))
    if (pace.axis_speed, pace.axis_acceleration) != (None, None) and move.kind == "joint":
        legs.note(move, "ignored", "moves as SIMASEA's timing does: it knows no pace of a leading joint")
    if push != 1.0 or pace.acceleration is not None:
        legs.note(move, "ignored", "accelerates as SIMASEA's timing does, not as it says")
    if move.blend.kind != "stop" and not timing.overlap:
        legs.note(move, "blend", "stops here: SIMASEA's timing goes from stop to stop, unless with overlap")
    elif move.blend.radius is not None:
        legs.note(move, "blend", "overlaps with the next one: SIMASEA's timing knows no zones")
    return path


# points (m, k), rates (k,), and the path of coordinates
Timeable = tuple[Floats, Floats, Callable[[Polynomials], JointPath]]


def _joints(passage: Passage, timing: Paul, move: Move) -> Timeable:
    legs, points = passage.legs, [passage.legs.q]
    for target in (*move.via, move.target):
        legs.q = legs.joints_of(target, legs.q)
        legs.within_limits(move, legs.q[None], f"its target {target.name}".rstrip())
        points.append(legs.q)
    end = legs.q

    def path_of(x: Polynomials) -> JointPath:
        legs.q = end
        return JointCoordinates(x)

    return np.array(points), np.full(legs.chain.n, timing.rate_joint), path_of


def _straight(passage: Passage, timing: Paul, move: Move) -> Timeable:
    if move.kind == "circle":
        raise Unsupported("SIMASEA's timing knows no circles", hint="plan this program with another timing")
    legs = passage.legs
    if move.orientation != "variable":
        legs.note(move, "ignored", f"turns by Euler angles: SIMASEA's timing knows no orientation {move.orientation!r}")
    if not np.array_equal(legs.offset, np.eye(4)):
        raise Unsupported("SIMASEA's timing knows no change of tools", hint="plan this program with another timing")
    poses = [legs.T]
    for target in (*move.via, move.target):
        poses.append(legs.pose_of(target, poses[-1]))
    points = np.array([[*T[:3, 3], *euler_zyz(T[:3, :3])] for T in poses])

    def path_of(x: Polynomials) -> JointPath:
        path = Followed(legs.chain, ToolCoordinates(x), legs.q, arm=legs.arm)
        legs.within_limits(move, path.q, "the line")
        legs.q = path.end
        return path

    return points, np.array([timing.rate_linear] * 3 + [timing.rate_euler] * 3), path_of
