"""Signals thinned out for pictures: of every stretch of time the least and the largest value, in bounded memory."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from torsor.model.transforms import Floats

MOST = 3000  # stretches; a screen has fewer columns of pixels


@dataclass(eq=False)
class Traces:
    """Samples come in; each time there are too many stretches, neighbours are joined. No extreme is ever lost.

    >>> traces = Traces(most=4)
    >>> traces.add(np.arange(40.0), np.sin(np.arange(40.0))[:, None])
    >>> traces.time.tolist(), bool(traces.high.max() == np.sin(np.arange(40.0)).max())
    ([0.0, 16.0, 32.0], True)
    """

    most: int = MOST
    width: int = 1  # samples in a stretch
    _times: list[Floats] = field(default_factory=list)
    _lows: list[Floats] = field(default_factory=list)
    _highs: list[Floats] = field(default_factory=list)
    _waiting: tuple[Floats, Floats] | None = None  # samples that do not fill a stretch yet

    def add(self, time: Floats, values: Floats) -> None:
        """``time`` (samples,), ``values`` (samples, columns)."""
        if self._waiting is not None:
            time = np.concatenate([self._waiting[0], time])
            values = np.concatenate([self._waiting[1], values])
        full = len(time) // self.width * self.width
        self._waiting = time[full:], values[full:]
        if full:
            grouped = values[:full].reshape(-1, self.width, values.shape[1])
            self._times.append(time[: full : self.width])
            self._lows.append(grouped.min(axis=1))
            self._highs.append(grouped.max(axis=1))
        while sum(map(len, self._times)) > self.most:
            self._halve()

    def _halve(self) -> None:
        time, low, high = (np.concatenate(each) for each in (self._times, self._lows, self._highs))
        first = np.arange(0, len(time), 2)
        second = np.minimum(first + 1, len(time) - 1)
        self._times = [time[first]]
        self._lows = [np.minimum(low[first], low[second])]
        self._highs = [np.maximum(high[first], high[second])]
        self.width *= 2

    def _with_the_rest(self) -> tuple[Floats, Floats, Floats]:
        times, lows, highs = list(self._times), list(self._lows), list(self._highs)
        if self._waiting is not None and len(self._waiting[0]):
            times.append(self._waiting[0][:1])
            lows.append(self._waiting[1].min(axis=0, keepdims=True))
            highs.append(self._waiting[1].max(axis=0, keepdims=True))
        if not times:
            return np.zeros(0), np.zeros((0, 0)), np.zeros((0, 0))
        return np.concatenate(times), np.concatenate(lows), np.concatenate(highs)

    @property
    def time(self) -> Floats:
        """(stretches,) where each begins."""
        return self._with_the_rest()[0]

    @property
    def low(self) -> Floats:
        """(stretches, columns)."""
        return self._with_the_rest()[1]

    @property
    def high(self) -> Floats:
        return self._with_the_rest()[2]

    def points(self) -> tuple[Floats, Floats]:
        """One curve through all extremes: times (points,) and values (points, columns)."""
        time, low, high = self._with_the_rest()
        if self.width == 1 or len(time) < 2:
            return time, low
        ends = np.append(time[1:], 2 * time[-1] - time[-2])
        doubled = np.stack([time, 0.5 * (time + ends)], axis=1).ravel()
        return doubled, np.stack([low, high], axis=1).reshape(-1, low.shape[1])


@dataclass(eq=False)
class Trail:
    """Points of a path, every so many samples one, in bounded memory. A flag is kept for all that are left out."""

    most: int = MOST
    stride: int = 1
    _points: list[Floats] = field(default_factory=list)
    _flags: list[np.ndarray] = field(default_factory=list)
    _seen: int = 0

    def add(self, points: Floats, flags: np.ndarray) -> None:
        """``points`` (samples, columns), ``flags`` (samples,) bool."""
        skip = -self._seen % self.stride
        self._seen += len(points)
        if self._flags and flags[:skip].any():
            self._flags[-1][-1] = True
        if skip >= len(points):
            return
        starts = np.arange(skip, len(points), self.stride)
        self._points.append(points[starts])
        self._flags.append(np.logical_or.reduceat(flags, starts))
        while sum(map(len, self._points)) > self.most:
            joined, marks = np.concatenate(self._points), np.concatenate(self._flags)
            even = np.arange(0, len(joined), 2)
            self._points, self._flags = [joined[even]], [np.logical_or.reduceat(marks, even)]
            self.stride *= 2

    @property
    def points(self) -> Floats:
        return np.concatenate(self._points) if self._points else np.zeros((0, 0))

    @property
    def flags(self) -> np.ndarray:
        return np.concatenate(self._flags) if self._flags else np.zeros(0, dtype=bool)
