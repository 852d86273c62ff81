"""As fast as the motors allow: a plan whose pieces are timed anew, from rest to rest, by `time_optimal`.

Paths stay as they are planned, corners included. Speeds of the tool that the program gives hold, for they belong to the
work; shares of limits and accelerations do not, for the motors now decide. A move with a duration keeps it.

`tool_paces` says how fast a plan moves the tool, for lines that leave it to the joints' limits.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from torsor.checking.checked_arm import CheckedArm
from torsor.checking.equipping import Equipped
from torsor.checking.sampling import BetweenRests, Planned, between_rests
from torsor.errors import TorsorError
from torsor.model.transforms import Floats
from torsor.motion import Note, Plan, ToolBound, time_optimal
from torsor.motion.commands import Move
from torsor.motion.curves import Along, Motion, Switching, Trajectory, between, piecewise
from torsor.motion.paths.trajectories import Joined, TimedPath
from torsor.motion.planning.piece import Piece, note_on
from torsor.programs.pace import ToolPace

POINTS, MOST_POINTS = 200, 4000  # of the grid: for each piece, and of a whole stretch
LOOKS = 129  # points of a piece at which the tool's speed is looked at


@dataclass(frozen=True, eq=False)
class Chained:
    """Paths one after the other, by one parameter along which q' goes on: by ds part k goes on by ``rates[k] ds``."""

    parts: tuple[TimedPath, ...]
    rates: Floats  # (parts,)
    starts: Floats  # (parts + 1,)

    @classmethod
    def of(cls, parts: list[TimedPath]) -> Chained:
        ends = [part.time_law.at(np.array([0.0, part.duration])) for part in parts]
        rates = [1.0]
        for (_, before, *_), (_, after, *_) in pairwise(ends):
            rates.append(rates[-1] * float(after[0] / before[1]))  # qd is the same on both sides
        lengths = [float(s[1] - s[0]) / rate for (s, *_), rate in zip(ends, rates, strict=True)]
        return cls(tuple(parts), np.array(rates), np.concatenate([[0.0], np.cumsum(lengths)]))

    @property
    def length(self) -> float:
        return float(self.starts[-1])

    def at(self, s: Floats) -> Along:
        which = np.clip(np.searchsorted(self.starts, s, side="right") - 1, 0, len(self.parts) - 1)

        def along(k: int, s: Floats) -> list[Floats]:
            part, rate = self.parts[k], self.rates[k]
            own = np.clip(part.first + rate * (s - self.starts[k]), 0.0, part.path.length)
            return [rate**order * each for order, each in enumerate(part.path.at(own))]

        return Along(*piecewise(which, s, along))


@dataclass(frozen=True, eq=False)
class Slice:
    """A trajectory from ``first`` on."""

    whole: Switching
    first: float
    duration: float

    @property
    def switches(self) -> Floats:
        return between(self.whole.switches - self.first, self.duration)

    def at(self, t: Floats) -> Motion:
        return self.whole.at(np.clip(self.first + t, 0.0, self.whole.duration))


