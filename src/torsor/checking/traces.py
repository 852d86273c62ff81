"""Signals thinned out for pictures: of every stretch of time the least and the largest value, in bounded memory."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from torsor.checking.between_samples import ROUNDING
from torsor.checking.checked_arm import CheckedArm, torque_shares
from torsor.checking.signals import Signals
from torsor.drives import motors
from torsor.model.transforms import Floats

MOST = 3000  # stretches; a screen has fewer columns of pixels
MOST_LOAD = 10.0  # a share of a limit beyond which nothing more is to be seen


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


class Pictures:
    """What is drawn of a whole program: its signals over time, and the path of the tool."""

    def __init__(self, machine: CheckedArm, signals: Iterable[Signals] = ()) -> None:
        n, m, b = len(machine.joints), len(machine.motors), len(machine.bearing_names)
        self.machine, self.traces = machine, Traces()
        # of moments, in which everything belongs together: whether beyond a limit, and the load next to its limit
        self.trail = Traces()
        self._moments = {"time": 1, "q": n, "reached": n, "tool": 3, "tool_reached": 3, "rate": m, "torque": m}
        self._moments |= {"bearing": 6 * b, "loop": 6 * len(machine.model.loops)}
        self._widths = {"q": n, "qd": n, "qdd": n, "reached": n, "asked": m, "given": m, "torque": m, "warm": m}
        self._widths |= {"motor_power": m, "force": b, "moment": b}
        self._widths |= dict.fromkeys(("tool_speed", "off", "turned", "power", "energy", "heat"), 1)
        if machine.surroundings is not None:
            self._widths["clearance"] = 1
        self._summing = Summing(machine)
        for each in signals:
            self.add(each)

    def add(self, signals: Signals) -> None:
        asked, given = (
            np.sign(torque) * torque_shares(torque, signals.lower, signals.upper)
            for torque in (signals.torque, signals.given)
        )
        force, moment = self.machine.carried(signals.bearing)
        columns = vars(signals) | {"asked": asked, "given": given, "force": force, "moment": moment}
        columns |= {name: getattr(signals, name).reshape(len(signals), -1) for name in ("bearing", "loop")}
        columns["motor_power"] = signals.torque * signals.rate
        if "clearance" in self._widths:
            columns["clearance"] = signals.clearance
        columns |= self._summing.add(signals)
        self.traces.add(signals.time, np.column_stack([columns[name] for name in self._widths]))
        fast = np.abs(signals.rate) / self.machine.motor_speeds, np.abs(signals.qd) / self.machine.speeds
        over = (np.hstack([np.abs(asked), *fast]) > 1.0 + ROUNDING).any(axis=1, keepdims=True)
        load = np.minimum(np.abs(asked).max(axis=1, initial=0.0), MOST_LOAD)
        moments = np.column_stack([columns[name] for name in self._moments])
        self.trail.add(moments, np.column_stack([over, load]))

    def column_spans(self) -> dict[str, slice]:
        """Where in the traces each signal is."""
        return _spans(self._widths)

    def moments(self) -> dict[str, Floats]:
        """What belongs together: time, joints, tool and motors, each (moments, ...), as it was sampled."""
        first = self.trail.first
        return {
            name: first[:, span] if len(first) else np.zeros((0, 1)) for name, span in _spans(self._moments).items()
        }

    @property
    def tool_places(self) -> Floats:
        """(moments, 6): where the tool is planned to be, and where it is."""
        found = self.moments()
        return np.hstack([found["tool"], found["tool_reached"]])

    @property
    def over(self) -> np.ndarray:
        """(moments,) whether a limit is passed before the next one."""
        return self.trail.high[:, 0] > 0.0 if len(self.trail.first) else np.zeros(0, dtype=bool)

    @property
    def load(self) -> Floats:
        """(moments,) the largest share of its torque that a motor is asked for before the next one."""
        return self.trail.high[:, 1] if len(self.trail.first) else np.zeros(0)


class Summing:
    """What grows with time, from block to block: energy, heat, and how warm windings are."""

    def __init__(self, machine: CheckedArm) -> None:
        self.machine = machine
        self._last: Floats | None = None  # time, power, heat, and the squared torques of the last sample
        self._energies, self._warm = np.zeros(2), np.zeros(len(machine.motors))

    @cached_property
    def _warms(self) -> bool:
        return self.machine.at_motors and any(drive.motor.thermal for drive in self.machine.model.drives)

    def add(self, signals: Signals) -> dict[str, Floats]:
        """Energy and heat (samples, 1) in J since the program began, warmth (samples, m) in K above surroundings."""
        given = np.column_stack([signals.time, signals.power, signals.friction, signals.given**2])
        before = given[:1] if self._last is None else self._last
        all_, steps = np.concatenate([before, given]), np.diff(signals.time, prepend=before[0, 0])
        middle = 0.5 * (all_[1:] + all_[:-1])
        energies = self._energies + np.cumsum(middle[:, 1:3] * steps[:, None], axis=0)
        warm = np.zeros((len(given), len(self._warm)))
        if self._warms:
            torque = np.sqrt(middle[:, 3:])
            warm = np.nan_to_num(motors.warming(self.machine.model, torque, steps[:, None], self._warm), nan=0.0)
        if len(given):
            self._last, self._energies, self._warm = given[-1:], energies[-1], warm[-1]
        return {"energy": energies[:, :1], "heat": energies[:, 1:], "warm": warm}


def _spans(widths: dict[str, int]) -> dict[str, slice]:
    ends = np.cumsum([0, *widths.values()]).tolist()
    return {name: slice(*ends[k : k + 2]) for k, name in enumerate(widths)}
