"""Flags: what is wrong, where, from when to when, and how much. A flag begins at the sample that raised it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from torsor.model.transforms import Floats

FlagKind = Literal["overload", "collision", "payload", "position", "speed"]
QUIET = 0.1  # s without it, after which a flag is over
MOST_FLAGS = 1000  # that are kept; the rest are counted


@dataclass(frozen=True)
class MonitorFlag:
    """One that is raised, or was."""

    kind: FlagKind
    where: str  # joint, motor or "tool"
    time: float  # s, of the stream
    until: float | None  # None while it lasts
    size: float  # at its worst, in ``unit``
    limit: float  # beyond which it is raised, when it was
    unit: str

    def __str__(self) -> str:
        return f"{self.kind} at {self.where}: {self.size:.4g} {self.unit}, above {self.limit:.4g}".replace(" ,", ",")

    def document(self) -> dict[str, Any]:
        """Plain values."""
        return dict(vars(self))


class FlagBook:
    """All flags of a stream, in the order they were raised."""

    def __init__(self) -> None:
        self.flags: list[MonitorFlag] = []
        self.left_out = 0
        self._open: dict[tuple[FlagKind, str], tuple[int, float]] = {}  # which, and when it was last seen

    @property
    def active(self) -> tuple[MonitorFlag, ...]:
        return tuple(self.flags[index] for index, _ in self._open.values())

    def age(self, kind: FlagKind, now: float) -> float | None:
        """For how long the oldest of a kind has been up, None where none is."""
        begun = [self.flags[index].time for (each, _), (index, _) in self._open.items() if each == kind]
        return now - min(begun) if begun else None

    def judge(
        self, kind: FlagKind, names: Sequence[str], time: Floats, size: Floats, limit: Floats, units: Sequence[str]
    ) -> None:
        """Sizes and limits (samples, names) at times (samples,); what is not known raises nothing."""
        over = size > limit
        for k in np.flatnonzero(over.any(axis=0)).tolist():
            rows = np.flatnonzero(over[:, k])
            for run in np.split(rows, np.flatnonzero(np.diff(time[rows]) > QUIET) + 1):
                begin, end, worst = float(time[run[0]]), float(time[run[-1]]), float(size[run, k].max())
                self._close(begin, kind, names[k])
                flag = MonitorFlag(kind, names[k], begin, None, worst, float(limit[run[0], k]), units[k])
                self._raise(flag, end)
        for name in names:
            self._close(float(time[-1]), kind, name)

    def _raise(self, flag: MonitorFlag, seen: float) -> None:
        key = flag.kind, flag.where
        if key in self._open:
            index, _ = self._open[key]
            self.flags[index] = replace(self.flags[index], size=max(self.flags[index].size, flag.size))
        elif len(self.flags) < MOST_FLAGS:
            index = len(self.flags)
            self.flags.append(flag)
        else:
            self.left_out += 1
            return
        self._open[key] = index, seen

    def _close(self, now: float, kind: FlagKind, where: str) -> None:
        index, seen = self._open.get((kind, where), (0, now))
        if now - seen > QUIET:
            self.flags[index] = replace(self.flags[index], until=seen)
            del self._open[kind, where]
