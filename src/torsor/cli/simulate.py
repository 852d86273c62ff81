"""``torsor simulate``: what an arm does under a law."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from torsor.cli import DONE, INTERRUPTED, NO
from torsor.cli.interrupts import interrupts
from torsor.cli.printing import print_json
from torsor.cli.progress import progress
from torsor.cli.shared_options import Json

if TYPE_CHECKING:
    from torsor.scenarios import Scenario
    from torsor.simulation import Run

ScenarioPath = Annotated[Path, Parameter(name="SCENARIO", help="A scenario file (.toml).")]
Plot = Annotated[Path | None, Parameter(help="Draw positions, errors, speeds and torques to this .png, .svg or .pdf.")]
CsvOption = Annotated[Path | None, Parameter(help="Write all states to this file, one row each (SI units, radians).")]


ReportOption = Annotated[
    Path | None, Parameter(help="Write the arm in motion and its plots to this .html, one file that needs no other.")
]


MotorsPlot = Annotated[
    Path | None, Parameter(help="Draw currents, torques, angles and speeds of all motors to this .png, .svg or .pdf.")
]
FmuOption = Annotated[Path | None, Parameter(help="Write the arm under its law as an FMU (FMI 3.0) to this file.")]


def simulate(
    scenario: ScenarioPath,
    /,
    *,
    plot: Plot = None,
    motors: MotorsPlot = None,
    csv: CsvOption = None,
    report: ReportOption = None,
    fmu: FmuOption = None,
    json: Json = False,
) -> int:
    """Simulates a scenario: an arm under a law, what it shall do and what disturbs it.

    Example: torsor simulate examples/scenarios/irb140_closed_loop_1.toml --plot run.png

    The first word answers what the scenario asks: yes if the arm settles within its band and stays within limits, no
    if not; ended if nothing is asked. The exit code is 0 but for no, which is 1, and 2 if the scenario cannot be read.
    Ctrl-C keeps what was computed.
    """
    from torsor.cli.simulate_text import print_apart, print_figures
    from torsor.scenarios import read
    from torsor.scenarios.figures import apart

    task = read(scenario)
    task.check_outputs(csv=csv, plot=plot, report=report, motors=motors)
    runs = [_watched(task, by) for by in task.by or (None,)]
    run = runs[0]
    figures = task.figures(run)
    files = task.write(*runs, csv=csv, plot=plot, report=report, motors=motors)
    if fmu is not None:
        task.to_fmu(fmu)
        files["fmu"] = fmu
    if json:
        compared = {"by": [{"name": each.by, "apart": apart(run, each)} for each in runs if each.by]}
        print_json(figures.document() | compared | {"files": {word: str(path) for word, path in files.items()}})
    else:
        print_figures(figures, files)
        print_apart(runs)
    if run.stopped is not None and run.stopped.reason == "interrupted":
        return INTERRUPTED
    return DONE if figures.good else NO


def _watched(task: Scenario, by: str | None) -> Run:
    """What the simulation has to say comes with its results, not as warnings in between."""
    from torsor.simulation import SimulationNotice

    with warnings.catch_warnings(), progress("compiling", task.duration) as show:
        warnings.simplefilter("ignore", SimulationNotice)

        def heard(t: float) -> None:
            show(f"{t:.2f} of {task.duration:g} s" + (f" by {by}" if by else ""), t)
            interrupts.hold()  # between steps Ctrl-C ends the motion; later it waits until the files are written

        return task.run(by=by, progress=heard)
