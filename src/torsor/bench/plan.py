"""The steps of a run, in order, and its results as one document."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from torsor.bench import closed_form, growth, loops, robots, startup
from torsor.bench.peers import machine
from torsor.bench.rows import GrowthRow, Row
from torsor.loading import load
from torsor.measuring.stopwatch import FULL, QUICK

DEFAULT = ("ur5", "panda")


@dataclass(frozen=True)
class Step:
    """A part of the run that is shown as one piece of progress."""

    name: str
    run: Callable[[], Iterable[Row | GrowthRow]]


@dataclass
class Plan:
    """What will be measured. ``skipped`` fills while the steps run: peers that are missing, and why."""

    steps: list[Step]
    skipped: dict[str, str]


def plan(names: Iterable[str] = DEFAULT, *, peers: bool = True, quick: bool = False) -> Plan:
    """All steps for these arms; unknown names are found out at once, peers when their step is run."""
    effort = QUICK if quick else FULL
    skipped: dict[str, str] = {}
    steps: list[Step] = []
    for name in names:
        arm = load(name).tree
        arm.model.require_inertia()
        contests: list[robots.Contest] = []

        def part(rows: Callable[[robots.Contest], Iterator[Row]], arm: Any, contests: Any) -> Iterator[Row]:
            if not contests:
                contests.append(robots.Contest(arm, effort, wanted=peers, skipped=skipped))
            return rows(contests[0])

        for label, rows in (
            ("calls from Python", robots.calls_from_python),
            ("native", robots.kernel_alone),
            ("batches", robots.batches),
            ("derivatives", robots.derivative_batches),
            ("closed loops", loops.closed_loops),
        ):
            steps.append(Step(f"{arm.name}: {label}", partial(part, rows, arm, contests)))
        steps.append(Step(f"{arm.name}: first use", partial(startup.first_use, name, arm.name, effort)))
    steps.append(Step("driven joints", partial(closed_form.driven_joints, effort)))
    steps.append(Step("inverse kinematics", partial(closed_form.inverse_kinematics, effort)))
    steps.append(Step("import", partial(startup.importing, effort)))
    for quantity in growth.PROMISED:
        words = quantity.replace("_", " ")
        steps += [Step(f"{joints} joints: {words}", _one(quantity, joints, effort, peers)) for joints in effort.sizes]
    return Plan(steps, skipped)


def _one(quantity: str, joints: int, effort: Any, peers: bool) -> Callable[[], Iterable[GrowthRow]]:
    return lambda: [growth.growth(quantity, joints, effort, peers=peers)]


def document(rows: Iterable[Row | GrowthRow], skipped: dict[str, str]) -> dict[str, Any]:
    """All of a run as JSON data: times in seconds, ratios as how many times faster we are."""
    found = list(rows)
    return {
        "machine": machine(),
        "skipped": dict(skipped),
        "rows": [row.as_dict() for row in found if isinstance(row, Row)],
        "growth": [row.as_dict() for row in found if isinstance(row, GrowthRow)],
    }
