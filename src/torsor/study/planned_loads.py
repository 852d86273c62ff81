"""Loads on one plan: what a program takes by parts of what varies, judged for many runs at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from torsor.arm import Arm
from torsor.checking.between_samples import ROUNDING
from torsor.checking.checking import CheckJob
from torsor.errors import MissingInertia, StudyError
from torsor.model import ranges
from torsor.model.transforms import Floats
from torsor.motion.commands import Payload
from torsor.programs.planner import Planner
from torsor.programs.starting import beginning
from torsor.study.base import RunColumns
from torsor.study.changes import FRICTION, MASS, MOTOR, PAYLOAD, adds_up, changed, changes_of
from torsor.study.checked_outputs import OF_LOADS, told
from torsor.study.torque_parts import AGREES, CLOSE, TorqueParts

if TYPE_CHECKING:
    from torsor.study.check_base import CheckBase

FORCES = "force.x", "force.y", "force.z"
NEAR = (
    3.0 * AGREES
)  # of a share: nearer to its limit than this a run is looked at closely; torsor.check decides at CLOSE


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
        arm, program, force, pace = base.given({**own, **nominal})
        verdict = base.verdict({**own, **nominal})
        fixed = {name: value for name, value in told(verdict).items() if name in OF_LOADS}
        others = [problem for problem in verdict.problems if problem.kind not in ("torque", "joint torque")]
        links = _mass_parts(arm, loads)
        if not all(map(adds_up, loads)):
            return cls(fixed, not others, loads, links, alone="torques are no sums of where centres of mass lie")
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
        if not parts.known:
            return cls(fixed, not others, loads, links, alone="torques along the plan are no numbers")
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
        given = [_rows(each, count) for each in (amounts, rubbing, stronger)]
        torque, joints, line = parts.peaks(*given)
        held = loads[PAYLOAD] / self.most if PAYLOAD in loads else np.zeros(count)
        limit = 1.0 + ROUNDING

        def near(*shares: Floats, margin: float) -> Any:
            return np.logical_or.reduce([(np.abs(each - limit) <= margin).any(axis=-1) for each in shares])

        for k in np.flatnonzero(near(torque, joints, margin=NEAR)).tolist():
            torque[k], joints[k] = parts.closely(*(each[:, k : k + 1] for each in given))
        worst, passed = torque.max(axis=1, initial=0.0), joints.max(axis=1, initial=0.0)
        within = (worst <= limit) & (passed <= limit) & (held <= limit)
        undecided = ~np.isfinite(worst + passed) | near(torque, joints, held[:, None], margin=CLOSE)
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


def _rows(each: Sequence[Floats], count: int) -> Floats:
    return np.stack(each) if each else np.zeros((0, count))


def _mass_names(link: str, loads: tuple[str, ...]) -> tuple[str, ...]:
    """The factors that vary and multiply a link's mass."""
    return tuple(name for name in (MASS, f"{MASS}.{link}") if name in loads)


def _mass_parts(arm: Arm, loads: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """Links with the same factors are one part."""
    found = {_mass_names(link.name, loads) for link in arm.model.links if link.mass is not None}
    return tuple(sorted(names for names in found if names))
