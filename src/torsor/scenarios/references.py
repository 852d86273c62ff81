"""References as tables of a scenario: a point, ways through points, waves, a robot program, a table in a CSV file."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from pydantic import PlainValidator

from torsor.arm import Arm
from torsor.control import reference as ways
from torsor.control.reference import Reference
from torsor.errors import ScenarioError, Unsupported
from torsor.model.schema import Table
from torsor.model.transforms import Floats, rotation_rpy
from torsor.model.units import Angle, Length, Position, quantity
from torsor.motion import Plan, Samples
from torsor.motion.commands import Command, Payload
from torsor.programs import read
from torsor.programs.planner import CYCLE, Planner, TimeLawName
from torsor.scenarios.scenario_schema import Accelerations, Duration, Numbers, Positions, PositiveCount, Rates
from torsor.scenarios.streamed import streamed, whole_steps

MOST_SAMPLES = 1_000_000  # of a program that is followed


@dataclass(frozen=True, eq=False)
class ReferenceFollower:
    """Who follows: an arm in its joints, or its tool in space; where it starts if that is said; the step of time."""

    arm: Arm
    tool: bool
    q0: Floats | None
    dt: float
    folder: Path

    @property
    def names(self) -> tuple[str, ...]:
        return ("x", "y", "z") if self.tool else tuple(self.arm.joint_names)

    def cycle(self, asked: float | None) -> float:
        """A multiple of dt, because pieces of a motion change between steps."""
        return self.dt * max(1, round((asked or CYCLE) / self.dt))


class ReferenceTable(Table):
    kind: str

    @abstractmethod
    def made(self, who: ReferenceFollower) -> Reference:
        """The reference itself."""

    @property
    def rotation(self) -> Floats | None:
        """(3, 3) of the tool, of a reference in space that has one."""
        return None


class PointTable(ReferenceTable):
    """``q`` for laws of joints; ``position``, and ``rpy`` where the tool shall be turned, for laws of the tool."""

    q: tuple[Position, ...] | None = None
    position: tuple[Length, Length, Length] | None = None
    rpy: tuple[Angle, Angle, Angle] | None = None

    def made(self, who: ReferenceFollower) -> Reference:
        ours, others = ("position", ("q",)) if who.tool else ("q", ("position", "rpy"))
        follower = "this law moves the tool" if who.tool else "this law moves joints"
        for key in others:
            if getattr(self, key) is not None:
                raise Unsupported(f"{key} is not what is followed", hint=f"{follower}: give {ours}")
        given = getattr(self, ours)
        if given is None:
            raise Unsupported(f"{ours} is missing", hint=f"{follower}: say where to")
        return ways.point(given)

    @property
    def rotation(self) -> Floats | None:
        return None if self.rpy is None else rotation_rpy(*self.rpy)


def _rows(value: object) -> list[list[float]]:
    if not isinstance(value, list) or not all(isinstance(row, list) for row in value):
        raise ValueError("expected rows")
    return [[quantity(v, "position") for v in row] for row in value]


PositionRows = Annotated[Any, PlainValidator(_rows)]


class QuinticTable(ReferenceTable):
    points: PositionRows
    durations: Numbers | None = None
    speed: Rates | None = None
    acceleration: Accelerations | None = None

    def made(self, who: ReferenceFollower) -> Reference:
        return ways.quintic(self.points, durations=self.durations, speed=self.speed, acceleration=self.acceleration)


class TrapezoidTable(ReferenceTable):
    """``speed`` and ``acceleration`` are the arm's limits without a word."""

    points: PositionRows
    speed: Rates | None = None
    acceleration: Accelerations | None = None

    def made(self, who: ReferenceFollower) -> Reference:
        found: dict[str, Any] = {"speed": self.speed, "acceleration": self.acceleration}
        for word in [word for word, given in found.items() if given is None]:
            links = () if who.tool else who.arm.model.independent
            found[word] = [getattr(link.joint.limits, word) for link in links]
            if not links or None in found[word]:
                raise Unsupported(f"{word} is not given", hint=f"{who.arm.name!r} has no limits of {word} itself")
        return ways.trapezoid(self.points, **found)


class SineTable(ReferenceTable):
    centre: Positions
    amplitude: Positions
    frequency: Numbers
    phase: Positions = 0.0

    def made(self, who: ReferenceFollower) -> Reference:
        centre = np.full(len(who.names), self.centre) if np.ndim(self.centre) == 0 else self.centre
        return ways.sine(centre, self.amplitude, self.frequency, self.phase)


class ProgramTable(ReferenceTable):
    """A robot program, planned as ``torsor check`` plans it, sampled every ``cycle``.

    A loop that never ends is gone round ``cycles`` times.
    """

    file: str
    timing: TimeLawName | None = None
    cycle: Duration | None = None
    cycles: PositiveCount = 1

    def made(self, who: ReferenceFollower) -> Reference:
        if who.tool:
            raise Unsupported("a program is followed in joints", hint="choose a law of joints, such as computed-torque")
        program = read(who.folder / self.file)
        held: list[Payload] = []
        commands = _hearing(program.commands(cycles=self.cycles, arm=who.arm, start=who.q0), held)
        plan = Planner.of(who.arm, program, self.timing).plan(commands, start=who.q0, strict=True)
        samples = _sampled(plan, who.cycle(self.cycle))
        # the last sample is the very end: it moves to the next step, where the arm has come to rest
        steps = np.round(samples.time / who.dt)
        steps[-1] = whole_steps(samples.time[-1], who.dt)
        keep = np.append(steps[:-1] < steps[-1], True)
        moving = np.append(np.ones(keep.sum() - 1), 0.0)[:, None]
        left = [f"follows {n.text} at line {n.place.line} of {n.place.file}" for n in plan.notes if n.kind == "endless"]
        left += [
            f"does not hold the payload of {p.mass:g} kg at line {p.place.line} of {p.place.file}: see [[payload]]"
            for p in held
        ]
        rates = samples.qd[keep] * moving, samples.qdd[keep] * moving
        return streamed(who.dt * steps[keep], samples.q[keep], *rates, left)