class Retimed:
    """The pieces of a plan with the fastest timing that its arm can follow. ``notes`` are those of the plan."""

    def __init__(self, plan: Plan, machine: CheckedArm) -> None:
        self.plan, self.machine = plan, machine
        self.kept: list[Note] = []

    @property
    def notes(self) -> list[Note]:
        return [note for note in self.plan.notes if note.kind != "slowed"] + self.kept

    def __iter__(self) -> Iterator[Piece]:
        self.kept = []
        time = 0.0
        for stretch in between_rests(self.machine, self.plan):
            for piece in self._timed(stretch):
                yield replace(piece, start=time)
                time += piece.trajectory.duration

    def _timed(self, stretch: BetweenRests[Piece]) -> Iterable[Piece]:
        machine, moving = stretch.machine, stretch.moving
        parts = [_parts(piece.trajectory) for piece in moving]
        fixed = any(not isinstance(p.command, Move) or p.command.pace.duration is not None for p in moving)
        if not moving or fixed or not all(parts):
            return stretch.pieces
        path = Chained.of([part for each in parts for part in each])
        ends = path.starts[np.cumsum([0, *map(len, parts)])]
        try:
            timed = time_optimal(
                machine.arm,
                path,
                speed=machine.speeds,
                acceleration=machine.accelerations,
                wrench=machine.wrench,
                tool=_bounds(machine, moving, ends),
                points=min(POINTS * len(moving), MOST_POINTS),
                breaks=path.starts[1:-1].tolist(),
            )
        except TorsorError as error:
            text = f"timed as it is programmed, not as fast as the motors allow: {error.problem}"
            self.kept.append(Note(moving[0].place, "slowed", text))
            return stretch.pieces
        self._left_to_motors(moving)
        times = iter(np.interp(ends, timed.s, timed.time))
        done, last = [], next(times)
        for piece in stretch.pieces:
            if piece.trajectory.duration > 0.0:
                first, last = last, next(times)
                piece = replace(piece, trajectory=Slice(timed, float(first), float(last - first)))
            done.append(piece)
        return done

    def _left_to_motors(self, moving: Iterable[Piece]) -> None:
        """What the program says of shares and accelerations is not followed, and that is said, once for a line."""
        for piece in moving:
            assert isinstance(piece.command, Move)
            pace, place = piece.command.pace, piece.place
            asked = (pace.share or 1.0, pace.acceleration_share or 1.0, pace.acceleration)
            by_joint = (pace.axis_speed, pace.axis_acceleration) != (None, None)
            if (by_joint or asked != (1.0, 1.0, None)) and place not in {note.place for note in self.kept}:
                text = "is as fast as the motors allow: its shares of limits and its acceleration"
                text += ", or the pace of its leading joint, are not followed" if by_joint else " are not followed"
                self.kept.append(note_on(piece.command, "ignored", text))


def _parts(trajectory: Trajectory) -> list[TimedPath]:
    """Paths with their laws; none where a part of a trajectory has no path."""
    parts = trajectory.parts if isinstance(trajectory, Joined) else [trajectory]
    timed = [part for part in parts if isinstance(part, TimedPath)]
    return timed if len(timed) == len(parts) else []


def _bounds(machine: CheckedArm, pieces: list[Piece], ends: Floats) -> list[ToolBound]:
    """What the program says of the tool's speed."""
    found = []
    for piece, start, end in zip(pieces, ends[:-1], ends[1:], strict=True):
        assert isinstance(piece.command, Move)
        pace = piece.command.pace
        if pace.speed is not None or pace.turn is not None:
            if machine.tool is not None:
                raise TorsorError("the speed of a tool that the program mounts cannot be held")
            found.append(ToolBound(float(start), float(end), speed=pace.speed, turn=pace.turn))
    return found


def tool_paces(machine: CheckedArm, pieces: Iterable[Planned], lines: Collection[int]) -> dict[int, ToolPace]:
    """Of those lines that move the tool along a line or a circle. A line that is run again counts as it is slowest.

    Of joint moves whose leading joint has a pace of its own it is the pace of that joint, rad/s and rad/s^2.
    """
    found: dict[int, ToolPace] = {}
    equipped = Equipped(machine)
    for piece in pieces:
        command = piece.command
        holding = equipped.after(command)
        line = command.place.line
        by_joint = isinstance(command, Move) and command.pace.axis_speed is not None
        if not isinstance(command, Move) or (command.kind == "joint" and not by_joint) or line not in lines:
            continue
        at = piece.trajectory.at(np.linspace(0.0, piece.trajectory.duration, LOOKS))
        if by_joint:
            pace = ToolPace(float(np.abs(at.qd).max()), float(np.abs(at.qdd).max()))
        else:
            pace = ToolPace(float(holding.tool_speed(at.q, at.qd).max()), _acceleration(piece.trajectory))
        speed = pace.speed
        if speed > 0.0 and pace.acceleration > 0.0:
            old = found.get(line, pace)
            found[line] = ToolPace(min(old.speed, pace.speed), min(old.acceleration, pace.acceleration))
    return found


def _acceleration(trajectory: Trajectory) -> float:
    """The greatest sdd of the laws that paths of the tool, whose parameter is metres, are run through by."""
    laws = [part.time_law for part in _parts(trajectory)]
    return max((float(np.abs(law.at(np.linspace(0.0, law.duration, LOOKS))[2]).max()) for law in laws), default=0.0)
