"""``torsor study``: many runs of a study file, or a question that is ready to ask."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import App, Parameter

from torsor.cli import DONE, NO
from torsor.cli.circumstances import AS_IT_IS, Circumstances, HeldMass
from torsor.cli.interrupts import interrupts
from torsor.cli.printing import print_json
from torsor.cli.progress import progress
from torsor.cli.shared_options import Json, Robot
from torsor.cli.study_options import (
    Folder,
    On,
    PageOption,
    PictureOption,
    ProgramPath,
    Resume,
    SampleCount,
    Seed,
    StudyPath,
    SummaryOption,
    Vary,
    Workers,
)
from torsor.errors import TorsorError
from torsor.model.files import ready

if TYPE_CHECKING:
    from torsor.study import StudyAnswer

study = App(
    name="study",
    help="Runs a study, many runs of a study file, or asks a question that is ready to ask.\n\n"
    "Example: torsor study payload examples/programs/rl15_tour.irl --robot rl15",
    help_format="plaintext",
)


@study.default
def file(
    path: StudyPath,
    /,
    *,
    output: Folder = None,
    resume: Resume = False,
    on: On = None,
    workers: Workers = None,
    summary: SummaryOption = False,
    report: PageOption = None,
    json: Json = False,
) -> int:
    """Runs a study file, or tells what is in a folder of results.

    Example: torsor study examples/studies/payload_and_friction.toml -o results --summary

    Killed at any moment, it goes on where it was with --resume. Ctrl-C keeps all chunks that are complete.
    """
    from torsor.cli.study_text import print_summary
    from torsor.study import opened, read

    ready({"--report": report})
    if path.is_dir():
        if output is not None or resume or on is not None:
            raise TorsorError("a folder of results is only looked at", hint="give the study file to compute", file=path)
        result = opened(path)
    else:
        asked = read(path)
        with _heard() as hear:
            result = asked.run(output, on=on, workers=workers, resume=resume, progress=hear)
    if report is not None:
        result.report(report)
    found = result.summary()
    if json:
        print_json(found.document() | ({"folder": str(result.folder)} if result.folder else {}))
    else:
        print_summary(found, report=report, whole=summary)
    return DONE


@study.command
def payload(
    program: ProgramPath,
    /,
    *,
    robot: Robot,
    plot: PictureOption = None,
    report: PageOption = None,
    json: Json = False,
    circumstances: Circumstances = AS_IT_IS,
) -> int:
    """The largest payload with which an arm can do a program.

    Example: torsor study payload examples/programs/rl15_tour.irl --robot rl15
    """
    from torsor.study import payload_limit

    settings = circumstances.for_studies(robot)
    return _told(lambda hear: payload_limit(program, robot, **settings), plot, report, json)


@study.command
def probability(
    program: ProgramPath,
    /,
    *,
    robot: Robot,
    vary: Vary = None,
    samples: SampleCount = 10_000,
    design: Literal["random", "sobol", "latin", "saltelli"] = "random",
    seed: Seed = 0,
    payload: HeldMass = None,
    output: Folder = None,
    resume: Resume = False,
    on: On = None,
    workers: Workers = None,
    plot: PictureOption = None,
    report: PageOption = None,
    json: Json = False,
    circumstances: Circumstances = AS_IT_IS,
) -> int:
    """How likely an arm can do a program where masses, friction and motors are only known within tolerances.

    Example: torsor study probability examples/programs/rl15_tour.irl --robot rl15 --payload 45
    """
    from torsor.study import probability as ask

    def asked(hear: Callable[[int, int], None]) -> StudyAnswer:
        return ask(
            program, robot, _varied(vary), samples=samples, design=design, seed=seed, payload=payload,
            on=on, workers=workers, folder=output, resume=resume, progress=hear, **circumstances.for_studies(robot),
        )  # fmt: skip

    return _told(asked, plot, report, json)


@study.command
def fastest(
    program: ProgramPath,
    /,
    *,
    robot: Robot,
    payload: Annotated[list[float] | None, Parameter(negative="", help="Masses in kg, one or more.")] = None,
    plot: PictureOption = None,
    report: PageOption = None,
    json: Json = False,
    circumstances: Circumstances = AS_IT_IS,
) -> int:
    """How many times as fast an arm can do a program, for each payload.

    Example: torsor study fastest examples/programs/rl15_tour.irl --robot rl15 --payload 0 --payload 20
    """
    from torsor.study import fastest as ask

    return _told(
        lambda hear: ask(program, robot, payload or (0.0,), **circumstances.for_studies(robot)), plot, report, json
    )


@study.command
def map(
    robot: Annotated[str, Parameter(name="ROBOT", help="A name from 'torsor robots', or a path to an arm file.")],
    /,
    *,
    quantity: Annotated[
        str,
        Parameter(help="reach, manipulability, torque_margin, payload, frequency, or effective_inertia.MOTOR."),
    ] = "manipulability",
    section: Annotated[
        Literal["rz", "xy", "xz", "yz", "xyz"], Parameter(help="The plane that is drawn, or all of space.")
    ] = "rz",
    show: Annotated[
        Literal["worst", "best"], Parameter(help="Which of the postures that reach the same place.")
    ] = "best",
    joint: Annotated[
        list[str] | None, Parameter(negative="", help="Joints that move; without a word all of them.")
    ] = None,
    states: Annotated[int, Parameter(help="How many postures.")] = 1_000_000,
    seed: Seed = 0,
    on: On = None,
    workers: Workers = None,
    plot: PictureOption = None,
    report: PageOption = None,
    json: Json = False,
) -> int:
    """What an arm can where its tool is: a map over a section through its workspace, or over space.

    Example: torsor study map rl15 --quantity payload --plot map.png
    """
    from torsor.study import workspace_map

    def asked(hear: Callable[[int, int], None]) -> StudyAnswer:
        return workspace_map(
            robot, quantity, section=section, show=show, joints=joint or (), states=states, seed=seed, on=on,
            workers=workers, progress=hear,
        )  # fmt: skip

    return _told(asked, plot, report, json)


@study.command
def gains(
    scenario: Annotated[Path, Parameter(name="SCENARIO", help="A scenario file (.toml).")],
    /,
    *,
    vary: Vary = None,
    on: On = None,
    workers: Workers = None,
    plot: PictureOption = None,
    report: PageOption = None,
    json: Json = False,
) -> int:
    """Where in the plane of two gains a scenario is stable, and when it settles.

    Example: torsor study gains examples/scenarios/ur5_grasp.toml --vary Kp.factor=grid:0.5,2,8 Kd.factor=grid:0.5,2,8
    """
    from torsor.study import gain_map

    grids: Any = _varied(vary)
    return _told(lambda hear: gain_map(scenario, grids, on=on, workers=workers, progress=hear), plot, report, json)


@study.command
def motors(
    program: ProgramPath,
    /,
    *,
    robot: Robot,
    catalogue: Annotated[Path, Parameter(help="Motors, in [[motor]] tables of a .toml file, the best liked first.")],
    payload: HeldMass = None,
    on: On = None,
    workers: Workers = None,
    plot: PictureOption = None,
    report: PageOption = None,
    json: Json = False,
    circumstances: Circumstances = AS_IT_IS,
) -> int:
    """Which motor of a catalogue each axis of an arm needs for a program.

    Example: torsor study motors examples/programs/rl15_tour.irl --robot rl15 --catalogue examples/studies/motors.toml
    """
    from torsor.study import motor_choice

    def asked(hear: Callable[[int, int], None]) -> StudyAnswer:
        settings = {**circumstances.for_studies(robot), "payload": payload}
        return motor_choice(program, robot, catalogue, on=on, workers=workers, progress=hear, **settings)

    return _told(asked, plot, report, json)


@study.command
def table(
    programs: Annotated[list[Path], Parameter(name="PROGRAM", help="Robot programs.")],
    /,
    *,
    robot: Annotated[list[str], Parameter(negative="", help="Arms, one or more: --robot rl15 --robot puma560.")],
    payload: HeldMass = None,
    on: On = None,
    workers: Workers = None,
    plot: PictureOption = None,
    report: PageOption = None,
    json: Json = False,
    circumstances: Circumstances = AS_IT_IS,
) -> int:
    """Which of some arms can do which of some programs.

    Example: torsor study table examples/programs/rl15_tour.irl examples/programs/deburr.irl --robot rl15
    """
    from torsor.study import program_table

    def asked(hear: Callable[[int, int], None]) -> StudyAnswer:
        settings = {**circumstances.for_studies(robot[0]), "payload": payload}
        return program_table(programs, robot, on=on, workers=workers, progress=hear, **settings)

    return _told(asked, plot, report, json)


def _told(
    ask: Callable[[Callable[[int, int], None]], StudyAnswer], plot: Path | None, report: Path | None, json: bool
) -> int:
    from torsor.cli.study_text import print_answer
    from torsor.simulation.plotting import require_drawable

    ready({"--plot": plot, "--report": report})
    if plot is not None or report is not None:
        require_drawable(plot)
    with _heard() as hear:
        answer = ask(hear)
    if plot is not None:
        answer.plot(plot)
    if report is not None:
        answer.report(report)
    if json:
        print_json(answer.document())
    else:
        print_answer(answer, {"plot": plot, "report": report})
    return DONE if answer.yes else NO


def _varied(words: list[str] | None) -> Any:
    from torsor.study.variation_text import variation_of

    return None if not words else dict(variation_of(word) for word in words)


@contextmanager
def _heard() -> Iterator[Callable[[int, int], None]]:
    """A bar with the time that is left."""
    began: list[tuple[float, int]] = []
    with progress("preparing", 1.0) as show:

        def hear(done: int, total: int) -> None:
            interrupts.hold()  # between chunks: none is broken off while it is written
            now = time.monotonic()
            began.append((now, done)) if not began else None
            first, before = began[0]
            left = (total - done) * (now - first) / (done - before) if done > before else None
            told = "" if left is None else f", {left:.0f} s left"
            show(f"{done} of {total} runs{told}", done / max(total, 1))

        yield hear
