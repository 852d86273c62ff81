"""What is gathered of a whole program, in bounded memory: pictures of its signals, temperatures, the lag at its end."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from torsor.checking.checked_arm import CheckedArm
from torsor.checking.moves import Peak, Shares
from torsor.checking.sampling import SampleBlock
from torsor.checking.signals import Signals
from torsor.model.transforms import Floats

MOST = 3000  # stretches; a screen has fewer columns of pixels


@dataclass(eq=False)
class Traces:
    """Samples thinned out: of every stretch of them where it begins, and the least and the largest of their values.

    Each time there are too many stretches, neighbours are joined. No extreme is ever lost.

    >>> traces = Traces(most=4)
    >>> traces.add(np.arange(40.0), np.sin(np.arange(40.0))[:, None])
    >>> traces.first.tolist(), bool(traces.high.max() == np.sin(np.arange(40.0)).max())
    ([0.0, 16.0, 32.0], True)
    """

    most: int = MOST
    width: int = 1  # samples in a stretch
    first: Floats = field(default_factory=lambda: np.zeros(0))  # (stretches, ...)
    low: Floats = field(default_factory=lambda: np.zeros((0, 0)))  # (stretches, columns)
    high: Floats = field(default_factory=lambda: np.zeros((0, 0)))
    _seen: int = 0

    def add(self, first: Floats, values: np.ndarray) -> None:
        """``first`` (samples, ...), ``values`` (samples, columns)."""
        rest = -self._seen % self.width  # samples that the last stretch still takes
        if rest and len(values):
            self.low[-1] = np.minimum(self.low[-1], values[:rest].min(axis=0))
            self.high[-1] = np.maximum(self.high[-1], values[:rest].max(axis=0))
        starts = np.arange(rest, len(values), self.width)
        if starts.size:
            new = first[starts], np.minimum.reduceat(values, starts), np.maximum.reduceat(values, starts)
            kept = self.first, self.low, self.high
            joined = [np.concatenate(pair) for pair in zip(kept, new, strict=True)] if self._seen else new
            self.first, self.low, self.high = joined
        self._seen += len(values)
        while len(self.first) > self.most:
            even = np.arange(0, len(self.first), 2)
            self.first, self.width = self.first[even], 2 * self.width
            self.low, self.high = np.minimum.reduceat(self.low, even), np.maximum.reduceat(self.high, even)

    def points(self) -> tuple[Floats, Floats]:
        """One curve through all extremes, of stretches in time: times (points,) and values (points, columns)."""
        time, low, high = self.first, self.low, self.high
        if self.width == 1 or len(time) < 2:
            return time, low
        ends = np.append(time[1:], 2 * time[-1] - time[-2])
        doubled = np.stack([time, 0.5 * (time + ends)], axis=1).ravel()
        return doubled, np.stack([low, high], axis=1).reshape(-1, low.shape[1])


@dataclass(eq=False)
class Gathered:
    machine: CheckedArm  # as the program begins
    dt: float
    traces: Traces = field(default_factory=Traces)
    trail: Traces = field(default_factory=Traces)  # of planned and reached places of the tool: whether beyond a limit
    lag: Floats = field(default_factory=lambda: np.zeros(0))  # (n,) planned minus reached at the end

    def __post_init__(self) -> None:
        n, m = len(self.machine.joints), len(self.machine.motors)
        self.warming = Peak.none(m)  # K above the surroundings; 0 where there is no model
        self._warm = self.warming.share
        self._widths = {"q": n, "qd": n, "reached": n, "asked": m, "given": m, "torque": m}
        self._widths |= dict.fromkeys(("tool_speed", "off", "turned", "power"), 1)

    def add(self, block: SampleBlock, signals: Signals, shares: Shares) -> None:
        regular = block.regular
        if not regular.any():
            return
        self._warmed(block.machine, signals)
        self.lag = signals.q[-1] - signals.reached[-1]
        limit = np.where(signals.given >= 0.0, signals.upper, -signals.lower)
        with np.errstate(divide="ignore", invalid="ignore"):
            given = np.where(signals.given == 0.0, 0.0, signals.given / np.abs(limit))
        asked = shares.torque[regular] * np.sign(signals.torque)
        columns = vars(signals) | {"asked": asked, "given": given}
        self.traces.add(signals.time, np.column_stack([columns[name] for name in self._widths]))
        reached_tool, late = signals.tool, signals.off > 0.0
        if late.any():
            reached_tool = signals.tool.copy()
            reached_tool[late] = block.machine.pose(signals.reached[late])[:, :3, 3]
        self.trail.add(np.hstack([signals.tool, reached_tool]), shares.too_much[regular, None])

    def column_spans(self) -> dict[str, slice]:
        """Where in the traces each signal is."""
        ends = np.cumsum([0, *self._widths.values()]).tolist()
        return {name: slice(*ends[k : k + 2]) for k, name in enumerate(self._widths)}

    def _warmed(self, machine: CheckedArm, signals: Signals) -> None:
        if machine.at_motors and any(drive.motor.thermal for drive in machine.model.drives):
            warming = machine.driven.drives.warming(signals.given, self.dt, start=self._warm)
            known = np.nan_to_num(warming, nan=0.0)
            self.warming.add(known, signals.time)
            self._warm = known[-1]
