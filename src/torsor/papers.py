"""Counts that the published works argue with, beside today's by one rule for all: ``torsor compare --papers all``.

The rule, for every row of every table: M are multiplications and divisions, A additions and subtractions; sines and
cosines are counted apart; all that depends on the arm's parameters alone is free, and nothing else is: poses, centres
of mass and inertias in base axes are work like the rest. No tool force, no friction.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import log2
from typing import Any

import numpy as np

from torsor import scenarios
from torsor.algebra import Count, count, simplify
from torsor.algebra.counting import nodes_of, tally
from torsor.algebra.node import Node
from torsor.algebra.telling import listening
from torsor.algebra.walk import reachable
from torsor.arm import Arm
from torsor.comparing import compare
from torsor.deriving import derive, has_record
from torsor.errors import Unsupported, did_you_mean
from torsor.loading import load
from torsor.measuring.chains import general_arm
from torsor.measuring.state_loop import kernel_work
from torsor.measuring.states import states
from torsor.measuring.stopwatch import FULL, compared
from torsor.mechanics.asking import Question
from torsor.mechanics.canonical import Trees
from torsor.mechanics.quantities import QUANTITIES
from torsor.mechanics.tree import Tree, lower
from torsor.model import Frame, Model
from torsor.record_search import DeriveEffort, SearchProgress
from torsor.scenarios.figures import apart
from torsor.shipped import shipped
from torsor.simulation import SimulationNotice

PaperCell = str | int | Count
RECORD_TITLE = "Least operations: in print, by OpenSYMORO, and here "


@dataclass(frozen=True)
class PaperTable:
    """One table of a paper, with what is counted today and what follows from it."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[PaperCell, ...], ...]
    notes: tuple[str, ...] = ()

    def cells(self) -> list[list[str]]:
        return [[cell.cost if isinstance(cell, Count) else str(cell) for cell in row] for row in self.rows]

    def as_dict(self) -> dict[str, Any]:
        rows = [[{"M": c.M, "A": c.A, "trig": c.trig} if isinstance(c, Count) else c for c in row] for row in self.rows]
        return {"title": self.title, "columns": list(self.columns), "rows": rows, "notes": list(self.notes)}


@dataclass(frozen=True)
class PaperStep:
    """One table to be made."""

    name: str
    run: Callable[[], PaperTable]


def steps(paper: str = "all", *, timing: bool = True) -> list[PaperStep]:
    """The tables of one paper, or of all: "fedorov", "kvrgic", "burdick"."""
    tables = {
        "fedorov": [
            *(PaperStep(f"Fedorov, figure {name}", partial(fedorov_run, name, timing=timing)) for name in RUNS),
            PaperStep("Fedorov, table 6.2", partial(fedorov, timing=timing)),
        ],
        "kvrgic": [
            PaperStep("Kvrgic & Vidakovic, table 1", kvrgic_1),
            PaperStep("Kvrgic & Vidakovic, table 2", lambda: kvrgic_2(load("rl15").model)),
            PaperStep("Kvrgic & Vidakovic, table 2", lambda: kvrgic_2(general_arm(6))),
            PaperStep("Kvrgic & Vidakovic, table C1", kvrgic_c1),
            PaperStep("growth with the number of joints", growth),
        ],
        "burdick": [PaperStep("Burdick, OpenSYMORO and others", records)],
    }
    if paper != "all" and paper not in tables:
        raise Unsupported(f"there are no tables of {paper!r}", hint=did_you_mean(paper, [*tables, "all"]))
    return [step for name, each in tables.items() if paper in (name, "all") for step in each]


def first_joints(model: Model, n: int) -> Model:
    """The arm cut off behind its n-th link."""
    return replace(model, links=model.links[:n], tool=Frame(n - 1, np.eye(4)), drives=(), payload=None, frames={})


def counted(trees: Trees, by: str, quantity: str = "forward_dynamics", *, lean: bool = False) -> Count:
    """Operations after simplification, in the frames and with the inertia of the file, or with the lean ones."""
    return count(simplify(_traced(trees.lean if lean else trees.plain, by, quantity)))


def _traced(tree: Tree, by: str, quantity: str = "forward_dynamics") -> Any:
    return Question(Trees(tree, tree), QUANTITIES[quantity], by=by).traced().outputs


