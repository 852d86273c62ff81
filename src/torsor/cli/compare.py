"""``torsor compare``: the formulations beside each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from torsor import loading
from torsor.cli import DONE, NO
from torsor.cli.printing import WHOLE, numbers, print_facts, print_json, print_table, print_title
from torsor.cli.progress import progress, with_progress
from torsor.cli.shared_options import AllowNonphysical, EffortOption, Json, Packages, Robot, Strict
from torsor.errors import TorsorError

if TYPE_CHECKING:
    from torsor.papers import PaperTable
    from torsor.record_search import DeriveEffort

WhatOption = Annotated[
    str | None, Parameter(help="Compare one quantity: inverse-dynamics, mass-matrix ...; all, if not given.")
]
NoTiming = Annotated[bool, Parameter(name="--no-timing", negative="", help="Count operations only.")]
Papers = Annotated[
    str | None,
    Parameter(help="Instead of a ROBOT: the tables that fedorov, kvrgic, burdick or all of them argue with."),
]
Operations = Annotated[
    bool, Parameter(negative="", help="Instead of a ROBOT: the fewest operations in print, beside ours.")
]


def compare(
    robot: Robot | None = None,
    /,
    *,
    what: WhatOption = None,
    no_timing: NoTiming = False,
    papers: Papers = None,
    operations: Operations = False,
    effort: EffortOption | None = None,
    json: Json = False,
    package_path: Packages = None,
    allow_nonphysical: AllowNonphysical = False,
    strict: Strict = False,
) -> int:
    """Compares the formulations on an arm: operations, speed, agreement.

    Example: torsor compare irb140 --what inverse-dynamics

    Operations are M (multiplications, divisions) and A (additions, subtractions), as the formulation is traced and
    after simplification; what depends on the arm's numbers alone is free. Times are CPU time of one evaluation in
    machine code, one state after another and in a batch. The bar is the time of one call. The exit code is 1 if a
    formulation differs from the reference.

    Example: torsor compare --operations

    Without --effort it shows the records that came with Torsor, and what effort high finds elsewhere.
    """
    if operations:
        return _operations(effort, json=json)
    if papers is not None:
        return _papers(papers, json=json, timing=not no_timing)
    if robot is None:
        raise TorsorError("no ROBOT is given", hint="torsor compare irb140, or torsor compare --papers all")
    from torsor.comparing import contest  # the other commands need not wait for it

    arm = loading.load(robot, package_paths=package_path or (), allow_nonphysical=allow_nonphysical, strict=strict)
    todo = contest(arm.tree, what, timing=not no_timing)
    rows = with_progress(todo.todo, lambda each: f"{each[0].replace('_', ' ')} by {each[1]}", lambda e: todo.run(*e))
    found = todo.found(rows)
    if json:
        print_json(found.as_dict() | {"loops_opened": bool(arm.model.loops)})
    else:
        for title, titles, cells in found.tables():
            first, *middle, last = titles
            print_table(title, [WHOLE + first, *numbers(*middle), last], cells)
        if found.left_out:
            print_title("Left out")
            print_facts(found.left_out.items())
    return NO if any(row.wrong for row in rows) else DONE


def _papers(paper: str, *, json: bool, timing: bool) -> int:
    from torsor.papers import by_title, steps

    made = with_progress(steps(paper, timing=timing), lambda step: step.name, lambda step: step.run())
    return _printed(by_title(made), json)


def _operations(effort: DeriveEffort | None, *, json: bool) -> int:
    from torsor.papers import RECORDS, joined, record_steps

    with progress("", len(RECORDS)) as show:
        tables = [step.run() for step in record_steps(effort, show)]
    return _printed([joined(tables)], json)


def _printed(tables: Sequence[PaperTable], json: bool) -> int:
    if json:
        print_json({"tables": [table.as_dict() for table in tables]})
        return DONE
    for table in tables:
        first, *others = table.columns
        print_table(table.title, [WHOLE + first, *numbers(*others)], table.cells())
        print_facts([("", note) for note in table.notes])
    return DONE
