"""Checks of programs as a base of studies: many loads on one plan where that is exact enough, one by one elsewhere.

What the plan does not depend on (payload, masses, friction, motors, force at the tool) is judged for all runs at once
by `TorqueParts`; `feasible` and `time` are those of `torsor.check`, because a run whose share is so near to its limit
that rounding would decide is given to `torsor.check` itself. Shares of torque agree with it to `AGREES`.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Literal, get_args

import numpy as np

from torsor.arm import Arm
from torsor.cell.cell_file import WorkCell, read_cell
from torsor.checking import Verdict, check
from torsor.checking.between_samples import ROUNDING
from torsor.checking.checked_arm import CheckedArm
from torsor.checking.checking import CheckJob
from torsor.emit.recent import Recent
from torsor.errors import MissingInertia, StudyError, TorsorError
from torsor.loading import load
from torsor.model import ranges
from torsor.model.transforms import Floats
from torsor.motion.commands import Payload
from torsor.programs import Program, read
from torsor.programs.pace import Factor
from torsor.programs.planner import Planner, TimeLawName
from torsor.programs.starting import beginning
from torsor.programs.world import World
from torsor.study.base import ChunkOutcome, Portions, RunColumns, StudyOutput, arm_digest, digest, rows_alike
from torsor.study.changes import FRICTION, MASS, MOTOR, PAYLOAD, changed, changes_of
from torsor.study.torque_parts import AGREES, TorqueParts

ROBOT, PROGRAM = "robot", "program"
PACE = "speed", "acceleration"
FORCES = "force.x", "force.y", "force.z"
PLANNED = (ROBOT, PROGRAM, *PACE)  # what plans depend on
OF_LOADS = ("feasible", "time", "torque", "joint_torque", "line", "speed", "acceleration", "motor_speed")
MEASURES = {
    "feasible": StudyOutput("", "1 where the arm can do the program, 0 where not"),
    "time": StudyOutput("s", "that the program takes"),
    "torque": StudyOutput("", "largest share of a motor's torque"),
    "line": StudyOutput("", "of the program, where that is"),
    "joint_torque": StudyOutput("", "largest share of a joint's torque limit, behind its gear"),
    "speed": StudyOutput("", "largest share of a joint's speed limit"),
    "acceleration": StudyOutput("", "largest share of a joint's acceleration limit"),
    "motor_speed": StudyOutput("", "largest share of a motor's speed"),
    "energy": StudyOutput("J", "that the motors give"),
    "peak_power": StudyOutput("W", "of all motors"),
    "deviation": StudyOutput("m", "that the tool leaves its path by where motors saturate"),
    "problems": StudyOutput("", "how many there are"),
}
NEAR = 3.0 * AGREES  # of a share: nearer to its limit than this torsor.check decides

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
    _plans: Recent[PlannedLoads] = field(default_factory=lambda: Recent(64), repr=False, init=False)

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
        names = ("arms", "programs", "payload", "force", "timing", "overlap", "cycles", "start", "cycle", "cell")
        return type(self), tuple(getattr(self, name) for name in names)

    @cached_property
    def variable(self) -> dict[str, str]:
        first, *others = [changes_of(arm) for arm in self.arms.values()]
        found = {name: what for name, what in first.items() if all(name in other for other in others)}
        found |= {"speed": "factor, on all speeds of the program", "acceleration": "factor, on all its accelerations"}
        found |= dict.fromkeys(FORCES, "N, on the tool, base axes")
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
        alone = warms or not self._quick(outputs) or all(name in PLANNED for name in varied)
        return Portions(4, processes=True) if alone else Portions(5000)

    def settled(self, inputs: RunColumns) -> CheckBase:
        return self

    # runs

    def evaluate(self, inputs: RunColumns, outputs: tuple[str, ...]) -> ChunkOutcome:
        count = len(next(iter(inputs.values())))
        found = ChunkOutcome({name: np.full(count, np.nan) for name in outputs})
        for own, rows in rows_alike(inputs, tuple(name for name in PLANNED if name in inputs)):
            loads = {name: values[rows] for name, values in inputs.items() if name not in PLANNED}
            self._judge(own, loads, rows, found)
        return found

    def _judge(self, own: Mapping[str, Any], loads: RunColumns, rows: Any, found: ChunkOutcome) -> None:
        """Runs with the same plan."""
        wanted = set(found.values)
        # decided by what varies, never by who else is in the chunk: a run gives the same numbers in any company
        planned: PlannedLoads | None = None
        if loads and self._quick(tuple(wanted)):
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
            answer = _told(self.verdict({**own, **loads}))
        except TorsorError as error:
            found.failures[row] = str(error)
            answer = dict.fromkeys(found.values, float("nan"))
        for name, values in found.values.items():
            values[row] = answer[name]

    def verdict(self, values: Mapping[str, Any]) -> Verdict:
        """The verdict of `torsor.check` on one run."""
        arm, program, force, pace = self._given(values)
        return check(
            program, arm, wrench=None if force is None else [*force, 0.0, 0.0, 0.0], timing=self.timing,
            overlap=self.overlap, speed=pace.speed, acceleration=pace.acceleration, cycles=self.cycles,
            start=self.start, cycle=self.cycle, cell=self.cell, signals=False,
        )  # fmt: skip

    def together(self, loads: tuple[str, ...]) -> bool:
        """Whether runs that differ in these loads are judged at once."""
        return self.timing != "optimal" and self._plan({}, loads).alone is None

    def _given(self, values: Mapping[str, Any]) -> tuple[Arm, Program, Floats | None, Factor]:
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
        return changed(self.arms[name], changes), self.programs[which], force, pace

    def _plan(self, own: Mapping[str, Any], loads: tuple[str, ...]) -> PlannedLoads:
        """The plan of some robot, program and pace, in parts of what varies."""
        key = tuple(sorted(own.items())), loads
        return self._plans.get(key, lambda: PlannedLoads.of(self, own, loads))


@dataclass(frozen=True, eq=False)
class PlannedLoads:
    """A plan, and what it takes by parts; ``alone`` says why its runs are judged one by one, if they are."""

    fixed: dict[str, float]  # what no load changes
    kept: bool  # whether all limits are kept that no load is held against
    loads: tuple[str, ...]
    links: tuple[tuple[str, ...], ...]  # factors of masses: of each part that is one, the names that multiply to it
    parts: TorqueParts | None = None
    borrowed: tuple[str, ...] = ()  # motors that are held against limits of their joints, which no motor changes
    most: float = np.inf  # kg that the data sheet allows
    alone: str | None = None

    @classmethod
    def of(cls, base: CheckBase, own: Mapping[str, Any], loads: tuple[str, ...]) -> PlannedLoads:
        nominal: dict[str, Any] = {PAYLOAD: 0.0} if PAYLOAD in loads else {}
        nominal |= {word: 0.0 for word in FORCES if word in loads}
        arm, program, force, pace = base._given({**own, **nominal})
        verdict = base.verdict({**own, **nominal})
        fixed = {name: value for name, value in _told(verdict).items() if name in OF_LOADS}
        others = [problem for problem in verdict.problems if problem.kind not in ("torque", "joint torque")]
        links = _mass_parts(arm, loads)
        machine = verdict.machine
        if machine.at_motors and (
            np.isfinite(machine.continuous).any() or any(d.motor.thermal for d in arm.model.drives)
        ):
            return cls(fixed, not others, loads, links, alone="how warm motors get is integrated for each run")
        try:
            arm.model.require_inertia()
        except MissingInertia as error:
            return cls(fixed, not others, loads, links, alone=error.problem)
        timing = None if base.timing == "optimal" else base.timing
        planner = Planner.of(arm, program, timing, overlap=base.overlap, every=pace)
        wrench = None if force is None else np.concatenate([force, np.zeros(3)])
        job = CheckJob(planner, program, wrench, cycles=base.cycles, cycle=base.cycle)
        job = replace(job, begins=beginning(planner, job.commands, base.start, cycle=base.cycle))
        first = job.machine
        machines = {"": first}
        if PAYLOAD in loads:
            machines[PAYLOAD] = replace(first, arm=arm.with_payload(1.0))
        for k, word in enumerate(FORCES):
            if word in loads:
                assert wrench is not None
                machines[word] = replace(first, wrench=wrench + np.eye(6)[k])
        for k, names in enumerate(links):
            own_links = [link.name for link in arm.model.links if _mass_names(link.name, loads) == names]
            heavier = changed(arm, {f"{MASS}.{name}": 2.0 for name in own_links if f"{MASS}.{name}" in changes_of(arm)})
            machines[f"{MASS} {k}"] = replace(first, arm=heavier)
        pieces = list(job.planned())
        most = arm.model.tool_limits.payload if PAYLOAD in loads else None
        if most is not None and any(isinstance(piece.command, Payload) for piece in pieces):
            return cls(fixed, not others, loads, links, alone="the program says itself what the arm holds")
        try:
            parts = TorqueParts.of(machines, pieces)
        except StudyError as error:
            return cls(fixed, not others, loads, links, alone=error.problem)
        return cls(fixed, not others, loads, links, parts, first.of_joints, np.inf if most is None else most)

    def judged(self, loads: RunColumns, count: int) -> tuple[RunColumns, Any]:
        """Outputs (runs,) by name, and which runs are so near to a limit that `torsor.check` is to decide."""
        assert self.parts is not None

        def of(name: str) -> Floats:
            return loads[name] if name in loads else np.ones(count)

        parts = self.parts
        amounts = [loads[name] for name in (PAYLOAD, *FORCES) if name in loads]
        for names in self.links:
            factor = np.ones(count)
            for name in names:
                factor = factor * loads[name]
            amounts.append(factor - 1.0)
        rubbing = [of(FRICTION) * of(f"{FRICTION}.{name}") for name in parts.contacts]
        own = {name: of(MOTOR) * of(f"{MOTOR}.{name}") for name in parts.motors}
        stronger = [np.ones(count) if name in self.borrowed else factor for name, factor in own.items()]
        torque, joints, line = parts.peaks(*(_columns(each, count) for each in (amounts, rubbing, stronger)))
        worst, passed = torque.max(axis=1, initial=0.0), joints.max(axis=1, initial=0.0)
        limit = 1.0 + ROUNDING
        held = loads[PAYLOAD] / self.most if PAYLOAD in loads else np.zeros(count)
        within = (worst <= limit) & (passed <= limit) & (held <= limit)
        undecided = ~np.isfinite(worst + passed)
        for share in (worst, passed, held):
            undecided |= np.abs(share - limit) <= NEAR
        for name, values in loads.items():  # what makes no sense is told by torsor.check, for its run
            sensible = ranges.PAYLOAD if name == PAYLOAD else ranges.FORCE if name in FORCES else ranges.FACTOR_OR_NONE
            undecided |= ~((values >= sensible.least) & (values <= sensible.most))
            if name.split(".")[0] == MOTOR:
                undecided |= values == 0.0
        answer: RunColumns = {name: np.full(count, value) for name, value in self.fixed.items()}
        answer |= {"feasible": (within & self.kept).astype(float), "torque": worst, "joint_torque": passed}
        answer |= {"line": line.astype(float)}
        answer |= {f"torque.{name}": torque[:, k] for k, name in enumerate(parts.motors)}
        return answer, undecided


def _columns(each: Sequence[Floats], count: int) -> Floats:
    return np.stack(each, axis=-1) if each else np.zeros((count, 0))


def _mass_names(link: str, loads: tuple[str, ...]) -> tuple[str, ...]:
    """The factors that vary and multiply a link's mass."""
    return tuple(name for name in (MASS, f"{MASS}.{link}") if name in loads)