# Fedorov's simulations by figure: the scenario, and how long each took there, as his text has it. His table 6.1 prints
# 6 min for the first, of which the text says "only 6 seconds", and minutes for seconds of simulated time.
RUNS = {
    "6.2": ("irb140_open_loop_2", "10 s in 6 s", "10 s in 7 min"),
    "6.3": ("irb140_closed_loop_1", "5 s in 28 min", "2.3 s in 18 h"),
    "6.5": ("irb140_closed_loop_2", "5 s in 32 min", "2.3 s in 18 h"),
    "6.7": ("irb140_closed_loop_3", "5 s in 27 min", "2.3 s in 18 h"),
}


def fedorov_run(figure: str, *, timing: bool) -> PaperTable:
    """One simulation of table 6.1 by both formulations: how long it takes, once compiled, and how far they part."""
    name, *printed = RUNS[figure]
    scenario = scenarios.read(shipped(f"scenarios/{name}.toml"))
    runs, took = [], []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SimulationNotice)  # that loops are stiff stands in the notes
        for by in scenario.by:
            runs.append(scenario.run(by=by))
            begun = time.process_time()
            if timing:
                scenario.run(by=by)
            took.append(time.process_time() - begun)
    gaps = apart(*runs)
    parts = min((each["parts"] for each in gaps if each["parts"] is not None), default=None)
    agree = "to 1e-3 rad always" if parts is None else f"to 1e-3 rad for {parts:.1g} s"
    ours = [f"{scenario.duration:g} s in {seconds:.2g} s" if timing else "not timed" for seconds in took]
    return PaperTable(
        "Fedorov 2015, table 6.1: simulated time and real time",
        ("figure", "thesis: newton-euler", "exponentials", "here: newton-euler", "exponentials", "agree"),
        ((figure, *printed, *ours, agree),),
        (
            "Times here are CPU time of a run, once compiled. The thesis used Simulink and stopped its exponentials at "
            "2.3 s. Table 6.1 prints 6 min for Newton-Euler of figure 6.2, and min for s of the simulated times of "
            "exponentials; the text has what stands here.",
            "Closed loops are stiff (a pole at -2.3e4 1/s) and stepped implicitly. The open loop is chaotic: what "
            "rounds differently parts after some seconds.",
        ),
    )


def fedorov(*, timing: bool) -> PaperTable:
    """Newton-Euler against exponentials for inverse dynamics of the IRB 140."""
    arm = load("irb140")
    found = compare(arm, "inverse_dynamics", timing=False)
    pair = [found.row("inverse_dynamics", by) for by in ("newton-euler", "exponentials")]
    plain = [counted(arm._trees, row.by, "inverse_dynamics") for row in pair]
    rows: list[tuple[PaperCell, ...]] = [
        ("operations in the thesis", "16080", "39001", "2.4"),
        ("as traced", *(row.traced for row in pair), _ratio(*(row.traced.total for row in pair))),
        ("simplified", *(row.simplified for row in pair), _ratio(*(row.simplified.total for row in pair))),
        ("simplified, frames of the file", *plain, _ratio(*(each.total for each in plain))),
    ]
    if timing:
        rows += [(what, *_side_by_side(arm, batch=batch)) for what, batch in (("ns", False), ("ns, in a batch", True))]
    return PaperTable(
        "Fedorov 2015, table 6.2: inverse dynamics of the IRB 140",
        ("", "newton-euler", "exponentials", "ratio"),
        tuple(rows),
        ("The thesis counts the operations in each of its equations; how, it does not say.",),
    )


def _side_by_side(arm: Arm, *, batch: bool) -> tuple[str, str, str]:
    """Both in machine code, taking turns, so that a slow phase of the machine hits both."""
    inputs = states(1024, arm.n)
    kernels = (arm.kernel("inverse_dynamics", by=name) for name in ("newton-euler", "exponentials"))
    works = (kernel_work(kernel, inputs) for kernel in kernels)
    ours, theirs = (whole if batch or single is None else single for _, single, whole in works)
    found = compared(ours, theirs, FULL)
    return f"{found.ours * 1e9:.0f}", f"{found.theirs * 1e9:.0f}", f"{found.ratio:.1f}"


def kvrgic_1() -> PaperTable:
    """mRNEA for forward dynamics of 3 to 6 joints."""
    printed = {3: "241 M 188 A", 4: "484 M 376 A", 5: "854 M 662 A", 6: "1356 M 1038 A"}
    model = load("rl15").model
    rows = []
    for n, theirs in printed.items():
        rl15, general = (Trees(lower(each)) for each in (first_joints(model, n), general_arm(n)))
        rows.append((n, theirs, counted(rl15, "mrnea"), counted(rl15, "mrnea-link"), counted(general, "mrnea")))
    return PaperTable(
        "Kvrgic & Vidakovic 2020, table 1: forward dynamics by mRNEA",
        ("joints", "paper", "RL15", "RL15, link axes", "general arm"),
        tuple(rows),
        (
            "RL15 is cut off behind its n-th link. The paper has r_cm, p_e and I_cm in base axes for free (247 M 114 A "
            "for six joints); here only parameters are.",
        ),
    )


