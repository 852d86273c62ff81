"""From planned pieces to the samples that are judged, in blocks of bounded size; or cut at rests.

The samples are a grid of the judgement's own: between two switches of a piece, where its motion is smooth, equal steps,
and both one-sided limits at each switch, where accelerations jump. Where a joint or a motor turns round, friction
jumps: there is a switch too. Where a move begins or ends at rest, friction is already, or still, that of its motion:
there its speed is all but zero, in the direction of the move. A rest is its two ends, however long it lasts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from torsor.checking.checked_arm import CheckedArm
from torsor.checking.equipping import Equipped
from torsor.checking.sample_times import BESIDE, LARGE, SampleTimes, sample_times
from torsor.model.transforms import Floats
from torsor.motion.commands import Command, Tool
from torsor.motion.curves import Trajectory
from torsor.motion.paths.many_paths import ManyMotions, stops
from torsor.motion.paths.trajectories import Rest
from torsor.motion.tolerances import ROUNDING, STILL

SMALL = 8192  # samples: a block ends at the first rest after so many, and at LARGE whatever happens
CREEP = 1e-12  # of the speed of a piece: what tells the direction at an end
SHORTEST = 1e-9  # s: what is nearer is the same time
TURNING = 5e-7  # of a step: how far beside a turn its limits are taken
LOOKS, EXACT_LOOKS = 12, 3  # how often a turn is looked for, on a cubic and on the motion


class Planned(Protocol):
    """A piece of a plan: a trajectory that begins at ``start``, and the command it carries out."""

    @property
    def start(self) -> float: ...

    @property
    def trajectory(self) -> Trajectory: ...

    @property
    def command(self) -> Command: ...


AnyPiece = TypeVar("AnyPiece", bound=Planned)


@dataclass(frozen=True, eq=False)
class PieceSamples:
    """A part of a piece, from ``first`` to ``last`` s of it; its samples are the rows of a block."""

    piece: Planned
    begins: bool  # whether this is the first section of its command: neighbouring pieces of one command are one move
    first: float
    last: float
    rows: slice

    @property
    def is_rest(self) -> bool:
        return isinstance(self.piece.trajectory, Rest)

    @property
    def span(self) -> tuple[float, float]:
        """s, of the program."""
        return self.piece.start + self.first, self.piece.start + self.last


@dataclass(frozen=True, eq=False)
class SampleBlock:
    """Samples in a row, all with the same arm."""

    machine: CheckedArm
    sections: tuple[PieceSamples, ...]
    owner: NDArray[np.intp]  # (samples,) which section
    local: Floats  # (samples,) s, of the piece
    smooth: NDArray[np.intp]  # (samples,) which smooth stretch
    stretch: NDArray[np.intp]  # (samples,) of which stretch it is one of the equal steps; -1 for samples beside them
    q: Floats  # (samples, n)
    qd: Floats
    qdd: Floats
    rests: tuple[float, ...]  # s, of the program: where the arm stands still, so that a lag is over
    at_rest: bool  # at its end
    final: bool  # whether the program ends here
    motions: ManyMotions  # of the sections

    @property
    def time(self) -> Floats:
        """(samples,) s, of the program."""
        return np.array([section.piece.start for section in self.sections])[self.owner] + self.local

    @property
    def span(self) -> tuple[float, float]:
        return self.sections[0].span[0], self.sections[-1].span[1]

    def motion(self, owner: NDArray[np.intp], local: Floats) -> tuple[Floats, Floats, Floats]:
        """q, qd and qdd (k, n) of sections at times of their pieces."""
        return self.motions.at(owner, local)[:3]

    def sections_at(self, time: Floats) -> NDArray[np.intp]:
        """Which section (k,) times of the program fall into."""
        starts = [section.span[0] for section in self.sections[1:]]
        return np.searchsorted(starts, time, side="right")

    def planned(self, time: Floats) -> tuple[Floats, Floats, Floats]:
        """q, qd and qdd (k, n) at times of the program within this block."""
        owner = self.sections_at(time)
        edges = np.array([(section.piece.start, section.first, section.last) for section in self.sections])[owner]
        local = np.clip(time - edges[:, 0], edges[:, 1], edges[:, 2])
        q, qd, qdd = self.motion(owner, local)
        rows = np.array([(section.rows.start, section.rows.stop - 1) for section in self.sections])[owner]
        for side in (0, 1):  # at the ends of a move its direction counts
            ends = np.abs(local - edges[:, 1 + side]) <= SHORTEST
            qd[ends] = self.qd[rows[ends, side]]
        return q, qd, qdd


def blocks(machine: CheckedArm, pieces: Iterable[Planned]) -> Iterator[SampleBlock]:
    """Blocks of samples of the pieces, in order, with the arm as the commands before them have equipped it."""
    equipped = Equipped(machine)
    last: Command | None = None  # to be sampled
    filling = _Filling(machine)
    for piece in pieces:
        machine = equipped.after(piece.command)
        if not piece.trajectory.duration > 0.0:
            continue  # an event without motion takes nothing
        for times in sample_times(piece.trajectory):
            full = filling.count >= LARGE or (filling.count >= SMALL and filling.rests())
            if filling.count and (full or filling.machine is not machine):
                yield filling.block()
                filling = _Filling(machine)
            filling.machine = machine
            filling.add(piece, times, begins=piece.command is not last)
            last = piece.command
    if filling.count:
        yield filling.block(final=True)


def _motions_of(sections: Iterable[PieceSamples]) -> ManyMotions:
    return ManyMotions([section.piece.trajectory for section in sections])


@dataclass(eq=False)
class _Filling:
    """A block in the making."""

    machine: CheckedArm
    waiting: list[SampleTimes] = field(default_factory=list)  # times of the last sections, which are sampled together
    columns: list[tuple[Any, ...]] = field(default_factory=list)  # of sections that were sampled together
    sections: list[PieceSamples] = field(default_factory=list)
    sampled: int = 0  # of the sections
    rests_at: list[float] = field(default_factory=list)
    count: int = 0
    stretches: int = 0
    fastest: float = 0.0
    motions: ManyMotions | None = None  # of all sections, where they were sampled at once

    def add(self, piece: Planned, times: SampleTimes, *, begins: bool) -> None:
        first, self.count = self.count, self.count + len(times.local)
        self.waiting.append(times)
        rows = slice(first, self.count)
        self.sections.append(PieceSamples(piece, begins, float(times.local[0]), float(times.local[-1]), rows))

    def _sample(self) -> None:
        """Samples all that waits for it."""
        if not self.waiting:
            return
        sections, waiting, self.waiting = self.sections[self.sampled :], self.waiting, []
        counts = [section.rows.stop - section.rows.start for section in sections]
        owner, starts = np.repeat(np.arange(len(sections)), counts), np.cumsum([0, *counts[:-1]])
        local = np.concatenate([times.local for times in waiting])
        motions = _motions_of(sections)
        self.motions = None if self.columns else motions
        q, qd, qdd, qddd = motions.at(owner, local)
        largest = [np.maximum.reduceat(np.abs(rates).max(axis=1), starts) for rates in (qd, qdd, qddd)]  # by section
        fastest = np.fmax.accumulate([self.fastest, *largest[0]])
        self.fastest = float(fastest[-1])
        still = np.flatnonzero(np.abs(qd[starts]).max(axis=1) <= ROUNDING * fastest[1:])
        self.rests_at += [sections[k].span[0] for k in still.tolist()]
        sizes = np.concatenate([times.sizes for times in waiting])
        whose = np.repeat(np.arange(len(sections)), [len(times.sizes) for times in waiting])  # of stretches
        smooth = self.stretches + np.repeat(np.arange(len(sizes)), sizes)
        self.stretches += len(sizes)
        last = np.cumsum(sizes) - 1
        first = last + 1 - sizes
        stretch, moves = smooth.copy(), ~np.array([section.is_rest for section in sections])[whose]
        stretch[np.concatenate([first[moves] + 1, last[moves] - 1])] = -1
        qd = _creeping((qd, qdd, qddd), first, last, [each[whose, None] for each in largest])
        self.columns.append((self.sampled + owner, local, smooth, stretch, q, qd, qdd))
        self.sampled += len(sections)

    def rests(self) -> bool:
        """Whether the arm stands still at its end."""
        if not stops(self.sections[-1].piece.trajectory):
            return False
        self._sample()
        return bool(np.abs(self.columns[-1][5][-1]).max() <= ROUNDING * self.fastest)

    def block(self, *, final: bool = False) -> SampleBlock:
        at_rest = self.rests()
        self._sample()
        names = ("owner", "local", "smooth", "stretch", "q", "qd", "qdd")
        columns: dict[str, Any] = dict(zip(names, map(np.concatenate, zip(*self.columns, strict=True)), strict=True))
        sections, rests = tuple(self.sections), tuple(self.rests_at)
        motions = self.motions or _motions_of(self.sections)
        ends: dict[str, Any] = {"rests": rests, "at_rest": at_rest, "final": final, "motions": motions}
        return _turning(SampleBlock(self.machine, sections, **columns, **ends))


def _creeping(
    rates: Sequence[Floats], first: NDArray[np.intp], last: NDArray[np.intp], largest: Sequence[Floats]
) -> Floats:
    """Speeds (samples, n) that at the ends of smooth stretches are not zero, or rounding, but have a direction.

    Of friction only the direction counts there: a motor that brakes to a stop is helped by it until the very end. It is
    the direction of the acceleration at the first sample, against it at the last; where that is zero, of the jerk.
    ``rates`` are speeds, accelerations and jerks, ``largest`` of each the most in the section of a stretch (k, 1).
    """
    ends, (most, *others) = np.concatenate([first, last]), (np.concatenate([each, each]) for each in largest)
    speed = rates[0][ends]
    still = (np.abs(speed) <= ROUNDING * most) & (most > 0.0)
    if not still.any():
        return rates[0]
    side = np.repeat([1.0, -1.0], [len(first), len(last)])[:, None]
    turning, jerk = (_directions(each[ends], size) for each, size in zip(rates[1:], others, strict=True))
    way = np.where(turning == 0.0, jerk, side * turning)
    found = rates[0].copy()
    found[ends] = np.where(still, CREEP * most * way, speed)
    return found


def _directions(rates: Floats, largest: Floats) -> Floats:
    """Rates as shares of the largest, without rounding: in the ratios of joints motors turn as they do."""
    shares = rates / np.where(largest == 0.0, 1.0, largest)
    return np.where(np.abs(shares) <= ROUNDING, 0.0, shares)


def _turning(block: SampleBlock) -> SampleBlock:
    """With samples on both sides where a joint or a motor turns round within a smooth stretch, which ends there."""

    def rates(q: Floats, qd: Floats) -> Floats:
        return np.hstack([qd, block.machine.driven.drives.rates(q, qd)])

    given = rates(block.q, block.qd)
    signs = np.sign(given)
    # what is zero at a sample on its way through has the sign of the sample before
    passing = (signs[1:-1] == 0.0) & (signs[:-2] * signs[2:] < 0.0)
    signs[1:-1] = np.where(passing, signs[:-2], signs[1:-1])
    large = np.maximum(np.abs(given[:-1]), np.abs(given[1:])) > ROUNDING * np.abs(given).max(axis=0, initial=0.0)
    inside = (block.smooth[:-1] == block.smooth[1:])[:, None]
    row, column = np.nonzero((signs[:-1] * signs[1:] < 0.0) & large & inside)
    if not len(row):
        return block
    a, h = block.local[row], block.local[row + 1] - block.local[row]
    slopes = rates(block.q, block.qdd)  # exact where gears are constant, else near enough to find the place
    (fa, fb), (da, db) = ((each[row, column], each[row + 1, column]) for each in (given, slopes))
    share, da, db = fa / (fa - fb), h * da, h * db
    low, high = (
        np.zeros(len(row)),
        np.ones(len(row)),
    )  # it turns between them: a motion that stops is all but zero there

    def nearer(share: Floats, f: Floats, slope: Floats) -> Floats:
        """A step of Newton's method, or half of the way where that leads out of what is known."""
        ahead = f * fa > 0.0
        low[ahead], high[~ahead] = share[ahead], share[~ahead]
        newton = share - f / np.where(slope == 0.0, 1.0, slope)
        return np.where((newton >= low) & (newton <= high), newton, 0.5 * (low + high))

    c, d = 3.0 * (fb - fa) - 2.0 * da - db, 2.0 * (fa - fb) + da + db
    for _ in range(LOOKS):  # on the cubic through both ends with their slopes
        f, slope = fa + share * (da + share * (c + share * d)), da + share * (2.0 * c + 3.0 * share * d)
        share = nearer(share, f, slope)
    low, high = np.zeros(len(row)), np.ones(len(row))
    for _ in range(EXACT_LOOKS):  # and on the motion itself
        q, qd, qdd = block.motion(block.owner[row], a + share * h)
        f, slope = (rates(q, each)[np.arange(len(row)), column] for each in (qd, qdd))
        share = nearer(share, f, h * slope)
    at, narrow = a + share * h, TURNING * h
    order = np.lexsort([at, row])
    row, at, narrow = row[order], at[order], narrow[order]
    new = np.diff(at, prepend=-np.inf) > 4.0 * narrow  # a joint and its motor turn together
    new |= np.diff(row, prepend=-1) > 0
    return _with_turns(block, row[new], at[new], narrow[new])


