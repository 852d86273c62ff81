"""``torsor vibrate``: how the tool of an elastic arm swings in a program, and whether it settles."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, cast, get_args

from cyclopts import Parameter

from torsor import loading
from torsor.cli import DONE, NO
from torsor.cli.printing import print_json
from torsor.cli.progress import progress
from torsor.cli.shared_options import Json, Robot
from torsor.errors import TorsorError

if TYPE_CHECKING:
    from torsor.elastic.shaping import ShaperKind
    from torsor.vibration import Vibration

ProgramPath = Annotated[Path, Parameter(name="PROGRAM", help="A robot program (.v2, .irl, ...).")]
FidelityOption = Annotated[
    Literal[1, 2], Parameter(help="1: linear in what bends, as SIMASEA has it; 2: not linear, and slower.")
]
ShapeOption = Annotated[
    str | None,
    Parameter(help="Drive the program shaped, from stop to stop: ZV, ZVD, EI, or blend, over a period of the swing."),
]
ModesOption = Annotated[
    int | None,
    Parameter(help="Shapes of all links together, instead of the arm file's (with loops: of the 24 that matter most)."),
]
ToleranceOption = Annotated[str, Parameter(help='What counts as settled, at the tool: "0.1 mm", or in m.')]
PlotOption = Annotated[
    Path | None, Parameter(help="Draw the tool's deviation and the frequencies to this .png, .svg or .pdf.")
]
ReportOption = Annotated[
    Path | None, Parameter(help="Write the bent arm, its modes, plots and tables to this .html, one file of its own.")
]
CsvOption = Annotated[Path | None, Parameter(help="Write the tool's deviation to this file, one row a sample (SI).")]


def vibrate(
    program: ProgramPath,
    /,
    *,
    robot: Robot,
    fidelity: FidelityOption = 1,
    shape: ShapeOption = None,
    modes: ModesOption = None,
    tolerance: ToleranceOption = "0.1 mm",
    plot: PlotOption = None,
    report: ReportOption = None,
    csv: CsvOption = None,
    json: Json = False,
) -> int:
    """Says how far the tool of an arm with elastic links or joints swings, and when it has settled after each stop.

    Example: torsor vibrate examples/programs/rl15_tour.irl --robot rl15-elastic --shape ZVD

    The exit code is 0 if it settles within the tolerance after every stop, in the time that the program leaves, 1 if it
    does not, 2 for bad input.
    """
    from torsor.cli.vibrate_text import print_vibration
    from torsor.model.files import ready
    from torsor.programs import read
    from torsor.simulation.plotting import require_drawable
    from torsor.vibration import vibrate as run

    allowed = _length(tolerance)
    kind = None if shape is None else _kind(shape)
    if plot is not None:
        require_drawable(plot)
    source, arm = read(program), loading.load(robot)
    ready({"--plot": plot, "--report": report, "--csv": csv})
    with progress("following the program") as show:
        found = run(source, arm, fidelity=fidelity, shape=kind, tolerance=allowed, modes=modes)
        show("looking for what would help" if not found.settled else "writing", 0.0)
        _ = found.slower  # searched for while the bar is still there
    files = {"plot": plot, "report": report, "csv": csv}
    if plot is not None:
        found.plot(plot)
    if report is not None:
        found.report(report)
    if csv is not None:
        _write_table(found, csv)
    written = {name: str(path) for name, path in files.items() if path is not None}
    if json:
        print_json(found.document() | {"files": written})
    else:
        print_vibration(found, written)
    return DONE if found.settled else NO


def _kind(word: str) -> ShaperKind:
    """However it is written."""
    from torsor.elastic.shaping import ShaperKind, shaper

    kind = next((each for each in get_args(ShaperKind) if each.lower() == word.lower()), cast("ShaperKind", word))
    shaper(kind, 1.0)  # says which there are
    return kind


def _length(text: str) -> float:
    from torsor.model.units import quantity

    try:
        return float(text)
    except ValueError:
        pass
    try:
        return float(quantity(text, dimension="length"))
    except ValueError as error:
        raise TorsorError(f"--tolerance {text!r}: {error}", hint='give a length, such as "0.1 mm"') from error


def _write_table(found: Vibration, csv: Path) -> None:
    from torsor.model.files import write_text

    rows = zip(found.time, found.tip - found.swing.sag, strict=True)
    lines = [",".join(repr(float(x)) for x in (t, *off)) for t, off in rows]
    write_text(csv, "\n".join(["time,x,y,z,rx,ry,rz", *lines]) + "\n")
