"""The steps of a run, in order, and its results as one document."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from torsor.bench import arm_rows, closed_form_rows, control_rows, growth_rows, startup_rows
from torsor.bench.findings import GrowthRow, Row
from torsor.bench.peers import machine
from torsor.loading import load
from torsor.measuring.stopwatch import FULL, QUICK

DEFAULT = ("ur5", "panda")


@dataclass(frozen=True)
class BenchStep:
    """A part of the run that is shown as one piece of progress."""

    name: str
    run: Callable[[], Iterable[Row | GrowthRow]]


@dataclass
class Agenda:
    """What will be measured. ``skipped`` fills while the steps run: peers that are missing, and why."""

    steps: list[BenchStep]
    skipped: dict[str, str]


def plan(names: Iterable[str] = DEFAULT, *, peers: bool = True, quick: bool = False) -> Agenda:
    """All steps for these arms; unknown names are found out at once, peers when their step is run."""
    effort = QUICK if quick else FULL
    skipped: dict[str, str] = {}
    steps: list[BenchStep] = []
    for name in names:
        arm = load(name).tree
        arm.model.require_inertia()
        contests: list[arm_rows.ArmContest] = []

        def part(rows: Callable[[arm_rows.ArmContest], Iterator[Row]], arm: Any, contests: Any) -> Iterator[Row]:
            if not contests:
                contests.append(arm_rows.ArmContest(arm, effort, wanted=peers, skipped=skipped))
            return rows(contests[0])

        for label, rows in (
            ("calls from Python", arm_rows.calls_from_python),
            ("native", arm_rows.kernel_alone),
            ("batches", arm_rows.batches),
            ("derivatives", arm_rows.derivative_batches),
            ("closed loops", control_rows.closed_loops),
        ):
            steps.append(BenchStep(f"{arm.name}: {label}", partial(part, rows, arm, contests)))
        steps.append(BenchStep(f"{arm.name}: first use", partial(startup_rows.first_use, name, arm.name, effort)))
    steps.append(BenchStep("free joints", partial(closed_form_rows.free_joints, effort)))
    steps.append(BenchStep("inverse kinematics", partial(closed_form_rows.inverse_kinematics, effort)))
    steps.append(BenchStep("import", partial(startup_rows.importing, effort)))
    for quantity in growth_rows.PROMISED:
        words = quantity.replace("_", " ")
        steps += [
            BenchStep(f"{joints} joints: {words}", _one(quantity, joints, effort, peers)) for joints in effort.sizes
        ]
    return Agenda(steps, skipped)


def _one(quantity: str, joints: int, effort: Any, peers: bool) -> Callable[[], Iterable[GrowthRow]]:
    return lambda: [growth_rows.growth(quantity, joints, effort, peers=peers)]


def document(rows: Iterable[Row | GrowthRow], skipped: dict[str, str]) -> dict[str, Any]:
    """All of a run as JSON data: times in seconds, ratios as how many times faster we are."""
    found = list(rows)
    return {
        "machine": machine(),
        "skipped": dict(skipped),
        "rows": [row.as_dict() for row in found if isinstance(row, Row)],
        "growth": [row.as_dict() for row in found if isinstance(row, GrowthRow)],
    }
