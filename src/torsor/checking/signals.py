"""All signals of a program over its time: kept as arrays, or written to a table as they come."""

from __future__ import annotations

import contextlib
import csv
import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from torsor.checking.checked_arm import CheckedArm
from torsor.checking.lagging import Reached
from torsor.checking.sample_times import LARGE
from torsor.checking.sampling import SampleBlock
from torsor.model.files import csv_titles, whole
from torsor.model.transforms import Floats
from torsor.motion.tolerances import ROUNDING, first_cycle
from torsor.programs.planner import CYCLE

OF_JOINTS = ("q", "qd", "qdd", "reached", "reached_qd", "reached_qdd")
OF_MOTORS = ("angle", "rate", "torque", "given", "lower", "upper", "reached_angle")
OF_BEARINGS = ("fx", "fy", "fz", "mx", "my", "mz")
REACHED_BEARINGS = tuple(f"reached_{what}" for what in OF_BEARINGS)
REST = 1000  # cycles of a rest of which every one is a sample
OF_ALL = ("tool", "tool_speed", "power", "friction", "off", "turned")


@dataclass(frozen=True, eq=False)
class Signals:
    """Per cycle (samples, ...), in SI units and radians."""

    machine: CheckedArm
    time: Floats  # (samples,)
    move: NDArray[np.intp]  # (samples,) which of the verdict's moves
    q: Floats  # (samples, n) planned
    qd: Floats
    qdd: Floats
    angle: Floats  # (samples, m) of the motors, rad
    rate: Floats  # (samples, m)
    torque: Floats  # (samples, m) that the plan asks of the motors
    given: Floats  # (samples, m) that they give, by Algorithm 1 where they saturate
    lower: Floats  # (samples, m) least torque that the motor has at this rate
    upper: Floats
    power: Floats  # (samples,) W
    friction: Floats  # (samples,) W
    tool: Floats  # (samples, 3) planned position
    tool_turn: Floats  # (samples, 3, 3) planned orientation
    tool_speed: Floats  # (samples,) m/s
    reached: Floats  # (samples, n) joint positions that are reached
    reached_qd: Floats
    reached_qdd: Floats
    reached_angle: Floats  # (samples, m) of the motors there
    off: Floats  # (samples,) m from the planned path
    turned: Floats  # (samples,) rad from the planned orientation
    tool_reached: Floats  # (samples, 3) position that is reached
    bearing: Floats  # (samples, bearings, 6) force over moment of each joint on its link, in the link's axes
    reached_bearing: Floats  # the same of the motion that is reached
    loop: (
        Floats  # (samples, loops, 6) force over moment where a loop is closed, on its first end, in axes of its second
    )

    @classmethod
    def at(cls, block: SampleBlock, time: Floats, owners: NDArray[np.intp], reached: Iterable[Reached]) -> Signals:
        """At times of a block; ``owners`` are the moves of its sections."""
        machine = block.machine
        q, qd, qdd = block.planned(time)
        with np.errstate(all="ignore"):
            loads, friction = machine.loads(q, qd, qdd), machine.friction(q, qd, qdd)
            bearing, loop = machine.bearing_loads(q, qd, qdd), machine.loop_forces(q, qd, qdd)
        T = machine.pose(q)
        tool, given, there = T[:, :3, 3], loads.given, q.copy()
        there_qd, there_qdd = qd.copy(), qdd.copy()
        reached_bearing = bearing.copy()
        off, turned, tool_reached = np.zeros(len(time)), np.zeros(len(time)), tool.copy()
        for each in reached:  # at the ends of cycles; signals may stand between them
            late = (time > each.time[0] - CYCLE * (1.0 - ROUNDING)) & (time <= each.time[-1])
            between = partial(_between, time[late], each.time)
            there[late] += between(each.q - each.planned)
            there_qd[late], there_qdd[late] = map(between, (each.qd, each.qdd))
            given[late], off[late], turned[late] = map(between, (each.torque, each.off, each.turned))
            tool_reached[late] = machine.pose(there[late])[:, :3, 3]
            with np.errstate(all="ignore"):
                reached_bearing[late] = machine.bearing_loads(there[late], there_qd[late], there_qdd[late])
        return cls(
            machine=machine,
            time=time,
            move=owners[block.sections_at(time)],
            q=q,
            qd=qd,
            qdd=qdd,
            angle=machine.motor_angles(q),
            **vars(loads),
            given=given,
            power=loads.power,
            friction=friction,
            tool=tool,
            tool_turn=T[:, :3, :3],
            tool_speed=machine.tool_speed(q, qd),
            reached=there,
            reached_qd=there_qd,
            reached_qdd=there_qdd,
            reached_angle=machine.motor_angles(there),
            off=off,
            turned=turned,
            tool_reached=tool_reached,
            bearing=bearing,
            reached_bearing=reached_bearing,
            loop=loop,
        )

    @classmethod
    def joined(cls, parts: Sequence[Signals]) -> Signals:
        names = [f.name for f in fields(cls) if f.name != "machine"]
        joined = {name: np.concatenate([getattr(part, name) for part in parts]) for name in names}
        return cls(machine=parts[0].machine, **joined)

    @cached_property
    def clearance(self) -> Floats:
        """(samples,) m between what comes nearest; NaN where that is not looked at. Computed when it is asked for."""
        return self.machine.clearance(self.q)

    def __len__(self) -> int:
        return len(self.time)

    def __repr__(self) -> str:
        return f"<Signals: {len(self)} samples to {self.time[-1]:g} s>" if len(self) else "<Signals: none>"


