"""The smallest change that makes a program feasible: how much slower lines must be, judged by the time of all of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from torsor.checking.between_samples import ROUNDING
from torsor.checking.checked_arm import CheckedArm, torque_shares
from torsor.checking.pace_search import PaceRange, Paces, PaceSearch, Replan, grouped
from torsor.checking.problems import Problem
from torsor.checking.sampling import BetweenRests, Planned, between_rests
from torsor.programs.pace import Factor

MOST_LINES = 100  # a program with more lines at fault needs a look by its author first
HELD = 33  # points of a piece at which the torque of standing still is looked at
PACE_HELPS = (
    "torque", "joint torque", "motor speed", "speed", "acceleration", "tool speed", "tool acceleration",
)  # fmt: skip


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
    machine: CheckedArm,
    pieces: Iterable[Planned],
    replan: Replan,
    problems: Sequence[Problem],
    *,
    least: Factor,
    levers: tuple[Factor, ...],
) -> Advice | None:
    """What to change, or None where no slower pace helps. ``least`` and ``levers`` are as for a `PaceRange`."""
    lines = {problem.place.line for problem in problems if problem.kind in PACE_HELPS}
    if not lines or len(lines) > MOST_LINES or any(problem.kind not in PACE_HELPS for problem in problems):
        return None
    stretches, before = [], 0.0
    for stretch in between_rests(machine, pieces):
        before += stretch.duration
        if any(piece.command.place.line in lines for piece in stretch.moving):
            stretches.append(stretch)
    if any(standing_share(stretch) > 1.0 + ROUNDING for stretch in stretches):
        return None  # a motor cannot hold the arm there: no pace is slow enough
    time, found = before, Paces()
    for members in grouped(stretches):
        as_it_is = {line: Factor() for one in members for line in one.lines}
        search = PaceSearch(members, replan, PaceRange(as_it_is, least, levers))
        paces = search.fastest()
        if paces is None:
            return None
        time += search.time(paces) - search.time(as_it_is)
        found |= {line: factor for line, factor in paces.items() if factor != Factor()}
    changes = tuple(Change(line, factor) for line, factor in sorted(found.items()))
    return Advice(changes, time, before) if changes else None


def standing_share(stretch: BetweenRests[Planned]) -> float:
    """The largest share of a torque limit that it takes to stand still on the path."""
    shares = [0.0]
    for piece in stretch.moving:
        q = piece.trajectory.at(np.linspace(0.0, piece.trajectory.duration, HELD)).q
        loads = stretch.machine.loads(q, np.zeros_like(q), np.zeros_like(q))
        shares.append(float(torque_shares(loads.torque, loads.lower, loads.upper).max(initial=0.0)))
    return max(shares)
