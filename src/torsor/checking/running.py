"""One pass over a planned program: what each move takes, what is reached, and the signals for whoever wants them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import numpy as np

from torsor.checking.machine import Effort, Machine
from torsor.checking.moves import MoveTaken, Shares
from torsor.checking.reaching import Reached, Reaching
from torsor.checking.sampling import Block, Stage, blocks
from torsor.checking.signals import Signals
from torsor.checking.traces import Traces, Trail
from torsor.model.transforms import Floats

Sink = Callable[[Signals], None]


@dataclass(eq=False)
class Warming:
    """Winding temperatures along the program, in K above the surroundings; NaN where there is no model."""

    peak: Floats
    time: Floats
    now: Floats

    @classmethod
    def of(cls, machine: Machine) -> Warming:
        start = np.zeros(len(machine.motors))
        return cls(start.copy(), start.copy(), start)

    def add(self, machine: Machine, time: Floats, torque: Floats, dt: float) -> None:
        if not machine.at_motors or not any(d.motor.thermal for d in machine.model.drives) or not len(time):
            return
        temperatures = machine.driven.drives.warming(torque, dt, start=self.now)
        known = np.nan_to_num(temperatures, nan=0.0)
        at = known.argmax(axis=0)
        most = known[at, np.arange(known.shape[1])]
        self.time = np.where(most > self.peak, time[at], self.time)
        self.peak, self.now = np.maximum(self.peak, most), known[-1]


@dataclass(eq=False)
class Pass:
    """What one pass over a program gathers."""

    dt: float
    machine: Machine  # as the program begins
    moves: list[MoveTaken]
    traces: Traces = field(default_factory=Traces)
    trail: Trail = field(default_factory=Trail)
    lag: Floats = field(default_factory=lambda: np.zeros(0))  # (n,) planned minus reached at the end
    first_q: Floats | None = None

    def run(self, stages: Iterable[Stage], sinks: Iterable[Sink] = ()) -> None:
        """``stages`` append to ``moves`` before they hand out the first piece of a move."""
        sinks = tuple(sinks)
        reaching = Reaching(self.dt)
        self.warming = Warming.of(self.machine)
        for block in blocks(stages, self.dt):
            effort = block.machine.effort(block.q, block.qd, block.qdd)
            shares = Shares.of(block, effort)
            given = np.clip(effort.torque, effort.lower, effort.upper)
            reached = reaching.through(block, given, shares.too_much)
            T = block.machine.pose(block.q)
            tool_speed = block.machine.tool_speed(block.q, block.qd)
            for part in block.parts:
                self.moves[part.move].add(part, block, effort, shares, reached, tool_speed)
            signals = _signals(block, effort, reached, T[:, :3, 3], tool_speed)
            self._gather(block, signals, shares)
            for sink in sinks:
                sink(signals)

    def _gather(self, block: Block, signals: Signals, shares: Shares) -> None:
        regular = block.regular
        if not regular.any():
            return
        if self.first_q is None:
            self.first_q = block.q[0]
        self.warming.add(block.machine, signals.time, signals.given, self.dt)
        self.lag = signals.q[-1] - signals.reached[-1]
        sign = np.sign(signals.torque)
        asked = shares.torque[regular] * sign
        limit = np.where(signals.given >= 0.0, signals.upper, -signals.lower)
        with np.errstate(divide="ignore", invalid="ignore"):
            given = np.where(signals.given == 0.0, 0.0, signals.given / np.abs(limit))
        other = [signals.tool_speed, signals.off, signals.turned, signals.power]
        columns = [signals.q, signals.qd, signals.reached, asked, given, signals.torque, *(x[:, None] for x in other)]
        self.traces.add(signals.time, np.hstack(columns))
        reached_tool = signals.tool
        late = signals.off > 0.0
        if late.any():
            reached_tool = signals.tool.copy()
            reached_tool[late] = block.machine.pose(signals.reached[late])[:, :3, 3]
        self.trail.add(np.hstack([signals.tool, reached_tool]), shares.too_much[regular])

    def column_spans(self) -> dict[str, slice]:
        """Where in the traces each signal is."""
        n, m = len(self.machine.joints), len(self.machine.motors)
        sizes = {"q": n, "qd": n, "reached": n, "asked": m, "given": m, "torque": m}
        sizes |= {"tool_speed": 1, "off": 1, "turned": 1, "power": 1}
        ends = np.cumsum([0, *sizes.values()]).tolist()
        return {name: slice(ends[k], ends[k + 1]) for k, name in enumerate(sizes)}


def _signals(block: Block, effort: Effort, reached: Reached, tool: Floats, tool_speed: Floats) -> Signals:
    regular = block.regular
    move = np.concatenate([np.full(part.last - part.first, part.move) for part in block.parts])
    return Signals(
        time=block.time[regular],
        move=move[regular],
        q=block.q[regular],
        qd=block.qd[regular],
        qdd=block.qdd[regular],
        rate=effort.rate[regular],
        torque=effort.torque[regular],
        given=reached.torque,
        lower=effort.lower[regular],
        upper=effort.upper[regular],
        power=effort.power[regular],
        friction=effort.friction[regular],
        tool=tool[regular],
        tool_speed=tool_speed[regular],
        reached=reached.q,
        off=reached.off,
        turned=reached.turned,
    )
