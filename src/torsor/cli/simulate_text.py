"""Figures of a run on a terminal: the sentence, a row for each joint, what happened, what was noticed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil, degrees, isfinite, log10
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from torsor.cli.printing import numbers, print_facts, print_table, print_title, print_written
from torsor.scenarios.figures import apart, saturated_time

if TYPE_CHECKING:
    from torsor.scenarios import Figures, Scenario
    from torsor.simulation import Run

MOST_EVENTS = 12
TORQUES = numbers("peak N m", "energy J")


def print_figures(figures: Figures, files: Mapping[str, Path]) -> None:
    run, scenario = figures.run, figures.scenario
    print_facts([_sentence(figures)])
    if scenario.reference is not None:
        _print_errors(figures)
    if scenario.tool or figures.motors != figures.followers or scenario.reference is None:
        rows = [[name, *_torque(figures, k)] for k, name in enumerate(figures.motors)]
        who = "joint" if figures.motors == tuple(run.arm.joint_names) else "motor"
        print_table("Torques", [who, *TORQUES], rows)
    if run.events:
        print_title("Events")
        print_facts((f"{event.time:.4g} s", event.name) for event in run.events[:MOST_EVENTS])
        if (left := len(run.events) - MOST_EVENTS) > 0:
            print_facts([(f"and {left} more", "--json has them all")])
    noticed = [*figures.scenario.remarks, *run.notes]
    if (late := saturated_time(run)) > 0.0:
        noticed.append(f"for {late:.4g} s the limits of motors kept them from giving what was asked")
    if noticed:
        print_title("Notes")
        print_facts(("", text) for text in noticed)
    print_written(files)


def print_apart(runs: Sequence[Run]) -> None:
    """How far runs by other formulations are from the first, by powers of ten: digits of rounding tell nothing."""
    if len(runs) < 2:
        return
    print_title("By other formulations")
    for run in runs[1:]:
        gaps = apart(runs[0], run)
        largest = max(each["apart"] or 0.0 for each in gaps)
        when = min((each["parts"] for each in gaps if each["parts"] is not None), default=None)
        far = f"by less than 1e{max(-12, ceil(log10(largest)))}" if largest else "by nothing"
        since = "" if when is None else f", from {when:.2g} s on so that it is seen: the motion is chaotic"
        print_facts([(run.by or "", f"apart from {runs[0].by} {far} rad (m){since}")])


def _sentence(figures: Figures) -> tuple[str, str]:
    run, scenario = figures.run, figures.scenario
    what = f"{scenario.name}: {scenario.arm.name} under {scenario.kind}"
    if run.stopped is not None:
        if run.stopped.reason != "interrupted":
            return "no", f"{what}: {run.stopped}"
        return "interrupted", f"{what}, {run.time[-1]:.4g} of {scenario.duration:g} s; what was computed is below"
    if figures.left_limits:
        first = next(event for event in run.events if event.joint is not None)
        return "no", f"{what}: {first.name} at {first.time:.4g} s"
    took = f"{run.time[-1]:.4g} s, stepped by {run.integrator}"
    if not scenario.asks_to_settle:
        return "ended", f"{what} came to its end, {took}; nothing is asked that could be answered"
    if names := figures.unsettled:
        return "no", f"{what}: {', '.join(names)} not settled within {_band(scenario)} after {took}"
    last = float(np.max(figures.settling_time, initial=0.0))
    return "yes", f"{what} settles within {_band(scenario)} in {last:.4g} s of {took}"


def _band(scenario: Scenario) -> str:
    """In which a joint, or the tool, counts as settled."""
    arm = scenario.arm
    slides = scenario.tool or arm.model.links_on(arm.joint_names)[0].joint.kind == "prismatic"
    return f"{1e3 * scenario.settled:g} mm" if slides else f"{degrees(scenario.settled):.3g} deg"


def _print_errors(figures: Figures) -> None:
    """Degrees for turning joints; mm for those that slide and for the tool."""
    scenario, arm = figures.scenario, figures.run.arm
    named = {link.joint.name: link.joint.kind for link in arm.model.links}
    kinds = ["prismatic"] * 3 if scenario.tool else [named[name] for name in arm.joint_names]
    mixed = len({kind == "prismatic" for kind in kinds}) > 1
    unit = "" if mixed else " mm" if kinds[0] == "prismatic" else " deg"
    together = not scenario.tool and figures.motors == figures.followers
    rows = []
    for k, name in enumerate(figures.followers):
        sliding = kinds[k] == "prismatic"

        def shown(value: float, sliding: bool = sliding) -> str:
            if not isfinite(value):
                return "-"
            size = 1e3 * value if sliding else degrees(value)
            text = f"{size:.3f}" if abs(size) >= 5e-4 else f"{size:.0e}" if abs(size) > 1e-9 else "0"
            return f"{text} {'mm' if sliding else 'deg'}" if mixed else text

        settled = figures.settling_time[k]
        errors = [shown(float(each[k])) for each in (figures.overshoot, figures.rms_error, figures.final_error)]
        row = [name, f"{settled:.3f}" if np.isfinite(settled) else "not yet", *errors]
        rows.append(row + _torque(figures, k) if together else row)
    columns = numbers("settles s", f"over{unit}", f"RMS{unit}", f"end{unit}") + TORQUES * together
    who = "tool" if scenario.tool else "joint"
    print_table(f"Settled is within {_band(scenario)}; over: overshoot, RMS and end: error", [who, *columns], rows)


def _torque(figures: Figures, k: int) -> list[str]:
    return [f"{figures.peak_torque[k]:.2f}".replace("-0.00", "0.00"), f"{figures.work[k]:.2f}"]
