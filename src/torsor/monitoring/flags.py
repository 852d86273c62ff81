"""Flags: what is wrong, where, from when to when, and how much. Each begins at the time of the sample that raised it."""

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
            worst = int(rows[np.argmax(size[rows, k])])
            key = kind, names[k]
            if key not in self._open:
                if len(self.flags) >= MOST_FLAGS:
                    self.left_out += 1
                    continue
                first = int(rows[0])
                flag = MonitorFlag(
                    kind, names[k], float(time[first]), None, float(size[worst, k]), float(limit[first, k]), units[k]
                )
                self.flags.append(flag)
                self._open[key] = len(self.flags) - 1, float(time[rows[-1]])
            else:
                index, _ = self._open[key]
                self.flags[index] = replace(self.flags[index], size=max(self.flags[index].size, float(size[worst, k])))
                self._open[key] = index, float(time[rows[-1]])
        self._close(float(time[-1]))

    def _close(self, now: float) -> None:
        for key, (index, seen) in list(self._open.items()):
            if now - seen > QUIET:
                self.flags[index] = replace(self.flags[index], until=seen)
                del self._open[key]