METHODS = {  # name, as the paper abbreviates it, its count
    "walker-orin-1": ("WO1", "3418 M 2502 A"),
    "walker-orin-2": ("WO2", "2308 M 1692 A"),
    "walker-orin-3": ("WO3", "1627 M 1255 A"),
    "articulated": ("ABA", "2190 M 1915 A"),
    "denoc": ("DeNOC", "2008 M 1919 A"),
    "mrnea": ("mRNEA", "1356 M 1038 A"),
    "mrnea-link": ("link mRNEA", ""),
}


def kvrgic_2(model: Model) -> PaperTable:
    """Forward dynamics of six joints by the methods of the paper."""
    trees = Trees(lower(model))
    rows = [(by, theirs, counted(trees, by), counted(trees, by, lean=True)) for by, (_, theirs) in METHODS.items()]
    return PaperTable(
        f"Kvrgic & Vidakovic 2020, table 2: forward dynamics of six joints, {model.name}",
        ("", "paper", "frames of the file", "lean"),
        tuple(rows),
        (
            "articulated is Featherstone's method, walker-orin-3 the composite bodies, denoc Saha's (2003). lean: "
            "frames on common normals and base inertial parameters, the same arm at less cost.",
            "Mohan & Saha (2007) do the elimination of denoc with fewer operations, 1948 M 1667 A in the paper; how, "
            "it does not say, so that there is no page of it here.",
        ),
    )


# groups of vectors in the order of table C1, the letters that our page tells them by, and what the paper's rows of them
# add up to in the English text
VECTORS = (
    ("r_cm, p*, I_cm in base axes", ("z", "mr", "I"), "247 M 114 A"),
    ("b: accelerations of centres of mass", ("w", "wd'", "a'", "b"), "276 M 153 A"),
    ("e: forces of links", ("e", "e'"), "216 M 129 A"),
    ("d: moments of links", ("d", "d'"), "524 M 370 A"),
    ("n': moments handed down", ("f", "f'", "n", "n'"), "240 M 327 A"),
    ("u, and qdd by elimination", (), "233 M 188 A"),
)


def kvrgic_c1() -> PaperTable:
    """Which vectors cost what in mRNEA of the RL15: operations that a group needs beside those of the groups above."""
    with listening() as heard:
        outputs = _traced(Trees(lower(load("rl15").model)).plain, "mrnea")
    rows: list[tuple[PaperCell, ...]] = []
    seen: set[Node] = set()
    for title, letters, theirs in VECTORS:
        roots = [each.node for each in heard if each.letter in letters] if letters else nodes_of(outputs)
        new = (reachable(roots) & reachable(nodes_of(outputs))) - seen
        rows.append((title, theirs, tally((node.op, node.fixed) for node in new if node.args)))
        seen |= new
    rows.append(("all", "1735 M 1275 A", count(outputs)))
    return PaperTable(
        "Kvrgic & Vidakovic 2020, table C1: mRNEA of the RL15, vector by vector",
        ("", "paper", "here, as traced"),
        tuple(rows),
        (
            "The rows of the paper add up to 1736 M 1281 A, not to the 1735 M 1275 A that it prints; the Serbian text "
            "prints 1480 M 1152 A. Here inertia is about the origins of links, not their centres of mass.",
        ),
    )


SIZES = tuple(range(3, 13))


def growth() -> PaperTable:
    """M + A of forward dynamics of general arms, as traced: what the formulation asks for, before any search."""
    methods = {name: each for name, each in METHODS.items() if name != "denoc"}  # the elimination of ABA, written out
    totals: dict[str, list[int]] = {name: [] for name in methods}
    for n in SIZES:
        tree = lower(general_arm(n))
        for name, counts in totals.items():
            counts.append(count(_traced(tree, name)).total)
    rows: list[tuple[PaperCell, ...]] = [(str(n), *of_n) for n, *of_n in zip(SIZES, *totals.values(), strict=True)]
    rows.append(("order", *(f"n^{degree(counts)}" for counts in totals.values())))
    six, twelve = SIZES.index(6), SIZES.index(12)
    rows.append(("12 / 6", *(f"{counts[twelve] / counts[six]:.2f}" for counts in totals.values())))
    paper = (1356 + 1038) / (241 + 188)
    return PaperTable(
        "Growth: M + A of forward dynamics of general arms, as traced",
        ("joints", *(short for short, _ in methods.values())),
        tuple(rows),
        (
            "order: the degree of the polynomial that the counts lie on, by their differences.",
            f"The paper's own table 1 grows by {paper:.1f} from 3 joints to 6, as n^{log2(paper):.1f} does.",
        ),
    )


