"""All signals of a program over its time: kept as arrays, or written to a table as they come."""

from __future__ import annotations

import contextlib
import csv
import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torsor.checking.checked_arm import MotorEffort
from torsor.checking.lagging import Reached
from torsor.checking.sampling import SampleBlock
from torsor.model.files import csv_titles, whole
from torsor.model.transforms import Floats

OF_JOINTS, OF_MOTORS = ("q", "qd", "qdd", "reached"), ("rate", "torque", "given", "lower", "upper")
OF_ALL = ("tool", "tool_speed", "power", "friction", "off", "turned")


@dataclass(frozen=True, eq=False)
class Signals:
    """Per cycle (samples, ...), in SI units and radians."""

    time: Floats  # (samples,)
    move: NDArray[np.intp]  # (samples,) which of the verdict's moves
    q: Floats  # (samples, n) planned
    qd: Floats
    qdd: Floats
    rate: Floats  # (samples, m) of the motors
    torque: Floats  # (samples, m) that the plan asks of the motors
    given: Floats  # (samples, m) that they give, by Algorithm 1 where they saturate
    lower: Floats  # (samples, m) least torque that the motor has at this rate
    upper: Floats
    power: Floats  # (samples,) W
    friction: Floats  # (samples,) W
    tool: Floats  # (samples, 3) planned position
    tool_speed: Floats  # (samples,) m/s
    reached: Floats  # (samples, n) joint positions that are reached
    off: Floats  # (samples,) m from the planned path
    turned: Floats  # (samples,) rad from the planned orientation

    @classmethod
    def of(
        cls, block: SampleBlock, owners: Sequence[int], effort: MotorEffort, reached: Reached, tool_speed: Floats
    ) -> Signals:
        """Of a block, at whole cycles; ``owners`` are the moves of its sections."""
        regular = block.regular
        move = np.repeat(owners, [section.last - section.first for section in block.sections])
        planned = {name: getattr(block, name)[regular] for name in ("time", "q", "qd", "qdd")}
        taken = ("rate", "torque", "lower", "upper", "power", "friction")
        return cls(
            **planned,
            **{name: getattr(effort, name)[regular] for name in taken},
            move=move[regular],
            given=reached.torque,
            tool=block.machine.pose(planned["q"])[:, :3, 3],
            tool_speed=tool_speed[regular],
            reached=reached.q,
            off=reached.off,
            turned=reached.turned,
        )

    @classmethod
    def joined(cls, parts: Sequence[Signals]) -> Signals:
        return cls(**{f.name: np.concatenate([getattr(part, f.name) for part in parts]) for f in fields(cls)})

    def __len__(self) -> int:
        return len(self.time)

    def __repr__(self) -> str:
        return f"<Signals: {len(self)} samples to {self.time[-1]:g} s>" if len(self) else "<Signals: none>"


def columns(joints: Sequence[str], motors: Sequence[str]) -> list[str]:
    """Titles of the table, with their units."""
    of_joints = [f"{name}.{what}" for what in OF_JOINTS for name in joints]
    of_motors = [f"{name}.{what}" for what in OF_MOTORS for name in motors]
    tool = ["tool.x", "tool.y", "tool.z", "tool.speed", "power", "friction", "deviation", "turned"]
    return ["time", "line", *of_joints, *of_motors, *tool]


def rows(signals: Signals, lines: Sequence[int]) -> Iterator[list[Any]]:
    """Rows of the table; ``lines`` are the program lines of the moves."""
    numbers = np.column_stack([getattr(signals, name) for name in (*OF_JOINTS, *OF_MOTORS, *OF_ALL)])
    for time, move, row in zip(signals.time.tolist(), signals.move.tolist(), numbers.tolist(), strict=True):
        yield [f"{time:.9g}", lines[move], *(f"{x:.9g}" for x in row)]


WritesRows = Callable[[Signals, Sequence[int]], None]


@contextlib.contextmanager
def table(path: str | Path, joints: Sequence[str], motors: Sequence[str]) -> Iterator[WritesRows]:
    """A CSV file that is written row by row, and appears when it is complete."""
    with whole(path) as stream, io.TextIOWrapper(stream, encoding="utf-8", newline="") as text:
        out = csv.writer(text, lineterminator="\n")
        out.writerow(csv_titles(columns(joints, motors)))
        yield lambda signals, lines: out.writerows(rows(signals, lines))