def _mass_parts(arm: Arm, loads: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """Links with the same factors are one part."""
    found = {_mass_names(link.name, loads) for link in arm.model.links if link.mass is not None}
    return tuple(sorted(names for names in found if names))


def _told(verdict: Verdict) -> dict[str, float]:
    """All that can come out, of one verdict."""
    torque = verdict.peak("torque")
    worst = int(torque.argmax()) if torque.size else 0
    moves = verdict.moves
    line = max(moves, key=lambda move: move.torque.share[worst]).place.line if moves and torque.size else 0
    found = {word: float(verdict.peak(word).max(initial=0.0)) for word in ("joint_torque", *PACE, "motor_speed")}
    return found | {
        "feasible": float(verdict.feasible),
        "time": verdict.time,
        "torque": float(torque.max(initial=0.0)),
        "line": float(line),
        "energy": verdict.energy,
        "peak_power": verdict.peak_power,
        "deviation": max((move.deviation for move in moves), default=0.0),
        "problems": float(len(verdict.problems)),
        **{f"torque.{name}": float(share) for name, share in zip(verdict.motors, torque, strict=True)},
    }


def _only_once(what: str, name: str, known: Mapping[str, Any]) -> None:
    if name in known:
        raise StudyError(f"the {what} {name!r} is there twice", hint="names tell them apart")
