"""The tables of a verdict: moves, motors, bearings, problems."""

from __future__ import annotations

from math import degrees, isfinite, pi
from typing import Any

import numpy as np

from torsor.checking.moves import ROUNDING, MoveTaken
from torsor.checking.verdict import Verdict, percent
from torsor.report.markup import Column, Html, element, table
from torsor.report.program_listing import first, to_line

MOST_MOVES = 2000  # rows that a browser still scrolls through
NONE = "\u2013"  # a dash, where there is nothing to say


def unit_of_power(verdict: Verdict) -> tuple[str, float]:
    """kW for large arms, W for small ones, and the factor to it."""
    return ("kW", 1e-3) if verdict.peak_power >= 1e3 else ("W", 1.0)


def shown_moves(verdict: Verdict) -> list[MoveTaken]:
    """All moves; of a program with very many the hardest."""
    if len(verdict.moves) <= MOST_MOVES:
        return verdict.moves
    hardest = sorted(verdict.moves, key=lambda move: (move.feasible, -move.torque.worst, -move.speed.worst))
    return sorted(hardest[:MOST_MOVES], key=lambda move: move.index)


def moves(verdict: Verdict) -> Html:
    """A row for each move."""
    known = verdict.known
    unit, factor = unit_of_power(verdict)
    columns = [
        Column("line"),
        Column("move", number=False),
        Column("to", number=False),
        Column("from", "s"),
        Column("takes", "s"),
        Column("torque", "% of limit", tip="the most that a motor is asked for, as a share of what it gives"),
        Column("motor", number=False),
        Column(
            "RMS",
            f"% of {verdict.machine.rms_said or NONE}",
            tip="root mean square torque of the hardest-working motor, as a share of its continuous or peak torque",
        ),
        Column("speed", "% of limit", tip="joint or motor, whichever is nearer to its limit"),
        Column("acc.", "% of limit"),
        Column("tool", "m/s"),
        Column("saturated", "s"),
        Column("off path", "mm"),
        Column("turned", "deg"),
        Column("energy", unit.replace("W", "J"), tip="given by the motors, what they take back subtracted"),
        Column("power", unit, tip="largest mechanical power of all motors together"),
    ]
    rows = []
    for move in shown_moves(verdict):
        motor = int(move.torque.share.argmax()) if move.torque.share.size else 0
        speed = max(move.speed.worst, move.motor_speed.worst)
        late = move.saturated_time > 0.0 or move.deviation > 0.0
        cells = [
            to_line(move.place.line),
            move.kind,
            move.target,
            f"{move.start:.2f}",
            f"{move.duration:.2f}",
            meter(move.torque.worst) if known.torque else NONE,
            verdict.motors[motor] if known.torque and move.torque.worst > 0 else NONE,
            _percent(float(move.rms_share.max(initial=0.0))) if known.torque else NONE,
            _percent(speed) if known.speed else NONE,
            _percent(move.acceleration.worst) if known.acceleration else NONE,
            f"{move.tool_speed:.3f}",
            f"{move.saturated_time:.2f}" if move.saturated_time else NONE,
            f"{1e3 * move.deviation:.1f}" if late else NONE,
            f"{degrees(move.turned):.2f}" if late else NONE,
            _number(factor * move.energy, ".2f"),
            _number(factor * move.peak_power, ".2f"),
        ]
        rows.append((cells, {"class_": None if move.feasible else "bad", "id": f"move{move.index}"}))
    return table(columns, rows, class_="moves")


def meter(share: float) -> Html:
    """The number with a bar behind it that is full at the limit."""
    state = "over" if share > 1.0 + ROUNDING else "high" if share > 0.9 else "fine"
    bar = element("rect", width=f"{100 * min(share, 1.0):.1f}%", height="100%")
    return element(
        "span", element("svg", bar, aria_hidden="true"), element("b", _percent(share)), class_=f"meter {state}"
    )


def _percent(share: float) -> str:
    return percent(share) if isfinite(share) else "∞"


def _number(value: float, form: str) -> str:
    return format(value, form) if isfinite(value) else NONE


def motors(verdict: Verdict) -> Html:
    """A row for each motor."""
    machine = verdict.machine
    at_motors = machine.at_motors
    columns = [
        Column("motor" if at_motors else "joint", number=False),
        Column("limit", ", ".join(dict.fromkeys(machine.units))),
        Column("asked for", ", ".join(dict.fromkeys(machine.units))),
        Column("asked for", "% of limit"),
        Column("at", "s"),
        Column("line"),
        Column("RMS", ", ".join(dict.fromkeys(machine.units))),
        Column("RMS", f"% of {machine.rms_said or NONE}"),
        *([Column("top speed", "rpm"), Column("reached", "% of it")] if at_motors else []),
    ]
    torque, rms, speed = verdict.peak("torque"), verdict.rms, verdict.peak("motor_speed")
    rows: list[Any] = []
    for k, name in enumerate(verdict.motors):
        worst = max(verdict.moves, key=lambda move: move.torque.share[k], default=None)
        limit = machine.peaks[k]
        known = isfinite(limit) and worst is not None and machine.weighed
        top = machine.motor_speeds[k]
        cells: list[object] = [
            name,
            f"{limit:.4g}" if isfinite(limit) else "unknown",
            _number(verdict.largest[k], ".3g"),
            meter(float(torque[k])) if known else NONE,
            f"{worst.torque.time[k]:.2f}" if known and worst else NONE,
            to_line(worst.place.line) if known and worst else NONE,
            _number(rms[k], ".3g"),
            _percent(float(rms[k] / machine.rms_limits[k])) if machine.rms_of[k] and machine.weighed else NONE,
        ]
        if at_motors:
            cells += [f"{top * 30 / pi:.0f}" if isfinite(top) else "unknown"]
            cells += [_percent(float(speed[k])) if isfinite(top) else NONE]
        over = bool(torque[k] > 1.0 + ROUNDING or speed[k] > 1.0 + ROUNDING)
        rows.append((cells, {"class_": "bad" if over else None}))
    return table(columns, rows)


def bearings(verdict: Verdict) -> Html:
    """Largest force and tilting moment of each bearing, over the program, and the line it belongs to."""
    names = verdict.machine.bearing_names
    if not names or not verdict.moves or not verdict.known.masses:
        return Html("")
    columns = [Column("bearing of", number=False), Column("force", "N"), Column("line")]
    columns += [Column("tilting moment", "N m"), Column("line")]
    loads = [[move.force for move in verdict.moves], [move.moment for move in verdict.moves]]
    at, most = np.argmax(loads, axis=1), np.max(loads, axis=1)  # (2, bearings)
    rows: list[list[object]] = [[name] for name in names]
    for kind, k in np.ndindex(at.shape):
        rows[k] += [f"{most[kind, k]:,.0f}".replace(",", " "), to_line(verdict.moves[at[kind, k]].place.line)]
    return table(columns, rows)


def problems(verdict: Verdict, most: int = 40) -> Html:
    """The problems of each line responsible, the gravest first."""
    by_line = verdict.texts
    items = [
        element(
            "li", to_line(line, f"line {line}"), element("span", *(element("span", each) for each in first(said, 4)))
        )
        for line, said in list(by_line.items())[:most]
    ]
    left = len(by_line) - most
    if left > 0:
        items.append(element("li", element("span", f"and {left} more lines: the table of moves shows them all")))
    return element("ol", *items, class_="problems")
