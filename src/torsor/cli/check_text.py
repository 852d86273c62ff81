"""The verdict on a terminal: the sentence, a row for each move, a row for each motor, problems, what to change."""

from __future__ import annotations

from collections.abc import Sequence
from math import degrees, isfinite
from typing import TYPE_CHECKING

import numpy as np

from torsor.checking.shown.verdict_tables import unit_of_power
from torsor.checking.verdict import percent
from torsor.cli.printing import numbers, print_facts, print_table, print_title

if TYPE_CHECKING:
    from torsor.checking.moves import MoveTaken
    from torsor.checking.problems import Problem, Remark
    from torsor.checking.verdict import Verdict

MOST_MOVES = 60  # rows; longer programs show the worst moves, --json and --report have all
MOST_PROBLEMS = 12
MOST_NOTES = 20


def print_verdict(verdict: Verdict) -> None:
    """Everything but where the results were written."""
    print_facts([(verdict.answer, verdict.headline)])
    _print_moves(verdict)
    _print_motors(verdict)
    if verdict.problems:
        _print_first("Problems", verdict.problems, MOST_PROBLEMS)
        _print_advice(verdict)
    if verdict.assumed:
        _print_assumed(verdict)
    if verdict.notes:
        _print_first("Notes", verdict.notes, MOST_NOTES)
    if verdict.conditions is not None:
        print_title("Checked with")
        print_facts(verdict.conditions.items())


def _print_assumed(verdict: Verdict) -> None:
    print_title("Assumed, as the program does not say")
    for each in verdict.assumed[:MOST_NOTES]:
        where = "" if each.place is None else f"line {each.place.line}"
        print_facts([(where, f"{each.text}; {each.cure}" if each.cure else each.text)])
    if (left := len(verdict.assumed) - MOST_NOTES) > 0:
        print_facts([(f"and {left} more", "--json and --report have them all")])


def _print_first(title: str, said: Sequence[Problem | Remark], most: int) -> None:
    print_title(title)
    print_facts(("" if each.place is None else f"line {each.place.line}", each.text) for each in said[:most])
    if (left := len(said) - most) > 0:
        print_facts([(f"and {left} more", "--json and --report have them all")])


def _print_moves(verdict: Verdict) -> None:
    shown = verdict.moves
    said = verdict.machine.rms_said
    title = "Moves: shares of limits in percent" + (f", RMS of {said} torque" if said else "")
    if len(shown) > MOST_MOVES:
        worst = sorted(shown, key=lambda move: -_worst(move))[:MOST_MOVES]
        shown = sorted(worst, key=lambda move: move.index)
        title = f"The {MOST_MOVES} hardest of {len(verdict.moves)} rows: {title}"
    unit, factor = unit_of_power(verdict)
    digits = 0 if unit == "W" and verdict.peak_power >= 10.0 else 2
    columns = [">line", "~move", ">at s", ">takes s", ">torque", "by", ">RMS", ">speed", f">{unit}"]
    print_table(title, columns, [[*_row(verdict, move), _power(factor * move.peak_power, digits)] for move in shown])
    late = [move for move in verdict.moves if move.saturated_time or move.deviation]
    columns = [">line", "by", ">for s", ">off the path mm", ">turned deg"]
    print_table("Where motors cannot follow", columns, [_late_row(verdict, move) for move in late[:MOST_MOVES]])


def _worst(move: MoveTaken) -> float:
    return max(move.torque.worst, move.motor_speed.worst, move.speed.worst, move.acceleration.worst)


def _row(verdict: Verdict, move: MoveTaken) -> list[object]:
    motor = verdict.motors[int(move.torque.share.argmax())]
    torque = percent(move.torque.worst), motor, percent(float(move.rms_share.max(initial=0.0)))
    speed = percent(max(move.speed.worst, move.motor_speed.worst))
    return [
        move.place.line,
        f"{move.kind} {move.target}",
        f"{move.start:.2f}",
        f"{move.duration:.2f}",
        *(torque if verdict.known.torque else "---"),
        speed if verdict.known.speed else "-",
    ]


def _late_row(verdict: Verdict, move: MoveTaken) -> list[object]:
    motors = dict.fromkeys(verdict.motors[span.motor] for span in move.saturated)
    return [
        move.place.line,
        ", ".join(motors) or "speed limits",
        f"{move.saturated_time:.2f}" if move.saturated_time else "-",
        f"{1e3 * move.deviation:.1f}",
        f"{degrees(move.turned):.2f}",
    ]


def _print_motors(verdict: Verdict) -> None:
    machine = verdict.machine
    if not verdict.moves:
        return
    who = "motor" if machine.at_motors else "joint"
    unit = ", ".join(dict.fromkeys(machine.units))
    columns = [who, *numbers(f"limit {unit}", f"asked {unit}", "%", "at s", "line", f"RMS {unit}", "%", "speed %")]
    torque, rms, largest = verdict.peak("torque"), verdict.rms, verdict.largest
    speed = verdict.peak("motor_speed") if machine.at_motors else verdict.peak("speed")
    limits = machine.motor_speeds if machine.at_motors else machine.speeds
    rows = []
    for k, name in enumerate(verdict.motors):
        worst = max(verdict.moves, key=lambda move: move.torque.share[k])
        limit, asked, mean = machine.peaks[k], _size(largest[k]), _size(rms[k])
        row: list[object] = [name, "unknown", asked, "-", "-", "-", mean]
        if np.isfinite(limit) and not machine.weighed:
            row[1] = f"{limit:.4g}"
        elif np.isfinite(limit):
            peak = percent(float(torque[k])), f"{worst.torque.time[k]:.2f}", worst.place.line
            row = [name, f"{limit:.4g}", asked, *peak, mean]
        row.append(percent(float(rms[k] / machine.rms_limits[k])) if machine.rms_of[k] and machine.weighed else "-")
        rows.append([*row, percent(float(speed[k])) if np.isfinite(limits[k]) else "-"])
    title = "Motors" if machine.at_motors else "Joints"
    print_table(title + (f": RMS in percent of {machine.rms_said} torque" if machine.rms_said else ""), columns, rows)


def _print_advice(verdict: Verdict) -> None:
    advice = verdict.advice
    print_title("What to change")
    print_facts([("", "no slower pace makes this program feasible" if advice is None else advice.sentence)])
    if advice is not None:
        print_facts((f"line {line}", what) for line, what in advice.items())
    if verdict.remedies:
        print_title("What else would do")
        print_facts((remedy.kind, remedy.text) for remedy in verdict.remedies)


def _size(value: float) -> str:
    return f"{value:.3g}" if isfinite(value) else "-"


def _power(value: float, digits: int) -> str:
    return f"{value:.{digits}f}" if isfinite(value) else "-"
