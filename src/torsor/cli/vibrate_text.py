"""A vibration on a terminal: the sentence, a row for each move, frequencies along the path, what would help."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torsor.cli.printing import RIGHT, numbers, print_facts, print_table, print_title, print_written

if TYPE_CHECKING:
    from torsor.vibration import Stop, Vibration

MOST_MOVES = 60  # rows; longer programs show those after which it swings most, --json and --report have all
MODES = 4
NONE = "-"


def print_vibration(found: Vibration, written: dict[str, str]) -> None:
    print_facts([("yes" if found.settled else "no", found.headline)])
    _print_moves(found)
    _print_frequencies(found)
    _print_help(found)
    _print_shaping(found)
    _print_stress(found)
    print_title("Notes")
    more = [] if found.stress is None else found.stress.notes
    print_facts(("", text) for text in (*found.notes, *more))
    print_written(written)


def _print_moves(found: Vibration) -> None:
    stops = {(stop.place, stop.end): k for k, stop in enumerate(found.stops)}
    shown, title = found.moves, "Moves"
    if len(shown) > MOST_MOVES:
        shown = sorted(sorted(shown, key=lambda each: -each[1])[:MOST_MOVES], key=lambda each: each[0].start)
        title = f"The {MOST_MOVES} of {len(found.moves)} moves in which the tool is off most"
    before = None if found.before is None else found.before.stops
    was = [] if before is None else [">was mm"]
    columns = [*numbers("line"), "move", *numbers("ends s", "off mm", "left mm"), *was]
    rows = []
    for move, off in shown:
        k = stops.get((move.place, move.end))
        row = [str(move.place.line), move.kind, f"{move.end:.2f}", _mm(off)]
        if k is None:
            rows.append([*row, *[NONE] * (4 + len(was))])
            continue
        stop = found.stops[k]
        rows.append([*row, _mm(stop.left), *([] if before is None else [_mm(before[k].left)]), *_settling(stop)])
    print_table(title, [*columns, *numbers("settles s", "has s"), "=mostly"], rows)


def _settling(stop: Stop) -> list[str]:
    settles = "never" if stop.settling is None else f"{stop.settling:.3f}"
    has = "all" if stop.rest == float("inf") else f"{stop.rest:.3f}"
    return [settles, has, stop.mode]


def _print_frequencies(found: Vibration) -> None:
    columns = [RIGHT + "mode", *numbers("lowest Hz", "at s", "line", "highest Hz", "at s", "line")]
    rows = []
    for k, each in enumerate(found.extremes(MODES)):
        cells = [str(k + 1)]
        for end in ("lowest", "highest"):
            at = each[f"{end}_at"]
            cells += [f"{each[end]:.3g}", f"{at:.2f}", str(found.line_at(at))]
        rows.append(cells)
    print_table("Frequencies along the path, drives held", columns, rows)


def _print_help(found: Vibration) -> None:
    """For each stop that does not settle: mm left and s that it costs, with each shaper and with a slower pace."""
    if not found.late:
        return
    columns = [">line", ">now mm"]
    for kind in found.shapers(0):
        columns += [f">{kind} mm", ">+ s"]
    rows = []
    for k in found.late[:MOST_MOVES]:
        stop = found.stops[k]
        cells = [str(stop.place.line), _mm(stop.left)]
        for each in found.shapers(k).values():
            cells += [NONE, NONE] if each is None else [_mm(each[0]), f"{each[1]:.3f}"]
        rows.append(cells)
    title = "What would help: a shaper (--shape), by what it leaves and what it costs"
    print_table(title if found.before is None else f"{title}, of the program as written", columns, rows)
    rows = []
    for k, slow in found.slower.items():
        pace = "no pace" if slow.times is None else f"{100.0 / slow.times:.0f} %"
        rows.append([str(found.stops[k].place.line), pace, _mm(slow.left), f"{slow.costs:.3f}"])
    print_table("Or all moves from the stop before, slower", numbers("line", "pace", "left mm", "+ s"), rows)


def _print_shaping(found: Vibration) -> None:
    if found.before is None or found.shape is None:
        return
    rows = []
    for stop in found.before.stops:
        cost = stop.shapers.get(found.shape)
        rows.append([stop.place.line, stop.mode, NONE if cost is None else f"{cost[1]:.3f}"])
    print_table(f"Shaped by {found.shape}", [">line", "=for", ">+ s"], rows)
    print_facts([("", f"{found.before.duration:.2f} s become {found.duration:.2f} s")])


def _print_stress(found: Vibration) -> None:
    from torsor.vibration.stress_told import stress_rows

    if found.stress is not None:
        titles = ["link", *numbers("MPa at most", "m from its joint", "at s", "of yield")]
        print_table("Stress", titles, stress_rows(found.stress))


def _mm(length: float) -> str:
    return f"{1e3 * length:.3g}"