class SignalTimes:
    """Times at which signals are wanted: every ``dt`` s, and the end of the program.

    A rest of more than `REST` cycles has two, its first and its last: nothing happens in between.
    """

    def __init__(self, dt: float) -> None:
        self.dt, self._next = dt, 0

    def of(self, block: SampleBlock) -> Iterator[Floats]:
        """Those of a block, so many at a time."""
        waiting: list[Floats] = []
        for section in block.sections:
            first, self._next = self._next, max(self._next, first_cycle(section.span[1], self.dt))
            whole = range(first, self._next)
            step = max(len(whole) - 1, 1) if section.is_rest and len(whole) > REST else 1
            for start in range(first, self._next, LARGE * step):
                waiting.append(
                    self.dt * np.arange(start, min(start + LARGE * step, self._next), step, dtype=np.float64)
                )
                if sum(map(len, waiting)) >= LARGE:
                    yield np.concatenate(waiting)
                    waiting = []
        if block.final:
            waiting.append(np.array([block.span[1]]))
        if waiting:
            yield np.concatenate(waiting)


def _between(time: Floats, known: Floats, values: Floats) -> Floats:
    """Values (k, ...) at ``known`` times, at others: straight lines."""
    if values.ndim == 1:
        return np.interp(time, known, values)
    return np.column_stack([np.interp(time, known, column) for column in values.T])


def columns(
    joints: Sequence[str], motors: Sequence[str], bearings: Sequence[str] = (), *, in_cell: bool = False
) -> list[str]:
    """Titles of the table; forces and moments of bearings are in the axes of their links."""
    of_joints = [f"{name}.{what}" for what in OF_JOINTS for name in joints]
    of_motors = [f"{name}.{what}" for what in OF_MOTORS for name in motors]
    tool = ["clearance"] if in_cell else []
    tool += ["tool.x", "tool.y", "tool.z", "tool.speed", "power", "friction", "deviation", "turned"]
    of_bearings = [f"{name}.{what}" for words in (OF_BEARINGS, REACHED_BEARINGS) for name in bearings for what in words]
    return ["time", "line", *of_joints, *of_motors, *tool, *of_bearings]


def rows(
    signals: Signals, lines: Sequence[int], *, in_cell: bool = False, more: MoreColumns | None = None
) -> Iterator[list[Any]]:
    """Rows of the table; ``lines`` are the program lines of the moves."""
    names = (*OF_JOINTS, *OF_MOTORS, *(["clearance"] if in_cell else []), *OF_ALL)
    named = [getattr(signals, name) for name in names]
    bearings = [each.reshape(len(signals), -1) for each in (signals.bearing, signals.reached_bearing)]
    moving = [] if more is None else [more.of(signals)]
    numbers = np.column_stack([*named, *bearings, *moving])
    for time, move, row in zip(signals.time.tolist(), signals.move.tolist(), numbers.tolist(), strict=True):
        yield [f"{time:.9g}", lines[move], *(f"{x:.9g}" for x in row)]


class MoreColumns(Protocol):
    """Columns that are computed when they are written."""

    @property
    def titles(self) -> list[str]: ...
    def of(self, signals: Signals) -> Floats: ...


WritesRows = Callable[[Signals, Sequence[int]], None]


@contextlib.contextmanager
def table(
    path: str | Path,
    joints: Sequence[str],
    motors: Sequence[str],
    bearings: Sequence[str] = (),
    *,
    in_cell: bool = False,
    more: MoreColumns | None = None,
) -> Iterator[WritesRows]:
    """A CSV file that is written row by row, and appears when it is complete."""
    with whole(path) as stream, io.TextIOWrapper(stream, encoding="utf-8", newline="") as text:
        out = csv.writer(text, lineterminator="\n")
        titles = columns(joints, motors, bearings, in_cell=in_cell) + ([] if more is None else more.titles)
        out.writerow(csv_titles(titles))
        yield lambda signals, lines: out.writerows(rows(signals, lines, in_cell=in_cell, more=more))
