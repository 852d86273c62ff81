"""Time, taken so that two programs can be compared on a machine that others use too.

CPU time of this process, not time on the wall: a neighbour's work is not counted. The two sides take turns, in samples
of some milliseconds, and the ratio is the median of the ratios of neighbouring samples: slow phases of the machine hit
both.
"""

from __future__ import annotations

import time
import timeit
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from typing import Any

from torsor.algebra.walk import collector_paused


@dataclass(frozen=True)
class TimeBudget:
    """How much time a measurement may take."""

    sample: float = 0.02  # seconds in one sample
    samples: int = 11
    batch: int = 100_000  # states in a batch of dynamics
    derivative_batch: int = 10_000
    states: int = 4096  # states that a native loop runs over
    processes: int = 5  # fresh processes for each figure of the first use
    sizes: tuple[int, ...] = (2, 4, 8, 16, 32, 64)  # joints of the chains


FULL = TimeBudget()
QUICK = TimeBudget(sample=0.002, samples=3, batch=2000, derivative_batch=500, states=512, processes=1, sizes=(2, 4))


@dataclass(frozen=True)
class TimedWork:
    """``run(n)`` does the work n times; each time it answers ``evaluations`` questions."""

    run: Callable[[int], object]
    evaluations: int = 1


def statement(text: str, names: dict[str, Any]) -> TimedWork:
    """A Python statement, run by timeit's loop, as a user would write it."""
    return TimedWork(timeit.Timer(text, globals=dict(names)).timeit)


def repeated(call: Callable[[], object], evaluations: int) -> TimedWork:
    def run(times: int) -> None:
        for _ in range(times):
            call()

    return TimedWork(run, evaluations)


@dataclass(frozen=True)
class SideBySide:
    """Seconds for one evaluation, ours and theirs, and how many times faster we are."""

    ours: float
    theirs: float
    ratio: float


def nanoseconds(seconds: float | None) -> str:
    return "-" if seconds is None else f"{seconds * 1e9:.{0 if seconds >= 1e-7 else 1}f}"


def alone(task: TimedWork, effort: TimeBudget) -> float:
    """Seconds for one evaluation."""
    times = _calibrated(task, effort)
    return median(sampled(task, times) for _ in range(effort.samples))


def compared(ours: TimedWork, theirs: TimedWork, effort: TimeBudget) -> SideBySide:
    """Both in turn, each side long enough for the clock."""
    ours_times, theirs_times = _calibrated(ours, effort), _calibrated(theirs, effort)
    pairs = [(sampled(ours, ours_times), sampled(theirs, theirs_times)) for _ in range(effort.samples)]
    return SideBySide(median(a for a, _ in pairs), median(b for _, b in pairs), median(b / a for a, b in pairs))


def _calibrated(task: TimedWork, effort: TimeBudget) -> int:
    """How many times to run for one sample. Doubling also warms caches and branch predictors."""
    times = 1
    while True:
        seconds = sampled(task, times) * task.evaluations * times
        if seconds >= effort.sample:
            return times
        times = max(2 * times, min(100 * times, int(1.1 * effort.sample * times / max(seconds, 1e-9))))


def sampled(task: TimedWork, times: int) -> float:
    """Seconds for one evaluation, once."""
    with collector_paused():
        start = time.process_time()
        task.run(times)
        return (time.process_time() - start) / (times * task.evaluations)
