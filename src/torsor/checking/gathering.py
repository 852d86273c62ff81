"""What is gathered of a whole program, in bounded memory: pictures of its signals, temperatures, the lag at its end."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from torsor.checking.checked_arm import CheckedArm
from torsor.checking.moves import Peak, Shares
from torsor.checking.sampling import SampleBlock
from torsor.checking.signals import Signals
from torsor.checking.traces import Traces, Trail
from torsor.model.transforms import Floats


@dataclass(eq=False)
class Gathered:
    machine: CheckedArm  # as the program begins
    dt: float
    traces: Traces = field(default_factory=Traces)
    trail: Trail = field(default_factory=Trail)
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
        columns = {
            "q": signals.q,
            "qd": signals.qd,
            "reached": signals.reached,
            "asked": shares.torque[regular] * np.sign(signals.torque),
            "given": given,
            "torque": signals.torque,
            "tool_speed": signals.tool_speed[:, None],
            "off": signals.off[:, None],
            "turned": signals.turned[:, None],
            "power": signals.power[:, None],
        }
        self.traces.add(signals.time, np.hstack([columns[name] for name in self._widths]))
        reached_tool, late = signals.tool, signals.off > 0.0
        if late.any():
            reached_tool = signals.tool.copy()
            reached_tool[late] = block.machine.pose(signals.reached[late])[:, :3, 3]
        self.trail.add(np.hstack([signals.tool, reached_tool]), shares.too_much[regular])

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
