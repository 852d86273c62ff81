"""The tables of a vibration: stops, moves, frequencies, what would help."""

from __future__ import annotations

from math import isfinite

from torsor.elastic.stress import ArmStress
from torsor.report.markup import Column, Html, element, table
from torsor.report.program_listing import to_line
from torsor.vibration.stops import LONGEST, Stop
from torsor.vibration.stress_told import stress_rows
from torsor.vibration.vibration import Vibration

MOST_ROWS = 2000  # that a browser still scrolls through
NONE = "\u2013"


def going(time: float, shown: object) -> Html:
    """A link that sets the clock, and shows the arm."""
    return element("a", shown, href="#stage", data_time=f"{time:.6f}")


def late(stop: Stop) -> str:
    """What is said of a stop that does not settle."""
    takes = f"more than {LONGEST:g} s" if stop.settling is None else f"{stop.settling:.3f} s"
    return f"swings by {_mm(stop.left)} mm after it: takes {takes} to settle, and has {stop.rest:.3f} s"


def stops(found: Vibration) -> Html:
    """A row for each stop; of the program as it was too, where this one is shaped."""
    before = found.before
    was = [] if before is None else [Column("was", "mm")]
    also = [] if before is None else [Column("took", "s", tip="to settle, before shaping")]
    columns = [
        Column("line"),
        Column("stops", "s"),
        Column("off", "mm", tip="the most that the tool is off while it moves"),
        Column("left", "mm", tip="the most that it is off after the stop"),
        *was,
        Column("settles in", "s"),
        *also,
        Column("has", "s", tip="until the next motion"),
        Column("mostly", number=False, tip="the mode that swings most after it, with its share"),
    ]
    rows = []
    for k, stop in enumerate(found.stops[:MOST_ROWS]):
        then = None if before is None else before.stops[k]
        cells = [
            going(stop.end, stop.place.line),
            f"{stop.end:.2f}",
            _mm(stop.deviation),
            _mm(stop.left),
            *([] if then is None else [_mm(then.left)]),
            _seconds(stop.settling),
            *([] if then is None else [_seconds(then.settling)]),
            f"{stop.rest:.3f}" if isfinite(stop.rest) else "all",
            stop.mode,
        ]
        rows.append((cells, {"class_": None if stop.is_settled else "bad"}))
    return table(columns, rows, class_="stops")


def moves(found: Vibration) -> Html:
    columns = [Column("line"), Column("move", number=False), Column("from", "s"), Column("takes", "s")]
    columns.append(Column("off", "mm", tip="the most that the tool is off meanwhile"))
    was = {} if found.before is None else dict(enumerate(off for _, off in found.before.moves))
    if was:
        columns.append(Column("was", "mm"))
    rows = []
    for k, (move, off) in enumerate(found.moves[:MOST_ROWS]):
        cells = [going(move.start, move.place.line), move.kind, f"{move.start:.2f}", f"{move.end - move.start:.2f}"]
        rows.append([*cells, _mm(off), *([_mm(was[k])] if was else [])])
    return table(columns, rows)


def frequencies(found: Vibration) -> Html:
    columns = [Column("mode")]
    for end in ("lowest", "highest"):
        columns += [Column(end, "Hz"), Column("at", "s"), Column("line")]
    rows = []
    for k, each in enumerate(found.extremes()):
        cells: list[object] = [k + 1]
        for end in ("lowest", "highest"):
            at = each[f"{end}_at"]
            cells += [f"{each[end]:.3g}", going(at, f"{at:.2f}"), to_line(found.line_at(at))]
        rows.append(cells)
    return table(columns, rows)


def shapers(found: Vibration) -> Html:
    """What each shaper would leave after each stop that does not settle."""
    columns = [Column("line"), Column("now", "mm")]
    for kind in found.shapers(0):
        columns += [Column(kind, "mm"), Column("costs", "s")]
    rows = []
    for k in found.late[:MOST_ROWS]:
        stop = found.stops[k]
        cells: list[object] = [going(stop.end, stop.place.line), _mm(stop.left)]
        for each in found.shapers(k).values():
            cells += [NONE, NONE] if each is None else [_mm(each[0]), f"{each[1]:.3f}"]
        rows.append(cells)
    return table(columns, rows)


def slower(found: Vibration) -> Html:
    columns = [Column("line"), Column("pace", "%"), Column("left", "mm"), Column("costs", "s")]
    rows = []
    for k, slow in found.slower.items():
        stop = found.stops[k]
        pace = "none" if slow.times is None else f"{100.0 / slow.times:.0f}"
        rows.append([going(stop.end, stop.place.line), pace, _mm(slow.left), f"{slow.costs:.3f}"])
    return table(columns, rows)


def stress(found: ArmStress) -> Html:
    """Of each link: its worst, where along it, when, and the share of yield."""
    columns = [
        Column("link", number=False),
        Column("stress", "MPa"),
        Column("from its joint", "m"),
        Column("at", "s"),
        Column("of yield"),
    ]
    rows: list[list[object]] = []
    for name, most, place, when, share in stress_rows(found):
        rows.append([name, most, place, going(float(when), when) if when else NONE, share])
    return table(columns, rows)


def _mm(length: float) -> str:
    return f"{1e3 * length:.3g}"


def _seconds(settling: float | None) -> str:
    return f"over {LONGEST:g}" if settling is None else f"{settling:.3f}"
