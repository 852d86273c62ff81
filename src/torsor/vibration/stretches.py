"""A program from stop to stop: what is shaped as one motion, and what all of it is when, shaped or not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType

import numpy as np

from torsor.model.transforms import Floats
from torsor.motion import Plan
from torsor.motion.commands import Place
from torsor.motion.curves import Motion, Trajectory, piecewise
from torsor.motion.planning.piece import Piece
from torsor.motion.tolerances import first_cycle

REST = 1e-9  # rad/s or m/s: slower is at rest


@dataclass(frozen=True, eq=False)
class BetweenStops:
    """What the arm does between two stops: moves one after the other, or a pause, which is none."""

    pieces: tuple[Piece, ...]

    @property
    def moves(self) -> bool:
        return _moves(self.pieces[0])

    @property
    def start(self) -> float:
        return self.pieces[0].start

    @property
    def duration(self) -> float:
        return self.pieces[-1].end - self.start

    @property
    def ends_at_rest(self) -> bool:
        last = self.pieces[-1].trajectory
        return float(np.abs(last.at(np.array([last.duration])).qd).max()) < REST

    def at(self, t: Floats) -> Motion:
        """At times (k,) since its start."""
        starts = np.array([piece.start - self.start for piece in self.pieces])
        which = np.clip(np.searchsorted(starts, t, side="right") - 1, 0, len(starts) - 1)

        def of(k: int, times: Floats) -> Motion:
            return self.pieces[k].trajectory.at(np.clip(times - starts[k], 0.0, self.pieces[k].duration))

        return Motion(*piecewise(which, np.asarray(t, dtype=np.float64), of))


def _moves(piece: Piece) -> bool:
    return piece.kind in ("joint", "line", "circle")


def stretches_of(plan: Plan) -> list[BetweenStops]:
    """All of a plan: moves up to one that ends at rest are one stretch."""
    found: list[BetweenStops] = []
    open_: list[Piece] = []
    for piece in plan:
        if piece.duration <= 0.0:
            continue
        if open_ and _moves(open_[0]) != _moves(piece):
            found.append(BetweenStops(tuple(open_)))
            open_ = []
        open_.append(piece)
        if _moves(piece) and BetweenStops((piece,)).ends_at_rest:
            found.append(BetweenStops(tuple(open_)))
            open_ = []
    return [*found, BetweenStops(tuple(open_))] if open_ else found


@dataclass(frozen=True)
class MoveSpan:
    """When a move of the program runs."""

    place: Place
    kind: str  # joint, line or circle
    start: float  # s
    end: float


@dataclass(frozen=True, eq=False)
class Timetable:
    """Stretches with the trajectories that they are driven as, one after the other."""

    stretches: Sequence[BetweenStops]
    driven: Sequence[Trajectory]

    @classmethod
    def of(
        cls, stretches: Sequence[BetweenStops], changed: Mapping[BetweenStops, Trajectory] = MappingProxyType({})
    ) -> Timetable:
        """As they are planned, but for those that are ``changed``."""
        return cls(stretches, [changed.get(each, each) for each in stretches])

    @cached_property
    def ends(self) -> Floats:
        """s, of each stretch."""
        return np.cumsum([each.duration for each in self.driven], dtype=np.float64)

    @property
    def duration(self) -> float:
        return float(self.ends[-1])

    @cached_property
    def stops(self) -> list[tuple[BetweenStops, float, float, float]]:
        """Of each stretch that moves and ends at rest: itself, its start and end, and the time to the next, s."""
        starts = self.ends - [each.duration for each in self.driven]
        found = []
        for k, stretch in enumerate(self.stretches):
            if stretch.moves and stretch.ends_at_rest:
                later = [*range(k + 1, len(self.stretches))]
                following = next((i for i in later if self.stretches[i].moves), None)
                pauses = [] if following is None else [each.duration for each in self.driven[k + 1 : following]]
                rest = np.inf if following is None else sum(pauses)
                found.append((stretch, float(starts[k]), float(self.ends[k]), float(rest)))
        return found

    @cached_property
    def moves(self) -> list[MoveSpan]:
        """Each begins when it did, and lasts longer by as much as its stretch does: a shaped one runs into the next."""
        found = []
        for stretch, end, driven in zip(self.stretches, self.ends, self.driven, strict=True):
            later = float(end) - driven.duration - stretch.start
            pieces = stretch.pieces if stretch.moves else ()
            for k, piece in enumerate(pieces):
                last = k == len(pieces) - 1
                found.append(
                    MoveSpan(piece.place, piece.kind, piece.start + later, float(end) if last else piece.end + later)
                )
        return found

    def sampled(self, dt: float, after: float = 0.0) -> tuple[Floats, Floats, Floats, Floats]:
        """Times, q, qd and qdd at equal steps, the arm at rest for a while at the end."""
        blocks, first = [], 0
        for end, driven in zip(self.ends, self.driven, strict=True):
            upto = first_cycle(float(end), dt)
            t = dt * np.arange(first, upto) - (float(end) - driven.duration)
            if len(t):
                blocks.append(driven.at(np.clip(t, 0.0, driven.duration))[:3])
            first = max(first, upto)
        last = self.driven[-1].at(np.array([self.driven[-1].duration])).q
        still = max(1, round(after / dt)) + (first == 0)
        blocks.append((np.repeat(last, still, axis=0), *(np.zeros((still, last.shape[1])),) * 2))
        q, qd, qdd = (np.concatenate(each) for each in zip(*blocks, strict=True))
        return np.asarray(dt * np.arange(len(q)), dtype=np.float64), q, qd, qdd
