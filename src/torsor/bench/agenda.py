"""The steps of a run, in order, and its results as one document."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

from torsor.bench import arm_rows, closed_form_rows, control_rows, growth_rows, startup_rows
from torsor.bench.findings import GrowthRow, Row
from torsor.bench.peers import machine
from torsor.loading import load
from torsor.measuring.stopwatch import FULL, QUICK

DEFAULT = ("ur5", "panda")
OF_AN_ARM = {
    "calls from Python": arm_rows.calls_from_python,
    "native": arm_rows.kernel_alone,
    "batches": arm_rows.batches,
    "derivatives": arm_rows.derivative_batches,
    "closed loops": control_rows.closed_loops,
}


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
    todo: dict[str, Callable[[], Iterable[Row | GrowthRow]]] = {}
    for name in names:
        arm = load(name).tree
        arm.model.require_inertia()
        contest = cache(partial(arm_rows.ArmContest, arm, effort, wanted=peers, skipped=skipped))
        for label, rows in OF_AN_ARM.items():
            todo[f"{arm.name}: {label}"] = lambda rows=rows, contest=contest: rows(contest())  # type: ignore[misc]
        todo[f"{arm.name}: first use"] = partial(startup_rows.first_use, name, arm.name, effort)
    todo["free joints"] = partial(closed_form_rows.free_joints, effort)
    todo["inverse kinematics"] = partial(closed_form_rows.inverse_kinematics, effort)
    todo["import"] = partial(startup_rows.importing, effort)
    for quantity in growth_rows.PROMISED:
        for joints in effort.sizes:
            grown = partial(growth_rows.growth, quantity, joints, effort, peers=peers)
            todo[f"{joints} joints: {quantity.replace('_', ' ')}"] = grown
    return Agenda([BenchStep(name, run) for name, run in todo.items()], skipped)


def document(rows: Iterable[Row | GrowthRow], skipped: dict[str, str]) -> dict[str, Any]:
    """All of a run as JSON data: times in seconds, ratios as how many times faster we are."""
    found = list(rows)
    kinds = {"rows": Row, "growth": GrowthRow}
    of_kind = {key: [row.as_dict() for row in found if isinstance(row, kind)] for key, kind in kinds.items()}
    return {"machine": machine(), "skipped": dict(skipped), **of_kind}
