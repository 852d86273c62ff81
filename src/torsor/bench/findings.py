"""What a run finds out: one row for each comparison, one for each size of the growth."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import Any

from torsor.measuring.stopwatch import TimeBudget, TimedWork, alone, compared

AGREE = 1e-9  # how closely results must agree with a peer's, of their largest element, before they are timed


class Judged(ABC):
    """A row whose results were compared with a peer's; beyond what they must agree ``within`` nothing is timed."""

    error: float | None
    within: float = AGREE

    @property
    def wrong(self) -> bool:
        return self.error is not None and not self.error <= self.within

    @property
    @abstractmethod
    def kept(self) -> bool | None:
        """Whether what was promised is kept; None where nothing was promised."""

    @property
    def verdict(self) -> str:
        """ "ok" or "below" what was promised, "wrong" where the numbers differ, nothing where nothing was promised."""
        return "wrong" if self.wrong else {True: "ok", False: "below", None: ""}[self.kept]

    def as_dict(self) -> dict[str, Any]:
        return vars(self) | {"verdict": self.verdict}


@dataclass(frozen=True)
class Row(Judged):
    """One measurement. Times are seconds for one evaluation; ``ratio`` is how many times faster we are.

    ``at_least`` is the ratio that was promised, ``at_most`` the seconds. ``error`` is how far the results are from the
    peer's, of their largest element; beyond ``within`` nothing is timed. That is AGREE, but for peers that solve the
    same problem by another method.
    """

    robot: str
    what: str
    peer: str = ""
    ours: float | None = None
    theirs: float | None = None
    ratio: float | None = None
    at_least: float | None = None
    at_most: float | None = None
    error: float | None = None
    within: float = AGREE

    @property
    def kept(self) -> bool | None:
        if self.at_least is not None and self.ratio is not None:
            return self.ratio >= self.at_least
        if self.at_most is not None and self.ours is not None:
            return self.ours <= self.at_most
        return None

    def timed(self, effort: TimeBudget, ours: TimedWork, theirs: TimedWork | None = None) -> Row:
        """The row with the times of both sides, or of ours alone; with neither if its numbers are wrong."""
        if self.wrong:
            return self
        if theirs is None:
            return replace(self, ours=alone(ours, effort))
        return replace(self, **vars(compared(ours, theirs, effort)))


@dataclass(frozen=True)
class GrowthRow(Judged):
    """A chain of ``joints`` general revolute joints. Times in seconds, of one evaluation or of compiling."""

    quantity: str
    joints: int
    multiplications: int
    additions: int
    trace: float  # the formulation on symbols, simplified and laid out as a tape
    compile: float  # the tape to machine code
    at_most: float | None  # seconds promised for both
    single: float | None = None
    batch: float | None = None
    peer_batch: float | None = None
    ratio: float | None = None
    error: float | None = None

    @property
    def kept(self) -> bool | None:
        return None if self.at_most is None else self.trace + self.compile <= self.at_most


@dataclass(frozen=True)
class PortRow:
    """A batch kernel beside what the ports of the processor allow: instructions of one group of ``lanes`` states, the
    cycles that it takes, and the least that its own instructions need if none of them waits. None: not known."""

    robot: str
    what: str
    lanes: int | None = None
    instructions: int | None = None
    multiplications: int | None = None
    additions: int | None = None
    divisions: int | None = None
    ports: dict[str, Any] | None = None  # what a cycle does of each, and the cycles of a division
    cycles: float | None = None
    limit: float | None = None

    @property
    def share(self) -> float | None:
        """Of the limit that is reached."""
        return None if self.cycles is None or self.limit is None else self.limit / self.cycles

    @property
    def wrong(self) -> bool:
        return False

    def as_dict(self) -> dict[str, Any]:
        return vars(self) | {"share": self.share}


AnyRow = Row | GrowthRow | PortRow
