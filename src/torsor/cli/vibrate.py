"""``torsor vibrate``: how the tool of an elastic arm swings in a program, and whether it settles."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from torsor.cli import DONE, NO
from torsor.cli.printing import numbers, print_facts, print_json, print_table, print_title
from torsor.cli.shared_options import Json, Robot
from torsor.errors import TorsorError

if TYPE_CHECKING:
    from torsor.vibration import Stop, Vibration

ProgramPath = Annotated[Path, Parameter(name="PROGRAM", help="A robot program (.v2, .irl, ...).")]
FidelityOption = Annotated[
    Literal[1, 2], Parameter(help="1: linear in what bends, as SIMASEA has it; 2: not linear, and slower.")
]
ToleranceOption = Annotated[str, Parameter(help='What counts as settled, at the tool: "0.1 mm", or in m.')]
CsvOption = Annotated[Path | None, Parameter(help="Write the tool's deviation to this file, one row a sample (SI).")]


def vibrate(
    program: ProgramPath,
    /,
    *,
    robot: Robot,
    fidelity: FidelityOption = 1,
    tolerance: ToleranceOption = "0.1 mm",
    csv: CsvOption = None,
    json: Json = False,
) -> int:
    """Says how far the tool of an arm with elastic links or joints swings, and when it has settled after each stop.

    Example: torsor vibrate examples/programs/rl15_tour.irl --robot rl15-elastic

    The exit code is 0 if it settles within the tolerance after every stop, in the time that the program leaves, 1 if it
    does not, 2 for bad input.
    """
    from torsor.model.files import write_text
    from torsor.model.units import quantity
    from torsor.vibration import vibrate as run

    try:
        plain = tolerance.strip().replace(".", "", 1).replace("e-", "", 1).isdigit()
        allowed = float(tolerance if plain else quantity(tolerance, dimension="length"))
    except ValueError as error:
        raise TorsorError(f"--tolerance {tolerance!r}: {error}", hint='give a length, such as "0.1 mm"') from error
    found = run(program, robot, fidelity=fidelity, tolerance=allowed)
    if csv is not None:
        rows = zip(found.time, found.tip - found.swing.sag, strict=True)
        lines = [",".join(repr(float(x)) for x in (t, *off)) for t, off in rows]
        write_text(csv, "\n".join(["time,x,y,z,rx,ry,rz", *lines]) + "\n")
    if json:
        print_json(found.document() | {"files": {} if csv is None else {"csv": str(csv)}})
    else:
        _print(found, csv)
    return DONE if found.settled else NO


def _print(found: Vibration, csv: Path | None) -> None:
    print_facts([("yes" if found.settled else "no", found.headline)])
    titles = ["line", "swings by mm", "left mm", "settles in s", "has s"]
    print_table("Stops", [*numbers(*titles), "mostly"], [_row(stop) for stop in found.stops])
    helped = [stop for stop in found.stops if not stop.is_settled]
    rows = [
        [stop.place.line, f"{1e3 * stop.left:.3g}", *(f"{1e3 * left:.3g}" for left, _ in stop.shapers.values()),
         *(f"{cost:.3f}" for _, cost in stop.shapers.values())]
        for stop in helped
    ]  # fmt: skip
    print_table(
        "What shaping would leave", numbers("line", "now mm", "ZV mm", "ZVD mm", "ZV costs s", "ZVD costs s"), rows
    )
    low, high = found.frequencies[:, 0].min(), found.frequencies[:, 0].max()
    print_title("Frequencies")
    print_facts([("lowest", f"{low:.3g} to {high:.3g} Hz along the path, drives held")])
    _print_stress(found)
    print_title("Notes")
    more = [] if found.stress is None else found.stress.notes
    print_facts(("", text) for text in (*found.notes, *more))
    if csv is not None:
        print_title("Written")
        print_facts([("csv", str(csv))])


def _print_stress(found: Vibration) -> None:
    from torsor.vibration.stress_told import stress_rows

    if found.stress is not None:
        titles = ["link", *numbers("MPa at most", "m from its joint", "at s", "of yield")]
        print_table("Stress", titles, stress_rows(found.stress))


def _row(stop: Stop) -> list[str]:
    settles = "never" if stop.settling is None else f"{stop.settling:.3f}"
    has = "all" if stop.rest == float("inf") else f"{stop.rest:.3f}"
    return [str(stop.place.line), f"{1e3 * stop.deviation:.3g}", f"{1e3 * stop.left:.3g}", settles, has, stop.mode]
