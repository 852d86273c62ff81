"""``torsor size``: what motors, gears and bearings must stand in a program, and which of a catalogue do."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from torsor.cli import DONE, NO
from torsor.cli.check import ProgramFile
from torsor.cli.circumstances import AS_IT_IS, Circumstances, HeldMass
from torsor.cli.command_line import asked_by
from torsor.cli.printing import print_facts, print_json, print_table, print_title, print_written
from torsor.cli.progress import progress
from torsor.cli.shared_options import Json, Robot

CatalogueOption = Annotated[
    Path | None, Parameter(help="Motors and gears (.toml or .csv), the smallest first: which of them would do?")
]
SpectraFile = Annotated[Path | None, Parameter(help="Write the spectra of gears and bearings to this file (SI).")]
SizeReport = Annotated[Path | None, Parameter(help="Write torque-speed planes and tables to this .html.")]


def size(
    program: ProgramFile,
    /,
    *,
    robot: Robot,
    catalogue: CatalogueOption = None,
    payload: HeldMass = None,
    report: SizeReport = None,
    csv: SpectraFile = None,
    json: Json = False,
    circumstances: Circumstances = AS_IT_IS,
) -> int:
    """Says what motors, gears and bearings must stand in a program, and the smallest of a catalogue that do.

    Example: torsor size examples/programs/rl15_tour.irl --robot rl15 --catalogue examples/studies/motors.toml

    For each motor the largest torque and the root mean square against what it gives, its speed, the inertia that it
    moves over that of its rotor, how warm it gets; for gears and bearings spectra of their loads. The exit code is 0 if
    the motors do, those of the catalogue where one is given, 1 if they do not, 2 for bad input.
    """
    from torsor.model.files import ready
    from torsor.programs import read
    from torsor.sizing import read_catalogue
    from torsor.sizing import size as sized
    from torsor.sizing.sizing_rows import chosen_rows, motor_rows, spectrum_rows

    source, options = read(program, **circumstances.for_reading()), circumstances.for_check(robot)
    listed = None if catalogue is None else read_catalogue(catalogue)
    ready({"--report": report, "--csv": csv})
    with progress("checking"):
        found = sized(source, robot, catalogue=listed, payload=payload, command=asked_by(), **options)
    if report is not None:
        found.report(report)
    if csv is not None:
        found.to_csv(csv)
    if json:
        print_json(found.document())
        return DONE if found.yes else NO
    print_facts([("yes" if found.yes else "no", found.sentence)])
    print_table("Motors: % of what they give, of their continuous torque, of their speed", *motor_rows(found))
    if found.chosen is not None:
        print_table("Of the catalogue: % of torque, of continuous torque, of speed", *chosen_rows(found))
    print_table("Gears and bearings: equivalent is the cubic mean over travel", *spectrum_rows(found, classes=False))
    conditions = found.verdict.conditions
    if conditions is not None:
        print_title("Checked with")
        print_facts(conditions.items())
    print_written({"report": report, "spectra": csv})
    return DONE if found.yes else NO
