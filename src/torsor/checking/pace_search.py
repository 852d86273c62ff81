"""The fastest paces of lines with which all limits are kept, judged by the time that all of it takes.

Moves influence each other only between two rests; so do lines that are run in the same stretches between rests. Such
lines are searched together, all others apart.

Lines that ask too much are lowered by each lever (less acceleration, less speed, less of both), each line as little as
it needs; the lever that loses least time in all is kept. Then each line is tried with another lever, and each that was
lowered is raised again as far as that saves time: in flowing motion neighbours slow each other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from torsor.checking.between_samples import ROUNDING, JudgedBlock
from torsor.checking.checked_arm import CheckedArm
from torsor.checking.sampling import BetweenRests, Planned, blocks
from torsor.model.transforms import Floats
from torsor.motion.commands import Command, Follow, Joints, Move, Target
from torsor.programs.pace import Factor, paced

LEAST, ROUNDS = 0.02, 14  # slowest factor tried; how often factors of a lever are tried
AIM, CLOSE = 0.9985, 0.995  # share of a limit that is aimed at; what is close enough to it
FEW_ROUNDS = 5  # the same, of one line that has another lever already
STEPS = 8  # halvings, where a line is raised again
MOST_LOOKS = 300  # plans of lines of a group, after which lines are not tried one by one any more
FEW_LINES = 3  # with which each lever is gone on with, not only the one that is best at first
SAVES = 1e-3  # s, and of the time of a group 1e-4: what is worth another line
SAME_PLACE = 1e-9  # rad or m

Replan = Callable[[Iterable[Command], Floats, CheckedArm], Iterable[Planned]]  # commands, start, the arm equipped
Paces = dict[int, Factor]

ACCELERATION, SPEED, BOTH = Factor(0.0, 1.0), Factor(1.0, 0.0), Factor(1.0, 1.0)


@dataclass(frozen=True)
class PaceRange:
    """What a search may choose from: the ceiling of each line, the least of all, and what may be changed at all."""

    top: Mapping[int, Factor]
    least: Factor
    levers: tuple[Factor, ...]

    def lowered(self, line: int, lever: Factor, share: float) -> Factor:
        """The ceiling of a line times a share, in what the lever moves."""
        top, least = self.top[line], self.least
        made = Factor(top.speed * share**lever.speed, top.acceleration * share**lever.acceleration).rounded()
        return Factor(max(made.speed, least.speed), max(made.acceleration, least.acceleration))


@dataclass(frozen=True)
class StretchTaken:
    """What a stretch takes: the worst share of each line, and the time."""

    shares: Mapping[int, float]
    duration: float


@dataclass(eq=False)
class SameStretch:
    """A stretch between rests that is run so many times: as often as a loop comes by."""

    stretch: BetweenRests[Planned]
    times: int = 1
    known: dict[tuple[Factor | None, ...], StretchTaken] = field(default_factory=dict)

    @cached_property
    def start(self) -> Floats:
        return np.asarray(self.stretch.moving[0].trajectory.at(np.zeros(1)).q[0])

    @cached_property
    def commands(self) -> list[Command]:
        return list(dict.fromkeys(piece.command for piece in self.stretch.moving))  # each once

    @cached_property
    def lines(self) -> tuple[int, ...]:
        """Those that move."""
        return tuple(dict.fromkeys(each.place.line for each in self.commands if isinstance(each, Move)))

    def taken(self, factors: Mapping[int, Factor], replan: Replan) -> StretchTaken:
        key = tuple(factors.get(line) for line in self.lines)
        if key not in self.known:
            self.known[key] = self._taken(factors, replan)
        return self.known[key]

    def planned(self, factors: Mapping[int, Factor], replan: Replan) -> list[Planned]:
        stretch = self.stretch
        new = [paced(command, factors.get(command.place.line)) for command in self.commands]
        return list(replan([*([stretch.tool] if stretch.tool else []), *new], self.start, stretch.machine))

    def _taken(self, factors: Mapping[int, Factor], replan: Replan) -> StretchTaken:
        pieces = self.planned(factors, replan)
        worst = defaultdict[int, float](float)
        for block in blocks(self.stretch.machine, pieces):
            limits = np.r_[tuple(block.machine.columns[name] for name in block.machine.judged if name != "contact")]
            for section, peaks in zip(block.sections, JudgedBlock.of(block).peaks, strict=True):
                line, share = section.piece.command.place.line, float(peaks[limits].max(initial=0.0))
                worst[line] = max(worst[line], share if np.isfinite(share) else np.inf)
        return StretchTaken(dict(worst), sum(piece.trajectory.duration for piece in pieces))


def grouped(stretches: Iterable[BetweenRests[Planned]]) -> list[list[SameStretch]]:
    """Stretches that share lines together; what is run again from the same place is there once."""
    alike: dict[Any, SameStretch] = {}
    for stretch in stretches:
        if not any(isinstance(piece.command, Move) for piece in stretch.moving):
            continue
        one = SameStretch(stretch)
        start = tuple(np.round(one.start / SAME_PLACE).tolist())
        tool = None if stretch.tool is None else np.asarray(stretch.tool.T).tobytes()
        key = id(stretch.machine), tool, start, tuple(map(_content, one.commands))  # machines live as long as stretches
        if key in alike:
            alike[key].times += 1
        else:
            alike[key] = one
    groups: list[tuple[set[int], list[SameStretch]]] = []
    for one in alike.values():
        lines, members = set(one.lines), [one]
        apart = []
        for own, others in groups:
            if own & lines:
                lines, members = lines | own, others + members
            else:
                apart.append((own, others))
        groups = [*apart, (lines, members)]
    return [members for _, members in groups]


def _content(command: Command) -> tuple[object, ...]:
    """All that a plan depends on of a command."""
    if isinstance(command, Move):
        points = tuple(map(_target, (*command.via, command.target)))
        return command.kind, command.place.line, points, command.pace, command.blend, command.orientation
    return (id(command),) if isinstance(command, Follow) else (type(command), str(command))


def _target(target: Target) -> tuple[object, ...]:
    if isinstance(target, Joints):
        return (*target.q, target.relative)
    rotation = None if target.rotation is None else np.asarray(target.rotation).tobytes()
    return (*target.position, rotation, target.branch, target.within, target.beside)


@dataclass(eq=False)
class PaceSearch:
    """Of one group: lines that are run in the same stretches."""

    members: Sequence[SameStretch]
    replan: Replan
    within: PaceRange

    @cached_property
    def lines(self) -> tuple[int, ...]:
        found = dict.fromkeys(line for one in self.members for line in one.lines)
        return tuple(line for line in found if line in self.within.top)

    @property
    def top(self) -> Paces:
        return {line: self.within.top[line] for line in self.lines}

    def shares(self, paces: Paces) -> dict[int, float]:
        """The worst share of each line, in company of the others."""
        worst = defaultdict[int, float](float)
        for one in self.members:
            for line, share in one.taken(paces, self.replan).shares.items():
                worst[line] = max(worst[line], share)
        return dict(worst)

    def time(self, paces: Paces) -> float:
        """To a microsecond: of paces that take as long the first is chosen, whatever the last bits say."""
        return round(sum(one.times * one.taken(paces, self.replan).duration for one in self.members), 6)

    def holds(self, paces: Paces) -> bool:
        return all(share <= 1.0 + ROUNDING for share in self.shares(paces).values())

    def fastest(self, known: Iterable[Paces] = ()) -> Paces | None:
        """Paces that hold, as fast as was found; ``known`` are some to begin with. None where none hold."""
        if self.holds(self.top):
            return self.top
        found = [{**self.top, **paces} for paces in known]
        found = [paces for paces in found if self.holds(paces)]
        for lever in self.within.levers:
            found += self._lowered(lever)
        if not found:
            return None
        found.sort(key=self.time)
        if len(self._changed(found[0])) > FEW_LINES:
            del found[1:]
        return min((self._raised(self._mixed(paces)) for paces in found), key=self.time)

    def _changed(self, paces: Paces) -> list[int]:
        return [line for line in self.lines if paces[line] != self.within.top[line]]

    def _saves(self, new: Paces, old: Paces) -> bool:
        before = self.time(old)
        return self.time(new) < before - max(SAVES, 1e-4 * before)

    # lowering

    def _lowered(self, lever: Factor) -> Iterator[Paces]:
        """By one lever: each line as little as it needs; where that does not end, all lines of the group alike."""
        found = self._fitted(lever, together=False) or self._fitted(lever, together=True)
        if found is not None:
            yield found

    def _fitted(self, lever: Factor, *, together: bool) -> Paces | None:
        """What just holds; None where that is not found."""
        fits: dict[int, ShareFit] = {}
        best: Paces | None = None
        for _ in range(ROUNDS):
            tried = {line: fit.next for line, fit in fits.items()}
            paces = self.top | {line: self.within.lowered(line, lever, share) for line, share in tried.items()}
            shares = self.shares(paces)
            if together:
                most = max(shares.values(), default=0.0)
                shares = dict.fromkeys(self.lines, most)
            late = [line for line in self.lines if shares.get(line, 0.0) > 1.0 + ROUNDING]
            if not late and (best is None or self.time(paces) < self.time(best)):
                best = paces
            if not late and all(fit.good for fit in fits.values()):
                break
            for line in self.lines:
                if line in fits or line in late:
                    fits.setdefault(line, ShareFit()).add(tried.get(line, 1.0), shares.get(line, 0.0))
            if late and all(tried.get(line, 1.0) <= LEAST for line in late):
                break  # no more can be done
        return best

    # one line at a time

    def _mixed(self, best: Paces) -> Paces:
        """Each line that is slower by another lever, where that saves time in all."""
        for line in self._changed(best):
            for lever in self.within.levers:
                if self._looks > MOST_LOOKS:
                    return best
                own, top = best, self.within.top[line]
                share = min(best[line].speed / top.speed, best[line].acceleration / top.acceleration)
                fit = ShareFit()
                for _ in range(FEW_ROUNDS):
                    trial = best | {line: self.within.lowered(line, lever, share)}
                    fit.add(share, max(self.shares(trial).values(), default=0.0))
                    if self.holds(trial) and self.time(trial) < self.time(own):
                        own = trial
                    if fit.good:
                        break
                    share = fit.next if fit.high is not None else min(1.0, share / max(fit.low[1], 0.5) * AIM)  # type: ignore[index]
                if self._saves(own, best):
                    best = own
        return best

    def _raised(self, best: Paces) -> Paces:
        """Each line that is slower nearer to its ceiling again, where that holds and saves time."""
        for line in self._changed(best):
            for word in ("acceleration", "speed"):
                high, low = getattr(self.within.top[line], word), getattr(best[line], word)
                share = 1.0  # first the ceiling itself
                for _ in range(STEPS):
                    if self._looks > MOST_LOOKS or high - low < 2e-3:
                        break
                    made = Factor(**(vars(best[line]) | {word: low + share * (high - low)})).rounded()
                    trial = best | {line: made}
                    if share == 1.0 and not self.time(trial) < self.time(best) - SAVES:
                        break  # it would save nothing
                    if self.holds(trial):
                        best, low = (trial if self.time(trial) < self.time(best) else best), getattr(made, word)
                    else:
                        high = getattr(made, word)
                    share = 0.5
        return best

    @property
    def _looks(self) -> int:
        """How often a line was planned."""
        return sum(len(one.known) * len(one.lines) for one in self.members)


class ShareFit:
    """The largest factor of one line, between one that holds and one that does not: both with the share they give."""

    def __init__(self) -> None:
        self.low: tuple[float, float] | None = None
        self.high: tuple[float, float] | None = None
        self._too_fast = self._inside = 0  # how often one was found that does not hold, and one between the two

    @property
    def next(self) -> float:
        """Shares are nearly straight lines over a factor on accelerations: the next one aims just below the limit.

        They are none where a factor does nothing until it is small: steps become longer until one holds, and after two
        looks in between every other one halves what is left.
        """
        if self.high is None:
            return 1.0 if self.low is None else self.low[0]
        f, share = self.high
        if self.low is None:
            longer = max(1.0 - 0.015 * 2.0**self._too_fast, 0.5)
            return max(f * min(AIM / min(share, 10.0), longer), LEAST)
        if self._inside > 1 and self._inside % 2 == 0:
            return float(np.floor(500.0 * (self.low[0] + f)) / 1e3)
        slope = (share - self.low[1]) / (f - self.low[0])
        guess = self.low[0] + (AIM - self.low[1]) / slope if 0.0 < slope < np.inf else 0.0
        inside = 0.05 * (f - self.low[0])
        return float(np.clip(np.floor(1e3 * guess) / 1e3, self.low[0] + inside, f - inside))

    def add(self, factor: float, share: float) -> None:
        """What was found in other company before, and is not so any more, is forgotten."""
        self._inside += self.low is not None and self.high is not None and self.low[0] < factor < self.high[0]
        self._too_fast += share > 1.0 + ROUNDING
        if share > 1.0 + ROUNDING:
            if self.low is not None and factor <= self.low[0]:
                self.low = None
            if self.high is None or factor < self.high[0]:
                self.high = factor, share
        else:
            if self.high is not None and factor >= self.high[0]:
                self.high = None
            if self.low is None or factor > self.low[0]:
                self.low = factor, share

    @property
    def good(self) -> bool:
        if self.low is None:
            return self.high is not None and self.high[0] <= LEAST
        narrow = self.high is not None and self.high[0] - self.low[0] < 1e-3
        return self.low[0] == 1.0 or self.low[1] > CLOSE or narrow