def _with_turns(block: SampleBlock, row: NDArray[np.intp], at: Floats, narrow: Floats) -> SampleBlock:
    """With samples on both sides of times ``at`` that follow rows; a smooth stretch ends there."""
    before, after = at - narrow, at + narrow
    beside = before - BESIDE * (at - block.local[row]), after + BESIDE * (block.local[row + 1] - at)
    left = np.where(at == block.local[row], row, row + 1)
    place = np.stack([left, left, row + 1, row + 1], axis=1).ravel()
    owner = np.repeat(block.owner[row], 4)
    first, last = np.array([(section.first, section.last) for section in block.sections])[owner].T
    local = np.clip(np.stack([beside[0], before, after, beside[1]], axis=1).ravel(), first, last)
    q, qd, qdd = block.motion(owner, local)
    new = {"owner": owner, "local": local, "stretch": np.full(len(local), -1), "q": q, "qd": qd, "qdd": qdd}
    columns = {name: np.insert(getattr(block, name), place, values, axis=0) for name, values in new.items()}
    begun = np.insert(np.diff(block.smooth, prepend=block.smooth[0]), place, np.tile([0, 0, 1, 0], len(row)))
    ends = np.searchsorted(columns["owner"], np.arange(len(block.sections) + 1)).tolist()
    sections = [replace(section, rows=slice(*ends[k : k + 2])) for k, section in enumerate(block.sections)]
    return replace(block, sections=tuple(sections), smooth=np.cumsum(begun), **columns)


