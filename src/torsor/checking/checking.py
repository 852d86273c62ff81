"""``torsor.check``: a program and an arm in, a verdict out."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import ArrayLike

from torsor.arm import Arm
from torsor.checking.advising import Advice, advise
from torsor.checking.checked_arm import CheckedArm
from torsor.checking.judging import About, Sink, judge
from torsor.checking.moves import MoveTaken
from torsor.checking.pacing import Factor, Paced, assumed, with_limits_times
from torsor.checking.problems import Remark, planning_problems
from torsor.checking.retiming import Retimed
from torsor.checking.rewriting import Rewritten, rewrite
from torsor.checking.tool_pace import tool_paces
from torsor.checking.verdict import Verdict
from torsor.errors import ShapeError
from torsor.loading import load
from torsor.mechanics.arguments import floats
from torsor.model.transforms import Floats
from torsor.motion import Paul, Plan, Timing, plan
from torsor.motion.commands import Command

if TYPE_CHECKING:
    from torsor.programs import Program

Law = Literal["trapezoid", "s-curve", "quintic", "quartic", "paul", "optimal"]
MOST_NOTES = 50


def check(
    program: str | os.PathLike[str] | Program | Sequence[Command],
    robot: str | os.PathLike[str] | Arm,
    *,
    dt: float = 0.01,
    wrench: ArrayLike | None = None,
    payload: float | None = None,
    start: ArrayLike | None = None,
    timing: Timing | Paul | Law | None = None,
    overlap: bool = False,
    speed: float = 1.0,
    acceleration: float = 1.0,
    fastest: bool = False,
    signals: bool = True,
    sinks: Iterable[Sink] = (),
    each: Callable[[MoveTaken], None] | None = None,
) -> Verdict:
    """Whether an arm can do a program, how long it takes, where the motors give up and what to change.

    ``program`` is a file (VAL II or L-IRL), a program that was read, or motion commands; ``robot`` a name, a file or an
    arm. ``dt`` is the interpolation cycle in s. ``wrench`` (6,) acts on the tool, in base axes: force over moment;
    ``payload`` is a mass in kg at the tool point. ``timing`` is a time law; without a word trapezoid, for programs of
    SIMASEA (VAL II without ``.PROGRAM``) its own, Paul's blends, where ``overlap`` starts each motion before the one
    before it ends. "optimal" times each stretch from rest to rest as fast as motors and limits allow; of the program it
    keeps speeds of the tool and durations.

    ``speed`` and ``acceleration`` are factors on all that the program asks for: what if it were three times as fast?
    The joints' limits of acceleration, which are settings and no bounds of nature, are taken times the same.
    ``fastest`` rewrites the program: lines that ask too much get the speeds and accelerations that lose least time; the
    verdict is that of the new program, which is in ``rewritten``.

    ``signals=False`` keeps no signals, so that memory does not grow with the program; ``sinks`` get them in blocks.

    >>> import numpy as np, torsor
    >>> from torsor.motion.commands import Joints, Move, Place
    >>> goal = Joints(tuple(np.deg2rad([-115.7, 55.7, 68.7])), "goal")
    >>> torsor.check([Move("joint", goal, Place("tour", 1, 1))], "rl15").headline
    'rl15 can do tour: 1 move in 1.47 s, with at most 55 % of the torque of a motor (motor3, line 1)'
    """
    job = Job.of(program, robot, wrench=wrench, payload=payload, start=start, timing=timing, overlap=overlap)
    if not (np.isfinite(dt) and dt > 0.0):
        raise ShapeError(f"dt is {dt}", hint="the interpolation cycle in s, above zero")
    if not (0.0 < speed < np.inf and 0.0 < acceleration < np.inf):
        raise ShapeError(f"speed is {speed}, acceleration {acceleration}", hint="factors above zero")
    job.every = Factor(speed, acceleration)
    if fastest and job.optimal:
        raise ShapeError(
            "fastest rewrites speeds and accelerations, of which the optimal timing has none",
            hint='fastest=True with another timing, or timing="optimal" alone',
        )
    if fastest:
        job = job.made_feasible(dt)
    return job.verdict(dt, signals=signals, sinks=sinks, each=each)


@dataclass(eq=False)
class Job:
    """A program on an arm, to be planned and judged as often as needed."""

    arm: Arm
    commands: Callable[[], Iterable[Command]]
    about: About
    timing: Timing | Paul
    wrench: Floats | None = None
    start: Floats | None = None
    every: Factor = field(default_factory=Factor)
    remarks: list[Remark] = field(default_factory=list)
    rewritten: Rewritten | None = None
    optimal: bool = False  # timed as fast as the motors allow

    @classmethod
    def of(
        cls,
        program: str | os.PathLike[str] | Program | Sequence[Command],
        robot: str | os.PathLike[str] | Arm,
        *,
        wrench: ArrayLike | None = None,
        payload: float | None = None,
        start: ArrayLike | None = None,
        timing: Timing | Paul | Law | None = None,
        overlap: bool = False,
    ) -> Job:
        arm = robot if isinstance(robot, Arm) else load(robot)
        if payload is not None:
            if not (np.isfinite(payload) and payload >= 0.0):
                raise ShapeError(f"payload is {payload} kg", hint="zero or more")
            arm = arm.with_payload(payload)
        load_on_tool = None if wrench is None else floats("wrench", wrench, 6, "force over moment, in base axes")
        first = None if start is None else floats("start", start, arm.n, f"{arm.name!r} has {arm.n} joints")
        from torsor.programs import Program, read

        if isinstance(program, str | os.PathLike):
            program = read(program)
        if not isinstance(program, Program):
            given = list(program)
            file = given[0].place.file if given else "program"
            about = About(Path(file).stem, file, "commands", "\n".join(dict.fromkeys(c.place.text for c in given)))
            law = _timing(timing, overlap=overlap, published=False)
            return cls(arm, lambda: given, about, law, load_on_tool, first, optimal=timing == "optimal")
        about = About(program.name, program.file, program.language, program.source)
        remarks = [Remark(_said(d.problem, d.hint), d.place) for d in program.diagnostics]
        law = _timing(timing, overlap=overlap, published=program.dialect == "SIMASEA")
        optimal = timing == "optimal"
        return cls(arm, program.commands, about, law, load_on_tool, first, remarks=remarks, optimal=optimal)

    def planned(self, factors: Mapping[int, Factor] = {}) -> Plan | Retimed:
        """The plan, with factors on the pace of lines."""
        commands = Paced(self.commands, factors, self.every)
        made = plan(self._fast, commands, start=self.start, timing=self.timing, strict=False)
        return Retimed(made, self.machine) if self.optimal else made

    @property
    def machine(self) -> CheckedArm:
        return CheckedArm(self.arm, self.wrench, harder=self.every.acceleration)

    @cached_property
    def _fast(self) -> Arm:
        return with_limits_times(self.arm, self.every, assume=self._assuming)

    @property
    def _assuming(self) -> bool:
        """Whether the planner needs limits that the arm may lack. A timing with numbers of its own does not."""
        return isinstance(self.timing, Timing) and self.timing.speed is None and self.timing.acceleration is None

    def verdict(
        self,
        dt: float,
        *,
        factors: Mapping[int, Factor] = {},
        signals: bool = True,
        sinks: Iterable[Sink] = (),
        each: Callable[[MoveTaken], None] | None = None,
    ) -> Verdict:
        planned = self.planned(factors)
        verdict = judge(self.machine, planned, self.about, dt=dt, keep=signals, sinks=sinks, each=each)
        verdict.problems[:0] = planning_problems(planned.notes, verdict.moves)
        warnings = [Remark(note.text, note.place) for note in planned.notes if note.severity != "error"]
        if self._assuming and not self.optimal:
            verdict.notes += [Remark(text) for text in assumed(self.arm)]
        said = [*self.remarks, *warnings[:MOST_NOTES]]
        verdict.notes += sorted(said, key=lambda note: note.place.line if note.place else 0)
        if len(warnings) > MOST_NOTES:
            verdict.notes.append(Remark(f"and {len(warnings) - MOST_NOTES} more remarks of the planner"))
        verdict.rewritten = self.rewritten
        verdict.advise = lambda: self._advice(verdict, factors)
        return verdict

    def made_feasible(self, dt: float) -> Job:
        """The same with a program that was rewritten to be feasible; itself where nothing helps or need be changed.

        What is written is rounded, and read again: should it not hold, it is made a little slower.
        """
        from torsor.programs import parse

        verdict = self.verdict(dt, signals=False)
        if verdict.advice is None:
            return self
        factors = verdict.advice.factors
        commands = [c for c in self.commands() if c.place.line in factors]
        paces = tool_paces(self.machine, self.planned(factors), factors)
        for slower in (1.0, 0.999, 0.995, 0.99, 0.97):
            changed = {line: factor.times(slower) for line, factor in factors.items()}
            open_paces = {line: pace.times(slower) / self.every for line, pace in paces.items()}
            about = self.about
            done = rewrite(about.file, about.source, about.language, commands, changed, open_paces)
            program = parse(done.text, self.about.language, file=self.about.file)
            about = replace(about, source=done.text)
            job = replace(self, commands=program.commands, about=about, rewritten=done)
            job.remarks = [Remark(_said(d.problem, d.hint), d.place) for d in program.diagnostics]
            if job.verdict(dt, signals=False).feasible:
                return job
        return self

    def _advice(self, verdict: Verdict, factors: Mapping[int, Factor]) -> Advice | None:
        if self.optimal:
            return None  # there is no pace that could be changed
        arm = self._fast

        def replan(commands: Iterable[Command], q: Floats) -> Plan:
            return plan(arm, list(commands), start=q, timing=self.timing, strict=False)

        return advise(self.machine, self.planned(factors), replan, verdict.problems, dt=verdict.dt)


def _said(problem: str, hint: str | None) -> str:
    return problem if hint is None else f"{problem}; {hint}"


def _timing(timing: Timing | Paul | Law | None, *, overlap: bool, published: bool) -> Timing | Paul:
    """SIMASEA's programs are timed as it did unless something else is asked for."""
    if timing is None:
        timing = "paul" if published else "trapezoid"
    if timing == "paul":
        return Paul(overlap=overlap)
    if isinstance(timing, str):
        timing = Timing() if timing == "optimal" else Timing(timing)
    if overlap and not isinstance(timing, Paul):
        raise ShapeError("overlap belongs to Paul's timing", hint='timing="paul", or leave it out')
    return timing
