"""The steps of a run, in order, and its results as one document."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any

from torsor.bench import (
    arm_rows,
    closed_form_rows,
    control_rows,
    drive_rows,
    elastic_rows,
    growth_rows,
    port_rows,
    startup_rows,
)
from torsor.bench.findings import AnyRow, GrowthRow, PortRow, Row
from torsor.bench.peers import machine
from torsor.loading import load
from torsor.measuring.stopwatch import FULL, QUICK

DEFAULT = ("ur5", "panda")
OF_AN_ARM = {
    "calls from Python": arm_rows.calls_from_python,
    "native": arm_rows.kernel_alone,
    "batches": arm_rows.batches,
    "float32": arm_rows.single_precision_batches,
    "derivatives": arm_rows.derivative_batches,
    "closed loops": control_rows.closed_loops,
}


@dataclass(frozen=True)
class BenchStep:
    """A part of the run that is shown as one piece of progress."""

    name: str
    run: Callable[[], Iterable[AnyRow]]


@dataclass
class Agenda:
    """What will be measured. While the steps run fill ``skipped``, peers that are missing and why, and ``settings``."""

    steps: list[BenchStep]
    skipped: dict[str, str]
    settings: dict[str, str] = field(default_factory=dict)  # of peers that have to be told how to step


def plan(names: Iterable[str] = DEFAULT, *, peers: bool = True, quick: bool = False) -> Agenda:
    """All steps for these arms; unknown names are found out at once, peers when their step is run."""
    effort = QUICK if quick else FULL
    skipped: dict[str, str] = {}
    settings: dict[str, str] = {}
    todo: dict[str, Callable[[], Iterable[AnyRow]]] = {}
    for name in names:
        arm = load(name).tree
        arm.model.require_inertia()
        contest = cache(partial(arm_rows.ArmContest, arm, effort, wanted=peers, skipped=skipped))
        for label, rows in OF_AN_ARM.items():
            todo[f"{arm.name}: {label}"] = lambda rows=rows, contest=contest: rows(contest())  # type: ignore[misc]
        todo[f"{arm.name}: ports"] = lambda contest=contest: port_rows.at_the_ports(contest(), settings)  # type: ignore[misc]
        todo[f"{arm.name}: first use"] = partial(startup_rows.first_use, name, arm.name, effort)
    todo["free joints"] = partial(closed_form_rows.free_joints, effort)
    todo["inverse kinematics"] = partial(closed_form_rows.inverse_kinematics, effort)
    todo["achievable motion"] = partial(drive_rows.worst_cycle, effort)
    elastic = elastic_rows.ElasticContest(effort, peers, skipped, settings)
    for label, asked in elastic_rows.STEPS.items():
        todo[f"elastic links: {label}"] = partial(asked, elastic)
    todo["import"] = partial(startup_rows.importing, effort)
    for quantity in growth_rows.PROMISED:
        for joints in effort.sizes:
            grown = partial(growth_rows.growth, quantity, joints, effort, peers=peers)
            todo[f"{joints} joints: {quantity.replace('_', ' ')}"] = grown
    return Agenda([BenchStep(name, run) for name, run in todo.items()], skipped, settings)


def document(rows: Iterable[AnyRow], skipped: dict[str, str], settings: dict[str, str] | None = None) -> dict[str, Any]:
    """All of a run as JSON data: times in seconds, ratios as how many times faster we are."""
    found = list(rows)
    kinds: dict[str, type] = {"rows": Row, "ports": PortRow, "growth": GrowthRow}
    of_kind = {key: [row.as_dict() for row in found if isinstance(row, kind)] for key, kind in kinds.items()}
    return {"machine": machine(), "skipped": dict(skipped), "settings": dict(settings or {}), **of_kind}
