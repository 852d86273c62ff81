"""Checks of programs as a base of studies: many loads on one plan where that is exact enough, one by one elsewhere.

What the plan does not depend on (payload, masses, friction, motors, force at the tool) is judged for all runs at once
by `TorqueParts`; `feasible` and `time` are those of `torsor.check`: a run whose share is near to its limit is looked at
as closely as `torsor.check` does it, and where rounding would decide that is asked itself. Shares of torque agree with
it to `AGREES`.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Literal, get_args

import numpy as np

from torsor.arm import Arm
from torsor.cell.cell_file import WorkCell, read_cell
from torsor.checking import Verdict, check
from torsor.checking.checked_arm import CheckedArm
from torsor.emit.recent import Recent
from torsor.errors import StudyError, TorsorError
from torsor.loading import load
from torsor.model import ranges
from torsor.model.transforms import Floats
from torsor.motion.commands import Payload
from torsor.programs import Program, read
from torsor.programs.pace import Factor
from torsor.programs.planner import Planner, TimeLawName
from torsor.programs.world import World
from torsor.study.base import (
    ChunkOutcome,
    Portions,
    RunColumns,
    StudyOutput,
    arm_digest,
    digest,
    rows_alike,
    why_failed,
)
from torsor.study.changes import PAYLOAD, adds_up, changed, changes_of
from torsor.study.checked_outputs import MEASURES, OF_LOADS, PACE, told
from torsor.study.moved_targets import moved, moves_targets, target_changes
from torsor.study.planned_loads import FORCES, PlannedLoads

ROBOT, PROGRAM = "robot", "program"
PLANNED = (ROBOT, PROGRAM, *PACE)  # what plans depend on, beside targets

CheckTiming = TimeLawName | Literal["optimal"]


@dataclass(frozen=True, eq=False)
class CheckBase:
    """Whether arms can do programs. ``payload`` and ``force`` (3,) are as for `torsor.check`, where they do not vary;
    so are the other settings.

    >>> base = CheckBase.of("examples/programs/rl15_tour.irl", "rl15")
    >>> found = base.evaluate({"payload": np.array([0.0, 5.0, 60.0])}, ("feasible", "time", "torque"))
    >>> found.values["feasible"].tolist(), found.values["torque"].round(2).tolist()
    ([1.0, 1.0, 0.0], [0.55, 0.6, 1.17])
    """

    arms: Mapping[str, Arm]
    programs: Mapping[str, Program]
    payload: float | None = None
    force: tuple[float, float, float] | None = None
    timing: CheckTiming | None = None
    overlap: bool = False
    cycles: int = 1
    start: tuple[float, ...] | str | None = None
    cycle: bool = False
    cell: WorkCell | None = None
    one_by_one: bool = False  # decided once for a study: nearly every run has a plan of its own
    _plans: Recent[PlannedLoads] = field(default_factory=lambda: Recent(64), repr=False, init=False)
    _planning: Any = field(default_factory=threading.Lock, repr=False, init=False)

    kind: ClassVar[str] = "check"

    @classmethod
    def of(
        cls,
        program: str | os.PathLike[str] | Program | Sequence[str | os.PathLike[str] | Program],
        robot: str | os.PathLike[str] | Arm | Sequence[str | os.PathLike[str] | Arm],
        *,
        cell: str | os.PathLike[str] | WorkCell | None = None,
        world: World | Mapping[str, Any] | str | os.PathLike[str] | None = None,
        define: Sequence[str] = (),
        entry: str | None = None,
        **settings: Any,
    ) -> CheckBase:
        """Of one program and arm, or of several, among which ``program`` and ``robot`` then choose by name.

        ``world``, ``define`` and ``entry`` are for all programs that are read here, as for `torsor.check`.
        """
        arms: dict[str, Arm] = {}
        programs: dict[str, Program] = {}
        for each in [robot] if isinstance(robot, str | os.PathLike | Arm) else robot:
            arm = each if isinstance(each, Arm) else load(each)
            _only_once("robot", arm.name, arms)
            arms[arm.name] = arm
        for one in [program] if isinstance(program, str | os.PathLike | Program) else program:
            known = one if isinstance(one, Program) else read(one, world=world, define=define, entry=entry)
            name = Path(known.file).stem if isinstance(known.file, str) and known.file else known.name
            _only_once("program", name, programs)
            programs[name] = known
        around = cell if cell is None or isinstance(cell, WorkCell) else read_cell(cell)
        return cls(arms, programs, cell=around, **settings)

    def __post_init__(self) -> None:
        if not self.arms or not self.programs:
            raise StudyError("a check has a program and a robot")
        if self.timing is not None and self.timing not in (*get_args(TimeLawName), "optimal"):
            raise StudyError(f"there is no timing {self.timing!r}", hint=f"known: {', '.join(get_args(TimeLawName))}")

    def __reduce__(self) -> tuple[Any, ...]:
        """Without what was made here: it is made there anew."""
        return type(self), tuple(getattr(self, each.name) for each in fields(self) if each.init)

    @cached_property
    def variable(self) -> dict[str, str]:
        first, *others = [changes_of(arm) for arm in self.arms.values()]
        found = {name: what for name, what in first.items() if all(name in other for other in others)}
        found |= {"speed": "factor, on all speeds of the program", "acceleration": "factor, on all its accelerations"}
        found |= dict.fromkeys(FORCES, "N, on the tool, base axes")
        moving = [target_changes(each, next(iter(self.arms.values()))) for each in self.programs.values()]
        found |= {name: what for name, what in moving[0].items() if all(name in other for other in moving)}
        found |= {ROBOT: f"one of {', '.join(self.arms)}", PROGRAM: f"one of {', '.join(self.programs)}"}
        return found

    @cached_property
    def _motors(self) -> tuple[str, ...]:
        """Those of all arms, where they are the same."""
        found = {CheckedArm(arm).motors for arm in self.arms.values()}
        return found.pop() if len(found) == 1 else ()

    @cached_property
    def outputs(self) -> dict[str, StudyOutput]:
        own = {f"torque.{name}": StudyOutput("", f"largest share of the torque of {name}") for name in self._motors}
        return {**MEASURES, **own}

    @property
    def usual(self) -> tuple[str, ...]:
        return ("feasible", "time", "torque", "line", *(f"torque.{name}" for name in self._motors))

    @property
    def contents(self) -> dict[str, str]:
        asked = self.payload, self.force, self.timing, self.overlap, self.cycles, self.start, self.cycle
        found = {f"arm {name!r}": arm_digest(arm, looks=self.cell is not None) for name, arm in self.arms.items()}
        found |= {f"program {name!r}": digest(*each.facts) for name, each in self.programs.items()}
        return {**found, "settings": digest(*asked), "cell": digest(self.cell)}

    def portions(self, varied: tuple[str, ...], outputs: tuple[str, ...]) -> Portions:
        """Many at once where one plan serves many runs; else each is planned, and judged, by itself."""
        warms = any(
            drive.motor.thermal or drive.motor.continuous for arm in self.arms.values() for drive in arm.model.drives
        )
        alone = warms or self.one_by_one or not self._quick(outputs) or all(map(_plans_depend, varied))
        alone = alone or not all(map(adds_up, varied))
        return Portions(4, processes=True) if alone else Portions(5000, most=200_000)

    def settled(self, inputs: RunColumns) -> CheckBase:
        """Where plans are as many as runs, nothing is gained by judging loads on them together."""
        names = tuple(filter(_plans_depend, inputs))
        if not names or self.one_by_one:
            return self
        count = len(inputs[names[0]])
        return replace(self, one_by_one=count > 1 and 2 * len(rows_alike(inputs, names)) > count)

    # runs

    def evaluate(self, inputs: RunColumns, outputs: tuple[str, ...]) -> ChunkOutcome:
        count = len(next(iter(inputs.values())))
        found = ChunkOutcome({name: np.full(count, np.nan) for name in outputs})
        for own, rows in rows_alike(inputs, tuple(filter(_plans_depend, inputs))):
            loads = {name: values[rows] for name, values in inputs.items() if not _plans_depend(name)}
            self._judge(own, loads, rows, found)
        return found

    def _judge(self, own: Mapping[str, Any], loads: RunColumns, rows: Any, found: ChunkOutcome) -> None:
        """Runs with the same plan."""
        wanted = set(found.values)
        # decided by what varies, never by who else is in the chunk: a run gives the same numbers in any company
        planned: PlannedLoads | None = None
        if loads and not self.one_by_one and self._quick(tuple(wanted)):
            try:
                planned = self._plan(own, tuple(loads))
            except TorsorError as error:
                found.failures.update((int(row), str(error)) for row in rows)
                return
        if planned is None or planned.alone is not None:
            for k, row in enumerate(rows):
                self._alone(own, {name: values[k] for name, values in loads.items()}, int(row), found)
            return
        answer, undecided = planned.judged(loads, len(rows))
        for name in wanted:
            found.values[name][rows] = answer[name]
        for k in np.flatnonzero(undecided).tolist():
            self._alone(own, {name: values[k] for name, values in loads.items()}, int(rows[k]), found)

    def _quick(self, outputs: tuple[str, ...]) -> bool:
        """Whether outputs are among those that loads on one plan tell."""
        known = {*OF_LOADS, *(f"torque.{name}" for name in self._motors)}
        return set(outputs) <= known and self.timing != "optimal"

    def _alone(self, own: Mapping[str, Any], loads: Mapping[str, float], row: int, found: ChunkOutcome) -> None:
        try:
            answer = told(self.verdict({**own, **loads}))
        except Exception as error:  # one run: whatever it was, the others are not lost with it
            found.failures[row] = why_failed(error)
            answer = dict.fromkeys(found.values, float("nan"))
        for name, values in found.values.items():
            values[row] = answer[name]

    def verdict(self, values: Mapping[str, Any]) -> Verdict:
        """The verdict of `torsor.check` on one run."""
        arm, program, force, pace = self.given(values)
        return check(
            program, arm, wrench=None if force is None else [*force, 0.0, 0.0, 0.0], timing=self.timing,
            overlap=self.overlap, speed=pace.speed, acceleration=pace.acceleration, cycles=self.cycles,
            start=self.start, cycle=self.cycle, cell=self.cell, signals=False,
        )  # fmt: skip

    def together(self, loads: tuple[str, ...]) -> bool:
        """Whether runs that differ in these loads are judged at once."""
        return self.timing != "optimal" and self._plan({}, loads).alone is None

    def own_payloads(self) -> list[str]:
        """What is to be said of programs that say themselves what the arm holds: payloads of a study end there."""
        found = []
        arm = next(iter(self.arms.values()))
        for name, program in self.programs.items():
            commands = program.commands(cycles=self.cycles, arm=arm, start=Planner.of(arm, program).home)
            line = next((each.place.line for each in commands if isinstance(each, Payload)), None)
            if line is not None:
                found.append(
                    f"{name} says itself what the arm holds, from line {line} on; payloads here count before it"
                )
        return found

    def given(self, values: Mapping[str, Any]) -> tuple[Arm, Program, Floats | None, Factor]:
        known = changes_of(next(iter(self.arms.values())))
        name, which = (
            str(values.get(word, next(iter(those)))) for word, those in ((ROBOT, self.arms), (PROGRAM, self.programs))
        )
        for word, each, those in ((ROBOT, name, self.arms), (PROGRAM, which, self.programs)):
            if each not in those:
                raise StudyError(f"there is no {word} {each!r} in this study", hint=f"known: {', '.join(those)}")
        changes = {word: float(value) for word, value in values.items() if word in known}
        if PAYLOAD not in changes and self.payload is not None:
            changes[PAYLOAD] = self.payload
        force = None
        if self.force is not None or any(word in values for word in FORCES):
            held = self.force or (0.0, 0.0, 0.0)
            force = np.array([float(values.get(word, old)) for word, old in zip(FORCES, held, strict=True)])
        pace = Factor(*(float(values.get(word, 1.0)) for word in PACE))
        for word, value in zip(PACE, (pace.speed, pace.acceleration), strict=True):
            ranges.FACTOR.refuse(word, value)
        program = moved(self.programs[which], {word: values[word] for word in filter(moves_targets, values)})
        return changed(self.arms[name], changes), program, force, pace

    def _plan(self, own: Mapping[str, Any], loads: tuple[str, ...]) -> PlannedLoads:
        """The plan of some robot, program and pace, in parts of what varies."""
        key = tuple(sorted(own.items())), loads
        with self._planning:  # several threads that begin would plan the same
            return self._plans.get(key, lambda: PlannedLoads.of(self, own, loads))


def _plans_depend(name: str) -> bool:
    """Whether a plan is another where this varies."""
    return name in PLANNED or moves_targets(name)


def _only_once(what: str, name: str, known: Mapping[str, Any]) -> None:
    if name in known:
        raise StudyError(f"the {what} {name!r} is there twice", hint="names tell them apart")
