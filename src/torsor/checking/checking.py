"""``torsor.check``: a program and an arm in, a verdict out."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal

from numpy.typing import ArrayLike

from torsor.arm import Arm
from torsor.cell.arm_in_cell import ArmInCell
from torsor.cell.cell_file import WorkCell, read_cell
from torsor.checking.advising import PACE_HELPS, Advice, advise
from torsor.checking.checked_arm import CheckedArm
from torsor.checking.conditions import Conditions, HeldFrom, now, timing_name
from torsor.checking.fastest_paces import ceilings, fastest_paces
from torsor.checking.judging import Sink, judge
from torsor.checking.moves import MoveTaken
from torsor.checking.pace_search import ACCELERATION, BOTH, LEAST, SPEED, PaceRange
from torsor.checking.problems import Assumption, Remark, planning_problems
from torsor.checking.retiming import Retimed, tool_paces
from torsor.checking.sampling import AnyPiece
from torsor.checking.traces import Pictures
from torsor.checking.unknown_masses import weighed_without
from torsor.checking.verdict import Verdict
from torsor.checking.what_else import remedies
from torsor.errors import ShapeError, Unsupported
from torsor.loading import load
from torsor.mechanics.arguments import floats
from torsor.model import ranges
from torsor.model.transforms import Floats
from torsor.motion import Paul, Plan, Timing
from torsor.motion.commands import Command, Move, Payload
from torsor.programs import Program, read
from torsor.programs.pace import Factor, Paced
from torsor.programs.planner import CYCLE, Planner, TimeLawName
from torsor.programs.rewriting import Rewritten
from torsor.programs.starting import Beginning, beginning
from torsor.programs.world import World
from torsor.version import version

MOST_NOTES = 50
WORTHWHILE = 0.005  # of the time: a program that is faster by less is left as it is
ToolHeld = Literal["kept", "raised", "as they are"]  # what becomes of speeds of the tool


def check(
    program: str | os.PathLike[str] | Sequence[str | os.PathLike[str]] | Program | Sequence[Command],
    robot: str | os.PathLike[str] | Arm,
    *,
    dt: float = CYCLE,
    wrench: ArrayLike | None = None,
    payload: float | None = None,
    start: ArrayLike | str | None = None,
    cycle: bool = False,
    timing: Timing | Paul | TimeLawName | Literal["optimal"] | None = None,
    overlap: bool = False,
    speed: float = 1.0,
    acceleration: float = 1.0,
    fastest: bool = False,
    keep_tool_speeds: bool = False,
    cycles: int = 1,
    cell: str | os.PathLike[str] | WorkCell | None = None,
    world: World | Mapping[str, Any] | str | os.PathLike[str] | None = None,
    define: Sequence[str] = (),
    entry: str | None = None,
    signals: bool = True,
    sinks: Iterable[Sink] = (),
    each: Callable[[MoveTaken], None] | None = None,
    command: str | None = None,
) -> Verdict:
    """Whether an arm can do a program, how long it takes, where the motors give up and what to change.

    ``program`` is a file, several, a folder or a backup, a program that was read, or motion commands; ``robot`` is a
    name, a file or an arm. ``dt`` is the time between signals in s; the verdict does not depend on it. ``wrench`` (6,)
    acts on the tool, in base axes: force over moment; ``payload`` is a mass in kg at the tool point. ``timing`` is a
    time law; without a word trapezoid, for programs of SIMASEA (VAL II without ``.PROGRAM``) its own, Paul's blends,
    where ``overlap`` starts each motion before the one before it ends. "optimal" times each stretch from rest to rest
    as fast as motors and limits allow; of the program it keeps speeds of the tool and durations.

    ``start`` says where the arm stands at first: joints (n,), the name of a target of the program, or "first-target";
    with ``cycle`` it stands where the program ends, and ``cycle_time`` is how long a cycle takes. Without a word joints
    begin at zero, or at the limit next to it, and the verdict says so (``conditions``).

    ``speed`` and ``acceleration`` are factors on all that the program asks for: what if it were three times as fast?
    The joints' limits of acceleration, which are settings and no bounds of nature, are taken times the same.
    ``fastest`` rewrites the program: lines that ask too much are slowed as little as need be, lines that leave room are
    made faster up to the limits. The verdict is that of the new program, as it is in ``rewritten``: ``speed`` and
    ``acceleration`` are written into it then, and no line is raised further than they say. ``keep_tool_speeds`` raises
    no speed of the tool, which may belong to the work.

    ``world`` tells a program what comes from outside (signals, answers; a mapping or a TOML file), ``define`` are lines
    of its language that stand in no file, ``entry`` is the routine to begin with. What is left open is ``assumed``.

    A loop of the program that never ends is gone round ``cycles`` times, and the verdict says so (``endless``).

    ``cell``, a file (.toml), "empty" or a `torsor.cell.cell_file.WorkCell`, is what the arm may run into: links are
    held against each other, against the floor and what stands around.

    ``signals=False`` keeps no signals, so that memory does not grow with the program; ``sinks`` get them in blocks.
    ``command`` is the command line that asks, for the page.

    >>> import numpy as np, torsor
    >>> from torsor.motion.commands import Joints, Move, Place
    >>> goal = Joints(tuple(np.deg2rad([-115.7, 55.7, 68.7])), "goal")
    >>> torsor.check([Move("joint", goal, Place("tour", 1, 1))], "rl15").headline
    'rl15 can do tour: 1 move in 1.47 s, with at most 55 % of the torque of a motor (motor3, line 1)'
    """
    ranges.SIGNALS.refuse("dt", dt)
    ranges.FACTOR.refuse("speed", speed)
    ranges.FACTOR.refuse("acceleration", acceleration)
    optimal = timing == "optimal"
    if keep_tool_speeds and not fastest:
        raise ShapeError("keep_tool_speeds is about what fastest rewrites", hint="fastest=True, or leave it out")
    arm, left_out = weighed_without(robot if isinstance(robot, Arm) else load(robot))
    if payload is not None:
        ranges.PAYLOAD.refuse("payload", payload)
        arm = arm.with_payload(payload)
    if wrench is not None:
        wrench = floats("wrench", wrench, 6, "force over moment, in base axes")
        ranges.FORCE.refuse("a force of the wrench", wrench[..., :3])
        ranges.MOMENT.refuse("a moment of the wrench", wrench[..., 3:])
    files = _files(program)
    if files is not None:
        program = read(files, world=world, define=define, entry=entry)
    elif world or define or entry:
        raise ShapeError("world, define and entry belong to files of a program", hint="give its files, or read() it")
    known = program if isinstance(program, Program) else None
    law = "trapezoid" if timing == "optimal" else timing
    job = CheckJob(
        Planner.of(arm, known, law, overlap=overlap, every=Factor(speed, acceleration)),
        program if isinstance(program, Program) else list(program),  # type: ignore[arg-type]
        wrench,
        optimal=optimal,
        cycles=cycles,
        cycle=cycle,
        command=command,
        left_out=left_out,
        surroundings=None if cell is None else ArmInCell(arm, cell if isinstance(cell, WorkCell) else read_cell(cell)),
    )
    job = replace(job, begins=beginning(job.planner, job.commands, start, cycle=cycle, elsewhere=job.begun_at))
    if fastest:
        job = job.made_fastest(dt, keep_tool_speeds=keep_tool_speeds)
    return job.verdict(dt, signals=signals, sinks=sinks, each=each)


def _files(program: Any) -> Any:
    """The files of a program, where it is given by them."""
    if isinstance(program, str | os.PathLike):
        return program
    named = (
        isinstance(program, list | tuple) and program and all(isinstance(each, str | os.PathLike) for each in program)
    )
    return program if named else None


@dataclass(frozen=True, eq=False)
class CheckJob:
    """A program on an arm, to be planned and judged as often as needed."""

    planner: Planner
    program: Program | list[Command]
    wrench: Floats | None = None
    begins: Beginning | None = None  # None: not yet known
    optimal: bool = False  # timed as fast as the motors allow
    cycles: int = 1  # of a loop that never ends
    cycle: bool = False  # it starts where it ends
    command: str | None = None
    left_out: tuple[str, ...] = ()  # links whose unknown mass counts as none
    surroundings: ArmInCell | None = None
    rewritten: Rewritten | None = None
    rewritten_to: str | None = None  # what pace was asked for then, in words

    def commands(self) -> Iterable[Command]:
        own: Iterable[Command] = self.program if not isinstance(self.program, Program) else self._run(self.program)
        return own if self.begins is None else self.begins.commands(own)

    def begun_at(self, q: Floats) -> Iterable[Command]:
        """What the program does where it begins at joints ``q``: targets may hang on where the arm is."""
        return replace(self, begins=Beginning(q, "")).commands()

    def _run(self, program: Program) -> Iterable[Command]:
        """The program on this arm, which tells it where it is."""
        q = None if self.begins is None else self.begins.q
        return program.commands(cycles=self.cycles, arm=self.planner.arm, start=self.planner.home if q is None else q)

    @property
    def conditions(self) -> Conditions:
        """All that its verdict depends on, but for ``dt``, of which nothing that is judged does."""
        arm, about, timing = self.planner.arm, self.about, self.planner.timing
        assert self.begins is not None
        return Conditions(
            robot=arm.name,
            robot_file=arm.model.read_from,
            program=about["program"],
            program_file=self.program.mark if isinstance(self.program, Program) else None,
            language=about["language"],
            payload=arm.model.payload,
            wrench=self.wrench,
            factors=self.planner.every,
            timing="optimal" if self.optimal else timing_name(timing),
            overlap=isinstance(timing, Paul) and timing.overlap,
            cycles=self.cycles,
            cycle=self.cycle,
            start=self.begins,
            cell=None if self.surroundings is None else self.surroundings.cell,
            rewritten_to=self.rewritten_to,
            command=self.command,
            date=now(),
            version=version(),
        )

    @property
    def about(self) -> dict[str, str]:
        given = self.program
        if isinstance(given, Program):
            return {"program": given.name, **{name: getattr(given, name) for name in ("file", "language", "source")}}
        file = given[0].place.file if given else "program"
        source = "\n".join(dict.fromkeys(command.place.text for command in given))
        return {"program": Path(file).stem, "file": file, "language": "commands", "source": source}

    @property
    def remarks(self) -> list[Remark]:
        said = self.program.diagnostics if isinstance(self.program, Program) else ()
        return [Remark(d.problem if d.hint is None else f"{d.problem}; {d.hint}", d.place) for d in said]

    def planned(self, factors: Mapping[int, Factor] = {}, *, strict: bool = False) -> Plan | Retimed:
        """The plan, with factors on the pace of lines; ``strict`` raises where a move cannot be done."""
        start = None if self.begins is None else self.begins.given
        made = self.planner.plan(Paced(self.commands, factors, self.planner.every), start=start, strict=strict)
        return Retimed(made, self.machine) if self.optimal else made

    @property
    def machine(self) -> CheckedArm:
        harder = self.planner.every.acceleration
        around = self.surroundings
        return CheckedArm(self.planner.arm, self.wrench, left_out=self.left_out, surroundings=around, harder=harder)

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
        held: list[HeldFrom] = []
        pieces = _hearing_loads(planned, held)
        verdict = judge(self.machine, pieces, self.about, dt=dt, keep=signals, sinks=sinks, each=each)
        verdict.problems[:0] = planning_problems(planned.notes, verdict.moves)
        left = (Remark(f"checked {n.text}", n.place) for n in planned.notes if n.kind == "endless")
        verdict.endless = next(left, None)
        told = [note for note in planned.notes if note.kind == "assumed"]
        verdict.assumed = [Assumption(note.text, note.place, note.cure) for note in told]
        others = [
            note for note in planned.notes if note.severity != "error" and note.kind not in ("endless", "assumed")
        ]
        warnings = [Remark(note.text, note.place) for note in others]
        verdict.conditions = replace(self.conditions, held=tuple(held))
        if self.cycle:
            verdict.cycle_time = self._round(factors) if verdict.endless else verdict.time
        verdict.notes += [Remark(text) for text in self.planner.arm.model.remarks]
        if self.begins is not None:
            verdict.notes += [Remark(text) for text in self.begins.notes]
        if self.surroundings is not None:
            verdict.notes += [Remark(text) for text in self.surroundings.notes]
        if not self.optimal:
            verdict.notes += [Remark(text) for text in self.planner.assumed]
        said = [*self.remarks, *warnings[:MOST_NOTES], *([verdict.endless] if verdict.endless else [])]
        verdict.notes += sorted(said, key=lambda note: note.place.line if note.place else 0)
        if len(warnings) > MOST_NOTES:
            verdict.notes.append(Remark(f"and {len(warnings) - MOST_NOTES} more remarks of the planner"))
        verdict.rewritten = self.rewritten
        verdict.draw = partial(self._pictures, factors, dt)
        verdict.advise = partial(self._advice, verdict, factors)
        verdict.cure = partial(remedies, self, verdict)
        return verdict

    def _round(self, factors: Mapping[int, Factor]) -> float:
        """s that one more round of a loop that never ends takes."""
        more = replace(self, cycles=self.cycles + 1)
        before, after = (sum(piece.trajectory.duration for piece in job.planned(factors)) for job in (self, more))
        return after - before

    def _pictures(self, factors: Mapping[int, Factor], dt: float) -> Pictures:
        drawn = Pictures(self.machine)
        judge(self.machine, self.planned(factors), self.about, dt=dt, keep=False, sinks=[drawn.add])
        return drawn

    def made_fastest(self, dt: float, *, keep_tool_speeds: bool = False) -> CheckJob:
        """The same with a program that was rewritten to be as fast as limits allow; itself where nothing is gained.

        What is written is rounded, and read again: should it not hold, it is made a little slower.
        """
        every = self.planner.every
        bare = replace(self, planner=replace(self.planner, every=Factor()))  # as it is written, without factors on all
        before = bare.verdict(dt, signals=False)
        if not before.motions or any(problem.kind not in PACE_HELPS for problem in before.problems):
            return self
        pieces = list(bare.planned())
        asked = ceilings(bare.commands(), every, optimal=self.optimal, keep_tool_speeds=keep_tool_speeds)
        found = fastest_paces(bare.machine, pieces, bare.replanned, PaceRange(asked, self._least, self._levers))
        if found is None or not found[0]:
            return bare if before.feasible else self  # what is printed is what is written
        if not isinstance(self.program, Program):
            raise Unsupported("commands have no text that could be rewritten", hint="give the program they come from")
        factors, _ = found
        raised = _raises_tool(self.commands(), factors)
        held: ToolHeld = "kept" if keep_tool_speeds else "raised" if raised else "as they are"
        paces = tool_paces(self.machine, bare.planned(factors), factors)
        for slower in (1.0, 0.999, 0.995, 0.99, 0.97):
            changed = {line: factor.times(slower) for line, factor in factors.items()}
            open_paces = {line: pace.times(slower) for line, pace in paces.items()}
            done = self.program.repaced(changed, open_paces, commands=self.commands())
            program = self.program.again(done)
            job = replace(bare, program=program, rewritten=done, rewritten_to=_fast_as(every, held))
            verdict = job.verdict(dt, signals=False)
            gained = verdict.time < (1.0 - WORTHWHILE) * before.time
            if verdict.feasible and (every != Factor() or not before.feasible or gained):
                return job
        return bare if before.feasible else self

    def replanned(self, commands: Iterable[Command], q: Floats, machine: CheckedArm) -> Plan | Retimed:
        """A stretch from rest to rest planned again, at another pace."""
        made = self.planner.plan(list(commands), start=q)
        return Retimed(made, machine) if self.optimal else made

    @property
    def _levers(self) -> tuple[Factor, ...]:
        """What of a pace can be changed; where motors decide, no accelerations."""
        return (SPEED,) if self.optimal else (ACCELERATION, SPEED, BOTH)

    @property
    def _least(self) -> Factor:
        known = self.program.least_acceleration if isinstance(self.program, Program) else 0.0
        return Factor(LEAST, max(LEAST, known))

    def _advice(self, verdict: Verdict, factors: Mapping[int, Factor]) -> Advice | None:
        pieces = self.planned(factors)
        how = {"least": self._least, "levers": self._levers}
        return advise(self.machine, pieces, self.replanned, verdict.problems, **how)  # type: ignore[arg-type]


def _hearing_loads(pieces: Iterable[AnyPiece], held: list[HeldFrom]) -> Iterator[AnyPiece]:
    """The pieces, as they are; what a program says of its payload is written down on the way, each line once."""
    moved, known = False, set()
    for piece in pieces:
        said = piece.command
        if isinstance(said, Payload) and (said.mass, said.place.line) not in known:
            known.add((said.mass, said.place.line))
            held.append(HeldFrom(said.mass, said.place.line, piece.start, before_all=not moved))
        moved = moved or isinstance(said, Move)
        yield piece


def _raises_tool(commands: Iterable[Command], factors: Mapping[int, Factor]) -> bool:
    """Whether a speed of the tool that the program gives becomes higher."""
    given = (each for each in commands if isinstance(each, Move) and (each.pace.speed or each.pace.turn) is not None)
    return any(factors.get(each.place.line, Factor()).speed > 1.0 for each in given)


def _fast_as(every: Factor, tool: ToolHeld) -> str:
    """
    >>> _fast_as(Factor(1.0, 3.0), "kept")
    'rewritten, as fast as limits allow, at most 3 times the acceleration; speeds of the tool are not raised'
    """
    words = zip(("speed", "acceleration"), (every.speed, every.acceleration), strict=True)
    most = [f"{factor:g} times the {word}" for word, factor in words if factor != 1.0]
    bound = f", at most {' and '.join(most)}" if most else ""
    work = {
        "kept": "; speeds of the tool are not raised",
        "raised": "; speeds of the tool, too: --keep-tool-speeds leaves those that belong to the work",
        "as they are": "",
    }
    return f"rewritten, as fast as limits allow{bound}{work[tool]}"
