"""``torsor check``: can this arm do this program?"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from torsor import loading
from torsor.cli import DONE, NO
from torsor.cli.command_line import asked_by
from torsor.cli.printing import print_facts, print_json, print_table, print_title, print_written
from torsor.cli.program_files import refuse_one_for_many, write_program
from torsor.cli.progress import progress
from torsor.cli.shared_options import AllowNonphysical, Json, Packages, Strict, within
from torsor.errors import TorsorError, printable
from torsor.model.files import ready
from torsor.model.ranges import FACTOR, FORCE, PAYLOAD, SIGNALS

if TYPE_CHECKING:
    from torsor.arm import Arm
    from torsor.checking.moves import MoveTaken
    from torsor.checking.verdict import Verdict
    from torsor.programs import Program

ProgramFile = Annotated[
    Path,
    Parameter(
        help="A robot program: RAPID (.mod), KRL (.src), URScript (.script), Fanuc TP (.ls), Kawasaki AS (.as), "
        "VAL II (.v2), L-IRL (.irl), or a trajectory (.csv, .json, .yaml, .mcap, .bag); a file, a folder or a backup."
    ),
]
MoreFiles = Annotated[
    Path, Parameter(help="More files of the same program; of L-IRL and VAL II more programs, side by side.")
]
RobotsOption = Annotated[
    list[str] | None,
    Parameter(
        consume_multiple=True,
        negative="",
        help="A name from 'torsor robots', or a path to an arm file (.toml) or URDF; several stand side by side.",
    ),
]
Report = Annotated[Path | None, Parameter(help="Write a report to this file: one page, nothing else needed.")]
Compare = Annotated[
    Path | None, Parameter(help="With --report: another program, checked alike, to show beside this one.")
]
CsvOption = Annotated[
    Path | None, Parameter(help="Write all signals to this file, one row a cycle (SI units, radians).")
]
SyntaxOnly = Annotated[bool, Parameter(negative="", help="Check the program's text only; nothing is planned.")]
Fastest = Annotated[
    bool,
    Parameter(
        negative="", help="Rewrite speeds and accelerations: slower where they must be, faster as far as limits allow."
    ),
]
KeepToolSpeeds = Annotated[
    bool, Parameter(negative="", help="With --fastest: raise no speed of the tool, which may belong to the work.")
]
RewrittenOption = Annotated[
    Path | None,
    Parameter(alias="-o", help="With --fastest: write the new program to this file; one of several to this folder."),
]
SignalStep = Annotated[float, within(SIGNALS, help="Time between signals in s; the verdict does not depend on it.")]
StartOption = Annotated[
    str | None,
    Parameter(
        allow_leading_hyphen=True,
        help="Where the arm stands at first: joints in rad and m ('0 -1.57 0'), or '0 -90 0 deg'; a target of the "
        "program by its name; first-target. Without a word at zero.",
    ),
]
CycleOption = Annotated[
    bool, Parameter(negative="", help="Start where the program ends, and say how long a cycle takes.")
]
Overlap = Annotated[
    bool, Parameter(negative="", help="Paul's blends: each motion starts before the one before it ends (rule B).")
]
ForceOption = Annotated[
    tuple[float, float, float] | None,
    within(
        FORCE, negative="", allow_leading_hyphen=True, help="Force in N that acts on the tool, in base axes: FX FY FZ."
    ),
]
PayloadOption = Annotated[
    list[str] | None,
    Parameter(
        consume_multiple=True,
        negative="",
        help="Mass in kg that the arm holds at its tool point; several stand side by side: 0 5 10.",
    ),
]
TimingOption = Annotated[
    Literal["trapezoid", "s-curve", "quintic", "quartic", "paul", "optimal"] | None,
    Parameter(
        help="Time law, or optimal: as fast as the motors allow. Without a word trapezoid; for SIMASEA's programs paul."
    ),
]
CellOption = Annotated[
    Path | None,
    Parameter(help="What the arm may run into: a cell file (.toml), or empty, its own links alone."),
]
CyclesOption = Annotated[int, Parameter(help="How often to go round a loop that never ends.")]
WorldOption = Annotated[
    Path | None, Parameter(help="TOML file of what comes from outside: signals, registers, answers, by name.")
]
SetOption = Annotated[
    list[str] | None, Parameter(name="--set", negative="", help="One of them: name=value, such as di_part=1.")
]
DefineOption = Annotated[
    list[str] | None,
    Parameter(negative="", help="A line of the program's language that stands in no file, such as a tool."),
]
EntryOption = Annotated[str | None, Parameter(help="The routine to begin with, instead of the program's own.")]
TimesSpeed = Annotated[float, within(FACTOR, help="What if all were so many times as fast?")]
TimesAcceleration = Annotated[float, within(FACTOR, help="What if all accelerated so many times as hard?")]
ARMS = (".toml", ".urdf", ".xacro")  # files of arms
MOST_HELD = 20  # lines that are told what holds them back


def check(
    program: ProgramFile | None = None,
    /,
    *more: MoreFiles,
    robot: RobotsOption = None,
    report: Report = None,
    compare: Compare = None,
    csv: CsvOption = None,
    json: Json = False,
    syntax_only: SyntaxOnly = False,
    fastest: Fastest = False,
    keep_tool_speeds: KeepToolSpeeds = False,
    output: RewrittenOption = None,
    dt: SignalStep = 0.01,
    start: StartOption = None,
    cycle: CycleOption = False,
    overlap: Overlap = False,
    force: ForceOption = None,
    payload: PayloadOption = None,
    timing: TimingOption = None,
    times_speed: TimesSpeed = 1.0,
    times_acceleration: TimesAcceleration = 1.0,
    cycles: CyclesOption = 1,
    cell: CellOption = None,
    world: WorldOption = None,
    setting: SetOption = None,
    define: DefineOption = None,
    entry: EntryOption = None,
    package_path: Packages = None,
    allow_nonphysical: AllowNonphysical = False,
    strict: Strict = False,
) -> int:
    """Says whether an arm can do a program, and what to change if not.

    Example: torsor check examples/programs/rl15_tour.irl --robot rl15 --report report.html

    The program is planned, and motor torques, speeds and positions are held against their limits; where motors
    saturate, the motion that they can achieve tells how far the tool leaves its path. The exit code is 0 if the
    program is feasible, 1 if it is not, 2 if it cannot be read.
    """
    from torsor.programs import read
    from torsor.programs.several import read_several
    from torsor.programs.world import World

    around = (World() if world is None else World.read(world)).and_set(setting or ())
    files, robots, masses = _sorted_out([program, *more] if program else [], robot or (), payload or ())
    sources = read_several(files, world=around, define=define or (), entry=entry)
    source = sources[0]
    if syntax_only:
        if len(sources) > 1:
            raise TorsorError("--syntax-only reads one program", hint="one at a time")
        return _syntax(source, json=json)
    if not robots:
        raise TorsorError("no robot is given", hint="--robot rl15; 'torsor robots' lists them")
    if output is not None and not fastest:
        raise TorsorError("-o is for the program that --fastest rewrites", hint="--report and --csv name their files")
    if keep_tool_speeds and not fastest:
        raise TorsorError("--keep-tool-speeds is about what --fastest rewrites", hint="--fastest, or leave it out")
    if compare is not None and report is None:
        raise TorsorError("--compare is for the report, which shows both programs", hint="--report report.html")
    arms = [
        loading.load(each, package_paths=package_path or (), allow_nonphysical=allow_nonphysical, strict=strict)
        for each in robots
    ]
    from torsor.cell.cell_file import read_cell
    from torsor.checking import check as judge
    from torsor.programs.starting import posture_of

    arm = arms[0]
    asked: dict[str, Any] = {
        "dt": dt,
        "wrench": None if force is None else [*force, 0.0, 0.0, 0.0],
        "timing": timing,
        "overlap": overlap,
        "speed": times_speed,
        "acceleration": times_acceleration,
        "cycles": cycles,
        "cell": None if cell is None else read_cell(cell),
        "start": None if start is None else posture_of(arm, start),
        "cycle": cycle,
        "command": asked_by(),
    }
    if len(sources) * len(arms) * max(len(masses), 1) > 1:
        for option, is_given in (("--csv", csv), ("--compare", compare), ("--fastest", fastest)):
            if is_given:
                raise TorsorError(f"{option} is for one answer, not for several", hint="one program, robot and payload")
        ready({"--report": report})
        return _several(sources, arms, masses or None, asked, report, json=json)
    beside = None if compare is None else read(compare)
    several = output is not None and len(source.files()) > 1
    if output is not None:
        refuse_one_for_many(output, source.files())
    ready({"--report": report, "--csv": csv, "-o": None if several else output})

    with progress("planning") as show, _table(csv, arm, in_cell=cell is not None) as (sinks, began):

        def hear(move: MoveTaken) -> None:
            show(f"line {move.place.line}, {move.start:.1f} s", 0.0)
            began(move)

        one = {**asked, "robot": arm, "payload": masses[0] if masses else None, "signals": False}
        checked: Callable[..., Verdict] = partial(judge, **one)
        verdict = checked(source, fastest=fastest, keep_tool_speeds=keep_tool_speeds, sinks=sinks, each=hear)
        other = None if beside is None else checked(beside)
        show("looking for what to change" if verdict.problems else "writing", 0.0)
        _ = verdict.advice, verdict.remedies  # searched for while the bar is still there
    if output is not None and verdict.feasible:
        write_program(output, source.on_disk(verdict.rewritten))  # as it is where nothing had to be changed
    if report is not None:
        verdict.report(report, compare=other)
    if json:
        print_json(verdict.document())
    else:
        _print(verdict, report, csv, output, fastest=fastest)
    return DONE if verdict.feasible else NO


def _sorted_out(
    files: Sequence[Path], robots: Sequence[str], payloads: Sequence[str]
) -> tuple[list[Path], list[str], list[float]]:
    """Programs that stand behind an option that takes several, and were taken for one of these, are programs."""
    programs, arms, masses = list(files), [], []
    for word in robots:
        is_program = Path(word).suffix.lower() not in ARMS and "." in word and Path(word).exists()
        programs.append(Path(word)) if is_program else arms.append(word)
    for word in payloads:
        try:
            masses.append(float(word))
        except ValueError:
            if not Path(word).exists():
                raise TorsorError(f"--payload {word!r} is no number", hint="masses in kg: --payload 0 5 10") from None
            programs.append(Path(word))
    for file in programs:
        if file.suffix.lower() in ARMS or (str(file) in loading.robots() and not file.exists()):
            raise TorsorError(f"{file} is an arm, not a program", hint=f"torsor check PROGRAM --robot {file}")
    for mass in masses:
        if not PAYLOAD.holds(mass):
            raise TorsorError(f"--payload {mass:g}: give {PAYLOAD}")
    if not programs:
        raise TorsorError("no program is given", hint="torsor check PROGRAM --robot ROBOT")
    return programs, arms, masses


def _several(
    sources: Sequence[Program],
    arms: Sequence[Arm],
    payloads: Sequence[float] | None,
    asked: Mapping[str, Any],
    report: Path | None,
    *,
    json: bool,
) -> int:
    """Answers side by side: a row for each, and what stands in the way of those that are not feasible."""
    from torsor.checking.several_answers import side_by_side

    with progress("checking") as show:
        found = side_by_side(sources, arms, payloads, each=lambda text: show(text, 0.0), **asked)
        if report is not None:
            found.report(report)
    if json:
        print_json(found.document())
        return DONE if found.feasible else NO
    print_facts([("yes" if found.feasible else "no", found.sentence)])
    texts = ("program", "robot", "feasible", "by")
    print_table("Answers", [title if title in texts else f">{title}" for title in found.titles], found.rows)
    reasons = [(found.name(answer), answer.reason) for answer in found.answers if answer.reason]
    if reasons:
        print_title("What stands in the way")
        print_facts(reasons)
    print_written({"report": report})
    return DONE if found.feasible else NO


def _syntax(program: Program, *, json: bool) -> int:
    """What the text alone tells; errors are bad input."""
    from torsor.programs import ProgramError

    if program.errors:
        raise ProgramError(program.errors)
    notes = program.diagnostics
    if json:
        said = [
            {
                "severity": d.severity,
                "file": d.place.file,
                "line": d.place.line,
                "column": d.place.column,
                "text": d.problem,
                "hint": d.hint,
            }
            for d in notes
        ]
        print_json({"file": program.file, "name": program.name, "language": program.language, "diagnostics": said})
        return DONE
    print_facts([("yes", f"{program.name} is a program in {program.language} without errors")])
    if notes:
        print_title("Notes")
        print_facts((f"line {d.place.line}", d.problem + (f"; {d.hint}" if d.hint else "")) for d in notes)
    return DONE


@contextlib.contextmanager
def _table(path: Path | None, arm: Arm, *, in_cell: bool) -> Iterator[tuple[list[Any], Callable[[MoveTaken], None]]]:
    """The table of signals, written as they come and given its name at the end."""
    if path is None:
        yield [], lambda move: None
        return
    from torsor.checking.checked_arm import CheckedArm
    from torsor.checking.kinematic_columns import KinematicColumns
    from torsor.checking.signals import table

    machine = CheckedArm(arm)
    lines: list[int] = []
    of_all = machine.joints, machine.motors, machine.bearing_names
    with table(path, *of_all, in_cell=in_cell, more=KinematicColumns(arm)) as write:
        yield [lambda signals: write(signals, lines)], lambda move: lines.append(move.place.line)


def _print(verdict: Verdict, report: Path | None, csv: Path | None, output: Path | None, *, fastest: bool) -> None:
    from torsor.cli.check_text import print_verdict

    print_verdict(verdict)
    if fastest:
        print_title("Changed lines")
    if fastest and verdict.rewritten is None:
        fast = "nothing: it is as fast as limits allow" if verdict.motions else "nothing: it moves nothing"
        print_facts([("", "no change of pace makes it feasible" if verdict.problems else fast)])
    elif verdict.rewritten is not None:
        sys.stdout.write(printable(verdict.rewritten.diff, keep="\n"))
    if fastest and verdict.feasible:
        from torsor.checking.held_back import held_back

        print_title("What holds it back")
        print_facts((f"line {line}", text) for line, text in held_back(verdict)[:MOST_HELD])
    # the end of a long output is what a terminal shows: the answer stands there once more
    words = {"yes": "feasible", "no": f"not feasible, {len(verdict.problems)} problems"}
    answer = words.get(verdict.answer, verdict.answer)
    files = {"report": report, "signals": csv, "program": output if verdict.feasible else None}
    print_written(files, ("verdict", f"{answer}, {verdict.time:.2f} s"))
