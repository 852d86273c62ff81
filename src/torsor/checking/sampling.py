"""From planned pieces to samples, in blocks of bounded size: memory does not grow with the program.

Signals are sampled at whole cycles, t = k dt. Every piece is sampled at its two ends besides, where accelerations jump:
peaks and integrals of a move see both sides of a jump. Where a move begins or ends at rest, friction is already, or
still, that of its motion: there its speed is all but zero, in the direction of the move.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from torsor.checking.machine import Machine
from torsor.model.transforms import Floats
from torsor.motion.curves import Trajectory

SMALL, LARGE = 2048, 16384  # samples: a block ends at the first rest after SMALL, and at LARGE whatever happens
STILL = 1e-9  # of a joint's largest speed in the block: what counts as rest
BESIDE, CREEP = 1e-4, 1e-12  # of a piece: where its direction at an end is looked at; of its speed: what tells it there


class Piece(Protocol):
    """A stretch of the plan that one command of the program is responsible for."""

    @property
    def start(self) -> float: ...

    @property
    def trajectory(self) -> Trajectory: ...


@dataclass(frozen=True, eq=False)
class Part:
    """The samples first:last of a block that belong to one move."""

    move: int
    first: int
    last: int


@dataclass(frozen=True, eq=False)
class Block:
    """Samples in a row, all with the same arm."""

    machine: Machine
    time: Floats  # (samples,)
    q: Floats  # (samples, n)
    qd: Floats
    qdd: Floats
    regular: NDArray[np.bool_]  # (samples,) at a whole cycle; the others are ends of pieces
    parts: tuple[Part, ...]
    rests: tuple[int, ...]  # samples at which the arm stands still, so that a lag is over
    final: bool  # whether the program ends here


@dataclass(frozen=True, eq=False)
class Stage:
    """A piece, the move it belongs to, and the arm that carries it out."""

    piece: Piece
    move: int
    machine: Machine


def blocks(stages: Iterable[Stage], dt: float) -> Iterator[Block]:
    """Blocks of samples of the pieces, in order."""
    filling = _Filling()
    cycle = 0  # the next whole cycle to sample
    for stage in stages:
        piece, duration = stage.piece, stage.piece.trajectory.duration
        if filling.machine not in (None, stage.machine):
            yield filling.taken(final=False)
        filling.machine = stage.machine
        end = piece.start + duration
        last = int(np.ceil(end / dt - 1e-9))  # the first cycle that is not before the end
        whole = np.arange(cycle, max(last, cycle))
        cycle = max(last, cycle)
        inside = np.clip(whole * dt - piece.start, 0.0, duration)
        local = np.concatenate([[0.0], inside, [duration]])
        regular = np.concatenate([[False], np.ones(len(inside), dtype=bool), [False]])
        for k in range(1, len(local), LARGE):
            if filling.count >= LARGE or (filling.count >= SMALL and filling.at_rest):
                yield filling.taken(final=False)
            # a long piece comes in parts: each begins with the last sample of the one before, so that nothing is
            # between them
            filling.add(stage, local[k - 1 : k + LARGE], regular[k - 1 : k + LARGE], continued=k > 1)
    if filling.count:
        yield filling.finished()


class _Filling:
    """A block in the making."""

    def __init__(self) -> None:
        self.machine: Machine | None = None
        self._clear()

    def _clear(self) -> None:
        self.columns: list[tuple[Floats, Floats, Floats, Floats, NDArray[np.bool_]]] = []
        self.parts: list[Part] = []
        self.rests: list[int] = []
        self.count = 0
        self.fastest = 0.0

    def add(self, stage: Stage, local: Floats, regular: NDArray[np.bool_], *, continued: bool) -> None:
        if continued:
            regular = regular.copy()
            regular[0] = False
        at = stage.piece.trajectory.at(local)
        first, self.count = self.count, self.count + len(local)
        self.fastest = max(self.fastest, float(np.abs(at.qd).max()))
        if np.abs(at.qd[0]).max() <= STILL * self.fastest:
            self.rests.append(first)
        self.parts.append(Part(stage.move, first, self.count))
        qd = _creeping(stage.piece.trajectory, local, at.qd)
        self.columns.append((stage.piece.start + local, at.q, qd, at.qdd, regular))

    @property
    def at_rest(self) -> bool:
        return bool(np.abs(self.columns[-1][2][-1]).max() <= STILL * self.fastest)

    def finished(self) -> Block:
        """The last block, with the end of the program as its last regular sample."""
        self.columns[-1][4][-1] = True
        return self.taken(final=True)

    def taken(self, *, final: bool) -> Block:
        assert self.machine is not None
        time, q, qd, qdd, regular = (np.concatenate(each) for each in zip(*self.columns, strict=True))
        block = Block(self.machine, time, q, qd, qdd, regular, tuple(self.parts), tuple(self.rests), final)
        self._clear()
        return block


def _creeping(trajectory: Trajectory, local: Floats, qd: Floats) -> Floats:
    """Speeds (samples, n) that at the ends of a piece are not zero, or what rounding makes of it, but have a direction.

    Of friction only the direction counts there: a motor that brakes to a stop is helped by it until the very end.
    """
    duration = trajectory.duration
    most = float(np.abs(qd).max(initial=0.0))
    ends = (local <= 0.0) | (local >= duration)
    if most == 0.0 or not ends.any():
        return qd
    begins, stops = trajectory.at(duration * np.array([BESIDE, 1.0 - BESIDE])).qd
    way = np.where((local <= 0.0)[:, None], begins, stops)
    way = np.where(np.abs(way) > STILL * most, np.sign(way), 0.0)
    still = ends[:, None] & (np.abs(qd) <= STILL * most)
    return np.where(still, CREEP * most * way, qd)
