"""The order of samples in time: how far each is from the one before, what was lost on the way, and what came late."""

from __future__ import annotations

from bisect import insort
from math import inf

LONGEST_GAP, PERIODS = 0.1, 5.0  # s, and periods: beyond both an observer begins anew
KNOWN = 10  # intervals, from which on the period is taken for known ...
COUNTED = 101  # ... and from which its median is found
SKIPPED = 1.5  # periods, beyond which a sample was lost
LATE = 0.1  # s later than the quickest


class StreamClock:
    """Takes times of samples in the order of arrival."""

    def __init__(self) -> None:
        self.samples = self.lost = self.late = self.out_of_order = self.restarts = 0
        self.first = self.last = 0.0
        self._intervals: list[float] = []
        self._quickest = inf

    @property
    def period(self) -> float | None:
        """s between samples, the median of the first hundred; None before there are some."""
        many = len(self._intervals)
        return self._intervals[many // 2] if many >= KNOWN else None

    @property
    def span(self) -> float:
        return self.last - self.first

    @property
    def rate(self) -> float | None:
        """Samples a second."""
        return (self.samples - 1) / self.span if self.span > 0.0 else None

    def take(self, t: float, arrived: float | None) -> float | None:
        """Seconds since the sample before, zero where all begins anew; None for one that comes after its time."""
        if arrived is not None:
            self._quickest = min(self._quickest, arrived - t)
            self.late += arrived - t - self._quickest > LATE
        if self.samples == 0:
            self.samples, self.first, self.last = 1, t, t
            return 0.0
        dt = t - self.last
        if not dt > 0.0:
            self.out_of_order += 1
            return None
        self.samples, self.last = self.samples + 1, t
        period = self.period
        if period is not None and dt > SKIPPED * period:
            self.lost += round(dt / period) - 1
        if len(self._intervals) < COUNTED:
            insort(self._intervals, dt)
        if dt > LONGEST_GAP and (period is None or dt > PERIODS * period):
            self.restarts += 1
            return 0.0
        return dt