@dataclass(eq=False)
class BetweenRests(Generic[AnyPiece]):
    """Pieces from one rest to the next, which are timed, and slowed, as one.

    Besides the arm as it is equipped there, and the command that mounted its tool.
    """

    machine: CheckedArm
    tool: Tool | None
    pieces: list[AnyPiece] = field(default_factory=list)

    @property
    def moving(self) -> list[AnyPiece]:
        """Those that take time."""
        return [piece for piece in self.pieces if piece.trajectory.duration > 0.0]

    @property
    def duration(self) -> float:
        return sum(piece.trajectory.duration for piece in self.pieces)


def between_rests(machine: CheckedArm, pieces: Iterable[AnyPiece]) -> Iterator[BetweenRests[AnyPiece]]:
    """What takes no time is with what comes before it, unless it changes the arm."""
    equipped = Equipped(machine)
    now: BetweenRests[AnyPiece] = BetweenRests(machine, None)
    resting = True
    for piece in pieces:
        command, duration = piece.command, piece.trajectory.duration
        after = equipped.after(command)
        if now.pieces and resting and (duration > 0.0 or after is not now.machine):
            yield now
            now = BetweenRests(after, now.tool)
        now.machine = after
        now.tool = command if isinstance(command, Tool) else now.tool
        now.pieces.append(piece)
        if duration > 0.0:
            resting = bool(np.abs(piece.trajectory.at(np.array([duration])).qd).max() <= STILL)
    if now.pieces:
        yield now
