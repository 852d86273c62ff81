"""``torsor bench``: how fast Torsor is, beside whichever peers are installed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from torsor.cli import DONE, NO
from torsor.cli.printing import numbers, print_facts, print_json, print_table
from torsor.cli.progress import with_progress
from torsor.cli.shared_options import Json
from torsor.measuring.stopwatch import nanoseconds

if TYPE_CHECKING:
    from torsor.bench import AnyRow, GrowthRow, PortRow, Row

Robots = Annotated[str, Parameter(help="Names or paths of arms, with commas between them.")]
NoPeers = Annotated[bool, Parameter(name="--no-peers", negative="", help="Measure Torsor alone.")]
Quick = Annotated[bool, Parameter(negative="", help="Seconds instead of minutes, and figures to match.")]

UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "us"), (1e-9, "ns"))


def bench(*, robots: Robots = "ur5,panda", no_peers: NoPeers = False, quick: Quick = False, json: Json = False) -> int:
    """Measures Torsor beside Pinocchio, CasADi, MuJoCo and Exudyn.

    Example: torsor bench --robots ur5 --no-peers

    Results are compared with the peer's before anything is timed. Both sides take turns in the same run; figures are
    CPU time of one evaluation, medians of several samples. Peers that are not installed are named and left out.
    "below" marks what is slower than Torsor promises; the exit code is 1 only for wrong numbers. Of each batch kernel
    the instructions are counted, and the cycles that they need at least, were none of them to wait.
    """
    from torsor.bench import document, plan  # the other commands need not wait for it

    names = [name.strip() for name in robots.split(",") if name.strip()]
    todo = plan(names, peers=not no_peers, quick=quick)
    parts = with_progress(todo.steps, lambda step: step.name, lambda step: list(step.run()))
    rows = [row for part in parts for row in part]
    found = document(rows, todo.skipped, todo.settings)
    if json:
        print_json(found)
    else:
        _print(found, rows)
    return NO if any(row.wrong for row in rows) else DONE


def _print(found: dict[str, Any], rows: list[AnyRow]) -> None:
    machine = found["machine"]
    versions = ", ".join(f"{name} {version}" for name, version in machine["versions"].items())
    built = f"{machine['processor']}, {machine['cores']} cores, {machine['system']}"
    facts = [("machine", built), ("versions", versions), *(("left out", why) for why in found["skipped"].values())]
    print_facts([*facts, *found["settings"].items()])
    from torsor.bench import GrowthRow, PortRow, Row

    plain = [row for row in rows if isinstance(row, Row)]
    for robot in dict.fromkeys(row.robot for row in plain):
        _print_rows(robot or "all arms", [row for row in plain if row.robot == robot])
    ported = [row for row in rows if isinstance(row, PortRow)]
    for robot in dict.fromkeys(row.robot for row in ported):
        _print_ports(robot, [row for row in ported if row.robot == robot])
    grown = [row for row in rows if isinstance(row, GrowthRow)]
    for quantity in dict.fromkeys(row.quantity for row in grown):
        _print_growth(quantity.replace("_", " "), [row for row in grown if row.quantity == quantity])


def _print_rows(title: str, rows: Iterable[Row]) -> None:
    print_table(
        title,
        ["", *numbers("torsor"), "peer", *numbers("takes", "ratio", "asked"), ""],
        [
            (r.what, duration(r.ours), r.peer or "-", duration(r.theirs), _ratio(r, " x"), _asked(r), _mark(r))
            for r in rows
        ],
    )


def _print_ports(robot: str, rows: Iterable[PortRow]) -> None:
    titles = ("lanes", "mul, FMA", "add", "div", "ports", "cycles", "limit", "reached")
    cells = []
    for row in rows:
        counts = row.lanes, row.multiplications, row.additions, row.divisions
        ports = row.ports and "{multiply}, {add}, {both}".format(**row.ports)
        times = (None if each is None else f"{each:.0f}" for each in (row.cycles, row.limit))
        share = "not known" if row.share is None else f"{100 * row.share:.0f} %"
        cells.append((row.what, *("-" if each is None else each for each in (*counts, ports, *times)), share))
    what = "one instruction for as many states as lanes; ports: mul and FMA, add, both together in a cycle"
    print_table(f"{robot}, batch kernels: {what}", ["", *numbers(*titles)], cells)


def _print_growth(title: str, rows: Iterable[GrowthRow]) -> None:
    titles = ("joints", "M", "A", "trace", "LLVM", "single", "batch", "a joint", "pin", "ratio")
    cells = []
    for row in rows:
        counts = row.joints, row.multiplications, row.additions
        evaluations = row.single, row.batch, row.batch and row.batch / row.joints, row.peer_batch
        compiling = f"{row.trace:.2f}", f"{row.compile:.2f}"
        cells.append((*counts, *compiling, *map(nanoseconds, evaluations), _ratio(row), _mark(row)))
    print_table(f"{title} of chains: compiling in s, evaluations in ns", [*numbers(*titles), ""], cells)


def _ratio(row: Row | GrowthRow, unit: str = "") -> str:
    return "-" if row.ratio is None else f"{row.ratio:.1f}{unit}"


def _asked(row: Row) -> str:
    if row.at_least is not None:
        return f"{row.at_least:g} x"
    return "-" if row.at_most is None else duration(row.at_most)


def _mark(row: Row | GrowthRow) -> str:
    return f"wrong: {row.error:.0e}" if row.wrong else row.verdict


def duration(seconds: float | None) -> str:
    """Three digits in the unit that fits.

    >>> duration(1.234e-7), duration(0.05), duration(2.0), duration(None)
    ('123 ns', '50 ms', '2 s', '-')
    """
    if seconds is None:
        return "-"
    size, unit = next((u for u in UNITS if seconds >= u[0]), UNITS[-1])
    return f"{seconds / size:.3g} {unit}"
