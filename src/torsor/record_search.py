"""How long to search for fewer operations, up to a record: other gauges of the arm, several starts of the search."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Literal

from torsor.algebra import count, simplify
from torsor.mechanics.canonical import Trees, at_feet
from torsor.mechanics.formulations import FORMULATIONS
from torsor.mechanics.gauges import can_be_gauged, leanest
from torsor.mechanics.quantity import Quantity
from torsor.mechanics.tree import Reals, Tree

DeriveEffort = Literal["none", "normal", "high", "record"]
Graphs = dict[str, Reals]
SearchProgress = Callable[[str, float], None]  # hears what is done at the moment, and the share that is behind

# Beyond these operations the search for the fewest takes minutes; the normal level stays within seconds.
LARGEST = 1100
LARGEST_RECORD = 1600  # for those who wait for a record
LINES = 4  # of searches, each from what the one before it came to
LENGTH = 5
AT_GAUGES = 0.4  # of the time for a record


def fewest(outputs: Graphs, effort: DeriveEffort, progress: SearchProgress) -> Graphs:
    """Graphs simplified as hard as was asked for; for a record by lines of searches, of which the best counts."""
    as_traced = count(outputs).total
    if effort != "record":
        found: Graphs = simplify(outputs, effort=effort if effort != "high" or as_traced <= LARGEST else "normal")
        return found
    if as_traced > LARGEST_RECORD:
        progress(f"one search: {as_traced} operations so far", AT_GAUGES)
        return min((outputs, simplify(outputs, effort="high")), key=_operations)
    lines: list[Graphs] = [outputs] * LINES  # what each line of searches has come to
    for seed in range(LINES * LENGTH):
        done = AT_GAUGES + (1 - AT_GAUGES) * seed / (LINES * LENGTH)
        progress(f"search {seed + 1} of {LINES * LENGTH}: {min(map(_operations, lines))[0]} operations so far", done)
        k = seed % LINES
        lines[k] = min(lines[k], simplify(lines[k], effort="high", seed=seed), key=_operations)
    return min(lines, key=_operations)


def _operations(graphs: Graphs) -> tuple[int, int]:
    """M + A; of equal ones the fewer A."""
    found = count(graphs)
    return found.total, found.A


def is_same_in_all_gauges(quantity: Quantity, by: str | None) -> bool:
    """Whether a quantity by a formulation is computed in lean frames, from what torques depend on alone."""
    frames = FORMULATIONS[by].frames if by is not None else quantity.frames
    return frames == "lean" and quantity.needs_inertia and quantity.of_base_parameters


def in_leanest_gauge(trees: Trees, trace: Callable[[Trees], Graphs], progress: SearchProgress) -> Trees:
    """The trees in the gauge in which what is traced costs least; as they are where there is no choice, or where to
    count what every choice costs would take hours."""
    if trees.loops is not None or not can_be_gauged(trees.lean):
        return trees

    def traced(tree: Tree) -> Graphs:
        return trace(replace(trees, given=tree))

    def as_traced(tree: Tree) -> int:
        return count(traced(tree)).total

    def simplified(tree: Tree) -> int:
        return count(simplify(traced(tree))).total

    if as_traced(trees.lean) > LARGEST_RECORD:
        return trees
    # offsets along an axis may stand before its joint or behind: from both, first by what is counted at once
    starts = []
    for share, tree in ((0.0, trees.lean), (0.1, at_feet(trees.lean))):
        starts.append((tree, leanest(tree, as_traced, _told(progress, share))))
    tree, start = min(starts, key=lambda each: simplified(each[1].of(each[0])))
    return replace(trees, given=leanest(tree, simplified, _told(progress, 0.2), start).of(tree))


def _told(progress: SearchProgress, share: float) -> Callable[[int], None]:
    return lambda least: progress(f"gauges: {least} operations", share)
