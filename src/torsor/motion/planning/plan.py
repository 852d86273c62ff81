"""`plan`: from the commands of a program to joints as a function of time, piece by piece.

A plan is streamed: pieces are made when they are asked for, with a bounded look ahead, so memory does not grow with the
program. One piece is the part of the motion that one command is responsible for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from torsor.errors import ShapeError, TorsorError
from torsor.mechanics.arguments import floats
from torsor.model.transforms import Floats
from torsor.motion.any_arm import AnyArm
from torsor.motion.commands import Command, Joints, Pose, Target, checked_commands
from torsor.motion.planning.passage import Passage
from torsor.motion.planning.piece import Note, Piece
from torsor.motion.time_laws.timing import Paul, Timing
from torsor.motion.tolerances import first_cycle

_BLOCK = 4096  # samples


class Samples(NamedTuple):
    """A block of samples: times (k,), joints and derivatives (k, n), and the command each belongs to (k,)."""

    time: Floats
    q: Floats
    qd: Floats
    qdd: Floats
    qddd: Floats
    command: np.ndarray[tuple[int], np.dtype[np.int_]]


@dataclass(eq=False, repr=False)
class Plan:
    """The motion of a program. Iterating gives its pieces in order, each time anew.

    ``notes`` are the remarks of the last time through: moves slowed, corners stopped in, joints out of their range.
    """

    arm: AnyArm
    commands: Iterable[Command]
    start: Target | None
    timing: Timing | Paul
    branch: str
    strict: bool
    notes: list[Note] = field(default_factory=list)
    _used_up: bool = False

    def __iter__(self) -> Iterator[Piece]:
        if self._used_up:
            hint = "they came from an iterator; give a list to go through again"
            raise TorsorError("the commands of the plan are used up", hint=hint)
        self._used_up = isinstance(self.commands, Iterator)
        self.notes = []
        passage = Passage(self.arm, self.timing, self.start, branch=self.branch, strict=self.strict, notes=self.notes)
        yield from passage.pieces(checked_commands(self.commands))

    @property
    def duration(self) -> float:
        """Of the whole plan, s; goes through all of it."""
        end = 0.0
        for piece in self:
            end = piece.end
        return end

    def sample(self, dt: float) -> Iterator[Samples]:
        """Blocks of samples at t = 0, dt, 2 dt, ... and at the very end of the plan."""
        if not dt > 0.0:
            raise ShapeError(f"dt is {dt}", hint="the time in s between samples, above zero")
        cycle, gathered, count = 0, [], 0
        last: Piece | None = None
        for piece in self:
            if piece.duration <= 0.0:
                continue
            last = piece
            upto = first_cycle(piece.end, dt)
            for first in range(cycle, upto, _BLOCK):
                cycles = np.arange(first, min(first + _BLOCK, upto))
                gathered.append(_sampled(piece, np.asarray(cycles * dt, dtype=np.float64)))
                count += len(cycles)
                if count >= _BLOCK:
                    yield _together(gathered)
                    gathered, count = [], 0
            cycle = max(cycle, upto)
        if last is not None:
            gathered.append(_sampled(last, np.array([last.end])))
        if gathered:
            yield _together(gathered)

    def at(self, dt: float) -> Samples:
        """All samples at once."""
        blocks = list(self.sample(dt))
        if not blocks:
            raise TorsorError("the plan has no motion", hint="its program moves nothing")
        return _together(blocks)

    def __repr__(self) -> str:
        return f"<Plan of {self.arm.model.name}, {type(self.timing).__name__}>"


def plan(
    arm: AnyArm,
    commands: Iterable[Command],
    *,
    start: ArrayLike | Joints | Pose | None = None,
    timing: Timing | Paul | Literal["trapezoid", "s-curve", "quintic", "quartic"] | None = None,
    branch: str = "",
    strict: bool = True,
) -> Plan:
    """The motion q(t) of a list of commands, from ``start`` (joints, or a target; without a word all joints 0).

    ``timing``: a `Timing`, the name of its law, or `Paul` for SIMASEA's. ``branch``: of poses that name none; "" is
    the one nearest to where the arm is, "keep" the one it is on. ``strict``: what cannot be done raises; else it is
    noted, the move is left out, and joints may leave their ranges.

    >>> import torsor
    >>> from torsor.motion import Joints, Move, Place, plan
    >>> arm = torsor.load("rl15")
    >>> place = Place("a.irl", 1, 1)
    >>> moves = [Move("joint", Joints(tuple(np.deg2rad([-115.7, 55.7, 68.7]))), place)]
    >>> plan(arm, moves).duration
    1.467641460440793
    """
    if timing is None or isinstance(timing, str):
        timing = Timing() if timing is None else Timing(timing)
    if start is not None and not isinstance(start, Joints | Pose):
        q = floats("start", start, arm.n, f"{arm.model.name!r} has {arm.n} joints")
        if q.ndim != 1:
            raise ShapeError(f"start has shape {q.shape}", hint=f"give ({arm.n},)")
        start = Joints(tuple(q.tolist()), "start")
    return Plan(arm, commands, start, timing, branch, strict)


def _sampled(piece: Piece, time: Floats) -> Samples:
    motion = piece.trajectory.at(np.clip(time - piece.start, 0.0, piece.duration))
    return Samples(time, *motion, np.full(len(time), piece.index))


def _together(parts: list[Samples]) -> Samples:
    return Samples(*(np.concatenate(each) for each in zip(*parts, strict=True)))
