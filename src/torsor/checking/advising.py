"""The smallest change that makes a program feasible: how much slower the lines responsible must be.

Moves influence each other only between two rests. So only the stretches between rests in which a line is responsible
are planned again, with all their lines searched at once, each for its own factor.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from torsor.checking.between_samples import ROUNDING, JudgedBlock
from torsor.checking.checked_arm import CheckedArm, torque_shares
from torsor.checking.problems import Problem
from torsor.checking.sampling import BetweenRests, Planned, between_rests, blocks
from torsor.model.transforms import Floats
from torsor.motion.commands import Command
from torsor.programs.pace import Factor, paced

LEAST, ROUNDS = 0.02, 8  # slowest factor tried; how often a factor is tried
AIM, CLOSE = 0.9985, 0.995  # share of a limit that is aimed at; what is close enough to it
SETTLING, SLOWER = 12, 0.85
MOST_LINES = 100  # a program with more lines at fault needs a look by its author first
HELD = 33  # points of a piece at which the torque of standing still is looked at
PACE_HELPS = (
    "torque", "joint torque", "motor speed", "speed", "acceleration", "tool speed", "tool acceleration",
)  # fmt: skip
Replan = Callable[[Iterable[Command], Floats], Iterable[Planned]]  # commands, and the joints they start from


@dataclass(frozen=True)
class Change:
    """Of one line: factors on the speed and the acceleration that it asks for."""

    line: int
    factor: Factor

    def __str__(self) -> str:
        speed, acceleration = self.factor.speed, self.factor.acceleration
        parts = [f"acceleration times {acceleration:.3g}"] if acceleration != 1.0 else []
        parts += [f"speed times {speed:.3g}"] if speed != 1.0 else []
        return " and ".join(parts) if parts else "as it is"


@dataclass(frozen=True)
class Advice:
    """``time`` is that of the program with the changes, ``before`` without them; the changes have been tried out."""

    changes: tuple[Change, ...]
    time: float
    before: float

    @property
    def sentence(self) -> str:
        lines = "this line" if len(self.changes) == 1 else f"these {len(self.changes)} lines"
        lost = self.time - self.before
        return f"with {lines} slower the program is feasible and takes {self.time:.2f} s, {lost:.2f} s more"

    @property
    def factors(self) -> dict[int, Factor]:
        return {change.line: change.factor for change in self.changes}

    def items(self) -> list[tuple[int, str]]:
        """Lines and what to change there."""
        return [(change.line, str(change)) for change in self.changes]

    def document(self) -> dict[str, Any]:
        changes = [{"line": change.line, **vars(change.factor)} for change in self.changes]
        return {"time": self.time, "before": self.before, "changes": changes, "text": self.sentence}


def advise(
    machine: CheckedArm, pieces: Iterable[Planned], replan: Replan, problems: Sequence[Problem]
) -> Advice | None:
    """What to change, or None where no slower pace helps."""
    lines = sorted({problem.place.line for problem in problems if problem.kind in PACE_HELPS})
    if not lines or len(lines) > MOST_LINES or any(problem.kind not in PACE_HELPS for problem in problems):
        return None
    stretches, before = [], 0.0
    for stretch in between_rests(machine, pieces):
        before += stretch.duration
        if any(piece.command.place.line in lines for piece in stretch.moving):
            stretches.append(stretch)
    if any(_holding(stretch) > 1.0 + ROUNDING for stretch in stretches):
        return None  # a motor cannot hold the arm there: no pace is slow enough
    search = _Search(stretches, replan)
    found = search.least(_slow_enough(problems, lines))
    after = search.settled(found)
    if after is None:
        return None
    time = before - sum(stretch.duration for stretch in stretches) + after.duration
    changes = tuple(Change(line, factor) for line, factor in sorted(found.items()) if factor != Factor())
    return Advice(changes, time, before) if changes else None


def _slow_enough(problems: Sequence[Problem], lines: Sequence[int]) -> dict[int, Factor]:
    """The factors on speed that keep the limits of speed; what is too strong beyond that must accelerate less."""
    worst = dict.fromkeys(lines, 1.0)
    for problem in problems:
        if problem.kind in ("speed", "motor speed", "tool speed"):
            line = problem.place.line
            worst[line] = max(worst[line], problem.share)
    return {line: Factor(1.0 / share, 1.0).rounded() for line, share in worst.items()}


def _holding(stretch: BetweenRests[Planned]) -> float:
    """The largest share of a torque limit that it takes to stand still on the path."""
    shares = []
    for piece in stretch.moving:
        q = piece.trajectory.at(np.linspace(0.0, piece.trajectory.duration, HELD)).q
        loads = stretch.machine.loads(q, np.zeros_like(q), np.zeros_like(q))
        shares.append(float(torque_shares(loads.torque, loads.lower, loads.upper).max()))
    return max(shares)


@dataclass(frozen=True)
class Measured:
    """Per line: the worst share and the time it takes; the time of all."""

    lines: dict[int, tuple[float, float]]
    duration: float

    @property
    def too_fast(self) -> list[int]:
        return [line for line, (share, _) in self.lines.items() if share > 1.0 + ROUNDING]


class _Search:
    def __init__(self, stretches: Sequence[BetweenRests[Planned]], replan: Replan) -> None:
        self.stretches, self.replan = stretches, replan

    def measure(self, factors: Mapping[int, Factor]) -> Measured:
        """Plans the stretches with these factors and looks at all shares."""
        worst, taken, total = defaultdict[int, float](float), defaultdict[int, float](float), 0.0
        for stretch in self.stretches:
            commands = dict.fromkeys(piece.command for piece in stretch.moving)  # each once
            new = [paced(command, factors.get(command.place.line)) for command in commands]
            start = stretch.moving[0].trajectory.at(np.zeros(1)).q[0]
            pieces = list(self.replan([*([stretch.tool] if stretch.tool else []), *new], start))
            for piece in pieces:
                line, duration = piece.command.place.line, piece.trajectory.duration
                if duration > 0.0:
                    taken[line] += duration
                total += duration
            for block in blocks(stretch.machine, pieces):
                limits = np.r_[tuple(block.machine.columns[name] for name in block.machine.judged)]
                for section, peaks in zip(block.sections, JudgedBlock.of(block).peaks, strict=True):
                    line = section.piece.command.place.line
                    worst[line] = max(worst[line], float(peaks[limits].max()))
        return Measured({line: (worst[line], duration) for line, duration in taken.items()}, total)

    def settled(self, factors: dict[int, Factor]) -> Measured | None:
        """Slows what is still too fast in company of the others, until all is well; None where that does not end."""
        for _ in range(SETTLING):
            found = self.measure(factors)
            if not found.too_fast:
                return found
            for line in found.too_fast:
                factors[line] = (factors.get(line, Factor()) * Factor(SLOWER, SLOWER)).rounded()
        return None

    def least(self, base: Mapping[int, Factor]) -> dict[int, Factor]:
        """For each line the change beyond ``base`` that loses least time: less acceleration, or less of both."""
        best: dict[int, tuple[float, Factor]] = {}
        for mode in (Factor(0.0, 1.0), Factor(1.0, 1.0)):
            factors = self._fitted(base, mode)
            after = self.measure({**base, **factors})
            for line, factor in factors.items():
                share, duration = after.lines.get(line, (np.inf, np.inf))
                if share <= 1.0 + ROUNDING and (line not in best or duration < best[line][0] - 1e-9):
                    best[line] = duration, factor
            if len(best) == len(base) and all(best[line][1] == base[line] for line in base):
                break
        # what nothing repairs in company of the others is left to the settling
        return {line: best[line][1] if line in best else base[line] for line in base}

    def _fitted(self, base: Mapping[int, Factor], mode: Factor) -> dict[int, Factor]:
        """Factors on what ``mode`` says (1: this, 0: not) that just hold, all lines at once; only those found."""
        lines = {line: _Fit() for line in base}
        for _ in range(ROUNDS):
            tried = {line: fit.next for line, fit in lines.items()}
            found = self.measure({line: _times(base[line], mode, tried[line]) for line in base})
            for line, fit in lines.items():
                fit.add(tried[line], found.lines.get(line, (np.inf, 0.0))[0])
            if all(fit.good for fit in lines.values()):
                break
        held = {line: fit.low[0] for line, fit in lines.items() if fit.low is not None}
        return {line: _times(base[line], mode, factor).rounded() for line, factor in held.items()}


class _Fit:
    """The largest factor of one line, between one that holds and one that does not: both with the share they give."""

    def __init__(self) -> None:
        self.low: tuple[float, float] | None = None
        self.high: tuple[float, float] | None = None

    @property
    def next(self) -> float:
        """Shares are nearly straight lines over a factor on accelerations: the next one aims just below the limit."""
        if self.high is None:
            return 1.0 if self.low is None else self.low[0]
        f, share = self.high
        if self.low is None:
            return max(f * AIM / min(share, 10.0), LEAST)
        slope = (share - self.low[1]) / (f - self.low[0])
        guess = self.low[0] + (AIM - self.low[1]) / slope if slope > 0.0 else 0.0
        inside = 0.05 * (f - self.low[0])
        return float(np.clip(np.floor(1e3 * guess) / 1e3, self.low[0] + inside, f - inside))

    def add(self, factor: float, share: float) -> None:
        if share > 1.0 + ROUNDING:
            if self.high is None or factor < self.high[0]:
                self.high = factor, share
        elif self.low is None or factor > self.low[0]:
            self.low = factor, share

    @property
    def good(self) -> bool:
        if self.low is None:
            return self.high is not None and self.high[0] <= LEAST
        narrow = self.high is not None and self.high[0] - self.low[0] < 1e-3
        return self.low[0] == 1.0 or self.low[1] > CLOSE or narrow


def _times(base: Factor, mode: Factor, share: float) -> Factor:
    return base * Factor(share**mode.speed, share**mode.acceleration)