def degree(counts: Sequence[int]) -> int:
    """The degree of the polynomial through counts at neighbouring sizes, by finite differences.

    Differences that vary by 2 % are equal: a number that happens to be 1 saves a product here and there.

    >>> degree([n**3 + 5 * n for n in range(3, 13)])
    3
    """
    differences = np.array(counts)
    order = 0
    while np.ptp(differences) > 0.02 * np.abs(differences).mean() and differences.size > 2:
        differences = np.diff(differences)
        order += 1
    return order


# task, arm, quantity, the best in print, OpenSYMORO run on arms of this structure
RECORDS = (
    ("PUMA 560, inverse dynamics", "puma560-burdick", "inverse_dynamics", "EMDEG 401 M 254 A", "210 M 156 A"),
    ("PUMA 560, M, c, b and g", "puma560-burdick", "coefficients", "EMDEG 291 M 131 A", ""),
    ("PUMA 560, forward dynamics", "puma560-burdick", "forward_dynamics", "", "658 M 467 A"),
    ("RL15, forward dynamics", "rl15", "forward_dynamics", "mRNEA 1356 M 1038 A", ""),
    ("general 6R, inverse dynamics", "", "inverse_dynamics", "B & P 450 M 386 A", "469 M 376 A"),
    ("general 6R, forward dynamics", "", "forward_dynamics", "CRBA 996 M 846 A", ""),
    ("Panda, inverse derivatives", "panda", "inverse_dynamics_derivatives", "", ""),
    ("Panda, forward derivatives", "panda", "forward_dynamics_derivatives", "", ""),
)
RECORD_NOTES = (
    "With base parameters. M are multiplications and divisions, A additions and subtractions; sines and cosines, and "
    "all that depends on parameters alone, are apart. The corrected Appendix II of EMDEG has 278 M 140 A for M, c, b "
    "and g by our count of its lines. B & P: Balafoutis & Patel 1991; CRBA: composite bodies, Newton-Euler and a solve "
    "without base parameters. OpenSYMORO was run on arms of this structure; its forward dynamics is that of "
    "articulated bodies.",
)


def record_steps(effort: DeriveEffort | None, progress: SearchProgress = lambda what, done: None) -> list[PaperStep]:
    """The rows of `RECORDS` one by one: each takes its time. Without an ``effort`` records that came with Torsor are
    shown, and what the high one finds elsewhere. ``progress`` hears what is done, and how many rows are."""
    columns = "", "in print", "OpenSYMORO", "torsor"
    title = RECORD_TITLE + ("(records; * at effort high)" if effort is None else f"at effort {effort}")

    def row(done: int, what: str, name: str, quantity: str, printed: str, symoro: str) -> PaperTable:
        def heard(at: str, share: float) -> None:
            progress(f"{what}: {at}", done + share)

        heard("traced", 0.0)
        arm = load(name) if name else Arm(general_arm(6))
        is_record = effort is None and has_record(arm, quantity, parameters="base")
        used: DeriveEffort = effort or ("record" if is_record else "high")
        found = derive(arm, quantity, parameters="base", effort=used, progress=heard).count()
        marked = what if effort or is_record else f"{what} *"
        return PaperTable(title, columns, ((marked, printed, symoro, found),))

    return [PaperStep(each[0], partial(row, done, *each)) for done, each in enumerate(RECORDS)]


def by_title(tables: Sequence[PaperTable]) -> list[PaperTable]:
    """Tables that were made row by row put together: the rows of one title stand under it."""
    found: dict[str, PaperTable] = {}
    for table in tables:
        known = found.get(table.title)
        found[table.title] = table if known is None else replace(known, rows=known.rows + table.rows)
    return list(found.values())


def joined(tables: Sequence[PaperTable]) -> PaperTable:
    """The rows of several tables under one title."""
    return replace(by_title(tables)[0], notes=RECORD_NOTES)


def records(effort: DeriveEffort | None = None) -> PaperTable:
    """The best counts in print, or from other programs, against ours with base parameters."""
    return joined([step.run() for step in record_steps(effort)])


def _ratio(first: float, second: float) -> str:
    return f"{second / first:.1f}" if first else "-"
