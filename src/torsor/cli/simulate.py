"""``torsor simulate``: what an arm does under a law."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from torsor.cli import DONE, INTERRUPTED, NO
from torsor.cli.options import Json
from torsor.cli.text import print_json

if TYPE_CHECKING:
    from torsor.scenarios import Figures, Scenario
    from torsor.simulation import Run

ScenarioPath = Annotated[Path, Parameter(name="SCENARIO", help="A scenario file (.toml).")]
Plot = Annotated[Path | None, Parameter(help="Draw positions, errors, speeds and torques to this .png, .svg or .pdf.")]
Csv = Annotated[Path | None, Parameter(help="Write all states to this file, one row each (SI units, radians).")]


def simulate(scenario: ScenarioPath, /, *, plot: Plot = None, csv: Csv = None, json: Json = False) -> int:
    """Simulates a scenario: an arm under a law, what it shall do and what disturbs it.

    Example: torsor simulate examples/scenarios/irb140_closed_loop_1.toml --plot run.png

    The exit code is 0 if the motion came to its end, 1 if it diverged or a joint reached its limit, 2 if the scenario
    cannot be read. Ctrl-C keeps what was computed.
    """
    from torsor.scenarios import read

    task = read(scenario)
    task.check_outputs(plot=plot)
    run = _watched(task)
    figures = task.figures(run)
    files = task.write(run, csv=csv, plot=plot)
    if json:
        print_json(figures.document() | {"files": {word: str(path) for word, path in files.items()}})
    else:
        _print(figures, files)
    if run.stopped is not None and run.stopped.reason == "interrupted":
        return INTERRUPTED
    return DONE if figures.good else NO


def _watched(task: Scenario) -> Run:
    """What the simulation has to say comes with its results, not as warnings in between."""
    from torsor.simulation import SimulationNotice

    with warnings.catch_warnings(), _bar(task.duration) as reached:
        warnings.simplefilter("ignore", SimulationNotice)
        return task.run(progress=reached)


@contextlib.contextmanager
def _bar(duration: float) -> Iterator[Callable[[float], None]]:
    """How far it is, on a terminal; nothing in a pipe."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda t: None
        return
    columns = TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn()
    with Progress(*columns, console=console, transient=True) as bar:
        shown = bar.add_task("compiling", total=duration)
        yield lambda t: bar.update(shown, completed=t, description=f"{t:.2f} of {duration:g} s")


def _print(figures: Figures, files: dict[str, Path]) -> None:
    from torsor.cli.simulate_text import print_figures

    print_figures(figures, files)