def _hearing(commands: Iterable[Command], held: list[Payload]) -> Iterator[Command]:
    """The same commands; payloads among them are told once for every place."""
    for command in commands:
        if isinstance(command, Payload) and command.place not in [each.place for each in held]:
            held.append(command)
        yield command


def _sampled(plan: Plan, cycle: float) -> Samples:
    """All of a plan, unless it lasts so long that it would fill the memory."""
    blocks = []
    for block in plan.sample(cycle):
        if block.time[0] > MOST_SAMPLES * cycle:
            problem = f"the program lasts longer than {MOST_SAMPLES * cycle:g} s"
            raise Unsupported(problem, hint="shorter waits, fewer cycles, or more time between samples: cycle")
        blocks.append(block)
    if not blocks:
        raise Unsupported("the program moves nothing", hint="a law can hold a point")
    return Samples(*(np.concatenate(each) for each in zip(*blocks, strict=True)))


class CsvTable(ReferenceTable):
    """A table with a column time and one for each joint, in rad, or as ``Run.to_csv`` writes them, q_NAME."""

    file: str
    cycle: Duration | None = None

    def made(self, who: ReferenceFollower) -> Reference:
        from scipy.interpolate import CubicSpline

        time, q = read_table(who.folder / self.file, who.names)
        spline = CubicSpline(time - time[0], q, bc_type="clamped")
        cycle = who.cycle(self.cycle)
        end = time[-1] - time[0]
        t: Floats = cycle * np.arange(whole_steps(end, cycle) + 1, dtype=np.float64)
        inside = np.minimum(t, end)
        moving = (t <= end)[:, None]
        return streamed(t, spline(inside), spline(inside, 1) * moving, spline(inside, 2) * moving)


REFERENCES: dict[str, type[ReferenceTable]] = {
    "point": PointTable,
    "quintic": QuinticTable,
    "trapezoid": TrapezoidTable,
    "sine": SineTable,
    "program": ProgramTable,
    "csv": CsvTable,
}


def read_table(path: Path, names: tuple[str, ...]) -> tuple[Floats, Floats]:
    """Times (k,) that rise and positions (k, n) of a CSV file; every error with line and column."""
    from torsor.model.files import read_text

    text = read_text(path, what="tables", suffixes=".csv", kind=ScenarioError)
    lines = [(k, line) for k, line in enumerate(text.splitlines(), start=1) if line.strip()]
    if not lines:
        raise ScenarioError("the file is empty", hint=f"its first line is time,{','.join(names)}", file=path)
    header = [cell.strip() for cell in lines[0][1].split(",")]
    columns = _columns(header, names, path)
    rows = np.empty((len(lines) - 1, len(columns)))
    for row, (number, line) in enumerate(lines[1:]):
        cells = line.split(",")
        if len(cells) != len(header):
            problem = f"{len(cells)} cells in a table of {len(header)} columns"
            raise ScenarioError(problem, hint="one for each column, with commas between", file=path, line=number)
        for k, column in enumerate(columns):
            try:
                rows[row, k] = float(cells[column])
            except ValueError:
                rows[row, k] = np.nan
            if not np.isfinite(rows[row, k]):
                at = sum(len(cell) + 1 for cell in cells[:column]) + 1
                problem = f"{header[column]} is {cells[column].strip()!r:.40}"
                raise ScenarioError(problem, hint="expected a finite number", file=path, line=number, column=at)
        if row and not rows[row, 0] > rows[row - 1, 0]:
            problem = f"time {rows[row, 0]:g} follows {rows[row - 1, 0]:g}"
            raise ScenarioError(problem, hint="times must rise", file=path, line=number)
    if len(rows) < 2:
        problem = f"the table has {'one row' if len(rows) else 'no rows'}"
        raise ScenarioError(problem, hint="two or more, with times that rise", file=path)
    return rows[:, 0], rows[:, 1:]


def _columns(header: list[str], names: tuple[str, ...], path: Path) -> list[int]:
    """Where time and each joint are; of a file that ``Run.to_csv`` wrote, the rest is left out."""
    written = any(cell.startswith("q_") for cell in header)
    wanted = ["time", *(f"q_{name}" if written else name for name in names)]
    missing = [name for name in wanted if name not in header]
    unknown = [] if written else [cell for cell in header if cell not in wanted]
    if missing or unknown:
        problem = f"there is no column {missing[0]!r}" if missing else f"unknown column {unknown[0]!r}"
        raise ScenarioError(problem, hint=f"the columns are {','.join(wanted)}", file=path, line=1)
    twice = next((name for name in wanted if header.count(name) > 1), None)
    if twice is not None:
        raise ScenarioError(f"column {twice!r} stands twice", hint="once for each joint", file=path, line=1)
    return [header.index(name) for name in wanted]
